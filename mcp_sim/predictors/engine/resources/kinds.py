"""Which kind of thing a search asks for, where one search finds several: `is:pr` in a search of issues."""

from collections.abc import Mapping

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.resources.queries import KINDS, QUALIFIER
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_LONGEST = 2000


def kind_sought(
    meaning: ToolUnderstanding, resource: Resource, resources: Mapping[str, Resource], arguments: Mapping[str, JSON]
) -> Resource:
    """Return the kind of thing that a call is about: the resource itself, or the one of its group that the search text names."""
    text = arguments.get(meaning.text or "")
    if meaning.kind not in ("search", "list") or not isinstance(text, str) or len(resource.group) < 2:
        return resource
    for negated, name, value in QUALIFIER.findall(text[:_LONGEST]):
        kind = KINDS.get(value.strip('"').lower(), "") if name in ("is", "type") and not negated else ""
        if kind in resource.group:
            return resources.get(kind, resource)
    return resource
