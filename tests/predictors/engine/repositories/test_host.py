"""Files, branches and commits of the bundled git host, compared with what git and GitHub's API do."""

import hashlib
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.tool_specs.world_folder import load_world

WORLD = load_world("github")
ENGINE = Engine(WORLD)
PLACE = {"owner": "brinewatch", "repo": "tidegauge"}


class Talk:
    def __init__(self) -> None:
        self.session = Session.begin(WORLD, "github")

    def __call__(self, tool: str, **arguments: Any) -> Observation:
        transition = ENGINE.answer(self.session, Action.call(tool, {**PLACE, **arguments}))
        assert transition is not None
        self.session = self.session.append(transition)
        return transition.observation

    def value(self, tool: str, **arguments: Any) -> Any:
        observation = self(tool, **arguments)
        assert not observation.is_error, observation.text
        return json.loads(observation.text)

    def write(self, branch: str, path: str, content: str, **more: str) -> Any:
        return self.value("create_or_update_file", branch=branch, path=path, content=content, message=f"Write {path}", **more)

    def messages(self, **arguments: Any) -> list[str]:
        return [commit["commit"]["message"] for commit in self.value("list_commits", **arguments)]


def test_folders_are_lists_of_entries() -> None:
    talk = Talk()
    top = {entry["name"]: entry["type"] for entry in talk.value("get_file_contents", path="")}
    assert top["README.md"] == "file"
    assert top["src"] == top["docs"] == top[".github"] == "dir"
    assert talk.value("get_file_contents", path="/") == talk.value("get_file_contents", path="")
    assert [entry["path"] for entry in talk.value("get_file_contents", path="src/")] == ["src/tidegauge"]
    missing = talk("get_file_contents", path="srcs")
    assert missing.is_error
    assert missing.text == "Not Found: Resource not found: path srcs in brinewatch/tidegauge at main"
    assert talk("get_file_contents", path="", branch="nope").is_error


def test_what_is_written_on_a_branch_reaches_main_by_a_merge() -> None:
    talk = Talk()
    on_main = talk.messages()
    talk("create_branch", branch="feature/x")
    sha = talk.write("feature/x", "src/x.py", "one\ntwo\n")["commit"]["sha"]
    assert len(sha) == 40
    assert talk("get_file_contents", path="src/x.py").is_error
    assert talk.messages(sha="main") == on_main
    assert talk.messages(sha="feature/x") == ["Write src/x.py", *on_main]
    assert talk.value("search_code", q="src/x.py")["total_count"] == 0
    made = talk.value("create_pull_request", title="X", head="feature/x", base="main", body="Closes #409")
    assert (made["head"]["sha"], made["commits"], made["additions"], made["deletions"], made["changed_files"]) == (sha, 1, 2, 0, 1)
    number = made["number"]
    changed = talk.value("get_pull_request_files", pull_number=number)
    assert [(file["filename"], file["status"], file["additions"], file["deletions"]) for file in changed] == [("src/x.py", "added", 2, 0)]
    assert changed[0]["patch"] == "@@ -0,0 +1,2 @@\n+one\n+two"
    assert talk.value("get_pull_request_status", pull_number=number)["sha"] == sha
    merged = talk.value("merge_pull_request", pull_number=number, merge_method="squash")
    assert talk.value("get_file_contents", path="src/x.py")["content"] == "one\ntwo\n"
    assert talk.messages() == [f"X (#{number})", *on_main]
    assert talk.value("list_commits")[0]["sha"] == merged["sha"]
    assert talk.value("get_pull_request_files", pull_number=number) == changed
    assert talk.value("get_issue", issue_number=409)["state"] == "closed"
    gone = talk.value("delete_file", branch="main", path="src/x.py", message="Drop it")
    dates = [commit["commit"]["author"]["date"] for commit in talk.value("list_commits")]
    assert dates == sorted(dates, reverse=True)
    assert dates[0] == gone["commit"]["author"]["date"]


def test_a_merge_commit_brings_the_commits_of_the_branch() -> None:
    talk = Talk()
    on_main = talk.messages()
    talk("create_branch", branch="b")
    talk.write("b", "one.md", "1")
    number = talk.value("create_pull_request", title="Both", head="b", base="main")["number"]
    talk.write("b", "two.md", "2")
    assert talk.value("get_pull_request", pull_number=number)["commits"] == 2
    talk("merge_pull_request", pull_number=number)
    subject = f"Merge pull request #{number} from brinewatch/b\n\nBoth"
    assert talk.messages() == [subject, "Write two.md", "Write one.md", *on_main]


def test_two_changes_of_one_file_cannot_be_merged() -> None:
    talk = Talk()
    readme = talk.value("get_file_contents", path="README.md")["sha"]
    talk("create_branch", branch="b")
    talk.write("b", "README.md", "theirs", sha=readme)
    number = talk.value("create_pull_request", title="Readme", head="b", base="main")["number"]
    talk.write("main", "README.md", "ours", sha=readme)
    assert talk("merge_pull_request", pull_number=number).text == "GitHub API Error: Pull Request is not mergeable"
    assert talk.value("get_file_contents", path="README.md")["content"] == "ours"


