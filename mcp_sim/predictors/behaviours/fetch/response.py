"""What a web server would send for a document."""

from dataclasses import dataclass
from html import escape

from mcp_sim.predictors.behaviours.documents import Document

_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Response:
    """Status, content type and body."""

    status: int
    content_type: str
    body: str

    @classmethod
    def of(cls, document: Document) -> "Response":
        """Send the document's HTML; its text as it is where it says of what type it is; else its text as a page of HTML."""
        if document.html is not None:
            return cls(document.status, document.content_type or _HTML, document.html)
        if document.content_type or document.status >= 400:
            return cls(document.status, document.content_type or "text/plain; charset=utf-8", document.text or "")
        return cls(document.status, _HTML, _page(document.title, document.text or ""))

    @property
    def is_html(self) -> bool:
        """Whether the real server takes it for HTML."""
        return "<html" in self.body[:100] or "text/html" in self.content_type or not self.content_type


def _page(title: str, text: str) -> str:
    paragraphs = [f"<p>{escape(paragraph, quote=False)}</p>" for paragraph in text.split("\n\n") if paragraph.strip()]
    heading = [f"<h1>{escape(title, quote=False)}</h1>"] if title else []
    head = f'<head>\n<meta charset="utf-8">\n<title>{escape(title, quote=False)}</title>\n</head>'
    return "\n".join(["<!DOCTYPE html>", "<html>", head, "<body>", *heading, *paragraphs, "</body>", "</html>"]) + "\n"
