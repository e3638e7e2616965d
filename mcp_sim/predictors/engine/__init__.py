"""The generic engine: any schema, no code, state that holds.

For: answering the calls of tools that nobody wrote code for, as far as their names, annotations, schemas, descriptions and
demonstrations tell what they do: create, get, list, search, update, delete and count the things of a world.
How it goes, each room upon those before it: `words` reads names and arguments, `kept` keeps things in the state, `shown` finds
them in answers, `resources` tells what kinds there are, `index` finds them where they are many, `tools` works out what each tool
does, `making` makes things and words answers, `things` holds those of a session, `calls` says what a call leads to,
`repositories` what hangs together in git. `engine` is the way in.
Looks at: `mcp_sim.core`, `mcp_sim.predictors.instances`.
Touches: nothing. State in, patch out.
"""
