"""The fetch tool."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AnyUrl, Field, ValidationError, create_model

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.predictors.behaviours.documents import documents_of
from mcp_sim.predictors.behaviours.fetch.web import FetchOptions, ToolError, Web
from mcp_sim.predictors.behaviours.options import read_options

# Its name stands in what the agent is told of wrong arguments, a URL above all: the input schema does not refuse those.
_Arguments = create_model(
    "fetchArguments",
    url=(AnyUrl, ...),
    max_length=(Annotated[int, Field(ge=1, le=999999, strict=True)], 5000),
    start_index=(Annotated[int, Field(ge=0, strict=True)], 0),
    raw=(Annotated[bool, Field(strict=True)], False),
)


class FetchBehaviour:
    """Answers like PyPI's `mcp-server-fetch` 2026.10.24 (read in its `server.py`) over the world's documents (see `documents_of`).

    A world without documents is left to whoever can imagine them.
    """

    def __init__(self, options: Mapping[str, JSON]) -> None:
        self._web = Web(read_options(FetchOptions, "fetch", options))
        self.mutates: Mapping[str, bool] = {"fetch": False}
        self.volatile: frozenset[str] = frozenset()

    def answer(self, session: Session, action: Action) -> Transition | None:
        """Return what the action leads to.

        Raises:
            PredictionError: the document in the state is not one.
        """
        documents = documents_of(session.state)
        if action.name != "fetch" or documents is None:
            return None
        try:
            arguments = _Arguments.model_validate(action.arguments).model_dump()
            url = str(arguments["url"])
            notice, content = self._web.read(documents, url, raw=arguments["raw"])
        except (ValidationError, ToolError) as error:
            text = f"Error executing tool fetch: {error}" if str(error) else "Error executing tool fetch"
            return session.transition(action, Observation.of_text(text, is_error=True), "computed", changes=False)
        text = f"{notice}Contents of {url}:\n{_part(content, arguments['start_index'], arguments['max_length'])}"
        observation = Observation(content=[{"type": "text", "text": text}], is_error=False)
        return session.transition(action, observation, "computed", changes=False)


def _part(content: str, start: int, most: int) -> str:
    if start >= len(content):
        return "<error>No more content available.</error>"
    end = start + most
    if end >= len(content):
        return content[start:]
    notice = f"<error>Content truncated. Call the fetch tool with a start_index of {end} to get more content.</error>"
    return f"{content[start:end]}\n\n{notice}"
