# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests in the sandbox share: the document portal of this session, and the one who may mount."""
import glob
import os
import subprocess
import time

FLATPAK_ID = "io.github.drivegauge.DriveGauge"


def newer_portal():
    """How the portal of a newer system is started: it tells the path behind a document. None where there is no such system."""
    root = os.environ.get("DRIVEGAUGE_NEWER_PORTAL", "")
    program = os.path.join(root, "usr/libexec/xdg-document-portal")
    loader = glob.glob(os.path.join(root, "lib64/ld-linux*"))
    if not root or not loader or not os.path.exists(program):
        return None
    return [loader[0], "--library-path", ":".join(glob.glob(os.path.join(root, "usr/lib/*-linux-gnu"))), program]


class Portal:
    """The document portal of this session."""

    def __init__(self, program=None):
        self.store = subprocess.Popen(["/usr/libexec/xdg-permission-store"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.portal = subprocess.Popen(program or ["/usr/libexec/xdg-document-portal"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while not os.path.ismount(os.path.join(os.environ["XDG_RUNTIME_DIR"], "doc")):
            if time.monotonic() > end or self.portal.poll() is not None:
                raise LookupError("the document portal did not come up")
            time.sleep(0.1)

    def export(self, folder):
        return subprocess.run(["flatpak", "document-export", f"--app={FLATPAK_ID}", "-r", "-w", folder], check=True, capture_output=True, text=True).stdout.strip()

    def end(self):
        for process in (self.portal, self.store):
            process.terminate()
            process.wait()


def ask(word):
    """Of the one who may mount: `plug` or `unplug` of the file system at $DRIVEGAUGE_STICK. "done", or why not."""
    with open(os.environ["DRIVEGAUGE_ASK"], "w") as file:
        file.write(word + "\n")
    with open(os.environ["DRIVEGAUGE_ANSWER"]) as file:
        return file.read().strip()
