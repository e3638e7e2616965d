"""A GGUF file as an OpenAI-compatible server: llama.cpp's own. Run as `python -m mcp_sim.predictors.language.gguf_server`."""

import argparse
import signal
from pathlib import Path

import xllamacpp


def main(arguments: list[str] | None = None) -> None:
    """Serve a GGUF file until the process is told to end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=30_000)
    parser.add_argument("--context", type=int, default=32_768)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--name")
    wanted = parser.parse_args(arguments)
    signals = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)  # before the engine starts threads, which inherit it
    server = xllamacpp.Server(engine_parameters(wanted.file, wanted.host, wanted.port, wanted.context, wanted.threads, wanted.name))
    signal.sigwait(signals)
    del server


def engine_parameters(file: Path, host: str, port: int, context_tokens: int, threads: int, name: str | None) -> "xllamacpp.CommonParams":
    """Return what llama.cpp is told: one slot, so that a session's prompt stays in it; as many GPU layers as there is room for."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(file)
    parameters.model_alias = {name or file.stem}
    parameters.hostnames = [host]
    parameters.port = port
    parameters.n_ctx = context_tokens
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    parameters.ui = False
    return parameters


if __name__ == "__main__":
    main()
