"""Searching the files of all repositories, and the people of the host."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import lookup
from mcp_sim.predictors.engine.repositories.diffs import blob_hash
from mcp_sim.predictors.engine.repositories.repository import SHOWN_OF_USER, Repository
from mcp_sim.predictors.engine.things.things import Things

_TERM = re.compile(r'(-?)(?:(\w+):)?(?:"([^"]*)"|(\S+))')
_LANGUAGES = {
    "python": ("py",),
    "rust": ("rs",),
    "typescript": ("ts", "tsx"),
    "javascript": ("js", "mjs"),
    "markdown": ("md",),
    "toml": ("toml",),
    "yaml": ("yml", "yaml"),
    "shell": ("sh",),
    "hcl": ("tf", "hcl"),
    "csv": ("csv",),
    "json": ("json",),
    "html": ("html",),
    "css": ("css",),
}
_MOST_TERMS = 50
_PAGE = 30
_MOST_IN_PAGE = 100


def search_code(things: Things, arguments: Mapping[str, Any]) -> JSON:
    """Return the files on default branches in whose text or path all words are, as the qualifiers narrow them down."""
    words, qualifiers = _read(arguments.get("q"))
    found: list[dict[str, JSON]] = []
    names = lookup(things.draft.state, "git", "files") or {}
    for full_name in sorted(names) if words else ():
        owner, _, name = full_name.partition("/")
        if not _is_among(qualifiers, ("repo",), full_name) or not _is_among(qualifiers, ("org", "user"), owner):
            continue
        repository = Repository(things, owner, name)
        found.extend(_shown(repository, path) for path in _matching(repository, words, qualifiers))
    return _told(found, arguments)


def search_users(things: Things, arguments: Mapping[str, Any]) -> JSON:
    """Return the people and organisations in whose login, name or address all words are."""
    words, qualifiers = _read(arguments.get("q"))
    users: list[dict[str, JSON]] = lookup(things.draft.state, "git", "users") or []
    found = []
    for user in users:
        told = " ".join(str(user.get(key, "")) for key in ("login", "name", "email")).lower()
        kind = "org" if user.get("type") == "Organization" else "user"
        if (
            all((word in told) is wanted for word, wanted in words)
            and _is_among(qualifiers, ("type",), kind)
            and _is_among(qualifiers, ("user", "org"), str(user.get("login")))
        ):
            found.append({**{key: user[key] for key in SHOWN_OF_USER if key in user}, "score": 1.0})
    return _told(found, arguments)


def cut(items: list[Any], arguments: Mapping[str, Any]) -> list[Any]:
    """Return the page of a list that is asked for."""
    size = int(arguments.get("perPage") or arguments.get("per_page") or _PAGE)
    size = min(max(size, 1), _MOST_IN_PAGE)
    page = max(int(arguments.get("page") or 1), 1)
    return items[(page - 1) * size : page * size]


def _told(found: list[dict[str, JSON]], arguments: Mapping[str, Any]) -> JSON:
    return {"total_count": len(found), "incomplete_results": False, "items": list(cut(found, arguments))}


def _read(query: Any) -> tuple[list[tuple[str, bool]], dict[str, list[tuple[str, bool]]]]:
    """The words and the qualifiers of a query, each with whether it is wanted or not."""
    words: list[tuple[str, bool]] = []
    qualifiers: dict[str, list[tuple[str, bool]]] = {}
    for term in list(_TERM.finditer(str(query or "")))[:_MOST_TERMS]:
        minus, name, quoted, plain = term.groups()
        value = (quoted if quoted is not None else plain).lower()
        place = words if name is None else qualifiers.setdefault(name.lower(), [])
        place.append((value, not minus))
    return words, qualifiers


def _is_among(qualifiers: Mapping[str, list[tuple[str, bool]]], names: tuple[str, ...], value: str) -> bool:
    """Whether a value is one of those asked for, and none of those that are not wanted."""
    asked = [pair for name in names for pair in qualifiers.get(name, ())]
    value = value.lower()
    wanted = [text for text, is_wanted in asked if is_wanted]
    return (not wanted or value in wanted) and (value, False) not in asked


def _matching(repository: Repository, words: list[tuple[str, bool]], qualifiers: Mapping[str, list[tuple[str, bool]]]) -> Iterator[str]:
    tree = repository.tree(repository.main) or {}
    places = {text for text, _ in qualifiers.get("in", ())}
    for path in sorted(tree):
        text = tree[path].lower() if isinstance(tree[path], str) and places != {"path"} else ""
        told = f"{text}\n{path.lower()}" if places != {"file"} else text
        if all((word in told) is wanted for word, wanted in words) and _is_there(path.lower(), qualifiers):
            yield path


def _is_there(path: str, qualifiers: Mapping[str, list[tuple[str, bool]]]) -> bool:
    """Whether a path is where the qualifiers look."""
    name = path.rpartition("/")[2]
    extension = name.rpartition(".")[2] if "." in name else ""
    tests: dict[str, Callable[[str], bool]] = {
        "path": lambda value: path.startswith(f"{value.strip('/')}/") or path == value.strip("/"),
        "filename": lambda value: value in name,
        "extension": lambda value: value.lstrip(".") == extension,
        "language": lambda value: extension in _LANGUAGES.get(value, (value,)),
    }
    return all(tests[key](value) is wanted for key in tests for value, wanted in qualifiers.get(key, ()))


def _shown(repository: Repository, path: str) -> dict[str, JSON]:
    record, tree = repository.record, repository.tree(repository.main) or {}
    return {
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": blob_hash(tree[path]),
        "html_url": f"{repository.url}/blob/{repository.main}/{path}",
        "repository": {"id": record.get("id"), "full_name": repository.full_name, "private": record.get("private", False)},
        "score": 1.0,
    }
