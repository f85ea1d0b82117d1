#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each finding that needs no link, made by what it is about, in a guest: the saved result and the text have it, the picture is drawn with it, and without the
cause it is not there.

`throttled` needs a sensor that gets warm, `suspended` a machine that sleeps: tests/app and tests/engine show them on documents, fixtures and a played clock.
`cache-ended` is in test-shapes, `io-errors` in test-errors, `not-direct` of a file system that only looks direct in test-directness, `fallback-backend` in
tests/flatpak."""
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time

import kit

EXT4, BTRFS, NTFS, RAW, SLEEPY = range(5)
DRIVES = ['virtio,size=256M,fs=ext4,bps=200M', 'virtio,size=300M,fs=btrfs', 'virtio,size=96M,fs=ntfs', 'virtio,size=128M', 'virtio,size=128M,fs=ext4,latency=1us']
SHORT = ['--size', '8MiB', '--duration', '1', '--warmup', '0', *kit.QUICK]
SMALL, LARGE = ['--test', 'RND4K Q4T1'], ['--test', 'SEQ1M Q4T1']
seen = set()


def words_of(text):
    return ' '.join(text.split())


def look(finding, folder, *words, what='', severity=None, is_expected=True):
    """A short run whose result, text and picture have the finding (or none of them has it)."""
    with tempfile.TemporaryDirectory() as place:
        picture, report = os.path.join(place, 'r.png'), os.path.join(place, 'r.txt')
        document, status, text = kit.measure(folder, *words, '--text', report, '--png', picture, expect=None)
        if not kit.check(document is not None, '%s: a result (%d, %s)' % (finding, status, text.strip())):
            return None
        judge(finding, document, open(report).read(), what, severity, is_expected)
        kit.check(os.path.getsize(picture) > 10000, '%s: a picture of %d bytes' % (finding, os.path.getsize(picture)))
    return document


def judge(finding, document, report, what='', severity=None, is_expected=True):
    mine = [f for f in document['findings'] if f['id'] == finding]
    if not is_expected:
        kit.check(mine == [], '%s: not said of %s: %s' % (finding, what, kit.findings(document)))
        return
    is_right = len(mine) == 1 and (severity is None or mine[0]['severity'] == severity)
    kit.check(is_right, '%s%s: %s' % (finding, what and ' (%s)' % what, mine[0]['text'] if mine else 'missing among %s' % kit.findings(document)))
    if is_right:
        kit.check(words_of(mine[0]['text']) in words_of(report), '%s: stands in the text' % finding)
        seen.add(finding)


def mounted(device, fs='ext4', *options):
    place = tempfile.mkdtemp(dir='/mnt')
    subprocess.run(['mkfs.' + fs, '-q', *(['-F', '-O', '^has_journal'] if fs == 'ext4' else []), device], check=True)
    subprocess.run(['mount', *options, device, place], check=True)
    return place


def plain():
    _, mount = kit.drive(EXT4)
    document = look('zero-data', mount, *SMALL, *SHORT, what='random data on ext4', is_expected=False)
    needless = [f for f in kit.findings(document) if f not in ('busy-drive', 'cpu-limited', 'too-few-ios', 'unstable', 'suspended')]
    kit.check(needless == [], 'ext4 on a virtio drive, nothing odd: findings %s' % kit.findings(document))
    look('zero-data', mount, *SMALL, *SHORT, '--data', 'zero', severity='warning')


def few():
    _, mount = kit.drive(EXT4)
    kit.lab_ctl('throttle', EXT4, 'bps=8M')
    look('too-few-ios', mount, '--test', 'SEQ1M Q1T1', '--read-only', *SHORT, what='8 MB/s', severity='warning')
    kit.lab_ctl('throttle', EXT4, 'bps=200M')


def unstable():
    _, mount = kit.drive(EXT4)
    run = kit.Watched(mount, *LARGE, '--read-only', '--size', '8MiB', '--duration', '2', '--warmup', '0', '--runs', '3', '--interval', '0')
    for number, rate in ((2, '30M'), (3, '80M')):
        kit.check(run.wait_for(r'run %d, ' % number) is not None, 'unstable: run %d starts' % number)
        kit.lab_ctl('throttle', EXT4, 'bps=' + rate)
    run.end(30)
    kit.lab_ctl('throttle', EXT4, 'bps=200M')
    kit.check(run.document is not None and 'unstable' in kit.findings(run.document), 'unstable: a drive whose speed changes from run to run: %s' % (
        run.document and kit.findings(run.document)))
    if run.document:
        seen.add('unstable')


def busy():
    device, mount = kit.drive(EXT4)
    other = subprocess.Popen(['sh', '-c', 'while :; do dd if=%s of=/dev/null bs=256k iflag=direct count=200; done' % device], stderr=subprocess.DEVNULL,
                             start_new_session=True)
    try:
        look('busy-drive', mount, *SMALL, '--read-only', *SHORT, severity='warning')
    finally:
        os.killpg(other.pid, signal.SIGKILL)
        other.wait()


def starved():
    _, mount = kit.drive(EXT4)
    others = [subprocess.Popen(['sh', '-c', 'while :; do :; done']) for _ in range(4)]
    try:
        look('cpu-limited', mount, '--test', 'RND4K Q16T4', '--read-only', *SHORT, severity='warning')
    finally:
        for other in others:
            other.kill()
            other.wait()


def twice_at_once():
    _, mount = kit.drive(EXT4)
    run = kit.Watched(mount, *SMALL, '--read-only', '--size', '8MiB', '--duration', '20', '--warmup', '0', *kit.QUICK)
    run.wait_for(r'run 1, [1-9]')
    look('also-running', mount, *SMALL, '--read-only', *SHORT, severity='warning')
    run.signal(signal.SIGINT)
    run.end(10)


def in_pieces():
    _, mount = kit.drive(EXT4)
    folder = os.path.join(mount, 'pieces')
    os.mkdir(folder)
    names, n = [], 0
    try:
        while os.statvfs(mount).f_bavail * os.statvfs(mount).f_frsize > 2 * kit.MIB:
            name = os.path.join(folder, '%05d' % n)
            with open(name, 'wb') as file:
                file.write(bytes(256 * kit.KIB))
                os.fsync(file.fileno())
            names.append(name)
            n += 1
    except OSError:
        pass
    for name in names[::2]:
        os.unlink(name)
    os.sync()
    look('fragmented', mount, *SMALL, '--read-only', *SHORT, severity='warning')
    subprocess.run(['rm', '-r', folder], check=True)


def nearly_full():
    """Only a file system of over 750 MiB has 90 % used and room for the reserve: a sparse one, on tmpfs."""
    os.makedirs('/mnt/shm', exist_ok=True)
    subprocess.run(['modprobe', 'loop'])
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=300M', 'tmpfs', '/mnt/shm'], check=True)
    subprocess.run(['truncate', '-s', '1500M', '/mnt/shm/image'], check=True)
    device = subprocess.run(['losetup', '-f', '--show', '/mnt/shm/image'], check=True, capture_output=True, text=True).stdout.strip()
    place = mounted(device)
    info = os.statvfs(place)
    spare = 100 * kit.MIB
    fd = os.open(os.path.join(place, 'fill'), os.O_RDWR | os.O_CREAT)
    os.posix_fallocate(fd, 0, info.f_bavail * info.f_frsize - spare)
    os.close(fd)
    look('nearly-full', place, *SMALL, '--read-only', *SHORT, severity='warning')
    subprocess.run(['umount', place], check=True)
    subprocess.run(['losetup', '-d', device], check=True)
    for finding in ('memory-target', 'not-direct'):
        look(finding, '/mnt/shm', *SMALL, '--read-only', *SHORT, severity='invalid')
    subprocess.run(['umount', '/mnt/shm'], check=True)


def btrfs():
    _, mount = kit.drive(BTRFS)
    look('copy-on-write', mount, *SMALL, '--read-only', *SHORT, severity='info')
    look('copy-on-write', mount, *SMALL, '--read-only', *SHORT, '--no-cow', what='a file without copy on write', is_expected=False)
    subprocess.run(['mount', '-o', 'remount,compress=zstd', mount], check=True)
    look('compressed', mount, *SMALL, '--read-only', *SHORT, severity='info')


def helpers_of_the_kernel():
    """btrfs puts off each write that would need a new place: the kernel's own threads do it then."""
    _, mount = kit.drive(BTRFS)
    document = look('kernel-threads', mount, '--test', 'RND4K Q8T1', '--write-only', *SHORT, '--backend', 'io_uring', severity='info')
    if document:
        run = document['tests'][0]['runs'][0]
        kit.note('CPU: ours %.0f ms, helper tasks %.0f ms; depth at the drive %.1f' % (run['cpu_ns'] / 1e6, run['kernel_worker_cpu_ns'] / 1e6, run['queue_depth_device']))


