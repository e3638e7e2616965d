"""The servers of a client's configuration, captured one by one."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import anyio

from mcp_sim.assemble.offline import refuse
from mcp_sim.cli.capturing import keep_captured
from mcp_sim.core.canonical import JSON
from mcp_sim.core.world import World
from mcp_sim.errors import SetupError
from mcp_sim.protocol.capture import Captured, capture_command, capture_url
from mcp_sim.tool_specs.bundled import place_user_world
from mcp_sim.tool_specs.client_config import ClientConfig, Entry, expand
from mcp_sim.tool_specs.json_text import read_json, read_text
from mcp_sim.tool_specs.listing import read_server
from mcp_sim.tool_specs.secrets import conceal, redact, secrets_in_texts, secrets_in_values, secrets_of_shell
from mcp_sim.tool_specs.world_folder import load_world

PLACEHOLDER = "none-given"
"""What a server is given for a question of VS Code's that nobody is asked: most servers list what they offer whatever their key is."""

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_ENV_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$", re.MULTILINE)


def secrets_of(config: ClientConfig) -> set[str]:
    """Return all that may be secret in the servers of a configuration as it is written."""
    return set().union(*(_written_secrets(entry) for entry in config.entries))


class Wrapping:
    """Captures servers of a configuration. `ask` answers the questions that VS Code would ask a person."""

    def __init__(self, config: ClientConfig, timeout_seconds: float, ask: Callable[[str], str]) -> None:
        self._config = config
        self._timeout_seconds = timeout_seconds
        self._ask = ask
        self._names: set[str] = set()
        self.secrets: set[str] = set()
        """What may be secret in the servers that were captured."""

    def secrets_in(self, entry: Entry) -> set[str]:
        """Return what may be secret in a server as it is written."""
        return _written_secrets(entry)

    def capture(self, entry: Entry) -> World:
        """Ask the server for its lists and keep them as a world.

        Raises:
            SetupError: it cannot be; the message has no secret in it.
        """
        given: set[str] = set()

        def answer(name: str) -> str:
            value = self._ask(name)
            given.update({value} - {PLACEHOLDER})
            return value

        def fill(text: str) -> str:
            return expand(text, self._config.folder, answer)

        environment = {**self._env_file(entry, fill), **{name: fill(value) for name, value in entry.env.items()}}
        headers = {name: fill(value) for name, value in entry.headers.items()}
        command, url = [fill(part) for part in entry.command], fill(entry.url or "")
        secrets = secrets_in_values({**environment, **headers}) | secrets_in_texts([*command, url]) | given
        secrets |= self.secrets_in(entry) | secrets_of_shell(os.environ)
        try:
            captured = self._ask_server(entry, command, url, environment, headers, lambda text: conceal(text, secrets))
        except SetupError as error:
            raise SetupError(conceal(str(error), secrets)) from None
        self.secrets |= secrets
        folder = self._place(entry, captured, redact(captured.tools, secrets))
        world, _ = keep_captured(captured, folder, command=command, secrets=secrets, replace=folder.exists())
        return world

    def _ask_server(
        self,
        entry: Entry,
        command: list[str],
        url: str,
        environment: dict[str, str],
        headers: dict[str, str],
        shown: Callable[[str], str],
    ) -> Captured:
        if command:
            cwd = entry.raw.get("cwd")
            folder = Path(expand(cwd, self._config.folder, self._ask)).expanduser() if isinstance(cwd, str) else None
            all_variables = {**os.environ, **environment}
            return anyio.run(
                lambda: capture_command(
                    command, environment=all_variables, folder=folder, timeout_seconds=self._timeout_seconds, conceal=shown
                )
            )
        if url:
            refuse("servers at a URL")
            return anyio.run(lambda: capture_url(url, headers=headers, timeout_seconds=self._timeout_seconds))
        raise SetupError("it has neither a command nor a URL.")

    def _env_file(self, entry: Entry, fill: Callable[[str], str]) -> dict[str, str]:
        if entry.env_file is None:
            return {}
        text = read_text(Path(fill(entry.env_file)).expanduser())
        return {name: value.strip("\"'") for name, value in _ENV_LINE.findall(text)}

    def usual_name(self, entry: Entry) -> str:
        """Return what the server's world is called where no other server's is."""
        return f"my-{_NOT_SLUG.sub('-', entry.name.lower()).strip('-') or 'server'}"[:58].rstrip("-")

    def _place(self, entry: Entry, captured: Captured, tools: JSON) -> Path:
        """Return the folder of the server's world: `my-NAME`, with a number where another server has that. The same tools are one world."""
        slug = self.usual_name(entry)
        said, _, _ = read_server(captured.server)
        for number in range(1, 10_000):
            world = slug if number == 1 else f"{slug}-{number}"
            folder = place_user_world(world)
            is_ours = not folder.exists() or load_world(folder).server_info.get("name") == said.get("name")
            if is_ours and (world not in self._names or read_json(folder / "tools.json") == tools):
                self._names.add(world)
                return folder
        raise SetupError(f"There are too many worlds called {slug!r}. Remove some.")


def _written_secrets(entry: Entry) -> set[str]:
    return secrets_in_values({**entry.env, **entry.headers}) | secrets_in_texts([*entry.command, entry.url or ""])
