"""The words of tool names: which verb means what, and which noun is one and which are many."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcp_sim.core.tool_hint import ToolKind

VERBS: dict[str, ToolKind] = {
    **dict.fromkeys(
        "create new insert make register post send publish upload invite submit append draft compose place schedule raise".split(), "create"
    ),
    **dict.fromkeys("add upsert put save store write push reply comment commit fork".split(), "create"),
    **dict.fromkeys("get retrieve fetch read show describe view lookup load inspect".split(), "get"),
    **dict.fromkeys("list ls enumerate browse index".split(), "list"),
    **dict.fromkeys("search find query filter".split(), "search"),
    **dict.fromkeys("update edit modify patch change rename set move assign unassign".split(), "update"),
    **dict.fromkeys("delete remove destroy drop trash purge erase rm".split(), "delete"),
    "count": "count",
    **dict.fromkeys("crear agregar publicar registrar".split(), "create"),
    **dict.fromkeys("obtener consultar leer".split(), "get"),
    **dict.fromkeys("actualizar modificar editar".split(), "update"),
    **dict.fromkeys("eliminar borrar".split(), "delete"),
    "listar": "list",
    "buscar": "search",
}
"""What a verb says about a tool; a verb in `EFFECTS` is an update as well."""

EFFECTS: dict[str, tuple[tuple[str, ...], str]] = {
    "close": (("closed",), "closed"),
    "reopen": (("!closed",), "open"),
    "archive": (("archived", "is_archived"), "archived"),
    "unarchive": (("!archived", "!is_archived"), "active"),
    "complete": (("completed", "is_completed", "done", "complete"), "completed"),
    "uncomplete": (("!completed", "!is_completed", "!done", "!complete"), "open"),
    "resolve": (("resolved",), "resolved"),
    "cancel": (("cancelled", "canceled"), "cancelled"),
    "enable": (("enabled", "active"), "enabled"),
    "disable": (("!enabled", "!active"), "disabled"),
    "activate": (("active", "enabled"), "active"),
    "deactivate": (("!active", "!enabled"), "inactive"),
    "lock": (("locked",), "locked"),
    "unlock": (("!locked",), "unlocked"),
    "pin": (("pinned", "is_pinned"), "pinned"),
    "unpin": (("!pinned", "!is_pinned"), "unpinned"),
    "star": (("starred", "is_starred"), "starred"),
    "unstar": (("!starred", "!is_starred"), "unstarred"),
    "merge": (("merged",), "closed"),
    "approve": (("approved",), "approved"),
    "reject": (("rejected", "!approved"), "rejected"),
    "ban": (("banned", "is_banned"), "banned"),
    "unban": (("!banned", "!is_banned"), "active"),
    "block": (("blocked", "is_blocked"), "blocked"),
    "unblock": (("!blocked", "!is_blocked"), "active"),
    "follow": (("followed", "following", "is_followed", "is_following"), "followed"),
    "unfollow": (("!followed", "!following", "!is_followed", "!is_following"), "unfollowed"),
    "freeze": (("frozen", "is_frozen"), "frozen"),
    "unfreeze": (("!frozen", "!is_frozen"), "active"),
    "mute": (("muted", "is_muted"), "muted"),
    "unmute": (("!muted", "!is_muted"), "unmuted"),
    "publish": (("published", "is_published"), "published"),
    "unpublish": (("!published", "!is_published"), "draft"),
    "suspend": (("suspended", "is_suspended"), "suspended"),
    "unsuspend": (("!suspended", "!is_suspended"), "active"),
    "pause": (("paused",), "paused"),
    "resume": (("!paused",), "active"),
}
"""Verbs that set a field: the names of the flag that turns true (false after `!`), and the word that a state or status takes."""

UNDOES: dict[str, tuple[str, ...]] = {
    "reopen": ("close", "complete", "resolve", "cancel", "archive"),
    "activate": ("deactivate", "disable", "suspend"),
    "enable": ("disable", "deactivate"),
    "disable": ("enable", "activate"),
    "deactivate": ("activate", "enable"),
    "resume": ("pause", "suspend"),
    **{verb: (verb.removeprefix("un"),) for verb in EFFECTS if verb.startswith("un")},
}
"""The verbs that a verb takes back."""

_UPSERTING = frozenset({"upsert", "put", "save", "store", "write", "push", "set"})
_OWN_NOUN = frozenset({"reply", "comment", "commit"})
_TRAILING = frozenset(
    "create list get update delete add remove search find edit insert patch count retrieve fetch describe show destroy".split()
)
_ARTICLES = frozenset("a an the all my new existing current multiple single batch bulk many one available own manage".split())
_PREPOSITIONS = frozenset("to of for from in on into at within".split())
_NOUNS_AS_WELL = frozenset({"block", "star", "pin", "lock", "archive", "follow"})
"""Verbs that are nouns where another verb ends the name: `block_delete`."""

_STOPS = frozenset("by with via using as where".split())

_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "indices": "index",
    "vertices": "vertex",
    "matrices": "matrix",
    "criteria": "criterion",
    "analyses": "analysis",
    "movies": "movie",
    "cookies": "cookie",
    "caches": "cache",
    "aliases": "alias",
    "statuses": "status",
    "buses": "bus",
    "lives": "life",
    "leaves": "leaf",
    "canvases": "canvas",
    "shelves": "shelf",
}
_PLURAL_OF = {one: many for many, one in _IRREGULAR.items()}
_SINGULAR = frozenset(
    "status address series news canvas alias process access progress lens bus gas class analysis basis campus virus corpus "
    "species business bonus axis chess css dns sms https aws kubernetes redis postgres".split()
)
_SHORT = {
    "repo": "repository",
    "repos": "repositories",
    "pr": "pull_request",
    "prs": "pull_requests",
    "mr": "merge_request",
    "mrs": "merge_requests",
    "org": "organization",
    "orgs": "organizations",
    "organisation": "organization",
    "dir": "directory",
    "msg": "message",
    "db": "database",
    "env": "environment",
    "doc": "document",
    "docs": "documents",
}


def long(words: Sequence[str]) -> list[str]:
    """Write out the usual short forms (`repo`, `pr`)."""
    return [part for word in words for part in _SHORT.get(word, word).split("_")]


def is_plural(word: str) -> bool:
    """Whether the word means many."""
    return word in _IRREGULAR or (len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _SINGULAR)


def singular(word: str) -> str:
    """Return the word for one: `repositories` → `repository`."""
    if not is_plural(word):
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:s|x|z|ch|sh)es$", word):
        return word[:-1] if word.endswith(("ases", "ises", "uses", "oses", "nses", "rses", "izes")) else word[:-2]
    return word[:-1]


def plural(word: str) -> str:
    """Return the word for many: `repository` → `repositories`."""
    if word in _PLURAL_OF:
        return _PLURAL_OF[word]
    if is_plural(word):
        return word
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + "es" if word.endswith(("s", "x", "z", "ch", "sh")) else word + "s"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A tool's name, read: `add_comment_to_issue` is the verb `add`, the nouns `("comment",)` and the container `("issue",)`."""

    kind: ToolKind | None
    verb: str
    nouns: tuple[str, ...]
    container: tuple[str, ...]
    plural: bool
    upserts: bool

    @property
    def resource(self) -> str:
        """The singular noun of what it is about, container first, words joined by `_`."""
        nouns = self.nouns
        if self.container and self.kind in ("create", "get", "list", "delete", "count") and nouns[: len(self.container)] != self.container:
            nouns = (*self.container, *nouns)
        return "_".join(nouns)


