"""A Python module, imported for the functions in it."""

import importlib
import inspect
import sys
from types import ModuleType
from typing import Any

from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.imported import Imported
from mcp_sim.tool_specs.importing.python_functions import read_functions, unwrap


def import_module_functions(name: str) -> Imported:
    """Import `package.module:attribute` and return its functions as tools; without an attribute, the module's public functions.

    The module's own code runs, as with any import; the current directory is looked in first. The attribute is a function, a list of
    functions, or a dotted path to one. A decorated function is read as the one inside (`__wrapped__`, `.fn`, `.func`).

    Raises:
        SetupError: the module cannot be imported, has no such attribute, or none of the functions can be a tool.
    """
    module_name, _, attribute = name.partition(":")
    target: Any = _import(module_name)
    for part in attribute.split(".") if attribute else ():
        if not hasattr(target, part):
            raise SetupError(f"{name}: {module_name} has no {attribute!r}. Name a function or a list of functions in it.")
        target = getattr(target, part)
    if isinstance(target, ModuleType):
        functions = _public_functions(target)
    elif isinstance(target, list | tuple | set | frozenset):
        functions = list(target)
    elif isinstance(target, dict):
        functions = list(target.values())
    else:
        functions = [target]
    return read_functions(functions, name)


def _import(module_name: str) -> ModuleType:
    if not module_name or not all(part.isidentifier() for part in module_name.split(".")):
        raise SetupError(f"{module_name!r} is no name of a Python module, such as mypackage.tools.")
    if "" not in sys.path:
        sys.path.insert(0, "")  # as `python -m` does: the user's module lies where the command is given
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        hint = "Run the command where the module lies, or install its package beside mcp-sim."
        raise SetupError(f"{module_name}: cannot be imported: there is no module {error.name!r}. {hint}") from error
    except (Exception, SystemExit) as error:
        raise SetupError(f"{module_name}: cannot be imported: {type(error).__name__}: {error}") from error


def _public_functions(module: ModuleType) -> list[Any]:
    told = getattr(module, "__all__", None)
    if told is not None:
        return [getattr(module, name) for name in told if unwrap(getattr(module, name, None)) is not None]
    return [
        value
        for name, value in vars(module).items()
        if not name.startswith("_") and inspect.isfunction(value) and inspect.unwrap(value).__module__ == module.__name__
    ]
