#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-sandbox.py ELSEWHERE: the installed Flatpak's command line in its sandbox: what it may not measure it refuses with the words that help, what it
measures it measures as outside. Run by `run` as a user without rights, with a session bus. ELSEWHERE: a folder outside of $HOME."""
import json
import math
import os
import re
import shlex
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from portal import FLATPAK_ID as ID, Portal, ask, newer_portal

elsewhere = sys.argv[1]
home = os.environ["HOME"]
SHORT = ["--test", "RND4K Q4T1", "--runs", "1", "--duration", "1", "--warmup", "0", "--interval", "0", "--size", "16MiB", "--no-library"]
number = 0
failed = False


def ok(condition, text, more=""):
    global number, failed
    number += 1
    print(f"{'ok' if condition else 'not ok'} {number} - {text}", flush=True)
    if not condition:
        failed = True
        print(f"# {more}", flush=True)


def sandbox(*arguments, options=(), command="drivegauge-cli"):
    return subprocess.run(["flatpak", "run", "--user", f"--command={command}", *options, ID, *arguments], capture_output=True, text=True, timeout=120, cwd="/")


def said(done):
    return done.stderr.replace("\n", " ")


def document(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusals():
    granted = os.path.join(home, "granted")
    os.makedirs(granted, exist_ok=True)
    got = sandbox("run", granted, *SHORT, "--json", "-")
    ok(got.returncode == 0 and document(got)["targets"][0]["path"] == granted, "a folder that is permitted is measured", said(got))
    ok(os.listdir(granted) == [], "nothing is left in it")
    filesystem = os.statvfs(granted)
    ok(abs(document(got)["targets"][0]["size_bytes"] - filesystem.f_blocks * filesystem.f_frsize) < 1 << 20, "the file system is the host's")

    got = sandbox("run", granted, *SHORT, options=["--nofilesystem=home"])
    ok(got.returncode == 3 and "does not exist" not in said(got) and f"flatpak override --user --filesystem=home {ID}" in said(got),
       "without the permission the folder is not there, and the permission is named", said(got))
    probe = "cd && dd if=/dev/zero of=x bs=4096 count=1 oflag=direct 2>/dev/null && stat -f -c %T . && rm x"
    got = sandbox("-c", probe, command="sh", options=["--nofilesystem=home"])
    memory = got.stdout.strip() == "tmpfs"
    ok(memory, "the home without permission is memory that takes direct writes: the trap is real here", got.stdout + got.stderr)
    got = sandbox("run", home, *SHORT, options=["--nofilesystem=home"])
    ok(got.returncode == 3 and "is memory of the Flatpak" in said(got) and f"--filesystem=home {ID}" in said(got) and f"/.var/app/{ID}/cache" in said(got),
       "it is refused, with the permission and the folder that help", said(got))
    cache = re.search(r"or choose (\S+), which", said(got))
    got = sandbox("run", cache.group(1) if cache else "/nowhere", *SHORT, options=["--nofilesystem=home"])
    ok(got.returncode == 0, "the folder that it names can be measured", said(got))
    got = sandbox("list", "--json", options=["--nofilesystem=home"])
    targets = [t for d in document(got)["drives"] for t in d["targets"]]
    ok(not any(t["usable"] and t["filesystem"] == "tmpfs" for t in targets), "no memory is offered in the list", targets)

    got = sandbox("run", elsewhere, *SHORT)
    ok(got.returncode == 3 and f"flatpak override --user --filesystem={elsewhere} {ID}" in said(got), "a folder without permission names its own", said(got))
    got = sandbox("run", elsewhere, *SHORT, options=[f"--filesystem={elsewhere}"])
    ok(got.returncode == 0, "and with it is measured", said(got))
    got = sandbox("run", os.path.join(granted, "nothing"), *SHORT)
    ok(got.returncode == 3 and "does not exist" in said(got) and "flatpak" not in said(got), "what is missing within a permission is an ordinary mistake", said(got))
    late = os.path.join(elsewhere, "late")
    got = sandbox("run", os.path.join(late, "stick"), *SHORT, options=[f"--filesystem={late}"])
    ok(got.returncode == 3 and f"{late} did not exist yet when Drive Gauge was started" in said(got) and "start it again" in said(got),
       "a permitted folder that was not there at the start is explained", said(got))


class Inside:
    """A command line that stays in one sandbox: what it was given at its start is all that it has."""

    def __init__(self):
        script = 'while read -r words; do eval "drivegauge-cli $words"; echo "ended $?"; done'
        self.process = subprocess.Popen(["flatpak", "run", "--user", "--command=sh", ID, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, cwd="/")

    def run(self, *words):
        """Exit status and all that it said."""
        self.process.stdin.write(" ".join(shlex.quote(word) for word in words) + "\n")
        self.process.stdin.flush()
        text = ""
        for line in self.process.stdout:
            end = re.fullmatch(r"ended (\d+)\n", line)
            if end:
                return int(end.group(1)), text
            text += line
        raise LookupError(f"the sandbox ended: {text}")

    def target(self, place):
        status, text = self.run("list", "--json")
        assert status == 0, text
        return next((t for d in json.loads(text)["drives"] for t in d["targets"] if t["mount"] == place), None)

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


def until(function, seconds=15):
    end = time.monotonic() + seconds
    while not function() and time.monotonic() < end:
        time.sleep(0.3)
    return function()


def later():
    """What appears in a permitted folder while the program runs is seen: a folder, and a file system mounted by someone else."""
    inside = Inside()
    inside.run("--version")
    folder = os.path.join(home, "granted", "later")
    os.makedirs(folder)
    status, text = inside.run("run", folder, *SHORT)
    ok(status == 0, "a folder that comes later is measured", text)
    os.rmdir(folder)

    stick = os.environ.get("DRIVEGAUGE_STICK", "")
    if not stick:
        print("# no file system can be mounted here: a stick that is plugged in later is not tried")
        inside.end()
        return
    ok(inside.target(stick) is None, "nothing is listed where no stick is")
    ok(ask("plug") == "done", "it is plugged in")
    try:
        target = until(lambda: inside.target(stick))
        ok(target and target["usable"] and target["filesystem"] == "ext4", f"it shows up in the sandbox that was there before: {stick}", target)
        status, text = inside.run("run", stick, *SHORT, "--json", os.path.join(home, "stick.json"))
        ok(status == 0, "and is measured", text)
        with open(os.path.join(home, "stick.json")) as file:
            target = json.load(file)["targets"][0]
        ok((target["path"], target["filesystem"], target["drive"]["name"][:4]) == (stick, "ext4", "loop"), "as the file system and the device that it is", target)
        ok(os.listdir(stick) == ["lost+found"], "nothing is left on it", os.listdir(stick))
    finally:
        unplugged = ask("unplug")
    ok(unplugged == "done", "the sandbox does not hold it when it is unmounted", unplugged)
    ok(until(lambda: inside.target(stick) is None), "and then it is gone from the list")
    inside.end()


def portal():
    portal = Portal()
    path = portal.export(elsewhere)
    got = sandbox("-c", 'ls -d "$1" && stat -f -c %T "$1"', "sh", path, command="sh")
    ok(got.returncode == 0 and "fuse" in got.stdout, "the portal's folder is there", said(got))
    got = sandbox("run", path, *SHORT)
    told = f"flatpak override --user --filesystem={elsewhere} {ID}" in said(got)
    untold = f"flatpak override --user --filesystem=FOLDER {ID}" in said(got)
    ok(got.returncode == 3 and "document portal" in said(got) and (told or untold), "it is refused, and what to permit is said", said(got))
    portal.end()
    newer = newer_portal()
    if newer is None:
        print("# no newer portal in a second root: paths that a portal tells are not tried")
        return
    portal = Portal(newer)
    inner = os.path.join(home, "granted")
    path = portal.export(elsewhere)
    got = sandbox("run", path, *SHORT)
    ok(got.returncode == 3 and f"flatpak override --user --filesystem={elsewhere} {ID}" in said(got) and elsewhere + " comes through" in said(got),
       "a portal that tells the path outside: that folder's permission is named", said(got))
    path = portal.export(inner)
    got = sandbox("run", path, *SHORT, "--json", "-")
    ok(got.returncode == 0 and document(got)["targets"][0]["path"] == inner, "where that path is permitted, it is used", said(got))
    portal.end()


def filtered():
    granted = os.path.join(home, "granted")
    got = sandbox(os.path.join(home, "without-io-uring"), "drivegauge-cli", "run", granted, *SHORT, "--json", "-", command="env")
    backends = {r["backend"] for t in document(got)["tests"] for r in t["runs"]}
    found = [f["id"] for f in document(got)["findings"]]
    ok(backends <= {"libaio", "threads"} and "fallback-backend" in found, f"without io_uring it is {backends}, and the result says so", found)
    got = sandbox("run", granted, *SHORT, "--json", "-")
    ok({r["backend"] for t in document(got)["tests"] for r in t["runs"]} == {"io_uring"}, "with it, it is used")


# Student's t of n - 1 for eight intervals that hold all at once in 95 of 100 cases (two sides, 0.05 / 8)
STUDENT = {6: 4.115, 7: 3.855, 8: 3.677, 9: 3.547, 10: 3.448, 11: 3.370, 12: 3.308, 13: 3.256, 14: 3.214}
# A comparison that could not tell this much apart says nothing: more pairs are made until it can.
NARROW = {"bandwidth": 1.3, "processor time an I/O": 1.15}


def interval(ratios):
    """The geometric mean of paired ratios, and the factor by which the true one may lie beside it."""
    logs = [math.log(r) for r in ratios]
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    return math.exp(mean), math.exp(STUDENT[len(ratios) - 1] * spread)


def figures(result):
    found = {}
    for test in result["tests"]:
        run = test["runs"][test["shown"]["run"]]
        name = f"{test['name']} {test['direction']}"
        found[name, "bandwidth"] = run["bandwidth_bytes_per_s"]
        found[name, "processor time an I/O"] = run["cpu_ns"] / run["ios"]
    return found


def compare(words, most, only_inside=()):
    """Ratios of inside to outside for each figure, of alternate pairs: 7, or as many up to `most` as it takes to be narrow."""
    granted = os.path.join(home, "granted")
    os.makedirs(granted, exist_ok=True)
    arguments = ["run", granted, *words, "--runs", "1", "--duration", "1", "--warmup", "0.2", "--interval", "0", "--size", "64MiB", "--no-library", "--json", "-"]

    def native():
        return document(subprocess.run([os.path.join(home, "drivegauge-cli"), *arguments], capture_output=True, text=True, timeout=120))

    def inside():
        return document(sandbox(*arguments, *only_inside))

    ratios = {}
    for pair in range(most):
        order = [native, inside] if pair % 2 == 0 else [inside, native]
        got = {function: figures(function()) for function in order}
        for key, value in got[native].items():
            ratios.setdefault(key, []).append(got[inside][key] / value)
        if pair >= 6 and all(interval(values)[1] <= NARROW[key[1]] for key, values in ratios.items()):
            break
    return ratios


def same_numbers():
    ratios = compare(["--test", "SEQ1M Q8T1", "--test", "RND4K Q1T1"], 15)
    ok(len(ratios) == 8, "two tests, two directions, two figures each", ratios)
    for key, values in sorted(ratios.items()):
        mean, factor = interval(values)
        shown = f"{key[0]}, {key[1]}: inside / outside = {mean:.3f} [{mean / factor:.3f}, {mean * factor:.3f}] of {len(values)} pairs"
        if mean / factor <= 1 <= mean * factor and factor > NARROW[key[1]]:
            shown += f" # SKIP too unsteady here to tell {NARROW[key[1]] - 1:.0%} apart"
        ok(mean / factor <= 1 <= mean * factor, shown, values)


def other_numbers():
    """The same comparison does tell apart what is not the same: threads inside against io_uring outside."""
    values = compare(["--test", "RND4K Q8T1", "--read-only"], 7, ["--backend", "threads"])["RND4K Q8T1 read", "processor time an I/O"]
    mean, factor = interval(values)
    ok(mean / factor > 1, f"another backend is told apart by its processor time an I/O: {mean:.3f} [{mean / factor:.3f}, {mean * factor:.3f}]", values)


wanted = os.environ.get("DRIVEGAUGE_PARTS", "").split()
for part in (refusals, later, portal, filtered, same_numbers, other_numbers):
    if wanted and part.__name__ not in wanted:
        continue
    try:
        part()
    except Exception as error:
        ok(False, f"{part.__name__}: {type(error).__name__}: {error}")
print(f"1..{number}")
sys.exit(failed)
