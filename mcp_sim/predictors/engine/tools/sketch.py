"""Tools while they are being read: their names taken apart, and their nouns brought to agree."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_sim.core.tool_hint import ToolHint, ToolKind
from mcp_sim.core.tool_spec import ToolSpec, words
from mcp_sim.core.world import World
from mcp_sim.predictors.engine.words.arguments import Argument, arguments_of, identifying
from mcp_sim.predictors.engine.words.understanding import CHANGING
from mcp_sim.predictors.engine.words.vocabulary import Phrase, common_prefix, long, read_phrase, singular

_DETAILS = frozenset("details detail info information metadata data content contents profile record summary text item".split())
_PARTS = frozenset({"item"})
"""Words of `_DETAILS` that mean one of many things inside, unless the whole is made by that name."""

_LOGS = {"log": "commit"}
_ADJECTIVES = frozenset({"text", "raw", "full"})
_LISTS = frozenset("history list feed listing log".split())


@dataclass(frozen=True)
class Sketch:
    """A tool while it is being read. `children` are things of the same kind inside one; `unnamed` has no noun but the server's name."""

    tool: ToolSpec
    arguments: tuple[Argument, ...]
    phrase: Phrase
    kind: ToolKind
    resource: str
    hint: ToolHint
    children: bool = False
    unnamed: bool = False

    def argument(self, name: str | None) -> Argument | None:
        """Return the argument of that name."""
        return next((argument for argument in self.arguments if argument.name == name), None)


def sketch_tools(world: World) -> list[Sketch]:
    """Return the tools of a world taken apart, in their order, with one noun for each kind of thing."""
    names = {tool.name: [word for word in words(tool.name) if word != "api"] for tool in world.tools}
    prefix = common_prefix(list(names.values()))
    sketches = [_draft(tool, names[tool.name], prefix, world.settings.tools.get(tool.name, ToolHint())) for tool in world.tools]
    agreed = _agree_on_resources(sketches)
    whole = "_".join(long([*prefix[:-1], singular(prefix[-1])])) if prefix else ""
    known = {draft.resource for draft in agreed if draft.kind in ("create", "get", "list", "delete")}
    return [_within(draft, whole, known) for draft in agreed] if whole in known else agreed


def _within(draft: Sketch, whole: str, known: Collection[str]) -> Sketch:
    """Read what is told the id of one of the things that all tools are about as of a part of it: `tickets_comment(id, body)`."""
    told = [a for a in draft.arguments if a.required and a.is_scalar]
    if draft.resource == whole or draft.hint.kind is not None or draft.hint.resource is not None or not any(a.snake == "id" for a in told):
        return draft
    part = f"{whole}_{draft.resource}"
    if draft.kind == "create" and draft.phrase.verb == draft.resource:
        return replace(draft, resource=part)
    if draft.kind == "other" and draft.phrase.plural and len(told) == 1 and draft.resource in known and not draft.phrase.verb:
        return replace(draft, resource=part, kind="list")
    return replace(draft, resource=whole) if draft.kind == "other" and not draft.phrase.verb else draft


def _draft(tool: ToolSpec, name: list[str], prefix: tuple[str, ...], hint: ToolHint) -> Sketch:
    rest = name[len(prefix) :] if prefix and tuple(name[: len(prefix)]) == prefix else name
    phrase, unnamed = read_phrase(rest), False
    if not phrase.nouns and rest is not name:  # task_create among task_list and task_get: the prefix is the thing itself
        phrase = replace(phrase, nouns=(*prefix[:-1], singular(prefix[-1])))
        unnamed = True
    arguments = arguments_of(tool)
    kind = phrase.kind
    reads_only = tool.annotations.get("readOnlyHint") is True
    if kind is None:
        kind = "other"
        if not tool.mutates and phrase.nouns:
            kind = "list" if phrase.plural else "get"
    if phrase.nouns == ("search",) and any(argument.role == "text" for argument in arguments):
        kind = "search"
        phrase = replace(phrase, nouns=())
    if kind == "get" and phrase.nouns and phrase.nouns[-1] == "count" and len(phrase.nouns) > 1:
        kind, phrase = "count", replace(phrase, nouns=(*phrase.nouns[:-2], singular(phrase.nouns[-2])))
    if kind == "update" and phrase.verb in ("patch", "append") and phrase.plural:
        kind = "create"
    if kind in CHANGING and reads_only:
        kind = "other"
    if reads_only and len(phrase.nouns) > 1 and phrase.nouns[0] == "select" and not phrase.verb:  # shows what is then at hand
        kind, phrase = "get", replace(phrase, verb="select", nouns=phrase.nouns[1:])
    resource = phrase.resource
    return Sketch(tool, arguments, phrase, hint.kind or kind, hint.resource or resource, hint, unnamed=unnamed)


