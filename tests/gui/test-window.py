#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real window: choose a folder, All with a short plan, read the figures, stop a second run, reopen the first, save a picture, close during a run.

Arguments: the program, a folder for screenshots. Run inside desktop-do."""
import atexit, glob, math, os, re, shutil, signal, struct, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import IN_SANDBOX, Program, documents, end_of_checks, key, ok, screenshot, type_text, until

program, shots = sys.argv[1:3]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')  # the build folder belongs to someone else
if IN_SANDBOX:
    # what the program calls so inside, and what it may see
    private = os.path.join(os.environ['HOME'], '.var/app/io.github.drivegauge.DriveGauge')
    os.environ.update(XDG_CONFIG_HOME=os.path.join(private, 'config'), XDG_DATA_HOME=os.path.join(private, 'data'), DRIVEGAUGE_TEST_FOLDER=os.environ['HOME'])
BUTTON = 'push button|toggle button|button'


def write_settings(runs):
    """With one run the shortest plan that the ranges allow."""
    folder = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'settings.ini'), 'w') as file:
        file.write('[Measurement]\nProfile=default\nDurationSet=true\nIntervalSet=true\nDurationNs=1000000000\nIntervalNs=0\nWarmupNs=0\nSizeBytes=67108864\n')
        file.write(f'Runs={runs}\n')


def spoken_rate(name):
    found = re.search(r': ([0-9.]+) megabytes per second', name)
    return float(found.group(1)) if found else None


def rounded(value):
    """Four significant digits, whole from 1000 up."""
    return round(value, max(0, 3 - math.floor(math.log10(value)))) if value > 0 else 0.0


def cell_names(window):
    return {m.group(1): n for n in window.names(BUTTON) for m in [re.match(r'((?:SEQ|RND)\S+ Q\d+T\d+ (?:read|write)): ', n)] if m}


def wait_for_run(window, timeout=120):
    window.sensitive(BUTTON, '^Run all tests$', timeout)


def figures_agree(window, document, what):
    names = cell_names(window)
    tests = document['tests']
    ok(len(tests) == 8 and len(names) == 8, f'{what}: eight tests and eight cells')
    for test in tests:
        rate = test['shown']['bandwidth_bytes_per_s'] / 1e6
        spoken = spoken_rate(names[f"{test['name']} {test['direction']}"])
        ok(spoken is not None and abs(spoken - rounded(rate)) <= 1e-3 * max(rate, 1), f"{what}: {test['name']} {test['direction']} says {spoken}, saved {rate:.4f}")


def newest(before):
    fresh = {n: d for n, d in documents().items() if n not in before}
    ok(len(fresh) == 1, 'one more saved result')
    return next(iter(fresh.items()))


def leftovers(folder):
    return glob.glob(os.path.join(folder, 'drivegauge-test-*'))


def main():
    base = os.environ.get('DRIVEGAUGE_TEST_FOLDER') or '/var/tmp'
    target = tempfile.mkdtemp(prefix='drivegauge-target-', dir=base)
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    pictures = tempfile.mkdtemp(prefix='drivegauge-pictures-', dir=base)
    atexit.register(shutil.rmtree, pictures, ignore_errors=True)
    write_settings(1)

    window = Program(program)
    button = window.sensitive(BUTTON, '^Drive: ')
    window.click(button)
    window.click(window.find(BUTTON, '^Choose folder'))
    window.type_path('^Choose a folder', target + '/')
    until('the chosen folder', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    ok(True, 'a folder was chosen in the dialog')
    empty = cell_names(window)
    ok(len(empty) == 8 and all(n.endswith('not measured yet.') for n in empty.values()), 'nothing is shown before the first run')

    window.focus_window('^Drive Gauge$')
    window.click(window.find(BUTTON, '^Run all tests$'))
    window.find(BUTTON, '^Stop$', 5)
    wait_for_run(window)
    first_name, first = newest({})
    ok(first['state'] == 'done', 'the run is done')
    ok(first['targets'][0]['path'] == target, 'it was measured where it was asked')
    ok(first['plan']['runs'] == 1 and first['plan']['size_bytes'] == 67108864, 'with the plan of the settings')
    figures_agree(window, first, 'the grid')
    ok(not leftovers(target), 'nothing is left on the target')
    screenshot(os.path.join(shots, 'window.png'), window.focus_window('^Drive Gauge$'))

    comment = window.find('text|entry', '^Comment$')
    window.press(comment, '^Drive Gauge$')
    time.sleep(0.3)
    type_text('front port')
    until('the comment in the file', lambda: documents()[first_name].get('comment') == 'front port')
    ok(True, 'a comment typed afterwards is saved')

    before = documents()
    window.click(window.find(BUTTON, '^Run SEQ1M Q8T1$'))
    window.find(BUTTON, '^Stop$', 5)
    wait_for_run(window)
    row_name, row = newest(before)
    ok(len(row['tests']) == 8, 'a row alone keeps the other tests')
    started = {t['name'] + t['direction']: t['started'] for t in row['tests']}
    old = {t['name'] + t['direction']: t['started'] for t in first['tests']}
    ok(started['SEQ1M Q8T1read'] != old['SEQ1M Q8T1read'] and started['RND4K Q1T1read'] == old['RND4K Q1T1read'], 'each with its own start')

    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end(8) == 0, 'closing ends the program')

    write_settings(5)
    window = Program(program, target)
    window.sensitive(BUTTON, '^Run all tests$')
    until('the folder of the command line', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    before = documents()
    window.click(window.find(BUTTON, '^Run all tests$'))
    until('the second test being measured', lambda: any(re.match('SEQ1M Q1T1 read: being measured', n) for n in cell_names(window).values()), 60)
    screenshot(os.path.join(shots, 'window-running.png'))
    asked = time.monotonic()
    window.click(window.find(BUTTON, '^Stop$'))
    wait_for_run(window, 10)
    ok(time.monotonic() - asked < 4, 'stopped at once')
    stopped_name, stopped = newest(before)
    ok(stopped['state'] == 'stopped', 'the stopped run is saved as stopped')
    ok(stopped['tests'][0]['state'] == 'done' and any(t['state'] in ('stopped', 'not-run') for t in stopped['tests']), 'what was measured stays')
    ok(not leftovers(target), 'nothing is left on the target after a stop')

    window.focus_window('^Drive Gauge$')
    key('ctrl+h')
    window.sensitive(BUTTON, '^Open$')
    time.sleep(0.5)
    window.focus_window('^Recent results$')
    rows = until('three saved results', lambda: [r for r in window.nodes('list item') if r.get_component_iface().get_extents(1).height > 0][2:])
    window.press(rows[0], '^Recent results$')
    time.sleep(0.3)
    screenshot(os.path.join(shots, 'recent.png'))
    key('Return')
    window.find('label', '^Saved result: ')
    until('the first result', lambda: spoken_rate(cell_names(window)['RND4K Q1T1 write'] or '') is not None)
    figures_agree(window, first, 'reopened')
    ok(window.text('text|entry', '^Comment$') == 'front port', 'with its comment')

    window.focus_window('^Drive Gauge$')
    key('ctrl+s')
    picture = os.path.join(pictures, 'card.png')
    window.type_path('^Save the result$', picture)
    until('the picture', lambda: os.path.exists(picture) and os.path.getsize(picture) > 0)
    time.sleep(0.3)
    with open(picture, 'rb') as file:
        head = file.read(24)
    width, height = struct.unpack('>II', head[16:24])
    ok(head[:8] == b'\x89PNG\r\n\x1a\n' and width == 1200 and height > 400, f'the picture is a PNG of {width}x{height}')
    os.makedirs(shots, exist_ok=True)
    os.replace(picture, os.path.join(pictures, 'kept.png'))
    with open(os.path.join(pictures, 'kept.png'), 'rb') as source, open(os.path.join(shots, 'card.png'), 'wb') as copy:
        copy.write(source.read())

    window.click(window.find(BUTTON, '^Close this result$'))
    window.absent('label', '^Saved result: ')
    before = documents()
    window.click(window.sensitive(BUTTON, '^Run all tests$'))
    until('a test being measured', lambda: any(n.endswith('being measured.') for n in cell_names(window).values()), 60)
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end(8) == 0, 'closing during a run ends the program')
    _, closed = newest(before)
    ok(closed['state'] == 'stopped' and not leftovers(target), 'after a clean stop')

    window = Program(program, target)
    window.sensitive(BUTTON, '^Run all tests$')
    before = documents()
    window.click(window.find(BUTTON, '^Run all tests$'))
    until('a test being measured', lambda: any(n.endswith('being measured.') for n in cell_names(window).values()), 60)
    window.signal(signal.SIGTERM)
    ok(window.end(8) == 0, 'a signal ends the program')
    _, closed = newest(before)
    ok(closed['state'] == 'stopped' and not leftovers(target), 'after a clean stop, too')
    os.rmdir(target)


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
