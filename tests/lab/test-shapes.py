#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that behave in a known way, in a guest in real time: planted outliers, a cache that ends, exFAT on a slow UAS drive."""
import kit

TAIL, CACHE, EXFAT = range(3)


def percentile_ns(histogram, share):
    """Upper edge of the bucket where the share of all lies (engine/histogram.h: value = mantissa << shift of the log-linear index)."""
    bits = histogram['sub_bits']
    total = sum(n for _, n in histogram['counts'])
    seen = 0
    for index, n in histogram['counts']:
        seen += n
        if seen >= share * total:
            shift = max((index >> bits) - 1, 0)
            mantissa = index - (shift << bits)
            return ((mantissa + 1) << shift) - 1
    return None


def outliers():
    """1 request in 100 takes 20 ms, all others 1 ms."""
    _, mount = kit.drive(TAIL)

    def attempt():
        document, _, _ = kit.measure(mount, '--test', 'RND4K Q1T1', '--read-only', '--size', '16MiB', '--duration', '4', '--warmup', '0', *kit.QUICK)
        run = document['tests'][0]['runs'][0]
        latency = run['latency']
        p90, p995 = (percentile_ns(run['histogram'], share) for share in (0.90, 0.995))
        slow = sum(n for index, n in run['histogram']['counts'] if percentile_ns({'sub_bits': run['histogram']['sub_bits'], 'counts': [[index, 1]]}, 1) > 19e6)
        text = '%d I/Os, %d of 20 ms and more; p50 %.2f, p90 %.2f, p99.5 %.2f, max %.2f ms' % (
            run['ios'], slow, latency['p50_ns'] / 1e6, p90 / 1e6, p995 / 1e6, latency['max_ns'] / 1e6)
        return (1e6 <= latency['p50_ns'] < 3e6 and p90 < 10e6 and 20e6 <= p995 <= 26e6 and latency['max_ns'] >= 20e6
                and 0.008 * run['ios'] - 1 <= slow <= 0.02 * run['ios'] + 1), text

    kit.twice(attempt, 'planted outliers (1 in 100 at 20 ms)')


def cache():
    """60 MB/s for about three seconds' worth of it, 15 MB/s then."""
    _, mount = kit.drive(CACHE)

    def attempt():
        document, _, _ = kit.measure(mount, '--test', 'SEQ1M Q4T1', '--write-only', '--size', '16MiB', '--duration', '9', '--warmup', '0', *kit.QUICK)
        found = [f for f in document['findings'] if f['id'] == 'cache-ended']
        samples = [b / 1e5 for b in document['tests'][0]['runs'][0]['samples']['bytes']]
        return len(found) == 1, 'findings %s %s, MB/s each half second: %s' % (
            kit.findings(document), found and found[0]['values'], ' '.join('%.0f' % (sum(samples[k:k + 5]) / 5) for k in range(0, len(samples), 5)))

    kit.twice(attempt, 'a cache that ends')


def exfat():
    """exFAT knows no NOWAIT, so io_uring would write one at a time: eight writes of 10 ms at once need libaio."""
    _, mount = kit.drive(EXFAT)
    path = kit.lay(mount, 8 * kit.MIB)

    def attempt():
        document, _, _ = kit.measure(mount, '--test', 'RND4K Q8T1', '--write-only', '--size', '8MiB', '--duration', '3', '--warmup', '0.5', *kit.QUICK)
        ours = kit.figure(document)[1]
        theirs = kit.fio(path, 'randwrite', 4096, 8, 3, 8 * kit.MIB, engine='libaio', ramp=0.5)[1]
        run = document['tests'][0]['runs'][0]
        return ours >= 0.9 * theirs and run['backend'] == 'libaio', 'ours %.0f IOPS by %s (%s), fio by libaio %.0f' % (
            ours, run['backend'], run['backend_reason'], theirs)

    kit.twice(attempt, 'exFAT on a UAS drive of 10 ms, eight writes at once')


def inside():
    outliers()
    exfat()
    cache()
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, ['virtio,size=160M,fs=ext4,latency=1ms,tail=100:20ms', 'virtio,size=160M,fs=ext4,wbps=15M,wbps-burst=60M,wbps-burst-s=3',
                     'usb-uas,size=160M,fs=exfat,latency=10ms'], '--mem', '1G')
