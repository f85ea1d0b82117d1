# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line must refuse, on every system: one list for test-cli.py and tests/windows/check-cli.py."""

import os

NUMBERS = ["-1", "1e9", "nan", "inf", "", "12XB", "0x1", " 1", "1 ", "99999999999999999999999"]
RANGES = {
    "--size": (["0", "1048575", "1MB", "17TiB", "1PiB", "1,5GiB"], "1 MiB to 16 TiB"),
    "--runs": (["0", "10", "1.5", "AUTO"], "1 to 9"),
    "--duration": (["0.9", "60.1", "1s", "2,5"], "1 to 60"),
    "--warmup": (["60.1"], "0 to 60"),
    "--interval": (["600.1"], "0 to 600"),
    "--mix": (["0", "100", "50.5", "50%"], "1 to 99"),
    "--scale": (["0", "5", "1.5"], "1 to 4"),
}
TESTS = ["RND3K", "RND3K Q1T1", "RND256 Q1T1", "SEQ128M Q1T1", "RND4K Q0T1", "RND4K Q513T1", "RND4K Q1T0", "RND4K Q1T65", "RND4K Q128T64", "",
         "SEQ1M", "SEQ1M Q1T1 x", "x" * 10000]


def commands(target):
    return [
        ([], ["command is missing", "--help"]),
        (["measure"], ["measure", "--help"]),
        (["--frobnicate"], ["--frobnicate"]),
        (["compare"], ["compare"]),
        (["list", "x"], ["x"]),
        (["run"], ["TARGET is missing"]),
        (["run", ""], ["TARGET is missing"]),
        (["run", target, "another"], ["another", "too many"]),
        (["show"], ["RESULT is missing"]),
        (["fio"], ["TARGET is missing"]),
        (["run", target, "--frobnicate"], ["--frobnicate", "run --help"]),
        (["run", target, "-x"], ["-x"]),
        (["run", target, "--size"], ["--size", "missing"]),
        (["run", target, "--json", "--csv", "x"], ["--json", "missing"]),
        (["run", target, "--comment", "--dark"], ["--comment", "missing"]),
        (["run", target, "--json", "--", "x"], ["--json", "missing"]),
        (["run", target, "--read-only=yes"], ["--read-only", "no value"]),
        (["list", "--size", "1GiB"], ["--size"]),
        (["show", "x", "--profile", "default"], ["--profile"]),
        (["fio", target, "--json", "x"], ["--json"]),
        (["run", target, "--\x1b[31m\u202e"], ["\ufffd"]),
    ]


def values(target):
    made = [(["run", target, f"{option}={value}"], [option, part]) for option, (own, part) in RANGES.items() for value in own + NUMBERS]
    return made + [
        (["run", target, "--size", "12XB"], ["--size", "12XB", "64MiB"]),
        (["run", target, "--duration", "2,5"], ["like 2 or 2.5."]),  # an example that is within every range
        (["fio", target, "--size", "12XB"], ["--size", "12XB"]),
    ]


def names(target):
    return [
        (["run", target, "--profile", "fast"], ["fast", "default, nvme, flash, peak, peak-nvme, real-world, demo"]),
        (["run", target, "--profile", ""], ["--profile"]),
        (["run", target, "--backend", "null"], ["null", "io_uring"]),
        (["run", target, "--backend", ""], ["--backend"]),
        (["run", target, "--data", "ones"], ["ones", "random, zero"]),
        (["run", target, "--statistic", "mean"], ["mean", "median, best"]),
        (["run", target, "--directions", "read,delete"], ["delete"]),
        (["run", target, "--directions", ""], ["--directions"]),
        (["run", target, "--directions", "read,"], ["--directions"]),
        (["run", target, "--read-only", "--write-only"], ["exclude"]),
        (["run", target, "--read-only", "--directions", "read"], ["exclude"]),
    ] + [(["run", target, "--test", bad], ["--test", "SEQ1M Q8T1"]) for bad in TESTS] + [
        (["run", target, "--test", "SEQ64M Q512T8"], ["SEQ64M Q512T8", "buffers"]),
        (["run", target, "--test", "SEQ1M Q1T64", "--size", "32MiB"], ["32 MiB", "too small"]),
    ]


def outputs(target, out, slash):
    a, b = out + slash + "a", out + slash + "b"
    same = slash.join([out, "..", "out", "a"])
    return [
        (["run", target, "--json", "-", "--csv", "-"], ["--json", "--csv", "standard output"]),
        (["run", target, "--json", a, "--csv", a], ["same file"]),
        (["run", target, "--json", a, "--csv", same], ["same file"]),
        (["run", target, "--json", ""], ["--json"]),
        (["run", target, "--json", a, "--json", b], ["--json", "once"]),
    ]


def lines(target, out, slash):
    """(words, parts of the sentence) that end with status 2. `out` is a folder called "out"; all paths as the program writes them."""
    return commands(target) + values(target) + names(target) + outputs(target, out, slash)


def documents():
    """(name, content) of files that are no result; status 3."""
    good = b'{"format": "drivegauge-result", "version": 1}'
    return [
        ("empty", b""), ("damaged", good[:-9]), ("an array", b"[]"), ("random", os.urandom(100000)), ("deep", b"[" * 100000 + b"]" * 100000),
        ("another format", b'{"format": "x", "version": 1}'), ("newer", b'{"format": "drivegauge-result", "version": 2}'),
        ("not UTF-8", b'{"format": "drivegauge-result", "version": 1, "id": "\xff"}'), ("zeros", b"\0" * 4096),
        ("deep objects", b'{"a":' * 100000 + b"1" + b"}" * 100000), ("a million and one", good[:-1] + b', "tests": [' + b"0," * 1000000 + b"0]}"),
        ("a long line", good[:-1] + b', "comment": "' + b"x" * (20 << 20)),
    ]
