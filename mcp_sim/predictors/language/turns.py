"""How turns are told to the model: the layout that agent world models were trained on."""

import json

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical
from mcp_sim.core.observation import Observation
from mcp_sim.core.world import Domain
from mcp_sim.predictors.language.completer import Message
from mcp_sim.predictors.language.neutral import fenced_json, neutralise

OBSERVATION_MARKER = "**Environment Observation:**"


def tell_action(number: int, action: Action, domain: Domain, state: str | None = None) -> Message:
    """Return the user message of one action, with the current state between heading and action where there is one."""
    shown = f"**Current State:**\n{neutralise(state)}\n\n" if state is not None else ""
    return {"role": "user", "content": f"### Turn {number}\n\n{shown}{spell_action(action, domain)}"}


def spell_action(action: Action, domain: Domain) -> str:
    """Return the marker and the fenced JSON of an action."""
    return f"**Action:**\n{fenced_json(_spoken(action, domain))}"


def tell_observation(observation: Observation) -> Message:
    """Return the assistant message of one observation: verbatim, but for marks that could be taken for the prompt's own."""
    return {"role": "assistant", "content": f"{OBSERVATION_MARKER}\n{neutralise(text_of(observation))}"}


def text_of(observation: Observation) -> str:
    """Return an observation as text: its text blocks, a word for each other block; JSON where structured content says something else."""
    text = "\n".join(block_text(block) for block in observation.content)
    if observation.has_structured_content and not _mirrors(text, observation.structured_content):
        return json.dumps(observation.structured_content, ensure_ascii=False)
    return text


def block_text(block: dict[str, JSON]) -> str:
    """Return a content block as text; of binary data only kind and size are told."""
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    resource = block.get("resource")
    if kind == "resource" and isinstance(resource, dict) and isinstance(resource.get("text"), str):
        return str(resource["text"])
    if kind in ("image", "audio"):
        return f"[{kind}: {block.get('mimeType')}, {len(str(block.get('data', ''))) * 3 // 4} bytes]"
    return json.dumps(block, ensure_ascii=False)[:1000]


def _mirrors(text: str, value: JSON) -> bool:
    try:
        return canonical(json.loads(text)) == canonical(value)
    except (ValueError, RecursionError):
        return False


def _spoken(action: Action, domain: Domain) -> JSON:
    if action.method != "tools/call":
        return {"method": action.method, "params": action.params}
    arguments = action.arguments
    if domain == "terminal" and "keystrokes" in arguments:
        return [arguments]
    return {"name": action.name, "arguments": arguments}