def read_phrase(words: Sequence[str]) -> Phrase:
    """Read the words of a tool's name, without the server's prefix."""
    position = next((at for at, word in enumerate(words) if _is_verb(word) and (at == 0 or word in _TRAILING)), None)
    last = words[1] if len(words) == 2 else ""
    after_noun = position == 0 and last in _TRAILING and words[0] in _NOUNS_AS_WELL
    if after_noun or (position is None and last in EFFECTS and last not in _NOUNS_AS_WELL):  # block_delete, user_ban
        position = 1
    if position is None:
        verb, before, rest = "", list(words), []
    else:
        verb, before, rest = words[position], list(words[:position]), list(words[position + 1 :])
    upserts = verb in _UPSERTING
    while len(rest) > 1 and rest[0] in ("or", "and") and _is_verb(rest[1]):  # create_or_update_file
        upserts, rest = True, rest[2:]
    stop = next((at for at, word in enumerate(rest) if word in _STOPS), len(rest))
    rest = [word for word in rest[:stop] if word not in _ARTICLES]
    cut = next((at for at, word in enumerate(rest) if word in _PREPOSITIONS), len(rest))
    nouns = [word for word in (*before, *rest[:cut]) if word not in _ARTICLES]
    container = [word for word in rest[cut + 1 :] if word not in _PREPOSITIONS]
    if verb in _OWN_NOUN and (not nouns or cut == len(rest)):
        container, nouns = nouns or container, [verb]
    nouns, container = long(nouns), long(container)
    many = bool(nouns) and is_plural(nouns[-1])
    kind: ToolKind | None = VERBS.get(verb) or ("update" if verb in EFFECTS else None)
    if kind == "get" and many:
        kind = "list"
    return Phrase(
        kind=kind,
        verb=verb,
        nouns=tuple([*nouns[:-1], singular(nouns[-1])] if nouns else ()),
        container=tuple([*container[:-1], singular(container[-1])] if container else ()),
        plural=many,
        upserts=upserts,
    )


def common_prefix(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the words that at least half of the tools' names (three or more) begin with and that are no verb: the server's own name.

    A further word is part of it only where nearly all of them go on with it: `crm-contact-create` beside `crm-deal-create` has one.
    """
    prefix: list[str] = []
    while True:
        heads = [name[len(prefix)] for name in names if len(name) > len(prefix) + 1 and list(name[: len(prefix)]) == prefix]
        best = max(sorted(set(heads)), key=heads.count, default="")
        few = heads.count(best) < max(3, (len(names) + 1) // 2) or (prefix and heads.count(best) * 5 < len(heads) * 4)
        if not best or few or _is_verb(best):
            return tuple(prefix)
        prefix.append(best)


def _is_verb(word: str) -> bool:
    return word in VERBS or word in EFFECTS
