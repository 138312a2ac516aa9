"""The door contact, and undoing a turn: when the sign is unknown, and which report takes precedence."""

import concurrent.futures
import datetime
import time

import pytest

from hub import STATE, eventually

SWITCH = "/api/v1/space/switch"
UNDO = f"{STATE}/undo"


def seconds(text):
    return datetime.datetime.fromisoformat(text).timestamp()


@pytest.fixture
def door(hub_with_space):
    """Reports as the contact does: door(True), with a heartbeat longer than a test."""
    token = hub_with_space.token("sensor", "front door")

    def report(open, heartbeat=600):
        status, answer = hub_with_space.put(SWITCH, token, {"open": open, "heartbeat_s": heartbeat})
        assert status == 200, answer
        return answer

    report.token = token
    return report


def undo(hub, turn):
    return hub.post(UNDO, hub.keykeeper_token, {"turn": turn})


def history(hub):
    return [change["open"] for change in hub.get("/api/v1/space/history")[1]["changes"]]


def spaceapi(hub):
    return hub.get("/spaceapi.json")[1]["state"]


# The contact

def test_the_contact_turns_the_sign(hub_with_space, door):
    hub = hub_with_space
    for open, state in ((True, "open"), (True, "open"), (False, "closed")):
        answer = door(open)
        told = hub.state()
        assert (told["open"], told["state"], told["source"]) == (open, state, "contact")
        assert answer | {"as_of": None} == told | {"as_of": None}
        assert spaceapi(hub)["open"] is open
    assert history(hub) == [True, False], "a heartbeat is no change"


@pytest.mark.parametrize("sent, said", [
    ({"open": True}, "heartbeat_s: missing"), ({"heartbeat_s": 5}, "open: missing"),
    ({"open": "true", "heartbeat_s": 5}, "open: a string"), ({"open": True, "heartbeat_s": 0}, "heartbeat_s: 0"),
    ({"open": True, "heartbeat_s": -1}, "-1"), ({"open": True, "heartbeat_s": 86401}, "86401"),
    ({"open": True, "heartbeat_s": "60"}, "heartbeat_s: a string"), ({"open": None, "heartbeat_s": 5}, "open: null"),
    ({"open": True, "heartbeat_s": 5, "by": "me"}, "by: unknown"), ([], "body: a list"),
])
def test_a_report_that_says_too_little_is_refused(shared_hub, sent, said):
    status, answer = shared_hub.put(SWITCH, shared_hub.owner_token, sent)
    assert status == 400 and said in answer["error"], answer
    assert shared_hub.state()["state"] == "unknown"


def test_a_contact_that_died_while_the_hub_was_off_is_not_believed(hub_with_space, door):
    hub = hub_with_space
    door(True, heartbeat=1)
    said = time.time()
    hub.kill()
    eventually(lambda: time.time() - said > 2.5)
    hub.start()
    state = hub.state()
    assert state["state"] == "unknown" and seconds(state["unknown_since"]) - said < 3
    eventually(lambda: history(hub) == [True, None])


def test_after_a_restart_the_contact_has_what_is_left_of_its_time(hub_with_space, door):
    hub = hub_with_space
    door(True, heartbeat=2)
    hub.kill()
    hub.start()
    assert hub.state()["open"] is True
    eventually(lambda: hub.state()["state"] == "unknown", seconds=6)


# Precedence of reports

def test_a_keykeepers_word_stands_until_the_contact_changes(hub_with_space, door):
    hub = hub_with_space
    door(True)
    hub.turn(False, message="Back at nine", by="Ada")
    door(True)
    assert (hub.state()["open"], hub.state()["source"], hub.state()["by"]) == (False, "person", "Ada")
    door(False)
    state = hub.state()
    assert (state["open"], state["source"], state["message"]) == (False, "contact", "Back at nine")
    door(True)
    assert (hub.state()["open"], hub.state()["message"]) == (True, None)
    assert history(hub) == [True, False, True]


def test_a_keykeepers_word_needs_no_contact(hub_with_space, door):
    hub = hub_with_space
    door(False, heartbeat=1)
    hub.turn(True)
    eventually(lambda: hub.get(SWITCH, token=door.token)[1]["silent"])
    assert hub.state()["open"] is True


def test_the_sign_survives_a_kill_with_its_source(hub_with_space, door):
    hub = hub_with_space
    door(True)
    hub.turn(False, until="2020-01-01T00:00:00Z")
    before = hub.state()
    assert before["until_passed"] is True and before["open"] is False
    hub.kill()
    hub.start()
    assert hub.state() | {"as_of": 0} == before | {"as_of": 0}
    door(True)
    assert hub.state()["open"] is False


# Undo

def test_a_turn_is_taken_back(hub_with_space):
    hub = hub_with_space
    first = hub.turn(True, message="Come in", by="Ada")
    turned = hub.turn(False)
    assert undo(hub, turned["turn"])[1] | {"as_of": 0} == first | {"as_of": 0}
    assert hub.state() | {"as_of": 0} == first | {"as_of": 0}
    assert history(hub) == [True]
    # The answer was lost, and the request is repeated.
    assert undo(hub, turned["turn"])[0] == 200
    hub.kill()
    hub.start()
    assert hub.state()["open"] is True and history(hub) == [True]


def test_the_first_turn_of_all_is_taken_back(hub_with_space):
    hub = hub_with_space
    turned = hub.turn(True)
    status, state = undo(hub, turned["turn"])
    assert status == 200 and state["state"] == "unknown" and state["unknown_since"] is None
    assert history(hub) == [] and "open" not in spaceapi(hub) and "events" not in hub.get("/spaceapi.json")[1]
    assert hub.turn(True)["turn"] > turned["turn"], "a number is never given twice"


def test_only_the_turn_that_is_meant_is_taken_back(hub_with_space, door):
    hub = hub_with_space
    one = hub.turn(True)
    two = hub.turn(True, message="other words")
    status, answer = undo(hub, one["turn"])
    assert (status, answer["code"]) == (409, 40945)
    assert hub.state()["message"] == "other words"
    door(False)
    assert undo(hub, two["turn"])[1]["code"] == 40945
    status, answer = undo(hub, hub.state()["turn"])
    assert (status, answer["code"]) == (409, 40946)
    assert undo(hub, 999)[1]["code"] == 40445
    assert undo(hub, 0)[1]["code"] == 40445 and undo(hub, -1)[0] == 404


@pytest.mark.parametrize("sent", [{}, {"turn": "1"}, {"turn": 1.5}, [], {"turn": 1, "why": "x"}, {"turn": None}])
def test_an_undo_names_its_turn(hub_with_space, sent):
    assert hub_with_space.post(UNDO, hub_with_space.keykeeper_token, sent)[1]["code"] == 40003


def test_of_many_at_once_one_turn_is_taken_back_once(hub_with_space):
    hub = hub_with_space
    hub.turn(True)
    turned = hub.turn(False)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: undo(hub, turned["turn"]), range(16)))
    assert {status for status, _ in answers} == {200}
    assert hub.state()["open"] is True and history(hub) == [True]


def test_what_the_contact_said_meanwhile_holds_after_an_undo(hub_with_space, door):
    hub = hub_with_space
    door(True, heartbeat=1)
    eventually(lambda: hub.state()["state"] == "unknown")
    turned = hub.turn(False)
    door(True)  # unchanged: the person's report takes precedence
    assert hub.state()["open"] is False
    assert undo(hub, turned["turn"])[1]["open"] is True
    assert hub.state()["source"] == "contact"
