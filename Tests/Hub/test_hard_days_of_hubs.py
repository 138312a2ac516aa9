"""Hard days of several hubs: their database server is slow, full, or replaced by one that lacks what came last; their
clocks differ, a network is cut, and one stands still. What was acknowledged is there or its loss is told, and no work
is done by two."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import pytest

from hub import STATE, eventually
from postgres import Replica, name_of, over
from relay import Relay
from traces import happened
from webhook_receiver import WebhookReceiver

# Their records are on a server of their own.
pytestmark = [pytest.mark.file, pytest.mark.waits]

NOTIFICATIONS = "/api/v1/notifications"
# Kept by a hub with all rooms.
WORK = 12


@pytest.fixture
def make_hubs(make_hub, nats, tmp_path, monkeypatch):
    """Makes hubs on the same records, of which the first is set up."""
    # On a machine that is busy a start among others takes long.
    monkeypatch.setattr("hub.START_SECONDS", 90)
    (tmp_path / "blobs").mkdir()
    made = []

    def make(store, name="one", bus=nats.url, **more):
        options = ["--store", store, "--blobs", tmp_path / "blobs", "--bus", bus]
        hub = make_hub(name, options=options, **more)
        if made:
            hub.owner_token, hub.keykeeper_token = made[0].owner_token, made[0].keykeeper_token
        else:
            hub.configure()
        made.append(hub)
        return hub

    return make


def leases(postgres, store):
    """{work: (hub, token)} of those that have a holder."""
    lines = postgres.ask("SELECT name, hub, token FROM hub_leases WHERE until > extract(epoch FROM clock_timestamp())",
                         store).splitlines()
    return {name: (hub, int(token)) for name, hub, token in (line.split("|") for line in lines)}


def all_held(postgres, store, before=None):
    """The leases, once one hub has all work; another one than before, whose leases end after some seconds."""
    def held():
        found = leases(postgres, store)
        holders = {hub for hub, _ in found.values()}
        return len(found) >= WORK and len(holders) == 1 and not holders & {
            hub for hub, _ in (before or {}).values()} and found
    return eventually(held, 60, "all work has a holder")


def goes_on(one, other, message):
    eventually(lambda: one.post(STATE, one.keykeeper_token, {"open": True, "message": message})[0] == 200, 60)
    eventually(lambda: other.get(STATE)[1].get("message") == message, 60, "the other knows")


def test_a_slow_server_makes_hubs_slow_and_nothing_else(make_hubs, postgres, tmp_path):
    store = postgres.database(tmp_path)
    with Relay(postgres.socket) as line:
        one = make_hubs(over(line, store))
        other = make_hubs(over(line, store), "other")
        all_held(postgres, store)
        line.delay = 0.02
        for number in range(3):
            goes_on(one, other, f"slow {number}")
            goes_on(other, one, f"slow back {number}")
        all_held(postgres, store)
        line.delay = 0
        # It hangs for longer than leases last: nobody works, and then somebody does.
        line.is_cut = True
        eventually(lambda: "leases have ended without an answer" in one.log + other.log, 20, "work ends in time")
        line.is_cut = False
        goes_on(one, other, "it is back")
        all_held(postgres, store)
        eventually(lambda: "leases are renewed again" in one.log + other.log, 20, "the log tells that it is back")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a small disk")
def test_a_full_server_is_told_and_works_again_when_there_is_room(make_hubs, postgres, tmp_path):
    disk = tempfile.mkdtemp(prefix="eightbells-disk", dir="/tmp")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m,mode=0777", "tmpfs", disk], check=True)
    try:
        shutil.chown(disk, "postgres")
        store = postgres.database(tmp_path)
        postgres.ask(f"CREATE TABLESPACE small LOCATION '{disk}'")
        postgres.ask(f"ALTER DATABASE {name_of(store)} SET TABLESPACE small")
        one, other = make_hubs(store), make_hubs(store, "other")
        goes_on(one, other, "there is room")
        filler = f"{disk}/filler"
        with open(filler, "wb") as file, pytest.raises(OSError):
            while True:
                file.write(bytes(1 << 20))
                file.flush()
        acknowledged, statuses = [], set()
        for number in range(3_000):
            hub = (one, other)[number % 2]
            status, answer = hub.post(NOTIFICATIONS, hub.owner_token, {
                "to": {"role": "owner"}, "content": {"title": "full", "body": "x" * 2_000}})
            statuses.add(status)
            if status == 202:
                acknowledged.append(answer["id"])
            if len(statuses) > 1:
                break
        assert statuses <= {202, 507} and 507 in statuses, statuses
        for hub in (one, other):
            assert hub.state()["message"] == "there is room", "reads go on"
        os.unlink(filler)
        goes_on(one, other, "there is room again")
        goes_on(other, one, "at both")
        for identifier in acknowledged:
            assert one.get(f"{NOTIFICATIONS}/{identifier}", token=one.owner_token)[0] == 200
        one.stop()
        other.stop()
        postgres.ask(f"DROP DATABASE {name_of(store)} WITH (FORCE)")
        postgres.ask("DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", disk], check=True)
        os.rmdir(disk)


def test_a_replica_that_lacks_the_last_changes_is_told(make_hubs, postgres, tmp_path):
    store = postgres.database(tmp_path)
    folder = tempfile.mkdtemp(prefix="eightbells-replica", dir="/tmp")
    os.chmod(folder, 0o711)
    with Relay(postgres.socket) as to_primary, Relay(postgres.socket) as to_server:
        replica = Replica(postgres, f"{folder}/replica", to_primary.port)
        try:
            one = make_hubs(over(to_server, store))
            other = make_hubs(over(to_server, store), "other")
            owner = one.sign_in("owner", "Olga")
            all_held(postgres, store)
            goes_on(one, other, "before")
            seen = "SELECT count(*) FROM space_sign WHERE message = 'before'"
            eventually(lambda: replica.ask(seen, name_of(store)) == "1", 30, "the replica has it")
            to_primary.is_cut = True
            # Acknowledged, and nowhere else: each hub has told something that is lost.
            goes_on(one, other, "lost")
            goes_on(other, one, "lost as well")
            number = int(one.request("GET", STATE).headers.get("Eightbells-Commit") or 0)
            # The server is gone, and so is what the replica would have got.
            to_primary.hang_up()
            to_server.targets = [replica.socket]
            replica.promote()
            to_server.hang_up()
            for hub in (one, other):
                eventually(lambda hub=hub: "the database lacks changes" in hub.log, 30, "each hub says so")
                assert "another database server answers" in hub.log
                eventually(lambda hub=hub: hub.get(STATE)[1].get("message") == "before", 20,
                           "nobody shows what is not there")
                # Until the next look at its health it still answers that the database was away.
                eventually(lambda hub=hub: hub.get("/healthz")[1].get("lost_changes_at", 0) > 0, 20, "its health tells")
            told = one.command("doctor", "--listen", f"127.0.0.1:{one.port}", "--json").stdout
            assert [line for line in json.loads(told) if line["subject"] == "changes" and line["verdict"] == "problem"]
            goes_on(one, other, "after")
            goes_on(other, one, "after all")
            after = int(one.request("GET", STATE).headers.get("Eightbells-Commit") or 0)
            assert after >= number, "a page takes nothing for older than what it has"
            eventually(lambda: [item for item in one.get("/api/v1/bells", headers=owner)[1]["items"]
                                if item["content"]["title"] == "The database has lost changes"], 20, "owners are told")
        finally:
            replica.stop()
            shutil.rmtree(folder)


def test_a_server_that_was_led_back_to_a_snapshot_is_noticed_by_every_hub(make_hubs, postgres, tmp_path):
    store = postgres.database(tmp_path)
    folder = tempfile.mkdtemp(prefix="eightbells-snapshot", dir="/tmp")
    os.chmod(folder, 0o711)
    with Relay(postgres.socket) as to_one, Relay(postgres.socket) as to_other:
        one = make_hubs(over(to_one, store))
        other = make_hubs(over(to_other, store), "other")
        goes_on(one, other, "before")
        snapshot = Replica(postgres, f"{folder}/snapshot")
        try:
            goes_on(one, other, "lost")
            goes_on(other, one, "lost as well")
            # The second one comes when the first has noticed it, and has given numbers above those that are lost.
            to_other.is_cut = True
            for line, hub, message in ((to_one, one, "after"), (to_other, other, "after all")):
                line.targets = [snapshot.socket]
                line.hang_up()
                line.is_cut = False
                eventually(lambda hub=hub: "the database lacks changes" in hub.log, 30, "each hub says so")
                goes_on(hub, one, message)
            goes_on(one, other, "both")
        finally:
            snapshot.stop()
            shutil.rmtree(folder)


@contextlib.contextmanager
def ended(hub):
    """Ends a hub that runs under faketime, which passes no kill on."""
    try:
        yield
    finally:
        pid = hub.process.pid
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)


def test_clocks_of_hubs_do_not_matter(make_hubs, postgres, tmp_path):
    store = postgres.database(tmp_path)
    steady = {"FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    one = make_hubs(store)
    with contextlib.ExitStack() as started:
        early = make_hubs(store, "early", under=["faketime", "-f", "-600s"], env=steady)
        started.enter_context(ended(early))
        late = make_hubs(store, "late", under=["faketime", "-f", "+600s"], env=steady)
        started.enter_context(ended(late))
        what_is_planned_waits(one, early, late)
        try_clocks(one, early, late, postgres, store)


def what_is_planned_waits(one, early, late):
    """By the clock of one of them its time has come; the log tells of that clock."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 300))
    status, planned = one.post(NOTIFICATIONS, one.owner_token, {
        "to": {"role": "owner"}, "content": {"title": "Later"}, "at": at})
    assert status == 202, planned
    goes_on(one, late, "the late one has heard of it")
    time.sleep(3)
    waiting = one.get(f"{NOTIFICATIONS}?scheduled=1", token=one.owner_token)[1]["items"]
    assert [item["id"] for item in waiting] == [planned["id"]]
    assert ["clock is another" in hub.log for hub in (one, early, late)] == [False, True, True]


