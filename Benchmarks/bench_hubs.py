"""Several hubs on one PostgreSQL server and one NATS: how soon an event of one is on the pages of another, how soon
others go on when one is killed, and whether an event and a connection cost more with more hubs.

The machine has too few cores to show that four hubs carry more than one. So CPU time is counted, of all hubs together:
each has as many pages as a hub that is alone, and each event goes to the pages of all.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import select
import socket
import statistics
import tempfile
import time

from agent import Agent
from bell_device import make_device
from figure import Figure
from hub import STATE, Hub, eventually
from live import listening
from measure import in_turns, median_ratio, needed, own_cpu_seconds, spread
from nats import NATS
from nginx import nginx
from postgres import Postgres
from publishing import Target, publish
from several import holders, several

EVENTS, SPOTS, PAGES, ROUNDS = 500, 40, 1_000, 5
SIZES = (1, 2, 4)
# Milliseconds, seconds, seconds, and times the cost of one hub.
REACH_BAR, LEASE_BAR, DEVICE_BAR, GROWTH_BAR = 10, 5, 10, 1.2
FAILOVERS = 5
BALANCER = """
location / {
  proxy_pass http://hubs;
  proxy_http_version 1.1;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection upgrade;
  proxy_read_timeout 1h;
}
"""
DEVICES, CONNECTIONS, SECONDS = 2_000, 32, 3
SUBSCRIPTION = json.dumps({"event": "pusher:subscribe", "data": {"channel": "space"}}).encode()


class World:
    """The servers, and as many hubs as are asked for, each set with records of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.postgres = Postgres(folder / "postgres", is_durable=True)
        self.nats = NATS(folder).start()
        self.hubs = []

    def hubs_of(self, name, count):
        """So many hubs, the first of which is set up, and the address of their records."""
        folder = self.folder / name
        folder.mkdir()

        def make(name, options):
            self.hubs.append(Hub(folder / name, options=options))
            return self.hubs[-1].start()

        store = self.postgres.database(folder)
        return several(make, store, self.nats, folder, names=[f"hub{number}" for number in range(count)]), store

    def close(self):
        for hub in self.hubs:
            hub.kill()
        self.nats.stop()
        self.postgres.stop()


def figures():
    needed("psql", "nginx", "wrk")
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name, contextlib.closing(
            World(pathlib.Path(name))) as world:
        yield from reach(world)
        yield lease(world)
        yield device(world)
        yield from growth(world)
        yield from rates(world)


def reach(world):
    """From sending a change to one hub, which is on the disk before it is told, to a page at the other."""
    (one, other), _ = world.hubs_of("reach", 2)
    connection = one.connection()
    fields = {"Authorization": f"Bearer {one.keykeeper_token}", "Content-Type": "application/json"}
    times, answers, later = [], [], []
    with listening(other) as page:
        for number in range(EVENTS + 50):
            if number == 50:
                cpu = [own_cpu_seconds(hub.process.pid) for hub in (one, other)]
            began = time.perf_counter()
            connection.request("POST", STATE, json.dumps({"open": number % 2 == 0}), fields)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            answered = time.perf_counter()
            page.expect("state")
            if number >= 50:
                times.append((time.perf_counter() - began) * 1e3)
                answers.append((answered - began) * 1e3)
                later.append(times[-1] - answers[-1])
            time.sleep(0.005)
    cpu = [(own_cpu_seconds(hub.process.pid) - before) / EVENTS * 1e6 for hub, before in zip((one, other), cpu)]
    connection.close()
    slowest, slowest_answer, latest = (statistics.quantiles(found, n=100)[98] for found in (times, answers, later))
    yield Figure(
        "an event at one hub until it is on a page of another, p99", slowest, "ms", REACH_BAR,
        f"{EVENTS} changes, each durable, from the request on; median {statistics.median(times):.1f} ms, the longest "
        f"{max(times):.1f}; the answer to the request itself: median {statistics.median(answers):.1f} ms, p99 "
        f"{slowest_answer:.1f}; the page after the answer: p99 {latest:.1f} ms")
    yield Figure(
        "CPU of a change at another hub, which reads and tells it", cpu[1], "µs",
        notes=f"with one page there; at the hub where it is made {cpu[0]:.0f} µs")


