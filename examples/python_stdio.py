"""An MCP client starts mcp-sim over stdio, as Claude Desktop or an IDE would, and works in a simulated GitHub."""

import anyio
from mcp import Client, StdioServerParameters


async def main() -> None:
    server = StdioServerParameters(command="mcp-sim", args=["serve", "github"])
    repository = {"owner": "brinewatch", "repo": "tidegauge"}
    async with Client(server) as client:
        await client.call_tool("create_issue", {**repository, "title": "Readings stop at midnight"})
        found = await client.call_tool("search_issues", {"q": "midnight repo:brinewatch/tidegauge"})
        print(found.content[0].text)
        print("answered by:", found.meta["mcp-sim/source"])


anyio.run(main)
