"""What a field's name and description tell about its value."""

import re
from functools import lru_cache

from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.format import formatted
from mcp_sim.predictors.instances.hints import Spot
from mcp_sim.predictors.instances.vocabulary import TEXTS

_EXAMPLE = re.compile(
    r"(?:e\.g\.?|for example|such as|example:|examples:|like)[\s,:(]*((?:[`'\"][^`'\"\n]{1,60}[`'\"](?:\s*(?:,|or|and|/)+\s*)*)+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[`'\"]([^`'\"\n]{1,60})[`'\"]")
_FILES = frozenset("files paths staged unstaged untracked".split())
_TELLING = frozenset("email url uri date timestamp path filename hash city country phone sentence title sha uuid message branch".split())


@lru_cache(maxsize=4096)
def _known(name: str) -> str | None:
    """Return the entry for a name: its longest ending that is known, else any of its words, the last first."""
    parts = words(name)
    for form in ("_".join(parts[start:]) for start in range(len(parts))):
        for candidate in (form, form.removesuffix("s")):
            if candidate in TEXTS:
                return candidate
    return next((word for word in reversed(parts) if word in TEXTS), None)


def names_known(name: str) -> bool:
    """Whether a field's name tells what its text may be."""
    return _known(name) is not None


_ADDRESSED = frozenset({"to", "cc", "bcc", "from", "recipient", "recipients", "sender"})
_PEOPLE = frozenset("user member author assignee reporter creator collaborator attendee participant contact person guest student".split())


def name_of_owner(spot: Spot, subject: str) -> str | None:
    """Return the field whose texts a bare `name` at the spot has, by what it names: a user's name is a person's, a city's a city's."""
    if spot.name.lower() in _ADDRESSED and set(words(subject)) & {"email", "mail", "draft"}:
        return "email"
    if words(spot.name) != ["name"]:
        return None
    around = next((key for key in reversed(spot.path[:-1]) if isinstance(key, str)), subject)
    owner = (words(around) or [""])[-1]
    for candidate in (owner, owner.removesuffix("s"), owner.removesuffix("ies") + "y"):
        if candidate in _PEOPLE:
            return "person"
        if candidate in _NAMESAKES:
            return candidate
    return None


_NAMESAKES = frozenset("person customer employee company organization city country file repository language event product".split()) & set(
    TEXTS
)


@lru_cache(maxsize=4096)
def _examples(description: str) -> tuple[str, ...]:
    return tuple(quoted for found in _EXAMPLE.finditer(description[:2000]) for quoted in _QUOTED.findall(found[1]))


@lru_cache(maxsize=4096)
def _told(description: str) -> str | None:
    return next((word for word in words(description[:300]) if word in _TELLING and word in TEXTS), None)


def text_for(name: str, description: str, fake: Fake) -> str:
    """Return what a text field of that name and description may hold."""
    examples = _examples(description)
    if examples:
        return fake.random.choice(examples)
    about = words(name)
    if "8601" in description or (about and about[-1] in ("at", "timestamp")):
        return formatted("date-time", fake, about) or ""
    if "YYYY-MM-DD" in description or (about and about[-1] == "date"):
        return formatted("date", fake, about) or ""
    if _FILES & set(about):
        return fake.path()
    known = _known(name) or _told(description)
    if known is not None:
        return TEXTS[known](fake)
    return f"{fake.word()} {fake.word()}" if len(about) != 1 else f"{about[0]}-{fake.word()}"


_NEGATIVE = frozenset(
    "error failed deleted archived disabled hidden private locked expired cancelled blocked truncated more dry bare conflicts".split()
)


def truth_for(name: str, fake: Fake) -> bool:
    """Return what a flag of that name mostly says: success, and no trouble."""
    about = set(words(name))
    if about & _NEGATIVE:
        return False
    if about & {"success", "ok", "valid", "exists", "enabled", "active", "verified", "found", "available"}:
        return True
    return fake.random.random() < 0.6


_MEASURED = frozenset("distance speed weight area volume average mean median rate value pressure load utilization usage change".split())


_MONEY = frozenset(
    "price cost amount fee subtotal tax balance salary revenue payment deposit withdrawal funds discount shipping usd eur gbp paid owed "
    "budget".split()
)


NUMBER_FORMATS = ("price", "ratio", "rating")
"""Words for what a number is, where a schema gives one as its format."""


def number_for(name: str, fake: Fake, *, whole: bool) -> int | float | None:
    """Return what a number field of that name may hold, `None` where the name does not tell."""
    about = words(name)
    random = fake.random
    last = about[-1] if about else ""
    kinds = set(about)
    if kinds & {"lat", "latitude"}:
        return round(random.uniform(-60, 65), 5)
    if kinds & {"lon", "lng", "longitude"}:
        return round(random.uniform(-120, 140), 5)
    if last in ("timestamp", "at", "time", "mtime", "ctime", "created", "updated", "ms", "millis") and kinds & {
        "timestamp",
        "at",
        "created",
        "updated",
        "mtime",
        "ctime",
        "epoch",
    }:
        seconds = int(fake.time(about).timestamp())
        return seconds * 1000 if kinds & {"ms", "millis"} else seconds
    if "coordinates" in kinds or "coordinate" in kinds:
        return round(random.uniform(-60, 65), 5)
    if kinds & _MONEY and not kinds & {"rate", "percent", "percentage", "pct", "count", "id"}:
        return random.randint(5, 400) if whole else round(random.uniform(3, 250), 2)
    if kinds & {"percent", "percentage", "progress", "pct", "humidity", "cloudiness", "battery"} or {"cloud", "cover"} <= kinds:
        return random.randint(1, 100)
    if kinds & {"score", "confidence", "probability", "similarity", "relevance", "ratio"}:
        return random.randint(1, 100) if whole else round(random.uniform(0.3, 0.99), 3)
    if kinds & {"rating", "stars"} and not whole:
        return round(random.uniform(3, 5), 1)
    if last in ("id", "number"):
        return random.randint(1, 9_999)
    if "year" in kinds:
        return fake.now.year - random.randint(0, 6)
    if kinds & {"bytes", "size"}:
        return random.randint(200, 80_000)
    if kinds & {"width", "height"}:
        return random.choice((120, 240, 320, 480, 640, 1080))
    if "port" in kinds:
        return random.choice((80, 443, 3000, 5432, 8080))
    if kinds & {"page", "attempt", "attempts", "depth"}:
        return 1
    if kinds & {"offset", "errors", "failed", "skipped", "behind"}:
        return 0
    if kinds & {"age"}:
        return random.randint(19, 70)
    if "fahrenheit" in kinds:
        return random.randint(28, 88) if whole else round(random.uniform(28, 88), 1)
    if kinds & {"temperature", "temp", "celsius"}:
        return random.randint(-2, 31) if whole else round(random.uniform(-2, 31), 1)
    if "volume" in kinds and whole:
        return random.randint(10_000, 5_000_000)
    if kinds & {"minutes", "hours"}:
        return random.choice((5, 10, 15, 20, 30, 45, 60, 90)) if "minutes" in kinds else random.randint(1, 8)
    if kinds & {"duration", "ms", "elapsed"}:
        return random.randint(3, 900)
    if not whole and kinds & _MEASURED:
        return round(random.uniform(1, 100), 2)
    return random.randint(1, 40)
