#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-completion.py COMPLETION: a bash with a terminal of its own, keys typed into it, and the words that come out of them."""
import os
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time

completion = os.path.abspath(sys.argv[1])
bash = shutil.which("bash")
if not bash:
    print("bash is missing: skipped")
    sys.exit(77)

# keys, with a tabulator where one is pressed; the words that the program gets
CASES = (
    ("ru\t", ["run"]),
    ("li\t--js\t", ["list", "--json"]),
    ("run --prof\tpeak-\t", ["run", "--profile", "peak-nvme"]),
    ("run --profile=peak-\t", ["run", "--profile=peak-nvme"]),
    ("run . --data \trand\t", ["run", ".", "--data", "random"]),
    ("run . --backend=thr\t", ["run", ".", "--backend=threads"]),
    ("run . --directions read,w\t", ["run", ".", "--directions", "read,write"]),
    ("run my\t", ["run", "my stick/"]),
    ("run \"my\t", ["run", "my stick/"]),
    ("run ~/my\t", ["run", "HOME/my stick/"]),
    # a folder is measured, a file is shown
    ("run a\t", ["run", "a"]),
    ("show a\t", ["show", "a result.json"]),
    ("run my\t --json a\t", ["run", "my stick/", "--json", "a result.json"]),
    ("run my\t --json=a\t", ["run", "my stick/", "--json=a result.json"]),
)


class Shell:
    def __init__(self, home):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(home)
            os.execve(bash, ["bash", "--norc", "--noprofile", "-i"], {"PATH": os.environ["PATH"], "HOME": home, "TERM": "dumb", "PS1": "ready> ", "INPUTRC": "/dev/null", "LC_ALL": "C.UTF-8"})
        self.say("bind 'set enable-bracketed-paste off'")
        self.say("unset HISTFILE; . '" + completion + "'")
        self.say("""drivegauge-cli () { printf 'word[%s]' "$@"; echo; }""")

    def say(self, line):
        """What is shown until the next line can be typed."""
        os.write(self.terminal, line.encode() + b"\necho its $((6*7))nd end\n")
        text, end = b"", time.monotonic() + 20
        while b"its 42nd end" not in text:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise SystemExit(f"bash does not answer: {text!r}")
            text += os.read(self.terminal, 65536)
        return text.decode()

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


home = tempfile.mkdtemp(prefix="drivegauge-completion-")
bad = 0
try:
    os.mkdir(os.path.join(home, "my stick"))
    open(os.path.join(home, "a result.json"), "w").close()
    shell = Shell(home)
    for keys, wanted in CASES:
        got = re.findall(r"word\[(?!%s)(.*?)\]", shell.say("drivegauge-cli " + keys))
        wanted = [word.replace("HOME", home) for word in wanted]
        print(("good: " if got == wanted else "BAD: ") + f"{keys!r} gives {got}, wanted {wanted}")
        bad += got != wanted
    shell.end()
finally:
    shutil.rmtree(home)
sys.exit(1 if bad else 0)
