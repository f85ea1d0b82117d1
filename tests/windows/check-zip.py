#!/usr/bin/env python3
"""check-zip.py ZIP OBJDUMP SYSROOT_BIN README: the portable zip holds both programs, exactly the DLLs that they load, and a licence for each of those;
its size is the README's."""
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

zip_path, objdump, sysroot, readme = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
failures = 0


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print('#   not so: %s' % what)


def imports(path):
    text = subprocess.run([objdump, '-p', path], check=True, capture_output=True, text=True, errors='replace').stdout
    return {n.lower() for n in re.findall(r'DLL Name: (\S+)', text)}


with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(zip_path) as archive:
    names = archive.namelist()
    tops = {n.split('/')[0] for n in names}
    check(len(tops) == 1 and not any(n.startswith('/') or '..' in n or '\\' in n for n in names), 'one folder at the top: %s' % tops)
    archive.extractall(folder)
    top = pathlib.Path(folder) / tops.pop()
    found = {p.name.lower(): p for p in top.glob('*.dll')}
    wanted, todo = set(), [top / 'drivegauge.exe', top / 'drivegauge-cli.exe']
    theirs = {p.name.lower() for p in sysroot.glob('*.dll')}
    while todo:
        for name in imports(todo.pop()):
            if name in wanted:
                continue
            # What comes with the tool chain and not with Windows has to be there, too.
            if name in found:
                wanted.add(name)
                todo.append(found[name])
            else:
                check(name not in theirs and not name.startswith('lib'), '%s is loaded and not in the zip' % name)
    check(wanted == set(found), 'a DLL that nothing loads: %s' % sorted(set(found) - wanted))
    table = (top / 'licences' / 'README.txt').read_bytes().decode()
    check(table.count('\r\n') == table.count('\n'), 'CRLF in licences/README.txt')
    check('not found' not in table, 'each licence was found')
    for name, path in sorted(found.items()):
        row = re.search(r'^%s +(.*?)  +(\S.*?)  +(https?://\S+)\r?$' % re.escape(path.name), table, re.M)
        check(row, '%s stands in licences/README.txt' % path.name)
        if not row:
            continue
        text = top / 'licences' / (re.sub(r'[^A-Za-z0-9]+', '-', row.group(1)).strip('-') + '.txt')
        content = text.read_bytes() if text.is_file() else b''
        check(len(content) > 300 and re.search(rb'(?i)licen[cs]e|permission', content), 'the licence of %s in %s' % (path.name, text.name))
        for other in re.findall(rb'/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])', content):
            check((top / 'licences/common' / (other.decode() + '.txt')).is_file(), 'licences/common/%s.txt, which %s names' % (other.decode(), text.name))
    check(b'GNU GENERAL PUBLIC LICENSE' in (top / 'COPYING.txt').read_bytes(), 'COPYING.txt')
    check((top / 'share/locale/ru/LC_MESSAGES/drivegauge.mo').is_file(), 'the Russian texts')
    check((top / 'share/glib-2.0/schemas/gschemas.compiled').is_file(), "GTK's settings schemas")
    rest = [n for n in names if not re.search(r'\.(dll|exe|mo|txt|compiled)$', n)]
    check(rest == [], 'nothing else: %s' % rest)
    size, whole = pathlib.Path(zip_path).stat().st_size, sum(i.file_size for i in archive.infolist())
    print('#   %.1f MB, %.1f MB unpacked, %d DLLs' % (size / 1e6, whole / 1e6, len(found)))
    named = re.search(r'zip of (\d+) MB \((\d+) MB unpacked\)', readme.read_text(encoding='utf-8'))
    check(named and abs(size / 1e6 - int(named[1])) <= 0.6 and abs(whole / 1e6 - int(named[2])) <= 0.6, 'the README names the size: %s' % (named and named[0]))
sys.exit(failures != 0)
