"""What a pull request changes, and what merging it does."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON
from mcp_sim.core.state import EMPTY_STATE
from mcp_sim.predictors.engine.kept.collection import Record, id_text
from mcp_sim.predictors.engine.repositories.diffs import Tree, changed_files, changed_paths, stats_of
from mcp_sim.predictors.engine.repositories.refusal import Refused, invalid
from mcp_sim.predictors.engine.repositories.repository import Repository

_CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d{1,9})\b", re.I)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pull request: a branch of a repository."""

    repository: Repository
    branch: str

    @property
    def tree(self) -> Tree | None:
        """Its files."""
        return self.repository.tree(self.branch)

    @property
    def told(self) -> dict[str, JSON]:
        """As pull requests tell it."""
        return {
            "label": f"{self.repository.owner}:{self.branch}",
            "ref": self.branch,
            "sha": self.repository.head(self.branch),
            "repo": {"full_name": self.repository.full_name},
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the head has that the base has not."""

    head: Side
    base: Side

    @property
    def commits(self) -> list[Record]:
        """The commits that only the head has, the newest first."""
        known = {record["sha"] for record in self.base.repository.log(self.base.branch)}
        return [record for record in self.head.repository.log(self.head.branch) if record["sha"] not in known]

    @property
    def origin(self) -> Tree:
        """The files where both sides part."""
        known = {record["sha"] for record in self.base.repository.log(self.base.branch)}
        common = next((r["sha"] for r in self.head.repository.log(self.head.branch) if r["sha"] in known), None)
        if common is not None and common == self.base.repository.head(self.base.branch):
            return self.base.tree or EMPTY_STATE
        tree: Tree | None = self.base.repository.at("trees", str(common))
        return tree if tree is not None else self.base.tree or EMPTY_STATE

    @property
    def files(self) -> list[dict[str, JSON]]:
        """The files that the head changes."""
        return changed_files(self.origin, self.head.tree or EMPTY_STATE)

    def merged(self) -> dict[str, JSON] | None:
        """Return what merging changes in the base, `None` where both sides changed the same file."""
        origin, head, base = self.origin, self.head.tree or EMPTY_STATE, self.base.tree or EMPTY_STATE
        paths = changed_paths(origin, head)
        if any(base.get(path) not in (origin.get(path), head.get(path)) for path in paths):
            return None
        return {path: head.get(path) for path in paths if base.get(path) != head.get(path)}


def sides_named(repository: Repository, arguments: Mapping[str, Any]) -> Comparison:
    """Return what a new pull request compares.

    Raises:
        Refused: one of its branches is not there, or the head has nothing that the base has not.
    """
    named = str(arguments["head"])
    owner, colon, branch = named.rpartition(":")
    other = Repository(repository.things, owner, repository.name) if colon else repository
    base = Side(repository, str(arguments["base"]))
    head = Side(other, branch)
    for field, side in (("head", head), ("base", base)):
        if side.tree is None:
            raise invalid("Validation Failed", {"resource": "PullRequest", "field": field, "code": "invalid"})
    comparison = Comparison(head, base)
    if not comparison.commits:
        message = f"No commits between {base.branch} and {named}"
        raise invalid("Validation Failed", {"resource": "PullRequest", "code": "custom", "message": message})
    return comparison


def sides_of(repository: Repository, record: Record) -> Comparison | None:
    """Return what a pull request compares; `None` where a branch of it is not there."""
    head, base = _side(repository, record.get("head")), _side(repository, record.get("base"))
    return Comparison(head, base) if head is not None and base is not None else None


def _side(repository: Repository, told: Any) -> Side | None:
    if not isinstance(told, dict):
        return None
    repo = told.get("repo")
    owner, _, name = str(repo.get("full_name") if isinstance(repo, dict) else repository.full_name).partition("/")
    side = Side(Repository(repository.things, owner, name), str(told.get("ref")))
    return side if side.tree is not None else None


def pull_request(repository: Repository, arguments: Mapping[str, Any]) -> tuple[str, Record] | None:
    """Return the pull request that a call names, with its number as a key."""
    key = id_text(arguments.get("pull_number"))
    record = repository.collection("pull_request").find(key)
    return None if record is None else (key, record)


def files_of(repository: Repository, key: str, record: Record) -> list[dict[str, JSON]] | None:
    """Return the files that a pull request changes, or changed when it was merged; `None` where they are not known."""
    kept = repository.at("merged", repository.full_name, key)
    if kept is not None:
        return list(kept)
    comparison = sides_of(repository, record) if record.get("state") == "open" else None
    return None if comparison is None else comparison.files


def status_of(repository: Repository, record: Record) -> JSON:
    """Return the checks of the newest commit of a pull request."""
    head = record.get("head")
    sha = str(head.get("sha")) if isinstance(head, dict) else ""
    statuses = [dict(status) for status in repository.at("statuses", sha) or ()]
    states = {status.get("state") for status in statuses}
    state = "failure" if states & {"failure", "error"} else "success" if states == {"success"} else "pending"
    return {"state": state, "sha": sha, "total_count": len(statuses), "statuses": list(statuses)}


def refresh(comparison: Comparison, record: Record) -> Record:
    """Return a pull request with its branches and counts as they are."""
    files = comparison.files
    stats = stats_of(files)
    told: Record = {
        "head": comparison.head.told,
        "base": comparison.base.told,
        "commits": len(comparison.commits),
        "additions": stats["additions"],
        "deletions": stats["deletions"],
        "changed_files": len(files),
    }
    return {**record, **{key: value for key, value in told.items() if key in record}}


def refresh_all(changed: Repository, branch: str) -> None:
    """Let the open pull requests from a branch tell of what was put on it."""
    things = changed.things
    resource = things.knowledge.resources["pull_request"]
    for found in list(things.known(resource)):
        for record in list(found):
            head = record.get("head")
            if record.get("state") != "open" or not isinstance(head, dict) or head.get("ref") != branch:
                continue
            base = record.get("base")
            repo = base.get("repo") if isinstance(base, dict) else None
            owner, _, name = str(repo.get("full_name") if isinstance(repo, dict) else "").partition("/")
            comparison = sides_of(Repository(things, owner, name), record)
            if comparison is not None and comparison.head.repository.full_name == changed.full_name:
                things.again(found).change(things.draft, id_text(record.get("number")), refresh(comparison, record))


def check_merge(repository: Repository, record: Record) -> None:
    """See whether a pull request can be merged.

    Raises:
        Refused: both of its branches changed the same file.
    """
    comparison = sides_of(repository, record)
    if record.get("state") == "open" and comparison is not None and comparison.merged() is None:
        raise Refused("GitHub API Error: Pull Request is not mergeable")


def merge(repository: Repository, key: str, before: Record, sha: str, arguments: Mapping[str, Any]) -> None:
    """Put what a pull request changes on its base, with the commit of that hash, and close the issues that it says it closes."""
    comparison = sides_of(repository, before)
    changes = comparison.merged() if comparison is not None else None
    if comparison is None or changes is None:
        return
    repository.things.draft.put(["git", "merged", repository.full_name, key], list(comparison.files))
    method, others = arguments.get("merge_method") or "merge", comparison.commits
    title = str(before.get("title"))
    usual = (
        f"Merge pull request #{key} from {comparison.head.told['label']}".replace(":", "/") if method == "merge" else f"{title} (#{key})"
    )
    said = [str(arguments.get("commit_title") or usual)]
    message = arguments.get("commit_message") or (title if method == "merge" else "")
    text = "\n\n".join([*said, str(message)] if message else said)
    parents = (comparison.head.repository.head(comparison.head.branch),) if method == "merge" else ()
    comparison.base.repository.commit(comparison.base.branch, changes, text, sha=sha, parents=parents)
    if method == "merge":
        comparison.base.repository.lengthen(comparison.base.branch, others)
    if comparison.base.branch == repository.main:
        _close_issues(repository, f"{before.get('body') or ''}\n{text}")


def _close_issues(repository: Repository, text: str) -> None:
    things, now = repository.things, repository.things.session.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    for number in dict.fromkeys(_CLOSES.findall(text)):
        issues = repository.collection("issue")
        record = issues.find(number)
        if record is not None and record.get("state") == "open":
            closed: Record = {"state": "closed", "state_reason": "completed", "closed_at": now, "updated_at": now}
            issues.change(things.draft, number, {**record, **{name: value for name, value in closed.items() if name in record}})


def read_json(text: str) -> Any:
    """Return the value of an answer, `None` where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def branches_of(repository: Repository) -> Iterator[str]:
    """The branches that have files."""
    yield from sorted(repository.at("files", repository.full_name) or ())
