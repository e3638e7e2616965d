"""Arguments as the tools take them. The schema was checked before; what slips through is refused in the server's words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.behaviours.filesystem.edits import Edit
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError

_MISSING = object()


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call. Each reader raises `ToolError` for a value of another type."""

    tool: str
    values: Mapping[str, JSON]

    def text(self, name: str, otherwise: str | None = None) -> str:
        """Return a string."""
        value = self.values.get(name, _MISSING if otherwise is None else otherwise)
        return value if isinstance(value, str) else self._refuse("string", value, name)

    def texts(self, name: str) -> list[str]:
        """Return a list of strings; an absent one is empty."""
        return [
            item if isinstance(item, str) else self._refuse("string", item, f"{name}.{position}")
            for position, item in enumerate(self._list(name, []))
        ]

    def number(self, name: str) -> float | None:
        """Return a number, or `None` if there is none."""
        if name not in self.values:
            return None
        value = self.values[name]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        return self._refuse("number", value, name)

    def flag(self, name: str) -> bool:
        """Return a boolean; an absent one is false."""
        value = self.values.get(name, False)
        return value if isinstance(value, bool) else self._refuse("boolean", value, name)

    def edits(self, name: str) -> list[Edit]:
        """Return a list of edits."""
        edits: list[Edit] = []
        for position, item in enumerate(self._list(name, _MISSING)):
            if not isinstance(item, dict):
                self._refuse("object", item, f"{name}.{position}")
            texts = [item.get(key, _MISSING) for key in ("oldText", "newText")]
            for key, text in zip(("oldText", "newText"), texts, strict=True):
                if not isinstance(text, str):
                    self._refuse("string", text, f"{name}.{position}.{key}")
            edits.append(Edit(*texts))
        return edits

    def _list(self, name: str, otherwise: Any) -> list[Any]:
        value = self.values.get(name, otherwise)
        return value if isinstance(value, list) else self._refuse("array", value, name)

    def _refuse(self, expected: str, value: Any, where: str) -> NoReturn:
        names = {str: "string", bool: "boolean", int: "number", float: "number", list: "array", dict: "object", type(None): "null"}
        received = names.get(type(value), "undefined")
        raise ToolError(
            f"MCP error -32602: Input validation error: Invalid arguments for tool {self.tool}: "
            f"Invalid input: expected {expected}, received {received} at {where}"
        )
