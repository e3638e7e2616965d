"""The official JSON Schema test suite, from the source package of jsonschema."""

import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_sim.core.schema import Schema
from mcp_sim.errors import SetupError

pytestmark = pytest.mark.peers

PACKAGE = "jsonschema-4.26.0"
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
OPTIONAL = ("bignum", "ecmascript-regex", "float-overflow", "non-bmp-regex")
VOCABULARIES = "schema that uses custom metaschema with with no validation vocabulary"
"""Metaschemas of one's own are read as 2020-12, which is noticed."""


@pytest.fixture(scope="module")
def suite(pytestconfig: pytest.Config) -> Path:
    assert pytestconfig.cache
    home = pytestconfig.cache.mkdir("json-schema-test-suite")
    if not (home / PACKAGE).is_dir():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(home)]
        fetched = subprocess.run([*command, PACKAGE.replace("-", "==")], capture_output=True, text=True, check=False)
        if fetched.returncode:
            pytest.skip(f"pip could not download the source of {PACKAGE}: {fetched.stderr[-500:]}")
        with tarfile.open(home / f"{PACKAGE}.tar.gz") as archive:
            archive.extractall(home, filter="data")
    return home / PACKAGE / "json" / "tests"


def files(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob("*.json"))
    yield from filter(Path.is_file, (folder / "optional" / f"{name}.json" for name in OPTIONAL))


@pytest.mark.parametrize("draft", DRAFTS)
def test_official_suite(suite: Path, draft: str) -> None:
    asked, wrong = 0, []
    for file in files(suite / draft):
        for case in json.loads(file.read_text(encoding="utf-8")):
            schema = case["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            try:
                compiled = Schema(schema)
            except SetupError as error:
                if "nothing is fetched" not in str(error):
                    wrong.append(f"{file.stem}: {case['description']}: {error}")
                continue
            for test in case["tests"]:
                asked += 1
                if compiled.is_valid(test["data"]) is not test["valid"] and case["description"] != VOCABULARIES:
                    wrong.append(f"{file.stem}: {case['description']}: {test['description']}")
    assert wrong == []
    assert asked > 500
