"""The base of all data that is kept or sent."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A frozen value object: fields never change, unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
