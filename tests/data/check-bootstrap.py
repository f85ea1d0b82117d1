#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-bootstrap.py SOURCE: ./bootstrap and .ci/run in a copy of their own, on a system played by small scripts: what is missing is said, what is there is
not installed, and each result of the test runner is counted."""
import os
import shutil
import subprocess
import sys
import tempfile

source = sys.argv[1]
scratch = tempfile.mkdtemp(prefix="drivegauge-bootstrap-")
copy, tools = os.path.join(scratch, "copy"), os.path.join(scratch, "tools")
failed = 0


def check(condition, text):
    global failed
    print(("good: " if condition else "BAD: ") + text, flush=True)
    failed += not condition


def tool(name, script):
    path = os.path.join(tools, name)
    if os.path.lexists(path):
        os.unlink(path)
    if script is None:
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + script + "\n")
    os.chmod(path, 0o755)


def call(*words, **env):
    """(status, standard output, standard error), without a terminal and without a display."""
    got = subprocess.run(words, cwd=copy, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env={"PATH": tools, "HOME": scratch, **env})
    return got.returncode, got.stdout, got.stderr


def make_system():
    os.makedirs(os.path.join(copy, ".ci"))
    os.mkdir(tools)
    for name in ("bootstrap", ".ci/run"):
        shutil.copy(os.path.join(source, name), os.path.join(copy, name))
    for name in ("sh", "bash", "awk", "sort", "grep", "sed", "tr", "cat", "cp", "rm", "mkdir", "mv", "date", "dirname", "tee", "tail", "touch", "true", "env", "python3"):
        path = shutil.which(name)
        if path is None:
            print(name + " is missing: skipped")
            sys.exit(77)
        os.symlink(path, os.path.join(tools, name))
    tool("id", "echo 1000")
    tool("apt-get", 'echo "apt-get $*" >>"$HOME/called"')
    tool("dpkg-query", 'echo "install ok installed"')
    for name in ("cc", "ninja", "locale"):
        tool(name, "true")
    tool("git", "exit 1")
    tool("meson", 'echo "$*" >>"$HOME/meson"; case $1 in setup) mkdir -p "$2"; touch "$2/build.ninja" ;; esac')
    # The program itself only tells what it was called with.
    os.makedirs(os.path.join(copy, "build", "app", "cli"))
    program = os.path.join(copy, "build", "app", "cli", "drivegauge-cli")
    with open(program, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "called $*"\n')
    os.chmod(program, 0o755)


def called():
    path = os.path.join(scratch, "called")
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    if text:
        os.unlink(path)
    return text


def check_run():
    status, out, err = call("./bootstrap", "run", "/some where")
    words = out.split()
    check(status == 0 and out.startswith("called run /some where --json drivegauge-") and words[-4] == "--png" and words[-3].endswith(".png")
          and out.endswith("--text -\n"), f"run without a display measures: {out!r} {err!r}")
    check(words[-3][:-4] == words[words.index("--json") + 1][:-5] and words[-3] in err, f"its files are named: {err!r}")
    status, out, err = call("./bootstrap", "run", "/some where", "--size", "64 MiB")
    check(status == 0 and out.startswith("called run /some where --size 64 MiB --json drivegauge-"), f"more words go to the program: {out!r}")
    check(called() == "", "nothing is installed where nothing is missing, without asking for more rights")
    with open(os.path.join(scratch, "meson"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    check(lines[0].startswith("setup build ") and "-Dtests=disabled" in lines[0], f"who only measures waits for no tests: {lines}")
    check(lines[1].startswith("configure build ") and "tests" not in lines[1], f"a build that has them keeps them: {lines}")
    status, out, err = call("./bootstrap", "run")
    check(status == 0 and out.startswith("called run . --json"), "run measures the current folder")
    status, out, err = call("./bootstrap")
    check(status == 2 and "bootstrap run" in err and out == "", "without a word it tells the words")
    status, out, err = call("./bootstrap", "rnu")
    check(status == 2 and "bootstrap run" in err, "an unknown word is refused")


def check_place():
    """A clone of another user's, and one that was unpacked from an archive."""
    folder = os.path.join(copy, "build")
    os.chmod(folder, 0o500)
    if not os.access(folder, os.W_OK): # root may write everywhere
        status, out, err = call("./bootstrap", "run")
        check(status == 1 and err.count("\n") == 1 and "you may not write in" in err and out == "", f"another user's build: {err!r}")
    os.chmod(folder, 0o755)
    for name in ("tar", "xargs", "find", "mktemp", "chmod", "ln", "ls", "cut"):
        os.symlink(shutil.which(name), os.path.join(tools, name))
    tool("id", "echo 0")
    tool("chown", "true")
    tool("setpriv", 'ls -A >>"$HOME/seen"')
    tool("meson", RUNNER % ("none", '""', '""'))
    call("./bootstrap", "test")
    with open(os.path.join(scratch, "seen"), encoding="utf-8") as file:
        seen = set(file.read().split())
    check(seen == {"bootstrap", ".ci"}, f"without git the user without rights gets the tree, and nothing that was built: {seen}")
    tool("id", "echo 1000")
    shutil.rmtree(os.path.join(copy, "build", "test-logs"))


