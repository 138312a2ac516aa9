"""The programme rings: an event that moves reaches the devices of those who subscribed, and of those who marked it."""

import datetime

from bell_device import device_at, make_device
from hub import eventually
from ics import calendar, event

REMINDER = "/api/v1/space/favourites/reminder"
PATH = "/calendar.ics"


def day(days):
    return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)).strftime("%Y%m%d")


def titles(hub):
    status, answer = hub.get("/api/v1/space/events?days=30")
    assert status == 200
    return {one["title"]: one for one in answer["events"]}


def refreshed(hub, calendar_server, *events):
    calendar_server.serve(PATH, calendar(*events))
    assert hub.post("/api/v1/space/calendars/refresh", hub.owner_token, {})[0] == 202


def test_an_event_that_moves_rings_those_who_subscribed_once(hub, calendar_server):
    url = calendar_server.serve(
        PATH, calendar(event("a", f"{day(3)}T180000Z", title="Soldering"), event("b", f"{day(4)}T180000Z")))
    hub.configure(calendars=[{"kind": "ics", "url": url, "name": "Courses"}])
    eventually(lambda: len(titles(hub)) == 2)
    topics = eventually(lambda: (all_ := {
        one["id"]: one for one in hub.get("/api/v1/bells/topics")[1] if one["id"].startswith("programme")})
        and len(all_) == 2 and all_, what="the calendar's topic")
    assert topics["programme"]["names"] == {"en": "The programme", "de": "Das Programm"}
    calendars = next(id for id in topics if id != "programme")
    assert topics[calendars]["name"] == "Courses" and topics[calendars]["public"]

    device = make_device(hub, "bell", "programme", calendars)
    with device_at(hub, device["secret"]) as bell:
        refreshed(hub, calendar_server, event("a", f"{day(3)}T190000Z", title="Soldering"),
                  event("b", f"{day(4)}T180000Z", "STATUS:CANCELLED"))
        shown = [bell.show()["content"] for _ in range(2)]
        assert [one["title"] for one in shown] == ["Moved: Soldering", "Cancelled: An event"]
        assert shown[0]["localized"]["de"]["title"] == "Verschoben: Soldering"
        assert shown[0]["url"] == f"/programme/{titles(hub)['Soldering']['id']}"
        assert bell.is_silent(), "once for both topics"
        hub.stop()
    hub.start()
    with device_at(hub, device["secret"]) as bell:
        assert bell.is_silent(), "nothing rings twice over a restart"


def test_whoever_marked_an_event_hears_that_it_falls_out(hub, calendar_server):
    ada = hub.sign_in("member", "Ada")
    url = calendar_server.serve(PATH, calendar(event("a", f"{day(3)}T180000Z", title="Soldering")))
    hub.configure(calendars=[{"kind": "ics", "url": url}])
    soldering = eventually(lambda: titles(hub).get("Soldering"))["id"]
    mark = {"event": soldering, "kept": True, "at": "2026-01-01T12:00:00Z", "seen": None}
    assert hub.post("/api/v1/space/favourites", ada, {"favourites": [mark]})[0] == 200
    eventually(lambda: len(hub.get("/api/v1/bells/topics")[1]) >= 3)
    refreshed(hub, calendar_server)
    # It counts as empty at the second look.
    eventually(lambda: (hub.sources()[0]["reason"] or {}).get("code") == "calendar-emptied")
    assert "Soldering" in titles(hub)
    refreshed(hub, calendar_server)
    mine = eventually(lambda: hub.get("/api/v1/bells", token=ada)[1]["items"])
    assert [one["content"]["title"] for one in mine] == ["Cancelled: Soldering"]


def test_a_calendar_that_goes_takes_its_topic_with_it_and_rings_nothing(hub, calendar_server):
    url = calendar_server.serve(PATH, calendar(event("a", f"{day(3)}T180000Z", title="Soldering")))
    hub.configure(calendars=[{"kind": "ics", "url": url}])

    def topics():
        return {one["id"]: one for one in hub.get("/api/v1/bells/topics")[1]}
    eventually(lambda: any(id.startswith("programme.") for id in topics()))
    nameless = next(one for id, one in topics().items() if id.startswith("programme."))
    assert nameless["name"] == "Calendar 1" and nameless["names"]["de"] == "Kalender 1"
    hub.configure(calendars=[])
    eventually(lambda: not any(id.startswith("programme.") for id in topics()))
    assert "programme" in topics()
    assert hub.get("/api/v1/notifications", token=hub.owner_token)[1]["items"] == []


def test_everybody_chooses_when_to_be_reminded(hub):
    ada = hub.sign_in("member", "Ada")
    assert hub.get(REMINDER, token=ada) == (200, {"minutes": 60})
    for minutes in (0, 10080, None):
        assert hub.put(REMINDER, ada, {"minutes": minutes}) == (200, {"minutes": minutes})
        assert hub.get(REMINDER, token=ada)[1] == {"minutes": minutes}
    assert hub.get(REMINDER, token=hub.sign_in("member", "Bo"))[1] == {"minutes": 60}
    for wrong in ({}, {"minutes": -1}, {"minutes": 10081}, {"minutes": "60"}, {"minutes": 1.5}, {"minutes": 1, "a": 1}):
        status, answer = hub.put(REMINDER, ada, wrong)
        assert (status, answer["code"]) == (400, 40003), wrong
    assert hub.get(REMINDER)[0] == 401
    assert hub.get(REMINDER, token=hub.owner_token)[0] == 403
