#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Latency against drives whose latency is known, in a guest whose clock counts instructions: what the host does cannot show in it.

null_blk answers by its timer (irqmode 2), set to 0, 100 us and 1 ms: what our mean grows by must be just that, and our mean must be fio's `lat`.

The zero is the timer at 0, not the drive without one (irqmode 0), since only then everything but the delay is the same: the timer's interrupt, the completion in
it, the worker that sleeps and is woken. Without a timer the drive answers inside the submitting call; nobody sleeps. The difference between the two is then not
the drive's latency alone, but also the kernel's path of interrupt, scheduler and wake-up, about 5 us of this guest's clock: true of any program that waits for a
drive, and part of what it measures on every real one. Both figures are shown."""
import kit

DRIVES = [0, 100, 1000]
SECONDS = 0.2


def inside():
    ours, theirs = {}, {}
    device, _ = kit.drive(len(DRIVES))
    at_once = kit.bench(file=device, rw='randread', bs='4k', qd='1', secs='0.05', warm='0.02', size='64m')
    kit.note('null_blk without a timer: ours mean %.2f us' % (at_once['latency']['mean_ns'] / 1000))
    for i, asked in enumerate(DRIVES):
        device, _ = kit.drive(i)
        result = kit.bench(file=device, rw='randread', bs='4k', qd='1', secs=str(SECONDS), warm='0.1', size='64m')
        ours[asked] = result['latency']['mean_ns'] / 1000
        theirs[asked] = kit.fio(device, 'randread', 4096, 1, SECONDS, 64 * kit.MIB, ramp=0.1)[2] / 1000
        kit.note('null_blk %d us: ours mean %.2f us, p50 %.2f us, %s by %s; fio lat %.2f us' % (
            asked, ours[asked], result['latency']['p50_ns'] / 1000, '%.0f IOPS' % result['iops'], result['backend'], theirs[asked]))
        kit.check(0.95 <= result['little'] <= 1.03, '%d us: IOPS x latency / depth = %.3f' % (asked, result['little']))
    for asked in DRIVES[1:]:
        grown = ours[asked] - ours[0]
        kit.check(abs(grown - asked) <= 3, 'asked %d us more, measured %.2f us more' % (asked, grown))
        ratio = ours[asked] / theirs[asked]
        kit.check(0.98 <= ratio <= 1.02, '%d us: ours is %.4f of what fio measures' % (asked, ratio))
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, ['null_blk,size=128M,latency=%dus' % asked for asked in DRIVES] + ['null_blk,size=128M'], '--mem', '2G', '--icount',
          'shift=0,sleep=off')
