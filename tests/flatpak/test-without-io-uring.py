#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-without-io-uring.py HELPER CLI: where a filter refuses io_uring, the run is made by another backend, and the result says so; the same run without
the filter says nothing of it."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

helper, cli = sys.argv[1:3]
ARGUMENTS = ["--test", "RND4K Q4T1", "--runs", "1", "--duration", "1", "--warmup", "0", "--interval", "0", "--size", "16MiB", "--no-library", "--json", "-"]


def measure(prefix, *more):
    done = subprocess.run([*prefix, cli, "run", folder, *ARGUMENTS, *more], capture_output=True, text=True)
    if done.returncode == 77:
        print(done.stderr)
        sys.exit(77)
    return done


def backends(document):
    return {run["backend"] for test in document["tests"] for run in test["runs"]}


folder = tempfile.mkdtemp(prefix="drivegauge-no-io-uring-", dir="/var/tmp")
try:
    free = measure([])
    assert free.returncode == 0, free.stderr
    free = json.loads(free.stdout)
    if backends(free) != {"io_uring"}:
        print(f"io_uring cannot be had here anyhow ({backends(free)}): skipped")
        sys.exit(77)
    assert "fallback-backend" not in [f["id"] for f in free["findings"]]

    done = measure([helper])
    assert done.returncode == 0, done.stderr
    assert "io_uring" in done.stderr and "rror" not in done.stderr, done.stderr
    document = json.loads(done.stdout)
    assert document["state"] == "done" and len(document["tests"]) == 2
    assert backends(document) <= {"libaio", "threads"}, backends(document)
    assert all(test["shown"]["iops"] > 0 for test in document["tests"])
    found = [f for f in document["findings"] if f["id"] == "fallback-backend"]
    assert len(found) == 1 and found[0]["severity"] == "info" and found[0]["values"]["backend"] in backends(document), found

    asked = measure([helper], "--backend", "io_uring")
    assert asked.returncode == 3 and "io_uring" in asked.stderr, (asked.returncode, asked.stderr)
    print("runs by", backends(document), "and says:", found[0]["text"])
    print("asked for by name:", asked.stderr.strip())
finally:
    shutil.rmtree(folder)
