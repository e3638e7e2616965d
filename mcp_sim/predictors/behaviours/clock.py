"""The world's time."""

from datetime import UTC, datetime

from mcp_sim.core.session import Session


def world_time(session: Session) -> datetime:
    """Return the session's time in UTC."""
    return utc(session.now)


def utc(moment: datetime) -> datetime:
    """Return the moment in UTC; one without a zone is taken as UTC, wherever this machine stands."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
