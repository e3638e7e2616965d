"""Random programs of calls that meet in a few files, and the folder in which they start."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Call = tuple[str, dict[str, Any]]

MAIN = "import util\n\n\ndef main():\n    print(util.greet('world'))\n    return 0\n\n\nif __name__ == '__main__':\n    main()\n"
NOTES = "# Notes\n\n\tone\n\n  two\n\n``` code ````\n\n  two\nlast, no line feed"
LONG = "".join(f"{number} zwölf Boxkämpfer\r\n" for number in range(120))

FILES: Mapping[str, bytes] = {
    "README.md": b"# Demo\n\nA small demo.\n",
    "empty.txt": b"",
    "long.txt": LONG.encode(),
    "blob.bin": b"\x89PNG\r\n\x1a\n\x00\xff\xfe caf\xe9 \xe2\x82\n\xf0\x9f\x98\x80\xc3",
    "src/main.py": MAIN.encode(),
    "src/util.py": b"def greet(name):\r\n    return f'hello {name}'\r\n",
    "src/deep/er/notes.md": NOTES.encode(),
    "src/.hidden/a.js": b"let a = 1\n",
    "docs/logo.PNG": b"\x89PNG\r\n",
    "docs/tone.mp3": b"ID3",
    "docs/Ae\u0301.txt": b"combining\n",
    "docs/\u00dcber uns #1~.txt": "ä\n".encode(),
    "docs/Keys.txt": b"k",
    "docs/big.dat": b"x" * 1152,
}
LINKS: Mapping[str, str] = {
    "to_file": "src/main.py",
    "to_dir": "src",
    "dangling": "nowhere/at/all",
    "loop": "loop2",
    "loop2": "loop",
    "outside": "../secret",
    "up": "..",
    "src/back": "../docs/../README.md",
    "file_as_dir": "README.md/",
    "docs/other": "../../other",
}

_names = st.sampled_from(
    "README.md empty.txt src main.py util.py deep er notes.md docs logo.PNG to_file to_dir dangling loop outside new.txt a b".split()
    + ".hidden Keys.txt \u212aeys.txt A\u00e9.txt Ae\u0301.txt .. . other up back file_as_dir C: ~ q' [a] 😀.md blob.bin".split()
    + ["", "a b", "new ", "x" * 256, "y" * 225, "long.txt", "big.dat", "tone.mp3", "\u00dcber uns #1~.txt"]
)
_below = st.lists(_names, max_size=4).map("/".join)
_known = st.sampled_from([*FILES, *LINKS, *"src docs src/deep src/deep/er to_dir/main.py new.txt a a/b docs/new.txt".split()])
_fixed = st.sampled_from(
    "{root} {other} {other}/new.txt {other}/README.md . ~ ~/x / /etc/passwd C:\\x {root}/../secret/key {root}2".split()
    + '{root}/no\0no {root}//src///main.py/ {root}/src/../README.md "{root}/README.md" {root}\''.split()
    + ["", "{root} ", " {root}/README.md"]
)
paths = st.one_of(
    _known.map("{{root}}/{}".format),
    _known.map("{{root}}/{}".format),
    _known,
    _below.map("{{root}}/{}".format),
    _below,
    _fixed,
)
_somewhere = paths.map(str)  # mapped, so that it counts as one among its alternatives
_directories = st.sampled_from("{root} {root} {root} {root}/src {root}/docs src docs . {root}/to_dir {other} a {root}/a".split())
_fresh = st.sampled_from(
    "{root}/new.txt {root}/a docs/new.txt {root}/src/b {other}/moved a/b {root}/src/deep/new docs/\u212aeys.txt".split()
)
_text_files = st.sampled_from(
    "README.md long.txt src/main.py src/util.py src/deep/er/notes.md to_file new.txt a empty.txt blob.bin docs/new.txt".split()
)
_text_paths = _text_files.map("{{root}}/{}".format) | paths

_fragments = st.sampled_from(
    [
        *["import util", "def main():", "print(util.greet('world'))", "return 0", "main()", "    main()", "  return 0\n", "# Demo"],
        *["def greet(name):", "return f'hello {name}'", "A small demo.", "one", "two", "\ttwo", "  two", "``` code ````"],
        *["print(util.greet('world'))\n    return 0", "def main():\n  print(util.greet('world'))\nreturn 0", "one\n\ntwo", "x\ny\nz"],
        *["if __name__ == '__main__':\nmain()", "def greet(name):\r\n  return f'hello {name}'", "7 zwölf Boxkämpfer\n8 zwölf", "a"],
        *["last, no line feed", "", "\n", " ", "\n\n", "3 zwölf Boxkämpfer", "caf\ufffd", "😀", "no such text"],
    ]
)
_texts = st.one_of(
    st.lists(_fragments, max_size=4).map("\n".join),
    st.lists(_fragments, max_size=3).map("\n    ".join),
    st.lists(_fragments, max_size=3).map("\r\n".join),
    st.sampled_from([MAIN, NOTES]),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
_edits = st.lists(st.fixed_dictionaries({"oldText": _fragments | _texts, "newText": _texts}), max_size=3)

_glob_parts = st.sampled_from(
    "* ** *.md *.py *.{md,py} ? *.* .* [a-n]* [!s]* src docs deep *e* +(e|r) !(src) @(docs|src) *.txt {src,docs} ???? [[:upper:]]*".split()
    + "main.py new* ?(.)* .. {1..3} *(a|b) notes.md \\* !(*.py) #x [ é*".split()
    + [""]
)
globs = st.one_of(
    st.lists(_glob_parts, min_size=1, max_size=3).map("/".join),
    _glob_parts,
    st.sampled_from(["**/*", "**/*.md", "**/*.py", "!**/*.md"]),
)
_counts = st.sampled_from([1, 2, 3, 5, 40, 119, 120, 121, 1000, 0, -1, -2, 1.5, 0.5, -0.5])


def _call(name: str, fields: dict[str, Any], optional: dict[str, Any] | None = None) -> st.SearchStrategy[Call]:
    return st.tuples(st.just(name), st.fixed_dictionaries(fields, optional=optional or {}))


calls: st.SearchStrategy[Call] = st.one_of(
    _call("read_text_file", {"path": _text_paths}),
    _call("read_file", {"path": _text_paths}, {"head": _counts, "tail": _counts}),
    _call("read_text_file", {"path": _text_paths, "head": _counts}),
    _call("read_text_file", {"path": _text_paths, "tail": _counts}),
    _call("read_multiple_files", {"paths": st.lists(paths, min_size=1, max_size=3)}),
    _call("read_media_file", {"path": paths}),
    _call("write_file", {"path": paths, "content": _texts}),
    _call("write_file", {"path": _text_paths, "content": _texts}),
    _call("edit_file", {"path": _text_paths, "edits": _edits}, {"dryRun": st.booleans()}),
    _call("edit_file", {"path": _text_files.map("{{root}}/{}".format), "edits": _edits}),
    _call("create_directory", {"path": _fresh | _somewhere}),
    _call("list_directory", {"path": _directories | _somewhere}),
    _call("list_directory_with_sizes", {"path": _directories | _somewhere}, {"sortBy": st.sampled_from(["name", "size"])}),
    _call("directory_tree", {"path": _directories | _somewhere}, {"excludePatterns": st.lists(globs, max_size=2)}),
    _call("move_file", {"source": paths, "destination": paths}),
    _call("move_file", {"source": _known.map("{{root}}/{}".format), "destination": _fresh | _somewhere}),
    _call("search_files", {"path": _directories | _somewhere, "pattern": globs}, {"excludePatterns": st.lists(globs, max_size=2)}),
    _call("get_file_info", {"path": paths}),
    _call("list_allowed_directories", {}),
)


def lay_out(folder: Path) -> None:
    """Make the start: two allowed directories and one that is not."""
    for name, content in FILES.items():
        file = folder / "root" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder / "root" / "src" / "main.py").chmod(0o755)
    for name, target in LINKS.items():
        (folder / "root" / name).symlink_to(target)
    for name in ("other", "secret"):
        (folder / name).mkdir()
        (folder / name / "README.md").write_text(name)


def placed(value: Any, folder: str) -> Any:
    """Return arguments with the placeholders filled in."""
    if isinstance(value, str):
        return value.replace("{root}", f"{folder}/root").replace("{other}", f"{folder}/other")
    if isinstance(value, list | tuple):
        return [placed(item, folder) for item in value]
    return {key: placed(item, folder) for key, item in value.items()} if isinstance(value, dict) else value
