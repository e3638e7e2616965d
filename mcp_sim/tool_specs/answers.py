"""`demonstrations.jsonl` and `frozen.jsonl`: true answers, one a line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.observation import Observation
from mcp_sim.core.offers import PROMPT, READ
from mcp_sim.core.tool_spec import ToolSpec
from mcp_sim.core.transition import Demonstration, FrozenAnswer
from mcp_sim.errors import SchemaBudgetError, SetupError
from mcp_sim.tool_specs.json_text import flaw, kind, parse, read_text, shown
from mcp_sim.tool_specs.suggestion import suggest

_RECORDING_KEYS = ("name", "arguments", "result", "turn", "latency_ms")
_FROZEN_KEYS = ("fingerprint", "occurrence", "changes", "method", "params", "error", "progress")
_OFFERS = {READ: ("uri",), PROMPT: ("name", "arguments")}
_CONFLICT_MARKS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_BLOCKS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}


def read_demonstrations(path: Path, tools: Mapping[str, ToolSpec]) -> tuple[tuple[Demonstration, ...], tuple[str, ...]]:
    """Return the demonstrations in a file of lines `{"name", "arguments", "result"}`, and notices about lines that were passed over.

    A recording is such a file as it is: `turn` and `latency_ms` are ignored, and calls of tools that are not served are passed over.

    Raises:
        SetupError: a line is not of that form.
    """
    demonstrations, notices = [], []
    for line in _lines(path, _RECORDING_KEYS):
        if line.action.name in tools:
            demonstrations.append(Demonstration(action=line.action, observation=line.observation))
        else:
            notices.append(f"{line.where}: passed over, {_no_tool(line, tools)}")
    return tuple(demonstrations), tuple(notices)


def read_frozen(path: Path, tools: Mapping[str, ToolSpec], left_out: frozenset[str] = frozenset()) -> tuple[FrozenAnswer, ...]:
    """Return the pinned answers in a file: lines like demonstrations, with `fingerprint` and `occurrence` where they hold less widely.

    Answers of tools that were left out are passed over: who reads of those knows why.

    Raises:
        SetupError: a line is not of that form, names no tool of this world, breaks the tool's output schema, or contradicts another line.
    """
    answers: dict[tuple[str, str | None, int | None], tuple[FrozenAnswer, str]] = {}
    for line in _lines(path, _RECORDING_KEYS + _FROZEN_KEYS):
        if line.action.is_call and line.action.name not in tools:
            if line.action.name in left_out:
                continue
            raise SetupError(f"{line.where}: {_no_tool(line, tools)}")
        fingerprint, occurrence = line.raw.get("fingerprint"), line.raw.get("occurrence")
        if fingerprint is not None and not (isinstance(fingerprint, str) and fingerprint):
            raise SetupError(f'{line.where}: "fingerprint" is {kind(fingerprint)}, not a text; leave it out to answer in every state.')
        if occurrence is not None and (type(occurrence) is not int or occurrence < 1):
            raise SetupError(f'{line.where}: "occurrence" counts from 1, but is {shown(occurrence)}.')
        changes = line.raw.get("changes")
        if changes is not None and type(changes) is not bool:
            raise SetupError(f'{line.where}: "changes" is {kind(changes)}, not true or false; leave it out for what is usual of the tool.')
        if line.action.is_call:
            _check_structured(line, tools[line.action.name])
        answer = FrozenAnswer(
            action=line.action,
            observation=line.observation,
            fingerprint=fingerprint,
            occurrence=occurrence,
            changes=changes,
            progress=_read_progress(line.raw.get("progress"), line.where),
        )
        key = (answer.action.key, fingerprint, occurrence)
        if key not in answers:
            answers[key] = (answer, line.where)
        elif _spelled(answers[key][0]) != _spelled(answer):
            raise SetupError(f"{line.where}: pins another answer for the same call than {answers[key][1]}. Remove one of the two lines.")
    return tuple(answer for answer, _ in answers.values())


def _spelled(answer: FrozenAnswer) -> str:
    return canonical([answer.observation.to_result(), answer.observation.protocol_error])


@dataclass(frozen=True)
class _Line:
    where: str
    raw: dict[str, JSON]
    action: Action
    observation: Observation


def _lines(path: Path, known: tuple[str, ...]) -> Iterator[_Line]:
    for number, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        where = f"{path}:{number}"
        if text.startswith(_CONFLICT_MARKS):
            raise SetupError(f"{where}: is a mark of a merge conflict ({text[:7]}): keep the answers of one side, and remove the marks.")
        raw = parse(text, path, number)
        yield _read_line(raw, where, known)


def check_frozen(raw: dict[str, JSON], tools: Mapping[str, ToolSpec]) -> None:
    """Check that an object can be a line of `frozen.jsonl`.

    Raises:
        SetupError: it cannot.
    """
    line = _read_line(raw, "this answer", _RECORDING_KEYS + _FROZEN_KEYS)
    if line.action.is_call:
        if line.action.name not in tools:
            raise SetupError(f"{line.where}: {_no_tool(line, tools)}")
        _check_structured(line, tools[line.action.name])


def _read_line(raw: JSON, where: str, known: tuple[str, ...]) -> _Line:
    if not isinstance(raw, dict):
        raise SetupError(f'{where}: is {kind(raw)}, not an object with "name", "arguments" and "result".')
    if reason := flaw(raw):
        raise SetupError(f"{where}: {reason}.")
    for key in raw:
        if key not in known:
            raise SetupError(f"{where}: has the unknown key {shown(key)}. {suggest(key, known)}")
    name, arguments = raw.get("name"), raw.get("arguments")
    if "method" in raw:
        observation = _read_error(raw, where) if "error" in raw else _offer_observation(raw, where)
        return _Line(where, raw, _offer_action(raw, where), observation)
    if not isinstance(name, str):
        raise SetupError(f'{where}: "name" is {kind(name)}, not the name of a tool.')
    if arguments is not None and not isinstance(arguments, dict):
        raise SetupError(f'{where}: "arguments" is {kind(arguments)}, not an object.')
    observation = _read_error(raw, where) if "error" in raw else _observation(raw.get("result"), where)
    return _Line(where, raw, Action.call(name, arguments), observation)


def _read_error(raw: dict[str, JSON], where: str) -> Observation:
    error = raw["error"]
    if "result" in raw:
        raise SetupError(f'{where}: has both "result" and "error": a server answers with one of them.')
    try:
        if not isinstance(error, dict) or not error.keys() <= {"code", "message", "data"}:
            raise ValueError("it is an object with code, message and perhaps data")
        return Observation.of_protocol_error(error)
    except ValueError as reason:
        raise SetupError(f'{where}: "error" is no JSON-RPC error: {reason}.') from reason


def _read_progress(raw: JSON, where: str) -> tuple[dict[str, JSON], ...]:
    kinds: dict[str, Any] = {"progress": (int, float), "total": (int, float), "message": str}
    if raw is not None and not isinstance(raw, list):
        raise SetupError(f'{where}: "progress" is {kind(raw)}, not a list of what was told before the answer.')
    for step in raw or ():
        if not isinstance(step, dict) or "progress" not in step or not step.keys() <= kinds.keys():
            raise SetupError(f'{where}: "progress" is a list of objects with "progress" and perhaps "total" and "message".')
        for name, value in step.items():
            if not isinstance(value, kinds[name]) or isinstance(value, bool):
                raise SetupError(f'{where}: progress: "{name}" is {kind(value)}.')
    return tuple(raw or ())


def _offer_action(raw: dict[str, JSON], where: str) -> Action:
    method, params = raw["method"], raw.get("params")
    if method not in _OFFERS:
        raise SetupError(f'{where}: "method" is {shown(method)}, not {READ} or {PROMPT}; a tool call has "name" and "arguments" instead.')
    if not isinstance(params, dict) or not isinstance(params.get(_OFFERS[method][0]), str) or not set(params) <= set(_OFFERS[method]):
        raise SetupError(f'{where}: "params" is {shown(params)}, not an object with {" and ".join(_OFFERS[method])}.')
    return Action(method=method, params={**params, "arguments": params.get("arguments") or {}} if method == PROMPT else params)


def _offer_observation(raw: dict[str, JSON], where: str) -> Observation:
    result, method = raw.get("result"), raw["method"]
    key = "contents" if method == READ else "messages"
    parts = result.get(key) if isinstance(result, dict) else None
    is_right = _is_resource if method == READ else _is_message
    if not isinstance(result, dict) or not isinstance(parts, list) or not all(is_right(part) for part in parts):
        shape = '"uri" and either "text" or "blob"' if method == READ else '"role" and "content"'
        raise SetupError(f'{where}: "result" of {method} is an object with "{key}", a list of objects with {shape}.')
    return Observation.of_offer(result)


def _is_message(value: JSON) -> bool:
    return isinstance(value, dict) and value.get("role") in ("user", "assistant") and isinstance(value.get("content"), dict)


def _observation(result: JSON, where: str) -> Observation:
    if not isinstance(result, dict):
        raise SetupError(f'{where}: "result" is {kind(result)}, not an object with "content".')
    if "content" not in result and "structuredContent" not in result:
        near = next((key for key in result if suggest(key, ("content",), "")), None)
        slip = f"; did {shown(near)} mean that?" if near else ". An empty answer says so: []."
        raise SetupError(f'{where}: "result" has no "content"{slip}')
    try:
        observation = Observation.of_result(result)
    except ValidationError as error:
        first: Any = error.errors()[0]
        raise SetupError(f"{where}: result: {'.'.join(str(part) for part in first['loc'])}: {first['msg']}.") from error
    for position, block in enumerate(observation.content, start=1):
        block_kind = block.get("type")
        if not isinstance(block_kind, str) or block_kind not in _BLOCKS:
            raise SetupError(f"{where}: content block {position} has the type {shown(block_kind)}; known are {', '.join(_BLOCKS)}.")
        missing = next((key for key in _BLOCKS[block_kind] if not isinstance(block.get(key), str)), None)
        if missing is None and block_kind == "resource" and not _is_resource(block.get("resource")):
            missing = "resource"
        if missing is not None:
            hint = ' with "uri" and either "text" or "blob"' if missing == "resource" else ""
            raise SetupError(f'{where}: content block {position} of type {block_kind} needs "{missing}"{hint}.')
    return observation


def _is_resource(value: JSON) -> bool:
    return (
        isinstance(value, dict) and isinstance(value.get("uri"), str) and any(isinstance(value.get(key), str) for key in ("text", "blob"))
    )


def _no_tool(line: _Line, tools: Mapping[str, ToolSpec]) -> str:
    return f"this world has no tool {shown(line.action.name)}. {suggest(line.action.name, tools, 'Remove the line.')}"


def _check_structured(line: _Line, tool: ToolSpec) -> None:
    if tool.output_check is None or line.observation.is_error:
        return
    if not line.observation.has_structured_content:
        raise SetupError(f'{line.where}: {tool.name} has an output schema, so that clients want "structuredContent" in the result.')
    try:
        problems = tool.output_check.problems(line.observation.structured_content)
    except SchemaBudgetError as error:
        raise SetupError(f"{line.where}: structuredContent: {error}") from error
    if problems:
        place = "/".join(["structuredContent", *map(str, problems[0].path)])
        raise SetupError(f"{line.where}: {place} breaks the output schema of {tool.name}: {problems[0].message}.")
