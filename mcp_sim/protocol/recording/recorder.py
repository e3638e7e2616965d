"""What a real server answered, kept at once as a world: its lists, frozen answers, demonstrations, and a session."""

import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.frozen_settings import RedactionSettings
from mcp_sim.core.observation import Observation
from mcp_sim.core.redaction import Redaction
from mcp_sim.core.refusal import admit
from mcp_sim.core.secret_forms import with_forms
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Demonstration, FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError
from mcp_sim.protocol.recording.heard import Heard
from mcp_sim.protocol.recording.pages import LIST_KEYS, items_of, merged
from mcp_sim.sessions.kept_session import KeptSession
from mcp_sim.tool_specs.answers import check_frozen
from mcp_sim.tool_specs.freezing import write_line
from mcp_sim.tool_specs.guessing import guess_settings
from mcp_sim.tool_specs.listing import read_server
from mcp_sim.tool_specs.mending import mend_all
from mcp_sim.tool_specs.recorded_folder import RecordedFolder

logger = logging.getLogger(__name__)

_Progress = tuple[dict[str, JSON], ...]


class Recorder:
    """Keeps a recording in a world folder and a session file, each thing in the moment in which it is known.

    Nothing of it is written before the tools are known: whether a call changes state depends on them. Until then answers wait in memory.
    `notices` say what could not be kept.
    """

    def __init__(
        self,
        folder: Path,
        load: Callable[[], World],
        place_session: Callable[[World], Path],
        *,
        redaction: RedactionSettings | None,
        secrets: Iterable[str] = (),
        command: Sequence[str] = (),
    ) -> None:
        """Begin, or go on in a world folder that exists, with the key and the patterns that it has beside those of `redaction`.

        Raises:
            SetupError: the folder holds a world that cannot be read, or a pattern of the redaction is wrong.
        """
        self._load, self._place_session, self._command = load, place_session, command
        self._folder = RecordedFolder(folder)
        world = load() if self._folder.exists else None
        self._settings = _joined(redaction, world)
        self._secrets = set(with_forms(secrets))
        self._redaction = Redaction(self._settings, self._secrets) if self._settings.key else None
        self._world: World | None = None
        self._server: JSON = None
        self._pages = self._folder.read_lists()
        self._waiting: list[tuple[Action, Heard]] = []
        self._answered: list[tuple[Action, Observation, _Progress]] = []
        self.notices: dict[str, int] = {}
        if world is not None:
            self._enter(world)

    @property
    def is_waiting(self) -> bool:
        """Whether there are answers that cannot be kept before the tools are known."""
        return self._world is None and bool(self._waiting)

    @property
    def world(self) -> World | None:
        """The world that is recorded, once its tools are known."""
        return self._world

    @property
    def turns(self) -> int:
        """How many answers the session has."""
        return len(self._answered)

    @property
    def answers(self) -> int:
        """How many frozen answers there are."""
        return self._folder.answers

    @property
    def session_path(self) -> Path | None:
        """Where the session is kept, once there is one."""
        return None if self._world is None else self._place_session(self._world)

    def keep_greeting(self, result: dict[str, JSON]) -> None:
        """Keep what the server says of itself: a result of `initialize` or `server/discover`."""
        self._server = self._listed(result)
        if self._world is not None:
            self._write_lists()

    def keep_page(self, method: str, result: dict[str, JSON], *, is_first: bool) -> None:
        """Keep a page of a list. What an earlier listing had and this one has not stays, since it may have been called."""
        key = LIST_KEYS[method]
        page = self._listed(result)
        if not isinstance(page.get(key), list):
            return
        before = self._pages.get(method, {})
        after = merged(before, page, key, is_first=is_first)
        if after != before:
            self._pages[method] = after
            self._write_lists()

    def keep_answer(self, action: Action, heard: Heard) -> None:
        """Keep what was answered. Answers come in the order of their questions."""
        if self._world is None:
            self._waiting.append((action, heard))
        else:
            self._keep(self._world, action, heard)

    def skip(self, reason: str) -> None:
        """Take note of something that is not kept."""
        self.notices[reason] = self.notices.get(reason, 0) + 1

    def settle(self) -> None:
        """Put the answers in their order in the file: the recording is over."""
        if self._world is not None:
            self._folder.settle()

    def _listed(self, result: dict[str, JSON]) -> dict[str, JSON]:
        listed: dict[str, JSON] = result if self._redaction is None else self._redaction.listing(result)
        return listed

    def _write_lists(self) -> None:
        if "tools/list" not in self._pages:
            return
        is_new = not self._folder.exists
        self._folder.write_lists(self._pages, self._server)
        if is_new:
            self._folder.change_settings(self._first_settings(self._pages["tools/list"]))
        world = self._load()
        if self._world is None or world.tools_hash != self._world.tools_hash:
            self._enter(world)

    def _first_settings(self, tools: dict[str, JSON]) -> dict[str, JSON]:
        served, _ = mend_all(items_of(tools, "tools"))
        info, _, _ = read_server(self._server if isinstance(self._server, dict) else {})
        return guess_settings(served, str(info.get("title") or info.get("name") or ""), self._command, recorded=True)

    def _enter(self, world: World) -> None:
        """Go on in a world whose tools or settings are new to us: what was answered before is put down anew."""
        if self._settings.key and world.settings.frozen.redaction != self._settings:
            table = {name: value for name, value in self._settings.model_dump(mode="json").items() if value}
            self._folder.change_settings({"frozen": {"redaction": table}})
            world = self._load()
        if self._world is None:
            self._folder = RecordedFolder(self._folder.path, world.frozen, world.demonstrations)
        path = self._place_session(world)
        path.parent.mkdir(parents=True, exist_ok=True)
        if self._world is not None:
            self._place_session(self._world).unlink(missing_ok=True)
        self._world = world
        self._kept = KeptSession(world, path.stem, path)
        self._session = Session.begin(world, path.stem)
        self._seen: dict[tuple[str, str], Observation] = {}
        answered, self._answered = self._answered, []
        for action, observation, progress in answered:
            self._put_down(world, action, observation, progress)
        waiting, self._waiting = self._waiting, []
        for action, heard in waiting:
            self.keep_answer(action, heard)

    def _keep(self, world: World, action: Action, heard: Heard) -> None:
        try:
            action, observation = self._read(world, action, heard)
            progress = self._read_progress(heard)
            if not (action.is_call and action.name not in world.tools_by_name):
                check_frozen(write_line(FrozenAnswer(action=action, observation=observation, progress=progress)), world.tools_by_name)
        except (McpSimError, ValueError, RecursionError) as error:
            self.skip(f"an answer of {action.name} is not kept: {_first_line(error)}")
            return
        before = self._seen.get((self._session.fingerprint, action.key))
        is_known = action.is_call and action.name in world.tools_by_name
        if before in (None, observation) or not is_known or world.is_volatile(action) or before.protocol_error is not None:
            self._put_down(world, action, observation, progress)
        elif observation.protocol_error is not None:  # why: it is the server that failed, and the next time it may not
            self.skip(f"an error of {action.name}, which it has answered before: {observation.text}")
        else:
            self._answered.append((action, observation, progress))
            self._mark_volatile(world, action.name)

    def _read_progress(self, heard: Heard) -> _Progress:
        return heard.progress if self._redaction is None else tuple(self._redaction.value(step) for step in heard.progress)

    def _read(self, world: World, action: Action, heard: Heard) -> tuple[Action, Observation]:
        body = heard.body
        tool = world.tools_by_name.get(action.name)
        if tool is not None:  # what a simulated server sees is what is looked up again
            arguments, problems = admit(world.settings.errors, tool.input_check, action.arguments)
            if not problems:
                action = Action.call(action.name, arguments)
        if self._redaction is not None:
            action, body = self._redaction.action(action), self._redaction.result(body)
            if self._secrets:
                self._keep_literals(f"{action.params}{body}")
        if heard.is_error:
            return action, Observation.of_protocol_error(body)
        return action, Observation.of_result(body) if action.is_call else Observation.of_offer(body)

    def _keep_literals(self, text: str) -> None:
        """Let a replay find those secrets again that have no shape, once one was met."""
        assert self._redaction is not None
        met = self._redaction.met(text)
        if not met <= set(self._settings.literals):
            self._settings = self._settings.model_copy(update={"literals": tuple(sorted({*self._settings.literals, *met}))})
            self._folder.change_settings({"frozen": {"redaction": {"literals": list(self._settings.literals)}}})

    def _mark_volatile(self, world: World, tool: str) -> None:
        self.skip(f"{tool} answered the same call in the same state differently: it is volatile in world.toml")
        self._folder.forget_answers(tool)
        self._folder.change_settings({"volatile": sorted({*world.settings.volatile, _literal(tool)})})
        self._enter(self._load())
        self._folder.settle()

    def _put_down(self, world: World, action: Action, observation: Observation, progress: _Progress) -> None:
        is_known = not action.is_call or action.name in world.tools_by_name
        transition = self._session.transition(action, observation, "real", changes=None if is_known else False)
        fingerprint = self._session.fingerprint
        if self._seen.setdefault((fingerprint, action.key), observation).protocol_error is not None:
            self._seen[fingerprint, action.key] = observation
        self._kept.append(transition, alone=False)
        self._session = self._session.append(transition)
        self._answered.append((action, observation, progress))
        if is_known:
            self._folder.add_answer(
                FrozenAnswer(
                    action=action,
                    observation=observation,
                    fingerprint=fingerprint,
                    occurrence=transition.occurrence or None,
                    progress=progress,
                )
            )
        if action.is_call and is_known and observation.protocol_error is None:
            self._folder.add_demonstration(Demonstration(action=action, observation=observation))


def _joined(redaction: RedactionSettings | None, world: World | None) -> RedactionSettings:
    own = RedactionSettings() if world is None else world.settings.frozen.redaction
    if redaction is None:
        return RedactionSettings()
    patterns = tuple(dict.fromkeys((*own.patterns, *redaction.patterns)))
    return RedactionSettings(key=own.key or redaction.key, patterns=patterns, literals=own.literals)


def _literal(name: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
