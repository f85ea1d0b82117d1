#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Little's law on a real drive and a machine with far more to do than it can: IOPS x mean latency / (queue x threads) of every run is at most 1.03, and at least
0.95 at depth 1 and in sequential tests and 0.75 in random ones, or the result says that too few transfers were under way.

Every backend with the machine as it is, then the one that is chosen by itself with eight spinning processes for each processor. No root, no guest; exit
status 77 where direct I/O cannot be had."""
import multiprocessing
import os
import tempfile
import time

import kit

TESTS = ['SEQ1M Q8T1', 'SEQ1M Q1T1', 'RND4K Q32T1', 'RND4K Q1T1', 'RND4K Q8T4']
BACKENDS = ['io_uring', 'libaio', 'threads']


def spin():
    while True:
        pass


def bounds(test):
    return 0.95 if test['access'] == 'sequential' or test['queue_depth'] == 1 else 0.75, 1.03


def look(folder, backend, load):
    """(runs, those said to have too few under way)."""
    words = [word for test in TESTS for word in ('--test', test)]
    document, status, text = kit.measure(folder, *words, '--backend', backend, '--size', '64MiB', '--duration', '1', '--warmup', '0', '--runs', '1',
                                         '--interval', '0', expect=None)
    if status == 3:
        kit.note('%s cannot be had here: %s' % (backend, text.strip()))
        return 0, 0
    if document is None:
        kit.check(False, '%s: status %s: %s' % (backend, status, text.strip()))
        return 0, 0
    n_runs = n_told = 0
    for index, test in enumerate(document['tests']):
        least, most = bounds(test)
        for run in test['runs']:
            if run['direct'] == 'refuted':
                kit.skip('no direct I/O in ' + folder)
            little = run['iops'] * run['latency']['mean_ns'] / 1e9 / (test['queue_depth'] * test['threads'])
            is_right = least <= little <= most
            n_runs += 1
            n_told += not is_right
            is_told = kit.is_told(document, index)
            kit.check(is_right or is_told, '%s, %s, %s %s: %.3f%s' % (load, run['backend'], test['name'], test['direction'], little,
                                                                          '' if is_right else ', as the result says' if is_told else ', unsaid'))
    return n_runs, n_told


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get('TMPDIR', '/var/tmp')) as folder:
        os.chmod(folder, 0o755)
        for load in ('as it is', 'overloaded'):
            spinners = [multiprocessing.Process(target=spin, daemon=True) for _ in range(8 * os.cpu_count() if load == 'overloaded' else 0)]
            for spinner in spinners:
                spinner.start()
            time.sleep(0.5)
            runs = told = 0
            try:
                for backend in BACKENDS if load == 'as it is' else ['auto']:
                    seen = look(folder, backend, load)
                    runs, told = runs + seen[0], told + seen[1]
            finally:
                for spinner in spinners:
                    spinner.terminate()
                    spinner.join()
            kit.check(told <= runs / 2, '%s: %d of %d runs are said to have too few under way' % (load, told, runs))
    kit.finish()


main()
