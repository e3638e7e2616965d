"""What the background of a world offers to those who must imagine: people, subjects, and what is forbidden."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.words.vocabulary import EFFECTS, VERBS, plural, singular

_PERSON = re.compile(r"\b([A-Z][a-zà-öø-ÿ'\u2019]+ (?:(?:van|de|der|von|da|al) )?[A-Z][a-zà-öø-ÿ'\u2019-]+)\b")
_HANDLE_ROW = re.compile(r"`([a-z][a-z0-9._-]{2,30})`[^\n`]{0,12}\|[^\n]*?\b([A-Z][\w'\u2019-]+ [A-Z][\w'\u2019-]+)")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+\w")
_SENTENCE = re.compile(r"[A-Z][^!?|`]{15,300}?[.!?](?=\s|$)")
_FORBIDS = re.compile(
    r"\b(cannot|can't|can not|may not|must not|not allowed|forbidden|no permission|not permitted|denied|read-only|"
    r"nobody may|only .{1,40} may)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[`\"“]([^`\"”\n]{1,60})[`\"”]")
_COMMON = frozenset(
    "about above after again against every their there these those which while where would could should other under until since before "
    "between through during within without according always never nothing anybody everybody somebody everything something monday tuesday "
    "wednesday thursday friday saturday sunday january february march april august september october november december".split()
)
_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class Background:
    """The vocabulary of a world's background text. Everything is in the order of the text, so that chance picks the same each time."""

    people: tuple[str, ...]
    handles: tuple[str, ...]
    emails: tuple[str, ...]
    subjects: tuple[str, ...]
    sentences: tuple[str, ...]
    forbidding: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Background":
        """Read a background text."""
        text = text[:_LONGEST]
        prose = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "|", "```", "-----"))]
        joined = " ".join(prose)
        sentences = [" ".join(found.split()) for found in _SENTENCE.findall(joined)]
        rules = [" ".join(found.split()).lstrip("-*> ") for found in re.split(r"(?<=[.!?])\s+|\n(?=\s*[-*#])", text)]
        counts = Counter(word for word in re.findall(r"[^\W\d_]{5,24}", " ".join(prose)) if word.lower() not in _COMMON)
        subjects = [word for word, count in counts.items() if count > 1 or word[0].isupper()]
        headings = {word for line in text.splitlines() if line.startswith("#") for word in line.split()}
        names = [name for name in _unique(_PERSON.findall(text)) if not set(name.split()) & headings]
        return cls(
            people=tuple(names[:60]),
            handles=tuple(_unique(handle for handle, _ in _HANDLE_ROW.findall(text)))[:60],
            emails=tuple(_unique(_EMAIL.findall(text)))[:60],
            subjects=tuple(subjects[:120]),
            sentences=tuple(s for s in sentences if 20 <= len(s) <= 240)[:200],
            forbidding=tuple(s for s in rules if len(s) < 600 and _FORBIDS.search(s))[:60],
        )

    def person(self, random: Random) -> str:
        """Return a person's name, or the empty string where none is named."""
        return random.choice(self.people) if self.people else ""

    def subject(self, random: Random) -> str:
        """Return a word for what this world is about, or the empty string."""
        return random.choice(self.subjects) if self.subjects else ""

    def forbids(self, verb: str, resource: str, values: Sequence[str]) -> str:
        """Return the sentence that forbids doing this to such a thing, or the empty string.

        A sentence forbids what it names: a verb of the same kind and the noun. If it quotes names, one of the values must be among them.
        """
        for sentence, quoted in _rules_about(self.forbidding, verb, resource) if self.forbidding else ():
            if not quoted or any(value in quoted for value in values):
                return sentence
        return ""


@lru_cache(maxsize=2_000)
def _rules_about(forbidding: tuple[str, ...], verb: str, resource: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The sentences that forbid doing this to such things, each with the names that it quotes."""
    nouns = {resource.replace("_", " "), plural(resource).replace("_", " "), resource.split("_")[-1], plural(resource.split("_")[-1])}
    kind = VERBS.get(verb, "update")
    found: list[tuple[str, tuple[str, ...]]] = []
    for sentence in forbidding:
        low = sentence.lower()
        said = set(words(low))
        stems = said | {singular(word) for word in said} | {word.removesuffix("d") for word in said} | {w.removesuffix("ed") for w in said}
        about = any(re.search(rf"\b{re.escape(noun)}\b", low) for noun in nouns)
        acts = "read-only" in low or any(
            (VERBS.get(stem) == kind and stem != "new") or (stem in EFFECTS and stem == verb) for stem in stems
        )
        if about and acts:
            found.append((sentence.strip(), tuple(_QUOTED.findall(sentence))))
    return tuple(found)


def _unique(items: object) -> list[str]:
    return list(dict.fromkeys(items))  # type: ignore[call-overload]
