#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive whose speed the kernel holds: our figures against fio's in alternate runs, and against the device's own counters.

Without arguments it starts itself once a limit inside tests/lab/throttled."""
import os
import statistics
import subprocess
import sys

import kit

HERE = os.path.dirname(os.path.realpath(__file__))
MIB = 1 << 20
LIMITS = [('--bps', '50M'), ('--bps', '100M'), ('--bps', '400M'), ('--iops', '2000'), ('--iops', '10000')]
ROUNDS = 3
SECONDS = 3


def compare(limit, kind):
    folder = os.environ['LAB_MNT']
    is_bytes = limit == '--bps'
    block, depth, spec = (MIB, 8, 'SEQ1M Q8T1') if is_bytes else (4096, 32, 'RND4K Q32T1')
    size = 64 * MIB
    subprocess.run(['fio', '--name=lay', '--filename=' + os.path.join(folder, 'fio.tmp'), '--rw=write', '--bs=1M', '--size=%d' % size,
                    '--direct=1', '--end_fsync=1'], check=True, stdout=subprocess.DEVNULL)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        document, _, _ = kit.measure(folder, '--test', spec, '--directions', kind, '--size', '64MiB', '--runs', '1', '--duration', str(SECONDS),
                                     '--warmup', '1', '--interval', '0')
        bandwidth, iops, latency_ns = kit.figure(document)
        ours.append(bandwidth if is_bytes else iops)
        run = document['tests'][0]['runs'][0]
        slack = max(0.005 * run['bytes'], depth * block)
        kit.check(run['device_bytes'] is not None and abs(run['device_bytes'] - run['bytes']) <= slack,
                  '%s %s: device counted %s of our %d bytes' % (spec, kind, run['device_bytes'], run['bytes']))
        little = iops * latency_ns / 1e9 / depth
        kit.check(little <= 1.03 and little >= (0.95 if is_bytes else 0.75), '%s %s: IOPS x latency / depth = %.3f' % (spec, kind, little))
        kit.check(run['direct'] == 'proved', '%s %s: direct I/O is %s' % (spec, kind, run['direct']))
        name = ('read' if kind == 'read' else 'write') if is_bytes else 'rand' + kind
        theirs.append(kit.fio(folder, name, block, depth, SECONDS, size)[0 if is_bytes else 1])
    ratio = statistics.median(ours) / statistics.median(theirs)
    kit.check(0.99 <= ratio <= 1.01, '%s at %s %s: ours %.4g, fio %.4g, ratio %.4f' % (kind, limit, os.environ['LAB_LIMIT'], statistics.median(ours),
                                                                                    statistics.median(theirs), ratio))


def main():
    if len(sys.argv) == 3:
        compare(sys.argv[1], sys.argv[2])
        kit.finish()
    kit.need_root()
    kit.need('fio', 'losetup', 'mkfs.ext4')
    if not os.path.exists('/sys/fs/cgroup/blkio') and not os.path.exists('/sys/fs/cgroup/cgroup.controllers'):
        kit.skip('no cgroup that can throttle block devices')
    for i, (limit, value) in enumerate(LIMITS):
        kind = 'write' if i % 2 else 'read'
        done = subprocess.run([os.path.join(HERE, 'throttled'), limit, value, '--size', '400M', '--', sys.executable, __file__, limit, kind],
                              env=dict(os.environ, LAB_LIMIT=value))
        kit.check(done.returncode == 0, '%s %s' % (limit, value))
    kit.finish()


main()
