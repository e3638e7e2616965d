"""JSON that refuses to be changed: what is kept or sent must never be."""

from typing import Any, NoReturn

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition


class MutationError(AssertionError):
    """Somebody tried to change kept JSON."""


def _refuse(self: Any, *arguments: Any, **named: Any) -> NoReturn:
    raise MutationError("kept JSON was about to be changed")


class GuardedDict(dict[str, Any]):
    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]


class GuardedList(list[Any]):
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse  # type: ignore[assignment]
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse  # type: ignore[assignment]


def guard(value: Any) -> Any:
    """Return the value as copies that refuse mutation, all the way down."""
    if isinstance(value, dict):
        return GuardedDict({key: guard(item) for key, item in value.items()})
    if isinstance(value, list):
        return GuardedList([guard(item) for item in value])
    return value


def guard_action(action: Action) -> Action:
    """Return the action with guarded parameters."""
    return action.model_copy(update={"params": guard(action.params)})


def guard_session(session: Session) -> Session:
    """Return the session with a trajectory of guarded actions and observations."""
    guarded = Session.begin(session.world, session.name, session.seed)
    for transition in session.trajectory:
        guarded = guarded.append(_guard_transition(transition))
    return guarded


def _guard_transition(transition: Transition) -> Transition:
    observation = transition.observation
    fields: dict[str, Any] = {"content": guard(observation.content)}
    if observation.has_structured_content:
        fields["structured_content"] = guard(observation.structured_content)
    own = Observation.model_construct(_fields_set=set(observation.model_fields_set), **{**dict(observation), **fields})
    return transition.model_copy(update={"action": guard_action(transition.action), "observation": own})
