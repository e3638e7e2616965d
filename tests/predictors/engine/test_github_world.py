"""The bundled github world: what its demonstrations show is true there, and holds while things change."""

import hashlib
import json
from itertools import takewhile
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Demonstration, Transition
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.tool_specs.world_folder import load_world
from tests.predictors.engine.laws import Program

WORLD = load_world("github")
ENGINE = Engine(WORLD)
PLACE = {"owner": "brinewatch", "repo": "tidegauge"}


class Talk:
    """A session of the github world."""

    def __init__(self) -> None:
        self.session = Session.begin(WORLD, "github")

    def __call__(self, tool: str, **arguments: Any) -> Transition:
        transition = ENGINE.answer(self.session, Action.call(tool, arguments))
        assert transition is not None
        self.session = self.session.append(transition)
        return transition

    def value(self, tool: str, **arguments: Any) -> Any:
        return json.loads(self(tool, **arguments).observation.text)


def _reads() -> list[Demonstration]:
    """The demonstrated reads before anything was changed: the demonstrations are one session, in order."""
    quiet = takewhile(lambda d: not ENGINE.understanding[d.action.name].mutates or d.observation.is_error, WORLD.demonstrations)
    return [d for d in quiet if ENGINE.understanding[d.action.name].understood and not ENGINE.understanding[d.action.name].mutates]


@pytest.mark.parametrize("number", range(len(_reads())))
def test_what_is_demonstrated_is_answered_so(number: int) -> None:
    demonstration = _reads()[number]
    transition = ENGINE.answer(Session.begin(WORLD, "github"), demonstration.action)
    if transition is None:
        pytest.skip("not the engine's: it asks for a folder")
    assert transition.observation.to_result() == demonstration.observation.to_result()


def test_an_issue_is_made_as_the_demonstrations_show_them() -> None:
    talk = Talk()
    made = talk.value("create_issue", **PLACE, title="The tide is late", labels=["bug"], assignees=["mquispe"])
    assert made["title"] == "The tide is late"
    assert made["state"] == "open"
    assert made["comments"] == 0
    assert made["body"] is None
    assert made["number"] == 420
    assert made["html_url"] == "https://github.example/brinewatch/tidegauge/issues/420"
    assert [label["color"] for label in made["labels"]] == ["d73a4a"]
    assert [person["id"] for person in made["assignees"]] == [1005]
    assert made["created_at"] == made["updated_at"] == "2026-03-02T09:00:00Z"
    assert talk.value("get_issue", **PLACE, issue_number=420) == made


def test_issues_and_pull_requests_share_their_numbers() -> None:
    talk = Talk()
    first = talk.value("create_issue", **PLACE, title="One")["number"]
    talk("create_branch", **PLACE, branch="feature/two")
    talk("create_or_update_file", **PLACE, branch="feature/two", path="two.md", content="2\n", message="Write two")
    second = talk.value("create_pull_request", **PLACE, title="Two", head="feature/two", base="main")["number"]
    assert (first, second) == (420, 421)
    assert talk("get_issue", **PLACE, issue_number=second).observation.is_error


def test_a_comment_is_counted_and_listed() -> None:
    talk = Talk()
    talk("create_issue", **PLACE, title="One")
    comment = talk.value("add_issue_comment", **PLACE, issue_number=420, body="Why?")
    assert talk.value("get_issue_comments", **PLACE, issue_number=420) == [comment]
    assert talk.value("get_issue", **PLACE, issue_number=420)["comments"] == 1
    assert str(comment["id"]) in comment["html_url"]


def test_a_closed_issue_leaves_the_open_list() -> None:
    talk = Talk()
    talk("create_issue", **PLACE, title="One")
    open_before = [issue["number"] for issue in talk.value("list_issues", **PLACE, state="open")]
    closed = talk.value("update_issue", **PLACE, issue_number=420, state="closed")
    assert closed["closed_at"] == closed["updated_at"]
    open_after = [issue["number"] for issue in talk.value("list_issues", **PLACE, state="open")]
    assert open_before == [420, *open_after]
    assert talk.value("search_issues", q="repo:brinewatch/tidegauge is:closed One")["items"][0]["number"] == 420


def test_a_file_written_on_a_branch_is_read_there_and_gone_when_deleted() -> None:
    talk = Talk()
    talk("create_branch", **PLACE, branch="notes", from_branch="main")
    assert "notes" in [branch["name"] for branch in talk.value("list_branches", **PLACE)]
    assert talk("create_branch", **PLACE, branch="notes").observation.text == "Validation Error: Reference already exists"
    talk("create_or_update_file", **PLACE, branch="notes", path="notes/tide.md", content="late\n", message="Note it")
    read = talk.value("get_file_contents", **PLACE, branch="notes", path="notes/tide.md")
    assert (read["name"], read["content"], read["size"]) == ("tide.md", "late\n", 5)
    talk("delete_file", **PLACE, branch="notes", path="notes/tide.md", message="Gone")
    gone = talk("get_file_contents", **PLACE, branch="notes", path="notes/tide.md").observation
    assert gone.is_error
    assert gone.text == "Not Found: Resource not found: path notes/tide.md in brinewatch/tidegauge at notes"