def lease(world):
    """From the kill of the hub that has all leases until the other has them."""
    hubs, store = world.hubs_of("lease", 2)
    times = []
    for _ in range(FAILOVERS):
        work = eventually(lambda: all_held(world, store), 20, "all work is done by somebody")
        members = world.postgres.ask("SELECT hub FROM hub_members ORDER BY since", store).splitlines()[-2:]
        # Whoever has run for longer has them.
        killed = hubs.pop(0)
        began = time.monotonic()
        killed.kill()
        eventually(
            lambda: holders(world.postgres, store) == dict.fromkeys(work, members[1]), 30, "the other has all of it")
        times.append(time.monotonic() - began)
        killed.start()
        hubs.append(killed)
    return Figure(
        "a hub is killed until another has all of its leases", max(times), "s", LEASE_BAR,
        f"the longest of {FAILOVERS}; {spread(times)} s, {len(work)} leases")


def all_held(world, store):
    """The names of all leases, once one hub has all."""
    held = holders(world.postgres, store)
    known = world.postgres.ask("SELECT name FROM hub_leases", store).splitlines()
    return known if len(known) > 5 and set(held) == set(known) and len(set(held.values())) == 1 else None


def device(world):
    """An agent behind nginx: from the kill of its hub until it has shown what was sent at that moment to the other."""
    (one, other), _ = world.hubs_of("device", 2)
    made = make_device(one)
    times = []
    for number in range(FAILOVERS):
        upstream = (f"upstream hubs {{ server 127.0.0.1:{one.port} max_fails=1 fail_timeout=1s; "
                    f"server 127.0.0.1:{other.port} backup; }}")
        folder = world.folder / f"agent{number}"
        folder.mkdir()
        with nginx(folder / "nginx", BALANCER, http=upstream) as (port, _), Agent(
                folder, f"http://127.0.0.1:{port}", secret=made["secret"]) as agent:
            agent.wait_told("shown", 20, id=send(one, made))
            began = time.monotonic()
            one.kill()
            agent.wait_told("shown", 60, id=send(other, made))
            times.append(time.monotonic() - began)
        one.start()
    return Figure(
        "a device's hub is killed until another has sent it what is new", max(times), "s", DEVICE_BAR,
        f"the longest of {FAILOVERS}, an agent behind nginx; {spread(times)} s")


def send(hub, device):
    status, sent = hub.post(
        "/api/v1/notifications", hub.owner_token, {"to": {"device": device["id"]}, "content": {"title": "Hello"}})
    assert status == 202, sent
    return sent["id"]


class Pages:
    """Silent pages at hubs, which count their events."""

    def __init__(self, hubs):
        self.poll = select.epoll()
        self.sockets = {}
        for hub in hubs:
            for _ in range(PAGES):
                page = socket.create_connection(("127.0.0.1", hub.port), timeout=30)
                page.sendall(
                    b"GET /app/eightbells?protocol=7 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                    b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                    b"Sec-WebSocket-Version: 13\r\n\r\n\x81" + bytes([0x80 | len(SUBSCRIPTION)]) + bytes(4)
                    + SUBSCRIPTION)
                self.sockets[page.fileno()] = page
                self.poll.register(page.fileno(), select.EPOLLIN)
        self.wait(b"subscription_succeeded")

    def wait(self, words):
        """Until each page has been told these words once."""
        left, deadline = set(self.sockets), time.monotonic() + 60
        while left:
            assert time.monotonic() < deadline, f"{len(left)} of {len(self.sockets)} pages were not told"
            for descriptor, _ in self.poll.poll(1):
                text = self.sockets[descriptor].recv(65536)
                assert text, "the hub has closed a socket"
                if words in text:
                    assert descriptor in left and text.count(words) == 1, "told twice"
                    left.remove(descriptor)

    def close(self):
        self.poll.close()
        for page in self.sockets.values():
            page.close()


