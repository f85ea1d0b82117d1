#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line from outside: bad input, help, list and fio lines. See cli_kit.py."""
import json
import os
import re
import resource
import shutil
import subprocess
import time

import bad_input
from cli_kit import BASE, ENV, OUT, SHORT, TARGET, Skip, cli, main, nothing_left, refused, test


# ---- what is wrong with the line: 2 ----


@test
def bad_lines():
    """Each is refused by the first sentence, before anything is looked at."""
    for words, parts in bad_input.lines(TARGET, OUT, "/"):
        refused(2, words, *parts)
    assert os.listdir(OUT) == []


@test
def edges():
    """The first and the last value of each range is taken."""
    accepted = [("--size", ("1MiB", "1048576", "16TiB", "1.5GiB", "1 GiB")), ("--runs", ("1", "9", "auto")), ("--duration", ("1", "60", "1.5")),
                ("--warmup", ("0", "60", "0.1")), ("--interval", ("0", "600")), ("--mix", ("1", "99")),
                ("--test", ("RND512 Q1T1", "SEQ64M Q1T1", "RND4K Q512T1", "SEQ1M Q1T64", "RND4K Q512T8", "RND4K Q64T64", "rnd4k q1t1"))]
    for option, values in accepted:
        for value in values:
            words = ["fio", TARGET, "--test", "SEQ64K Q1T1", option, value] if option == "--size" else ["fio", TARGET, option, value]
            got = cli(*words)
            assert got.returncode == 0 and got.stdout and got.stderr == b"", (words, got)
    refused(2, ["fio", TARGET, "--test", "RND4K Q513T1"], "512")
    refused(2, ["fio", TARGET, "--test", "RND4K Q512T9"], "RND4K Q512T9", "4096")
    nothing_left()


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
    refused(3, ["run", TARGET, "--size", "16TiB"], TARGET, "too little free space")


@test
def too_many_processes():
    """A user who may start no thread more: that is the reason, and not a drive that does not answer."""
    if os.geteuid() == 0:
        raise Skip("root may start as many as it likes")
    few = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    for words in (["run", TARGET], ["list"]):
        refused(3, words, "too little memory", preexec_fn=few)


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
def outputs_in_a_deleted_folder():
    """A relative name means nothing there: it is not taken for one below the root."""
    document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents", "t7.json")
    name, lost = os.path.basename(BASE) + ".csv", OUT + "/lost"
    for words in (["show", document], ["run", TARGET]):
        os.mkdir(lost)
        refused(3, [*words, "--csv", name], f"--csv: {name} cannot be written (No such file or directory)", cwd=lost, preexec_fn=lambda: os.rmdir(lost))
        assert not os.path.exists("/" + name)


@test
def outputs_too_large():
    """Past the limit of a user's files the kernel sends a signal that would end the program: a sentence, no half file, and the rest is there."""
    document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents", "t7.json")
    limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    got = cli("show", document, "--json", OUT + "/large.json", preexec_fn=limits)
    text = got.stderr.decode()
    assert got.returncode == 3 and text.count("\n") == 1 and "--json" in text and "File too large" in text and b"[Read]" in got.stdout, got
    assert os.listdir(OUT) == [], os.listdir(OUT)


@test
def bad_results():
    path = OUT + "/bad.json"
    for name, content in bad_input.documents():
        with open(path, "wb") as file:
            file.write(content)
        text = refused(3, ["show", path], path)
        assert text.count("bad.json") == 1, text
        if len(content) < 1 << 20:
            refused(3, ["show", path, "--png", OUT + "/never"], path)
    assert os.listdir(OUT) == ["bad.json"], os.listdir(OUT)
    with open(path, "wb") as file:
        file.truncate(100 * 1000 * 1000)
    refused(3, ["show", path])
    os.unlink(path)
    text = refused(3, ["show", path], "cannot be read: No such file or directory. ")
    assert text.count("bad.json") == 1, text
    refused(3, ["show", OUT], "it is a folder")
    refused(3, ["show", "00000000-0000-4000-8000-000000000000"], "00000000-0000-4000-8000-000000000000")
    refused(3, ["show", "/dev/zero"], "it is no ordinary file")
    refused(3, ["show", OUT + "/\x1b[2J\u202e" + "x" * 200], "\ufffd")
    if os.geteuid() != 0:
        open(path, "w").close()
        os.chmod(path, 0)
        refused(3, ["show", path], "Permission denied")
        os.unlink(path)
    os.symlink("bad.json", path)
    refused(3, ["show", path], path)
    refused(3, ["show", "/dev/null", "--json", path], "--json", "cannot be written")
    refused(3, ["run", path], path)
    os.unlink(path)
    os.mkfifo(path)
    refused(3, ["show", path], timeout=20)
    os.unlink(path)


