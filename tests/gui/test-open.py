#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes from outside by the dialog *Open* and by drag and drop out of another program: good results, folders, and files that are none.

Arguments: the program, the program that files are dragged out of, a folder for screenshots. Run inside desktop-do."""
import atexit, json, os, re, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, end_of_checks, key, ok, screenshot, until

program, source, shots = sys.argv[1:4]
if os.environ.get('DRIVEGAUGE_TEST_FOLDER'):
    shots = os.path.join(os.environ['DRIVEGAUGE_TEST_FOLDER'], 'shots')  # the build folder belongs to someone else
SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'app', 'documents', 't7.json')
BUTTON = 'push button|toggle button|button'


def make_documents(folder):
    """Name, what the refusal has to speak of."""
    with open(SAMPLE) as file:
        text = file.read()
    newer = json.loads(text)
    newer['version'] = 7
    contents = {
        'good.json': text,
        'cut.json': text[:len(text) // 2],
        'empty.json': '',
        'deep.json': '{"format": "drivegauge-result", "version": 1, "id": ' + '[' * 200000,
        'newer.json': json.dumps(newer),
        'other.json': '{"version": 1}',
    }
    for name, content in contents.items():
        with open(os.path.join(folder, name), 'w') as file:
            file.write(content)
    with open(os.path.join(folder, 'random.json'), 'wb') as file:
        file.write(os.urandom(300000))
    with open(os.path.join(folder, 'large.json'), 'wb') as file:
        file.write(text.encode())
        file.truncate(100 << 20)
    return {'cut.json': 'damaged', 'empty.json': 'empty', 'deep.json': 'nested more than 64 deep', 'random.json': 'damaged|nested',
            'large.json': 'larger than 64 MiB', 'newer.json': 'newer Drive Gauge', 'other.json': 'not a Drive Gauge result'}


def is_asked():
    return subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '^Open a result$'], capture_output=True).stdout


def by_dialog(window, path):
    window.focus_window('^Drive Gauge$')
    key('ctrl+o')
    window.type_path('^Open a result$', path)
    # the list of what the path may become can take the key for itself
    for _ in range(3):
        try:
            until('the end of the dialog', lambda: not is_asked(), 5)
            return
        except LookupError:
            window.focus_window('^Open a result$')
            key('Return')


def place_of(window):
    """x, y, width, height on the screen."""
    words = subprocess.run(['xdotool', 'getwindowgeometry', '--shell', window], capture_output=True, text=True, check=True).stdout
    found = dict(line.split('=') for line in words.split())
    return tuple(int(found[name]) for name in ('X', 'Y', 'WIDTH', 'HEIGHT'))


def by_drag(window, *paths):
    """With the pointer, in small steps, as the protocol between the two programs wants time."""
    dragged = subprocess.Popen([source, *paths], stdout=subprocess.PIPE, text=True)
    try:
        found = until('the window to drag from', lambda: subprocess.run(
            ['xdotool', 'search', '--onlyvisible', '--name', '^Drag source$'], capture_output=True, text=True).stdout.split())[-1]
        subprocess.run(['xdotool', 'windowmove', '--sync', found, '1000', '850', 'windowraise', found], check=True)
        time.sleep(0.5)
        x, y, width, height = place_of(found)
        to_x, to_y, to_width, _ = place_of(window.focus_window('^Drive Gauge$'))
        subprocess.run(['xdotool', 'windowraise', found, 'mousemove', str(x + width // 2), str(y + height // 2), 'sleep', '0.2', 'mousedown', '1'], check=True)
        steps = 12
        goal = (to_x + to_width // 3, to_y + 200)
        for i in range(steps + 1):
            subprocess.run(['xdotool', 'mousemove', str(x + width // 2 + (goal[0] - x - width // 2) * i // steps),
                            str(y + height // 2 + (goal[1] - y - height // 2) * i // steps), 'sleep', '0.06'], check=True)
        subprocess.run(['xdotool', 'sleep', '0.3', 'mouseup', '1'], check=True)
        line = dragged.stdout.readline().strip()
        ok(line == 'ended: 1', f'the drag of {os.path.basename(paths[0])} ended as a copy: {line!r}')
    finally:
        dragged.kill()
        dragged.wait()


def shows_sample(window):
    window.find('label', '^Saved result: .*T7 Shield', 15)
    close = window.find(BUTTON, '^Close this result$')
    window.click(close)
    window.absent(BUTTON, '^Close this result$')


def main():
    base = os.environ.get('DRIVEGAUGE_TEST_FOLDER') or '/var/tmp'
    target = tempfile.mkdtemp(prefix='drivegauge-target-', dir=base)
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    refused = make_documents(target)
    folder = os.path.join(target, 'folder')
    os.mkdir(folder)
    window = Program(program, target)
    window.sensitive(BUTTON, '^Run all tests$')
    until('the folder', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)

    by_dialog(window, os.path.join(target, 'good.json'))
    shows_sample(window)
    ok(True, 'a result chosen in the dialog is shown')
    for name, words in refused.items():
        began = time.monotonic()
        by_dialog(window, os.path.join(target, name))
        sentence = window.alert('^This result cannot be opened$', 15)
        ok(re.search(words, sentence), f'{name}: {sentence} ({time.monotonic() - began:.1f} s)')
    by_dialog(window, os.path.join(target, 'good.json'))
    shows_sample(window)
    ok(True, 'and then a good one still is')
    window.focus_window('^Drive Gauge$')
    key('ctrl+o')
    window.focus_window('^Open a result$')
    time.sleep(0.5)
    screenshot(os.path.join(shots, 'open.png'))
    key('Escape')

    by_drag(window, os.path.join(target, 'good.json'))
    shows_sample(window)
    ok(True, 'a result dropped on the window is shown')
    by_drag(window, folder)
    until('the dropped folder', lambda: window.look(BUTTON, '^Drive: ').get_description() == folder)
    ok(True, 'a folder dropped on it becomes the target')
    by_drag(window, os.path.join(target, 'random.json'), os.path.join(target, 'good.json'))
    ok(re.search(refused['random.json'], window.alert('^This result cannot be opened$', 15)), 'of several files it is the first: refused with a sentence')
    by_drag(window, 'http://localhost/result.json')
    sentence = window.alert('^This result cannot be opened$', 15)
    ok(sentence != '', f'an address of the web is refused with a sentence, too: {sentence}')
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end() == 0, 'closed')


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-open.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
