"""What was understood of each tool."""

from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.core.tool_hint import ToolKind

CHANGING: frozenset[ToolKind] = frozenset({"create", "update", "delete", "add-member", "remove-member"})
"""The kinds that change state."""


class Effect(Frozen):
    """What a verb alone sets: a flag turns on or off, or a state takes a word."""

    flags: tuple[str, ...]
    word: str


class Counts(Frozen):
    """What moves a number of a thing: the argument that says by how much, the field, and whether it goes down.

    What goes down there goes up in the thing that `to` names; or in the same thing at another place: `from_place` and `to_place` are the
    arguments that say where, `place` is what they are called elsewhere.
    """

    by: str
    field: str
    down: bool = False
    to: str | None = None
    place: str = ""
    from_place: str | None = None
    to_place: str | None = None


class ToolUnderstanding(Frozen):
    """What a tool does, as far as its name, annotations, schemas and the tools beside it tell.

    `resource` is the singular noun of what it is about. All other names are those of its arguments: `id` names one thing, `ids` many;
    `parents` name what it belongs to, outermost first; `fields` are kept (as the fields that `sets` says, where their names are others);
    `clears` is a field that a call empties; `wrapper` is an object whose own keys are kept; `filters`
    select; `text` is searched for; `page`, `size`, `offset`, `cursor`, `sort` and `direction` cut and order a listing; `items` is a list
    of things to make at once, of what those to delete are like, or of members to add to many things; `shows` are the kinds of things
    in one answer, where these are several, and `within` is the folder that they lie in; `renames` is the new path of a file, `edits`
    are replacements in its text; `member` is the field of the thing that a member is added to or removed from, `members` the
    argument that names the members. `counts` moves a number of the thing by what is sent, `facet` is the only field that is shown.
    `mode` is the argument that decides what the tool does, and `modes` what it does by its values. `statement` is the argument that
    holds one in SQL. `rest` is the HTTP method of a tool that passes the path at `rest_path` on. `newest_first` is a log. `shape` says
    where the form of its answer comes from. `doubts` say in sentences why it is not certain.
    """

    tool: str
    kind: ToolKind
    resource: str = ""
    verb: str = ""
    id: str | None = None
    ids: str | None = None
    parents: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    sets: dict[str, str] = {}
    clears: str = ""
    wrapper: str | None = None
    items: str | None = None
    shows: tuple[str, ...] = ()
    within: str | None = None
    renames: str | None = None
    edits: str | None = None
    filters: tuple[str, ...] = ()
    text: str | None = None
    page: str | None = None
    size: str | None = None
    offset: str | None = None
    cursor: str | None = None
    sort: str | None = None
    direction: str | None = None
    member: str | None = None
    members: str | None = None
    effect: Effect | None = None
    counts: Counts | None = None
    facet: str = ""
    upserts: bool = False
    newest_first: bool = False
    idempotent: bool = False
    mode: str | None = None
    modes: dict[str, "ToolUnderstanding"] = {}
    shape: str = "resource"
    doubts: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether nothing about it had to be guessed."""
        return not self.doubts

    @property
    def understood(self) -> bool:
        """Whether code can follow what it does."""
        return self.kind != "other" or bool(self.rest or self.statement) or any(mode.understood for mode in self.modes.values())

    @property
    def mutates(self) -> bool:
        """Whether a call may change state, as far as it is understood."""
        return (
            self.kind in CHANGING
            or self.rest not in ("", "get")
            or self.statement is not None
            or any(mode.mutates for mode in self.modes.values())
        )

    def for_call(self, arguments: dict[str, JSON]) -> "ToolUnderstanding":
        """Return what it does with these arguments: itself, or the mode that they ask for."""
        if self.mode is None:
            return self
        return self.modes.get(str(arguments.get(self.mode, self.modes_default)), self.model_copy(update={"modes": {}, "mode": None}))

    modes_default: str = ""
    statement: str | None = None
    rest: str = ""
    rest_path: str = ""
