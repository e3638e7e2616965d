import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change
from mcp_sim.errors import PredictionError, SetupError
from mcp_sim.predictors.behaviours.documents import read_html
from mcp_sim.predictors.behaviours.search.behaviour import SearchBehaviour
from mcp_sim.predictors.behaviours.search.words import telling_words
from mcp_sim.tool_specs.world_folder import load_world
from tests.predictors.behaviours.play import Play, begin

BUNDLED = load_world("search")
JUDGED: dict[str, str] = json.loads((Path(__file__).parent / "judged.json").read_text(encoding="utf-8"))
RESULT = re.compile(r"^\d+\. (.*)\n   (\S+)\n   (.*)\n   (.*)$", re.MULTILINE)


def over(**documents: dict[str, Any]) -> Play:
    urls = {f"https://a.example/{name}": document for name, document in documents.items()}
    return Play(SearchBehaviour({}), begin({"documents": urls}))


@pytest.fixture
def bundled() -> Play:
    return Play(SearchBehaviour({}), Session.begin(BUNDLED, "main"))


def test_the_demonstrations_are_what_the_tools_answer(bundled: Play) -> None:
    for demonstration in BUNDLED.demonstrations:
        answer = bundled.call(demonstration.action.name, **demonstration.action.arguments)
        assert answer == demonstration.observation.to_result(), demonstration.action


def test_the_right_page_comes_first(bundled: Play) -> None:
    first, among_five, ranks = 0, 0, 0.0
    for query, url in JUDGED.items():
        urls = [found[1] for found in RESULT.findall(bundled.text("web_search", query=query))]
        first += urls[0] == url
        among_five += url in urls
        ranks += 1 / (urls.index(url) + 1) if url in urls else 0
    judged = len(JUDGED)
    print(f"precision@1 {first / judged:.2f}, recall@5 {among_five / judged:.2f}, MRR {ranks / judged:.2f} over {judged} queries")  # noqa: T201
    assert first / judged >= 0.9
    assert among_five == judged


@pytest.mark.parametrize("query", ["zygomorphic quokka haberdashery", "…", "", "'\"*(", "xqzv AND kkjw"])
def test_nonsense_finds_nothing(bundled: Play, query: str) -> None:
    assert bundled.call("web_search", query=query) == {"content": [{"type": "text", "text": f'No results for "{query}".'}]}


words = st.sampled_from("tide tides gauge flood quay red Warning 20:14 naïve NEAR AND title: * \" ' ( ) -x ^ été 湾 the of".split())
phrases = st.lists(words, min_size=1, max_size=12).map(" ".join)
pages = st.fixed_dictionaries({"title": phrases, "text": st.lists(st.lists(words, max_size=60).map(" ".join), max_size=4).map("\n\n".join)})


@given(st.dictionaries(st.sampled_from("abcdefgh"), pages, min_size=1), st.lists(phrases, min_size=2, max_size=4))
def test_whatever_is_found_stands_on_a_page_that_opens(documents: dict[str, dict[str, Any]], queries: list[str]) -> None:
    play = over(**documents)
    answers = [play.text("web_search", query=query) for query in queries]
    assert play.text("web_search", query=queries) == "\n\n".join(answers)
    for query, answer in zip(queries, answers, strict=True):
        found = RESULT.findall(answer)
        assert bool(found) != (answer == f'No results for "{query}".')
        for title, url, site, shown in found:
            page = play.text("web_extractor", urls=url)
            assert page.startswith(f"# {title}\n{url}\n{site}\n\n")
            assert shown.removeprefix("… ").removesuffix(" …") in " ".join(page.split())
            assert len(shown.split()) <= 32
            folded = f"{title} {page}".lower().replace("é", "e").replace("ï", "i")
            assert any(word.replace("é", "e").replace("ï", "i").rstrip("s") in folded for word in telling_words(query))


def test_a_passage_is_around_the_hits() -> None:
    filler = " ".join(f"word{number}" for number in range(200))
    shown = RESULT.findall(over(a={"title": "A", "text": f"{filler} needle in the hay {filler}"}).text("web_search", query="needle"))[0][3]
    assert "needle" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")


