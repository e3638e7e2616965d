"""What a world says about the language model that answers for it."""

from typing import Annotated, Literal

from pydantic import Field

from mcp_sim.core.model import Frozen

Thinking = Literal["on", "off", "auto"]
"""Whether the model reasons before it answers; `auto`: not where the demonstrations of the tool show a fixed format."""


class ModelSettings(Frozen):
    """The `[model]` table of `world.toml`. What is not said there is left to the command line and to the published defaults.

    `instruction` is told to the model beside the background: facts that must hold, how hard or how noisy the world should be.
    `state_in_prompt` shows the model the records of the state that mention an argument of the call.
    `thinking_by_tool` overrules `thinking` for the tools whose names match its globs; the first that matches counts.
    """

    temperature: Annotated[float, Field(ge=0, le=10)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    thinking: Thinking | None = None
    state_in_prompt: bool | None = None
    thinking_by_tool: dict[str, Thinking] = {}
    instruction: str = ""