def try_clocks(one, early, late, postgres, store):
    before = all_held(postgres, store)
    for number in range(2):
        for hub, next_hub in ((one, early), (early, late), (late, one)):
            goes_on(hub, next_hub, f"by {hub.data.name} {number}")
    assert leases(postgres, store) == before, "nobody's work was taken"
    # The first has all of it; whoever takes it, keeps it.
    one.kill()
    taken = eventually(lambda: (now := leases(postgres, store)) and len(now) >= WORK and now != before and now, 30)
    assert all(taken[name][1] == before[name][1] + 1 for name in before if name in taken)
    goes_on(early, late, "without the first")
    kept = leases(postgres, store)
    goes_on(late, early, "and again")
    assert leases(postgres, store) == kept


class Island:
    """A network of its own, which a line of cable joins with this machine's."""

    here, there = "10.99.18.1", "10.99.18.2"

    def __init__(self):
        self.name = f"eightbells-{os.getpid()}"
        self.cable = f"eb{os.getpid()}"
        self._ip("netns", "add", self.name)
        self._ip("link", "add", self.cable, "type", "veth", "peer", "name", "shore", "netns", self.name)
        self._ip("addr", "add", f"{self.here}/30", "dev", self.cable)
        self._ip("link", "set", self.cable, "up")
        for words in (["link", "set", "lo", "up"], ["addr", "add", f"{self.there}/30", "dev", "shore"],
                      ["link", "set", "shore", "up"]):
            self._ip("-n", self.name, *words)

    @staticmethod
    def _ip(*words):
        subprocess.run(["ip", *words], check=True)

    def cut(self):
        self._ip("link", "set", self.cable, "down")

    def mend(self):
        self._ip("link", "set", self.cable, "up")

    @property
    def inside(self):
        return ["ip", "netns", "exec", self.name]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ip("link", "del", self.cable)
        self._ip("netns", "del", self.name)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a network namespace")
