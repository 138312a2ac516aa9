"""Devices at the hub's gateway, by the thousand: each acknowledges what it shows, as cheaply as Python can."""

import asyncio
import contextlib
import hashlib
import json
import re
import secrets
import sqlite3
import struct
import time

SECONDS = 30
SHOW = re.compile(rb'\{"do":"show","id":"(\d+)","version":(\d+),')
PING = b"\x81\x8d" + bytes(4) + b'{"do":"ping"}'


def add_devices(hub, count):
    """Adds devices by their rows, since 2,000 commands take minutes; the secrets of devices 1, 2, …"""
    made = [secrets.token_hex(16) for _ in range(count)]
    now = time.time()
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite", timeout=10)) as database, database:
        database.executemany(
            "INSERT INTO push_devices (id, name, kind, channels, secret, created_at, seen_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(index + 1, f"device {index + 1}", "agent", 2, hashlib.sha256(secret.encode()).digest(), now, now)
             for index, secret in enumerate(made)])
    return made


def frame(text):
    """A masked frame whose mask is zero."""
    head = bytes([0x81, 0x80 | len(text)]) if len(text) < 126 else b"\x81\xfe" + struct.pack("!H", len(text))
    return head + bytes(4) + text


class DeviceSocket(asyncio.Protocol):
    """A connected device. It calls `showing(device, id, text)` for each message that it shows. With `confirmed` it
    pings after its acknowledgements, and calls `confirmed(device, ids)` for those that the hub has on its disk, as it
    answers only then."""

    def __init__(self, device, secret, showing, confirmed=None):
        self.device, self.secret, self.showing, self.confirmed = device, secret, showing, confirmed
        self.bytes, self.is_open, self.transport = b"", False, None
        self.acknowledged, self.pinged = [], None
        self.welcome = asyncio.get_running_loop().create_future()
        self.lost = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        transport.write(b"GET /gateway HTTP/1.1\r\nHost: hub\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")

    def connection_lost(self, _):
        if not self.lost.done():
            self.lost.set_result(None)
        if not self.welcome.done():
            self.welcome.set_exception(ConnectionError(f"device {self.device} was not welcomed: {self.bytes[:200]}"))

    def data_received(self, data):
        data = self.bytes + data if self.bytes else data
        if not self.is_open:
            head, end, rest = data.partition(b"\r\n\r\n")
            if not end:
                self.bytes = data
                return
            assert b" 101 " in head, head
            self.is_open, data = True, rest
            self.transport.write(frame(json.dumps({"do": "hello", "secret": self.secret, "v": 1}).encode()))
        at, answers = 0, []
        while len(data) >= at + 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                if len(data) < at + 4:
                    break
                size, start = data[at + 2] << 8 | data[at + 3], at + 4
            if len(data) < start + size:
                break
            self.heard(data[start:start + size], answers)
            at = start + size
        self.bytes = data[at:]
        if answers:
            if self.confirmed and self.pinged is None:
                answers.append(self.ping())
            self.transport.write(b"".join(answers))

    def heard(self, text, answers):
        found = SHOW.match(text)
        if found:
            identifier, version = found.groups()
            self.showing(self.device, int(identifier), text)
            answers.append(frame(b'{"do":"ack","id":"%b","version":%b,"what":"shown"}' % (identifier, version)))
            if self.confirmed:
                self.acknowledged.append(int(identifier))
        elif b'"do":"pong"' in text and self.pinged is not None:
            self.confirmed(self.device, self.pinged)
            self.pinged = None
            if self.acknowledged:
                answers.append(self.ping())
        elif b'"do":"welcome"' in text and not self.welcome.done():
            self.welcome.set_result(None)

    def ping(self):
        self.pinged, self.acknowledged = self.acknowledged, []
        return PING


async def connected(port, made, showing, confirmed=None, first=1):
    """Connects the devices with these secrets, of which the first has that number, a hundred at a time."""
    loop, sockets = asyncio.get_running_loop(), []
    numbered = list(enumerate(made, first))
    for start in range(0, len(made), 100):
        opened = await asyncio.gather(*(
            loop.create_connection(
                lambda device=device, secret=secret: DeviceSocket(device, secret, showing, confirmed),
                "127.0.0.1", port)
            for device, secret in numbered[start:start + 100]))
        sockets += [socket for _, socket in opened]
        await asyncio.wait_for(asyncio.gather(*(socket.welcome for _, socket in opened)), SECONDS)
    return sockets
