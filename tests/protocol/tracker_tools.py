"""The tools of a tracker of issues."""

from typing import Any

ISSUE = {"title": {"type": "string"}, "state": {"type": "string", "enum": ["open", "closed"]}}
NUMBER = {"number": {"type": "integer"}}


def tool(name: str, properties: dict[str, Any], required: list[str], *, reads: bool) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": name.replace("_", " "), "inputSchema": schema, "annotations": {"readOnlyHint": reads}}


TOOLS = [
    tool("list_issues", {}, [], reads=True),
    tool("get_issue", NUMBER, ["number"], reads=True),
    tool("get_weather", {"city": {"type": "string"}}, ["city"], reads=True),
    tool("create_issue", ISSUE, ["title"], reads=False),
    tool("update_issue", {**NUMBER, **ISSUE}, ["number"], reads=False),
    tool("delete_issue", NUMBER, ["number"], reads=False),
]
