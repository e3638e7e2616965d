"""Options of a behaviour, as `world.toml` gives them."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError

from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.errors import SetupError

Options = TypeVar("Options", bound=Frozen)


class NoOptions(Frozen):
    """The options of a behaviour that has none."""


def read_options(kind: type[Options], behaviour: str, options: Mapping[str, JSON]) -> Options:
    """Return the options as `kind`.

    Raises:
        SetupError: an option is unknown or has a wrong value.
    """
    try:
        return kind.model_validate(dict(options))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        known = ", ".join(sorted(kind.model_fields)) or "none"
        raise SetupError(
            f'world.toml, [behaviours."{behaviour}"] {where}: {first["msg"]}. Known options: {known}. Correct or remove it.'
        ) from error
