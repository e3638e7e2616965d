"""Values that nobody gave: true to their schemas, and in the words of the background where it has any."""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import words
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.shown.schemas import properties_of
from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.background import Background
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker
from mcp_sim.predictors.instances.moments import tells_creation
from mcp_sim.predictors.instances.usual import kind_of, schema_of

TITLES = frozenset("title name subject summary display_name label topic headline".split())
TEXTS = frozenset("body description content text message comment notes note details".split())
COUNTS = frozenset("comments count total size additions deletions changes commits reactions replies views likes stars forks".split())
STATES = frozenset({"state", "status", "stage"})
_PEOPLE = frozenset(
    "user author owner assignee assignees creator reporter login username created_by updated_by sender member members".split()
)
_FIRST_STATES = frozenset(
    "open opened active confirmed todo to_do backlog new draft pending created enabled running available scheduled planned queued "
    "unread not_started".split()
)
_LAST_STATES = frozenset(
    "closed cancelled canceled deleted removed archived failed error done complete completed resolved merged rejected declined inactive "
    "disabled expired sold unavailable blocked suspended stopped terminated finished read paid refunded shipped delivered".split()
)


@dataclass(frozen=True)
class Imagining:
    """Imagines what the things of one resource are made with."""

    resource: Resource
    world: World
    background: Background

    def first_state(self, key: str) -> str:
        """Return the state that a new thing is in."""
        argument = self.resource.fields.get(key)
        if argument is not None and isinstance(argument.default, str) and argument.default not in ("all", "any"):
            return argument.default
        shown = properties_of(self.resource.schema).get(key)
        allowed = (argument.enum if argument is not None else None) or (shown.get("enum") if isinstance(shown, dict) else None)
        options = [option for option in allowed if isinstance(option, str)] if isinstance(allowed, list) else []
        likely = [option for option in options if snake(option) in _FIRST_STATES]
        likely += [option for option in options if snake(option) not in _LAST_STATES]
        return next(iter([*likely, *options]), "open")

    def unsaid(self, key: str, part: JSON) -> JSON:
        """Return what a field of a new thing shows that its maker said nothing of (none, the first state); `None` if unknown."""
        name = snake(key)
        schema = part if isinstance(part, dict) else {}
        types = schema.get("type")
        kinds = types if isinstance(types, list) else [types]
        if "default" in schema:
            return schema["default"]
        if name in STATES and (isinstance(schema.get("enum"), list) or "string" in kinds):
            return self.first_state(key)
        if "array" in kinds:
            return []
        if {"integer", "number"} & set(kinds) and (name in COUNTS or name.endswith("_count")):
            return 0
        return None

    @cached_property
    def _properties(self) -> tuple[dict[str, JSON], dict[str, JSON]]:
        """The schemas of the fields that the resource is made with, and the definitions that they refer to."""
        properties: dict[str, JSON] = {}
        definitions: dict[str, JSON] = {}
        for tool in self.resource.tools:
            schema = self.world.tools_by_name[tool.tool].input_schema
            definitions.update({key: schema[key] for key in ("$defs", "definitions") if key in schema})
        for argument in list(self.resource.fields.values())[:40]:
            placing = argument.name in self.resource.scope_keys or argument.snake in ("parent", "after", "before")
            if not argument.is_control and not argument.snake.startswith("new_") and not placing:
                properties[argument.name] = argument.schema
        if not properties and (kind := kind_of(self.resource.name.split("_"))):
            usual = properties_of(schema_of(kind))
            properties = {key: part for key, part in usual.items() if key != self.resource.id_key and not tells_creation(key)}
        if not properties:
            name = {} if self.resource.named else {"name": {"type": "string"}}
            more = "email" if words(self.resource.name)[-1:] in ([person] for person in _PEOPLE) else "description"
            properties = {**name, more: {"type": "string"}}
        return properties, definitions

    @cached_property
    def _maker(self) -> InstanceMaker | None:
        properties, definitions = self._properties
        try:
            return InstanceMaker({"type": "object", "properties": properties, "required": list(properties), **definitions})
        except McpSimError:
            return None

    def imagined(self, random: Random) -> Record:
        """Return values for the fields that the resource is made with, true to their schemas and in the words of the background."""
        properties = self._properties[0]
        try:
            made: Any = self._maker.make(random, Hints(subject=self.resource.name)) if self._maker is not None else {}
        except McpSimError:
            made = {}
        record: Record = made if isinstance(made, dict) else {}
        return {key: self.grounded(key, value, random) for key, value in record.items() if key in properties}

    def grounded(self, key: str, value: JSON, random: Random) -> JSON:
        """Return a value said in the words of the background, where it has any."""
        name = snake(key)
        argument = self.resource.fields.get(name)
        if argument is not None and argument.enum:
            return self._weighted(name, value, random)
        if isinstance(value, str):
            subject = self.background.subject(random)
            if name in TITLES and subject and not (argument and "pattern" in argument.schema):
                return f"{random.choice(('Review', 'Update', 'Check', 'Plan', 'Document', 'Prepare', 'Follow up on'))} {subject}"
            if name in TEXTS and self.background.sentences:
                return random.choice(self.background.sentences)
            if name in _PEOPLE:
                return self._person(random) or value
        if isinstance(value, list) and name in _PEOPLE and (self.background.handles or self.background.people):
            return [self._person(random)] if random.random() < 0.6 else []
        return value

    def _person(self, random: Random) -> str:
        return random.choice(self.background.handles) if self.background.handles else self.background.person(random)

    def _weighted(self, name: str, value: JSON, random: Random) -> JSON:
        return self.first_state(name) if name in STATES and random.random() < 0.6 else value
