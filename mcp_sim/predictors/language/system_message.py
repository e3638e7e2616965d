"""The system message: the domain's prompt with its two slots filled, and what is particular to this world after it."""

import json
import re
from itertools import zip_longest
from pathlib import Path

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.state import thaw
from mcp_sim.core.transition import Demonstration
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.predictors.language.completer import Message
from mcp_sim.predictors.language.neutral import fenced_json, neutralise
from mcp_sim.predictors.language.turns import spell_action, tell_observation

_SLOT = re.compile(r"\{\{(tools|demonstrations)\}\}")
_TOLD_OF_A_TOOL = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


def read_template(prompts_folder: Path, domain: str) -> str:
    """Return the system prompt of a domain, its slots open.

    Raises:
        SetupError: there is none, or it lacks a slot.
    """
    path = prompts_folder / domain / "system.md"
    try:
        template = path.read_text("utf-8")
    except OSError as error:
        raise SetupError(f"The system prompt of domain {domain!r} cannot be read from {path}: {error.strerror}.") from error
    missing = {"tools", "demonstrations"} - set(_SLOT.findall(template))
    if missing:
        raise SetupError(f"{path} lacks {{{{{missing.pop()}}}}}: the place where the world's own are put in.")
    return template


def compose_system(template: str, world: World, characters: int) -> Message:
    """Return the system message of a world; demonstrations and first state take up to `characters` each, the rest of them is left out."""
    fillings = {"tools": _tools(world), "demonstrations": _demonstrations(world, characters)}
    parts = [_SLOT.sub(lambda slot: fillings[slot[1]], template).strip(), *_particulars(world, characters)]
    return {"role": "system", "content": "\n\n".join(parts)}


def _tools(world: World) -> str:
    return "\n".join(fenced_json({key: tool.definition[key] for key in _TOLD_OF_A_TOOL if key in tool.definition}) for tool in world.tools)


def _demonstrations(world: World, characters: int) -> str:
    told: list[str] = []
    for demonstration in _one_of_each_in_turn(world):
        action = spell_action(demonstration.action, world.settings.domain)
        text = f"### Example {len(told) + 1}\n\n{action}\n\n{tell_observation(demonstration.observation)['content']}"
        characters -= len(text)
        if characters < 0:
            break
        told.append(text)
    return "\n\n".join(told) or "None for this world."


def _one_of_each_in_turn(world: World) -> list[Demonstration]:
    """Order true answers so that a cut anywhere is fair: the first of each tool, then the second of each, and so on."""
    by_tool: dict[str, list[Demonstration]] = {}
    for demonstration in (*world.demonstrations, *world.frozen):
        by_tool.setdefault(demonstration.action.name, []).append(demonstration)
    rounds = zip_longest(*by_tool.values())
    return [demonstration for one_round in rounds for demonstration in one_round if demonstration is not None]


def _particulars(world: World, characters: int) -> list[str]:
    parts = []
    if world.background.strip():
        parts.append(f"# Facts about this world\n\nThey hold in every observation.\n\n{neutralise(world.background.strip())}")
    state = thaw(world.first_state)
    if state:
        parts.append(f"# State before the first turn\n\n{_shortened(state, characters)}")
    if world.settings.model.instruction.strip():
        parts.append(f"# Instruction for this simulation\n\n{neutralise(world.settings.model.instruction.strip())}")
    return parts


def _shortened(state: JSON, characters: int) -> str:
    text = canonical(state)
    if len(text) <= characters:
        return fenced_json(state)
    kept: dict[str, JSON] = {}
    for key, value in state.items():
        length = len(json.dumps(value))
        if length <= characters:
            kept[key] = value
            characters -= length
    left_out = [key for key in state if key not in kept]
    return f"{fenced_json(kept)}\n\nToo large to be shown here: {neutralise(', '.join(map(json.dumps, left_out)))}."
