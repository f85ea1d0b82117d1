# SPDX-License-Identifier: GPL-3.0-or-later
"""The drives of a guest: KIND[,key=value...], and what QEMU is told of each.

Kinds: nvme sata usb-bot usb-uas virtio virtio-scsi sd (by QEMU; usb2-bot and usb2-uas hang on EHCI, usb1-bot on UHCI), null_blk (by the guest's kernel).
size=1G (binary; sd: a power of two), fs=, serial=, vendor=, product=, sector=4096, rotation=7200, removable=1, hub=1 (a 12 Mb/s hub in between);
bps= rbps= wbps= iops= riops= wiops= (decimal, 100M = 100e6), each with -burst= and -burst-s=: that rate for about so long first;
latency=100us wlatency=1ms tail=100:20ms: answered by nbd.c at arrival + latency, every 100th request after 20 ms."""
import json
import os
import re
import subprocess
import sys
import time

CACHE = os.environ.get('LAB_CACHE') or os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'drive-lab')
KINDS = 'nvme sata usb-bot usb-uas virtio virtio-scsi sd'.split()
GUEST = ['null_blk']


def die(msg):
    print('guest: ' + msg, file=sys.stderr)
    sys.exit(125)


def num(s):
    m = re.fullmatch(r'([0-9.]+)([kKMGT]?)(i?)B?', s)
    if not m:
        die('not a number: ' + s)
    return int(float(m[1]) * (1024 if m[3] else 1000) ** ' KMGT'.index(m[2].upper() or ' '))


def size(s): # sizes are binary: 1G = 1 GiB
    return num(s if s.endswith('i') or s[-1].isdigit() else s + 'i')


def ns(s):
    m = re.fullmatch(r'([0-9.]+)(ns|us|ms|s)?', s)
    if not m:
        die('not a time: ' + s)
    return int(float(m[1]) * {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9, None: 1}[m[2]])


