"""What is simulated."""

from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Literal

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical, digest
from mcp_sim.core.frozen_settings import FrozenSettings
from mcp_sim.core.model import Frozen
from mcp_sim.core.model_settings import ModelSettings
from mcp_sim.core.offers import Offers
from mcp_sim.core.redaction import identify
from mcp_sim.core.shadow_settings import ShadowSettings
from mcp_sim.core.state import EMPTY_STATE, State, thaw
from mcp_sim.core.tool_hint import ToolHint
from mcp_sim.core.tool_spec import ToolSpec, asks_dry_run
from mcp_sim.core.transition import Demonstration, FrozenAnswer

Domain = Literal["mcp", "search", "terminal", "swe", "android", "web", "os"]
ErrorStyle = Literal["zod", "pydantic", "jsonschema"]


class LeftOut(Frozen):
    """A tool beyond repair, and why it is not served."""

    name: str
    reason: str


class Settings(Frozen):
    """What `world.toml` says. Globs match tool names, case counts.

    `errors` is the wording of refusals; `mutating`, `reading` and `volatile` overrule what annotations and names say; `clock` is the
    world's time before anything has changed; `behaviours` names the behaviours that answer, in order of precedence, each with its options;
    `shared` names text files in the world's folder or the one above it: background that several worlds have in common.
    `model` is for the language model, `frozen` for how frozen answers are matched, `shadow` for a real server behind the simulated one;
    `tools` corrects, by exact name, what is worked out about a tool.
    """

    title: str = ""
    domain: Domain = "mcp"
    errors: ErrorStyle = "zod"
    mutating: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    volatile: tuple[str, ...] = ()
    clock: datetime = datetime(2026, 1, 1, 9, 0, 0, tzinfo=UTC)
    behaviours: dict[str, dict[str, JSON]] = {}
    shared: tuple[str, ...] = ()
    model: ModelSettings = ModelSettings()
    frozen: FrozenSettings = FrozenSettings()
    shadow: ShadowSettings = ShadowSettings()
    tools: dict[str, ToolHint] = {}


class World(Frozen):
    """A set of tools with a background and a first state. `key` is a stable id for keeping sessions apart from other worlds',
    `source` what it was loaded from: a bundled world's name or an absolute path. `effects` and `volatile_tools` are what the behaviours
    that answer in it say of their tools: whether a call may change state, and which answer differently each time.
    `background` holds the texts of `shared` as well. Several worlds put together are one World too, with each of them in `parts`, whose
    tools are called as they are served; `own_names` says what a tool or prompt is called in its own server, where that differs.
    """

    name: str
    key: str
    source: str = ""
    tools: tuple[ToolSpec, ...]
    offers: Offers = Offers()
    left_out: tuple[LeftOut, ...] = ()
    settings: Settings = Settings()
    background: str = ""
    first_state: State = EMPTY_STATE
    demonstrations: tuple[Demonstration, ...] = ()
    frozen: tuple[FrozenAnswer, ...] = ()
    server_info: dict[str, JSON] = {}
    instructions: str | None = None
    notices: tuple[str, ...] = ()
    effects: dict[str, bool] = {}
    volatile_tools: frozenset[str] = frozenset()
    shared: tuple[str, ...] = ()
    own_names: dict[str, str] = {}
    parts: tuple["World", ...] = ()

    @cached_property
    def tools_by_name(self) -> dict[str, ToolSpec]:
        """The served tools by name."""
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def demonstrations_by_tool(self) -> dict[str, tuple[Demonstration, ...]]:
        """The demonstrations of each tool, in the world's order."""
        grouped: dict[str, list[Demonstration]] = {}
        for demonstration in self.demonstrations:
            grouped.setdefault(demonstration.action.name, []).append(demonstration)
        return {name: tuple(items) for name, items in grouped.items()}

    @cached_property
    def first_state_hash(self) -> str:
        """The hash of the first state: where every fingerprint of this world starts."""
        return digest("first state", canonical(thaw(self.first_state)))

    @cached_property
    def tools_hash(self) -> str:
        """The hash of the tools' names and schemas. Descriptions are not in it: editing one invalidates no session."""
        return digest("tools", canonical([[tool.name, tool.input_schema, tool.output_schema] for tool in self.tools]))

    def part_of(self, action: Action) -> "World":
        """The one of several worlds put together that the action is about: its settings and examples count. The first if it is unknown."""
        if not self.parts:
            return self
        if action.is_call:
            return self._parts_by_tool.get(action.name, self.parts[0])
        return next((part for part in self.parts if part.offers.has(action) or part.pins(action)), self.parts[0])

    @cached_property
    def _parts_by_tool(self) -> dict[str, "World"]:
        return {name: part for part in self.parts for name in part.tools_by_name}

    def pins(self, action: Action) -> bool:
        """Whether a frozen answer names this very action, in whatever state; what was left out of it as a secret does not count."""
        return bool(self.frozen) and identify(action, self.settings.frozen.redaction) in self._pinned

    @cached_property
    def _pinned(self) -> frozenset[str]:
        return frozenset(identify(answer.action, self.settings.frozen.redaction) for answer in self.frozen)

    def mutates(self, action: Action) -> bool:
        """Whether the action may change state: by its behaviour, else by `world.toml`, else by the tool itself. A dry run never does."""
        if action.method != "tools/call" or asks_dry_run(action.arguments):
            return False
        if action.name in self.effects:
            return self.effects[action.name]
        if _any_matches(self.settings.mutating, action.name):
            return True
        if _any_matches(self.settings.reading, action.name):
            return False
        tool = self.tools_by_name.get(action.name)
        return tool is None or tool.mutates

    def is_volatile(self, action: Action) -> bool:
        """Whether the same call in the same state may be answered differently each time (clocks, polling, counting)."""
        return action.name in self.volatile_tools or _any_matches(self.settings.volatile, action.name)


def _any_matches(globs: tuple[str, ...], name: str) -> bool:
    return bool(globs) and any(fnmatchcase(name, glob) for glob in globs)
