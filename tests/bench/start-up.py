# SPDX-License-Identifier: GPL-3.0-or-later
"""See start-up. Arguments: the build folder, how many times. The screen is asked every 2 ms; the first start of each, which fills the file cache,
is not counted."""
import os, statistics, subprocess, sys, time

build, times = sys.argv[1], int(sys.argv[2])
TICK_MS = 1000 / os.sysconf('SC_CLK_TCK')
PROGRAMS = {'minimal window': os.path.join(build, 'tests', 'bench', 'minimal-window'), 'Drive Gauge': os.path.join(build, 'app', 'gui', 'drivegauge')}


def on_screen(pid, end):
    while time.monotonic() < end:
        if subprocess.run(['xdotool', 'search', '--onlyvisible', '--pid', str(pid)], capture_output=True).stdout:
            return True
        time.sleep(0.002)
    return False


def cpu_ms(path):
    with open(path) as file:
        fields = file.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_MS


def start(path):
    begin = time.monotonic()
    process = subprocess.Popen([path], stderr=subprocess.DEVNULL)
    try:
        if not on_screen(process.pid, begin + 30):
            sys.exit(f'{path}: no window within 30 s')
        wall = (time.monotonic() - begin) * 1000
        time.sleep(1)
        with open(f'/proc/{process.pid}/smaps_rollup') as file:
            kib = {line.split(':')[0]: int(line.split()[1]) for line in file if line.startswith(('Rss', 'Pss:'))}
        return (wall, cpu_ms(f'/proc/{process.pid}/stat'), cpu_ms(f'/proc/{process.pid}/task/{process.pid}/stat'), kib['Rss'] / 1024, kib['Pss'] / 1024)
    finally:
        process.kill()
        process.wait()


seen = {name: [] for name in PROGRAMS}
for round in range(times + 1):
    for name, path in PROGRAMS.items():
        figures = start(path)
        if round > 0:
            seen[name].append(figures)
print(f"{'':16}{'on screen':>12}{'processor':>12}{'main thread':>13}{'resident':>11}{'own share':>11}")
for name, rows in seen.items():
    wall, cpu, main, rss, pss = (statistics.median(column) for column in zip(*rows))
    print(f'{name:16}{wall:9.0f} ms{cpu:9.0f} ms{main:10.0f} ms{rss:7.0f} MiB{pss:7.0f} MiB')
