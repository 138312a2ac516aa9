#!/usr/bin/env python3
"""A decoder that does what a job's name says: die, hang, speak nonsense, or answer. Told "late", it is never ready.
Videos it converts without end."""

import os
import pathlib
import signal
import socket
import struct
import sys
import time

folder = pathlib.Path(__file__).parent
if (folder / "never").exists():
    with open(folder / "failed", "a") as log:
        log.write("x\n")
    print("libvips.so.42: cannot open shared object file", file=sys.stderr)
    sys.exit(127)
if (folder / "late").exists():
    time.sleep(60)
if sys.argv[1] == "look":
    print("streams.stream.0.codec_type=\"video\"\nstreams.stream.0.width=40\nstreams.stream.0.height=30")
    sys.exit(0)
if sys.argv[1] == "convert":
    (folder / "order").write_text("convert\n")
    time.sleep(60)
line = socket.socket(fileno=0)


def word(text):
    data = b"\1" + text.encode()
    return struct.pack(">I", len(data)) + data


def send(kind, content):
    line.sendall(struct.pack(">IB", len(content) + 1, kind) + content)


def exactly(count):
    data = b""
    while len(data) < count:
        piece = line.recv(count - len(data))
        if not piece:
            sys.exit(0)
        data += piece
    return data


# No environment but one word, and no descriptor but three.
ready = f"{sorted(os.environ)} {sorted(int(name) for name in os.listdir('/proc/self/fd'))[:-1]}"
send(2, word(ready) + struct.pack(">I", 1) + b"\0")
with open(folder / "started", "a") as log:
    log.write(f"{os.getpid()}\n")
while True:
    size = struct.unpack(">I", exactly(4))[0]
    content = exactly(size)
    count = struct.unpack(">I", content[1:5])[0]
    at = 5 + 4 * count
    length = struct.unpack(">I", content[at:at + 4])[0]
    name = content[at + 5:at + 4 + length].decode()
    with open(folder / "order", "a") as log:
        log.write(f"{name}\n")
    if name == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if name == "hang":
        time.sleep(3600)
    if name == "nonsense":
        line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        time.sleep(3600)
    while name == "wait" and not (folder / "go").exists():
        time.sleep(0.01)
    send(3, struct.pack(">III", 0, 40, 30) + word("2026-11-21T18:04:00") + struct.pack(">I", 1) + b"\0"
         + struct.pack(">IIII", 0, 0, 0, 0))
