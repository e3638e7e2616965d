"""Options that several commands share."""

import functools
import os
from collections.abc import Callable
from typing import Any

import click

from mcp_sim.assemble import ModelOptions, SessionOptions

_Command = Callable[..., Any]


def session_options(command: _Command) -> _Command:
    """Add `--session`, `--seed` and `--fsync`; the command gets them as `session_options`."""

    @click.option("--session", "keep", metavar="NAME", help="Keep the calls in a session of this name, and go on where it ended.")
    @click.option("--seed", type=click.IntRange(min=0), help="Two runs with the same seed imagine the same things.  [default: 0]")
    @click.option("--fsync", is_flag=True, help="With --session: survive a power cut too; slower.")
    @functools.wraps(command)
    def with_options(*args: Any, keep: str | None, seed: int | None, fsync: bool, **kwargs: Any) -> Any:
        if fsync and keep is None:
            raise click.UsageError("--fsync has a meaning only with --session NAME.")
        return command(*args, session_options=SessionOptions(keep=keep, seed=seed, fsync=fsync), **kwargs)

    return with_options


def model_options(command: _Command) -> _Command:
    """Add `--model` and what goes with it; the command gets them as `model_options`, `None` where no model is named."""

    @click.option(
        "--model", "url", envvar="MCP_SIM_MODEL", show_envvar=True, metavar="URL", help="Let this OpenAI-compatible server imagine."
    )
    @click.option("--model-name", "name", envvar="MCP_SIM_MODEL_NAME", show_envvar=True, metavar="NAME", help="Which of its models.")
    @click.option("--temperature", type=click.FloatRange(0, 10), help="Sampling.  [default: 0.6]")
    @click.option("--top-p", type=click.FloatRange(0, 1, min_open=True), help="Sampling.  [default: 0.95]")
    @click.option("--top-k", type=click.IntRange(min=1), help="Sampling.  [default: 20]")
    @click.option("--max-tokens", type=click.IntRange(min=1), help="Tokens of one answer, reasoning included.  [default: 32768]")
    @click.option("--thinking", type=click.Choice(["on", "off", "auto"]), help="Whether the model reasons first.  [default: on]")
    @click.option(
        "--on-slow", type=click.Choice(["no-thinking", "error", "embedded"]), help="What to do at 60% of the time.  [default: no-thinking]"
    )
    @click.option("--concurrency", type=click.IntRange(min=1), help="Requests to the model at a time.  [default: 8]")
    @functools.wraps(command)
    def with_options(*args: Any, url: str | None, **kwargs: Any) -> Any:
        said = {name: value for name in _MODEL_OPTIONS if (value := kwargs.pop(name)) is not None}
        if url is None:
            given = [name for name in said if name != "name"]  # a model's name may stand in the environment for other commands
            if given:
                raise click.UsageError(f"--{given[0].replace('_', '-')} has a meaning only with --model URL.")
            return command(*args, model_options=None, **kwargs)
        model = ModelOptions(url=url, api_key=os.environ.get("MCP_SIM_API_KEY"), **said)
        return command(*args, model_options=model, **kwargs)

    return with_options


_MODEL_OPTIONS = ("name", "temperature", "top_p", "top_k", "max_tokens", "thinking", "on_slow", "concurrency")

answer_within = click.option(
    "--answer-within",
    "answer_within_seconds",
    default=50.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds after which a call gets an error; many clients give up at 60.",
)


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
