"""The laws of things that are made, read, changed and deleted, checked from outside: on the JSON that calls answer with."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.instances.instance import InstanceMaker

WORDS = "amber harbor quill mason tundra velvet cobalt lantern meadow orchid pepper ripple saddle timber walnut zephyr".split()


def value_of(observation: Observation) -> Any:
    return observation.structured_content if observation.has_structured_content else json.loads(observation.text)


def dicts(value: Any) -> list[dict[str, Any]]:
    """All objects inside a value, those in JSON texts inside it as well."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return dicts(json.loads(value))
        except ValueError:
            return []
    found = [value] if isinstance(value, dict) else []
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        found.extend(dicts(item))
    return found


@dataclass
class Thing:
    resource: str
    id: Any
    parents: dict[str, Any]
    sent: dict[str, Any]
    alive: bool = True


@dataclass(repr=False)
class Program:
    """A session in which calls are made and the laws checked; everything is decided by `random`."""

    world: World
    random: Random
    engine: Engine = field(init=False)
    session: Session = field(init=False)
    things: list[Thing] = field(default_factory=list)
    checked: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.engine = Engine(self.world)
        self.session = Session.begin(self.world, "laws", seed=self.random.randrange(1000))

    def law(self, name: str) -> None:
        self.checked[name] = self.checked.get(name, 0) + 1

    def call(self, tool: str, arguments: dict[str, Any]) -> Observation:
        action = Action.call(tool, arguments)
        transition = self.engine.answer(self.session, action)
        assert transition is not None, f"{tool} was understood and not answered"
        kind = self.engine.understanding[tool].for_call(arguments).kind
        if kind in ("get", "list", "search", "count"):
            assert not transition.changes
            self.law("a read changes nothing")
        assert transition.source in ("computed", "imagined")
        self.session = self.session.append(transition)
        return transition.observation

    def words(self) -> str:
        return " ".join(self.random.sample(WORDS, 3))

    # what to call

    def tools(self, kind: str, resource: str | None = None) -> list[tuple[ToolUnderstanding, dict[str, Any]]]:
        """The tools of a kind, each with the arguments that choose its mode."""
        found = []
        for tool in self.engine.understanding.values():
            for mode, meaning in tool.modes.items() if tool.modes else [("", tool)]:
                if meaning.kind == kind and (resource is None or meaning.resource == resource):
                    found.append((meaning, {tool.mode: mode} if tool.mode else {}))
        return found

    def arguments(self, meaning: ToolUnderstanding, about: Thing | None, extra: dict[str, Any], fields: bool) -> dict[str, Any]:
        """Valid arguments: identifiers of the thing, the rest made up from the schemas."""
        schema = self.world.tools_by_name[meaning.tool].input_schema
        made: Any = InstanceMaker(schema).make(self.random)
        required = set(schema.get("required", ()))
        named = {snake(name): value for name, value in (about.parents if about else {}).items()}
        by_concept = {concept(name): value for name, value in (about.parents if about else {}).items()}
        arguments: dict[str, Any] = {}
        for name, part in schema.get("properties", {}).items():
            if name == meaning.statement:
                arguments[name] = f"CREATE TABLE {'_'.join(self.words().split())} (id INTEGER PRIMARY KEY, note TEXT)"
            elif about is not None and name == meaning.ids and meaning.kind == "get":
                arguments[name] = [about.id]
            elif name in extra:
                arguments[name] = extra[name]
            elif about is not None and name == meaning.id and meaning.kind != "create":
                arguments[name] = about.id
            elif snake(name) in named:
                arguments[name] = named[snake(name)]
            elif name in meaning.parents and concept(name) in by_concept:
                arguments[name] = by_concept[concept(name)]
            elif name == meaning.id and meaning.kind == "create":
                arguments[name] = "-".join(self.words().split())
            elif name in required or (fields and name in made and name in meaning.fields and self.random.random() < 0.6):
                arguments[name] = made.get(name)
                if isinstance(part, dict) and part.get("type") == "string" and not part.get("enum") and not part.get("pattern"):
                    arguments[name] = self.words() if name not in meaning.parents else "-".join(self.words().split())
        return {name: value for name, value in arguments.items() if value is not None}

    def resources(self) -> list[str]:
        return sorted({meaning.resource for meaning, _ in self.tools("create") if not meaning.items})

    def id_key(self, resource: str) -> str:
        return self.engine.knowledge.resources[resource].id_key

    def shown(self, observation: Observation, thing: Thing) -> list[dict[str, Any]]:
        key = self.id_key(thing.resource)
        return [found for found in dicts(value_of(observation)) if key in found and str(found[key]) == str(thing.id)]

    # the laws

    def create(self, resource: str) -> Thing | None:
        meaning, mode = self.random.choice([one for one in self.tools("create", resource) if not one[0].items])
        siblings = [thing for thing in self.things if thing.resource == resource and thing.alive]
        owners = [thing for thing in self.things if thing.alive and any(concept(p) == thing.resource for p in meaning.parents)]
        about = Thing(resource, None, {}, {})
        if owners and self.random.random() < 0.8:
            owner = self.random.choice(owners)
            own = next(p for p in meaning.parents if concept(p) == owner.resource)
            about.parents = {**owner.parents, own: owner.id}
        elif siblings and self.random.random() < 0.7:
            about.parents = self.random.choice(siblings).parents
        arguments = self.arguments(meaning, about, mode, fields=True)
        observation = self.call(meaning.tool, arguments)
        if observation.is_error:
            return None
        key = self.id_key(resource)
        taken = arguments.get(meaning.id) if meaning.id else None
        candidates = [found[key] for found in dicts(value_of(observation)) if key in found]
        if taken is None and not candidates:  # the answer's schema has no room for an id
            return None
        identifier = taken if taken is not None else candidates[0]
        scope = self.engine.knowledge.resources[resource].scope
        parents = {name: arguments[name] for name in meaning.parents if name in arguments}
        fields = (*meaning.fields, *(name for name in meaning.parents if concept(name) not in scope))
        sent = {name: arguments[name] for name in fields if name in arguments}
        if meaning.verb == "fork":  # what it is made from is not where it is
            origin = next(name for name in reversed(meaning.parents) if concept(name) == resource)
            parents, sent = {}, {"name": arguments[origin]}
        thing = Thing(resource, identifier, parents, sent)
        again = [old for old in self.things if old.resource == resource and str(old.id) == str(identifier) and old.parents == parents]
        assert not again or meaning.id, f"id {identifier} of a {resource} was used twice"
        self.law("an id is never used twice")
        self.things = [old for old in self.things if old not in again]  # a name that was free again
        self.things.append(thing)
        if not mode and meaning.shape == "resource":
            self._shows_what_was_sent(observation, thing)
        return thing

    def _shows_what_was_sent(self, observation: Observation, thing: Thing) -> None:
        found = self.shown(observation, thing)
        assert found, f"{thing} is not in {observation.text[:500]}"
        by_name = {snake(name): value for name, value in found[0].items()}
        for name, value in thing.sent.items():
            shown = by_name.get(snake(name))
            kept = shown.items() >= value.items() if isinstance(value, dict) and isinstance(shown, dict) else shown == value
            assert kept, f"{name} of {thing} became {shown}"
        self.law("what was sent is shown")

    def read(self, thing: Thing) -> None:
        for meaning, mode in self.tools("get", thing.resource):
            observation = self.call(meaning.tool, self.arguments(meaning, thing, mode, fields=False))
            if thing.alive and meaning.verb == "read" and "content" in thing.sent:
                assert thing.sent["content"] in observation.text
            elif thing.alive:
                assert not observation.is_error, observation.text
                if meaning.shape == "resource":
                    self._shows_what_was_sent(observation, thing)
                elif not mode:
                    assert self.shown(observation, thing)
                else:  # get-url shows the address alone
                    sent = [value for name, value in thing.sent.items() if name in str(list(mode.values()))]
                    assert self.shown(observation, thing) or all(value in observation.text for value in sent)
                self.law("what was made is found")
            else:
                assert observation.is_error, f"deleted and found: {observation.text[:300]}"
                self.law("what was deleted is not found")

    def listed(self, thing: Thing) -> None:
        for meaning, mode in self.tools("list", thing.resource):
            schema = self.world.tools_by_name[meaning.tool].input_schema
            needed = [name for name in meaning.parents if name in schema.get("required", ())]
            if not set(map(concept, needed)) <= set(map(concept, thing.parents)):
                continue
            options = schema.get("properties", {})
            extra = {name: "all" for name in meaning.filters if "all" in options[name].get("enum", ())}
            shown, total, calls = [], None, 0
            start: dict[str, Any] = {meaning.size: 3} if meaning.size else {}
            while True:
                observation = self.call(meaning.tool, self.arguments(meaning, thing, {**mode, **extra, **start}, fields=False))
                if observation.is_error:
                    assert not thing.alive, observation.text
                    return
                value = value_of(observation)
                key = self.id_key(thing.resource)
                page = [found[key] for found in dicts(value) if key in found]
                shown.extend(page)
                counts = [item for name, item in value.items() if "total" in name] if isinstance(value, dict) else []
                assert total is None or counts[:1] == [total], "the total changed between pages"
                total = counts[0] if counts else None
                calls += 1
                cursor = next((v for k, v in value.items() if "cursor" in k.lower()), None) if isinstance(value, dict) else None
                if not page or not meaning.size or (meaning.cursor and not cursor) or calls > 40:
                    break
                step = {meaning.cursor: cursor} if meaning.cursor else {meaning.offset: len(shown)} if meaning.offset else {}
                if not step and not meaning.page:
                    break
                start = {meaning.size: 3, **(step or {meaning.page: calls + 1})}
            paged = meaning.size is None or meaning.cursor or meaning.offset or meaning.page
            assert total is None or not paged or len(shown) == total, f"{len(shown)} shown of {total}"
            assert shown.count(thing.id) == (1 if thing.alive else 0) or not paged, f"{thing} in {shown}"
            self.law("a list shows each thing once, and totals agree with pages" if thing.alive else "what was deleted is not listed")
            others = [o for o in self.things if o.resource == thing.resource and o.alive and meaning.parents and o.parents != thing.parents]
            same = {str(o.id) for o in self.things if o.resource == thing.resource and o.parents == thing.parents}
            assert not [o for o in others if o.id in shown and str(o.id) not in same and not isinstance(o.id, int)]
            self.law("a list shows nothing of another parent")

    def searched(self, thing: Thing) -> None:
        title = next((value for name, value in thing.sent.items() if snake(name) in ("title", "name", "summary")), None)
        for meaning, mode in self.tools("search", thing.resource):
            if isinstance(title, str) and meaning.text and not meaning.parents:
                observation = self.call(meaning.tool, self.arguments(meaning, thing, {**mode, meaning.text: title}, fields=False))
                assert bool(self.shown(observation, thing)) is thing.alive
                self.law("a search for the title finds it")

    def update(self, thing: Thing) -> None:
        for meaning, mode in self.tools("update", thing.resource):
            if mode or meaning.effect or meaning.renames or meaning.edits:
                continue
            before = self._record(thing)
            arguments = self.arguments(meaning, thing, mode, fields=True)
            observation = self.call(meaning.tool, arguments)
            assert observation.is_error is not thing.alive, observation.text
            if not thing.alive or before is None:
                continue
            after = self._record(thing)
            assert after is not None
            sent = {name: arguments[name] for name in meaning.fields if name in arguments}
            thing.sent.update(sent)
            names = {snake(name) for name in sent}
            if meaning.wrapper and isinstance(arguments.get(meaning.wrapper), dict):
                names |= {snake(name) for name in arguments[meaning.wrapper]}
            changed = {snake(key) for key in {*before, *after} if before.get(key) != after.get(key)}
            assert {name for name in changed - names if not ("updated" in name or "edited" in name or name.endswith("_at"))} == set(), (
                f"{changed} by {sent}"
            )
            self.law("an update changes exactly what was sent")

    def _record(self, thing: Thing) -> dict[str, Any] | None:
        for meaning, mode in self.tools("get", thing.resource):
            observation = self.call(meaning.tool, self.arguments(meaning, thing, mode, fields=False))
            return None if observation.is_error else self.shown(observation, thing)[0]
        return None

    def delete(self, thing: Thing) -> None:
        for meaning, mode in self.tools("delete", thing.resource):
            arguments = self.arguments(meaning, thing, mode, fields=False)
            if meaning.ids:
                arguments[meaning.ids] = [thing.id]
            observation = self.call(meaning.tool, arguments)
            assert observation.is_error is not thing.alive, observation.text
            thing.alive = False
            self.law("what was deleted cannot be deleted again" if observation.is_error else "a thing is deleted")
            for part in self.things:
                owner = next((name for name in part.parents if concept(name) == thing.resource), None)
                if (
                    owner is not None
                    and part.parents[owner] == thing.id
                    and all(part.parents.get(name, value) == value for name, value in thing.parents.items())
                ):
                    part.alive = False
                    self.read(part)
                    self.law("what was deleted takes its parts along")

    def unknown(self, resource: str) -> None:
        """After everything was listed, an id that was never shown names nothing."""
        thing = next((t for t in self.things if t.resource == resource and t.alive), None)
        wide = self.engine.knowledge.resources[resource].wide  # one list does not tell of all then
        if thing is None or wide or not self.tools("list", resource):
            return
        self.listed(thing)
        stranger = Thing(resource, 987_654 if isinstance(thing.id, int) else "nonexistent-thing", thing.parents, {})
        for meaning, mode in self.tools("get", resource):
            assert self.call(meaning.tool, self.arguments(meaning, stranger, mode, fields=False)).is_error
            self.law("an unknown id is not found")

    def run(self, steps: int) -> None:
        resources = self.resources()
        for _ in range(steps if resources else 0):
            deed = self.random.choice(("create", "create", "read", "listed", "searched", "update", "delete", "unknown"))
            if deed == "create" or not self.things:
                self.create(self.random.choice(resources))
            elif deed == "unknown":
                self.unknown(self.random.choice(resources))
            else:
                getattr(self, deed)(self.random.choice(self.things))
        self.same_again()

    def same_again(self) -> None:
        """The same calls in a new session of the same seed lead to the same answers, and the kept patches alone to the same state."""
        replayed = rebuilt = Session.begin(self.world, "another", seed=self.session.seed)
        engine = Engine(self.world)
        for transition in self.session.trajectory:
            again = engine.answer(replayed, transition.action)
            assert again is not None
            assert again.observation == transition.observation
            replayed = replayed.append(again)
            rebuilt = rebuilt.append(type(transition).model_validate_json(transition.model_dump_json(exclude_unset=True)))
        assert rebuilt.state == self.session.state
        self.law("the same calls lead to the same answers")
