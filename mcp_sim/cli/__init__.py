"""The command line: words into calls, and the only place that prints.

For: one module per command, loaded when its command is named.
Looks at: `mcp_sim.assemble` and below.
Touches: the terminal.
"""
