#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-icons.py DATA: the icons are drawn at every size that a desktop asks for, fill it, and stay a picture; the symbolic one is a single shape that takes any colour."""
import os
import sys

try:
    import gi
    gi.require_version("GdkPixbuf", "2.0")
    from gi.repository import GdkPixbuf
except (ImportError, ValueError):
    print("GdkPixbuf for python3 is missing: skipped")
    sys.exit(77)

icons = os.path.join(sys.argv[1], "icons")
ID = "io.github.drivegauge.DriveGauge"


def pixels(path, size):
    picture = GdkPixbuf.Pixbuf.new_from_file_at_scale(path, size, size, True)
    assert (picture.get_width(), picture.get_height()) == (size, size), f"{path}: not square at {size}"
    assert picture.get_has_alpha(), f"{path}: no transparency at {size}"
    data, stride = picture.get_pixels(), picture.get_rowstride()
    return [[tuple(data[y * stride + x * 4:y * stride + x * 4 + 4]) for x in range(size)] for y in range(size)]


def filled(rows):
    return sum(p[3] > 127 for row in rows for p in row) / len(rows) ** 2


if "svg" not in [f.get_name() for f in GdkPixbuf.Pixbuf.get_formats()]:
    print("librsvg is missing: skipped")
    sys.exit(77)
colour = os.path.join(icons, "scalable", ID + ".svg")
for size in (16, 22, 24, 32, 48, 64, 128, 256, 512):
    rows = pixels(colour, size)
    light = [sum(p[:3]) / 3 for row in rows for p in row if p[3] > 200]
    assert 0.3 < filled(rows) <= 1, f"{size}: {filled(rows):.0%} of the square is filled"
    assert max(light) - min(light) > 80, f"{size}: no contrast within the picture"
    # at home: a margin all around is at most an eighth of the size, rounded up
    edge = -(-size // 8)
    for name, strip in (("top", rows[:edge]), ("bottom", rows[-edge:]), ("left", [r[:edge] for r in rows]), ("right", [r[-edge:] for r in rows])):
        assert any(p[3] > 60 for row in strip for p in row), f"{size}: empty at the {name}"
symbolic = os.path.join(icons, "symbolic", ID + "-symbolic.svg")
for size in (16, 32, 64):
    rows = pixels(symbolic, size)
    assert 0.1 < filled(rows) < 0.9, f"symbolic {size}: {filled(rows):.0%} filled"
    assert len({p[:3] for row in rows for p in row if p[3] == 255}) == 1, f"symbolic {size}: more than one colour"
print("good at every size")
