"""What an answer must not say, given what the session knows; and putting it right."""

import re
from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.engine.calls.learning import Learning
from mcp_sim.predictors.engine.kept.collection import Collection, Record, id_text
from mcp_sim.predictors.engine.shown.observed import Answer, at, json_of, list_path, replaced, thing_path
from mcp_sim.predictors.engine.things.refusals import Refusals
from mcp_sim.predictors.engine.things.ways import leads_to, ways_asked
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.paging import Cut, Window, told
from mcp_sim.predictors.engine.words.understanding import CHANGING

_DONE = "(?:created|updated|deleted|removed|added)"
_CLAIMS = re.compile(rf"\b(?:successfully {_DONE}|(?:was|were|has been|have been) {_DONE})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Checking:
    """Checks one answered call against the things of the session."""

    learning: Learning
    refusals: Refusals

    def contradictions(self) -> list[str]:
        """Return in sentences what contradicts the state; none if the answer may stand."""
        learning = self.learning
        transition, kind = learning.transition, learning.meaning.kind
        found: list[str] = []
        if kind not in CHANGING and transition.changes:
            found.append(f"`{transition.action.name}` only reads, but the answer claims to have changed something.")
        if transition.observation.is_error:
            return found + self._wrongly_refused()
        if kind in ("get", "list", "search", "count") and self._claims_a_change():
            found.append(f"`{transition.action.name}` only reads, but the answer says that something was changed.")
        if kind in ("get", "update", "delete", "add-member", "remove-member"):
            found += self._about_one()
        elif kind in ("list", "search"):
            found += self._about_many()
        elif kind == "create":
            found += self._about_new()
        elif kind == "count":
            found += self._about_number()
        return found

    @property
    def _thing(self) -> str:
        return self.learning.resource.name.replace("_", " ")

    def _claims_a_change(self) -> bool:
        text = self.learning.transition.observation.text
        return len(text) < 300 and json_of(self.learning.transition.observation) is None and bool(_CLAIMS.search(text))

    def _collection(self, key: str = "") -> Collection:
        return self.learning.things().holding(self.learning.resource, key, self.learning.parents)

    def _asked(self) -> str | None:
        value = self.learning.arguments.get(self.learning.meaning.id or "")
        return None if value is None else id_text(value)

    def _wrongly_refused(self) -> list[str]:
        key = self._asked()
        if key is None or self.learning.meaning.kind == "create" or not self.refusals.says_missing(self.learning.transition.observation):
            return []
        record = self._collection(key).find(key)
        if record is None or self.learning.things().is_orphan(self.learning.resource, {**record, **self.learning.parents}):
            return []
        return [f"The {self._thing} {key} exists, but the answer says that it was not found."]

    def _about_one(self) -> list[str]:
        key = self._asked()
        if key is None:
            return []
        collection = self._collection(key)
        if collection.is_deleted(key):
            return (
                []
                if self.learning.meaning.idempotent
                else [f"The {self._thing} {key} was deleted, but the answer treats it as if it were there."]
            )
        if collection.find(key) is None and collection.is_closed:
            return [f"There is no {self._thing} {key}, but the answer treats it as if it were there."]
        shown = self.learning.records[:1]
        if not shown or self.learning.meaning.kind == "delete":
            return []
        shown_key = id_text(self.learning.id_of(shown[0]))
        if shown_key != key:
            return [f"The {self._thing} asked for has the id {key}, but the answer shows {shown_key}."]
        return self._differences(collection.find(key), shown[0]) if self.learning.meaning.kind == "get" else []

    def _differences(self, known: Record | None, shown: Record) -> list[str]:
        """Only what was sent by the agent is held against the answer: servers may say other things in other words."""
        fields = {name for name, argument in self.learning.resource.fields.items() if not argument.is_control}
        by_snake = {snake(name): value for name, value in (known or {}).items()}
        return [
            f"The {name} of the {self._thing} is {by_snake[snake(name)]!r}, but the answer shows {value!r}."
            for name, value in shown.items()
            if snake(name) in fields
            and isinstance(value, str | int | bool)
            and isinstance(by_snake.get(snake(name)), str | int | bool)
            and by_snake[snake(name)] != value
        ]

    def _about_many(self) -> list[str]:
        learning = self.learning
        shown = {id_text(learning.id_of(record)): record for record in learning.records}
        found: list[str] = []
        parents = learning.parents
        if len(parents) < len(learning.resource.scope):
            return [
                f"The {self._thing} {key} was deleted, but the answer lists it." for key in shown if self._collection(key).is_deleted(key)
            ]
        collection = self._collection()
        for key, record in shown.items():
            if collection.is_deleted(key):
                found.append(f"The {self._thing} {key} was deleted, but the answer lists it.")
            elif (
                collection.is_closed
                and collection.find(key) is None
                and not learning.knowledge.parents_in(learning.resource, record, exact=True)
            ):
                found.append(f"There is no {self._thing} {key} here, but the answer lists it.")
            else:
                found.extend(self._differences(collection.find(key), record))
        if learning.is_complete():
            missing = [id_text(learning.id_of(record)) for record in self._expected(collection)]
            missing = [key for key in missing if key not in shown]
            if missing and json_of(learning.transition.observation) is not None:
                found.append(f"The list is not complete: the {self._thing} {', '.join(missing[:20])} is missing.")
        return found

    def _expected(self, collection: Collection) -> list[Record]:
        tests, things = self.learning.tests, self.learning.things()
        ways = ways_asked(self.learning.meaning, self.learning.resource, self.learning.arguments)
        known = [record for record in collection if all(test(record) for test in tests)]
        known = [record for record in known if all(leads_to(things, record, path, wanted) for path, wanted in ways)]
        return [record for record in known if not things.is_orphan(self.learning.resource, record)]

    def _about_new(self) -> list[str]:
        learning = self.learning
        if learning.meaning.id is not None or learning.meaning.items:
            return []
        for record in learning.records[:1]:
            key = id_text(learning.id_of(record))
            if self._collection(key).knows(key):
                return [f"The id {key} of the new {self._thing} was used before."]
            if id_text(record.get(learning.resource.id_key)) != key:
                return []
        return []

    def _about_number(self) -> list[str]:
        total = self._true_count()
        numbers = [int(number) for number in re.findall(r"\d{1,12}", self.learning.transition.observation.text[:2000])]
        if total is None or not numbers or total in numbers:
            return []
        return [f"There are {total} {self.learning.resource.plural.replace('_', ' ')}, but the answer says {numbers[0]}."]

    def _true_count(self) -> int | None:
        learning = self.learning
        if len(learning.parents) < len(learning.resource.scope):
            return None
        collection = self._collection()
        if not collection.is_closed:
            return None
        return len(self._expected(collection))

    def corrected(self) -> Transition | None:
        """Return the answer put right by code; `None` where code cannot."""
        transition, kind = self.learning.transition, self.learning.meaning.kind
        if kind not in CHANGING and transition.changes:
            transition = transition.model_copy(update={"changes": False, "patch": []})
        observation = transition.observation
        answer = json_of(observation)
        if kind in ("list", "search") and answer is not None:
            observation = self._corrected_list(answer)
        elif kind == "count" and (total := self._true_count()) is not None:
            observation = _with_number(observation, total)
        elif kind in ("get", "create") and answer is not None:
            fixed = self._corrected_one(answer)
            if fixed is None:
                return None
            observation = fixed
        elif observation is transition.observation and transition is self.learning.transition:
            return None
        return transition.model_copy(update={"observation": observation})

    def _corrected_list(self, answer: Answer) -> Observation:
        learning = self.learning
        path = list_path(answer.value, learning.resource.name)
        if path is None:
            return learning.transition.observation
        collection = self._collection()
        items = at(answer.value, path)
        kept: list[JSON] = []
        for item in items:
            key = id_text(learning.id_of(item)) if isinstance(item, dict) else ""
            known = self._collection(key).find(key) if key else None
            if known is None and (self._collection(key).is_deleted(key) or collection.is_closed):
                continue
            kept.append(self._true(item, known) if isinstance(item, dict) else item)
        if learning.is_complete():
            shown = {id_text(learning.id_of(item)) for item in kept if isinstance(item, dict)}
            keys = list(dict.fromkeys(key for item in items if isinstance(item, dict) for key in item))
            for record in self._expected(collection):
                if id_text(learning.id_of(record)) not in shown:
                    kept.append({key: record[key] for key in keys if key in record} if keys else record)
        value = replaced(answer.value, path, kept)
        envelope = at(value, path[:-1]) if path else None
        if isinstance(envelope, dict) and learning.is_complete():
            cut = Cut(Window(0, 10**9, False), len(kept), len(kept), learning.arguments)
            value = replaced(value, path[:-1], told(envelope, cut, len(items)))
        return _laid_out(answer, value)

    def _true(self, shown: Record, known: Record | None) -> Record:
        fields = set(self.learning.resource.fields)
        by_snake = {snake(name): value for name, value in (known or {}).items()}
        return {
            name: by_snake[snake(name)] if snake(name) in fields and isinstance(by_snake.get(snake(name)), type(value)) else value
            for name, value in shown.items()
        }

    def _corrected_one(self, answer: Answer) -> Observation | None:
        learning = self.learning
        path = thing_path(answer.value, learning.resource.name)
        if path is None:
            return None
        shown = at(answer.value, path)
        key = self._asked()
        if learning.meaning.kind == "create":
            things = learning.things()
            parents = learning.parents
            identifier = things.mint(learning.resource, things.open(learning.resource, parents), parents, shown)
            return _laid_out(answer, replaced(answer.value, path, {**shown, learning.resource.id_key: identifier}))
        known = self._collection(key or "").find(key or "")
        if known is None:
            return None
        fixed = {**self._true(shown, known), learning.resource.id_key: known.get(learning.resource.id_key)}
        return _laid_out(answer, replaced(answer.value, path, fixed))


def _laid_out(answer: Answer, value: JSON) -> Observation:
    text = answer.text_of(value)
    return Observation.of_structured(value, text) if answer.structured else Observation.of_text(text)


def _with_number(observation: Observation, number: int) -> Observation:
    answer = json_of(observation)
    if answer is not None and isinstance(answer.value, dict):
        value = {k: number if isinstance(v, int) and not isinstance(v, bool) else v for k, v in answer.value.items()}
        return _laid_out(answer, value)
    return Observation.of_text(re.sub(r"\d{1,12}", str(number), observation.text, count=1))
