"""What is known of a world before anything happens in it, worked out once, each part when it is first needed."""

import re
from collections.abc import Mapping
from functools import cached_property
from urllib.parse import quote

from mcp_sim.core.canonical import JSON
from mcp_sim.core.transition import Demonstration
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.index.catalogue import Catalogue
from mcp_sim.predictors.engine.kept.collection import Given, Record, given_collections, id_text
from mcp_sim.predictors.engine.making.forms import Form
from mcp_sim.predictors.engine.making.making import Making
from mcp_sim.predictors.engine.resources.resource import Resource, collect_resources, scope_concept
from mcp_sim.predictors.engine.shown.observed import json_of, records_in, tells_end, things_in
from mcp_sim.predictors.engine.tools.gains import with_gains
from mcp_sim.predictors.engine.tools.reading import read_tools
from mcp_sim.predictors.engine.tools.rest import route_key
from mcp_sim.predictors.engine.words.arguments import Argument, arguments_of, concept, named_inside, snake
from mcp_sim.predictors.engine.words.background import Background
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import singular
from mcp_sim.predictors.instances.moments import is_newest_first

FORBIDDEN = re.compile(r"forbidden|permission|denied|\b403\b|not allowed|unauthori[sz]ed|may not", re.IGNORECASE)
_NEWEST_FIRST = re.compile("newest first|most recent(?:ly \\w+)? first|latest first|reverse chronological")
_USUAL_PLACES = {"branch": "main", "ref": "main"}
_SHOWING = frozenset({"list", "search", "get", "create", "update", "add-member", "remove-member"})
_NOTHING = Given((), {})


