#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives of 100 MB/s and 2000 IOPS on every kind of link, in a guest in real time: SEQ1M Q8 and RND4K Q32 read the known speed within 2 %, BOT within 25 %.

On a busy machine the guest may not get the time to reach it: a figure that misses is measured again, at most four times, longer each time, and that is said.
One that stays below because the guest's processor was the limit, as the result itself says, is not judged; at least half of all must be.
The drive's own counters: bytes over the window, depth, and one request for each I/O."""
import kit

KINDS = [('nvme', 0.02), ('sata', 0.02), ('usb-uas', 0.02), ('virtio', 0.02), ('usb-bot', 0.25)]
BYTES_PER_S, IOPS = 100e6, 2000
SECONDS = (2, 3, 5, 8)


def check_depth(what, kind, test, run):
    """What the drive itself says of how many it had: all that were asked for where it has room for them, two over BOT. (1 MiB may be several requests.)"""
    asked = test['queue_depth'] * test['threads']
    most, depth = min(asked, {'usb-bot': 2, 'sata': 32, 'usb-uas': 30}.get(kind, 512)), run['queue_depth_device']
    kit.check(depth is not None and 0 < depth <= 1.05 * most + 0.2 and 1 <= run['inflight_max'] <= most + 4, '%s: depth at the drive %s, at most %s, of %d' % (
        what, depth and '%.2f' % depth, run['inflight_max'], most))
    if kind in ('nvme', 'virtio') and kit.ran_freely(run):
        kit.check(depth >= 0.75 * most, '%s: depth at the drive reached' % what)


def look(kind, slack, mount, test, block, least):
    """Reads and writes together first, then alone what missed. True for each that was judged."""
    wanted, seen, is_judged = ['read', 'write'], {'read': [], 'write': []}, []
    for attempt, seconds in enumerate(SECONDS):
        document, _, _ = kit.measure(mount, '--test', test, '--directions', ','.join(wanted), '--size', '16MiB', '--duration', str(seconds), '--warmup', '0.5',
                                     *kit.QUICK, expect=(0, 1))
        missed = []
        for i, direction in enumerate(wanted):
            what = '%s %s %s' % (kind, test, direction)
            is_last = attempt + 1 == len(SECONDS)
            if document['tests'][i]['shown'] is None:
                test_runs = [(run['elapsed_ns'], run['suspended_ns'], run['errors']) for run in document['tests'][i]['runs']]
                kit.note('%s: no figure: %s, %s, %s' % (what, document['tests'][i]['state'], document['tests'][i]['reason'], test_runs))
                seen[direction].append('none')
                if is_last:
                    kit.check(False, what + ': has a figure')
                else:
                    missed.append(direction)
                continue
            bandwidth, iops, _ = kit.figure(document, i)
            run = document['tests'][i]['runs'][0]
            ratio = bandwidth / BYTES_PER_S if block > 4096 else iops / IOPS
            kit.check_run(what, document, i, least)
            if block == 4096:
                check_depth(what, kind, document['tests'][i], run)
            seen[direction].append('%.4f' % ratio)
            is_right = abs(ratio - 1) <= slack
            if not is_right and not is_last:
                missed.append(direction)
                continue
            is_starved = not is_right and ratio < 1 and (not kit.ran_freely(run) or 'cpu-limited' in kit.findings(document))
            is_judged.append(not is_starved)
            if is_starved:
                kit.note('not judged: %s: %s of the known speed, our thread waited %.0f ms for a processor, findings %s' % (
                    what, ' '.join(seen[direction]), run['run_wait_ns'] / 1e6, kit.findings(document)))
            else:
                kit.check(is_right, '%s: %s of the known speed (%s)' % (what, seen[direction][-1], 'at once' if attempt == 0 else
                                                                     'before: ' + ' '.join(seen[direction][:-1])))
        wanted = missed
        if not wanted:
            break
    return is_judged


def inside():
    judged = []
    for i, (kind, slack) in enumerate(KINDS):
        _, mount = kit.drive(i)
        # BOT has room for two requests: whoever submits more is held in the submitting call; the result then says how few were under way
        judged += look(kind, slack, mount, 'SEQ1M Q8T1', kit.MIB, 0.95)
        judged += look(kind, slack, mount, 'RND4K Q32T1', 4096, 0.75)
    for i, (kind, _) in enumerate(KINDS):
        device, mount = kit.drive(i)
        if kind in ('nvme', 'virtio'):
            for test, direction, block in (('SEQ128K Q8T1', 'read', 128 * kit.KIB), ('SEQ128K Q8T1', 'write', 128 * kit.KIB), ('RND4K Q32T1', 'read', 4096)):
                kit.check_requests('%s %s %s' % (kind, test, direction), device, mount, test, direction, block)
    kit.check(sum(judged) >= len(judged) / 2, '%d of %d judged, the others not, since the processor was the limit' % (sum(judged), len(judged)))
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, ['%s,size=128M,bps=100M,iops=2000' % kind for kind, _ in KINDS], '--fs', 'ext4', '--mem', '1G')
