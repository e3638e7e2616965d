"""Whether a model server is fit to be a world model, found out by asking it."""

from dataclasses import dataclass, replace

from mcp_sim.errors import PredictionError
from mcp_sim.predictors.language.completer import Completion, Request
from mcp_sim.predictors.language.openai_completer import OpenAICompleter
from mcp_sim.predictors.language.server_facts import ServerFacts
from mcp_sim.predictors.language.serving import ADVISED_CONTEXT_TOKENS

CLIENTS_GIVE_UP_SECONDS = 60.0
"""The time-out of MCP's TypeScript SDK and of most clients."""
MEDIAN_ANSWER_TOKENS = 4_348
QUICK_ANSWER_TOKENS = 45
"""What a world model generates for one answer with and without thinking: medians of an independent test on terminal tasks."""

_PROBE_TOKENS = 64
_LONG_ENOUGH = "A world model is asked twice with the same beginning, to see whether the server keeps what it has computed. " * 20


@dataclass(frozen=True, slots=True)
class ModelReport:
    """What was found. `problems` are sentences that say what to change, worst first; without any the server is fit.

    Speeds are of one short generation on the idle server. `reuses_prompts` tells whether the same prompt was cheaper the second time;
    `None` where the server does not count.
    """

    url: str
    up: bool
    problems: tuple[str, ...]
    model: str = ""
    engine: str = ""
    context_tokens: int | None = None
    reasoning_parser: str | None = None
    cache_strategy: str | None = None
    reuses_prompts: bool | None = None
    tokens_per_second: float = 0.0
    time_to_first_token: float = 0.0

    @property
    def expected_seconds(self) -> float | None:
        """How long a typical answer with thinking will take."""
        return self.time_to_first_token + MEDIAN_ANSWER_TOKENS / self.tokens_per_second if self.tokens_per_second else None

    @property
    def expected_seconds_without_thinking(self) -> float | None:
        """How long a typical answer without thinking will take."""
        return self.time_to_first_token + QUICK_ANSWER_TOKENS / self.tokens_per_second if self.tokens_per_second else None


async def examine(connection: OpenAICompleter) -> ModelReport:
    """Ask a server what it is and let it generate a little, twice. Never raises for what the server does: that is in the report."""
    try:
        facts = await connection.facts()
        completions = [await connection.complete(_probe()) for _ in range(2)]
    except PredictionError as error:
        return ModelReport(url=connection.url, up=False, problems=(str(error),))
    return _report(connection.url, facts, completions)


def _probe() -> Request:
    messages = [{"role": "system", "content": _LONG_ENOUGH}, {"role": "user", "content": "Count from one to forty in words."}]
    return Request(messages=messages, max_tokens=_PROBE_TOKENS, temperature=0.6, top_p=0.95, top_k=20, thinking=True)


def _report(url: str, facts: ServerFacts, completions: list[Completion]) -> ModelReport:
    last = completions[-1]
    generating = last.seconds - last.time_to_first_token
    strategy = facts.details.get("mamba_radix_cache_strategy") if facts.details.get("uses_mamba_radix_cache") else None
    parser = facts.details.get("reasoning_parser")
    counted = facts.engine != "other" or last.usage.cached > 0
    report = ModelReport(
        url=url,
        up=True,
        problems=(),
        model=facts.model,
        engine=facts.engine,
        context_tokens=facts.context_tokens,
        reasoning_parser=str(parser) if parser else None,
        cache_strategy=str(strategy) if strategy else None,
        reuses_prompts=last.usage.cached > 0 if counted else None,
        tokens_per_second=max(last.usage.completion - 1, 0) / generating if generating > 0 else 0.0,
        time_to_first_token=last.time_to_first_token,
    )
    return replace(report, problems=tuple(_problems(report)))


def _problems(report: ModelReport) -> list[str]:
    problems = []
    expected = report.expected_seconds
    if report.reuses_prompts is False:
        problems.append(
            "The server computed the same prompt anew: each turn will cost as much as the whole session. "
            + {
                "sglang": "Start it with --enable-cache-report --mamba-radix-cache-strategy extra_buffer --page-size 64.",
                "vllm": "Start it with --enable-prefix-caching --enable-prompt-tokens-details.",
            }.get(report.engine, "Turn its prompt cache on.")
        )
    if report.context_tokens is not None and report.context_tokens < ADVISED_CONTEXT_TOKENS:
        problems.append(
            f"Its context is {report.context_tokens} tokens; world models are advised to have {ADVISED_CONTEXT_TOKENS} at least. "
            "Old turns will be left out of the prompt sooner."
        )
    if report.engine == "sglang" and report.reasoning_parser is None:
        problems.append("It splits off no reasoning. Start it with --reasoning-parser qwen3.")
    if expected is not None and expected > CLIENTS_GIVE_UP_SECONDS:
        problems.append(
            f"A typical answer with thinking will take {expected:.0f} s, and clients give up after {CLIENTS_GIVE_UP_SECONDS:.0f} s. Use "
            "--thinking off or auto, or raise --answer-within together with the client's time-out."
        )
    return problems