class Drive:
    def __init__(self, i, spec):
        self.i = i
        kind, *kv = spec.split(',')
        self.o = o = {}
        for a in kv:
            k, _, v = a.partition('=')
            o[k] = v if _ else '1'
        aliases = {'usb2-bot': ('usb-bot', 'usb2'), 'usb2-uas': ('usb-uas', 'usb2'), 'usb1-bot': ('usb-bot', 'usb1')}
        if kind in aliases:
            kind, bus = aliases[kind]
            o.setdefault('bus', bus)
        if kind not in KINDS + GUEST:
            die('unknown drive kind %s; known: %s' % (kind, ' '.join(KINDS + list(aliases) + GUEST)))
        self.kind = kind
        self.serial = o.pop('serial', 'LAB%d' % i)
        self.fs = o.pop('fs', '-')
        self.size = size(o.pop('size', '1G'))
        if kind == 'sd' and self.size & (self.size - 1):
            die('an SD card needs a size that is a power of two')
        self.lim = {}
        for k, q in (('bps', 'bps-total'), ('rbps', 'bps-read'), ('wbps', 'bps-write'),
                     ('iops', 'iops-total'), ('riops', 'iops-read'), ('wiops', 'iops-write')):
            if k in o:
                self.lim[q] = num(o.pop(k))
            if k + '-burst' in o: # rate while bursting ...
                self.lim[q + '-max'] = num(o.pop(k + '-burst'))
            if k + '-burst-s' in o: # ... and for how long
                self.lim[q + '-max-length'] = int(o.pop(k + '-burst-s'))
        self.nbd = None
        self.disk = 'disk%d' % i # qdev with the 'drive' property
        self.dev = 'dev%d' % i # qdev to unplug

    # The words for `main`, which makes it.
    def guest_args(self):
        o = dict(self.o)
        values = {'size': self.size >> 20, 'memory_backed': 1, 'irqmode': 0, 'blocksize': 512, 'hw_queue_depth': 64}
        if 'latency' in o:
            values.update(irqmode=2, completion_nsec=ns(o.pop('latency')))
        if o:
            die('drive %d (%s): unknown option %s' % (self.i, self.kind, ' '.join(o)))
        return ' '.join('%s=%s' % x for x in values.items())

    # What QEMU is told, beside its modules and USB buses.
    def qemu(self, run):
        o, i, q = self.o, self.i, run.qemu
        lat = o.pop('latency', '0')
        wlat = ns(o.pop('wlatency', lat))
        lat = ns(lat)
        tail = o.pop('tail', '0:0').split(':') # tail=100:10ms  every 100th request takes 10 ms
        tail = [tail[0], str(ns(tail[1]))]
        if lat or wlat or tail[0] != '0':
            # nbd.c sleeps in threads of its own: to the microsecond, and it keeps the data
            sock = '%s/nbd%d' % (run.tmp, i)
            self.nbd = subprocess.Popen([CACHE + '/lab-nbd', sock, str(self.size), str(lat), str(wlat), *tail],
                                        preexec_fn=run.child)
            for _ in range(100):
                if os.path.exists(sock):
                    break
                time.sleep(.05)
            else:
                die('lab-nbd did not start')
            prot = {'driver': 'nbd', 'server': {'type': 'unix', 'path': sock}}
        else:
            path = '%s/disk%d' % (run.tmp, i)
            if not os.path.exists(path):
                with open(path, 'wb') as f:
                    f.truncate(self.size)
            prot = {'driver': 'file', 'filename': path, 'aio': 'threads', 'discard': 'unmap',
                    'cache': {'direct': False, 'no-flush': True}}
        prot['node-name'] = 'prot%d' % i
        q += ['-object', json.dumps({'qom-type': 'throttle-group', 'id': 'tg%d' % i, 'limits': self.lim})]
        q += ['-blockdev', json.dumps(prot)]
        q += ['-blockdev', json.dumps({'driver': 'throttle', 'node-name': 'thr%d' % i, 'throttle-group': 'tg%d' % i,
                                       'file': 'prot%d' % i})]
        q += ['-blockdev', json.dumps({'driver': 'raw', 'node-name': 'raw%d' % i, 'file': 'thr%d' % i})]
        sec = o.pop('sector', None)
        blk = dict(drive='raw%d' % i)
        if sec and self.kind != 'sd':
            blk.update(logical_block_size=int(sec), physical_block_size=int(sec))
        rot = int(o.pop('rotation', '0'))
        port = {'driver': 'pcie-root-port', 'id': 'rp%d' % i, 'chassis': i + 1, 'slot': i + 1}
        D = lambda **d: q.extend(['-device', json.dumps({k: v for k, v in d.items() if v is not None})])
        scsi = dict(rotation_rate=rot or None, serial=self.serial, vendor=o.pop('vendor', None), product=o.pop('product', None),
                    removable=True if int(o.pop('removable', '0')) else None,
                    device_id=self.serial)
        mods = run.modules
        k = self.kind
        if k == 'nvme':
            q += ['-device', json.dumps(port)]
            D(driver='nvme', id=self.dev, bus='rp%d' % i, serial=self.serial, **blk)
            self.disk = self.dev
            mods |= {'nvme'}
        elif k == 'virtio':
            q += ['-device', json.dumps(port)]
            D(driver='virtio-blk-pci', id=self.dev, bus='rp%d' % i, serial=self.serial, **blk)
            self.disk = self.dev
            mods |= {'virtio_blk'}
        elif k == 'sata':
            q += ['-device', json.dumps(port)]
            D(driver='ich9-ahci', id=self.dev, bus='rp%d' % i)
            D(driver='ide-hd', id=self.disk, bus=self.dev + '.0', serial=self.serial, model=scsi['product'],
              rotation_rate=rot or None, **blk)
            mods |= {'ahci', 'sd_mod'}
        elif k == 'virtio-scsi':
            q += ['-device', json.dumps(port)]
            D(driver='virtio-scsi-pci', id='scsi%d' % i, bus='rp%d' % i)
            scsi['device_id'] = None
            D(driver='scsi-hd', id=self.dev, bus='scsi%d.0' % i, **scsi, **blk)
            self.disk = self.dev
            mods |= {'virtio_scsi', 'sd_mod'}
        elif k in ('usb-bot', 'usb-uas'):
            bus = o.pop('bus', 'usb3')
            run.usb(bus)
            mods |= {'sd_mod', 'uas', 'usb_storage'}
            n = run.ports[bus] = run.ports.get(bus, 0) + 1
            port = str(n)
            hub = int(o.pop('hub', '0'))
            if hub and bus == 'usb2':
                die('hub=1 is a 12 Mb/s hub: bus=usb1 or usb3 only')
            if hub: # behind QEMU's 12 Mb/s hub: the link's bottleneck
                D(driver='usb-hub', id='hub%d' % i, bus=bus + '.0', port=port)
                port += '.1'
            D(driver=k, id=self.dev, bus=bus + '.0', serial=self.serial, port=port)
            D(driver='scsi-hd', id=self.disk, bus=self.dev + '.0', **{'scsi-id': 0, 'lun': 0}, **scsi, **blk)
        elif k == 'sd':
            D(driver='sdhci-pci', id='sdhci%d' % i)
            D(driver='sd-card', id=self.dev, bus='sd-bus' if i == 0 else None, drive='raw%d' % i)
            self.serial = 'SD'
            self.disk = self.dev
            mods |= {'sdhci_pci', 'mmc_block'}
