"""Whatever is in a document: it imports, or it gives one clear error."""

import copy
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importers import detect, import_value
from mcp_sim.tool_specs.importing.naming import PLAIN_TOOL_NAME
from mcp_sim.tool_specs.mending import mend_all
from tests.tool_specs.importing.random_documents import Maker

_META = Draft202012Validator(Draft202012Validator.META_SCHEMA)  # as it is: a pattern may be one of another engine's
JUNK: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 500) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@example(3364, 0.1)  # an enum that is a number
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.02, 0.1]))
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
def test_any_document_imports_or_gives_one_error(seed: int, wrong: float) -> None:
    document = Maker(seed, wrong).document()
    before = copy.deepcopy(document)
    try:
        imported = import_value(document, "doc")
    except SetupError as error:
        assert str(error).startswith("doc: ")  # noqa: PT017 - either is right
        return
    assert document == before, "the document was changed"
    tools, left_out = mend_all(imported.tools)
    assert not left_out, left_out
    for tool, raw in zip(tools, imported.tools, strict=True):
        assert PLAIN_TOOL_NAME.fullmatch(tool.name)
        assert _META.is_valid(raw["inputSchema"])
        assert "outputSchema" not in raw or tool.output_schema is not None, tool.mended
    for line in imported.demonstrations:
        tool = next(tool for tool in tools if tool.name == line["name"])
        assert tool.input_check.is_valid(line["arguments"])
        assert tool.output_check is None or tool.output_check.is_valid(line["result"]["structuredContent"])


@given(
    st.sampled_from(["openapi", "openai", "anthropic", "gemini", "mcp", "har"]),
    JUNK
    | st.dictionaries(
        st.sampled_from(["log", "entries", "tools", "functions", "openapi", "name", "parameters"]),
        JUNK
        | st.lists(
            st.dictionaries(
                st.sampled_from(["name", "function", "type", "input_schema", "functionDeclarations", "request", "response"]),
                JUNK,
                max_size=3,
            ),
            max_size=2,
        ),
        max_size=3,
    ),
)
@settings(max_examples=150)
def test_any_value_as_any_kind_imports_or_gives_one_error(form: Any, value: Any) -> None:
    for chosen in (form, detect(value)):
        try:
            tools = import_value(value, "doc", chosen).tools
        except SetupError as error:
            assert str(error).startswith("doc: ")  # noqa: PT017 - either is right
        else:
            assert isinstance(tools, list)
