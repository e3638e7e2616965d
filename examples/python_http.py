"""Two agents share one server over HTTP, each in a session of its own, with a new connection for every call."""

import re
import subprocess

import anyio
from mcp import Client

PATH = "/projects/tidegauge/notes/today.md"


async def call(url: str, tool: str, arguments: dict[str, str]) -> str:
    async with Client(url) as client:  # many frameworks connect anew for each call: the session's name is in the URL, so nothing is lost
        result = await client.call_tool(tool, arguments)
        return result.content[0].text


async def main(root: str) -> None:
    await call(f"{root}/s/alice/mcp", "write_file", {"path": PATH, "content": "Alice was here."})
    print("alice:", await call(f"{root}/s/alice/mcp", "read_text_file", {"path": PATH}))
    print("bob:  ", await call(f"{root}/s/bob/mcp", "read_text_file", {"path": PATH}))


with subprocess.Popen(["mcp-sim", "serve", "filesystem", "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True) as server:
    root = re.search(r"(http://\S+?)/mcp", server.stderr.readline())[1]
    try:
        anyio.run(main, root)
    finally:
        server.terminate()