def test_a_hub_that_is_cut_off_stops_its_work_and_comes_back(make_hubs, postgres, nats, tmp_path):
    store = postgres.database(tmp_path)
    one = make_hubs(store)
    with Island() as island, Relay(postgres.socket, host=island.here) as server, \
            Relay(nats.port, host=island.here) as bus:
        far = make_hubs(
            over(server, store, island.here), "far", bus=f"nats://{island.here}:{bus.port}", under=island.inside)
        # It gets all work.
        first = all_held(postgres, store)
        one.kill()
        before = all_held(postgres, store, first)
        one.start()

        def turn_there(message):
            words = ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "60",
                     "-H", f"Authorization: Bearer {one.keykeeper_token}", "-H", "Content-Type: application/json",
                     "--data", json.dumps({"open": True, "message": message}), f"http://127.0.0.1:{far.port}{STATE}"]
            return subprocess.run([*island.inside, *words], capture_output=True, text=True, check=False).stdout

        assert turn_there("there") == "200"
        eventually(lambda: one.state()["message"] == "there", what="both are one")
        island.cut()
        assert turn_there("into the sea") != "200", "it acknowledges nothing that is not kept"
        eventually(lambda: "work has ended here" in far.log, 20, "its work has ended")
        taken = all_held(postgres, store, before)
        assert one.turn(True, message="here")["open"] is True
        island.mend()
        eventually(lambda: turn_there("there again") == "200", 60, "it comes back")
        eventually(lambda: one.state()["message"] == "there again", what="both are one again")
        assert leases(postgres, store) == taken, "it takes nothing from who has it"


