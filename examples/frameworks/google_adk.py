"""Google's Agent Development Kit with a scripted model: no key, no network. Needs: google-adk[mcp].

Run: mcp-sim run examples/weather --frozen -- python examples/frameworks/google_adk.py
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams
from google.genai import types

PLAN = [
    ("get_forecast", {"city": "Port Merrow", "days": 1}),
    ("create_alert", {"city": "Port Merrow", "when": "storm"}),
    ("list_alerts", {"city": "Port Merrow"}),
]


class ScriptedModel(BaseLlm):
    """Makes the calls of the plan one by one, then says what the last one answered."""

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        answered = [part.function_response for content in llm_request.contents for part in content.parts if part.function_response]
        if len(answered) < len(PLAN):
            name, arguments = PLAN[len(answered)]
            part = types.Part(function_call=types.FunctionCall(name=name, args=arguments))
        else:
            part = types.Part(text=f"Done: {answered[-1].response['content'][0]['text']}")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def main() -> None:
    toolset = McpToolset(connection_params=StreamableHTTPConnectionParams(url=os.environ["MCP_SIM_URL"]))
    agent = LlmAgent(name="watch", model=ScriptedModel(model="scripted"), instruction="Warn of storms.", tools=[toolset])
    runner = InMemoryRunner(agent=agent, app_name="watch")
    session = await runner.session_service.create_session(app_name="watch", user_id="me")
    question = types.Content(role="user", parts=[types.Part(text="Warn me if a storm comes to Port Merrow.")])
    async for event in runner.run_async(user_id="me", session_id=session.id, new_message=question):
        if event.is_final_response():
            print(event.content.parts[0].text)
    await toolset.close()


if "MCP_SIM_URL" not in os.environ:
    print("There is no server: MCP_SIM_URL is not set.", __doc__.splitlines()[-1], file=sys.stderr)
    sys.exit(2)
asyncio.run(main())
