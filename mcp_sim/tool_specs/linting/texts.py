"""How much text clients show."""

from collections.abc import Iterator

from mcp_sim.tool_specs.linting.finding import Client, Finding

CLAUDE_TEXT = 2048
OPENAI_TEXT = 1024


def lint_description(tool: str, description: str) -> Iterator[Finding]:
    """Find out who cuts or refuses a tool's description."""

    def finding(clients: tuple[Client, ...], says: str, happens: str, remedy: str) -> Finding:
        return Finding(clients=clients, tool=tool, pointer="/description", says=says, happens=happens, remedy=remedy, loses=False)

    if not description.strip():
        yield finding(("vscode",), "no description", "VS Code tells the model <empty>.", "Say in a sentence what the tool does.")
    if len(description) > CLAUDE_TEXT:
        cut = "Claude Code cuts descriptions at 2 KB: the model does not see the rest."
        yield finding(("claude",), f"{len(description)} characters", cut, "Shorten it to 2,048 characters, what matters first.")
    if len(description) > OPENAI_TEXT:
        refused = "OpenAI's API has refused descriptions of more than 1,024 characters (400); Azure's and older models do."
        yield finding(("openai",), f"{len(description)} characters", refused, "Shorten it to 1,024 characters.")


def lint_instructions(instructions: str | None) -> Iterator[Finding]:
    """Find out who cuts the server's instructions."""
    if instructions and len(instructions) > CLAUDE_TEXT:
        yield Finding(
            clients=("claude",),
            tool="",
            pointer="/instructions",
            says=f"{len(instructions)} characters",
            happens="Claude Code cuts instructions at 2 KB.",
            remedy="Shorten them to 2,048 characters in server.json.",
            loses=False,
        )
