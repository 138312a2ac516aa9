"""Pictures of any size: real PNG files (ISO/IEC 15948), of noise, which does not compress, or of black and white
squares."""

import random
import struct
import zlib


def png(width, height, seed=1):
    """A grey picture; its file is a little larger than its pixels."""
    noise = random.Random(seed)
    return encode(width, height, [noise.randbytes(width) for _ in range(height)])


def picture(rows, scale):
    """A black and white drawing, given by rows; each of its points is a square of so many pixels."""
    lines = [b"".join((b"\0" if dark else b"\xff") * scale for dark in row) for row in rows for _ in range(scale)]
    return encode(len(lines[0]), len(lines), lines)


def encode(width, height, lines):
    rows = b"".join(b"\0" + line for line in lines)
    return b"\x89PNG\r\n\x1a\n" + b"".join([
        chunk(b"IHDR", struct.pack("!IIBBBBB", width, height, 8, 0, 0, 0, 0)), chunk(b"IDAT", zlib.compress(rows, 0)),
        chunk(b"IEND", b"")])


def chunk(kind, data):
    return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))
