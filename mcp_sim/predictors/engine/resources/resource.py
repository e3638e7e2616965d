"""The things of a world by kind: what their ids look like, what they belong to, what is known of their fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from mcp_sim.core.canonical import JSON
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.engine.kept.collection import Record, given_collections, id_text
from mcp_sim.predictors.engine.resources.ids import IdStyle
from mcp_sim.predictors.engine.shown.observed import records_in
from mcp_sim.predictors.engine.shown.schemas import properties_of, schema_of_thing
from mcp_sim.predictors.engine.words.arguments import Argument, arguments_of, concept, kind_linked, snake
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import plural, singular
from mcp_sim.predictors.instances.instance import InstanceMaker

_ID_KEYS = ("id", "number", "key", "uuid", "gid", "ts", "sha", "slug", "name", "path", "index", "hash")
_TRUEST = ("get", "list", "search", "given", "update", "create")
_NAMED = frozenset("branch tag repository namespace table bucket database topic queue label collection volume image".split())
_SUFFIX_KEYS = {"ids": "id", "names": "name", "keys": "key", "num": "number"}

Path = tuple[tuple[str, str], ...]
"""Keys, each with the kind of thing that it names: the way from a thing to what its owner belongs to."""


@dataclass(frozen=True, slots=True)
class Example:
    """A thing that a demonstration shows: by what kind of tool, under which arguments; or one that `state.json` gives (`given`)."""

    kind: str
    arguments: dict[str, JSON]
    record: Record


@dataclass(frozen=True)
class Resource:
    """One kind of thing.

    `scope` are the concepts that it belongs to, outermost first, and `scope_keys` the keys under which a record keeps them; `id_key` is
    the key of its id. `wide` says that an id alone names one, whatever it belongs to. `named` says that whoever makes one names it.
    `group` are the resources that share its running numbers. `fields` are the arguments that it is made and changed with, by their
    names in lower case with underscores. `links` are those that name a thing of another kind.
    """

    name: str
    scope: tuple[str, ...]
    scope_keys: tuple[str, ...]
    id_key: str
    style: IdStyle
    wide: bool
    named: bool
    group: tuple[str, ...]
    fields: Mapping[str, Argument]
    filters: frozenset[str]
    examples: tuple[Example, ...]
    camel: bool
    links: tuple[tuple[str, str], ...]
    tools: tuple[ToolUnderstanding, ...]
    schema: dict[str, JSON] | None = None
    gains: frozenset[str] = frozenset()
    """What things come to have by what is done to them, besides `fields`: by a verb, by members, by entries in a logbook."""
    unlisted: frozenset[str] = frozenset()
    """Those of `gains` of which a description says that things with them are not listed."""
    above: Mapping[str, Path] = field(default_factory=dict)
    """By kind of what its owners belong to: the keys that lead there, each with the kind that it leads to."""
    unfollowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By tool the filters that nothing can ever be known of."""

    @property
    def title(self) -> str:
        """Its name as a person writes it: `Pull request`."""
        return self.name.replace("_", " ").capitalize()

    @cached_property
    def plural(self) -> str:
        """Its name for many of them."""
        return plural(self.name)

    @cached_property
    def known_fields(self) -> frozenset[str]:
        """The fields that things of the kind have, in lower case with underscores: by demonstrations, schemas or arguments."""
        keys = {*self.fields, *properties_of(self.schema), *(key for example in self.examples[:20] for key in example.record)}
        return frozenset(snake(key) for key in {*keys, *self.scope_keys, self.id_key})

    def spelled(self, *parts: str) -> str:
        """Return a key in the style of the tools' own arguments: `createdAt` or `created_at`."""
        return parts[0] + "".join(part.capitalize() for part in parts[1:]) if self.camel else "_".join(parts)

    @cached_property
    def best_example(self) -> Example | None:
        """The demonstration that shows most of one."""
        order = {"get": 3, "create": 2, "update": 1}
        shown = [example for example in self.examples if example.kind != "given"] or self.examples
        return max(shown, key=lambda e: (min(len(e.record), 8), order.get(e.kind, 0), len(e.record)), default=None)


def collect_resources(world: World, tools: Mapping[str, ToolUnderstanding]) -> dict[str, Resource]:
    """Return the resources that the tools are about."""
    by_name: dict[str, list[ToolUnderstanding]] = {}
    for tool in tools.values():
        for meant in tool.modes.values() if tool.modes else (tool,):
            if meant.kind not in ("other", "add-member", "remove-member") and meant.resource and not meant.within:
                by_name.setdefault(meant.resource, []).append(meant)
    known = set(by_name)
    found = {name: _resource(name, own, world, known) for name, own in by_name.items()}
    return {name: _with_group(resource, found) for name, resource in found.items()}


