#!/usr/bin/env python3
"""check-cli.py RUN_WINE PROGRAM WORK_FOLDER SCHEMA CONSOLE_EVENT: the command line of Windows on a folder."""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

try:
    import jsonschema
except ImportError:
    jsonschema = None

wine, program, work, schema, console_event = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]), sys.argv[5]
failures = 0


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print('#   not so: %s' % what)


def windows(path):
    return 'Z:' + str(path).replace('/', '\\')


def run(*words, timeout=120, of=program):
    # Files, not pipes: Wine's own processes may keep them open for longer than the program runs.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        done = subprocess.run([wine, of, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=timeout)
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(words, done.returncode, out.read(), err.read())


def left(folder):
    return [p.name for p in folder.iterdir() if p.name.startswith('drivegauge-test-')]


def in_use(folder):
    """Whether a test file in it is open, with a name or without."""
    for entry in pathlib.Path('/proc').glob('[0-9]*/fd/*'):
        try:
            if os.readlink(entry).startswith(str(folder) + '/drivegauge-test-'):
                return True
        except OSError:
            pass
    return False


def check_document(document):
    if jsonschema:
        jsonschema.validate(document, json.loads(schema.read_text()))
    else:
        print('#   no jsonschema: the document is not held against the schema')
    check(document['state'] == 'done', document['state'])
    check(document['targets'][0]['file']['direct'] is True, 'unbuffered')
    for test in document['tests']:
        asked = test['queue_depth'] * test['threads']
        for one in test['runs']:
            depth, mean = one['queue_depth_engine'], one['latency']['mean_ns']
            law = mean * one['ios'] / one['elapsed_ns']
            check(abs(law - depth) <= 0.02 * depth + 0.01, "Little's law: %g and %g" % (law, depth))
            check(0 < depth <= asked * 1.05 + 0.05, 'depth %g of %d' % (depth, asked))
            check(one['bytes'] == one['ios'] * test['block_size_bytes'], 'whole blocks')
            check(abs(one['bandwidth_bytes_per_s'] - one['bytes'] * 1e9 / one['elapsed_ns']) <= 1, 'bandwidth')
            check(one['backend'] in ('overlapped', 'threads'), one['backend'])
            check(one['direct'] in ('proved', 'unknown'), one['direct'])
            check(one['cpu_ns'] is None or one['cpu_ns'] < 3 * one['elapsed_ns'] * 64, 'CPU time')


def check_run():
    folder = work / 'Mess-Ordner äöü Ж'  # names that no code page holds
    folder.mkdir()
    out, text, picture = work / 'r.json', work / 'r.txt', work / 'r.png'
    done = run('run', windows(folder), '--size', '16MiB', '--duration', '1', '--warmup', '0', '--interval', '0', '--runs', '1', '--test', 'SEQ1M Q8T1',
               '--test', 'RND4K Q32T2', '--mix', '70', '--no-library', '--comment', 'größer Ж', '--json', windows(out), '--text', windows(text), '--png', windows(picture))
    check(done.returncode == 0, 'exit status %d: %s' % (done.returncode, done.stderr[-400:]))
    if done.returncode != 0:
        return
    document = json.loads(out.read_text(encoding='utf-8'))
    check_document(document)
    check(document['comment'] == 'größer Ж', document['comment'])
    check('äöü Ж' in document['targets'][0]['path'], document['targets'][0]['path'])
    lines = text.read_bytes()
    check(lines.count(b'\r\n') == lines.count(b'\n') > 10, 'CRLF in saved text')
    header = picture.read_bytes()[:24]
    width, height = struct.unpack('>II', header[16:])
    check(header[:16] == b'\x89PNG\r\n\x1a\n\0\0\0\rIHDR' and width == 1200 and 300 < height < 1500, 'the picture is whole: %r' % header)
    check(left(folder) == [], 'nothing is left: %s' % left(folder))
    shown = run('show', windows(out))
    check(shown.returncode == 0 and 'größer Ж'.encode() in shown.stdout, 'UTF-8 on standard output')
    threads = run('run', windows(folder), '--size', '8MiB', '--duration', '1', '--warmup', '0', '--interval', '0', '--runs', '1', '--test', 'RND4K Q4T1',
                  '--directions', 'read', '--backend', 'threads', '--no-library', '--json', '-')
    check(threads.returncode == 0 and json.loads(threads.stdout)['tests'][0]['runs'][0]['backend'] == 'threads', 'threads when asked')
    check(left(folder) == [], 'nothing is left by threads')


def check_killed():
    folder = work / 'killed'
    folder.mkdir()
    process = subprocess.Popen([wine, program, 'run', windows(folder), '--size', '64MiB', '--duration', '30', '--no-library'], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + 60
    while not in_use(folder) and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(1)
    names = left(folder)
    check(in_use(folder) and len(names) <= 1, 'a file is used: %s' % names)
    print('#   while it is used the test file has %s name' % ('a' if names else 'no'))
    # The Windows program itself, found by its own words: that is our child's child.
    for entry in pathlib.Path('/proc').iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / 'cmdline').read_bytes().split(b'\0')
        except OSError:
            continue
        if windows(folder).encode() in words and words[0].endswith(b'drivegauge-cli.exe'):
            os.kill(int(entry.name), signal.SIGKILL)
    process.wait(timeout=30)
    until = time.monotonic() + 10
    while (left(folder) or in_use(folder)) and time.monotonic() < until:
        time.sleep(0.1)
    check(left(folder) == [] and not in_use(folder), 'nothing is left after a kill: %s' % left(folder))


