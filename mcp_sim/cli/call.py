"""`mcp-sim call`."""

import json
import sys

import anyio
import click

from mcp_sim.assemble import SessionOptions, build_simulator
from mcp_sim.cli.options import session_options
from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.protocol.results import write_result
from mcp_sim.tool_specs.world_folder import load_world


@click.command()
@click.argument("world")
@click.argument("tool")
@click.argument("arguments", default="{}")
@session_options
@click.option("--json", "as_json", is_flag=True, help="Print the whole result as a client gets it.")
def call(world: str, tool: str, arguments: str, session_options: SessionOptions, as_json: bool) -> None:
    """Call TOOL of WORLD once, as a client would, and print what it sees.

    ARGUMENTS is a JSON object, or - to read it from standard input. A tool that fails is an answer too, and exits with 0.

    \b
    Examples:
      mcp-sim call filesystem list_allowed_directories
      mcp-sim call filesystem read_text_file '{"path": "/projects/README.md"}' --json
      mcp-sim call memory create_entities - --session mine < entities.json
    """
    loaded = load_world(world)
    action = Action.call(tool, _read_arguments(sys.stdin.read() if arguments == "-" else arguments))
    result = anyio.run(_call, loaded, action, session_options)
    if as_json:
        click.echo(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        _print(result)


async def _call(world: World, action: Action, options: SessionOptions) -> dict[str, JSON]:
    simulator = build_simulator(world, options)
    transition = await simulator.call(options.default_session, action)
    return write_result(transition, world.tools_by_name.get(action.name), options.default_session, modern=True)


def _read_arguments(text: str) -> dict[str, JSON]:
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SetupError(f'ARGUMENTS is not JSON: {error}. Quote it for the shell: \'{{"path": "/a.txt"}}\'.') from None
    if not isinstance(arguments, dict):
        raise SetupError(f'ARGUMENTS is a JSON {type(arguments).__name__}, not an object such as \'{{"path": "/a.txt"}}\'.')
    return arguments


def _print(result: dict[str, JSON]) -> None:
    for block in result["content"]:
        click.echo(block["text"] if block.get("type") == "text" else f"[{describe_block(block)}]")
    meta = result["_meta"]
    failed = "the tool failed; " if result.get("isError") else ""
    click.echo(f"({failed}{meta['mcp-sim/source']}, turn {meta['mcp-sim/turn']} of session {meta['mcp-sim/session']!r})", err=True)


def describe_block(block: dict[str, JSON]) -> str:
    """Return a short description of a content block that is no text."""
    if "data" not in block:
        return json.dumps(block, ensure_ascii=False)
    return f"{block.get('type')} {block.get('mimeType', '?')} {len(block['data']) * 3 // 4} bytes"