def test_a_pull_request_needs_branches_and_commits() -> None:
    talk = Talk()
    ghost = talk("create_pull_request", title="Bad", head="ghost", base="main")
    assert ghost.is_error
    assert ghost.text == 'Validation Error: Validation Failed\nDetails: [{"resource": "PullRequest", "field": "head", "code": "invalid"}]'
    talk("create_branch", branch="same")
    assert "No commits between main and same" in talk("create_pull_request", title="Empty", head="same", base="main").text


def test_a_fork_has_what_its_origin_has_and_gives_it_back() -> None:
    talk = Talk()
    talk("fork_repository")
    theirs = {"owner": "ilsev"}
    assert {b["name"] for b in talk.value("list_branches", **theirs)} == {b["name"] for b in talk.value("list_branches")}
    assert (
        talk.value("get_file_contents", path="README.md", **theirs)["content"]
        == talk.value("get_file_contents", path="README.md")["content"]
    )
    talk("create_or_update_file", **theirs, branch="main", path="f.md", content="f", message="Fork")
    assert talk("get_file_contents", path="f.md").is_error
    made = talk.value("create_pull_request", title="From afar", head="ilsev:main", base="main")
    assert made["head"]["repo"]["full_name"] == "ilsev/tidegauge"
    talk("merge_pull_request", pull_number=made["number"])
    assert talk.value("get_file_contents", path="f.md")["content"] == "f"


def test_a_new_repository_has_a_first_commit_where_it_is_asked_for() -> None:
    talk = Talk()
    talk("create_repository", name="full", autoInit=True)
    talk("create_repository", name="bare")
    full, bare = {"owner": "ilsev", "repo": "full"}, {"owner": "ilsev", "repo": "bare"}
    assert [branch["name"] for branch in talk.value("list_branches", **full)] == ["main"]
    assert talk.messages(**full) == ["Initial commit"]
    assert talk.value("get_file_contents", path="README.md", **full)["content"] == "# full\n"
    assert talk("list_commits", **bare).text == "Conflict: Git Repository is empty."
    assert talk("get_file_contents", path="README.md", **bare).is_error
    talk("push_files", **bare, branch="main", message="Begin", files=[{"path": "a/b.md", "content": "b"}])
    assert talk.messages(**bare) == ["Begin"]


def test_searches_find_what_is_there_and_nothing_else() -> None:
    talk = Talk()
    talk("push_files", branch="main", message="Push", files=[{"path": "docs/x.md", "content": "hello flurbo"}])
    [found] = talk.value("search_code", q="flurbo repo:brinewatch/tidegauge")["items"]
    assert (found["path"], found["repository"]["id"]) == ("docs/x.md", 55120)
    assert found["html_url"] == "https://github.example/brinewatch/tidegauge/blob/main/docs/x.md"
    assert talk.value("search_code", q="flurbo repo:brinewatch/handbook")["items"] == []
    assert talk.value("search_code", q="flurbo extension:py")["items"] == []
    assert talk.value("search_code", q="zzzznothing")["total_count"] == 0
    assert [user["login"] for user in talk.value("search_users", q="ilsev")["items"]] == ["ilsev"]
    assert talk.value("search_users", q="zzzznobody") == {"total_count": 0, "incomplete_results": False, "items": []}


def test_the_given_branches_change_what_their_pull_requests_say() -> None:
    talk = Talk()
    collections = WORLD.first_state["collections"]
    open_ones = [pull for pull in collections["pull_requests"] if pull["state"] == "open"]
    for pull in open_ones:
        place = {"repo": pull["repo"], "pull_number": pull["number"]}
        files = talk.value("get_pull_request_files", **place)
        counts = [len(files), sum(file["additions"] for file in files), sum(file["deletions"] for file in files)]
        assert counts == [pull["changed_files"], pull["additions"], pull["deletions"]], pull["html_url"]
        commits = {commit["sha"] for commit in talk.value("list_commits", repo=pull["repo"], sha="main")}
        own = [c for c in talk.value("list_commits", repo=pull["repo"], sha=pull["head"]["ref"]) if c["sha"] not in commits]
        assert (own[0]["sha"], len(own)) == (pull["head"]["sha"], pull["commits"])
    for branch in collections["branches"]:
        assert talk.value("list_commits", repo=branch["repo"], sha=branch["name"])[0]["sha"] == branch["commit"]["sha"]


@settings(max_examples=30, deadline=None)
@given(content=st.text(max_size=200), path=st.text(max_size=60))
def test_any_text_at_any_path_is_read_as_it_was_written_or_refused(content: str, path: str) -> None:
    talk = Talk()
    written = talk("create_or_update_file", branch="main", path=path, content=content, message="Any")
    if written.is_error:
        return
    shown = json.loads(written.text)["content"]
    read = talk.value("get_file_contents", path=path)
    body = content.encode("utf-8", "surrogatepass")
    assert read["content"] == content
    assert read["sha"] == shown["sha"] == hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()
