"""A server that says everything it was given: environment, arguments, and a word on standard error. Handshake era, no SDK."""

import json
import os
import sys

SAID = " ".join([*sys.argv[1:], *(f"{name}={value}" for name, value in os.environ.items() if name.startswith("LEAK_"))])
ANSWERS = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {"listChanged": True}, "prompts": {}, "resources": {}},
        "serverInfo": {"name": "leaky", "version": "1"},
        "instructions": f"I was started with {SAID}",
    },
    "tools/list": {
        "tools": [
            {
                "name": "look",
                "description": f"Looks. {SAID}",
                "inputSchema": {"type": "object", "properties": {"where": {"type": "string", "default": SAID}}},
            }
        ]
    },
    "resources/list": {"resources": [{"uri": "leak://one", "name": "one", "description": SAID, "mimeType": "text/plain"}]},
    "prompts/list": {"prompts": [{"name": "ask", "description": SAID}]},
}

sys.stderr.write(f"hello, {SAID}\n")
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if "--die" in sys.argv:
        sys.exit(1)
    if message["method"] in ANSWERS:
        reply["result"] = ANSWERS[message["method"]]
    else:
        reply["error"] = {"code": -32601, "message": f"Method not found ({SAID})"}
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
