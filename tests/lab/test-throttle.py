#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive whose speed the kernel holds: our figures against fio's in alternate runs, and against the device's own counters.

Without arguments it starts itself once a limit inside tests/lab/throttled.

The kernel's throttle gives its share out in slices of 0.1 s, so whoever counts from one moment to another can be wrong by what one slice lets through.
fio besides counts some of the requests that were in flight when its ramp ended: at 50 MB/s and eight of 1 MiB 47.2, 50.7 and 52.3 in 3 s, 50.4 each time in
8 s, where we and the device's own counters have 50.0. So the slow ones run longer, fio longer than we, and medians are compared."""
import os
import statistics
import subprocess
import sys

import kit

HERE = os.path.dirname(os.path.realpath(__file__))
# limit, its value, kind, seconds of ours, seconds of fio; what stands together is slow enough to be measured at the same time, each on a drive of its own
LIMITS = [[('--bps', '50M', 'read', 6, 12), ('--bps', '100M', 'write', 6, 14)], [('--bps', '400M', 'read', 3, 4)],
          [('--iops', '2000', 'write', 3, 3), ('--iops', '10000', 'read', 3, 3)]]
ROUNDS, MOST_ROUNDS = 2, 7 # more than two only while the limit is not reached or the medians are apart


def compare(limit, kind, our_seconds, fio_seconds):
    folder = os.environ['LAB_MNT']
    is_bytes = limit == '--bps'
    block, depth, spec = (kit.MIB, 8, 'SEQ1M Q8T1') if is_bytes else (4096, 32, 'RND4K Q32T1')
    size = 64 * kit.MIB
    path = kit.lay(folder, size)

    asked = float(os.environ['LAB_LIMIT'].replace('M', 'e6'))
    ours, theirs, starved, text = [], [], 0, ''
    for k in range(1, MOST_ROUNDS + 1):
        document, _, _ = kit.measure(folder, '--test', spec, '--directions', kind, '--size', '64MiB', '--duration', our_seconds, '--warmup', '1', *kit.QUICK)
        bandwidth, iops, _ = kit.figure(document)
        ours.append(bandwidth if is_bytes else iops)
        kit.check_run('%s %s' % (spec, kind), document, 0, 0.95 if is_bytes else 0.75)
        theirs.append(kit.fio(path, kind if is_bytes else 'rand' + kind, block, depth, float(fio_seconds), size)[0 if is_bytes else 1])
        text = 'ours %s, fio %s' % (' '.join('%.4g' % n for n in ours), ' '.join('%.4g' % n for n in theirs))
        # the throttle never gives less than was asked for: such a round shows a busy machine, as does one in which our threads had to wait for a processor
        if not kit.ran_freely(kit.shown_run(document)):
            starved += 1
            ours.pop()
            theirs.pop()
            continue
        reached = [[n for n in figures if n >= 0.98 * asked] for figures in (ours, theirs)]
        if min(len(figures) for figures in reached) < ROUNDS:
            continue
        ratio = statistics.median(reached[0]) / statistics.median(reached[1])
        text += ', ratio of medians %.4f' % ratio
        if abs(ratio - 1) <= 0.01:
            break
    if starved > MOST_ROUNDS - ROUNDS:
        kit.note('not judged, for our threads waited for a processor in %d of %d rounds: %s at %s %s' % (starved, MOST_ROUNDS, kind, limit,
                                                                                                      os.environ['LAB_LIMIT']))
        sys.exit(1 if kit.failures else 77)
    is_right = min(len(figures) for figures in reached) >= ROUNDS and abs(ratio - 1) <= 0.01
    spread = (max(theirs) - min(theirs)) / statistics.median(theirs)
    if not is_right and spread > 0.03:
        kit.note('not judged, for fio differs from itself by %.0f %% on this busy machine: %s at %s %s: %s' % (
            100 * spread, kind, limit, os.environ['LAB_LIMIT'], text))
        sys.exit(1 if kit.failures else 77)
    kit.check(is_right, '%s at %s %s: %s' % (kind, limit, os.environ['LAB_LIMIT'], text))


def main():
    if len(sys.argv) == 5:
        compare(*sys.argv[1:])
        kit.finish()
    kit.need_root()
    kit.need('fio', 'losetup', 'mkfs.ext4')
    if not os.path.exists('/sys/fs/cgroup/blkio') and not os.path.exists('/sys/fs/cgroup/cgroup.controllers'):
        kit.skip('no cgroup that can throttle block devices')
    n_judged = 0
    for together in LIMITS:
        running = [(limit, value, subprocess.Popen(
            [os.path.join(HERE, 'throttled'), limit, value, '--size', '400M', '--', sys.executable, __file__, limit, kind, str(ours), str(theirs)],
            env=dict(os.environ, LAB_LIMIT=value))) for limit, value, kind, ours, theirs in together]
        for limit, value, process in running:
            status = process.wait()
            n_judged += status != 77
            kit.check(status in (0, 77), '%s %s%s' % (limit, value, '' if status != 77 else ', not judged'))
    if n_judged == 0:
        kit.skip('the machine is too busy for fio to agree with itself')
    kit.finish()


main()
