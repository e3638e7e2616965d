"""The format of a kept session: a header line, then one transition a line."""

import shlex
import stat
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from mcp_sim.core.model import Frozen
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import SessionStoreError

FORMAT = 1


def check_can_hold(path: Path) -> bool:
    """Return whether there is a file at the path of a session.

    Raises:
        SessionStoreError: what is there is a folder, a pipe or a device, or may not be looked at.
    """
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise SessionStoreError(f"{path}: {error.strerror or error}. Mend its permissions, or name another session.") from error
    if not is_file:
        raise SessionStoreError(f"{path}: is no regular file, so it holds no session. Move it away, or name another session.")
    return True


class Header(Frozen):
    """The first line of a session file. `source` is what the world was loaded from, `first_state` and `tools` are hashes."""

    kind: Literal["mcp-sim session"] = "mcp-sim session"
    format: int = FORMAT
    name: str
    world: str
    source: str
    seed: int
    first_state: str = Field(min_length=1)
    tools: str = Field(min_length=1)

    @classmethod
    def of(cls, world: World, name: str, seed: int) -> "Header":
        """Return the header of a new session of this world."""
        return cls(name=name, world=world.key, source=world.source, seed=seed, first_state=world.first_state_hash, tools=world.tools_hash)

    def check(self, world: World, where: str) -> None:
        """Check that the file was written for the world as it is now.

        Raises:
            SessionStoreError: it was not; the message names the way out.
        """
        changed = [
            noun
            for noun, then, now in (
                ("first state", self.first_state, world.first_state_hash),
                ("tools", self.tools, world.tools_hash),
            )
            if then != now
        ]
        if changed:
            of_world = f" --world {shlex.quote(self.source)}" if self.source else ""
            raise SessionStoreError(
                f"{where}: the {' and the '.join(changed)} of world {world.name!r} changed since this session began. "
                f"Keep its history in the changed world with `mcp-sim sessions fork {self.name} NEW{of_world}`, or name another session."
            )

    def check_seed(self, seed: int | None, where: str) -> None:
        """Check that the session was begun with the seed that is asked for now, if one is.

        Raises:
            SessionStoreError: it was begun with another.
        """
        if seed is not None and seed != self.seed:
            raise SessionStoreError(
                f"{where}: this session was begun with --seed {self.seed}, not {seed}. Leave --seed away, or name another session."
            )


def write_line(model: Header | Transition) -> bytes:
    """Return the line of a header or transition, line break included."""
    exclude_unset = isinstance(model, Transition)
    return model.model_dump_json(exclude_unset=exclude_unset).encode("utf-8", "surrogatepass") + b"\n"


def read_header(line: bytes, where: str) -> Header:
    """Read the first line of a session file.

    Raises:
        SessionStoreError: it is no header, or one of a later format.
    """
    try:
        header = Header.model_validate_json(line)
    except ValidationError as error:
        remedy = "It is no session, or its beginning is lost: `mcp-sim sessions rm` removes it."
        raise SessionStoreError(f"{where}: line 1 is not the header of a session ({_first_message(error)}). {remedy}") from None
    if header.format > FORMAT:
        raise SessionStoreError(f"{where}: written in format {header.format}; this version reads up to {FORMAT}. Upgrade mcp-sim.")
    return header


def read_transition(line: bytes, where: str, number: int) -> Transition:
    """Read one transition.

    Raises:
        SessionStoreError: the line, of this 1-based number, is not one.
    """
    try:
        return Transition.model_validate_json(line)
    except ValidationError as error:
        raise SessionStoreError(f"{where}: line {number} is not a transition ({_first_message(error)}). {_REMEDY}") from None


_REMEDY = "Mend the line, or cut the file before it; `mcp-sim sessions rm` removes the session."


def _first_message(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
