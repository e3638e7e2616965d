"""Messages that pass by, and which of them belong together."""

import json
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.offers import PROMPT, READ
from mcp_sim.protocol.recording.heard import Heard
from mcp_sim.protocol.recording.pages import LIST_KEYS
from mcp_sim.protocol.recording.recorder import Recorder

logger = logging.getLogger(__name__)

_ACTIONS = ("tools/call", READ, PROMPT)
_GREETINGS = ("initialize", "server/discover")
_MOST_PENDING = 10_000
_MOST_HELD = 16
"""How many answers may wait for that of an earlier question before they are kept without it."""
_PROGRESS = {"progress": (int, float), "total": (int, float), "message": (str,)}
_MOST_PROGRESS = 100
"""How many steps of progress are kept of one answer."""
_MOST_BYTES = 64 * 1024 * 1024


@dataclass(slots=True)
class _Question:
    """A request on its way. `is_over` once it was answered, refused or taken back; `is_late` when the others no longer wait for it."""

    method: str
    params: dict[str, JSON]
    answer: dict[str, JSON] | None = None
    error: dict[str, JSON] | None = None
    progress: list[dict[str, JSON]] = field(default_factory=list)
    is_over: bool = False
    is_late: bool = False


class ReadingAlong:
    """Pairs requests of clients with the results of the server and gives them to a recorder, in the order of the requests.

    `connection` tells apart clients that may use the same ids. What is no message, or none that is kept, is passed over. A fault while
    recording is told once and ends the recording; whoever forwards the messages never hears of it.
    """

    def __init__(self, recorder: Recorder, on_fault: Callable[[str], None], on_waiting: Callable[[], None]) -> None:
        self._recorder = recorder
        self._on_fault = on_fault
        self._on_waiting: Callable[[], None] | None = on_waiting
        self._is_broken = False
        self._pending: dict[tuple[str, str], _Question] = {}
        self._queue: deque[_Question] = deque()
        self._watched: dict[tuple[str, str], _Question] = {}

    def client_said(self, text: bytes, connection: str = "") -> None:
        """Read a message, or a batch of them, on its way to the server."""
        self._read(text, lambda message: self._take_request(message, connection))

    def server_said(self, text: bytes, connection: str = "") -> None:
        """Read a message, or a batch of them, on its way to a client."""
        self._read(text, lambda message: self._take_response(message, connection))

    def join(self, connection: str, other: str) -> None:
        """Let what was asked on a connection be answered on another one."""
        for questions in (self._pending, self._watched):
            for key in [key for key in questions if key[0] == connection]:
                questions[other, key[1]] = questions.pop(key)

    def give_up(self, text: bytes, connection: str) -> None:
        """Take back what was asked in a message: it never reached the server, or came to nothing."""
        self._read(text, lambda message: self._end(self._pending.pop(_key(connection, message.get("id")), None)))

    def close(self) -> None:
        """Keep what was answered, whatever is still missing before it."""
        if not self._is_broken:
            try:
                self._flush(all_of_them=True)
                self._recorder.settle()
            except Exception as error:
                self._break(error)

    def _read(self, text: bytes, take: Callable[[dict[str, Any]], None]) -> None:
        if self._is_broken or not text.strip():
            return
        if len(text) > _MOST_BYTES:
            self._recorder.skip("a message of more than 64 MB")
            return
        try:
            found: Any = json.loads(text)
        except (ValueError, RecursionError):
            self._recorder.skip("a line that is no JSON")
            return
        try:
            for message in found if isinstance(found, list) else [found]:
                if isinstance(message, dict):
                    take(message)
        except Exception as error:
            self._break(error)

    def _break(self, error: Exception) -> None:
        logger.debug("the recording ended", exc_info=error)
        self._is_broken = True
        self._on_fault(f"nothing more is recorded: {error or type(error).__name__}. The server is served on as before.")

    def _take_request(self, message: dict[str, Any], connection: str) -> None:
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "notifications/cancelled":
            self._end(self._pending.pop(_key(connection, params.get("requestId")), None))
        if not isinstance(method, str) or "id" not in message:
            return
        if method not in (*_ACTIONS, *LIST_KEYS, *_GREETINGS):
            return
        if len(self._pending) >= _MOST_PENDING:
            self._end(self._pending.pop(next(iter(self._pending))))
        question = _Question(method, params)
        self._pending[_key(connection, message["id"])] = question
        if method in _ACTIONS:
            self._queue.append(question)
            meta = params.get("_meta")
            if isinstance(meta, dict) and "progressToken" in meta:
                self._watched[_key(connection, meta["progressToken"])] = question

    def _take_response(self, message: dict[str, Any], connection: str) -> None:
        if message.get("method") == "notifications/progress":
            self._take_progress(message.get("params"), connection)
        if "method" in message or "id" not in message:
            return
        question = self._pending.pop(_key(connection, message["id"]), None)
        result = message.get("result")
        if question is None:
            return
        if not isinstance(result, dict):
            error = message.get("error")
            question.error = error if isinstance(error, dict) else None
        elif question.method in _GREETINGS:
            self._recorder.keep_greeting(result)
        elif question.method in LIST_KEYS:
            self._recorder.keep_page(question.method, result, is_first=not question.params.get("cursor"))
        else:
            question.answer = result
        self._end(question)

    def _take_progress(self, params: JSON, connection: str) -> None:
        question = self._watched.get(_key(connection, params.get("progressToken"))) if isinstance(params, dict) else None
        if question is None or len(question.progress) >= _MOST_PROGRESS:
            return
        step = {name: params[name] for name, kind in _PROGRESS.items() if type(params.get(name)) in kind}
        if "progress" in step:
            question.progress.append(step)

    def _end(self, question: _Question | None) -> None:
        if question is not None:
            question.is_over = True
            for key in [key for key, watched in self._watched.items() if watched is question]:
                del self._watched[key]
            if question.is_late:
                self._queue.append(question)
            self._flush()

    def _flush(self, *, all_of_them: bool = False) -> None:
        while self._queue and not self._queue[0].is_over and sum(question.is_over for question in self._queue) > _MOST_HELD:
            self._queue.popleft().is_late = True
        while self._queue and (self._queue[0].is_over or all_of_them):
            question = self._queue.popleft()
            if question.answer is not None or question.error is not None:
                self._keep(question)

    def _keep(self, question: _Question) -> None:
        action, result = _action(question), question.answer
        progress = tuple(question.progress)
        if result is None:
            if action is not None and question.error is not None:
                self._tell(action, Heard(question.error, is_error=True, progress=progress))
            return
        kept = {READ: ("contents",), PROMPT: ("messages",)}.get(question.method, ("content", "structuredContent"))
        if action is None or result.get("resultType", "complete") != "complete" or not any(key in result for key in kept):
            self._recorder.skip(f"an answer of {question.params.get('name') or question.method} that is no result yet (a task, a question)")
            return
        result = {key: value for key, value in result.items() if key not in ("_meta", "resultType")}
        self._tell(action, Heard(result, progress=progress))

    def _tell(self, action: Action, heard: Heard) -> None:
        self._recorder.keep_answer(action, heard)
        if self._recorder.is_waiting and self._on_waiting is not None:
            tell, self._on_waiting = self._on_waiting, None
            tell()


def _action(question: _Question) -> Action | None:
    name, uri, arguments = (question.params.get(key) for key in ("name", "uri", "arguments"))
    if question.method == READ:
        return Action(method=READ, params={"uri": uri}) if isinstance(uri, str) else None
    if not isinstance(name, str) or not isinstance(arguments, dict | None):
        return None
    if question.method == PROMPT:
        return Action(method=PROMPT, params={"name": name, "arguments": arguments or {}})
    return Action.call(name, arguments)


def _key(connection: str, request_id: JSON) -> tuple[str, str]:
    return connection, json.dumps(request_id)
