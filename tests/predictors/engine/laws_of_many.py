"""More laws: of things made many at once, of things known by their place in a list, and of paths passed on to a REST interface."""

import json
from dataclasses import dataclass, field
from typing import Any

from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.words.arguments import concept
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.instances.instance import InstanceMaker
from tests.predictors.engine.laws import Program, Thing, dicts, value_of


def strings(value: Any) -> list[str]:
    """All texts inside a value."""
    if isinstance(value, str):
        return [value]
    return [
        text for item in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()) for text in strings(item)
    ]


@dataclass(repr=False)
class Whole(Program):
    """A program that also does what `Program` leaves out. `rows` is what is in each list of places, `many` what was made many at once."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    many: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    routed: list[tuple[str, Any, dict[str, Any]]] = field(default_factory=list)

    def resources(self) -> list[str]:
        return [name for name in super().resources() if name not in self.placed_resources()]

    def placed_resources(self) -> list[str]:
        kinds = self.engine.knowledge.resources
        return sorted({m.resource for m, _ in self.tools("create") if kinds[m.resource].style.style == "place"})

    def run(self, steps: int) -> None:
        deeds = [self._placed] * bool(self.placed_resources())
        deeds += [self._batched] * any(meaning.items for meaning, _ in self.tools("create"))
        deeds += [self._routed] * any(tool.rest == "post" for tool in self.engine.understanding.values())
        for _ in range(steps if deeds else 0):
            self.random.choice(deeds)()
        super().run(steps)
        self._dropped()

    def _dropped(self) -> None:
        """A table that a statement drops is gone."""
        for tool in self.engine.understanding.values():
            if tool.statement and tool.kind == "other":
                for thing in [one for one in self.things if one.resource == tool.resource and one.alive][:2]:
                    assert not self.call(tool.tool, {tool.statement: f"DROP TABLE {thing.id};"}).is_error
                    thing.alive = False
                    self.read(thing)
                    self.listed(thing)

    # places

    def _placed(self) -> None:
        resource = self.random.choice(self.placed_resources())
        rows = self.rows.setdefault(resource, [])
        deed = self.random.choice(("create", "create", "delete", "list"))
        if deed == "create":
            meaning, mode = self.random.choice(self.tools("create", resource))
            arguments = self.arguments(meaning, Thing(resource, None, {}, {}), mode, fields=True)
            assert not self.call(meaning.tool, arguments).is_error
            row = {name: arguments[name] for name in meaning.fields if name in arguments}
            rows.insert(0 if self._piles_up(resource) else len(rows), row)
        elif deed == "delete":
            removing = [(m, mode) for m, mode in self.tools("delete", resource) if m.id]
            meaning, mode = self.random.choice(removing)
            place = self.random.randrange(len(rows) + 1)
            named = f"stash@{{{place}}}" if self._piles_up(resource) else place
            assert self.call(meaning.tool, {**mode, str(meaning.id): named}).is_error is (place == len(rows))
            del rows[place : place + 1]
        for meaning, mode in self.tools("list", resource):
            value = value_of(self.call(meaning.tool, dict(mode)))
            key = self.id_key(resource)
            shown = [found for found in dicts(value) if key in found]
            assert len(shown) == len(rows)
            for row, found in zip(rows, shown, strict=True):
                assert set(strings(row)) <= set(strings(found)), f"{found} does not show {row}"
            self.law("what is known by its place is where it should be")

    def _piles_up(self, resource: str) -> bool:
        removing = [m for m, _ in self.tools("delete", resource) if m.id]
        return any("@{0}" in json.dumps(self.world.tools_by_name[m.tool].input_schema) for m in removing)

    # many at once

    def _batched(self) -> None:
        meaning, mode = self.random.choice([one for one in self.tools("create") if one[0].items])
        many = self.many.setdefault(meaning.resource, [])
        removing = [m for m, _ in self.tools("delete", meaning.resource) if m.ids or m.items]
        if many and removing and self.random.random() < 0.3:
            self._delete_many(self.random.choice(removing), many)
        else:
            self._create_many(meaning, mode, many)
        self._views()

    def _item(self, meaning: ToolUnderstanding) -> dict[str, Any]:
        items: Any = self.world.tools_by_name[meaning.tool].input_schema["properties"][str(meaning.items)]["items"]
        made: Any = InstanceMaker({"type": "object", **{k: v for k, v in items.items() if k in ("properties", "required")}}).make(
            self.random
        )
        texts = [name for name, part in items.get("properties", {}).items() if part.get("type") == "string" and not part.get("enum")]
        return {**made, **{name: "-".join(self.words().split()) for name in texts if name in made}}

    def _linked(self, meaning: ToolUnderstanding, item: dict[str, Any]) -> dict[str, Any]:
        """What an item names of another kind is there."""
        for name, about in self.engine.knowledge.resources[meaning.resource].links:
            known = self.many.get(about, [])
            if known and name in item:
                item[name] = self.random.choice(known)[self.id_key(about)]
        return item

    def _create_many(self, meaning: ToolUnderstanding, mode: dict[str, Any], many: list[dict[str, Any]]) -> None:
        links = [about for _, about in self.engine.knowledge.resources[meaning.resource].links]
        if any(not self.many.get(about) for about in links if any(m.items for m, _ in self.tools("create", about))):
            return
        items: list[dict[str, Any]] = []
        for _ in range(self.random.randint(1, 3)):
            item, key = self._linked(meaning, self._item(meaning)), self.id_key(meaning.resource)
            if key not in item or item[key] not in [other.get(key) for other in (*many, *items)]:  # a name that is taken stays as it is
                items.append(item)
        arguments = self.arguments(meaning, Thing(meaning.resource, None, {}, {}), {**mode, str(meaning.items): items}, fields=False)
        before = self._count(meaning, arguments)
        assert not self.call(meaning.tool, arguments).is_error
        if before is not None:
            after = self._count(meaning, arguments)
            assert after == before + len(items), f"{after} listed, {before} before {len(items)} were made"
            self.law("as many more are listed as were made at once")
        if not meaning.parents:
            many.extend(item for item in items if item not in many)
        self._read_each(meaning, arguments, items)

    def _read_each(self, meaning: ToolUnderstanding, arguments: dict[str, Any], items: list[dict[str, Any]]) -> None:
        key = self.id_key(meaning.resource)
        for reader, mode in self.tools("get", meaning.resource):
            if not reader.id or reader.shows or any(key not in item for item in items):
                continue
            names = [*reader.parents, *self.world.tools_by_name[reader.tool].input_schema["properties"]]
            places = {name: arguments[other] for name in names for other in meaning.parents if concept(name) == concept(other)}
            for item in items:
                observation = self.call(reader.tool, {**mode, **places, reader.id: item[key]})
                assert not observation.is_error, observation.text
                assert set(strings({k: v for k, v in item.items() if k != key})) <= set(
                    strings([*dicts(value_or_text(observation)), observation.text])
                )
                self.law("each of many made at once is found")

    def _count(self, meaning: ToolUnderstanding, arguments: dict[str, Any]) -> int | None:
        for listing, mode in self.tools("list", meaning.resource):
            if listing.shows or {concept(n) for n in listing.parents} != {concept(n) for n in meaning.parents}:
                continue
            places = {name: arguments[other] for name in listing.parents for other in meaning.parents if concept(name) == concept(other)}
            size = {listing.size: 100} if listing.size else {}
            return len(
                [d for d in dicts(value_of(self.call(listing.tool, {**mode, **places, **size}))) if self.id_key(meaning.resource) in d]
            )
        return None

    def _delete_many(self, meaning: ToolUnderstanding, many: list[dict[str, Any]]) -> None:
        gone = self.random.sample(many, self.random.randint(1, min(2, len(many))))
        key = self.id_key(meaning.resource)
        if meaning.ids and any(key not in item for item in gone):
            return
        asked = {meaning.ids: [item[key] for item in gone]} if meaning.ids else {str(meaning.items): gone}
        assert not self.call(meaning.tool, asked).is_error
        self.many[meaning.resource] = [item for item in many if item not in gone]
        for other, items in self.many.items():
            links = [name for name, about in self.engine.knowledge.resources[other].links if about == meaning.resource]
            self.many[other] = [i for i in items if not any(i.get(name) in [g.get(key) for g in gone] for name in links)]

    def _views(self) -> None:
        """Whatever shows several kinds at once shows what is there and nothing that was deleted."""
        for meaning, mode in self.tools("list"):
            if not meaning.shows:
                continue
            shown = dicts(value_of(self.call(meaning.tool, dict(mode))))
            for resource in meaning.shows:
                for item in self.many.get(resource, []):
                    assert len([d for d in shown if d.items() >= item.items()]) == 1, f"{item} of {resource} in {shown}"
            self.law("an overview shows each of many things once")
        for meaning, mode in self.tools("get"):
            known = self.many.get(meaning.resource, [])
            if meaning.shows and meaning.ids and known:
                item, key = self.random.choice(known), self.id_key(meaning.resource)
                shown = dicts(value_of(self.call(meaning.tool, {**mode, meaning.ids: [item[key]]})))
                assert [d for d in shown if d.items() >= item.items()]
                assert not [d for d in shown for other in known if other[key] != item[key] and d.get(key) == other[key]]
                self.law("what is opened by name is shown, and nothing else of its kind")

    # paths

    def _rest(self, method: str, path: str, **more: Any) -> Observation | None:
        for tool in self.engine.understanding.values():
            if tool.rest == method:
                return self.call(tool.tool, {tool.rest_path: path, **more})
        return None

    def _routed(self) -> None:
        alive = [one for one in self.routed if one[1] is not None]
        deed = self.random.choice(("post", "post", "patch", "delete")) if alive else "post"
        if deed == "post":
            whole = self.random.choice(
                [*(f"{path}/{known}/comments" for path, known, _ in alive if path.count("/") < 3), "/rest/api/3/issue"]
            )
            body = {"summary": self.words(), "amount": self.random.randrange(1000)}
            made = self._rest("post", whole, body=body)
            assert made is not None
            self.routed.append((whole, value_of(made)["id"], dict(body)))
        else:
            path, known, body = self.random.choice(alive)
            if deed == "patch":
                changed = {"summary": self.words()}
                if self._rest("patch", f"{path}/{known}", body=changed) is not None:
                    body.update(changed)
            elif self._rest("delete", f"{path}/{known}") is not None:
                self.routed = [one for one in self.routed if not f"{one[0]}/{one[1]}/".startswith(f"{path}/{known}/")]
                gone = self._rest("get", f"{path}/{known}")
                assert gone is None or gone.is_error
                self.law("what was deleted is not found at its path")
        for path, known, body in self.routed:
            found = self._rest("get", f"{path}/{known}")
            assert found is not None
            assert value_of(found).items() >= body.items()
            self.law("what was posted is found at its path")


def value_or_text(observation: Observation) -> Any:
    try:
        return value_of(observation)
    except ValueError:
        return observation.text
