# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab tests share: finding programs, a guest, running drivegauge-cli and fio on one folder, checking, skipping."""
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
GUEST = os.path.join(SOURCE, 'tests', 'lab', 'guest')
CLI = os.path.abspath(os.environ.get('DRIVEGAUGE_CLI') or os.path.join(SOURCE, 'build/app/cli/drivegauge-cli'))
BENCH = os.path.abspath(os.environ.get('DG_BENCH') or os.path.join(SOURCE, 'build/tests/bench/dg-bench'))
KIB, MIB = 1 << 10, 1 << 20
LAB_TIMEOUT, LAB_FAILED = 124, 125
failures = []


def skip(reason):
    print('skipped: ' + reason)
    sys.exit(77)


def need_root():
    if os.geteuid() != 0:
        skip('needs root (loop devices, cgroups, a guest)')


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            skip(program + ' is missing')


def check(is_right, text):
    print(('ok      ' if is_right else 'FAILED  ') + text, flush=True)
    if not is_right:
        failures.append(text)
    return is_right


def note(text):
    print('        ' + text, flush=True)


def finish():
    print('%d checks failed' % len(failures) if failures else 'all checks passed')
    sys.exit(1 if failures else 0)


def twice(attempt, what):
    """Figures in real time suffer from a busy machine: what misses its mark is measured once more, and that is said.

    attempt() returns (is right, text); the last one counts."""
    is_right, text = attempt()
    if not is_right:
        note('once more, since %s' % text)
        is_right, text = attempt()
        text += ' (second try)'
    return check(is_right, '%s: %s' % (what, text))


# ---- the guest ----

def guest(script, drives, *options):
    """Boots a guest with the drives, runs script inside it with the word --inside, and ends this program with its status.

    Exit status 77 where no guest can be made. Device nodes come from the kernel, --udev 1 starts udev, too (slow to boot)."""
    need_root()
    cache = os.environ.get('LAB_CACHE') or os.path.join(os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'drive-lab')
    done = subprocess.run([os.path.join(GUEST, 'setup')], capture_output=True, text=True)
    if done.returncode != 0 and not os.path.exists(os.path.join(cache, 'initrd')):
        skip('no guest can be made: ' + (done.stderr.strip().splitlines() or ['setup failed'])[-1])
    need('qemu-system-x86_64')
    command = [os.path.join(GUEST, 'run'), '--env', 'DRIVEGAUGE_CLI=' + CLI, '--env', 'DG_BENCH=' + BENCH, '--env', 'PYTHONDONTWRITEBYTECODE=1', '--udev', '0',
               '--timeout', '700']
    for drive in drives:
        command += ['--drive', drive]
    status = LAB_FAILED
    for _ in range(2): # the emulator ends by an assertion of its own now and then, when a busy UAS drive is pulled
        if status != LAB_FAILED:
            break
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as out:
            status = subprocess.run([*command, '--out', out, *options, '--', 'python3', os.path.realpath(script), '--inside'], cwd='/').returncode
            if status in (LAB_TIMEOUT, LAB_FAILED):
                for name in ('lab.log', 'console.log', 'qemu.log'):
                    path = os.path.join(out, name)
                    if os.path.exists(path):
                        print('---- end of %s' % name)
                        print(open(path, errors='replace').read()[-2000:])
        print('guest: %.0f s, status %d' % (time.monotonic() - begin, status), flush=True)
    sys.exit(status if status in (0, 77) else 1)


def ran_freely(run):
    """Whether the machine let our threads run: below 2 % of the time waiting for a processor."""
    return run['run_wait_ns'] is not None and run['run_wait_ns'] < 0.02 * run['elapsed_ns']


def shown_run(document, test=0):
    tested = document['tests'][test]
    return tested['runs'][tested['shown']['run']]


def is_told(document, test):
    """Whether the result says of the test that too few transfers were under way (or counted)."""
    return any(test in f['values'].get('tests', [f['test']]) for f in document['findings'] if f['id'] == 'too-few-ios')


