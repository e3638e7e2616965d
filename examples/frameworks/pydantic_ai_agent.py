"""Pydantic AI with its own function model: no key, no network. Needs: pydantic-ai-slim[mcp].

Run: mcp-sim run examples/weather --frozen -- python examples/frameworks/pydantic_ai_agent.py
"""

import asyncio
import os
import sys

from pydantic_ai import Agent, models
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

models.ALLOW_MODEL_REQUESTS = False  # Pydantic AI's own switch: no real model is asked
PLAN = [
    ("get_forecast", {"city": "Port Merrow", "days": 1}),
    ("create_alert", {"city": "Port Merrow", "when": "storm"}),
    ("list_alerts", {"city": "Port Merrow"}),
]


def follow_the_plan(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Make the calls of the plan one by one, then say what the last one answered."""
    done = sum(isinstance(message, ModelResponse) for message in messages)
    if done < len(PLAN):
        return ModelResponse(parts=[ToolCallPart(*PLAN[done])])
    return ModelResponse(parts=[TextPart(f"Done: {messages[-1].parts[0].content}")])


async def main() -> None:
    agent = Agent(FunctionModel(follow_the_plan), toolsets=[MCPToolset(os.environ["MCP_SIM_URL"])])
    result = await agent.run("Warn me if a storm comes to Port Merrow.")
    print(result.output)


if "MCP_SIM_URL" not in os.environ:
    print("There is no server: MCP_SIM_URL is not set.", __doc__.splitlines()[-1], file=sys.stderr)
    sys.exit(2)
asyncio.run(main())
