"""Paths as strings: what Node's `path` module and the server's own clean-up make of them."""

import posixpath
import re
from collections.abc import Iterable

JS_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""What JavaScript counts as white space. Python's `str.strip` has another idea of it."""

WINDOWS_PATH = re.compile(r"(?:[A-Za-z]:)(?:[\\/]|\Z)")
_SLASHES = re.compile(r"/+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """Return the text with every lone surrogate replaced by U+FFFD, as it reaches a disk."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def join(*parts: str) -> str:
    """Join and normalise like `path.join`."""
    joined = "/".join(part for part in parts if part)
    return _normalised(joined) if joined else "."


def resolve(base: str, path: str) -> str:
    """Resolve a path against an absolute base like `path.resolve`: no trailing slash, no dots."""
    whole = path if path.startswith("/") else f"{base}/{path}"
    return "/" + _normalised(whole).strip("/")


def relative(base: str, path: str) -> str:
    """Return how to go from `base` to `path`; both are resolved against the root first."""
    start = [part for part in resolve("/", base).split("/") if part]
    end = [part for part in resolve("/", path).split("/") if part]
    shared = 0
    while shared < min(len(start), len(end)) and start[shared] == end[shared]:
        shared += 1
    return "/".join([".."] * (len(start) - shared) + end[shared:])


def dirname(path: str) -> str:
    """Return the parent of a resolved path."""
    return posixpath.dirname(path) or "/"


def extension(path: str) -> str:
    """Return the extension with its dot, lower case; a name that only starts with a dot has none."""
    name = path.rsplit("/", 1)[-1]
    dot = name.rfind(".")
    return name[dot:].lower() if dot > 0 and name != ".." else ""


def cleaned(path: str) -> str:
    """Tidy an absolute path before it is compared with the allowed directories: outer white space, a closing quote, doubled slashes."""
    tidy = path.strip(JS_SPACE)
    if tidy[-1:] in ("'", '"'):
        tidy = tidy[:-1]
    tidy = _SLASHES.sub("/", tidy)
    return tidy[:-1] if len(tidy) > 1 and tidy.endswith("/") else tidy


def is_within(path: str, directories: Iterable[str]) -> bool:
    """Whether an absolute path is one of the directories or below one."""
    if not path or "\0" in path:
        return False
    place = resolve("/", path)
    return any(place == top or top == "/" or place.startswith(top + "/") for top in directories)


def _normalised(path: str) -> str:
    trailing = path.endswith("/")
    normal = posixpath.normpath(path)
    if normal.startswith("//"):
        normal = normal[1:]
    return normal + "/" if trailing and normal != "/" else normal
