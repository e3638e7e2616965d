"""`mcp-sim call`."""

import json
import sys

import anyio
import click

from mcp_sim.assemble.opening import compose_prompt, open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.cli.options import simulator_options
from mcp_sim.cli.terminal import say
from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.predictor import Context
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.protocol.results import write_result
from mcp_sim.tool_specs.suggestion import suggest
from mcp_sim.tool_specs.world_folder import load_world


@click.command()
@click.argument("world")
@click.argument("tool")
@click.argument("arguments", default="{}")
@simulator_options
@click.option("--show-prompt", is_flag=True, help="Print what a model would be sent for this call, and ask nobody.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole result as a client gets it, or the prompt's messages.")
def call(
    world: str,
    tool: str,
    arguments: str,
    options: SimulatorOptions,
    show_prompt: bool,
    as_json: bool,
) -> None:
    """Call TOOL of WORLD once, as a client would, and print what it sees.

    ARGUMENTS is a JSON object, or - to read it from standard input. A tool that fails is an answer too, and exits with 0. Without --session
    each call begins anew: nothing is kept.

    \b
    Examples:
      mcp-sim call filesystem list_allowed_directories
      mcp-sim call filesystem read_text_file '{"path": "/projects/tidegauge/README.md"}' --json
      mcp-sim call memory create_entities - --session mine < entities.json
      mcp-sim call github get_me --show-prompt
    """
    loaded = load_world(world)
    if tool not in loaded.tools_by_name:
        raise SetupError(f"World {loaded.name!r} has no tool {tool!r}. {suggest(tool, loaded.tools_by_name, 'See `mcp-sim tools`.')}")
    action = Action.call(tool, _read_arguments(sys.stdin.read() if arguments == "-" else arguments))
    if show_prompt:
        _print_prompt(anyio.run(compose_prompt, loaded, options, action), as_json)
        return
    result = anyio.run(_call, loaded, action, options)
    if as_json:
        say(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        _print(result, options.sessions.keep is not None)


async def _call(world: World, action: Action, options: SimulatorOptions) -> dict[str, JSON]:
    context = Context(log=_log, deadline=anyio.current_time() + options.answer_within_seconds)
    async with open_simulator(world, options) as simulator:
        transition = await simulator.call(options.sessions.default_session, action, context)
    return write_result(transition, world.tools_by_name.get(action.name), options.sessions.default_session, modern=True)


async def _log(message: str) -> None:
    say(f"mcp-sim: {message}", err=True)


def _print_prompt(messages: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        say(json.dumps(messages, indent=2, ensure_ascii=False))
        return
    for message in messages:
        say(f"[{message['role']}]\n{message['content']}\n")


def _read_arguments(text: str) -> dict[str, JSON]:
    try:
        arguments = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise SetupError(f'ARGUMENTS is not JSON: {error}. Write it like \'{{"path": "/a.txt"}}\', in quotes for the shell.') from None
    except ValueError:  # an integer of more digits than Python converts
        raise SetupError("ARGUMENTS holds a number of more digits than can be read. Write it as a text, or shorter.") from None
    if not isinstance(arguments, dict):
        raise SetupError(f'ARGUMENTS is a JSON {type(arguments).__name__}, not an object such as \'{{"path": "/a.txt"}}\'.')
    return arguments


def _print(result: dict[str, JSON], is_kept: bool) -> None:
    error = result.get("error")
    for block in result["content"] if error is None else [{"type": "text", "text": error["message"]}]:
        say(block["text"] if block.get("type") == "text" else f"[{describe_block(block)}]")
    meta = result["_meta"]
    failed = f"refused with {error['code']}; " if error else "the tool failed; " if result.get("isError") else ""
    where = f"turn {meta['mcp-sim/turn']} of session {meta['mcp-sim/session']!r}" if is_kept else "not kept: --session NAME keeps it"
    say(f"({failed}{meta['mcp-sim/source']}; {where})", err=True)


def describe_block(block: dict[str, JSON]) -> str:
    """Return a short description of a content block that is no text."""
    if "data" not in block:
        return json.dumps(block, ensure_ascii=False)
    return f"{block.get('type')} {block.get('mimeType', '?')} {len(block['data']) * 3 // 4} bytes"