def goes_by_name(resource: str) -> bool:
    """Return whether things of a kind are usually known by their names."""
    return resource.split("_")[-1] in _NAMED


def scope_concept(argument: str, resource: str) -> str:
    """Return what a parent argument is about; a bare `id` beside the id of a part is the id of the whole."""
    about = concept(argument)
    if about:
        return about
    whole = "_".join(resource.split("_")[:-1])
    return whole or argument


def _resource(name: str, tools: list[ToolUnderstanding], world: World, known: set[str]) -> Resource:
    arguments = {tool.tool: {a.name: a for a in arguments_of(world.tools_by_name[tool.tool])} for tool in tools}
    scope, keys = _scope(name, tools)
    shown = _examples(name, tools, world)
    schema = _schema(name, tools, world)
    identified = [tool for tool in tools if tool.id and tool.kind in ("get", "update", "delete")]
    creators = [tool for tool in tools if tool.kind == "create"]
    named = any(tool.id for tool in creators)
    argument = next((arguments[tool.tool].get(tool.id or "") for tool in (*identified, *creators) if tool.id), None)
    parts = {part.snake: part for tool in creators if tool.items for part in arguments[tool.tool][tool.items].parts}
    if argument is None:
        argument = next((arguments[tool.tool].get(tool.ids) for tool in tools if tool.ids and tool.kind in ("get", "delete")), None)
        named = argument is not None and argument.snake.endswith("names") and "name" in parts
    id_key = _id_key(name, argument, tuple(sorted(shown, key=lambda example: _TRUEST.index(example.kind))), named=named)
    given_name = next((tool.id for tool in creators if tool.id), None)
    if given_name is not None and snake(given_name) in ("title", "content", "summary", "subject"):
        id_key = given_name  # what it is called by is what it says
    examples = tuple(example for example in shown if id_key in example.record)
    if schema is not None and id_key not in properties_of(schema):
        by_snake = {snake(key): key for key in properties_of(schema)}
        id_key = next((by_snake[key] for key in (snake(id_key), f"{name}_id", *_ID_KEYS) if key in by_snake), id_key)
    own_scope = set(scope)
    wide = bool(scope) and any({scope_concept(p, name) for p in tool.parents} & own_scope != own_scope for tool in identified)
    fields: dict[str, Argument] = {}
    for tool in tools:
        if tool.kind == "create" or (tool.kind == "update" and tool.effect is None):
            beside = [p for p in tool.parents if scope_concept(p, name) not in own_scope] if tool.kind == "create" else []
            for field_name in (*beside, *tool.fields):
                if field_name in arguments[tool.tool] and tool.sets.get(field_name, field_name) == field_name:
                    fields.setdefault(snake(field_name), arguments[tool.tool][field_name])
    for part_name, part in parts.items():
        fields.setdefault(part_name, part)
    filters = frozenset(snake(f) for tool in tools for f in tool.filters)
    every = [a for of_tool in arguments.values() for a in of_tool]
    camel = sum(a != a.lower() and "_" not in a for a in every) > sum("_" in a for a in every)
    keys = tuple(key if key != id_key else f"of_{key}" for key in keys)
    links = tuple((key, about) for key, a in fields.items() if (about := kind_linked(a, known)) and about != name)
    samples = [example.record[id_key] for example in examples if id_key in example.record] or _sampled_ids(schema, id_key, named)
    style = IdStyle.of(argument, samples, own_named=named, wide=wide, scoped=bool(scope), key=id_key)
    return Resource(
        name=name,
        scope=scope,
        scope_keys=keys,
        id_key=id_key,
        style=style,
        wide=wide,
        named=named,
        group=(name,),
        fields=fields,
        filters=filters,
        examples=examples,
        camel=camel,
        links=links,
        tools=tuple(tools),
        schema=schema,
    )


