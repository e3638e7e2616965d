"""The `frozen.jsonl` of world folders, written anew with more answers."""

import difflib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mcp_sim.core.redaction import Redaction, redaction_of
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.bundled import bundled_worlds
from mcp_sim.tool_specs.folder_lock import folder_locked
from mcp_sim.tool_specs.freezing import merge, write_line
from mcp_sim.tool_specs.renaming import rename_action
from mcp_sim.tool_specs.settings_edit import change_settings
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
    answers: list[FrozenAnswer]

    def report(self) -> Iterator[str]:
        """Say what became of it, and what changed as a unified diff without context; all of it within bounds."""
        yield f"{len(self.after)} answers are frozen in {self.path}, {len(self.after) - len(self.before)} of them new"
        diff = list(difflib.unified_diff(self.before, self.after, n=0, lineterm=""))[2:]
        for line in diff[:_MOST_LINES]:
            yield line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 3]}..."
        if len(diff) > _MOST_LINES:
            yield f"and {len(diff) - _MOST_LINES} more lines"


def choose_folders(world: World, into: Path | None = None) -> dict[str, Path]:
    """Return, by the world's key, the folder that is to hold its frozen answers; of several worlds put together, that of each.

    It is the world's own folder, or what `into` names: one world's folder (or the file in it), the folder around those of several.

    Raises:
        SetupError: a world is bundled or a mere file of tools, and no folder was named; or what was named can hold no world.
    """
    if into is None:
        return {part.key: _folder_of(part) for part in world.parts or (world,)}
    if world.parts and into.name == _NAME:
        raise SetupError(f"{into}: {world.name} is several worlds, each with a {_NAME} of its own. Name the folder that is to hold theirs.")
    named = into.parent if into.name == _NAME else into
    folders = {part.key: into / part.name for part in world.parts} or {world.key: named}
    for folder in folders.values():
        _check_place(folder)
    return folders


def pin(world: World, answers: Iterable[FrozenAnswer], folders: Mapping[str, Path], redaction: Redaction | None = None) -> list[Pinned]:
    """Add answers to those of the world folders of `choose_folders`, each under the name that its tool has there, and without secrets
    where the world leaves them out. A folder that is not there yet is made from its world. Each file is written whole or not at all.

    With a `redaction` that knows secrets, these are left out as well, and the world's settings then say how they are found again.

    Raises:
        SetupError: two answers contradict each other, or a folder cannot be read or written.
    """
    kept: dict[str, list[FrozenAnswer]] = {}
    for answer in answers:
        part = world.part_of(answer.action)
        kept.setdefault(part.key, []).append(_own(part, answer, redaction or redaction_of(part.settings.frozen.redaction)))
    parts = [part for part in world.parts or (world,) if kept.get(part.key) or not world.parts]
    try:
        with ExitStack() as locks:
            for around in sorted({folders[part.key].parent for part in parts}):
                locks.enter_context(folder_locked(around))
            merged = [_merged(folders[part.key], kept.get(part.key, ())) for part in parts]  # why before: all is written, or nothing
            for part, pinned in zip(parts, merged, strict=True):
                _write(part, pinned, redaction if kept else None)
    except OSError as error:
        raise SetupError(f"{error.filename or 'frozen.jsonl'}: cannot be written: {error.strerror or error}.") from error
    return merged


def _write(world: World, pinned: Pinned, redaction: Redaction | None) -> None:
    folder = pinned.path.parent
    if not (folder / "tools.json").exists():
        _copy_world(world, folder)
    if pinned.answers:
        write_world(folder, frozen=[write_line(answer) for answer in pinned.answers], replace=True)
    if redaction is not None:
        met = redaction.met("\n".join(pinned.after))
        before = load_world(folder).settings.frozen.redaction.literals
        changes = {"key": world.settings.frozen.redaction.key, "literals": sorted({*before, *met})}
        change_settings(folder, {"frozen": {"redaction": {name: value for name, value in changes.items() if value}}})


def _check_place(folder: Path) -> None:
    try:
        free = not os.path.lexists(folder) or (folder / "tools.json").exists() or not any(folder.iterdir())
    except OSError:
        free = False
    if not free:
        raise SetupError(f"{folder}: is no world folder (it has no tools.json), and not empty. Name another with --into.")


def _folder_of(world: World) -> Path:
    folder = find_world(world.source)
    if world.source in bundled_worlds() or not folder.is_dir():
        raise SetupError(f"{world.source!r} is no folder of yours. Name one that is to hold it with its answers: --into tool_specs/mine")
    return folder


def _own(world: World, answer: FrozenAnswer, redaction: Redaction | None) -> FrozenAnswer:
    """Return an answer as the world's own folder has it."""
    tools = {name: own for name, own in world.own_names.items() if name in world.tools_by_name}
    prompts = {name: own for name, own in world.own_names.items() if world.offers.prompt(name)}
    action = rename_action(answer.action, tools, prompts)
    if redaction is None:
        return answer if action is answer.action else answer.model_copy(update={"action": action})
    told = tuple(redaction.value(step) for step in answer.progress)
    observation = redaction.observation(answer.observation)
    return answer.model_copy(update={"action": redaction.action(action), "observation": observation, "progress": told})


def _merged(folder: Path, answers: Sequence[FrozenAnswer]) -> Pinned:
    before: Sequence[FrozenAnswer] = ()
    if (folder / "tools.json").exists():
        there = load_world(folder)
        unknown = sorted({answer.action.name for answer in answers if answer.action.is_call} - set(there.tools_by_name))
        if unknown:
            raise SetupError(f"{folder}: this is a world of other tools, which has no {unknown[0]!r}. Name another folder with --into.")
        before = there.frozen
    try:
        after = merge([*before, *answers])
    except SetupError as error:
        raise SetupError(f"{folder / _NAME}: {error}") from error
    return Pinned(folder / _NAME, _texts(before), _texts(after), after)


def _texts(answers: Iterable[FrozenAnswer]) -> list[str]:
    return [json.dumps(write_line(answer), ensure_ascii=False) for answer in answers]


def _copy_world(world: World, folder: Path) -> None:
    _check_place(folder)
    source = find_world(world.source)
    beside = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
    try:
        if source.is_dir():
            shutil.copytree(source, beside)
        else:
            beside.mkdir()
            shutil.copy(source, beside / "tools.json")
        beside.replace(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