def test_a_text_without_spaces_is_found_by_its_parts() -> None:
    far = "潮位計が遅れた。" * 20
    play = over(
        a={"title": "東京湾", "text": f"{far}昨夜、東京湾で高潮警報が出た。{far}"},
        b={"title": "京都", "text": "山の寺の話。"},
        c={"title": "Seoul", "text": "한강의 수위"},
    )
    assert [found[1] for found in RESULT.findall(play.text("web_search", query="高潮警報"))] == ["https://a.example/a"]
    shown = RESULT.findall(play.text("web_search", query="東京湾 警報"))[0][3]
    assert "東京湾で高潮警報が出た" in shown
    assert len(shown) < 40
    assert RESULT.findall(play.text("web_search", query="한강"))[0][1] == "https://a.example/c"
    assert play.text("web_search", query="鉄道") == 'No results for "鉄道".'


def test_a_new_page_is_found_and_a_deleted_one_is_not() -> None:
    play = over(a={"title": "Tides", "text": "one"}, b={"title": "Tides", "text": "two"})
    note = Action.call("dict_memory")
    observation = play.behaviour.answer(play.session, Action.call("dict_memory", {"operation": "list"})).observation  # type: ignore[union-attr]
    patch = [
        Change(path=["documents", "https://a.example/c"], value={"title": "Tides", "text": "three"}),
        Change(path=["documents", "https://a.example/a"]),
    ]
    play.session = play.session.append(play.session.transition(note, observation, "computed", patch, changes=True))
    assert {found[1][-1] for found in RESULT.findall(play.text("web_search", query="tides"))} == {"b", "c"}


def test_a_goal_brings_its_paragraphs() -> None:
    play = over(a={"title": "A", "text": "The quay is long.\n\nThe mayor was elected by many votes.\n\nThe mayor sleeps."})
    assert play.text("web_extractor", urls="https://a.example/a", goal="votes for the mayor").endswith(
        "\n\nThe mayor was elected by many votes.\n\nThe mayor sleeps."
    )
    assert "The quay is long." in play.text("web_extractor", urls="https://a.example/a", goal="zygomorphic quokka")


def test_a_long_page_is_cut_and_says_so() -> None:
    play = over(a={"title": "A", "text": "x" * 30_000})
    text = play.text("web_extractor", urls="https://a.example/a#top")
    assert text.endswith("\n\n[The first 20,000 of 30,000 characters. Ask with a goal to read the part that matters.]")
    assert len(text) < 20_300


def test_pages_that_do_not_open() -> None:
    play = over(a={"title": "A", "text": "t"}, gone={"status": 410})
    assert play.call("web_extractor", urls="https://a.example/b") == {
        "content": [{"type": "text", "text": "Cannot open https://a.example/b: 404 Not Found"}],
        "isError": True,
    }
    both = play.call("web_extractor", urls=["https://a.example/gone", "https://A.example/a"])
    assert (
        both["content"][0]["text"]
        == "Cannot open https://a.example/gone: HTTP status 410\n\n---\n\n# A\nhttps://a.example/a\na.example\n\nt"
    )
    assert "isError" not in both


def test_html_pages_are_searched_and_read_as_text() -> None:
    html = "<html><head><title>no</title><style>p {}</style></head><body><h1>Tide</h1>"
    html += "<p>High &amp; low<br>water</p><script>x</script></body></html>"
    play = over(a={"title": "A", "html": html})
    assert play.text("web_extractor", urls="https://a.example/a").endswith("\n\nTide\n\nHigh & low\n\nwater")
    assert RESULT.findall(play.text("web_search", query="low"))


@given(st.text("<>/phead script=\"'&;!-", max_size=60))
def test_any_html_can_be_read(html: str) -> None:
    assert "\f" not in read_html(html)


def test_searching_changes_nothing_and_notes_do(bundled: Play) -> None:
    bundled.call("web_search", query="tide")
    bundled.call("web_extractor", urls="https://talavar.example/currency")
    bundled.call("dict_memory", operation="get", key="x")
    assert bundled.session.ticks == 0
    bundled.call("dict_memory", operation="store", key="x", value="1")
    bundled.call("dict_memory", operation="store", key="x", value="1")
    assert bundled.session.ticks == 1


def test_without_documents_somebody_else_must_imagine() -> None:
    play = Play(SearchBehaviour({}))
    assert play.behaviour.answer(play.session, Action.call("web_search", {"query": "tide"})) is None
    assert play.text("dict_memory", operation="list") == "No notes."


def test_a_document_of_another_shape_is_named() -> None:
    with pytest.raises(PredictionError, match=r"https://a\.example/a.*text"):
        over(a={"title": "A", "text": 5}).call("web_search", query="tide")


def test_wrong_options_are_refused() -> None:
    with pytest.raises(SetupError, match="num_results"):
        SearchBehaviour({"num_results": 0})
