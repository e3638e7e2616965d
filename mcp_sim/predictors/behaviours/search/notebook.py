"""Notes that the agent keeps under keys."""

from typing import Any

from mcp_sim.core.observation import Observation
from mcp_sim.core.state import Change, State, lookup


def take_note(state: State, operation: Any, key: Any, value: Any) -> tuple[Observation, list[Change]] | None:
    """Store, get, delete or list; return the answer and the change of state (`notes`, from key to text). `None` for anything else."""
    notes = lookup(state, "notes") or {}
    if operation == "list":
        return Observation.of_text("\n".join(sorted(notes)) or "No notes."), []
    if operation not in ("store", "get", "delete"):
        return None
    if not isinstance(key, str) or not key:
        return _failed(f'The operation "{operation}" needs a key.')
    if operation == "store":
        if not isinstance(value, str):
            return _failed('The operation "store" needs a value.')
        changes = [] if notes.get(key) == value else [Change(path=["notes", key], value=value)]
        return Observation.of_text(f'{"Replaced" if key in notes else "Stored"} "{key}".'), changes
    if key not in notes:
        return _failed(f'No note "{key}".')
    if operation == "get":
        return Observation.of_text(notes[key]), []
    return Observation.of_text(f'Deleted "{key}".'), [Change(path=["notes", key])]


def _failed(text: str) -> tuple[Observation, list[Change]]:
    return Observation.of_text(text, is_error=True), []
