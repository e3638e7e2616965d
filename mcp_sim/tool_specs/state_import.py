"""A real folder or file as the first state of a world."""

from pathlib import Path
from typing import Literal

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import thaw
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.documents_import import import_documents
from mcp_sim.tool_specs.folder_import import import_folder
from mcp_sim.tool_specs.memory_import import import_memory
from mcp_sim.tool_specs.sqlite_import import import_database
from mcp_sim.tool_specs.world_folder import write_world

StateKind = Literal["filesystem", "sqlite", "memory", "documents"]
STATE_KINDS: tuple[StateKind, ...] = ("filesystem", "sqlite", "memory", "documents")
_BEHAVIOURS: dict[StateKind, tuple[str, ...]] = {
    "filesystem": ("filesystem",),
    "sqlite": ("sqlite",),
    "memory": ("memory",),
    "documents": ("search", "fetch"),
}
_SUITS = {
    "filesystem": "a folder",
    "sqlite": "a database or a dump of SQL",
    "memory": "a memory.jsonl",
    "documents": "a folder of pages",
}


def read_state_from(
    path: Path, world: World, *, form: StateKind | None = None, as_directory: str | None = None, base_url: str | None = None
) -> tuple[StateKind, dict[str, JSON]]:
    """Return what the path holds as first state of the world, and as which kind: by `form`, else by the world's behaviours and the path.

    Raises:
        SetupError: no behaviour of the world would read it, it suits several, or the path is wrong in its kind.
    """
    kinds = [kind for kind in STATE_KINDS if any(name in world.settings.behaviours for name in _BEHAVIOURS[kind])]
    found = form or _suited(path, kinds)
    if found is None or found not in kinds:
        told = ", ".join(f"[behaviours.{_BEHAVIOURS[kind][0]}]" for kind in STATE_KINDS)
        has = " and ".join(f"{kind} ({_SUITS[kind]})" for kind in kinds) or "none"
        raise SetupError(
            f"{path}: no behaviour of the world {world.name} would read it (it has {has}). Its world.toml needs one of {told}, "
            "or say with --as what it is."
        )
    if as_directory is not None and found != "filesystem":
        raise SetupError(f"--as-directory is for a folder of files, and {path} is read as {found}.")
    if base_url is not None and found != "documents":
        raise SetupError(f"--base-url is for pages, and {path} is read as {found}.")
    if found == "filesystem":
        return found, import_folder(path, as_directory=as_directory)
    if found == "sqlite":
        return found, import_database(path)
    return found, import_memory(path) if found == "memory" else import_documents(path, base_url)


def write_state(folder: Path, world: World, imported: dict[str, JSON]) -> None:
    """Put imported state into a world folder's `state.json`: it takes the place of what that part of the state was, the rest stays.

    Raises:
        SetupError: it cannot be written.
    """
    write_world(folder, listing=None, state={**thaw(world.first_state), **imported}, replace=True)


def _suited(path: Path, kinds: list[StateKind]) -> StateKind | None:
    if len(kinds) == 1:
        return kinds[0]
    ending = path.suffix.lower()
    if path.is_dir():
        suited: list[StateKind] = ["filesystem", "documents"]
    elif ending in (".db", ".sqlite", ".sqlite3", ".sql"):
        suited = ["sqlite"]
    else:
        suited = ["memory"] if ending == ".jsonl" else ["documents"]
    return next((kind for kind in suited if kind in kinds), None)
