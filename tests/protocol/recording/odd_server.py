"""A server that says whatever no library would: run with a folder in which it notes what it heard.

It answers each line of standard input with several odd ones. A line that holds "exit N" ends it with that code, "stay" lets it outlive its
input, "child" starts a process that outlives it.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

folder = Path(sys.argv[1])
out = sys.stdout.buffer
sys.stderr.write("a word on standard error\n")
sys.stderr.flush()
stays = False
with (folder / "heard").open("ab", buffering=0) as heard:
    for number, line in enumerate(sys.stdin.buffer):
        heard.write(line)
        out.write(b'{ "method":"notifications/x" ,"jsonrpc" : "2.0", "params":{"b":1.0,"a":"\\u00e9 \xc3\xa9"}}\r\n')
        out.write(b'{"jsonrpc":"2.0","id":"srv","method":"sampling/createMessage","params":{}}\n\nno JSON \xff\xfe\n')
        out.write(b'{"result":{"z":' + str(number).encode() + b',"y":1e400},"id":0,"jsonrpc":"2.0"}\n')
        out.flush()
        if b"big" in line:
            out.write(b'{"big":"' + b"x" * 3_000_000 + b'"}\n')
            out.flush()
        if b"child" in line:
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=subprocess.DEVNULL)
            (folder / "child").write_text(str(child.pid))
            out.write(b"child\n")
            out.flush()
        if b"exit" in line:
            out.write(b"last words without an end")
            out.flush()
            os._exit(int(line.split()[-1]))
        stays = stays or b"stay" in line
if stays:
    time.sleep(600)
