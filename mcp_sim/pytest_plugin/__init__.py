"""The door for pytest: a fixture that opens worlds, and what the tests used of them.

For: tests of agents. `plugin` is found through the entry point group `pytest11`; the other modules load when a test first opens a world.
Looks at: `mcp_sim.api` and below, pytest.
Touches: pytest's report, kept sessions of failed tests, and `frozen.jsonl` where it is to be refreshed.
"""
