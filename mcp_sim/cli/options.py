"""Options that several commands share."""

import functools
import os
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from mcp_sim.assemble.offline import is_offline
from mcp_sim.assemble.options import ModelOptions, SessionOptions, SimulatorOptions

_Command = Callable[..., Any]

_OPTIONS = (
    click.option("--session", "keep", metavar="NAME", help="Keep the calls in a session of this name, and go on where it ended."),
    click.option("--seed", type=click.IntRange(min=0), help="Two runs with the same seed imagine the same things.  [default: 0]"),
    click.option("--fsync", is_flag=True, help="With --session: survive a power cut too; slower."),
    click.option("--frozen", is_flag=True, help="Imagine nothing: what is neither frozen nor computed is an error."),
    click.option("--model", "url", envvar="MCP_SIM_MODEL", show_envvar=True, metavar="URL", help="Ask this OpenAI-compatible server."),
    click.option("--model-name", "name", envvar="MCP_SIM_MODEL_NAME", show_envvar=True, metavar="NAME", help="Which of its models."),
    click.option("--temperature", type=click.FloatRange(0, 10), help="Sampling.  [default: 0.6]"),
    click.option("--top-p", type=click.FloatRange(0, 1, min_open=True), help="Sampling.  [default: 0.95]"),
    click.option("--top-k", type=click.IntRange(min=1), help="Sampling.  [default: 20]"),
    click.option("--max-tokens", type=click.IntRange(min=1), help="Tokens of one answer, reasoning included.  [default: 32768]"),
    click.option("--state-in-prompt", is_flag=True, default=None, help="Show the model what the state says of a call's arguments."),
    click.option("--thinking", type=click.Choice(["on", "off", "auto"]), help="Whether the model reasons first.  [default: on]"),
    click.option(
        "--on-slow", type=click.Choice(["no-thinking", "error", "embedded"]), help="After 60% of the time.  [default: no-thinking]"
    ),
    click.option("--concurrency", type=click.IntRange(min=1), help="Requests to the model at a time.  [default: 8]"),
    click.option(
        "--answer-within",
        "answer_within_seconds",
        default=50.0,
        show_default=True,
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds after which a call gets an error; many clients give up at 60.",
    ),
)
_MODEL_OPTIONS = ("name", "temperature", "top_p", "top_k", "max_tokens", "thinking", "state_in_prompt", "on_slow", "concurrency")


def simulator_options(command: _Command) -> _Command:
    """Add what says how a simulator is opened; the command gets it as `options`."""

    @functools.wraps(command)
    def with_options(*args: Any, keep: str | None, seed: int | None, fsync: bool, frozen: bool, **kwargs: Any) -> Any:
        if fsync and keep is None:
            raise click.UsageError("--fsync has a meaning only with --session NAME.")
        options = SimulatorOptions(
            sessions=SessionOptions(keep=keep, seed=seed, fsync=fsync),
            model=_read_model(kwargs, frozen),
            frozen=frozen,
            answer_within_seconds=kwargs.pop("answer_within_seconds"),
        )
        return command(*args, options=options, **kwargs)

    for option in reversed(_OPTIONS):
        with_options = option(with_options)
    return with_options


def _read_model(kwargs: dict[str, Any], frozen: bool) -> ModelOptions | None:
    url = kwargs.pop("url")
    said = {name: value for name in _MODEL_OPTIONS if (value := kwargs.pop(name)) is not None}
    if frozen:  # the environment may name a model for other runs; this one asks none
        if url and _is_on_command_line("url"):
            raise click.UsageError("--frozen asks no model: leave --model away.")
        return None
    if is_offline() and not _is_on_command_line("url"):
        return None
    if url is None:
        given = [name for name in said if name != "name"]
        if given:
            raise click.UsageError(f"--{given[0].replace('_', '-')} has a meaning only with --model URL.")
        return None
    return ModelOptions(url=url, api_key=os.environ.get("MCP_SIM_API_KEY"), **said)


def _is_on_command_line(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


class Address(click.ParamType[tuple[str, int]]):
    """`HOST:PORT`; port 0 takes a free one."""

    name = "HOST:PORT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """See `click.ParamType.convert`."""
        if isinstance(value, tuple):
            return value
        host, colon, port = str(value).rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdecimal() or int(port) > 65535:
            self.fail(f"{value!r} is not HOST:PORT, such as 127.0.0.1:8970", param, ctx)
        return host, int(port)
