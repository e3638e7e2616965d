"""The generic engine: any schema, no code, state that holds.

For: answering the calls of tools that nobody wrote code for, as far as their names, annotations, schemas, descriptions and
demonstrations tell what they do: create, get, list, search, update, delete and count the things of a world.
How it goes: `vocabulary` reads a tool's name and `arguments` its arguments; `understanding` is what came of it, tool by tool, and
`resource` thing by thing; `collection` keeps the things in the state; `reads` and `writes` say what a call leads to. Where the things
are many, `listing` finds those asked for in the indexes of the `catalogue`, which are derived from the states and can be dropped.
Looks at: `mcp_sim.core`, `mcp_sim.predictors.instances`.
Touches: nothing. State in, patch out.
"""
