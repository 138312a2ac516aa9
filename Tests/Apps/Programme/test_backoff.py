"""The owner sees why a source is not read, and may request a look at once. How pauses grow is tested in Swift."""

import datetime

import pytest

from hub import eventually
from ics import calendar, event
from looks import CALENDARS, overview

# The hub that reads the calendars tells how that went.
pytestmark = pytest.mark.one_hub

PATH = "/secret-folder/calendar.ics"
GOOD = calendar(event("a", "20260601T180000Z", title="Good"))


def looked(hub, seconds=10):
    """The state of the first calendar when no look is under way."""
    def ended():
        entry = overview(hub)[0]
        return entry if entry["looked_at"] and not entry["looking"] else None
    return eventually(ended, seconds)


def look(hub, seconds=10, **body):
    status, answer = hub.post(f"{CALENDARS}/refresh", hub.owner_token, body)
    assert status == 202 and answer["calendars"][0]["looking"], answer
    return looked(hub, seconds)


def pause(entry):
    times = [datetime.datetime.fromisoformat(entry[name]) for name in ("looked_at", "next_look")]
    return (times[1] - times[0]).total_seconds()


def configure(hub, url, **fields):
    hub.configure(calendars=[{"kind": "ics", "url": url} | fields])
    return looked(hub)


def test_a_good_calendar_is_looked_at_every_five_minutes(hub, calendar_server):
    entry = configure(hub, calendar_server.serve(PATH, GOOD), name="Ours", color="#00ff00")
    assert (entry["state"], entry["failures"], entry["problem"], entry["events"]) == ("good", 0, None, 1)
    assert (entry["kind"], entry["name"], entry["color"]) == ("ics", "Ours", "#00ff00")
    assert entry["url"] == calendar_server.url + PATH and entry["as_of"] and entry["warnings"] == []
    assert 265 <= pause(entry) <= 335


def test_one_calendar_may_be_looked_at_alone(hub, calendar_server):
    urls = [calendar_server.serve(f"/{number}.ics", GOOD) for number in range(2)]
    hub.configure(calendars=[{"kind": "ics", "url": url} for url in urls])
    eventually(lambda: all(entry["looked_at"] for entry in overview(hub)))
    asked = len(calendar_server.asked("/1.ics"))
    status, _ = hub.post(f"{CALENDARS}/refresh", hub.owner_token, {"calendar": overview(hub)[0]["calendar"]})
    assert status == 202
    calendar_server.wait_for("/0.ics", len(calendar_server.asked("/1.ics")) + 1)
    assert len(calendar_server.asked("/1.ics")) == asked
    status, answer = hub.post(f"{CALENDARS}/refresh", hub.owner_token, {"calendar": "nothing"})
    assert (status, answer["code"]) == (404, 40460)
    assert hub.post(f"{CALENDARS}/refresh", hub.owner_token, {"calendar": 5})[0] == 400


REFUSED = {
    "redirects without end": ({"status": 302, "location": PATH}, "redirect"),
    "to the machine itself": ({"status": 302, "location": "http://169.254.169.254/latest/"}, "reachable_networks"),
    "nobody there": ({"status": 302, "location": "http://127.0.0.1:1/"}, "127.0.0.1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_has_a_reason_that_the_owner_sees(hub, calendar_server, name):
    page, said = REFUSED[name]
    calendar_server.serve(PATH, GOOD)
    configure(hub, calendar_server.url + PATH)
    calendar_server.serve(PATH, **page)
    entry = look(hub, seconds=40)
    assert entry["state"] == "failing" and entry["since"]
    assert said is None or said in entry["problem"], entry
    assert [event["title"] for event in hub.events()["events"]] == ["Good"], "the last good copy stays"
    assert "secret-folder" not in str(hub.events()["sources"])
    assert hub.sources()[0]["problem"]


def test_warnings_are_told_to_the_owner(hub, calendar_server):
    entry = configure(hub, calendar_server.serve(PATH, calendar(
        event("good", "20260601T180000Z"), event("odd", "20260601T180000Z", "RRULE:FREQ=SOMETIMES", title="Odd"))))
    assert entry["state"] == "good" and "Odd" in entry["warnings"][0]


def test_a_hostile_calendar_does_not_use_up_what_the_others_need(hub, calendar_server):
    """Rules that cost many steps and have no occurrence, or very many, do not affect the calendar after them."""
    evil = [event(f"evil-{number}", f"1970010{number % 9 + 1}T000000Z", "RRULE:FREQ=HOURLY;BYDAY=MO;COUNT=50000",
                  title=f"Evil {number}") for number in range(40)]
    good = [event(f"good-{number}", "19900101T180000Z", "RRULE:FREQ=DAILY;COUNT=40000", title=f"Good {number}")
            for number in range(2)]
    hub.configure(calendars=[
        {"kind": "ics", "url": calendar_server.serve("/evil.ics", calendar(*evil))},
        {"kind": "ics", "url": calendar_server.serve("/good.ics", calendar(*good))}])
    eventually(lambda: all(entry["looked_at"] for entry in overview(hub)), 30)
    answer = hub.events()
    told = [event["title"] for event in answer["events"]]
    assert [told.count(f"Good {number}") for number in range(2)] == [365, 365]
    assert any("not all of its occurrences" in warning for warning in answer["sources"][0]["warnings"])
    assert answer["sources"][1]["warnings"] == []
