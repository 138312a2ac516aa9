"""Notifications: how many are acknowledged a second, each after it is on the disk; and how long one takes from its POST
to one of 2,000 devices that are connected to the gateway."""

import asyncio
import json
import os
import pathlib
import re
import tempfile
import time

from figure import Figure
from gateway_devices import add_devices, connected
from hub import Hub
from measure import needed
from publishing import Target, publish

CONNECTIONS, SECONDS = 128, 5
DEVICES, RATE = 2_000, 1_000
POSTERS = 16


def figures():
    needed("wrk")
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name:
        hub = Hub(pathlib.Path(name) / "hub").start()
        try:
            made = add_devices(hub, DEVICES)
            yield from ways(hub, made)
            yield from publishes(hub)
        finally:
            hub.stop()


def publishes(hub):
    found = publish(Target.hub(hub), CONNECTIONS, SECONDS, DEVICES, under=())
    yield Figure(f"notifications acknowledged, {CONNECTIONS} connections", found["rate"], "/s", wished=10_000)
    yield Figure(f"… the slowest hundredth, {CONNECTIONS} connections", found["p99"], "ms", wished=20)


# From POST to device


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
    way = []

    def showing(_, __, text):
        now = time.perf_counter()
        way.append(now - float(json.loads(text)["content"]["body"]))

    sockets = await connected(hub.port, made, showing)
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
    yield Figure(f"{name}, median", way[len(way) // 2] * 1000, "ms", notes=notes, wished=3)
    yield Figure(f"{name}, p99", way[len(way) * 99 // 100] * 1000, "ms", wished=15)
