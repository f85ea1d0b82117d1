#!/usr/bin/env python3
"""check-window.py ALONE SYSROOT PREFIX PROGRAM WORK_FOLDER: drives the window through "All" by its keyboard and keeps screenshots of it."""
import json
import os
import pathlib
import subprocess
import sys
import time

alone, sysroot, prefix, program, work = sys.argv[1:6]
prefix, work = pathlib.Path(prefix), pathlib.Path(work)
read_end, write_end = os.pipe()
server = subprocess.Popen(['Xvfb', '-displayfd', str(write_end), '-screen', '0', '1100x900x24', '-nolisten', 'tcp'], pass_fds=[write_end],
                          stderr=subprocess.DEVNULL)
os.close(write_end)
environment = dict(os.environ, DISPLAY=':' + os.read(read_end, 16).decode().strip())


def x(*words):
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60).stdout


def user_folder(name):
    return next(iter(prefix.glob('drive_c/users/*/AppData/Local')), None) / name


def wait(seconds, what, claim):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = claim()
        if found:
            return found
        time.sleep(0.5)
    raise SystemExit('#   not so within %d s: %s' % (seconds, what))


def windows():
    return x('xdotool', 'search', '--onlyvisible', '--name', 'Drive Gauge').split()


def shot(name):
    x('import', '-window', 'root', str(work / name))


try:
    # Makes the prefix, whose folders the settings go to.
    subprocess.run([alone, sysroot, prefix, str(pathlib.Path(program).with_name('drivegauge-cli.exe')), '--version'], env=environment, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=180)
    folder = user_folder('drivegauge')
    folder.mkdir(exist_ok=True)
    # Seconds instead of a minute: what the user could have set, too.
    (folder / 'settings.ini').write_text('[Measurement]\nRuns=1\nDurationSet=true\nDurationNs=1000000000\nIntervalSet=true\nIntervalNs=0\nWarmupNs=0\nSizeBytes=33554432\n')
    process = subprocess.Popen([alone, sysroot, prefix, program], env=environment, stdout=subprocess.DEVNULL, stderr=open(work / 'window.log', 'w'))
    window = wait(90, 'a window', windows)[0]
    time.sleep(4)
    shot('window-before.png')
    x('xdotool', 'windowfocus', window)
    x('xdotool', 'key', '--window', window, 'F5')
    results = folder / 'results'
    document = wait(120, 'a result in the library', lambda: [p for p in results.glob('*.json')] if results.is_dir() else [])[0]
    time.sleep(2)
    shot('window-after.png')
    result = json.loads(document.read_text(encoding='utf-8'))
    tests = {t['name']: t['state'] for t in result['tests']}
    assert result['state'] == 'done' and len(result['tests']) == 8 and set(tests.values()) == {'done'}, (result['state'], tests)
    assert result['plan']['size_bytes'] == 33554432, result['plan']
    colours = int(x('identify', '-format', '%k', str(work / 'window-after.png')) or 0)
    assert colours > 100, 'the screenshot shows a window: %d colours' % colours
    assert process.poll() is None, 'it still runs'
    x('xdotool', 'key', '--window', window, 'ctrl+q')
    print('#   screenshots: %s' % (work / 'window-after.png'))
finally:
    subprocess.run(['/usr/lib/wine/wineserver64' if os.path.exists('/usr/lib/wine/wineserver64') else 'wineserver', '-k'],
                   env=dict(environment, WINEPREFIX=str(prefix)), capture_output=True)
    server.terminate()
