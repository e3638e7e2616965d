"""Schemas and values for property tests."""

from typing import Any

from hypothesis import strategies as st

names = st.sampled_from(["a", "b", "c", "$ref", "x/y", "~", ""])
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0.0, 1.0, 1e308, 0.1, 10**400])
    | st.text(max_size=4)
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4), max_leaves=12)

_counts = st.integers(0, 3)
_numbers = st.integers(-3, 3) | st.floats(-3, 3)
_types = st.sampled_from(["array", "boolean", "integer", "null", "number", "object", "string"])
_references = st.sampled_from(["#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#deep"])


def _schema(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(names, inner, max_size=3)
    keywords = {
        "type": _types | st.lists(_types, min_size=1, max_size=3, unique=True),
        "enum": st.lists(values, min_size=1, max_size=3),
        "const": values,
        "minimum": _numbers,
        "exclusiveMaximum": _numbers,
        "multipleOf": st.integers(1, 4) | st.sampled_from([0.1, 0.5, 1e-9]),
        "minLength": _counts,
        "maxLength": _counts,
        "minItems": _counts,
        "maxItems": _counts,
        "uniqueItems": st.booleans(),
        "contains": inner,
        "items": inner,
        "prefixItems": several,
        "properties": named,
        "additionalProperties": inner,
        "propertyNames": inner,
        "required": st.lists(names, max_size=2, unique=True),
        "minProperties": _counts,
        "dependentRequired": st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=2),
        "dependentSchemas": named,
        "allOf": several,
        "anyOf": several,
        "oneOf": several,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "unevaluatedProperties": inner,
        "unevaluatedItems": inner,
    }
    chosen = st.lists(st.sampled_from(sorted(keywords)), max_size=4, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


_parts = st.recursive(st.booleans() | st.builds(lambda ref: {"$ref": ref}, _references) | _schema(st.booleans()), _schema, max_leaves=8)
schemas = st.builds(lambda root, a, b: {**root, "$defs": {"a": a, "b": b, "c": {"$anchor": "deep"}}}, _schema(_parts), _parts, _parts)
"""Well-formed schemas of 2020-12 with references, some of them in circles; no patterns."""

_KEYWORDS = [
    *"$schema $id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $defs definitions id type enum const".split(),
    *"minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems".split(),
    *"contains minContains maxContains items additionalItems prefixItems properties additionalProperties patternProperties".split(),
    *"propertyNames required minProperties maxProperties dependentRequired dependentSchemas dependencies allOf anyOf oneOf not".split(),
    *"if then else unevaluatedProperties unevaluatedItems format contentSchema".split(),
]
_texts = st.sampled_from(
    [
        "#", "#/$defs/a", "#a", "a", "http://example.com/x", "http://[", "urn:a", "//", "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-04/schema#", "string", "object", "(a+)+$", "(?=x)",
        "[", r"\p{Letter}", r"(\w)\1", "^a{1,2000}$", "\ud800", "email",
    ]
)  # fmt: skip
hostile = st.recursive(
    scalars | _texts | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYWORDS) | _texts | names, inner, max_size=5),
    max_leaves=25,
)
"""Anything at all, with a taste for what looks like a schema."""

mutated = st.builds(lambda schema, extra: {**schema, **extra}, schemas, st.dictionaries(st.sampled_from(_KEYWORDS), hostile, max_size=2))
"""Schemas with something wrong, most of the time."""
