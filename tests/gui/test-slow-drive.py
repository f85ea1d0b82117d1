#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""On a drive of 10 MB/s preparing the usual file takes minutes: a smaller one is offered, taken, and measured.

Arguments: the program, a folder for screenshots. Run inside desktop-do inside on-slow-drive."""
import glob, os, re, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Program, documents, end_of_checks, key, ok, screenshot, until

program, shots = sys.argv[1:3]
BUTTON = 'push button|toggle button|button'


def main():
    target = os.environ['LAB_MNT']
    window = Program(program, target)
    window.sensitive(BUTTON, '^Run SEQ1M Q1T1$')
    until('the slow drive', lambda: window.look(BUTTON, '^Drive: ').get_description() == target)
    window.find('label', '^1 GiB$')
    window.click(window.find(BUTTON, '^Run SEQ1M Q1T1$'))
    offer = window.sensitive(BUTTON, '^Start again with a smaller file$', 60)
    ok(True, 'preparing that takes over a minute offers a smaller file')
    until('what preparing has written', lambda: [n for n in window.names('label') if re.match(r'written [1-9][0-9.]*\s[MG]iB of about', n)])
    ok(True, 'what has been written so far is told')
    time.sleep(2)
    screenshot(os.path.join(shots, 'slow-drive.png'), window.focus_window('^Drive Gauge$'))
    # until now one second's rate may have been that of a cache; the sizes are powers of two
    window.click(offer)
    smaller = window.find('label', '^(64|128|256) MiB$')
    size = int(smaller.get_name().split()[0]) << 20
    ok(True, f'the next try is of {size >> 20} MiB')
    window.find(BUTTON, '^Stop$', 20)
    until('the smaller file measured', lambda: any('SEQ1M Q1T1' in n and 'megabytes per second' in n for n in window.names(BUTTON)), 90)
    window.click(window.find(BUTTON, '^Stop$'))
    window.sensitive(BUTTON, '^Run all tests$', 20)
    results = sorted(documents().values(), key=lambda d: d['started'])
    ok(results[-1]['plan']['size_bytes'] == size, 'which is what was measured')
    ok({t['name'] for t in results[-1]['tests']} == {'SEQ1M Q1T1'}, 'of the row that was asked, not of all')
    shown = [t['shown']['bandwidth_bytes_per_s'] for t in results[-1]['tests'] if t['shown']]
    ok(all(5e6 < r < 15e6 for r in shown), f'and its speed is the drive\'s: {shown}')
    ok(len(results) == 1, 'the given up preparation is no result')
    ok(not glob.glob(os.path.join(target, 'drivegauge-test-*')), 'nothing is left on the drive')
    window.focus_window('^Drive Gauge$')
    key('ctrl+w')
    ok(window.end() == 0, 'closed')


try:
    main()
    end_of_checks()
except Exception as error:
    try:
        screenshot(os.path.join(shots, 'failed-slow-drive.png'))
    except Exception:
        pass
    Program.end_all()
    print(f'Bail out! {type(error).__name__}: {error}')
    raise
