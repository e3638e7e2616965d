"""The requests that are answered by the simulator, and the frames that the SDK makes for their results."""

from collections.abc import Mapping
from typing import Any, Literal

import mcp_types as types
from mcp.server.context import ServerRequestContext

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.offers import PROMPT, READ, Offers

_Ctx = ServerRequestContext[Any, Any]
_Listing = Literal["tools/list", "resources/list", "resources/templates/list", "prompts/list"]

ACTIONS = ("tools/call", READ, PROMPT)
"""The methods that are actions of the agent."""

LISTS: tuple[_Listing, ...] = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
"""The methods that list what a world offers."""


def read_action(method: str, params: Mapping[str, JSON]) -> Action:
    """Return the action that a request asks for."""
    if method == READ:
        return Action(method=READ, params={"uri": params["uri"]})
    if method == PROMPT:
        return Action(method=PROMPT, params={"name": params["name"], "arguments": params.get("arguments") or {}})
    return Action.call(params["name"], params.get("arguments"))


def frames(offers: Offers) -> dict[str, Any]:
    """Return the SDK's handlers for what is offered: each makes an empty result, whose body is put in behind it."""
    handlers: dict[str, Any] = {"on_list_tools": _tools, "on_call_tool": _call}
    if offers.has_resources:
        handlers |= {"on_list_resources": _resources, "on_list_resource_templates": _templates, "on_read_resource": _read}
    if offers.has_prompts:
        handlers |= {"on_list_prompts": _prompts, "on_get_prompt": _prompt}
    return handlers


async def _tools(ctx: _Ctx, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[])


async def _call(ctx: _Ctx, params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[])


async def _resources(ctx: _Ctx, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=[])


async def _templates(ctx: _Ctx, params: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(resource_templates=[])


async def _read(ctx: _Ctx, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[])


async def _prompts(ctx: _Ctx, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[])


async def _prompt(ctx: _Ctx, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    return types.GetPromptResult(messages=[])
