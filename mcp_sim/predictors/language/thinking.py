"""Whether a tool's answers are so regular that a model need not reason about them."""

import json

from mcp_sim.core.canonical import JSON
from mcp_sim.core.transition import Demonstration
from mcp_sim.core.world import World
from mcp_sim.predictors.language.shape import fits, says_something, shape_of

_ENOUGH = 2
_LOOKED_AT = 20


def has_fixed_format(world: World, name: str) -> bool:
    """Whether the demonstrations of a tool, at least two that succeeded, all have one format: the same words or the same JSON keys."""
    seen = [item for item in world.demonstrations_by_tool.get(name, ()) if not item.observation.is_error][:_LOOKED_AT]
    if len(seen) < _ENOUGH:
        return False
    keys = {_keys_of(item) for item in seen}
    if None not in keys:
        return len(keys) == 1
    shape = shape_of(seen[0].observation.text, seen[0].action)
    return says_something(shape) and all(fits(shape, item.observation.text) for item in seen)


def _keys_of(demonstration: Demonstration) -> str | None:
    observation = demonstration.observation
    try:
        value = observation.structured_content if observation.has_structured_content else json.loads(observation.text)
    except (ValueError, RecursionError):
        return None
    return json.dumps(_skeleton(value, 8)) if isinstance(value, dict) else None


def _skeleton(value: JSON, depth: int) -> JSON:
    if isinstance(value, dict) and depth:
        return {key: _skeleton(value[key], depth - 1) for key in sorted(value)}
    if isinstance(value, list) and value and depth:
        return [_skeleton(value[0], depth - 1)]
    return "value"
