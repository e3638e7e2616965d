"""A HAR recording as a world."""

import json
from collections import defaultdict
from typing import Any

from genson import SchemaBuilder

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.har.exchange import Exchange, read_exchanges, typed_text
from mcp_sim.tool_specs.importing.har.template import make_template
from mcp_sim.tool_specs.importing.imported import Imported
from mcp_sim.tool_specs.importing.naming import Names
from mcp_sim.tool_specs.importing.openapi.operation import annotations_of
from mcp_sim.tool_specs.importing.openapi.resource import Route, hint_tools
from mcp_sim.tool_specs.listing import MOST_TOOLS

MOST_DEMONSTRATIONS = 25
"""How many calls of one tool are kept."""

_Key = tuple[str, str, str, str]


def read_har(recording: JSON, where: str) -> Imported:
    """Return the tools and demonstrations of a HAR 1.2 recording: one tool for each method and path, ids in paths as parameters.

    Headers, cookies and credentials are left out. Types are those of the recorded values.

    Raises:
        SetupError: it is no HAR recording, or none of its entries is a call of an API.
    """
    exchanges, passed_over = read_exchanges(recording, where)
    if not exchanges:
        raise SetupError(f"{where}: none of its {passed_over} entries is a call of an API with JSON, so there is nothing to make tools of.")
    groups: dict[_Key, list[tuple[Exchange, dict[str, str]]]] = defaultdict(list)
    for exchange in exchanges:
        path, ids = make_template(exchange.segments)
        groups[exchange.method, exchange.host, path, exchange.operation].append((exchange, ids))
    if len(groups) > MOST_TOOLS:
        raise SetupError(f"{where}: has calls of more than {MOST_TOOLS} different paths. Keep a part of the recording.")
    names, tools, demonstrations = Names(), list[JSON](), list[dict[str, JSON]]()
    routes: dict[str, list[Route]] = defaultdict(list)
    for (method, host, path, operation), members in groups.items():
        name = names.tool(operation or f"{method}_{path.strip('/')}".replace("{", "").replace("}", ""))
        group = _Group(name, method, path, host, operation, members)
        tools.append(group.definition)
        demonstrations += group.demonstrations
        if not operation:
            routes[host].append(group.route)
    hints = {tool: hint for same_host in routes.values() for tool, hint in hint_tools(same_host).items()}
    hosts = sorted({exchange.host for exchange in exchanges})
    settings: dict[str, JSON] = {"title": f"Recorded from {', '.join(hosts[:3])}", "errors": "jsonschema"}
    if hints:
        settings["tools"] = hints
    notices = [f"{passed_over} of {passed_over + len(exchanges)} entries are no API calls and were passed over."] if passed_over else []
    return Imported(
        kind="har",
        tools=tools,
        server_info={"name": hosts[0] or "recording", "version": "1.0.0"},
        settings=settings,
        demonstrations=demonstrations,
        notices=tuple(notices),
    )


