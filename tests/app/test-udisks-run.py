#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Temperatures from UDisks2, played by python3-dbusmock on a bus of our own: one that answers, one that never does, one that goes away during the run.

test-udisks-run.py CLI FOLDER: FOLDER lies on a real drive without a sensor in sysfs."""
import json, os, subprocess, sys, tempfile, time

try:
    import dbus, dbusmock
except ImportError:
    print('1..0 # SKIP python3-dbusmock is missing')
    sys.exit(0)

cli, base = os.path.abspath(sys.argv[1]), tempfile.mkdtemp(prefix='udisks-', dir=sys.argv[2])
target = os.path.join(base, 'target')
os.mkdir(target)
NAME, ROOT, ATA = 'org.freedesktop.UDisks2', '/org/freedesktop/UDisks2', 'org.freedesktop.UDisks2.Drive.Ata'
DRIVE = ROOT + '/drives/T7'
MANAGED = """ret = {}
for path in list(objects):
    if path != self.path:
        ret[dbus.ObjectPath(path)] = {}
        for interface in objects[path].props:
            ret[path][interface] = dbus.Dictionary(objects[path].props[interface], signature='sv')
"""
number = 0


def ok(condition, text):
    global number
    number += 1
    print(f"{'ok' if condition else 'not ok'} {number} - {text}", flush=True)
    return condition


def run(seconds=1):
    """A short run on the private bus: the document, and how long it took."""
    out, began = os.path.join(base, 'result.json'), time.monotonic()
    env = dict(os.environ, HOME=base, XDG_DATA_HOME=base + '/data', XDG_CONFIG_HOME=base + '/config', XDG_RUNTIME_DIR=base, LC_ALL='C.UTF-8')
    process = subprocess.Popen([cli, 'run', target, '--test', 'SEQ1M Q2T1', '--read-only', '--size', '64MiB', '--duration', str(seconds), '--warmup', '0',
                                '--interval', '0', '--runs', '1', '--no-library', '--json', out], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    yield process
    errors = process.communicate(timeout=60)[1].decode()
    if process.returncode != 0:
        print('# ' + errors.replace('\n', '\n# '))
    with open(out) as file:
        yield json.load(file), time.monotonic() - began, process.returncode


def measured(seconds=1):
    steps = run(seconds)
    next(steps)
    return next(steps)


def whole_drive():
    listed = json.loads(subprocess.run([cli, 'list', '--json'], stdout=subprocess.PIPE, check=True).stdout)
    device = os.stat(target).st_dev
    for entry in listed['drives']:
        for place in entry['targets']:
            if place.get('mount') and entry.get('drive') and os.stat(place['mount']).st_dev == device:
                return entry['drive']['name']
    return None


def sensor(name):
    for folder, folders, files in os.walk(f'/sys/block/{name}/device/'):
        if 'temp1_input' in files:
            return True
        folders[:] = [f for f in folders if f.startswith(('hwmon', 'nvme'))]
    return False


def start(drive, smart_update, managed=None):
    """A UDisks2 with one block device and its drive."""
    server = dbusmock.DBusTestCase.spawn_server(NAME, ROOT, 'org.freedesktop.DBus.Mock', system_bus=True, stdout=subprocess.DEVNULL)
    bus = dbus.SystemBus()
    for attempt in range(100):
        if bus.name_has_owner(NAME):
            break
        time.sleep(0.05)
    root = dbus.Interface(bus.get_object(NAME, ROOT), dbusmock.MOCK_IFACE)
    block = {'Device': dbus.ByteArray(f'/dev/{drive}\0'.encode()), 'IdLabel': '', 'IdUUID': '', 'Drive': dbus.ObjectPath(DRIVE)}
    root.AddObject(ROOT + '/block_devices/' + drive, NAME + '.Block', dbus.Dictionary(block, signature='sv'), dbus.Array([], signature='(ssss)'))
    root.AddObject(DRIVE, ATA, dbus.Dictionary({'SmartTemperature': dbus.Double(300.15), 'SmartUpdated': dbus.UInt64(1000)}, signature='sv'),
                   dbus.Array([('SmartUpdate', 'a{sv}', '', smart_update)], signature='(ssss)'))
    root.AddMethod('org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '', 'a{oa{sa{sv}}}', managed or
                   MANAGED)
    return server


def stop(server):
    server.terminate()
    server.wait()


dbusmock.DBusTestCase.start_system_bus()
drive = whole_drive()
if drive is None or sensor(drive):
    print('1..0 # SKIP no drive below the folder, or it has a sensor of its own')
    sys.exit(0)
ANSWERS = f"self.UpdateProperties('{ATA}', {{'SmartTemperature': dbus.Double(310.15 + getattr(self, 'times', 0)), 'SmartUpdated': dbus.UInt64(__import__('time').time())}}); self.times = getattr(self, 'times', 0) + 1"
good = True
document, alone_s, status = measured()
good &= ok(status == 0 and document['temperatures'] == [], 'without UDisks2 no temperature')

server = start(drive, ANSWERS)
document, took, status = measured()
readings = [(t['sensor'], t['celsius']) for t in document['temperatures']]
good &= ok(status == 0 and readings == [('udisks2', 37.0), ('udisks2', 38.0)], f'at start and end, freshly asked: {readings}')
run_end = document['tests'][0]['runs'][0]
window = (run_end['started_ns'], run_end['started_ns'] + run_end['elapsed_ns'])
good &= ok(all(not window[0] < t['at_ns'] < window[1] for t in document['temperatures']), 'never during the window')
stop(server)

server = start(drive, "raise dbus.exceptions.DBusException('no', name='org.freedesktop.UDisks2.Error.NotAuthorized')")
document, took, status = measured()
good &= ok(status == 0 and document['temperatures'] == [], 'an old value is no value')
stop(server)

server = start(drive, '__import__("time").sleep(30)')
document, took, status = measured()
good &= ok(status == 0 and document['temperatures'] == [] and took < alone_s + 3, f'a drive that never answers costs nothing: {took:.1f} s and {alone_s:.1f} s')
server.kill()
server.wait()

server = start(drive, ANSWERS, '__import__("time").sleep(30)')
document, took, status = measured()
good &= ok(status == 0 and document['temperatures'] == [] and took < alone_s + 3, f'a UDisks2 that never answers costs nothing: {took:.1f} s')
server.kill()
server.wait()

server = start(drive, ANSWERS)
steps = run(2)
process = next(steps)
time.sleep(1.2)
server.kill()
server.wait()
document, took, status = next(steps)
good &= ok(status == 0 and len(document['temperatures']) <= 1, f"one that goes away during the run: {[t['celsius'] for t in document['temperatures']]}")
dbusmock.DBusTestCase.tearDownClass()
print(f'1..{number}')
subprocess.run(['rm', '-rf', base], check=False)
sys.exit(0 if good else 1)