def fuse():
    _, mount = kit.drive(NTFS)
    look('fuse-target', mount, *SMALL, '--read-only', *SHORT, severity='warning')
    look('queue-not-reached', mount, '--test', 'RND4K Q32T1', '--read-only', *SHORT, severity='warning')


def odd_places():
    device, _ = kit.drive(RAW)
    subprocess.run(['sfdisk', '-q', device], input='label: dos\n63,,L\n', text=True, check=True)
    for _ in range(50):
        if os.path.exists(device + '1'):
            break
        time.sleep(0.1)
    place = mounted(device + '1')
    look('misaligned', place, *SMALL, '--read-only', *SHORT, severity='warning')
    subprocess.run(['umount', place], check=True)

    subprocess.run(['modprobe', 'dm-crypt'])
    sectors = int(open('/sys/class/block/%s/size' % os.path.basename(device)).read())
    done = subprocess.run(['dmsetup', 'create', 'secret', '--noudevsync', '--uuid', 'CRYPT-PLAIN-secret', '--table',
                           '0 %d crypt aes-xts-plain64 %s 0 %s 0' % (sectors, '0123456789abcdef' * 4, device)], capture_output=True, text=True)
    subprocess.run(['dmsetup', 'mknodes'], check=False)
    if not kit.check(done.returncode == 0, 'dm-crypt: %s' % done.stderr.strip()):
        return
    place = mounted('/dev/mapper/secret')
    look('encrypted', place, *SMALL, '--read-only', *SHORT, severity='info')
    subprocess.run(['umount', place], check=True)
    subprocess.run(['dmsetup', 'remove', '--noudevsync', 'secret'], check=False)


