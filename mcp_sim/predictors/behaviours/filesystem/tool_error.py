"""How the simulated system calls fail, in Node's words."""

_MEANINGS = {
    "EBUSY": "resource busy or locked",
    "EEXIST": "file already exists",
    "EINVAL": "invalid argument",
    "EISDIR": "illegal operation on a directory",
    "ELOOP": "too many symbolic links encountered",
    "ENAMETOOLONG": "name too long",
    "ENOENT": "no such file or directory",
    "ENOSPC": "no space left on device",
    "ENOTDIR": "not a directory",
}


class ToolError(Exception):
    """The tool failed: the text is what the agent sees. `code` is the system's, where a system call failed."""

    def __init__(self, text: str, code: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.code = code

    @classmethod
    def of_call(cls, code: str, call: str, path: str | None = None, destination: str | None = None) -> "ToolError":
        """Return the failure of a system call, as libuv words it."""
        where = "" if path is None else f" '{path}'"
        towards = "" if destination is None else f" -> '{destination}'"
        return cls(f"{code}: {_MEANINGS[code]}, {call}{where}{towards}", code)


class PathError(Exception):
    """A step of resolving a path cannot be taken; whoever made the system call turns it into a `ToolError`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
