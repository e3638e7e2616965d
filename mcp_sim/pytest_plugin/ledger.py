"""What all tests of a run used, world by world, and what is to be frozen after it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mcp_sim.api.coverage import Coverage
from mcp_sim.assemble.options import RealOptions
from mcp_sim.assemble.real import read_real, redact_world
from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.redaction import Redaction
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.predictors.sameness import Sameness
from mcp_sim.tool_specs.bundled import WORLD_NAME, bundled_worlds
from mcp_sim.tool_specs.combining import combine, with_frozen
from mcp_sim.tool_specs.frozen_file import Pinned, pin
from mcp_sim.tool_specs.world_folder import find_world, load_source, load_world

_MODES = ("frozen", "refresh", "live")


class Ledger:
    """The worlds of one process of a run. `seed`, `model` and `real` (`WORLD=SERVER`) are what the command line says."""

    def __init__(self, worlds_folder: Path, mode: str, seed: int | None, model: str | None, real: Iterable[str] = ()) -> None:
        self.seed = seed
        self.model = model
        self._mode = mode
        self._real = {name: read_real(server) for name, _, server in (text.partition("=") for text in real)}
        self._redactions: dict[str, Redaction] = {}
        self._folder = worlds_folder
        self._worlds: dict[str, World] = {}
        self._coverage: dict[str, Coverage] = {}
        self._pinned: list[Pinned] = []
        self._problems: list[str] = []

    def real(self, name: str | Path) -> RealOptions | None:
        """The real server that answers what is missing in a world."""
        return self._real.get(str(name))

    def check_mode(self, mode: str | None) -> str:
        """Return the mode, or that of the run.

        Raises:
            SetupError: there is no such mode.
        """
        if mode is not None and mode not in _MODES:
            raise SetupError(f"mode={mode!r}: use one of {', '.join(_MODES)}.")
        return mode or self._mode

    def load(self, name: str | Path, *, refresh: bool = False) -> World:
        """Return a world: the project's own of that name, else any other. With `refresh`, it has what was pinned so far as well.

        Raises:
            SetupError: there is no such world, something in it is wrong, or its answers cannot be frozen.
        """
        key = str(name)
        if key not in self._worlds:
            self._worlds[key] = self._load(name)
            if (real := self.real(name)) is not None:
                self._worlds[key], self._redactions[self._worlds[key].source] = redact_world(self._worlds[key], real)
        world = self._worlds[key]
        self._coverage.setdefault(world.source, Coverage(world))
        if not refresh:
            return world
        self._places(world)
        return with_frozen(world, self._coverage[world.source].pinned)

    def _load(self, name: str | Path) -> World:
        if isinstance(name, str) and "+" in name and not Path(name).exists():
            return combine([self._load(part.strip()) for part in name.split("+")])
        own = self._folder / name if isinstance(name, str) and WORLD_NAME.fullmatch(name) else None
        return load_world(own if own is not None and (own / "tools.json").is_file() else name)

    def count(self, source: str, coverage: Coverage, *, keep_pins: bool) -> None:
        """Add what a test used. What was imagined for a failed one is not to be frozen."""
        self._coverage[source].add({**coverage.to_json(), **({} if keep_pins else {"pinned": []})})

    def may_keep(self, source: str) -> bool:
        """Whether sessions of a world may be kept as they are: not where a real server answered, which may have told secrets."""
        return source not in self._redactions

    def to_json(self) -> dict[str, JSON]:
        """Return all counts as plain JSON, to be carried to the process that reports."""
        return {source: coverage.to_json() for source, coverage in self._coverage.items()}

    def add(self, counts: dict[str, Any]) -> None:
        """Add what `to_json` returned in a worker."""
        for source, of_world in counts.items():
            if source not in self._coverage:
                self._coverage[source] = Coverage(load_source(source))
            self._coverage[source].add(of_world)

    def write(self) -> bool:
        """Write what was pinned into the worlds' folders; return whether nothing contradicted anything."""
        for coverage in self._coverage.values():
            answers, conflicts = settle(coverage.world, coverage.pinned)
            self._problems += conflicts
            if answers:
                try:
                    self._pinned += pin(coverage.world, answers, self._places(coverage.world), self._redactions.get(coverage.world.source))
                except SetupError as error:
                    self._problems.append(str(error))
        return not self._problems

    def report(self, *, whole: bool) -> Iterator[str]:
        """Say what was used and written. What was never used is listed if the `whole` of the tests ran."""
        for coverage in self._coverage.values():
            if coverage.answers or coverage.misses or coverage.failures:
                yield f"{coverage.world.name} ({coverage.world.source})"
                yield from (f"  {line}" for line in coverage.report() if whole or "never used" not in line)
        for pinned in self._pinned:
            yield from pinned.report()
        yield from (f"- {problem}" for problem in self._problems)

    def _places(self, world: World) -> dict[str, Path]:
        return {part.key: self._place(part) for part in world.parts or (world,)}

    def _place(self, world: World) -> Path:
        """The folder for a world's answers: its own, or a new one in the project for a bundled world, which then takes its place."""
        if world.source in bundled_worlds():
            return self._folder / world.name
        folder = find_world(world.source)
        if not folder.is_dir():
            raise SetupError(f"{folder} is a mere file of tools: put it into a folder, as {self._folder / world.name / 'tools.json'}.")
        return folder


def settle(world: World, answers: list[FrozenAnswer]) -> tuple[list[FrozenAnswer], list[str]]:
    """Return each answer once, and what is to be said of those that contradict an earlier one: workers imagine without each other."""
    samenesses = {part.key: Sameness(part.settings.frozen) for part in world.parts or (world,)}
    kept: dict[tuple[str, str | None, int | None], FrozenAnswer] = {}
    conflicts = []
    for answer in answers:
        same = samenesses[world.part_of(answer.action).key].key(answer.action)
        first = kept.setdefault((same, answer.fingerprint, answer.occurrence), answer)
        if first.observation != answer.observation:
            conflicts.append(
                f"Two tests imagined different answers to {answer.action.name} {canonical(answer.action.arguments)}; the first is frozen:\n"
                f"  {canonical(first.observation.to_result())}\n  {canonical(answer.observation.to_result())}\n"
                "  Run the tests again: those that meant the second may fail now."
            )
    return list(kept.values()), conflicts
