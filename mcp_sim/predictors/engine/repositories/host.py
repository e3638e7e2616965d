"""The calls that reach into repositories: answered from their files and commits, or followed there after the engine did them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, indented
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.state import Change, lookup
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.engine.kept.draft import Draft
from mcp_sim.predictors.engine.repositories import files, pulls
from mcp_sim.predictors.engine.repositories.pulls import branches_of, read_json
from mcp_sim.predictors.engine.repositories.refusal import Refused, invalid, not_found
from mcp_sim.predictors.engine.repositories.repository import Repository
from mcp_sim.predictors.engine.repositories.searching import cut, search_code, search_users
from mcp_sim.predictors.engine.things.knowledge import Knowledge
from mcp_sim.predictors.engine.things.things import Things
from mcp_sim.predictors.engine.words.arguments import concept

_WRITES: Mapping[str, Callable[[Repository, Mapping[str, Any]], JSON]] = {
    "create_or_update_file": files.write_file,
    "push_files": files.push_files,
    "delete_file": files.delete_file,
}
_SEARCHES = {"search_code": search_code, "search_users": search_users}
_KINDS = ("repository", "branch", "pull_request", "issue")


@dataclass(frozen=True, slots=True)
class Host:
    """A git host while one call is answered. It is there where the first state has `git` (see `Repository`)."""

    knowledge: Knowledge
    session: Session

    @property
    def is_there(self) -> bool:
        """Whether this world has one."""
        return lookup(self.session.world.first_state, "git") is not None and all(kind in self.knowledge.resources for kind in _KINDS)

    def answer(self, action: Action) -> Transition | None:
        """Return what a call leads to that is about files and commits alone, or that is refused for their sake; `None` for all others."""
        draft = Draft(self.session.state)
        things = Things(self.knowledge, self.session, draft, certain_only=True)
        try:
            value = self._value(things, action.name, action.arguments)
        except Refused as refused:
            return self.session.transition(action, Observation.of_text(str(refused), is_error=True), "computed", changes=False)
        if value is None:
            return None
        changes = bool(draft.patch)
        return self.session.transition(action, Observation.of_text(indented(value)), "computed", draft.patch, changes=changes)

    def _value(self, things: Things, tool: str, arguments: Mapping[str, Any]) -> JSON:
        if tool in _SEARCHES:
            return _SEARCHES[tool](things, arguments)
        repository = _named(things, arguments)
        if repository is None or not repository.is_known:
            return None
        if tool in _WRITES:
            if self._is_forbidden(arguments):
                return None  # the engine words the refusal
            value = _WRITES[tool](repository, arguments)
            pulls.refresh_all(repository, arguments["branch"])
            return value
        if tool == "create_branch":
            return None if self._is_forbidden(arguments) else _create_branch(repository, arguments)
        if tool == "create_pull_request" and not self._is_forbidden(arguments):
            pulls.sides_named(repository, arguments)
        return _read(repository, tool, arguments)

    def _is_forbidden(self, arguments: Mapping[str, Any]) -> bool:
        about = {concept(name): value for name, value in arguments.items()}
        return any(all(about.get(k) == v for k, v in places.items()) for _, places in self.knowledge.forbidden_places)

    def followed(self, transition: Transition, patch: list[Change]) -> list[Change]:
        """Return a patch with what happened to files and commits besides, where somebody else answered a call."""
        draft = Draft(self.session.state)
        draft.patch.extend(patch)
        try:
            self.follow(transition.action, draft, transition.observation)
        except Refused:  # why: whoever answered knew of branches that are not here
            return patch
        return draft.patch

    def follow(self, action: Action, draft: Draft, observation: Observation) -> Observation:
        """Let what the engine did be done to files and commits as well, and return the answer with what follows from them."""
        value = read_json(observation.text)
        if not isinstance(value, dict):
            return observation
        things = Things(self.knowledge, self.session, draft, certain_only=True)
        arguments = action.arguments
        if action.name in ("fork_repository", "create_repository"):
            _fill(things, str(value.get("full_name")), arguments, is_fork=action.name == "fork_repository")
        repository = _named(things, arguments)
        if repository is None or not repository.is_known:
            return observation
        before = Repository(Things(self.knowledge, self.session, Draft(self.session.state), certain_only=True), *_names(arguments))
        if action.name == "create_pull_request":
            told = pulls.refresh(pulls.sides_named(repository, arguments), value)
            collection, key = repository.collection("pull_request"), str(value.get("number"))
            kept = collection.find(key)
            if kept is not None:
                collection.change(draft, key, {**kept, **{name: item for name, item in told.items() if name in kept}})
            return Observation.of_text(indented(told))
        if action.name == "merge_pull_request" and (asked := pulls.pull_request(before, arguments)) is not None:
            pulls.merge(repository, *asked, str(value.get("sha")), arguments)
        return observation


def _names(arguments: Mapping[str, Any]) -> tuple[str, str]:
    return str(arguments.get("owner")), str(arguments.get("repo"))


def _named(things: Things, arguments: Mapping[str, Any]) -> Repository | None:
    return Repository(things, *_names(arguments)) if "owner" in arguments and "repo" in arguments else None


def _read(repository: Repository, tool: str, arguments: Mapping[str, Any]) -> JSON:
    if tool == "get_file_contents":
        return files.read_file(repository, arguments)
    if tool == "list_commits":
        shown = cut(_history(repository, arguments.get("sha") or repository.main), arguments)
        return [{key: item for key, item in record.items() if key not in ("stats", "files")} for record in shown]
    if tool == "get_commit":
        record = _history(repository, str(arguments.get("sha")))[0]
        with_diff = arguments.get("include_diff", True)
        return {key: item for key, item in record.items() if with_diff or key not in ("stats", "files")}
    asked = pulls.pull_request(repository, arguments) if tool.endswith(("pull_request", "_files", "_status")) else None
    if asked is None:
        return None
    if tool == "get_pull_request_files":
        changed = pulls.files_of(repository, *asked)
        return None if changed is None else list(changed)
    if tool == "get_pull_request_status":
        return pulls.status_of(repository, asked[1])
    if tool == "merge_pull_request":
        pulls.check_merge(repository, asked[1])
    return None


def _history(repository: Repository, ref: str) -> list[Any]:
    if not repository.at("commits", repository.full_name):
        raise Refused("Conflict: Git Repository is empty.")
    history = repository.history(ref)
    if not history:
        raise invalid(f"No commit found for SHA: {ref}")
    return list(history)


def _create_branch(repository: Repository, arguments: Mapping[str, Any]) -> JSON:
    name, origin = str(arguments["branch"]), str(arguments.get("from_branch") or repository.main)
    if repository.tree(origin) is None:
        raise not_found(f"branch {origin} in {repository.full_name}")
    if repository.tree(name) is not None:
        raise invalid("Reference already exists")
    repository.branch_off(name, origin)
    return files.told_ref(repository, name, repository.head(name))


def _fill(things: Things, full_name: str, arguments: Mapping[str, Any], *, is_fork: bool) -> None:
    """Put into a new repository what it begins with."""
    owner, _, name = full_name.partition("/")
    made = Repository(things, owner, name)
    if is_fork:
        origin = _named(things, arguments)
        if origin is None or not origin.is_known or made.is_known:
            return
        for part in ("files", "commits"):
            things.draft.patch.append(Change(path=["git", part, full_name], origin=["git", part, origin.full_name]))
        for branch in branches_of(made):
            made.show_branch(branch)
    elif not made.is_known:
        things.draft.put(["git", "files", full_name], {})
        if arguments.get("autoInit"):
            told = arguments.get("description")
            made.commit(made.main, {"README.md": f"# {name}\n{told}\n" if told else f"# {name}\n"}, "Initial commit")
