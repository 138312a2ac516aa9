"""What everybody does to one hub at once: devices at the gateway, pages that listen, phones, guests with pictures, an
app, an agent. Each keeps what the hub has acknowledged, to be compared with what there is at the end."""

import asyncio
import base64
import collections
import contextlib
import hashlib
import itertools
import json
import random
import re
import secrets
import sqlite3
import time

from websockets.asyncio.client import connect

from gateway_devices import DeviceSocket, frame
from hub import STATE
from uploads import ALBUMS, PART

PAGE = "/app/eightbells?protocol=7&client=rooms&version=1"
# With what stands behind the number: it may come in two pieces.
COMMIT = re.compile(rb'"commit":(\d+)\D')
COMMIT_BYTES = 40
NOTIFICATIONS = "/api/v1/notifications"
TOPIC = "rooms"
# Of so many pages one is asked when it heard of what.
TIMED = 50


async def ask(port, method, path, fields, body=b"", seconds=20):
    """One request on a connection of its own: status, fields in lower case, bytes.

    - Raises: OSError and its like when there is no whole answer."""
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            named = {"Host": "hub", "Connection": "close", "Content-Length": len(body)} | fields
            head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
            writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            answer = await reader.read(-1)
        finally:
            writer.close()
    head, end, content = answer.partition(b"\r\n\r\n")
    if not end:
        raise ConnectionError("no answer")
    line, *rest = head.decode().split("\r\n")
    found = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in rest)}
    if len(content) < int(found.get("content-length", 0)):
        raise ConnectionError("half an answer")
    return int(line.split()[1]), found, content


