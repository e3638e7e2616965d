"""A world folder's `frozen.jsonl`, written anew with more answers."""

import difflib
import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.bundled import bundled_worlds
from mcp_sim.tool_specs.freezing import merge, write_line
from mcp_sim.tool_specs.world_folder import find_world, load_world, write_world

_NAME = "frozen.jsonl"
_MOST_LINES = 40
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Pinned:
    """What became of a file: its lines before and after."""

    path: Path
    before: list[str]
    after: list[str]

    def report(self) -> Iterator[str]:
        """Say what became of it, and what changed as a unified diff without context; all of it within bounds."""
        yield f"{len(self.after)} answers are frozen in {self.path}, {len(self.after) - len(self.before)} of them new"
        diff = list(difflib.unified_diff(self.before, self.after, n=0, lineterm=""))[2:]
        for line in diff[:_MOST_LINES]:
            yield line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 3]}..."
        if len(diff) > _MOST_LINES:
            yield f"and {len(diff) - _MOST_LINES} more lines"


def choose_folder(world: World, into: Path | None = None) -> Path:
    """Return the world folder that is to hold the frozen answers of a world: its own, or the one named (or of the file named) by `into`.

    Raises:
        SetupError: the world is bundled or a mere file of tools, and no folder was named; or it is several put together.
    """
    if world.parts:
        raise SetupError(f"{world.source!r} is several worlds put together: freeze each by itself.")
    if world.parts:
        raise SetupError(f"{world.name}: answers can be frozen for one world at a time, not for several put together.")
    if into is not None:
        return into.parent if into.name == _NAME else into
    folder = find_world(world.source)
    if world.source in bundled_worlds() or not folder.is_dir():
        raise SetupError(f"{world.source!r} is no folder of yours. Name one that is to hold it with its answers: --into tool_specs/mine")
    return folder


def pin(world: World, answers: Iterable[FrozenAnswer], folder: Path) -> Pinned:
    """Add answers to those of a world folder; one that is not there yet is made from the world. Written whole or not at all.

    Raises:
        SetupError: two answers contradict each other, or the folder cannot be read or written.
    """
    is_new = not (folder / "tools.json").exists()
    before = () if is_new else load_world(folder).frozen
    after = merge([*before, *answers])
    if is_new:
        _copy_world(world, folder)
    if after:
        write_world(folder, frozen=[write_line(answer) for answer in after], replace=True)
    return Pinned(folder / _NAME, _texts(before), _texts(after))


def _texts(answers: Iterable[FrozenAnswer]) -> list[str]:
    return [json.dumps(write_line(answer), ensure_ascii=False) for answer in answers]


def _copy_world(world: World, folder: Path) -> None:
    source = find_world(world.source)
    if source.is_dir():
        shutil.copytree(source, folder)
    else:
        folder.mkdir(parents=True)
        shutil.copy(source, folder / "tools.json")
