"""A hub under mixed load for a long time: python3 soak.py [--minutes 30] [--sockets 500] [--plain]

Requests over HTTP/1.1 and HTTP/2, WebSockets that come and go, turns of the sign, questions about a programme,
pictures, Server-Sent Events. Every five seconds its memory, descriptors and latencies are recorded, and at the end
drawn into Docs/pictures/soak.svg. Exits with 1 if anything failed, if memory was not flat, or if a descriptor leaked.
"""

import argparse
import asyncio
import collections
import contextlib
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/World"))

import programme
from certificates import make_certificate
from hub import Hub
from measure import CORES, cpu_seconds, resident
from mixed_load import Load
from soak_plot import Panel, svg

PICTURE = HERE.parent / "Docs/pictures/soak.svg"
SAMPLE_SECONDS = 5
# A writer and four readers (StoreLimits.readers), each with the database and its log; one index and one lock for all.
MOST_STORED = 12
# Answers with very many events would be so large that they hide a leak elsewhere.
EVENTS = 1_000
# Memory is flat if the regression line through the last two thirds rises by less than this part of it. Over 30 minutes
# and 50 MB that is 3 MB an hour; a leak of a hundred bytes for each request would be thirty times that.
FLAT = 0.02
# The hub releases its allocator's free memory after each look at its calendars, every five minutes. In between memory
# grows without a leak, so of each span of so many minutes the lowest sample counts.
SPAN = 6
# The kinds of events that a soak of any length must contain; persistent connections last a while.
EVERY_KIND = ["request", "one-shot", "HTTP/2", "events", "WebSocket", "event heard", "event stream",
              "event streamed", "turn", "h2load"]


