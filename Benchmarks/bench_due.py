"""100,000 scheduled notifications that are due in the same second, 50 for each of 2,000 connected devices: how long it
takes until all have arrived, and the memory it takes. Then once more, with the hub killed in the middle and started
again: each must reach its device, and none may come again that the hub knows to be shown."""

import asyncio
import os
import pathlib
import random
import re
import tempfile
import time

from figure import Figure
from gateway_devices import add_devices, connected
from hub import Hub
from measure import cpu_seconds, resident

DEVICES, EACH = 2_000, 50
TOTAL = DEVICES * EACH
POSTERS = 32
# Seconds for scheduling them all, with some to spare; the longest wait for their arrival; and what is wished for.
SET_UP, LONGEST, WISHED = 45, 120, 5
# The kill comes when so much of them has arrived.
KILLED_AT = (0.2, 0.6)
ID = re.compile(rb'"id":"(\d+)"')
LENGTH = re.compile(rb"(?i)content-length: (\d+)")


def figures():
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name:
        for measure in (in_peace, with_a_kill):
            hub = Hub(pathlib.Path(name) / measure.__name__).start()
            try:
                yield from measure(hub, add_devices(hub, DEVICES))
            finally:
                hub.stop()


class Arrivals:
    """What arrived where."""

    def __init__(self):
        self.device_of, self.shown, self.confirmed = {}, {}, set()
        self.again, self.wrong, self.last = 0, [], None
        self.all, self.some = asyncio.Event(), asyncio.Event()
        self.enough = TOTAL

    def showing(self, device, identifier, _):
        if self.device_of.get(identifier) != device:
            self.wrong.append((device, identifier, f"is for {self.device_of.get(identifier)}"))
        elif identifier in self.confirmed:
            self.wrong.append((device, identifier, "was known to be shown"))
        elif identifier in self.shown:
            self.again += 1
        else:
            self.shown[identifier] = device
            if len(self.shown) >= self.enough:
                self.some.set()
            if len(self.shown) == TOTAL:
                self.last = time.time()
                self.all.set()

    def known(self, _, identifiers):
        self.confirmed.update(identifiers)

    async def whole(self):
        """Waits for all of them."""
        try:
            await asyncio.wait_for(self.all.wait(), LONGEST)
        except TimeoutError:
            raise AssertionError(f"{len(self.shown):,} of {TOTAL:,} arrived within {LONGEST} s") from None
        assert not self.wrong, self.wrong[:5]


class Poster(asyncio.Protocol):
    """A connection that schedules one notification after the other; `numbers` are shared by all of them."""

    def __init__(self, token, at, numbers, device_of):
        self.head = (f"POST /api/v1/notifications HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer {token}\r\n"
                     "Content-Type: application/json\r\nContent-Length: ")
        self.at, self.numbers, self.device_of = at, numbers, device_of
        self.bytes, self.done = b"", asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        self.next()

    def connection_lost(self, _):
        if not self.done.done():
            self.done.set_exception(ConnectionError("the hub closed a connection"))

    def next(self):
        number = next(self.numbers, None)
        if number is None:
            self.done.set_result(None)
            return self.transport.close()
        self.device = number % DEVICES + 1
        body = (f'{{"to": {{"device": "{self.device}"}}, "content": {{"title": "Due", "body": "number {number}"}}, '
                f'"at": "{self.at}"}}')
        self.transport.write(f"{self.head}{len(body)}\r\n\r\n{body}".encode())

    def data_received(self, data):
        self.bytes += data
        head, end, body = self.bytes.partition(b"\r\n\r\n")
        if not end or len(body) < int(LENGTH.search(head)[1]):
            return
        self.bytes = b""
        if b" 202 " not in head[:20]:
            self.done.set_exception(AssertionError(f"{head} {body}"))
            return self.transport.close()
        self.device_of[int(ID.search(body)[1])] = self.device
        self.next()


async def schedule(hub, device_of):
    """Schedules all of them through the API; returns the time at which they are due, and the seconds it took."""
    begun = time.time()
    due = int(begun) + SET_UP
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(due))
    loop, numbers, token = asyncio.get_running_loop(), iter(range(TOTAL)), hub.owner_token
    posters = [
        (await loop.create_connection(lambda: Poster(token, at, numbers, device_of), "127.0.0.1", hub.port))[1]
        for _ in range(POSTERS)]
    await asyncio.gather(*(poster.done for poster in posters))
    took = time.time() - begun
    assert took < SET_UP - 3, f"this machine takes {took:.0f} s to schedule them; raise SET_UP"
    assert len(device_of) == TOTAL
    return due, took


def close(sockets):
    for socket in sockets:
        socket.transport.close()


def highest(pid):
    """The most kilobytes that were resident since `forget`."""
    return int(re.search(r"^VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)[1])


def forget(pid):
    """Begins a new maximum (proc(5))."""
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


def in_peace(hub, made):
    async def run():
        arrivals = Arrivals()
        sockets = await connected(hub.port, made, arrivals.showing)
        due, took = await schedule(hub, arrivals.device_of)
        await asyncio.sleep(due - time.time() - 0.5)
        pid = hub.process.pid
        forget(pid)
        before, used, ours = resident(pid)[0], cpu_seconds(pid), time.process_time()
        await arrivals.whole()
        seconds = arrivals.last - due
        used, ours, grown = cpu_seconds(pid) - used, time.process_time() - ours, highest(pid) - before
        close(sockets)
        assert arrivals.again == 0, arrivals.again
        return seconds, took, used, ours, before / 1024, grown / 1024

    seconds, took, used, ours, before, grown = asyncio.run(run())
    yield Figure(
        f"{TOTAL:,} due at once for {DEVICES:,} devices, until all arrived", seconds, "s", wished=WISHED,
        notes=f"{TOTAL / seconds:,.0f} a second; the hub took {used:.1f} s of CPU, the "
        f"devices {ours:.1f} s; scheduled in {took:.0f} s")
    yield Figure("… the hub's memory, more at its highest", grown, "MB", notes=f"{before:.0f} MB before")


def with_a_kill(hub, made):
    async def run():
        arrivals = Arrivals()
        seed = int(os.environ.get("EIGHTBELLS_SEED") or random.randrange(1 << 32))
        arrivals.enough = int(TOTAL * random.Random(seed).uniform(*KILLED_AT))
        sockets = await connected(hub.port, made, arrivals.showing, arrivals.known)
        due, _ = await schedule(hub, arrivals.device_of)
        await asyncio.wait_for(arrivals.some.wait(), SET_UP + LONGEST)
        hub.kill()
        await asyncio.gather(*(socket.lost for socket in sockets))
        counts = len(arrivals.shown), len(arrivals.confirmed)
        began = time.time()
        hub.start()
        started = time.time() - began
        sockets = await connected(hub.port, made, arrivals.showing, arrivals.known)
        back = time.time() - began
        await arrivals.whole()
        close(sockets)
        return seed, counts, started, back, arrivals.last - began, arrivals.again, arrivals.last - due

    seed, (shown, known), started, back, seconds, again, whole = asyncio.run(run())
    yield Figure(
        "… with a kill, from the start after it until all arrived", seconds, "s",
        notes=f"none lost; killed with {shown:,} on the devices and {known:,} known to the hub as shown, of which none "
        f"came again, and {again:,} of the others; it had started after {started:.1f} s, and all devices were back "
        f"after {back:.1f} s; {whole:.1f} s in all; EIGHTBELLS_SEED={seed} repeats it")
