"""Whether a value fits a part of a schema. jsonschema decides, with regular expressions in linear time and a budget of steps."""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend, validator_for

from mcp_sim.core.canonical import JSON
from mcp_sim.core.patterns import Pattern
from mcp_sim.predictors.instances.budget import Budget
from mcp_sim.predictors.instances.part import Part

_BUDGET: ContextVar[Budget] = ContextVar("budget of the judge")


@lru_cache(maxsize=2048)
def _compiled(pattern: str) -> Pattern | None:
    try:
        return Pattern(pattern)
    except ValueError:
        return None


def matches(pattern: JSON, text: str) -> bool:
    """Whether a pattern is found in a text. One that the linear-time engine cannot read is not enforced: it is found everywhere."""
    compiled = _compiled(pattern) if isinstance(pattern, str) else None
    return compiled is None or compiled.matches(text)


def _counted(check: Callable[..., Any]) -> Callable[..., Iterator[ValidationError]]:
    def counted(validator: Any, value: JSON, instance: JSON, schema: JSON) -> Iterator[ValidationError]:
        _BUDGET.get().spend()
        yield from check(validator, value, instance, schema) or ()

    return counted


def _pattern(_validator: Any, pattern: JSON, instance: JSON, _schema: JSON) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError("does not match")


def _pattern_properties(validator: Any, patterns: JSON, instance: JSON, _schema: JSON) -> Iterator[ValidationError]:
    if isinstance(instance, dict) and isinstance(patterns, dict):
        for pattern, schema in patterns.items():
            for name, value in instance.items():
                if matches(pattern, name):
                    yield from validator.descend(value, schema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, extra: JSON, instance: JSON, schema: JSON) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name, value in instance.items():
            if name not in schema.get("properties", ()) and not any(
                matches(pattern, name) for pattern in schema.get("patternProperties", ())
            ):
                yield from validator.descend(value, extra, path=name)


_CLASSES: dict[Any, Any] = {}


def _validator_class(schema: JSON) -> Any:
    base = validator_for(schema, default=Draft202012Validator) if isinstance(schema, dict) else Draft202012Validator
    if base not in _CLASSES:
        own = {"pattern": _pattern, "patternProperties": _pattern_properties, "additionalProperties": _additional_properties}
        checks = {name: _counted(own.get(name) or check) for name, check in base.VALIDATORS.items()}
        _CLASSES[base] = extend(base, checks)  # type: ignore[no-untyped-call]
    return _CLASSES[base]


class Judge:
    """Judges values by the parts of one document."""

    def __init__(self, document: Part) -> None:
        schema = document.schema
        self._validator = _validator_class(schema)(schema, _resolver=document.resolver)

    def fits(self, value: JSON, part: Part, budget: Budget) -> bool:
        """Whether the value satisfies the part. What cannot be judged (a reference to nowhere, a malformed keyword) does not fit.

        Raises:
            SchemaBudgetError: judging took too many steps.
        """
        token = _BUDGET.set(budget)
        try:
            valid: bool = self._validator.evolve(schema=part.schema, _resolver=part.resolver).is_valid(value)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
            return False
        else:
            return valid
        finally:
            _BUDGET.reset(token)
