"""`mcp-sim model` and `mcp-sim doctor`: serve a language model, and see whether one is fit."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path

import anyio
import click
from rich.console import Console
from rich.table import Table

from mcp_sim.assemble.checking import check_world
from mcp_sim.assemble.offline import refuse
from mcp_sim.cli.terminal import say
from mcp_sim.core.counted import count_of
from mcp_sim.errors import SetupError
from mcp_sim.predictors.language.connection import connect
from mcp_sim.predictors.language.doctor import ModelReport, examine
from mcp_sim.predictors.language.serving import ServingEngine, ServingPlan, choose_engine, command_line, remedies
from mcp_sim.predictors.language.settings import LanguageSettings
from mcp_sim.predictors.language.system_message import compose_system, read_template
from mcp_sim.tool_specs.bundled import bundled_folder
from mcp_sim.tool_specs.world_folder import load_world

_INSTALL = {"sglang": "pip install 'mcp-sim[sglang]'", "vllm": "pip install vllm", "xllamacpp": "pip install 'mcp-sim[local]'"}
_ENDED_ON_PURPOSE = (0, -signal.SIGINT, -signal.SIGTERM, 128 + signal.SIGINT, 128 + signal.SIGTERM)


@click.group()
def model() -> None:
    """Serve the language model that answers for worlds.

    \b
    Example:
      mcp-sim model serve Qwen/Qwen-AgentWorld-35B-A3B --tp 4
    """


@model.command(context_settings={"ignore_unknown_options": True})
@click.argument("model_path", metavar="MODEL")
@click.argument("engine_options", nargs=-1, type=click.UNPROCESSED)
@click.option("--engine", type=click.Choice(["sglang", "vllm"]), help="What serves it. A .gguf file is served locally, by llama.cpp.")
@click.option("--tp", "tensor_parallel", default=1, show_default=True, type=click.IntRange(min=1), help="Over how many GPUs.")
@click.option("--context", "context_tokens", type=click.IntRange(min=512), help="Tokens of context.  [default: 262144; 32768 for a .gguf]")
@click.option("--threads", type=click.IntRange(min=1), help="CPU threads for a .gguf.  [default: 1]")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for other machines too.")
@click.option("--port", default=30_000, show_default=True, type=click.IntRange(1, 65535), help="The port to listen at.")
@click.option("--name", "model_name", help="The name to serve it under.")
@click.option("--print", "only_print", is_flag=True, help="Print the command line instead of running it.")
def serve(
    model_path: str,
    engine_options: tuple[str, ...],
    engine: ServingEngine | None,
    tensor_parallel: int,
    context_tokens: int | None,
    threads: int | None,
    host: str,
    port: int,
    model_name: str | None,
    only_print: bool,
) -> None:
    """Serve MODEL with the flags that a world model needs. What stands after `--` is given to the engine as it is.

    \b
    Examples:
      mcp-sim model serve Qwen/Qwen-AgentWorld-35B-A3B --tp 4
      mcp-sim model serve Qwen/Qwen-AgentWorld-35B-A3B --engine vllm --tp 4 --print
      mcp-sim model serve ./Qwen-AgentWorld-35B-A3B-Q4_K_M.gguf --threads 8
    """
    chosen = choose_engine(model_path, engine)
    plan = ServingPlan(
        model=model_path,
        engine=chosen,
        host=host,
        port=port,
        tensor_parallel=tensor_parallel,
        context_tokens=context_tokens,
        threads=threads,
        model_name=model_name,
    )
    if chosen == "xllamacpp" and engine_options:
        raise SetupError(f"The local engine takes no further options: {shlex.join(engine_options)}.")
    command = [*command_line(plan, "python" if only_print else sys.executable), *engine_options]
    if only_print:
        say(shlex.join(command))
        return
    _check_can_run(plan)
    say(f"Serving at {plan.url}. Use it with: mcp-sim serve WORLD --model {plan.url}", err=True)
    say(f"$ {shlex.join(command)}", err=True)
    status = _run(command)
    if status not in _ENDED_ON_PURPOSE:
        say(f"The engine ended with status {status}. If memory ran out, try in this order: {'; '.join(remedies(plan))}.", err=True)
        raise SystemExit(1)


def _run(command: list[str]) -> int:
    """Run the engine until it ends; whoever ends us ends it."""
    with subprocess.Popen(command) as engine:
        before = {
            signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None),  # a terminal sends it to the engine as well
            signal.SIGTERM: signal.signal(signal.SIGTERM, lambda *_: engine.terminate()),
        }
        try:
            return engine.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _check_can_run(plan: ServingPlan) -> None:
    is_here = shutil.which("vllm") if plan.engine == "vllm" else find_spec(plan.engine)
    if not is_here:
        install = _INSTALL[plan.engine]
        raise SetupError(f"{plan.engine} is not installed here. Install it ({install}), or use --print and run the command where it is.")
    if plan.engine == "xllamacpp" and not Path(plan.model).is_file():
        raise SetupError(f"There is no file {plan.model}.")


@click.command()
@click.argument("world", required=False)
@click.option("--model", "url", envvar="MCP_SIM_MODEL", show_envvar=True, metavar="URL", help="An OpenAI-compatible server.")
@click.option("--model-name", envvar="MCP_SIM_MODEL_NAME", show_envvar=True, metavar="NAME", help="Which of its models.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def doctor(world: str | None, url: str | None, model_name: str | None, as_json: bool) -> None:
    """See whether WORLD can be served, and whether a model server is fit to answer. Exits with 1 if anything that was asked is wrong.

    Without --model only the world is looked at. A world that cannot be served exits with 2.

    The key of a hosted server is taken from MCP_SIM_API_KEY.

    \b
    Examples:
      mcp-sim doctor --model http://127.0.0.1:30000/v1
      mcp-sim doctor github --model http://127.0.0.1:30000/v1
    """
    if url is None and world is None:
        raise click.UsageError("Name a WORLD, or a model server with --model URL.")
    system_tokens = _examine_world(world) if world is not None else 0
    if url is None:
        say("The world was checked, and no model: name one with --model URL.")
        return
    refuse("models")
    report = anyio.run(_examine, url, model_name)
    if report.context_tokens and system_tokens > report.context_tokens // 2:
        report = replace(report, problems=(f"The tools of {world} fill more than half of the model's context.", *report.problems))
    if as_json:
        say(_as_json(report))
    else:
        _show(report)
    raise SystemExit(1 if report.problems else 0)


def _examine_world(name: str) -> int:
    """Say whether a world loads and what is to know about it; return roughly how many tokens telling its tools takes."""
    world = check_world(load_world(name))
    for notice in world.notices:
        say(notice, err=True)
    template = read_template(bundled_folder("prompts"), world.settings.domain)
    tokens = len(compose_system(template, world, LanguageSettings().demonstration_characters)["content"].encode()) // 3
    say(
        f"World {name} can be served: {count_of(len(world.tools), 'tool')}, for which a model reads about {tokens} tokens once a session.",
        err=True,
    )
    return tokens


async def _examine(url: str, model_name: str | None) -> ModelReport:
    connection = connect(url, model_name=model_name, api_key=os.environ.get("MCP_SIM_API_KEY"))
    try:
        return await examine(connection)
    finally:
        await connection.aclose()


def _show(report: ModelReport) -> None:
    table = Table(show_header=False, box=None)
    for name, value in _lines(report):
        table.add_row(name, value)
    console = Console(width=shutil.get_terminal_size().columns)
    console.print(table)
    for problem in report.problems:
        console.print(f"! {problem}", markup=False, highlight=False, soft_wrap=True)


def _lines(report: ModelReport) -> list[tuple[str, str]]:
    lines = [("server", f"{report.url} ({'up' if report.up else 'down'})")]
    if not report.up:
        return lines
    expected, quick = report.expected_seconds, report.expected_seconds_without_thinking
    reuse = {True: "yes", False: "no", None: "it does not say"}[report.reuses_prompts]
    return [
        *lines,
        ("model", f"{report.model} on {report.engine}"),
        ("context", f"{report.context_tokens} tokens" if report.context_tokens else "it does not say"),
        ("reasoning parser", report.reasoning_parser or "it does not say"),
        ("prompt reuse", f"{reuse}{f' ({report.cache_strategy})' if report.cache_strategy else ''}"),
        ("speed", f"{report.tokens_per_second:.0f} tokens/s, first after {report.time_to_first_token:.2f} s"),
        ("typical answer", f"{expected:.0f} s with thinking, {quick:.1f} s without" if expected and quick else "unknown"),
    ]


def _as_json(report: ModelReport) -> str:
    found = asdict(report)
    found["expected_seconds"] = report.expected_seconds
    return json.dumps(found, indent=2)
