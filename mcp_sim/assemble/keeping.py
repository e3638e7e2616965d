"""Where sessions are kept."""

from pathlib import Path

from platformdirs import user_data_path

from mcp_sim.assemble.loading import load
from mcp_sim.assemble.options import SessionOptions
from mcp_sim.core.world import World
from mcp_sim.sessions.in_memory import InMemoryStore
from mcp_sim.sessions.store import SessionStore


def sessions_folder(world_key: str | None = None) -> Path:
    """Return the folder of all kept sessions, or of those of one world; it need not exist."""
    folder = user_data_path("mcp-sim", appauthor=False) / "sessions"
    return folder / world_key if world_key else folder


def build_store(world: World, options: SessionOptions) -> SessionStore:
    """Return the store of a world's sessions: in memory, but for the one that is to be kept.

    Raises:
        SessionStoreError: the kept session is not of this world as it is now, or was begun with another seed.
    """
    in_memory = InMemoryStore(world, seed=options.seed or 0, max_sessions=options.max_sessions, idle_seconds=options.idle_seconds)
    if options.keep is None:
        return in_memory
    kept = load("mcp_sim.sessions.kept:KeptStore")(world, sessions_folder(world.key), seed=options.seed, fsync=options.fsync)
    kept.open(options.keep).check()
    one_kept: SessionStore = load("mcp_sim.sessions.one_kept:OneKept")(options.keep, kept, in_memory)
    return one_kept
