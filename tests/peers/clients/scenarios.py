"""What every client does in each bundled world, and what it must see."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp_sim.tool_specs.bundled import bundled_folder


@dataclass(frozen=True)
class Step:
    """A call, and a text that its answer holds."""

    tool: str
    arguments: dict[str, Any]
    holds: str


_ENTITY = {"name": "Quay Cat", "entityType": "animal", "observations": ["Sleeps on HN-07"]}
SCENARIOS = {
    "filesystem": (
        Step("write_file", {"path": "/projects/new.txt", "content": "tide\nin\n"}, "Successfully wrote to /projects/new.txt"),
        Step("read_text_file", {"path": "/projects/new.txt", "tail": 2}, "in\n"),
        Step("list_directory", {"path": "/projects"}, "[FILE] new.txt"),
    ),
    "memory": (
        Step("create_entities", {"entities": [_ENTITY]}, "Sleeps on HN-07"),
        Step("search_nodes", {"query": "quay cat"}, '"entityType": "animal"'),
    ),
    "github": (
        Step("create_issue", {"owner": "brinewatch", "repo": "tidegauge", "title": "Drift at dusk"}, '"title": "Drift at dusk"'),
        Step("get_issue", {"owner": "brinewatch", "repo": "tidegauge", "issue_number": 414}, '"number": 414'),
    ),
    "search": (
        Step("web_search", {"query": "tanneries marsh"}, "https://oldmerrow.example/tanneries"),
        Step("web_extractor", {"urls": "https://oldmerrow.example/tanneries"}, "Alum Court"),
    ),
}


def tool_names(world: str) -> list[str]:
    """Return the names as they stand in the bundled file."""
    listing = json.loads((bundled_folder("tool_specs") / world / "tools.json").read_text(encoding="utf-8"))
    return [tool["name"] for tool in listing["tools"]]


def text_of(result: dict[str, Any]) -> str:
    """Return the first text of a result in its wire form."""
    text: str = result["content"][0]["text"]
    return text


HERE = Path(__file__).parent
