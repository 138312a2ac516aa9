"""Objects of an app beside PocketBase's records: created over 128 and 32 connections, read by id, and asked for by a
field's value among a million of them.

The hub syncs each object before it answers, with those that came meanwhile; PocketBase does not. Both have the same
fields and an index on the one that is asked for: the hub makes it by itself, as the field is asked for often. Each has
one core, and the load the other; but for 128 connections, where the hub is alone and has both.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import random
import re
import secrets
import sqlite3
import statistics
import string
import subprocess
import tempfile
import time
import urllib.parse

from bench_publishes import RATE_BAR, SLOW_BAR
from figure import Figure
from hub import Hub, eventually
from measure import ON_LOAD_CORE, ON_SERVER_CORE, in_turns, median_ratio, needed, spread
from parse_app import ParseApp
from pocketbase import pocketbase
from publishing import MILLISECONDS

SCRIPT = pathlib.Path(__file__).resolve().with_name("requests.lua")
KIND, FIELDS = "Photo", [
    {"name": "name", "type": "text"}, {"name": "points", "type": "number"}, {"name": "place", "type": "text"}]
BODY = '{"name": "Harbour at dusk, number %d", "points": 8, "place": "Bremen"}'
ROUNDS, SECONDS, ROWS = 5, 3, 1_000_000
# Each value of the field that is asked for is that of so many rows.
ALIKE = 10
# 10,000 a second; reads twice as many as PocketBase's; an answer out of a million in 5 ms.
EACH_BAR, READ_BAR, QUERY_MILLISECONDS = 100, 1 / 2, 5
LETTERS = string.ascii_letters + string.digits


@dataclasses.dataclass
class Load:
    """What wrk sends to a server."""

    url: str
    method: str
    where: str
    body: str | None = None
    lines: pathlib.Path | None = None
    fields: dict = dataclasses.field(default_factory=dict)

    def run(self, connections, under=ON_LOAD_CORE, seconds=SECONDS):
        """Answers a second, and milliseconds: the median, and what the slowest hundredth takes at least."""
        fields = "\n".join(f"{name}: {value}" for name, value in self.fields.items())
        variables = {"METHOD": self.method, "WHERE": self.where, "FIELDS": fields}
        variables |= {"BODY": self.body} if self.body else {}
        variables |= {"LINES": str(self.lines)} if self.lines else {}
        told = subprocess.run(
            [*under, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", SCRIPT, self.url],
            capture_output=True, text=True, timeout=60, check=True, env=os.environ | variables).stdout
        assert "Non-2xx" not in told and "Socket errors" not in told, told
        taken = {percent: float(value) * MILLISECONDS[unit]
                 for percent, value, unit in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", told)}
        return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1]), "p50": taken["50"], "p99": taken["99"]}


def figures():
    needed("wrk", "taskset")
    with tempfile.TemporaryDirectory(dir=os.environ.get("EIGHTBELLS_BENCH_FOLDER")) as name:
        folder = pathlib.Path(name)
        yield from alone(folder)
        hub = Hub(folder / "hub", under=ON_SERVER_CORE).start()
        rules = {rule: "" for rule in ("createRule", "viewRule", "listRule")}
        index = f"CREATE INDEX points ON {KIND} (points)"
        try:
            app = ParseApp(hub)
            with pocketbase(folder / "pocketbase", KIND, FIELDS, rules, [index]) as (port, _):
                servers = {"hub": Ours(app, folder), "PocketBase": Theirs(port, folder)}
                yield from compared("objects created", {one: at.creating for one, at in servers.items()}, 32,
                                    RATE_BAR, SLOW_BAR)
                yield from compared("objects read by id", {one: at.reading() for one, at in servers.items()}, 32,
                                    READ_BAR)
                for server in servers.values():
                    server.fill()
                yield from compared(f"queries over {ROWS:,}", {one: at.asking() for one, at in servers.items()}, 8,
                                    READ_BAR)
                yield from one_query(servers["hub"])
        finally:
            hub.stop()


def alone(folder):
    hub = Hub(folder / "alone").start()
    try:
        load = Ours(ParseApp(hub), folder).creating
        rounds = [load.run(128, under=()) for _ in range(ROUNDS + 1)][1:]
    finally:
        hub.stop()
    rate = statistics.median(run["rate"] for run in rounds)
    slow = statistics.median(run["p99"] for run in rounds)
    yield Figure("an object created durably, 128 connections", 1e6 / rate, "µs", EACH_BAR,
                 f"{rate:,.0f} a second; the slowest hundredth {slow:.1f} ms")


class Server:
    """A server, and its files of what to ask for."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.fields = {}

    def load(self, method, where, body=None, lines=None):
        path = None
        if lines:
            path = self.folder / f"{self.name}-{len(lines)}"
            path.write_text("\n".join(lines))
        return Load(self.url, method, where, body, path, self.fields)

    @property
    def creating(self):
        return self.load("POST", self.path, BODY)

    def reading(self):
        """Reads some thousand of those that were created."""
        return self.load("GET", f"{self.path}/%s", lines=self.some_ids())

    def fill(self):
        """Adds rows until there are a million, by SQL, since a million requests take minutes."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=60)) as database, database:
            have = database.execute(self.count).fetchone()[0]
            database.executemany(self.insert, (self.row(number) for number in range(ROWS - have)))
            database.execute("ANALYZE")

    def asking(self):
        return self.load("GET", self.query, lines=[str(100 + random.randrange(ROWS // ALIKE)) for _ in range(5_000)])


def drawn(length):
    return "".join(secrets.choice(LETTERS) for _ in range(length))


class Ours(Server):
    def __init__(self, app, folder):
        super().__init__(folder, "hub")
        self.app, self.url, self.path = app, app.hub.url, f"/parse/classes/{KIND}"
        self.fields = app.headers()
        self.database = app.hub.data / "eightbells.sqlite"
        where = urllib.parse.quote('{"points":1}').replace("1", "%s")
        self.query = f"{self.path}?where={where}"
        # The class is there with its first object.
        assert app.ask("POST", f"classes/{KIND}", json.loads(BODY.replace("%d", "0")))[0] == 201
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            self.kind = database.execute("SELECT number FROM apps_classes WHERE name = ?", (KIND,)).fetchone()[0]
        self.count = f"SELECT COUNT(*) FROM apps_objects WHERE class = {self.kind}"
        self.insert = ("INSERT INTO apps_objects (class, id, created_at, updated_at, body)"
                       f" VALUES ({self.kind}, ?, ?, ?, ?)")

    def some_ids(self):
        found = self.app.ask("GET", f"classes/{KIND}?limit=1000&keys=objectId")[1]["results"]
        return [one["objectId"] for one in found]

    def row(self, number):
        now = int(time.time() * 1_000)
        fields = {"name": f"Harbour at dusk, number {number}", "points": 100 + number // ALIKE, "place": "Bremen"}
        return drawn(10), now, now, json.dumps(fields, separators=(",", ":"))

    def asking(self):
        """The same, once the index is there."""
        path = self.query.removeprefix("/parse/").replace("%s", "200")

        def is_fast():
            since = time.monotonic()
            assert len(self.app.ask("GET", path)[1]["results"]) == ALIKE
            return time.monotonic() - since < 0.05

        eventually(lambda: all(is_fast() for _ in range(20)), 300, "an index for a field that is often asked for")
        return super().asking()


class Theirs(Server):
    def __init__(self, port, folder):
        super().__init__(folder, "pocketbase")
        self.url, self.path = f"http://127.0.0.1:{port}", f"/api/collections/{KIND}/records"
        self.database = folder / "pocketbase/data/data.db"
        self.query = f"{self.path}?filter=points%3D%s&perPage=100&skipTotal=1"
        self.count = f"SELECT COUNT(*) FROM {KIND}"
        self.insert = f"INSERT INTO {KIND} (id, name, points, place) VALUES (?, ?, ?, ?)"

    def some_ids(self):
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            return [row[0] for row in database.execute(f"SELECT id FROM {KIND} LIMIT 1000")]

    def row(self, number):
        return drawn(15).lower(), f"Harbour at dusk, number {number}", 100 + number // ALIKE, "Bremen"


def compared(what, loads, connections, bar, slow_bar=None):
    runs = in_turns(loads, lambda load: load.run(connections), ROUNDS)
    of = {name: {key: [run[key] for run in found] for key in ("rate", "p99")} for name, found in runs.items()}
    for name, found in of.items():
        yield Figure(
            f"{what}, {name}, {connections} connections", statistics.median(found["rate"]), "/s",
            notes=f"{spread(found['rate'], '{:,.0f}')} a second; the slowest hundredth "
            f"{statistics.median(found['p99']):.2f} ms, {spread(found['p99'])} ms")
    ours, peer = of["hub"], of["PocketBase"]
    yield Figure(f"{what}, PocketBase : hub", median_ratio(peer["rate"], ours["rate"]), "×", bar)
    if slow_bar:
        yield Figure(f"{what}, slowest hundredth, hub : PocketBase", median_ratio(ours["p99"], peer["p99"]), "×",
                     slow_bar)


def one_query(server):
    told = server.asking().run(1)
    yield Figure(f"a query over {ROWS:,} objects, one at a time", told["p50"], "ms", QUERY_MILLISECONDS,
                 f"the slowest hundredth {told['p99']:.2f} ms")
