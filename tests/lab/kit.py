# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab tests share: finding programs, running drivegauge-cli and fio on one folder, checking, skipping."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LAB = os.path.join(os.path.dirname(SOURCE), 'shared', 'lab')
CLI = os.environ.get('DRIVEGAUGE_CLI', 'drivegauge-cli')
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


def finish():
    print('%d checks failed' % len(failures) if failures else 'all checks passed')
    sys.exit(1 if failures else 0)


def measure(folder, *words, expect=(0,)):
    """Runs drivegauge-cli run; returns (document or None, exit status, standard error)."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, 'r.json')
        done = subprocess.run([CLI, 'run', folder, '--no-library', '--json', path, *words], capture_output=True, text=True)
        if expect is not None and done.returncode not in expect:
            check(False, 'exit status %d of run %s: %s' % (done.returncode, ' '.join(words), done.stderr.strip()))
        document = json.load(open(path)) if os.path.exists(path) and os.path.getsize(path) else None
        return document, done.returncode, done.stderr


def figure(document, test=0):
    """(bytes/s, IOPS, mean latency in ns) of a test's shown run."""
    shown = document['tests'][test]['shown']
    return shown['bandwidth_bytes_per_s'], shown['iops'], shown['latency_mean_ns']


def fio(folder, kind, block, depth, seconds, size, engine='io_uring', ramp=1):
    """The same work by fio on a file in folder, fully written before; (bytes/s, IOPS, mean lat in ns)."""
    command = ['fio', '--name=x', '--filename=' + os.path.join(folder, 'fio.tmp'), '--rw=' + kind, '--bs=%d' % block, '--iodepth=%d' % depth,
               '--size=%d' % size, '--direct=1', '--ioengine=' + engine, '--time_based', '--runtime=%g' % seconds, '--ramp_time=%g' % ramp,
               '--randrepeat=0', '--norandommap', '--output-format=json']
    done = subprocess.run(command, capture_output=True, text=True)
    job = json.loads(done.stdout[done.stdout.index('{'):])['jobs'][0]
    side = job['write' if 'write' in kind else 'read']
    return side['bw_bytes'], side['iops'], side['lat_ns']['mean']
