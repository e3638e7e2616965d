"""Secrets out of what is kept, so that what was left out still matches when it is said again."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import re2

from mcp_sim.core.across import cut_across
from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.frozen_settings import RedactionSettings
from mcp_sim.core.json_in_text import rewrite_json
from mcp_sim.core.leaves import replace_leaves
from mcp_sim.core.observation import Observation
from mcp_sim.core.secret_forms import with_forms
from mcp_sim.core.secret_shapes import SHAPES, SURE_SHAPES, Shape, is_secret_name, replace_secrets
from mcp_sim.errors import SetupError

_PRIVATE_KEY = re2.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----")
_PLACEHOLDER = re.compile(r"\{\{redacted:[0-9a-f]{6}\}\}")
_WORD_START = re.compile(r"(?<![A-Za-z0-9])[^\s]")
_QUIETLY = re2.Options()
_QUIETLY.log_errors = False
_LONGEST_SEARCHED = 200_000
_LONGEST_SEARCHED_EVERYWHERE = 4_000
"""A longer text is searched for secrets without a shape only where a word begins."""
SHORTEST_LITERAL = 6
"""Shorter values of the environment are left alone: they would be found in every word."""


class Redaction:
    """Replaces secrets by `{{redacted:1a2b3c}}`: the same secret by the same placeholder in one world, and a placeholder by itself.

    The tag is a keyed hash of 24 bits. It tells whether two secrets are equal; whoever has the world's key and a guess can try it.
    """

    def __init__(self, settings: RedactionSettings, secrets: Iterable[str] = ()) -> None:
        """Read the settings; `secrets` are values known to be secret (of the environment, of headers), in whatever form they are said.

        Raises:
            SetupError: a pattern cannot be read.
        """
        self._key = settings.key.encode()[:64]
        self._own = [read_pattern(pattern, "frozen.redaction.patterns") for pattern in settings.patterns]
        self._secrets = with_forms(secret for secret in secrets if len(secret) >= SHORTEST_LITERAL)
        self._literals: dict[int, set[str]] = {}
        for literal in settings.literals:
            length, _, tag = literal.partition(":")
            if not length.isdecimal() or not tag:
                raise SetupError(f"world.toml: frozen.redaction.literals: {literal!r} is no length and tag such as '40:1a2b3c'.")
            self._literals.setdefault(int(length), set()).add(tag)

    def literal(self, secret: str) -> str:
        """Return what `literals` may hold of a secret: its length and tag, from which it is found again."""
        return f"{len(secret)}:{self._tag(secret)}"

    @property
    def own_literals(self) -> set[str]:
        """What `literals` may hold of the secrets that are known here."""
        return {self.literal(secret) for secret in self._secrets}

    def met(self, text: str) -> set[str]:
        """Return those of `own_literals` whose placeholder stands in a text."""
        return {literal for literal in self.own_literals if "{{redacted:" + literal.partition(":")[2] + "}}" in text}

    def value(self, value: JSON, name: str = "") -> Any:
        """Return a JSON value without secrets: texts by their shape, and all texts under a secret's name."""
        return replace_leaves(value, self._leaf, self.text, name=name)

    def listing(self, value: JSON) -> Any:
        """Return what a server lists, without secrets: by sure shapes only, since descriptions speak of passwords and hold none."""
        return replace_leaves(value, lambda leaf, _: self._shaped(leaf, SURE_SHAPES) if isinstance(leaf, str) else leaf)

    def action(self, action: Action) -> Action:
        """Return an action without secrets, itself where it holds none."""
        params = self.value(action.params)
        return action if params == action.params else Action(method=action.method, params=params)

    def result(self, result: dict[str, JSON]) -> Any:
        """Return what a server answered, without secrets: those as well that begin in one block of text and end in another."""
        content = result.get("content")
        return self.value({**result, "content": self._joined(content)} if isinstance(content, list) else result)

    def observation(self, observation: Observation) -> Observation:
        """Return an observation without secrets."""
        found: dict[str, JSON] = {"content": self._joined(observation.content)}
        if observation.protocol_error is not None:
            found["protocol_error"] = observation.protocol_error
        if observation.has_structured_content:
            found["structured_content"] = observation.structured_content
        return observation.model_copy(update={name: self.value(value) for name, value in found.items()})

    def text(self, text: str) -> str:
        """Return a text without secrets: by their shape, and in a text that is JSON by their name too."""
        return self._shaped(rewrite_json(text, self.value), SHAPES)

    def _shaped(self, text: str, shapes: Sequence[Shape]) -> str:
        if len(text) < SHORTEST_LITERAL:
            return text
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, self._placeholder(secret))
        if self._literals and len(text) <= _LONGEST_SEARCHED:
            text = self._without_literals(text)
        return replace_secrets(text, self._whole, shapes, before_each=self._without_own)

    def _joined(self, content: list[Any]) -> list[Any]:
        places = [place for place, block in enumerate(content) if isinstance(block, dict) and isinstance(block.get("text"), str)]
        texts = [content[place]["text"] for place in places]
        whole = "".join(texts)
        secrets = [secret for secret in self._secrets if secret in whole] + [match[0] for match in _PRIVATE_KEY.finditer(whole)]
        if len(texts) < 2 or not secrets:
            return content
        parts = cut_across(texts, secrets, self._placeholder)
        blocks = dict(zip(places, parts, strict=True))
        return [{**block, "text": blocks[place]} if place in blocks else block for place, block in enumerate(content)]

    def _leaf(self, leaf: JSON, name: str) -> JSON:
        if not isinstance(leaf, str):
            return leaf
        return self._whole(leaf) if is_secret_name(name) else self.text(leaf)

    def _without_own(self, text: str) -> str:
        for pattern in self._own:
            text = str(pattern.sub(lambda match: self._without_group(match[0], match[match.re.groups and 1]), text))
        return text

    def _without_group(self, whole: str, secret: str | None) -> str:
        return whole.replace(secret, self._whole(secret)) if secret else whole

    def _without_literals(self, text: str) -> str:
        for length in sorted(self._literals, reverse=True):  # as the secrets themselves are left out, the longest first
            tags = self._literals[length]
            everywhere = len(text) <= _LONGEST_SEARCHED_EVERYWHERE
            starts = range(len(text) - length + 1) if everywhere else (match.start() for match in _WORD_START.finditer(text))
            parts, end = [], 0
            for start in starts:
                candidate = text[start : start + length]
                if start >= end and len(candidate) == length and self._tag(candidate) in tags:
                    parts += [text[end:start], self._placeholder(candidate)]
                    end = start + length
            text = "".join([*parts, text[end:]])
        return text

    def _whole(self, secret: str) -> str:
        return secret if not secret or _PLACEHOLDER.fullmatch(secret) else self._placeholder(secret)

    def _placeholder(self, secret: str) -> str:
        return "{{redacted:" + self._tag(secret) + "}}"

    def _tag(self, secret: str) -> str:
        return hashlib.blake2b(secret.encode("utf-8", "surrogatepass"), key=self._key, digest_size=3).hexdigest()


@lru_cache(maxsize=64)
def redaction_of(settings: RedactionSettings) -> Redaction | None:
    """Return how a world redacts; `None` where it has no key, so that nothing in it was redacted.

    Raises:
        SetupError: a pattern cannot be read.
    """
    return Redaction(settings) if settings.key else None


def identify(action: Action, settings: RedactionSettings) -> str:
    """Return the key of an action: equal for equal actions, and for one and what was kept of it without its secrets."""
    redaction = redaction_of(settings)
    return action.key if redaction is None else redaction.action(action).key


def read_pattern(pattern: str, setting: str) -> Any:
    """Return a compiled regular expression of a setting.

    Raises:
        SetupError: it cannot be read.
    """
    try:
        return re2.compile(pattern, _QUIETLY)
    except re2.error as error:
        said = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else error
        raise SetupError(f"world.toml: {setting}: {pattern!r} is no regular expression of RE2: {said}.") from error
