"""Acknowledged changes survive a kill at a random moment: of the hub under load, of a store that takes and removes
blobs, of migrations and of backups. `bin/trial durability` kills 250 times, bin/test 25."""

import contextlib
import http.client
import json
import os
import random
import shutil
import sqlite3
import subprocess
import threading
import time

import pytest

from faults import TRIAL, leftovers, trial
from hub import BINARY, SETTINGS, SPACE, STATE, clean_environment, command, eventually
from png import png
from trials import IS_WHOLE, some

pytestmark = [pytest.mark.serial, pytest.mark.file]

ROUNDS = some(100)
BLOB_ROUNDS = some(70)
PICTURE_ROUNDS = some(30)
MIGRATIONS = some(25)
BACKUPS = some(25)
WRITERS = 8
# Turns that are looked for: fewer than the hub keeps of a day (SpaceLimits.turnsOfDay).
RECENT = 400


@pytest.fixture
def dice():
    """Random numbers whose seed is printed when a test fails."""
    seed = int(os.environ.get("EIGHTBELLS_SEED") or random.randrange(1 << 32))
    print(f"seed {seed}; EIGHTBELLS_SEED={seed} repeats it")
    return random.Random(seed)


def keep_turning(hub, writer, round, acknowledged, busy):
    """Turns the sign until the hub has gone; records every acknowledged turn."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=10)
    headers = {"Authorization": f"Bearer {hub.keykeeper_token}", "Content-Type": "application/json"}
    number = 0
    with contextlib.suppress(OSError, http.client.HTTPException):
        while True:
            message = f"{round}.{writer}.{number}"
            open = (writer + number) % 2 == 0
            connection.request("POST", STATE, json.dumps({"open": open, "message": message}), headers)
            answer = connection.getresponse()
            body = json.loads(answer.read())
            assert answer.status == 200 and body["message"] == message
            acknowledged.append((message, open))
            busy.set()
            number += 1
    connection.close()


def kept_turns(hub):
    """The turns in the store, in order, which must have no gaps."""
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [(message, open == 1) for message, open in database.execute(
            "SELECT message, open FROM space_sign ORDER BY id")]


@pytest.mark.timeout(300)
def test_no_acknowledged_turn_is_lost_when_the_hub_is_killed(make_hub, dice):
    hub = make_hub()
    hub.configure()
    acknowledged = []
    assert hub.keykeeper_token
    for round in range(ROUNDS):
        first = len(acknowledged)
        busy = threading.Event()
        writers = [
            threading.Thread(target=keep_turning, args=(hub, writer, round, acknowledged, busy), daemon=True)
            for writer in range(WRITERS)]
        for writer in writers:
            writer.start()
        assert busy.wait(10), "no turn was acknowledged"
        # A random moment of the next few commits, not only right after an answer.
        threading.Event().wait(dice.uniform(0, 0.05))
        hub.kill()
        for writer in writers:
            writer.join(15)
            assert not writer.is_alive()
        kept = kept_turns(hub)
        known = set(kept)
        # The hub keeps only the last turns of a day.
        lost = [turn for turn in acknowledged[first:][-RECENT:] if turn not in known]
        assert lost == [], f"lost in round {round}"
        hub.start()
        state = hub.state()
        assert (state["message"], state["open"]) == kept[-1], "the sign says what was last kept"
        assert hub.get(SETTINGS, token=hub.owner_token)[1]["name"] == SPACE["name"]
    assert len(acknowledged) > 2 * ROUNDS
    print(f"{len(acknowledged)} acknowledged turns, {len(kept)} kept")


def test_acknowledged_settings_and_tokens_survive_a_kill_right_behind_the_answer(make_hub):
    hub = make_hub()
    assert hub.owner_token
    tokens = []
    for number in range(8):
        tokens.append(hub.token("keykeeper", f"token {number}"))
        hub.configure(name=f"Name {number}")
        hub.kill()
        hub.start()
        assert hub.get("/api/v1/space")[1]["name"] == f"Name {number}"
    assert [hub.post(STATE, token, {"open": True})[0] for token in tokens] == [200] * len(tokens)


def kept_calendars(hub):
    with contextlib.closing(sqlite3.connect(f"file:{hub.data}/eightbells.sqlite?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM programme_calendars WHERE body IS NOT NULL").fetchone()[0]


def test_the_last_good_programme_survives_a_kill(make_hub, calendar_server):
    url = calendar_server.serve("/a.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\n"
                                "DTSTART:20260601T180000Z\r\nSUMMARY:Kept\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    hub = make_hub()
    hub.configure(calendars=[{"kind": "ics", "url": url}])
    eventually(lambda: [event["title"] for event in hub.events()["events"]] == ["Kept"])
    before = hub.events()["events"]
    eventually(lambda: kept_calendars(hub), what="the copy on the disk: the page does not wait for it")
    calendar_server.serve("/a.ics", status=500)
    hub.kill()
    hub.start()
    eventually(lambda: hub.sources()[0]["problem"])
    assert hub.events()["events"] == before


def test_the_log_of_a_database_is_folded_in_when_the_hub_stops(hub_with_space):
    hub = hub_with_space
    hub.turn(True, message="kept")
    assert hub.stop() == 0
    assert kept_turns(hub) == [("kept", True)]


@pytest.mark.parametrize("command_while_running", [True, False])
def test_a_token_is_durable_when_it_is_printed(make_hub, command_while_running):
    hub = make_hub()
    if not command_while_running:
        hub.stop()
    told = command("token", "create", "--data", hub.data, "--name", "a", "--role", "owner")
    token = told.stdout.strip()
    hub.kill()
    hub.start()
    assert hub.put(SETTINGS, token, SPACE)[0] == 200


# Pictures uploaded over HTTP

def keep_sending(hub, name, dice, acknowledged, sent, busy):
    """Uploads pictures until the hub has gone; records those sent, and the last one acknowledged."""
    headers = {"Authorization": f"Bearer {hub.owner_token}"}
    with contextlib.suppress(OSError, http.client.HTTPException):
        while True:
            picture = png(1_000, dice.choice([20, 70, 400]), seed=dice.random())
            sent[name] = picture
            answer = hub.request("PUT", f"/api/v1/space/pictures/{name}", headers, picture)
            assert answer.status == 200, answer.body
            acknowledged[name] = picture
            busy.set()


@pytest.mark.timeout(300)
def test_no_acknowledged_picture_is_lost_when_the_hub_is_killed_while_others_come(make_hub, dice):
    hub = make_hub()
    hub.configure()
    assert hub.owner_token
    acknowledged, sent = {}, {}
    for round in range(PICTURE_ROUNDS):
        busy = threading.Event()
        senders = [
            threading.Thread(
                target=keep_sending, args=(hub, name, random.Random(dice.random()), acknowledged, sent, busy),
                daemon=True)
            for name in ("logo", "open", "closed")]
        for sender in senders:
            sender.start()
        assert busy.wait(20), "no picture was acknowledged"
        threading.Event().wait(dice.uniform(0, 0.05))
        hub.kill()
        for sender in senders:
            sender.join(20)
            assert not sender.is_alive()
        hub.start()
        for name, picture in acknowledged.items():
            shown = hub.request("GET", f"/space/pictures/{name}")
            # The last one may have been stored without its answer.
            assert shown.status == 200 and shown.body in (picture, sent[name]), f"{name} is lost in round {round}"
            acknowledged[name] = shown.body
        told = command("store", "verify", "--data", hub.data)
        assert told.returncode == 0, told.stdout
        eventually(lambda: leftovers(hub.data) == [], what="the hub to have tidied up")
    print(f"{PICTURE_ROUNDS} kills, {told.stdout.strip()}")


# Blobs, migrations and backups, through the store's own program

def words_of(process, seconds):
    """A process' output until it was killed, so many seconds after its first line."""
    first = process.stdout.readline()
    threading.Event().wait(seconds)
    process.kill()
    return (first + process.communicate(timeout=20)[0]).decode().splitlines()


