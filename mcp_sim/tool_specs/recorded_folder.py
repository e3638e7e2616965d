"""A world folder that grows while a server is recorded: what is known is in its files at any moment."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.transition import Demonstration, FrozenAnswer
from mcp_sim.tool_specs.freezing import merge, write_line
from mcp_sim.tool_specs.json_text import read_json
from mcp_sim.tool_specs.listing import read_listing
from mcp_sim.tool_specs.offered_lists import LISTS
from mcp_sim.tool_specs.settings_edit import change_settings
from mcp_sim.tool_specs.world_folder import write_world

MOST_DEMONSTRATIONS = 20
"""How many calls of one tool are kept as demonstrations."""

_Key = tuple[str, str | None, int | None]


class RecordedFolder:
    """Writes one line for each answer, at once. Where one takes the place of an older one, the file is written anew, whole or not at all.

    Raises:
        SetupError: the folder cannot be written.
    """

    def __init__(self, path: Path, answers: Iterable[FrozenAnswer] = (), demonstrations: Iterable[Demonstration] = ()) -> None:
        self.path = path
        self._answers = {_key(answer): answer for answer in answers}
        self._shown: dict[str, set[str]] = {}
        for demonstration in demonstrations:
            self._shown.setdefault(demonstration.action.name, set()).add(_text(demonstration))

    @property
    def exists(self) -> bool:
        """Whether there is a world already."""
        return (self.path / "tools.json").is_file()

    @property
    def answers(self) -> int:
        """How many answers are kept."""
        return len(self._answers)

    def read_lists(self) -> dict[str, dict[str, JSON]]:
        """Return the lists that are there, by method, each as it was sent."""
        lists: dict[str, dict[str, JSON]] = {}
        if self.exists:
            raw = read_json(self.path / "tools.json")
            is_result = isinstance(raw, dict) and isinstance(raw.get("tools"), list)
            lists["tools/list"] = raw if is_result else {"tools": read_listing(raw, str(self.path / "tools.json")).tools}
        for method, name in LISTS.items():
            value = read_json(self.path / name) if (self.path / name).exists() else None
            if isinstance(value, dict):
                lists[method] = value
        return lists

    def write_lists(self, lists: Mapping[str, dict[str, JSON]], server: JSON) -> None:
        """Write the lists by method, and what the server says of itself, as sent."""
        others = {method: result for method, result in lists.items() if method in LISTS}
        write_world(self.path, listing=lists.get("tools/list"), server=server, lists=others, replace=self.exists)

    def change_settings(self, changes: Mapping[str, JSON]) -> None:
        """Set these settings, and leave the others."""
        change_settings(self.path, changes)

    def add_answer(self, answer: FrozenAnswer) -> None:
        """Keep an answer; what was answered last is what holds."""
        before = self._answers.get(_key(answer))
        if before is not None and before.observation == answer.observation:
            return
        self._answers[_key(answer)] = answer
        if before is None:
            self._append("frozen.jsonl", write_line(answer))
        else:
            self.settle()

    def add_demonstration(self, demonstration: Demonstration) -> None:
        """Keep an example, if there are not enough of its tool."""
        shown = self._shown.setdefault(demonstration.action.name, set())
        if len(shown) >= MOST_DEMONSTRATIONS or _text(demonstration) in shown:
            return
        shown.add(_text(demonstration))
        action, observation = demonstration.action, demonstration.observation
        self._append("demonstrations.jsonl", {"name": action.name, "arguments": action.arguments, "result": observation.to_result()})

    def forget_answers(self, tool: str) -> None:
        """Drop the answers of a tool that are not told apart by their occurrence: it answers differently each time."""
        self._answers = {key: answer for key, answer in self._answers.items() if answer.action.name != tool or answer.occurrence}

    def settle(self) -> None:
        """Write the answers in their order."""
        if self._answers:
            write_world(self.path, frozen=map(write_line, merge(self._answers.values())), replace=True)

    def _append(self, name: str, line: dict[str, JSON]) -> None:
        descriptor = os.open(self.path / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, json.dumps(line).encode() + b"\n")  # one call, so that a kill leaves whole lines
        finally:
            os.close(descriptor)


def _key(answer: FrozenAnswer) -> _Key:
    return answer.action.key, answer.fingerprint, answer.occurrence


def _text(demonstration: Demonstration) -> str:
    return canonical([demonstration.action.arguments, demonstration.observation.to_result()])
