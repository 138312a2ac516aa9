"""From starting the program to its first answers, with a programme of 10,000 events kept from the run before."""

import http.client
import json
import pathlib
import statistics
import tempfile
import time

from figure import Figure
from hub import Hub
from programme import EVENTS, PROGRAMME, fill

ROUNDS = 9
WISHED = 300


def figures():
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(pathlib.Path(folder) / "hub").start()
        try:
            fill(hub)
            runs = [run(hub) for _ in range(ROUNDS)]
        finally:
            hub.stop()
    for name, values in zip(("the page", "the programme"), zip(*runs, strict=True), strict=True):
        yield Figure(
            f"start to the first answer, {name}, {EVENTS:,} events", statistics.median(values) * 1000, "ms",
            notes=f"{min(values) * 1000:.0f} to {max(values) * 1000:.0f} ms", wished=WISHED)


def run(hub):
    """Seconds from the start of the program to the page, and to a month of its programme."""
    hub.stop()
    start = time.monotonic()
    hub.start()
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=60)
    try:
        return tuple(answered(connection, path, start) for path in ("/", PROGRAMME))
    finally:
        connection.close()


def answered(connection, path, start):
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    took = time.monotonic() - start
    assert answer.status == 200
    if path == PROGRAMME:
        assert len(json.loads(body)["events"]) > 1_000, "the kept programme is not there yet"
    return took
