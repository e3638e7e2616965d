"""When two calls count as the same for a frozen answer."""

import copy
from collections.abc import Iterator
from typing import Any

import jsonpath

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.frozen_settings import FrozenSettings
from mcp_sim.core.redaction import read_pattern, redaction_of
from mcp_sim.errors import SetupError

_MOST_SELECTED = 10_000


class Sameness:
    """Leaves out of a call what a world's settings say does not count. JSON paths are those of RFC 9535, patterns those of RE2."""

    def __init__(self, settings: FrozenSettings) -> None:
        """Read the settings.

        Raises:
            SetupError: a path or a pattern cannot be read.
        """
        self._redaction = redaction_of(settings.redaction)
        self._paths = [_read_path(path) for path in settings.ignore]
        self._patterns = [read_pattern(pattern, "frozen.patterns") for pattern in settings.patterns]

    def key(self, action: Action) -> str:
        """Return a hash that is equal for calls that count as the same."""
        if self._redaction is not None:
            action = self._redaction.action(action)
        if not self._paths and not self._patterns:
            return action.key
        arguments = copy.deepcopy(action.arguments)
        for path in self._paths:
            for count, match in enumerate(path.finditer(arguments)):
                if count >= _MOST_SELECTED:
                    break
                _remove(arguments, list(match.parts))
        return Action.call(action.name, dict(self._generalised(arguments))).key

    def _generalised(self, value: JSON) -> Any:
        if isinstance(value, dict):
            return {key: self._generalised(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._generalised(item) for item in value]
        if isinstance(value, str):
            return next((f"\0pattern {number}" for number, pattern in enumerate(self._patterns) if pattern.fullmatch(value)), value)
        return value


def _remove(value: JSON, parts: list[str | int]) -> None:
    for part in parts[:-1]:
        try:
            value = value[part]
        except (KeyError, IndexError):  # it went with something above it
            return
    if parts and isinstance(value, dict):
        value.pop(parts[-1], None)
    elif parts and isinstance(value, list) and isinstance(parts[-1], int) and parts[-1] < len(value):
        value[parts[-1]] = None  # the others keep their places


def _read_path(path: str) -> Any:
    try:
        return jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        reason = str(error).partition("\n")[0]
        example = "Write it like $.request_id or $..timestamp."
        raise SetupError(f"world.toml: frozen.ignore: {path!r} is no JSON path: {reason}. {example}") from error


def differences(frozen: JSON, asked: JSON) -> Iterator[str]:
    """Say where the arguments of a frozen call and of the one that was asked differ, a sentence each."""
    left, right = dict(_leaves(frozen, "")), dict(_leaves(asked, ""))
    for path in sorted(left.keys() | right.keys()):
        if path not in right:
            yield f"{path} is missing (frozen: {_shown(left[path])})"
        elif path not in left:
            yield f"{path} is {_shown(right[path])} (frozen: not given)"
        elif left[path] != right[path] or type(left[path]) is not type(right[path]):
            yield f"{path} is {_shown(right[path])} (frozen: {_shown(left[path])})"


def _leaves(value: JSON, path: str) -> Iterator[tuple[str, JSON]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for position, item in enumerate(value):
            yield from _leaves(item, f"{path}[{position}]")
    else:
        yield path, value


def _shown(value: JSON) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
