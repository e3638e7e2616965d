"""Worlds read from and written to disk."""

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from mcp_sim.core.canonical import JSON
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.bundled import WORLD_NAME, bundled_worlds, project_worlds, user_worlds
from mcp_sim.tool_specs.combining import combine
from mcp_sim.tool_specs.json_text import flaw
from mcp_sim.tool_specs.offered_lists import LISTS
from mcp_sim.tool_specs.settings_file import settings_text
from mcp_sim.tool_specs.suggestion import suggest
from mcp_sim.tool_specs.world_files import read_file, read_folder

_CALLED = {"project": "the project's world", "bundled": "the bundled world", "user": "your own world"}


def load_world(name_or_path: str | Path) -> World:
    """Return the world of that name or at that path (a world folder or a JSON file of tools).

    Several, joined by `+`, are one world with the tools of all (`github+filesystem`).

    A name is looked for in `tool_specs` in the current directory, then among the bundled worlds, then among the user's own.

    A bare name is never a path.

    Raises:
        SetupError: there is no such world, or something in it is wrong.
    """
    if isinstance(name_or_path, str) and WORLD_NAME.fullmatch(name_or_path):
        return _named_world(name_or_path)
    if isinstance(name_or_path, str) and "+" in name_or_path and not Path(name_or_path).exists():
        return combine([load_world(part.strip()) for part in name_or_path.split("+")])
    text = str(name_or_path)
    if isinstance(name_or_path, str) and not _is_path(text):
        hint = "" if not _is_yaml(text) else f" What is YAML is imported first: mcp-sim import {text}"
        raise SetupError(f"{text!r} is no world's name, and a path needs a slash or .json: ./{text}.{hint}")
    try:
        path = Path(text).expanduser().resolve()
        is_folder = path.is_dir()
    except (OSError, ValueError, RuntimeError) as error:
        raise SetupError(f"{text!r} is no usable path: {error}.") from error
    if not path.exists():
        raise SetupError(f"{path}: there is no such file or folder.")
    if _is_yaml(text) and not is_folder:
        raise SetupError(f"{path}: is YAML, and worlds are folders or JSON. Make a world of it: mcp-sim import {text}")
    key = f"{_slug(path.stem)}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}"
    return read_folder(path, key, str(path)) if is_folder else read_file(path, key)


def load_source(source: str) -> World:
    """Return the world that has this `source`, wherever we are now: a name in it never means a world of a project, which has a path.

    Raises:
        SetupError: it is gone, or something in it is wrong.
    """
    if WORLD_NAME.fullmatch(source):
        for place, worlds in (("bundled", bundled_worlds()), ("user", user_worlds())):
            if source in worlds:
                return _read_named(source, worlds[source], place)
    if "+" in source and not Path(source).exists():
        return combine([load_source(part) for part in source.split("+")])
    return load_world(source)


def find_world(source: str) -> Path:
    """Return the folder or file that a world was loaded from, by its `source`."""
    return bundled_worlds().get(source) or user_worlds().get(source) or Path(source)


def write_world(
    path: Path,
    *,
    listing: JSON = None,
    server: JSON = None,
    lists: Mapping[str, JSON] | None = None,
    settings: dict[str, JSON] | None = None,
    background: str = "",
    state: dict[str, JSON] | None = None,
    demonstrations: Iterable[dict[str, JSON]] = (),
    frozen: Iterable[dict[str, JSON]] = (),
    replace: bool = False,
) -> None:
    """Write a world folder, whole or not at all: a `tools/list` result and an `initialize` result (`server`), kept exactly as sent.

    `lists` are the results of its other lists, by method.

    With `replace`, the files given here take the place of those in an existing world folder, each whole or not at all; the others stay.
    A new folder needs a listing.

    Raises:
        SetupError: the folder exists (without `replace`, or is no world folder), `settings` are wrong, or it cannot be written.
    """
    texts = {
        "tools.json": "" if listing is None else _json_text(listing),
        "server.json": "" if server is None else _json_text(server),
        "world.toml": settings_text(settings) if settings else "",
        "background.md": background,
        "state.json": "" if state is None else _json_text(state),
        "demonstrations.jsonl": _lines_text(demonstrations),
        "frozen.jsonl": _lines_text(frozen),
    }
    if listing is None and not replace:
        raise SetupError(f"{path}: a new world needs a list of tools.")
    texts |= {LISTS[method]: _json_text(result) for method, result in (lists or {}).items()}
    write_files(path, {name: text for name, text in texts.items() if text}, replace=replace)


