"""Tools that take a statement in SQL: what they do to tables is told by each statement, what they do to rows is not followed."""

import re

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.tools.neighbours import Neighbours
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_NAME = r"(?:\w+\.)?[\"`\[]?(\w+)[\"`\]]?"
_MADE = re.compile(rf"\s*create\s+table\s+(if\s+not\s+exists\s+)?{_NAME}\s*(?:\(|as\b)", re.IGNORECASE)
_DROPPED = re.compile(rf"\s*drop\s+table\s+(if\s+exists\s+)?{_NAME}\s*;?\s*$", re.IGNORECASE)
_STATEMENTS = frozenset("query sql statement".split())
_RUNNING = frozenset("write execute run exec".split())
_ID = "table_name"


def states(draft: Sketch, near: Neighbours) -> ToolUnderstanding | None:
    """Return what a tool does that takes a statement, where other tools list the tables or show them; `None` if it takes none."""
    required = [argument for argument in draft.arguments if argument.required]
    if len(required) != 1 or required[0].snake not in _STATEMENTS or not {"list", "get"} & near.kinds.get("table", set()):
        return None
    nouns = draft.phrase.nouns
    making = draft.phrase.verb == "create" and nouns == ("table",)
    running = (draft.phrase.verb in _RUNNING or nouns[:1] in tuple((verb,) for verb in _RUNNING)) and nouns[-1:] in (("query",), ("sql",))
    if draft.hint.kind is not None or draft.tool.annotations.get("readOnlyHint") is True or not (making or running):
        return None
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="create" if making else "other",
        resource="table",
        verb=draft.phrase.verb,
        statement=required[0].name,
        shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
        doubts=() if making else ("what it does hangs on a statement",),
    )


def stated(tool: ToolUnderstanding, arguments: dict[str, JSON]) -> tuple[ToolUnderstanding, dict[str, JSON]] | None:
    """Return what a call means and its arguments with the name of the table among them; `None` if its statement is not followed."""
    text = arguments.get(tool.statement or "")
    if not isinstance(text, str) or len(text) > 100_000:
        return None
    made, dropped = _MADE.match(text), _DROPPED.match(text)
    found = made or (dropped if tool.kind == "other" else None)
    if found is None:
        return None
    changes = {
        "kind": "create" if made else "delete",
        "id": _ID,
        "fields": ("sql",) if made else (),
        "idempotent": bool(found.group(1)),
        "doubts": (),
    }
    return tool.model_copy(update=changes), {**arguments, _ID: found.group(2), "sql": text.strip()}
