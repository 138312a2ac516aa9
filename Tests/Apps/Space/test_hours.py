"""The usual opening hours: as announced, as planned, and as recorded."""


import pytest

from hub import eventually

HOURS = "/api/v1/space/hours"


def hours(hub):
    status, answer = hub.get(HOURS)
    assert status == 200
    return answer


def test_the_demo_is_usually_open_on_tuesdays_and_thursdays_from_six(demo_hub):
    answer = hours(demo_hub)
    usual = {one["weekday"]: one for one in answer["usual"]}
    assert {2, 4} <= set(usual)
    for day in (2, 4):
        assert usual[day]["from"] == "18:00" and usual[day]["to"] in ("21:30", "22:00", "22:30", "23:00")
        assert usual[day]["share"] > 0.6
    assert len(answer["shares"]) == 7 and {len(day) for day in answer["shares"]} == {24}
    assert answer["shares"][1][19] > 0.8 and answer["shares"][1][4] == 0
    assert all(0 <= share <= 1 for day in answer["shares"] for share in day)
    assert [(one["weekday"], one["from"], one["to"]) for one in answer["declared"]["hours"]] == [
        (2, "18:00", "23:00"), (4, "18:00", "23:00")]
    planned = eventually(lambda: hours(demo_hub)["programme"], what="the programme is read")
    evenings = [(one["weekday"], one["from"]) for one in planned if one["weekday"] in (2, 4)]
    assert evenings == [(2, "18:00"), (4, "18:00")]


def test_of_a_new_space_nothing_is_known(hub_with_space):
    answer = hours(hub_with_space)
    assert answer["usual"] == [] and answer["programme"] == []
    assert {share for day in answer["shares"] for share in day} == {None}


def test_what_was_not_known_is_not_counted_as_closed(hub_with_space):
    token = hub_with_space.token("sensor")
    hub_with_space.put("/api/v1/space/switch", token, {"open": True, "heartbeat_s": 1})
    eventually(lambda: hub_with_space.state()["state"] == "unknown")
    known = [share for day in hours(hub_with_space)["shares"] for share in day if share is not None]
    assert known and set(known) == {1}


@pytest.mark.parametrize("text, understood", [
    ("Tu,Th 18:00-23:00", [(2, "18:00", "23:00"), (4, "18:00", "23:00")]),
    ("Fr 20:00-02:00", [(5, "20:00", "02:00")]),
    ("Dienstags ab 18 Uhr", None), (None, None)])
def test_what_is_announced_is_read_where_it_can_be(hub, text, understood):
    hub.configure(opening_hours=text)
    declared = hours(hub)["declared"]
    assert declared["text"] == text
    told = declared["hours"] and [(one["weekday"], one["from"], one["to"]) for one in declared["hours"]]
    assert told == understood


def test_the_answer_is_the_same_until_something_changes(hub_with_space):
    answer = hub_with_space.request("GET", HOURS)
    tag = answer.headers["ETag"]
    assert hub_with_space.request("GET", HOURS, {"If-None-Match": tag}).status == 304
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
