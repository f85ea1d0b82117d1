#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that come and go while the window is open: seen within 2 s, never taken for another one, remembered at the next start.

Arguments: the program, drivegauge-cli. Run inside desktop-do, by root, who may mount."""
import os, signal, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, end_of_checks, ok, states, until

program, cli = sys.argv[1:3]
BUTTON = 'push button|toggle button|button'


def skip(why):
    print(f'1..0 # SKIP {why}')
    sys.exit(0)


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).returncode == 0


if os.geteuid() != 0:
    skip('only root may mount')
if not shutil.which('mkfs.ext4'):
    skip('mkfs.ext4 is missing')
base = tempfile.mkdtemp(prefix='drivegauge-targets-', dir='/var/tmp')
image, mount = base + '/image', base + '/stick'
os.mkdir(mount)
with open(image, 'wb') as file:
    file.truncate(200 << 20)
LABEL = 'COMESGOES'
if not run('mkfs.ext4', '-q', '-F', '-L', LABEL, image) or not run('mount', '-o', 'loop', image, mount):
    run('rm', '-rf', base)
    skip('no loop devices')
run('umount', mount)


def row(window):
    return [n for n in window.names('list item') if n.startswith(LABEL + ',')]


def seconds_until(function):
    began = time.monotonic()
    until('a change of the list', function, 10)
    return time.monotonic() - began


def chooser(window):
    return [n for n in window.names(BUTTON) if n.startswith('Drive: ')][0]


def close(window):
    window.signal(signal.SIGTERM)
    window.end()


# A mount of somebody's that does not answer is waited for 2 s each time that it is asked.
listed = subprocess.run([cli, 'list', '--json'], stdout=subprocess.PIPE, text=True, check=True).stdout
LIMIT_S = 4.5 if '"no-answer"' in listed else 2
print(f'# limit {LIMIT_S} s')

window = None
try:
    window = Program(program)
    title = 'Drive Gauge'
    window.sensitive(BUTTON, '^Run all tests$', 30)
    first = chooser(window)
    window.press(window.find(BUTTON, '^Drive: '), title)
    until('the list', lambda: window.names('list item'), 10)
    ok(not row(window), 'not there before')
    run('mount', '-o', 'loop', image, mount)
    took = seconds_until(lambda: row(window))
    ok(took < LIMIT_S, f'mounted: seen after {took:.2f} s')
    run('umount', mount)
    took = seconds_until(lambda: not row(window))
    ok(took < LIMIT_S, f'unmounted: gone after {took:.2f} s')
    ok(chooser(window) == first, 'the chosen one is another and stays')

    close(window)

    # As if it had been chosen last time.
    uuid = subprocess.run(['blkid', '-p', '-s', 'UUID', '-o', 'value', image], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    settings = os.path.join(os.environ['XDG_CONFIG_HOME'], 'drivegauge')
    os.makedirs(settings, exist_ok=True)
    with open(settings + '/settings.ini', 'w') as file:
        file.write(f'[Window]\nTargetUuid={uuid}\nTargetName={LABEL}\n')
    run('mount', '-o', 'loop', image, mount)
    left, mine = mount + '/drivegauge-test-0123456789abcdef.tmp', mount + '/drivegauge-test-mine.tmp'
    for name in (left, mine):
        open(name, 'w').close()
    window = Program(program)
    until('the choice', lambda: chooser(window).startswith(f'Drive: {LABEL},'), 20)
    window.sensitive(BUTTON, '^Run all tests$', 10)
    ok('not there' not in chooser(window), f'the last one is chosen: {chooser(window)}')
    window.find('label', '^Deleted 1 test file that a killed run had left on the drive[.]$')
    ok(not os.path.exists(left) and os.path.exists(mine), 'the file of a killed run is deleted, and said so')
    run('umount', mount)
    took = seconds_until(lambda: 'not there' in chooser(window))
    ok(took < LIMIT_S and LABEL in chooser(window), f'the chosen one has gone: {chooser(window)} after {took:.2f} s')
    ok('sensitive' not in states(window.find(BUTTON, '^Run all tests$')), 'nothing can be started on another one')
    run('mount', '-o', 'loop', image, mount)
    took = seconds_until(lambda: chooser(window).startswith(f'Drive: {LABEL},') and 'not there' not in chooser(window))
    ok(took < LIMIT_S, f'and comes back by itself after {took:.2f} s')
    run('umount', mount)
    close(window)

    window = Program(program)
    until('the name', lambda: LABEL in chooser(window), 20)
    ok('not there' in chooser(window), f'at the next start it is missed, not replaced: {chooser(window)}')
    run('mount', '-o', 'loop', image, mount)
    window.sensitive(BUTTON, '^Run all tests$', 10)
    ok('not there' not in chooser(window) and LABEL in chooser(window), 'and found when it comes')
    close(window)
    window = None
finally:
    if window:
        window.dump()
    Program.end_all()
    run('umount', mount)
    run('rm', '-rf', base)
end_of_checks()
