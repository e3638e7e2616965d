from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.tool_spec import words
from mcp_sim.predictors.engine.words.vocabulary import common_prefix, plural, read_phrase, singular

# Pairs as a dictionary has them.
PAIRS = """issue issues|repository repositories|branch branches|box boxes|class classes|address addresses|status statuses|person people
child children|database databases|release releases|case cases|purchase purchases|invoice invoices|page pages|analysis analyses|index indices
key keys|day days|policy policies|message messages|response responses|course courses|size sizes|match matches|wish wishes|tax taxes
alias aliases|canvas canvases|movie movies|cookie cookies|cache caches|bus buses|house houses|expense expenses|device devices"""


def pairs() -> Iterable[tuple[str, str]]:
    return [tuple(pair.split()) for line in PAIRS.splitlines() for pair in line.split("|")]  # type: ignore[misc]


@pytest.mark.parametrize(("one", "many"), pairs())
def test_one_and_many(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
    assert singular(one) == one


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=12))
def test_one_of_many_is_one_for_any_word(word: str) -> None:
    assert singular(singular(word)) == singular(word) or singular(word).endswith("s")


@pytest.mark.parametrize(
    ("name", "kind", "resource", "verb"),
    [
        ("create_issue", "create", "issue", "create"),
        ("listPullRequests", "list", "pull_request", "list"),
        ("get_users", "list", "user", "get"),
        ("retrieve-a-page", "get", "page", "retrieve"),
        ("add_comment_to_issue", "create", "issue_comment", "add"),
        ("create_or_update_file", "create", "file", "create"),
        ("reply_to_thread", "create", "thread_reply", "reply"),
        ("note.create", "create", "note", "create"),
        ("get_user_by_email", "get", "user", "get"),
        ("close_task", "update", "task", "close"),
        ("list_prs", "list", "pull_request", "list"),
        ("count_tasks", "count", "task", "count"),
        ("screenshot", None, "screenshot", ""),
    ],
)
def test_names_are_read(name: str, kind: str | None, resource: str, verb: str) -> None:
    phrase = read_phrase(words(name))
    assert (phrase.kind, phrase.resource, phrase.verb) == (kind, resource, verb)


def test_the_servers_own_name_is_no_noun() -> None:
    names = [words(name) for name in ("jira_get_issue", "jira_create_issue", "jira_list_boards", "jira_whoami")]
    assert common_prefix(names) == ("jira",)
    assert common_prefix([words(name) for name in ("get_issue", "get_user", "get_page")]) == ()
