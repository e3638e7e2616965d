"""Real servers, each with a place that can be laid out anew, calls that read, and a call that writes."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.peers.node import npm_server
from tests.peers.pip_server import pip_server

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Peer:
    """How to start a server, what to do with it, and the requests beside calls that it answers."""

    command: list[str]
    lay_out: Callable[[], None]
    reads: tuple[Call, ...]
    write: Call | None = None
    changed_write: Call | None = None
    others: tuple[tuple[str, dict[str, Any]], ...] = ()
    environment: Mapping[str, str] | None = None


NAMES = ("filesystem", "memory", "everything", "thinking", "git", "time", "sqlite", "fetch")


def peer(name: str, folder: Path, config: pytest.Config) -> Peer:
    """Return the server of this name, with its data in a folder below `folder`; skip where it cannot be had."""
    place = folder / "place"
    return _PEERS[name](place, config)


def _filesystem(place: Path, config: pytest.Config) -> Peer:
    def lay_out() -> None:
        shutil.rmtree(place, ignore_errors=True)
        (place / "sub").mkdir(parents=True)
        (place / "a.txt").write_text("zwölf Boxkämpfer\n" * 50)

    file = f"{place}/b.txt"
    return Peer(
        [*npm_server("server-filesystem"), str(place)],
        lay_out,
        (
            ("read_text_file", {"path": f"{place}/a.txt", "head": 2}),
            ("list_directory", {"path": str(place)}),
            ("read_text_file", {"path": file}),
            ("read_text_file", {"path": "/etc/passwd"}),
            ("search_files", {"path": str(place), "pattern": "**/*.txt"}),
            ("read_text_file", {"wrong": 1}),
        ),
        ("write_file", {"path": file, "content": "two\n"}),
        ("write_file", {"path": file, "content": "three\n"}),
        (("tools/call", {"name": "no_such_tool", "arguments": {}}), ("resources/list", {}), ("ping", {})),
    )


def _memory(place: Path, config: pytest.Config) -> Peer:
    def lay_out() -> None:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()

    def entities(kind: str) -> dict[str, Any]:
        return {"entities": [{"name": "Ann", "entityType": kind, "observations": ["swims"]}]}

    return Peer(
        npm_server("server-memory"),
        lay_out,
        (("read_graph", {}), ("search_nodes", {"query": "swims"}), ("open_nodes", {"names": ["Ann", "Bob"]})),
        ("create_entities", entities("person")),
        ("create_entities", entities("robot")),
        environment={"MEMORY_FILE_PATH": str(place / "memory.jsonl")},
    )


def _everything(place: Path, config: pytest.Config) -> Peer:
    progress = {"name": "trigger-long-running-operation", "arguments": {"duration": 0.2, "steps": 2}, "_meta": {"progressToken": "t"}}
    return Peer(
        npm_server("server-everything"),
        lambda: None,
        (
            ("echo", {"message": "hi"}),
            ("get-sum", {"a": 1, "b": 2}),
            ("get-tiny-image", {}),
            ("get-structured-content", {"location": "New York"}),
            ("get-annotated-message", {"messageType": "error", "includeImage": True}),
        ),
        others=(
            ("tools/call", progress),
            ("resources/list", {}),
            ("resources/templates/list", {}),
            ("prompts/list", {}),
            ("prompts/get", {"name": "simple-prompt"}),
            ("resources/read", {"uri": "demo://resource/static/document/features.md"}),
            ("completion/complete", {"ref": {"type": "ref/prompt", "name": "nope"}, "argument": {"name": "a", "value": ""}}),
            ("logging/setLevel", {"level": "error"}),
            ("no/such/method", {}),
        ),
    )


def _thinking(place: Path, config: pytest.Config) -> Peer:
    def thought(number: int) -> Call:
        return "sequentialthinking", {"thought": f"t{number}", "nextThoughtNeeded": True, "thoughtNumber": number, "totalThoughts": 3}

    return Peer(npm_server("server-sequential-thinking"), lambda: None, (thought(1), thought(2), ("sequentialthinking", {"thought": 5})))


def _git(place: Path, config: pytest.Config) -> Peer:
    python = pip_server(config, "git", "mcp-server-git==2026.10.19")

    def lay_out() -> None:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        dated = {"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z"}
        (place / "a.txt").write_text("one\n")
        for arguments in (
            ["init", "-q", "-b", "main"],
            ["add", "."],
            ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first"],
        ):
            subprocess.run(["git", "-C", str(place), *arguments], check=True, env={**os.environ, **dated})
        (place / "b.txt").write_text("two\n")
        (place / "a.txt").write_text("one and more\n")

    repository = {"repo_path": str(place)}
    return Peer(
        [python, "-m", "mcp_server_git"],
        lay_out,
        (
            ("git_status", repository),
            ("git_diff_unstaged", repository),
            ("git_diff_staged", repository),
            ("git_log", {**repository, "max_count": 3}),
            ("git_status", {"repo_path": "/no/such/place"}),
            ("git_status", {}),
        ),
        ("git_add", {**repository, "files": ["b.txt"]}),
        ("git_add", {**repository, "files": ["a.txt"]}),
    )


def _time(place: Path, config: pytest.Config) -> Peer:
    python = pip_server(config, "mcp-server-time", "mcp-server-time==2026.10.19")
    return Peer(
        [python, "-m", "mcp_server_time", "--local-timezone", "UTC"],
        lambda: None,
        (
            ("convert_time", {"source_timezone": "Asia/Tokyo", "time": "12:30", "target_timezone": "Asia/Kolkata"}),
            ("get_current_time", {"timezone": "No/Where"}),
        ),
    )


def _sqlite(place: Path, config: pytest.Config) -> Peer:
    python = pip_server(config, "mcp-server-sqlite", "mcp<2", "mcp-server-sqlite==2025.4.25")

    def lay_out() -> None:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        with sqlite3.connect(place / "data.db") as connection:
            connection.executescript("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, NULL)")
        connection.close()

    def insert(number: int) -> Call:
        return "write_query", {"query": f"INSERT INTO t VALUES ({number}, 'new')"}

    return Peer(
        [python, "-c", "from mcp_server_sqlite import main; main()", "--db-path", str(place / "data.db")],
        lay_out,
        (
            ("read_query", {"query": "SELECT * FROM t"}),
            ("list_tables", {}),
            ("describe_table", {"table_name": "t"}),
            ("read_query", {"query": "SELECT * FROM nope"}),
            ("read_query", {}),
        ),
        insert(3),
        insert(4),
        (("resources/list", {}), ("resources/read", {"uri": "memo://insights"}), ("prompts/list", {})),
    )


def _fetch(place: Path, config: pytest.Config) -> Peer:
    python = pip_server(config, "mcp-server-fetch", "mcp-server-fetch==2026.10.24")
    return Peer(
        [python, "-m", "mcp_server_fetch"],
        lambda: None,
        (("fetch", {"url": "http://127.0.0.1:9/x"}), ("fetch", {"url": 5})),
        others=(("prompts/list", {}), ("prompts/get", {"name": "fetch"})),
    )


_PEERS: Mapping[str, Callable[[Path, pytest.Config], Peer]] = {
    "filesystem": _filesystem,
    "memory": _memory,
    "everything": _everything,
    "thinking": _thinking,
    "git": _git,
    "time": _time,
    "sqlite": _sqlite,
    "fetch": _fetch,
}
