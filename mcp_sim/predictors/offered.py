"""Examples of what a resource holds and of what a prompt says, for worlds that list some."""

import base64
import json

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON
from mcp_sim.core.observation import Observation
from mcp_sim.core.offers import PROMPT, READ, Offers
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition

_TEXTUAL = ("text/", "application/json", "application/xml", "application/javascript", "application/yaml", "application/toml")


class Offered:
    """Answers reading and getting from what the lists say of the thing; asks the next predictor about all else."""

    def __init__(self, offers: Offers, following: Predictor) -> None:
        self._offers = offers
        self._next = following

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        if action.method == READ and (resource := self._offers.resource(action.params["uri"])) is not None:
            result: dict[str, JSON] = {"contents": [_contents(action.params["uri"], resource)]}
        elif action.method == PROMPT and (prompt := self._offers.prompt(action.params["name"])) is not None:
            result = _prompt(prompt, action.params["arguments"])
        else:
            return await self._next.predict(session, action, context)
        return session.transition(action, Observation.of_offer(result), "imagined")


def _contents(uri: str, resource: dict[str, JSON]) -> dict[str, JSON]:
    kind = resource.get("mimeType")
    facts = {key: resource[key] for key in ("title", "name", "description") if isinstance(resource.get(key), str)}
    contents: dict[str, JSON] = {"uri": uri}
    if isinstance(kind, str):
        contents["mimeType"] = kind
    plain = kind.partition(";")[0].strip().lower() if isinstance(kind, str) else "text/plain"
    if plain.endswith("json"):
        return {**contents, "text": json.dumps({"uri": uri, **facts}, indent=2, ensure_ascii=False)}
    text = "\n\n".join([str(facts.get("title", facts.get("name", uri))), *([facts["description"]] if "description" in facts else []), uri])
    if plain.startswith(_TEXTUAL) or plain.endswith(("+xml", "+yaml")):
        return {**contents, "text": text}
    return {**contents, "blob": base64.b64encode(text.encode()).decode("ascii")}


def _prompt(prompt: dict[str, JSON], arguments: dict[str, JSON]) -> dict[str, JSON]:
    said = prompt.get("description")
    description = {"description": said} if isinstance(said, str) else {}
    lines = [str(said or prompt.get("title") or prompt["name"]), *(f"{name}: {value}" for name, value in arguments.items())]
    return {**description, "messages": [{"role": "user", "content": {"type": "text", "text": "\n".join(lines)}}]}
