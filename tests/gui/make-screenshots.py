#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""See make-screenshots. Arguments: the build folder, a folder to measure in."""
import os, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, documents, screenshot, until
from gi.repository import Gio, GLib

build, place = sys.argv[1:3]
pictures = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'data', 'screenshots')
BUTTON = 'push button|toggle button|button'
ID = 'io.github.drivegauge.DriveGauge'


def set_scheme(name):
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        ID, '/' + ID.replace('.', '/') + '/window/1', 'org.gtk.Actions', 'Activate',
        GLib.Variant('(sava{sv})', ('scheme', [GLib.Variant('s', name)], {})), None, 0, -1, None)
    time.sleep(1)


def take(name):
    screenshot(os.path.join(pictures, name), window.focus_window('^Drive Gauge$'))


target = tempfile.mkdtemp(prefix='drivegauge-', dir=place)
try:
    window = Program(os.path.join(build, 'app', 'gui', 'drivegauge'), target)
    window.sensitive(BUTTON, '^Run all tests$')
    until('the folder', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    time.sleep(float(os.environ.get('DRIVEGAUGE_QUIET_SECONDS', '5')))
    window.click(window.find(BUTTON, '^Run all tests$'))
    window.find(BUTTON, '^Stop$', 10)
    window.sensitive(BUTTON, '^Run all tests$', 600)
    subprocess.run(['xdotool', 'mousemove', '0', '0'], check=True)
    time.sleep(1)
    document = next(iter(documents().items()))
    set_scheme('light')
    take('window.png')
    set_scheme('dark')
    take('window-dark.png')
    result = os.path.join(os.environ['XDG_DATA_HOME'], 'drivegauge', 'results', document[0])
    subprocess.run([os.path.join(build, 'app', 'cli', 'drivegauge-cli'), 'show', result, '--png', os.path.join(pictures, 'card.png')],
                   check=True, stdout=subprocess.DEVNULL)
    os.chmod(os.path.join(pictures, 'card.png'), 0o644)
    print(f"{document[1]['state']}; findings: {', '.join(f['id'] for f in document[1]['findings']) or 'none'}")
    window.process.terminate()
    window.end()
finally:
    Program.end_all()
    os.rmdir(target)
