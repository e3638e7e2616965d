"""Kinds of things that no tool makes and that other calls leave behind: the commits of files written, the transactions of an account."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.observation import Observation
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.shown.observed import json_of
from mcp_sim.predictors.engine.tools.left_behind import MESSAGES, logbooks_of
from mcp_sim.predictors.engine.words.arguments import concept, snake
from mcp_sim.predictors.engine.words.hashes import HASH, swapped_hashes
from mcp_sim.predictors.instances.moments import is_moment, moment_like

_DONE = {"deposit": "deposit", "withdraw": "withdrawal", "adjust": "adjustment"}
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Logbooks:
    """Enters what one changing call did, after it was done."""

    reads: Reads

    def enter(self, observation: Observation) -> None:
        """Make the entries of a call that led to an observation."""
        reads = self.reads
        known = reads.knowledge.resources
        for name in logbooks_of(reads.knowledge.understanding) & set(known) - {reads.resource.name}:
            entries = self._movements(known[name]) if reads.meaning.counts is not None else self._commits(known[name], observation)
            for parents, record in entries:
                self._keep(known[name], parents, record)
                if isinstance(record.get("sha"), str) and "branch" in known:
                    self._advance(known["branch"], record["sha"])

    def _advance(self, branches: Resource, sha: str) -> None:
        """Let a branch end in the commit that was made on it."""
        reads = self.reads
        name = reads.arguments.get("branch") or self._base() or "main"
        collection = reads.things.holding(branches, id_text(name), reads.knowledge.parents_in(branches, reads.arguments))
        record = collection.find(id_text(name))
        old = next(iter(HASH.findall(canonical(record))), None) if record is not None else None
        if old is not None:
            collection.change(reads.things.draft, id_text(name), swapped_hashes(record, {old: sha}))

    def _base(self) -> JSON:
        """The branch that what is merged goes into."""
        _, record = self.reads.found(id_text(self.reads.arguments.get(self.reads.meaning.id or "")))
        base = record.get("base") if record is not None else None
        return base.get("ref") if isinstance(base, dict) else None

    def _keep(self, book: Resource, parents: dict[str, JSON], sent: Record) -> None:
        reads, things = self.reads, self.reads.things
        if len(parents) < len(book.scope):
            return
        collection = things.open(book, parents)
        own = sent.get(book.id_key)
        if own is not None and collection.knows(id_text(own)):
            return
        identifier = own if own is not None else things.mint(book, collection, parents, sent)
        chance = things.chance("made", things.session.fingerprint, book.name, collection.parent, id_text(identifier))
        bare = {key: value for key, value in sent.items() if key not in ("author", "committer")}
        record = reads.knowledge.making(book).fresh(identifier, parents, bare, things.session.now, chance)
        if "message" in sent:
            record = self._retold(record, sent)
        things.again(collection).create(things.draft, id_text(identifier), record)
        if book.wide:
            things.draft.put(["entities", book.name, "where", id_text(identifier)], collection.parent)

    def _movements(self, book: Resource) -> Iterator[tuple[dict[str, JSON], Record]]:
        """What was moved, for each of the things that it was moved between."""
        reads, counts = self.reads, self.reads.meaning.counts
        assert counts is not None
        by, arguments = reads.arguments.get(counts.by), reads.arguments
        told = next(
            (value for name, value in arguments.items() if snake(name) in ("description", "memo", "note", "reason", "reference")), None
        )
        about = [tool for tool in book.tools if tool.kind in ("list", "search")]
        names = [name for tool in about for name in (*tool.parents, *tool.filters) if concept(name) == reads.resource.name]
        sides = [(reads.meaning.id, -1 if counts.down else 1), (counts.to, 1)]
        for argument, sign in sides if names else []:
            if argument is None or not isinstance(by, int | float):
                continue
            sent: Record = {
                names[0]: arguments.get(argument),
                "type": _DONE.get(reads.meaning.verb, reads.meaning.verb),
                "amount": sign * by,
                "description": told if told is not None else _DONE.get(reads.meaning.verb, reads.meaning.verb).capitalize(),
                "status": "completed",
            }
            yield reads.knowledge.parents_in(book, {**arguments, **sent}), sent

    def _commits(self, book: Resource, observation: Observation) -> Iterator[tuple[dict[str, JSON], Record]]:
        """The commit that a call with a message made, as its answer shows it."""
        reads = self.reads
        message = next((value for name, value in reads.arguments.items() if snake(name) in MESSAGES), None)
        answer = json_of(observation)
        if message is None and reads.meaning.verb == "merge":
            message = (
                reads.arguments.get("commit_title")
                or f"Merge {reads.resource.name.replace('_', ' ')} #{reads.arguments.get(reads.meaning.id or '')}"
            )
        if not isinstance(message, str) or not MESSAGES & set(map(snake, reads.meaning.fields)):
            return
        shown = next(_commits_in(answer.value, message), {}) if answer is not None else {}
        sent = {"author": self._author, **shown, "message": message}
        yield reads.knowledge.parents_in(book, reads.arguments), sent

    @property
    def _author(self) -> JSON:
        """Who writes here, as the demonstrations show it."""
        knowledge = self.reads.knowledge
        for tool in knowledge.understanding.values():
            for example in knowledge.world.demonstrations_by_tool.get(tool.tool, ()) if MESSAGES & set(map(snake, tool.fields)) else ():
                message = next((value for name, value in example.action.arguments.items() if snake(name) in MESSAGES), "")
                answer = json_of(example.observation)
                shown = next(_commits_in(answer.value, str(message)), {}) if answer is not None and message else {}
                if isinstance(shown.get("author"), dict):
                    return shown["author"]
        return None

    def _retold(self, record: Record, sent: Record, depth: int = 0) -> Record:
        """Put the message, the author and the time of a commit wherever it shows them."""
        author = sent.get("author")
        told: Record = {}
        for key, value in record.items():
            if key == "message":
                told[key] = sent["message"]
            elif key in ("author", "committer") and isinstance(value, dict) and isinstance(author, dict):
                login = str(author.get("email", "")).partition("@")[0]
                person = self.reads.knowledge.seen.get(("login", login), {}) if "login" in value else author
                whole = {**value, **{name: item for name, item in person.items() if name in value}}
                told[key] = self._retold(whole, {"message": sent["message"]}, depth + 1)
            elif isinstance(value, dict) and depth < _DEEPEST:
                told[key] = self._retold(value, sent, depth + 1)
            else:
                is_time = is_moment(value) and snake(key) in ("date", "timestamp", "created_at")
                told[key] = moment_like(value, self.reads.things.session.now) if is_time else value
        return told


def _commits_in(value: Any, message: str, depth: int = 0) -> Iterator[Record]:
    """The commits that an answer shows: an object with a hash and the message, or one that says that it is a commit."""
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    if isinstance(value.get("sha"), str) and (
        value.get("message") == message or value.get("type") == "commit" or value.get("merged") is True
    ):
        yield {key: item for key, item in value.items() if key in ("sha", "message", "author", "committer")}
    for item in value.values():
        yield from _commits_in(item, message, depth + 1)
