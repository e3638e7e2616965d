"""Examples: answers without a model, for whatever nothing above could answer."""

from collections.abc import Iterator
from random import Random

from mcp_sim.core.action import Action
from mcp_sim.core.canonical import JSON, canonical, digest
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context
from mcp_sim.core.session import Session
from mcp_sim.core.tool_spec import ToolSpec, words
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import McpSimError, PredictionError
from mcp_sim.predictors.imitation import imitate, nearest
from mcp_sim.predictors.instances.fake import Fake
from mcp_sim.predictors.instances.hints import Hints
from mcp_sim.predictors.instances.instance import InstanceMaker
from mcp_sim.predictors.plain_result import plain_result

_STEPS_OF_CHECKS = 1_000_000


class ExamplePredictor:
    """Answers every tool call with an example of what it could return; the end of a chain of predictors.

    With an output schema that is a valid instance of it. Else it is like the demonstration whose arguments are nearest, and without a
    demonstration it is a short text about the call.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._fake = Fake()
        self._makers: dict[str, InstanceMaker] = {}

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`.

        Raises:
            UnsatisfiableSchemaError: no value of the tool's output schema could be made.
            SchemaBudgetError: making one would take too long.
            PredictionError: the action is no call of a tool of this world.
        """
        tool = self._world.tools_by_name.get(action.name)
        if tool is None or action.method != "tools/call":
            raise PredictionError(f"There is no example for {action.name!r}: it is no tool of this world. Pin its answer in frozen.jsonl.")
        # why: nothing is awaited from here on, since the makers and their source of chance serve one call at a time
        return session.transition(action, self._observe(session, tool, action), "imagined")

    def _observe(self, session: Session, tool: ToolSpec, action: Action) -> Observation:
        random, now = session.chance(action), session.now
        if not tool.mutates and not self._world.is_volatile(action):  # what nobody changed is there as it was, whatever else has changed
            random, now = Random(digest("example", str(session.seed), action.key)), self._world.settings.clock
        hints = Hints(_with_defaults(tool, action.arguments), now, _subject(tool.name), tuple(words(tool.name)))
        if tool.output_schema is not None:
            return Observation.of_structured(self._instance(tool, random, hints))
        demonstration = nearest(self._world.demonstrations_by_tool.get(tool.name, ()), action.arguments)
        if demonstration is not None:
            return imitate(demonstration, action.arguments, self._fake.begin(random, now))
        return Observation.of_text(plain_result(tool, action.arguments, self._fake.begin(random, now)))

    def _instance(self, tool: ToolSpec, random: Random, hints: Hints) -> JSON:
        if tool.name not in self._makers:
            self._makers[tool.name] = InstanceMaker(tool.output_schema, self._fake)
        try:
            return self._makers[tool.name].make(random, hints)
        except PredictionError as error:
            raise type(error)(f"The output schema of {tool.name!r}: {error}") from error


def check_output_schemas(world: World) -> list[tuple[str, str]]:
    """Return the tools for whose output schema no value can be made, each with the reason.

    Takes about a millisecond for each different schema, and is bounded as a whole: what is left over by then is named as not checked.
    """
    return list(_unmeetable(world))


def _unmeetable(world: World) -> Iterator[tuple[str, str]]:
    fake = Fake()
    reasons: dict[str, str | None] = {}
    steps_left = _STEPS_OF_CHECKS
    for tool in world.tools:
        if tool.output_schema is None:
            continue
        key = canonical(tool.output_schema)
        if key not in reasons:
            if steps_left <= 0:
                yield tool.name, "The output schema was not checked: those of the tools before it took too long. A call tells."
                continue
            reasons[key] = None
            try:
                maker = InstanceMaker(tool.output_schema, fake)
                try:
                    maker.make(Random(0))
                finally:
                    steps_left -= maker.steps_used
            except McpSimError as error:
                reasons[key] = f"The output schema cannot be met, so calls fail. {error}"
        if (reason := reasons[key]) is not None:
            yield tool.name, reason


def _with_defaults(tool: ToolSpec, arguments: dict[str, JSON]) -> dict[str, JSON]:
    """Return the arguments of a call with those that it leaves to their defaults."""
    properties = tool.input_schema.get("properties")
    given = properties.items() if isinstance(properties, dict) else ()
    defaults = {name: part["default"] for name, part in given if isinstance(part, dict) and "default" in part}
    return {**defaults, **arguments}


def _subject(name: str) -> str:
    """Return the noun that a tool's name ends with (`create_issue`: `issue`)."""
    name_words = words(name)
    return name_words[-1].removesuffix("s") if len(name_words) > 1 else ""
