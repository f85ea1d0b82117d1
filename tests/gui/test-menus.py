#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every item of the window's menus does what it says: each way to save and to copy, the look, directions, data, defaults, the chart's table, About; and what
the list of recent results offers.

Arguments: the program, the command line's program, a folder for screenshots. Run inside desktop-do."""
import atexit, configparser, json, os, re, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, documents, end_of_checks, key, ok, screenshot, states, text_of, until

program, cli, shots = sys.argv[1:4]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')  # the build folder belongs to someone else
SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app', 'documents', 't7.json')
BUTTON = 'push button|toggle button|button'


def settings():
    parser = configparser.ConfigParser(strict=False)
    parser.optionxform = str
    parser.read(os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge', 'settings.ini'))
    return {name: value for section in parser.values() for name, value in section.items()}


def way_back(items):
    """Where the submenu that has slid in begins: at the way back, which has the keyboard then."""
    return next((i for i, n in enumerate(items) if 'focused' in states(n)), None)


def choose(window, menu, place, below=None):
    """The item at a place of a menu, or below it in its submenu: by number, since GTK 4.18 tells no names of items."""
    window.focus_window('^Drive Gauge$')
    window.click(window.sensitive(BUTTON, f'^{menu}$'))
    until('the menu', lambda: window.nodes('menu item'))
    time.sleep(0.7)
    items = window.nodes('menu item')
    window.click(items[place])
    if below is not None:
        time.sleep(0.7)
        n_before = len(items)

        def is_in():
            now = window.nodes('menu item')
            back = way_back(now)
            return back is not None and (back > place or len(now) != n_before) # GTK 4.18 then tells the submenu alone
        until('the submenu', is_in)
        items = window.nodes('menu item')
        window.click(items[way_back(items) + 1 + below])
    time.sleep(0.5)


def save(window, folder, place, name):
    path = os.path.join(folder, name)
    choose(window, 'Save', place)
    window.type_path('^Save the result$', path)
    until(name, lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    time.sleep(0.3)
    with open(path, 'rb') as file:
        return file.read()


def shown(folder, option, name):
    path = os.path.join(folder, 'cli-' + name)
    subprocess.run([cli, 'show', SAMPLE, option, path, '--text', os.devnull] if option != '--text' else [cli, 'show', SAMPLE, option, path], check=True, stdout=subprocess.DEVNULL)
    with open(path, 'rb') as file:
        return file.read()


def size_of(png):
    return int.from_bytes(png[16:20], 'big'), int.from_bytes(png[20:24], 'big')


def brightness(path):
    return float(subprocess.run(['convert', path, '-colorspace', 'Gray', '-format', '%[fx:mean]', 'info:'], capture_output=True, text=True, check=True).stdout)


def saving(window, folder):
    for place, option, name in ((1, '--text', 'a.txt'), (3, '--markdown', 'a.md'), (4, '--bbcode', 'a.bbcode.txt'), (5, '--csv', 'a.csv')):
        ok(save(window, folder, place, name) == shown(folder, option, name), f'saved as {name}: as the command line writes it')
    with open(SAMPLE) as file:
        sample = json.load(file)
    ok(json.loads(save(window, folder, 6, 'a.json')) == sample, 'the JSON file is the document')
    anonymous = json.loads(save(window, folder, 7, 'b.json'))
    ok(sample['targets'][0]['drive']['identity'] and anonymous['targets'][0]['drive']['identity'] is None, 'without identity it has none')
    sample['targets'][0]['drive']['identity'] = None
    ok(anonymous['tests'] == sample['tests'], 'and all figures')
    svg = save(window, folder, 2, 'a.svg')
    ok(svg.startswith(b'<?xml') and b'<svg' in svg, 'the vector picture is one')
    png = save(window, folder, 0, 'a.png')
    ok(size_of(png)[0] == 1200 and brightness(os.path.join(folder, 'a.png')) > 0.6, f'the picture: {size_of(png)}')
    choose(window, 'Save', 8)
    choose(window, 'Save', 9, 1)
    large = save(window, folder, 0, 'c.png')
    ok(size_of(large) == (2400, 2 * size_of(png)[1]) and brightness(os.path.join(folder, 'c.png')) < 0.4, f'a dark picture twice as large: {size_of(large)}')


def copying(window, folder):
    """What another program finds in the clipboard."""
    for place, option, name in ((1, '--text', 'k.txt'), (2, '--markdown', 'k.md'), (3, '--bbcode', 'k.bbcode.txt')):
        choose(window, 'Copy', place)
        wanted = shown(folder, option, name).decode()
        paste = 'import sys, gi; gi.require_version("Gtk", "4.0"); gi.require_version("Gdk", "4.0"); from gi.repository import Gdk, GLib, Gtk; Gtk.init(); ' \
                'loop = GLib.MainLoop(); clipboard = Gdk.Display.get_default().get_clipboard(); ' \
                'clipboard.read_text_async(None, lambda c, r: (sys.stdout.write(c.read_text_finish(r)), loop.quit())); loop.run()'
        pasted = subprocess.run(['/usr/bin/python3', '-c', paste], capture_output=True, text=True, timeout=20)
        ok(pasted.stdout == wanted, f'copied: {option[2:]} {pasted.stderr[-300:]}')


def page_is_dark(window):
    found = window.focus_window('^Drive Gauge$')
    out = subprocess.run(['import', '-silent', '-window', found, '-crop', '1x1+8+300', '-depth', '8', 'rgb:-'], capture_output=True, check=True).stdout
    return out[0] < 128


def looks(window):
    choose(window, 'Main menu', 8, 2)
    until('a dark window', lambda: page_is_dark(window))
    choose(window, 'Main menu', 8, 1)
    until('a light window', lambda: not page_is_dark(window))
    ok(True, 'dark and light by choice')
    choose(window, 'Main menu', 8, 0)
    choose(window, 'Main menu', 9)
    cells = until('the table of the chart', lambda: [n for n in window.names('label|table cell') if n.startswith('SEQ1M Q8T1') and ':' not in n])
    ok(len(cells) >= 2, f'the chart as a table: {len(cells)} cells name the first test')
    key('Escape')
    time.sleep(0.5)
    choose(window, 'Main menu', 10)
    window.find('label', 'What a drive can really do')
    ok(True, 'About')
    key('Escape')
    time.sleep(0.5)


def cells_of(window):
    return [n for n in window.names(BUTTON) if n.endswith('not measured yet.')]


def plan(window):
    until('the empty cells', lambda: len(cells_of(window)) == 8)
    choose(window, 'Main menu', 6, 1)
    until('only reads', lambda: len(cells_of(window)) == 4 and all(' read:' in n for n in cells_of(window)))
    choose(window, 'Main menu', 6, 2)
    until('only writes', lambda: len(cells_of(window)) == 4 and all(' write:' in n for n in cells_of(window)))
    ok(True, 'directions')
    choose(window, 'Main menu', 7, 1)
    until('zeros', lambda: settings().get('Data') == 'zero')
    ok(settings()['Read'] == 'false' and settings()['Write'] == 'true', 'test data; both are kept')
    choose(window, 'Main menu', 5)
    until('all cells', lambda: len(cells_of(window)) == 8)
    until('random bytes', lambda: settings().get('Data') == 'random')
    ok(True, 'and all is as at first after a reset')


def recent(folder):
    """Delete asks first; what shows files is asked by its own interface."""
    results = os.path.join(os.environ['XDG_DATA_HOME'], 'drivegauge', 'results')
    os.makedirs(results, exist_ok=True)
    with open(SAMPLE) as file:
        sample = json.load(file)
    shutil.copy(SAMPLE, os.path.join(results, sample['id'] + '.json'))
    window = Program(program, folder)
    window.sensitive(BUTTON, '^Run all tests$')
    window.focus_window('^Drive Gauge$')
    key('ctrl+h')
    window.click(window.sensitive(BUTTON, '^Delete…$'))
    window.find('label', '^Delete this result')
    key('Escape')
    time.sleep(0.5)
    ok(sample['id'] + '.json' in documents(), 'delete asks first')
    window.click(window.sensitive(BUTTON, '^Delete…$'))
    window.click(window.find(BUTTON, '^Delete$'))
    until('its end', lambda: sample['id'] + '.json' not in documents())
    window.find('label', 'Nothing has been measured yet')
    ok(True, 'and deletes')
    key('Escape')
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end() == 0, 'closed again')


def main():
    base = os.environ.get('DRIVEGAUGE_TEST_FOLDER') or '/var/tmp'
    folder = tempfile.mkdtemp(prefix='drivegauge-menus-', dir=base)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    window = Program(program, SAMPLE)
    window.find('label', '^Saved result: ')
    saving(window, folder)
    copying(window, folder)
    looks(window)
    window.click(window.find(BUTTON, '^Close this result$'))
    window.absent(BUTTON, '^Close this result$')
    plan(window)
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end() == 0, 'closed')
    recent(folder)


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-menus.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
