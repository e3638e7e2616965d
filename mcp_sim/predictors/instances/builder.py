"""What the builders of one type may use: the seam between them and the search that calls them."""

from random import Random
from typing import Protocol

from mcp_sim.core.canonical import JSON
from mcp_sim.predictors.instances.budget import Budget
from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.hints import Hints, Spot
from mcp_sim.predictors.instances.part import Parts


class Builder(Protocol):
    """One search for one value."""

    random: Random
    budget: Budget
    fake: Fake
    hints: Hints

    def lavishness(self, spot: Spot) -> float:
        """How much may be made that need not be: from 1 (as much as is realistic) to 0 (nothing)."""
        ...

    def make(self, parts: Parts, spot: Spot) -> JSON:
        """Return a value that all parts hold for.

        Raises:
            DeadEndError: there is none that could be found.
            SchemaBudgetError: the budget is used up.
        """
        ...

    def fits(self, value: JSON, parts: Parts) -> bool:
        """Whether all parts hold for a value."""
        ...
