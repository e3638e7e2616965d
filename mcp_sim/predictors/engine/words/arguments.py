"""What the arguments of a tool are for, judged by their names and schemas."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from mcp_sim.core.canonical import JSON
from mcp_sim.core.tool_spec import ToolSpec, words
from mcp_sim.predictors.engine.words.vocabulary import long, plural, singular

_PAGE = frozenset("page page_number page_no page_num page_idx page_index".split())
_SIZE = frozenset(
    "per_page perpage limit page_size count max_results max num_results first take top max_count results_per_page max_items size".split()
)
_OFFSET = frozenset("offset skip start_at start start_index".split())
_CURSOR = frozenset(
    "cursor start_cursor next_cursor page_token next_token after starting_after next_page_token continuation_token pagination_token".split()
)
_SORT = frozenset("sort sort_by order_by sort_field".split())
_DIRECTION = frozenset("direction order sort_order sort_direction sort_dir".split())
_TEXT = frozenset("q query search text keyword keywords search_query search_term term search_text pattern".split())
_CONTROL = frozenset(
    "dry_run format response_format output_format verbose jq confirm confirmed force expand fields include includes include_details".split()
)
_WRAPPERS = frozenset("body data input payload attributes fields updates changes".split())
_SUFFIXES = ("id", "ids", "number", "key", "keys", "slug", "uuid", "gid", "iid", "name", "names", "ref", "num", "path", "ts")
_NAMES_ONE = re.compile(
    r"\b(?:name|id|key|identifier|number|timestamp|ts) of (?:the|an?) (?:(?:existing|parent|target) )?(\w+)", re.IGNORECASE
)
_ID = re.compile(r"\bidentifier\b|\bids?\b|\buuid\b", re.IGNORECASE)
_GENERIC = frozenset("id number key slug uuid gid iid name path ref uri".split())
PLACES = frozenset("path repo_path cwd owner repo project workspace".split())
"""Arguments that say where a tool works rather than what it works on."""
_SORTING = frozenset("type kind status state level severity category".split())


@lru_cache(maxsize=20_000)
def snake(name: str) -> str:
    """Return a name in lower case with underscores, so that `pageId` and `page_id` are equal."""
    return "_".join(words(name)) or name


@lru_cache(maxsize=20_000)
def concept(name: str) -> str:
    """Return what an argument that names a thing is about: `issue_number` → `issue`, `repo` → `repository`, `id` → the empty string."""
    parts = words(name)
    if len(parts) > 1 and parts[-1] in _SUFFIXES:
        parts = parts[:-1]
    elif len(parts) == 1 and parts[0] in _GENERIC:
        return ""
    full = long(parts)
    return "_".join([*full[:-1], singular(full[-1])]) if full else name


@dataclass(frozen=True)
class Argument:
    """One argument of a tool: its name, its schema as far as it is an object, and whether it must be given."""

    name: str
    schema: dict[str, JSON]
    required: bool

    @cached_property
    def snake(self) -> str:
        """Its name in lower case with underscores."""
        return snake(self.name)

    @cached_property
    def concept(self) -> str:
        """What it is about, where it names a thing."""
        return concept(self.name)

    @cached_property
    def types(self) -> frozenset[str]:
        """The JSON types that its schema names, alternatives included."""
        found: set[str] = set()
        options = [option for keyword in ("anyOf", "oneOf") for option in _listed(self.schema.get(keyword)) if isinstance(option, dict)]
        for part in [self.schema, *options[:20]]:
            declared = part.get("type")
            found.update(item for item in ([declared] if isinstance(declared, str) else _listed(declared)) if isinstance(item, str))
        return frozenset(found)

    @property
    def is_scalar(self) -> bool:
        """Whether it takes a text or a number (or does not say)."""
        return not self.types or bool(self.types & {"string", "integer", "number"})

    @cached_property
    def items(self) -> dict[str, JSON]:
        """The schema of its items, empty where it says nothing of them."""
        found = self.schema.get("items")
        return found if isinstance(found, dict) else {}

    @cached_property
    def parts(self) -> tuple["Argument", ...]:
        """What each of its items is made of, where these are objects."""
        return _arguments_in(self.items) if "array" in self.types else ()

    @property
    def holds_objects(self) -> bool:
        """Whether it is a list of objects."""
        composed = not {"$ref", "properties", "anyOf", "oneOf"}.isdisjoint(self.items)
        return "array" in self.types and (self.items.get("type") == "object" or composed)

    @property
    def names_a_thing(self) -> bool:
        """Whether its name ends like that of an identifier."""
        parts = words(self.name)
        return bool(parts) and self.is_scalar and (parts[-1] in _SUFFIXES or parts[-1] in _GENERIC)

    @property
    def selects(self) -> bool:
        """Whether its name says that it picks by a property: `branch_type`."""
        return self.snake.rpartition("_")[2] in _SORTING

    @cached_property
    def names_one(self) -> str:
        """The noun of which its description says that it is a name: `message`, of the timestamp of a message."""
        said = _NAMES_ONE.search(self.description[:500]) if self.is_scalar else None
        return singular(said.group(1).lower()) if said else ""

    @property
    def is_id(self) -> bool:
        """Whether its description calls it an id."""
        return bool(_ID.search(self.description[:500]))

    @property
    def is_position(self) -> bool:
        """Whether it names a thing by its place in a list: an index, or git's `stash@{0}`."""
        numbered = self.is_scalar and self.snake.rpartition("_")[2] in ("index", "position")
        return numbered or "@{0}" in self.description[:1000]

    @property
    def enum(self) -> list[JSON]:
        """The values that it may take, where its schema lists them."""
        return _listed(self.schema.get("enum"))

    @property
    def description(self) -> str:
        """What its author says of it."""
        text = self.schema.get("description")
        return text if isinstance(text, str) else ""

    @cached_property
    def default(self) -> JSON:
        """The value that it has where it is not given: by its schema, else as its description says, else `None`."""
        if "default" in self.schema:
            return self.schema["default"]
        said = re.search(r"\bdefaults?(?: value)?(?:\s+(?:to|is))?[:=\s]+[`'\"]?([\w.-]{1,40})", self.description[:2000], re.IGNORECASE)
        if not said:
            return None
        word = said.group(1).rstrip(".")
        if word in self.enum:
            return word
        return int(word) if word.isdigit() and len(word) < 9 and self.types & {"integer", "number"} else None

    @property
    def role(self) -> str:
        """What it does in a listing: page, size, offset, cursor, sort, direction, text or control; the empty string if none of these."""
        name, numeric = self.snake, bool(self.types & {"integer", "number"}) or not self.types
        if name in _PAGE and numeric:
            return "page"
        if name in _SIZE and numeric:
            return "size"
        if name in _OFFSET and numeric:
            return "offset"
        if name in _CURSOR:
            return "cursor"
        if name in _DIRECTION and (name != "order" or not self.enum or "asc" in self.enum or "ascending" in self.enum):
            return "direction"
        if name in _SORT or name == "sorts":
            return "sort"
        if name in _TEXT and "string" in self.types:
            return "text"
        return "control" if self.is_control else ""

    @property
    def is_control(self) -> bool:
        """Whether it steers the call and is not kept."""
        return self.snake in _CONTROL or self.snake.startswith(("include_", "return_", "with_"))

    @property
    def wraps(self) -> bool:
        """Whether it is an object whose own keys are the fields."""
        return self.snake in _WRAPPERS and "object" in self.types


