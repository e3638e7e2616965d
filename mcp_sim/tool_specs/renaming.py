"""A world whose tools and prompts have other names."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.core.offers import PROMPT
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Demonstration
from mcp_sim.core.world import Settings, World

Model = TypeVar("Model", bound=Frozen)


def rename(world: World, tools: Mapping[str, str], prompts: Mapping[str, str]) -> World:
    """Return the world with other names for some of its tools and prompts, by their present names, wherever it speaks of them."""
    if not tools and not prompts:
        return world
    own = {**{name: name for name in (*tools, *prompts)}, **world.own_names}
    return _with(
        world,
        tools=tuple(_renamed_tool(tool, tools[tool.name]) if tool.name in tools else tool for tool in world.tools),
        offers=world.offers.model_copy(
            update={"prompts": tuple({**entry, "name": prompts.get(entry["name"], entry["name"])} for entry in world.offers.prompts)}
        ),
        settings=_renamed_settings(world, tools),
        demonstrations=_renamed_answers(world.demonstrations, tools, prompts),
        frozen=_renamed_answers(world.frozen, tools, prompts),
        effects={tools.get(name, name): effect for name, effect in world.effects.items()},
        volatile_tools=frozenset(tools.get(name, name) for name in world.volatile_tools),
        own_names={new: own[old] for old, new in {**prompts, **tools}.items() if own[old] != new},
    )


def rename_action(action: Action, tools: Mapping[str, str], prompts: Mapping[str, str]) -> Action:
    """Return the action under the new name of its tool or prompt."""
    if action.is_call and action.name in tools:
        return Action.call(tools[action.name], action.arguments)
    if action.method == PROMPT and action.params["name"] in prompts:
        return Action(method=PROMPT, params={**action.params, "name": prompts[action.params["name"]]})
    return action


def _renamed_tool(tool: ToolSpec, name: str) -> ToolSpec:
    return _with(tool, name=name, definition={**tool.definition, "name": name})


def _renamed_settings(world: World, tools: Mapping[str, str]) -> Settings:
    settings = world.settings
    names = list(world.tools_by_name)

    def spelled_out(globs: Iterable[str]) -> tuple[str, ...]:
        matched = (name for name in names if any(fnmatchcase(name, glob) for glob in globs))
        return tuple(_literal(tools.get(name, name)) for name in matched)

    thinking = {
        _literal(tools.get(name, name)): value
        for name in names
        for value in [next((value for glob, value in settings.model.thinking_by_tool.items() if fnmatchcase(name, glob)), None)]
        if value is not None
    }
    return settings.model_copy(
        update={
            "mutating": spelled_out(settings.mutating),
            "reading": spelled_out(settings.reading),
            "volatile": spelled_out(settings.volatile),
            "tools": {tools.get(name, name): hint for name, hint in settings.tools.items()},
            "behaviours": {name: _renamed_options(options, tools) for name, options in settings.behaviours.items()},
            "model": settings.model.model_copy(update={"thinking_by_tool": thinking}),
        }
    )


def _renamed_options(options: dict[str, JSON], tools: Mapping[str, str]) -> dict[str, JSON]:
    names = options.get("names")
    return {**options, "names": {tools.get(name, name): own for name, own in names.items()}} if isinstance(names, dict) else options


Answer = TypeVar("Answer", bound=Demonstration)


def _renamed_answers(answers: Iterable[Answer], tools: Mapping[str, str], prompts: Mapping[str, str]) -> tuple[Answer, ...]:
    return tuple(answer.model_copy(update={"action": rename_action(answer.action, tools, prompts)}) for answer in answers)


def _literal(name: str) -> str:
    """The name as a glob that matches nothing else."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _with(model: Model, **changes: Any) -> Model:
    """Return a copy; unlike `model_copy` without what was worked out from the fields before."""
    return type(model).model_construct(**{**{name: getattr(model, name) for name in type(model).model_fields}, **changes})
