"""From a URL to a predictor."""

from pathlib import Path
from typing import Any

from mcp_sim.core.predictor import Predictor
from mcp_sim.core.world import World
from mcp_sim.predictors.language.openai_completer import OpenAICompleter
from mcp_sim.predictors.language.settings import settle
from mcp_sim.predictors.language.system_message import read_template
from mcp_sim.predictors.language.world_model import LanguageWorldModel


def connect(url: str, *, model_name: str | None = None, api_key: str | None = None, concurrency: int = 8) -> OpenAICompleter:
    """Return the connection to a model server, which all worlds share: at most `concurrency` requests at a time. Close it with `aclose`.

    Nothing is asked yet, so that a server may be started later.

    Raises:
        SetupError: the URL is none.
    """
    return OpenAICompleter(url, model_name=model_name, api_key=api_key, concurrency=concurrency)


def build_language_world_model(
    world: World, connection: OpenAICompleter, prompts_folder: Path, *, embedded: Predictor | None = None, **asked: Any
) -> LanguageWorldModel:
    """Return the predictor that asks a model about a world.

    `embedded` answers where the model is too slow, if `on_slow="embedded"` is asked for. The further keywords are fields of
    `LanguageSettings`: what the operator asked for, `None` where nothing.

    Raises:
        SetupError: the domain's prompt cannot be read.
    """
    template = read_template(prompts_folder, world.settings.domain)
    settings = settle(world, **asked)
    return LanguageWorldModel(world, connection, template, settings, context_tokens=connection.context_tokens, embedded=embedded)
