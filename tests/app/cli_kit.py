# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the command line share: the program under test, folders of their own, a terminal, TAP.

Each of them is called with CLI FOLDER: the built program, and a folder on a real file system for test files."""
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

CLI = os.path.abspath(sys.argv[1])
BASE = tempfile.mkdtemp(prefix="cli-", dir=os.path.abspath(sys.argv[2]))
TARGET = os.path.join(BASE, "target")
OUT = os.path.join(BASE, "out")
ENV = dict(os.environ, HOME=BASE, XDG_DATA_HOME=BASE + "/data", XDG_CONFIG_HOME=BASE + "/config", XDG_CACHE_HOME=BASE + "/cache",
           XDG_RUNTIME_DIR=BASE + "/run", LC_ALL="C.UTF-8", LANGUAGE="",
           # where it is built with a sanitizer: fontconfig keeps what it has read, and says nothing of it
           LSAN_OPTIONS=f"print_suppressions=0:suppressions={os.path.dirname(os.path.abspath(__file__))}/leaks.supp")
RESULTS = BASE + "/data/drivegauge/results"
SHORT = ["--test", "SEQ1M Q2T1", "--size", "8MiB", "--duration", "1", "--warmup", "0", "--interval", "0", "--runs", "1"]
for folder in (TARGET, OUT, BASE + "/run"):
    os.mkdir(folder, 0o700)

tests = []


def test(function):
    tests.append(function)
    return function


class Skip(Exception):
    pass


def cli(*words, env=None, **more):
    more.setdefault("timeout", 60)
    more.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([CLI, *words], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=env or ENV, **more)


def refused(status, words, *parts, **more):
    """Ends with the status, one clear sentence on standard error that has the parts, and nothing on standard output."""
    got = cli(*words, **more)
    text = got.stderr.decode()
    assert got.returncode == status, f"{words}: status {got.returncode}, not {status}: {text}"
    assert text.startswith("drivegauge-cli: ") and text.endswith("\n"), f"{words}: {text!r}"
    assert text.count("\n") == 1, f"{words}: more than one line: {text!r}"
    for part in parts:
        assert part in text, f"{words}: {part!r} is not in {text!r}"
    assert got.stdout == b"", f"{words}: standard output is not empty"
    nothing_left()
    return text


def nothing_left(target=TARGET):
    left = [name for name in os.listdir(target) if name != "lost+found"]
    assert left == [], f"left on the target: {left}"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def findings(document):
    return {f["id"]: f["severity"] for f in document["findings"]}


class Terminal:
    """A program with a terminal of its own, which it leads a session on. wait_for() waits for what it shows; text: all that it has shown."""

    def __init__(self, *words):
        self.text, self.is_open = "", True
        self.changed = threading.Condition()
        pid, self.fd = pty.fork()
        if pid == 0:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            os.execve(CLI, [CLI, *words], ENV)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 250, 0, 0))
        self.pid, self.status = pid, None
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while self.is_open:
            if not select.select([self.fd], [], [], 0.05)[0]:
                continue
            try:
                data = os.read(self.fd, 65536)
            except OSError: # EIO: the program has ended
                data = b""
            with self.changed:
                self.text += data.decode(errors="replace")
                self.is_open = self.is_open and data != b""
                self.changed.notify_all()

    def wait_for(self, pattern, seconds=30):
        end = time.monotonic() + seconds
        with self.changed:
            while not re.search(pattern, self.text):
                left = end - time.monotonic()
                assert left > 0 and self.is_open, f"{pattern!r} is not in {self.text[-500:]!r}"
                self.changed.wait(left)

    def type(self, text):
        os.write(self.fd, text)

    def hang_up(self):
        """As when the window of the terminal is closed."""
        self.is_open = False
        self.reader.join()
        os.close(self.fd)

    def end(self, seconds=20):
        """Seconds until it ended."""
        began = time.monotonic()
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() - began > seconds:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"still there after {seconds} s: {self.text[-500:]!r}")
            else:
                time.sleep(0.01)
        return time.monotonic() - began


# How a person or the system ends a run early, and the words that name it in the last message.
WAYS = {
    "Ctrl+C": (lambda terminal: terminal.type(b"\x03"), "Interrupt"),
    "SIGTERM": (lambda terminal: os.kill(terminal.pid, signal.SIGTERM), "Terminated"),
    "SIGPIPE": (lambda terminal: os.kill(terminal.pid, signal.SIGPIPE), "Broken pipe"),
    "a closed terminal": (lambda terminal: terminal.hang_up(), None),
    "Ctrl+C three times": (lambda terminal: [terminal.type(b"\x03") or time.sleep(0.02) for _ in range(3)], "Interrupt"),
}


def main():
    # Whoever started the tests may ignore some (nohup): the program would, too.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    for number, function in enumerate(tests, 1):
        name = function.__name__.replace("_", "-")
        try:
            began = time.monotonic()
            function()
            print(f"ok {number} {name}", flush=True)
            print(f"# {time.monotonic() - began:.1f} s", flush=True)
        except Skip as reason:
            print(f"ok {number} {name} # SKIP {reason}", flush=True)
        except (Exception, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"not ok {number} {name}", flush=True)
            for line in (str(error) or repr(error)).splitlines()[:20]:
                print("#", line[:300], flush=True)
        for path in [os.path.join(place, left) for place in (OUT, TARGET) for left in os.listdir(place)]:
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    shutil.rmtree(BASE, ignore_errors=True)
    sys.exit(1 if failed else 0)
