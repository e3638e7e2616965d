"""Names for tools and arguments that every client takes."""

import re

MOST_CHARACTERS = 64
PLAIN_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REFUSED_IN_TOOL = re.compile(r"[^A-Za-z0-9_-]+")
_REFUSED_IN_ARGUMENT = re.compile(r"[^A-Za-z0-9_.-]+")


class Names:
    """Hands out names, each once: a name that is taken gets a number."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def tool(self, wanted: str) -> str:
        """Return a free tool name of `[A-Za-z0-9_-]{1,64}` like the one wanted."""
        return self._free(_REFUSED_IN_TOOL.sub("_", wanted).strip("_") or "tool")

    def argument(self, wanted: str) -> str:
        """Return a free argument name of `[A-Za-z0-9_.-]{1,64}` like the one wanted: `$top` is `top`, `filter[name]` is `filter_name`."""
        if _REFUSED_IN_ARGUMENT.search(wanted):
            wanted = _REFUSED_IN_ARGUMENT.sub("_", wanted).strip("_")
        return self._free(wanted or "argument")

    def _free(self, base: str) -> str:
        base = base[:MOST_CHARACTERS]
        name, number = base, 1
        while name in self._taken:
            number += 1
            ending = f"_{number}"
            name = base[: MOST_CHARACTERS - len(ending)] + ending
        self._taken.add(name)
        return name