def coarse():
    """A drive of 4096-byte blocks that takes 512 bytes."""
    subprocess.run(['modprobe', 'sd_mod'])
    subprocess.run(['modprobe', 'scsi_debug', 'dev_size_mb=128', 'physblk_exp=3', 'delay=0'], check=True)
    devices = []
    for _ in range(100):
        devices = glob.glob('/sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block/*')
        if devices and int(open(devices[0] + '/size').read()) > 0:
            break
        time.sleep(0.2)
    if not kit.check(devices != [], 'scsi_debug has its drive'):
        return
    mount = mounted('/dev/' + os.path.basename(devices[0]))
    look('sub-sector', mount, '--test', 'RND512 Q1T1', '--read-only', *SHORT, severity='warning')


def too_fine():
    """A drive that takes no less than 4096 bytes: the test of 512 is not run, which is said, and the others are."""
    os.makedirs('/mnt/shm', exist_ok=True)
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=150M', 'tmpfs', '/mnt/shm'], check=True)
    subprocess.run(['truncate', '-s', '128M', '/mnt/shm/image'], check=True)
    device = subprocess.run(['losetup', '-f', '--show', '--sector-size', '4096', '/mnt/shm/image'], check=True, capture_output=True, text=True).stdout.strip()
    place = mounted(device)
    document, status, text = kit.measure(place, '--test', 'RND512 Q1T1', '--test', 'RND4K Q1T1', '--read-only', *SHORT, expect=(1,))
    tests = document['tests']
    kit.check(tests[0]['state'] == 'not-run' and tests[0]['reason'] == 'below-logical-block' and tests[0]['runs'] == [] and tests[0]['shown'] is None,
              'below the logical block: %s, %s' % (tests[0]['state'], tests[0]['reason']))
    kit.check(tests[1]['state'] == 'done' and tests[1]['shown']['iops'] > 0, 'at the logical block: %s' % tests[1]['state'])
    kit.check("its block is smaller than the drive's own" in text.replace('’', "'"), 'it is said: ' + words_of(text)[-300:])
    subprocess.run(['umount', place], check=True)
    subprocess.run(['losetup', '-d', device], check=True)
    subprocess.run(['umount', '/mnt/shm'], check=True)


