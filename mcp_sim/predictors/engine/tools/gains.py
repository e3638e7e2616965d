"""What things come to have by what is done to them, and the kinds that what they belong to belongs to."""

import re
from collections.abc import Mapping
from dataclasses import replace

from mcp_sim.core.tool_spec import words
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.resources.matching import heeds
from mcp_sim.predictors.engine.resources.resource import Path, Resource
from mcp_sim.predictors.engine.tools.left_behind import logbooks_of
from mcp_sim.predictors.engine.words.arguments import arguments_of, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import singular

_ENTERED = frozenset("type amount description status".split())
_ASSIGNED = frozenset({"assignee", "assignees", "assigned_to"})
_HIGHEST = 3
_UNLISTED = re.compile(r"\b(\w+) [\w ]{1,40}?(?:are|is|will be) (?:not|no longer|never) (?:be )?(?:listed|shown|returned|included)\b")


def with_gains(resources: Mapping[str, Resource], read: Mapping[str, ToolUnderstanding], world: World) -> dict[str, Resource]:
    """Return the resources with what their things come to have, and with the ways up from them."""
    books = logbooks_of(read)
    gained: dict[str, set[str]] = {name: set(_ENTERED) if name in books else set() for name in resources}
    unlisted: dict[str, set[str]] = {name: set() for name in resources}
    for tool in read.values():
        for meant in tool.modes.values() if tool.modes else (tool,):
            if meant.resource not in gained:
                continue
            gained[meant.resource] |= _gained_by(meant)
            said = world.tools_by_name[tool.tool].description[:2000].lower() if meant.effect is not None else ""
            unlisted[meant.resource] |= {found.group(1) for found in _UNLISTED.finditer(said)} & gained[meant.resource]
    for spec in world.tools:
        named = {singular(word) for word in words(spec.name)}
        if "assign" in named:
            for name in resources:
                if name.split("_")[-1] in named:
                    gained[name] |= _ASSIGNED
    whole = {
        name: replace(resource, gains=frozenset(gained[name]), unlisted=frozenset(unlisted[name]), above=_ways_up(resource, resources))
        for name, resource in resources.items()
    }
    return {name: replace(resource, unfollowed=_unfollowed(resource, world)) for name, resource in whole.items()}


def _unfollowed(resource: Resource, world: World) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for tool in resource.tools:
        arguments = {argument.name: argument for argument in arguments_of(world.tools_by_name[tool.tool])} if tool.filters else {}
        found[tool.tool] = tuple(name for name in tool.filters if name in arguments and not heeds(arguments[name], resource))
    return {name: filters for name, filters in found.items() if filters}


def _gained_by(tool: ToolUnderstanding) -> set[str]:
    found = {flag.removeprefix("!") for flag in tool.effect.flags} if tool.effect is not None else set()
    if tool.kind == "update":
        found |= {snake(name) for name in tool.fields}
    if tool.kind in ("add-member", "remove-member") and tool.member:
        found.add(snake(tool.member))
    if tool.counts is not None:
        found.add(tool.counts.field)
    return found


def _ways_up(resource: Resource, resources: Mapping[str, Resource]) -> dict[str, Path]:
    """Return by kind the keys that lead there, each with the kind that it leads to: from a card by its column to the board."""
    found: dict[str, Path] = {}
    ahead: list[tuple[Resource, Path]] = [(resource, ())]
    while ahead:
        here, path = ahead.pop(0)
        steps = [*zip(here.scope_keys, here.scope, strict=True), *here.links]
        for key, kind in steps if len(path) < _HIGHEST else ():
            if kind in resources and kind != resource.name and kind not in found:
                found[kind] = (*path, (key, kind))
                ahead.append((resources[kind], found[kind]))
    return {kind: path for kind, path in found.items() if len(path) > 1}
