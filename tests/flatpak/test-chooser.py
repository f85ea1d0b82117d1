#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-chooser.py PROGRAM SHOTS ELSEWHERE: the window in its sandbox asks the desktop's portal for a folder. What comes as a document is refused with the
words that help, what is permitted is used by its own path; and a stick that is plugged in meanwhile is listed. Run inside desktop-do, as a user without
rights. ELSEWHERE: a folder outside of every permission."""
import os
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "..", "gui"), here]
from driver import Program, key, screenshot, until
from portal import FLATPAK_ID, Portal, ask, newer_portal

program, shots, elsewhere = sys.argv[1:4]
BUTTON = "push button|toggle button|button"
home = os.environ["HOME"]
number = 0


def ok(condition, text, more=""):
    global number
    number += 1
    print(f"{'ok' if condition else 'not ok'} {number} - {text}", flush=True)
    if not condition:
        raise AssertionError(f"{text}: {more}")


class Desktop:
    """xdg-desktop-portal with a file chooser that answers by itself."""

    def __init__(self, program=None):
        self.documents = Portal(program)
        self.folder = tempfile.mkdtemp(prefix="portal-")
        self.answer = os.path.join(self.folder, "answer")
        self.asked = os.path.join(self.folder, "asked")
        with open(os.path.join(self.folder, "drivegaugetest.portal"), "w") as file:
            file.write("[portal]\nDBusName=org.freedesktop.impl.portal.desktop.drivegaugetest\nInterfaces=org.freedesktop.impl.portal.FileChooser;\nUseIn=drivegaugetest;\n")
        environment = dict(os.environ, XDG_DESKTOP_PORTAL_DIR=self.folder, XDG_CURRENT_DESKTOP="drivegaugetest")
        with open(self.asked, "w") as asked:
            self.started = [subprocess.Popen([os.path.join(here, "chooser-backend.py"), self.answer], stdout=asked)]
        self.started.append(subprocess.Popen(["/usr/libexec/xdg-desktop-portal"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        until("the portal of the desktop", lambda: subprocess.run(
            ["gdbus", "introspect", "--session", "-d", "org.freedesktop.portal.Desktop", "-o", "/org/freedesktop/portal/desktop"],
            capture_output=True, text=True).stdout.count("org.freedesktop.portal.FileChooser"))

    def questions(self):
        with open(self.asked) as file:
            return file.read().splitlines()

    def end(self):
        for process in self.started:
            process.terminate()
            process.wait()
        self.documents.end()


def choose(window, desktop, folder):
    with open(desktop.answer, "w") as file:
        file.write(folder)
    before = len(desktop.questions())
    window.click(window.sensitive(BUTTON, "^Drive: "))
    window.click(window.find(BUTTON, "^Choose folder"))
    until("the question at the desktop", lambda: len(desktop.questions()) > before)


def refusal(window):
    window.find("label", "^This folder cannot be used$")
    text = window.find("label", "document portal").get_name()
    screenshot(os.path.join(shots, "portal-refused.png"))
    window.focus_window("^Drive Gauge$")
    key("Escape")
    window.absent("label", "document portal")
    return text


def place(window):
    return window.look(BUTTON, "^Drive: ").get_description()


def close(window):
    window.focus_window("^Drive Gauge$")
    key("ctrl+w")
    ok(window.end() == 0, "closed")


def stick(window):
    folder = os.environ.get("DRIVEGAUGE_STICK", "")
    if not folder:
        print("# no file system can be mounted here: a stick that is plugged in later is not tried")
        return
    listed = lambda: any(folder in name for name in window.names("list item"))
    window.click(window.sensitive(BUTTON, "^Drive: "))
    window.find(BUTTON, "^Choose folder")
    time.sleep(1)
    ok(not listed(), "no stick is listed before it is there")
    ok(ask("plug") == "done", "it is plugged in")
    try:
        until("the stick in the list of drives", listed)
        ok(True, f"the open list shows it: {folder}")
        screenshot(os.path.join(shots, "portal-stick.png"))
    finally:
        unplugged = ask("unplug")
    ok(unplugged == "done", "the window does not hold it when it is unmounted", unplugged)
    until("the end of the stick in the list of drives", lambda: not listed())
    ok(True, "and it is gone from the list")
    window.focus_window("^Drive Gauge$")
    key("Escape")


def main():
    granted = os.path.join(home, "granted")
    os.makedirs(granted)
    # paths of documents are the same on both sides of the sandbox only here
    os.environ["XDG_RUNTIME_DIR"] = f"/run/user/{os.getuid()}"
    os.environ["DRIVEGAUGE_GDK_DEBUG"] = ""
    desktop = Desktop()
    window = Program(program)
    window.sensitive(BUTTON, "^Drive: ")
    before = place(window)
    choose(window, desktop, elsewhere)
    ok(desktop.questions()[-1].startswith(f"{FLATPAK_ID} asks for a folder"), "the desktop is asked for a folder by this program", desktop.questions())
    text = refusal(window)
    ok(f"flatpak override --user --filesystem=" in text and FLATPAK_ID in text, f"a document is refused with what helps: {text}")
    ok(place(window) == before, "the drive stays the one from before", place(window))
    choose(window, desktop, granted)
    until("the permitted folder", lambda: place(window) == granted)
    ok(True, "a folder that is permitted comes by its own path")
    stick(window)
    close(window)
    desktop.end()

    newer = newer_portal()
    if newer is None:
        print("# no newer portal in a second root: paths that a portal tells are not tried")
        return
    desktop = Desktop(newer)
    window = Program(program)
    window.sensitive(BUTTON, "^Drive: ")
    choose(window, desktop, elsewhere)
    text = refusal(window)
    ok(f"flatpak override --user --filesystem={elsewhere} {FLATPAK_ID}" in text, f"a portal that tells the path outside: that folder's permission is named: {text}")
    close(window)
    # a permission of this start alone is none that the portal knows: it hands out a document
    os.environ["DRIVEGAUGE_FLATPAK_OPTIONS"] = f"--filesystem={elsewhere}"
    window = Program(program)
    window.sensitive(BUTTON, "^Drive: ")
    choose(window, desktop, elsewhere)
    until("the folder behind the document", lambda: place(window) == elsewhere)
    ok(True, "where the path that it tells is permitted, that path is used")
    close(window)
    desktop.end()


try:
    main()
    print(f"1..{number}")
except Exception as error:
    try:
        screenshot(os.path.join(shots, "failed-chooser.png"))
    except Exception:
        pass
    Program.end_all()
    print(f"Bail out! {type(error).__name__}: {error}")
    raise