@pytest.mark.timeout(300)
def test_no_acknowledged_blob_is_lost_or_left_behind_when_its_store_is_killed(tmp_path, dice):
    data = tmp_path / "album"
    kept, gone, unsure = {}, set(), set()
    for round in range(1, BLOB_ROUNDS + 1):
        load = subprocess.Popen(
            [TRIAL, "load", data, str(round)], stdout=subprocess.PIPE, env=clean_environment(), bufsize=0)
        for line in words_of(load, dice.uniform(0, 0.1)):
            match line.split():
                case ["kept", name, digest]: kept[name] = digest
                case ["removing", number]: unsure |= {f"small-{number}", f"large-{number}"}
                case ["gone", number]: gone |= {f"small-{number}", f"large-{number}"}
        names = dict(line.split() for line in trial("names", data).splitlines())
        lost = [name for name in kept if name not in unsure and names.get(name) != kept[name]]
        assert lost == [], f"lost in round {round}"
        assert [name for name in gone if name in names] == [], f"came back in round {round}"
        trial("check", data)
        assert leftovers(data) == []
    assert len(kept) > BLOB_ROUNDS and (gone or not IS_WHOLE)
    print(f"{len(kept)} blobs kept, {len(gone)} of them removed")


def kill_until(count, dice, start, check):
    """Starts something and kills it at a random moment, until it was killed before its end so many times; `check`
    examines the remains each time."""
    begin = time.monotonic()
    assert start(0).wait(20) == 0
    life = time.monotonic() - begin
    check(0)
    killed = 0
    for round in range(1, 10 * count):
        process = start(round)
        threading.Event().wait(dice.uniform(0, life))
        process.kill()
        if process.wait(20) == -9:
            killed += 1
        else:
            life *= 0.9  # the first one was slow
        check(round)
        if killed == count:
            print(f"{killed} of {round} were killed before their end")
            return
    raise AssertionError(f"only {killed} were killed before their end")


def quietly(*words):
    return subprocess.Popen(
        [str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean_environment())


@pytest.mark.timeout(300)
def test_a_killed_migration_leaves_a_whole_store(tmp_path, dice):
    album, data = tmp_path / "album", tmp_path / "migrated"
    trial("fill", album, 20, 1)
    whole = trial("check", album)

    def start(_):
        shutil.copytree(album, data)
        return quietly(TRIAL, "migrate", data)

    def check(_):
        assert trial("check", data) == whole
        trial("migrate", data)
        assert trial("check", data) == whole
        assert leftovers(data) == []
        shutil.rmtree(data)

    kill_until(MIGRATIONS, dice, start, check)


@pytest.mark.timeout(300)
def test_a_killed_backup_is_whole_or_not_there_and_harms_nothing(tmp_path, dice):
    album, backup, restored = tmp_path / "album", tmp_path / "b", tmp_path / "restored"
    trial("fill", album, 20, 1)
    whole = trial("check", album)

    def check(_):
        assert trial("check", album) == whole
        if backup.exists():
            told = command("restore", backup, "--data", restored)
            assert told.returncode == 0, told.stderr
            assert trial("check", restored) == whole
            shutil.rmtree(restored)
            backup.unlink()

    kill_until(BACKUPS, dice, lambda _: quietly(BINARY, "backup", backup, "--data", album), check)
