"""Requests may be repeated after a lost answer: with an Idempotency-Key two requests make one change."""

import json
import sqlite3

import pytest

from hub import SESSION, STATE

# As long as one must be with which somebody is signed in.
KEY = "c0ffee00c0ffee00c0ffee00"
FOLLOWED = "/api/v1/space/followed"
SUBSCRIPTION = "/api/v1/space/favourites/subscription"


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


@pytest.mark.file
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


@pytest.mark.parametrize("way", ["link", "code"])
def test_a_lost_answer_to_joining_lets_the_same_device_in(hub, way):
    link = dict(zip(("link", "code"), hub.link("member", "Mo")))[way]
    first, again = (join(hub, KEY, way, link) for _ in range(2))
    assert (first.status, again.status) == (200, 200)
    assert (again.json, again.headers["Set-Cookie"]) == (first.json, first.headers["Set-Cookie"])
    assert (first.headers["Idempotency-Replayed"], again.headers["Idempotency-Replayed"]) == (None, "true")
    fields = {"Cookie": first.headers["Set-Cookie"].partition(";")[0], "Origin": hub.url}
    assert len(hub.get("/api/v1/devices", fields)[1]) == 1


@pytest.mark.file
@pytest.mark.parametrize("way, refused", [("link", 410), ("code", 404)])
def test_only_who_joined_may_ask_again(hub, way, refused):
    link = dict(zip(("link", "code"), hub.link("member", "Mo")))[way]
    first = join(hub, KEY, way, link)
    for key in (KEY[::-1], None):
        assert join(hub, key, way, link).status == refused
    other = join(hub, KEY, way, link, device="another")
    assert (other.status, other.json["code"]) == (409, 40922)
    # A session that was signed out stays so.
    fields = {"Cookie": first.headers["Set-Cookie"].partition(";")[0], "Origin": hub.url}
    assert hub.delete(SESSION, fields)[0] == 200
    assert join(hub, KEY, way, link).status == refused
    hub.stop()
    with sqlite3.connect(hub.data / "eightbells.sqlite") as database:
        dump = "\n".join(map(str, database.execute("SELECT * FROM hub_answers")))
    for secret in (fields["Cookie"].partition("=")[2], KEY, link):
        assert secret not in dump


def test_a_key_for_joining_cannot_be_guessed(hub):
    link = hub.link("member", "Mo")[0]
    answer = join(hub, "a-1", "link", link)
    assert (answer.status, answer.json["code"]) == (400, 40001) and "22 to 255" in answer.json["error"]
    assert join(hub, KEY, "link", link).status == 200


def join(hub, key, way, link, device="phone"):
    headers = {"Origin": hub.url} | ({"Idempotency-Key": key} if key else {})
    return hub.request("POST", SESSION, headers, json.dumps({way: link, "device": device}))


def test_a_lost_answer_makes_no_second_address_of_favourites(hub):
    mo = hub.sign_in("member", "Mo")
    first, again = (ask(hub, SUBSCRIPTION, mo, None, "a-1") for _ in range(2))
    assert first[0] == 200 and again == first
    assert ask(hub, SUBSCRIPTION, mo, None, "a-2")[1]["url"] != first[1]["url"]


def test_a_lost_answer_follows_nothing_twice(hub):
    mo = hub.sign_in("member", "Mo")
    one, other = ({"url": f"https://{name}.example/", "for": "me"} for name in ("one", "other"))
    assert ask(hub, FOLLOWED, mo, one, "a-1")[0] == 200
    status, answer = ask(hub, FOLLOWED, mo, other, "a-1")
    assert (status, answer["code"]) == (409, 40922)
    followed = hub.get(FOLLOWED, mo)[1]["followed"]
    assert [space["url"] for space in followed] == [one["url"]]
    # It was ended since: a late repetition does not begin it again.
    assert hub.delete(f"{FOLLOWED}/{followed[0]['id']}", mo)[0] == 200
    assert ask(hub, FOLLOWED, mo, one, "a-1") == (200, {"followed": []})


def test_a_turn_is_taken_back_once(hub_with_space):
    hub = hub_with_space
    turn = hub.turn(True)["turn"]
    undo = f"{STATE}/undo"
    first = ask(hub, undo, hub.keykeeper_token, {"turn": turn}, "a-1")
    assert first[0] == 200
    assert ask(hub, undo, hub.keykeeper_token, {"turn": turn}, "a-1") == first
    assert ask(hub, undo, hub.keykeeper_token, {"turn": turn + 1}, "a-1")[0] == 409


def test_favourites_are_merged_once(hub):
    mo = hub.sign_in("member", "Mo")
    path = "/api/v1/space/favourites"
    sent = {"favourites": [{"event": "00000000000a", "kept": True, "at": "2026-01-01T13:00:01.000+01:00"}]}
    first = ask(hub, path, mo, sent, "a-1")
    assert first[0] == 200, first
    assert ask(hub, path, mo, sent, "a-1") == first
    assert ask(hub, path, mo, {"favourites": []}, "a-1")[0] == 409


def test_an_anchor_is_dropped_armed_and_weighed_once(hub):
    mo = hub.sign_in("member", "Mo")
    for path, sent, state in [
            ("drop", {"lat": 54.1, "lon": 10.2}, "dropped"), ("arm", {}, "waiting"), ("weigh", {"sure": True}, "idle")]:
        answers = [ask(hub, f"/api/v1/anchor/{path}", mo, sent, path) for _ in range(2)]
        for status, answer in answers:
            assert status == 200 and answer["state"] == state and ("warnings" in answer) == (path == "arm")
        assert len({answer["version"] for _, answer in answers}) == 1
        assert ask(hub, "/api/v1/anchor/extend", mo, {}, path)[1]["code"] == 40922
    did = [one["what"] for one in hub.get("/api/v1/history", mo)[1]["entries"]]
    assert sorted(what for what in did if what.startswith("anchor.")) == ["anchor.armed", "anchor.dropped",
                                                                          "anchor.weighed"]


def test_an_agent_is_registered_once(hub):
    mo = hub.sign_in("member", "Mo")
    first, again = (ask(hub, "/api/v1/bells/devices", mo, {"name": "Box"}, "a-1") for _ in range(2))
    assert first[0] == 201 and again == first
    assert [one["name"] for one in hub.get("/api/v1/bells/devices", mo)[1]].count("Box") == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "a b", "ä"])
def test_a_key_that_is_none_is_refused(hub_with_space, key):
    status, answer = ask(hub_with_space, STATE, hub_with_space.keykeeper_token, {"open": True}, key)
    assert (status, answer["code"]) == (400, 40001)
    assert hub_with_space.state()["turn"] == 0
