#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every way to end a run early: Ctrl+C, signals, a closed terminal, a closed pipe, in each phase. See cli_kit.py; preparing, which takes no time on most
drives, is ended in test-cli-places.py."""
import os
import signal
import subprocess
import time

from cli_kit import CLI, ENV, OUT, SHORT, TARGET, WAYS, Terminal, load, main, nothing_left, test

MOST_SECONDS = 6 # a stop is answered within one second and written within two; the machine may be busy
RUN = ["--no-library", "--interval", "0", "--warmup", "0", "--size", "16MiB"]


def start(*words, **more):
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([CLI, "run", TARGET, *RUN, "--json", OUT + "/s.json", *words], env=ENV, stdin=subprocess.DEVNULL, **more)


def in_phase(pattern, *words, step):
    """Ends one run in each way once it shows the pattern; all of them run at the same time. step: what the test that was going on must look like."""
    runs = []
    for i, way in enumerate(WAYS):
        target = f"{TARGET}/{i}"
        os.mkdir(target)
        runs.append((way, target, f"{OUT}/{i}.json", Terminal("run", target, *RUN, "--json", f"{OUT}/{i}.json", *words)))
    for way, target, path, terminal in runs:
        terminal.wait_for(pattern)
        WAYS[way][0](terminal)
    for way, target, path, terminal in runs:
        took = terminal.end()
        assert terminal.status == 1 and took < MOST_SECONDS, f"{way}: status {terminal.status}, {took:.1f} s"
        nothing_left(target)
        os.rmdir(target)
        document = load(path)
        assert document["state"] == "stopped", f"{way}: {document['state']}"
        tests = document["tests"]
        assert step(tests), f"{way}: {[(t['name'], t['direction'], t['state'], len(t['runs'])) for t in tests]}"
        if WAYS[way][1]:
            terminal.reader.join(5)
            assert f"Stopped by a signal ({WAYS[way][1]})" in terminal.text and "* MB/s" in terminal.text, f"{way}: {terminal.text[-600:]!r}"


LONG = ["--test", "RND4K Q2T1", "--duration", "30"]
BRIEF = ["--test", "RND4K Q2T1", "--duration", "1", "--runs", "1"]


@test
def in_the_pause_before():
    in_phase("pause", *LONG, "--interval", "60", step=lambda tests: tests[0]["state"] in ("stopped", "not-run") and not tests[0]["runs"])


@test
def in_the_warm_up():
    in_phase("warming up", *LONG, "--warmup", "60", step=lambda tests: tests[0]["state"] == "stopped" and not tests[0]["runs"])


@test
def while_reading():
    in_phase("read: run 1", *LONG, step=lambda tests: tests[0]["state"] == "stopped" and tests[0]["direction"] == "read")


@test
def while_writing():
    in_phase("write: run 1", *LONG, "--write-only", step=lambda tests: tests[0]["state"] == "stopped" and tests[0]["direction"] == "write")


@test
def between_two_tests():
    in_phase("write: pause", *BRIEF, "--interval", "1.5", step=lambda tests: tests[0]["state"] == "done" and len(tests[0]["runs"]) == 1
             and tests[1]["state"] in ("stopped", "not-run") and not tests[1]["runs"])


@test
def at_once():
    """Before the first progress, from the first moment on."""
    for delay in (0, 0.002, 0.005, 0.01, 0.02, 0.05):
        process = start(*LONG)
        time.sleep(delay)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)
        # Before main's first line the system's own way of dying is all there is.
        assert process.returncode in (1, -signal.SIGTERM), process.returncode
        if process.returncode == 1:
            assert load(OUT + "/s.json")["state"] == "stopped"
            os.unlink(OUT + "/s.json")
        nothing_left()


@test
def inherited_as_ignored():
    process = start("--test", "SEQ1M Q2T1", "--duration", "1.5", "--runs", "1", "--read-only",
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.8)
    process.send_signal(signal.SIGHUP)
    output = process.communicate(timeout=30)
    assert process.returncode == 0, output
    assert load(OUT + "/s.json")["state"] == "done"
    nothing_left()


def closed(**more):
    """A run with a pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen([CLI, "run", TARGET, *SHORT, "--read-only", "--no-library", "--json", OUT + "/p.json"], env=ENV, stdin=subprocess.DEVNULL,
                               **{"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, **{name: writer for name in more}})
    os.close(writer)
    assert process.wait(timeout=30) == 1
    nothing_left()
    return load(OUT + "/p.json")["state"]


@test
def closed_pipes():
    assert closed(stdout=True) == "done" # the report was all that was missing
    assert closed(stderr=True) == "stopped"
    assert closed(stdout=True, stderr=True) == "stopped"


@test
def after_the_end():
    """A signal when all has been measured and the report waits for its reader: the exit status is 1, and why is said."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, bytes(65536))
    except BlockingIOError:
        os.set_blocking(writer, True)
    process = start(*SHORT, "--read-only", stdout=writer)
    os.close(writer)
    end = time.monotonic() + 30
    while not os.path.exists(OUT + "/s.json"): # files are written before
        assert time.monotonic() < end and process.poll() is None, "no result"
        time.sleep(0.02)
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    with open(reader, "rb") as pipe:
        report = pipe.read().strip(b"\0")
    said = process.stderr.read().decode()
    assert process.wait(timeout=30) == 1, said
    assert load(OUT + "/s.json")["state"] == "done" and b"* MB/s" in report
    assert "A signal (Terminated) came when the measurement had ended." in said, said
    os.unlink(OUT + "/s.json")
    nothing_left()


@test
def head():
    """drivegauge-cli run ... | head -1: all the rest is there."""
    line = ' '.join(f"'{w}'" for w in [CLI, "run", TARGET, *SHORT, "--read-only", "--no-library", "--json", OUT + "/h.json"])
    got = subprocess.run(["sh", "-c", f"{line} | head -n 1"], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert got.stdout.count(b"\n") == 1, got
    assert load(OUT + "/h.json")["state"] == "done"
    nothing_left()


@test
def progress_on_a_terminal():
    terminal = Terminal("run", TARGET, *SHORT, "--read-only", "--no-library")
    terminal.wait_for("run 1")
    assert terminal.end() < 30 and terminal.status == 0
    assert "\r" in terminal.text and "SEQ1M Q2T1" in terminal.text
    nothing_left()


main()