class Samples:
    """The samples, taken every five seconds."""

    def __init__(self):
        self.minutes, self.memory, self.descriptors = [], [], []
        self.median, self.slow, self.rate = [], [], []

    def add(self, minutes, pid, latencies, rate):
        self.minutes.append(minutes)
        self.memory.append(resident(pid)[0] / 1024)
        self.descriptors.append(descriptors(pid))
        self.median.append(percentile(latencies, 0.5) * 1000)
        self.slow.append(percentile(latencies, 0.99) * 1000)
        self.rate.append(rate)

    def slope(self):
        """Megabytes a minute of the line through the last two thirds of what each span had at least, their mean, and
        how many minutes they are."""
        lowest = {}
        for minute, value in zip(self.minutes, self.memory, strict=True):
            span = int(minute // SPAN)
            lowest[span] = min(lowest.get(span, (value, minute)), (value, minute))
        whole = int((self.minutes[-1] + 0.1) // SPAN)
        points = [(minute, value) for span, (value, minute) in lowest.items() if span < whole]
        if len(points) < 3:  # too few to tell: all of them
            points = list(zip(self.minutes, self.memory, strict=True))
        points = points[len(points) // 3:]
        times, values = zip(*points, strict=True)
        middle, mean = sum(times) / len(times), sum(values) / len(values)
        rise = sum((time - middle) * (value - mean) for time, value in zip(times, values, strict=True))
        spread = sum((time - middle) ** 2 for time in times)
        return rise / spread if spread else 0.0, mean, times[-1] - times[0]


def percentile(values, part):
    return values[min(len(values) - 1, int(len(values) * part))] if values else 0.0


def descriptors(pid):
    """Open descriptors. The store opens a reader when one is needed, and keeps it: all possible readers are counted,
    open or not, and any descriptors above them."""
    count = stored = 0
    for file in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            stored += ".sqlite" in file.readlink().name
            count += 1
    return count - stored + max(stored, MOST_STORED)


async def watch(load, pid, minutes):
    """Runs the load for so long, and takes the samples."""
    samples, start = Samples(), time.monotonic()
    running = asyncio.create_task(load.run())
    while not running.done() and time.monotonic() - start < minutes * 60:
        before = time.monotonic(), load.notes.counts["request"], cpu_seconds(pid), time.process_time()
        await asyncio.sleep(SAMPLE_SECONDS)
        took = time.monotonic() - before[0]
        rate = (load.notes.counts["request"] - before[1]) / took
        cpu, own = (cpu_seconds(pid) - before[2]) / took, (time.process_time() - before[3]) / took
        samples.add((time.monotonic() - start) / 60, pid, load.notes.take_latencies(), rate)
        print(
            f"{samples.minutes[-1]:5.1f} min  {samples.memory[-1]:6.1f} MB  {samples.descriptors[-1]:5} descriptors  "
            f"{rate:7,.0f} requests/s  {samples.median[-1]:6.1f} ms, 99 % {samples.slow[-1]:6.1f} ms  "
            f"{cpu:.0%} CPU, the load {own:.0%}  {len(load.notes.failures)} failures", flush=True)
    load.stop.set()
    await asyncio.wait_for(running, 90)
    return samples


async def emptied(pid, wished, seconds=15):
    """Descriptors that remain when every client has left; a few seconds are allowed for closing them."""
    until = time.monotonic() + seconds
    while descriptors(pid) > wished and time.monotonic() < until:
        await asyncio.sleep(0.2)
    return descriptors(pid)


def verdict(samples, notes, remaining, before):
    """The lines of the verdict, and True if all is well."""
    rise, mean, minutes = samples.slope()
    growth = rise * minutes / mean
    is_flat = growth < FLAT
    what = ", ".join(f"{count:,} {kind}" for kind, count in sorted(notes.counts.items()))
    yield f"done: {what}", True
    yield (f"memory: {mean:.1f} MB, {rise * 60:+.2f} MB an hour over the last {minutes:.0f} minutes, "
           f"{growth:+.1%} of it: {'flat' if is_flat else 'NOT FLAT'}"), is_flat
    yield (f"descriptors: {before} before, {max(samples.descriptors)} at most, {remaining} when all clients were gone",
           remaining <= before)
    kinds = collections.Counter(notes.failures)
    for (kind, reason), count in kinds.most_common(20):
        yield f"FAILED {count} times, {kind}: {reason}", False
    yield f"failures: {len(notes.failures)}", not notes.failures
    missing = [kind for kind in EVERY_KIND if not notes.counts[kind]]
    yield (f"never done: {', '.join(missing)}" if missing else "everything was done"), not missing


def picture(samples, lines, minutes):
    panels = [
        Panel("Resident memory, MB", {"memory": samples.memory}),
        Panel("Open descriptors", {"descriptors": samples.descriptors}),
        Panel("Latency of a request, ms", {"median": samples.median, "99 %": samples.slow}),
        Panel("Requests a second", {"requests": samples.rate}),
    ]
    return svg(f"A soak of {minutes:g} minutes under mixed load", lines, samples.minutes, panels)


async def soak(hub, words):
    before = descriptors(hub.process.pid)
    load = Load(hub, words.sockets, seed=words.seed)
    samples = await watch(load, hub.process.pid, words.minutes)
    remaining = await emptied(hub.process.pid, before)
    if not load.takes_pictures:
        print("this hub takes no pictures yet: none were sent")
    lines = list(verdict(samples, load.notes, remaining, before))
    rise, mean, _ = samples.slope()
    subtitle = (f"{words.sockets} WebSockets, {sum(samples.rate) / len(samples.rate):,.0f} requests a second; memory "
                f"{mean:.1f} MB, {rise * 60:+.2f} MB an hour; {len(load.notes.failures)} failures")
    words.picture.write_text(picture(samples, subtitle, words.minutes))
    print(*(line for line, _ in lines), sep="\n")
    return all(good for _, good in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without TLS; HTTP/2 by prior knowledge")
    parser.add_argument("--picture", type=pathlib.Path, default=PICTURE)
    words = parser.parse_args()
    os.sched_setaffinity(0, {CORES[-1]})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        certificate = None if words.plain else make_certificate(folder / "certificate")
        # The load has one core; the hub may use all, as in production.
        hub = Hub(folder / "hub", certificate=certificate, under=["taskset", "-c", ",".join(map(str, CORES))]).start()
        try:
            programme.fill(hub, EVENTS)
            hub.owner_token, hub.keykeeper_token
            good = asyncio.run(soak(hub, words))
        finally:
            code = hub.stop()
    if code != 0:
        print(f"the hub ended with code {code}")
    sys.exit(0 if good and code == 0 else 1)


if __name__ == "__main__":
    main()
