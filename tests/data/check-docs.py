#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-docs.py SOURCE CLI MAN COMPLETION [WINDOW MAN]: each option of --help stands in the man page, the pages are good roff, the completion completes;
the window's page names its options and exactly the keys that the window has."""

import os
import re
import shutil
import subprocess
import sys

source, cli, man, completion, *window = sys.argv[1:]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


page = read(man).replace("\\-", "-")
wanted = set()
for command in ("list", "run", "show", "fio"):
    text = subprocess.run([cli, command, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    options = set(re.findall(r"^ .*?(--[a-z-]+)", text, re.M))
    assert len(options) >= 2, (command, text)
    wanted |= options
    words = subprocess.run(
        ["bash", "-c", f'. "$0"; COMP_WORDS=(drivegauge-cli {command} --); COMP_CWORD=2; _drivegauge_cli; printf "%s\\n" "${{COMPREPLY[@]}}"', completion],
        stdout=subprocess.PIPE, check=True).stdout.decode().split()
    assert set(words) == options, (command, set(words) ^ options)
assert len(wanted) > 25, wanted
for option in wanted:
    assert f"fB{option}\\fR" in page, f"{option} is not in the man page"
words = subprocess.run(
    ["bash", "-c", '. "$0"; COMP_WORDS=(drivegauge-cli run . --profile p); COMP_CWORD=4; _drivegauge_cli; printf "%s\\n" "${COMPREPLY[@]}"', completion],
    stdout=subprocess.PIPE, check=True).stdout.decode().split()
assert words == ["peak", "peak-nvme"], words
if window:
    window_page = read(window[1]).replace("\\-", "-")
    text = subprocess.run([window[0], "--help"], stdout=subprocess.PIPE, check=True, env={k: v for k, v in os.environ.items() if "DISPLAY" not in k}).stdout.decode()
    options = set(re.findall(r"^ .*?(--[a-z]+) ", text, re.M))
    assert {"--open", "--help"} <= options, text
    for option in options:
        assert re.search(rf"^\.B (-h, )?{option}$", window_page, re.M), f"{option} is not in the window's page"
    table = re.findall(r"{ GDK_KEY_(\w+), (0|GDK_[A-Z_| ]+), \"win", read(os.path.join(source, "app", "gui", "window-actions.c")))
    keys = {("Ctrl+" if "CONTROL" in modifiers else "") + ("Shift+" if "SHIFT" in modifiers else "") + {"comma": ","}.get(key, key.upper()) for key, modifiers in table}
    told = window_page[window_page.index(".SH KEYS"):window_page.index(".SH FILES")]
    told = {key for line in re.findall(r"^\.B (.*)$", told, re.M) for key in line.split(", ")} - {"Left", "Right", "T"}
    assert len(keys) > 8 and told == keys, told ^ keys
if shutil.which("groff"):
    for path in [man, *window[1:]]:
        made = subprocess.run(["groff", "-k", "-Tutf8", "-man", "-ww", "-z", path], stderr=subprocess.PIPE)
        assert made.returncode == 0 and made.stderr == b"", made.stderr.decode()
