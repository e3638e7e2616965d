"""How long an OpenAPI document of 1,000 operations takes to import, and a world of that size to start.

    python benchmarks/importing.py

Runs the real commands, several times each, in a data folder of its own, and prints a table. A server has started when it has answered
`initialize` on standard input and output.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MCP_SIM = str(Path(sys.executable).with_name("mcp-sim"))
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}},
}


def make_document(operations: int) -> dict[str, Any]:
    """Return a document like a business API's: five operations on each resource, nested and circular references, `allOf`, examples."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {
        "Money": {"type": "object", "properties": {"amount": {"type": "number"}, "currency": {"type": "string", "enum": ["EUR", "USD"]}}},
        "Base": {
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": {"type": "string", "format": "uuid", "readOnly": True},
                "created": {"type": "string", "format": "date-time"},
            },
        },
        "Person": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "example": "Ida Norling"},
                "email": {"type": "string", "format": "email"},
                "manager": {"$ref": "#/components/schemas/Person"},
            },
        },
    }
    for number in range(operations // 5):
        name, path = f"Thing{number}", f"/things{number}"
        schemas[name] = {
            "allOf": [
                {"$ref": "#/components/schemas/Base"},
                {
                    "type": "object",
                    "required": ["title"],
                    "properties": {
                        "title": {"type": "string", "maxLength": 200, "description": f"What thing {number} is called."},
                        "price": {"$ref": "#/components/schemas/Money"},
                        "owner": {"$ref": "#/components/schemas/Person"},
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "state": {"type": "string", "enum": ["draft", "open", "closed"]},
                    },
                },
            ]
        }
        one = {"$ref": f"#/components/schemas/{name}"}
        body = {"required": True, "content": {"application/json": {"schema": one}}}
        item = {"description": "One of them.", "content": {"application/json": {"schema": one}}}
        many = {"description": "All.", "content": {"application/json": {"schema": {"type": "array", "items": one}}}}
        key = {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}
        page = [{"$ref": "#/components/parameters/limit"}, {"name": "state", "in": "query", "schema": {"type": "string"}}]
        paths[path] = {
            "get": {"operationId": f"list{name}s", "summary": "List them.", "parameters": page, "responses": {"200": many}},
            "post": {"operationId": f"create{name}", "summary": "Create one.", "requestBody": body, "responses": {"201": item}},
        }
        paths[path + "/{id}"] = {
            "parameters": [key],
            "get": {"operationId": f"get{name}", "summary": "Get one.", "responses": {"200": item}},
            "put": {"operationId": f"update{name}", "summary": "Change one.", "requestBody": body, "responses": {"200": item}},
            "delete": {"operationId": f"delete{name}", "summary": "Delete one.", "responses": {"204": {"description": "Gone."}}},
        }
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}}
    return {
        "openapi": "3.0.3",
        "info": {"title": "Things", "version": "1.0"},
        "paths": paths,
        "components": {"schemas": schemas, "parameters": {"limit": limit}},
    }


def start(world: str, environment: dict[str, str]) -> float:
    """Return the seconds until a server of this world has answered `initialize`."""
    began = time.perf_counter()
    with subprocess.Popen(
        [MCP_SIM, "serve", world], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(json.dumps(INITIALIZE) + "\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        seconds = time.perf_counter() - began
        assert "result" in answer, answer
        server.stdin.close()
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds: int = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_DATA_HOME": folder}
        imports: dict[int, list[float]] = {20: [], 1000: []}
        starts: dict[int, list[float]] = {20: [], 1000: []}
        for operations in imports:
            document = Path(folder, f"things-{operations}.json")
            document.write_text(json.dumps(make_document(operations)), encoding="utf-8")
            for _ in range(rounds):
                began = time.perf_counter()
                subprocess.run([MCP_SIM, "import", str(document), "--replace"], check=True, capture_output=True, env=environment)
                imports[operations].append(time.perf_counter() - began)
        for _ in range(rounds):  # in turn, so that a busy machine is busy for both
            for operations, seconds in starts.items():
                seconds.append(start(f"things-{operations}", environment))
        print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, median of {rounds} (least)")
        print("| operations | import, s | serve until initialize, s |")
        print("|---|---|---|")
        for operations in imports:
            cells = [f"{statistics.median(times):.2f} ({min(times):.2f})" for times in (imports[operations], starts[operations])]
            print(f"| {operations:,} | {' | '.join(cells)} |")
        ratio = statistics.median(starts[1000]) / statistics.median(starts[20])
        print(f"A world of 1,000 tools starts {ratio:.2f} times as slowly as one of 20 (least: {min(starts[1000]) / min(starts[20]):.2f}).")


if __name__ == "__main__":
    main()
