"""mcp-sim: an MCP server that answers every call of any tool list by predicting its result.

From Python: `async with mcp_sim.open_world("github", seed=7) as world: ...`
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp_sim.api.open_world import OpenWorld as OpenWorld
    from mcp_sim.api.open_world import open_world as open_world

__version__ = "0.1.0"
__all__ = ["OpenWorld", "__version__", "open_world"]


def __getattr__(name: str) -> Any:
    # Imported when first used: every command and every run of pytest imports this package, and few need the SDK that these load.
    if name in ("OpenWorld", "open_world"):
        return getattr(importlib.import_module("mcp_sim.api.open_world"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