def write_files(path: Path, texts: Mapping[str, str], *, replace: bool = False) -> None:
    """Write the files of a world folder, whole or not at all; with `replace`, into one that exists.

    Raises:
        SetupError: the folder exists (without `replace`, or is no world folder), or it cannot be written.
    """
    try:
        if path.exists() and not replace:
            raise SetupError(f"{path}: exists already. Choose another name, or say that it is to be replaced.")
        if path.exists() and not (path / "tools.json").is_file():
            raise SetupError(f"{path}: is no world folder (it has no tools.json), so it is not replaced.")
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.parent / f".{path.name}.{secrets.token_hex(4)}"
        beside.mkdir()
        try:
            for name, text in texts.items():
                _write_synced(beside / name, text)
            if path.exists():
                for file in beside.iterdir():
                    file.replace(path / file.name)
            else:
                beside.rename(path)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise SetupError(f"{path}: cannot be written: {error}.") from error


def find_folder(name: str) -> tuple[Path, str]:
    """Return the folder of the world with this bare name, and where it was found: `project`, `bundled` or `user`.

    Raises:
        SetupError: there is none.
    """
    places = _places()
    for place, worlds in places.items():
        if name in worlds:
            return worlds[name], place
    known = sorted({known for worlds in places.values() for known in worlds})
    here = f" To use the file or folder here, write ./{name}" if Path(name).exists() else " A path needs a slash or .json."
    hint = suggest(name, known, f"Known worlds: {', '.join(known) or 'none'}.")
    raise SetupError(f"There is no world {name!r}. {hint}{here}")


def _named_world(name: str) -> World:
    folder, place = find_folder(name)
    world = _read_named(name, folder, place)
    others = [(other, worlds[name]) for other, worlds in _places().items() if name in worlds and other != place]
    notices = [
        f"{name} is {_CALLED[place]} here ({folder}); {_CALLED[other]} has the name {name} too, and is served by its path: {path}"
        for other, path in others
    ]
    return world.model_copy(update={"notices": (*world.notices, *notices)}) if notices else world


def _read_named(name: str, folder: Path, place: str) -> World:
    if place == "bundled":
        return read_folder(folder, name, name)
    key = f"{name}-{hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:8]}"
    # why the path: a client that is told to serve a project's world starts it in another directory
    return read_folder(folder, key, str(folder) if place == "project" else name)


def _places() -> dict[str, dict[str, Path]]:
    return {"project": project_worlds(), "bundled": bundled_worlds(), "user": user_worlds()}


def _is_path(text: str) -> bool:
    return "/" in text or os.sep in text or text in (".", "..", "~") or text.lower().endswith(".json")


def _is_yaml(text: str) -> bool:
    return text.lower().endswith((".yaml", ".yml"))


def _slug(stem: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:40] or "world"


def _json_text(value: JSON) -> str:
    try:
        # why: half a surrogate pair, which a listing may hold, has no UTF-8
        return json.dumps(value, indent=2, ensure_ascii=flaw(value) is not None, allow_nan=False) + "\n"
    except (RecursionError, ValueError, TypeError) as error:
        raise SetupError(f"This cannot be written as JSON: {error}.") from error


def _lines_text(lines: Iterable[dict[str, JSON]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def _write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
