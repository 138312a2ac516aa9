"""All rooms of one hub at once, with faults: python3 all_rooms.py [--minutes 60] [--small]

2,000 devices at the gateway, 10,000 pages, 100 phones, guests who send pictures, an app with live queries, a boat at
anchor, an agent that says the time. Meanwhile the hub is killed, the network cut, the disk full, in turns, but for the
last tenth. At the end nothing may be lost that was acknowledged, nothing unsaid, and memory may not have grown; then
the boat drags. The figures are in .build/all_rooms/figures.json, their picture beside them.
"""

import argparse
import asyncio
import collections
import contextlib
import hashlib
import io
import json
import pathlib
import resource
import sqlite3
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/World"))

from PIL import Image

from agent import Agent
from bench_anchor_phones import secret as phone_secret
from every_room import TIMED, TOPIC, World, subscribe
from faults import preloaded
from gateway_devices import add_devices
from hub import Hub
from measure import resident
from parse_app import ParseApp
from png import png
from rooms_boat import RoomsBoat
from rooms_clock import LATE, LEAD, RoomsClock
from soak_plot import Panel, svg
from uploads import ALBUMS, join, make_album

RESULTS = HERE.parent / ".build/all_rooms"
LARGE = {"devices": 2_000, "pages": 10_000, "phones": 100, "guests": 10, "queries": 20, "ring": 5, "report": 10}
SMALL = {"devices": 50, "pages": 200, "phones": 10, "guests": 2, "queries": 3, "ring": 0.5, "report": 1}
# Seconds of a cut network and of a full disk; after either, and after a kill, everybody is back within GRACE.
FAULT, GRACE = 4, 12
# Seconds within which an alarm is on all devices that are connected: the 99th of 100.
ON_TIME = 2.0
# The part of the run at its end that has no faults.
QUIET = 0.1
# The part of its memory by which a hub may grow: from the processes of the first quarter of the run to those of the
# last, which have more data; and in the last process, from its second third to its last.
PROCESSES, LAST = "from the first quarter's processes to the last quarter's", "in the last process"
FLAT = {PROCESSES: 0.1, LAST: 0.05}
# Seconds that a process must have lived in its quarter, or third, to be counted.
LIFE = 60
# Minutes of a run that is long enough for both.
MEASURED = 12
SETTLED = 90
# Seconds from the start of the hub to the clock's first announcement, and from the run's beginning.
FIRST, BEFORE = 15, 8
# Of each day so many turns of the sign are kept at least (SpaceLimits.turnsOfDay).
TURNS = 500


def prepare(hub, wish, folder):
    """The rows and keys of everybody, and the clock."""
    hub.configure()
    made = hub.command("topic", "create", TOPIC, "--name", "All rooms")
    assert made.returncode == 0, made.stderr
    album = make_album(hub)
    guests = [join(hub, album, f"Guest {number}") for number in range(wish["guests"])]
    app = ParseApp(hub)
    hub.owner_token, hub.keykeeper_token
    made = add_devices(hub, wish["devices"])
    subscribe(hub, wish["devices"])
    # The hub reads phones when it starts.
    hub.stop()
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite", timeout=20)) as database, database:
        now = time.time()
        database.execute("INSERT INTO people (name, role, created_at) VALUES ('Skipper', 'member', ?)", [now])
        person = database.execute("SELECT max(id) FROM people").fetchone()[0]
        database.executemany(
            "INSERT INTO anchor_phones (name, app, person, aboard, secret, created_at, last) VALUES "
            "(?, 'owntracks', ?, ?, ?, ?, ?)",
            [(f"Phone {number}", person, number == wish["phones"],
              hashlib.sha256(phone_secret(number).encode()).digest(), now, now)
             for number in range(wish["phones"] + 1)])
    clock = RoomsClock(folder, int(time.time()) + FIRST)
    hub.env |= clock.env
    hub.start()
    boat = RoomsBoat(hub, phone_secret(wish["phones"]))
    box = json.loads(hub.command("device", "create", "--name", "Box", "--topic", TOPIC).stdout)
    return made, album, guests, app, boat, clock, box


