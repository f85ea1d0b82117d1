#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program as a desktop starts it: a double click on a result, the action of the launcher, a second start; and the pictures that the
metainfo names.

Arguments: the build folder, the source folder, a folder for screenshots. Run inside desktop-do."""
import json, os, re, shutil, subprocess, sys, tempfile, time
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, end_of_checks, key, ok, screenshot, states, until, walk
from gi.repository import Atspi

build, source, shots = sys.argv[1:4]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')
ID = 'io.github.drivegauge.DriveGauge'
BUTTON = 'push button|toggle button|button'


class Started(Program):
    """A program that someone else started: found by its name on the bus."""

    def __init__(self):
        self.application = until('the application', self._named, 20)

    def _named(self):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child is not None and 'rive' in (child.get_name() or ''):
                return child

    def gone(self):
        until('the end of the program', lambda: not self._named(), 10)


def install(place):
    # the build folder may belong to someone else: what is needed is copied, as installing would
    prefix = os.path.join(place, 'usr')
    share = os.path.join(prefix, 'share')
    for folder in ('applications', 'mime/packages'):
        os.makedirs(os.path.join(share, folder))
    os.makedirs(os.path.join(prefix, 'bin'))
    os.symlink(os.path.join(build, 'app', 'gui', 'drivegauge'), os.path.join(prefix, 'bin', 'drivegauge'))
    shutil.copy(os.path.join(build, 'data', ID + '.desktop'), os.path.join(share, 'applications'))
    shutil.copy(os.path.join(build, 'data', ID + '.xml'), os.path.join(share, 'mime', 'packages'))
    shutil.copy('/usr/share/mime/packages/freedesktop.org.xml', os.path.join(share, 'mime', 'packages'))
    subprocess.run(['update-mime-database', os.path.join(share, 'mime')], check=True, env=dict(os.environ, PKGSYSTEM_ENABLE_FSYNC='0'))
    subprocess.run(['update-desktop-database', os.path.join(share, 'applications')], check=True)
    os.environ['XDG_DATA_DIRS'] = share + ':/usr/share'
    os.environ['PATH'] = os.path.join(prefix, 'bin') + ':' + os.environ['PATH']


def launch_action():
    subprocess.run(['/usr/bin/python3', '-c', f"""
import gi
from gi.repository import Gio
Gio.DesktopAppInfo.new('{ID}.desktop').launch_action('open', None)
"""], check=True)


def write_scheme(word):
    folder = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'settings.ini'), 'w') as file:
        file.write(f'[Window]\nScheme={word}\n')


def picture(name, scheme, result):
    write_scheme(scheme)
    window = Program(os.path.join(build, 'app', 'gui', 'drivegauge'), result)
    window.find('label', '^Saved result: ', 20)
    until('the figures', lambda: any('megabytes per second' in n for n in window.names(BUTTON)))
    place = window.focus_window('^Drive Gauge$')
    time.sleep(1)
    os.makedirs(os.path.join(shots, 'metainfo'), exist_ok=True)
    path = os.path.join(shots, 'metainfo', name)
    screenshot(path, place)
    size = subprocess.run(['identify', '-format', '%w %h %[fx:mean]', path], check=True, capture_output=True, text=True).stdout.split()
    key('ctrl+w')
    window.end()
    return int(size[0]), int(size[1]), float(size[2])


def main():
    for tool in ('update-mime-database', 'update-desktop-database', 'gio', 'identify'):
        if not shutil.which(tool):
            print(f'1..0 # SKIP {tool} is missing')
            return
    place = tempfile.mkdtemp(prefix='desktop-', dir=os.environ.get('DRIVEGAUGE_TEST_FOLDER') or os.environ['HOME'])
    install(place)
    result = os.path.join(place, '5f0c3d0e-8a0e-4d0b-9f6a-2b1c7d9e4a11.json')
    shutil.copy(os.path.join(source, 'tests', 'app', 'documents', 't7.json'), result)

    subprocess.run(['gio', 'open', result], check=True)
    window = Started()
    window.find('label', '^Saved result: ', 20)
    ok(True, 'a double click on a result shows it')
    window.focus_window('^Drive Gauge$')
    launch_action()
    window.focus_window('^Open a result$')
    ok(len(window.nodes('frame|window')) >= 1, 'the action of the launcher asks for a result in the window that is there')
    time.sleep(0.5)
    key('Escape')
    window.focus_window('^Drive Gauge$')
    subprocess.run(['drivegauge'], check=True, timeout=20)
    ok(True, 'a second start shows the window that is there, and ends')
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    window.gone()
    launch_action()
    window = Started()
    window.focus_window('^Open a result$')
    ok(True, 'the action of the launcher starts the program, too')
    time.sleep(0.5)
    key('Escape')
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    window.gone()

    metainfo = ElementTree.parse(os.path.join(build, 'data', ID + '.metainfo.xml'))
    named = {os.path.basename(image.text) for image in metainfo.iter('image')}
    light = picture('window.png', 'light', result)
    dark = picture('window-dark.png', 'dark', result)
    ok(named == {'window.png', 'window-dark.png'}, f'the pictures of the metainfo are made here: {named}')
    ok(light[0] >= 620 and light[1] >= 350 and light[0] * 9 <= light[1] * 19, f'of a size that shops of programs take: {light[0]}x{light[1]}')
    ok(light[2] > 0.6 and dark[2] < 0.4, f'one light, one dark: {light[2]:.2f}, {dark[2]:.2f}')


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-desktop.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
