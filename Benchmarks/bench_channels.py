"""The channels of an app: events triggered over HTTP to 2,000 subscribers, beside nginx's nchan; and 10,000 members of
100 presence channels, of whom one after the other leaves and comes back.

Each trigger is a signed request: the hub checks its signature and the digest of its body before it sends the event to
all subscribers. nchan gets messages of the same length and only passes them on. Both have one core, the load another.
"""

import base64
import contextlib
import hashlib
import hmac
import json
import pathlib
import random
import select
import socket
import statistics
import tempfile
import time

from bench_websocket import CHANNEL, HEAD, SHARED, Target, compare
from figure import Figure
from hub import Hub
from live import opened
from measure import ON_SERVER_CORE, in_turns, needed
from nginx import nginx

SUBSCRIBERS, ROUNDS = 2_000, 7
EVENT = {"name": "word", "channel": "lobby", "data": json.dumps({"word": "anchor", "from": "ada", "points": 8})}
MEMBERS, CHANNELS = 10_000, 100
# The turns of leaving and coming back, and the milliseconds within which all others of its channel are to know.
TURNS, TOLD_BAR = 200, 50


def figures():
    needed("taskset")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hub = Hub(folder / "hub", under=ON_SERVER_CORE).start()
        try:
            app = json.loads(hub.command("app", "create", "--name", "Bench", "--json").stdout)
            with targets(folder, hub, app) as found:
                yield from compare(
                    f"an event to {SUBSCRIBERS:,} subscribers",
                    in_turns(found, lambda target: target.run(SUBSCRIBERS), ROUNDS))
            yield from presence(hub, app)
        finally:
            hub.stop()


def signed(app, text):
    return hmac.new(app["secret"].encode(), text.encode(), hashlib.sha256).hexdigest()


def signed_path(app, body):
    """The address to which this body may be posted, for ten minutes."""
    path = f"/apps/{app['app_id']}/events"
    digest = hashlib.md5(body.encode()).hexdigest()
    query = f"auth_key={app['key']}&auth_timestamp={int(time.time())}&auth_version=1.0&body_md5={digest}"
    return f"{path}?{query}&auth_signature=" + signed(app, f"POST\n{path}\n{query}")


class App:
    """The load of socketload on the hub; the signature is made anew for each run."""

    def __init__(self, hub, app, bodies):
        self.hub, self.app, self.bodies = hub, app, bodies

    def run(self, pages):
        return self.target().run(pages)

    def target(self):
        path = signed_path(self.app, json.dumps(EVENT))
        return Target(
            self.hub.process.pid, self.hub.port, f"/app/{self.app['key']}?protocol=7", path, self.bodies, "--channel",
            EVENT["channel"])


@contextlib.contextmanager
def targets(folder, hub, app):
    bodies, texts = folder / "bodies", folder / "texts"
    bodies.write_text(json.dumps(EVENT) + "\n")
    with opened(hub, path=f"/app/{app['key']}") as listener:
        listener.expect("pusher:connection_established")
        listener.subscribe(EVENT["channel"])
        assert hub.request("POST", signed_path(app, json.dumps(EVENT)), body=json.dumps(EVENT)).status == 200
        texts.write_text("x" * len(listener.socket.recv(10).encode()) + "\n")
    with nginx(folder / "nginx", CHANNEL, http=SHARED, head=HEAD) as (port, pid):
        yield {"hub": App(hub, app, bodies), "nchan": Target(pid, port, "/listen", "/publish", texts)}


class Member:
    """A socket that is on a presence channel."""

    def __init__(self, hub, app, number):
        self.channel, data = f"presence-{number % CHANNELS}", json.dumps({"user_id": str(number)})
        self.socket = socket.create_connection(("127.0.0.1", hub.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(random.randbytes(16)).decode()
        self.socket.sendall(
            f"GET /app/{app['key']}?protocol=7 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        text = self.read_until(b"activity_timeout")
        socket_id = text.split(b'socket_id\\":\\"')[1].split(b"\\")[0].decode()
        auth = f"{app['key']}:" + signed(app, f"{socket_id}:{self.channel}:{data}")
        self.wish = frame("pusher:subscribe", {"channel": self.channel, "auth": auth, "channel_data": data})

    def read_until(self, words):
        read = b""
        while words not in read:
            more = self.socket.recv(65536)
            assert more, "the hub has closed a socket"
            read += more
        return read

    def join(self):
        self.socket.sendall(self.wish)

    def leave(self):
        self.socket.sendall(frame("pusher:unsubscribe", {"channel": self.channel}))


def frame(event, data):
    """A client's text frame, masked with zeros, which change nothing."""
    payload = json.dumps({"event": event, "data": data}).encode()
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2)
    return b"\x81" + size + bytes(4) + payload


def presence(hub, app):
    members = []
    try:
        began = time.monotonic()
        for number in range(MEMBERS):
            members.append(Member(hub, app, number))
            members[-1].join()
            members[-1].read_until(b"subscription_succeeded")
        took = time.monotonic() - began
        drain(members)
        told = {"leave": [], "join": []}
        for _ in range(TURNS):
            one = random.choice(members)
            others = [other for other in members if other.channel == one.channel and other is not one]
            for what in ("leave", "join"):
                told[what].append(milliseconds(getattr(one, what), others))
            one.read_until(b"subscription_succeeded")
        for what, found in told.items():
            yield Figure(
                f"{MEMBERS:,} members of {CHANNELS} channels: a {what} is told to all 99 others, the slowest hundredth",
                sorted(found)[-len(found) // 100], "ms", TOLD_BAR,
                f"median {statistics.median(found):.2f} ms; all had joined after {took:.1f} s")
    finally:
        for member in members:
            member.socket.close()


def drain(members):
    """Reads what has come, until nothing comes any more."""
    while True:
        with reading(members) as (poll, by_descriptor):
            ready = poll.poll(1)
            if not ready:
                return
            for descriptor, _ in ready:
                by_descriptor[descriptor].socket.recv(1 << 20)


def milliseconds(act, others):
    """The time from an act until all others have heard something."""
    with reading(others) as (poll, by_descriptor):
        began = time.monotonic()
        act()
        while by_descriptor:
            ready = poll.poll(10)
            assert ready, f"{len(by_descriptor)} members were told nothing"
            for descriptor, _ in ready:
                by_descriptor.pop(descriptor).socket.recv(65536)
                poll.unregister(descriptor)
        return (time.monotonic() - began) * 1_000


@contextlib.contextmanager
def reading(members):
    with select.epoll() as poll:
        for member in members:
            poll.register(member.socket.fileno(), select.EPOLLIN)
        yield poll, {member.socket.fileno(): member for member in members}
