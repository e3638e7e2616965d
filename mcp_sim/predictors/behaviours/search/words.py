"""The words of a query that count."""

import re

_WORD = re.compile(r"\w+")
_MOST_WORDS = 32
_STOP_WORDS = frozenset(
    "a about an and any are as at be been but by can could did do does for from had has have he her his how i if in into is it its "
    "many me more most much my no not of on or our she should so some than that the their them then there they this to was we were "
    "what when where which who whom whose why will with would you your".split()
)


def telling_words(query: str) -> list[str]:
    """Return the query's words in lower case, each once, without those that are in every text, unless there are no others."""
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(query)))
    return ([word for word in words if word not in _STOP_WORDS] or words)[:_MOST_WORDS]
