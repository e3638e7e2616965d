"""Which kinds of things no tool makes and other calls leave behind: commits, transactions."""

from collections.abc import Mapping

from mcp_sim.predictors.engine.words.arguments import snake
from mcp_sim.predictors.engine.words.understanding import CHANGING, ToolUnderstanding

MESSAGES = frozenset({"message", "commit_message"})
"""The arguments that say in a commit what was done."""

_COMMITS = frozenset({"commit"})
_MOVEMENTS = frozenset("transaction movement stock_movement ledger_entry account_transaction inventory_movement".split())


def logbooks_of(read: Mapping[str, ToolUnderstanding]) -> set[str]:
    """Return the kinds of things that the calls of other tools leave behind, where tools only read them."""
    made = {tool.resource for tool in read.values() if tool.kind in CHANGING}
    found: set[str] = set()
    if any(tool.kind in CHANGING and MESSAGES & set(map(snake, tool.fields)) and tool.parents for tool in read.values()):
        found |= _COMMITS
    if any(tool.counts is not None for tool in read.values()):
        found |= _MOVEMENTS
    return found - made
