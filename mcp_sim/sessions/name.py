"""The names that sessions may have: safe as a file name and as a part of a URL everywhere."""

import re

from mcp_sim.errors import SessionNameError

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_DEVICES = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")

DEFAULT_SESSION = "default"
"""The session of calls that name none."""


def check_session_name(name: str) -> str:
    """Return the name.

    Raises:
        SessionNameError: it is not allowed.
    """
    if not _NAME.fullmatch(name) or _DEVICES.fullmatch(name):
        raise SessionNameError(name)
    return name
