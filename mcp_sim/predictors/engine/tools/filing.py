"""Tools about files and folders, told by the paths that they ask for: what shows a folder, what moves a file, what edits its text."""

from mcp_sim.predictors.engine.tools.neighbours import Neighbours
from mcp_sim.predictors.engine.tools.sketch import Sketch
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding

_FOLDERS = frozenset("directory folder".split())
_SOURCES = frozenset("source src from old_path from_path source_path".split())
_TARGETS = frozenset("destination dest dst to target new_path to_path destination_path target_path".split())
_PATHS = frozenset("path dir directory folder".split())


def folder_of(draft: Sketch, near: Neighbours) -> ToolUnderstanding | None:
    """Return what a tool does that shows what is in a folder; `None` if it does not, or if nothing is known of files by their paths."""
    required = [argument for argument in draft.arguments if argument.required and argument.is_scalar]
    where = next((argument for argument in required if argument.snake in _PATHS), None)
    known = any(argument.snake == "path" for argument in near.names.get("file", ()))
    if where is None or draft.hint.kind is not None or not known or "create" not in near.kinds.get("file", set()) or draft.tool.mutates:
        return None
    nouns = draft.phrase.nouns
    text = next((argument.name for argument in required if argument.role == "text"), None)
    lists = draft.phrase.verb in ("list", "ls") and nouns[:1] != () and nouns[0] in _FOLDERS and len(required) == 1
    draws = nouns[-1:] == ("tree",) and nouns[0] in _FOLDERS and len(required) == 1
    seeks = draft.phrase.verb in ("search", "find") and nouns == ("file",) and text is not None and len(required) == 2
    if not (lists or draws or seeks):
        return None
    return ToolUnderstanding(
        tool=draft.tool.name,
        kind="search" if seeks else "list",
        resource="file",
        verb="tree" if draws else draft.phrase.verb,
        parents=(where.name,),
        within=where.name,
        text=text if seeks else None,
        shows=("file", "directory"),
        shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
    )


def file_change_of(draft: Sketch, near: Neighbours) -> ToolUnderstanding | None:
    """Return what a tool does that moves files or replaces parts of their text; `None` if it does neither."""
    known = next((argument for argument in near.names.get("file", ()) if argument.snake == "path"), None)
    if known is None or draft.hint.kind is not None or draft.phrase.nouns not in (("file",), ("directory",), ("file", "or", "directory")):
        return None
    required = {argument.snake: argument for argument in draft.arguments if argument.required}
    source = next((argument for name, argument in required.items() if name in _SOURCES), None)
    target = next((argument for name, argument in required.items() if name in _TARGETS), None)
    whole = ToolUnderstanding(
        tool=draft.tool.name,
        kind="update",
        resource="file",
        verb=draft.phrase.verb,
        shape="output schema" if isinstance(draft.tool.output_schema, dict) else "resource",
    )
    if draft.phrase.verb in ("move", "rename") and source is not None and target is not None:
        return whole.model_copy(update={"id": source.name, "renames": target.name})
    edits = next(
        (argument for argument in required.values() if {part.snake.split("_")[0] for part in argument.parts} == {"old", "new"}), None
    )
    if draft.phrase.verb in ("edit", "patch") and edits is not None and "path" in required and "content" in near.fields.get("file", ()):
        return whole.model_copy(update={"id": required["path"].name, "edits": edits.name})
    return None