def run(hubs):
    """CPU microseconds of all hubs: of each connection that is made, and of each event that reaches a page."""
    pids = [hub.process.pid for hub in hubs]
    spent = lambda: sum(map(own_cpu_seconds, pids))
    before = spent()
    with contextlib.closing(Pages(hubs)) as pages:
        connecting = (spent() - before) / len(pages.sockets) * 1e6
        before = spent()
        for number in range(SPOTS):
            # At one after the other, as behind a balancer.
            hubs[number % len(hubs)].turn(number % 2 == 0)
            pages.wait(b'"event":"state"')
        used = spent() - before
        delivering = used / SPOTS / len(pages.sockets) * 1e6
    # The hubs learn of the closed sockets in their own time.
    time.sleep(0.5)
    return {"connection": connecting, "event": delivering, "each": used / SPOTS * 1e3}


def growth(world):
    """The cost of a connection and of an event, on 1, 2 and 4 hubs with as many pages each."""
    sets = {size: world.hubs_of(f"growth{size}", size)[0] for size in SIZES}
    runs = in_turns(sets, run, ROUNDS)
    for what, said in (("connection", "each connection that is made"), ("event", "each event at each page")):
        costs = {size: [found[what] for found in runs[size]] for size in SIZES}
        for size in SIZES[1:]:
            yield Figure(
                f"CPU of {said}, {size} hubs : 1 hub", median_ratio(costs[size], costs[1]), "×",
                GROWTH_BAR if size == SIZES[-1] else None,
                f"{PAGES:,} pages at each hub; {size} hubs {spread(costs[size])} µs, 1 hub {spread(costs[1])} µs")
    told = "; ".join(f"{size}: {statistics.median(one['each'] for one in runs[size]):.2f} ms" for size in SIZES)
    yield Figure(
        "CPU of an event, of all hubs together, 4 hubs", statistics.median(one["each"] for one in runs[4]), "ms",
        notes=told)


def rates(world):
    """Notifications acknowledged a second, spread over 1, 2 and 4 hubs: their changes come one after the other."""
    hubs, store = world.hubs_of("rates", max(SIZES))
    world.postgres.ask(
        "INSERT INTO push_devices (id, name, kind, channels, secret, created_at, seen_at) SELECT id, 'device ' || id, "
        f"'agent', 2, sha256(id::text::bytea), 1, 1 FROM generate_series(1, {DEVICES}) AS id", store)

    def flood(size):
        spent = lambda: [own_cpu_seconds(hub.process.pid) for hub in hubs]
        before = spent()
        with concurrent.futures.ThreadPoolExecutor(size) as threads:
            found = list(threads.map(
                lambda hub: publish(Target.hub(hub), CONNECTIONS // size, SECONDS, DEVICES, under=[]), hubs[:size]))
        count = sum(one["count"] for one in found)
        cpu = [(after - before) / count * 1e6 for after, before in zip(spent(), before)]
        return {"rate": sum(one["rate"] for one in found), "working": sum(cpu[:size]), "watching": cpu[-1]}

    runs = in_turns({size: size for size in SIZES}, flood, ROUNDS)
    for size in SIZES:
        of = {key: statistics.median(one[key] for one in runs[size]) for key in runs[size][0]}
        idle = "" if size == max(SIZES) else f"; {of['watching']:.0f} µs at each that only learns of it"
        yield Figure(
            f"notifications acknowledged a second, over {size} of {max(SIZES)} hubs", of["rate"], "/s",
            notes=f"CPU of each {of['working']:.0f} µs at the hubs that take them{idle}")