def test_what_the_demonstrations_refuse_is_refused() -> None:
    talk = Talk()
    elsewhere = talk("create_issue", owner="brinewatch", repo="tide-gauge", title="Wrong place").observation
    assert elsewhere.is_error
    assert elsewhere.text == "Not Found: Resource not found: repository brinewatch/tide-gauge"
    denied = talk("create_issue", owner="brinewatch", repo="infra", title="Page somebody").observation
    assert denied.is_error
    assert denied.text == "Permission Denied: Must have write access to brinewatch/infra."
    assert talk.session.state == WORLD.first_state


def test_files_are_pushed_together() -> None:
    talk = Talk()
    talk("create_branch", **PLACE, branch="notes", from_branch="main")
    first = [{"path": "a.md", "content": "one"}, {"path": "b.md", "content": "two"}]
    assert not talk("push_files", **PLACE, branch="notes", message="Two", files=first).observation.is_error
    talk("push_files", **PLACE, branch="notes", message="Again", files=[{"path": "a.md", "content": "three"}])
    assert talk.value("get_file_contents", **PLACE, branch="notes", path="a.md")["content"] == "three"
    assert talk.value("get_file_contents", **PLACE, branch="notes", path="b.md")["content"] == "two"


def test_nothing_is_in_a_new_repository() -> None:
    talk = Talk()
    talk("create_repository", name="seiche")
    assert talk.value("list_issues", owner="ilsev", repo="seiche") == []
    assert talk.value("search_repositories", query="seiche")["items"][0]["full_name"] == "ilsev/seiche"


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_laws_hold(seed: int) -> None:
    Program(WORLD, Random(seed)).run(20)


def test_a_search_for_pull_requests_finds_them() -> None:
    talk = Talk()
    found = talk.value("search_issues", q="repo:brinewatch/tidegauge is:pr is:open")
    assert [item["number"] for item in found["items"]] == [
        item["number"] for item in talk.value("list_pull_requests", **PLACE, state="open")
    ][::-1]
    assert talk.value("search_issues", q="repo:brinewatch/tidegauge is:issue quarantine")["total_count"] == 0
    assert talk.value("search_issues", q="is:pr quarantine")["items"][0]["number"] == 418


def test_what_is_merged_is_not_merged_again() -> None:
    talk = Talk()
    assert talk("merge_pull_request", **PLACE, pull_number=411).observation.text == "GitHub API Error: Pull Request is not mergeable"
    talk("create_branch", **PLACE, branch="feature/limit")
    talk("create_or_update_file", **PLACE, branch="feature/limit", path="limit.md", content="120\n", message="Write limit")
    number = talk.value("create_pull_request", **PLACE, title="Limit", head="feature/limit", base="main")["number"]
    assert not talk("merge_pull_request", **PLACE, pull_number=number).observation.is_error
    again = talk("merge_pull_request", **PLACE, pull_number=number)
    assert again.observation.is_error
    assert not again.changes


@pytest.mark.parametrize(
    ("tool", "more"), [("get_file_contents", {"path": "README.md"}), ("get_issue", {"issue_number": 1}), ("list_issues", {})]
)
def test_what_is_missing_first_is_told(tool: str, more: dict[str, Any]) -> None:
    refused = Talk()(tool, owner="brinewatch", repo="nonesuch", **more).observation
    assert refused.is_error
    assert refused.text == "Not Found: Resource not found: repository brinewatch/nonesuch"


def git_blob(text: str) -> str:
    """As `git hash-object` has it."""
    data = text.encode()
    return hashlib.sha1(b"blob " + str(len(data)).encode() + b"\0" + data).hexdigest()


