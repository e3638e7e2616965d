"""Errors of simulated tools, worded as the world's own demonstrations word theirs."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import Demonstration
from mcp_sim.predictors.engine.kept.collection import id_text
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.resources.swapping import swapped_text
from mcp_sim.predictors.engine.things.knowledge import FORBIDDEN, Knowledge
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

Reason = Literal["missing", "exists", "forbidden", "cursor", "short", "senseless"]

_SAYS: dict[str, re.Pattern[str]] = {
    "missing": re.compile(
        r"not.?found|(?:does not|doesn't|do not) exist|\bno such\b|\b404\b|unknown (?!error)|\bno [\w ]{1,30} found\b|"
        r"could not (?:be found|find)",
        re.I,
    ),
    "exists": re.compile(r"already (?:exists|taken|in use)|duplicate|\b409\b|conflict", re.I),
    "forbidden": FORBIDDEN,
    "cursor": re.compile(r"invalid.{0,20}(?:cursor|token)", re.I),
    "short": re.compile(r"insufficient|not enough|exceeds|out of stock|\bonly \d+", re.I),
    "senseless": re.compile(r"same (?:account|place|location|\w+)$|must be (?:positive|greater)", re.I),
}

_LOCKS = frozenset({"sha", "etag", "revision", "version"})
_ONCE = {"merge": "merged"}
"""What no server does twice, though none of its demonstrations says so."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """Words the refusals of one world."""

    knowledge: Knowledge

    def refuse(
        self, reason: Reason, meaning: ToolUnderstanding, resource: Resource, key: str, arguments: Mapping[str, JSON]
    ) -> Observation:
        """Return the observation of a call that fails for a reason."""
        if reason == "missing":
            missing = self._missing(meaning, resource, key, arguments)
            if missing is not None:
                return missing
        elif (example := self._example(reason, meaning, resource)) is not None:
            return self._like(example, meaning, resource, arguments)
        name = resource.title
        text = {
            "missing": f"{name} not found: {key}",
            "exists": f"{name} already exists: {key}",
            "forbidden": f"Permission denied: {meaning.verb or meaning.kind} {resource.name.replace('_', ' ')} {key}".rstrip(),
            "cursor": f"Invalid cursor: {key}",
            "short": f"Insufficient {key}",
            "senseless": f"Nothing to move: {key}",
        }[reason]
        return Observation.of_text(text, is_error=True)

    def refuse_short(
        self, meaning: ToolUnderstanding, resource: Resource, field: str, held: JSON, asked: JSON, arguments: Mapping[str, JSON]
    ) -> Observation:
        """Return the observation of a call that asks for more of a number than there is."""
        if self._example("short", meaning, resource) is not None:
            return self.refuse("short", meaning, resource, field, arguments)
        called = {"balance": "funds", "on_hand": "stock", "quantity": "stock"}.get(field, field.replace("_", " "))
        wanted = id_text(asked).lstrip("-")
        return Observation.of_text(f"Insufficient {called}: {id_text(held)} available, {wanted} requested", is_error=True)

    def refuse_stale(self, meaning: ToolUnderstanding, record: Mapping[str, JSON], arguments: Mapping[str, JSON]) -> Observation | None:
        """Return the refusal of a change to a thing as it no longer is, told by its hash; `None` where no demonstration shows one."""
        lock = next((name for name in meaning.fields if snake(name) in _LOCKS and isinstance(record.get(snake(name)), str)), None)
        if lock is None or arguments.get(lock) == record[snake(lock)]:
            return None
        for example in self.knowledge.world.demonstrations_by_tool.get(meaning.tool, ()):
            told = example.observation.text[:2000]
            sent = example.action.arguments.get(lock)
            if (
                example.observation.is_error
                and (sent is None) is (lock not in arguments)
                and (lock in told if sent is None else str(sent) in told)
            ):
                return self._like(example, meaning, self.knowledge.resources[meaning.resource], arguments)
        return None

    def refuse_again(
        self, meaning: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON], was_done: Callable[[dict[str, JSON]], bool]
    ) -> Observation | None:
        """Return the refusal of doing again what is done already, `None` where none is known of the tool.

        A demonstration shows one where the thing was done already in the first state, or by a demonstration before it.
        """
        naming = (*meaning.parents, meaning.id)
        done: list[list[JSON]] = []
        for example in self.knowledge.world.demonstrations_by_tool.get(meaning.tool, ()):
            thing = [example.action.arguments.get(name or "") for name in naming]
            if not example.observation.is_error:
                done.append(thing)
            elif thing in done or was_done(example.action.arguments):
                return self._like(example, meaning, resource, arguments)
        if meaning.verb not in _ONCE:
            return None
        text = f"{resource.title} {id_text(arguments.get(meaning.id or ''))} is already {_ONCE[meaning.verb]}"
        return Observation.of_text(text, is_error=True)

    def says_exists(self, observation: Observation) -> bool:
        """Whether an observation says that something is there already."""
        return observation.is_error and bool(_SAYS["exists"].search(observation.text[:2000]))

    def like(self, example: Demonstration, meaning: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON]) -> Observation:
        """Return the refusal of a call in the words of a demonstrated one."""
        return self._like(example, meaning, resource, arguments)

    def says_missing(self, observation: Observation) -> bool:
        """Whether an observation says that something is not there."""
        return observation.is_error and bool(_SAYS["missing"].search(observation.text[:2000]))

    def _missing(self, meaning: ToolUnderstanding, resource: Resource, key: str, arguments: Mapping[str, JSON]) -> Observation | None:
        """The refusal after a demonstration that misses a thing of the same kind, else after one whose words can be put in its place."""
        found = list(self._examples("missing", meaning, resource))
        same = [example for example in found if self._what_is_missing(example) == resource.name]
        for example in [*same, *(example for example in found if example not in same)]:
            refused = self._like(example, meaning, resource, arguments)
            if example in same:
                return refused
            theirs = self.knowledge.understanding[example.action.name]
            own = theirs.resource.replace("_", " ") in example.observation.text and self._what_is_missing(example) == theirs.resource
            old = {id_text(value) for value in example.action.arguments.values() if isinstance(value, str | int) and value is not True}
            left = old - {id_text(value) for value in arguments.values()} - {key}
            if own and key in refused.text and not any(len(value) > 1 and value in refused.text for value in left):
                return refused
        return None

    def _what_is_missing(self, example: Demonstration) -> str:
        """The kind of thing that a demonstration misses: that of the innermost argument whose value it tells."""
        theirs = self.knowledge.understanding.get(example.action.name)
        if theirs is None:
            return ""
        text, values = example.observation.text, example.action.arguments
        if theirs.id and theirs.id in values and id_text(values[theirs.id]) in text:
            return theirs.resource
        for name in reversed(theirs.parents):
            if name in values and id_text(values[name]) in text:
                about = self.knowledge.owner(concept(name))
                return about.name if about is not None else concept(name)
        return theirs.resource

    def _example(self, reason: Reason, meaning: ToolUnderstanding, resource: Resource) -> Demonstration | None:
        """The nearest demonstration that fails for the reason."""
        return next(self._examples(reason, meaning, resource), None)

    def _examples(self, reason: Reason, meaning: ToolUnderstanding, resource: Resource) -> Iterator[Demonstration]:
        """The demonstrations that fail for the reason: of the tool itself, of its resource's tools, of any tool."""
        tools = [meaning.tool, *(tool.tool for tool in resource.tools)]
        tools += [name for name in self.knowledge.understanding if name not in tools] if reason in ("missing", "forbidden") else []
        for tool in tools:
            for example in self.knowledge.world.demonstrations_by_tool.get(tool, ()):
                if example.observation.is_error and _SAYS[reason].search(example.observation.text[:2000]):
                    yield example

    def _like(self, example: Demonstration, meaning: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON]) -> Observation:
        theirs = self.knowledge.understanding.get(example.action.name)
        swaps: list[tuple[JSON, JSON]] = []
        for name, old in example.action.arguments.items():
            new = arguments.get(name)
            if new is None and theirs is not None and name == theirs.id and meaning.id:
                new = arguments.get(meaning.id)
            if new is None and concept(name):
                new = next((value for own, value in arguments.items() if concept(own) == concept(name)), None)
            if new is not None and isinstance(old, str | int) and not isinstance(old, bool) and len(id_text(old)) < 200:
                swaps.append((old, new))
        if theirs is not None and theirs.resource and theirs.resource != resource.name:
            swaps.append((theirs.resource.replace("_", " "), resource.name.replace("_", " ")))
            swaps.append((theirs.resource.replace("_", " ").capitalize(), resource.title))
        swaps.sort(key=lambda swap: -len(id_text(swap[0])))
        content = [
            {**block, "text": swapped_text(block["text"], swaps)} if isinstance(block.get("text"), str) else block
            for block in example.observation.content
        ]
        return Observation(content=content, is_error=True)