def check_run(what, document, test, least):
    """The device's counters, Little's law and directness of the shown run. The queue is empty at times when the machine does not let us run; then the result
    has to say so."""
    tested = document['tests'][test]
    run, depth = shown_run(document, test), tested['queue_depth'] * tested['threads']
    slack = max(0.005 * run['bytes'], depth * tested['block_size_bytes'])
    check(run['device_bytes'] is not None and abs(run['device_bytes'] - run['bytes']) <= slack,
          '%s: device counted %s of our %d bytes' % (what, run['device_bytes'], run['bytes']))
    little = run['iops'] * run['latency']['mean_ns'] / 1e9 / depth
    is_right = least <= little <= 1.03
    check(is_right or is_told(document, test), '%s: IOPS x latency / depth = %.3f%s' % (
        what, little, '' if is_right else ', as the result says' if is_told(document, test) else ', unsaid'))
    check(run['direct'] == 'proved', '%s: direct I/O is %s' % (what, run['direct']))


def device_count(device, direction):
    """(requests done, requests merged, bytes) of a block device (the kernel's Documentation/block/stat.rst)."""
    fields = [int(n) for n in open('/sys/class/block/%s/stat' % os.path.basename(device)).read().split()]
    first = 4 if direction == 'write' else 0
    return fields[first], fields[first + 1], fields[first + 2] * 512


def check_requests(what, device, folder, test, direction, block):
    """While a test is measured, each of its I/Os is one request of the device: as many as bytes / block, within 0.5 %, and none merged."""
    run = Watched(folder, '--test', test, '--%s-only' % direction, '--size', '16MiB', '--duration', '20', '--warmup', '0', *QUICK)
    if run.wait_for(r'run 1, [1-9]') is None:
        check(False, '%s: does not start: %s' % (what, run.tail()))
        run.end(0)
        return
    before = device_count(device, direction)
    time.sleep(1.5)
    after = device_count(device, direction)
    run.signal(signal.SIGINT)
    run.end(10)
    requests, merged, moved = (b - a for a, b in zip(before, after))
    check(requests > 0 and abs(moved / block / requests - 1) <= 0.005 and merged <= 0.005 * requests,
          '%s: %d requests of the device, %d merged, for %.1f blocks' % (what, requests, merged, moved / block))


def is_inside():
    return len(sys.argv) > 1 and sys.argv[1] == '--inside'


def drive(i):
    """(device, mount point or None) of the guest's drive i."""
    return os.path.realpath(os.environ['LAB_DEV%d' % i]), os.environ.get('LAB_MNT%d' % i)


def lab_ctl(*words):
    done = subprocess.run(['lab-ctl', *[str(w) for w in words]], capture_output=True, text=True)
    if not done.stdout.startswith('ok'):
        raise RuntimeError('lab-ctl %s: %s' % (' '.join(str(w) for w in words), done.stdout.strip() or done.stderr.strip()))


# ---- our program ----

QUICK = ('--runs', '1', '--interval', '0')


