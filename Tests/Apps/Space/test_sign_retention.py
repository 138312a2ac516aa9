"""How long the turns of the sign are kept, and that nobody fills the disk with them."""

import sqlite3
import time

import pytest

from hub import STATE

DAY = 86_400
TURNS_OF_DAY = 500  # SpaceLimits.turnsOfDay, and IdentityLimits.auditOfDay


@pytest.fixture
def store(hub):
    connection = sqlite3.connect(hub.data / "eightbells.sqlite", isolation_level=None, timeout=10)
    yield connection
    connection.close()


def turned(store, days_ago, open):
    """A turn of long ago, as if it had been written then."""
    at = int(time.time() - days_ago * DAY)
    store.execute("INSERT INTO space_sign (set_at, open, last_change, is_change) VALUES (?, ?, ?, 1)", (at, open, at))


def count(store, what):
    return store.execute(f"SELECT count(*) FROM {what}").fetchone()[0]


def test_the_turns_of_ten_years_are_kept(hub, store):
    for days, open in ((11 * 366, 1), (3670, 0), (3650, 1), (400, 0)):
        turned(store, days, open)
    hub.turn(True)
    kept = [round((time.time() - at) / DAY) for at, in store.execute("SELECT set_at FROM space_sign ORDER BY id")]
    assert kept == [3650, 400, 0]


def test_what_the_sign_says_is_kept_however_old_it_is(hub, store):
    turned(store, 5000, 1)
    turn = hub.turn(False)["turn"]
    answer = hub.post(f"{STATE}/undo", hub.keykeeper_token, {"turn": turn})[1]
    assert answer["open"] is True


def test_turning_in_a_loop_fills_neither_the_disk_nor_the_history(hub_with_space, store):
    hub = hub_with_space
    turned(store, 200, 1)
    turned(store, 100, 0)
    owner = hub.sign_in("owner", "Olga")
    for number in range(TURNS_OF_DAY + 40):
        turn = hub.turn(number % 2 == 0)["turn"]
    assert count(store, "space_sign") <= TURNS_OF_DAY + 2
    assert count(store, "audit WHERE what = 'sign.turned'") <= TURNS_OF_DAY
    who = [(entry["who"], entry["what"]) for entry in audit(hub, owner)]
    assert ("Olga", "device.added") in who, "what else was done is still told"
    from_, to = (time.strftime("%Y-%m-%d", time.gmtime(time.time() + days * DAY)) for days in (-300, -50))
    changes = hub.get(f"/api/v1/space/history?from={from_}&to={to}")[1]["changes"]
    assert [change["open"] for change in changes] == [True, False]
    # Turned and taken back, over and over: what it said before stays.
    before = hub.state()["open"]
    for _ in range(20):
        turn = hub.turn(not before)["turn"]
        assert hub.post(f"{STATE}/undo", hub.keykeeper_token, {"turn": turn})[1]["open"] is before
    assert count(store, "space_sign") <= TURNS_OF_DAY + 3


def audit(hub, owner):
    """All entries, newest first."""
    entries = hub.get("/api/v1/audit", owner)[1]["entries"]
    while entries and (more := hub.get(f"/api/v1/audit?before={entries[-1]['id']}", owner)[1]["entries"]):
        entries += more
    return entries
