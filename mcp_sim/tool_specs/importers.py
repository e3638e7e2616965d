"""What people have, brought in as worlds: one call for each kind, and one that tells the kind by itself."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.document_file import read_document
from mcp_sim.tool_specs.importing.function_lists import detect_list, read_function_list
from mcp_sim.tool_specs.importing.har.reading import read_har
from mcp_sim.tool_specs.importing.imported import Imported, Kind
from mcp_sim.tool_specs.importing.openapi.reading import read_openapi
from mcp_sim.tool_specs.importing.python_functions import read_functions
from mcp_sim.tool_specs.importing.python_module import import_module_functions
from mcp_sim.tool_specs.json_text import flaw, kind
from mcp_sim.tool_specs.world_folder import write_world

_SHAPES = (
    "an OpenAPI document, a list of functions (OpenAI, Anthropic, Gemini), an MCP tool list, or a HAR recording; "
    "a Python function is MODULE:FUNCTION"
)


def import_any(source: str | Path, form: Kind | None = None) -> Imported:
    """Return the tools of a file, or of `module:function` where no such file exists; the kind is told by its content if not given.

    Raises:
        SetupError: it is of no known kind, or wrong in its kind; the message says what and where.
    """
    text = str(source)
    path = Path(text).expanduser()
    if "://" in text:
        raise SetupError(f"{text}: is a URL, and nothing is fetched. Download it, and name the file.")
    if form == "python" or (form is None and not _is_file(path) and _is_module(text)):
        return import_python(text)
    return import_value(read_document(path), text, form)


def import_value(value: JSON, where: str = "value", form: Kind | None = None) -> Imported:
    """Return the tools of a JSON value: any kind but Python's. `where` names it in messages.

    Raises:
        SetupError: as for `import_any`.
    """
    if reason := flaw(value):
        raise SetupError(f"{where}: {reason}.")
    found = form or detect(value)
    if found is None:
        raise SetupError(f"{where}: holds {kind(value)} that is of no known kind. Expected {_SHAPES}; --as says which it is.")
    if found == "openapi":
        return read_openapi(value, where)
    if found == "har":
        return read_har(value, where)
    if found == "python":
        raise SetupError(f"{where}: is a value, not the name of a Python function.")
    return read_function_list(value, where, found)


def import_python(functions: str | Callable[..., Any] | Iterable[Callable[..., Any]]) -> Imported:
    """Return Python functions as tools: `"module:function"`, `"module"` (its public functions), a function, or several.

    Raises:
        SetupError: they cannot be imported, or none of them can be a tool.
    """
    if isinstance(functions, str):
        return import_module_functions(functions)
    return read_functions([functions] if callable(functions) else functions)


def detect(value: JSON) -> Kind | None:
    """Tell the kind of a JSON value by its shape; `None` for none that is known."""
    if isinstance(value, dict):
        if "openapi" in value or "swagger" in value:
            return "openapi"
        if isinstance(value.get("log"), dict) and "entries" in value["log"]:
            return "har"
    return detect_list(value)


def write_imported(imported: Imported, folder: Path, *, replace: bool = False) -> None:
    """Write what was imported as a world folder.

    Raises:
        SetupError: as for `write_world`.
    """
    write_world(
        folder,
        listing={"tools": imported.tools},
        server={"serverInfo": imported.server_info} if imported.server_info else None,
        settings=imported.settings,
        background=imported.background,
        demonstrations=imported.demonstrations,
        replace=replace,
    )


def _is_file(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_module(text: str) -> bool:
    module, _, attribute = text.partition(":")
    ending = module.rpartition(".")[2].lower()
    is_name = all(part.isidentifier() for part in module.split("."))
    return is_name and (bool(attribute) or ending not in ("json", "yaml", "yml", "har"))
