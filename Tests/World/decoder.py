"""The program `eightbells-pictures` from outside: its frames, and files that strangers might send to it."""

import array
import os
import signal
import socket
import struct
import subprocess

from hub import BINARY

PICTURES = BINARY.with_name("eightbells-pictures")
KINDS = ["photo", "video", "raw", "other"]


class Died(Exception):
    """The program ended instead of answering."""


class Decoder:
    """A decoder that runs; `make` gives it a job, and returns what it made or raises what it said."""

    def __init__(self, **options):
        self.line, theirs = socket.socketpair()
        self.line.settimeout(60)
        self.process = subprocess.Popen([PICTURES, "decode"], stdin=theirs, stderr=subprocess.PIPE, env={}, **options)
        theirs.close()
        kind, content = self.receive()
        assert kind == 2
        content = Content(content)
        self.sandbox, self.video_problem = content.word(), content.word()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=30)

    def make(self, source, edges=(320,), name=None):
        """`source` is a path, or bytes; no `edges` asks for a preview."""
        is_inline = isinstance(source, bytes)
        content = struct.pack(f">{len(edges) + 1}I", len(edges), *edges) + word(name)
        content += struct.pack(">II", is_inline, len(source) if is_inline else 0) + (source if is_inline else b"")
        head = struct.pack(">IB", len(content) + 1, 1)
        if is_inline:
            self.line.sendall(head + content)
        else:
            file = os.open(source, os.O_RDONLY)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
            self.line.sendmsg([head + content], rights)
            os.close(file)
        kind, content = self.receive()
        content = Content(content)
        if kind == 4:
            raise ValueError(["", "not a picture", "too large", "failed"][content.number()], content.word())
        return Made(content)

    def receive(self):
        size = struct.unpack(">I", self.exactly(4))[0]
        content = self.exactly(size)
        return content[0], content[1:]

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.line.recv(count - len(data))
            if not piece:
                raise Died(self.process.wait(timeout=30))
            data += piece
        return data


class Content:
    """Reads what is in a frame."""

    def __init__(self, data):
        self.rest = data

    def number(self):
        value, self.rest = struct.unpack(">I", self.rest[:4])[0], self.rest[4:]
        return value

    def data(self):
        count = self.number()
        value, self.rest = self.rest[:count], self.rest[count:]
        return value

    def word(self):
        value = self.data()
        return value[1:].decode() if value[0] else None


class Made:
    def __init__(self, content):
        self.kind = KINDS[content.number()]
        self.width, self.height = content.number(), content.number()
        self.taken, self.pair = content.word(), content.word()
        self.title, self.caption = content.data().decode(), content.data().decode()
        self.placeholder = content.data()
        self.sizes = {}
        for _ in range(content.number()):
            edge = content.number()
            self.sizes[edge] = content.data()


def word(text):
    data = b"\0" if text is None else b"\1" + text.encode()
    return struct.pack(">I", len(data)) + data


def tool(*words, source, target=subprocess.PIPE):
    """Runs a command on a video; returns its exit code and what it wrote."""
    with open(source, "rb") as file:
        done = subprocess.run(
            [PICTURES, *words], stdin=file, stdout=target, stderr=subprocess.PIPE, env={}, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


# MARK: Files

def progressive_bomb(side):
    """A grey JPEG in a few hundred KB, whose coefficients need six bytes for each of its pixels: all are zero."""
    def segment(marker, data):
        return bytes([0xff, marker]) + struct.pack(">H", len(data) + 2) + data

    components = b"".join(bytes([number, 0x11, 0]) for number in (1, 2, 3))
    table = bytes([0, 1] + [0] * 15 + [0])
    scan = bytes([3, 1, 0, 2, 0, 3, 0, 0, 0, 0])
    blocks = 3 * ((side + 7) // 8) ** 2
    return (b"\xff\xd8" + segment(0xdb, bytes([0] + [1] * 64))
            + segment(0xc2, struct.pack(">BHHB", 8, side, side, 3) + components) + segment(0xc4, table)
            + segment(0xda, scan) + bytes(blocks // 8 + 1) + b"\xff\xd9")


def boxes(data, start, end):
    """(type, where it begins, where its content begins, where it ends) of the boxes in a part of a file."""
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        size = size or end - start
        yield kind, start, start + 8, start + size
        start += size


def with_second_target(heic):
    """A HEIC whose `auxl` refers to two pictures, as iPhones write it: everything behind moves by two bytes."""
    data = bytearray(heic)
    meta = next(box for box in boxes(data, 0, len(data)) if box[0] == b"meta")
    inner = {box[0]: box for box in boxes(data, meta[2] + 4, meta[3])}
    references = inner[b"iref"]
    child = next(box for box in boxes(data, references[2] + 4, references[3]) if box[0] == b"auxl")
    target = data[child[2] + 4:child[2] + 6]
    for at in (meta[1], references[1], child[1]):
        data[at:at + 4] = struct.pack(">I", struct.unpack(">I", data[at:at + 4])[0] + 2)
    data[child[2] + 2:child[2] + 4] = b"\0\2"
    move_places(data, inner[b"iloc"])
    data[child[3]:child[3]] = target
    return bytes(data)


def move_places(data, box):
    """Adds two to the places of all items that lie in the file (ISO/IEC 14496-12, 8.11.3)."""
    at = box[2]
    version, widths = data[at], data[at + 4:at + 6]
    offset, length, base = widths[0] >> 4, widths[0] & 15, widths[1] >> 4
    index = widths[1] & 15 if version else 0
    count, at = struct.unpack(">H", data[at + 6:at + 8])[0], at + 8
    for _ in range(count):
        method = struct.unpack(">H", data[at + 2:at + 4])[0] & 15 if version else 0
        at += 2 + (2 if version else 0) + 2
        base_at, at = at, at + base
        extents, at = struct.unpack(">H", data[at:at + 2])[0], at + 2
        places = [base_at] if base else [at + number * (index + offset + length) + index for number in range(extents)]
        width = base or offset
        for place in places if method == 0 else []:
            value = int.from_bytes(data[place:place + width]) + 2
            data[place:place + width] = value.to_bytes(width)
        at += extents * (index + offset + length)
