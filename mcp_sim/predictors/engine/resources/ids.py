"""Identifiers in the style of the resource: running numbers, prefixed keys, UUIDs, hashes, slugs, places in a list, or others."""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Literal

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.words.arguments import Argument

Style = Literal["number", "large-number", "prefixed", "uuid", "masked", "epoch", "slug", "place"]

_UUID = re.compile(r"\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b", re.IGNORECASE)
_PREFIXED = re.compile(r"\b([A-Z][A-Z0-9]{1,9})-(\d{1,7})\b")
_EPOCH = re.compile(r"^\d{10}\.\d{6}$")
_TOKEN = re.compile(r"^(?=.*\d)[A-Za-z0-9_-]{6,64}$")
_QUOTED = re.compile(r"(?:e\.g\.,?|example:?|such as|like|format:?)\s*[`'\"(]*([A-Za-z0-9_.-]{2,64})", re.IGNORECASE)
_INVENTED = re.compile(
    r"non.?exist|not.?exist|no.?such|missing|invalid|unknown|not.?found|fake|bogus|dummy|does.?not|doesnt|deadbeef|^0+$|^9{5,}$|^-\d|"
    r"^(?:00000000|ffffffff)|no-?where|undefined|^null$|^none$|^$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\w+@\{0\}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HEX = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class IdStyle:
    """How the ids of a resource look. `sample` is one to imitate; `prefix` is what all of them begin with."""

    style: Style
    sample: str = ""
    prefix: str = ""
    textual: bool = True

    @classmethod
    def of(cls, argument: Argument | None, samples: Sequence[JSON], *, own_named: bool, wide: bool, scoped: bool, key: str) -> "IdStyle":
        """Tell the style from ids that were seen, else from the schema and description of the argument that takes them."""
        texts = [str(sample) for sample in samples if isinstance(sample, str | int) and not isinstance(sample, bool)]
        types = argument.types if argument is not None else frozenset[str]()
        numeric = bool(types & {"integer", "number"}) and "string" not in types
        if argument is not None and argument.is_position:
            first = _PLACE.search(argument.description[:1000])
            return cls("place", first.group(0) if first else "", textual="string" in types)
        if texts:
            style = cls._like(texts, all(isinstance(sample, int) for sample in samples), own_named=own_named)
            return replace(style, style="large-number") if style.style == "number" and scoped and key == "id" else style
        if own_named:
            return cls("slug")
        if numeric:
            return cls("large-number" if wide or (scoped and key == "id") else "number", textual=False)
        if key == "ts":
            return cls("epoch")
        if key in ("number", "iid", "index"):
            return cls("number", textual="string" in types)
        text = argument.description[:500] if argument is not None else ""
        schema = argument.schema if argument is not None else {}
        named = [word for word in (schema.get("examples"), schema.get("example"), schema.get("pattern")) if isinstance(word, str | list)]
        hints = [str(item) for word in named for item in (word if isinstance(word, list) else [word])][:3]
        if schema.get("format") == "uuid" or "uuid" in text.lower() or any("{8}" in hint or _UUID.search(hint) for hint in hints):
            return cls("uuid")
        for said in [*hints, *_QUOTED.findall(text)]:
            if _PREFIXED.fullmatch(said) or _UUID.fullmatch(said) or (_TOKEN.match(said) and not said.islower()):
                return cls._like([said], False, own_named=False)
        if key in ("name", "slug", "path", "branch"):
            return cls("slug")
        if key in ("sha", "hash"):
            return cls("masked", sample="0a1b2c3d4e5f60718293a4b5c6d7e8f901234567")
        if key == "key" and argument is not None:
            return cls("prefixed", prefix="KEY")
        return cls("uuid")

    @classmethod
    def _like(cls, texts: list[str], integers: bool, *, own_named: bool) -> "IdStyle":
        sample = texts[0]
        if integers or all(text.isascii() and text.isdigit() for text in texts):
            large = max(len(text) for text in texts) > 7
            return cls("large-number" if large else "number", sample, textual=not integers)
        if own_named:
            return cls("slug", sample)
        if _UUID.fullmatch(sample):
            return cls("uuid", sample)
        if prefixed := _PREFIXED.fullmatch(sample):
            return cls("prefixed", sample, prefixed.group(1))
        if _EPOCH.match(sample):
            return cls("epoch", sample)
        if _TOKEN.match(sample) and not re.fullmatch(r"[a-z]+(?:-[a-z]+)*(?:-?\d{1,2})?", sample):
            fixed = re.match(r"^[A-Za-z]+[_-]", sample) or re.match(r"^[A-Z](?=[A-Z0-9]+$)", sample)
            return cls("masked", sample, fixed.group(0) if fixed else "")
        return cls("slug", sample)

    @property
    def counts(self) -> bool:
        """Whether the next id follows from the last."""
        return self.style in ("number", "prefixed")

    def numbered(self, number: int) -> JSON:
        """Return the id of a running number."""
        if self.style == "prefixed":
            return f"{self.prefix}-{number}"
        if self.style == "place" and self.sample:
            return self.sample.replace("0", str(number))
        return str(number) if self.textual else number

    def minted(self, random: Random, now: datetime, name: str) -> JSON:
        """Return an id that chance decides, in the style of the resource."""
        if self.style == "uuid":
            made = str(uuid.UUID(int=random.getrandbits(128), version=4))
            return made if "-" in self.sample or not self.sample else made.replace("-", "")
        if self.style == "epoch":
            return f"{int(now.timestamp())}.{random.randrange(1, 10**6):06d}"
        if self.style == "large-number":
            digits = max(len(self.sample), 4) if self.sample else 10
            first = int(self.sample[0]) if self.sample and self.sample[0] != "0" else 1
            number = first * 10 ** (digits - 1) + random.randrange(10 ** (digits - 1))
            return str(number) if self.textual else number
        if self.style == "masked":
            rest = self.sample[len(self.prefix) :]
            hexadecimal = not self.prefix and all(letter in _HEX for letter in rest)
            return self.prefix + "".join(_imitated(letter, random, hexadecimal) for letter in rest)
        return slug(name) or f"{random.choice(_LETTERS)}{random.getrandbits(24):06x}"

    def fits(self, key: str) -> bool:
        """Whether a text could be such an id: what looks invented, or like another kind of id, could not."""
        if _INVENTED.search(key) or len(key) > 300 or self.style == "place":
            return False
        if self.style in ("number", "large-number"):
            return key.isascii() and key.isdigit() and 0 < int(key[:18]) <= (5000 if self.style == "number" else 10**17)
        if self.style == "prefixed":
            found = _PREFIXED.fullmatch(key)
            return bool(found) and int(found.group(2)) <= 5000 if found else False
        if self.style == "uuid":
            return bool(_UUID.fullmatch(key))
        if self.style == "masked":
            return key.startswith(self.prefix) and abs(len(key) - len(self.sample)) <= 2
        return self.style == "slug" or bool(_EPOCH.match(key))

    def number_of(self, key: str) -> int:
        """Return the running number in an id, 0 if there is none."""
        digits = key.rpartition("-")[2] if self.style == "prefixed" else key
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else 0


def slug(name: str) -> str:
    """Return a name as it stands in an address: lower case, words joined by hyphens, at most 60 characters."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()[:200]).strip("-")[:60]


def _imitated(letter: str, random: Random, hexadecimal: bool) -> str:
    if hexadecimal:
        return random.choice(_HEX)
    if letter.isdigit():
        return random.choice("0123456789")
    if letter.isupper():
        return random.choice(_LETTERS.upper())
    return random.choice(_LETTERS) if letter.islower() else letter
