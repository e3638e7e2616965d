"""Files and folders, as `@modelcontextprotocol/server-filesystem` 2026.8.31 serves them on Linux.

For: answering its 14 tools exactly, from a tree of files that is kept in the session's state (`behaviour.FilesystemBehaviour`).
Looks at: `mcp_sim.core`.
Touches: nothing. The disk is never looked at.

The state stands under the key `filesystem`:

    {"filesystem": {
        "allowed": ["/projects"],             the allowed directories, as list_allowed_directories prints them
        "home": "/home/user",                 what `~` stands for (this is the default)
        "tree": {"projects": {                the tree from `/` down, one key per name
            "README.md": "# Demo\\n",          a text file is its text
            "logo.png": {"/base64": "iVBO…"}, bytes that are no UTF-8
            "run.sh": {"/text": "#!/bin/sh\\n", "/mode": "755", "/modified": "2026-01-01T09:00:00Z"},
            "latest": {"/link": "src/v2"},    a symbolic link and its target
            "src": {}                         a directory is an object
        }}
    }}

No name holds a slash, so keys with one are facts about the file or directory that they stand in: `/mode` (three octal digits; 644 and
755 if not given), `/modified` and `/created` (ISO 8601; the start of the world's clock if not given). Without a `tree` the allowed
directories exist and are empty; without `allowed` it is `/projects`. Moves of directories add `deepened`, a count of levels.
"""
