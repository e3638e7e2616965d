"""Calls that nobody can follow, about things that are certainly not there."""

from dataclasses import dataclass

from mcp_sim.core.action import Action
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.engine.kept.collection import id_text
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.predictors.engine.things.refusals import Refusals
from mcp_sim.predictors.engine.things.things import Things, tells_id

_BARE = frozenset({"id", "uuid"})


@dataclass(frozen=True, slots=True)
class Bystanders:
    """Looks at the things that a call names by their ids."""

    knowledge: Knowledge
    refusals: Refusals

    def refuse(self, session: Session, action: Action) -> Transition | None:
        """Return the refusal of a call that names what was deleted, or what is missing from a collection that is known whole.

        `None` where all that it names may be there.
        """
        tool = self.knowledge.understanding.get(action.name)
        if not action.is_call or tool is None or tool.understood:
            return None
        draft = Draft(session.state)
        things = Things(self.knowledge, session, draft, certain_only=True)
        for name, argument in self.knowledge.arguments(action.name).items():
            value = action.arguments.get(name)
            about = argument.concept or (tool.resource if argument.snake in _BARE else "")
            resource = self.knowledge.owner(about) if argument.names_a_thing and isinstance(value, str | int) else None
            if resource is None or isinstance(value, bool):
                continue
            collection = things.of_owner(resource, id_text(value), action.arguments)
            key = id_text(value) if collection is None else things.key_of(collection, id_text(value))
            if collection is not None and (
                collection.is_deleted(key) or (tells_id(name) and things.is_missing(resource, key, action.arguments))
            ):
                things.rest_on(resource, collection, key)
                refusal = self.refusals.refuse("missing", tool, resource, id_text(value), action.arguments)
                return session.transition(action, refusal, "imagined" if draft.imagined else "computed", changes=False)
        return None
