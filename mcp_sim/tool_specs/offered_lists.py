"""The lists of a world folder beside its tools: resources, resource templates and prompts."""

from collections.abc import Callable
from pathlib import Path

from mcp_sim.core.canonical import JSON
from mcp_sim.core.offers import Offers
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, kind, read_json

LISTS = {
    "resources/list": "resources.json",
    "resources/templates/list": "resource_templates.json",
    "prompts/list": "prompts.json",
}
"""The file of each list, which holds the method's result exactly as a server sends it."""

_SERVED = {"tools": (), "resources": ("subscribe",), "prompts": ()}
"""The capabilities that are served, each with what of it is not, beside `listChanged`: a world does not change while it is served."""


def read_offers(folder: Path) -> tuple[Offers, tuple[str, ...]]:
    """Return what a world folder offers beside tools, and notices about what cannot be served.

    Raises:
        SetupError: a file is not JSON, or not a list's result.
    """
    notices: list[str] = []
    capabilities, missing = _capabilities(folder / "server.json")
    return Offers(
        resources=_entries(folder / LISTS["resources/list"], "resources", _is_resource, notices),
        templates=_entries(folder / LISTS["resources/templates/list"], "resourceTemplates", _is_template, notices),
        prompts=_entries(folder / LISTS["prompts/list"], "prompts", _is_prompt, notices),
        capabilities=capabilities,
        missing=missing,
    ), tuple(notices)


def _entries(path: Path, key: str, is_right: Callable[[JSON], bool], notices: list[str]) -> tuple[dict[str, JSON], ...]:
    if not path.exists():
        return ()
    value = read_json(path)
    entries = value.get(key, []) if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise SetupError(f'{path}: holds {kind(value)}, not a list, nor an object with "{key}".')
    right = tuple(entry for entry in entries if is_right(entry) and flaw(entry) is None)
    if len(right) < len(entries):
        notices.append(f"{path.name}: {len(entries) - len(right)} of {len(entries)} {key} are left out: no client could read them.")
    return right


def _capabilities(path: Path) -> tuple[dict[str, JSON] | None, tuple[str, ...]]:
    said = read_json(path) if path.exists() else None
    capabilities = said.get("capabilities") if isinstance(said, dict) else None
    if not isinstance(capabilities, dict) or flaw(capabilities) is not None:
        return None, ()
    served: dict[str, JSON] = {}
    missing: list[str] = []
    for name, capability in capabilities.items():
        if name not in _SERVED or not isinstance(capability, dict):
            missing += [name] if capability or name != "experimental" else []
            continue
        dropped = [key for key in ("listChanged", *_SERVED[name]) if key in capability]
        missing += [f"{name}.{key}" for key in dropped if capability[key]]
        served[name] = {key: value for key, value in capability.items() if key not in dropped}
    return served, tuple(missing)


def _is_resource(entry: JSON) -> bool:
    return isinstance(entry, dict) and _are_texts(entry, ("uri", "name"), ("title", "description", "mimeType"))


def _is_template(entry: JSON) -> bool:
    return isinstance(entry, dict) and _are_texts(entry, ("uriTemplate", "name"), ("title", "description", "mimeType"))


def _is_prompt(entry: JSON) -> bool:
    if not isinstance(entry, dict) or not _are_texts(entry, ("name",), ("title", "description")):
        return False
    items = entry.get("arguments", [])
    return isinstance(items, list) and all(isinstance(item, dict) and _are_texts(item, ("name",), ("description",)) for item in items)


def _are_texts(entry: dict[str, JSON], needed: tuple[str, ...], possible: tuple[str, ...]) -> bool:
    return all(isinstance(entry.get(key), str) for key in needed) and all(isinstance(entry.get(key, ""), str) for key in possible)
