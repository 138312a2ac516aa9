"""A change to 2,000 and to 10,000 open pages: the hub beside nginx's nchan, both on one core, the load on another.

A hundred messages in a row, by eight publishers that each wait for their answer. For the hub a message is a turn of the
sign with all its work: the token is looked up, the change is committed to the disk, its event is encoded once and sent
to every page. nchan gets messages of the same length and only passes them on, from memory. `socketload` opens the
pages, publishes and counts; the CPU time of its own core is in the notes.
"""

import contextlib
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

from figure import Figure
from hub import ROOT, STATE, Hub
from live import listening
from measure import ON_LOAD_CORE, ON_SERVER_CORE, cpu_seconds, in_turns, median_ratio, needed, resident, spread
from nginx import MODULES, nginx

LOAD = ROOT / ".build/release/socketload"
MESSAGES, PUBLISHERS = 100, 8
# Open pages, and rounds of all messages to all of them.
SIZES = {2_000: 7, 10_000: 5}
THROUGHPUT_BAR = 1 / 1.4
CPU_BAR = 0.7
# Bytes of a process' own memory for each open, silent page, without the kernel's.
MEMORY_BAR = 1024
TURNS = [{"open": True, "message": "Come in", "by": "Ada"}, {"open": False, "message": "", "by": "Ada"}]

HEAD = f"load_module {MODULES}/ngx_nchan_module.so;"
SHARED = "nchan_shared_memory_size 256M;"
CHANNEL = """
location = /listen {
  nchan_subscriber websocket;
  nchan_channel_id sign;
  nchan_subscriber_first_message newest;
  nchan_websocket_ping_interval 0;
}
location = /publish {
  nchan_publisher http;
  nchan_channel_id sign;
  nchan_message_buffer_length 1000;
  nchan_message_timeout 5m;
}
"""


class Target:
    """A server, with the way in which socketload uses it."""

    def __init__(self, pid, port, path, publish, bodies, *more):
        self.pid = pid
        self.words = ["--port", port, "--path", path, "--publish", publish, "--bodies", bodies, *more]

    @contextlib.contextmanager
    def opened(self, pages, messages=MESSAGES):
        """Starts socketload with so many pages; yields a function that lets it continue and returns its next line."""
        words = [LOAD, *self.words, "--connections", pages, "--messages", messages, "--publishers", PUBLISHERS]
        process = subprocess.Popen(
            [*ON_LOAD_CORE, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def go_on():
            process.stdin.write("\n")
            process.stdin.flush()
            return process.stdout.readline()

        try:
            assert process.stdout.readline() == "opened\n", "socketload says why on its standard error output"
            yield go_on
        finally:
            process.kill()
            process.communicate(timeout=30)

    def memory(self, pages):
        """Bytes of its own memory that each open and silent page costs."""
        before = self.memory_at_rest()
        with self.opened(pages):
            return (resident(self.pid)[0] - before) * 1024 / pages

    def memory_at_rest(self):
        """Resident kilobytes once they stay the same for a second: the hub's picture helpers start beside it."""
        deadline, now = time.monotonic() + 30, resident(self.pid)[0]
        while time.monotonic() < deadline:
            before = now
            time.sleep(1)
            now = resident(self.pid)[0]
            if now == before:
                return now
        raise AssertionError("the server's memory does not come to rest within 30 s")

    def run(self, pages):
        """Messages a second to all pages together, CPU microseconds for each, and the load of socketload's core."""
        with self.opened(pages) as go_on:
            assert go_on() == "warm\n"
            before = cpu_seconds(self.pid)
            found = json.loads(go_on())
            used = cpu_seconds(self.pid) - before
        delivered = found["delivered"]
        assert delivered == MESSAGES * pages, found
        return {
            "rate": delivered / found["seconds"], "cpu": used / delivered * 1e6, "bytes": found["bytes"] / delivered,
            "busy": used / found["seconds"], "load": found["cpu"] / found["seconds"]}


@contextlib.contextmanager
def targets(folder):
    """A fresh hub and a fresh nchan."""
    hub = Hub(folder / "hub", under=ON_SERVER_CORE).start()
    try:
        hub.configure()
        turns = folder / "turns"
        turns.write_text("".join(json.dumps(turn) + "\n" for turn in TURNS))
        texts = folder / "texts"
        texts.write_text("".join("x" * size + "\n" for size in event_sizes(hub)))
        ours = Target(
            hub.process.pid, hub.port, "/app/eightbells?protocol=7", STATE, turns, "--channel", "space", "--token",
            hub.keykeeper_token)
        with nginx(folder / "nginx", CHANNEL, http=SHARED, head=HEAD) as (port, pid):
            yield {"hub": ours, "nchan": Target(pid, port, "/listen", "/publish", texts)}
    finally:
        hub.stop()


def event_sizes(hub):
    """Bytes of the event that each turn sends to a page."""
    with listening(hub) as listener:
        for turn in TURNS:
            hub.turn(**turn)
            yield len(listener.socket.recv(10).encode())


def figures():
    needed("taskset")
    with tempfile.TemporaryDirectory() as name, targets(pathlib.Path(name)) as found:
        yield from memory(found, max(SIZES))
        for pages, rounds in SIZES.items():
            runs = in_turns(found, lambda target: target.run(pages), rounds)
            yield from compare(f"a change to {pages:,} pages", runs)


def memory(found, pages):
    bytes_each = {name: target.memory(pages) for name, target in found.items()}
    yield Figure(
        f"{pages:,} silent pages, own memory each, hub", bytes_each["hub"], "bytes", MEMORY_BAR,
        f"nchan {bytes_each['nchan']:,.0f} bytes")


def compare(what, runs):
    sizes = {name: statistics.mean(run["bytes"] for run in found) for name, found in runs.items()}
    assert abs(sizes["hub"] / sizes["nchan"] - 1) < 0.01, f"both must send as much: {sizes}"
    of = {name: {key: [run[key] for run in found] for key in found[0]} for name, found in runs.items()}
    for name, found in of.items():
        yield Figure(
            f"{what}, messages a second, {name}", statistics.median(found["rate"]), "1/s",
            notes=f"of {sizes[name]:.0f} bytes; {spread(found['cpu'])} µs CPU each; of its core the server took "
            f"{statistics.median(found['busy']):.0%}, of its own the load {statistics.median(found['load']):.0%}")
    rate = median_ratio(of["nchan"]["rate"], of["hub"]["rate"])
    yield Figure(f"{what}, messages a second, nchan : hub", rate, "×", THROUGHPUT_BAR)
    yield Figure(f"{what}, CPU, hub : nchan", median_ratio(of["hub"]["cpu"], of["nchan"]["cpu"]), "×", CPU_BAR)
