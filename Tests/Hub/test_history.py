"""The history: what everybody who belongs here may read of what was done."""

import pytest

HISTORY = "/api/v1/history"


def told(hub, who, query=""):
    status, answer = hub.get(f"{HISTORY}{query}", token=who)
    assert status == 200, answer
    return [(one["who"], one["what"]) for one in answer["entries"]]


@pytest.fixture
def evening(hub_with_space):
    """Ada has opened; then a token was made, which is for owners to read."""
    hub = hub_with_space
    ada = hub.sign_in("keykeeper", "Ada")
    assert hub.post("/api/v1/space/state", ada, {"open": True})[0] == 200
    assert hub.post("/api/v1/tokens", hub.owner_token, {"name": "door", "role": "sensor"})[0] == 200
    return hub


def test_members_read_what_rooms_tell_and_no_more(evening):
    hub = evening
    ben = hub.sign_in("member", "Ben")
    entries = told(hub, ben)
    assert entries[:2] == [("Ben", "person.joined"), ("Ada", "sign.turned")]
    assert not {what for _, what in entries} & {"token.made", "device.added", "link.made", "person.invited"}
    assert told(hub, hub.owner_token) == entries, "owners read the rest in the audit"
    assert "token.made" in {one["what"] for one in hub.get("/api/v1/audit", token=hub.owner_token)[1]["entries"]}
    assert hub.get(HISTORY)[0] == 401
    assert hub.get(HISTORY, token=hub.token("sensor"))[0] == 403
    assert told(hub, hub.token("reader"))[0] == ("Ben", "person.joined")


def test_new_words_on_an_open_sign_are_no_turn(evening):
    ada = evening.sign_in("keykeeper", "Cem")
    for words in ({}, {"message": "Soup at eight"}, {}):
        assert evening.post("/api/v1/space/state", ada, {"open": True, **words})[0] == 200
    assert [what for _, what in told(evening, ada, "?room=space")] == ["sign.turned"]
    audit = evening.get("/api/v1/audit", token=evening.owner_token)[1]["entries"]
    assert [one["what"] for one in audit if one["who"] == "Cem"].count("sign.renewed") == 3


def test_topics_are_told_to_owners_alone(evening):
    hub = evening
    made = hub.command("topic", "create", "board-secret", "--subscribers", "right:bells.send")
    assert made.returncode == 0, made.stderr
    assert hub.command("topic", "delete", "board-secret").returncode == 0
    ben = hub.sign_in("member", "Ben")
    for query in ("", "?room=bells"):
        assert not [what for _, what in told(hub, ben, query) if what.startswith("bell.topic")]
    audit = hub.get("/api/v1/audit", token=hub.owner_token)[1]["entries"]
    assert {"bell.topic-made", "bell.topic-removed"} <= {one["what"] for one in audit}


def test_a_room_tells_its_own_and_pages_follow_each_other(evening):
    hub = evening
    ada = hub.sign_in("keykeeper", "Cem")
    for number in range(110):
        assert hub.post("/api/v1/space/state", ada, {"open": number % 2 == 1})[0] == 200
    first = hub.get(f"{HISTORY}?room=space", token=ada)[1]
    assert len(first["entries"]) == 100 and {one["what"] for one in first["entries"]} == {"sign.turned"}
    rest = told(hub, ada, f"?room=space&before={first['entries'][-1]['id']}")
    assert len(rest) == 11 and rest[-1] == ("Ada", "sign.turned")
    assert {"space", "programme", "anchor", "bells"} <= set(first["rooms"])
    for wrong in ("?room=clock", "?room=", "?before=x", "?before=0"):
        assert hub.get(f"{HISTORY}{wrong}", token=ada)[0] == 400, wrong
