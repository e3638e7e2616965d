"""The worlds that come with the package: they load clean, their examples obey their own schemas, and their facts agree."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import validator_for

from mcp_sim.core.state import thaw
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Demonstration
from mcp_sim.core.world import World
from mcp_sim.tool_specs.world_folder import load_world

WORLDS = {name: load_world(name) for name in ("filesystem", "github", "memory", "search")}
DEMONSTRATIONS = [(world, demonstration) for world in WORLDS.values() for demonstration in world.demonstrations]
CORPUS = Path(os.environ.get("MCP_SIM_CORPUS", "/nonexistent")) / "toolslists"
READ_FROM = {
    "filesystem": "server-filesystem",
    "memory": "server-memory",
    "github": "modelcontextprotocol__server-github",
}
COPIED_WORDS = 8
"""A run of words as long as this, found in somebody else's description, counts as copied."""


def breaches(schema: Any, value: Any) -> list[str]:
    kind = validator_for(schema)
    kind.check_schema(schema)
    return [error.message for error in kind(schema).iter_errors(value)]


def texts(schema: Any) -> list[str]:
    """Return the descriptions in a schema, wherever they stand."""
    if isinstance(schema, list):
        return [text for item in schema for text in texts(item)]
    if not isinstance(schema, dict):
        return []
    own = [schema["description"]] if isinstance(schema.get("description"), str) else []
    return own + [text for item in schema.values() for text in texts(item)]


