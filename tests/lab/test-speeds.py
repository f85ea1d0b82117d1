#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives of 100 MB/s and 2000 IOPS on every kind of link, in a guest in real time: SEQ1M Q8 and RND4K Q32 read the known speed within 2 %, BOT within 25 %.

On a busy machine the guest may not get the time to reach it: a figure that misses is measured again, at most four times, longer each time, and that is said.
One that stays below because the guest's processor was the limit, as the result itself says, is not judged; at least half of all must be."""
import kit

KINDS = [('nvme', 0.02), ('sata', 0.02), ('usb-uas', 0.02), ('virtio', 0.02), ('usb-bot', 0.25)]
BYTES_PER_S, IOPS = 100e6, 2000
SECONDS = (2, 3, 5, 8)


def inside():
    judged, not_judged = 0, 0
    for i, (kind, slack) in enumerate(KINDS):
        _, mount = kit.drive(i)
        for test, depth, block, least in (('SEQ1M Q8T1', 8, kit.MIB, 0.95), ('RND4K Q32T1', 32, 4096, 0.75)):
            for direction in ('read', 'write'):
                seen = []
                for seconds in SECONDS:
                    document, _, _ = kit.measure(mount, '--test', test, '--directions', direction, '--size', '16MiB', '--duration', str(seconds),
                                                 '--warmup', '0.5', *kit.QUICK)
                    bandwidth, iops, _ = kit.figure(document)
                    run = document['tests'][0]['runs'][0]
                    kit.check_run('%s %s %s' % (kind, test, direction), run, depth, block, least if kind != 'usb-bot' else 0.75)
                    ratio = bandwidth / BYTES_PER_S if block > 4096 else iops / IOPS
                    seen.append('%.4f' % ratio)
                    if abs(ratio - 1) <= slack:
                        break
                if ratio < 1 - slack and (not kit.ran_freely(run) or 'cpu-limited' in kit.findings(document)):
                    not_judged += 1
                    kit.note('not judged: %s %s %s: %s of the known speed, our thread waited %.0f ms for a processor, findings %s' % (
                        kind, test, direction, ' '.join(seen), run['run_wait_ns'] / 1e6, kit.findings(document)))
                    continue
                judged += 1
                kit.check(abs(ratio - 1) <= slack, '%s %s %s: %s of the known speed (%s)' % (kind, test, direction, seen[-1], 'at once' if len(seen) == 1 else
                                                                                           'before: ' + ' '.join(seen[:-1])))
    kit.check(judged >= not_judged, '%d judged, %d not, since the processor was the limit' % (judged, not_judged))
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, ['%s,size=128M,bps=100M,iops=2000' % kind for kind, _ in KINDS], '--fs', 'ext4', '--mem', '1G')