# ---- help ----


def hostile(value, depth=0):
    """Each text of a document in place of which a drive, a file system or a person may have put something else."""
    words = "=1+1 \x1b[2J\u202e</b><b>&amp; |[b]\r\n`<script>" + "\u0416" * 10000
    keep = {"format", "version", "id", "started", "state", "direction", "kind", "axis", "statistic", "access", "origin", "severity"}
    if isinstance(value, dict):
        return {k: v if k in keep else hostile(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [hostile(v, depth + 1) for v in value]
    return words if isinstance(value, str) else value


@test
def hostile_result():
    """A document in which every name is hostile: shown in each form without a character that moves, hides or reorders what stands around it."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents", "t7.json"), encoding="utf-8") as file:
        document = hostile(json.load(file))
    path = OUT + "/hostile.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    for output in ("--text", "--markdown", "--bbcode", "--csv"):
        got = cli("show", path, output, "-")
        text = got.stdout.decode()
        assert got.returncode == 0 and got.stderr == b"", (output, got.stderr)
        assert not {c for c in text if c < " " and c not in "\r\n"} and "\u202e" not in text, output
        assert "\u0416" * 257 not in text and "\u0416" * 20 in text, output
        assert output != "--markdown" or not re.search(r"(?<!\\)<", text), text[:2000]
        assert output != "--csv" or not [c for line in text.splitlines() for c in line.split(",") if c[:1] in "=+@" and c], text[:2000]
    assert cli("show", path, "--png", OUT + "/hostile.png", "--scale", "2").returncode == 0 and os.path.getsize(OUT + "/hostile.png") > 10000


@test
def fio_lines_in_any_language():
    """Where people write 0,5, the script still says 0.5: it may run under another language."""
    place = BASE + "/locales/de_DE.UTF-8"
    os.makedirs(os.path.dirname(place))
    if not shutil.which("localedef") or subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", place], capture_output=True).returncode > 1:
        raise Skip("no locale with a decimal comma can be made")
    env = dict(ENV, LOCPATH=os.path.dirname(place), LC_ALL="de_DE.UTF-8")
    got = cli("fio", TARGET, "--test", "SEQ64K Q1T1", "--interval", "0.5", env=env)
    assert got.returncode == 0 and b"sleep 0.5" in got.stdout and b"0,5" not in got.stdout, got


@test
def outputs_full():
    """A device that takes nothing, a pipe that nobody reads: a sentence, and the other outputs are there."""
    document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents", "t7.json")
    for output in ("--json", "--png", "--text", "--csv"):
        got = cli("show", document, output, "/dev/full", "--markdown", OUT + "/r.md", "--bbcode", "-")
        text = got.stderr.decode()
        assert got.returncode == 3 and text.count("\n") == 1 and output in text and "/dev/full" in text and "No space left on device" in text, got
        assert os.path.getsize(OUT + "/r.md") > 100 and got.stdout.startswith(b"["), got.stdout[:100]
        os.unlink(OUT + "/r.md")
    for words in (["show", document], ["list"], ["list", "--json"], ["fio", TARGET], ["--help"], ["--version"]):
        with open("/dev/full", "w") as full:
            got = cli(*words, stdout=full)
        assert got.returncode == 3 and b"Standard output cannot be written (No space left on device)" in got.stderr, (words, got)
    for words in (["show", document], ["list"], ["list", "--json"], ["fio", TARGET]):
        reader, writer = os.pipe()
        os.close(reader)
        got = cli(*words, stdout=writer)
        os.close(writer)
        assert got.returncode == 1 and got.stderr == b"", (words, got) # as when "head" has read enough


@test
def output_of_libraries():
    """Who asks GLib for its debugging messages still gets a result, and nothing else, on standard output."""
    document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents", "t7.json")
    got = cli("show", document, "--json", "-", env=dict(ENV, G_MESSAGES_DEBUG="all"))
    assert got.returncode == 0 and json.loads(got.stdout)["format"] == "drivegauge-result" and b"DEBUG" in got.stderr, got.stderr


@test
def values_like_options():
    got = cli("fio", TARGET, "--test=--x")
    assert got.returncode == 2 and "--x" in got.stderr.decode() and "missing" not in got.stderr.decode(), got.stderr
    refused(2, ["run", TARGET, "--runs", "-1"], "-1", "1 to 9")


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
    # a file system's size stands beside its drive's: in the same kind of units
    assert re.search(r" \d[\d.]* [kMGT]?B ", table.stdout.decode()) and "iB " not in table.stdout.decode(), table.stdout


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


main()
