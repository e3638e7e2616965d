"""LangChain with langchain-mcp-adapters, which opens a new connection for every call: the state is still there.

Needs: langchain langchain-mcp-adapters. They pin mcp<2, so they live in an environment of their own, without mcp-sim.
Run: mcp-sim run examples/weather --frozen -- /path/to/that/environment/bin/python examples/frameworks/langchain_adapters.py
"""

import asyncio
import os
import sys

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_mcp_adapters.client import MultiServerMCPClient

PLAN = [
    ("get_forecast", {"city": "Port Merrow", "days": 1}),
    ("create_alert", {"city": "Port Merrow", "when": "storm"}),
    ("list_alerts", {"city": "Port Merrow"}),
]


class ScriptedModel(GenericFakeChatModel):
    """LangChain's own test model, which says what it is given, one message a turn."""

    def bind_tools(self, tools: object, **kwargs: object) -> "ScriptedModel":
        return self


async def main() -> None:
    turns = [AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"{n}"}]) for n, (name, args) in enumerate(PLAN)]
    model = ScriptedModel(messages=iter([*turns, AIMessage("Done.")]))
    client = MultiServerMCPClient({"weather": {"transport": "streamable_http", "url": os.environ["MCP_SIM_URL"]}})
    agent = create_agent(model, await client.get_tools())
    result = await agent.ainvoke({"messages": [("user", "Warn me if a storm comes to Port Merrow.")]})
    listed = result["messages"][-2].content
    print("Done:", listed if isinstance(listed, str) else listed[0]["text"])


if "MCP_SIM_URL" not in os.environ:
    print("There is no server: MCP_SIM_URL is not set.", __doc__.splitlines()[-1], file=sys.stderr)
    sys.exit(2)
asyncio.run(main())
