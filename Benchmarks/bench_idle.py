"""The cost of an idle hub: memory, CPU, and the program's size."""

import pathlib
import tempfile
import time

from figure import Figure
from hub import BINARY, Hub, eventually
from measure import cpu_seconds, resident
from programme import EVENTS, PROGRAMME, fill

SECONDS = 5
WISHED = 40


def figures():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yield from demo(folder)
        yield from with_events(folder)
    yield Figure("program", BINARY.stat().st_size / 1e6, "MB")


def demo(folder):
    hub = Hub(folder / "demo", demo=True).start()
    try:
        eventually(lambda: hub.sources()[0]["as_of"], what="the demo's programme")
        yield memory(hub, "idle hub, resident memory, demo")
        before = cpu_seconds(hub.process.pid)
        # Not to wait for something: idle time is measured.
        time.sleep(SECONDS)
        used = cpu_seconds(hub.process.pid) - before
    finally:
        hub.stop()
    yield Figure("idle hub, CPU", used / SECONDS * 1e6, "µs/s")


def with_events(folder):
    """After a start, when the stored programme has been shown once: the usual state of a hub."""
    hub = Hub(folder / "events").start()
    try:
        fill(hub)
        hub.stop()
        hub.start()
        assert hub.request("GET", PROGRAMME).status == 200
        yield memory(hub, f"idle hub, resident memory, {EVENTS:,} events", f"{WISHED} MB are wished for; ")
    finally:
        hub.stop()


def memory(hub, name, notes=""):
    total, file = resident(hub.process.pid)
    return Figure(name, total / 1024, "MB", notes=f"{notes}{file / 1024:.1f} MB of it are mapped files")