class Run:
    """One run: its faults, its samples, its verdict."""

    def __init__(self, hub, world, full, minutes):
        self.hub, self.world, self.full, self.seconds = hub, world, full, minutes * 60
        self.faults, self.samples, self.began = [], [], time.monotonic()

    async def do_faults(self, count):
        """Kills, cuts and full disks in turn, evenly over all but the last part."""
        pause = self.seconds * (1 - QUIET) / count
        for number in range(count):
            await asyncio.sleep(max(0, self.began + pause * (number + 1) - time.monotonic()))
            kind, since = ["kill", "cut", "full"][number % 3], time.monotonic()
            if kind == "kill":
                await asyncio.to_thread(self.hub.kill)
                await asyncio.to_thread(self.hub.start)
            elif kind == "cut":
                self.world.cut()
                await asyncio.sleep(min(FAULT, pause / 4))
                self.world.line.set()
            else:
                self.full.touch()
                await asyncio.sleep(min(FAULT, pause / 4))
                self.full.unlink()
            self.faults.append((kind, since, time.monotonic()))
            print(f"{(since - self.began) / 60:6.1f} min  {kind}, {time.monotonic() - since:.1f} s", flush=True)

    async def sample(self):
        pause = max(0.5, min(5, self.seconds / 60))
        while True:
            await asyncio.sleep(pause)
            process = self.hub.process
            with contextlib.suppress(OSError, ValueError, AttributeError):
                self.samples.append((time.monotonic(), resident(process.pid)[0] / 1024, process.pid))

    def is_calm(self, moment, ahead=0):
        """True if no fault was near, nor in the seconds ahead of the moment."""
        return not any(since - 1 <= moment and moment - ahead <= until + GRACE for _, since, until in self.faults)

    def delays(self):
        """Seconds from asking to being shown, of each alarm on each device: without faults, and all."""
        calm, every = [], []
        for identifier, (began, _) in self.world.rung.items():
            took = [moment - began for moment in self.world.shown[identifier].values()]
            every += took
            if self.is_calm(began):
                calm += took
        return sorted(calm), sorted(every)

    def late(self):
        """Of each late alarm that no fault was near: the seconds since the last fault, and until it was everywhere."""
        return [(round(min((began - until for _, _, until in self.faults if until < began), default=0), 1),
                 round(max(self.world.shown[identifier].values(), default=began) - began, 1))
                for identifier, (began, _) in self.world.rung.items() if self.is_calm(began)
                and max(self.world.shown[identifier].values(), default=began) - began > ON_TIME]

    def medians(self, since, until):
        """The median of each process's memory in a part of the run."""
        lives = collections.defaultdict(list)
        for moment, megabytes, pid in self.samples:
            if since <= (moment - self.began) / self.seconds <= until:
                lives[pid].append((moment, megabytes))
        return [statistics.median(megabytes for _, megabytes in life) for life in lives.values()
                if life[-1][0] - life[0][0] >= LIFE]

    def growth(self):
        """By which part of it memory has grown, by the processes of the first and the last quarter, and in the last
        process. Nothing of a run that is too short for that."""
        growth, (first, last) = {}, (self.medians(0, 0.25), self.medians(0.75, 1))
        if first and last:
            growth[PROCESSES] = statistics.median(last) / statistics.median(first) - 1
        life = [megabytes for _, megabytes, pid in self.samples if pid == self.samples[-1][2]]
        begun = next(moment for moment, _, pid in self.samples if pid == self.samples[-1][2])
        if self.samples[-1][0] - begun >= 3 * LIFE:
            third = len(life) // 3
            growth[LAST] = statistics.median(life[-third:]) / statistics.median(life[third:2 * third]) - 1
        return growth


def part(values, share):
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


