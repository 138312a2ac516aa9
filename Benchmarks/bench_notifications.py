"""Notifications: how many are acknowledged a second, each after it is on the disk; and how long one takes from its POST
to one of 2,000 devices that are connected to the gateway."""

import asyncio
import hashlib
import json
import os
import pathlib
import re
import secrets
import sqlite3
import struct
import subprocess
import tempfile
import time

from figure import Figure
from hub import Hub
from measure import needed

HERE = pathlib.Path(__file__).resolve().parent
CONNECTIONS, SECONDS = 128, 5
DEVICES, RATE = 2_000, 1_000
POSTERS = 16


def figures():
    needed("wrk")
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name:
        hub = Hub(pathlib.Path(name) / "hub").start()
        try:
            made = devices(hub)
            yield from ways(hub, made)
            yield from publishes(hub)
        finally:
            hub.stop()


def devices(hub):
    """Adds devices by their rows, since 2,000 commands take minutes; their secrets."""
    made = [secrets.token_hex(16) for _ in range(DEVICES)]
    now = time.time()
    with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=10) as database:
        database.executemany(
            "INSERT INTO push_devices (id, name, kind, channels, secret, created_at, seen_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(index + 1, f"device {index}", "agent", 2, hashlib.sha256(secret.encode()).digest(), now, now)
             for index, secret in enumerate(made)])
    database.close()
    return made


def publishes(hub):
    told = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", "-s", HERE / "publish.lua", hub.url],
        capture_output=True, text=True, timeout=60, check=True,
        env=os.environ | {"TOKEN": hub.owner_token, "DEVICES": str(DEVICES)}).stdout
    assert "Non-2xx" not in told and "Socket errors" not in told, told
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1])
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", told).groups()
    slow = float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
    yield Figure(f"notifications acknowledged, {CONNECTIONS} connections", rate, "/s")
    yield Figure(f"… the slowest hundredth, {CONNECTIONS} connections", slow, "ms")


# From POST to device


class Socket(asyncio.Protocol):
    """A device that acknowledges what it shows, as cheaply as Python can."""

    def __init__(self, secret, way):
        self.secret, self.way, self.bytes, self.is_open = secret, way, b"", False
        self.welcome = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        transport.write(b"GET /gateway HTTP/1.1\r\nHost: hub\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")

    def send(self, message):
        """A masked frame whose mask is zero."""
        body = json.dumps(message).encode()
        head = bytes([0x81, 0x80 | len(body)]) if len(body) < 126 else b"\x81\xfe" + struct.pack("!H", len(body))
        self.transport.write(head + bytes(4) + body)

    def data_received(self, data):
        self.bytes += data
        if not self.is_open:
            head, _, rest = self.bytes.partition(b"\r\n\r\n")
            if not rest and b"\r\n\r\n" not in self.bytes:
                return
            assert b" 101 " in head, head
            self.is_open, self.bytes = True, rest
            self.send({"do": "hello", "secret": self.secret, "v": 1})
        while len(self.bytes) >= 2:
            size, start = self.bytes[1], 2
            if size == 126:
                if len(self.bytes) < 4:
                    return
                size, start = struct.unpack("!H", self.bytes[2:4])[0], 4
            if len(self.bytes) < start + size:
                return
            text, self.bytes = self.bytes[start:start + size], self.bytes[start + size:]
            self.heard(text)

    def heard(self, text):
        if b'"do":"show"' in text:
            now = time.perf_counter()
            message = json.loads(text)
            self.way.append(now - float(message["content"]["body"]))
            self.send({"do": "ack", "id": message["id"], "version": message["version"], "what": "shown"})
        elif b'"do":"welcome"' in text:
            self.welcome.set_result(None)


async def post(port, token, numbers, begins, step):
    """Sends notifications on one connection, each at its time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for count, number in enumerate(numbers):
        await asyncio.sleep(max(0, begins + count * step - time.perf_counter()))
        content = {"title": "Open", "body": repr(time.perf_counter())}
        body = json.dumps({"to": {"device": str(number % DEVICES + 1)}, "content": content}).encode()
        writer.write(b"POST /api/v1/notifications HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\n"
                     b"Content-Length: %d\r\n\r\n" % (token.encode(), len(body)) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 202 " in head, head
        await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))
    writer.close()


async def load(hub, made, token):
    way, loop = [], asyncio.get_running_loop()
    sockets = []
    for start in range(0, len(made), 100):
        opened = await asyncio.gather(*(
            loop.create_connection(lambda secret=secret: Socket(secret, way), "127.0.0.1", hub.port)
            for secret in made[start:start + 100]))
        sockets += [protocol for _, protocol in opened]
        await asyncio.wait_for(asyncio.gather(*(one.welcome for _, one in opened)), 30)
    total = RATE * SECONDS
    step, begins = POSTERS / RATE, time.perf_counter() + 0.1
    await asyncio.gather(*(
        post(hub.port, token, range(poster, total, POSTERS), begins + poster / RATE, step)
        for poster in range(POSTERS)))
    until = time.perf_counter() + 10
    while len(way) < total and time.perf_counter() < until:
        await asyncio.sleep(0.05)
    assert len(way) == total, f"{len(way)} of {total} arrived"
    for socket in sockets:
        socket.transport.close()
    return sorted(way)


def ways(hub, made):
    way = asyncio.run(load(hub, made, hub.owner_token))
    name = f"{RATE:,} notifications a second to {DEVICES:,} devices"
    notes = "from before the POST to the frame's arrival"
    yield Figure(f"{name}, median", way[len(way) // 2] * 1000, "ms", notes=notes)
    yield Figure(f"{name}, p99", way[len(way) * 99 // 100] * 1000, "ms")
