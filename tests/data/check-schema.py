#!/usr/bin/env python3
# Validates result documents against data/result.schema.json: the samples, and one that the program under test measures now. Strictly: a key that the
# schema does not describe is an error here, though readers allow it. Then damages documents and expects the schema to notice.
# usage: check-schema.py SOURCE_ROOT [CLI]
import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing: skipped")
    sys.exit(77)

root = sys.argv[1]
cli = sys.argv[2] if len(sys.argv) > 2 else None
schema = json.load(open(os.path.join(root, "data", "result.schema.json"), encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)


def strict(node):
    """The same schema without room for unknown keys; `values` of findings stay open."""
    if isinstance(node, dict):
        if "properties" in node and node.get("description") != "Figures of the sentence; `tests`: indices of all tests that it holds for" and "if" not in node:
            node = dict(node, additionalProperties=False)
        return {key: strict(value) for key, value in node.items() if key not in ("if", "then")} | {k: node[k] for k in ("if", "then") if k in node}
    return [strict(value) for value in node] if isinstance(node, list) else node


def errors(document, with_schema):
    validator = jsonschema.Draft202012Validator(with_schema)
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(document)]


def measure():
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "result.json")
        target = os.path.join(folder, "target")
        os.mkdir(target)
        command = [cli, "run", target, "--test", "RND4K Q4T1", "--mix", "70", "--runs", "2", "--duration", "1", "--warmup", "0.2", "--interval", "0", "--size", "16MiB",
                   "--no-library", "--json", out, "--comment", "Schema"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(" ".join(command), done.stderr, sep="\n")
            sys.exit(1)
        return json.load(open(out, encoding="utf-8"))


documents = {os.path.basename(path): json.load(open(path, encoding="utf-8")) for path in sorted(glob.glob(os.path.join(root, "tests", "app", "documents", "*.json")))}
assert documents, "no sample documents found"
if cli:
    documents["measured now"] = measure()
    assert [t["direction"] for t in documents["measured now"]["tests"]] == ["read", "write", "mix"]

failed = False
strict_schema = strict(schema)
for name, document in documents.items():
    found = errors(document, strict_schema)
    for line in found:
        print(f"{name}: {line}")
    failed |= bool(found)
    print(f"{name}: {'refused' if found else 'good'}")

# The schema must be able to refuse.
damages = {
    "format": lambda d: d.update(format="other"),
    "version": lambda d: d.update(version=2),
    "id": lambda d: d.update(id="../x"),
    "started": lambda d: d.update(started="yesterday"),
    "state": lambda d: d.update(state="running"),
    "no plan": lambda d: d.pop("plan"),
    "negative bytes": lambda d: d["tests"][0]["runs"][0].update(bytes=-1),
    "bytes as text": lambda d: d["tests"][0]["runs"][0].update(bytes="12"),
    "direct": lambda d: d["tests"][0]["runs"][0].update(direct="maybe"),
    "severity": lambda d: d["findings"].append({"id": "x", "severity": "bad", "text": "x"}),
    "identity": lambda d: d["targets"][0]["drive"].update(identity="serial 123"),
}
for what, damage in damages.items():
    document = copy.deepcopy(documents["t7.json"])
    damage(document)
    if not errors(document, schema):
        print(f"the schema does not notice: {what}")
        failed = True
# Unknown keys and tests are allowed.
document = copy.deepcopy(documents["t7.json"])
document["x"] = {"y": 1}
document["tests"].append({"kind": "weighing", "name": "Weight", "state": "done", "runs": "none"})
for line in errors(document, schema):
    print(f"unknown keys: {line}")
    failed = True
sys.exit(1 if failed else 0)
