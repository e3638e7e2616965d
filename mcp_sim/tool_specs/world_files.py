"""The files of a world, each read by its own rules and put together."""

from fnmatch import fnmatchcase
from pathlib import Path

from mcp_sim.core.state import EMPTY_STATE, State, freeze
from mcp_sim.core.transition import Demonstration, FrozenAnswer
from mcp_sim.core.world import Settings, World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.answers import read_demonstrations, read_frozen
from mcp_sim.tool_specs.json_text import flaw, kind, read_json, read_text
from mcp_sim.tool_specs.listing import read_listing, read_server
from mcp_sim.tool_specs.mending import mend_all
from mcp_sim.tool_specs.offered_lists import LISTS, read_offers
from mcp_sim.tool_specs.settings_file import read_settings
from mcp_sim.tool_specs.suggestion import suggest
from mcp_sim.tool_specs.world_checks import check_hints, check_state

MAX_STATE_BYTES = 512 * 1024 * 1024
FILES = (
    "tools.json",
    "server.json",
    *LISTS.values(),
    "world.toml",
    "background.md",
    "state.json",
    "demonstrations.jsonl",
    "frozen.jsonl",
)
"""What a world folder may hold; all but `tools.json` (a `tools/list` result) may be absent. `server.json` is an `initialize` result."""


def read_file(path: Path, key: str) -> World:
    """Return the world of a JSON file of tools.

    Raises:
        SetupError: the file holds no tool list, or none of its tools can be served.
    """
    listing = read_listing(read_json(path), str(path))
    tools, left_out = mend_all(listing.tools)
    if left_out and not tools:
        raise SetupError(f"{path}: none of its {len(left_out)} tools can be served. {left_out[0].name}: {left_out[0].reason}")
    notices = listing.notices if tools else (*listing.notices, f"{path} holds no tools.")
    return World(
        name=path.stem,
        key=key,
        source=str(path),
        tools=tools,
        left_out=left_out,
        server_info=listing.server_info,
        instructions=listing.instructions,
        notices=notices,
    )


def read_folder(path: Path, key: str, source: str) -> World:
    """Return the world of a folder.

    Raises:
        SetupError: it has no `tools.json`, or one of its files is wrong.
    """
    if not (path / "tools.json").is_file():
        found = ", ".join(sorted(item.name for item in path.glob("*.json"))) or "no .json file"
        raise SetupError(f"{path}: is no world folder: it has no tools.json ({found}).")
    world = read_file(path / "tools.json", key)
    info, instructions, notices = world.server_info, world.instructions, list(world.notices)
    if (path / "server.json").exists():
        said_info, said_instructions, remarks = read_server(read_json(path / "server.json"))
        info, instructions = said_info or info, said_instructions or instructions
        notices += remarks
    offers, remarks = read_offers(path)
    notices += remarks
    settings = read_settings(path / "world.toml") if (path / "world.toml").exists() else Settings()
    check_hints(settings, world.tools_by_name, path / "world.toml")
    notices += _idle_settings(settings, world)
    state: State = EMPTY_STATE
    if (path / "state.json").exists():
        state, slips = _read_state(path / "state.json")
        notices += slips
    shared = tuple(_read_shared(path, name) for name in settings.shared)
    demonstrations: tuple[Demonstration, ...] = ()
    if (path / "demonstrations.jsonl").exists():
        demonstrations, remarks = read_demonstrations(path / "demonstrations.jsonl", world.tools_by_name)
        notices += remarks
    frozen: tuple[FrozenAnswer, ...] = ()
    if (path / "frozen.jsonl").exists():
        frozen = read_frozen(path / "frozen.jsonl", world.tools_by_name, frozenset(tool.name for tool in world.left_out))
    return World(
        name=path.name or "world",
        key=key,
        source=source,
        tools=world.tools,
        offers=offers,
        left_out=world.left_out,
        settings=settings,
        background="\n\n".join([*shared, *([read_text(path / "background.md")] if (path / "background.md").exists() else [])]),
        shared=shared,
        first_state=state,
        demonstrations=demonstrations,
        frozen=frozen,
        server_info=info,
        instructions=instructions,
        notices=tuple(notices),
    )


def read_texts(path: Path) -> dict[str, str]:
    """Return the text of every file of a world folder by its name, those that it shares with other worlds as well.

    Raises:
        SetupError: a file cannot be read, or `world.toml` names one that is not there.
    """
    texts = {name: read_text(path / name, MAX_STATE_BYTES) for name in FILES if (path / name).is_file()}
    shared = read_settings(path / "world.toml").shared if "world.toml" in texts else ()
    return texts | {name: _read_shared(path, name) + "\n" for name in shared}


def _read_shared(folder: Path, name: str) -> str:
    if Path(name).name != name or name in ("", ".", ".."):
        raise SetupError(f"{folder / 'world.toml'}: shared: {name!r} is a path; name a file in this folder or the one above it.")
    for place in (folder, folder.absolute().parent):
        if (place / name).is_file():
            return read_text(place / name).strip()
    raise SetupError(f"{folder / 'world.toml'}: shared: there is no file {name!r} in {folder} or in the folder above it.")


def _idle_settings(settings: Settings, world: World) -> list[str]:
    """Say which settings speak of tools that the world does not have: most likely a slip of the pen."""
    names = list(world.tools_by_name)
    idle = [
        f"world.toml: {key}: {glob!r} matches no tool."
        for key, globs in (
            ("mutating", settings.mutating),
            ("reading", settings.reading),
            ("volatile", settings.volatile),
            ("shadow.real_reads", settings.shadow.real_reads),
        )
        for glob in globs
        if not any(fnmatchcase(name, glob) for name in names)
    ]
    missing = [name for name in settings.tools if name not in names]
    return idle + [f"world.toml: there is no tool {name!r}. {suggest(name, names, '')}".rstrip() for name in missing]


def _read_state(path: Path) -> tuple[State, list[str]]:
    value = read_json(path, MAX_STATE_BYTES)
    if not isinstance(value, dict):
        raise SetupError(f"{path}: holds {kind(value)}; the first state is an object.")
    if reason := flaw(value):
        raise SetupError(f"{path}: {reason}.")
    return freeze(value), check_state(value, path)
