"""The lists of a server, put together of the pages that pass by."""

from mcp_sim.core.canonical import JSON

LIST_KEYS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
"""The list methods, each with the key of its items."""


def merged(before: dict[str, JSON], page: dict[str, JSON], key: str, *, is_first: bool) -> dict[str, JSON]:
    """Return a list with one more page of it. An item that is there already is replaced; what the page lacks stays."""
    items = {**_by_name(before, key), **_by_name(page, key)}
    base = page if is_first or not before else before
    return {**{name: value for name, value in base.items() if name != "nextCursor"}, key: list(items.values())}


def items_of(page: dict[str, JSON], key: str) -> list[JSON]:
    """Return the items of a page; none, if it is malformed."""
    items = page.get(key)
    return items if isinstance(items, list) else []


def _by_name(page: dict[str, JSON], key: str) -> dict[str, JSON]:
    return {_name_of(item): item for item in items_of(page, key)}


def _name_of(item: JSON) -> str:
    if not isinstance(item, dict):
        return repr(item)
    return str(next((item[key] for key in ("uriTemplate", "uri", "name") if key in item), item))
