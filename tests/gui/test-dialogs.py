#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window's other ways: queues and threads, a profile of one's own, sizes, as CrystalDiskMark, refused folders, damaged results, kept settings.

Arguments: the program, a folder for screenshots. Run inside desktop-do."""
import atexit, configparser, json, os, re, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Atspi, Program, end_of_checks, key, ok, screenshot, type_text, until

program, shots = sys.argv[1:3]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')  # the build folder belongs to someone else
BUTTON = 'push button|toggle button|button'


def rows(window):
    return [n[4:] for n in window.names(BUTTON) if re.match(r'Run (SEQ|RND)', n)]


def settings():
    parser = configparser.ConfigParser(strict=False)
    parser.read(os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge', 'settings.ini'))
    return parser['Measurement']


def listed(window, folder):
    """Is it in the list of drives? The list's rows are named after drive, size and place."""
    return any(folder in n for n in window.names('list item'))


def plug_in(window, target):
    """A file system that comes and goes while the program runs."""
    folder = os.path.join(target, 'stick')
    os.mkdir(folder)
    if os.geteuid() != 0 or subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64m', 'stick', folder], stderr=subprocess.DEVNULL).returncode != 0:
        print('# nothing may be mounted here: the list of drives is not tried')
        os.rmdir(folder)
        return
    try:
        window.click(window.find(BUTTON, '^Drive: '))
        until('the new file system in the list', lambda: listed(window, folder))
        ok(True, 'a file system mounted while the program runs is listed')
        screenshot(os.path.join(shots, 'drives.png'))
    finally:
        subprocess.run(['umount', folder])
        os.rmdir(folder)
    until('the end of it', lambda: not listed(window, folder))
    ok(True, 'and gone when it is unmounted')
    key('Escape')


def main():
    base = os.environ.get('DRIVEGAUGE_TEST_FOLDER') or '/var/tmp'
    target = tempfile.mkdtemp(prefix='drivegauge-target-', dir=base)
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    window = Program(program, target)
    window.sensitive(BUTTON, '^Run all tests$')
    default_rows = rows(window)
    ok(len(default_rows) == 4, 'four rows at first')

    window.focus_window('^Drive Gauge$')
    key('ctrl+q')
    window.sensitive(BUTTON, '^Use$')
    window.click(window.find(BUTTON, '^Add a row$'))
    window.focus_window('^Queues and threads$')
    window.press(window.find('text|entry', '^Name of the profile$'), '^Queues and threads$')
    type_text('My cards')
    window.click(window.find(BUTTON, '^Save and use$'))
    until('the fifth row', lambda: rows(window) == default_rows + ['RND4K Q1T1'])
    ok(True, 'a profile of one\'s own has its own rows')
    window.find('label', '^My cards$')

    window.focus_window('^Drive Gauge$')
    key('ctrl+q')
    window.click(window.sensitive(BUTTON, '^Delete this profile$'))
    window.click(window.find(BUTTON, '^Use$'))
    until('the four rows again', lambda: rows(window) == default_rows)
    ok(True, 'and is gone when deleted')

    window.focus_window('^Drive Gauge$')
    key('alt+z')
    time.sleep(0.5)
    window.click(until('the sizes', lambda: window.nodes('menu item'))[-1])
    entry = window.find('text|entry', '^Size of the test file$')
    window.press(entry, '^Size of the test file$')
    key('ctrl+a')
    type_text('12XB')
    key('Return')
    ok('12XB' in window.find('label', '12XB').get_name(), 'a size that is none is refused with a sentence')
    key('ctrl+a')
    type_text('96 MiB')
    key('Return')
    window.find('label', '^96 MiB$')
    ok(True, 'and one that is in no menu is taken')

    window.click(window.find(BUTTON, '^Main menu$'))
    time.sleep(0.5)
    menu = until('the menu', lambda: window.nodes('menu item'))
    window.click(menu[4])
    window.find('label', '^5$')
    until('the settings', lambda: settings().get('Runs') == '5' and settings().get('Statistic') == 'best')
    ok(settings()['DurationNs'] == '5000000000' and settings()['SizeBytes'] == str(96 << 20), 'as CrystalDiskMark: five runs of five seconds, the best; kept in the settings')

    damaged = os.path.join(target, 'damaged.json')
    with open(damaged, 'w') as file:
        file.write('{"format": "drivegauge-result", "version": 1, "id"')
    other = subprocess.run([program, damaged], timeout=20)
    ok(other.returncode == 0, 'a second start hands its file to the first and ends')
    ok(window.alert('^This result cannot be opened$') != '', 'a damaged result is refused with a sentence')
    subprocess.run([program, '/proc'], timeout=20, check=True)
    ok(window.alert('^This folder cannot be used$') != '', '/proc is refused as a target')
    subprocess.run([program, os.path.join(target, 'nowhere')], timeout=20, check=True)
    ok(window.alert('^This result cannot be opened$') != '', 'and so is a file that is not there')
    ok(window.look(BUTTON, '^Drive: ').get_description() == target, 'the target is the one from before')

    hostile = os.path.join(target, 'hostile.json')
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app', 'documents', 't7.json')) as file:
        document = json.load(file)
    document['targets'][0]['drive'].update(model='"><i>\u202e&' + 'w' * 9000, vendor=None)
    document['targets'][0]['label'] = '<span>' + 'l' * 9000
    document['comment'] = '</b>&amp;\x1b[2J\u202e' + 'y' * 9000
    with open(hostile, 'w') as file:
        json.dump(document, file)
    subprocess.run([program, hostile], timeout=20, check=True)
    close = window.find(BUTTON, '^Close this result$')
    place = close.get_component_iface().get_extents(Atspi.CoordType.WINDOW)
    whole = window.look('frame', '').get_component_iface().get_extents(Atspi.CoordType.WINDOW)
    ok(0 < place.x and place.x + place.width <= whole.width, f'names of 9000 letters fit into the window: {place.x} + {place.width}, {whole.width}')
    ok(not any('\u202e' in n or '\x1b' in n for n in window.names('label|frame|text')), 'without marks that turn text round, and without escapes')
    window.click(close)
    window.absent(BUTTON, '^Close this result$')

    plug_in(window, target)

    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end() == 0, 'closed')
    os.unlink(damaged)
    os.unlink(hostile)

    window = Program(program)
    window.sensitive(BUTTON, '^Run all tests$')
    until('the folder of last time', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    window.find('label', '^96 MiB$')
    ok(True, 'folder and size of last time are there again')
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end() == 0, 'closed again')
    os.rmdir(target)


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-dialogs.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
