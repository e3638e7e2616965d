"""What must hold where a schema must not: alternatives that can be built, instead of values that are thrown away."""

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.instances.part import KEYWORD_TYPES, TYPES

JUDGED = "mcp-sim: only judging can tell"
_IGNORED = frozenset(
    "$schema $id $anchor $defs definitions $comment title description default examples then else minContains maxContains".split()
)


def alternatives_to(schema: JSON) -> list[JSON] | None:
    """Return schemas of which one must hold where `schema` must not, in order of ease; `None` where only judging can tell.

    They are a guide: a value built by them is judged all the same.
    """
    if isinstance(schema, bool):
        return [not schema]
    if not isinstance(schema, dict):
        return None
    found: list[JSON] = []
    for keyword, value in schema.items():
        if keyword in _IGNORED:
            continue
        opposite = _opposite(keyword, value, schema)
        if opposite is None:
            found.append({"not": {keyword: value}, "$comment": JUDGED})
        else:
            found.extend(opposite)
    return found or [False]


def _opposite(keyword: str, value: JSON, schema: JSON) -> list[JSON] | None:
    if keyword == "type":
        named = value if isinstance(value, list) else [value]
        others = [name for name in TYPES if name not in named and not (name == "integer" and "number" in named)]
        return [{"type": others}] if others else []
    if keyword == "not":
        return [value]
    if keyword == "anyOf" and isinstance(value, list):
        return [{"allOf": [{"not": branch} for branch in value]}]
    if keyword == "allOf" and isinstance(value, list):
        return [{"not": branch} for branch in value]
    if keyword == "oneOf" and isinstance(value, list):
        return [{"allOf": [{"not": branch} for branch in value]}, *({"allOf": [value[i], value[i + 1]]} for i in range(len(value) - 1))]
    if keyword == "required" and isinstance(value, list):
        return [{"type": "object", "properties": {name: False}} for name in value if isinstance(name, str)]
    if keyword == "properties" and isinstance(value, dict):
        return [{"type": "object", "required": [name], "properties": {name: {"not": held}}} for name, held in value.items()]
    if keyword == "items" and isinstance(value, bool | dict) and "prefixItems" not in schema:
        return [{"type": "array", "minItems": 1, "contains": {"not": value}}]
    if keyword == "contains":
        return [{"type": "array", "items": {"not": value}}] if schema.get("minContains", 1) == 1 and "maxContains" not in schema else None
    if keyword == "propertyNames":
        return [{"type": "object", "minProperties": 1, "propertyNames": {"not": value}}]
    if keyword == "additionalProperties" and value is False and not schema.get("patternProperties"):
        return [{"type": "object", "minProperties": len(schema.get("properties", {})) + 1}]
    return _opposite_bound(keyword, value)


def _opposite_bound(keyword: str, value: JSON) -> list[JSON] | None:
    bounds = {
        "minimum": ("number", "exclusiveMaximum", 0),
        "maximum": ("number", "exclusiveMinimum", 0),
        "exclusiveMinimum": ("number", "maximum", 0),
        "exclusiveMaximum": ("number", "minimum", 0),
        "minLength": ("string", "maxLength", -1),
        "maxLength": ("string", "minLength", 1),
        "minItems": ("array", "maxItems", -1),
        "maxItems": ("array", "minItems", 1),
        "minProperties": ("object", "maxProperties", -1),
        "maxProperties": ("object", "minProperties", 1),
    }
    if keyword in bounds and isinstance(value, int | float):
        kind, opposite, shift = bounds[keyword]
        limit = value + shift
        return [{"type": kind, opposite: limit}] if limit >= 0 or shift >= 0 else []
    kinds = [kind for kind, keywords in KEYWORD_TYPES.items() if keyword in keywords]
    return [{"type": kinds[0], "not": {keyword: value}, "$comment": JUDGED}] if kinds else None
