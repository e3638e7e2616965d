"""What clients take as names of tools and arguments, and how many tools."""

import re
from collections.abc import Iterator

from mcp_sim.core.canonical import JSON
from mcp_sim.tool_specs.linting.finding import Client, Finding
from mcp_sim.tool_specs.linting.walking import under

PLAIN_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
ARGUMENT_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
CLAUDE_FULL_NAME = 128
CURSOR_FULL_NAME = 60
MOST_TOOLS: dict[Client, int] = {"vscode": 128, "openai": 128, "cursor": 40}
_PLAIN_CHARACTERS = re.compile(r"[a-zA-Z0-9_-]+")


def lint_count(count: int) -> Iterator[Finding]:
    """Find out for whom a list is too long."""
    happens: dict[Client, str] = {
        "vscode": "VS Code sends at most 128 tools with a request; others are grouped away or have to be unticked by hand.",
        "openai": "The API refuses a request with more than 128 tools (400).",
        "cursor": "Cursor is reported to send only the first 40 tools of all servers together to the model.",
    }
    for client, most in MOST_TOOLS.items():
        if count > most:
            remedy = f"Keep at most {most} tools in tools.json, or make several smaller worlds."
            yield Finding(clients=(client,), tool="", pointer="", says=f"{count} tools", happens=happens[client], remedy=remedy, loses=True)


def lint_name(name: str, server: str) -> Iterator[Finding]:
    """Find out who refuses a tool's name; `server` is the name under which a client has the server."""

    def finding(clients: tuple[Client, ...], says: str, happens: str, remedy: str, loses: bool) -> Finding:
        return Finding(clients=clients, tool=name, pointer="/name", says=says, happens=happens, remedy=remedy, loses=loses)

    if not _PLAIN_CHARACTERS.fullmatch(name):
        refused = "The APIs of Claude and OpenAI refuse the whole request (400)."
        yield finding(("claude", "openai"), repr(name), refused, "Use only letters, digits, _ and - in the name.", True)
        changed = "VS Code replaces other characters by _: the model sees another name."
        yield finding(("vscode",), repr(name), changed, "Use only letters, digits, _ and - in the name.", False)
    if len(name) > 64:
        refused = "OpenAI's and Gemini's APIs refuse the whole request (400)."
        yield finding(("openai", "gemini"), f"{len(name)} characters", refused, "Shorten the name to 64 characters.", True)
    full = f"mcp__{server}__{name}"
    if len(full) > CLAUDE_FULL_NAME:
        omitted = "Claude Code leaves the tool out: with its prefix the name is longer than 128 characters."
        yield finding(("claude",), f"{full} has {len(full)} characters", omitted, "Shorten the name of the tool or of the server.", True)
    elif len(full) > 64:
        older = "Older versions of the Claude API refuse names of more than 64 characters, the prefix counted."
        yield finding(("claude",), f"{full} has {len(full)} characters", older, "Shorten the name of the tool or of the server.", False)
    combined = f"{server}:{name}"
    if len(combined) > CURSOR_FULL_NAME:
        hidden = "Cursor leaves the tool out: server and tool name together are longer than 60 characters."
        yield finding(("cursor",), f"{combined} has {len(combined)} characters", hidden, "Shorten one of the two names.", True)
    if len(name) <= 64 and not GEMINI_NAME.fullmatch(name):
        refused = "Gemini's API refuses the whole request (400)."
        yield finding(("gemini",), repr(name), refused, "Begin the name with a letter or _, and use only letters, digits, _ and -.", True)


def lint_argument_names(tool: str, schema: dict[str, JSON]) -> Iterator[Finding]:
    """Find out which names of arguments the Claude API refuses; it looks at the root only."""
    for name in schema.get("properties") or {}:
        if not ARGUMENT_NAME.fullmatch(name):
            yield Finding(
                clients=("claude",),
                tool=tool,
                pointer=under("/inputSchema", "properties", name),
                says=repr(name) if len(name) <= 64 else f"{len(name)} characters",
                happens="The Claude API refuses the whole request, and with it the conversation (400).",
                remedy="Use only letters, digits, _, . and - in the argument's name, at most 64.",
                loses=True,
            )
