"""A mixed load on a hub, for tests and for the soak: each client repeats one kind of request until it is stopped, and
records the latencies."""

import asyncio
import collections
import contextlib
import datetime as dt
import hashlib
import itertools
import json
import random
import time

import httpx
from websockets.asyncio.client import connect

from hub import EVENT_STREAM, LOGO, LOGO_UPLOAD, STATE
from png import png
from programme import FIRST

SECONDS = 20
PAGES = ["/", "/spaceapi.json", STATE, "/pages/space-programme-bells.js", "/api/v1/space", "/icon-192.png", "/nothing"]


class Notes:
    """The results of all clients: latencies since the last sample, counts, and every failure."""

    def __init__(self):
        self.latencies = []
        self.counts = collections.Counter()
        self.failures = []

    def note(self, kind, seconds=None):
        self.counts[kind] += 1
        if seconds is not None:
            self.latencies.append(seconds)

    def take_latencies(self):
        taken, self.latencies = self.latencies, []
        return sorted(taken)


class Load:
    """All clients of the hub. `run` keeps them going until `stop` is set."""

    def __init__(self, hub, sockets, seed):
        self.hub, self.sockets = hub, sockets
        self.random = random.Random(seed)
        self.notes = Notes()
        self.stop = asyncio.Event()
        self.context = hub.certificate.trusted("http/1.1") if hub.certificate else None
        self.turns = itertools.count()
        self.takes_pictures = False

    async def run(self):
        """Runs until `stop`; then every client finishes what it has begun."""
        self.takes_pictures = await self.can_upload()
        clients = [
            *(self.repeat("kept", self.keep_alive, 0.02) for _ in range(12)),
            *(self.repeat("one-shot", self.one_shot, 0.1) for _ in range(3)),
            *(self.repeat("HTTP/2", self.over_http2, 0.05) for _ in range(2)),
            *(self.repeat("events", self.ask_for_events, 0.3) for _ in range(2)),
            *(self.repeat("WebSocket", self.listen, 0.01) for _ in range(self.sockets)),
            *(self.repeat("event stream", self.follow, 0.01) for _ in range(20)),
            self.repeat("turn", self.turn, 0.5),
            self.repeat("h2load", self.burst, 30),
            self.wake_listeners(),
        ]
        if self.takes_pictures:
            clients.append(self.repeat("picture", self.upload, 5))
        await asyncio.gather(*clients)

    async def wake_listeners(self):
        """Clients that listen check `stop` at each event."""
        await self.stop.wait()
        for _ in range(3):
            await self.turn()
            await asyncio.sleep(0.5)

    async def repeat(self, kind, once, pause):
        while not self.stop.is_set():
            try:
                await once()
                self.notes.note(kind)
            except Exception as error:  # every kind of failure counts in a soak
                self.notes.failures.append((kind, f"{type(error).__name__}: {error}"))
            await self.rest(pause)

    async def rest(self, seconds):
        """Waits about so long, or until the end."""
        try:
            await asyncio.wait_for(self.stop.wait(), seconds * self.random.uniform(0.5, 1.5))
        except TimeoutError:
            pass

    # HTTP

    async def connection(self):
        return Connection(*await asyncio.wait_for(asyncio.open_connection(
            "127.0.0.1", self.hub.port, ssl=self.context), SECONDS))

    async def exchange(self, connection, method, path, headers=(), body=b""):
        start = time.monotonic()
        answer = await asyncio.wait_for(connection.exchange(method, path, headers, body), SECONDS)
        self.notes.note("request", time.monotonic() - start)
        return answer

    async def keep_alive(self):
        """Some hundred requests on one connection, some of them conditional."""
        connection = await self.connection()
        try:
            tags = {}
            for _ in range(self.random.randint(50, 300)):
                path = self.random.choice(PAGES)
                known = [f"If-None-Match: {tags[path]}"] if path in tags and self.random.random() < 0.3 else []
                status, fields, _ = await self.exchange(connection, "GET", path, known)
                assert status == (404 if path == "/nothing" else status if known and status == 304 else 200), status
                if "etag" in fields:
                    tags[path] = fields["etag"]
                await self.rest(0.02)
                if self.stop.is_set():
                    break
        finally:
            connection.close()

    async def one_shot(self):
        """A connection for one request; some close without reading the answer."""
        connection = await self.connection()
        try:
            if self.random.random() < 0.1:
                connection.send("GET", "/icon-512.png")
                connection.abort()
                return
            status, _, _ = await self.exchange(connection, "GET", "/", ["Connection: close", "Accept-Encoding: gzip"])
            assert status == 200, status
        finally:
            connection.close()

    async def over_http2(self):
        """Requests at once on one connection."""
        verify = self.hub.certificate.trusted() if self.hub.certificate else True
        async with httpx.AsyncClient(
                base_url=self.hub.url, http1=False, http2=True, verify=verify, timeout=SECONDS,
                trust_env=False) as client:
            for _ in range(20):
                start = time.monotonic()
                answers = await asyncio.gather(*(client.get(path) for path in PAGES))
                self.notes.latencies.append(time.monotonic() - start)
                assert {answer.http_version for answer in answers} == {"HTTP/2"}
                assert [answer.status_code for answer in answers] == [200] * (len(PAGES) - 1) + [404], answers
                self.notes.counts["request"] += len(answers)
                await self.rest(0.1)

    async def ask_for_events(self):
        """Days that were requested before, and some that were not."""
        first = dt.date.fromisoformat(FIRST) + dt.timedelta(days=self.random.randrange(200))
        last = first + dt.timedelta(days=self.random.choice([1, 7, 30]))
        connection = await self.connection()
        try:
            status, _, body = await self.exchange(connection, "GET", f"/api/v1/space/events?from={first}&to={last}")
            assert status == 200 and json.loads(body)["events"], status
        finally:
            connection.close()

    async def turn(self):
        """Each turn has a number, so that listeners notice when one is lost."""
        number = next(self.turns)
        body = json.dumps({"open": number % 2 == 0, "message": str(number), "by": "Soak"}).encode()
        connection = await self.connection()
        try:
            status, _, answer = await self.exchange(
                connection, "POST", STATE, [f"Authorization: Bearer {self.hub.keykeeper_token}"], body)
            assert status == 200, answer
        finally:
            connection.close()

    # Pictures

    async def can_upload(self):
        connection = await self.connection()
        try:
            return (await connection.exchange("PUT", LOGO_UPLOAD))[0] != 404
        finally:
            connection.close()

    async def upload(self):
        """Uploads a logo, and fetches it as everyone does."""
        picture = png(self.random.randint(10, 2_000), 1_000, seed=self.random.random())
        connection = await self.connection()
        try:
            status, _, answer = await self.exchange(connection, "PUT", LOGO_UPLOAD, [
                f"Authorization: Bearer {self.hub.owner_token}", "Content-Type: image/png"], picture)
            assert 200 <= status < 300, answer
            status, _, body = await self.exchange(connection, "GET", LOGO)
            assert status == 200 and hashlib.sha256(body).digest() == hashlib.sha256(picture).digest()
        finally:
            connection.close()

    async def burst(self):
        """Load: as many requests in a moment as all others make in a minute."""
        process = await asyncio.create_subprocess_exec(
            "h2load", "-n", "20000", "-c", "10", "-m", "10", self.hub.url + "/spaceapi.json",
            stdout=asyncio.subprocess.PIPE)
        told, _ = await asyncio.wait_for(process.communicate(), 60)
        assert b"20000 succeeded, 0 failed, 0 errored, 0 timeout" in told, told
        self.notes.counts["request"] += 20_000

    # Listening

    async def listen(self):
        """A page that is open for a while; some disconnect without a close frame."""
        context = {"ssl": self.hub.certificate.trusted()} if self.hub.certificate else {}
        async with connect(
                self.hub.socket_url, proxy=None, open_timeout=SECONDS, close_timeout=SECONDS, ping_interval=None,
                compression=self.random.choice(["deflate", None]), **context) as socket:
            await socket.recv()
            await socket.send('{"event": "pusher:subscribe", "data": {"channel": "space"}}')
            await socket.recv()
            heard = Sequence(self.notes, "event heard")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.random.uniform(2, 60)):
                    while not self.stop.is_set():
                        message = json.loads(await socket.recv())
                        if message["event"] == "state":
                            heard.hear(json.loads(message["data"]))
            if self.random.random() < 0.3:
                socket.transport.abort()

    async def follow(self):
        """The same over Server-Sent Events."""
        connection = await self.connection()
        try:
            connection.send("GET", EVENT_STREAM)
            status, _ = await asyncio.wait_for(connection.head(), SECONDS)
            assert status == 200, status
            heard = Sequence(self.notes, "event streamed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.random.uniform(2, 60)):
                    while not self.stop.is_set():
                        line = await connection.reader.readline()
                        assert line, "the stream of events has ended"
                        if line.startswith(b"data: ") and b"lastchange" in line:
                            heard.hear(json.loads(line[6:]))
        finally:
            connection.abort()


class Sequence:
    """Turns as one listener receives them: none may be missing or repeated."""

    def __init__(self, notes, kind):
        self.notes, self.kind, self.last = notes, kind, None

    def hear(self, state):
        number = int(state["message"])
        assert self.last in (None, number - 1), f"turn {number} came behind {self.last}"
        self.last = number
        self.notes.counts[self.kind] += 1


class Connection:
    """A minimal HTTP/1.1 client over a stream: Python's own would cost more than the hub."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def send(self, method, path, headers=(), body=b""):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers]
        if body or method != "GET":
            lines.append(f"Content-Length: {len(body)}")
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)

    async def head(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:-2])
        return int(lines[0].split()[1]), {name.lower(): value for name, value in fields.items()}

    async def exchange(self, method, path, headers=(), body=b""):
        self.send(method, path, headers, body)
        status, fields = await self.head()
        length = 0 if status == 304 else int(fields["content-length"])
        return status, fields, await self.reader.readexactly(length)

    def close(self):
        self.writer.close()

    def abort(self):
        self.writer.transport.abort()
