"""The retention of turns, and the limit against filling the disk with them."""

import sqlite3
import time

import pytest

from hub import STATE

pytestmark = pytest.mark.file

DAY = 86_400
TURNS_OF_DAY = 500  # SpaceLimits.turnsOfDay
ROOM = 100  # SpaceLimits.turnsRoom


@pytest.fixture
def hub(make_hub):
    """A hub that takes turns faster than it usually does."""
    return make_hub(options=["--rate-limits", "off"])


@pytest.fixture
def store(hub):
    connection = sqlite3.connect(hub.data / "eightbells.sqlite", isolation_level=None, timeout=10)
    yield connection
    connection.close()


def turned(store, days_ago, open):
    """An old turn, as if it had been written then."""
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
    for days, open in ((200, 1), (100, 0), (1.5, 1), (1.2, 0)):
        turned(store, days, open)
    for number in range(TURNS_OF_DAY + 3 * ROOM):
        hub.turn(number % 2 == 0)
    assert TURNS_OF_DAY <= count(store, "space_sign WHERE is_change = 1") <= TURNS_OF_DAY + ROOM + 4
    assert [change["open"] for change in history(hub, -300, -50)] == [True, False]
    assert [change["open"] for change in history(hub, -4, 0)][-2:] == [True, False], "yesterday stays as it was"
    # Turned and undone, over and over: the earlier state stays, and nothing grows.
    before = hub.state()
    for _ in range(TURNS_OF_DAY):
        turn = hub.turn(not before["open"])["turn"]
        assert hub.post(f"{STATE}/undo", hub.keykeeper_token, {"turn": turn})[1]["open"] is before["open"]
    assert count(store, "space_sign") <= 2 * (TURNS_OF_DAY + ROOM) + 4
    assert hub.state()["since"] == before["since"]


def test_words_in_a_loop_push_no_change_out(hub_with_space, store):
    hub = hub_with_space
    for days, open in ((2, 0), (0.01, 1)):
        turned(store, days, open)
    for number in range(TURNS_OF_DAY + 3 * ROOM):
        hub.turn(True, message=str(number))
    assert count(store, "space_sign") <= TURNS_OF_DAY + ROOM + 4
    # Tomorrow has begun in the space when the day in Greenwich is late.
    assert [change["open"] for change in history(hub, -3, 2)] == [False, True]
    assert hub.state()["message"] == str(TURNS_OF_DAY + 3 * ROOM - 1)


def history(hub, first, last):
    """The turns between two days, from today."""
    days = [time.strftime("%Y-%m-%d", time.gmtime(time.time() + number * DAY)) for number in (first, last)]
    return hub.get(f"/api/v1/space/history?from={days[0]}&to={days[1]}")[1]["changes"]
