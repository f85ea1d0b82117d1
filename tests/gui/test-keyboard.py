#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole main job by keyboard alone: choose a folder, run All, read the chart's table, write a comment, save the picture, close. Every control is
reached by Tab and has a name.

Arguments: the program, a folder for screenshots. Run inside desktop-do."""
import atexit, os, re, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, documents, end_of_checks, key, ok, screenshot, states, type_text, until, walk
from gi.repository import GLib

program, shots = sys.argv[1:3]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')
BUTTON = 'push button|toggle button|button'
CONTROLS = set(BUTTON.split('|')) | {'text', 'entry', 'text box', 'combo box', 'check box', 'spin button', 'switch'}


TOPLEVELS = ('frame', 'window', 'dialog', 'application')


def focused(root):
    """The innermost widget with the keyboard."""
    found = None
    for node in walk(root):
        try:
            if 'focused' in states(node) and node.get_role_name() not in TOPLEVELS:
                found = node
        except GLib.Error:
            pass
    return found


def name_of(node):
    """What is read for it: its own name or the nearest one around it."""
    while node is not None and node.get_role_name() not in TOPLEVELS:
        if is_name(node.get_name()):
            return node.get_name()
        node = node.get_parent()
    return ''


def is_name(text):
    """The toolkit calls what nobody has named by its class, or ours."""
    return bool(text) and not re.match('(G(tk|dk)|Dg)[A-Z]', text)


def place_of(node):
    place = node.get_component_iface().get_extents(1)
    return place.x, place.y, node.get_role_name()


def moved_on(root, before):
    """Waits until something else has the keyboard; a busy machine is slow to tell."""
    end = time.monotonic() + 1
    while time.monotonic() < end:
        time.sleep(0.12)
        node = focused(root)
        if node is not None and (name_of(node), place_of(node)) != before:
            return


def tab_round(root):
    """Names in the order of Tab until one widget comes again."""
    names, nameless, seen = [], [], []
    for _ in range(60):
        node = focused(root)
        if node is not None:
            here = name_of(node), place_of(node)
            # where the dialog began need not be in the round itself
            if here in seen[:-1]:
                break
            if not here[0]:
                nameless.append(node.get_role_name())
            names.append(here[0])
            seen.append(here)
        key('Tab')
        moved_on(root, seen[-1] if seen else None)
    return names, nameless


def controls(root):
    """Names of all that can be used. A window's own buttons and the two of a number's field have other keys."""
    found = set()
    for node in walk(root):
        try:
            if node.get_role_name() in CONTROLS and is_name(node.get_name()) and {'sensitive', 'visible'} <= states(node) and node.get_component_iface().get_extents(1).width > 4:
                parent = node.get_parent()
                if parent.get_role_name() != 'spin button':
                    found.add(node.get_name())
        except GLib.Error:
            pass
    return found - {'Minimize', 'Maximize', 'Close', 'Restore'}


def tab_to(window, wanted, keys='Tab'):
    for _ in range(60):
        node = focused(window.application)
        if node is not None and name_of(node).startswith(wanted):
            return node
        key(keys)
        time.sleep(0.12)
    raise LookupError(f'Tab does not reach {wanted!r}')


def all_reached(window, title, least):
    """A dialog that is open: Tab goes to each of its controls, and each has a name."""
    window.focus_window(f'^{title}$')
    time.sleep(0.7)
    root = window.find('frame|window|dialog', f'^{title}$')
    names, nameless = tab_round(root)
    missed = controls(root) - set(names)
    ok(len(set(names)) >= least and not nameless and not missed, f'{title}: Tab reaches each of {len(set(names))} controls, and each has a name',
       f'nameless {nameless}; missed {missed}; reached {names}')
    screenshot(os.path.join(shots, 'keyboard-' + re.sub('[^a-z]+', '-', title.lower()).strip('-') + '.png'))


def close_dialog(window, title):
    key('Escape')
    until(f'the end of {title}', lambda: window.look('frame|window|dialog', f'^{title}$') is None)


def dialogs(window):
    for keys, title, least in (('ctrl+q', 'Queues and threads', 10), ('ctrl+comma', 'Measuring', 8), ('ctrl+h', 'Recent results', 3)):
        window.focus_window('^Drive Gauge$')
        key(keys)
        all_reached(window, title, least)
        close_dialog(window, title)


def menus(window):
    """Each menu opens, goes from entry to entry and closes by keys."""
    window.focus_window('^Drive Gauge$')
    key('F10')
    until('the main menu', lambda: len(window.nodes('menu item')) >= 8)
    time.sleep(0.5)
    key('Up')
    time.sleep(0.3)
    key('Return')
    window.find('label', '^Drive Gauge 0|^0\\.')
    ok(True, 'F10 opens the main menu, and its last entry tells about the program')
    screenshot(os.path.join(shots, 'keyboard-about.png'))
    key('Escape')
    window.focus_window('^Drive Gauge$')
    tab_to(window, 'Size: ')
    key('space')
    until('the sizes', lambda: len(window.nodes('menu item')) >= 3)
    time.sleep(0.5)
    key('Up')
    time.sleep(0.3)
    key('Return')
    all_reached(window, 'Size of the test file', 2)
    close_dialog(window, 'Size of the test file')


def runs_of_a_cell(window):
    window.focus_window('^Drive Gauge$')
    cell = tab_to(window, 'SEQ1M Q8T1 read: ')
    ok('Enter' not in name_of(cell), 'a figure is reached')
    key('Return')
    window.find('label', '^SEQ1M Q8T1, read$')
    told = until('the runs', lambda: [n for n in window.names('label') if n in ('p99.9', 'Run', 'IOPS', '1')][3:])
    ok(bool(told), 'Enter on a figure shows its runs')
    screenshot(os.path.join(shots, 'keyboard-runs.png'))
    key('Escape')
    window.absent('label', '^SEQ1M Q8T1, read$')
    ok(name_of(focused(window.application)).startswith('SEQ1M Q8T1 read: '), 'Escape goes back to it')


def saved_result(window):
    window.focus_window('^Drive Gauge$')
    key('ctrl+h')
    window.focus_window('^Recent results$')
    window.sensitive(BUTTON, '^Open$')
    time.sleep(0.7)
    key('Return')
    window.find('label', '^Saved result: ')
    window.focus_window('^Drive Gauge$')
    tab_to(window, 'Close this result')
    key('space')
    window.absent('label', '^Saved result: ')
    ok(True, 'a saved result is opened and closed by keyboard')


def stop(window):
    window.focus_window('^Drive Gauge$')
    key('F5')
    window.find(BUTTON, '^Stop$', 10)
    time.sleep(0.5)
    tab_to(window, 'Stop')
    key('space')
    window.sensitive(BUTTON, '^Run all tests$', 10)
    ok(any(d['state'] == 'stopped' for d in documents().values()), 'a run is stopped by keyboard')


def narrow(window):
    """As narrow as it gets, the choices are folded into one button."""
    found = window.focus_window('^Drive Gauge$')
    subprocess.run(['xdotool', 'windowsize', '--sync', found, '480', '800'], check=True)
    time.sleep(1)
    names, nameless = tab_round(window.application)
    missed = controls(window.application) - set(names)
    ok(not nameless and not missed and not any(n.startswith('Profile: ') for n in names), 'Tab reaches every control of the narrow window, too', f'nameless {nameless}; missed {missed}; reached {names}')
    fold = next((name for name in names if 'Default' in name and ' · ' in name), None)
    ok(fold, f'one of them has all the choices: {fold}', names)
    tab_to(window, fold)
    key('space')
    time.sleep(0.7)
    names, nameless = tab_round(window.application)
    ok({'Profile', 'Runs', 'Size', 'Unit'} <= {n.split(':')[0] for n in names} and not nameless, 'and what is folded away', f'nameless {nameless}; reached {names}')
    screenshot(os.path.join(shots, 'keyboard-narrow.png'))
    key('Escape')
    time.sleep(0.5)


def main():
    base = os.environ.get('DRIVEGAUGE_TEST_FOLDER') or '/var/tmp'
    target = tempfile.mkdtemp(prefix='drivegauge-keyboard-', dir=base)
    atexit.register(shutil.rmtree, target, True)
    folder = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge')
    os.makedirs(folder)
    with open(os.path.join(folder, 'settings.ini'), 'w') as file:
        file.write('[Measurement]\nProfile=default\nDurationSet=true\nIntervalSet=true\nDurationNs=1000000000\nIntervalNs=0\nWarmupNs=0\nRuns=1\nSizeBytes=16777216\n')

    window = Program(program)
    window.sensitive(BUTTON, '^Drive: ')
    window.focus_window('^Drive Gauge$')
    time.sleep(1)
    tab_to(window, 'Drive: ')
    key('Return')
    window.find(BUTTON, '^Choose folder')
    time.sleep(0.5)
    tab_to(window, 'Choose folder')
    key('Return')
    window.type_path('^Choose a folder', target + '/')
    until('the chosen folder', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    ok(True, 'a folder is chosen by keyboard')

    window.focus_window('^Drive Gauge$')
    time.sleep(0.5)
    tab_to(window, 'Run all tests')
    key('space')
    window.find(BUTTON, '^Stop$', 10)
    window.sensitive(BUTTON, '^Run all tests$', 120)
    document = next(iter(documents().values()))
    ok(document['state'] == 'done' and document['targets'][0]['path'] == target, 'All is run by keyboard')

    window.focus_window('^Drive Gauge$')
    names, nameless = tab_round(window.application)
    ok(not nameless, f'each of {len(names)} controls that Tab reaches has a name', nameless)
    missed = controls(window.application) - set(names)
    ok(len(names) > 15 and not missed, 'Tab reaches every control of the window', f'missed {missed}; reached {names}')

    chart = window.find('image|graphic|img|icon', '^Throughput over ')
    ok(re.search(r'8 tests; highest [0-9\u202f.]+ MB/s', chart.get_name()), 'the chart says what it shows', chart.get_name())
    described = chart.get_description()
    ok(len(re.findall(r'(?:SEQ|RND)\S+ Q\d+T\d+ (?:read|write): [0-9.\u202f]+[ \u00a0]MB/s, between [0-9.\u202f]+ and [0-9.\u202f]+', described)) == 8,
       f'its description has the numbers: {described[:90]}…', described)
    tab_to(window, 'Throughput over ')
    key('Right')
    point = until('the first sample', lambda: re.match(r'[0-9.\u202f]+[ \u00a0]MB/s, SEQ1M Q8T1 read, ', chart.get_description()) and chart.get_description())
    key('Right')
    until('the second sample', lambda: chart.get_description() != point)
    ok(True, f'the arrow keys go from sample to sample: {point}')
    key('Escape')
    until('the description of all', lambda: chart.get_description() == described)
    key('t')
    window.focus_window('^Throughput over time')
    cells = until('the table of the chart', lambda: [n for n in walk(window.application) if n.get_role_name() in ('table cell', 'cell', 'label', 'table row') and 'SEQ1M' in (n.get_name() or '')])
    ok(len(cells) >= 2, 'and a table, by the key T')
    screenshot(os.path.join(shots, 'keyboard-table.png'))
    tab_to(window, 'Samples')
    key('space')
    until('samples in the table', lambda: len([n for n in window.names('label') if re.fullmatch(r'\d+\.\d\d s', n)]) >= 8)
    ok(True, 'which has every sample, too')
    screenshot(os.path.join(shots, 'keyboard-samples.png'))
    tab_to(window, 'Samples')
    key('Tab')
    time.sleep(0.3)
    rows = 0
    while name_of(focused(window.application)).startswith('Samples') and rows < 9:
        rows += 1
        key('Tab')
        time.sleep(0.3)
    ok(rows < 9, f'Tab does not lead through every row of it: {rows}')
    key('Escape')
    time.sleep(0.5)

    runs_of_a_cell(window)
    dialogs(window)
    menus(window)
    saved_result(window)
    narrow(window)
    window.focus_window('^Drive Gauge$')
    tab_to(window, 'Comment')
    type_text('by keys')
    until('the comment in the file', lambda: next(iter(documents().values())).get('comment') == 'by keys')
    ok(True, 'a comment is written by keyboard')
    key('ctrl+s')
    picture = os.path.join(target, 'card.png')
    window.type_path('^Save the result$', picture)
    until('the picture', lambda: os.path.exists(picture) and os.path.getsize(picture) > 0)
    ok(True, 'the picture is saved by keyboard')
    os.unlink(picture)
    stop(window)
    time.sleep(1)
    before = window.cpu_seconds()
    time.sleep(2)
    ok((used := window.cpu_seconds() - before) < 0.6, f'with nothing to do it takes no processor time: {used:.2f} s of 2')
    window.focus_window('^Drive Gauge$')
    tab_to(window, 'Run all tests') # keys do arrive
    key('ctrl+w')
    ok(window.end() == 0, 'and the window closed')


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-keyboard.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
