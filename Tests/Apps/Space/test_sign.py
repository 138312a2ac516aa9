"""The sign over the hub's API: who may turn it, refusals with their reasons, and what everyone then reads."""

import datetime
import json
import zoneinfo

import pytest

from hub import STATE, eventually

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
NEW_YORK = zoneinfo.ZoneInfo("America/New_York")


def seconds(text):
    return datetime.datetime.fromisoformat(text).timestamp()


def now():
    return datetime.datetime.now(datetime.UTC).timestamp()


def test_nothing_is_known_before_the_first_turn(hub):
    state = hub.state()
    assert abs(seconds(state.pop("as_of")) - now()) < 10
    nothing = dict.fromkeys(
        ["open", "lastchange", "since", "unknown_since", "source", "message", "until", "by", "opens"])
    assert state == nothing | {"state": "unknown", "until_passed": False, "turn": 0}


def test_the_state_may_be_read_from_any_page_and_is_always_asked_for_again(hub):
    answer = hub.request("GET", STATE, {"Origin": "https://elsewhere.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cache-Control"] in ("no-cache", "no-store")


@pytest.mark.parametrize("header, status, said", [
    (None, 401, "A token is needed"),
    ("Bearer eb_wrong", 401, "unknown"),
    ("Bearer", 401, "unknown"),
    ("Basic dXNlcjpwYXNz", 401, "A token is needed"),
    ("eb_wrong", 401, "unknown"),
])
def test_nobody_turns_the_sign_without_a_token(shared_hub, header, status, said):
    shared_hub.turn(False)
    answer = shared_hub.request("POST", STATE, {"Authorization": header} if header else {}, b'{"open": true}')
    assert answer.status == status
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert said in answer.json["error"] and "token create" in answer.json["help"]
    assert shared_hub.state()["open"] is False


@pytest.mark.parametrize("role, may", [("owner", True), ("keykeeper", True), ("member", False), ("reader", False)])
def test_a_role_says_who_turns_the_sign(hub, role, may):
    status, answer = hub.post(STATE, hub.token(role), {"open": True})
    if may:
        assert status == 200
    else:
        assert status == 403 and role in answer["error"] and "keykeeper" in answer["help"]
    assert hub.state()["open"] is (True if may else None)


def test_the_word_bearer_is_read_in_any_case(hub):
    headers = {"Authorization": f"bEARER {hub.keykeeper_token}"}
    assert hub.request("POST", STATE, headers, b'{"open": true}').status == 200


REFUSED = [
    ('{"open": "false"}', ["open", "a string", "true or false"]),
    ('{"open": 0.0}', ["open", "a number", "true or false"]),
    ('{"open": [true]}', ["open", "a list", "true or false"]),
    ('{"open": {"open": true}}', ["open", "an object", "true or false"]),
    ('{"open": true, "mesage": "x"}', ["mesage", "unknown", "message"]),
    ('{"open": true, "lastchange": 1}', ["lastchange", "unknown"]),
    ("null", ["body", "null", "an object"]),
    ("", ["no JSON"]),
    ("open=true", ["no JSON", "line 1, column"]),
    ('{"open": true', ["no JSON"]),
    ('{"open": true} extra', ["no JSON"]),
    ("{'open': true}", ["no JSON"]),
    ('{"open": true, "open": false}', ["open"]),
    (b'{"open": true, "message": "\xff"}', ["no JSON"]),
    ('{"open": true, "message": "a\\u0000b"}', []),
    ("[" * 5000 + "]" * 5000, ["no JSON"]),
    (json.dumps({"open": True, "message": "m" * 501}), ["message", "501", "500"]),
    (json.dumps({"open": True, "by": "b" * 101}), ["by", "101", "100"]),
    ('{"open": true, "until": ""}', ["until"]),
    ('{"open": true, "until": "soon"}', ["until", "soon", "23:00"]),
    ('{"open": true, "until": "2026-11-20T23:00:00"}', ["until", "2026-11-20T23:00:00"]),
    ('{"open": true, "until": "2026-11-20"}', ["until"]),
    ('{"open": true, "until": "2026-13-01T00:00:00Z"}', ["until"]),
    ('{"open": true, "until": "2026-02-30T00:00:00Z"}', ["until"]),
]


@pytest.mark.parametrize("body, said", REFUSED, ids=[str(body)[:40] for body, _ in REFUSED])
def test_everything_but_a_right_turn_is_refused_with_the_reason(shared_hub, body, said):
    hub = shared_hub
    hub.turn(False, message="as it was")
    before = hub.state()
    headers = {"Authorization": f"Bearer {hub.keykeeper_token}"}
    answer = hub.request("POST", STATE, headers, body if isinstance(body, bytes) else body.encode())
    assert answer.status == 400, answer.body
    error = answer.json
    assert list(error)[:3] == ["code", "error", "help"] and error["code"] // 100 == 400
    assert set(error) - {"code", "error", "help"} <= {"reason"}
    assert [part for part in said if part not in error["error"]] == [], error
    assert {**hub.state(), "as_of": None} == {**before, "as_of": None}


def test_a_turn_is_answered_with_the_new_state(hub_with_space):
    before = int(now())
    answer = hub_with_space.turn(True, message="Kommt herein! 🚪", by="Ada")
    after = now()
    assert (answer["open"], answer["message"], answer["by"]) == (True, "Kommt herein! 🚪", "Ada")
    assert isinstance(answer["lastchange"], int) and before <= answer["lastchange"] <= after
    assert seconds(answer["since"]) == answer["lastchange"]
    read = hub_with_space.state()
    assert {**read, "as_of": None} == {**answer, "as_of": None}


def test_a_text_of_the_greatest_length_is_taken_character_by_character(hub):
    """A flag is one character to people, but several code points."""
    flags = "🇩🇪" * 500
    assert hub.turn(True, message=flags, by="ä" * 100)["message"] == flags


def test_the_same_turn_again_keeps_the_time_of_the_change(hub):
    first = hub.turn(True)["lastchange"]
    eventually(lambda: now() >= first + 1, 3)
    again = hub.turn(True, message="more words")
    assert (again["lastchange"], again["message"]) == (first, "more words")
    changed = hub.turn(False)["lastchange"]
    assert changed > first
    assert [change["open"] for change in hub.get("/api/v1/space/history")[1]["changes"]] == [True, False]


def test_what_a_turn_does_not_say_is_gone(hub):
    hub.turn(True, message="Come in", until="2030-01-01T00:00:00Z", by="Ada")
    again = hub.turn(True)
    assert (again["message"], again["until"], again["by"]) == (None, None, None)


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_text_is_none(hub, empty):
    assert hub.turn(True, message=empty, by=empty, until=None)["message"] is None


@pytest.mark.parametrize("zone", [BERLIN, NEW_YORK, zoneinfo.ZoneInfo("Asia/Kolkata")], ids=str)
def test_a_clock_time_is_the_next_one_in_the_space(hub, zone):
    hub.configure(timezone=str(zone))
    local = datetime.datetime.now(zone)
    for minutes in (90, -90):
        # A margin of a minute: the clock may advance between the test and the hub.
        wanted = (local + datetime.timedelta(minutes=minutes)).replace(second=0, microsecond=0)
        answer = hub.turn(True, until=f"{wanted:%H:%M}")
        until = datetime.datetime.fromisoformat(answer["until"])
        day = wanted.date() if minutes > 0 else wanted.date() + datetime.timedelta(days=1)
        assert until.replace(tzinfo=None) == datetime.datetime.combine(day, wanted.time())
        assert until.utcoffset() == until.astimezone(zone).utcoffset()


@pytest.mark.parametrize("sent, told", [
    ("2027-01-15T23:00:00+01:00", "2027-01-15T23:00:00+01:00"),
    ("2027-07-15T22:00:00Z", "2027-07-16T00:00:00+02:00"),
    ("2027-01-15T22:00:00.75Z", "2027-01-15T23:00:00+01:00"),
    ("2027-03-28T01:00:00Z", "2027-03-28T03:00:00+02:00"),
])
def test_a_time_is_told_with_the_offset_of_the_space(shared_hub, sent, told):
    assert shared_hub.turn(True, until=sent)["until"] == told


def test_until_never_turns_the_sign_by_itself(hub_with_space):
    hub_with_space.turn(True, until="2020-01-01T00:00:00Z")
    assert hub_with_space.state()["open"] is True


def test_the_history_tells_each_change_once_with_its_time_and_person(hub_with_space):
    hub = hub_with_space
    hub.turn(True, by="Ada")
    hub.turn(True, message="words only", by="Bob")
    changed = hub.turn(False, by="Cleo")
    changes = hub.get("/api/v1/space/history", token=hub.token("member"))[1]["changes"]
    assert [(change["open"], change["by"]) for change in changes] == [(True, "Ada"), (False, "Cleo")]
    assert changes[-1]["at"] == changed["since"]
    tomorrow = datetime.datetime.now(BERLIN).date() + datetime.timedelta(days=1)
    later = hub.get(f"/api/v1/space/history?from={tomorrow}")[1]["changes"]
    assert later == [changes[-1] | {"by": None}], "what held at the beginning comes first"
    earlier = hub.get("/api/v1/space/history?from=2020-01-01&to=2020-02-01")[1]["changes"]
    assert earlier == []


def test_strangers_are_not_told_who_came_and_went(hub_with_space):
    """The current sign names its author; months of turns would reveal habits."""
    hub = hub_with_space
    for open, who in ((True, "Ada Lovelace"), (False, "Bob Builder"), (True, "Cleo Nile")):
        hub.turn(open, by=who)
    for path in ("/api/v1/space/history", "/spaceapi.json", "/api/v1/space", "/api/v1/space/hours"):
        answer = hub.request("GET", path)
        assert answer.status == 200
        named = [who for who in (b"Ada", b"Bob") if who in answer.body]
        assert named == [], f"{path} names {named}"
    stranger, member = hub.request("GET", "/api/v1/space/history"), hub.sign_in("member", "Mira")
    known = hub.request("GET", "/api/v1/space/history", member)
    assert [change["by"] for change in stranger.json["changes"]] == [None] * 3
    sensor = hub.get("/api/v1/space/history", token=hub.token("sensor"))[1]
    assert sensor["changes"] == stranger.json["changes"], "a sensor reports and reads nothing"
    assert [change["by"] for change in known.json["changes"]] == ["Ada Lovelace", "Bob Builder", "Cleo Nile"]
    assert stranger.headers["Access-Control-Allow-Origin"] == "*"
    assert stranger.headers["Cache-Control"] == "no-cache"
    assert known.headers["Access-Control-Allow-Origin"] is None and known.headers["Cache-Control"] == "no-store"
    assert "Cookie" in stranger.headers["Vary"] and "Cookie" in known.headers["Vary"]


def test_the_demo_year_is_told_without_a_gap(demo_hub):
    today = datetime.datetime.now(BERLIN).date()
    first = today - datetime.timedelta(days=400)
    changes = demo_hub.get(f"/api/v1/space/history?from={first}&to={today + datetime.timedelta(days=1)}")[1]["changes"]
    assert len(changes) > 200
    assert [change["open"] for change in changes] == [index % 2 == 0 for index in range(len(changes))]
    times = [seconds(change["at"]) for change in changes]
    assert times == sorted(times)


@pytest.mark.parametrize("query, said", [
    ("from=today", ["from", "today", "2026-11-20"]),
    ("to=2026-02-30", ["to", "2026-02-30"]),
    ("from=2026-02-01&to=2026-02-01", ["not after"]),
    ("from=2026-02-02&to=2026-02-01", ["not after"]),
    ("from=2000-01-01&to=2026-01-01", ["1830"]),
    ("from=2026-1-1", ["from"]),
])
def test_a_question_about_wrong_days_is_refused(shared_hub, query, said):
    status, answer = shared_hub.get(f"/api/v1/space/history?{query}")
    assert status == 400
    assert [part for part in said if part not in answer["error"] + answer["help"]] == [], answer


def test_the_sign_can_be_turned_before_the_space_has_settings(hub):
    assert hub.turn(True)["since"].endswith(("Z", "+00:00"))
    hub.configure(timezone="Europe/Berlin")
    assert hub.state()["since"].endswith(("+01:00", "+02:00"))
