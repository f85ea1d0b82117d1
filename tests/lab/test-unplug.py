#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive pulled out in each phase of a run, in a guest: the program ends by itself, tells what failed, and keeps what was measured before."""
import subprocess
import time

import kit

# drive, what its progress says when it is pulled, words of the run; whether a whole test was measured before
CASES = [
    ('usb-bot,bps=10M,fs=exfat', 'preparing', r'Preparing the test file: [1-9]', ['--test', 'SEQ1M Q8T1', '--size', '100MiB'], False),
    ('usb-bot,fs=ext4', 'warming up', r'warming up', ['--test', 'RND4K Q4T1', '--read-only', '--warmup', '10'], False),
    ('nvme,fs=ext4', 'measuring reads', r'run 1, [1-9]', ['--test', 'RND4K Q32T1', '--read-only'], False),
    ('sata,fs=ext4', 'the interval', r'2/2 .*pause', ['--test', 'SEQ1M Q8T1', '--duration', '1', '--interval', '2'], True),
    ('virtio,fs=ext4', 'writing', r'run 1, [1-9]', ['--test', 'RND4K Q32T1', '--write-only'], False),
    ('usb-uas,fs=vfat', 'the second run of writes', r'run 2, [1-9]', ['--test', 'SEQ1M Q1T1', '--write-only', '--runs', '3', '--duration', '1'], False),
    ('sd,size=128M,bps=5M,fs=ext4', 'measuring reads', r'run 1, [1-9]', ['--test', 'RND4K Q1T1', '--read-only', '--size', '2MiB'], False),
]
# read as they are, without a file system between: what the drive's own end looks like
RAW = [('usb-bot', 'No such device'), ('usb-uas', None)]
DEFAULTS = ['--size', '16MiB', '--runs', '1', '--interval', '0', '--warmup', '0', '--duration', '20']


def pull(i, case):
    kind, phase, pattern, words, has_measured = case
    _, mount = kit.drive(i)
    what = '%s pulled while %s' % (kind.split(',')[0], phase)
    chosen = [word for k in range(0, len(DEFAULTS), 2) if DEFAULTS[k] not in words for word in DEFAULTS[k:k + 2]]
    run = kit.Watched(mount, *words, *chosen)
    if run.wait_for(pattern, 90) is None:
        kit.check(False, '%s: did not come so far: %s' % (what, run.tail()))
        run.end(0)
        return
    kit.lab_ctl('unplug', i)
    taken = run.end(40)
    document = run.document
    if phase == 'preparing': # nothing was measured: the target cannot be used
        kit.check(taken is not None and run.status == 3 and document is None and 'failed (' in run.text, '%s: ends after %s s with %s: %s' % (
            what, taken and '%.1f' % taken, run.status, run.tail().split(' | ')[-2]))
        return
    kit.check(taken is not None and run.status == 1 and document is not None, '%s: ends after %s s with %s, document %s' % (
        what, taken and '%.1f' % taken, run.status, 'saved' if document else 'missing'))
    if document is None:
        kit.note(run.tail())
        return
    tests = document['tests']
    kit.check(document['state'] in ('done', 'failed'), '%s: result %s, tests %s' % (what, document['state'], [(test['state'], test['reason']) for test in tests]))
    if has_measured:
        kit.check(tests[0]['state'] == 'done' and tests[0]['shown'] is not None and tests[0]['shown']['bandwidth_bytes_per_s'] > 0,
                  '%s: the first test is kept' % what)
    last = tests[-1]
    errors = [error for test in tests for one in test['runs'] for error in one['errors']]
    kit.check(last['state'] in ('failed', 'not-run'), '%s: the last test is %s' % (what, last['state']))
    kit.check(len(errors) > 0 and all(error['operation'] and error['text'] for error in errors), '%s: %s' % (what, errors))
    kit.check('io-errors' in kit.findings(document), '%s: findings %s' % (what, kit.findings(document)))
    said = [line for line in run.tail().split(' | ') if line.startswith('drivegauge-cli: ')]
    kit.check(len(said) > 0, '%s: says: %s' % (what, ' '.join(said)))


def pull_raw(i, kind, text):
    """BOT says that there is no such device; the size of a UAS drive becomes 0, so its reads are of 0 bytes."""
    device, _ = kit.drive(i)
    run = subprocess.Popen([kit.BENCH, 'file=' + device, 'rw=randread', 'bs=4k', 'qd=4', 'secs=20', 'size=64m'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    time.sleep(1.5)
    kit.lab_ctl('unplug', i)
    begin = time.monotonic()
    _, error = run.communicate(timeout=40)
    said = error.strip()
    is_right = run.returncode == 1 and ' read at ' in said and (text is None or text in said)
    kit.check(is_right, '%s, raw, pulled: ends after %.1f s: %s' % (kind, time.monotonic() - begin, said))


def inside():
    for k, (kind, text) in enumerate(RAW):
        pull_raw(len(CASES) + k, kind, text)
    for i, case in enumerate(CASES):
        begin = time.monotonic()
        pull(i, case)
        kit.note('%.0f s' % (time.monotonic() - begin))
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, [case[0] + ('' if 'size=' in case[0] else ',size=256M') for case in CASES] + ['%s,size=64M' % kind for kind, _ in RAW], '--mem', '1G')
