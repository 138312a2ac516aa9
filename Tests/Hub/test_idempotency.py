"""Requests may be repeated after a lost answer: with an Idempotency-Key two requests make one change."""

import sqlite3

import pytest

from hub import STATE


def ask(hub, path, token, body, key):
    return hub._exchange("POST", path, token, body, {"Idempotency-Key": key})


def test_a_lost_answer_makes_no_second_turn(hub_with_space):
    hub = hub_with_space
    first = ask(hub, STATE, hub.keykeeper_token, {"open": True, "message": "Come in"}, "a-1")
    assert first[0] == 200
    assert hub.turn(False)["turn"] == first[1]["turn"] + 1
    again = ask(hub, STATE, hub.keykeeper_token, {"open": True, "message": "Come in"}, "a-1")
    assert again == first
    # The answer is the earlier one, and nothing was turned.
    assert hub.state()["open"] is False and hub.state()["turn"] == first[1]["turn"] + 1


def test_the_same_key_for_another_request_is_refused(hub_with_space):
    hub = hub_with_space
    assert ask(hub, STATE, hub.keykeeper_token, {"open": True}, "a-1")[0] == 200
    status, answer = ask(hub, STATE, hub.keykeeper_token, {"open": False}, "a-1")
    assert (status, answer["code"]) == (409, 40922)
    assert hub.state()["open"] is True


def test_a_refused_request_does_not_use_its_key_up(hub_with_space):
    hub = hub_with_space
    assert ask(hub, STATE, hub.keykeeper_token, {"open": "yes"}, "a-1")[0] == 400
    assert ask(hub, STATE, hub.keykeeper_token, {"open": True}, "a-1")[0] == 200


def test_a_key_is_its_callers_own(hub_with_space):
    hub = hub_with_space
    one = ask(hub, STATE, hub.keykeeper_token, {"open": True}, "a-1")
    other = ask(hub, STATE, hub.owner_token, {"open": False}, "a-1")
    assert (one[0], other[0]) == (200, 200) and other[1]["turn"] == one[1]["turn"] + 1


def test_a_key_outlives_a_kill(hub_with_space):
    hub = hub_with_space
    first = ask(hub, STATE, hub.keykeeper_token, {"open": True}, "a-1")
    hub.kill()
    hub.start()
    assert ask(hub, STATE, hub.keykeeper_token, {"open": True}, "a-1") == first


def test_what_is_shown_once_is_shown_again_and_not_kept_in_the_open(hub):
    body = {"name": "door", "role": "sensor"}
    first = ask(hub, "/api/v1/tokens", hub.owner_token, body, "a-1")
    assert first[0] == 200
    assert ask(hub, "/api/v1/tokens", hub.owner_token, body, "a-1") == first
    assert len([one for one in hub.get("/api/v1/tokens", token=hub.owner_token)[1] if one["name"] == "door"]) == 1
    hub.stop()
    with sqlite3.connect(hub.data / "eightbells.sqlite") as database:
        dump = "\n".join(map(str, database.execute("SELECT * FROM hub_answers")))
    assert first[1]["token"] not in dump and "a-1" not in dump


@pytest.mark.parametrize("key", ["", "x" * 256, "a b", "ä"])
def test_a_key_that_is_none_is_refused(hub_with_space, key):
    status, answer = ask(hub_with_space, STATE, hub_with_space.keykeeper_token, {"open": True}, key)
    assert (status, answer["code"]) == (400, 40001)
    assert hub_with_space.state()["turn"] == 0
