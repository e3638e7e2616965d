"""Python functions with type hints and docstrings."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Literal, get_type_hints

from docstring_parser import Docstring, ParseError
from docstring_parser import parse as parse_docstring
from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, TypeAdapter, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticSchemaGenerationError, PydanticUndefinedAnnotation
from pydantic.json_schema import GenerateJsonSchema

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.imported import Imported
from mcp_sim.tool_specs.importing.naming import Names

_UNSCHEMABLE = (
    PydanticUserError,
    PydanticInvalidForJsonSchema,
    PydanticSchemaGenerationError,
    PydanticUndefinedAnnotation,
    TypeError,
    ValueError,
)


_NOTHING = (inspect.Signature.empty, Any, None, type(None))


class _Quiet(GenerateJsonSchema):
    """Leaves out defaults that are no JSON without a warning: a schema without them is right."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}


def read_functions(functions: Iterable[Any], where: str = "functions") -> Imported:
    """Return Python functions as tools: arguments by their type hints (pydantic), descriptions by their docstrings.

    Docstrings are read in the styles of Google, NumPy and Sphinx. What a function returns becomes the output schema; anything but an
    object stands in it as `result`. A parameter whose type has no JSON Schema and which has a default (a context, say) is left out.

    Raises:
        SetupError: none of them can be a tool.
    """
    names, tools, notices = Names(), list[JSON](), list[str]()
    for item in functions:
        function = unwrap(item)
        told = getattr(function, "__qualname__", repr(item)[:60])
        if function is None:
            notices.append(f"{told} is no function; it was passed over.")
            continue
        try:
            tool = _tool(function, getattr(item, "name", None), notices)
        except _UNSCHEMABLE as error:
            notices.append(f"{told} was passed over: {str(error).splitlines()[0]}")
            continue
        tools.append({**tool, "name": names.tool(tool["name"])})
    if not tools:
        raise SetupError(f"{where}: holds no function that can be a tool. {' '.join(notices[:2])}".rstrip())
    return Imported(kind="python", tools=tools, settings={"errors": "pydantic"}, notices=tuple(notices))


def unwrap(item: Any) -> Callable[..., Any] | None:
    """Return the function inside a decorated one or a framework's tool object (`.fn`, `.func`); `None` where there is none."""
    found = next((inner for inner in (getattr(item, name, None) for name in ("fn", "func")) if inspect.isroutine(inner)), item)
    unwrapped: Any = inspect.unwrap(found) if inspect.isroutine(found) else None
    return unwrapped if inspect.isroutine(unwrapped) else None


def _tool(function: Callable[..., Any], name: Any, notices: list[str]) -> dict[str, Any]:
    docstring = _docstring(function)
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise PydanticUndefinedAnnotation(name=function.__name__, message=str(error)) from error
    texts = {entry.arg_name.lstrip("*"): entry.description for entry in docstring.params if entry.description}
    tool: dict[str, Any] = {"name": name if isinstance(name, str) and name else function.__name__}
    parts = [part.strip() for part in (docstring.short_description, docstring.long_description) if part]
    if parts:
        tool["description"] = "\n\n".join(parts)
    tool["inputSchema"] = _input_schema(function, hints, texts, notices)
    returned = hints.get("return", inspect.Signature.empty)
    output = _output_schema(returned, docstring)
    if output is not None:
        tool["outputSchema"] = output
    elif returned not in _NOTHING:
        notices.append(f"{function.__qualname__}: what it returns has no JSON Schema, so the tool answers with text only.")
    return tool


def _docstring(function: Callable[..., Any]) -> Docstring:
    try:
        return parse_docstring(inspect.getdoc(function) or "")
    except ParseError:
        docstring = Docstring()
        docstring.short_description = inspect.getdoc(function)
        return docstring


def _input_schema(function: Callable[..., Any], hints: dict[str, Any], texts: dict[str, str], notices: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    extra: Literal["allow", "ignore"] = "ignore"
    for number, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        if parameter.kind is parameter.VAR_KEYWORD:
            extra = "allow"
            continue
        if parameter.kind is parameter.VAR_POSITIONAL or (number == 0 and name in ("self", "cls")):
            continue
        hint = hints.get(name, Any)
        default = ... if parameter.default is parameter.empty else parameter.default
        if not _has_schema(hint):
            if default is ...:
                raise TypeError(f"its parameter {name!r} has a type without a JSON Schema ({hint!r}).")
            notices.append(f"{function.__qualname__}: the parameter {name!r} is left out, its type has no JSON Schema.")
            continue
        # why an alias: pydantic's models refuse some names, such as `_x`, `json` and `copy`
        fields[f"field_{number}"] = (hint, Field(default, alias=name, title=name, description=texts.get(name)))
    model: type[BaseModel] = create_model(function.__name__, __config__=ConfigDict(extra=extra), **fields)
    schema = model.model_json_schema(by_alias=True, schema_generator=_Quiet)
    schema.pop("title", None)
    for part in schema.get("properties", {}).values():
        part.pop("title", None)
    schema.setdefault("properties", {})
    return schema


def _output_schema(hint: Any, docstring: Docstring) -> dict[str, Any] | None:
    if hint in _NOTHING or not _has_schema(hint):
        return None
    schema = TypeAdapter(hint).json_schema(mode="serialization", schema_generator=_Quiet)
    if schema.get("type") == "object":
        return schema
    definitions = schema.pop("$defs", None)
    if docstring.returns and docstring.returns.description:
        schema.setdefault("description", docstring.returns.description)
    wrapped: dict[str, Any] = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    return {**wrapped, "$defs": definitions} if definitions else wrapped


def _has_schema(hint: Any) -> bool:
    try:
        TypeAdapter(hint).json_schema(schema_generator=_Quiet)
    except _UNSCHEMABLE:
        return False
    return True
