"""The cost of an idle hub: memory, CPU, and the program's size. The hub is measured alone, and apart from it the
program that decodes pictures, which it starts, and starts again."""

import pathlib
import tempfile
import time

from figure import Figure
from hub import BINARY, Hub, eventually
from measure import children, helpers_cpu_seconds, own_cpu_seconds, resident_of, settle
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
        # Until the demo's pictures are made.
        settle(lambda: helpers_cpu_seconds(hub.process.pid))
        yield memory(hub, "idle hub, resident memory, demo")
        before = cpu(hub)
        # Not to wait for something: idle time is measured.
        time.sleep(SECONDS)
        own, helpers = (after - earlier for earlier, after in zip(before, cpu(hub), strict=True))
    finally:
        hub.stop()
    yield Figure("idle hub, CPU", own / SECONDS * 1e6, "µs/s")
    yield Figure("idle hub, CPU of the program that decodes pictures", helpers / SECONDS * 1e6, "µs/s")


def cpu(hub):
    return own_cpu_seconds(hub.process.pid), helpers_cpu_seconds(hub.process.pid)


def with_events(folder):
    """After a start, when the stored programme has been shown once: the usual state of a hub."""
    hub = Hub(folder / "events").start()
    try:
        fill(hub)
        hub.stop()
        hub.start()
        assert hub.request("GET", PROGRAMME).status == 200
        yield memory(hub, f"idle hub, resident memory, {EVENTS:,} events", wished=WISHED)
    finally:
        hub.stop()


def memory(hub, name, notes="", wished=None):
    pid = hub.process.pid
    (total, file), (other, _) = resident_of([pid]), resident_of(children(pid))
    return Figure(
        name, total / 1024, "MB", notes=f"{notes}{file / 1024:.1f} MB of it are mapped files; "
        f"the program that decodes pictures has {other / 1024:.1f} MB", wished=wished)