def _agree_on_resources(drafts: list[Sketch]) -> list[Sketch]:
    """Give one name to what two tools call differently (`comment` and `issue_comment`, `user` and `user_profile`)."""
    makers = {draft.resource for draft in drafts if draft.kind in ("create", "list", "delete") and draft.resource}
    counts = Counter(draft.resource for draft in drafts)
    shown_by = _jobs(drafts)
    drafts = [_as_job(draft, shown_by, frozenset(shown_by.values())) for draft in drafts]
    makers_in = [(a.concept, draft) for draft in drafts for a in draft.arguments if draft.kind == "create" and a.required]
    makes_in = {(whole, "_".join(draft.phrase.nouns)) for whole, draft in makers_in}
    drafts = [_without_container(draft, counts, makes_in) for draft in drafts]
    named = {draft.resource for draft in drafts}
    created = {draft.resource for draft in drafts if draft.kind == "create"}
    inside = {(argument.concept, draft.resource) for draft in drafts for argument in draft.arguments}
    made_in: dict[str, list[str]] = {}
    apart = _apart(drafts)
    for draft in drafts:
        for about in {argument.concept for argument in draft.arguments if argument.required} if draft.kind == "create" else ():
            made_in.setdefault(about, []).append(draft.resource)
    agreed = []
    for draft in drafts:
        resource, kind = draft.resource, draft.kind
        parts = resource.split("_")
        if draft.hint.resource is None and _LOGS.get(resource) in created and not draft.phrase.verb and kind != "create":
            resource, kind = _LOGS[resource], "list"
        if draft.hint.resource is None and len(parts) > 1:
            if parts[-1] in _LISTS and kind in ("get", "list"):
                about = "_".join(parts[:-1])
                child = next((made for made in made_in.get(about, ()) if made != about), "")  # the message of a channel's history
                resource, kind = (child, "list") if child else (resource, kind)
            elif parts[-1] == "child" and "_".join(parts[:-1]) in named:
                agreed.append(replace(draft, resource="_".join(parts[:-1]), children=True))
                continue
            elif parts[-1] in _DETAILS and "_".join(parts[:-1]) in makers and resource not in apart:
                resource = "_".join(parts[:-1])
                kind = "get" if kind == "list" and identifying(draft.arguments, resource) else kind
            elif parts[0] in _ADJECTIVES and "_".join(parts[1:]) in created and resource not in created:
                resource = "_".join(parts[1:])
            elif parts[-1] in makers and resource not in created:
                resource = parts[-1] if len(parts) == 2 and (parts[0], parts[-1]) in inside else resource
        unnamed = draft.phrase.verb == "" and identifying(draft.arguments, resource) is None
        if kind == "get" and (_is_listing(draft, resource) or (unnamed and resource in created)):  # git_branch beside git_create_branch
            kind = "list"
        agreed.append(replace(draft, resource=resource, kind=draft.hint.kind or kind))
    return agreed


def _apart(drafts: Sequence[Sketch]) -> set[str]:
    """Return the names that tell a part of a thing, where they could tell the thing itself: what is removed from it is not the whole.

    The whole is told by such a name where it is made by it: `create_customer_record`, which asks for no customer.
    """
    made = {draft.resource for draft in drafts if draft.kind == "create"}
    whole = {
        draft.resource
        for draft in drafts
        if draft.kind == "create"
        and draft.resource.rpartition("_")[0] not in made
        and not any(a.required and a.names_a_thing and a.concept == draft.resource.rpartition("_")[0] for a in draft.arguments)
    }
    return {
        draft.resource
        for draft in drafts
        if draft.resource not in whole and (draft.kind in ("create", "delete") or draft.resource.rpartition("_")[2] in _PARTS)
    }


def _jobs(drafts: Sequence[Sketch]) -> dict[str, str]:
    """Return the tools that tell how something is getting on that another one starts and is named by: `crawl_status`, of a `crawl`."""
    started = {draft.resource for draft in drafts if draft.phrase.verb == "" and draft.arguments and draft.tool.mutates and draft.resource}
    shown = {draft.resource for draft in drafts if draft.kind == "get" and draft.phrase.verb}
    unseen = started - shown
    found = {}
    for draft in drafts:
        nouns = [noun for noun in draft.phrase.nouns if noun != "check"]
        about = "_".join(nouns[:-1])
        if nouns[-1:] == ["status"] and about in unseen and not draft.tool.mutates and identifying(draft.arguments, about):
            found[draft.tool.name] = about
    return found


def _as_job(draft: Sketch, shown_by: Mapping[str, str], jobs: frozenset[str]) -> Sketch:
    if draft.hint.kind is not None or draft.hint.resource is not None:
        return draft
    if draft.tool.name in shown_by:
        return replace(draft, kind="get", resource=shown_by[draft.tool.name])
    return replace(draft, kind="create") if draft.resource in jobs and draft.phrase.verb == "" else draft


def _without_container(draft: Sketch, counts: Mapping[str, int], inside: Collection[tuple[str, str]]) -> Sketch:
    """A card that is added to a list is the card that other tools speak of; `counts` says how many speak of each thing.

    What is removed from something is gone only where it is made in it, as `inside` says: a post that is removed from a feed is still there.
    """
    plain = "_".join(draft.phrase.nouns)
    if draft.phrase.verb == "remove" and ("_".join(draft.phrase.container), plain) not in inside:
        return draft
    is_alone = counts[draft.resource] == 1 and plain != draft.resource
    if draft.hint.resource is None and draft.phrase.container and is_alone and counts.get(plain):
        return replace(draft, resource=plain)
    return draft


def _is_listing(draft: Sketch, resource: str) -> bool:
    """Whether a tool named in the singular lists all the same: it has pages, and its identifier is that of something else."""
    named = identifying(draft.arguments, resource)
    pages = any(argument.role in ("page", "offset", "cursor") for argument in draft.arguments)
    hashed = any(argument.required and argument.snake in ("sha", "hash", "oid") for argument in draft.arguments)
    return pages and not hashed and (named is None or (named.concept not in ("", resource, resource.split("_")[-1])))
