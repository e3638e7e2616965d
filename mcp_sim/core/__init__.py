"""The nouns of the domain, pure and frozen.

For: naming what is simulated (`ToolSpec`, `World`, `Action`, `Observation`, `Transition`, `Session`), the four definitions
that make answers repeatable (mutating, fingerprint, memory, chance and time), and JSON Schema checks.
Looks at: `mcp_sim.errors`.
Touches: nothing. No I/O, no clock, no randomness that is not derived.
"""
