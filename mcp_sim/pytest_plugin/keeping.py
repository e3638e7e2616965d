"""The sessions of a failed test, kept for whoever wants to know why."""

import hashlib
import re

from mcp_sim.assemble.keeping import sessions_folder
from mcp_sim.core.session import Session
from mcp_sim.errors import McpSimError
from mcp_sim.sessions import shelf


def keep_sessions(test: str, sessions: list[Session]) -> str:
    """Keep what happened, under names made of the test's; say how to look at it. A test that fails again takes the same names."""
    lines = []
    kept = [session for session in sessions if session.trajectory]
    for number, session in enumerate(kept, start=1):
        name = name_session(test, number if len(kept) > 1 else 0)
        try:
            shelf.keep(sessions_folder(session.world.key), session, name)
        except (McpSimError, OSError) as error:
            lines.append(f"The session of world {session.world.name!r} could not be kept: {error}")
            continue
        source = session.world.source
        lines.append(f"What happened in world {session.world.name!r}, call by call: mcp-sim sessions show {name}")
        lines.append(f"To freeze it as it was: mcp-sim freeze {source} --session {name}")
    return "\n".join(lines)


def name_session(test: str, number: int = 0) -> str:
    """Return a session's name for a test: readable, the same in each run, and not another test's."""
    words = re.sub(r"[^a-z0-9]+", "-", test.rpartition("::")[2].lower()).strip("-")[:40].strip("-")
    distinct = hashlib.sha256(test.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{words or 'test'}-{distinct}" + (f"-{number}" if number else "")
