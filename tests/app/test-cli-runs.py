#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Short real runs: their documents, outputs and refusals. See cli_kit.py."""
import json
import os
import re
import subprocess

from cli_kit import BASE, CLI, ENV, OUT, RESULTS, SHORT, TARGET, cli, findings, load, main, nothing_left, test


def saved():
    """The results in the library (its index does not count)."""
    return {n for n in os.listdir(RESULTS) if len(n) == 41 and n.endswith(".json")} if os.path.isdir(RESULTS) else set()


@test
def run_all_outputs():
    names = {"--json": "r.json", "--markdown": "r.md", "--bbcode": "r.bb", "--csv": "r.csv", "--png": "r.png"}
    words = [w for option, name in names.items() for w in (option, os.path.join(OUT, name))]
    got = cli("run", TARGET, *SHORT, *words, "--scale", "2", "--comment", "<b>hostile</b> \u202e\x1b[2J " + "x" * 10000)
    assert got.returncode == 0, got.stderr
    assert re.search("Takes (about|at least) ", got.stderr.decode()) and "\r" not in got.stderr.decode()
    nothing_left()
    document = load(OUT + "/r.json")
    assert document["state"] == "done" and [(t["name"], t["direction"], t["state"]) for t in document["tests"]] == [
        ("SEQ1M Q2T1", "read", "done"), ("SEQ1M Q2T1", "write", "done")]
    assert document["plan"]["profile"]["id"] == "custom" and document["plan"]["runs"] == 1
    assert document["tests"][0]["shown"]["bandwidth_bytes_per_s"] > 0
    assert len(document["comment"]) <= 256 and "\x1b" not in document["comment"] and "\u202e" not in document["comment"]
    assert got.stdout.decode().startswith("-") or "[Read]" in got.stdout.decode(), got.stdout[:300]
    assert "[Write]" in got.stdout.decode() and "\x1b" not in got.stdout.decode()
    with open(OUT + "/r.png", "rb") as file:
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(head[16:20], "big") == 2400
    for name in names.values():
        assert os.stat(os.path.join(OUT, name)).st_mode & 0o777 == 0o600, name
    assert os.listdir(RESULTS + "/") and os.path.exists(f"{RESULTS}/{document['id']}.json")
    # The saved result says the same, by its file and by its id.
    again = cli("show", OUT + "/r.json")
    assert again.returncode == 0 and again.stdout == got.stdout
    assert cli("show", document["id"]).stdout == got.stdout
    # And in every locale.
    for locale in ("ru_RU.UTF-8", "de_DE.UTF-8", "C"):
        other = cli("show", OUT + "/r.json", "--csv", "-", env=dict(ENV, LC_ALL=locale, LANGUAGE="ru"))
        with open(OUT + "/r.csv", "rb") as file:
            assert other.stdout == file.read(), locale
    hidden = cli("show", OUT + "/r.json", "--no-identity", "--json", "-")
    assert hidden.returncode == 0
    target = json.loads(hidden.stdout)["targets"][0]
    assert target.get("path") is None and target.get("mount") is None and TARGET not in hidden.stdout.decode()
    full = cli("show", OUT + "/r.json", stdout=open("/dev/full", "w"))
    assert full.returncode == 3 and b"Standard output" in full.stderr
    closed = subprocess.run(["sh", "-c", '"$0" show "$1" >&-', CLI, OUT + "/r.json"], env=ENV, stderr=subprocess.PIPE)
    assert closed.returncode == 3 and b"Standard output" in closed.stderr, closed


@test
def first_result():
    """A new user has no folder for results yet."""
    data = os.path.join(BASE, "new", "user")
    got = cli("run", TARGET, *SHORT, "--read-only", env=dict(ENV, XDG_DATA_HOME=data))
    assert got.returncode == 0 and b"could not be saved" not in got.stderr, got.stderr
    assert len([n for n in os.listdir(os.path.join(data, "drivegauge", "results")) if n.endswith(".json") and n != "index"]) >= 1
    nothing_left()


@test
def relative_folders():
    """Where the specification has an absolute path and finds another the usual place counts, not the folder that one is in."""
    home, here = os.path.join(BASE, "relative-home"), os.path.join(BASE, "relative-here")
    for folder in (home, here):
        os.mkdir(folder)
    got = cli("run", TARGET, *SHORT, "--read-only", env=dict(ENV, HOME=home, XDG_DATA_HOME="data", XDG_CONFIG_HOME="config"), cwd=here)
    assert got.returncode == 0 and b"could not be saved" not in got.stderr, got.stderr
    assert os.listdir(here) == [], os.listdir(here)
    assert len([n for n in os.listdir(home + "/.local/share/drivegauge/results") if n.endswith(".json")]) == 1
    nothing_left()


@test
def odd_library():
    """What lies in the library and is no file is neither waited for nor read without an end."""
    data = os.path.join(BASE, "odd")
    results = data + "/drivegauge/results"
    os.makedirs(results)
    os.mkfifo(results + "/00000000-0000-4000-8000-000000000000.json")
    os.symlink("/dev/zero", results + "/00000000-0000-4000-8000-000000000001.json")
    for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path), os.mkdir):
        make(results + "/index")
        got = cli("run", TARGET, *SHORT, "--read-only", env=dict(ENV, XDG_DATA_HOME=data), timeout=30)
        assert got.returncode == 0 and b"could not be saved" not in got.stderr, got.stderr
        if os.path.isdir(results + "/index"):
            os.rmdir(results + "/index")
        else:
            os.unlink(results + "/index")
    nothing_left()