def test_a_hub_that_stood_still_cannot_write_with_its_old_token(make_hubs, postgres, tmp_path):
    store = postgres.database(tmp_path)
    hub = make_hubs(store)
    assert hub.command("topic", "create", "coffee", "--name", "Coffee").returncode == 0
    all_held(postgres, store)
    arrived, answers = threading.Event(), threading.Event()

    def hold_back(_):
        arrived.set()
        answers.wait(30)

    with WebhookReceiver() as receiver:
        receiver.who = hold_back
        status, answer = hub.post("/api/v1/bells/webhooks", hub.owner_token, {
            "name": "screen", "url": f"{receiver.url}/", "topics": ["coffee"]})
        assert status == 201, answer
        sent = hub.post(NOTIFICATIONS, hub.owner_token, {"to": {"topic": "coffee"}, "content": {"title": "Pot"}})[1]
        assert arrived.wait(20), "it is being posted"
        hub.process.send_signal(signal.SIGSTOP)
        # Another hub has the work now; this one is told that its post has arrived.
        postgres.ask("UPDATE hub_leases SET hub = 'other', token = token + 1,"
                     " until = extract(epoch FROM clock_timestamp()) + 3600", store)
        answers.set()
        receiver.wait(1)
        hub.process.send_signal(signal.SIGCONT)
        eventually(lambda: "work has ended here" in hub.log, 20, "it notices")
        assert "delivered" not in happened(hub, sent["id"]), "it has not written with its old token"
        postgres.ask("UPDATE hub_leases SET until = 0", store)
        # Whoever has the work does it again, under the same name.
        posts = receiver.wait(2)
        assert posts[0].fields["webhook-id"] == posts[1].fields["webhook-id"]
        eventually(lambda: "delivered" in happened(hub, sent["id"]), 20, "and then it is written")
