"""One repository: its branches, each with its files and its commits.

In `state.json`:

    {"git": {"me": "login", "users": [{"login", "id", "html_url", "type", "name", "email"}, ...],
             "files": {"owner/repo": {"main": {"README.md": "text", "logo.png": {"base64": "..."}}, ...}},
             "commits": {"owner/repo": {"main": [the newest commit as `list_commits` shows it, ...], ...}},
             "trees": {commit: files}, "statuses": {commit: [...]}}}

`trees` holds the files of those commits at which branches part. All that is there is given: what is not in it does not exist.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.state import EMPTY_STATE, Change, lookup
from mcp_sim.predictors.engine.kept.collection import Collection, Record
from mcp_sim.predictors.engine.repositories.diffs import Tree, changed_files, long_hash, stats_of
from mcp_sim.predictors.engine.things.things import Things

SHOWN_OF_USER = ("login", "id", "html_url", "type")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository while one call is answered; what is done to it goes into the draft of `things`."""

    things: Things
    owner: str
    name: str

    @property
    def full_name(self) -> str:
        """Its owner and its name."""
        return f"{self.owner}/{self.name}"

    def at(self, *path: str) -> Any:
        """Return what the state holds of git at a path."""
        return lookup(self.things.draft.state, "git", *path)

    @property
    def is_known(self) -> bool:
        """Whether its files are given, or came about by calls."""
        return self.at("files", self.full_name) is not None

    @property
    def record(self) -> Record:
        """What the tools show of it."""
        resource = self.things.knowledge.resources["repository"]
        found = (record for record in self.things.open(resource, {}) if record.get("full_name") == self.full_name)
        return next(found, {})

    @property
    def url(self) -> str:
        """Where a person sees it."""
        url = self.record.get("html_url")
        return url if isinstance(url, str) else f"https://github.com/{self.full_name}"

    @property
    def api_url(self) -> str:
        """Where a program sees it."""
        host = self.url.removesuffix(f"/{self.full_name}")
        return "https://api.github.com/repos/" + self.full_name if host == "https://github.com" else f"{host}/api/v3/repos/{self.full_name}"

    @property
    def main(self) -> str:
        """Its default branch."""
        branch = self.record.get("default_branch")
        return branch if isinstance(branch, str) else "main"

    def tree(self, branch: str) -> Tree | None:
        """Return the files of a branch by path; `None` if there is no such branch."""
        tree: Tree | None = self.at("files", self.full_name, branch)
        return tree

    def log(self, branch: str) -> list[Record]:
        """Return the commits of a branch, the newest first."""
        return list(self.at("commits", self.full_name, branch) or ())

    def head(self, branch: str) -> str:
        """Return the hash of the newest commit of a branch."""
        return str(next(iter(self.log(branch)), {}).get("sha", ""))

    def history(self, ref: str) -> list[Record] | None:
        """Return the commits from a branch, a tag or a commit back; `None` if there is no such thing."""
        branches = self.at("commits", self.full_name) or EMPTY_STATE
        if ref in branches:
            return self.log(ref)
        tag = self.things.knowledge.resources.get("tag")
        tagged = self.things.open(tag, self.parents).find(ref) if tag is not None else None
        commit = tagged.get("commit") if tagged is not None else None
        wanted = str(commit.get("sha")) if isinstance(commit, dict) else ref
        for branch in sorted(branches, key=lambda name: (name != self.main, name)):
            log = self.log(branch)
            for at, record in enumerate(log):
                if len(wanted) >= 7 and str(record.get("sha")).startswith(wanted):
                    return log[at:]
        return None

    @property
    def parents(self) -> dict[str, JSON]:
        """Its name as the tools' arguments have it."""
        return {"owner": self.owner, "repo": self.name}

    def collection(self, kind: str) -> Collection:
        """Return the things of a kind that belong to it."""
        return self.things.open(self.things.knowledge.resources[kind], self.parents)

    def author(self) -> Mapping[str, Any]:
        """Who is signed in."""
        users = self.at("users") or ()
        return next((user for user in users if user.get("login") == self.at("me")), {})

    def commit(self, branch: str, changes: Mapping[str, JSON], message: str, *, sha: str = "", parents: tuple[str, ...] = ()) -> Record:
        """Put a commit on a branch, in which these files have these contents (`None` takes one away), and return it.

        `parents` are the commits that it comes from besides the newest one of the branch.
        """
        before: Tree = self.tree(branch) or EMPTY_STATE
        after = {**before, **changes}
        files = changed_files(before, {path: file for path, file in after.items() if file is not None})
        draft = self.things.draft
        if self.tree(branch) is not None and self.at("trees", self.head(branch)) is None:  # others may have parted here
            draft.patch.append(Change(path=["git", "trees", self.head(branch)], origin=["git", "files", self.full_name, branch]))
        for path, file in changes.items():
            if file is not None:
                draft.put(["git", "files", self.full_name, branch, path], file)
            elif path in before:
                draft.remove(["git", "files", self.full_name, branch, path])
        if self.tree(branch) is None:
            draft.put(["git", "files", self.full_name, branch], {})
        log = self.log(branch)
        above = [str(record["sha"]) for record in log[:1]] + list(parents)
        record = self._record(sha or self._fresh("commit", branch, message), message, above, files)
        self._enter(branch, [record, *log])
        return record

    def _record(self, sha: str, message: str, above: list[str], files: list[dict[str, JSON]]) -> Record:
        author, when = self.author(), self.things.session.now.strftime("%Y-%m-%dT%H:%M:%SZ")
        signed: dict[str, JSON] = {"name": author.get("name", ""), "email": author.get("email", ""), "date": when}
        return {
            "sha": sha,
            "commit": {"author": signed, "committer": signed, "message": message, "tree": {"sha": self._fresh("tree", sha)}},
            "author": {key: author[key] for key in SHOWN_OF_USER if key in author},
            "html_url": f"{self.url}/commit/{sha}",
            "parents": [{"sha": parent} for parent in above],
            "stats": stats_of(files),
            "files": files,
        }

    def _fresh(self, *about: str) -> str:
        session = self.things.session
        return long_hash(session.fingerprint, str(session.seed), self.full_name, canonical(about))

    def _enter(self, branch: str, log: list[Record]) -> None:
        draft, sha = self.things.draft, str(log[0]["sha"])
        draft.put(["git", "commits", self.full_name, branch], log)
        draft.patch.append(Change(path=["git", "trees", sha], origin=["git", "files", self.full_name, branch]))
        self.show_branch(branch)

    def lengthen(self, branch: str, others: list[Record]) -> None:
        """Put commits that were made on another branch below the newest one."""
        log = self.log(branch)
        self.things.draft.put(["git", "commits", self.full_name, branch], [*log[:1], *others, *log[1:]])

    def branch_off(self, branch: str, origin: str) -> None:
        """Make a branch that begins as another one is now."""
        for part in ("files", "commits"):
            place = ["git", part, self.full_name]
            self.things.draft.patch.append(Change(path=[*place, branch], origin=[*place, origin]))
        self.show_branch(branch)

    def show_branch(self, branch: str) -> None:
        """Let the list of branches tell of a branch as it is now."""
        branches, draft = self.collection("branch"), self.things.draft
        known = branches.find(branch)
        if known is not None:
            branches.change(draft, branch, {**known, "commit": {"sha": self.head(branch)}})
            return
        record: Record = {**self.parents, "name": branch, "commit": {"sha": self.head(branch)}, "protected": False}
        (branches.revive if branches.is_deleted(branch) else branches.create)(draft, branch, record)
