"""What clients would refuse, hide or change of a world's tools, and the mended form.

For: the limits of five clients as pure rules over definitions, and the changes that meet them.
Looks at: `mcp_sim.core`, and of its own storey the world it is given.
Touches: nothing, but `writing`, which writes the mended world where it is told to.
"""
