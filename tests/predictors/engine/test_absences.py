"""Changes of what is not there, of what is there already, and the words in which they are refused."""

from typing import Any

import pytest

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.state import freeze
from mcp_sim.core.transition import Demonstration
from tests.predictors.engine.lists import NUMBER, TEXT, tool, world_of
from tests.predictors.engine.test_sources import Talk

PLACE: dict[str, Any] = {"owner": TEXT, "repo": TEXT}
TOOLS = [
    tool("create_repository", name=TEXT),
    tool("list_repositories"),
    tool("create_issue", **PLACE, title=TEXT),
    tool("list_issues", **PLACE),
    tool("get_issue", **PLACE, issue_number=NUMBER),
    tool("add_issue_comment", **PLACE, issue_number=NUMBER, body=TEXT),
    tool("list_issue_comments", **PLACE, issue_number=NUMBER),
    tool("create_pull_request", **PLACE, title=TEXT),
    tool("get_pull_request", **PLACE, pull_number=NUMBER),
    tool("create_pull_request_review", **PLACE, pull_number=NUMBER, body=TEXT),
    tool("list_pull_request_reviews", **PLACE, pull_number=NUMBER),
    tool("create_branch", **PLACE, branch=TEXT, from_branch_=TEXT),
    tool("list_branches", **PLACE),
    tool("get_file", **PLACE, path=TEXT),
    tool("write_file", **PLACE, path=TEXT, content=TEXT),
]
HERE = {"owner": "acme", "repo": "api"}
GIVEN = {
    "repositories": [{"id": 1, "name": "api", "full_name": "acme/api"}],
    "issues": [{**HERE, "number": 1, "title": "Leak"}],
    "pull_requests": [{**HERE, "number": 2, "title": "Mend"}],
    "branches": [{**HERE, "name": "main"}],
    "issue_comments": [],
    "pull_request_reviews": [],
}


def failed(name: str, text: str, **arguments: Any) -> Demonstration:
    return Demonstration(action=Action.call(name, arguments), observation=Observation.of_text(text, is_error=True))


def talk(*demonstrations: Demonstration) -> Talk:
    return Talk(world_of("acme", TOOLS, first_state=freeze({"collections": GIVEN}), demonstrations=demonstrations))


@pytest.mark.parametrize("number", [3, 404, 99999])
def test_nothing_is_added_to_what_is_not_there(number: int) -> None:
    session = talk()
    for name, arguments, words in (
        ("add_issue_comment", {"issue_number": number, "body": "x"}, "Issue not found"),
        ("list_issue_comments", {"issue_number": number}, "Issue not found"),
        ("create_pull_request_review", {"pull_number": number, "body": "x"}, "Pull request not found"),
    ):
        refused = session(name, **HERE, **arguments)
        assert refused.observation.text == f"{words}: {number}", name
        assert (refused.source, refused.observation.is_error) == ("computed", True)


def test_what_is_there_takes_its_parts() -> None:
    session = talk()
    assert not session("add_issue_comment", **HERE, issue_number=1, body="x").observation.is_error
    assert not session("add_issue_comment", **HERE, issue_number=2, body="on a pull request").observation.is_error
    assert not session("create_pull_request_review", **HERE, pull_number=2, body="x").observation.is_error


def test_a_branch_grows_from_one_that_is_there() -> None:
    session = talk()
    refused = session("create_branch", **HERE, branch="fix", from_branch="nowhere")
    assert refused.observation.text == "Branch not found: nowhere"
    assert not session("create_branch", **HERE, branch="fix", from_branch="main").observation.is_error
    assert not session("create_branch", **HERE, branch="fix-2", from_branch="fix").observation.is_error
    assert session("create_branch", **HERE, branch="fix").observation.text == "Branch already exists: fix"


def test_a_name_is_taken_once() -> None:
    session = talk()
    assert not session("create_repository", name="web").observation.is_error
    again = session("create_repository", name="web")
    assert again.observation.text == "Repository already exists: web"
    assert len(session.value("list_repositories")) == 2


def test_a_refusal_is_worded_after_one_of_the_same_kind_of_thing() -> None:
    shown = {"owner": "acme", "repo": "api"}
    of_path = failed("get_file", "404: no such path src/a.py in acme/api, not found", **shown, path="src/a.py")
    of_repository = failed("create_issue", "404: repository acme/nope not found", owner="acme", repo="nope", title="x")
    there = {"owner": "acme", "repo": "elsewhere"}
    assert talk(of_path)("list_issues", **there).observation.text == "Repository not found: elsewhere"
    assert talk(of_path, of_repository)("list_issues", **there).observation.text == "404: repository acme/elsewhere not found"


def test_what_is_done_is_refused_where_that_is_demonstrated() -> None:
    tools = [*TOOLS, tool("merge_pull_request", **PLACE, pull_number=NUMBER)]
    states = ((2, "closed"), (3, "open"))
    pulls = [{**HERE, "number": number, "title": "Mend", "state": state, "merged": state == "closed"} for number, state in states]
    given = freeze({"collections": {**GIVEN, "pull_requests": pulls}})
    refusal = failed("merge_pull_request", "405: not mergeable", **HERE, pull_number=2)
    shown = Talk(world_of("acme", tools, first_state=given, demonstrations=(refusal,)))
    assert not shown("merge_pull_request", **HERE, pull_number=3).observation.is_error
    for number in (2, 3):  # the same call in another state
        again = shown("merge_pull_request", **HERE, pull_number=number)
        assert (again.observation.text, again.source, again.changes) == ("405: not mergeable", "computed", False)
    plain = Talk(world_of("acme", tools, first_state=given))
    assert plain("merge_pull_request", **HERE, pull_number=2).observation.text == "Pull request 2 is already merged"
