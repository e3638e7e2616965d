"""An HTTP server of a few lines, for what no proper server would do."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Request:
    """What was sent: `message` is the JSON of a POST."""

    method: str
    path: str
    headers: Mapping[str, str]
    message: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What is sent back."""

    status: int = 200
    body: str = ""
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def result(cls, request: Request, result: Any, **fields: Any) -> "Answer":
        """Return the JSON-RPC response with this result."""
        return cls(body=json.dumps({"jsonrpc": "2.0", "id": request.message["id"], "result": result}), **fields)

    @classmethod
    def error(cls, request: Request, code: int, message: str, status: int = 200, data: Any = None) -> "Answer":
        """Return the JSON-RPC error response."""
        error = {"code": code, "message": message, **({} if data is None else {"data": data})}
        return cls(status, json.dumps({"jsonrpc": "2.0", "id": request.message["id"], "error": error}))


@contextmanager
def answering(answer: Callable[[Request], Answer]) -> Iterator[str]:
    """Serve on a free port, and give the URL."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def respond(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length", 0)))
            given = answer(Request(self.command, self.path, self.headers, json.loads(data or b"{}")))  # type: ignore[arg-type]
            body = given.body.encode()
            self.send_response(given.status)
            for name, value in {"content-type": given.kind, **given.headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET = do_DELETE = respond  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