async def settled(world, devices):
    """Waits until each device has each alarm; the number of those that are missing."""
    until = time.monotonic() + SETTLED
    while True:
        missing = sum(devices - len(world.shown[identifier]) for identifier in world.rung)
        if not missing or time.monotonic() > until:
            return missing
        await asyncio.sleep(0.5)


async def compared(world, album, host, app, devices):
    """What was acknowledged and is not there, by kind."""
    gone = {}
    with contextlib.closing(sqlite3.connect(world.hub.data / "eightbells.sqlite", timeout=20)) as database:
        rows = database.execute(
            "SELECT notification, count(*), sum(acknowledged >= wanted) FROM push_deliveries WHERE device <= ?"
            " GROUP BY notification", [devices]).fetchall()
    traced = {identifier: (count, done) for identifier, count, done in rows}
    gone["alarms that are not traced to each device"] = sum(
        traced.get(identifier) != (devices, devices) for identifier in world.rung)
    bearer = {"Authorization": f"Bearer {host}"}
    originals = [world.acknowledged("GET", f"{ALBUMS}/{album}/pictures/{picture}/original", bearer, good=(200, 404))
                 for picture in world.pictures]
    found = [hashlib.sha256((await one)[2]).hexdigest() for one in originals]
    gone["pictures"] = sum(a != b for a, b in zip(found, world.pictures.values(), strict=True))
    there = []
    while True:
        path = f"classes/Turn?limit=1000&skip={len(there)}&order=number"
        _, answer = await asyncio.to_thread(app.ask, "GET", path, master=True)
        there += [one["number"] for one in answer["results"]]
        if len(answer["results"]) < 1000:
            break
    gone["objects"] = len(world.objects - set(there))
    gone["objects that are there twice"] = len(there) - len(set(there))
    return gone


def turns(world):
    """Turns of the sign that were acknowledged and are not in its history; and how often a page that is timed has not
    heard of one, though it listened before and long enough."""
    with contextlib.closing(sqlite3.connect(world.hub.data / "eightbells.sqlite", timeout=20)) as database:
        kept = dict(database.execute("SELECT id, open FROM space_sign WHERE undone_at IS NULL"))
    newest = max(kept, default=0)
    return {
        "turns": sum(kept.get(turn) != is_open for turn, is_open in world.signs.items() if turn > newest - TURNS),
        "news of turns on pages": sum(
            number not in world.heard[commit] and any(since < began and until > end + ON_TIME for since, until in spans)
            for commit, (began, end) in world.turned.items() for number, spans in world.listened.items())}


def queries(world):
    """How often a live query that was there before an object was made, and long enough after, has not heard of it."""
    return {"news of objects in live queries": sum(
        number not in world.told[one] and any(since < began and until > end + ON_TIME for since, until in spans)
        for number, (began, end) in world.created.items() for one, spans in world.asking.items())}


def photos():
    """Makes guests' pictures: most are small, and each eighth is of the size of a phone's."""
    large = io.BytesIO()
    Image.effect_noise((3000, 2000), 60).convert("RGB").save(large, "JPEG", quality=80)
    # Behind its end a JPEG may have anything: no two are the same.
    return lambda number: large.getvalue() + number.to_bytes(8) if number % 8 == 0 else png(30 + number % 97, 40)


async def clocks(clock, world, run, until):
    """What the clock has said of what was due until a second; and what of that is missing."""
    told, due = await clock.told(world, until, SETTLED), clock.due(until)
    spoken = {at: told[at] for at in due if at in told and told[at]["what"] == "spoke"}
    late = sorted(abs(one["late_ms"]) for one in spoken.values())
    # Faults are noted by another clock.
    ahead = time.monotonic() - time.time()
    woken = [at for at in due if run.is_calm(at + ahead, LEAD)]
    alone = [at for at in woken if told.get(at, {}).get("by") != "push"]
    return {"due": len(due), "spoken": len(spoken), "woken by the hub": sum(
        one["by"] == "push" for one in spoken.values()), "late": sum(one > LATE for one in late),
        "worst_ms": late[-1] if late else None, "alone, seconds after a fault": [
            round(min((at + ahead - until for _, _, until in run.faults if until < at + ahead), default=0))
            for at in alone]}, {
            "announcements": len(due) - len(spoken), "wakes ahead of announcements": len(alone)}


