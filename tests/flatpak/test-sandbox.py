#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-sandbox.py ELSEWHERE: the installed Flatpak's command line in its sandbox: what it may not measure it refuses with the words that help, what it
measures it measures as outside. Run by `run` as a user without rights, with a session bus. ELSEWHERE: a folder outside of $HOME."""
import json
import math
import os
import re
import subprocess
import sys
import time

ID = "io.github.drivegauge.DriveGauge"
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


def later():
    """What appears in a permitted folder while the program runs is seen."""
    granted = os.path.join(home, "granted")
    process = subprocess.Popen(["flatpak", "run", "--user", "--command=sh", ID, "-c", 'read line; drivegauge-cli run "$line" "$@"', "sh", *SHORT],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
    time.sleep(2)
    stick = os.path.join(granted, "later")
    os.mkdir(stick)
    _, errors = process.communicate(stick + "\n", timeout=120)
    ok(process.returncode == 0, "a folder that comes later is measured", errors)
    os.rmdir(stick)


class Portal:
    """The document portal of this session; the newer one of another root tells the path outside."""

    def __init__(self, program):
        self.store = subprocess.Popen(["/usr/libexec/xdg-permission-store"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.portal = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while not os.path.ismount(os.path.join(os.environ["XDG_RUNTIME_DIR"], "doc")):
            if time.monotonic() > end or self.portal.poll() is not None:
                raise LookupError("the document portal did not come up")
            time.sleep(0.1)

    def export(self, folder):
        text = subprocess.run(["flatpak", "document-export", f"--app={ID}", "-r", "-w", folder], check=True, capture_output=True, text=True).stdout.strip()
        return text

    def end(self):
        for process in (self.portal, self.store):
            process.terminate()
            process.wait()


def portal():
    portal = Portal(["/usr/libexec/xdg-document-portal"])
    path = portal.export(elsewhere)
    got = sandbox("-c", 'ls -d "$1" && stat -f -c %T "$1"', "sh", path, command="sh")
    ok(got.returncode == 0 and "fuse" in got.stdout, "the portal's folder is there", said(got))
    got = sandbox("run", path, *SHORT)
    told = f"flatpak override --user --filesystem={elsewhere} {ID}" in said(got)
    untold = f"flatpak override --user --filesystem=FOLDER {ID}" in said(got)
    ok(got.returncode == 3 and "document portal" in said(got) and (told or untold), "it is refused, and what to permit is said", said(got))
    portal.end()
    root = os.environ.get("DRIVEGAUGE_NEWER_PORTAL", "")
    newer = os.path.join(root, "usr/libexec/xdg-document-portal")
    if not os.path.exists(newer):
        print(f"# no newer portal in {root or 'a second root'}: paths that a portal tells are not tried")
        return
    libraries = [os.path.join(root, "usr/lib", name) for name in os.listdir(os.path.join(root, "usr/lib")) if name.endswith("-linux-gnu")]
    loader = [os.path.join(root, "lib64", name) for name in os.listdir(os.path.join(root, "lib64")) if name.startswith("ld-linux")]
    portal = Portal([loader[0], "--library-path", ":".join(libraries), newer])
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


def interval(ratios):
    """95 % interval of the geometric mean of paired ratios (Student's t of n - 1)."""
    t = {4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}[len(ratios) - 1]
    logs = [math.log(r) for r in ratios]
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    return math.exp(mean - t * spread), math.exp(mean), math.exp(mean + t * spread)


def same_numbers():
    granted = os.path.join(home, "granted")
    arguments = ["run", granted, "--test", "SEQ1M Q8T1", "--test", "RND4K Q1T1", "--runs", "1", "--duration", "1", "--warmup", "0.2", "--interval", "0", "--size", "64MiB",
                 "--no-library", "--json", "-"]

    def native():
        return document(subprocess.run([os.path.join(home, "drivegauge-cli"), *arguments], capture_output=True, text=True, timeout=120))

    def inside():
        return document(sandbox(*arguments))

    def figures(result):
        found = {}
        for test in result["tests"]:
            run = test["runs"][test["shown"]["run"]]
            name = f"{test['name']} {test['direction']}"
            found[name, "bandwidth"] = run["bandwidth_bytes_per_s"]
            found[name, "processor time an I/O"] = run["cpu_ns"] / run["ios"]
        return found

    ratios = {}
    for pair in range(7):
        order = [native, inside] if pair % 2 == 0 else [inside, native]
        got = {function: figures(function()) for function in order}
        for key, value in got[native].items():
            ratios.setdefault(key, []).append(got[inside][key] / value)
    # eight intervals at once: each may miss once in twenty, so the whole is judged at the width that holds for all eight
    for key, values in sorted(ratios.items()):
        low, mean, high = interval(values)
        mean_log, widened = math.log(mean), 1.6
        low, high = math.exp(mean_log + (math.log(low) - mean_log) * widened), math.exp(mean_log + (math.log(high) - mean_log) * widened)
        ok(low <= 1 <= high and 0.4 < mean < 2.5, f"{key[0]}, {key[1]}: inside / outside = {mean:.3f} [{low:.3f}, {high:.3f}]", values)


wanted = os.environ.get("DRIVEGAUGE_PARTS", "").split()
for part in (refusals, later, portal, filtered, same_numbers):
    if wanted and part.__name__ not in wanted:
        continue
    try:
        part()
    except Exception as error:
        ok(False, f"{part.__name__}: {type(error).__name__}: {error}")
print(f"1..{number}")
sys.exit(failed)
