"""What an example lends to a new thing and its answer, and what cannot be true of it: hashes and times, put right or made anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON, canonical, digest
from mcp_sim.core.observation import Observation
from mcp_sim.core.state import Change
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.shown.observed import json_of
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.hashes import HASH, swapped_hashes
from mcp_sim.predictors.instances.moments import is_moment, moment_like, tells_creation

_ORIGINS = ("from", "source", "base", "parent")
_LONGEST = 100_000
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Renewing:
    """Renews what one call made. `reads` holds what is needed to look things up."""

    reads: Reads

    def renew(self, observation: Observation) -> Observation:
        """Return the answer with its hashes and times its own; those of the things that the call made are put right beside it."""
        lent = self._lent
        if not lent:
            return observation
        draft, swaps = self.reads.things.draft, {}
        for change in draft.patch if self.reads.meaning.kind == "create" else ():
            if "created" in change.path and isinstance(change.value, list) and change.value and isinstance(change.value[0], dict):
                swaps.update(self._right(change.value[0], lent))
        draft.patch[:] = [Change(path=change.path, value=swapped_hashes(change.value, swaps)) for change in draft.patch]
        kept = set(HASH.findall(canonical([change.value for change in draft.patch])[:_LONGEST]))
        answer = json_of(observation)
        if answer is None:
            return observation
        own = [hash_ for hash_ in dict.fromkeys(HASH.findall(canonical(answer.value)[:_LONGEST])) if hash_ not in kept]
        made = {hash_: swaps.get(hash_) or self._fresh(hash_) for hash_ in own if hash_ in lent}
        if len(set(swaps.values())) == 1:  # the answer tells of nothing but the one that is right: the commit of a branch
            made = dict.fromkeys(made, next(iter(swaps.values())))
        value = self._timed(swapped_hashes(answer.value, made))
        text = answer.text_of(value)
        return Observation.of_structured(value, text if answer.texted else "") if answer.structured else Observation.of_text(text)

    @property
    def _lent(self) -> frozenset[str]:
        """The hashes that only examples show: nobody sent them."""
        reads = self.reads
        lent = reads.form.shown_hashes
        return lent - set(HASH.findall(canonical(reads.arguments))) if lent else lent

    def _fresh(self, old: str) -> str:
        session = self.reads.things.session
        asked = (session.fingerprint, str(session.seed), canonical(self.reads.arguments), old)
        return (digest(*asked) + digest("more", *asked))[: len(old)]

    def _right(self, record: Record, lent: frozenset[str]) -> dict[str, str]:
        """What to put in the place of the hashes that a new thing has from an example."""
        origin = self._origin()
        found: dict[str, str] = {}
        for path, old, beside in _leaves(record):
            if old not in lent or path == (self.reads.resource.id_key,):
                continue
            right = self._of_branch(beside) or _at(origin, path) or self._of_owner()
            found[old] = right or self._fresh(old)
        return found

    def _origin(self) -> Record:
        """The thing that the new one is made from: the branch that it branches off from."""
        reads = self.reads
        for name, value in reads.arguments.items():
            first, _, rest = snake(name).partition("_")
            if first in _ORIGINS and concept(rest) == reads.resource.name and isinstance(value, str | int):
                return self._named(reads.resource.name, id_text(value)) or {}
        return self._named(reads.resource.name, "main") or {} if any(snake(name) == "from_branch" for name in self._schema) else {}

    @property
    def _schema(self) -> list[str]:
        return list(self.reads.knowledge.arguments(self.reads.meaning.tool))

    def _of_branch(self, beside: Record) -> str:
        """The hash of the branch that is named beside it."""
        name = beside.get("ref")
        branch = self._named("branch", name) if isinstance(name, str) else None
        return next(iter(HASH.findall(canonical(branch))), "") if branch else ""

    def _of_owner(self) -> str:
        """The hash at the head of what the new thing belongs to: the commit that a review looks at."""
        reads = self.reads
        owner = reads.knowledge.owner(reads.resource.scope[-1]) if reads.resource.scope else None
        name = reads.arguments.get(reads.meaning.parents[-1]) if reads.meaning.parents else None
        holder = self._named(owner.name, id_text(name)) if owner is not None and name is not None else None
        head = holder.get("head") if holder is not None else None
        return str(head["sha"]) if isinstance(head, dict) and isinstance(head.get("sha"), str) else ""

    def _named(self, kind: str, name: str) -> Record | None:
        reads = self.reads
        resource = reads.knowledge.resources.get(kind)
        if resource is None:
            return None
        collection = reads.things.holding(resource, name, reads.knowledge.parents_in(resource, reads.arguments))
        return collection.find(collection.key_of(name))

    def _timed(self, value: Any, depth: int = 0) -> JSON:
        """What was done just now was done now."""
        examples = "".join(example.observation.text[:_LONGEST] for example in self.reads.form.examples)
        now = self.reads.things.session.now

        def timed(item: Any, depth: int) -> JSON:
            if isinstance(item, dict) and depth < _DEEPEST:
                return {
                    key: moment_like(inner, now)
                    if tells_creation(key) and is_moment(inner) and str(inner) in examples
                    else timed(inner, depth + 1)
                    for key, inner in item.items()
                }
            return [timed(inner, depth + 1) for inner in item] if isinstance(item, list) and depth < _DEEPEST else item

        return timed(value, depth)


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, Record]]:
    for key, item in value.items() if isinstance(value, dict) and len(path) < _DEEPEST else ():
        if isinstance(item, str) and HASH.fullmatch(item):
            yield (*path, key), item, value
        yield from _leaves(item, (*path, key))


def _at(value: Any, path: tuple[str, ...]) -> str:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""
