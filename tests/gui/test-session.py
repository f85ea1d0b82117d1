#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the desktop's session has to do with the window: no sleep while measuring, the look changes with the desktop's, at once.

Arguments: the program, a folder for screenshots. Run inside desktop-do; the session's services are stand-ins of python3-dbusmock."""
import atexit, os, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, documents, end_of_checks, ok, screenshot, until
from gi.repository import Gio, GLib

try:
    import dbusmock  # noqa: F401
except ImportError:
    print('1..0 # SKIP python3-dbusmock is missing')
    sys.exit(0)

program, shots = sys.argv[1:3]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')
BUTTON = 'push button|toggle button|button'


class StandIn:
    """A service that answers and remembers what it was asked."""

    def __init__(self, name, path, interface):
        self.name, self.path, self.interface = name, path, interface
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.process = subprocess.Popen(['/usr/bin/python3', '-m', 'dbusmock', '--session', name, path, interface],
                                        stdout=subprocess.DEVNULL)
        Program.started.append(self.process)
        until(f'{name} on the bus', lambda: self.bus.call_sync(
            'org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'NameHasOwner', GLib.Variant('(s)', (name,)),
            None, 0, -1, None).unpack()[0])

    def mock(self, method, signature, *arguments, path=None):
        return self.bus.call_sync(self.name, path or self.path, 'org.freedesktop.DBus.Mock', method,
                                  GLib.Variant(signature, arguments), None, 0, -1, None).unpack()

    def add(self, interface, method, takes, gives, code):
        self.mock('AddMethod', '(sssss)', interface, method, takes, gives, code)

    def calls(self, method, path=None):
        """Arguments of each call of `method` so far."""
        return [c[2] for c in self.mock('GetCalls', '()', path=path)[0] if c[1] == method]


def write_settings():
    folder = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'settings.ini'), 'w') as file:
        file.write('[Measurement]\nProfile=default\nDurationSet=true\nIntervalSet=true\nDurationNs=1000000000\nIntervalNs=0\nWarmupNs=0\n'
                   'SizeBytes=67108864\nRuns=1\n')


def run_and_stop(window, during):
    window.click(window.sensitive(BUTTON, '^Run all tests$'))
    window.find(BUTTON, '^Stop$', 10)
    during()
    window.click(window.find(BUTTON, '^Stop$'))
    window.sensitive(BUTTON, '^Run all tests$', 20)


def no_sleep(target):
    manager = StandIn('org.gnome.SessionManager', '/org/gnome/SessionManager', 'org.gnome.SessionManager')
    manager.add('org.gnome.SessionManager', 'Inhibit', 'susu', 'u', 'ret = dbus.UInt32(4711)')
    manager.add('org.gnome.SessionManager', 'Uninhibit', 'u', '', '')
    manager.add('org.gnome.SessionManager', 'RegisterClient', 'ss', 'o', 'ret = dbus.ObjectPath("/org/gnome/SessionManager/Client1")')
    manager.add('org.gnome.SessionManager', 'UnregisterClient', 'o', '', '')
    window = Program(program, target)
    window.sensitive(BUTTON, '^Run all tests$')
    ok(not manager.calls('Inhibit'), 'nothing keeps the machine awake before a run')

    def during():
        asked = until('the wish to stay awake', lambda: manager.calls('Inhibit'))
        ok(len(asked) == 1 and asked[0][3] & 4 and asked[0][2], f'a run keeps the machine awake, with a reason: {asked[0][2]!r}')
        ok(not manager.calls('Uninhibit'), 'as long as it lasts')
    run_and_stop(window, during)
    given_back = until('the end of the wish', lambda: manager.calls('Uninhibit'))
    ok([list(c) for c in given_back] == [[4711]], 'and no longer')
    window.process.terminate()
    ok(window.end() == 0, 'ended')
    manager.process.terminate()
    manager.process.wait()


APPEARANCE = 'org.freedesktop.appearance'
# the page and the line under the header, away from every widget
LOOKS = {'light': (0xfa, 0xfa, 0xfb), 'dark': (0x24, 0x24, 0x28), 'contrast': (0xff, 0xff, 0xff), 'contrast, dark': (0, 0, 0)}


def page_color(window):
    """Of the page's left margin, as it is on the screen."""
    found = window.focus_window('^Drive Gauge$')
    out = subprocess.run(['import', '-silent', '-window', found, '-crop', '1x1+8+300', '-depth', '8', 'rgb:-'], capture_output=True, check=True).stdout
    return tuple(out[:3])


def follow_the_look(target):
    portal = StandIn('org.freedesktop.portal.Desktop', '/org/freedesktop/portal/desktop', 'org.freedesktop.portal.Settings')
    settings = 'org.freedesktop.portal.Settings'
    portal.add(settings, 'ReadAll', 'as', 'a{sa{sv}}',
               'ret = dbus.Dictionary({"org.freedesktop.appearance": dbus.Dictionary({"color-scheme": dbus.UInt32(1), "contrast": dbus.UInt32(0)}, signature="sv")}, signature="sa{sv}")')
    window = Program(program, target)
    window.sensitive(BUTTON, '^Run all tests$')

    def becomes(look, why):
        until(look, lambda: page_color(window) == LOOKS[look], 15)
        screenshot(os.path.join(shots, f'look-{look.replace(", ", "-")}.png'), window.focus_window('^Drive Gauge$'))
        ok(True, why)

    def change(key, value):
        portal.mock('EmitSignal', '(sssav)', settings, 'SettingChanged', 'ssv',
                    [GLib.Variant('s', APPEARANCE), GLib.Variant('s', key), GLib.Variant('v', GLib.Variant('u', value))])
    becomes('dark', 'a desktop that is dark has a dark window from the start')
    change('color-scheme', 2)
    becomes('light', 'it becomes light with the desktop')
    change('contrast', 1)
    becomes('contrast', 'and of high contrast')
    change('color-scheme', 1)
    becomes('contrast, dark', 'and dark again')
    change('contrast', 0)
    becomes('dark', 'and of usual contrast again')
    window.process.terminate()
    ok(window.end() == 0, 'ended')


def main():
    base = os.environ.get('DRIVEGAUGE_TEST_FOLDER') or '/var/tmp'
    target = tempfile.mkdtemp(prefix='drivegauge-target-', dir=base)
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    write_settings()
    no_sleep(target)
    follow_the_look(target)


try:
    main()
    Program.end_all()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-session.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
