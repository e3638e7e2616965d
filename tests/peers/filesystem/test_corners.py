"""Broken text, chains of links, names of every length, a root that is moved: the same results as the real server."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.predictors.behaviours.filesystem.behaviour import FilesystemBehaviour
from mcp_sim.tool_specs.folder_import import import_folder
from tests.peers.filesystem.programs import Call, lay_out, placed
from tests.peers.node import npm_server
from tests.predictors.behaviours.filesystem.masking import masked
from tests.predictors.behaviours.play import Play, begin
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

NAMES = "a A b B _x -y .z 1 10 2 é e ä z Z ab aB a-b a.b a_b ß ss 😀 日本".split()
LINKS = "inward dots self broken inward/main.py self/x/y broken/z inward/../README.md l0 l1 l2 l3 absolute".split()
BROKEN_BYTES = [0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80, 0xC3, 0xED, 0xA0, 0x41, 0x0A, 0xFF, 0xC0, 0xF8, 0xF4, 0x90]
CONTENTS = {
    "broken_bytes": bytes(random.Random(1).choices(BROKEN_BYTES, k=6000)),
    "wide": "é€😀".encode() * 700 + b"\n" + "€".encode() * 900,
    "bom": b"\xef\xbb\xbfhello\r\nx\r\r\ny",
    "feeds": b"\n" * 3000,
    "returns": b"a\rb\r\nc\r\r\n" * 300,
    "k1023": b"a" * 1023,
    "k1024": b"a" * 1024,
    "k10245": b"a" * 10245,
    "m1": b"a" * 1024**2,
    "fences": b"````\n```js\ncode\n```\n````\n`````x\n",
}


def extend(root: Path) -> None:
    for name, content in CONTENTS.items():
        (root / name).write_bytes(content)
    (root / "names").mkdir()
    for name in NAMES:
        (root / "names" / name).write_text(name)
    (root / "private").mkdir(mode=0o700)
    (root / "private" / "setuid").write_bytes(b"x")
    (root / "private" / "setuid").chmod(0o4751)
    for number in range(42):
        (root / f"l{number}").symlink_to(f"l{number + 1}")
    (root / "l42").write_text("end")
    targets = {"inward": "src", "dots": "src/deep/../../README.md", "self": "self/x", "broken": "/nonexistent/x"}
    for name, target in {**targets, "absolute": str(root / "docs")}.items():
        (root / name).symlink_to(target)


def corners() -> Iterator[Call]:
    for name in ["broken_bytes", "wide", "bom", "feeds", "returns", "k1023"]:
        yield "read_text_file", {"path": name}
        for count in [1, 2, 3, 7, 50, 300, 2999, 3000, 3001, 1.5, -3]:
            yield "read_text_file", {"path": name, "head": count}
            yield "read_text_file", {"path": name, "tail": count}
        yield "edit_file", {"path": name, "edits": [{"oldText": "a", "newText": "b"}], "dryRun": True}
        yield "edit_file", {"path": name, "edits": [{"oldText": "", "newText": "Z"}]}
        yield "read_text_file", {"path": name}
        yield "read_media_file", {"path": name}
    for path in ["names", "."]:
        yield from [(tool, {"path": path}) for tool in ("list_directory", "list_directory_with_sizes", "directory_tree")]
        yield "list_directory_with_sizes", {"path": path, "sortBy": "size"}
    for path in LINKS:
        for tool in ["read_text_file", "list_directory", "get_file_info", "create_directory", "directory_tree", "read_media_file"]:
            yield tool, {"path": path}
        yield "search_files", {"path": path, "pattern": "**"}
        yield "write_file", {"path": path, "content": "w"}
        yield "write_file", {"path": path + "/n", "content": "w"}
        yield "move_file", {"source": path, "destination": "gone_" + path.replace("/", "_")}
        yield "move_file", {"source": "README.md", "destination": path}
    for path in ["private/setuid", "private"]:
        yield "get_file_info", {"path": path}
    yield "write_file", {"path": "private/setuid", "content": "y"}
    yield "get_file_info", {"path": "private/setuid"}
    yield "edit_file", {"path": "fences", "edits": [{"oldText": "code", "newText": "```````"}]}
    longest = "/".join(["d" * 200] * 25)
    for path in [longest, "x" * 300, "nope/" + "x" * 300, "README.md/" + "x" * 300]:
        yield from [(tool, {"path": path}) for tool in ("read_text_file", "create_directory", "get_file_info", "list_directory")]
    for path in [longest, "é" * 128, "é" * 127, "é" * 127, "n" * 218, "n" * 218, "n" * 219, "n" * 219]:
        yield "write_file", {"path": path, "content": path}
    yield "edit_file", {"path": "n" * 219, "edits": []}
    yield "move_file", {"source": "{root}", "destination": "{other}/r"}
    for path in ["README.md", "{other}/r/README.md"]:
        yield "read_text_file", {"path": path}
    yield "list_directory", {"path": "."}
    yield "create_directory", {"path": "{root}"}
    yield "directory_tree", {"path": "{other}"}
    for source, destination in [("{other}/r/src", "{other}/r/src/x"), ("{other}", "{other}"), ("/", "{other}/q")]:
        yield "move_file", {"source": source, "destination": destination}
    yield "directory_tree", {"path": "{other}/r/names", "excludePatterns": ["a", "*b", "😀"]}
    yield "directory_tree", {"path": "{other}/r/names", "excludePatterns": ["x" * 65537]}
    for pattern in ["x" * 65537, "[[:alpha:]]-x", "[[:alpha:]]"]:
        yield "search_files", {"path": "{other}/r/names", "pattern": pattern}
    for path in ["{other}/p/q/" + "z" * 256 + "/r", "{other}/r/README.md", "{other}/r/README.md/x/y"]:
        yield "create_directory", {"path": path}
    yield "directory_tree", {"path": "{other}/p"}


def test_same_results_at_the_edges(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    lay_out(folder)
    extend(folder / "root")
    state: dict[str, Any] = import_folder(folder, as_directory=str(folder))
    allowed = [str(folder / "root"), str(folder / "other")]
    state["filesystem"]["allowed"] = allowed
    ours = Play(FilesystemBehaviour({}), begin(state))
    with RawServer([*npm_server("server-filesystem"), *allowed], {"HOME": "/home/user", "TZ": "UTC"}) as real:
        for name, arguments in placed(list(corners()), str(folder)):
            assert masked(ours.call(name, **arguments)) == masked(real.call(name, arguments)), (name, arguments)
