"""Notifications over 32 connections beside PocketBase's record creates: the same load with the same text, in turns,
each server on one core. The hub syncs each before it answers, with those that came meanwhile; PocketBase does not."""

import os
import pathlib
import statistics
import tempfile

from figure import Figure
from gateway_devices import add_devices
from hub import Hub
from measure import ON_SERVER_CORE, in_turns, median_ratio, needed, spread
from pocketbase import pocketbase
from publishing import Target, publish

CONNECTIONS, DEVICES = 32, 2_000
# Many short rounds: a burst of other load affects one pair, and the median ignores it.
ROUNDS, SECONDS = 7, 3
# At least 1.5 times as many, and the slowest hundredth in half the time.
RATE_BAR, SLOW_BAR = 1 / 1.5, 0.5
RECORD = '{"device": "%d", "title": "Open", "body": "Ada has opened, number %d"}'


def figures():
    yield from beside_pocketbase("notifications", Target.hub, lambda hub: add_devices(hub, DEVICES))


def beside_pocketbase(what, target, prepare):
    """`prepare` makes what is sent to, and `target` says how, both for a running hub."""
    needed("wrk", "taskset")
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name:
        folder = pathlib.Path(name)
        hub = Hub(folder / "hub", under=ON_SERVER_CORE).start()
        try:
            prepare(hub)
            with pocketbase(folder / "pocketbase", "notifications", ("device", "title", "body")) as (port, pid):
                targets = {
                    "hub": target(hub),
                    "PocketBase": Target(
                        pid, f"http://127.0.0.1:{port}", "/api/collections/notifications/records", RECORD)}
                runs = in_turns(
                    targets, lambda target: publish(target, CONNECTIONS, SECONDS, DEVICES), ROUNDS)
            yield from compare(what, runs)
        finally:
            hub.stop()


def compare(sent, runs):
    what = f"{CONNECTIONS} connections"
    of = {name: {key: [run[key] for run in found] for key in ("rate", "p99")} for name, found in runs.items()}
    for name, found in of.items():
        kind = f"{sent}, hub" if name == "hub" else f"records, {name}"
        yield Figure(
            f"{kind}, {what}", statistics.median(found["rate"]), "/s",
            notes=f"{spread(found['rate'], '{:,.0f}')} a second; the slowest hundredth "
            f"{statistics.median(found['p99']):.2f} ms, {spread(found['p99'])} ms")
    ours, peer = of["hub"], of["PocketBase"]
    yield Figure(f"{sent}, PocketBase : hub, {what}", median_ratio(peer["rate"], ours["rate"]), "×", RATE_BAR)
    yield Figure(f"{sent}, slowest hundredth, hub : PocketBase, {what}", median_ratio(ours["p99"], peer["p99"]), "×",
                 SLOW_BAR)
