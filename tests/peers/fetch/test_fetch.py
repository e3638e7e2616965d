"""The same pages fetched by the real mcp-server-fetch from a web server on this machine, and by ours from the state."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_sim.predictors.behaviours.documents import Document
from mcp_sim.predictors.behaviours.fetch.behaviour import FetchBehaviour
from mcp_sim.predictors.behaviours.fetch.response import Response
from tests.peers.pip_server import pip_server
from tests.predictors.behaviours.play import Play, begin
from tests.raw_server import RawServer

pytestmark = pytest.mark.peers

words = st.sampled_from("tide quay *bold* _x_ <b> & 5 < 6 “é” 湾 # - 1. `code` | [link](x) \\ \u00a0 ﬁ".split(" "))
texts = st.lists(st.lists(words, min_size=1, max_size=12).map(" ".join), max_size=5).map("\n\n".join)
tags = st.sampled_from("p h1 h2 ul li a em strong code pre blockquote table tr td script div span article nav br img hr".split())
html = st.recursive(
    texts, lambda inner: st.tuples(tags, st.lists(inner, max_size=3)).map(lambda t: f"<{t[0]}>{''.join(t[1])}</{t[0]}>"), max_leaves=6
)
documents = st.one_of(
    st.fixed_dictionaries({"title": words, "text": texts}),
    st.fixed_dictionaries({"html": html.map(lambda body: f"<html><head><title>t</title></head><body>{body}</body></html>") | html}),
    st.fixed_dictionaries(
        {"text": texts | st.just('{"a": 1}') | html, "content_type": st.sampled_from(["application/json", "text/plain; charset=utf-8"])}
    ),
    st.fixed_dictionaries({"status": st.sampled_from([400, 403, 404, 410, 500, 503])}),
)
robots = st.sampled_from(
    [
        {"status": 404},
        {"status": 403},
        {"text": "User-agent: *\nDisallow: /b\n# Disallow: /\n", "content_type": "text/plain; charset=utf-8"},
        {"text": "User-agent: ModelContextProtocol\nDisallow: /\nAllow: /a\n", "content_type": "text/plain; charset=utf-8"},
        {"text": "", "content_type": "text/plain; charset=utf-8"},
    ]
)
sites = st.fixed_dictionaries({"/robots.txt": robots, "/a": documents, "/b": documents, "/c/d": documents})
calls = st.fixed_dictionaries(
    {"url": st.sampled_from(["/a", "/b", "/c/d", "/nope", "/a?q=1", "/b#part", "", "/é x"])},
    optional={"max_length": st.sampled_from([1, 7, 40, 5000]), "start_index": st.sampled_from([0, 3, 40, 10_000]), "raw": st.booleans()},
)


WITHOUT_NODE = {"PATH": ""}
"""Where the real server finds Node, it installs and runs Readability; without, it simplifies in Python, as we do."""


class Site(BaseHTTPRequestHandler):
    pages: dict[str, Document] = {}

    def do_GET(self) -> None:
        response = Response.of(self.pages.get(self.path, Document(status=404)))
        body = response.body.encode()
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_same_results_as_the_real_server(origin: str, pytestconfig: pytest.Config) -> None:
    python = pip_server(pytestconfig, "mcp-server-fetch", "mcp-server-fetch==2026.10.24")
    compared = 0
    with RawServer([python, "-m", "mcp_server_fetch", "--allow-private-ips"], WITHOUT_NODE) as real:

        @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
        @given(sites, st.lists(calls, min_size=6, max_size=10))
        def compare(site: dict[str, dict[str, Any]], program: list[dict[str, Any]]) -> None:
            nonlocal compared
            Site.pages = {path: Document.model_validate(document) for path, document in site.items()}
            ours = Play(
                FetchBehaviour({"allow_private_ips": True}),
                begin({"documents": {origin + path: document for path, document in site.items()}}),
            )
            for call in program:
                arguments = {**call, "url": origin + call["url"]}
                assert ours.call("fetch", **arguments) == real.call("fetch", arguments), arguments
                compared += 1

        compare()
        for url in [
            "http://nohost.invalid/x",
            "ftp://a.invalid/y",
            "mailto:a@b.invalid",
            "not a url",
            "",
            "file:///etc/passwd",
            "http://a:99999/",
        ]:
            ours = Play(FetchBehaviour({}), begin({"documents": {"https://a.example/": {"text": "x"}}}))
            assert ours.call("fetch", url=url) == real.call("fetch", {"url": url}), url
    print(f"{compared} calls compared")  # noqa: T201
    assert compared >= 700


def test_private_addresses_are_refused_as_the_real_server_does(origin: str, pytestconfig: pytest.Config) -> None:
    python = pip_server(pytestconfig, "mcp-server-fetch", "mcp-server-fetch==2026.10.24")
    ours = Play(FetchBehaviour({}), begin({"documents": {origin + "/a": {"text": "x"}}}))
    with RawServer([python, "-m", "mcp_server_fetch"], WITHOUT_NODE) as real:
        for url in [
            origin + "/a",
            "http://10.1.2.3/",
            "http://[::1]:1/x",
            "http://2130706433/",
            "http://[::ffff:192.168.0.1]/",
            "http://169.254.169.254/latest",
        ]:
            assert ours.call("fetch", url=url) == real.call("fetch", {"url": url}), url
