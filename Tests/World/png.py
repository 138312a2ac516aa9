"""Pictures of any size: real PNG files (ISO/IEC 15948) of noise, which do not get smaller when they are compressed."""

import random
import struct
import zlib


def png(width, height, seed=1):
    """A grey picture; its bytes are a little more than its pixels."""
    noise = random.Random(seed)
    rows = b"".join(b"\0" + noise.randbytes(width) for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + b"".join([
        chunk(b"IHDR", struct.pack("!IIBBBBB", width, height, 8, 0, 0, 0, 0)), chunk(b"IDAT", zlib.compress(rows, 0)),
        chunk(b"IEND", b"")])


def chunk(kind, data):
    return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))
