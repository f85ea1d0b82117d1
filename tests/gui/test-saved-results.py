#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The saved results when the clock is set back between runs and within one, and when two programs save at once.

Arguments: the program, a library that shifts the clock, a folder for screenshots. Run inside desktop-do."""
import atexit, datetime, json, os, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, documents, end_of_checks, key, ok, screenshot, until, walk
from gi.repository import Gio

program, shifter, shots = sys.argv[1:4]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')  # the build folder belongs to someone else
BUTTON = 'push button|toggle button|button'
HOUR = 3600


def write_settings():
    folder = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'settings.ini'), 'w') as file:
        file.write('[Measurement]\nProfile=demo\nDurationSet=true\nIntervalSet=true\nDurationNs=1000000000\nIntervalNs=0\nWarmupNs=0\nSizeBytes=16777216\nRuns=1\n')


def run(window, during=lambda: None):
    before = documents()
    window.click(window.sensitive(BUTTON, '^Run all tests$'))
    window.find(BUTTON, '^Stop$', 10)
    during()
    window.sensitive(BUTTON, '^Run all tests$', 60)
    fresh = {n: d for n, d in documents().items() if n not in before}
    ok(len(fresh) == 1, 'one more saved result')
    return next(iter(fresh.values()))


def negatives(value, path=''):
    """Numbers below zero, but those of temperatures."""
    if isinstance(value, dict):
        return [found for k, v in value.items() if 'celsius' not in k for found in negatives(v, f'{path}/{k}')]
    if isinstance(value, list):
        return [found for i, v in enumerate(value) for found in negatives(v, f'{path}/{i}')]
    return [f'{path}={value}'] if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0 else []


def listed(window):
    return [r for r in window.nodes('list item') if r.get_component_iface().get_extents(1).height > 0]


def labels_of(node):
    return [n.get_name() for n in walk(node) if n.get_role_name() == 'label']


def moment(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00'))


def started(document):
    return moment(document['started'])


def last_started(document):
    """What the list shows: when its last test began."""
    return max([started(document)] + [moment(t['started']) for t in document['tests'] if t['started']])


def clock_set_back(base, target):
    shift = os.path.join(base, 'shift')

    def set_back(seconds):
        with open(shift + '.new', 'w') as file:
            file.write(str(-seconds))
        os.rename(shift + '.new', shift)
    set_back(0)
    window = Program(program, target, environment={'LD_PRELOAD': shifter, 'CLOCK_SHIFT_FILE': shift})
    window.sensitive(BUTTON, '^Run all tests$')
    until('the folder', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    first = run(window)
    set_back(30 * HOUR)
    second = run(window)

    def within():
        until('a test being measured', lambda: any(n.endswith('being measured.') for n in window.names(BUTTON)), 30)
        set_back(90 * HOUR)
    third = run(window, within)
    apart = (started(first) - started(second)).total_seconds()
    ok(29 * HOUR < apart < 31 * HOUR, f'the clock was set back by 30 hours between two runs: {apart / HOUR:.2f}')
    for document, name in ((first, 'first'), (second, 'second'), (third, 'third')):
        ok(document['state'] == 'done' and not negatives(document), f'the {name} run is done and has no number below zero: {negatives(document)}')
        ok(not [f['id'] for f in document['findings'] if f['id'] in ('suspended', 'was-asleep')], f'nobody slept in the {name}')
    ok(all(0 <= r['elapsed_ns'] < 30e9 for t in third['tests'] for r in t['runs']), 'a clock set back within a run does not reach its times')
    foot = [n for n in window.names('label') if re.search('read .* wrote', n)]
    ok(foot and '-' not in foot[0] and '−' not in foot[0], f'nor the line below: {foot}')
    window.focus_window('^Drive Gauge$')
    key('ctrl+h')
    rows = until('three rows', lambda: len(listed(window)) == 3 and listed(window), 10)
    texts = [' '.join(labels_of(row)) for row in rows]
    screenshot(os.path.join(shots, 'clock-set-back.png'))
    expected = sorted((first, second, third), key=last_started, reverse=True)
    times = [last_started(d).astimezone().strftime('%H:%M') for d in expected]
    ok(all(time in text for time, text in zip(times, texts)), f'listed by the time that each was told, newest first: {texts}')
    window.process.terminate()
    ok(window.end() == 0, 'ended')


def two_at_once(base):
    """Without a session bus in common they are two processes, as a window and the command line are."""
    reply = Gio.bus_get_sync(Gio.BusType.SESSION).call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None, None, 0, -1, None)
    bus = subprocess.Popen(['dbus-daemon', f"--config-file={os.environ['HOME']}/bus.conf", '--nofork', '--nosyslog', '--print-address'],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    Program.started.append(bus)
    other = {'DBUS_SESSION_BUS_ADDRESS': bus.stdout.readline().strip(), 'AT_SPI_BUS_ADDRESS': reply.unpack()[0]}
    folders = [os.path.join(base, name) for name in ('one', 'two')]
    for folder in folders:
        os.mkdir(folder)
    windows = [Program(program, folders[0]), Program(program, folders[1], environment=other)]
    before = documents()
    rounds = 3
    for _ in range(rounds):
        for window in windows:
            window.click(window.sensitive(BUTTON, '^Run all tests$', 60))
            # GTK 4.18 presses the button a moment after it was asked to
            window.find(BUTTON, '^Stop$', 10)
        for window in windows:
            window.sensitive(BUTTON, '^Run all tests$', 60)
    fresh = {n: d for n, d in documents().items() if n not in before}
    ok(len(fresh) == rounds * len(windows), f'each of the {rounds * len(windows)} results of two programs is there')
    ok(all(sum(d['targets'][0]['path'] == folder for d in fresh.values()) == rounds for folder in folders), 'half of them of each')
    ok(all(d['state'] == 'done' for d in fresh.values()), 'all done')
    for window in windows:
        window.process.terminate()
        ok(window.end() == 0, 'ended')
    results = os.path.join(os.environ['XDG_DATA_HOME'], 'drivegauge', 'results')
    window = Program(program, folders[0])
    window.sensitive(BUTTON, '^Run all tests$')
    window.focus_window('^Drive Gauge$')
    key('ctrl+h')
    n = len(documents())
    until(f'{n} rows', lambda: len(window.nodes('list item')) >= min(n, 5), 10)
    names = set(os.listdir(results))

    def whole_index():
        with open(os.path.join(results, 'index')) as file:
            read = json.load(file)
        return read if set(read['files']) == {name for name in names if name.endswith('.json')} else None
    index = until('an index that has all of them and nothing else', whole_index, 10)
    ok(not any('damaged' in entry for entry in index['files'].values()), 'none of them half written')
    ok(names == set(index['files']) | {'index'}, f'no file is left beside them: {names - set(index["files"])}')
    window.process.terminate()
    ok(window.end() == 0, 'ended')


def main():
    base = tempfile.mkdtemp(prefix='drivegauge-library-', dir=os.environ.get('DRIVEGAUGE_TEST_FOLDER') or '/var/tmp')
    atexit.register(shutil.rmtree, base, ignore_errors=True)
    target = os.path.join(base, 'target')
    os.mkdir(target)
    write_settings()
    clock_set_back(base, target)
    two_at_once(base)


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-saved-results.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