class Knowledge:
    """The tools of a world understood, its resources, and what its folder says about them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._making: dict[str, Making] = {}
        self._forms: dict[tuple[str, str, str], Form] = {}
        self._given_parents: dict[str, dict[str, str]] = {}
        self._newest_first: dict[str, bool | None] = {}
        self._arguments: dict[str, dict[str, Argument]] = {}
        self.catalogue = Catalogue()

    @cached_property
    def understanding(self) -> dict[str, ToolUnderstanding]:
        """What each tool does."""
        return read_tools(self.world)

    @cached_property
    def resources(self) -> dict[str, Resource]:
        """The kinds of things that the tools are about."""
        return with_gains(collect_resources(self.world, self.understanding), self.understanding, self.world)

    @cached_property
    def _known_by(self) -> dict[str, str]:
        """What arguments that name things are about, where that is not the resource's own name: `pull` → `pull_request`."""
        found = {name: name for name in self.resources}
        for resource in self.resources.values():
            for tool in resource.tools:
                if tool.kind in ("get", "update", "delete") and tool.id and (about := concept(tool.id)):
                    found.setdefault(about, resource.name)
        return found

    def owner(self, about: str) -> Resource | None:
        """Return the resource that an argument about `about` names a thing of, `None` if there is none."""
        return self.resources.get(self._known_by.get(about, ""))

    @cached_property
    def seen(self) -> dict[tuple[str, JSON], Record]:
        """The named objects that the demonstrations show anywhere (people, labels, ...), by the key and value of their names."""
        found: dict[tuple[str, JSON], Record] = {}
        for example in self.world.demonstrations[:500]:
            answer = None if example.observation.is_error else json_of(example.observation)
            if answer is not None:
                _collect_named(answer.value, found, 0)
        return found

    @cached_property
    def background(self) -> Background:
        """The vocabulary of the background text."""
        return Background.of(self.world.background)

    @cached_property
    def given(self) -> dict[str, dict[str, Given]]:
        """What `state.json` gives: by resource, then by parent."""
        result: dict[str, dict[str, Given]] = {}
        for name, records in given_collections(self.world.first_state).items():
            parts = snake(name).split("_")
            resource = self.resources.get("_".join([*parts[:-1], singular(parts[-1])]))
            if resource is None:
                continue
            by_parent: dict[str, list[Record]] = {}
            for record in records:
                by_parent.setdefault(self.parent_key(resource, self.parents_in(resource, record)), []).append(record)
            result[resource.name] = {parent: Given.of(own, resource.id_key) for parent, own in by_parent.items()}
        return result

    @cached_property
    def facts(self) -> dict[str, dict[str, list[Record]]]:
        """What the demonstrations show to exist: by resource, then by parent."""
        result: dict[str, dict[str, list[Record]]] = {}
        for resource in self.resources.values():
            merged: dict[tuple[str, str], Record] = {}
            made = {id_text(example.record[resource.id_key]) for example in resource.examples if example.kind == "create"}
            for example in resource.examples:
                identifier = example.record.get(resource.id_key)
                if (
                    example.kind == "given" or not isinstance(identifier, str | int) or id_text(identifier) in made
                ):  # what a demonstration makes was not there before
                    continue
                parents = {**self.parents_in(resource, example.arguments), **self.parents_in(resource, example.record, exact=True)}
                if len(parents) < len(resource.scope):
                    continue
                place = (self.parent_key(resource, parents), id_text(identifier))
                merged[place] = {**merged.get(place, {}), **example.record}
            ordered = list(merged.items())
            if resource.style.counts:
                ordered.sort(key=lambda entry: resource.style.number_of(entry[0][1]))
            elif is_newest_first([record for _, record in ordered]):
                ordered.reverse()
            for (parent, _), record in ordered:
                result.setdefault(resource.name, {}).setdefault(parent, []).append(record)
        return result

    @cached_property
    def absent(self) -> frozenset[tuple[str, str, str]]:
        """What the demonstrations show not to exist: resource, parent and id."""
        found = set()
        for tool in self.understanding.values():
            resource = self.resources.get(tool.resource)
            for example in self.world.demonstrations_by_tool.get(tool.tool, ()) if tool.kind == "get" and resource else ():
                if resource and example.observation.is_error and tool.id in example.action.arguments:
                    parents = self.parents_of(tool, resource, example.action.arguments)
                    found.add((resource.name, self.parent_key(resource, parents), id_text(example.action.arguments[tool.id])))
        return frozenset(found)

    @cached_property
    def forbidden_places(self) -> tuple[tuple[str, dict[str, JSON]], ...]:
        """Where the demonstrations show that nothing may be changed: the text of the refusal, and the parents by what they are about."""
        found = []
        for tool in self.understanding.values():
            for example in self.world.demonstrations_by_tool.get(tool.tool, ()) if tool.mutates else ():
                places = {concept(name): example.action.arguments[name] for name in tool.parents if name in example.action.arguments}
                if example.observation.is_error and places and FORBIDDEN.search(example.observation.text[:2000]):
                    found.append((example.observation.text, places))
        return tuple(found)

    def is_newest_first(self, meaning: ToolUnderstanding, resource: Resource) -> bool | None:
        """Return whether a tool lists the newest first, judged by its demonstrations, else by its description; `None` if neither tells."""
        if meaning.tool not in self._newest_first:
            self._newest_first[meaning.tool] = self._judged_newest_first(meaning, resource)
        return self._newest_first[meaning.tool]

    def _judged_newest_first(self, meaning: ToolUnderstanding, resource: Resource) -> bool | None:
        base = self.given.get(resource.name) or {p: Given.of(r, resource.id_key) for p, r in self.facts.get(resource.name, {}).items()}
        for example in self.world.demonstrations_by_tool.get(meaning.tool, ()):
            records = [] if example.observation.is_error else records_in(example.observation, resource.name, many=True)
            keys = [id_text(record.get(resource.id_key)) for record in records]
            for given in base.values() if len(keys) > 1 else ():
                places = [given.places[key] for key in keys if key in given.places]
                if len(places) > 1 and places in (sorted(places), sorted(places, reverse=True)):
                    return places[0] > places[-1]
        described = self.world.tools_by_name[meaning.tool].description[:4000].lower()
        return True if meaning.newest_first or _NEWEST_FIRST.search(described) else None

    @cached_property
    def shown_whole(self) -> frozenset[tuple[str, str]]:
        """The collections that a demonstration lists without a filter: they hold nothing else."""
        whole = set()
        for tool in self.understanding.values():
            resource = self.resources.get(tool.resource)
            for example in self.world.demonstrations_by_tool.get(tool.tool, ()) if tool.kind == "list" and resource else ():
                asked = set(example.action.arguments) - set(tool.parents)
                answer = None if example.observation.is_error else json_of(example.observation)
                if resource and not asked and answer is not None and _is_whole(answer.value, resource.name):
                    parents = self.parents_in(resource, example.action.arguments)
                    whole.add((resource.name, self.parent_key(resource, parents)))
        return frozenset(whole)

    def making(self, resource: Resource) -> Making:
        """Return the maker of a resource's things."""
        if resource.name not in self._making:
            self._making[resource.name] = Making(resource, self.world, self.background, self.seen)
        return self._making[resource.name]

    def form(self, meaning: ToolUnderstanding, resource: Resource, mode: str, learned: tuple[Demonstration, ...] = ()) -> Form:
        """Return how a tool answers; `learned` are answers of its own that this session saw, where the world shows none."""
        key = (meaning.tool, resource.name, mode)
        form = self._forms.get(key)
        if form is None:
            shown = self.world.demonstrations_by_tool.get(meaning.tool, ())
            tool = self.understanding[meaning.tool]
            right = [e for e in shown if not e.observation.is_error and mode_of(tool, e.action.arguments) == mode]
            borrowed = () if right or mode else self._borrowed(meaning, resource)
            examples = tuple(right[:20]) or borrowed
            clock = self.world.settings.clock
            form = Form(self.world.tools_by_name[meaning.tool], meaning, resource, examples, clock, borrowed=bool(borrowed))
            self._forms[key] = form
        if learned and not form.is_known:
            return Form(form.tool, meaning, resource, learned, form.clock, learned=True)
        return form

    def _borrowed(self, meaning: ToolUnderstanding, resource: Resource) -> tuple[Demonstration, ...]:
        """The examples of another tool that shows the same: what a get shows, an update shows as well."""
        kinds = (
            ("list", "search") if meaning.kind in ("list", "search") else ("get", "create", "update") if meaning.kind in _SHOWING else ()
        )
        for kind in kinds:
            for tool in resource.tools:
                shown = [e for e in self.world.demonstrations_by_tool.get(tool.tool, ()) if not e.observation.is_error]
                if tool.kind == kind and shown and (kind in ("get", "list") or json_of(shown[0].observation) is not None):
                    return tuple(shown[:20])
        return ()

    def arguments(self, tool: str) -> Mapping[str, Argument]:
        """Return the arguments of a tool by name."""
        if tool not in self._arguments:
            self._arguments[tool] = {argument.name: argument for argument in arguments_of(self.world.tools_by_name[tool])}
        return self._arguments[tool]

    def parents_of(self, meaning: ToolUnderstanding, resource: Resource, arguments: Mapping[str, JSON]) -> dict[str, JSON]:
        """Return what the call says the thing belongs to, by the keys of a record; what it does not say is absent."""
        schema = self.arguments(meaning.tool)
        new = meaning.fields if meaning.kind == "update" else ()  # where a thing goes is not where it is
        names = [*meaning.parents, *(name for name in schema if name not in (*meaning.parents, *new) and name != meaning.id)]
        found: dict[str, JSON] = {}
        for about, key in zip(resource.scope, resource.scope_keys, strict=True):
            for name in names:
                if scope_concept(name, resource.name) == about and isinstance(arguments.get(name), str | int | float):
                    found[key] = arguments[name]
                    break
            else:
                value = named_inside(arguments.get("parent"), about) if "parent" in arguments else None
                default = next((schema[n].default for n in names if n in schema and scope_concept(n, resource.name) == about), None)
                value = value if value is not None else default
                if value is None and found:  # in a repository, but not said on which branch
                    value = _USUAL_PLACES.get(about)
                if value is not None:
                    found[key] = value
        return found

    def parents_in(self, resource: Resource, values: Mapping[str, JSON], *, exact: bool = False) -> dict[str, JSON]:
        """Return what a record (or the arguments of a call) says that its thing belongs to, by the keys of a record."""
        found: dict[str, JSON] = {}
        for about, key in zip(resource.scope, resource.scope_keys, strict=True):
            for name, value in values.items():
                same = snake(name) == snake(key) or (not exact and concept(name) == about)
                if same and isinstance(value, str | int) and not isinstance(value, bool):
                    found[key] = value
                    break
            else:
                if not exact and found and about in _USUAL_PLACES:
                    found[key] = _USUAL_PLACES[about]
        return found

    def parent_key(self, resource: Resource, parents: Mapping[str, JSON]) -> str:
        """Return the key of the collection of a resource under these parents."""
        return "/".join(quote(id_text(parents.get(key, "")), safe="") for key in resource.scope_keys)

    def given_parent(self, resource: Resource, key: str) -> str | None:
        """Return the parent under which `state.json` has the thing of that id, the first where there are several."""
        if resource.name not in self._given_parents:
            of_resource = self.given.get(resource.name, {})
            self._given_parents[resource.name] = {key: parent for parent in reversed(of_resource) for key in of_resource[parent].places}
        return self._given_parents[resource.name].get(key)

    def given_under(self, resource: Resource, parent: str) -> Given | None:
        """Return what `state.json` gives there; `None` if it does not speak of that resource."""
        of_resource = self.given.get(resource.name)
        return None if of_resource is None else of_resource.get(parent, _NOTHING)


def mode_of(tool: ToolUnderstanding, arguments: Mapping[str, JSON]) -> str:
    """Return what tells apart the forms in which a tool answers: its mode, or the kind of path that it passes on."""
    if tool.rest:
        return route_key(tool.rest, arguments.get(tool.rest_path))
    return str(arguments.get(tool.mode, tool.modes_default)) if tool.mode else ""


def _is_whole(value: JSON, resource: str) -> bool:
    shown = len(things_in(value, resource, many=True))
    return shown < 30 and tells_end(value, shown)


def _collect_named(value: JSON, found: dict[tuple[str, JSON], Record], depth: int) -> None:
    if depth > 12 or len(found) > 20_000:
        return
    if isinstance(value, dict):
        for key in ("login", "name", "username", "displayName", "display_name"):
            if isinstance(value.get(key), str):
                known = found.get((key, value[key]))
                if known is None or len(value) < len(known):  # the shortest form is how others refer to it
                    found[(key, value[key])] = value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(item, dict | list):
            _collect_named(item, found, depth + 1)
