from typing import Any

import pytest

from mcp_sim.core.action import Action
from mcp_sim.errors import PredictionError, SetupError
from mcp_sim.predictors.behaviours.fetch.behaviour import FetchBehaviour
from tests.predictors.behaviours.play import Play, begin

DOCUMENTS = {
    "https://a.example/page": {"title": "Tides", "text": "High water & low.\n\nTwice a day."},
    "https://a.example": {"html": "<html><body><h2>Home</h2><p>See <a href='/page'>tides</a></p></body></html>"},
    "https://a.example/data.json": {"text": '{"level": 3}', "content_type": "application/json"},
    "https://closed.example/robots.txt": {"text": "User-agent: *\nDisallow: /", "content_type": "text/plain"},
}


@pytest.fixture
def play() -> Play:
    return Play(FetchBehaviour({}), begin({"documents": DOCUMENTS}))


def test_a_text_is_served_as_a_page(play: Play) -> None:
    assert play.call("fetch", url="https://a.example/page") == {
        "content": [{"type": "text", "text": "Contents of https://a.example/page:\nTides\n\n# Tides\n\nHigh water & low.\n\nTwice a day."}],
        "isError": False,
    }
    raw = play.text("fetch", url="https://a.example/page", raw=True)
    assert "<title>Tides</title>" in raw
    assert "<p>High water &amp; low.</p>" in raw
    assert not play.changed


def test_html_becomes_markdown_however_the_address_is_spelled(play: Play) -> None:
    text = "## Home\n\nSee tides"
    assert play.text("fetch", url="HTTPS://A.example#top") == f"Contents of https://a.example/#top:\n{text}"


def test_other_types_are_given_as_they_are(play: Play) -> None:
    assert play.text("fetch", url="https://a.example/data.json") == (
        "Content type application/json cannot be simplified to markdown, but here is the raw content:\n"
        'Contents of https://a.example/data.json:\n{"level": 3}'
    )


def test_pages_of_a_long_text_join_to_the_whole(play: Play) -> None:
    whole = play.text("fetch", url="https://a.example/page").partition(":\n")[2]
    pieces, start = "", 0
    while start < len(whole):
        part = play.text("fetch", url="https://a.example/page", start_index=start, max_length=10)
        piece, _, notice = part.partition(":\n")[2].partition("\n\n<error>Content truncated.")
        assert bool(notice) == (start + 10 < len(whole))
        pieces, start = pieces + piece, start + 10
    assert pieces == whole
    assert play.text("fetch", url="https://a.example/page", start_index=start).endswith("<error>No more content available.</error>")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://a.example/nope", "Failed to fetch https://a.example/nope - status code 404"),
        ("https://b.example/", "Failed to fetch robots.txt https://b.example/robots.txt due to a connection issue"),
        ("http://a.example/page", "Failed to fetch robots.txt http://a.example/robots.txt due to a connection issue"),
        ("https://closed.example/x", "The sites robots.txt (https://closed.example/robots.txt), specifies that autonomous fetching"),
        ("http://localhost:80/", "Refused to fetch http://localhost/robots.txt: localhost resolves to 127.0.0.1"),
        ("nonsense", "1 validation error for fetchArguments\nurl\n  Input should be a valid URL, relative URL without a base"),
    ],
)
def test_what_cannot_be_fetched_is_told_as_the_real_server_tells_it(play: Play, url: str, told: str) -> None:
    result = play.call("fetch", url=url)
    assert result["isError"] is True
    assert result["content"][0]["text"].startswith(f"Error executing tool fetch: {told}")


def test_options_are_the_real_servers() -> None:
    open_play = Play(
        FetchBehaviour({"ignore_robots_txt": True, "allow_private_ips": True}),
        begin({"documents": {**DOCUMENTS, "http://127.0.0.1/": {"text": "in"}}}),
    )
    assert open_play.text("fetch", url="https://closed.example/x").endswith("status code 404")
    assert open_play.text("fetch", url="http://127.0.0.1").endswith("in")
    assert "ConnectError" in open_play.text("fetch", url="https://nobody.example/")
    with pytest.raises(SetupError, match="proxy"):
        FetchBehaviour({"proxy": "x"})


@pytest.mark.parametrize("document", [{"title": 5}, {"body": "x"}, "text"])
def test_a_document_of_another_shape_is_named(document: Any) -> None:
    play = Play(FetchBehaviour({}), begin({"documents": {"https://a.example/x": document}}))
    with pytest.raises(PredictionError, match=r"https://a\.example/x"):
        play.call("fetch", url="https://a.example/x")


def test_without_documents_somebody_else_must_imagine() -> None:
    play = Play(FetchBehaviour({}))
    assert play.behaviour.answer(play.session, Action.call("fetch", {"url": "https://a.example/"})) is None
