#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-readme.py SOURCE: the README's picture of the rooms is true: each folder is there, none is left out, and every #include follows an arrow; and
each file that the README names is there."""
import os
import re
import sys

source = sys.argv[1]
failed = 0


def check(condition, text):
    global failed
    if not condition:
        print("BAD: " + text, flush=True)
        failed += 1


def read(*path):
    with open(os.path.join(source, *path), encoding="utf-8") as file:
        return file.read()


readme = read("README.md")
tree = re.search(r"```\n(engine/.*?)```", readme, re.S).group(1)
rooms, top = [], ""
for indent, name in re.findall(r"^( *)(\w+)/", tree, re.M):
    top = top if indent else name
    rooms.append(top + "/" + name if indent else name)
named = {room for room in rooms if "/" not in room} | set(re.findall(r"  (\w+)/  ", tree)) - {os.path.basename(room) for room in rooms if "/" in room}
for name in named | set(rooms):
    check(os.path.isdir(os.path.join(source, name)), f"no folder {name}")
for name in os.listdir(source):
    if os.path.isdir(os.path.join(source, name)) and not name.startswith((".", "build", "_build")):
        check(name in named, f"the folder {name} is not in the picture")

for folder in ("app", "engine"):
    for name in os.listdir(os.path.join(source, folder)):
        room = folder + "/" + name
        check(not os.path.isdir(os.path.join(source, room)) or room in rooms, f"the folder {room} is not in the picture")

arrows = {name: set(to.split(", ")) for name, to in re.findall(r"`(\w+) → ([\w., ]+)`", readme)}
check(set(arrows) == {"gui", "cli", "report", "core"}, f"arrows: {arrows}")
face = {"engine/engine.h"} | set(re.findall(r'#include "(engine/[^"]+)"', read("engine", "engine.h")))


def room_of(path):
    return max((room for room in rooms if path.startswith(room + "/")), key=len, default="")


def may(of, to, path):
    if of == to:
        return True
    if of == "engine":
        return to == "engine/null" # a plan may name that backend; the others are the build's choice
    if of.startswith("engine"):
        return to == "engine"
    allowed = arrows.get(os.path.basename(of), set())
    return path in face if to == "engine" and "engine.h" in allowed else os.path.basename(to) in allowed


seen = 0
for folder, _, files in os.walk(source):
    for name in files:
        path = os.path.relpath(os.path.join(folder, name), source)
        of = room_of(path)
        if not name.endswith((".c", ".h")) or of.split("/")[0] not in ("app", "engine"):
            continue
        for other in re.findall(r'^#include "([^"]+)"', read(path), re.M):
            to = room_of(other)
            seen += to != ""
            check(to == "" or may(of, to, other), f"{path} includes {other}: no arrow goes from {of} to {to}")
check(seen > 500, f"only {seen} includes were seen")

for path in re.findall(r"\]\((?!http)([^)]+)\)", readme) + re.findall(r"`((?:app|data|engine|flatpak|po|tests)/[\w./-]+)`", readme):
    check(os.path.exists(os.path.join(source, path)), f"the README names {path}, which is not there")
print(f"{seen} includes, {len(rooms)} rooms")
sys.exit(1 if failed else 0)
