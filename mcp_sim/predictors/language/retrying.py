"""When a request that failed is made again."""

from collections.abc import Iterator, Mapping

import openai

from mcp_sim.errors import PredictionError

_PAUSES_SECONDS = (0.5, 1.0, 2.0)
_LONGEST_PAUSE_SECONDS = 120.0


def pause_before_retry(error: Exception, tries: int) -> float | None:
    """Return for how many seconds to wait before the request is made again, or `None` where that would not help; `tries` were made before.

    As the `openai` client does it: lost connections, 408, 409, 429 and 5xx, three times, as late as the server says (`Retry-After`, up to
    two minutes; `x-should-retry`).
    """
    if tries >= len(_PAUSES_SECONDS) or any(isinstance(cause, PredictionError) for cause in causes(error)):
        return None
    if isinstance(error, openai.APIConnectionError):
        return _PAUSES_SECONDS[tries]
    if not isinstance(error, openai.APIStatusError):
        return None
    headers = error.response.headers
    asked = _asked_seconds(headers)
    said = headers.get("x-should-retry", "").lower()
    worth = said == "true" if said in ("true", "false") else error.status_code in (408, 409, 429) or error.status_code >= 500
    if not worth or (asked or 0.0) > _LONGEST_PAUSE_SECONDS:
        return None
    return asked if asked is not None and asked > 0 else _PAUSES_SECONDS[tries]


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what it was raised from, ten at most."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


def _asked_seconds(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if value.replace(".", "", 1).isdecimal() and len(value) < 20:
            return float(value) * unit
    return None
