"""How the language model is asked."""

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Literal

from mcp_sim.core.model_settings import Thinking
from mcp_sim.core.world import World

OnSlow = Literal["no-thinking", "error", "embedded"]
"""What is done when the model is slow: ask again without thinking, fail, or let the embedded generator answer (marked as such)."""


@dataclass(frozen=True, slots=True)
class LanguageSettings:
    """How the language model is asked. Sampling is what Qwen-AgentWorld's authors evaluate it with.

    `answer_within_seconds` is counted back from a call's deadline where it has one, else from when it is asked. `demonstration_characters`
    bounds the demonstrations and the first state in the system message. With `state_in_prompt` the records of the state that mention an
    argument are shown with the action, after the history.
    """

    temperature: float = 0.6
    top_p: float = 0.95
    top_k: int = 20
    max_tokens: int = 32_768
    thinking: Thinking = "on"
    thinking_by_tool: tuple[tuple[str, Thinking], ...] = ()
    on_slow: OnSlow = "no-thinking"
    answer_within_seconds: float = 50.0
    demonstration_characters: int = 48_000
    state_in_prompt: bool = False

    def thinking_for(self, name: str) -> Thinking:
        """Return the setting for one tool: that of the first glob that matches it, else the general one."""
        return next((thinking for glob, thinking in self.thinking_by_tool if fnmatchcase(name, glob)), self.thinking)


def settle(world: World, **asked: Any) -> LanguageSettings:
    """Return the settings for a world: what was asked for (not `None`), else what `world.toml` says, else the published ones."""
    said = world.settings.model
    settings = LanguageSettings(thinking_by_tool=tuple(said.thinking_by_tool.items()))
    from_world = {name: getattr(said, name) for name in ("temperature", "top_p", "top_k", "max_tokens", "thinking", "state_in_prompt")}
    for values in (from_world, asked):
        settings = replace(settings, **{name: value for name, value in values.items() if value is not None})
    if asked.get("thinking") is not None:  # said on the command line: for this run and for all tools
        settings = replace(settings, thinking_by_tool=())
    return settings
