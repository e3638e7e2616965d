"""Making again what stands already, told apart by something else than its name: a second pull request from one branch."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import Demonstration
from mcp_sim.predictors.engine.calls.batches import MOST_COMPARED
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.words.arguments import field_named, snake

_OVER = frozenset({"closed", "merged", "cancelled", "canceled", "deleted", "archived"})


@dataclass(frozen=True, slots=True)
class Repeats:
    """Refuses what the demonstrations refuse to make twice. `reads` holds what is needed to look things up."""

    reads: Reads

    def refusal(self) -> Observation | None:
        """Return the refusal of making a thing beside one that is the same in what may not be twice, `None` if there is none such."""
        reads = self.reads
        for example, keys in self._shown():
            if not all(key in reads.arguments for key in keys):
                continue
            parents = reads.knowledge.parents_of(reads.meaning, reads.resource, reads.arguments)
            collection = reads.things.open(reads.resource, parents)
            asked = {key: reads.arguments[key] for key in keys}
            if any(_is_the_same(record, asked) for record in islice(collection, MOST_COMPARED)):
                reads.things.rest_on(reads.resource, collection)
                return reads.refusals.like(example, reads.meaning, reads.resource, reads.arguments)
        return None

    def _shown(self) -> Iterator[tuple[Demonstration, frozenset[str]]]:
        """The demonstrated refusals of a second thing, each with the arguments that it shares with the first, which differs in others."""
        meaning = self.reads.meaning
        made: list[dict[str, JSON]] = []
        for example in self.reads.knowledge.world.demonstrations_by_tool.get(meaning.tool, ()):
            asked = example.action.arguments
            if not example.observation.is_error:
                made.append(asked)
            elif self.reads.refusals.says_exists(example.observation):
                for first in made:
                    both = (first.keys() & asked.keys()) - {*meaning.parents, meaning.id}
                    same = frozenset(key for key in both if first[key] == asked[key])
                    if same and same != both:
                        yield example, same


def _is_the_same(record: Record, asked: dict[str, JSON]) -> bool:
    if any(str(record.get(key, "")).lower() in _OVER for key in ("state", "status")):
        return False
    for key, value in asked.items():
        field = field_named(record, snake(key))
        if field != value and not (isinstance(field, dict) and value in field.values()):
            return False
    return True
