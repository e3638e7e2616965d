"""A real server of issues, kept in a JSON file: run with its path and that of a tool list. Every call is noted in a file beside it."""

import json
import sys
from pathlib import Path
from typing import Any

data, log, listing = Path(sys.argv[1]), Path(f"{sys.argv[1]}.log"), Path(sys.argv[2])


def answer(name: str, arguments: dict[str, Any]) -> tuple[Any, bool]:
    issues: list[dict[str, Any]] = json.loads(data.read_text())
    found = next((issue for issue in issues if issue["number"] == arguments.get("number")), None)
    if name == "list_issues":
        return {"issues": issues}, False
    if name == "get_weather":
        return {"city": arguments["city"], "degrees": 21}, False
    if name == "create_issue":
        found = {"number": len(issues) + 1, "title": arguments["title"], "state": "open"}
        issues.append(found)
    elif found is None:
        return {"error": "Not Found"}, True
    elif name == "update_issue":
        found |= arguments
    elif name == "delete_issue":
        issues.remove(found)
    data.write_text(json.dumps(issues))
    return found, False


for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    params = asked.get("params", {})
    result: dict[str, Any] = {}
    if asked["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "tracker", "version": "1"}}
    elif asked["method"] == "tools/list":
        result = json.loads(listing.read_text())
    elif asked["method"] == "tools/call":
        with log.open("a") as notes:
            notes.write(params["name"] + "\n")
        if params.get("arguments", {}).get("number") == 666:
            sys.exit(1)
        if params.get("arguments", {}).get("number") == 777:
            continue
        value, is_error = answer(params["name"], params.get("arguments", {}))
        result = {"content": [{"type": "text", "text": json.dumps(value)}], "isError": is_error}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}) + "\n")
    sys.stdout.flush()
