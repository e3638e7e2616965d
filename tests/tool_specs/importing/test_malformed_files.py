"""Files of every wrong kind: one clear error each, within bounds."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importers import import_any
from tests.served import MCP_SIM
from tests.tool_specs.importing.documents import CRUD
from tests.tool_specs.importing.test_yaml_text import BOMB

TEXT = json.dumps(CRUD)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", TEXT[:-20].encode(), "is not JSON"),
        ("a.yaml", TEXT[:-20].encode(), "is not YAML"),
        ("a.json", b"", "is empty"),
        ("a.yaml", b"\n\n", "is empty"),
        ("a.json", b"\x00\x01\x02", "binary"),
        ("a.yaml", b"\x89PNG\r\n\x1a\n\x00", "binary"),
        ("a.yaml", b"a: \xff\xff", "is not UTF-8"),
        ("a.json", TEXT.encode("utf-16"), "UTF-16"),
        ("a.yaml", BOMB.encode(), "holds more than"),
        ("a.json", b"[" * 100_000, "is nested deeper"),
        ("a.yaml", b"[" * 100_000, "is not YAML"),
        ("a.json", b'{"openapi": "3.0.0", "openapi": "3.0.1"}', "twice"),
        ("a.json", b'"text"', "no known kind"),
        ("a.txt", b"just some prose", "no known kind"),
        ("a.json", b"NaN", "is not JSON"),
        ("a.har", b'{"log": {}}', "no known kind"),
        ("a.json", b'{"tools": [], "x": ' + b"9" * 5000 + b"}", "too long"),
    ],
)
def test_one_clear_error(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SetupError) as caught:
        import_any(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a", "a.har.txt"])
def test_a_document_under_any_name(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes(TEXT.encode(encoding))
    assert len(import_any(path).tools) == 5


def test_a_folder_a_missing_file_and_a_url_are_told(tmp_path: Path) -> None:
    for source, said in [
        (str(tmp_path), "is not a regular file"),
        (str(tmp_path / "none.yaml"), "there is no such file"),
        ("none.yaml", "there is no such file"),
        ("https://shop.example/openapi.json", "nothing is fetched"),
        ("a\0b.json", "there is no such file"),
    ]:
        with pytest.raises(SetupError, match=said):
            import_any(source)


def test_a_file_of_100_mb_costs_no_more_than_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

    command = [MCP_SIM, "import", str(path), "--name", "large"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit if sys.platform != "win32" else None)
    assert done.returncode == 2
    assert done.stderr.startswith(f"mcp-sim: {path}: is larger than 64 MB")
    assert len(done.stderr.splitlines()) == 1


def test_references_that_multiply_end(tmp_path: Path) -> None:
    """Each schema uses the next one ten times: written out, the first would hold 10^30 values."""
    schemas: dict[str, Any] = {
        f"S{number}": {
            "type": "object",
            "properties": {f"p{place}": {"$ref": f"#/components/schemas/S{number + 1}"} for place in range(10)},
        }
        for number in range(30)
    }
    schemas["S30"] = {"type": "object", "properties": {"a": {"type": "string"}}}
    all_of = {f"T{number}": {"allOf": [{"$ref": f"#/components/schemas/T{number + 1}"}] * 10} for number in range(30)}
    all_of["T30"] = {"type": "object", "properties": {"a": {"type": "string"}}}
    answer = {"200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/T0"}}}}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}
    flat = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/T0"}}}}
    paths = {
        "/s": {"post": {"requestBody": body, "responses": answer}},
        "/t": {"post": {"requestBody": flat, "responses": answer}},
    }
    path = tmp_path / "deep.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "paths": paths, "components": {"schemas": {**schemas, **all_of}}}), encoding="utf-8")
    assert len(json.dumps(import_any(path).tools)) < 1_000_000
