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
MOST_S = 115
ID = 'io.github.drivegauge.DriveGauge'


def set_scheme(name):
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        ID, '/' + ID.replace('.', '/') + '/window/1', 'org.gtk.Actions', 'Activate',
        GLib.Variant('(sava{sv})', ('scheme', [GLib.Variant('s', name)], {})), None, 0, -1, None)
    time.sleep(1)


def take(name):
    screenshot(os.path.join(pictures, name), window.focus_window('^Drive Gauge$'))


def say(text):
    print(f'{time.monotonic() - begin:5.1f} s  {text}', flush=True)


def write_settings():
    folder = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'settings.ini'), 'w') as file:
        file.write('[Measurement]\nProfile=default\nRuns=3\n')


def wait_for_result():
    """Looking at the window costs it time that belongs to the measurement, so that is done seldom; the result's file tells the end."""
    end, look = time.monotonic() + MOST_S, 0
    while not documents():
        if time.monotonic() > end:
            raise LookupError(f'not measured within {MOST_S} s')
        if time.monotonic() >= look:
            doing = window.look('label', '^(Measuring|Warming|Waiting|Preparing|Finishing|Starting)')
            say(doing.get_name() if doing else 'starting')
            look = time.monotonic() + 8
        time.sleep(0.5)
    window.sensitive(BUTTON, '^Run all tests$', 10)


begin = time.monotonic()
target = tempfile.mkdtemp(prefix='drivegauge-', dir=place)
try:
    write_settings()
    window = Program(os.path.join(build, 'app', 'gui', 'drivegauge'), target)
    window.sensitive(BUTTON, '^Run all tests$')
    until('the folder', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    quiet = float(os.environ.get('DRIVEGAUGE_QUIET_SECONDS', '5'))
    say(f'the window is there; {quiet:g} s of quiet')
    time.sleep(quiet)
    window.click(window.find(BUTTON, '^Run all tests$'))
    wait_for_result()
    subprocess.run(['xdotool', 'mousemove', '0', '0'], check=True)
    time.sleep(1)
    name, document = next(iter(documents().items()))
    say(f"{document['state']}; findings: {', '.join(f['id'] for f in document['findings']) or 'none'}")
    set_scheme('light')
    take('window.png')
    set_scheme('dark')
    take('window-dark.png')
    result = os.path.join(os.environ['XDG_DATA_HOME'], 'drivegauge', 'results', name)
    subprocess.run([os.path.join(build, 'app', 'cli', 'drivegauge-cli'), 'show', result, '--png', os.path.join(pictures, 'card.png')],
                   check=True, stdout=subprocess.DEVNULL)
    os.chmod(os.path.join(pictures, 'card.png'), 0o644)
    window.process.terminate()
    window.end()
    say(f'made: {os.path.normpath(pictures)}')
finally:
    Program.end_all()
    os.rmdir(target)
