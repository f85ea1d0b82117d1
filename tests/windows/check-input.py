#!/usr/bin/env python3
"""check-input.py RUN_WINE PROGRAM WORK_FOLDER SOURCE_ROOT: what the command line of Windows refuses, names outside every code page, and where results go."""
import concurrent.futures
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

wine, program, work, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
sys.path.insert(0, str(source / 'tests' / 'app'))
sys.dont_write_bytecode = True
import bad_input  # noqa: E402

SHORT = ['--size', '8MiB', '--duration', '1', '--warmup', '0', '--interval', '0', '--runs', '1']
failures = 0


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print('#   not so: %s' % what)


def windows(path):
    return 'Z:' + str(path).replace('/', '\\')


def run(words, timeout=120, **more):
    # Files, not pipes: Wine's own processes may keep them open for longer than the program runs.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        done = subprocess.run([wine, program, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=timeout, env=dict(os.environ, **more))
        # What stands on standard error comes a moment later.
        until = time.monotonic() + (10 if done.returncode else 0.3)
        while os.fstat(err.fileno()).st_size == 0 and time.monotonic() < until:
            time.sleep(0.02)
        for file in (out, err):
            file.seek(0)
        text = err.read()
        result = subprocess.CompletedProcess(words, done.returncode, out.read(), re.sub(rb'(?m)^wine: .*\n', b'', text))
        result.wine = b' '.join(re.findall(rb'(?m)^wine: .*$', text))  # where it ends by itself, with status 1
        return result


def refused(status, words, *parts):
    """Ends with the status, one clear sentence on standard error that has the parts, and nothing on standard output."""
    done = run(words)
    text = done.stderr.decode('utf-8', 'replace').replace('\r\n', '\n')
    short = [w[:60] for w in words]
    check(done.returncode == status, '%s: status %d, not %d: %s %s' % (short, done.returncode, status, text[-300:], done.wine[-300:]))
    check(text.startswith('drivegauge-cli: ') and text.endswith('\n') and text.count('\n') == 1, '%s: one sentence: %r' % (short, text[:400]))
    check(done.stdout == b'', '%s: standard output is empty' % short)
    for part in parts:
        check(part in text, '%s: %r is in %r' % (short, part, text[:400]))


def several(cases):
    """Wine starts slowly; three at once."""
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for _ in pool.map(lambda case: refused(*case), cases):
            pass


def check_lines():
    target, out = work / 'target', work / 'out'
    several([(2, words, *parts) for words, parts in bad_input.lines(windows(target), windows(out), '\\')])
    check(os.listdir(target) == [] and os.listdir(out) == [], 'nothing was made')


def check_targets():
    file = work / 'out' / 'file'
    file.write_text('x')
    bad = [windows(work / 'missing'), windows(file), windows(file) + '\\below', windows(work) + '\\' + 'x' * 300, 'Q:\\', '\\\\.\\PhysicalDrive0',
           '\\\\.\\C:', '\\\\?\\Z:\\none', 'NUL', 'CON', 'C:\\a?b*c', 'C:\\a<b>|c', 'x' * 5000, '\\\\no-such-server.invalid\\share', 'Z:\\proc']
    several([(3, [command, path]) for path in bad for command in ('run', 'fio')])
    refused(3, ['run', windows(work / 'missing')], windows(work / 'missing'), 'does not exist')
    refused(3, ['run', windows(work / 'missing') + '\x1b[2J'], '\ufffd', 'does not exist')
    refused(3, ['run', windows(work) + '\\a?b*c'], 'does not exist')
    refused(3, ['run', windows(work) + '\\' + 'x' * 300], 'does not exist')
    done = run(['run', windows(work / 'target'), '--size', '16TiB'])
    check(done.returncode == 3 and b'too little free space' in done.stderr, 'too little space: %d %s' % (done.returncode, done.stderr[-300:]))
    check(os.listdir(work / 'target') == [], 'nothing is left on the target')
    file.unlink()


def check_outputs():
    target, out = work / 'target', work / 'out'
    (out / 'folder').mkdir()
    (out / 'kept').write_text('kept')
    several([(3, ['run', windows(target), '--json', bad], '--json', 'cannot be written') for bad in
             [windows(out / 'missing' / 'a.json'), windows(out / 'folder'), windows(out) + '\\' + 'n' * 300, 'Q:\\a.json', windows(out) + '\\a?b.json']])
    refused(3, ['run', windows(work / 'missing'), '--json', windows(out / 'kept'), '--csv', windows(out / 'new')])
    check((out / 'kept').read_text() == 'kept' and sorted(os.listdir(out)) == ['folder', 'kept'], 'an output that could be written is not touched by the check')
    (out / 'kept').unlink()
    (out / 'folder').rmdir()


def check_results():
    cases = []
    for name, content in bad_input.documents():
        path = work / 'out' / ('%s bad.json' % name)
        path.write_bytes(content)
        cases.append((3, ['show', windows(path)], *(['bad.json'] if name != 'deep' else [])))
    with open(work / 'out' / 'large bad.json', 'wb') as file:
        file.truncate(100 * 1000 * 1000)
    several(cases + [(3, ['show', windows(work / 'out' / 'large bad.json')]), (3, ['show', windows(work / 'out' / 'none.json')], 'cannot be read'),
                     (3, ['show', windows(work / 'out')]), (3, ['show', 'NUL']), (3, ['show', '\\\\.\\PhysicalDrive0']),
                     (3, ['show', '00000000-0000-4000-8000-000000000000'])])
    for path in (work / 'out').iterdir():
        path.unlink()


