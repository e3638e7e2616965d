"""The 14 tools of the filesystem server."""

from collections.abc import Callable, Mapping

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.filesystem.arguments import Arguments
from mcp_sim.predictors.behaviours.filesystem.disk import Disk
from mcp_sim.predictors.behaviours.filesystem.listing import directory_tree, list_directory, list_directory_with_sizes, search_files
from mcp_sim.predictors.behaviours.filesystem.reading import file_info, read_media, read_multiple, read_text
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError
from mcp_sim.predictors.behaviours.filesystem.writing import Outcome, create_directory, edit_file, move_file, write_file
from mcp_sim.predictors.behaviours.options import NoOptions, read_options


class FilesystemBehaviour:
    """Answers like `@modelcontextprotocol/server-filesystem` 2026.8.31. It has no options: what there is to say stands in the state.

    Raises:
        SetupError: options are given.
    """

    mutates: Mapping[str, bool] = {
        "read_file": False,
        "read_text_file": False,
        "read_media_file": False,
        "read_multiple_files": False,
        "write_file": True,
        "edit_file": True,
        "create_directory": True,
        "list_directory": False,
        "list_directory_with_sizes": False,
        "directory_tree": False,
        "move_file": True,
        "search_files": False,
        "get_file_info": False,
        "list_allowed_directories": False,
    }
    volatile: frozenset[str] = frozenset()

    def __init__(self, options: dict[str, JSON]) -> None:
        read_options(NoOptions, "filesystem", options)

    def answer(self, session: Session, action: Action) -> Transition | None:
        """See `Behaviour.answer`.

        Raises:
            PredictionError: the state is malformed, or the answer would take too long or grow too large.
        """
        if action.method != "tools/call" or action.name not in self.mutates:
            return None
        disk = Disk.of_session(session)
        arguments = Arguments(action.name, action.arguments)
        try:
            if action.name in _WRITERS:
                random_hex = session.chance(action).randbytes(16).hex()
                outcome = _WRITERS[action.name](disk, arguments, random_hex)
                observation = Observation.of_text(outcome.text, is_error=True) if outcome.is_error else _told(outcome.text)
                return session.transition(action, observation, "computed", outcome.changes, changes=bool(outcome.changes))
            observation = _media(disk, arguments) if action.name == "read_media_file" else _told(_READERS[action.name](disk, arguments))
        except ToolError as failure:
            observation = Observation.of_text(failure.text, is_error=True)
        return session.transition(action, observation, "computed", changes=False)


def _told(text: str) -> Observation:
    return Observation.of_structured({"content": text}, text)


def _media(disk: Disk, arguments: Arguments) -> Observation:
    block = read_media(disk, arguments.text("path"))
    return Observation(content=[block], structured_content={"content": [block]})


def _read(disk: Disk, arguments: Arguments) -> str:
    return read_text(disk, arguments.text("path"), arguments.number("head"), arguments.number("tail"))


_READERS: Mapping[str, Callable[[Disk, Arguments], str]] = {
    "read_file": _read,
    "read_text_file": _read,
    "read_multiple_files": lambda disk, arguments: read_multiple(disk, arguments.texts("paths")),
    "list_directory": lambda disk, arguments: list_directory(disk, arguments.text("path")),
    "list_directory_with_sizes": lambda disk, arguments: list_directory_with_sizes(
        disk, arguments.text("path"), arguments.text("sortBy", "name")
    ),
    "directory_tree": lambda disk, arguments: directory_tree(disk, arguments.text("path"), arguments.texts("excludePatterns")),
    "search_files": lambda disk, arguments: search_files(
        disk, arguments.text("path"), arguments.text("pattern"), arguments.texts("excludePatterns")
    ),
    "get_file_info": lambda disk, arguments: file_info(disk, arguments.text("path")),
    "list_allowed_directories": lambda disk, arguments: "Allowed directories:\n" + "\n".join(disk.allowed),
}

_WRITERS: Mapping[str, Callable[[Disk, Arguments, str], Outcome]] = {
    "write_file": lambda disk, arguments, random_hex: write_file(disk, arguments.text("path"), arguments.text("content"), random_hex),
    "edit_file": lambda disk, arguments, random_hex: edit_file(
        disk, arguments.text("path"), arguments.edits("edits"), arguments.flag("dryRun"), random_hex
    ),
    "create_directory": lambda disk, arguments, random_hex: create_directory(disk, arguments.text("path")),
    "move_file": lambda disk, arguments, random_hex: move_file(disk, arguments.text("source"), arguments.text("destination")),
}