def unheard(hub, world):
    """The phones whose last report is not known; they are written when the hub ends, as a phone soon reports again."""
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite")) as database:
        lasts = dict(database.execute("SELECT name, last FROM anchor_phones").fetchall())
    return sum(lasts[f"Phone {number}"] < at - 1 for number, at in world.places.items())


async def all_rooms(hub, agent, wish, minutes, faults, full, ready):
    made, album, guests, app, boat, clock, _ = ready
    world = World(hub)
    run = Run(hub, world, full, minutes)
    tasks = [asyncio.create_task(one) for one in (
        *(world.device(number, secret) for number, secret in enumerate(made, 1)),
        *(world.page(number) for number in range(wish["pages"])),
        *(world.query(app, one) for one in range(wish["queries"])))]
    async with asyncio.timeout(SETTLED):
        while len(world.listened) < wish["pages"] / TIMED:
            await asyncio.sleep(0.1)
    await asyncio.sleep(max(1, clock.first - BEFORE - time.time()))
    run.began = time.monotonic()
    senders = [asyncio.create_task(one) for one in (
        world.every(wish["ring"], world.ring), world.every(wish["ring"] * 2, world.turn),
        *(world.every(wish["report"], world.report, number, phone_secret(number)) for number in range(wish["phones"])),
        world.every(wish["report"], boat.report, world),
        *(world.every(wish["ring"] * 2, world.send, album["id"], guest, photos()) for guest in guests),
        world.every(wish["ring"], world.create, app))]
    sampling = asyncio.create_task(run.sample())
    await run.do_faults(faults)
    await asyncio.sleep(max(0, run.began + run.seconds - time.monotonic()))
    world.ends.set()
    sampling.cancel()
    until = time.time()
    await asyncio.wait_for(asyncio.gather(*senders), 60)
    missing = await settled(world, wish["devices"])
    await asyncio.sleep(1)
    gone = {"alarms on devices": missing} | turns(world)
    gone |= await compared(world, album["id"], album["host_token"], app, wish["devices"])
    spoken, unsaid = await clocks(clock, world, run, until)
    gone |= unsaid | queries(world) | await boat.end(world)
    for task in tasks:
        task.cancel()
    for socket in list(world.sockets):
        socket.abort()
    await asyncio.gather(*tasks, return_exceptions=True)
    told = [int(line["id"]) for line in agent.told("shown") if not line.get("repeat") and not line.get("again")]
    gone["alarms on the agent"] = len(set(world.rung) - set(told))
    calm, every = run.delays()
    pages = sorted(moment - began for commit, (began, _) in world.turned.items() if run.is_calm(began)
                   for moment in world.heard[commit].values())
    figures = {
        "minutes": minutes, **wish, "faults": [kind for kind, _, _ in run.faults], "lost": gone,
        "shown twice without a mark": world.twice + len(told) - len(set(told)), "failures": world.failures[:20],
        "acknowledged": {"alarms": len(world.rung), "turns": len(world.turned), "pictures": len(world.pictures),
                         "objects": len(world.objects), "positions": world.counts["positions"],
                         "announcements": spoken["spoken"]},
        "clock": spoken,
        "alarm_s": {"median": part(calm, 0.5), "p99": part(calm, 0.99), "worst with faults": part(every, 1),
                    "late, seconds after a fault": run.late()},
        "page_s": {"median": part(pages, 0.5), "p99": part(pages, 0.99)},
        "query news": sum(map(len, world.told.values())),
        "memory_mb": {"last": run.samples[-1][1], "most": max(one for _, one, _ in run.samples)},
        "growth": run.growth(), "counts": dict(world.counts)}
    return figures, run


