"""Changes that are on the disk before they are acknowledged: 32 connections turn the sign over HTTP, each request to
the other state, beside a loop that commits each write by itself; on the disk as it is, and with every sync 5 ms
slower."""

import os
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import tempfile

from faults import library
from figure import Figure
from hub import STATE, Hub
from measure import in_turns, median_ratio

HERE = pathlib.Path(__file__).resolve().parent
CONNECTIONS = 32
ROUNDS = 5
SECONDS = 2
SLOW = 5
# At least 8 changes for each sync, and four times as many changes as with one sync for each.
SYNCS_BAR, RATIO_BAR = 1 / 8, 1 / 4


class Counter:
    """The number of a program's syncs, counted by slowsync.c."""

    def __init__(self, path):
        self.path = path
        path.write_bytes(bytes(8))

    def variables(self, milliseconds):
        return {"LD_PRELOAD": str(library(HERE / "slowsync.c")), "SLOWSYNC_COUNT": str(self.path),
                "SLOWSYNC_MS": str(milliseconds)}

    @property
    def syncs(self):
        return struct.unpack("q", self.path.read_bytes())[0]


def turn(hub, counter):
    """One run of wrk: changes a second, and syncs for each change."""
    before = counter.syncs
    told = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", "-s", HERE / "alternate.lua", hub.url],
        capture_output=True, text=True, timeout=60, check=True,
        env=os.environ | {"TOKEN": hub.keykeeper_token, "STATE_PATH": STATE}).stdout
    assert "Non-2xx" not in told and "Socket errors" not in told, told
    changes = int(re.search(r"(\d+) requests in", told)[1])
    return float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1]), (counter.syncs - before) / changes


def commit_each(folder, milliseconds, number):
    """One run of the peer: changes a second."""
    counter = Counter(folder / "peer-syncs")
    told = subprocess.run(
        [sys.executable, HERE / "durable_peer.py", folder / f"peer-{milliseconds}-{number}.sqlite", str(SECONDS)],
        capture_output=True, text=True, timeout=60, check=True, env=os.environ | counter.variables(milliseconds)).stdout
    return float(told)


def figures():
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name:
        for milliseconds in (SLOW, 0):
            yield from compare(pathlib.Path(name), milliseconds)


def compare(folder, milliseconds):
    counter = Counter(folder / f"syncs-{milliseconds}")
    hub = Hub(folder / f"hub-{milliseconds}", env=counter.variables(milliseconds)).start()
    number = iter(range(100))
    targets = {"hub": lambda: turn(hub, counter), "loop": lambda: commit_each(folder, milliseconds, next(number))}
    try:
        hub.configure()
        hub.turn(True)
        runs = in_turns(targets, lambda target: target(), ROUNDS)
    finally:
        hub.stop()
    ours, loop = runs["hub"], runs["loop"]
    rate, syncs = (statistics.median(run[index] for run in ours) for index in (0, 1))
    ratio = median_ratio(loop, [run[0] for run in ours])
    disk = f"each sync {milliseconds} ms slower" if milliseconds else "the disk as it is"
    spread = f"{min(run[0] for run in ours):,.0f} to {max(run[0] for run in ours):,.0f} a second"
    yield Figure(f"durable changes, hub, {disk}", rate, "/s", notes=spread)
    yield Figure(
        f"durable changes, one commit each, {disk}", statistics.median(loop), "/s",
        notes="no network; Python's sqlite3")
    yield Figure(f"syncs for each change, {disk}", syncs, "", SYNCS_BAR, f"{1 / syncs:.1f} changes for each sync")
    yield Figure(f"one commit each : hub, {disk}", ratio, "×", RATIO_BAR if milliseconds else None)
