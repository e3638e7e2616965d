"""What differs from run to run in the answers of the filesystem server."""

import json
import re
from typing import Any

_TIME = re.compile(r"(created|modified|accessed): .*")
_DIRECTORY_SIZE = re.compile(r"size: \d+(?=\n(?:.*\n){3}isDirectory: true)")
_TEMPORARY = re.compile(r"\.[0-9a-f]{32}\.tmp")


def masked(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without times, sizes of directories and the random names of temporary files."""
    text = _DIRECTORY_SIZE.sub("size: 0", json.dumps(result, ensure_ascii=False).replace("\\n", "\n"))
    masked: dict[str, Any] = json.loads(_TEMPORARY.sub(".tmp", _TIME.sub(r"\1: then", text)).replace("\n", "\\n"))
    return masked
