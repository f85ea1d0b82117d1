#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that fail, in a guest: an error of a read and of a write on every kind of drive, a file system that gets full, one that becomes read-only while we write
and one that is, a drive that answers no more."""
import errno
import os
import signal
import subprocess
import time

import kit

KINDS = ['nvme', 'sata', 'usb-bot', 'usb-uas', 'virtio', 'virtio-scsi']
DRIVES = [kind + ',size=128M,fs=ext4' for kind in KINDS] + ['virtio,size=128M,fs=ext4,latency=1us', 'virtio,size=300M,fs=btrfs', 'virtio,size=128M']
STALLED, FULL, READ_ONLY, METADATA = 6, 7, 6, 8


def check_failed(what, run, direction, codes, taken, flush_codes=()):
    """What a result that ended with an error has to tell."""
    document = run.document
    if not kit.check(document is not None and run.status == 1 and taken is not None, '%s: ended with %s after %s s, document %s' % (
            what, run.status, taken and '%.1f' % taken, 'saved' if document else 'missing')):
        kit.note(run.tail())
        return
    test = document['tests'][-1]
    errors = test['runs'][-1]['errors'] if test['runs'] else []
    kit.check(document['state'] in ('done', 'failed') and test['state'] == 'failed' and len(errors) > 0, '%s: result %s, test %s, %d errors' % (
        what, document['state'], test['state'], len(errors)))
    flushes = [error for error in errors if error['operation'] == 'fdatasync']
    kit.check(all(error['os_code'] in flush_codes and error['length_bytes'] == 16 * kit.MIB for error in flushes), '%s: flush %s' % (what, flushes))
    for error in [error for error in errors if error not in flushes]:
        kit.check(error['operation'] == direction and error['offset_bytes'] % 4096 == 0 and error['offset_bytes'] < 16 * kit.MIB and
                  error['length_bytes'] == 4096 and error['count'] >= 1 and error['os_code'] in codes and len(error['text'] or '') > 4,
                  '%s: %s' % (what, error))
    kit.check(test['runs'] != [] and test['runs'][-1]['used'] is False and 'io-errors' in kit.findings(document), '%s: not used, findings %s' % (
        what, kit.findings(document)))


def start(mount, direction, *words):
    run = kit.Watched(mount, '--test', 'RND4K Q4T1', '--%s-only' % direction, '--duration', '20', '--warmup', '0', '--size', '16MiB', *kit.QUICK, *words)
    if run.wait_for(r'run 1, [1-9]') is None:
        kit.check(False, '%s %s: does not start: %s' % (mount, direction, run.tail()))
    return run


def fail(i, direction):
    """The 20th request from now on and all later ones fail."""
    _, mount = kit.drive(i)
    run = start(mount, direction)
    kit.lab_ctl('eio', i, direction, 'after=20')
    taken = run.end(30)
    kit.lab_ctl('heal', i)
    # NVMe's medium error is ENODATA; a write that fails may have made the file system read-only before the next one
    codes = [errno.EIO, errno.ENODATA] if KINDS[i] == 'nvme' else [errno.EIO]
    what = '%s, EIO at a %s' % (KINDS[i], direction)
    check_failed(what, run, direction, codes + ([errno.EROFS] if direction == 'write' else []), taken)
    kit.check([name for name in os.listdir(mount) if name != 'lost+found'] == [], what + ': nothing is left')


def stall(backend, is_again=False):
    device, mount = kit.drive(STALLED)
    what = 'a drive that answers no more, ' + backend
    run = start(mount, 'read', '--backend', backend)
    kit.lab_ctl('stall', STALLED)
    begin = time.monotonic()
    told = run.wait_for(r'has not answered for', 15)
    kit.check(told is not None and 4 <= told <= 7, '%s: told of after %s s' % (what, told and '%.1f' % told))
    if told is not None:
        part = run.text[run.text.rindex('has not answered for'):].split(')')[0]
        kit.note('it has not answered' + part[len('has not answered'):])
    time.sleep(max(0, 6 - (time.monotonic() - begin)))
    run.signal(signal.SIGINT)
    begin = time.monotonic()
    answered = run.wait_for(r'Stopping|no longer answers|Stopped', 5)
    kit.check(answered is not None and answered <= 1, '%s: a stop is answered after %s s' % (what, answered and '%.2f' % answered))
    while time.monotonic() - begin < 10 and not (os.path.exists(run.path) and os.path.getsize(run.path) > 0):
        time.sleep(0.02)
    waited = time.monotonic() - begin
    is_late = waited > 2 and not is_again
    if is_late:
        kit.note('once more, since the document is written after %.2f s: this machine is busy' % waited)
    else:
        kit.check(waited <= 2, '%s: the document is written after %.2f s' % (what, waited))
    if backend == 'io_uring':
        taken = run.end(10)
        kit.check(taken is not None, '%s: the process ends at once' % what)
        kit.lab_ctl('resume', STALLED)
    else:
        time.sleep(1)
        kit.lab_ctl('resume', STALLED)
        kit.check(run.end(20) is not None, '%s: the process ends when the drive answers again' % what)
    kit.check(run.status == 1 and run.document is not None and run.document['state'] == 'abandoned', '%s: status %s, state %s' % (
        what, run.status, run.document and run.document['state']))
    if run.document:
        shown = run.document['tests'][0]['runs'][-1]
        kit.check(shown['unfinished'] == 4 and shown['oldest_unfinished_ns'] > 4e9, '%s: %s unfinished, the oldest for %s ns' % (
            what, shown['unfinished'], shown['oldest_unfinished_ns']))
    time.sleep(0.5)
    kit.check([name for name in os.listdir(mount) if name != 'lost+found'] == [], '%s: nothing is left' % what)
    if is_late:
        stall(backend, is_again=True)


def fill_up():
    """A copy-on-write file system that somebody else fills while we write."""
    _, mount = kit.drive(FULL)
    run = start(mount, 'write')
    fd = os.open(os.path.join(mount, 'fill'), os.O_RDWR | os.O_CREAT)
    size, at = 64 * kit.MIB, 0
    while size >= 4096:
        try:
            os.posix_fallocate(fd, at, size)
            at += size
        except OSError:
            size //= 2
    kit.note('filled with %.1f MiB' % (at / kit.MIB))
    os.close(fd)
    taken = run.end(40)
    check_failed('btrfs gets full', run, 'write', [errno.ENOSPC], taken)


def become_read_only_while_writing():
    """btrfs with its metadata on two drives, data on the larger one alone: when the other refuses the next commit, all later writes are EROFS."""
    device, mount = kit.drive(FULL)
    other, _ = kit.drive(METADATA)
    subprocess.run(['umount', mount], check=True)
    subprocess.run(['mkfs.btrfs', '-q', '-f', '-m', 'raid0', '-d', 'single', device, other], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(['btrfs', 'device', 'scan', device, other], stdout=subprocess.DEVNULL, check=False)
    subprocess.run(['mount', '-t', 'btrfs', '-o', 'device=%s,device=%s' % (device, other), device, mount], check=True)
    run = start(mount, 'write')
    kit.lab_ctl('eio', METADATA, 'write', 'after=1')
    with open(os.path.join(mount, 'a-change'), 'w') as file: # something to commit
        file.write('x')
    subprocess.run(['sync', '-f', mount], check=False, stderr=subprocess.DEVNULL)
    taken = run.end(40)
    check_failed('btrfs becomes read-only', run, 'write', [errno.EROFS], taken, [errno.EIO, errno.EROFS])
    if run.document and run.document['tests'][-1]['runs']:
        last = run.document['tests'][-1]['runs'][-1]
        kit.check(last['ios'] > 0 and last['bytes'] == last['ios'] * 4096, 'btrfs becomes read-only: what was measured before stays: %d writes' % last['ios'])
    kit.note('the kernel: ' + ' | '.join(line for line in subprocess.run(['dmesg'], capture_output=True, text=True).stdout.splitlines() if 'readonly' in line)[-200:])


def become_read_only():
    _, mount = kit.drive(READ_ONLY)
    subprocess.run(['mount', '-o', 'remount,ro', mount], check=True)
    document, status, text = kit.measure(mount, expect=None)
    kit.check(status == 3 and document is None and text.count('\n') == 1, 'a read-only target: status %d, %s' % (status, text.strip()))


def inside():
    for i in range(len(KINDS)):
        fail(i, 'read')
    stall('io_uring')
    stall('threads')
    for i in range(len(KINDS)):
        fail(i, 'write')
    fill_up()
    become_read_only()
    become_read_only_while_writing()
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, DRIVES, '--mem', '1G')