def without_texts(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_texts(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: without_texts(item) for key, item in schema.items() if not (key == "description" and isinstance(item, str))}


def tool_texts(tool: ToolSpec) -> list[str]:
    return [tool.description, *texts(tool.input_schema), *texts(tool.output_schema)]


def parsed(world: World, tool: str) -> list[tuple[dict[str, Any], Any]]:
    """Return the arguments and the JSON answers of a tool's successful demonstrations."""
    return [
        (example.action.arguments, json.loads(example.observation.text))
        for example in world.demonstrations_by_tool[tool]
        if not example.observation.is_error
    ]


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_a_bundled_world_loads_clean(world: World) -> None:
    assert world.left_out == ()
    assert world.notices == ()
    assert [tool.name for tool in world.tools if tool.mended] == []
    assert world.background
    assert world.settings.title
    assert world.settings.clock.isoformat() == "2026-03-02T09:00:00+00:00"


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_every_tool_says_what_it_does_and_whether_it_changes_anything(world: World) -> None:
    for tool in world.tools:
        assert len(tool.description) > 40, tool.name
        assert isinstance(tool.annotations["readOnlyHint"], bool), tool.name
        properties = tool.input_schema.get("properties", {})
        if world.name in ("github", "search"):
            assert all("description" in schema for schema in properties.values()), tool.name


@pytest.mark.parametrize(("world", "demonstration"), DEMONSTRATIONS)
def test_a_demonstration_obeys_the_schemas(world: World, demonstration: Demonstration) -> None:
    tool = world.tools_by_name[demonstration.action.name]
    assert breaches(tool.input_schema, demonstration.action.arguments) == []
    observation = demonstration.observation
    if observation.is_error:
        assert not observation.has_structured_content
    else:
        assert observation.has_structured_content == (tool.output_schema is not None)
        if tool.output_schema is not None:
            assert breaches(tool.output_schema, observation.structured_content) == []


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_every_tool_is_demonstrated_and_errors_are_too(world: World) -> None:
    assert set(world.demonstrations_by_tool) == set(world.tools_by_name)
    assert any(demonstration.observation.is_error for demonstration in world.demonstrations)


def test_the_worlds_have_their_tools() -> None:
    counts = {name: len(world.tools) for name, world in WORLDS.items()}
    assert counts == {"filesystem": 14, "github": 36, "memory": 9, "search": 3}


@pytest.mark.parametrize("name", READ_FROM)
@pytest.mark.skipif(not CORPUS.is_dir(), reason="MCP_SIM_CORPUS names no corpus")
def test_tools_are_shaped_like_those_of_the_real_server(name: str) -> None:
    real = json.loads((CORPUS / f"{READ_FROM[name]}.json").read_text(encoding="utf-8"))["tools"]
    ours = WORLDS[name].tools_by_name
    for tool in real:
        own = ours[tool["name"]]
        assert without_texts(own.input_schema) == without_texts(tool["inputSchema"]), own.name
        assert without_texts(own.output_schema) == without_texts(tool.get("outputSchema")), own.name
        if "annotations" in tool:
            assert own.annotations == tool["annotations"], own.name
            assert own.definition["title"] == tool["title"], own.name


@pytest.mark.skipif(not CORPUS.is_dir(), reason="MCP_SIM_CORPUS names no corpus")
def test_no_description_is_copied() -> None:
    runs: set[tuple[str, ...]] = set()
    for path in CORPUS.glob("*.json"):
        for tool in json.loads(path.read_text(encoding="utf-8"))["tools"]:
            for text in texts(tool):
                words = _words(text)
                runs.update(tuple(words[at : at + COPIED_WORDS]) for at in range(len(words) - COPIED_WORDS + 1))
    assert len(runs) > 1000
    for world in WORLDS.values():
        for tool in world.tools:
            for text in tool_texts(tool):
                words = _words(text)
                for at in range(len(words) - COPIED_WORDS + 1):
                    assert tuple(words[at : at + COPIED_WORDS]) not in runs, (world.name, tool.name, text)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def test_what_a_search_shows_stands_on_the_page_that_it_names() -> None:
    documents = thaw(WORLDS["search"].first_state)["documents"]
    shown = 0
    for demonstration in WORLDS["search"].demonstrations_by_tool["web_search"]:
        for title, url, site, published, passage in re.findall(
            r"^\d+\. (.*)\n   (\S+)\n   (\S+), (\S+)\n   (.*)$", demonstration.observation.text, re.MULTILINE
        ):
            page = documents[url]
            assert (page["title"], page["site"], page["published"]) == (title, site, published)
            assert passage.strip("… ") in " ".join(page["text"].split())
            shown += 1
    assert shown == 7


def test_an_extracted_page_is_the_document() -> None:
    documents = thaw(WORLDS["search"].first_state)["documents"]
    read = 0
    for demonstration in WORLDS["search"].demonstrations_by_tool["web_extractor"]:
        for part in demonstration.observation.text.split("\n\n---\n\n"):
            match = re.fullmatch(r"# (.*)\n(\S+)\n(\S+), (\S+)\n\n(.*)", part, re.DOTALL)
            if match is None:
                assert re.fullmatch(r"Cannot open (\S+): 404 Not Found", part)
                continue
            title, url, site, published, text = match.groups()
            page = documents[url]
            assert (page["title"], page["site"], page["published"]) == (title, site, published)
            if "goal" in demonstration.action.arguments:
                assert set(text.split("\n\n")) <= set(page["text"].split("\n\n"))
            else:
                assert text == page["text"]
            read += 1
    assert read == 3


def test_the_documents_are_pages_of_the_world_up_to_its_clock() -> None:
    world = WORLDS["search"]
    documents = thaw(world.first_state)["documents"]
    assert len(documents) >= 40
    for url, page in documents.items():
        assert url.startswith(f"https://{page['site']}/")
        assert page["site"].endswith(".example")
        assert page["published"] < world.settings.clock.date().isoformat()
        assert 120 <= len(page["text"].split()) <= 400


def test_links_lead_nowhere_real() -> None:
    for world in WORLDS.values():
        folder_text = world.background + json.dumps(thaw(world.first_state))
        folder_text += "".join(json.dumps(example.observation.to_result()) for example in world.demonstrations)
        for host in re.findall(r"https?://([^/\s\"'`)\\]+)", folder_text):
            assert host.endswith(".example"), host


def test_a_file_on_github_is_the_file_on_the_laptop() -> None:
    tree = thaw(WORLDS["filesystem"].first_state)["filesystem"]["tree"]["projects"]["tidegauge"]
    compared = 0
    for arguments, answer in parsed(WORLDS["github"], "get_file_contents"):
        for entry in answer if isinstance(answer, list) else [answer]:
            node = tree
            for name in entry["path"].split("/"):
                node = node[name]
            text = node["/text"]
            assert entry["sha"] == hashlib.sha1(b"blob %d\0" % len(text.encode()) + text.encode()).hexdigest()
            assert entry["size"] == len(text.encode())
            assert entry.get("content", text) == text
            assert entry["path"].startswith(arguments["path"])
            compared += 1
    assert compared == 5


def test_one_issue_is_the_same_wherever_it_shows() -> None:
    world = WORLDS["github"]
    opening = {
        issue["number"]: issue
        for tool in ("list_issues", "search_issues")
        for _, answer in parsed(world, tool)
        for issue in (answer if isinstance(answer, list) else answer["items"])
    }
    first = parsed(world, "get_issue")[0][1]
    assert opening[412] == first
    comments = parsed(world, "get_issue_comments")[0][1]
    assert len(comments) == first["comments"]
    assert max(comment["created_at"] for comment in comments) == first["updated_at"]
    created = parsed(world, "create_issue")[0][1]
    closed = parsed(world, "get_issue")[1][1]
    assert {key for key in created if created[key] != closed[key]} == {"state", "state_reason", "comments", "updated_at", "closed_at"}
    assert created["updated_at"] < closed["updated_at"]
    labels = {label["name"]: label for label in parsed(world, "list_label")[0][1]}
    assert all(labels[label["name"]] == label for issue in opening.values() for label in issue["labels"])


def test_searches_on_github_count_what_they_show() -> None:
    for tool in ("search_issues", "search_code", "search_repositories", "search_users"):
        for _, answer in parsed(WORLDS["github"], tool):
            assert answer["total_count"] == len(answer["items"])
            assert answer["incomplete_results"] is False


def test_what_github_shows_first_is_what_its_first_state_holds() -> None:
    world = WORLDS["github"]
    collections = thaw(world.first_state)["collections"]
    for tool, collection, key in (
        ("list_issues", "issues", "number"),
        ("search_issues", "issues", "number"),
        ("get_issue_comments", "issue_comments", "id"),
        ("list_pull_requests", "pull_requests", "number"),
        ("get_pull_request", "pull_requests", "number"),
        ("get_pull_request_reviews", "pull_request_reviews", "id"),
        ("list_label", "labels", "id"),
        ("list_branches", "branches", "name"),
        ("list_releases", "releases", "id"),
        ("list_tags", "tags", "name"),
        ("search_repositories", "repositories", "id"),
    ):
        held = [thing for thing in collections[collection] if thing.get("repo", "tidegauge") == "tidegauge"]
        answer = parsed(world, tool)[0][1]
        for shown in answer if isinstance(answer, list) else answer.get("items", [answer]):
            [thing] = [thing for thing in held if thing[key] == shown[key]]
            assert {name: thing[name] for name in shown} == shown, (tool, shown[key])


def test_github_counts_agree() -> None:
    collections = thaw(WORLDS["github"].first_state)["collections"]
    open_things = [thing for name in ("issues", "pull_requests") for thing in collections[name] if thing["state"] == "open"]
    for repository in collections["repositories"]:
        own = [thing for thing in open_things if f"{thing['owner']}/{thing['repo']}" == repository["full_name"]]
        assert len(own) == repository["open_issues_count"], repository["full_name"]
    for issue in collections["issues"]:
        own = [
            comment
            for comment in collections["issue_comments"]
            if (comment["repo"], comment["issue_number"]) == (issue["repo"], issue["number"])
        ]
        assert len(own) == issue["comments"], issue["html_url"]
    numbers = [(thing["repo"], thing["number"]) for name in ("issues", "pull_requests") for thing in collections[name]]
    assert len(set(numbers)) == len(numbers)
