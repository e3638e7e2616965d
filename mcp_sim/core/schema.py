"""JSON Schema checks: bounded, offline, and compiled once."""

from itertools import islice
from threading import Lock

from jsonschema import ValidationError

from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.core.schema_document import compiled
from mcp_sim.errors import SchemaBudgetError

BUDGET_STEPS = 200_000
"""How many steps one check may take: about one for each keyword that is looked at, more for large values."""
MOST_PROBLEMS = 1_000


class Problem(Frozen):
    """One thing that is wrong with a value.

    `path` leads from the whole value to the offending part, `value`. `keyword` is what was broken (`"false"` where the schema is
    `false`), `expected` what the keyword says, `rule` the subschema that it is in, and `message` says it in jsonschema's words.
    For `anyOf` and `oneOf`, `context` holds what is wrong under each branch, with whole paths; `branch` is the number of the branch there.
    """

    path: tuple[str | int, ...]
    keyword: str
    message: str
    expected: JSON
    value: JSON
    rule: JSON = True
    context: tuple["Problem", ...] = ()
    branch: int = 0


class Schema:
    """A compiled JSON Schema.

    Draft-04 to draft-07, 2019-09 and 2020-12 by `$schema`, 2020-12 where there is none. References are followed within the document only;
    `format` is not enforced; `notices` says what else is not.
    """

    def __init__(self, raw: JSON) -> None:
        """Compile a schema, which must not change afterwards.

        Raises:
            SetupError: it cannot be used; the message says what is wrong and where.
        """
        self._root, self.notices = compiled(raw)
        self._lock = Lock()  # the steps are counted in one place

    @property
    def raw(self) -> JSON:
        """The schema as it was given."""
        return self._root.schema

    @property
    def dialect(self) -> str:
        """The URI of the dialect that it is read as."""
        return self._root.document.dialect.uri

    def problems(self, value: JSON) -> list[Problem]:
        """Return what is wrong with a value, in the order of the schema's keywords; no more than `MOST_PROBLEMS`.

        Raises:
            SchemaBudgetError: the check takes too many steps, or the value is nested too deeply to be checked.
        """
        return [_problem(error, ()) for error in self._errors(value, MOST_PROBLEMS)]

    def is_valid(self, value: JSON) -> bool:
        """Whether nothing is wrong with a value.

        Raises:
            SchemaBudgetError: as for `problems`.
        """
        return not self._errors(value, 1)

    def _errors(self, value: JSON, most: int) -> list[ValidationError]:
        document = self._root.document
        with self._lock:
            document.steps_left = BUDGET_STEPS
            try:
                return list(islice(self._root.errors(value), most))
            except RecursionError:
                reason = "a value, or a chain of references, is nested too deeply to be checked"
            except ValueError as error:  # Python spells no whole number of more than 4,300 digits
                reason = str(error)
        raise SchemaBudgetError(f"Checking a value against {document.label}: {reason}. Make the value smaller or the schema simpler.")


def _problem(error: ValidationError, above: tuple[str | int, ...]) -> Problem:
    path = (*above, *error.path)
    branch = error.schema_path[0] if error.schema_path else 0
    return Problem(
        path=path,
        keyword=str(error.validator),
        message=error.message,
        expected=error.validator_value,
        value=error.instance,
        rule=error.schema,
        context=tuple(_problem(inner, path) for inner in error.context or ()),
        branch=branch if isinstance(branch, int) else 0,
    )