def battery():
    """A machine with a battery that feeds it, played below /sys/class/power_supply."""
    supplies = '/sys/class/power_supply'
    subprocess.run(['mount', '-t', 'tmpfs', 'tmpfs', supplies], check=True)
    for name, attributes in (('AC', {'type': 'Mains', 'online': '0'}), ('BAT0', {'type': 'Battery', 'scope': 'System', 'status': 'Discharging'})):
        os.mkdir(os.path.join(supplies, name))
        for attribute, value in attributes.items():
            with open(os.path.join(supplies, name, attribute), 'w') as file:
                file.write(value + '\n')
    _, mount = kit.drive(EXT4)
    look('on-battery', mount, *SMALL, '--read-only', *SHORT, severity='info')
    with open(os.path.join(supplies, 'AC', 'online'), 'w') as file:
        file.write('1\n')
    look('on-battery', mount, *SMALL, '--read-only', *SHORT, what='a machine on its charger', is_expected=False)
    subprocess.run(['umount', supplies], check=True)


def asleep():
    """A drive that falls asleep in the pause between two tests. It writes through, so that no flush wakes it before the first read does."""
    device, mount = kit.drive(SLEEPY)
    with open('/sys/class/block/%s/queue/write_cache' % os.path.basename(device), 'w') as file:
        file.write('write through')
    with tempfile.TemporaryDirectory() as place:
        report = os.path.join(place, 'r.txt')
        run = kit.Watched(mount, *SMALL, '--test', 'RND4K Q1T1', '--read-only', '--size', '8MiB', '--duration', '1', '--warmup', '0', '--runs', '1', '--interval', '4', '--text', report)
        kit.check(run.wait_for(r'run 1, [1-9]') is not None, 'asleep: the first test starts')
        time.sleep(2.5)
        kit.lab_ctl('stall', SLEEPY)
        time.sleep(4) # until well after the pause
        kit.lab_ctl('resume', SLEEPY)
        run.end(30)
        if kit.check(run.document is not None and os.path.exists(report), 'asleep: a result: %s' % run.tail()):
            judge('was-asleep', run.document, open(report).read(), severity='info')
            kit.note('first transfers: %s s' % ' '.join('%.2f' % (t['runs'][0]['first_io_ns'] / 1e9) for t in run.document['tests']))


def network():
    """A cluster's file system, here with one member: nobody but the network's drives has it."""
    if not shutil.which('mkfs.gfs2') or subprocess.run(['modprobe', 'gfs2'], capture_output=True).returncode != 0:
        kit.note('not shown here: network-target, since there is no gfs2')
        return
    device, _ = kit.drive(RAW)
    subprocess.run(['wipefs', '-qa', device], check=True)
    subprocess.run(['mkfs.gfs2', '-O', '-q', '-p', 'lock_nolock', '-j', '1', '-J', '8', device], check=True)
    place = tempfile.mkdtemp(dir='/mnt')
    subprocess.run(['mount', '-t', 'gfs2', device, place], check=True)
    look('network-target', place, *SMALL, '--read-only', *SHORT, severity='warning')
    subprocess.run(['umount', place], check=True)


def inside():
    os.makedirs('/mnt', exist_ok=True)
    for part in (plain, few, unstable, busy, starved, twice_at_once, in_pieces, nearly_full, btrfs, helpers_of_the_kernel, fuse,
                 odd_places, coarse, too_fine, battery, asleep, network):
        begin = time.monotonic()
        try:
            part()
        except (OSError, subprocess.CalledProcessError, RuntimeError) as error:
            kit.check(False, '%s: %s' % (part.__name__, error))
        kit.note('%s: %.0f s' % (part.__name__, time.monotonic() - begin))
    kit.note('seen: ' + ' '.join(sorted(seen)))
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, DRIVES, '--mem', '1600M')
