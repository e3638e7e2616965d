"""The engine: one call in, one transition out, for tools that nobody wrote code for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change
from mcp_sim.core.tool_spec import asks_dry_run
from mcp_sim.core.transition import Source, Transition
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError
from mcp_sim.predictors.engine.calls.batches import Batches
from mcp_sim.predictors.engine.calls.checking import Checking
from mcp_sim.predictors.engine.calls.folders import Folders
from mcp_sim.predictors.engine.calls.learning import Learning, learned_examples
from mcp_sim.predictors.engine.calls.logbooks import Logbooks
from mcp_sim.predictors.engine.calls.reads import Reads
from mcp_sim.predictors.engine.calls.renewing import Renewing
from mcp_sim.predictors.engine.calls.repeats import Repeats
from mcp_sim.predictors.engine.calls.showing import Showing
from mcp_sim.predictors.engine.calls.writes import Writes
from mcp_sim.predictors.engine.kept.collection import id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.repositories.host import Host
from mcp_sim.predictors.engine.resources.kinds import kind_sought
from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.things.bystanders import Bystanders
from mcp_sim.predictors.engine.things.inherited import Inherited
from mcp_sim.predictors.engine.things.knowledge import Knowledge, mode_of
from mcp_sim.predictors.engine.things.refusals import Refusals
from mcp_sim.predictors.engine.things.things import Things
from mcp_sim.predictors.engine.tools.explanation import explain_tool
from mcp_sim.predictors.engine.tools.rest import Route, meant_by
from mcp_sim.predictors.engine.tools.statements import stated
from mcp_sim.predictors.engine.words.understanding import CHANGING, ToolUnderstanding


class Engine:
    """Answers the tools of one world whose doings it can follow. It keeps what it worked out about the world, nothing of any session."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.knowledge = Knowledge(world)
        self._refusals = Refusals(self.knowledge)

    @property
    def understanding(self) -> Mapping[str, ToolUnderstanding]:
        """What each tool of the world does, as far as it can be told."""
        return self.knowledge.understanding

    @property
    def mutates(self) -> Mapping[str, bool]:
        """The tools that are understood, each with whether a call of it may change state."""
        return _Mutates(self)

    def answer(self, session: Session, action: Action, *, certain_only: bool = False) -> Transition | None:
        """Return what the action leads to, `None` if the engine cannot tell.

        With `certain_only` it answers only what follows from the session's state, and imagines nothing: for when a model stands behind it.
        Its source is `computed` where all of it was given, demonstrated or came about by calls, else `imagined`: what was made up earlier
        in the session stays so.
        """
        return self._answer(session, action, certain_only=certain_only)

    def _answer(self, session: Session, action: Action, *, certain_only: bool, lenient: bool = False) -> Transition | None:
        host = Host(self.knowledge, session)
        if action.is_call and host.is_there and (told := host.answer(action)) is not None:
            return told
        meant = self._meant(action)
        if meant is None:
            return Bystanders(self.knowledge, self._refusals).refuse(session, action)
        meaning, resource, mode, arguments = meant
        if meaning.rest:  # nothing is known of such things but what was made through the tools themselves
            if certain_only and meaning.kind == "create":
                return None
            lenient, certain_only = lenient or not certain_only, meaning.kind != "create"
            route = Route.of(arguments.get(meaning.rest_path))
            gone = route.gone(session.state) if route is not None else None
            if gone is not None:
                whole = replace(resource, name=gone[0])
                missing = self._refusals.refuse("missing", meaning, whole, gone[1], arguments)
                return session.transition(action, missing, "computed", changes=False)
        changing = meaning.kind in CHANGING
        if changing and not asks_dry_run(action.arguments) and not session.world.mutates(action):
            return None  # annotations and `world.toml` have the last word on what may change
        if certain_only and meaning.kind == "create":
            return None
        draft = Draft(session.state)
        form = self.knowledge.form(meaning, resource, mode, learned_examples(session.state, action.name, mode))
        things = Things(self.knowledge, session, draft, certain_only or bool(meaning.rest))
        reads = Reads(self.knowledge, self._refusals, things, meaning, resource, form, arguments, lenient)
        try:
            observation = self._observe(reads, certain_only)
            if observation is None:
                return None
            if draft.drawn and not draft.imagined and not observation.is_error and (meaning.kind == "create" or form.fills):
                other = replace(reads, things=replace(things, draft=Draft(session.state), salt="another"))
                draft.imagined = self._observe(other, certain_only) != observation  # what hangs on chance follows from nothing
        except McpSimError:  # the answer's own schema cannot be met: whoever comes next may know better
            return None
        if (meaning.kind == "create" or meaning.effect) and not observation.is_error:
            draft.imagined |= form.borrows_hashes(observation, arguments)
        changes = changing and not observation.is_error and not asks_dry_run(action.arguments)
        if changes and not meaning.rest:
            if meaning.kind == "create" or meaning.effect:
                observation = Renewing(reads).renew(observation)
            Logbooks(reads).enter(observation)
            if host.is_there:
                observation = host.follow(action, draft, observation)
        patch = draft.patch if changes or not changing else ()
        source: Source = "imagined" if draft.imagined else "computed"
        transition = session.transition(action, observation, source, patch, changes=changes)
        return transition.model_copy(update={"notes": draft.notes}) if draft.notes else transition

    def only_seems_missing(self, session: Session, transition: Transition) -> bool:
        """Whether an answer says that something is not there, only because no list showed it: nobody deleted it or gave all there is."""
        if not self._refusals.says_missing(transition.observation):
            return False
        things = Things(self.knowledge, session, Draft(session.state), certain_only=True)
        named = [id_text(value) for value in transition.action.arguments.values() if isinstance(value, str | int)]
        for resource in self.knowledge.resources.values():
            if resource.name in self.knowledge.given:
                return False
            if any(collection.is_deleted(key) for key in named for collection in things.knowing(resource, key)):
                return False
        return True

    def only_reads(self, action: Action) -> bool:
        """Whether a call only reads, as far as it is understood: a tool that both reads and changes does one of them at a time."""
        meant = self._meant(action)
        return meant is not None and meant[0].kind not in CHANGING

    def learn(self, session: Session, transition: Transition) -> list[Change]:
        """Return what another predictor's answer adds to the state: things, by the ids found in it, and the form of the answer."""
        host = Host(self.knowledge, session)
        if host.is_there and (told := host.answer(transition.action)) is not None:
            return list(told.patch) if told.changes and transition.changes else []
        learning = self._learning(session, transition)
        learned = [] if learning is None else learning.changes()
        return host.followed(transition, learned) if host.is_there and transition.changes else learned

    def contradictions(self, session: Session, transition: Transition) -> list[str]:
        """Return in sentences how an answer contradicts the session's state; none if it may stand."""
        learning = self._learning(session, transition)
        return [] if learning is None else Checking(learning, self._refusals).contradictions()

    def correct(self, session: Session, transition: Transition, contradictions: Sequence[str]) -> Transition | None:
        """Return the transition with its contradictions put right by code, `None` where code cannot."""
        learning = self._learning(session, transition)
        if learning is None or not contradictions:
            return None
        refused = transition.observation.is_error
        computed = self._answer(session, transition.action, certain_only=True, lenient=refused)
        if computed is not None:
            return computed
        return Checking(learning, self._refusals).corrected()

    def _learning(self, session: Session, transition: Transition) -> Learning | None:
        meant = self._meant(transition.action)
        if meant is None or not meant[0].resource:
            return None
        meaning, resource, mode, arguments = meant
        if (
            resource.style.style == "place"
            or meaning.renames
            or meaning.edits
            or meaning.shows
            or (meaning.kind == "get" and meaning.ids)
            or (meaning.kind != "create" and meaning.items)
        ):
            return None  # which part of such an answer is which thing cannot be told
        return Learning(self.knowledge, session, transition, meaning, resource, mode, arguments)

    def _meant(self, action: Action) -> tuple[ToolUnderstanding, Resource, str, dict[str, JSON]] | None:
        """What a call means, what it is about, the mode of the tool, and its arguments; `None` if it cannot be followed."""
        tool = self.understanding.get(action.name) if action.method == "tools/call" else None
        if tool is None or not tool.understood:
            return None
        mode = mode_of(tool, action.arguments)
        if tool.rest:
            routed = meant_by(tool, action.arguments)
            return None if routed is None else (routed[0], routed[1], mode, routed[2])
        if tool.statement is not None:
            said = stated(tool, action.arguments)
            table = self.knowledge.resources.get(tool.resource)
            return None if said is None or table is None else (said[0], table, mode, said[1])
        meaning = tool.for_call(action.arguments)
        resource = self._resource_of(meaning)
        if meaning.kind == "other" or resource is None:
            return None
        return meaning, kind_sought(meaning, resource, self.knowledge.resources, action.arguments), mode, action.arguments

    def explain(self, tool: str) -> str:
        """Return in words what was understood of a tool.

        Raises:
            KeyError: the world has no such tool.
        """
        understanding = self.understanding[tool]
        return explain_tool(understanding, self.knowledge.resources.get(understanding.resource))

    def _observe(self, reads: Reads, certain_only: bool) -> Observation | None:
        kind = reads.meaning.kind
        if reads.form.is_foreign:
            return None
        if reads.meaning.within:
            return Folders(reads).listing()
        if reads.meaning.shows:
            return Showing(reads).overview()
        if kind == "get":
            return Showing(reads).several() if reads.meaning.ids else reads.get()
        if kind in ("list", "search", "count"):
            return reads.listing()
        writes = Writes(reads)
        if kind == "create":
            made = Repeats(reads).refusal() or writes.create()
            if made is not None and not made.is_error:
                Inherited(reads.things).note(reads.meaning, reads.resource, reads.arguments)
            return made
        changes = Batches(reads) if reads.meaning.items else writes
        observation = (
            writes.update() if kind == "update" else changes.delete() if kind == "delete" else changes.members(adds=kind == "add-member")
        )
        done = observation is not None and not observation.is_error
        if done and certain_only and not reads.form.is_known and not reads.lenient:
            return None
        return observation

    def _resource_of(self, meaning: ToolUnderstanding) -> Resource | None:
        if meaning.resource or meaning.kind != "search":
            return self.knowledge.resources.get(meaning.resource)
        return next((resource for resource in self.knowledge.resources.values() if any(t.kind == "create" for t in resource.tools)), None)


class _Mutates(Mapping[str, bool]):
    """Looked up tool by tool, so that nothing is read before it is asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __getitem__(self, name: str) -> bool:
        tool = self._engine.understanding[name]
        if not tool.understood:
            raise KeyError(name)
        return tool.mutates

    def __iter__(self) -> Iterator[str]:
        return (name for name, tool in self._engine.understanding.items() if tool.understood)

    def __len__(self) -> int:
        return sum(1 for _ in self)