@test
def no_home():
    """A service without a home: measured, and that the result could not be kept is said."""
    env = {k: v for k, v in ENV.items() if not k.startswith("XDG_")}
    got = cli("run", TARGET, *SHORT, "--read-only", "--json", OUT + "/r.json", env=dict(env, HOME="/proc/nowhere"))
    assert got.returncode == 0 and b"[Read]" in got.stdout and b"could not be saved" in got.stderr, got
    assert load(OUT + "/r.json")["state"] == "done"
    nothing_left()


@test
def run_to_output():
    before = saved()
    got = cli("run", TARGET, *SHORT, "--read-only", "--no-library", "--json", "-", "--size", "9000000")
    assert got.returncode == 0, got.stderr
    document = json.loads(got.stdout)
    assert [t["direction"] for t in document["tests"]] == ["read"]
    assert document["targets"][0]["file"]["size_bytes"] == 8 << 20 and "rounded down to 8 MiB" in got.stderr.decode()
    assert saved() == before, "with --no-library nothing is kept"
    nothing_left()


@test
def run_links_and_devices():
    os.symlink("real.json", OUT + "/link.json")
    got = cli("run", TARGET, *SHORT, "--read-only", "--no-library", "--json", OUT + "/link.json", "--csv", "/dev/null")
    assert got.returncode == 0, got.stderr
    piped = cli("show", OUT + "/link.json", "--csv", "/dev/stdout", "--text", OUT + "/t.txt", "--json", "-")
    assert piped.returncode == 0 and b"SEQ1M Q2T1" in piped.stdout and b'"format"' in piped.stdout, piped
    assert os.path.islink(OUT + "/link.json") and load(OUT + "/real.json")["state"] == "done"


@test
def run_in_part():
    """A test that cannot be run: its reason, the other one's figures, status 1."""
    got = cli("run", TARGET, *SHORT, "--write-only", "--no-library", "--backend", "threads", "--test", "SEQ1M Q1T1")
    text = got.stderr.decode()
    assert got.returncode == 1, got.stderr
    assert "SEQ1M Q2T1 write was not run: " in text and "SEQ1M Q1T1 write was not run" not in text, text
    assert "[Write]" in got.stdout.decode() and "—" in got.stdout.decode()
    nothing_left()


@test
def writes_as_asked():
    """The flush is timed after each write test and stands beside its figure; what was asked of the writes is named."""
    for more, words in (([], "not included"), (["--include-flush", "--write-through", "--no-cow"], "included in the time")):
        got = cli("run", TARGET, *SHORT, "--write-only", "--no-library", "--json", OUT + "/r.json", *more)
        assert got.returncode == 0, got.stderr
        document, text = load(OUT + "/r.json"), got.stdout.decode()
        assert [document["plan"][key] for key in ("include_flush", "write_through", "no_cow")] == [more != []] * 3, document["plan"]
        test, run = document["tests"][0], document["tests"][0]["runs"][0]
        assert isinstance(test["flush_ns"], int) and test["flush_ns"] > 0, test["flush_ns"]
        assert abs(run["bandwidth_bytes_per_s"] * run["elapsed_ns"] / 1e9 / run["bytes"] - 1) < 1e-6, run
        if more and document["targets"][0]["file"]["direct"]: # else it is buffered, and the flush is in it anyhow
            assert run["elapsed_ns"] >= 1e9 + test["flush_ns"], (run["elapsed_ns"], test["flush_ns"])
        beside = re.search(r"\[Write\]\n  SEQ .* us>.*  flush +([0-9.]+) ms", text)
        assert beside and abs(float(beside[1]) - test["flush_ns"] / 1e6) <= 0.06, text
        line = re.search(r"Flush: (.*)", text)[1]
        assert line.startswith(words) or not document["targets"][0]["file"]["direct"], line
        assert line.endswith("at most; each write to the medium; no copy on write" if more else "at most"), line
        nothing_left()


@test
def run_plain_locale():
    """Where the terminal knows ASCII only, messages are still readable."""
    got = cli("run", BASE + "/missing", env=dict(ENV, LC_ALL="C"))
    assert got.returncode == 3 and got.stderr.isascii() and b"does not exist" in got.stderr, got.stderr
    got = cli("run", TARGET, "--profile", "x", env=dict(ENV, LC_ALL="C"))
    assert got.stderr.isascii() and b'"x"' in got.stderr, got.stderr
    got = cli("run", BASE + "/missing", env=dict(ENV, CHARSET="X-UNHEARD-OF")) # an encoding that nobody can convert to
    assert got.returncode == 3 and b"does not exist" in got.stderr, got.stderr


@test
def two_at_once():
    """Two runs on one drive: both are done, and both say that the other one was there."""
    both = []
    for i in range(2):
        place = os.path.join(TARGET, str(i))
        os.mkdir(place)
        both.append(subprocess.Popen([CLI, "run", place, *SHORT, "--duration", "3", "--no-library", "--json", f"{OUT}/{i}.json"], env=ENV,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    for i, process in enumerate(both):
        text, said = process.communicate(timeout=60)
        document = load(f"{OUT}/{i}.json")
        assert process.returncode == 0 and document["state"] == "done", said
        assert findings(document).get("also-running") == "warning", findings(document)
        assert b"another Drive Gauge measured this drive at the same time" in text and b"another Drive Gauge" in said, (text, said)
        nothing_left(os.path.join(TARGET, str(i)))
        os.rmdir(os.path.join(TARGET, str(i)))


@test
def outputs_full_after_a_run():
    """What cannot be written shows only at the end: the run's other outputs are there."""
    got = cli("run", TARGET, *SHORT, "--read-only", "--no-library", "--csv", "/dev/full", "--json", OUT + "/r.json")
    assert got.returncode == 3 and b"--csv: /dev/full cannot be written (No space left on device)" in got.stderr, got.stderr
    assert load(OUT + "/r.json")["state"] == "done" and b"[Read]" in got.stdout
    nothing_left()


main()