def _scope(name: str, tools: list[ToolUnderstanding]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the resource belongs to: the parents that its listing asks for, else those that the tools agree on."""
    counts: dict[str, int] = {}
    spelled: dict[str, str] = {}
    asked: set[str] = set()
    for tool in tools:
        for parent in tool.parents:
            about = scope_concept(parent, name)
            counts[about] = counts.get(about, 0) + 1
            spelled.setdefault(about, parent)
            if tool.kind in ("list", "get", "count"):
                asked.add(about)
    listings = [tool for tool in tools if tool.kind == "list"]
    if listings and not any(tool.parents for tool in listings):  # all of them can be listed at once: what they belong to is a field
        return (), ()
    for creator in (tool for tool in tools if tool.kind == "create"):
        names = [*creator.parents, *creator.fields, *([creator.id] if creator.id else []), *([creator.wrapper] if creator.wrapper else [])]
        if not {"parent", creator.wrapper} & set(names):  # what nothing can be made under is a filter
            asked &= {scope_concept(own, name) for own in names}
            counts = {about: count for about, count in counts.items() if about in asked or count >= 2}
    longest = max(tools, key=lambda tool: len(tool.parents))
    order = [scope_concept(parent, name) for parent in longest.parents]
    order += [about for about in counts if about not in order]
    scope = tuple(about for about in order if about in asked or counts.get(about, 0) >= 2)
    taken = {snake(tool.id) for tool in tools if tool.id}
    keys = []
    for about in scope:
        key = spelled[about]
        if snake(key) in taken or snake(key) in ("id", "number", "key", "name"):
            key = f"parent_{key}" if about == name else f"{about}_{snake(key)}"
        keys.append(key)
    return scope, tuple(keys)


def _id_key(name: str, argument: Argument | None, examples: tuple[Example, ...], *, named: bool) -> str:
    for example in examples:
        if argument is not None and argument.name in example.arguments:
            asked = id_text(example.arguments[argument.name])
            for key, value in example.record.items():
                if isinstance(value, str | int) and not isinstance(value, bool) and id_text(value) == asked:
                    return key
    shown = next((example.record for example in examples), None)
    bare = ""
    if argument is not None and argument.is_position:
        bare = argument.snake.split("_")[-1]
    elif argument is not None:
        last = argument.snake.split("_")[-1]
        if argument.concept and last != argument.snake and argument.concept.split("_")[-1] != last:
            bare = _SUFFIX_KEYS.get(last, last)
        else:
            if named and argument.concept and argument.concept not in (name, name.split("_")[-1]) and argument.concept == argument.snake:
                return argument.name  # a sku, an isbn: called by what it is
            by_name = named or argument.concept.split("_")[-1] in _NAMED
            bare = argument.snake if not argument.concept else "name" if by_name else "id"
    if shown is not None:
        candidates = [bare, argument.name if argument is not None else "", f"{name}_id", *_ID_KEYS]
        by_snake = {snake(key): key for key in shown}
        return next((by_snake[snake(key)] for key in candidates if key and snake(key) in by_snake), bare or "id")
    return bare or "id"


def _examples(name: str, tools: list[ToolUnderstanding], world: World) -> list[Example]:
    found: list[Example] = []
    for tool in tools:
        for demonstration in world.demonstrations_by_tool.get(tool.tool, ())[:50]:
            arguments = demonstration.action.arguments
            if demonstration.observation.is_error or tool.kind in ("delete", "count"):
                continue
            records = records_in(demonstration.observation, name, many=_shows_many(tool))
            found.extend(Example(tool.kind, arguments, record) for record in records[:100])
    for key, records in given_collections(world.first_state).items():
        if singular(snake(key)) == name:
            found.extend(Example("given", {}, record) for record in records[:50])
    return found


def _shows_many(tool: ToolUnderstanding) -> bool:
    return tool.kind in ("list", "search") or bool(tool.items or tool.ids)


def _schema(name: str, tools: list[ToolUnderstanding], world: World) -> dict[str, JSON] | None:
    found = [
        schema
        for tool in tools
        if (schema := schema_of_thing(world.tools_by_name[tool.tool].output_schema, name, many=_shows_many(tool))) is not None
        and tool.kind in ("get", "list", "search", "create", "update")
        and "success" not in properties_of(schema)  # says that it was done, not what a thing is
        and set(map(snake, properties_of(schema))) & {snake(key) for key in (*_ID_KEYS, f"{name}_id")}
    ]
    return max(found, key=lambda schema: len(properties_of(schema)), default=None)


def _sampled_ids(schema: dict[str, JSON] | None, id_key: str, named: bool) -> list[JSON]:
    """An id as the output schema asks for, where it asks for more than a text."""
    part = properties_of(schema).get(id_key) if schema is not None else None
    if named or not isinstance(part, dict) or not {"pattern", "format", "examples"} & set(part):
        return []
    if part.get("type") in ("integer", "number"):
        return []
    try:
        made = InstanceMaker(part).make(Random(0))
    except McpSimError:
        return []
    return [made] if isinstance(made, str) else []


def _with_group(resource: Resource, resources: Mapping[str, Resource]) -> Resource:
    """Issues and pull requests of one repository share their numbers: their ids are called numbers and their parents are the same."""
    if not (resource.style.style == "number" and resource.id_key == "number" and resource.scope):
        return resource
    sharing = sorted(
        other.name
        for other in resources.values()
        if other.id_key == "number" and other.style.style == "number" and other.scope == resource.scope
    )
    return replace(resource, group=tuple(sharing))
