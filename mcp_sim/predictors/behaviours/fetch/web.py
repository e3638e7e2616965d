"""The world's documents as a web that can be reached, or not."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from mcp_sim.core.model import Frozen
from mcp_sim.predictors.behaviours.derived import Derived
from mcp_sim.predictors.behaviours.documents import Document, find_document
from mcp_sim.predictors.behaviours.fetch.response import Response
from mcp_sim.predictors.behaviours.fetch.simplify import may_fetch, simplify

_USER_AGENT = "ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)"


class FetchOptions(Frozen):
    """The options of `[behaviours.fetch]`, as the real server's command line has them."""

    user_agent: str = _USER_AGENT
    ignore_robots_txt: bool = False
    allow_private_ips: bool = False


class ToolError(Exception):
    """The tool failed; the text is what the agent sees."""


class Web:
    """Reads pages of the documents. A host without any document cannot be reached; on others what is missing is not found."""

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        self._hosts: Derived[frozenset[str]] = Derived(capacity=4)
        self._simplified: Derived[str] = Derived(capacity=64)

    def read(self, documents: Mapping[str, Any], url: str, *, raw: bool) -> tuple[str, str]:
        """Return a notice to put first, and the page's content: Markdown of HTML, anything else as it is.

        Raises:
            ToolError: the page cannot be had.
            PredictionError: the document in the state is not one.
        """
        if not self._options.ignore_robots_txt:
            self._ask_robots(documents, url)
        response = self._request(documents, url)
        if response is None:
            raise ToolError(f"Failed to fetch {url}: ConnectError('[Errno -2] Name or service not known')")
        if response.status >= 400:
            raise ToolError(f"Failed to fetch {url} - status code {response.status}")
        if response.is_html and not raw:
            written = find_document(documents, url)
            source = documents[written[0]] if written else response
            return "", self._simplified.of(source, derive=lambda: _simplify(response.body))
        notice = f"Content type {response.content_type} cannot be simplified to markdown, but here is the raw content:\n"
        return notice, response.body

    def _ask_robots(self, documents: Mapping[str, Any], url: str) -> None:
        parts = urlsplit(url)
        robots_url = urlunsplit((parts.scheme, parts.netloc, "/robots.txt", "", ""))
        response = self._request(documents, robots_url)
        if response is None:
            raise ToolError(f"Failed to fetch robots.txt {robots_url} due to a connection issue")
        if response.status in (401, 403):
            raise ToolError(
                f"When fetching robots.txt ({robots_url}), received status {response.status} so assuming that autonomous fetching is not "
                "allowed, the user can try manually fetching by using the fetch prompt"
            )
        agent = self._options.user_agent
        if not 400 <= response.status < 500 and not may_fetch(response.body, url, agent):
            raise ToolError(
                f"The sites robots.txt ({robots_url}), specifies that autonomous fetching of this page is not allowed, "
                f"<useragent>{agent}</useragent>\n<url>{url}</url><robots>\n{response.body}\n</robots>\n"
                "The assistant must let the user know that it failed to view the page. The assistant may provide further guidance based "
                "on the above information.\nThe assistant can tell the user that they can try manually fetching the page by using the "
                "fetch prompt within their UI."
            )

    def _request(self, documents: Mapping[str, Any], url: str) -> Response | None:
        host = urlsplit(url).hostname or ""
        address = _private_address(host)
        if address and not self._options.allow_private_ips:
            raise ToolError(
                f"Refused to fetch {url}: {host} resolves to {address}, which is not a public address. Start the server with "
                "--allow-private-ips to allow private, loopback and link-local addresses."
            )
        hosts = self._hosts.of(documents, derive=lambda: frozenset(_origin(known) for known in documents))
        if _origin(url) not in hosts:
            return None
        found = find_document(documents, url)
        return Response.of(found[1] if found else Document(status=404))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def _private_address(host: str) -> str | None:
    """The address that the host has by its very name, if it is one that the real server does not fetch from."""
    try:
        address = ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    judged = mapped or address
    if judged.is_global and not judged.is_multicast:
        return None
    return f"::ffff:{mapped}" if mapped else str(address)


def _simplify(html: str) -> str:
    try:
        return simplify(html)
    except Exception as error:  # the real server answers whatever its libraries raise so, and does not say what it was
        raise ToolError from error
