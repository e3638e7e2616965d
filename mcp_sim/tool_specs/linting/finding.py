"""One thing that a client would not take as it is."""

from typing import Literal

from mcp_sim.core.model import Frozen

Client = Literal["claude", "vscode", "cursor", "openai", "gemini"]
CLIENTS: tuple[Client, ...] = ("claude", "vscode", "cursor", "openai", "gemini")
"""Claude Code, Claude Desktop and the Claude API; VS Code; Cursor; OpenAI's API and Gemini's, and what is built on them."""


class Finding(Frozen):
    """What is wrong where, for whom, what happens, and how to mend it.

    `clients` is empty where every client is concerned; `tool` is empty where the whole list is; `pointer` leads into the tool's definition;
    `loses` tells that a tool, a request or the list is lost, rather than something hidden or changed.
    """

    clients: tuple[Client, ...]
    tool: str
    pointer: str
    says: str
    happens: str
    remedy: str
    loses: bool

    def concerns(self, wanted: tuple[Client, ...]) -> bool:
        """Whether one of these clients is concerned."""
        return not self.clients or any(client in wanted for client in self.clients)
