"""Guests of a party as programs: each has connections of its own, sends photos by tus, listens to the album's channel,
and fetches what it is told of, as their pages do. Plain HTTP and WebSocket frames, so that fifty cost little."""

import asyncio
import base64
import collections
import json
import os
import re
import struct
import time

from uploads import ALBUMS, PART

FETCHES = 4  # connections of one viewer that fetch files
PIECE = 256 << 10
SECONDS = 600  # for any answer

_SIZES = re.compile(rb'\\"(preview|320|1600)\\":\\"([^"\\]+)')
_ID = re.compile(rb'\\"id\\":\\"([A-Za-z0-9]{16})')


class Line:
    """A kept connection for one request after the other, from an address of its own."""

    def __init__(self, port, address, token):
        self.port, self.address = port, address
        self.fields = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nTus-Resumable: 1.0.0\r\n".encode()
        self.reader = self.writer = None
        self.sent_at = None

    async def ask(self, method, path, fields="", body=b""):
        """(status, fields with small names, body); `sent_at` is then when the last byte was handed over. What is sent
        may be in pieces."""
        pieces = body if isinstance(body, tuple) else (body,)
        size = sum(map(len, pieces))
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 20)
            self.writer.transport.set_write_buffer_limits(high=0)
        length = f"Content-Length: {size}\r\n" if size or method != "GET" else ""
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{length}{fields}".encode() + self.fields + b"\r\n")
        for piece in pieces:
            for at in range(0, len(piece), PIECE):
                self.writer.write(piece[at:at + PIECE])
                await self.writer.drain()
        self.sent_at = time.perf_counter()
        async with asyncio.timeout(SECONDS):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            named = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            content = await self.reader.readexactly(int(named.get("content-length", 0)))
        if named.get("connection") == "close":
            self.close()
        return int(head[0].split()[1]), named, content

    async def json(self, method, path, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        status, _, answer = await self.ask(method, path, "Content-Type: application/json\r\n" if body else "", body)
        assert status in (200, 201), (method, path, status, answer)
        return json.loads(answer)

    def close(self):
        if self.writer is not None:
            self.writer.close()
            self.writer = None


class Sights:
    """When all viewers had a picture's preview, and when its 320 px: by its id, in seconds of the clock."""

    def __init__(self):
        self.counts = {"preview": collections.Counter(), "320": collections.Counter()}
        self.last = {"preview": {}, "320": {}}
        self.made = {}
        self.refused = collections.Counter()

    def see(self, size, picture):
        self.counts[size][picture] += 1
        self.last[size][picture] = time.perf_counter()

    def whole(self, size, viewers):
        return {picture: at for picture, at in self.last[size].items() if self.counts[size][picture] >= viewers}


class Viewer:
    """Somebody in the album: listens, and fetches each preview and each 320 px as soon as it is told."""

    def __init__(self, port, number, album, token, sights):
        self.port, self.address, self.token = port, f"127.0.{1 + number // 250}.{1 + number % 250}", token
        self.path, self.channel = f"{ALBUMS}/{album}", f"private-albums-{album}"
        self.sights = sights
        self.wanted = asyncio.Queue()
        self.begun = set()
        self.tasks = []

    def line(self):
        return Line(self.port, self.address, self.token)

    async def start(self):
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 20)
        key = base64.b64encode(os.urandom(16)).decode()
        self.writer.write(
            f"GET /app/eightbells?protocol=7&client=bench&version=1 HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head[:16], head
        socket_id = json.loads(json.loads(await self.frame())["data"])["socket_id"]
        line = self.line()
        signed = await line.json("POST", f"{self.path}/realtime/auth",
                                 {"socket_id": socket_id, "channel_name": self.channel})
        line.close()
        self.tell({"event": "pusher:subscribe", "data": {"channel": self.channel, "auth": signed["auth"]}})
        told = await self.frame()
        assert b"subscription_succeeded" in told, told
        self.tasks = [asyncio.create_task(self.listen()),
                      *(asyncio.create_task(self.fetch(self.line())) for _ in range(FETCHES))]

    def tell(self, message):
        self.send(0x81, json.dumps(message).encode())

    def send(self, first, content):
        size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + struct.pack(">H", len(content))
        # A mask of zeros leaves the content as it is.
        self.writer.write(bytes([first]) + size + bytes(4) + content)

    async def frame(self):
        while True:
            first, size = await self.reader.readexactly(2)
            if size > 125:
                size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
            content = await self.reader.readexactly(size)
            if first == 0x89:
                self.send(0x8a, content)
            elif first == 0x81 and b'"pusher:ping"' not in content:
                return content
            elif first == 0x81:
                self.tell({"event": "pusher:pong", "data": {}})
            else:
                raise AssertionError(f"the hub has closed the socket: {first} {content}")

    async def listen(self):
        while True:
            content = await self.frame()
            if b'"event":"picture"' not in content and b'"event":"changed"' not in content:
                continue
            picture = _ID.search(content)[1].decode()
            for size, path in _SIZES.findall(content):
                self.want(size.decode(), picture, path.decode().replace("\\", ""))

    def want(self, size, picture, path):
        if size == "1600":
            self.sights.made[picture] = time.perf_counter()
        elif (size, picture) not in self.begun:
            self.begun.add((size, picture))
            # Our own size has come: nobody looks at the preview any more.
            if size == "320" or ("320", picture) not in self.begun:
                self.wanted.put_nowait((size, picture, path))
            else:
                self.sights.see(size, picture)

    async def fetch(self, line):
        while True:
            size, picture, path = await self.wanted.get()
            status, _, content = await line.ask("GET", path)
            if status == 200 and content:
                self.sights.see(size, picture)
            elif size == "preview" and status == 404:
                # It goes when our own sizes are there.
                self.sights.see(size, picture)
            else:
                self.sights.refused[f"GET {size}: {status}"] += 1

    async def end(self):
        for task in self.tasks:
            task.cancel()
        for task in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(task, Exception) and not isinstance(task, asyncio.CancelledError):
                raise task
        self.writer.close()


async def send_photo(line, path, content, preview, refused):
    """Sends a photo as the page does, its preview first: (its id, when its last byte was sent); None if refused."""
    since = time.perf_counter()
    try:
        return await _send_photo(line, path, content, preview, refused)
    except (OSError, asyncio.IncompleteReadError) as error:
        refused[f"cut after {time.perf_counter() - since:.0f} s: {type(error).__name__}"] += 1
        return None


async def _send_photo(line, path, content, preview, refused):
    named = base64.b64encode(b"IMG_1.jpg").decode()
    status, fields, answer = await line.ask(
        "POST", f"{path}/uploads", f"Upload-Length: {sum(map(len, content))}\r\nUpload-Metadata: filename {named}\r\n")
    if status != 201:
        refused[f"POST: {status} {answer[:90]}"] += 1
        return None
    upload = fields["location"]
    status, _, answer = await line.ask("PUT", f"{upload}/preview", "Content-Type: image/jpeg\r\n", preview)
    if status != 204:
        refused[f"preview: {status} {answer[:90]}"] += 1
    status, fields, answer = await line.ask(
        "PATCH", upload, f"Upload-Offset: 0\r\nContent-Type: {PART}\r\n", content)
    if status != 204:
        refused[f"PATCH: {status} {answer[:90]}"] += 1
        return None
    return fields["eightbells-picture"], line.sent_at
