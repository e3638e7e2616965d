"""Globs, diffs and the order of names against the npm packages and the JavaScript that the real server uses."""

import json
import random
import subprocess
from itertools import pairwise
from typing import Any

import pytest

from mcp_sim.predictors.behaviours.filesystem.collation import sort_key
from mcp_sim.predictors.behaviours.filesystem.glob_steps import Budget
from mcp_sim.predictors.behaviours.filesystem.globs import path_test
from mcp_sim.predictors.behaviours.filesystem.text_patch import unified_patch
from mcp_sim.predictors.behaviours.filesystem.tool_error import ToolError
from tests.peers.node import node, npm_file

pytestmark = pytest.mark.peers

GLOB_TOKENS = (
    "a b ab . * * ? ** / / / **/ [a-c] [!a] [^b] [ab []a] [[:alpha:]] [[:digit:]x] ! !( +( *( ?( @( ) ) | | {a,b} {1..3} {a,{b,c}} \\"
    " \\* .js .. # é 😀 - 1 2 x , [!!a] [a-] [z-a] [[:graph:]] [![:alpha:]] [a\\]] [.] [*]"
).split()
NAMES = [*"a b ab abc .a a.js b.ts .js 1 2 x1 é 😀 ba aab bb abab a* [ab a-b x !a #a aa c a] * a.b.js".split(), "a b"]
LETTERS = [chr(code) for code in range(32, 127) if chr(code) != "/"] + [
    *"éÉüßñжλ日本😀\u2013…äøæİı€½²ﬁ한かカאع☃ÅΩẞł",
    "e\u0301",
    "\u00a0",
    "\u200b",
]


def javascript(source: str, value: Any) -> Any:
    """Run a module whose `value` is this JSON value, and return what its `result` is."""
    program = f"{source}\nprocess.stdout.write(JSON.stringify(result));"
    start = 'import fs from "fs"; const value = JSON.parse(fs.readFileSync(0, "utf-8"));\n'
    command = [node(), "--input-type=module", "-e", start + program]
    run = subprocess.run(command, input=json.dumps(value), capture_output=True, text=True, check=True, encoding="utf-8")
    return json.loads(run.stdout)


def test_globs_match_like_minimatch() -> None:
    chance = random.Random(1)
    cases = []
    while len(cases) < 8000:
        glob = "".join(chance.choices(GLOB_TOKENS, k=chance.randint(1, chance.choice([3, 6, 10]))))
        if "\\|" not in glob:  # minimatch forgets to escape it in its regular expression; nobody writes that
            cases.append([glob, ["/".join(chance.choices(NAMES, k=chance.randint(1, 4))) for _ in range(12)]])
    truth = javascript(
        f"""import {{ minimatch }} from {json.dumps(str(npm_file("minimatch", "dist", "esm", "index.js")))};
        const matches = (path, glob) => {{ try {{ return minimatch(path, glob, {{ dot: true }}); }} catch {{ return null; }} }};
        const result = value.map(([glob, paths]) => paths.map((path) => matches(path, glob)));""",
        cases,
    )
    wrong = [(glob, paths) for (glob, paths), expected in zip(cases, truth, strict=True) if matches(glob, paths) != expected]
    assert len(wrong) <= 8, wrong  # what is left are braces and parentheses that do not pair up


def matches(glob: str, paths: list[str]) -> list[bool | None]:
    try:
        test = path_test(glob, Budget())
    except ToolError:
        return [None] * len(paths)
    return [test(path.split("/")) for path in paths]


def test_longer_sections_before_shorter_ones_are_missed_as_minimatch_misses_them() -> None:
    cases = [["**/a/b/**/c/**/d", ["a/b/c/d", "a/b/c/x/d", "x/a/b/c/d"]], ["**/a/**/b/c/**/d", ["a/b/c/d", "a/x/b/c/d"]]]
    test_cases = [matches(glob, paths) for glob, paths in cases]
    truth = javascript(
        f"""import {{ minimatch }} from {json.dumps(str(npm_file("minimatch", "dist", "esm", "index.js")))};
        const result = value.map(([glob, paths]) => paths.map((path) => minimatch(path, glob, {{ dot: true }})));""",
        cases,
    )
    assert test_cases == truth


def test_patches_are_drawn_like_the_diff_package_draws_them() -> None:
    chance = random.Random(2)
    cases = []
    for _ in range(1500):
        kinds = chance.choice([2, 3, 8, 50])
        old = [str(chance.randrange(kinds)) for _ in range(chance.randint(0, 30))]
        new = list(old)
        for _ in range(chance.randint(0, 6)):
            at = chance.randint(0, len(new))
            added = [str(chance.randrange(kinds)) for _ in range(chance.randint(0, 4))]
            new[at : at + chance.randint(0, 5)] = added
        cases.append(["\n".join(lines) + chance.choice(["", "\n"]) for lines in (old, new)])
    truth = javascript(
        f"""import {{ createTwoFilesPatch }} from {json.dumps(str(npm_file("diff", "libesm", "index.js")))};
        const result = value.map(([old, changed]) => createTwoFilesPatch("f", "f", old, changed, "original", "modified"));""",
        cases,
    )
    assert [unified_patch("f", old, new) for old, new in cases] == truth


def test_names_are_sorted_like_javascript_compares_them() -> None:
    chance = random.Random(3)
    names = ["".join(chance.choices(LETTERS, k=chance.randint(1, 4))) for _ in range(3000)]
    truth = javascript("const result = value.slice(1).map((name, index) => value[index].localeCompare(name));", names)
    pairs = [(sort_key(one), sort_key(other)) for one, other in pairwise(names)]
    assert [(one > other) - (one < other) for one, other in pairs] == truth
