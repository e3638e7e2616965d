"""Reading and writing the files of a branch."""

from collections.abc import Mapping
from typing import Any

from mcp_sim.core.canonical import JSON, canonical, digest
from mcp_sim.core.state import thaw
from mcp_sim.predictors.engine.kept.collection import Record
from mcp_sim.predictors.engine.repositories.diffs import Tree, blob_hash, bytes_of, long_hash
from mcp_sim.predictors.engine.repositories.refusal import Refused, invalid, not_found
from mcp_sim.predictors.engine.repositories.repository import Repository

_LONGEST_PATH = 4096


def read_file(repository: Repository, arguments: Mapping[str, Any]) -> JSON:
    """Return a file with its content, or the entries of a folder. The top is the empty path, `/` or `.`.

    Raises:
        Refused: there is no such branch or path.
    """
    branch = arguments.get("branch") or repository.main
    tree = _tree(repository, branch)
    path = _clean(arguments.get("path"))
    if path in tree:
        file = tree[path]
        shown: dict[str, JSON] = _shown(repository, branch, path, file)
        if isinstance(file, str):
            return {**shown, "encoding": "utf-8", "content": file}
        return {**shown, "encoding": "base64", "content": thaw(file.get("base64", ""))}
    entries = _entries(repository, branch, path, tree)
    if not entries and path:
        raise not_found(f"path {path} in {repository.full_name} at {branch}")
    return list(entries)


def write_file(repository: Repository, arguments: Mapping[str, Any]) -> JSON:
    """Make or change one file, with a commit of its own.

    Raises:
        Refused: there is no such branch, or `sha` is not that of the file as it is.
    """
    branch, path, content = arguments["branch"], _clean(arguments["path"]), arguments["content"]
    tree = _tree_to_write(repository, branch)
    old, sha = tree.get(path), arguments.get("sha")
    if old is not None and sha is None:
        raise invalid('Invalid request.\n\n"sha" wasn\'t supplied.')
    if sha is not None and (old is None or blob_hash(old) != sha):
        raise Refused(f"Conflict: {path} does not match {sha}")
    _check_place(tree, path)
    commit = repository.commit(branch, {path: content}, arguments["message"])
    return {"content": _shown(repository, branch, path, content), "commit": _told(commit)}


def delete_file(repository: Repository, arguments: Mapping[str, Any]) -> JSON:
    """Take one file away, with a commit of its own.

    Raises:
        Refused: there is no such branch or file.
    """
    branch, path = arguments["branch"], _clean(arguments["path"])
    if path not in _tree(repository, branch):
        raise not_found(f"path {path} in {repository.full_name} at {branch}")
    commit = repository.commit(branch, {path: None}, arguments["message"])
    return {"content": None, "commit": _told(commit)}


def push_files(repository: Repository, arguments: Mapping[str, Any]) -> JSON:
    """Make or change several files with one commit.

    Raises:
        Refused: there is no such branch.
    """
    branch = arguments["branch"]
    tree = dict(_tree_to_write(repository, branch))
    files: dict[str, JSON] = {}
    for file in arguments["files"]:
        path = _clean(file["path"])
        _check_place(tree, path)
        tree[path] = files[path] = file["content"]
    commit = repository.commit(branch, files, arguments["message"])
    return told_ref(repository, branch, str(commit["sha"]))


def told_ref(repository: Repository, branch: str, sha: str) -> JSON:
    """Return a branch as git's references are told."""
    return {
        "ref": f"refs/heads/{branch}",
        "node_id": f"REF_{digest(repository.full_name, branch)[:12]}",
        "url": f"{repository.api_url}/git/refs/heads/{branch}",
        "object": {"sha": sha, "type": "commit", "url": f"{repository.api_url}/git/commits/{sha}"},
    }


def _tree(repository: Repository, branch: str) -> Tree:
    tree = repository.tree(branch)
    if tree is None:
        raise not_found(f"branch {branch} in {repository.full_name}")
    return tree


def _tree_to_write(repository: Repository, branch: str) -> Tree:
    """The files of a branch. The first commit of an empty repository makes its branch."""
    is_empty = not repository.at("files", repository.full_name)
    return {} if is_empty else _tree(repository, branch)


def _clean(path: Any) -> str:
    parts = [part for part in str(path or "")[:_LONGEST_PATH].split("/") if part not in ("", ".")]
    return "/".join(parts)


def _check_place(tree: Tree, path: str) -> None:
    """A file lies neither at nor in the place of another."""
    parts = path.split("/")
    is_folder = any(other.startswith(f"{path}/") for other in tree)
    if not path or ".." in parts or is_folder or any("/".join(parts[:at]) in tree for at in range(1, len(parts))):
        raise invalid("path contains a malformed path component" if ".." in parts or not path else f"{path} is not a place for a file")


def _told(commit: Record) -> JSON:
    inner = commit["commit"]
    assert isinstance(inner, dict)
    return {"sha": commit["sha"], "message": inner["message"], "author": inner["author"], "html_url": commit["html_url"]}


def _shown(repository: Repository, branch: str, path: str, file: Any) -> dict[str, JSON]:
    return {
        "name": path.rpartition("/")[2],
        "path": path,
        "type": "file",
        "size": len(bytes_of(file)),
        "sha": blob_hash(file),
        "html_url": f"{repository.url}/blob/{branch}/{path}",
    }


def _entries(repository: Repository, branch: str, folder: str, tree: Tree) -> list[dict[str, JSON]]:
    prefix = f"{folder}/" if folder else ""
    inside: dict[str, list[str]] = {}
    for path in tree:
        if path.startswith(prefix):
            inside.setdefault(path[len(prefix) :].partition("/")[0], []).append(path)
    entries = []
    for name in sorted(inside):
        path = f"{prefix}{name}"
        if path in tree:
            entries.append(_shown(repository, branch, path, tree[path]))
            continue
        below: JSON = [[inner, blob_hash(tree[inner])] for inner in sorted(inside[name])]
        shown: dict[str, JSON] = {"name": name, "path": path, "type": "dir", "size": 0, "sha": long_hash("tree", canonical(below))}
        entries.append({**shown, "html_url": f"{repository.url}/tree/{branch}/{path}"})
    return entries
