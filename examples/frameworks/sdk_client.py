"""The MCP Python SDK alone: an "agent" that looks at the forecast and orders a warning. Needs: mcp.

Run: mcp-sim run examples/weather --frozen -- python examples/frameworks/sdk_client.py
"""

import os
import sys

import anyio
from mcp import Client


async def main() -> None:
    async with Client(os.environ["MCP_SIM_URL"]) as client:
        forecast = await client.call_tool("get_forecast", {"city": "Port Merrow", "days": 1})
        if "storm" in forecast.content[0].text.lower():
            await client.call_tool("create_alert", {"city": "Port Merrow", "when": "storm"})
        alerts = await client.call_tool("list_alerts", {"city": "Port Merrow"})
        print("Done:", alerts.content[0].text)


if "MCP_SIM_URL" not in os.environ:
    print("There is no server: MCP_SIM_URL is not set.", __doc__.splitlines()[-1], file=sys.stderr)
    sys.exit(2)
anyio.run(main)
