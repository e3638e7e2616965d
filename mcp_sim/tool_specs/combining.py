"""Several worlds put together: one world with the tools of all, one state, and one background that they share."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rpds import HashTrieMap

from mcp_sim.core.canonical import JSON, canonical, digest
from mcp_sim.core.offers import Offers
from mcp_sim.core.state import EMPTY_STATE, State, thaw
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import Settings, World
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.renaming import rename

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")

LONGEST_NAME = 64
"""The most characters that every client takes in a tool's name."""


def combine(worlds: Sequence[World]) -> World:
    """Return one world made of several.

    Tools and prompts of one name get the name of their world before theirs (`github__search`), all others keep theirs. Each tool keeps its
    own world's settings, behaviours, demonstrations and frozen answers (`World.parts`); the first states become one, and every part has
    all the texts that any of them shares. Frozen answers for one state only do not fit: the state is another one here.

    Raises:
        SetupError: a world is given twice, or two first states hold different things in the same place.
    """
    if len(worlds) == 1:
        return worlds[0]
    worlds = _named_apart([part for world in worlds for part in (world.parts or (world,))])
    state: State = EMPTY_STATE
    for world in worlds:
        state = _merged(state, world.first_state, world.name, ())
    shared = tuple(dict.fromkeys(text for world in worlds for text in world.shared))
    tools_twice = _twice(tool.name for world in worlds for tool in world.tools)
    prompts_twice = _twice(prompt["name"] for world in worlds for prompt in world.offers.prompts)
    taken = {tool.name for world in worlds for tool in world.tools}
    notices: list[str] = []
    parts: list[World] = []
    for world in worlds:
        tools = {name: _prefixed(world.name, name, taken) for name in world.tools_by_name if name in tools_twice}
        offered = [prompt["name"] for prompt in world.offers.prompts]
        prompts = {name: _prefixed(world.name, name, set(offered)) for name in offered if name in prompts_twice}
        part = rename(world, tools, prompts)
        others = [text for text in shared if text not in world.shared]
        background = "\n\n".join([*others, world.background] if world.background else others)
        parts.append(part.model_copy(update={"first_state": state, "shared": shared, "background": background}))
        notices += [f"{world.name}: {notice}" for notice in world.notices]
        notices += [
            f"{world.name}: {old} is served as {new}: another world has one of that name." for old, new in {**tools, **prompts}.items()
        ]
    return World(
        name="+".join(world.name for world in worlds),
        key=f"several-{digest(*(world.key for world in worlds))[:16]}",
        source="+".join(world.source or world.name for world in worlds),
        tools=tuple(tool for part in parts for tool in part.tools),
        offers=_offers(parts, notices),
        left_out=tuple(left_out for part in parts for left_out in part.left_out),
        settings=_settings(worlds, notices),
        background="\n\n".join(shared),
        first_state=state,
        demonstrations=tuple(shown for part in parts for shown in part.demonstrations),
        frozen=tuple(answer for part in parts for answer in part.frozen),
        instructions="\n\n".join(f"# {world.name}\n\n{world.instructions}" for world in worlds if world.instructions) or None,
        notices=tuple(notices),
        shared=shared,
        parts=tuple(parts),
    )


def with_frozen(world: World, answers: Iterable[FrozenAnswer]) -> World:
    """Return the world with more frozen answers, each in the part that its action is about."""
    answers = tuple(answers)
    parts = tuple(
        part.model_copy(update={"frozen": (*part.frozen, *(one for one in answers if world.part_of(one.action).key == part.key))})
        for part in world.parts
    )
    return world.model_copy(update={"frozen": (*world.frozen, *answers), "parts": parts})


def separate(part: World) -> World:
    """Return a part under its own names: what a client sees that is connected to this world alone."""
    prompts = {prompt["name"] for prompt in part.offers.prompts}
    own = part.own_names
    return rename(
        part,
        {name: own[name] for name in part.tools_by_name if name in own},
        {name: own[name] for name in prompts if name in own},
    )


def _named_apart(worlds: Sequence[World]) -> list[World]:
    for key, count in Counter(world.key for world in worlds).items():
        if count > 1:
            name = next(world.name for world in worlds if world.key == key)
            raise SetupError(f"World {name!r} is given {count} times. Name each once.")
    names: set[str] = set()
    apart: list[World] = []
    for world in worlds:
        slug = name = _NOT_IN_NAMES.sub("-", world.name)
        for number in range(2, len(worlds) + 2):
            if name not in names:
                break
            name = f"{slug}-{number}"
        names.add(name)
        apart.append(world.model_copy(update={"name": name}))
    return apart


def _twice(names: Iterable[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}


def _prefixed(world: str, name: str, taken: set[str]) -> str:
    """Return the world's name before the tool's, shortened and with a mark where that is too long or the name of another tool."""
    whole = f"{world}__{name}"
    if len(whole) <= LONGEST_NAME and whole not in taken:
        return whole
    mark = digest(whole)[:6]
    room = LONGEST_NAME - len("__") - len(mark) - 1
    short = world[: max(8, room - len(name))]
    return f"{short}__{name[: room - len(short)]}_{mark}"


def _merged(one: Any, other: Any, world: str, path: tuple[str, ...]) -> Any:
    if isinstance(one, HashTrieMap) and isinstance(other, HashTrieMap):
        for key in other:
            one = one.insert(key, _merged(one[key], other[key], world, (*path, key)) if key in one else other[key])
        return one
    if canonical(thaw(one)) != canonical(thaw(other)):
        raise SetupError(f"{world}: its first state has something else than another world's at {'.'.join(path)}. Make the two the same.")
    return one


def _offers(parts: Sequence[World], notices: list[str]) -> Offers:
    resources = _once(parts, "resources", "uri", notices)
    templates = _once(parts, "templates", "uriTemplate", notices)
    prompts = tuple(prompt for part in parts for prompt in part.offers.prompts)
    said = [part.offers.capabilities for part in parts if part.offers.capabilities is not None]
    capabilities = {name: capability for one in said for name, capability in one.items()} if said else None
    missing = tuple(dict.fromkeys(name for part in parts for name in part.offers.missing))
    return Offers(resources=resources, templates=templates, prompts=prompts, capabilities=capabilities, missing=missing)


def _once(parts: Sequence[World], what: str, key: str, notices: list[str]) -> tuple[dict[str, JSON], ...]:
    kept: dict[str, dict[str, JSON]] = {}
    for part in parts:
        for entry in getattr(part.offers, what):
            if entry[key] in kept:
                notices.append(f"{part.name}: {entry[key]} is left out: another world has one of that address.")
            else:
                kept[entry[key]] = entry
    return tuple(kept.values())


def _settings(worlds: Sequence[World], notices: list[str]) -> Settings:
    """The settings of the whole: those of its parts count for their tools. One time holds for all, the first that a world names."""
    said = [world for world in worlds if "clock" in world.settings.model_fields_set]
    clock = said[0].settings.clock if said else worlds[0].settings.clock
    notices += [f"{world.name}: its time is that of {said[0].name} here." for world in said if world.settings.clock != clock]
    title = " + ".join(world.settings.title or world.name for world in worlds)
    return Settings(title=title, clock=clock, errors=worlds[0].settings.errors, domain=worlds[0].settings.domain)
