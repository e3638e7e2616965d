"""The contract of one tool."""

import re
from functools import cached_property
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.model import Frozen
from mcp_sim.core.schema import Schema

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# The first of these words in a tool's name decides; a name with none of them counts as changing something.
_READING = frozenset(
    "analyze browse calculate check compare compute convert count crawl describe diff echo estimate evaluate examine exists "
    "explain export extract fetch filter find geocode get grep head hover info inspect is list load lookup ls map monitor observe "
    "peek ping poll preview print query read resolve retrieve scan scrape screenshot search see select show snapshot stat stats "
    "status summarize tail take test think thinking validate verify view wait whoami".split()
)
_CHANGING = frozenset(
    "accept add append apply approve archive assign attach book cancel change checkout cherry clear click clone close comment "
    "commit configure connect copy create cut decline delete deploy disable dismiss drag drop duplicate edit emulate enable "
    "execute fill fork grant handle import init insert install invite join kick kill launch leave lock log login logout make mark "
    "merge modify move mute navigate new open order pay pin post press publish pull push put react rebase reject remember remove "
    "rename reopen replace reply reset resize restart restore resume revert revoke rm run save schedule send set share sign star "
    "start stash stop store submit subscribe swap tag toggle transfer transition trigger truncate type uninstall unlock unpin "
    "unsubscribe update upload upsert wrap write".split()
)
_DRY_RUN = frozenset({"dryrun", "dry_run", "dry-run"})


def words(name: str) -> list[str]:
    """Split a name into lower-case words at case changes, digits and anything that is not a letter."""
    return [word.lower() for word in _WORD.findall(name)]


class ToolSpec(Frozen):
    """The contract of one tool, as the world serves it.

    `definition` is the tool's entry of a `tools/list` result after mending, with every key that its author gave it;
    the other fields are read from it. `mended` says in sentences what was changed and why.
    """

    name: str
    description: str = ""
    input_schema: dict[str, JSON]
    output_schema: JSON = None
    annotations: dict[str, JSON] = {}
    definition: dict[str, JSON]
    mended: tuple[str, ...] = ()

    @cached_property
    def input_check(self) -> Schema:
        """The input schema, compiled.

        Raises:
            SetupError: it cannot be used, which mending rules out.
        """
        return Schema(self.input_schema)

    @cached_property
    def output_check(self) -> Schema | None:
        """The output schema, compiled, if there is one.

        Raises:
            SetupError: it cannot be used, which mending rules out.
        """
        return None if self.output_schema is None else Schema(self.output_schema)

    @cached_property
    def mutates(self) -> bool:
        """Whether calls of this tool change state, judged by `readOnlyHint`, else by the first verb in its name, else yes."""
        hint: Any = self.annotations.get("readOnlyHint")
        if isinstance(hint, bool):
            return not hint
        name_words = words(self.name)
        for position, word in enumerate(name_words):
            if word in _CHANGING:
                return True
            if word in _READING:
                later = zip(name_words[position:], name_words[position + 1 :], strict=False)
                return any(joint in ("and", "or") and verb in _CHANGING for joint, verb in later)
        return True


def asks_dry_run(arguments: dict[str, JSON]) -> bool:
    """Whether the arguments ask for a trial run, which changes nothing."""
    return any(key.lower() in _DRY_RUN and value is True for key, value in arguments.items())
