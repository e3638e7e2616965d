"""What was used of a world: its tools and its frozen answers."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.counted import count_of
from mcp_sim.core.transition import FrozenAnswer
from mcp_sim.core.world import World
from mcp_sim.errors import FrozenMissError, McpSimError
from mcp_sim.simulator import Outcome
from mcp_sim.tool_specs.freezing import write_line

_MOST_SHOWN = 10
_SHOWN_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Miss:
    """A call that nothing was frozen for: the tool, the arguments, what is missing and what comes nearest, and what to do.

    The client got `message` and `remedy` in one.
    """

    tool: str
    arguments: dict[str, JSON]
    message: str
    remedy: str


class Coverage:
    """Counts, while a world is used, which of its tools were called and which of its frozen answers were given.

    `answers` counts by tool and source, `misses` are the calls that nothing was frozen for, `failures` says what else could not be
    answered, and `pinned` are the answers that had to be imagined and are to be frozen.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.answers: Counter[tuple[str, str]] = Counter()
        self.misses: list[Miss] = []
        self.failures: list[str] = []
        self.pinned: list[FrozenAnswer] = []
        self._frozen = [answer for part in world.parts or (world,) for answer in part.frozen]
        self._used: set[str] = set()

    def count(self, action: Action, outcome: Outcome) -> None:
        """Take note of one call."""
        if isinstance(outcome, FrozenMissError):
            self.misses.append(Miss(action.name, action.arguments, outcome.missing, outcome.remedy))
        elif isinstance(outcome, McpSimError):
            self.failures.append(f"{action.name}: {outcome}")
        else:
            self.answers[action.name, "failed" if outcome.observation.is_error else outcome.source] += 1

    def use(self, answer: FrozenAnswer) -> None:
        """Take note of a frozen answer that was given."""
        self._used.add(_key(answer))

    def pin(self, answer: FrozenAnswer) -> None:
        """Take note of an answer that had to be imagined."""
        self.pinned.append(answer)

    @property
    def tools(self) -> set[str]:
        """The tools of the world that were called."""
        return {tool for tool, _ in self.answers} & self.world.tools_by_name.keys()

    @property
    def has_frozen(self) -> bool:
        """Whether the world has any frozen answers."""
        return bool(self._frozen)

    @property
    def unused(self) -> list[FrozenAnswer]:
        """The frozen answers that were never given."""
        return [answer for answer in self._frozen if _key(answer) not in self._used]

    def to_json(self) -> dict[str, JSON]:
        """Return the counts as plain JSON, to be carried to another process."""
        return {
            "answers": [[tool, source, count] for (tool, source), count in sorted(self.answers.items())],
            "misses": [[miss.tool, miss.arguments, miss.message, miss.remedy] for miss in self.misses],
            "failures": self.failures,
            "pinned": [answer.model_dump(mode="json", exclude_unset=True) for answer in self.pinned],
            "used": sorted(self._used),
        }

    def add(self, counts: dict[str, Any]) -> None:
        """Add what `to_json` returned elsewhere."""
        for tool, source, count in counts["answers"]:
            self.answers[tool, source] += count
        self.misses += [Miss(*miss) for miss in counts["misses"]]
        self.failures += counts["failures"]
        self.pinned += [FrozenAnswer.model_validate(answer) for answer in counts["pinned"]]
        self._used.update(counts["used"])

    def report(self) -> Iterator[str]:
        """Say in lines what was used, and list what was not."""
        sources = Counter[str]()
        for (_, source), count in self.answers.items():
            sources[source] += count
        calls = ", ".join(f"{count} {source}" for source, count in sorted(sources.items())) or "none answered"
        yield f"{len(self.tools)} of {count_of(len(self.world.tools), 'tool')} called: {calls}"
        if self._frozen:
            unused = self.unused
            yield f"{len(self._frozen) - len(unused)} of {count_of(len(self._frozen), 'frozen answer')} used"
            for answer in unused[:_MOST_SHOWN]:
                yield f"  never used: {shorten(f'{answer.action.name} {canonical(answer.action.arguments)}')}"
            if len(unused) > _MOST_SHOWN:
                yield f"  and {len(unused) - _MOST_SHOWN} more"
        if self.misses:
            missed = list(dict.fromkeys(shorten(f"{miss.tool} {canonical(miss.arguments)}") for miss in self.misses))
            yield f"calls that nothing is frozen for: {len(self.misses)}"
            yield from (f"  {call}" for call in missed[:_MOST_SHOWN])
            if len(missed) > _MOST_SHOWN:
                yield f"  and {len(missed) - _MOST_SHOWN} more"


def shorten(text: str) -> str:
    """Return the text, cut to fit a line."""
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 3]}..."


def _key(answer: FrozenAnswer) -> str:
    return canonical(write_line(answer))
