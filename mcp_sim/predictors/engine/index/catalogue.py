"""What is derived from the states of an engine's sessions, so that large collections need not be looked through: a cache and no more."""

from collections import OrderedDict
from collections.abc import Callable, Iterable

from mcp_sim.core.session import Session, Trajectory
from mcp_sim.predictors.engine.index.roster import Roster
from mcp_sim.predictors.engine.index.shelf import Shelf
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.kept.draft import Draft

_MOST_SHELVES = 50
_MOST_LOGGED = 2_000_000
_MOST_ROSTERS = 200
_MOST_LISTED = 1_000_000


class Catalogue:
    """Shelves and rosters, made when they are first needed and dropped when there are too many. Fewer than `least` things need none."""

    least = 30

    def __init__(self) -> None:
        self._shelves: OrderedDict[tuple[str, str | None], Shelf] = OrderedDict()
        self._rosters: OrderedDict[tuple[str, str], Roster] = OrderedDict()
        self._latest: dict[str, str] = {}

    def shelf(
        self,
        resource: str,
        parent: str | None,
        id_key: str,
        base: Callable[[], Iterable[tuple[str, Record]]],
        trajectory: Trajectory,
        draft: Draft,
    ) -> Shelf:
        """Return the index of one collection, or (without a parent) of all of a resource, as far as a session has come."""
        shelf = self._shelves.get((resource, parent))
        if shelf is None or shelf.is_overfull:
            shelf = Shelf(resource, parent, id_key, base())
            self._shelves[(resource, parent)] = shelf
            while len(self._shelves) > 1 and (
                len(self._shelves) > _MOST_SHELVES or sum(len(kept.log) for kept in self._shelves.values()) > _MOST_LOGGED
            ):
                self._shelves.popitem(last=False)
        shelf.follow(trajectory, draft)
        self._shelves.move_to_end((resource, parent))
        return shelf

    def roster(self, question: str, session: Session) -> Roster | None:
        """Return the things that a question selects, as they were when it was last asked in a session, or else in another one.

        `None` if that is not known any more.
        """
        roster = self._rosters.get((question, session.name))
        if roster is None:
            of_another = self._rosters.get((question, self._latest.get(question, "")))
            if of_another is None or not of_another.is_near(session.trajectory):
                return None
            roster = of_another.copy()
            self.keep(question, session, roster)
        self._rosters.move_to_end((question, session.name))
        return roster

    def keep(self, question: str, session: Session, roster: Roster) -> None:
        """Keep what a question selects in a session."""
        self._rosters[(question, session.name)] = roster
        self._latest[question] = session.name
        while len(self._rosters) > 1 and (
            len(self._rosters) > _MOST_ROSTERS or sum(len(kept) for kept in self._rosters.values()) > _MOST_LISTED
        ):
            (of, by), _ = self._rosters.popitem(last=False)
            if self._latest.get(of) == by:
                del self._latest[of]
