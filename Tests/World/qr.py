"""Reads QR codes in pictures, with ZBar, as a phone's camera does."""

import re
import subprocess

from png import picture

SCALE = 6  # pixels of a module


def read_picture(png):
    """The text of the one QR code in a picture: PNG bytes, such as a screenshot."""
    read = subprocess.run(
        ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "-"], input=png, capture_output=True,
        timeout=20, check=False)
    assert read.returncode == 0, f"no QR code was found: {read.stderr!r}"
    return read.stdout.decode().removesuffix("\n")


def read_svg(svg):
    """The text of a QR code as the hub draws it: rows of dark modules on a light square."""
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    rows = [[False] * side for _ in range(side)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", svg):
        for column in range(int(x), int(x) + int(length)):
            rows[int(y)][column] = True
    return read_picture(picture(rows, SCALE))


def read_terminal(text):
    """The text of a QR code of half blocks on a dark ground, which draw the light modules."""
    lines = [line for line in text.splitlines() if set(line) & set("█▀▄")]
    rows = []
    for line in lines:
        rows.append([character not in "█▀" for character in line])
        rows.append([character not in "█▄" for character in line])
    return read_picture(picture(rows, SCALE))
