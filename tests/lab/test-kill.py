#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kill -9 and a pulled plug (the drive's contents copied while the test file is open), in a guest: what is left on the drive, and what the next run does.

Nothing is left on ext4 and btrfs; on exFAT and FAT at most the one visible file, which the next run deletes. The space comes back within 16 MiB."""
import os
import re
import signal
import subprocess

import kit

DRIVES = [('exfat', '160M'), ('vfat', '160M'), ('ext4', '160M'), ('btrfs', '256M')]
NAME = re.compile(r'drivegauge-test-[A-Za-z0-9]+\.tmp')
RUN = ['--test', 'SEQ128K Q4T1', '--size', '16MiB', '--duration', '1', '--warmup', '0', *kit.QUICK]


def files(mount):
    return [name for name in os.listdir(mount) if name != 'lost+found']


def free_bytes(mount):
    fd = os.open(mount, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)
    os.sync()
    info = os.statvfs(mount)
    return info.f_bfree * info.f_frsize


def check_after(what, fs, mount, free_before):
    """What lies there, then another run, then what lies there."""
    left = files(mount)
    may_be_visible = fs in ('exfat', 'vfat')
    kit.check(len(left) <= (1 if may_be_visible else 0) and all(NAME.fullmatch(name) for name in left), '%s: left %s' % (what, left))
    document, status, text = kit.measure(mount, '--read-only', *RUN)
    kit.check(document is not None and document['state'] == 'done', '%s: the next run is done' % what)
    if left:
        kit.check(files(mount) == [], '%s: the next run deletes it: %s' % (what, files(mount)))
        kit.check('Deleted 1 test file' in text, '%s: it says so' % what)
    lost = free_before - free_bytes(mount)
    kit.check(lost <= 16 * kit.MIB, '%s: %.1f MiB less free than before' % (what, lost / kit.MIB))


def check_clean(what, fs, image):
    command = {'exfat': ['fsck.exfat', '-n'], 'vfat': ['fsck.vfat', '-n'], 'ext4': ['e2fsck', '-fn'], 'btrfs': ['btrfs', 'check', '--readonly']}[fs]
    done = subprocess.run([*command, image], capture_output=True, text=True)
    kit.check(done.returncode == 0, '%s: %s finds it clean%s' % (what, command[0], '' if done.returncode == 0 else ': ' + (done.stdout + done.stderr)[-500:]))


def kill(i, fs):
    device, mount = kit.drive(i)
    free_before = free_bytes(mount)
    run = kit.Watched(mount, '--test', 'RND4K Q8T1', '--write-only', '--size', '24MiB', '--duration', '30', '--warmup', '0', *kit.QUICK)
    if run.wait_for(r'run 1, [1-9]') is None:
        kit.check(False, '%s: does not start: %s' % (fs, run.tail()))
        run.end(0)
        return
    visible = files(mount)
    kit.check(len(visible) == (1 if fs in ('exfat', 'vfat') else 0), '%s: visible while running: %s' % (fs, visible))
    image = '/dev/shm/%s.img' % fs
    subprocess.run(['dd', 'if=' + device, 'of=' + image, 'bs=1M', 'iflag=direct', 'conv=sparse'], check=True, stderr=subprocess.DEVNULL)
    run.signal(signal.SIGKILL)
    kit.check(run.end(10) is not None and run.document is None, '%s: killed' % fs)
    check_after(fs + ' after kill -9', fs, mount, free_before)
    subprocess.run(['umount', mount], check=True)
    check_clean(fs + ' after kill -9 and a run', fs, device)

    place = '/mnt/copy'
    os.makedirs(place, exist_ok=True)
    subprocess.run(['mount', '-o', 'loop', '-t', fs, image, place], check=True)
    check_after(fs + ' after a pulled plug', fs, place, free_before)
    subprocess.run(['umount', place], check=True)
    if fs in ('exfat', 'vfat'): # the mark "in use" comes from the plug, and goes
        subprocess.run(['fsck.' + fs, '-p' if fs == 'exfat' else '-a', image], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    check_clean(fs + ' after a pulled plug and a run', fs, image)
    os.unlink(image)


def inside():
    subprocess.run(['modprobe', 'loop'])
    for i, (fs, _) in enumerate(DRIVES):
        kill(i, fs)
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, ['virtio,size=%s,fs=%s' % (size, fs) for fs, size in DRIVES], '--mem', '1200M')
