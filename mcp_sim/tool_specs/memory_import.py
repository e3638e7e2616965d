"""The knowledge graph of a real memory server, read into the state of a world that has one."""

from pathlib import Path

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import SetupError
from mcp_sim.tool_specs.json_text import flaw, kind, parse, read_text, shown

_ENTITY = {"name": str, "entityType": str, "observations": list}
_RELATION = {"from": str, "to": str, "relationType": str}


def import_memory(path: Path) -> dict[str, JSON]:
    """Return the value of `state.json` that holds a graph: `{"memory": {"entities": [...], "relations": [...]}}`.

    The file is what `@modelcontextprotocol/server-memory` keeps (`memory.jsonl`): one entity or relation a line, told by its `type`.

    Raises:
        SetupError: a line is neither.
    """
    entities, relations = list[JSON](), list[JSON]()
    for number, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        line = parse(text, path, number)
        where = f"{path}:{number}"
        if not isinstance(line, dict) or line.get("type") not in ("entity", "relation"):
            said = f"the type {shown(line.get('type'))}" if isinstance(line, dict) else kind(line)
            raise SetupError(
                f'{where}: has {said}; each line is an object of type "entity" or "relation", as the memory server keeps them.'
            )
        if reason := flaw(line):
            raise SetupError(f"{where}: {reason}.")
        shape = _ENTITY if line["type"] == "entity" else _RELATION
        for key, expected in shape.items():
            if not isinstance(line.get(key), expected):
                raise SetupError(f'{where}: "{key}" is {kind(line.get(key))}, not {"a text" if expected is str else "a list of texts"}.')
        if not all(isinstance(text, str) for text in line.get("observations", ())):
            raise SetupError(f'{where}: "observations" is not a list of texts.')
        kept = entities if shape is _ENTITY else relations
        kept.append({key: line[key] for key in shape})
    if not entities and not relations:
        raise SetupError(f"{path}: holds no entities and no relations.")
    return {"memory": {"entities": entities, "relations": relations}}
