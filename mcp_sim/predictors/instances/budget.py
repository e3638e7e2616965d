"""How much work a value may cost."""

from mcp_sim.errors import SchemaBudgetError


class Budget:
    """A number of steps that is used up; a step costs some ten microseconds."""

    __slots__ = ("left", "total")

    def __init__(self, steps: int) -> None:
        self.total = steps
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Use steps up.

        Raises:
            SchemaBudgetError: none are left.
        """
        self.left -= steps
        if self.left < 0:
            raise SchemaBudgetError(
                f"No value of the schema was found within {self.total} steps. "
                "Simplify the schema (fewer alternatives, less recursion), or pin an answer in frozen.jsonl."
            )