def test_a_written_file_has_the_hash_that_git_gives_it() -> None:
    assert git_blob("hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"  # what git says
    talk = Talk()
    talk("create_branch", **PLACE, branch="notes", from_branch="main")
    more: dict[str, str] = {}
    for text in ("late\n", "later ☂\n"):
        asked = {**PLACE, "branch": "notes", "path": "notes/tide.md", "content": text, "message": "Note it", **more}
        shown = talk.value("create_or_update_file", **asked)["content"]
        more = {"sha": shown["sha"]}
        assert (shown["sha"], shown["size"], shown["name"]) == (git_blob(text), len(text.encode()), "tide.md")
        read = talk.value("get_file_contents", **PLACE, branch="notes", path="notes/tide.md")
        assert (read["sha"], read["content"]) == (git_blob(text), text)


def test_what_is_written_is_in_the_log_and_at_the_end_of_its_branch() -> None:
    talk = Talk()
    talk("create_branch", **PLACE, branch="notes", from_branch="main")
    before = [commit["sha"] for commit in talk.value("list_commits", **PLACE)]
    heads = {branch["name"]: branch["commit"]["sha"] for branch in talk.value("list_branches", **PLACE)}
    assert heads["notes"] == heads["main"] == before[0]
    written = talk.value("create_or_update_file", **PLACE, branch="notes", path="a.md", content="a", message="Say a")["commit"]
    pushed = talk.value("push_files", **PLACE, branch="notes", message="Say b", files=[{"path": "b.md", "content": "b"}])["object"]
    commits = talk.value("list_commits", **PLACE, sha="notes")
    assert [commit["sha"] for commit in commits] == [pushed["sha"], written["sha"], *before]
    assert [commit["commit"]["message"] for commit in commits[:2]] == ["Say b", "Say a"]
    assert {commit["author"]["login"] for commit in commits[:2]} == {"ilsev"}
    assert written["author"]["date"] == commits[1]["commit"]["author"]["date"] == "2026-03-02T09:00:01Z"
    assert talk.value("get_commit", **PLACE, sha=written["sha"])["commit"]["message"] == "Say a"
    heads = {branch["name"]: branch["commit"]["sha"] for branch in talk.value("list_branches", **PLACE)}
    assert heads["notes"] == pushed["sha"]
    pull = talk.value("create_pull_request", **PLACE, title="Notes", head="notes", base="main")
    assert (pull["head"]["sha"], pull["base"]["sha"]) == (pushed["sha"], heads["main"])
    merged = talk.value("merge_pull_request", **PLACE, pull_number=pull["number"], commit_title="Notes (#420)")
    assert talk.value("list_commits", **PLACE)[0]["sha"] == merged["sha"]
    assert {branch["name"]: branch["commit"]["sha"] for branch in talk.value("list_branches", **PLACE)}["main"] == merged["sha"]


def test_no_two_commits_have_the_same_hash() -> None:
    talk = Talk()
    talk("create_branch", **PLACE, branch="notes", from_branch="main")
    made = [
        talk.value("create_or_update_file", **PLACE, branch="notes", path=f"{text}.md", content="x", message="Again")["commit"]["sha"]
        for text in "abc"
    ]
    assert len(set(made)) == 3


def test_a_branch_has_the_files_of_the_one_that_it_comes_from() -> None:
    talk = Talk()
    path = "src/tidegauge/clock.py"
    main = talk.value("get_file_contents", **PLACE, path=path)
    talk("create_branch", **PLACE, branch="limit", from_branch="main")
    own = talk.value("get_file_contents", **PLACE, path=path, branch="limit")
    assert (own["sha"], own["content"]) == (main["sha"], main["content"])
    assert "/limit/" in own["html_url"]
    talk("create_branch", **PLACE, branch="deeper", from_branch="limit")
    talk("create_or_update_file", **PLACE, path=path, branch="limit", content="x = 1\n", message="Shorten", sha=main["sha"])
    assert talk.value("get_file_contents", **PLACE, path=path, branch="limit")["content"] == "x = 1\n"
    assert talk.value("get_file_contents", **PLACE, path=path)["content"] == main["content"]


def test_a_file_is_not_written_over_without_its_hash() -> None:
    talk = Talk()
    talk("create_branch", **PLACE, branch="limit", from_branch="main")
    asked = {**PLACE, "path": "src/tidegauge/clock.py", "branch": "limit", "content": "x = 1\n", "message": "Shorten"}
    sha = talk.value("get_file_contents", **PLACE, path=asked["path"])["sha"]
    assert talk("create_or_update_file", **asked).observation.text == 'Validation Error: Invalid request.\n\n"sha" wasn\'t supplied.'
    stale = "0" * 40
    assert talk("create_or_update_file", **asked, sha=stale).observation.text == f"Conflict: {asked['path']} does not match {stale}"
    assert not talk("create_or_update_file", **asked, sha=sha).observation.is_error
    assert not talk("create_or_update_file", **{**asked, "path": "docs/new.md"}).observation.is_error


@pytest.mark.parametrize(("event", "state"), [("APPROVE", "APPROVED"), ("COMMENT", "COMMENTED"), ("REQUEST_CHANGES", "CHANGES_REQUESTED")])
def test_a_review_is_in_the_state_asked_for_and_of_the_commit_that_it_looks_at(event: str, state: str) -> None:
    talk = Talk()
    head = talk.value("get_pull_request", **PLACE, pull_number=416)["head"]["sha"]
    review = talk.value("create_pull_request_review", **PLACE, pull_number=416, body="Look here.", event=event)
    assert (review["state"], review["commit_id"]) == (state, head)
    assert talk.value("get_pull_request_reviews", **PLACE, pull_number=416)[-1] == review


def test_one_branch_has_one_open_pull_request() -> None:
    talk = Talk()
    talk("create_branch", **PLACE, branch="notes", from_branch="main")
    talk("create_or_update_file", **PLACE, branch="notes", path="notes/one.md", content="1\n", message="One")
    first = talk.value("create_pull_request", **PLACE, title="One", head="notes", base="main")
    again = talk("create_pull_request", **PLACE, title="Two", head="notes", base="main").observation
    assert again.is_error
    assert "A pull request already exists for brinewatch:notes." in again.text
    talk("merge_pull_request", **PLACE, pull_number=first["number"])
    talk("create_or_update_file", **PLACE, branch="notes", path="notes/two.md", content="2\n", message="Two")
    assert not talk("create_pull_request", **PLACE, title="Two", head="notes", base="main").observation.is_error
