"""What the shape of a path says about the thing behind it."""

import re
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON

_PARAMETER = re.compile(r"\{([^{}]+)\}")
_VERSION = re.compile(r"v[0-9]+([._-].*)?|api|rest")


@dataclass(frozen=True)
class Route:
    """One operation's place: `names` gives the tool's argument for each path parameter."""

    tool: str
    method: str
    path: str
    names: dict[str, str]
    fields: tuple[str, ...] = ()


def hint_tools(routes: list[Route]) -> dict[str, JSON]:
    """Return `[tools.<name>]` tables of `world.toml` for the operations that create, read, list, change and delete things at a path.

    A path counts where both the collection (`/pets`) and one thing in it (`/pets/{petId}`) have operations; for others the path says
    too little. What stands before in the path (`/owners/{ownerId}/pets`) is what the thing belongs to.
    """
    items = {_collection(route.path) for route in routes if _is_item(route.path)}
    hints: dict[str, JSON] = {}
    for route in routes:
        hint = _hint(route, items)
        if hint is not None:
            hints[route.tool] = hint
    return hints


def _hint(route: Route, items: set[str]) -> dict[str, JSON] | None:
    path = route.path.rstrip("/")
    parameters = [route.names[name] for name in _PARAMETER.findall(path) if name in route.names]
    if len(parameters) != len(_PARAMETER.findall(path)):
        return None
    is_item = _is_item(path)
    collection = _collection(path) if is_item else path
    resource = singular(collection.rpartition("/")[2])
    if collection not in items or not resource or "{" in resource or _VERSION.fullmatch(resource):
        return None
    verbs = {"get": "get", "put": "update", "patch": "update", "delete": "delete"} if is_item else {"get": "list", "post": "create"}
    kind = verbs.get(route.method)
    if kind is None:
        return None
    hint: dict[str, JSON] = {"kind": kind, "resource": resource, "parents": parameters[:-1] if is_item else parameters}
    if is_item:
        hint["id"] = parameters[-1]
    if kind in ("create", "update"):
        hint["fields"] = list(route.fields)
    return hint


def _is_item(path: str) -> bool:
    last = path.rstrip("/").rpartition("/")[2]
    return _PARAMETER.fullmatch(last) is not None


def _collection(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0]


def singular(segment: str) -> str:
    """Return a path's segment as a singular noun in snake case."""
    word = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", segment).lower()).strip("_")
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
