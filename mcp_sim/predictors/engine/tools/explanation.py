"""What was understood of a tool, in words for a person."""

from mcp_sim.predictors.engine.resources.resource import Resource
from mcp_sim.predictors.engine.words.understanding import ToolUnderstanding
from mcp_sim.predictors.engine.words.vocabulary import plural

_DOES = {
    "create": "makes {a_one}",
    "get": "shows one {one}",
    "list": "lists {many}",
    "search": "searches {many}",
    "update": "changes {a_one}",
    "delete": "deletes {a_one}",
    "count": "counts {many}",
    "add-member": "adds to the {member} of {a_one}",
    "remove-member": "removes from the {member} of {a_one}",
}


def explain_tool(tool: ToolUnderstanding, resource: Resource | None) -> str:
    """Return what a tool does, which arguments do what, how ids look, and what is in doubt."""
    if tool.modes:
        lines = [f"{tool.tool}: what it does hangs on `{tool.mode}`"]
        lines += [f"  {value}: {_sentence(meaning)}" for value, meaning in tool.modes.items()]
        return "\n".join(lines)
    lines = [f"{tool.tool}: {_sentence(tool)}"]
    if tool.rest:
        return f"{tool.tool}: {tool.rest.upper()} of what the path at `{tool.rest_path}` names; follows what was made through it"
    if tool.statement:
        return f"{tool.tool}: does what the statement at `{tool.statement}` says; follows tables that are made and dropped"
    if tool.kind == "other":
        return lines[0]
    unfollowed = resource.unfollowed.get(tool.tool, ()) if resource is not None else ()
    parts = [
        ("belongs to", ", ".join(f"`{name}`" for name in tool.parents)),
        ("named by", f"`{tool.id}`" if tool.id else f"`{tool.ids}`, many at once" if tool.ids else ""),
        ("many at once in", f"`{tool.items}`" if tool.items else ""),
        ("keeps", ", ".join(_kept(tool, name) for name in (*tool.fields, *([f"{tool.wrapper}.*"] if tool.wrapper else [])))),
        ("sets", tool.effect.word if tool.effect else ""),
        ("empties", f"`{tool.clears}`" if tool.clears else ""),
        (
            "selects by",
            ", ".join(
                f"`{name}`" for name in (*([tool.text] if tool.text else []), *(name for name in tool.filters if name not in unfollowed))
            ),
        ),
        ("does not follow", ", ".join(f"`{name}`" for name in unfollowed)),
        ("pages by", ", ".join(f"`{name}`" for name in (tool.page, tool.size, tool.offset, tool.cursor) if name)),
        ("sorts by", ", ".join(f"`{name}`" for name in (tool.sort, tool.direction) if name)),
        ("ids", f"{resource.style.style} at `{resource.id_key}`" if resource else ""),
        ("answers like", tool.shape),
    ]
    return "\n".join([*lines, *(f"  {label}: {value}" for label, value in parts if value)])


def _sentence(tool: ToolUnderstanding) -> str:
    if tool.kind == "other":
        return f"not understood ({'; '.join(tool.doubts)}); answered without touching state"
    one = tool.resource.replace("_", " ") or "thing"
    many = plural(tool.resource).replace("_", " ") if tool.resource else "everything"
    a_one = f"an {one}" if one[0] in "aeiou" else f"a {one}"
    return _DOES[tool.kind].format(one=one, a_one=a_one, many=many, member=tool.member)


def _kept(tool: ToolUnderstanding, name: str) -> str:
    field = tool.sets.get(name, name)
    return f"`{name}`" if field == name else f"`{name}` as `{field}`"
