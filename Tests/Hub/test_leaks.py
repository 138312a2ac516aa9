"""Our own hub under load, examined with the memory graph: no leak is accepted."""

import asyncio
import subprocess
import threading

import pytest

import programme
from certificates import make_certificate
from hub import ROOT, Hub, eventually
from mixed_load import Load

TOOL = ROOT / ".build/release/memorygraph"

SOCKETS = 40
EVENTS = 500
LOOKS_UNDER_LOAD = 5


class Busy:
    """The load, on a thread of its own."""

    def __init__(self, hub):
        self._loop = asyncio.new_event_loop()
        self.load = Load(hub, SOCKETS, seed=1)
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=[self.load.run()])

    def __enter__(self):
        self._thread.start()
        return self.load.notes

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self.load.stop.set)
        self._thread.join(90)
        self._loop.close()


@pytest.fixture
def hub(tmp_path):
    hub = Hub(tmp_path / "hub", certificate=make_certificate(tmp_path / "certificate")).start()
    try:
        programme.fill(hub, EVENTS)
        hub.owner_token, hub.keykeeper_token  # made before the load needs them from many threads
        yield hub
    finally:
        hub.stop()


def look(hub):
    told = subprocess.run([TOOL, "leaks", str(hub.process.pid)], capture_output=True, text=True, timeout=30)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.serial
@pytest.mark.timeout(240)
def test_the_hub_leaks_nothing(hub):
    with Busy(hub) as notes:
        # Everything has been done at least once, and is being done.
        kinds = {"request", "WebSocket", "event stream", "turn", "HTTP/2", "picture", "events"}
        eventually(lambda: kinds <= set(notes.counts) or notes.failures, seconds=60, what=f"the load to do {kinds}")
        for _ in range(LOOKS_UNDER_LOAD):
            look(hub)
            turns = notes.counts["turn"]
            eventually(lambda: notes.counts["turn"] > turns or notes.failures, what="the load to go on")
    assert not notes.failures, notes.failures[:5]
    look(hub)
