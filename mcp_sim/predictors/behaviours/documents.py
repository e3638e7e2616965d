"""The pages that a world holds: what its search finds, its page reader opens and its fetcher fetches."""

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from pydantic import AnyUrl, TypeAdapter, ValidationError

from mcp_sim.core.model import Frozen
from mcp_sim.core.state import State, lookup, thaw
from mcp_sim.errors import PredictionError

_URL: TypeAdapter[AnyUrl] = TypeAdapter(AnyUrl)
_BLOCKS = frozenset(
    "address article blockquote br div dd dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table "
    "td th tr ul".split()
)
_UNSEEN = frozenset(("head", "script", "style", "template", "noscript"))


class Document(Frozen):
    """One page. It has `text`, paragraphs between empty lines, or `html`, or neither and only a `status`.

    `content_type` is the HTTP header where it is not HTML's; `status` the HTTP status; `published` a date; `site` who publishes it.
    """

    title: str = ""
    text: str | None = None
    html: str | None = None
    published: str = ""
    site: str = ""
    content_type: str = ""
    status: int = 200

    @property
    def readable(self) -> str:
        """What a person would read of it."""
        return read_html(self.html) if self.text is None and self.html is not None else self.text or ""


def documents_of(state: State) -> Mapping[str, Any] | None:
    """Return the world's pages by URL as the state has them, `None` if it holds none.

    In `state.json`: `{"documents": {"https://a.example/page": {"title", "text" or "html", "published", "site"}}}`.
    """
    documents = lookup(state, "documents")
    return documents if isinstance(documents, Mapping) and len(documents) else None


def read_document(url: str, written: Any) -> Document:
    """Read one page from the state.

    Raises:
        PredictionError: it has not the shape of a `Document`.
    """
    try:
        return Document.model_validate(thaw(written))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise PredictionError(f"The state's documents[{url!r}] is wrong: {where}: {first['msg']}. Correct it in state.json.") from error


def find_document(documents: Mapping[str, Any], url: str) -> tuple[str, Document] | None:
    """Return the page at this address, after the URL under which it is written.

    What follows `#`, the case of the host and a lone `/` do not count.
    """
    for candidate in _spellings(url):
        if candidate in documents:
            return candidate, read_document(candidate, documents[candidate])
    return None


def _spellings(url: str) -> list[str]:
    spellings = [url, url.strip()]
    try:
        spellings.append(str(_URL.validate_python(url)))
    except ValidationError:
        return spellings
    spellings += [spelling.partition("#")[0] for spelling in spellings]
    if urlsplit(spellings[-1]).path == "/":
        spellings.append(spellings[-1].rstrip("/"))
    return spellings


def read_html(html: str) -> str:
    """Return the text of HTML, its blocks as paragraphs between empty lines."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    blocks = (" ".join(block.split()) for block in "".join(reader.pieces).split("\f"))
    return "\n\n".join(block for block in blocks if block)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in _UNSEEN))
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.pieces.append(data.replace("\f", " "))

    def _break(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\f")
