"""A file of JSON or YAML."""

from pathlib import Path

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.importing.yaml_text import parse_yaml
from mcp_sim.tool_specs.json_text import flaw, parse, read_text

_JSON_ENDINGS = (".json", ".har")


def read_document(path: Path) -> JSON:
    """Return the value of a JSON or YAML file, told apart by its name, else by how it begins.

    Raises:
        SetupError: it cannot be read, is neither, or its value cannot be kept as JSON (depth, half surrogate pairs).
    """
    text = read_text(path)
    if not text.strip():
        raise SetupError(f"{path}: is empty; JSON or YAML was expected.")
    ending = path.suffix.lower()
    if ending in _JSON_ENDINGS:
        value = parse(text, path)
    elif text.lstrip()[:1] in "{[":
        try:
            value = parse(text, path)
        except SetupError:
            value = parse_yaml(text, str(path))  # YAML's flow style looks alike
    else:
        value = parse_yaml(text, str(path))
    if reason := flaw(value):
        raise SetupError(f"{path}: {reason}.")
    return value
