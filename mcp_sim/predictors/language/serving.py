"""How a world model is served: the command line that each engine needs for it.

Sources: SGLang's server arguments (0.5), vLLM's `serve` arguments, the model card of Qwen-AgentWorld-35B-A3B.
"""

from dataclasses import dataclass
from typing import Literal

from mcp_sim.errors import SetupError

ServingEngine = Literal["sglang", "vllm", "xllamacpp"]

FULL_CONTEXT_TOKENS = 262_144
ADVISED_CONTEXT_TOKENS = 131_072
LOCAL_CONTEXT_TOKENS = 32_768
"""The context of a local GGUF server unless said otherwise: a full one takes several GB beside the weights."""


@dataclass(frozen=True, slots=True)
class ServingPlan:
    """What to serve and how; `None` stands for the engine's usual value."""

    model: str
    engine: ServingEngine
    host: str = "127.0.0.1"
    port: int = 30_000
    tensor_parallel: int = 1
    context_tokens: int | None = None
    threads: int | None = None
    model_name: str | None = None

    @property
    def url(self) -> str:
        """The address to give to `--model`."""
        return f"http://{self.host}:{self.port}/v1"


def choose_engine(model: str, engine: ServingEngine | None) -> ServingEngine:
    """Return the engine for a model: xllamacpp for a GGUF file, else the one asked for, else SGLang.

    Raises:
        SetupError: the engine cannot serve this kind of model.
    """
    is_gguf = model.lower().endswith(".gguf")
    if is_gguf and engine not in (None, "xllamacpp"):
        raise SetupError(f"{model} is a GGUF file, which {engine} serves badly or not at all. Leave out --engine.")
    if not is_gguf and engine == "xllamacpp":
        raise SetupError(f"{model} is no .gguf file, and the local engine serves nothing else. Use --engine sglang or vllm.")
    return "xllamacpp" if is_gguf else engine or "sglang"


def command_line(plan: ServingPlan, python: str) -> list[str]:
    """Return the arguments of the process that serves the model; `python` is the interpreter to run it with."""
    return {"sglang": _sglang, "vllm": _vllm, "xllamacpp": _xllamacpp}[plan.engine](plan, python)


def remedies(plan: ServingPlan) -> list[str]:
    """Return what to shorten when memory runs out, the least harmful first."""
    context = plan.context_tokens or (LOCAL_CONTEXT_TOKENS if plan.engine == "xllamacpp" else FULL_CONTEXT_TOKENS)
    smaller = f"--context {max(context // 2, 4096)}"
    if context // 2 < ADVISED_CONTEXT_TOKENS <= context:
        smaller += f" (world models are advised to keep {ADVISED_CONTEXT_TOKENS} at least)"
    if plan.engine == "xllamacpp":
        return [smaller, "a smaller quantisation of the file (Q4_K_M instead of Q8_0)"]
    spread = f"--tp {plan.tensor_parallel * 2} (over more GPUs)"
    if plan.engine == "sglang":
        return [
            spread,
            "-- --max-mamba-cache-size 128 (fewer kept states)",
            "-- --mem-fraction-static 0.8",
            smaller,
            "an FP8 copy of the model",
        ]
    return [spread, "-- --gpu-memory-utilization 0.95", "-- --max-num-seqs 16", smaller, "an FP8 copy of the model"]


def _sglang(plan: ServingPlan, python: str) -> list[str]:
    arguments = [python, "-m", "sglang.launch_server", "--model-path", plan.model, "--host", plan.host, "--port", str(plan.port)]
    arguments += ["--context-length", str(plan.context_tokens or FULL_CONTEXT_TOKENS), "--reasoning-parser", "qwen3"]
    arguments += ["--tensor-parallel-size", str(plan.tensor_parallel), "--enable-cache-report"]
    # Without extra_buffer a hybrid model reuses nothing of an earlier prompt, and `auto` falls back to that silently.
    arguments += ["--mamba-radix-cache-strategy", "extra_buffer", "--page-size", "64"]
    return arguments + (["--served-model-name", plan.model_name] if plan.model_name else [])


def _vllm(plan: ServingPlan, _python: str) -> list[str]:
    arguments = ["vllm", "serve", plan.model, "--host", plan.host, "--port", str(plan.port)]
    arguments += ["--max-model-len", str(plan.context_tokens or FULL_CONTEXT_TOKENS), "--reasoning-parser", "qwen3"]
    arguments += ["--tensor-parallel-size", str(plan.tensor_parallel), "--enable-prefix-caching", "--enable-prompt-tokens-details"]
    arguments += ["--language-model-only"]  # the checkpoint has text weights only
    return arguments + (["--served-model-name", plan.model_name] if plan.model_name else [])


def _xllamacpp(plan: ServingPlan, python: str) -> list[str]:
    arguments = [python, "-m", "mcp_sim.predictors.language.gguf_server", plan.model, "--host", plan.host, "--port", str(plan.port)]
    arguments += ["--context", str(plan.context_tokens or LOCAL_CONTEXT_TOKENS), "--threads", str(plan.threads or 1)]
    return arguments + (["--name", plan.model_name] if plan.model_name else [])
