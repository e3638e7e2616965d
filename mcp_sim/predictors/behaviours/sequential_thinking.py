"""The tool that numbers thoughts."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NotRequired

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, lookup
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.options import NoOptions, read_options

_STATE = "sequential-thinking"
_TOOL = "sequentialthinking"
_FLAGS = ("nextThoughtNeeded", "isRevision", "needsMoreThoughts")
_OBJECT_MEMBERS = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf "
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__".split()
)
"""What every JavaScript object has: the real server takes a branch of such a name for one that it made, and fails."""
_LAST_ARRAY_INDEX = 2**32 - 2


class _Thought(TypedDict):
    thought: str
    nextThoughtNeeded: bool | str
    thoughtNumber: float
    totalThoughts: float
    isRevision: NotRequired[bool | str]
    branchFromThought: NotRequired[float]
    branchId: NotRequired[str]
    needsMoreThoughts: NotRequired[bool | str]


_THOUGHT: TypeAdapter[Any] = TypeAdapter(_Thought)


class SequentialThinkingBehaviour:
    """Answers like `@modelcontextprotocol/server-sequential-thinking` 2026.8.31 (read in its `dist/lib.js` and `dist/index.js`).

    The real tool calls itself read-only, yet it counts: each call is a change. State: `sequential-thinking.length`, the number of
    thoughts so far, and `sequential-thinking.branches`, from each branch's id to its place in the order of appearance.
    """

    def __init__(self, options: Mapping[str, JSON]) -> None:
        read_options(NoOptions, _STATE, options)
        self.mutates: Mapping[str, bool] = {_TOOL: True}
        self.volatile: frozenset[str] = frozenset()

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to; `None` also for arguments that the real server's schema does not have."""
        if action.name != _TOOL:
            return None
        try:
            thought = _THOUGHT.validate_python(action.arguments, strict=True)
        except ValidationError:
            return None
        refusals = [refusal for flag in _FLAGS if flag in thought for refusal in _refuse(flag, thought[flag])]
        if refusals:
            text = f"MCP error -32602: Input validation error: Invalid arguments for tool {_TOOL}: " + "\n".join(refusals)
            return session.transition(action, Observation.of_text(text, is_error=True), "computed", changes=False)
        return self._think(session, action, thought)

    def _think(self, session: Session, action: Action, thought: Mapping[str, Any]) -> Transition:
        length = (lookup(session.state, _STATE, "length") or 0) + 1
        branches = dict(lookup(session.state, _STATE, "branches") or {})
        patch = [Change(path=[_STATE, "length"], value=length)]
        branch = thought.get("branchId") if thought.get("branchFromThought") else None
        if branch in _OBJECT_MEMBERS:
            failure = json.dumps({"error": "this.branches[input.branchId].push is not a function", "status": "failed"}, indent=2)
            return session.transition(action, Observation.of_text(failure, is_error=True), "computed", patch, changes=True)
        if branch and branch not in branches:
            branches[branch] = len(branches) + 1
            patch.append(Change(path=[_STATE, "branches", branch], value=branches[branch]))
        result = {
            "thoughtNumber": int(thought["thoughtNumber"]),
            "totalThoughts": int(max(thought["totalThoughts"], thought["thoughtNumber"])),
            "nextThoughtNeeded": str(thought["nextThoughtNeeded"]).lower() == "true",
            "branches": _keys(branches),
            "thoughtHistoryLength": length,
        }
        return session.transition(action, Observation.of_structured(result), "computed", patch, changes=True)


def _refuse(flag: str, value: bool | str) -> Iterable[str]:
    if isinstance(value, str) and value.lower() not in ("true", "false"):
        yield f'Expected boolean or "true"/"false" string, received "{value}" at {flag}'


def _keys(branches: Mapping[str, int]) -> list[str]:
    """The keys in the order of a JavaScript object: array indices by number, then the others as they came."""
    indices = [key for key in branches if key.isascii() and key.isdigit() and str(int(key)) == key and int(key) <= _LAST_ARRAY_INDEX]
    others = sorted(branches.keys() - set(indices), key=lambda key: branches[key])
    return sorted(indices, key=int) + others
