"""`mcp-sim lint`."""

import json
from collections import defaultdict
from pathlib import Path

import click
from rich.console import Console

from mcp_sim.cli.terminal import escape, say
from mcp_sim.core.counted import count_of
from mcp_sim.tool_specs.linting.finding import CLIENTS, Client, Finding
from mcp_sim.tool_specs.linting.linting import lint_world
from mcp_sim.tool_specs.linting.mended import mend_for
from mcp_sim.tool_specs.linting.writing import write_mended
from mcp_sim.tool_specs.world_folder import find_folder, load_world

_MOST_PLACES = 6


@click.command()
@click.argument("world")
@click.option("--client", "clients", multiple=True, type=click.Choice(CLIENTS), help="Only for this client; repeatable.  [default: all]")
@click.option("--server", metavar="NAME", help="The name that clients have the server under.  [default: the world's]")
@click.option("--fix", is_flag=True, help="Write the mended form to --out; WORLD itself is never changed.")
@click.option("--out", metavar="PATH", type=click.Path(path_type=Path), help="With --fix: a new world folder, or a new .json file.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def lint(
    ctx: click.Context, world: str, clients: tuple[Client, ...], server: str | None, fix: bool, out: Path | None, as_json: bool
) -> None:
    """Say what clients would refuse, hide or change of the tools of WORLD, and how to mend it.

    Exits with 1 where a client would lose a tool, a request or the list; with --fix, where one still would.

    \b
    Examples:
      mcp-sim lint github
      mcp-sim lint ./tools.json --client claude --client vscode
      mcp-sim lint petstore --fix --out ./mended && mcp-sim serve ./mended
    """
    if fix != (out is not None):
        raise click.UsageError("--fix and --out PATH go together.")
    wanted = clients or CLIENTS
    loaded = load_world(world)
    findings = lint_world(loaded, wanted, server)
    changes: list[str] = []
    if out is not None:
        mended = mend_for(loaded, wanted, server)
        source = Path(loaded.source) if Path(loaded.source).is_absolute() else find_folder(world)[0]
        changes = mended.changes + write_mended(loaded, source if source.is_dir() else None, mended, out)
        # why the same server: a client that is to have the mended world has it under the name it had
        findings = lint_world(load_world(out.absolute()), wanted, server or loaded.name)
    if as_json:
        told = [{**finding.model_dump(), "clients": list(finding.clients or CLIENTS)} for finding in findings]
        say(json.dumps({"world": loaded.name, "findings": told, "changes": changes}, indent=2, ensure_ascii=False))
    else:
        _print(Console(highlight=False, soft_wrap=True), loaded.name, findings, changes, out)
    ctx.exit(int(any(finding.loses for finding in findings)))


def _print(console: Console, name: str, findings: list[Finding], changes: list[str], out: Path | None) -> None:
    for change in changes:
        console.print(f"mended  {escape(change)}")
    if out is not None:
        console.print(f"The mended form is in {escape(str(out))}." + (" What is left:" if findings else ""))
    groups: dict[tuple[bool, str, str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[not finding.loses, ", ".join(finding.clients) or "every client", finding.happens, finding.remedy].append(finding)
    for (only_hides, clients, happens, remedy), members in sorted(groups.items()):
        colour = "yellow" if only_hides else "red"
        console.print(f"[{colour}]{clients}[/]: {escape(happens)} {escape(remedy)}")
        for finding in members[:_MOST_PLACES]:
            console.print(f"    {escape(finding.tool + finding.pointer or 'the list')}: {escape(finding.says)}")
        if len(members) > _MOST_PLACES:
            console.print(f"    ... and {len(members) - _MOST_PLACES} more places (--json has all)")
    lost = sum(finding.loses for finding in findings)
    console.print(
        f"{name}: {count_of(len(findings), 'finding')}, {lost} of which lose something." if findings else f"{name}: nothing found."
    )
