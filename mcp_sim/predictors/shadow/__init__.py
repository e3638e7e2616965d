"""What was simulated, laid over what a real server answers.

For: shadow mode, in which reads are real and writes are not.
Looks at: `mcp_sim.core`, the behaviours and the engine whose state it fills with what was really read.
Touches: nothing; `mcp_sim.protocol` asks the real server.
"""
