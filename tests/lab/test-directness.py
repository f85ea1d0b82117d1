#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether I/O was direct, on every kind of file system, in a guest: what the result says against what the kernel's own counters say."""
import os
import subprocess

import kit

# file system, what must be said of reads and writes
CASES = [('ext4', 'proved', 'proved'), ('xfs', 'proved', 'proved'), ('btrfs', 'proved', 'proved'), ('f2fs', 'proved', 'proved'),
         ('exfat', 'proved', 'proved'), ('vfat', 'proved', 'proved'), ('ntfs', 'unknown', 'unknown')]
SIZES = {'ext4': '400M', 'f2fs': '256M', 'xfs': '400M', 'btrfs': '1500M'} # btrfs does not reuse at once what it writes anew


def pages_dirtied():
    for line in open('/proc/vmstat'):
        if line.startswith('nr_dirtied '):
            return int(line.split()[1])
    return None


def look(what, mount, read, write):
    dirtied = pages_dirtied()
    document, _, _ = kit.measure(mount, '--test', 'SEQ128K Q4T1', '--size', '16MiB', '--duration', '1', '--warmup', '0', *kit.QUICK)
    dirtied = max(0, pages_dirtied() - dirtied - 2 * 4096) # the test file may be prepared through the cache, its 16 MiB
    if document is None:
        return
    said = {test['direction']: (test['runs'][0]['direct'], test['runs'][0]['direct_reason']) for test in document['tests'] if test['runs']}
    kit.check(said.get('read', [None])[0] == read and said.get('write', [None])[0] == write, '%s: reads %s, writes %s' % (what, said.get('read'), said.get('write')))
    written = [test['runs'][0]['bytes'] // 4096 for test in document['tests'] if test['direction'] == 'write'][0]
    is_cached = dirtied > written / 2
    kit.check(is_cached == (write == 'refuted') or write == 'unknown', '%s: the kernel says: %d pages made dirty by %d written' % (what, dirtied, written))
    ids = kit.findings(document)
    kit.check(('not-direct' in ids) == ('refuted' in (read, write)), '%s: findings %s' % (what, ids))
    if what == 'ntfs-3g':
        kit.check('fuse-target' in ids, '%s: findings %s' % (what, ids))
    for test in document['tests']:
        run = test['runs'][0]
        if run['direct'] == 'proved':
            kit.check(run['device_bytes'] >= 0.95 * run['bytes'], '%s %s: device counted %s of %d bytes' % (what, test['direction'], run['device_bytes'], run['bytes']))


def loop(what, options, direct):
    """A loop device over a file on the first drive."""
    _, mount = kit.drive(0)
    image, place = os.path.join(mount, 'image'), '/mnt/loop'
    os.makedirs(place, exist_ok=True)
    with open(image, 'wb') as file:
        file.write(bytes(160 * kit.MIB))
    device = subprocess.run(['losetup', '-f', '--show', *options, image], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(['mkfs.ext4', '-q', device], check=True)
    subprocess.run(['mount', device, place], check=True)
    look(what, place, direct, direct)
    subprocess.run(['umount', place], check=True)
    subprocess.run(['losetup', '-d', device], check=True)
    os.unlink(image)


def inside():
    for i, (fs, read, write) in enumerate(CASES):
        look('ntfs-3g' if fs == 'ntfs' else fs, kit.drive(i)[1], read, write)
    _, mount = kit.drive(2)
    subprocess.run(['mount', '-o', 'remount,nodatasum', mount], check=True)
    look('btrfs without checksums', mount, 'proved', 'proved')
    subprocess.run(['modprobe', 'loop'])
    loop('a loop device without direct I/O', [], 'unknown')
    loop('a loop device with direct I/O', ['--direct-io=on'], 'proved')
    place = '/mnt/tmp'
    os.makedirs(place)
    subprocess.run(['mount', '-t', 'tmpfs', 'tmpfs', place], check=True)
    document, _, _ = kit.measure(place, '--test', 'SEQ128K Q4T1', '--size', '16MiB', '--duration', '1', '--warmup', '0', *kit.QUICK)
    kit.check([test['runs'][0]['direct'] for test in document['tests']] == ['refuted'] * 2 and 'memory-target' in kit.findings(document),
              'tmpfs: %s, findings %s' % ([test['runs'][0]['direct'] for test in document['tests']], kit.findings(document)))
    for name in ('lower', 'upper', 'work', 'all'):
        os.makedirs(place + '/' + name)
    subprocess.run(['mount', '-t', 'overlay', '-o', 'lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work' % (place, place, place), 'overlay', place + '/all'],
                   check=True)
    document, _, _ = kit.measure(place + '/all', '--test', 'SEQ128K Q4T1', '--size', '16MiB', '--duration', '1', '--warmup', '0', *kit.QUICK)
    said = [test['runs'][0]['direct'] for test in document['tests']]
    kit.check('proved' not in said, 'overlay on tmpfs: %s, findings %s' % (said, kit.findings(document)))
    subprocess.run(['umount', place + '/all'], check=True)
    below = kit.drive(0)[1]
    for name in ('upper', 'work'):
        os.makedirs(below + '/' + name)
    subprocess.run(['mount', '-t', 'overlay', '-o', 'lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work' % (place, below, below), 'overlay', place + '/all'],
                   check=True)
    look('overlay on ext4', place + '/all', 'unknown', 'unknown')
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, ['virtio,size=%s,fs=%s' % (SIZES.get(fs, '128M'), fs) for fs, _, _ in CASES], '--mem', '1200M')
