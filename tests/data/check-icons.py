#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-icons.py DATA [CLI RESULT]: the icons are drawn at every size that a desktop asks for, fill it, and stay a picture; the symbolic one is a single
shape that takes any colour. The card that CLI makes of RESULT carries the same icon."""
import os
import subprocess
import sys
import tempfile

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
rows = pixels(colour, 16)
assert all(rows[y][x][3] > 250 for y in (6, 8) for x in (1, 14)) and all(rows[y][x][3] < 5 for y in (6, 8) for x in (0, 15)), "16: its sides are not sharp"
symbolic = os.path.join(icons, "symbolic", ID + "-symbolic.svg")
for size in (16, 32, 64):
    rows = pixels(symbolic, size)
    assert 0.1 < filled(rows) < 0.9, f"symbolic {size}: {filled(rows):.0%} filled"
    assert len({p[:3] for row in rows for p in row if p[3] == 255}) == 1, f"symbolic {size}: more than one colour"
rows = pixels(symbolic, 16)
assert all(p[3] > 250 for p in rows[13][2:11]) and all(p[3] < 5 for p in rows[10][:3] + rows[15]), "symbolic 16: the drive is not sharp"
print("good at every size")


def off_by(drawn, wanted):
    """How far colours are from an icon's on whatever ground: 0 to 255 for each of red, green and blue."""
    ground = drawn[0][0]
    off = [abs(d - (w[i] * w[3] + ground[i] * (255 - w[3])) / 255) for row, wanted_row in zip(drawn, wanted) for pixel, w in zip(row, wanted_row)
           for i, d in enumerate(pixel[:3])]
    return sum(off) / len(off)


def of_windows(path):
    """The largest picture in the file for Windows, which is a PNG, without what is transparent."""
    with open(path, "rb") as file:
        data = file.read()
    loader = GdkPixbuf.PixbufLoader.new_with_type("png")
    loader.write(data[data.rindex(b"\x89PNG"):])
    loader.close()
    picture = loader.get_pixbuf()
    assert picture.get_width() == 256, picture.get_width()
    data, stride = picture.get_pixels(), picture.get_rowstride()
    return [[tuple(v * data[y * stride + x * 4 + 3] // 255 for v in data[y * stride + x * 4:y * stride + x * 4 + 3]) for x in range(256)] for y in range(256)]


off = off_by(of_windows(os.path.join(icons, "windows", ID + ".ico")), pixels(colour, 256))
assert off < 2, f"the icon for Windows is another, {off:.1f} levels off: run data/icons/windows/make-ico"


def logo(card, scale):
    """The icon's square of a card: it is as wide as 36 of the card's units, and its left side is the first of this colour in its middle."""
    size, top = 36 * scale, 33 * scale
    data, stride = card.get_pixels(), card.get_rowstride()
    step = card.get_n_channels()

    def at(x, y):
        return tuple(data[y * stride + x * step:y * stride + x * step + 3])
    middle = top + size // 2
    side = next(x for x in range(card.get_width()) if all(at(x + i, middle) == (0x5e, 0x5c, 0x64) for i in range(4)))
    left = side - size * 8 // 128
    return [[at(left + x, top + y) for x in range(size)] for y in range(size)]


if len(sys.argv) > 3:
    SCALE = 4
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "card.png")
        subprocess.run([sys.argv[2], "show", sys.argv[3], "--png", path, "--scale", str(SCALE), "--text", os.devnull], check=True)
        drawn = logo(GdkPixbuf.Pixbuf.new_from_file(path), SCALE)
    off = off_by(drawn, pixels(colour, 36 * SCALE))
    assert off < 2, f"the card's icon is another: {off:.1f} levels off"
    print(f"the card has the same icon: {off:.2f} levels off on average")