def check_names():
    """A folder, outputs and a comment that no code page holds; the texts that are saved end their lines as Windows does."""
    folder = work / 'Тест 😀'
    folder.mkdir()
    names = {'--json': 'Ж 😀.json', '--text': '😀.txt', '--markdown': 'é😀.md', '--bbcode': 'ü.bb', '--csv': 'ß.csv', '--png': '日本.png'}
    words = [w for option, name in names.items() for w in (option, windows(folder / name))]
    done = run(['run', windows(folder), *SHORT, '--test', 'SEQ1M Q2T1', *words, '--comment', '<b>fett</b> \u202e\x1b[2J ' + '😀' * 9000])
    check(done.returncode == 0, 'exit status %d: %s' % (done.returncode, done.stderr[-400:]))
    check(sorted(os.listdir(folder)) == sorted(names.values()), 'the files have their names and nothing else is there: %s' % os.listdir(folder))
    if done.returncode != 0:
        return
    document = json.loads((folder / names['--json']).read_text(encoding='utf-8'))
    check(document['targets'][0]['path'] == windows(folder), 'the path of the target: %s' % document['targets'][0]['path'])
    check(len(document['comment']) <= 256 and not set(document['comment']) & {'\x1b', '\u202e'} and '😀' in document['comment'], 'the comment')
    check(document['host']['os'].startswith('Windows 1') and re.search(r'\(build \d+\)$', document['host']['os']), 'the system: %s' % document['host']['os'])
    for option in ('--text', '--markdown', '--bbcode', '--csv'):
        data = (folder / names[option]).read_bytes()
        check(data.count(b'\r\n') == data.count(b'\n') >= 3 and data.count(b'\r') == data.count(b'\n'), '%s: CRLF' % option)
        check('😀'.encode() in data, '%s: UTF-8' % option)
    check((folder / names['--png']).read_bytes()[:8] == b'\x89PNG\r\n\x1a\n', 'the picture')
    # What cannot be proved is said where it is measured and where the result is shown.
    if any(r['direct'] == 'unknown' for t in document['tests'] for r in t['runs']):
        check(b'not proven' in done.stderr, 'directness that is not proven is said: %s' % done.stderr[-400:])
    # An output again, over the one that is there.
    again = run(['show', windows(folder / names['--json']), '--text', windows(folder / names['--text'])])
    check(again.returncode == 0 and b'[Read]' in again.stdout, 'an output is replaced: %s' % again.stderr[-300:])
    check(not glob.glob(str(folder / '.drivegauge-*')), 'nothing is left beside it')


def check_long():
    """Deeper than the 260 characters of old programs."""
    deep = work / 'deep'
    for i in range(8):
        deep = deep / ('folder-%d-' % i + 'd' * 40)
    deep.mkdir(parents=True)
    done = run(['run', windows(deep), *SHORT, '--test', 'RND4K Q1T1', '--directions', 'read', '--no-library', '--json', windows(deep / 'r.json')])
    check(done.returncode == 0 and os.listdir(deep) == ['r.json'], 'a path of %d characters: %d %s' % (len(windows(deep)), done.returncode, done.stderr[-300:]))


def check_library():
    """Results and settings are the user's application data; the registry has nothing of ours."""
    prefix = pathlib.Path(os.environ['WINEPREFIX'])
    local = next(iter(prefix.glob('drive_c/users/*/AppData/Local')))
    before = set(local.glob('drivegauge/results/*.json'))
    done = run(['run', windows(work / 'target'), *SHORT, '--test', 'RND4K Q1T1', '--directions', 'read', '--comment', 'in die Bibliothek'])
    new = set(local.glob('drivegauge/results/*.json')) - before
    check(done.returncode == 0 and len(new) == 1, 'one result more in %s: %s %s' % (local, new, done.stderr[-300:]))
    if len(new) == 1:
        document = json.loads(new.pop().read_text(encoding='utf-8'))
        shown = run(['show', document['id'], '--json', '-'])
        check(shown.returncode == 0 and json.loads(shown.stdout)['id'] == document['id'], 'it is found by its id')
    exported = work / 'out' / 'user.reg'
    subprocess.run([wine, 'reg', 'export', 'HKCU\\Software', windows(exported), '/y'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=60)
    text = exported.read_bytes().decode('utf-16', 'replace').lower() if exported.exists() else ''
    check(len(text) > 1000 and 'drivegauge' not in text and 'drive gauge' not in text, 'nothing of ours is in the registry (%d characters)' % len(text))


def check_two():
    """Two at once on one drive: both end well, each with its own file."""
    folders = [work / 'one', work / 'two']
    for folder in folders:
        folder.mkdir()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda f: run(['run', windows(f), '--size', '8MiB', '--duration', '3', '--warmup', '0', '--interval', '0', '--runs', '1',
                                            '--test', 'RND4K Q1T1', '--directions', 'read', '--no-library', '--json', '-']), folders))
    for folder, done in zip(folders, both):
        check(done.returncode == 0 and os.listdir(folder) == [], '%s: %d %s' % (folder.name, done.returncode, done.stderr[-300:]))
    told = [json.loads(d.stdout)['targets'][0]['also_running'] for d in both if d.returncode == 0]
    check(True in told, 'that another one measured is said: %s' % told)


def check_fio():
    done = run(['fio', windows(work / 'target'), '--profile', 'nvme'])
    lines = done.stdout.decode()
    check(done.returncode == 0 and '--ioengine=windowsaio' in lines and '--direct=1' in lines, 'the fio lines: %s' % lines[:300])


shutil.rmtree(work, ignore_errors=True)
for folder in ('target', 'out'):
    (work / folder).mkdir(parents=True)
for part in (check_lines, check_targets, check_outputs, check_results, check_names, check_long, check_library, check_two, check_fio):
    before = failures
    part()
    print('#   %s: %s' % (part.__name__, 'good' if failures == before else 'bad'), flush=True)
sys.exit(failures != 0)