def check_events():
    """Ctrl+C, Ctrl+Break and the closing of the console stop a run: the document is written, nothing is left."""
    for event in ('c', 'break', 'close'):
        folder, out = work / ('event ' + event), work / (event + '.json')
        folder.mkdir()
        done = run(event, '6000', windows(program), 'run', windows(folder), '--size', '32MiB', '--duration', '50', '--warmup', '0', '--interval', '0',
                   '--runs', '1', '--test', 'RND4K Q32T1', '--no-library', '--json', windows(out), of=console_event)
        words = (done.stdout.splitlines() or [b''])[-1].split()  # after the program's own text
        if done.returncode != 0 or words[:1] != [b'exit']:
            check(False, '%s: the helper ended with %d: %r %s' % (event, done.returncode, done.stdout, done.stderr[-300:]))
            continue
        check(words[1] == b'1', '%s: exit status %s: %s' % (event, words[1], done.stderr[-300:]))
        check(int(words[3]) < 5000, '%s: it took %s ms' % (event, words[3]))
        check(words[5] == b'850', '%s: the console has charset %s' % (event, words[5]))
        check(b'Stopped' in done.stderr, '%s: it is said: %s' % (event, done.stderr[-300:]))
        check(b'\n' in done.stderr and b'\r' not in done.stderr, '%s: no translation on the way: %r' % (event, done.stderr[-300:]))
        check(left(folder) == [] and not in_use(folder), '%s: nothing is left: %s' % (event, left(folder)))
        if not out.exists():
            check(False, '%s: a document' % event)
            continue
        document = json.loads(out.read_text(encoding='utf-8'))
        check(document['state'] == 'stopped', '%s: %s' % (event, document['state']))
        check(document['bytes_written'] >= 32 << 20, '%s: it had begun' % event)


def check_event_in_show():
    """Ctrl+C while the report of a saved result waits for its reader: that, too, has a sentence."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, bytes(65536))
    except BlockingIOError:
        os.set_blocking(writer, True)
    with tempfile.TemporaryFile() as err:
        process = subprocess.Popen([wine, console_event, 'c', '4000', windows(program), 'show', windows(work / 'r.json')], stdin=subprocess.DEVNULL,
                                   stdout=writer, stderr=err)
        os.close(writer)
        time.sleep(8)
        # Wine's own processes may keep the pipe open for longer.
        os.set_blocking(reader, False)
        out, until = b'', time.monotonic() + 20
        while b' charset ' not in out and time.monotonic() < until:
            try:
                out += os.read(reader, 65536).strip(b'\0')
            except BlockingIOError:
                time.sleep(0.1)
        os.close(reader)
        process.wait(timeout=30)
        err.seek(0)
        said = err.read()
    check(b' charset 850' in out, 'Ctrl+C in show: the console is as it was: %r' % out[-300:])
    check(b'\nexit 1 after ' in out and b'Stopped by a signal before it was done.' in said, 'Ctrl+C in show: %r %r' % (out[-300:], said[-300:]))


def check_leftovers():
    folder = work / 'leftovers'
    folder.mkdir()
    old, other = folder / 'drivegauge-test-0123456789abcdef.tmp', folder / 'drivegauge-test-mine.tmp'
    old.write_bytes(b'x' * 4096)
    other.write_bytes(b'x')
    done = run('run', windows(folder) + '\\', '--size', '1MiB', '--duration', '1', '--warmup', '0', '--interval', '0', '--runs', '1', '--test', 'RND4K Q1T1',
               '--directions', 'read', '--no-library', '--json', '-')
    check(done.returncode == 0, done.stderr[-300:])
    check(not old.exists() and other.exists(), 'what a pulled plug left goes, what is not ours stays')
    if done.returncode == 0:
        check(json.loads(done.stdout)['targets'][0]['file']['leftovers_removed'] == 1, 'and it is said')


def check_refusals():
    folder = work / 'refused'
    folder.mkdir()
    file = folder / 'file'
    file.write_text('x')
    good = windows(folder)
    for words, status in [
            ((), 2), (('nonsense',), 2), (('run',), 2), (('run', good, '--profile', 'none'), 2), (('run', good, '--test', 'SEQ1M'), 2),
            (('run', good, '--runs', '0'), 2), (('run', good, '--duration', '0'), 2), (('run', good, '--size', '0'), 2),
            (('run', good, '--backend', 'fast'), 2), (('run', good, '--backend', 'io_uring'), 3), (('run', good + '\\none'), 3),
            (('run', windows(file)), 3), (('run', good, '--size', '15TiB'), 3), (('run', 'Q:\\'), 3),
            (('show', windows(folder / 'none.json')), 3), (('show', windows(file)), 3),
            (('run', good, '--json', good + '\\no\\where.json'), 3)]:
        done = run(*words)
        check(done.returncode == status and len(done.stderr) > 20, '%s: %d instead of %d: %s' % (words, done.returncode, status, done.stderr[-200:]))
    check(sorted(p.name for p in folder.iterdir()) == ['file'], 'nothing was made')


shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
listed = run('list', '--json')
check(listed.returncode == 0 and any(t['folder'] for d in json.loads(listed.stdout)['drives'] for t in d['targets']), 'list')
for part in (check_run, check_killed, check_events, check_event_in_show, check_leftovers, check_refusals):
    before = failures
    part()
    print('#   %s: %s' % (part.__name__, 'good' if failures == before else 'bad'))
sys.exit(failures != 0)
