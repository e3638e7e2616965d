"""What a world says about how its frozen answers are matched."""

from typing import Literal

from mcp_sim.core.model import Frozen


class FrozenSettings(Frozen):
    """The `[frozen]` table of `world.toml`.

    `match` is how strictly: `state` heeds the fingerprint that a frozen answer names, so that a changed write is never answered from a
    recording; `call` answers the same call in every state. `ignore` holds JSON paths into the arguments: what they select does not count.
    `patterns` holds regular expressions: texts that match one whole are as good as each other (ids, times).
    """

    match: Literal["state", "call"] = "state"
    ignore: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