def arguments_of(tool: ToolSpec) -> tuple[Argument, ...]:
    """Return a tool's arguments, in its author's order."""
    return _arguments_in(tool.input_schema)


def _arguments_in(of: dict[str, JSON]) -> tuple[Argument, ...]:
    properties = of.get("properties")
    required = {name for name in _listed(of.get("required")) if isinstance(name, str)}
    if not isinstance(properties, dict):
        return ()
    return tuple(
        Argument(name, schema if isinstance(schema, dict) else {}, name in required) for name, schema in list(properties.items())[:200]
    )


def field_named(record: dict[str, JSON], name: str) -> JSON:
    """Return a field of a record by a name in one or many, `None` if it has none such."""
    if name in record:
        return record[name]
    by_snake = {snake(key): value for key, value in record.items()}
    return next((by_snake[spelled] for spelled in spellings(name) if spelled in by_snake), None)


@lru_cache(maxsize=5_000)
def spellings(name: str) -> tuple[str, ...]:
    """Return the names under which a field may be kept that is asked for by this one."""
    return (name, plural(name), singular(name), f"{name}_id", name.removesuffix("_id"), f"is_{name}")


def identifying(arguments: Sequence[Argument], resource: str, others: frozenset[str] = frozenset()) -> Argument | None:
    """Return the argument that names one thing of the resource, or `None`. `others` are resources that it does not name."""
    nouns = resource.split("_")
    best: tuple[float, Argument] | None = None
    for position, argument in enumerate(arguments):
        if (
            argument.concept in others
            or not argument.is_scalar
            or "object" in argument.types
            or argument.role in ("page", "size", "offset", "cursor", "control")
        ):
            continue
        score = _closeness(argument, nouns) + (1.5 if argument.required else 0) + position / 1000
        if score >= 2 and (best is None or score > best[0]):
            best = (score, argument)
    return best[1] if best is not None else None


def _closeness(argument: Argument, nouns: list[str]) -> float:
    about = argument.concept.split("_") if argument.concept else []
    if argument.snake.startswith(("new_", "old_", "parent_")):
        return 0
    if about == nouns:
        return 5
    if not about:
        return {"id": 3, "uuid": 3, "number": 2.5, "key": 2.5, "slug": 2, "name": 1, "path": 1.5, "uri": 1}.get(argument.snake, 1)
    if about == nouns[-1:]:
        return 4
    if about == nouns[:1] and len(nouns) > 1 and argument.snake.endswith(("number", "id", "key", "iid")):
        return 2
    if len(about) > len(nouns) and about[-len(nouns) :] == nouns:
        return 1
    return 0


def kind_linked(argument: Argument, known: Collection[str]) -> str:
    """Return the kind of thing that a field names: by its own name, or as its description says; the empty string if it names none."""
    if argument.names_a_thing and argument.concept in known:
        return argument.concept
    return argument.names_one if argument.names_one in known else ""


def named_inside(parent: JSON, about: str) -> JSON:
    """Find what a `parent` argument names: `{"page_id": "..."}` or the id itself."""
    if isinstance(parent, str | int):
        return parent
    if not isinstance(parent, dict):
        return None
    names = {concept(key): value for key, value in parent.items() if isinstance(value, str | int) and key not in ("type", "object")}
    return names.get(about, next((value for key, value in parent.items() if key.endswith("id") and isinstance(value, str | int)), None))


def _listed(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []
