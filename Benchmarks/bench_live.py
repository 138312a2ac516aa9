"""Live queries: what a write costs more that matches one of 10,000 of them than one that none is about.

The subscriptions differ by a value, as one has them for each room of a game. Writes go one after the other over one
connection; with each that matches, its subscriber is waited for afterwards.
"""

import contextlib
import http.client
import json
import pathlib
import random
import statistics
import tempfile
import time

from websockets.sync.client import connect

from figure import Figure
from hub import Hub
from measure import ON_SERVER_CORE
from parse_app import ParseApp

SUBSCRIPTIONS, SOCKETS, WRITES = 10_000, 200, 1_000
BAR = 1


class Subscriber:
    """A socket with some of the subscriptions."""

    def __init__(self, app, rooms):
        self.socket = connect(f"ws://127.0.0.1:{app.hub.port}/parse", compression=None, open_timeout=30)
        self.send(op="connect", applicationId=app.application_id, clientKey=app.rest_key)
        assert self.read()["op"] == "connected"
        for room in rooms:
            self.send(op="subscribe", requestId=room + 1, query={"className": "Turn", "where": {"room": room}})
            told = self.read()
            assert told["op"] == "subscribed", told

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def read(self):
        return json.loads(self.socket.recv(timeout=30))


class Writer:
    """One connection that creates objects."""

    def __init__(self, app):
        self.connection = http.client.HTTPConnection("127.0.0.1", app.hub.port, timeout=30)
        self.headers = app.headers()

    def create(self, kind, **fields):
        """The milliseconds from the request to its answer."""
        began = time.perf_counter()
        self.connection.request("POST", f"/parse/classes/{kind}", json.dumps(fields), self.headers)
        answer = self.connection.getresponse()
        answer.read()
        took = (time.perf_counter() - began) * 1_000
        assert answer.status == 201, answer.status
        return took


def figures():
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as kept:
        hub = Hub(pathlib.Path(name) / "hub", under=ON_SERVER_CORE).start()
        kept.callback(hub.stop)
        app = ParseApp(hub)
        writer = Writer(app)
        writer.create("Turn", room=-1, word="first")
        writer.create("Quiet", room=-1, word="first")
        each = SUBSCRIPTIONS // SOCKETS
        subscribers = [Subscriber(app, range(at * each, at * each + each)) for at in range(SOCKETS)]
        for subscriber in subscribers:
            kept.callback(subscriber.socket.close)
        taken, told = {"Turn": [], "Quiet": []}, []
        for turn in range(WRITES):
            room = random.randrange(SUBSCRIPTIONS)
            for kind in random.sample(("Turn", "Quiet"), 2):
                took = writer.create(kind, room=room, word=f"turn {turn}")
                taken[kind].append(took)
                if kind == "Turn":
                    began = time.perf_counter()
                    event = subscribers[room // each].read()
                    assert event["op"] == "create" and event["requestId"] == room + 1, event
                    told.append(took + (time.perf_counter() - began) * 1_000)
        with_one, without = (statistics.median(found) for found in taken.values())
        yield Figure(
            f"a write that matches 1 of {SUBSCRIPTIONS:,} live queries, more than one without", with_one - without,
            "ms", BAR, f"{with_one:.2f} ms and {without:.2f} ms, medians of {WRITES:,}; its subscriber has it after "
            f"{statistics.median(told):.2f} ms")
