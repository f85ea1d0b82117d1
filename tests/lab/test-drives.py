#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives on every kind of link, in a guest: list and a short run name the link and find what holds the drive back; a drive pulled out while list runs."""
import subprocess
import sys
import threading
import time

import kit

# what the guest gets; size of the test file; kind, link's name, protocol, speed in bits/s (None: unknown), chain; findings that must be there;
# findings that must not
DRIVES = [
    ('usb2-bot,bps=40M', '4MiB', 'usb', 'USB 2.0 (480 Mb/s), BOT', 'bot', 480000000, ['drive', 'bridge', 'port', 'controller'], [], ['bot-not-uas', 'above-link']),
    ('usb-uas,bps=440M', '32MiB', 'usb', 'USB 3.2 Gen 1 (5 Gb/s), UAS', 'uas', 5000000000, ['drive', 'bridge', 'port', 'controller'], [],
     ['bot-not-uas', 'slow-port', 'above-link']),
    ('usb-bot', '16MiB', 'usb', 'USB 3.2 Gen 1 (5 Gb/s), BOT', 'bot', 5000000000, ['drive', 'bridge', 'port', 'controller'], [],
     ['bot-not-uas', 'slow-port']), # it offers no UAS
    ('nvme', '32MiB', 'pcie', 'PCIe 1.0 ×1', 'nvme', 2500000000, ['drive', 'port'], [], ['narrow-link', 'link-is-limit']),
    ('sata,rotation=1,bps=128M', '32MiB', 'sata', 'SATA 1.5 Gb/s', 'ahci', 1500000000, ['drive', 'controller'], [], ['above-link']),
    ('usb-bot,hub=1,bps=1M', '2MiB', 'usb', 'USB 1.1 (12 Mb/s), BOT', 'bot', 12000000, ['drive', 'bridge', 'hub', 'port', 'controller'], [],
     ['bot-not-uas', 'above-link']),
    ('sd,size=256M,bps=5M', '4MiB', 'sd', 'SD High Speed (25 MB/s)', 'mmc', 200000000, ['drive', 'controller'], [], ['above-link', 'link-is-limit']),
]


def listed(document, name):
    for entry in document['drives']:
        if entry['drive'] and entry['drive']['name'] == name:
            return entry
    return None


def check_link(what, link, expected):
    _, _, kind, name, protocol, speed, chain, _, _ = expected
    seen = (link['kind'], link['name'], link['protocol'], link['speed_bits_per_s'], [node['kind'] for node in link['path']])
    kit.check(seen == (kind, name, protocol, speed, chain), '%s: link %s' % (what, seen) + ('' if seen == (kind, name, protocol, speed, chain) else
                                                                                      ', expected %s' % ((kind, name, protocol, speed, chain),)))


def check_speed_findings(what, document):
    """above-link and link-is-limit follow from the figure that was really reached: a slow machine may not reach the link's limit."""
    link = document['targets'][0]['link']
    rate = max(test['shown']['bandwidth_bytes_per_s'] for test in document['tests'])
    ids = kit.findings(document)
    above, low = link['after_coding_bytes_per_s'], link['practical_low_bytes_per_s']
    is_above = above is not None and rate > 1.02 * above
    is_limit = low is not None and not is_above and rate >= 0.93 * low
    kit.check(('above-link' in ids) == is_above and ('link-is-limit' in ids) == is_limit,
              '%s: %.1f MB/s of %s after coding, practically from %s: %s' % (what, rate / 1e6, above, low, ids))


def measure(i, expected):
    device, mount = kit.drive(i)
    name = device.rsplit('/', 1)[1]
    what = '%s (%s)' % (expected[0], name)
    document, _ = kit.list_targets()
    entry = listed(document, name)
    if not kit.check(entry is not None and entry['usable'] is not False and len(entry['targets']) == 1 and entry['targets'][0]['mount'] == mount,
                     what + ': listed with its mount'):
        kit.note(str(entry))
        return
    check_link(what + ' in list', entry['link'], expected)
    test = 'SEQ1M Q8T1' if int(expected[1][:-3]) > 8 else 'SEQ128K Q1T1'
    document, _, _ = kit.measure(mount, '--test', test, '--read-only', '--duration', '1', '--warmup', '0.2', '--size', expected[1], *kit.QUICK)
    if document is None:
        return
    check_link(what + ' in the result', document['targets'][0]['link'], expected)
    check_speed_findings(what, document)
    ids = kit.findings(document)
    kit.check(all(f in ids for f in expected[7]) and not any(f in ids for f in expected[8]), '%s: findings %s' % (what, ids))
    run = document['tests'][0]['runs'][0]
    kit.check(run['direct'] == 'proved' and abs(run['device_bytes'] - run['bytes']) <= max(0.005 * run['bytes'], 8 * kit.MIB),
              '%s: direct I/O %s, device counted %s of %d bytes' % (what, run['direct'], run['device_bytes'], run['bytes']))


def unplug(i, expected):
    """Lists again and again while the drive goes."""
    device, mount = kit.drive(i)
    name = device.rsplit('/', 1)[1]
    subprocess.run(['umount', mount], check=True)
    entry = listed(kit.list_targets()[0], name)
    kit.check(entry is not None and entry['usable'] is False and bool(entry['reason']), '%s: not mounted, listed with a reason: %s' % (
        expected[0], entry['reason'] if entry else 'not listed at all'))
    seen, is_over = [], threading.Event()

    def again():
        while not is_over.is_set():
            begin = time.monotonic()
            document, taken = kit.list_targets()
            seen.append((begin, taken, listed(document, name) is not None))

    thread = threading.Thread(target=again)
    thread.start()
    time.sleep(0.3)
    kit.lab_ctl('unplug', i)
    gone = time.monotonic()
    while time.monotonic() - gone < 10 and not (seen and seen[-1][0] > gone and not seen[-1][2]):
        time.sleep(0.05)
    is_over.set()
    thread.join()
    last = max([begin for begin, _, is_there in seen if is_there], default=0.0)
    kit.check(not seen[-1][2] and last - gone < 2, '%s: pulled out while listing: %d lists, gone %.1f s later, slowest list %.2f s' % (
        expected[0], len(seen), max(last - gone, 0), max(taken for _, taken, _ in seen)))


def inside():
    for i, expected in enumerate(DRIVES):
        measure(i, expected)
    for i in (0, 1, 3, 4, 6):
        unplug(i, DRIVES[i])
    kit.finish()


if kit.is_inside():
    inside()
kit.guest(__file__, [drive[0] + (',size=128M' if 'size=' not in drive[0] else '') for drive in DRIVES], '--fs', 'ext4', '--mem', '1G', '--udev', '1',
          '--udev-match=--subsystem-match=block')
