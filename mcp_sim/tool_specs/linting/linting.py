"""All rules over all tools of a world."""

from collections.abc import Iterator

from mcp_sim.core.world import World
from mcp_sim.tool_specs.linting.finding import CLIENTS, Client, Finding
from mcp_sim.tool_specs.linting.names import lint_argument_names, lint_count, lint_name
from mcp_sim.tool_specs.linting.schemas import lint_schema
from mcp_sim.tool_specs.linting.texts import lint_description, lint_instructions

_OURS = ("inputSchema#", "outputSchema#")  # what our own checks do not enforce; no client is concerned


def lint_world(world: World, clients: tuple[Client, ...] = CLIENTS, server: str | None = None) -> list[Finding]:
    """Return what these clients would not take of a world as it is served, the list's own findings first, then tool by tool.

    `server` is the name under which a client has it; the world's name if not given, as `mcp-sim config` writes it.
    """
    return [finding for finding in _all(world, server or world.name) if finding.concerns(clients)]


def _all(world: World, server: str) -> Iterator[Finding]:
    yield from lint_count(len(world.tools))
    yield from lint_instructions(world.instructions)
    for left_out in world.left_out:
        yield Finding(
            clients=(),
            tool=left_out.name,
            pointer="",
            says=left_out.reason,
            happens="The tool cannot be served; from the real server, clients lose it and often the whole list with it.",
            remedy="Correct the definition.",
            loses=True,
        )
    for tool in world.tools:
        for sentence in tool.mended:
            if sentence.startswith(_OURS):
                continue
            yield Finding(
                clients=(),
                tool=tool.name,
                pointer="",
                says=sentence,
                happens="Served mended by mcp-sim. From the real server, clients may lose the tool or the whole list.",
                remedy="Nothing to do here; the real server should send the mended form.",
                loses=False,
            )
        yield from lint_name(tool.name, server)
        yield from lint_description(tool.name, tool.description)
        yield from lint_argument_names(tool.name, tool.input_schema)
        yield from lint_schema(tool.name, tool.input_schema)
