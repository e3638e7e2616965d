"""What a git host refuses, in the words of the reference server."""

import json

from mcp_sim.core.canonical import JSON


class Refused(Exception):  # noqa: N818  # why: nothing has failed; it is an answer
    """A call that the host does not do; its text is what the agent sees."""


def not_found(what: str) -> Refused:
    """Nothing of that kind is there."""
    return Refused(f"Not Found: Resource not found: {what}")


def invalid(reason: str, *details: dict[str, JSON]) -> Refused:
    """The arguments cannot be right."""
    told = f"\nDetails: {json.dumps(details, ensure_ascii=False)}" if details else ""
    return Refused(f"Validation Error: {reason}{told}")