class _Group:
    """The calls of one method and path."""

    def __init__(
        self, name: str, method: str, path: str, host: str, operation: str, members: list[tuple[Exchange, dict[str, str]]]
    ) -> None:
        self._argument_names = _argument_names(members)
        calls = [(exchange, self._arguments(exchange, ids)) for exchange, ids in members]
        self.definition: dict[str, JSON] = {
            "name": name,
            "description": f"{operation} (GraphQL)" if operation else f"{method.upper()} {path} of {host}",
            "inputSchema": self._input_schema(calls),
        }
        answers = [exchange for exchange, _ in calls if exchange.status < 400]
        self._is_wrapped = any(not isinstance(exchange.answer, dict) for exchange in answers)
        self._has_output = bool(answers) and all(exchange.is_json for exchange in answers)
        if self._has_output:
            self.definition["outputSchema"] = _schema_of([self._structured(exchange) for exchange in answers])
        annotations = annotations_of(method)
        if annotations:
            self.definition["annotations"] = annotations
        ids = {name: self._argument_names["path", name] for place, name in self._argument_names if place == "path"}
        fields = tuple(argument for (place, _), argument in self._argument_names.items() if place == "body")
        self.route = Route(name, method, path, ids, fields)
        self.demonstrations = self._demonstrate(name, calls)

    def _arguments(self, exchange: Exchange, ids: dict[str, str]) -> dict[str, JSON]:
        return {self._argument_names[place, name]: value for (place, name), value in _values(exchange, ids).items()}

    def _input_schema(self, calls: list[tuple[Exchange, dict[str, JSON]]]) -> dict[str, JSON]:
        properties, required = dict[str, JSON](), []
        for (place, _), name in self._argument_names.items():
            values = [arguments[name] for _, arguments in calls if name in arguments]
            properties[name] = _schema_of(values)
            always = len(values) == len(calls) and (len(calls) > 1 or name == "body")
            if place == "path" or (place == "body" and always):
                required.append(name)
        schema: dict[str, JSON] = {"type": "object", "properties": properties}
        return {**schema, "required": required} if required else schema

    def _structured(self, exchange: Exchange) -> JSON:
        return {"result": exchange.answer} if self._is_wrapped else exchange.answer

    def _demonstrate(self, name: str, calls: list[tuple[Exchange, dict[str, JSON]]]) -> list[dict[str, JSON]]:
        found: dict[str, dict[str, JSON]] = {}
        for exchange, arguments in calls:
            text = json.dumps(exchange.answer, indent=2, ensure_ascii=False) if exchange.is_json else exchange.answer
            result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
            if exchange.status >= 400:
                result["content"][0]["text"] = f"HTTP error {exchange.status}: {exchange.reason} - {text}"
                result["isError"] = True
            elif self._has_output:
                result["structuredContent"] = self._structured(exchange)
            line: dict[str, JSON] = {"name": name, "arguments": arguments, "result": result}
            found.setdefault(canonical(line), line)
        return list(found.values())[:MOST_DEMONSTRATIONS]


def _values(exchange: Exchange, ids: dict[str, str]) -> dict[tuple[str, str], JSON]:
    """Return the arguments of one call by place and name."""
    values: dict[tuple[str, str], JSON] = {("path", name): typed_text(value) for name, value in ids.items()}
    values |= {("query", name): value for name, value in exchange.query.items()}
    if isinstance(exchange.body, dict):
        values |= {("body", name): value for name, value in exchange.body.items()}
    elif exchange.body is not None:
        values["body", "body"] = exchange.body
    return values


def _argument_names(members: list[tuple[Exchange, dict[str, str]]]) -> dict[tuple[str, str], str]:
    places = dict.fromkeys(place for exchange, ids in members for place in _values(exchange, ids))
    counts: dict[str, int] = defaultdict(int)
    for _, name in places:
        counts[name] += 1
    names = Names()
    ordered = sorted(places, key=lambda place: place[0] != "body")  # a body keeps its names
    found = {(place, name): names.argument(f"{name}__{place}" if counts[name] > 1 and place != "body" else name) for place, name in ordered}
    return {place: found[place] for place in places}


def _schema_of(values: list[JSON]) -> dict[str, Any]:
    builder = SchemaBuilder(schema_uri=None)
    for value in values:
        builder.add_object(value)
    schema = _opened(builder.to_schema())
    return schema if isinstance(schema, dict) else {}


def _opened(schema: JSON) -> Any:
    """Let what was only ever null be anything, and give every list its items."""
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "null":
        return {}
    opened = dict(schema)
    if isinstance(schema.get("properties"), dict):
        opened["properties"] = {name: _opened(part) for name, part in schema["properties"].items()}
    if "array" in (schema.get("type"), *(schema["type"] if isinstance(schema.get("type"), list) else ())):
        opened["items"] = _opened(schema.get("items", {}))
    if isinstance(schema.get("anyOf"), list):
        opened["anyOf"] = [part if part == {"type": "null"} else _opened(part) for part in schema["anyOf"]]
    return opened
