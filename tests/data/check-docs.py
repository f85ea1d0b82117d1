#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-docs.py CLI MAN COMPLETION: each option of --help stands in the man page, the page is good roff, the completion completes."""

import re
import shutil
import subprocess
import sys

cli, man, completion = sys.argv[1:4]
with open(man, encoding="utf-8") as file:
    page = file.read().replace("\\-", "-")
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
if shutil.which("groff"):
    made = subprocess.run(["groff", "-k", "-Tutf8", "-man", "-ww", "-z", man], stderr=subprocess.PIPE)
    assert made.returncode == 0 and made.stderr == b"", made.stderr.decode()