class World:
    """All of them. While `line` is not set, the network between them and the hub is cut."""

    def __init__(self, hub, seed=1):
        self.hub, self.random = hub, random.Random(seed)
        self.ends, self.line = asyncio.Event(), asyncio.Event()
        self.line.set()
        self.counts, self.failures = collections.Counter(), []
        self.sockets, self.is_open = set(), False
        # What was acknowledged, and when it was asked for.
        self.rung, self.turned, self.pictures, self.objects, self.places = {}, {}, {}, set(), {}
        # What the sign said by the numbers of its turns, as they were acknowledged.
        self.signs = {}
        self.shown, self.twice = collections.defaultdict(dict), 0
        # Of the pages that are timed: from when until when each listened, and when it heard of a commit.
        self.listened, self.heard = collections.defaultdict(list), collections.defaultdict(dict)
        # Objects that one request made: from when until when. Of each live query: when it was there, and what it heard.
        self.created, self.asking, self.told = {}, collections.defaultdict(list), collections.defaultdict(set)
        self.numbers = itertools.count(1)

    # Asking until it is acknowledged

    async def acknowledged(self, method, path, fields, body=b"", good=(200, 201, 202, 204)):
        """Asks again until the hub has acknowledged it; the answer, and when that attempt began."""
        while True:
            await self.line.wait()
            began = time.monotonic()
            try:
                status, found, content = await ask(self.hub.port, method, path, fields, body)
            except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
                self.counts["asked again"] += 1
                await asyncio.sleep(0.2 + self.random.random() / 2)
                continue
            if status in good:
                return status, found, content, began
            # The disk is full, or the hub is just coming or going.
            if status in (503, 507):
                self.counts[f"refused with {status}"] += 1
                await asyncio.sleep(0.3)
                continue
            self.failures.append(f"{method} {path}: {status} {content[:200]!r}")
            return status, found, content, began

    async def every(self, seconds, once, *arguments):
        while not self.ends.is_set():
            began = time.monotonic()
            await once(*arguments)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.ends.wait(), max(0, seconds - (time.monotonic() - began)))

    def cut(self):
        """Takes the network away from everybody."""
        self.line.clear()
        for socket in list(self.sockets):
            socket.abort()

    # Alarms to devices

    async def ring(self):
        body = {"to": {"topic": TOPIC}, "content": {"title": f"number {next(self.numbers)}"},
                "idempotency_key": secrets.token_hex(8)}
        fields = {"Authorization": f"Bearer {self.hub.owner_token}", "Content-Type": "application/json"}
        status, _, content, began = await self.acknowledged("POST", NOTIFICATIONS, fields, json.dumps(body).encode())
        if status == 202:
            self.rung[int(json.loads(content)["id"])] = began, time.monotonic()

    async def device(self, number, secret):
        """Comes back whenever its connection is lost, also after all was sent, until the task is cancelled."""
        while True:
            await self.line.wait()
            seen = set()

            def show(_, identifier, text, seen=seen):
                if identifier in seen and b'"again":true' not in text:
                    self.twice += 1
                seen.add(identifier)
                self.shown[identifier].setdefault(number, time.monotonic())

            try:
                transport, device = await asyncio.get_running_loop().create_connection(
                    lambda secret=secret, show=show: DeviceSocket(number, secret, show), "127.0.0.1", self.hub.port)
                self.sockets.add(transport)
                await device.lost
                self.sockets.discard(transport)
                device.welcome.cancelled() or device.welcome.done() and device.welcome.exception()
            except OSError:
                pass
            await asyncio.sleep(0.3 + self.random.random() * 2)

    # Pages

    async def turn(self):
        self.is_open = not self.is_open
        fields = {"Authorization": f"Bearer {self.hub.owner_token}", "Content-Type": "application/json"}
        _, found, content, began = await self.acknowledged(
            "POST", STATE, fields, json.dumps({"open": self.is_open}).encode())
        if "eightbells-commit" in found:
            self.turned[int(found["eightbells-commit"])] = began, time.monotonic()
            self.signs[json.loads(content)["turn"]] = self.is_open

    async def page(self, number):
        while True:
            await self.line.wait()
            try:
                transport, page = await asyncio.get_running_loop().create_connection(
                    lambda: Page(self, number if number % TIMED == 0 else None), "127.0.0.1", self.hub.port)
                self.sockets.add(transport)
                await page.lost
                self.sockets.discard(transport)
            except OSError:
                pass
            await asyncio.sleep(0.3 + self.random.random() * 3)

    # Phones, guests, an app

    async def report(self, number, secret):
        basic = base64.b64encode(f"phone:{secret}".encode()).decode()
        at = time.time()
        place = round(54 + number / 1_000 + at % 100 / 1e6, 7)
        body = {"_type": "location", "lat": place, "lon": 10.2, "acc": 8, "tst": int(at), "batt": 70}
        status, _, _, _ = await self.acknowledged(
            "POST", "/api/v1/anchor/owntracks",
            {"Authorization": f"Basic {basic}", "Content-Type": "application/json"}, json.dumps(body).encode())
        if status == 200:
            self.places[number] = int(at)
            self.counts["positions"] += 1

    async def send(self, album, token, make):
        """A picture in two parts; asked again where a part ended."""
        content, path = make(next(self.numbers)), f"{ALBUMS}/{album}/uploads"
        fields = {"Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0"}
        status, found, _, _ = await self.acknowledged("POST", path, fields | {"Upload-Length": len(content)})
        if status != 201:
            return
        upload, offset = found["location"], 0
        while offset < len(content):
            part = content[offset:offset + len(content) // 2 + 1]
            status, found, _, _ = await self.acknowledged(
                "PATCH", upload, fields | {"Upload-Offset": offset, "Content-Type": PART}, part, good=(204, 409, 410))
            if status == 409:
                _, found, _, _ = await self.acknowledged("HEAD", upload, fields)
                offset = int(found["upload-offset"])
                continue
            if status != 204:
                return
            offset += len(part)
        picture = found.get("eightbells-picture")
        if picture:
            self.pictures[picture] = hashlib.sha256(content).hexdigest()

    async def create(self, app):
        number = next(self.numbers)
        fields = app.headers() | {"X-Parse-Request-Id": secrets.token_hex(8)}
        status, _, content, began = await self.acknowledged(
            "POST", "/parse/classes/Turn", fields, json.dumps({"number": number}).encode(), good=(201, 400))
        # Parse's libraries are told so when an answer was lost and the object is there.
        if status == 201 or b'"code":159' in content:
            self.objects.add(number)
            if status == 201:
                self.created[number] = began, time.monotonic()
        else:
            self.failures.append(f"an object: {status} {content[:200]!r}")

    async def query(self, app, one):
        while True:
            await self.line.wait()
            span = [float("inf"), float("inf")]
            self.asking[one].append(span)
            try:
                async with connect(f"ws://127.0.0.1:{self.hub.port}/parse", compression=None) as socket:
                    self.sockets.add(socket.transport)
                    for message in (
                            {"op": "connect", "applicationId": app.application_id, "clientKey": app.rest_key},
                            {"op": "subscribe", "requestId": 1, "query": {"className": "Turn", "where": {}}}):
                        await socket.send(json.dumps(message))
                    async for text in socket:
                        news = json.loads(text)
                        if news["op"] == "subscribed":
                            span[0] = time.monotonic()
                        if news["op"] == "create":
                            self.told[one].add(news["object"]["number"])
            except Exception:  # the kinds of a connection's end are many
                pass
            span[1] = time.monotonic()
            await asyncio.sleep(0.5)


class Page(asyncio.Protocol):
    """A page that listens to the sign; it is timed if it has a number."""

    def __init__(self, world, number):
        self.world, self.number, self.transport, self.last = world, number, None, 0
        self.rest, self.listening = b"", None
        self.lost = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        transport.write((f"GET {PAGE} HTTP/1.1\r\nHost: hub\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
        transport.write(frame(b'{"event":"pusher:subscribe","data":{"channel":"space"}}'))

    def connection_lost(self, _):
        if self.listening:
            self.listening[1] = time.monotonic()
        if not self.lost.done():
            self.lost.set_result(None)

    def data_received(self, data):
        if b"pusher:ping" in data:
            self.transport.write(frame(b'{"event":"pusher:pong","data":{}}'))
        data, end = self.rest + data, 0
        if self.number is not None and self.listening is None and b"subscription_succeeded" in data:
            self.listening = [time.monotonic(), float("inf")]
            self.world.listened[self.number].append(self.listening)
        for found in COMMIT.finditer(data):
            commit, end = int(found[1]), found.end()
            if commit == self.last:
                self.world.twice += 1
            self.last = commit
            self.world.counts["news on pages"] += 1
            if self.number is not None:
                self.world.heard[commit].setdefault(self.number, time.monotonic())
        self.rest = data[max(end, len(data) - COMMIT_BYTES):]


def subscribe(hub, count):
    """Lets so many devices be rung by the topic, by their rows."""
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite", timeout=20)) as database, database:
        database.executemany("INSERT INTO push_subscriptions VALUES (?, 0, ?)",
                             [(TOPIC, number) for number in range(1, count + 1)])
