"""Tools that show several kinds of things in one answer: `read_graph` shows entities and relations."""

from collections.abc import Collection, Mapping

from mcp_sim.predictors.engine.shown.schemas import properties_of
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import singular

_VERBS = frozenset("read open get show fetch list search find export view query".split())
_WHOLES = frozenset("graph node knowledge_graph knowledge".split())
_FEWEST = 2


def overview_of(draft: Sketch, made: Collection[str]) -> ToolUnderstanding | None:
    """Return what a tool does that shows things of several of the kinds `made` by tools at once; `None` if it shows no such mixture."""
    nouns = draft.phrase.nouns
    verb = draft.phrase.verb or (nouns[0] if nouns else "")
    if draft.hint.kind is not None or verb not in _VERBS or len(made) < _FEWEST or draft.tool.annotations.get("readOnlyHint") is False:
        return None
    shown = _in_schema(draft.tool.output_schema, made)
    if len(shown) < _FEWEST and not (draft.tool.output_schema is None and nouns and nouns[-1] in _WHOLES):
        return None
    shown = shown if len(shown) >= _FEWEST else tuple(made)
    required = [argument for argument in draft.arguments if argument.required]
    text = next((argument.name for argument in draft.arguments if argument.role == "text"), None)
    named = required[0] if len(required) == 1 and "array" in required[0].types and not required[0].holds_objects else None
    if required and named is None and not (text is not None and [argument.name for argument in required] == [text]):
        return None
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="get" if named else "search" if text else "list",
        resource=shown[0],
        verb=verb,
        ids=named.name if named else None,
        text=None if named else text,
        shows=shown,
        idempotent=draft.tool.annotations.get("idempotentHint") is True,
        shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
    )


def _in_schema(schema: object, made: Collection[str]) -> tuple[str, ...]:
    """The kinds that an output schema has a list of, each under its own name."""
    properties: Mapping[str, object] = properties_of(schema) if isinstance(schema, dict) else {}
    lists = [key for key, part in properties.items() if isinstance(part, dict) and part.get("type") == "array"]
    found = tuple(singular(key) for key in lists)
    return tuple(kind for kind in found if kind in made) if set(found) <= set(made) else ()
