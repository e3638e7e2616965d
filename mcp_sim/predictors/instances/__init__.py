"""Instances: a valid, realistic, repeatable value of any JSON Schema.

For: `instance.InstanceMaker`, which searches for a value under a budget of steps, and the pieces it is made of.
A schema is read as a conjunction of parts (`part`), its alternatives are walked lazily (`node`), values of one type are built by
`text`, `number`, `array` and `object`, `meaning` (by a `vocabulary`) and `format` make
them look real, and `mcp_sim.core.subschema` judges whether they hold.
Looks at: `mcp_sim.core`, `mcp_sim.errors`.
Touches: nothing. All chance comes from the `Random` passed in, all time from the hints.
"""
