#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-install.py BUILD VERSION: installs into a folder of its own and uses what stands there: every file a distribution expects, programs that run,
translations that are found, and result files that the desktop knows at sight and opens with this program."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

build, version = sys.argv[1:3]
ID = "io.github.drivegauge.DriveGauge"
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
scratch = tempfile.mkdtemp(prefix="drivegauge-install-", dir="/var/tmp")


def check(condition, text):
    print(("good: " if condition else "BAD: ") + text)
    if not condition:
        raise SystemExit(1)


def run(*command, **keywords):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **keywords).stdout


def desktop_checks(prefix):
    """What the desktop makes of it, with only these data folders."""
    if subprocess.run(["/usr/bin/python3", "-c", "import gi"], stderr=subprocess.DEVNULL).returncode != 0:
        print("python3-gi is missing: what the desktop makes of it is not checked")
        return
    for tool in ("update-mime-database", "update-desktop-database"):
        if not shutil.which(tool):
            print(f"{tool} is missing: what the desktop makes of it is not checked")
            return
    share = os.path.join(prefix, "share")
    # the system's own types, which ours are a part of
    for package in glob.glob("/usr/share/mime/packages/freedesktop.org.xml"):
        shutil.copy(package, os.path.join(share, "mime", "packages"))
    run("update-mime-database", os.path.join(share, "mime"), env=dict(os.environ, PKGSYSTEM_ENABLE_FSYNC="0"))
    run("update-desktop-database", os.path.join(share, "applications"))
    environment = dict(os.environ, XDG_DATA_DIRS=share, XDG_DATA_HOME=os.path.join(scratch, "data"), XDG_CONFIG_HOME=os.path.join(scratch, "config"),
                       PATH=os.path.join(prefix, "bin") + ":" + os.environ["PATH"])
    text = run("/usr/bin/python3", "-c", """
import json, sys
from gi.repository import Gio
found = {}
for path in sys.argv[1:]:
    with open(path, 'rb') as file:
        kind, uncertain = Gio.content_type_guess(path, file.read(4096))
    opener = Gio.AppInfo.get_default_for_type(kind, False)
    found[path] = [Gio.content_type_get_mime_type(kind), opener.get_id() if opener else None]
application = Gio.DesktopAppInfo.new('io.github.drivegauge.DriveGauge.desktop')
found['actions'] = application.list_actions()
print(json.dumps(found))
""", *documents(), env=environment)
    found = json.loads(text)
    kind = "application/vnd.drivegauge.result+json"
    for path in documents()[:-1]:
        check(found[path] == [kind, ID + ".desktop"], f"{os.path.basename(path)} is a result and is opened by this program: {found[path]}")
    check(found[documents()[-1]][0] == "application/json", f"other JSON stays other JSON: {found[documents()[-1]]}")
    check(found["actions"] == ["open"], "the desktop knows the action")


def documents():
    return [os.path.join(scratch, name) for name in ("named.drivegauge.json", "5f0c3d0e-8a0e-4d0b-9f6a-2b1c7d9e4a11.json", "Drive Gauge T7 2026-11-30 1200.json",
                                                     "without-name", "other.json")]


def made_again():
    """A translation that changes is in these files with the next build."""
    if not shutil.which("ninja"):
        print("ninja is missing: what is made again is not checked")
        return
    for name in (f"{ID}.desktop", f"{ID}.metainfo.xml", f"{ID}.xml"):
        inputs = run("ninja", "-C", build, "-t", "query", f"data/{name}").splitlines()
        check(any(line.strip(" |").endswith("po/ru.po") for line in inputs) and any(line.strip(" |").endswith("po/LINGUAS") for line in inputs),
              f"{name} is made again when a catalogue changes")


def main():
    made_again()
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", scratch)
    options = {option["name"]: option["value"] for option in json.loads(run("meson", "introspect", "--buildoptions", build))}
    prefix = scratch + options["prefix"]
    window = os.path.exists(os.path.join(prefix, "bin", "drivegauge"))
    wanted = ["bin/drivegauge-cli", "share/man/man1/drivegauge-cli.1", "share/bash-completion/completions/drivegauge-cli", "share/drivegauge/result.schema.json",
              "share/locale/ru/LC_MESSAGES/drivegauge.mo"]
    if window:
        wanted += ["bin/drivegauge", "share/man/man1/drivegauge.1", f"share/applications/{ID}.desktop", f"share/metainfo/{ID}.metainfo.xml",
                   f"share/mime/packages/{ID}.xml", f"share/icons/hicolor/scalable/apps/{ID}.svg", f"share/icons/hicolor/symbolic/apps/{ID}-symbolic.svg"]
    installed = {os.path.relpath(os.path.join(folder, name), prefix) for folder, _, names in os.walk(scratch) for name in names}
    check(set(wanted) == installed, f"exactly the files that are wanted: missing {set(wanted) - installed}, too many {installed - set(wanted)}")
    check(version in run(os.path.join(prefix, "bin", "drivegauge-cli"), "--version"), "the installed command line runs and knows its version")
    for name in installed:
        with open(os.path.join(prefix, name), "rb") as file:
            check(name.startswith("bin/") or os.path.abspath(build).encode() not in file.read(), f"{name} does not name the folder of the build")
    if not window:
        return
    with open(os.path.join(prefix, f"share/applications/{ID}.desktop"), encoding="utf-8") as file:
        entry = file.read()
    check("Name[ru]" in entry and "Comment[ru]" in entry and "Keywords[ru]" in entry, "the desktop file is translated")
    metainfo = ElementTree.parse(os.path.join(prefix, f"share/metainfo/{ID}.metainfo.xml"))
    check(metainfo.find("releases/release").get("version") == version, "the newest release of the metainfo is this version")
    told = {what: metainfo.findtext(what) for what in ("developer/name", "developer_name", "metadata_license", "project_license", "launchable")}
    check(all(told.values()) and told["developer/name"] == told["developer_name"] and told["launchable"] == f"{ID}.desktop", f"the metainfo tells who made it, old way and new: {told}")
    check(metainfo.find("content_rating").get("type", "").startswith("oars-1."), "it has an age rating")
    for image in metainfo.iter("image"):
        # the folder screenshots of the home page is the one of the tree
        path = os.path.join(source, "data", "screenshots", os.path.basename(image.text))
        check(image.text == metainfo.findtext("url[@type='homepage']") + "screenshots/" + os.path.basename(path), f"{image.text} is a picture of the home page")
        with open(path, "rb") as file:
            head = file.read(24)
        width, height = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
        check(head[:8] == b"\x89PNG\r\n\x1a\n" and width >= 620 and height >= 350, f"{os.path.basename(path)} is in the tree, a PNG of {width}x{height}")
    samples = os.path.join(source, "tests", "app", "documents", "t7.json")
    for path in documents()[:-1]:
        shutil.copy(samples, path)
    with open(documents()[-1], "w") as file:
        json.dump({"format": "something else", "of": "drivegauge"}, file)
    desktop_checks(prefix)


try:
    main()
finally:
    shutil.rmtree(scratch)