def verdict(figures):
    """What is wrong, in words."""
    for what, count in figures["lost"].items():
        if count:
            yield f"lost: {count} {what}"
    if figures["shown twice without a mark"]:
        yield f"shown twice without a mark: {figures['shown twice without a mark']}"
    if not figures["alarm_s"]["p99"] <= ON_TIME:
        yield f"alarms are late: 99 % within {figures['alarm_s']['p99']:.2f} s; {ON_TIME} s are accepted"
    if figures["clock"]["late"]:
        yield f"{figures['clock']['late']} announcements were late by more than {LATE} ms"
    if figures["minutes"] >= MEASURED and len(figures["growth"]) < 2:
        yield f"memory was not measured: {figures['growth']}"
    for where, growth in figures["growth"].items():
        if growth > FLAT[where]:
            yield f"memory grows: by {growth:.1%} {where}; {FLAT[where]:.0%} are accepted"
    yield from figures["failures"]
    for what, count in figures["acknowledged"].items():
        if not count:
            yield f"no {what} were acknowledged"


def picture(run, figures):
    began = run.samples[0][0]
    minutes = [(moment - began) / 60 for moment, _, _ in run.samples]
    edges = [moment for moment, _, _ in run.samples]
    late = []
    for since, until in zip([began, *edges], edges):
        took = sorted(moment - asked for identifier, (asked, _) in run.world.rung.items() if since <= asked < until
                      for moment in run.world.shown[identifier].values())
        late.append(part(took, 0.99) if took else (late[-1] if late else 0.0))
    lines = (f"{figures['devices']:,} devices, {figures['pages']:,} pages; 99 % of alarms without a fault within "
             f"{figures['alarm_s']['p99']:.2f} s; lost: {sum(figures['lost'].values())}")
    return svg(f"All rooms for {figures['minutes']:g} minutes", lines, minutes, [
        Panel("Resident memory, MB", {"memory": [megabytes for _, megabytes, _ in run.samples]}),
        Panel("An alarm on its devices, 99 %, s, with faults", {"alarm": late})])


def measured(folder, minutes, wish, faults, results=None):
    """Runs it; the figures, and what is wrong."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    full = folder / "is-full"
    hub = Hub(folder / "hub", env=None, options=("--connections-per-address", "0", "--rate-limits", "off"))
    hub.env |= preloaded(hub.data, **{"while": full})
    hub.start()
    try:
        ready = prepare(hub, wish, folder)
        *_, clock, box = ready
        with Agent(folder, hub.url, *clock.options, secret=box["secret"], env=clock.env) as agent:
            clock.switch_on(hub, agent, box["id"])
            figures, run = asyncio.run(all_rooms(hub, agent, wish, minutes, faults, full, ready))
        figures["ended with"] = hub.stop()
        figures["lost"]["positions"] = unheard(hub, run.world)
    finally:
        hub.kill()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if results:
        results.mkdir(parents=True, exist_ok=True)
        (results / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
        (results / "all_rooms.svg").write_text(picture(run, figures))
    return figures, list(verdict(figures))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--small", action="store_true", help="with few of everybody, as bin/test does it")
    parser.add_argument("--devices", type=int, help="another number of devices")
    parser.add_argument("--pages", type=int, help="another number of pages")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        wish = dict(SMALL if words.small else LARGE)
        wish |= {name: value for name in ("devices", "pages") if (value := getattr(words, name)) is not None}
        # Each a minute and a half, the three kinds equally often.
        faults = 3 * max(1, round(words.minutes * (1 - QUIET) / 4.5))
        figures, wrong = measured(pathlib.Path(name), words.minutes, wish, faults, RESULTS)
    print(json.dumps(figures, indent=1))
    print(*wrong or ["all is well"], sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
