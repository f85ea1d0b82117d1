#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A file system that does not answer any more holds nothing up: not the start, not the list, not a choice, not the end.

Arguments: the program, a folder for screenshots. Run inside desktop-do, by root, who may mount."""
import os, re, signal, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, end_of_checks, key, ok, screenshot, states, until

program, shots = sys.argv[1:3]
BUTTON = 'push button|toggle button|button'


def seconds(function):
    began = time.monotonic()
    function()
    return time.monotonic() - began


def answers(window):
    """Does the window still do what is asked of it? Opening and closing a menu, by the pointer."""
    def menu():
        window.click(window.find(BUTTON, '^Main menu$', 2))
        until('the menu', lambda: window.nodes('menu item'), 2)
        key('Escape')
        until('its end', lambda: not window.nodes('menu item'), 2)
    return seconds(menu)


def chosen(window):
    return window.look(BUTTON, '^Drive: ').get_description()


def main(base, daemon):
    dead, good = os.path.join(base, 'dead'), os.path.join(base, 'good')
    os.mkdir(good)
    window = Program(program, good)
    window.sensitive(BUTTON, '^Run all tests$')
    until('the folder', lambda: chosen(window) == good)

    # as long as it answers it is a folder like others
    window.click(window.find(BUTTON, '^Drive: '))
    window.click(window.find(BUTTON, '^Choose folder'))
    window.type_path('^Choose a folder', dead + '/')
    until('the folder that still answers', lambda: chosen(window) == dead)
    ok(True, 'a folder of a FUSE file system can be chosen')
    subprocess.run([program, good], timeout=20, check=True)
    until('the other folder', lambda: chosen(window) == good)

    daemon.send_signal(signal.SIGSTOP)
    subprocess.run([program, dead], timeout=20, check=True)
    ok(answers(window) < 4, 'the window goes on while a dead folder is looked at')
    sentence = window.alert('^(This folder cannot be used|The drive does not answer)$', 25)
    ok('answer' in sentence or 'opened now' in sentence, f'a dead folder is refused: {sentence}')
    ok(chosen(window) == good, 'the target stays')
    subprocess.run([program, os.path.join(dead, 'result.json')], timeout=20, check=True)
    sentence = window.alert('^The drive does not answer$', 25)
    ok('result.json' in sentence, f'and so is a result on it: {sentence}')

    window.click(window.find(BUTTON, '^Drive: '))
    window.click(window.find(BUTTON, '^Choose folder'))
    window.type_path('^Choose a folder', dead + '/')
    time.sleep(1)
    screenshot(os.path.join(shots, 'dead-mount.png'))
    # the dialog is the toolkit's own: it waits for the folder, but lets go
    if subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '^Choose a folder'], capture_output=True).stdout:
        window.focus_window('^Choose a folder')
        key('Escape')
        time.sleep(0.5)
        key('Escape')
    else:
        window.alert('^(This folder cannot be used|The drive does not answer)$', 25)
    until('the end of the dialog', lambda: not subprocess.run(
        ['xdotool', 'search', '--onlyvisible', '--name', '^Choose a folder'], capture_output=True).stdout, 10)
    window.focus_window('^Drive Gauge$')
    ok(answers(window) < 4, 'the folder dialog lets go of it')

    window.click(window.find(BUTTON, '^Drive: '))
    row = until('its row', lambda: [n for n in window.names('list item') if dead in n], 10)
    ok(re.search('not answer', row[0]) is not None, f'in the list of drives it is greyed with the reason: {row[0]}')
    screenshot(os.path.join(shots, 'dead-mount-list.png'))
    key('Escape')
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    took = seconds(lambda: ok(window.end(15) == 0, 'closed'))
    ok(took < 5, f'within {took:.1f} s')

    # chosen while it lived, and dead at the next start
    settings = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge', 'settings.ini')
    with open(settings, 'w') as file:
        file.write(f'[Window]\nTargetUuid={dead}\nTargetFolder={dead}\nTargetName=dead\n')
    began = time.monotonic()
    window = Program(program)
    window.find(BUTTON, '^Drive: ', 10)
    ok(answers(window) < 4, f'the start does not wait for the target of last time ({time.monotonic() - began:.1f} s)')
    ok('sensitive' not in states(window.find(BUTTON, '^Run all tests$')), 'nothing can be started on it')
    window.signal(signal.SIGTERM)
    took = seconds(lambda: ok(window.end(15) == 0, 'ended by a signal'))
    ok(took < 5, f'within {took:.1f} s')


if os.geteuid() != 0:
    print('1..0 # SKIP only root may mount')
    sys.exit(0)
base = tempfile.mkdtemp(prefix='drivegauge-dead-', dir='/var/tmp')
os.mkdir(os.path.join(base, 'dead'))
daemon = subprocess.Popen([os.path.join(os.path.dirname(os.path.abspath(__file__)), 'dead-mount'), os.path.join(base, 'dead')], stdout=subprocess.PIPE, text=True)
if daemon.stdout.readline().strip() != 'mounted':
    subprocess.run(['rm', '-r', base])
    print('1..0 # SKIP no FUSE here')
    sys.exit(0)
try:
    main(base, daemon)
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-dead-mount.png'))
    except Exception:
        pass
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
finally:
    # the end of the daemon ends everything that waits for it
    subprocess.run(['umount', '-l', os.path.join(base, 'dead')])
    daemon.kill()
    daemon.wait()
    Program.end_all()
    subprocess.run(['rm', '-r', base])
