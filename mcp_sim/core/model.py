"""The base of all data that is kept or sent."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A frozen value object: fields never change, unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    _worked_out: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Note which properties are worked out once."""
        cls._worked_out = tuple(name for base in cls.__mro__ for name, held in vars(base).items() if isinstance(held, cached_property))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other values in some fields. What was worked out from the old ones is not copied, as pydantic would."""
        copied = super().model_copy(update=update, deep=deep)
        if update:
            for name in self._worked_out:
                copied.__dict__.pop(name, None)
        return copied
