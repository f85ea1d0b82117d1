#!/usr/bin/env python3
"""check-window.py ALONE SYSROOT PREFIX PROGRAM WORK_FOLDER: drives the window through "All" by its keyboard on a folder whose name no code page holds,
changes the system's colours meanwhile, closes the window in the middle of a second run, and keeps screenshots."""
import configparser
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import time

alone, sysroot, prefix, program, work = sys.argv[1:6]
prefix, work = pathlib.Path(prefix), pathlib.Path(work)
COLOURS = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize'
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


def wine(*words):
    return subprocess.run([alone, sysroot, prefix, *words], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, timeout=120).returncode


def set_light(is_light):
    assert wine('reg', 'add', COLOURS, '/v', 'AppsUseLightTheme', '/t', 'REG_DWORD', '/d', str(is_light), '/f') == 0


def brightness():
    """Of the middle of the window, 0 to 1."""
    shot('colours.png')
    return float(x('convert', str(work / 'colours.png'), '-crop', '780x640+60+80', '-colorspace', 'Gray', '-format', '%[fx:mean]', 'info:') or 0.5)


def icon_32():
    """Of the program, in its file as in the tree: rows of a bitmap from below."""
    data = (pathlib.Path(__file__).parents[2] / 'data/icons/windows/io.github.drivegauge.DriveGauge.ico').read_bytes()
    for i in range(struct.unpack_from('<H', data, 4)[0]):
        width, size, start = data[6 + 16 * i], *struct.unpack_from('<II', data, 14 + 16 * i)
        if width == 32:
            pixels = struct.unpack_from('<1024I', data, start + 40)
            return [p for y in reversed(range(32)) for p in pixels[32 * y:32 * y + 32]]


def has_our_icon(window):
    """Wine hands a window's icon on to X."""
    numbers = re.findall(r'\d+', x('xprop', '-id', window, '-notype', '-f', '_NET_WM_ICON', '32c', '_NET_WM_ICON').partition('=')[2])
    return [int(n) for n in numbers[:1026]] == [32, 32, *icon_32()]


try:
    # Makes the prefix, whose folders the settings go to.
    with open(work / 'list.json', 'wb') as out:
        subprocess.run([alone, sysroot, prefix, str(pathlib.Path(program).with_name('drivegauge-cli.exe')), 'list', '--json'], env=environment, check=True,
                       stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, timeout=180)
    drives = json.loads((work / 'list.json').read_text(encoding='utf-8'))['drives']
    drive_z = next(t for d in drives for t in d['targets'] if t['mount'] == 'Z:\\')
    target = work / 'Окно 😀'
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    folder = user_folder('drivegauge')
    folder.mkdir(exist_ok=True)
    # Seconds instead of a minute: what the user could have set, too.
    shutil.rmtree(folder / 'results', ignore_errors=True)
    (folder / 'settings.ini').write_text('[Window]\nTargetUuid=%s\nTargetFolder=Z:%s\n[Measurement]\nRuns=1\nDurationSet=true\nDurationNs=1000000000\nIntervalSet=true\n'
                                         'IntervalNs=0\nWarmupNs=0\nSizeBytes=33554432\n'
                                         % (drive_z['filesystem_uuid'], str(target).replace('/', '\\\\')), encoding='utf-8')
    wine('reg', 'delete', COLOURS, '/f')
    process = subprocess.Popen([alone, sysroot, prefix, program], env=environment, stdout=subprocess.DEVNULL, stderr=open(work / 'window.log', 'w'))
    window = wait(90, 'a window', windows)[0]
    time.sleep(4)
    shot('window-before.png')
    wait(20, "the window has the program's icon", lambda: has_our_icon(window))
    x('xdotool', 'windowfocus', window)
    x('xdotool', 'key', '--window', window, 'F5')
    results = folder / 'results'
    document = wait(120, 'a result in the library', lambda: list(results.glob('*.json')))[0]
    time.sleep(2)
    shot('window-after.png')
    result = json.loads(document.read_text(encoding='utf-8'))
    tests = {t['name']: t['state'] for t in result['tests']}
    assert result['state'] == 'done' and len(result['tests']) == 8 and set(tests.values()) == {'done'}, (result['state'], tests)
    assert result['plan']['size_bytes'] == 33554432, result['plan']
    colours = int(x('identify', '-format', '%k', str(work / 'window-after.png')) or 0)
    assert colours > 100, 'the screenshot shows a window: %d colours' % colours
    assert process.poll() is None, 'it still runs'
    path = result['targets'][0]['path']
    assert path == 'Z:' + str(target).replace('/', '\\'), path
    assert list(target.iterdir()) == [], 'nothing is left'
    # Light and dark follow the system's while the window is open; in the beginning it had no such setting.
    assert brightness() > 0.7, 'light by itself: %g' % brightness()
    set_light(0)
    wait(20, 'dark as the system', lambda: brightness() < 0.35)
    shot('window-dark.png')
    set_light(1)
    wait(20, 'light as the system', lambda: brightness() > 0.7)
    # Closed in the middle of a run: it is stopped, saved and cleaned up.
    x('xdotool', 'windowfocus', window)
    x('xdotool', 'key', '--window', window, 'F5')
    time.sleep(3)
    assert wine('taskkill', '/im', 'drivegauge.exe') == 0
    process.wait(timeout=30)
    assert list(target.iterdir()) == [], 'nothing is left after closing: %s' % list(target.iterdir())
    states = sorted(json.loads(p.read_text(encoding='utf-8'))['state'] for p in results.glob('*.json'))
    assert states == ['done', 'stopped'], states
    # What it remembers stands in its own file, all of it, and nowhere else.
    settings = configparser.RawConfigParser()
    settings.read(folder / 'settings.ini', encoding='utf-8')
    assert settings['Measurement']['SizeBytes'] == '33554432' and int(settings['Window']['Width']) > 300, list(settings)
    exported = work / 'window.reg'
    assert wine('reg', 'export', 'HKCU\\Software', 'Z:' + str(exported).replace('/', '\\'), '/y') == 0
    text = exported.read_bytes().decode('utf-16', 'replace').lower()
    assert len(text) > 1000 and 'drivegauge' not in text and 'drive gauge' not in text, 'nothing of ours is in the registry (%d characters)' % len(text)
    print('#   screenshots: %s' % (work / 'window-after.png'))
finally:
    subprocess.run(['/usr/lib/wine/wineserver64' if os.path.exists('/usr/lib/wine/wineserver64') else 'wineserver', '-k'],
                   env=dict(environment, WINEPREFIX=str(prefix)), capture_output=True)
    server.terminate()
