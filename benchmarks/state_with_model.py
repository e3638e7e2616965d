"""Whether state holds with a model, with and without the engine and its guard: programs of 30 calls, side by side.

Run: python benchmarks/state_with_model.py [--model URL] [--programs N]

Without a URL a scripted model answers that knows the truth and says something else in one answer of five: it forgets what was made,
shows what was deleted, and mixes up what was written. What is checked is what the agent sees: after each change, the next reads.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random

import anyio

from mcp_sim.core.action import Action
from mcp_sim.core.observation import Observation
from mcp_sim.core.predictor import Context, Predictor
from mcp_sim.core.session import Session
from mcp_sim.core.transition import Transition
from mcp_sim.core.world import World
from mcp_sim.errors import PredictionError
from mcp_sim.predictors.behaving import Behaving
from mcp_sim.predictors.engine.engine import Engine
from mcp_sim.predictors.engine.guard import Guarded
from mcp_sim.predictors.engine.reasoning import Reasoning
from mcp_sim.predictors.engine.shown.observed import json_of, replaced
from mcp_sim.predictors.language.connection import build_language_world_model, connect
from mcp_sim.predictors.memory import Memory
from mcp_sim.tool_specs.mending import mend_all

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"
TEXT = {"type": "string"}
TOOLS = {
    "create_note": ("Make a note. Answers with the note as JSON.", {"name": TEXT, "text": TEXT}),
    "get_note": ("Show the note of that name as JSON.", {"name": TEXT}),
    "list_notes": ("List all notes as a JSON array.", {}),
    "update_note": ("Write another text into a note. Answers with the note as JSON.", {"name": TEXT, "text": TEXT}),
    "delete_note": ("Delete a note.", {"name": TEXT}),
}
WORDS = "anchor basin coral delta ebb fathom gull harbor inlet jetty keel lagoon mast narwhal oar pier quay reef sail tide".split()
CALLS = 30


def build_world() -> World:
    """Return a world of notes, which are named by who makes them."""
    raw = [
        {"name": name, "description": said, "inputSchema": {"type": "object", "properties": properties, "required": list(properties)}}
        for name, (said, properties) in TOOLS.items()
    ]
    return World(name="notes", key="notes", source="notes", tools=mend_all(raw)[0])


class Counting:
    """Counts how often a model is asked."""

    def __init__(self, model: Predictor) -> None:
        self.model, self.asked = model, 0

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        self.asked += 1
        return await self.model.predict(session, action, context)


class Forgetful:
    """Plays a model that says something else than the truth in one answer of five, and tells the truth when it is corrected."""

    def __init__(self, world: World, seed: int) -> None:
        self.engine, self.random = Engine(world), Random(seed)
        self.truth = Session.begin(world, "truth")
        self.shown: dict[str, Observation] = {}

    def follow(self, action: Action) -> Observation:
        """Let the truth go on by one action."""
        transition = self.engine.answer(self.truth, action)
        assert transition is not None
        self.truth = self.truth.append(transition)
        return transition.observation

    async def predict(self, session: Session, action: Action, context: Context) -> Transition:
        """See `Predictor.predict`."""
        if context.correction is not None:
            return session.transition(action, self.engine_says(action), "imagined")
        observation = self.follow(action)
        if self.random.random() < 0.2:
            observation = self.lie(action, observation)
        elif action.name == "get_note" and not observation.is_error:
            self.shown[action.arguments["name"]] = observation
        return session.transition(action, observation, "imagined")

    def engine_says(self, action: Action) -> Observation:
        """Return the truth once more; what changes the world has changed it already."""
        before = self.truth.recall(action)
        return before.observation if before is not None else self.follow(action)

    def lie(self, action: Action, truth: Observation) -> Observation:
        """Return something else than the truth."""
        answer = json_of(truth)
        if action.name == "list_notes" and answer is not None and answer.value:
            return Observation.of_text(answer.text_of(replaced(answer.value, (), answer.value[:-1])))
        if action.name == "get_note" and truth.is_error:
            return self.shown.get(action.arguments["name"], truth)
        if action.name == "get_note" and answer is not None:
            return Observation.of_text(answer.text_of({**answer.value, "text": self.random.choice(WORDS)}))
        return truth


async def run_program(world: World, predictor: Predictor, seed: int, model: Predictor) -> tuple[int, int]:
    """Make 30 calls and return how many of the reads were right, of how many."""
    random, session = Random(seed), Session.begin(world, "program")
    notes: dict[str, str] = {}
    gone: list[str] = []
    right = reads = 0
    for number in range(CALLS):
        action = next_action(random, notes, gone, number)
        try:
            transition = await predictor.predict(session, action, Context())
        except PredictionError as error:
            print(f"  {action.name}: {error}")
            reads += 1
            continue
        if transition.source == "computed" and isinstance(model, Forgetful):
            model.follow(action)
        session = session.append(transition)
        said, name = transition.observation.text, str(action.arguments.get("name"))
        if action.name == "create_note" or action.name == "update_note":
            notes[name] = action.arguments["text"]
        elif action.name == "delete_note":
            notes.pop(name, None)
            gone.append(name)
        else:
            reads += 1
            right += is_right(action, said, transition.observation.is_error, notes, gone)
    return right, reads


def next_action(random: Random, notes: dict[str, str], gone: Sequence[str], number: int) -> Action:
    """Return the next call of a program: changes and reads by turns."""
    text = " ".join(random.sample(WORDS, 3))
    if number % 2 and notes:
        read = random.choice(("list", "get", "gone"))
        if read == "gone" and gone:
            return Action.call("get_note", {"name": random.choice(gone)})
        return Action.call("list_notes") if read == "list" else Action.call("get_note", {"name": random.choice(list(notes))})
    change = random.choice(("create", "create", "update", "delete")) if len(notes) > 1 else "create"
    if change == "create":
        return Action.call("create_note", {"name": f"{random.choice(WORDS)}-{number}", "text": text})
    name = random.choice(list(notes))
    return Action.call("update_note", {"name": name, "text": text}) if change == "update" else Action.call("delete_note", {"name": name})


def is_right(action: Action, said: str, failed: bool, notes: dict[str, str], gone: Sequence[str]) -> bool:
    """Whether a read says what was written."""
    if action.name == "list_notes":
        return not failed and all(name in said for name in notes) and not any(name in said for name in gone)
    name = action.arguments["name"]
    return notes[name] in said and not failed if name in notes else failed or "not found" in said.lower()


async def main() -> None:
    """Print both figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", metavar="URL")
    parser.add_argument("--programs", type=int, default=20)
    asked = parser.parse_args()
    world = build_world()
    connection = connect(asked.model) if asked.model else None
    print(f"{'':28}{'reads right':>14}{'share':>8}{'model asked':>13}{'calls':>7}")
    for label in ("model alone", "engine, guard and model"):
        right = reads = questions = 0
        for seed in range(asked.programs):
            model: Predictor = build_language_world_model(world, connection, PROMPTS) if connection else Forgetful(world, seed)
            counting = Counting(model)
            predictor: Predictor = counting
            if label != "model alone":
                engine = Engine(world)
                predictor = Behaving(Reasoning(engine, False), {name: name for name in TOOLS}, Guarded(engine, counting))
            got, of = await run_program(world, Memory(predictor), seed, model)
            right, reads, questions = right + got, reads + of, questions + counting.asked
        print(f"{label:28}{f'{right} of {reads}':>14}{right / max(reads, 1):8.0%}{questions:13}{asked.programs * CALLS:7}")
    if connection:
        await connection.aclose()


if __name__ == "__main__":
    anyio.run(main)
