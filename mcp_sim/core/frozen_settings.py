"""What a world says about how its frozen answers are matched."""

from typing import Literal

from mcp_sim.core.model import Frozen


class RedactionSettings(Frozen):
    """The `[frozen.redaction]` table: how secrets were left out of a recording, so that they can be left out of a live call just so.

    Without a `key` nothing is left out. `patterns` are the user's own regular expressions, of which the first group counts if there is one;
    `literals` hold length and tag of secrets that have no shape, such as a value of the environment (`40:1a2b3c`).
    """

    key: str = ""
    patterns: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()


class FrozenSettings(Frozen):
    """The `[frozen]` table of `world.toml`.

    `match` is how strictly: `state` heeds the fingerprint that a frozen answer names, so that a changed write is never answered from a
    recording; `call` answers the same call in every state. `ignore` holds JSON paths into the arguments: what they select does not count.
    `patterns` holds regular expressions: texts that match one whole are as good as each other (ids, times). `redaction` is for secrets.
    """

    match: Literal["state", "call"] = "state"
    ignore: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    redaction: RedactionSettings = RedactionSettings()
