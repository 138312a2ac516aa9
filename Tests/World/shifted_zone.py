"""A time zone whose clock shows a wanted time of day at a wanted second, so that a quarter of an hour is near."""

import pathlib
import struct


def shifted_zone(folder, moment, hour, minute):
    """Writes the zone's file (RFC 8536); at `moment`, in seconds since 1970, its clock shows hour:minute:00.

    Returns the variables of a program that is to live in it."""
    offset = (hour * 3600 + minute * 60 - int(moment)) % 86_400
    if offset > 43_200:
        offset -= 86_400
    kind = struct.pack(">lbB", offset, 0, 0) + b"TST\0"
    block = b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, 0, 1, 4) + kind
    (folder / "Test").mkdir(parents=True, exist_ok=True)
    for entry in pathlib.Path("/usr/share/zoneinfo").iterdir():
        (folder / entry.name).symlink_to(entry)
    (folder / "Test/Shifted").write_bytes(block + block + b"\n\n")
    return {"TZDIR": str(folder), "TZ": "Test/Shifted"}
