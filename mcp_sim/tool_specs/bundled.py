"""Where worlds with a bare name lie: in the project's `tool_specs` folder, bundled with the package, or the user's own."""

import re
from pathlib import Path

import platformdirs

from mcp_sim.errors import SetupError

WORLD_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
"""A bare name of a world: never a path."""

_PACKAGE = Path(__file__).resolve().parent.parent


def bundled_folder(name: str) -> Path:
    """Return the folder `tool_specs` or `prompts` as it came with the package.

    A wheel holds them inside the package; an editable install leaves them at the top of the source tree.

    Raises:
        SetupError: the installation lacks the folder.
    """
    for folder in (_PACKAGE / "_bundled" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise SetupError(f"This installation of mcp-sim lacks its folder {name}/. Install it again.")


def bundled_worlds() -> dict[str, Path]:
    """Return the folders of the bundled worlds by name, in order of name."""
    return _worlds(bundled_folder("tool_specs"))


def project_worlds_folder() -> Path:
    """Return where the worlds of the project in the current directory are kept; it need not exist."""
    return Path.cwd() / "tool_specs"


def project_worlds() -> dict[str, Path]:
    """Return the folders of the project's worlds by name, in order of name; the bundled ones are none, wherever one stands."""
    try:
        folder = project_worlds_folder()
        is_bundled = folder.resolve() == bundled_folder("tool_specs").resolve()
        return {} if is_bundled else _worlds(folder)
    except OSError:  # the current directory is gone, or may not be read
        return {}


def user_worlds_folder() -> Path:
    """Return where a user's own worlds are kept; it need not exist."""
    return platformdirs.user_data_path("mcp-sim", appauthor=False) / "worlds"


def user_worlds() -> dict[str, Path]:
    """Return the folders of the user's own worlds by name, in order of name."""
    return _worlds(user_worlds_folder())


def place_user_world(name: str) -> Path:
    """Return the folder that a world of the user's with this name has or is to have.

    Raises:
        SetupError: the name is not allowed, or a bundled world has it.
    """
    if _checked(name) in bundled_worlds():
        raise SetupError(f"{name!r} is the name of a bundled world. Choose another one.")
    return user_worlds_folder() / name


def place_project_world(name: str) -> Path:
    """Return the folder that a world of the project in the current directory with this name has or is to have. It may be a bundled one's.

    Raises:
        SetupError: the name is not allowed.
    """
    return project_worlds_folder() / _checked(name)


def _checked(name: str) -> str:
    if not WORLD_NAME.fullmatch(name):
        raise SetupError(f"{name!r} cannot name a world: use a-z, 0-9, - and _, at most 64, the first a letter or a digit.")
    return name


def _worlds(folder: Path) -> dict[str, Path]:
    found = sorted(folder.glob("*/tools.json"))
    return {path.parent.name: path.parent for path in found if WORLD_NAME.fullmatch(path.parent.name)}
