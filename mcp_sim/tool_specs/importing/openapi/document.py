"""An OpenAPI document, and where its references lead."""

from collections.abc import Callable
from typing import Any, Literal

from referencing import Registry, Resource
from referencing.exceptions import NoSuchResource, Unresolvable

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.openapi.contents import Contents, measure
from mcp_sim.tool_specs.json_text import kind, shown

Version = Literal["2.0", "3.0", "3.1"]
_MOST_NOTICES = 50
_LONGEST_CHAIN = 50
_MOST_STEPS = 1_000


class RemoteReferenceError(SetupError):
    """A reference leads out of the document, and nothing is fetched."""


class Document:
    """An OpenAPI document. `version` is 3.1 for what came after it as well; `notices` collects what was passed over."""

    def __init__(self, raw: JSON, where: str) -> None:
        """Take a document.

        Raises:
            SetupError: it is no OpenAPI document, or of a version that is not read.
        """
        if not isinstance(raw, dict):
            raise SetupError(f"{where}: holds {kind(raw)}, no OpenAPI document.")
        self.raw: dict[str, JSON] = raw
        self.where = where
        self.version = _version(raw, where)
        self.notices: list[str] = []
        self._resolver = Registry().resolver_with_root(Resource.opaque(raw))
        self._targets: dict[str, JSON] = {}
        self._contents: dict[str, Contents] = {}
        self._is_circle: dict[str, bool] = {}
        self._needs_itself: dict[str, bool] = {}

    def notice(self, text: str) -> None:
        """Keep a sentence about something that was passed over; of very many only the first ones."""
        if len(self.notices) < _MOST_NOTICES:
            self.notices.append(text)
        elif len(self.notices) == _MOST_NOTICES:
            self.notices.append("More was passed over than is told here.")

    def target(self, reference: str) -> JSON:
        """Return what a reference leads to; `None`, and a notice, where that is nothing.

        Raises:
            RemoteReferenceError: it leads out of this document.
        """
        if reference not in self._targets:
            self._targets[reference] = self._look_up(reference)
        return self._targets[reference]

    def contents(self, reference: str) -> Contents:
        """Return how large what a reference leads to is, and the references in it."""
        if reference not in self._contents:
            self._contents[reference] = measure(self.target(reference))
        return self._contents[reference]

    def needs_itself(self, reference: str) -> bool:
        """Whether a value of what a reference leads to would have to hold another such value, and so on without end."""
        if reference not in self._needs_itself:
            self._needs_itself[reference] = self._leads_back(reference, lambda contents: contents.needed)
            if self._needs_itself[reference]:
                self.notice(f"{shown(reference)} requires another one of itself without end; in a part it is not required here.")
        return self._needs_itself[reference]

    def schema(self, reference: str) -> JSON:
        """Return the schema that a reference leads to; `None`, and a notice, where that is nothing or leads back to itself at once."""
        if reference not in self._is_circle:
            self._is_circle[reference] = self._leads_back(reference, lambda contents: contents.here)
            if self._is_circle[reference]:
                self.notice(f"{shown(reference)} leads back to itself and says nothing; anything is accepted in its place.")
        return None if self._is_circle[reference] else self.target(reference)

    def _leads_back(self, reference: str, steps: Callable[[Contents], tuple[str, ...]]) -> bool:
        found, stack = set[str](), [reference]
        while stack and len(found) < _MOST_STEPS:
            for step in steps(self.contents(stack.pop())):
                if step == reference:
                    return True
                if step not in found:
                    found.add(step)
                    stack.append(step)
        return bool(stack)

    def resolved(self, node: JSON) -> dict[str, JSON]:
        """Return an object (a parameter, a body, a response, a path item) with the references that stand for it followed.

        What stands beside a reference overrides what it leads to. Anything but an object is the empty object.
        """
        beside: dict[str, Any] = {}
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(node, dict):
                break
            if not isinstance(node.get("$ref"), str):
                return {**node, **beside}
            beside = {**{key: value for key, value in node.items() if key != "$ref"}, **beside}
            node = self.target(node["$ref"])
        return beside

    def _look_up(self, reference: str) -> JSON:
        if reference and not reference.startswith("#"):
            raise RemoteReferenceError(
                f"{self.where}: refers to {shown(reference)}, which is outside of this document; nothing is fetched. "
                "Bundle the document into one file first (`npx @redocly/cli bundle`, say)."
            )
        try:
            return self._resolver.lookup(reference).contents
        except (Unresolvable, NoSuchResource, ValueError, TypeError, IndexError, KeyError, AttributeError):
            self.notice(f"{shown(reference)} leads to nothing; anything is accepted in its place.")
            return None


def _version(raw: dict[str, JSON], where: str) -> Version:
    swagger, openapi = str(raw.get("swagger", "")), str(raw.get("openapi", ""))
    if swagger.startswith("2"):
        return "2.0"
    if openapi.startswith("3.0"):
        return "3.0"
    if openapi.startswith("3."):
        return "3.1"
    if swagger or openapi:
        raise SetupError(f"{where}: is of OpenAPI version {shown(swagger or openapi)}; 2.0 and 3.x are read. Convert it first.")
    raise SetupError(f'{where}: has neither "openapi" nor "swagger", so it is no OpenAPI document.')
