import pytest

from mcp_sim.errors import SetupError
from mcp_sim.predictors.language.serving import ServingPlan, choose_engine, command_line, remedies


def flags(plan: ServingPlan) -> str:
    return " ".join(command_line(plan, "python"))


def test_sglang_gets_what_a_hybrid_cache_needs() -> None:
    line = flags(ServingPlan("Qwen/Qwen-AgentWorld-35B-A3B", "sglang", tensor_parallel=4))
    for needed in (
        "python -m sglang.launch_server --model-path Qwen/Qwen-AgentWorld-35B-A3B",
        "--context-length 262144",
        "--reasoning-parser qwen3",
        "--tensor-parallel-size 4",
        "--enable-cache-report",
        "--mamba-radix-cache-strategy extra_buffer",
        "--page-size 64",
    ):
        assert needed in line


def test_vllm_is_told_that_there_are_no_vision_weights() -> None:
    line = flags(ServingPlan("M", "vllm", context_tokens=131_072, model_name="world"))
    for needed in (
        "vllm serve M",
        "--max-model-len 131072",
        "--reasoning-parser qwen3",
        "--language-model-only",
        "--served-model-name world",
    ):
        assert needed in line


def test_a_gguf_file_is_served_here_on_one_thread() -> None:
    assert "--threads 1" in flags(ServingPlan("m.gguf", "xllamacpp"))


@pytest.mark.parametrize(
    ("model", "asked", "engine"),
    [("a/b", None, "sglang"), ("a/b", "vllm", "vllm"), ("x.GGUF", None, "xllamacpp")],
)
def test_the_kind_of_model_chooses_the_engine(model: str, asked: str | None, engine: str) -> None:
    assert choose_engine(model, asked) == engine  # type: ignore[arg-type]


def test_engines_that_cannot_serve_a_file_say_so() -> None:
    with pytest.raises(SetupError, match="GGUF file"):
        choose_engine("x.gguf", "vllm")
    with pytest.raises(SetupError, match=r"no \.gguf"):
        choose_engine("a/b", "xllamacpp")


def test_when_memory_runs_out_the_context_is_shortened_late_and_with_a_warning() -> None:
    steps = remedies(ServingPlan("M", "sglang", tensor_parallel=2, context_tokens=200_000))
    assert steps[0].startswith("--tp 4")
    assert any("--context 100000 (world models are advised" in step for step in steps)
