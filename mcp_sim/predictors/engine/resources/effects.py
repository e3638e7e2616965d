"""What a changing call sets: the values that it sends, and what its verb does."""

from dataclasses import dataclass

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.resources.resource import Resource, scope_concept
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.understanding import Effect, ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import UNDOES, plural, singular

_SAME = {"completed": ("done", "finished"), "open": ("todo", "to_do"), "cancelled": ("canceled",)}


@dataclass(frozen=True, slots=True)
class Effects:
    """Works out what one call sets in the thing that it is about."""

    meaning: ToolUnderstanding
    resource: Resource
    arguments: dict[str, JSON]

    @property
    def sent(self) -> Record:
        """The values to keep: the fields that were sent, and those inside a wrapper."""
        meaning, arguments = self.meaning, self.arguments
        places = self.resource.scope
        named = [name for name in meaning.parents if scope_concept(name, meaning.resource) not in places]  # kept like any other
        sent = {meaning.sets.get(name, name): arguments[name] for name in (*named, *meaning.fields) if name in arguments}
        if meaning.verb == "fork":  # what it is made from is no place that it is in
            origin = next((name for name in reversed(named) if concept(name) == meaning.resource), "")
            sent = {key: value for key, value in sent.items() if key not in named} | {"name": arguments.get(origin), "fork": True}
        wrapped = arguments.get(meaning.wrapper) if meaning.wrapper else None
        return {**sent, **wrapped} if isinstance(wrapped, dict) else sent

    def kept(self) -> Record:
        """What an update sets: `new_name` sets the name; what comes with a verb of its own is kept only where things have such a field."""
        fields = self.resource.fields
        kept: Record = {self.meaning.clears: None} if self.meaning.clears else {}
        for name, value in self.sent.items():
            target = self._renamed(name)
            made_with = any(tool.kind == "create" and name in tool.fields for tool in self.resource.tools)
            if self.meaning.effect is None or made_with or snake(name) not in fields:
                kept[target] = value
        return kept

    def _renamed(self, name: str) -> str:
        """The field that an argument sets: `new_name` the name, and `new_branch` what a branch is known by."""
        bare, own = snake(name).removeprefix("new_"), snake(self.resource.id_key)
        if bare == snake(name):
            return name
        if own == bare or concept(name) == f"new_{self.resource.name}" or (concept(name) == "new" and self.resource.named):
            return self.resource.id_key
        return bare if bare in self.resource.fields or concept(name) == "new" else name

    def effect(self, record: Record) -> Record:
        """What the verb itself does: closing closes. What undoes another verb sets the very fields that the other sets."""
        effect = self.meaning.effect
        if effect is None:
            return {}
        by_snake = {snake(key): key for key in record}
        own = self._set(effect, by_snake)
        for other in self._undone():
            there = self._set(other, by_snake)
            done = {key: value for key, value in there.items() if record.get(key) == value}
            if not done and set(there) <= set(own):
                continue
            own = {key: value for key, value in own.items() if key in there or snake(key) in by_snake}
            for key, value in there.items():
                own[key] = not value if isinstance(value, bool) else self._word_for(effect.word, snake(key), str(value))
        return own

    def _undone(self) -> list[Effect]:
        """What the other tools do to things of the kind that this verb undoes."""
        undone = UNDOES.get(self.meaning.verb, ())
        return [tool.effect for tool in self.resource.tools if tool.effect is not None and tool.verb in undone]

    def _set(self, effect: Effect, by_snake: dict[str, str]) -> Record:
        for flag in effect.flags:
            name = flag.removeprefix("!")
            if name in by_snake or name in self.resource.fields:
                return {by_snake.get(name, name): not flag.startswith("!"), **self._state(effect.word, by_snake)}
        state = self._state(effect.word, by_snake)
        if state and effect.flags[0].removeprefix("!") == effect.word:
            return state
        return {**state, effect.flags[0].removeprefix("!"): not effect.flags[0].startswith("!")}

    def _state(self, word: str, by_snake: dict[str, str]) -> Record:
        for name in ("state", "status"):
            argument = self.resource.fields.get(name)
            options = [str(option) for option in argument.enum] if argument is not None else []
            if name in by_snake or argument is not None:
                near = _near(word, options)
                if near is not None or not options:
                    return {by_snake.get(name, name): near or word}
        return {}

    def _word_for(self, word: str, field: str, over: str) -> str:
        """The word that a state takes where the other word is over: its own, else the one that things begin with."""
        argument = self.resource.fields.get(field)
        options = [str(option) for option in argument.enum] if argument is not None else []
        return _near(word, options) or next((option for option in options if option != over), word)

    def with_members(self, record: Record, *, adds: bool) -> Record:
        """The list inside the thing, with what was named added or removed."""
        name = self.meaning.member or ""
        by_snake = {snake(shown): shown for shown in record}
        own = next((by_snake[n] for n in (name, plural(name), singular(name)) if n in by_snake), name)
        present = record.get(own)
        before = [_name_of(item) for item in present] if isinstance(present, list) else []
        asked = self.arguments.get(self.meaning.members or "")
        named = asked if isinstance(asked, list) else [asked]
        after = [*before, *(item for item in named if item not in before)] if adds else [item for item in before if item not in named]
        return {own: list(dict.fromkeys(after)) if all(isinstance(i, str | int) for i in after) else after}


def _near(word: str, options: list[str]) -> str | None:
    """The option that says the same as a word."""
    said = (word, *_SAME.get(word, ()))
    return next((option for one in said for option in options if option.lower().replace("-", "_").startswith(one[:4])), None)


def _name_of(item: JSON) -> JSON:
    if not isinstance(item, dict):
        return item
    return next((item[key] for key in ("login", "name", "username", "value", "id") if key in item), item)
