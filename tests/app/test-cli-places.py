#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets that cannot be used, that mislead, or that fail on the way: read-only, full, memory, refusing O_DIRECT, dead. See cli_kit.py.

All mounts are in a mount namespace of the test's own (of a user namespace's, when it is not root), so nothing is seen or left outside."""
import os
import subprocess
import sys

if "--inside" not in sys.argv:
    unshare = ["unshare", "-m", *([] if os.geteuid() == 0 else ["-r"])]
    try:
        can = subprocess.run([*unshare, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        can = False
    if not can:
        print("1..0 # SKIP no mount namespace may be made here")
        sys.exit(0)
    os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv, "--inside"])

import contextlib
import ctypes
import json
import resource
import shutil
import signal
import time

from cli_kit import BASE, CLI, ENV, OUT, SHORT, TARGET, WAYS, Skip, Terminal, cli, findings, load, main, nothing_left, refused, test

FUSE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuse_folder.py")
MIB = 1 << 20
RUN = ["run", TARGET, "--no-library", "--interval", "0", "--warmup", "0", "--json", OUT + "/r.json"]
with open("/proc/self/uid_map", encoding="ascii") as map_file:
    IS_ROOT = map_file.read().split() == ["0", "0", "4294967295"] # else root of our own namespace only
LIBC = ctypes.CDLL(None, use_errno=True)
ENV["ASAN_OPTIONS"] = "detect_leaks=0" # a leak checker would wait for threads that hang in a dead file system


@contextlib.contextmanager
def mounted(kind, options, source="none", place=TARGET):
    subprocess.run(["mount", "-t", kind, "-o", options, source, place], check=True, stderr=subprocess.PIPE)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def unmount():
    """The kernel lets the ring of a killed program go a moment later."""
    end = time.monotonic() + 20
    while subprocess.run(["umount", TARGET], stderr=subprocess.DEVNULL).returncode != 0:
        assert time.monotonic() < end, "busy"
        time.sleep(0.1)


@contextlib.contextmanager
def served(*words):
    """fuse_folder.py on the target; what it gives is the serving process."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise Skip("/dev/fuse cannot be opened here")
    server = subprocess.Popen([sys.executable, FUSE, TARGET, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        end = time.monotonic() + 20
        while not os.path.ismount(TARGET):
            if server.poll() is not None:
                raise Skip("no FUSE mount here: " + server.stderr.read().decode().strip())
            assert time.monotonic() < end, "not mounted"
            time.sleep(0.02)
        yield server
    finally:
        server.kill()
        server.wait()
        subprocess.run(["umount", "-l", TARGET], stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def own_file_system():
    """Where nobody else uses or frees space."""
    image = BASE + "/image"
    with open(image, "wb") as file:
        file.truncate(400 * MIB)
    if IS_ROOT and shutil.which("mkfs.ext4") and subprocess.run(["mkfs.ext4", "-q", "-F", image]).returncode == 0 \
            and subprocess.run(["mount", "-o", "loop", image, TARGET], stderr=subprocess.DEVNULL).returncode == 0:
        try:
            yield "ext4"
        finally:
            unmount()
            os.unlink(image)
        return
    os.unlink(image)
    with mounted("tmpfs", "size=400m"):
        yield "tmpfs"


def free_bytes():
    fd = os.open(TARGET, os.O_RDONLY)
    try:
        assert LIBC.syncfs(fd) == 0
    finally:
        os.close(fd)
    info = os.statvfs(TARGET)
    return info.f_bfree * info.f_frsize


# ---- refused ----


@test
def read_only():
    with mounted("tmpfs", "ro,size=200m"):
        refused(3, ["run", TARGET], TARGET, "is mounted read-only")
        refused(3, ["fio", TARGET], "is mounted read-only")


@test
def full():
    """Not even the reserve is free; then no room for the file beside it. What was there stays as it was."""
    with mounted("tmpfs", "size=100m"):
        with open(TARGET + "/full", "wb") as file:
            file.write(bytes(90 * MIB))
        got = cli("run", TARGET, "--size", "8MiB")
        text = got.stderr.decode()
        assert got.returncode == 3 and text.count("\n") == 1 and got.stdout == b"", got
        assert "too little free space" in text and "64.0\u00a0MiB have to stay free" in text and "10.0\u00a0MiB are free" in text, text
        os.truncate(TARGET + "/full", MIB)
        got = cli("run", TARGET, "--size", "64MiB")
        text = got.stderr.decode().splitlines()[-1]
        assert got.returncode == 3 and "128\u00a0MiB are needed, the reserve that stays free included, and 99.0\u00a0MiB are free" in text, text
        assert os.listdir(TARGET) == ["full"] and free_bytes() == 99 * MIB


@test
def file_too_large():
    """As FAT32 does it with 4 GiB; here the limit is the process's own, which the same check sees."""
    got = cli("run", TARGET, "--size", "8MiB", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4 * MIB, 4 * MIB)))
    text = got.stderr.decode().splitlines()[-1]
    assert got.returncode == 3 and got.stdout == b"" and "cannot hold a file as large as the test size" in text and "4 GiB on FAT32" in text, got
    nothing_left()


@test
def fat():
    """A sparse FAT32 of 6 GiB: a file of 4 GiB is refused at once."""
    if not IS_ROOT or not shutil.which("mkfs.vfat"):
        raise Skip("needs root and mkfs.vfat")
    image = BASE + "/fat"
    with open(image, "wb") as file:
        file.truncate(6 << 30)
    subprocess.run(["mkfs.vfat", "-F", "32", image], check=True, stdout=subprocess.DEVNULL)
    if subprocess.run(["mount", "-t", "vfat", "-o", "loop", image, TARGET], stderr=subprocess.DEVNULL).returncode != 0:
        os.unlink(image)
        raise Skip("no vfat in this kernel or no loop device; the lab's guest has both (lab-refusals)")
    try:
        for size in ("4GiB", "5GiB"):
            got = cli("run", TARGET, "--size", size)
            text = got.stderr.decode().splitlines()[-1]
            assert got.returncode == 3 and "cannot hold a file as large as the test size" in text, got
            nothing_left()
    finally:
        unmount()
        os.unlink(image)


@test
def dead():
    """A file system whose server does not answer: each command says so or ends at Ctrl+C, and the others are listed."""
    with served() as server:
        server.send_signal(signal.SIGSTOP)
        for command in ("run", "fio"):
            began = time.monotonic()
            got = cli(command, TARGET + "/folder")
            text = got.stderr.decode()
            assert got.returncode == 3 and text.count("\n") == 1 and TARGET in text and "does not answer" in text and got.stdout == b"", got
            assert time.monotonic() - began < 5
        target, took = listed()
        assert target["reason"] == "no-answer" and not target["usable"], target
        assert took < 3, f"the list took {took:.1f} s" # it waits one
        assert b"It does not answer." in cli("list").stdout
        shutil.copy(os.path.join(os.path.dirname(FUSE), "documents", "t7.json"), OUT + "/t7.json")
        stopped, no_answer = "Stopped by a signal before it was done.", "does not answer"
        for words, said in ((["show", TARGET + "/x.json"], stopped), (["show", OUT + "/t7.json", "--csv", TARGET + "/x.csv"], stopped),
                            (["run", OUT, "--no-library", "--json", TARGET + "/r.json"], no_answer)):
            terminal = Terminal(*words)
            time.sleep(0.3)
            assert terminal.status is None
            terminal.type(b"\x03")
            took = terminal.end()
            assert terminal.status == 1 and took < 4, f"{words}: status {terminal.status}, {took:.1f} s"
            terminal.reader.join(5)
            assert [text in terminal.text for text in (stopped, no_answer)] == [said is stopped, said is no_answer], terminal.text
        assert os.listdir(OUT) == ["t7.json"], os.listdir(OUT)


def listed():
    """What list --json tells of the target, and the seconds it took."""
    began = time.monotonic()
    got = cli("list", "--json")
    took = time.monotonic() - began
    targets = {t["mount"]: t for d in json.loads(got.stdout)["drives"] for t in d["targets"]}
    assert got.returncode == 0 and len(targets) > 1 and [t for m, t in targets.items() if t["usable"] and m != TARGET], targets
    return targets[TARGET], took


@test
def slow():
    """A server at the other end of a slow line is waited for, but not for long."""
    with served("slow=0.1"):
        target, took = listed()
        assert target["usable"] and target["size_bytes"] == 8 << 30 and took < 2, (target, took)


# ---- measured, and said what it is ----


def measured(*words):
    got = cli(*RUN, *SHORT, *words)
    assert got.returncode == 0, got.stderr
    nothing_left()
    return load(OUT + "/r.json"), got.stdout.decode()


@test
def memory():
    with mounted("tmpfs", "size=400m"):
        before = free_bytes()
        document, text = measured()
        assert findings(document).get("memory-target") == "invalid", findings(document)
        assert {r["direct"] for t in document["tests"] for r in t["runs"]} == {"refuted"}
        assert "[invalid]" in text and "no drive was measured" in text
        assert before - free_bytes() <= 16 * MIB


@test
def fuse():
    with served():
        document, text = measured()
        assert findings(document).get("fuse-target") == "warning" and "not-direct" not in findings(document), findings(document)
        assert {r["direct"] for t in document["tests"] for r in t["runs"]} == {"unknown"}
        assert document["targets"][0]["file"]["name_visible"] is True and document["targets"][0]["filesystem"] == "fuse.served"


@test
def no_direct_io():
    """O_DIRECT refused at open, as tmpfs did before 6.6, or at the transfer: measured through the cache, and labelled so."""
    for word in ("refuse-open", "refuse-transfer"):
        with served(word):
            document, text = measured()
            assert document["targets"][0]["file"]["direct"] is False, (word, document["targets"][0]["file"])
            runs = [r for t in document["tests"] for r in t["runs"]]
            assert {(r["direct"], r["direct_reason"]) for r in runs} == {("refuted", "refused-o-direct")}, (word, runs)
            assert findings(document).get("not-direct") == "invalid", (word, findings(document))
            assert "refuted (the file system refused it)" in text and text.count("  not direct") == 2, (word, text)


# ---- ended on the way ----


@test
def in_preparing():
    """On a slow file system with a visible name: Ctrl+C, signals and a closed terminal while the file is written."""
    with served("delay=0.02"):
        for way, (act, said) in WAYS.items():
            terminal = Terminal(*RUN, "--size", "64MiB")
            terminal.wait_for(r"Preparing the test file: [1-9]")
            names = os.listdir(TARGET)
            assert len(names) == 1 and names[0].startswith("drivegauge-test-"), names
            act(terminal)
            took = terminal.end()
            assert terminal.status == 1 and took < 6, f"{way}: status {terminal.status}, {took:.1f} s: {terminal.text[-500:]!r}"
            nothing_left()
            document = load(OUT + "/r.json")
            assert document["state"] == "stopped" and not [r for t in document["tests"] for r in t["runs"]], way
            os.unlink(OUT + "/r.json")
            terminal.reader.join(5)
            assert said is None or f"Stopped by a signal ({said})" in terminal.text, f"{way}: {terminal.text[-500:]!r}"


@test
def every_end_gives_space_back():
    """Done, stopped, terminated, hung up, killed: no name at once, and the space after syncfs."""
    with own_file_system() as kind:
        before = free_bytes()
        words = [*RUN, "--size", "64MiB", "--test", "RND4K Q4T1", "--runs", "1"]

        def check(how, seconds=0):
            nothing_left()
            end = time.monotonic() + seconds
            while (lost := before - free_bytes()) > 16 * MIB and time.monotonic() < end:
                time.sleep(0.1)
            assert lost <= 16 * MIB, f"{how} on {kind}: {lost} bytes are missing"

        got = cli(*words, "--duration", "1")
        assert got.returncode == 0, got.stderr
        check("done")
        for way, pattern in (("Ctrl+C", "read: run 1"), ("SIGTERM", "write: run 1"), ("a closed terminal", "read: run 1"), ("SIGPIPE", "write: warming up")):
            more = ["--write-only"] if "write" in pattern else []
            terminal = Terminal(*words, "--duration", "30", "--warmup", "30" if "warming" in pattern else "0", *more)
            terminal.wait_for(pattern)
            WAYS[way][0](terminal)
            terminal.end()
            assert terminal.status == 1, (way, terminal.status)
            check(way)
        terminal = Terminal(*words, "--duration", "30")
        terminal.wait_for("read: run 1")
        os.kill(terminal.pid, signal.SIGKILL)
        terminal.end()
        check("SIGKILL", seconds=10) # the kernel lets a killed ring go a moment later
        got = cli("run", TARGET, "--size", "390MiB")
        assert got.returncode == 3, got
        check("too little space")


@test
def killed():
    """SIGKILL on a file system with a visible name: the one file is deleted, and told, at the next visit."""
    with served():
        terminal = Terminal(*RUN, "--size", "8MiB", "--duration", "30")
        terminal.wait_for("run 1")
        os.kill(terminal.pid, signal.SIGKILL)
        terminal.end()
        assert len(os.listdir(TARGET)) == 1, os.listdir(TARGET)
        got = cli(*RUN, *SHORT, "--read-only")
        assert got.returncode == 0 and b"Deleted 1 test file that a killed run had left" in got.stderr, got.stderr
        nothing_left()


@test
def space_ends_while_preparing():
    """Thin provisioning, quota: the file system promised more than it holds."""
    with served(f"holds={20 * MIB}"):
        got = cli(*RUN, "--size", "64MiB")
        text = got.stderr.decode().splitlines()[-1]
        assert got.returncode == 3 and got.stdout == b"", got
        assert text.endswith(f"There is too little free space in {TARGET}. Choose a smaller test size or make room."), text # no figure is known
        nothing_left()


def hang(server, pattern, *words):
    """No answer any more once the pattern is shown, then a stop; seconds until the result is written, and the result."""
    terminal = Terminal(*RUN, *words)
    terminal.wait_for(pattern)
    server.send_signal(signal.SIGSTOP)
    time.sleep(0.3) # what had been answered comes back
    os.kill(terminal.pid, signal.SIGTERM)
    began = time.monotonic()
    while not os.path.exists(OUT + "/r.json"):
        assert time.monotonic() - began < 6, "no result while the file system hangs"
        time.sleep(0.005)
    took = time.monotonic() - began
    time.sleep(0.5)
    server.send_signal(signal.SIGCONT)
    terminal.end()
    terminal.reader.join(5)
    assert terminal.status == 1 and ("still busy with the test file" in terminal.text or "no longer answers" in terminal.text), (
        terminal.status, terminal.text[-500:])
    document = load(OUT + "/r.json")
    if document["state"] == "abandoned" and os.listdir(TARGET): # what does not answer cannot be asked to delete
        assert len(os.listdir(TARGET)) == 1, os.listdir(TARGET)
        got = cli(*RUN, *SHORT, "--read-only")
        assert got.returncode == 0 and b"Deleted 1 test file" in got.stderr, got
    os.unlink(OUT + "/r.json")
    nothing_left()
    return took, document


@test
def hangs_on_the_way():
    """No answer any more: the result is written within two seconds of a stop, and why the process may stay is said."""
    for phase, states, pattern, *words in (
            ("preparing", ["stopped", "abandoned"], r"Preparing the test file: [1-9]", "--size", "64MiB"),
            ("measuring", ["abandoned"], r"run 1, [1-9]", "--size", "8MiB", "--duration", "30", "--test", "SEQ128K Q4T1")):
        for last in (False, True): # a machine with other things to do may be late once
            with served("delay=0.01" if phase == "preparing" else "delay=0") as server:
                took, document = hang(server, pattern, *words)
            print(f"# {phase}: written {took:.2f} s after the stop", flush=True)
            assert document["state"] in states, (phase, document["state"])
            if took <= 2:
                break
            assert not last, f"{phase}: written {took:.2f} s after the stop"


@test
def gone_on_the_way():
    """The server dies in a test: a failed result with the errors, not a crash and not a hang."""
    with served() as server:
        terminal = Terminal(*RUN, "--size", "8MiB", "--duration", "30")
        terminal.wait_for("run 1")
        server.kill()
        took = terminal.end()
        assert terminal.status == 1 and took < 6, (terminal.status, took, terminal.text[-500:])
        document = load(OUT + "/r.json")
        assert document["state"] == "failed" and findings(document).get("io-errors") == "invalid", (document["state"], findings(document))


# ---- where results go ----


@test
def library_full():
    """A result that cannot be kept is shown all the same, with the reason."""
    os.makedirs(BASE + "/data", exist_ok=True)
    with mounted("tmpfs", "size=64k", place=BASE + "/data"):
        fill(BASE + "/data/full")
        got = cli("run", TARGET, *SHORT, "--read-only")
        assert got.returncode == 0 and b"[Read]" in got.stdout, got
        line = [l for l in got.stderr.decode().splitlines() if "could not be saved" in l]
        assert len(line) == 1 and line[0].count(BASE) == 1 and "No space left on device" in line[0], got.stderr
    nothing_left()


@test
def output_full():
    """An output's file system is full: the reason, no half file, and what was there stays."""
    place = OUT + "/small"
    os.mkdir(place)
    with mounted("tmpfs", "size=64k", place=place):
        with open(place + "/r.json", "w") as file:
            file.write("kept")
        fill(place + "/full")
        got = cli("show", os.path.join(os.path.dirname(FUSE), "documents", "t7.json"), "--json", place + "/r.json", "--csv", OUT + "/r.csv")
        text = got.stderr.decode()
        assert got.returncode == 3 and text.count("\n") == 1 and "--json" in text and "No space left on device" in text, got
        assert sorted(os.listdir(place)) == ["full", "r.json"] and os.path.getsize(OUT + "/r.csv") > 100
        with open(place + "/r.json") as file:
            assert file.read() == "kept"


@test
def output_mounted():
    """A file that is a mount point, as containers have them, cannot be replaced: it is written."""
    document = os.path.join(os.path.dirname(FUSE), "documents", "t7.json")
    place, source = OUT + "/place", OUT + "/source"
    for path in (place, source):
        with open(path, "w") as file:
            file.write("old" * 100000)
    with mounted("none", "bind", source=source, place=place):
        got = cli("show", document, "--bbcode", place)
        assert got.returncode == 0 and got.stderr == b"", got
    with open(source) as file:
        text = file.read()
    assert text.startswith("[b]") and "old" not in text, text[:100]
    assert sorted(os.listdir(OUT)) == ["place", "source"], os.listdir(OUT)


@test
def output_ended():
    """Ended while an output is written to a slow drive: no half file is left."""
    document = os.path.join(os.path.dirname(FUSE), "documents", "t7.json")
    for way in ("Ctrl+C", "SIGTERM", "a closed terminal"):
        with served("delay=0.2"):
            terminal = Terminal("show", document, "--scale", "4", "--png", TARGET + "/r.png")
            end = time.monotonic() + 30
            while not any(entry.stat().st_size for entry in os.scandir(TARGET)):
                assert time.monotonic() < end and terminal.is_open, terminal.text
                time.sleep(0.01)
            WAYS[way][0](terminal)
            took = terminal.end()
            assert terminal.status == 1 and took < 3, f"{way}: status {terminal.status}, {took:.1f} s"
            nothing_left()


def fill(path):
    with open(path, "wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))


main()
