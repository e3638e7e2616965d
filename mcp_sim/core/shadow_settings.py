"""What a world says about a real server behind it."""

from mcp_sim.core.model import Frozen


class ShadowSettings(Frozen):
    """The `[shadow]` table of `world.toml`: globs of the tools that may go to the real server. Nothing else ever does."""

    real_reads: tuple[str, ...] = ()
