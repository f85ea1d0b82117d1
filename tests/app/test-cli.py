#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line from outside: bad input, real short runs, signals, outputs.

test-cli.py CLI FOLDER: CLI is the built program, FOLDER lies on a real file system and is used for test files.
Prints TAP.
"""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import bad_input

CLI = os.path.abspath(sys.argv[1])
BASE = tempfile.mkdtemp(prefix="cli-", dir=sys.argv[2])
TARGET = os.path.join(BASE, "target")
OUT = os.path.join(BASE, "out")
ENV = dict(os.environ, HOME=BASE, XDG_DATA_HOME=BASE + "/data", XDG_CONFIG_HOME=BASE + "/config", XDG_CACHE_HOME=BASE + "/cache",
           XDG_RUNTIME_DIR=BASE + "/run", LC_ALL="C.UTF-8", LANGUAGE="")
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


def nothing_left():
    assert os.listdir(TARGET) == [], f"left on the target: {os.listdir(TARGET)}"


def saved():
    """The results in the library (its index does not count)."""
    return {n for n in os.listdir(RESULTS) if len(n) == 41 and n.endswith(".json")} if os.path.isdir(RESULTS) else set()


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# ---- what is wrong with the line: 2 ----


@test
def bad_lines():
    """Each is refused by the first sentence, before anything is looked at."""
    for words, parts in bad_input.lines(TARGET, OUT, "/"):
        refused(2, words, *parts)
    assert os.listdir(OUT) == []


# ---- what cannot be used: 3 ----


@test
def targets():
    file, fifo = OUT + "/file", OUT + "/fifo"
    open(file, "w").close()
    os.mkfifo(fifo)
    for bad in [BASE + "/missing", file, fifo, file + "/below", "/proc", "/sys", "/dev/null", "/proc/self", "x" * 300, "/" + "y/" * 3000]:
        for command in ("run", "fio"):
            refused(3, [command, bad])
    refused(3, ["run", BASE + "/missing"], BASE + "/missing", "does not exist")
    refused(3, ["run", BASE + "/missing\x1b[2J\n"], "does not exist", "\ufffd")
    os.unlink(file)
    os.unlink(fifo)
    if os.geteuid() != 0:
        os.chmod(TARGET, 0o500)
        try:
            got = cli("run", TARGET, *SHORT)
            assert got.returncode == 3, got.stderr
            assert TARGET in got.stderr.decode()
        finally:
            os.chmod(TARGET, 0o700)


@test
def too_little_space():
    got = cli("run", TARGET, "--size", "16TiB")
    assert got.returncode == 3, (got.returncode, got.stderr)
    assert TARGET in got.stderr.decode() and "--size" not in got.stdout.decode()
    nothing_left()


@test
def backends():
    refused(3, ["run", TARGET, "--backend", "overlapped"], "overlapped", "auto")


@test
def outputs_unusable():
    os.mkdir(OUT + "/folder")
    before = time.monotonic()
    for bad in [OUT + "/missing/a.json", OUT + "/folder", "/proc/a.json", OUT + "/" + "n" * 300]:
        refused(3, ["run", TARGET, "--json", bad], "--json", "cannot be written")
    assert time.monotonic() - before < 5, "outputs are checked before anything is measured"
    os.rmdir(OUT + "/folder")
    # An output that could be written is not touched by the check.
    with open(OUT + "/kept", "w") as file:
        file.write("kept")
    refused(3, ["run", BASE + "/missing", "--json", OUT + "/kept", "--csv", OUT + "/new"])
    with open(OUT + "/kept") as file:
        assert file.read() == "kept"
    assert os.listdir(OUT) == ["kept"], os.listdir(OUT)
    os.unlink(OUT + "/kept")


@test
def bad_results():
    path = OUT + "/bad.json"
    for name, content in bad_input.documents():
        with open(path, "wb") as file:
            file.write(content)
        refused(3, ["show", path], "bad.json" if name != "deep" else "")
    with open(path, "wb") as file:
        file.truncate(100 * 1000 * 1000)
    refused(3, ["show", path])
    os.unlink(path)
    refused(3, ["show", path], "cannot be read: No such file or directory. ")
    refused(3, ["show", OUT])
    refused(3, ["show", "00000000-0000-4000-8000-000000000000"])
    os.mkfifo(path)
    refused(3, ["show", path], timeout=20)
    os.unlink(path)


# ---- help ----


@test
def help_and_version():
    for words in (["--help"], ["-h"], ["--version"], ["list", "--help"], ["run", "-h"], ["show", "--help"], ["fio", "--help"]):
        got = cli(*words)
        assert got.returncode == 0 and got.stdout.startswith((b"Usage", b"Drive Gauge", b"drivegauge-cli ")) and got.stderr == b"", words
    assert b"--profile" in cli("run", "--help").stdout and b"--profile" not in cli("show", "--help").stdout


@test
def list_drives():
    got = cli("list", "--json")
    assert got.returncode == 0, got.stderr
    drives = json.loads(got.stdout)["drives"]
    found = [t for d in drives for t in d["targets"]]
    for d in drives:
        assert set(d) >= {"drive", "link", "usable", "reason", "targets"}
        assert d["usable"] == any(t["usable"] for t in d["targets"])
        assert (d["reason"] is None) == d["usable"]
    for t in found:
        assert (t["reason"] is None) == t["usable"] and "filesystem" in t and isinstance(t["size_bytes"], (int, type(None)))
        assert t["mount"] not in ("/proc", "/sys")
    # not by name: a container may have the same file system in a better place
    assert any(t["mount"] and t["usable"] and os.stat(t["mount"]).st_dev == os.stat("/").st_dev for t in found) or not os.path.exists("/proc/self/mountinfo"), found
    table = cli("list")
    assert table.returncode == 0 and table.stdout.decode().startswith("FOLDER")


# ---- fio ----


@test
def fio_lines():
    odd = os.path.join(BASE, "it's a: \"strange\" $(folder)")
    os.mkdir(odd)
    fio = shutil.which("fio")
    for words in [[], ["--profile", "nvme", "--mix", "70", "--runs", "1"], ["--backend", "threads", "--test", "SEQ128K Q2T3"],
                  ["--backend", "libaio", "--data", "zero", "--write-through", "--include-flush"], ["--like-cdm"]]:
        got = cli("fio", odd, *words)
        assert got.returncode == 0, got.stderr
        text = got.stdout.decode()
        assert subprocess.run(["sh", "-n"], input=got.stdout).returncode == 0
        # Run by a shell with its own fio, which shows the words that the real one would get.
        shell = "sleep () { :; }\nrm () { :; }\nfio () { printf '%s\\0' \"$@\"; printf '\\n\\0'; }\n" + text
        shown = subprocess.run(["sh", "-c", shell], stdout=subprocess.PIPE, check=True).stdout.decode()
        lines = [line.strip("\0").split("\0") for line in shown.split("\n\0") if line.strip("\0")]
        assert lines[0][0] == "--name=prepare", lines[0]
        for line in [list(words) for words in sorted(set(map(tuple, lines)))]:
            name = [w for w in line if w.startswith("--filename=")]
            assert name == ["--filename=" + odd.replace(":", "\\:") + "/drivegauge-fio.tmp"], name
            if fio:
                parsed = subprocess.run([fio, "--parse-only", *line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=OUT)
                assert parsed.returncode == 0, (line, parsed.stdout)
        if not words:
            assert len(lines) == 1 + 8 * 3, len(lines)
            assert "--bs=4096" in lines[-1] and "--rw=randwrite" in lines[-1] and "--iodepth=1" in lines[-1], lines[-1]
        if "SEQ128K Q2T3" in words:
            assert "--numjobs=6" in lines[1] and "--iodepth=1" in lines[1] and any(w.startswith("--offset_increment=") for w in lines[1])
    assert os.listdir(odd) == [] and os.listdir(OUT) == []
    os.rmdir(odd)
    if not fio:
        raise Skip("fio is not installed: its lines were only read by a shell")


# ---- real runs ----


@test
def run_all_outputs():
    names = {"--json": "r.json", "--markdown": "r.md", "--bbcode": "r.bb", "--csv": "r.csv", "--png": "r.png"}
    words = [w for option, name in names.items() for w in (option, os.path.join(OUT, name))]
    got = cli("run", TARGET, *SHORT, *words, "--scale", "2", "--comment", "<b>hostile</b> \u202e\x1b[2J " + "x" * 10000)
    assert got.returncode == 0, got.stderr
    assert "Takes about" in got.stderr.decode() and "\r" not in got.stderr.decode()
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
def run_to_output():
    before = saved()
    got = cli("run", TARGET, *SHORT, "--read-only", "--no-library", "--json", "-", "--size", "9000000")
    assert got.returncode == 0, got.stderr
    document = json.loads(got.stdout)
    assert [t["direction"] for t in document["tests"]] == ["read"]
    assert document["targets"][0]["file"]["size_bytes"] == 8 << 20 and "rounded down to 8 MiB" in got.stderr.decode()
    assert saved() == before, "with --no-library nothing is kept"
    nothing_left()


def in_namespace(*lines, **more):
    """A shell that may mount, root or not: the words $CLI and $TARGET are there."""
    got = subprocess.run(["unshare", "-m", *([] if os.geteuid() == 0 else ["-r"]), "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if got.returncode != 0:
        raise Skip("no mount namespace may be made here")
    return subprocess.run(["unshare", "-m", *([] if os.geteuid() == 0 else ["-r"]), "sh", "-euc", "\n".join(lines)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(ENV, CLI=CLI, TARGET=TARGET, **more), timeout=60)


@test
def target_read_only():
    got = in_namespace('mount -t tmpfs -o ro,size=200m none "$TARGET"', 'exec "$CLI" run "$TARGET"')
    assert got.returncode == 3 and b"is mounted read-only" in got.stderr and got.stdout == b"", got
    assert got.stderr.count(b"\n") == 1, got.stderr


@test
def target_full():
    """Not even the reserve is free; then no room for the file beside it. What was there stays as it was."""
    got = in_namespace('mount -t tmpfs -o size=100m none "$TARGET"', 'head -c 90000000 /dev/zero >"$TARGET/full"',
                       '"$CLI" run "$TARGET" --size 8MiB || echo "status $?"', 'truncate -s 1000000 "$TARGET/full"',
                       '"$CLI" run "$TARGET" --size 64MiB || echo "status $?"', 'ls -A "$TARGET"', 'stat -f -c "%f" "$TARGET"')
    assert got.returncode == 0 and got.stdout.split()[:5] == [b"status", b"3", b"status", b"3", b"full"], got
    assert got.stderr.count(b"too little free space") == 2 and b"reserve" in got.stderr, got.stderr
    assert int(got.stdout.split()[5]) * 4096 > (100 << 20) - (2 << 20), got.stdout


@test
def library_full():
    """A result that cannot be kept is shown all the same, with the reason."""
    got = in_namespace('mkdir -p "$XDG_DATA_HOME"', 'mount -t tmpfs -o size=64k none "$XDG_DATA_HOME"',
                       'head -c 1000000 /dev/zero >"$XDG_DATA_HOME/full" 2>/dev/null || true', '"$CLI" run "$TARGET" ' + " ".join(map(repr, SHORT)),
                       'echo "status $?"')
    assert got.returncode == 0 and b"[Read]" in got.stdout and b"status 0" in got.stdout, got
    line = [l for l in got.stderr.decode().splitlines() if "could not be saved" in l]
    assert len(line) == 1 and line[0].count(BASE) == 1 and "No space left on device" in line[0], got.stderr
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
def run_plain_locale():
    """Where the terminal knows ASCII only, messages are still readable."""
    got = cli("run", BASE + "/missing", env=dict(ENV, LC_ALL="C"))
    assert got.returncode == 3 and got.stderr.isascii() and b"does not exist" in got.stderr, got.stderr
    got = cli("run", TARGET, "--profile", "x", env=dict(ENV, LC_ALL="C"))
    assert got.stderr.isascii() and b'"x"' in got.stderr, got.stderr


# ---- signals ----


def start(*words, **more):
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([CLI, "run", TARGET, "--no-library", "--interval", "0", "--warmup", "0", "--json", OUT + "/s.json", *words], env=ENV,
                            stdin=subprocess.DEVNULL, **more)


def ends_cleanly(process, states=("stopped",)):
    before = time.monotonic()
    process.wait(timeout=20)
    took = time.monotonic() - before
    assert process.returncode == 1, (process.returncode, process.stderr and process.stderr.read())
    assert took < 6, f"took {took:.1f} s"
    document = load(OUT + "/s.json")
    assert document["state"] in states, document["state"]
    os.unlink(OUT + "/s.json")
    nothing_left()
    return document


@test
def signals_measuring():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        process = start("--test", "SEQ1M Q2T1", "--size", "16MiB", "--duration", "30")
        time.sleep(1.5)
        process.send_signal(number)
        document = ends_cleanly(process)
        assert document["tests"][0]["state"] in ("stopped", "not-run"), document["tests"][0]
        assert b"[Read]" in process.stdout.read()


@test
def signals_between():
    """In the pause before a test, in its warm-up, in the pause between two tests."""
    for words, wait in ((["--interval", "60"], 1.2), (["--warmup", "60"], 1.2), (["--interval", "4", "--runs", "1"], 7.5)):
        process = start("--test", "SEQ1M Q2T1", "--size", "16MiB", "--duration", "1", *words)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        document = ends_cleanly(process)
        assert document["tests"][-1]["state"] in ("stopped", "not-run") and document["tests"][-1]["runs"] == [], (words, document["tests"][-1])


@test
def signals_preparing():
    free = shutil.disk_usage(TARGET).free
    if free < 30 << 30:
        raise Skip("less than 30 GiB are free: preparing would be over too soon")
    for number in (signal.SIGINT, signal.SIGTERM):
        process = start("--test", "SEQ1M Q2T1", "--size", "20GiB", "--duration", "30")
        time.sleep(0.4)
        process.send_signal(number)
        ends_cleanly(process)


@test
def target_hangs():
    """A file system that no longer answers: the result is written at once, and why the process may stay is said."""
    if os.geteuid() != 0 or not os.path.exists("/dev/fuse") or not shutil.which("mkntfs") or not shutil.which("ntfs-3g"):
        raise Skip("a FUSE file system cannot be mounted here")
    image = BASE + "/ntfs"
    with open(image, "wb") as file:
        file.truncate(300 << 20)
    subprocess.run(["mkntfs", "-q", "-F", "-Q", image], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = subprocess.Popen(["ntfs-3g", "-o", "no_detach", image, TARGET], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 10
        while not os.path.ismount(TARGET):
            assert time.monotonic() < end and server.poll() is None, "not mounted"
            time.sleep(0.05)
        process = start("--test", "SEQ1M Q4T1", "--size", "128MiB", "--duration", "30")
        while not os.listdir(TARGET):
            assert time.monotonic() < end and process.poll() is None, "no test file"
            time.sleep(0.01)
        server.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        end = time.monotonic() + 10
        while not os.path.exists(OUT + "/s.json"):
            assert time.monotonic() < end, "no result while the file system hangs"
            time.sleep(0.05)
        server.send_signal(signal.SIGCONT)
        process.wait(timeout=20)
        said = process.stderr.read()
        assert process.returncode == 1 and (b"still busy with the test file" in said or b"no longer answers" in said), (process.returncode, said)
        assert load(OUT + "/s.json")["state"] in ("stopped", "abandoned")
        nothing_left()
    finally:
        server.send_signal(signal.SIGCONT)
        subprocess.run(["umount", "-l", TARGET], stderr=subprocess.DEVNULL)
        server.wait(timeout=10)


@test
def signals_at_once():
    for delay in (0, 0.002, 0.005, 0.01, 0.02, 0.05):
        process = start("--test", "SEQ1M Q2T1", "--size", "16MiB", "--duration", "30")
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
def signals_ignored():
    process = start("--test", "SEQ1M Q2T1", "--size", "16MiB", "--duration", "1.5", "--runs", "1", "--read-only",
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.8)
    process.send_signal(signal.SIGHUP)
    output = process.communicate(timeout=30)
    assert process.returncode == 0, output
    assert load(OUT + "/s.json")["state"] == "done"


@test
def closed_pipe():
    process = subprocess.Popen([CLI, "run", TARGET, *SHORT, "--read-only", "--no-library", "--json", OUT + "/p.json"], env=ENV, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, restore_signals=True)
    process.stdout.close()
    assert process.wait(timeout=30) == 1
    assert load(OUT + "/p.json")["state"] == "done"
    nothing_left()


@test
def terminal():
    """Progress on a terminal; closing it ends the run cleanly."""
    master, slave = pty.openpty()
    process = start("--test", "SEQ1M Q2T1", "--size", "16MiB", "--duration", "30", stdout=slave, stderr=slave, start_new_session=True,
                    preexec_fn=lambda: __import__("fcntl").ioctl(1, __import__("termios").TIOCSCTTY, 0))
    os.close(slave)
    seen, end = b"", time.monotonic() + 2
    while time.monotonic() < end and b"run 1" not in seen:
        seen += os.read(master, 65536)
    assert b"\r" in seen and b"SEQ1M Q2T1" in seen and b"run 1" in seen, seen
    os.close(master)
    ends_cleanly(process)


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
        for left in os.listdir(OUT):
            path = os.path.join(OUT, left)
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    shutil.rmtree(BASE, ignore_errors=True)
    return 1 if failed else 0


sys.exit(main())
