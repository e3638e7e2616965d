"""An OpenAPI document as a world."""

from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.imported import Imported
from mcp_sim.tool_specs.importing.naming import Names
from mcp_sim.tool_specs.importing.openapi.document import Document, RemoteReferenceError
from mcp_sim.tool_specs.importing.openapi.operation import METHODS, Tool, read_operation
from mcp_sim.tool_specs.importing.openapi.resource import hint_tools
from mcp_sim.tool_specs.importing.openapi.security import credential_places
from mcp_sim.tool_specs.json_text import kind, shown
from mcp_sim.tool_specs.listing import MOST_TOOLS

_MOST_DEMONSTRATIONS = 2_000


def read_openapi(raw: JSON, where: str) -> Imported:
    """Return the tools of an OpenAPI 3.x or Swagger 2 document, which stays as it is.

    Raises:
        SetupError: it is none, has no operations, or none that does without something outside of the document.
    """
    document = Document(raw, where)
    tools = _read_operations(document)
    if not tools:
        raise SetupError(f"{where}: has no operations under paths, so there is nothing to make tools of.")
    demonstrations = [line for tool in tools for line in tool.demonstrations]
    info = raw.get("info") if isinstance(raw.get("info"), dict) else {}
    title, version = _text(info, "title"), _text(info, "version")
    settings: dict[str, JSON] = {"title": title} if title else {}
    settings["errors"] = "jsonschema"
    hints = hint_tools([tool.route for tool in tools])
    if hints:
        settings["tools"] = hints
    return Imported(
        kind="openapi",
        tools=[tool.definition for tool in tools],
        server_info={"name": title, "version": version or "1.0.0"} if title else {},
        settings=settings,
        background=_background(document, info),
        demonstrations=demonstrations[:_MOST_DEMONSTRATIONS],
        notices=tuple(document.notices),
    )


def _read_operations(document: Document) -> list[Tool]:
    paths = document.raw.get("paths")
    if paths is not None and not isinstance(paths, dict):
        raise SetupError(f'{document.where}: "paths" is {kind(paths)}, not an object.')
    names, secrets, tools = Names(), credential_places(document), list[Tool]()
    remote: list[RemoteReferenceError] = []
    for path, raw_item in (paths or {}).items():
        if path.startswith("x-"):
            continue
        try:
            item = _read_item(document, path, raw_item)
        except RemoteReferenceError as error:
            remote.append(error)
            document.notice(f"path {shown(path)} was passed over: {_reason(error, document)}")
            continue
        for method in item:
            if method not in METHODS:
                continue
            if not isinstance(item[method], dict):
                document.notice(f"{method} {shown(path)} is {kind(item[method])}, not an operation; it was passed over.")
                continue
            try:
                tools.append(read_operation(document, names, secrets, path, item, method))
            except RemoteReferenceError as error:
                remote.append(error)
                document.notice(f"{method} {shown(path)} was passed over: {_reason(error, document)}")
            if len(tools) > MOST_TOOLS:
                raise SetupError(f"{document.where}: has more than {MOST_TOOLS} operations. Split it.")
    if remote and not tools:
        raise remote[0]
    return tools


def _read_item(document: Document, path: str, raw: JSON) -> dict[str, JSON]:
    item = document.resolved(raw)
    if not isinstance(raw, dict):
        document.notice(f"path {shown(path)} is {kind(raw)}, not an object; it was passed over.")
    elif "$ref" in raw and not any(method in item for method in METHODS):
        document.notice(f"path {shown(path)} refers to itself, or to nothing that has operations; it was passed over.")
    return item


def _reason(error: RemoteReferenceError, document: Document) -> str:
    return str(error).removeprefix(f"{document.where}: ")


def _background(document: Document, info: dict[str, Any]) -> str:
    title, description = _text(info, "title"), _text(info, "description")
    parts = [f"# {title}"] if title else []
    parts += [description] if description else []
    tags = document.raw.get("tags")
    told = [
        f"- {tag['name']}: {_text(tag, 'description')}"
        for tag in (tags if isinstance(tags, list) else [])
        if isinstance(tag, dict) and isinstance(tag.get("name"), str) and _text(tag, "description")
    ]
    parts += ["\n".join(told)] if told else []
    return "\n\n".join(parts) + "\n" if parts else ""


def _text(said: dict[str, Any], key: str) -> str:
    return said[key].strip() if isinstance(said.get(key), str) else ""
