#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a build machine's kernel may not have, in a guest of Linux 6.1: FAT32 and 4 GiB, memory that refuses O_DIRECT, a clock that is set during a run."""
import datetime
import os
import subprocess
import time

import kit

RUN = ['--test', 'SEQ128K Q2T1', '--size', '16MiB', '--warmup', '0', *kit.QUICK]


def nothing_left(what, mount):
    left = os.listdir(mount)
    kit.check(left == [], '%s: left %s' % (what, left))


def fat():
    _, mount = kit.drive(0)
    for size in ('4GiB', '5GiB'):
        begin = time.monotonic()
        done = subprocess.run([kit.CLI, 'run', mount, '--size', size], capture_output=True, text=True)
        last = (done.stderr.splitlines() or [''])[-1]
        kit.check(done.returncode == 3 and done.stdout == '' and 'cannot hold a file as large as the test size' in last and mount in last,
                  'FAT32 and %s: status %d, %s' % (size, done.returncode, last))
        kit.check(time.monotonic() - begin < 5, 'FAT32 and %s: at once' % size)
        nothing_left('FAT32 and ' + size, mount)
    document, _, _ = kit.measure(mount, '--duration', '1', *RUN)
    kit.check(document['targets'][0]['filesystem'] == 'vfat' and document['targets'][0]['file']['name_visible'] is True, 'FAT32: measured, with a visible name')
    nothing_left('FAT32', mount)


def memory():
    mount = '/mnt/memory'
    os.makedirs(mount, exist_ok=True)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=300m', 'none', mount], check=True)
    try:
        os.close(os.open(mount + '/probe', os.O_RDWR | os.O_CREAT | os.O_DIRECT))
        kit.note('this kernel takes O_DIRECT on tmpfs')
    except OSError:
        kit.note('this kernel refuses O_DIRECT on tmpfs')
        if os.path.exists(mount + '/probe'):
            os.unlink(mount + '/probe')
        document, _, text = kit.measure(mount, '--duration', '1', *RUN)
        runs = [run for test in document['tests'] for run in test['runs']]
        kit.check(document['targets'][0]['file']['direct'] is False and [run['direct'] for run in runs] == ['refuted', 'refuted'],
                  'tmpfs: buffered, %s' % [(run['direct'], run['direct_reason']) for run in runs])
        found = {f['id']: f['severity'] for f in document['findings']}
        kit.check(found.get('memory-target') == 'invalid', 'tmpfs: %s' % found)
        nothing_left('tmpfs', mount)
    subprocess.run(['umount', mount], check=True)


def clock():
    """Set back by a day in one run, on by a day in the next one."""
    _, mount = kit.drive(1)
    for days in (-1, 1):
        what = 'the clock set by %d day' % days
        run = kit.Watched(mount, '--duration', '2', *RUN)
        if run.wait_for(r'read: run 1, [1-9]') is None:
            kit.check(False, what + ': does not start: ' + run.tail())
            run.end(0)
            return
        before = time.time()
        time.clock_settime(time.CLOCK_REALTIME, before + days * 86400)
        taken = run.end(30)
        time.clock_settime(time.CLOCK_REALTIME, time.time() - days * 86400)
        document = run.document
        kit.check(run.status == 0 and taken is not None and taken < 15 and document is not None and document['state'] == 'done',
                  '%s: status %s after %s s' % (what, run.status, taken))
        started = datetime.datetime.fromisoformat(document['started'].replace('Z', '+00:00')).timestamp()
        kit.check(abs(started - before) < 60, '%s: started as the clock was then' % what)
        for test in document['tests']:
            begun = datetime.datetime.fromisoformat(test['started'].replace('Z', '+00:00')).timestamp()
            kit.check(test['state'] == 'done' and 0 <= begun - started < 60, '%s: %s %s begun %.1f s later' % (what, test['name'], test['direction'], begun - started))
            for measured in test['runs']:
                kit.check(1.9e9 < measured['elapsed_ns'] < 4e9 and measured['used'], '%s: %s took %.2f s' % (what, test['direction'], measured['elapsed_ns'] / 1e9))
        left = [name for name in os.listdir(mount) if name != 'lost+found']
        kit.check(left == [], '%s: left %s' % (what, left))


def inside():
    fat()
    memory()
    clock()
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, ['virtio,size=6G,fs=vfat', 'virtio,size=256M,fs=ext4'], '--mem', '1500M')
