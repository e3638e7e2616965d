"""The OpenAI Agents SDK with a scripted model: no key, no network. Needs: openai-agents.

Run: mcp-sim run examples/weather --frozen -- python examples/frameworks/openai_agents.py
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

PLAN = [
    ("get_forecast", {"city": "Port Merrow", "days": 1}),
    ("create_alert", {"city": "Port Merrow", "when": "storm"}),
    ("list_alerts", {"city": "Port Merrow"}),
]


class ScriptedModel(Model):
    """Makes the calls of the plan one by one, then says what the last one answered."""

    def __init__(self) -> None:
        self._plan = iter(enumerate(PLAN))

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> ModelResponse:
        number, call = next(self._plan, (0, None))
        if call is not None:
            name, arguments = call
            item: Any = ResponseFunctionToolCall(call_id=str(number), name=name, arguments=json.dumps(arguments), type="function_call")
        else:
            text = f"Done: {read_output(input[-1]['output'])}"
            content = [ResponseOutputText(text=text, type="output_text", annotations=[])]
            item = ResponseOutputMessage(id="last", content=content, role="assistant", status="completed", type="message")
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def read_output(output: Any) -> str:
    """What a tool answered: a text, or a list of parts."""
    return output if isinstance(output, str) else output[0]["text"]


async def main() -> None:
    set_tracing_disabled(True)
    async with MCPServerStreamableHttp(params={"url": os.environ["MCP_SIM_URL"]}) as server:
        agent = Agent(name="watch", instructions="Warn of storms.", model=ScriptedModel(), mcp_servers=[server])
        result = await Runner.run(agent, "Warn me if a storm comes to Port Merrow.")
        print(result.final_output)


if "MCP_SIM_URL" not in os.environ:
    print("There is no server: MCP_SIM_URL is not set.", __doc__.splitlines()[-1], file=sys.stderr)
    sys.exit(2)
asyncio.run(main())
