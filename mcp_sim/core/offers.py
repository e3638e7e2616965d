"""What a world offers beside tools: resources to read and prompts to get, as its server lists them."""

import re
from functools import lru_cache

import re2

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.errors import PromptArgumentsError, UnknownPromptError, UnknownResourceError

READ = "resources/read"
"""The method of an action that reads a resource; its parameter is `uri`."""

PROMPT = "prompts/get"
"""The method of an action that gets a prompt; its parameters are `name` and `arguments`."""

_VARIABLE = re.compile(r"\{([^{}]*)\}")


class Offers(Frozen):
    """Resources, resource templates and prompts, each entry exactly as its server sends it.

    `capabilities` is what the server said of itself, `None` where nothing is known of that; `missing` names those of them that are not
    simulated, and so not announced.
    """

    resources: tuple[dict[str, JSON], ...] = ()
    templates: tuple[dict[str, JSON], ...] = ()
    prompts: tuple[dict[str, JSON], ...] = ()
    capabilities: dict[str, JSON] | None = None
    missing: tuple[str, ...] = ()

    @property
    def has_resources(self) -> bool:
        """Whether a client may ask for resources, be there none."""
        return bool(self.resources or self.templates or "resources" in (self.capabilities or ()))

    @property
    def has_prompts(self) -> bool:
        """Whether a client may ask for prompts, be there none."""
        return bool(self.prompts or "prompts" in (self.capabilities or ()))

    def resource(self, uri: str) -> dict[str, JSON] | None:
        """Return the entry of the resource, else of the first template that it fits."""
        listed = next((entry for entry in self.resources if entry["uri"] == uri), None)
        return listed or next((entry for entry in self.templates if _fits(entry["uriTemplate"], uri)), None)

    def prompt(self, name: str) -> dict[str, JSON] | None:
        """Return the entry of the prompt."""
        return next((entry for entry in self.prompts if entry["name"] == name), None)

    def has(self, action: Action) -> bool:
        """Whether the resource or prompt that the action asks for is offered."""
        if action.method == READ:
            return self.resource(action.params["uri"]) is not None
        return action.method == PROMPT and self.prompt(action.params["name"]) is not None

    def check(self, action: Action) -> None:
        """Check that what the action asks for is offered.

        Raises:
            UnknownResourceError: no resource and no template has this URI.
            UnknownPromptError: no prompt has this name.
            PromptArgumentsError: the prompt needs arguments that are not there.
        """
        if action.method == READ and self.resource(action.params["uri"]) is None:
            raise UnknownResourceError(action.params["uri"])
        if action.method == PROMPT:
            prompt = self.prompt(action.params["name"])
            if prompt is None:
                raise UnknownPromptError(action.params["name"])
            needed = [entry["name"] for entry in prompt.get("arguments") or () if entry.get("required") is True]
            missing = [name for name in needed if name not in action.params["arguments"]]
            if missing:
                raise PromptArgumentsError(action.params["name"], missing)


def _fits(template: str, uri: str) -> bool:
    return _pattern(template).fullmatch(uri) is not None


@lru_cache(maxsize=1024)
def _pattern(template: str) -> "re2._Regexp[str]":
    """RFC 6570: a simple variable holds no slash, one with `+`, `#`, `/` or `*` may; `?` and `&` may be absent altogether."""
    parts = _VARIABLE.split(template)
    pattern = "".join(re2.escape(part) if position % 2 == 0 else _variable(part) for position, part in enumerate(parts))
    return re2.compile(pattern)


def _variable(text: str) -> str:
    if text[:1] in ("?", "&"):
        return "(?s:.*)"
    return "(?s:.+)" if text[:1] in ("+", "#", "/") or text.endswith("*") else "[^/?#]+"
