"""A result made from nothing but the call."""

from mcp_sim.core.canonical import JSON, indented
from mcp_sim.core.tool_spec import ToolSpec, words
from mcp_sim.predictors.engine.words.vocabulary import EFFECTS, VERBS, is_plural, singular
from mcp_sim.predictors.instances.asked import says_how_many, unit_in
from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker
from mcp_sim.predictors.instances.usual import is_series, kind_of, schema_of

_PAST = {
    "send": "Sent", "write": "Wrote", "set": "Set", "put": "Put", "run": "Ran", "make": "Made", "begin": "Began", "buy": "Bought",
    "cut": "Cut", "get": "Got", "go": "Went", "hide": "Hid", "leave": "Left", "pay": "Paid", "read": "Read", "reset": "Reset",
    "submit": "Submitted", "stop": "Stopped", "drag": "Dragged", "drop": "Dropped", "pin": "Pinned", "tag": "Tagged", "log": "Logged",
    "commit": "Committed", "cancel": "Cancelled", "rm": "Removed", "upsert": "Saved", "do": "Did", "swap": "Swapped", "mark": "Marked",
}  # fmt: skip
_LISTING = frozenset("list search find query browse filter ls lookup scan".split())
_GETTING = frozenset("get show describe view inspect info status check load retrieve resolve".split())
_READING = frozenset("content contents file page text readme document doc docs html markdown snapshot logs diff article transcript".split())
_COUNTING = frozenset("count".split())
_VERBS = _LISTING | _GETTING | _COUNTING | _PAST.keys() | VERBS.keys() | EFFECTS.keys() | {"open", "copy", "commit"}
_LABELS = ("title", "name", "path", "key", "subject", "url", "query", "command", "message", "text", "id", "email")
_TITLED = frozenset("issue task ticket request event page post article document book note message card item".split())
_MANY = frozenset({"news", "inbox", "feed", "agenda"})
_MOST_SHOWN = 200


def plain_result(tool: ToolSpec, arguments: dict[str, JSON], fake: Fake) -> str:
    """Return a short text that fits the tool's name and repeats the main arguments; JSON where the tool lists or looks up things."""
    name_words = words(tool.name) or [tool.name]
    verb, nouns = _split(name_words)
    noun = " ".join(nouns)
    label = _label(arguments)
    about = f" {label!r}" if label else ""
    if tool.mutates:
        if not verb:
            return f"Done: {noun}{about}."
        made = f" (id {fake.random.randint(1_000, 99_999)})" if verb in ("create", "insert", "open", "new") else ""
        return f"{_past(verb)} {noun or 'it'}{about}{made}."
    if verb in _COUNTING or "count" in nouns:
        return str(fake.random.randint(1, 60))
    if _READING & set(nouns) or verb in ("read", "fetch", "scrape", "print"):
        heading = f"{label}\n\n" if label else ""
        return heading + "\n\n".join(fake.paragraph() for _ in range(2))
    if verb in _LISTING or (nouns and (is_plural(nouns[-1]) or nouns[-1] in _MANY)) or is_series(kind_of(nouns)):
        return indented(_listed(nouns, arguments, fake, tuple(name_words)))
    if verb in _GETTING:
        return indented(_entity(nouns, arguments, fake, tuple(name_words)))
    return f"{' '.join([verb, *nouns]).strip().capitalize()}{about}: {fake.sentence()}"


def _split(name_words: list[str]) -> tuple[str, list[str]]:
    """Return the verb of a tool's name (the empty string where none is known) and the nouns after it, else before it."""
    position = next((index for index, word in enumerate(name_words) if word in _VERBS), None)
    if position is None:
        return "", name_words
    return name_words[position], name_words[position + 1 :] or name_words[:position]


def _past(verb: str) -> str:
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return verb.capitalize() + "d"
    return (verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou") else verb + "ed").capitalize()


def _label(arguments: dict[str, JSON]) -> str:
    """Return the argument that tells best what a call is about."""
    texts = {name: str(value) for name, value in arguments.items() if isinstance(value, str | int) and not isinstance(value, bool)}
    for wanted in _LABELS:
        for name, text in texts.items():
            if wanted in words(name):
                return text[:_MOST_SHOWN]
    return next(iter(texts.values()), "")[:_MOST_SHOWN]


def _listed(nouns: list[str], arguments: dict[str, JSON], fake: Fake, topic: tuple[str, ...]) -> JSON:
    """Things of a kind, as many as asked for; points in time come with what was asked for around them."""
    kind = kind_of(nouns)
    schema = {"type": "array", "items": _schema(nouns), "minItems": 0 if says_how_many(arguments) else 3, "maxItems": 50}
    around = {name: value for name, value in arguments.items() if isinstance(value, str | int | float) and not isinstance(value, bool)}
    name = "_".join(nouns) or "items"
    made: dict[str, JSON] = InstanceMaker({"type": "object", "properties": {name: schema}, "required": [name]}, fake).make(
        fake.random, Hints(arguments, fake.now, nouns[-1] if nouns else "", topic)
    )
    if kind and is_series(kind):
        kept = {key: value for key, value in around.items() if not unit_in(key) and key not in ("limit", "count")}
        return {**kept, name: made[name]}
    own = {key: value for key, value in around.items() if words(key)[-1:] == ["id"] or key in _schema(nouns)["properties"]}
    return [{**item, **own} for item in made[name]]


def _entity(nouns: list[str], arguments: dict[str, JSON], fake: Fake, topic: tuple[str, ...]) -> dict[str, JSON]:
    hints = Hints(arguments, fake.now, singular(nouns[-1]) if nouns else "", topic)
    entity: dict[str, JSON] = InstanceMaker(_schema(nouns), fake).make(fake.random, hints)
    named = [value for name, value in arguments.items() if words(name)[-1:] == ["id"] and isinstance(value, str | int)]
    if len(named) == 1 and "id" in entity:
        entity["id"] = named[0]
    asked = {name: value for name, value in arguments.items() if isinstance(value, str | int | float)}
    return entity | {name: value for name, value in asked.items() if value not in entity.values()}


def _schema(nouns: list[str]) -> dict[str, JSON]:
    kind = kind_of(nouns)
    if kind:
        return schema_of(kind)
    title = "title" if nouns and singular(nouns[-1]) in _TITLED else "name"
    text = {"type": "string"}
    properties = {"id": {"type": "integer"}, title: text, "description": text, "status": text, "created_at": text, "updated_at": text}
    return {"type": "object", "properties": properties, "required": list(properties)}