def measure(folder, *words, expect=(0,)):
    """Runs drivegauge-cli run; returns (document or None, exit status, standard error)."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, 'r.json')
        done = subprocess.run([CLI, 'run', folder, '--no-library', '--json', path, *words], capture_output=True, text=True)
        if expect is not None and done.returncode not in expect:
            check(False, 'exit status %d of run %s: %s' % (done.returncode, ' '.join(words), done.stderr.strip()))
        document = read_document(path)
        if document is None and expect is not None:
            check(False, 'no document')
            finish()
        return document, done.returncode, done.stderr


def read_document(path):
    return json.load(open(path)) if os.path.exists(path) and os.path.getsize(path) else None


class Watched:
    """drivegauge-cli run under a terminal of its own: its progress tells the phase it is in.

    wait_for(part) waits for a progress text; end() for the end. Afterwards document, status, text (all it printed) are there."""

    def __init__(self, folder, *words):
        self.place = tempfile.mkdtemp()
        self.path = os.path.join(self.place, 'r.json')
        self.text, self.status, self.document = '', None, None
        self.lock = threading.Condition()
        pid, fd = pty.fork()
        if pid == 0:
            os.execv(CLI, [CLI, 'run', folder, '--no-library', '--json', self.path, *words])
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 250, 0, 0))
        self.pid, self.fd = pid, fd
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b''
            with self.lock:
                if not data:
                    self.text += '\nend of output'
                self.text += data.decode(errors='replace')
                self.lock.notify_all()
            if not data:
                return

    def wait_for(self, pattern, seconds=60):
        """Seconds waited, or None when it did not come."""
        begin = time.monotonic()
        with self.lock:
            while not re.search(pattern, self.text):
                left = begin + seconds - time.monotonic()
                if left <= 0 or 'end of output' in self.text:
                    return None
                self.lock.wait(left)
        return time.monotonic() - begin

    def signal(self, number):
        os.kill(self.pid, number)

    def end(self, seconds=60):
        """Waits for the end; seconds waited, or None when it had to be killed."""
        begin = time.monotonic()
        taken = None
        while time.monotonic() - begin < seconds:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                taken = time.monotonic() - begin
                self.status = os.waitstatus_to_exitcode(status)
                break
            time.sleep(0.02)
        else:
            os.kill(self.pid, signal.SIGKILL)
        self.reader.join(2)
        self.document = read_document(self.path)
        shutil.rmtree(self.place, ignore_errors=True)
        return taken

    def tail(self):
        """What it said last, on one line."""
        return ' | '.join(re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', '', part).strip() for part in re.split(r'[\r\n]+', self.text[-600:]) if part.strip())


def list_targets():
    """(the document of list --json, seconds it took)."""
    begin = time.monotonic()
    done = subprocess.run([CLI, 'list', '--json'], capture_output=True, text=True)
    taken = time.monotonic() - begin
    if done.returncode != 0:
        check(False, 'list ended with %d: %s' % (done.returncode, done.stderr.strip()))
        return {'drives': []}, taken
    return json.loads(done.stdout), taken


def figure(document, test=0):
    """(bytes/s, IOPS, mean latency in ns) of a test's shown run."""
    shown = document['tests'][test]['shown']
    return shown['bandwidth_bytes_per_s'], shown['iops'], shown['latency_mean_ns']


def findings(document):
    return [f['id'] for f in document['findings']]


def bench(**values):
    """dg-bench on any path; its JSON."""
    done = subprocess.run([BENCH, *['%s=%s' % pair for pair in values.items()]], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError('dg-bench: ' + done.stderr.strip())
    return json.loads(done.stdout)


def lay(folder, size):
    """fio's file, fully written."""
    path = os.path.join(folder, 'fio.tmp')
    subprocess.run(['fio', '--name=lay', '--filename=' + path, '--rw=write', '--bs=1M', '--size=%d' % size, '--direct=1', '--end_fsync=1'],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def fio(path, kind, block, depth, seconds, size, engine='io_uring', ramp=1, more=()):
    """The same work by fio on a file or device; (bytes/s, IOPS, mean lat in ns)."""
    command = ['fio', '--name=x', '--filename=' + path, '--rw=' + kind, '--bs=%d' % block, '--iodepth=%d' % depth, '--size=%d' % size, '--direct=1',
               '--ioengine=' + engine, '--time_based', '--runtime=%g' % seconds, '--ramp_time=%g' % ramp, '--randrepeat=0', '--norandommap',
               '--output-format=json', *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError('fio: ' + done.stderr.strip())
    job = json.loads(done.stdout[done.stdout.index('{'):])['jobs'][0]
    side = job['write' if 'write' in kind else 'read']
    return side['bw_bytes'], side['iops'], side['lat_ns']['mean']