def check_missing():
    tool("dpkg-query", 'for last; do :; done; [ "$last" = libgtk-4-dev ] || echo "install ok installed"')
    for sudo, what in ((None, "no sudo"), ("exit 1", "a sudo that refuses")):
        tool("sudo", sudo)
        status, out, err = call("./bootstrap", "run")
        check(status == 1 and err.count("\n") == 1 and "libgtk-4-dev" in err and "As root" in err and "gcc" not in err and out == "", f"{what}: {err!r}")
        check(called() == "", f"{what}: nothing was tried")
    tool("sudo", '[ "$1" = -n ] && shift\n"$@"')
    status, out, err = call("./bootstrap", "run")
    check(status == 0 and "installing libgtk-4-dev" in err and out.startswith("called run"), f"with sudo it is installed: {err!r}")
    text = called()
    check("apt-get -q update" in text and text.endswith("libgtk-4-dev\n"), f"by apt-get: {text!r}")
    tool("apt-get", "exit 100")
    status, out, err = call("./bootstrap", "run")
    check(status == 1 and "could be installed" in err and "libgtk-4-dev" in err and out == "", f"apt-get fails: {err!r}")
    tool("apt-get", None)
    tool("meson", None)
    status, out, err = call("./bootstrap", "run")
    check(status == 1 and "meson is missing" in err and out == "", f"no package manager and no meson: {err!r}")
    tool("dpkg-query", 'echo "install ok installed"')
    tool("apt-get", "true")


RUNNER = '''case $1 in
setup) mkdir -p "$2"; touch "$2/build.ninja" ;;
test)
    folder=$3; shift 3
    while [ "$1" != --logbase ]; do shift; done
    mkdir -p "$folder/meson-logs"
    log=$2 status=0 i=0 names=
    case $log in %s) results=%s ;; *-again) results=%s ;; *) results="OK SKIP" ;; esac
    for name; do case $name in test-*) names="$names $name" ;; esac; done
    for result in $results; do
        i=$((i + 1)) name=test-$i
        case $log in *-again) name=$(echo $names | cut -d " " -f $i) ;; esac
        echo "{\\"name\\": \\"drivegauge:io / $name\\", \\"result\\": \\"$result\\"}"
        case $result in OK|SKIP|EXPECTEDFAIL) ;; *) status=1 ;; esac
    done >"$folder/meson-logs/$log.json"
    touch "$folder/meson-logs/$log.txt"
    exit $status ;;
esac'''


def check_count():
    for where, results, again, last, expected in (
            ("none", '""', '"unused"', ["4 passed, 0 failed, 4 skipped"], 0),
            ("asan", '"OK FAIL OK"', '"FAIL"', ["5 passed, 1 failed, 3 skipped"], 1),
            ("asan", '"OK FAIL OK"', '"OK"', ["passed at the second try only: io / test-2 (asan)", "6 passed, 0 failed, 3 skipped"], 0),
            ("slow", '"TIMEOUT OK ERROR"', '"OK TIMEOUT"', ["passed at the second try only: io / test-1 (slow)", "5 passed, 1 failed, 3 skipped"], 1),
            ("slow", '"FAIL FAIL FAIL FAIL"', '"OK OK OK OK"', ["3 passed, 4 failed, 3 skipped"], 1), # too many for chance
            ("user", '"ERROR INTERRUPT UNEXPECTEDPASS EXPECTEDFAIL"', '"ERROR FAIL FAIL"', ["4 passed, 3 failed, 3 skipped"], 1)):
        tool("meson", RUNNER % (where, results, again))
        for script in ("./bootstrap test", ".ci/run"):
            status, out, err = call(*(script.split() if script != ".ci/run" else ["bash", ".ci/run"]))
            lines = out.splitlines()
            check(status == expected and lines[-len(last):] == last, f"{script}, {results} in {where}, then {again}: status {status}, {lines[-2:]} {err[-300:] if status not in (0, 1) else ''}")
    tool("ninja", "exit 1")
    status, out, err = call("bash", ".ci/run")
    check(status == 1 and out.splitlines()[-1:] == ["0 passed, 1 failed, 0 skipped"], f"a build that fails is a failure: {status} {out[-200:]!r}")


try:
    make_system()
    check_run()
    check_place()
    check_missing()
    check_count()
finally:
    shutil.rmtree(scratch, ignore_errors=True)
sys.exit(1 if failed else 0)
