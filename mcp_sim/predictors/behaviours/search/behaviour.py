"""The three tools of the search world."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.derived import Derived
from mcp_sim.predictors.behaviours.documents import Document, documents_of, find_document, read_document
from mcp_sim.predictors.behaviours.options import read_options
from mcp_sim.predictors.behaviours.search.index import Index
from mcp_sim.predictors.behaviours.search.notebook import take_note
from mcp_sim.predictors.behaviours.search.passage import bearing_paragraphs, passage

_MOST_RESULTS = 20


class SearchOptions(Frozen):
    """The options of `[behaviours.search]`: how many results a query has unless it says so, and how much of a page is shown."""

    num_results: int = Field(5, gt=0, le=_MOST_RESULTS)
    max_page_chars: int = Field(20_000, ge=200)


class _Web:
    """The documents and their index."""

    def __init__(self, written: Mapping[str, Any]) -> None:
        self.urls = sorted(written)
        self.documents = [read_document(url, written[url]) for url in self.urls]
        self.index = Index((document.title, document.readable) for document in self.documents)


class SearchBehaviour:
    """A search engine, a page reader and a notebook over the world's documents (see `documents_of`; notes: `take_note`).

    A world without documents is searched by whoever can imagine them. Searches change nothing, and the same page always reads the same.
    """

    def __init__(self, options: Mapping[str, JSON]) -> None:
        self._options = read_options(SearchOptions, "search", options)
        self.mutates: Mapping[str, bool] = {"web_search": False, "web_extractor": False, "dict_memory": True}
        self.volatile: frozenset[str] = frozenset()
        self._webs: Derived[_Web] = Derived(capacity=4)

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to; `None` also for arguments of another shape.

        Raises:
            PredictionError: a document in the state is not one.
        """
        arguments = action.arguments
        if action.name == "dict_memory":
            taken = take_note(session.state, arguments.get("operation"), arguments.get("key"), arguments.get("value"))
            if taken is None:
                return None
            observation, patch = taken
            return session.transition(action, observation, "computed", patch, changes=bool(patch))
        asked = _texts(arguments.get("query" if action.name == "web_search" else "urls"))
        documents = documents_of(session.state)
        if action.name not in self.mutates or documents is None or asked is None:
            return None
        if action.name == "web_search":
            most = arguments.get("num_results", self._options.num_results)
            observation = self._search(documents, asked, most)
        else:
            goal = arguments.get("goal")
            observation = self._read(documents, asked, goal if isinstance(goal, str) else "")
        return session.transition(action, observation, "computed", changes=False)

    def _search(self, documents: Mapping[str, Any], queries: list[str], most: Any) -> Observation:
        web = self._webs.of(documents, derive=lambda: _Web(documents))
        bounded = min(max(most, 1), _MOST_RESULTS) if isinstance(most, int) else self._options.num_results
        return Observation.of_text("\n\n".join(_results(web, query, bounded) for query in queries))

    def _read(self, documents: Mapping[str, Any], urls: list[str], goal: str) -> Observation:
        found = [find_document(documents, url) for url in urls]
        pages = [
            self._page(*page, goal) if page and page[1].status < 400 else f"Cannot open {url}: {_reason(page)}"
            for url, page in zip(urls, found, strict=True)
        ]
        failed = len(urls) == 1 and pages[0].startswith("Cannot open")
        return Observation.of_text("\n\n---\n\n".join(pages), is_error=failed)

    def _page(self, url: str, document: Document, goal: str) -> str:
        text = bearing_paragraphs(document.readable, goal) if goal else document.readable
        bound = self._options.max_page_chars
        if len(text) > bound:
            text = text[:bound] + f"\n\n[The first {bound:,} of {len(text):,} characters. Ask with a goal to read the part that matters.]"
        return f"# {document.title or url}\n{url}\n{_source(url, document)}\n\n{text}"


def _results(web: _Web, query: str, most: int) -> str:
    places = web.index.rank(query, most)
    if not places:
        return f'No results for "{query}".'
    blocks = [f'Results for "{query}":']
    for number, place in enumerate(places, 1):
        url, document = web.urls[place], web.documents[place]
        shown = passage(document.readable, web.index.hits(place, query))
        blocks.append(f"{number}. {document.title or url}\n   {url}\n   {_source(url, document)}\n   {shown}")
    return "\n\n".join(blocks)


def _source(url: str, document: Document) -> str:
    return ", ".join(part for part in (document.site or urlsplit(url).netloc, document.published) if part)


def _reason(page: tuple[str, Document] | None) -> str:
    return "404 Not Found" if page is None else f"HTTP status {page[1].status}"


def _texts(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and value and all(isinstance(text, str) for text in value):
        return value
    return None
