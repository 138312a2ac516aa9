"""Calendars of the Google Calendar API, on a server that behaves as Google documents it."""

import datetime

import pytest

from google_calendar import KEY, Failure, GoogleCalendar, rate_limit
from hub import EVENTS, SETTINGS, SPACE, eventually
from looks import CALENDARS, look, told

ID = "ours@group.calendar.google.com"
SUMMER = "+02:00"


def timed(day, hour, minute=0, zone="Europe/Berlin", offset=SUMMER):
    return {"dateTime": f"2026-{day}T{hour:02}:{minute:02}:00{offset}", "timeZone": zone}


def day(date):
    return {"date": f"2026-{date}"}


@pytest.fixture
def google():
    with GoogleCalendar() as server:
        yield server


@pytest.fixture
def ours(google):
    """A calendar with an event, a series and an all-day event."""
    calendar = google.calendar()
    calendar.put("single", summary="Lecture", start=timed("06-03", 19), end=timed("06-03", 21),
                 location="Workshop, first floor", description="Bring <b>tea</b><script>alert(1)</script>")
    calendar.put("weekly", summary="Open evening", start=timed("06-02", 18), end=timed("06-02", 23),
                 recurrence=["RRULE:FREQ=WEEKLY;COUNT=4"])
    calendar.put("camp", summary="Camp", start=day("06-20"), end=day("06-23"))
    return calendar


@pytest.fixture
def make_googled(make_hub, google):
    def make(**calendar):
        hub = make_hub(env={"EIGHTBELLS_GOOGLE_CALENDAR_BASE": google.base})
        hub.configure(calendars=[{"kind": "google", "id": ID, "key": KEY} | calendar])
        return hub
    return make


@pytest.fixture
def googled(ours, make_googled):
    """A hub that has read the calendar once."""
    hub = make_googled()
    eventually(lambda: hub.sources()[0]["as_of"])
    return hub


ALL = [("Open evening", "2026-06-02T18:00"), ("Lecture", "2026-06-03T19:00"), ("Open evening", "2026-06-09T18:00"),
       ("Open evening", "2026-06-16T18:00"), ("Camp", "2026-06-20T00:00"), ("Open evening", "2026-06-23T18:00")]


def test_events_series_and_whole_days_are_told(googled, google):
    answer = googled.events()
    assert told(googled) == ALL
    lecture = next(event for event in answer["events"] if event["title"] == "Lecture")
    assert (lecture["location"], lecture["end"]) == ("Workshop, first floor", "2026-06-03T21:00:00+02:00")
    assert "<b>tea</b>" in lecture["description_html"] and "script" not in lecture["description_html"]
    camp = next(event for event in answer["events"] if event["title"] == "Camp")
    assert (camp["all_day"], camp["end"]) == (True, "2026-06-23T00:00:00+02:00")
    assert answer["sources"][0]["name"] == "Our programme"
    first = google.asked[0]
    assert (first["key"], first["singleEvents"]) == (KEY, "false") and "syncToken" not in first


@pytest.mark.parametrize("sizes", [[2, 0, 0, 1], [0, 250]], ids=str)
def test_a_short_page_is_not_the_last_one(ours, google, make_googled, sizes):
    google.page_sizes = sizes
    # An empty last page size would be used for ever; and it is used for the requests after the list.
    if sizes[-1] == 0:
        google.page_sizes.append(250)
    hub = make_googled()
    eventually(lambda: told(hub) == ALL)
    assert len(google.asked) > 1
    asked = len(google.asked)
    look(hub)
    assert google.asked[asked:], "it looks again"
    assert all("syncToken" in query for query in google.asked[asked:]), "the last page's token counts"


def test_only_changes_are_asked_for_and_a_restart_forgets_nothing(googled, ours, google):
    googled.stop()
    googled.start()
    eventually(lambda: len(google.asked) == 2)
    assert "syncToken" in google.asked[-1] and told(googled) == ALL
    ours.put("single", summary="Longer lecture", end=timed("06-03", 22))
    look(googled)
    assert ("Longer lecture", "2026-06-03T19:00") in told(googled) and len(told(googled)) == len(ALL)
    googled.stop()
    googled.start()
    assert ("Longer lecture", "2026-06-03T19:00") in told(googled), "a change is kept"
    ours.delete("single")
    look(googled)
    assert told(googled) == [event for event in ALL if event[0] != "Lecture"]
    assert all("syncToken" in query for query in google.asked[1:])


def test_an_exception_that_is_cancelled_leaves_no_trace(googled, ours):
    ours.cancel_instance("weekly", timed("06-09", 18))
    look(googled)
    assert told(googled) == [event for event in ALL if event != ("Open evening", "2026-06-09T18:00")]
    # It is back when it is restored.
    ours.change_instance("weekly", timed("06-09", 18), summary="Open evening", end=timed("06-09", 23))
    look(googled)
    assert told(googled) == ALL


def test_an_exception_is_moved_and_keeps_its_identifier(googled, ours):
    before = {event["start"][:10]: event["id"] for event in googled.events()["events"]}
    ours.change_instance("weekly", timed("06-16", 18), summary="Moved evening", start=timed("06-17", 20),
                         end=timed("06-17", 23))
    look(googled)
    moved = next(event for event in googled.events()["events"] if event["title"] == "Moved evening")
    assert moved["start"] == "2026-06-17T20:00:00+02:00" and moved["id"] == before["2026-06-16"]
    assert len(told(googled)) == len(ALL)


def test_a_deleted_series_goes_with_its_exceptions(googled, ours):
    ours.change_instance("weekly", timed("06-16", 18), summary="Special", end=timed("06-16", 23))
    look(googled)
    assert ("Special", "2026-06-16T18:00") in told(googled)
    ours.delete("weekly")
    look(googled)
    assert {title for title, _ in told(googled)} == {"Lecture", "Camp"}


def test_a_series_that_becomes_one_event_loses_its_exceptions(googled, ours):
    ours.change_instance("weekly", timed("06-16", 18), summary="Special", end=timed("06-16", 23))
    look(googled)
    ours.put("weekly", recurrence=[])
    look(googled)
    assert told(googled) == [event for event in ALL if event[0] != "Open evening" or event[1] == "2026-06-02T18:00"]


def test_410_asks_for_everything_anew(googled, ours, google):
    ours.delete("single")
    ours.forget_tokens()
    ours.put("new", summary="New", start=day("06-30"), end=day("07-01"))
    asked = len(google.asked)
    state = look(googled)
    assert state["state"] == "good"
    assert ["syncToken" in query for query in google.asked[asked:]] == [True, False]
    assert told(googled) == [event for event in ALL if event[0] != "Lecture"] + [("New", "2026-06-30T00:00")]


def test_a_token_that_is_not_understood_is_as_good_as_none(googled, ours, google):
    ours.delete("single")
    google.failures = [Failure(400, "global", "badRequest", "Bad Request")]
    assert look(googled)["state"] == "good"
    assert told(googled) == [event for event in ALL if event[0] != "Lecture"]


def test_a_new_name_is_seen_although_no_event_has_changed(googled, ours):
    ours.summary = "New name"
    look(googled)
    assert googled.sources()[0]["name"] == "New name" and told(googled) == ALL


def test_private_events_stay_private(ours, make_googled):
    ours.put("secret", summary="Board meeting", visibility="private", start=day("06-05"), end=day("06-06"))
    ours.put("hidden", summary="Board meeting", visibility="confidential", start=day("06-05"), end=day("06-06"))
    ours.put("open", summary="Public meeting", visibility="public", start=day("06-05"), end=day("06-06"))
    ours.put("away", summary="At home", eventType="outOfOffice", start=day("06-05"), end=day("06-06"))
    hub = make_googled()
    eventually(lambda: told(hub))
    assert {title for title, _ in told(hub)} == {"Lecture", "Open evening", "Camp", "Public meeting"}
    assert "Board" not in str(hub.events())


def test_a_rule_that_brings_other_lines_along_is_left_out(ours, make_googled):
    ours.put("weekly", recurrence=["RRULE:FREQ=WEEKLY;COUNT=2\r\nSUMMARY:Injected", "SUMMARY:Injected",
                                   "RRULE:FREQ=DAILY;COUNT=2"])
    ours.put("single", summary="Lecture\r\nEND:VEVENT\r\nBEGIN:VEVENT")
    hub = make_googled()
    eventually(lambda: told(hub))
    assert [event for event in told(hub) if event[0] == "Open evening"] == [
        ("Open evening", "2026-06-02T18:00"), ("Open evening", "2026-06-03T18:00")]
    assert "Injected" not in str(told(hub))
    assert len(told(hub)) == 4


# Failures

FAILURES = {
    "rate limit": (rate_limit(), "less often", "Rate Limit Exceeded"),
    "not enabled": (Failure(403, "usageLimits", "accessNotConfigured",
                            f"Google Calendar API has not been used in project 1 with {KEY}."),
                    "does not let the key", "has not been used"),
    "not found": (Failure(404, "global", "notFound", "Not Found"), "no public calendar", "Not Found"),
    "out of order": (Failure(503, "global", "backendError", "Backend Error"), "503", "Backend Error"),
    "key": (Failure(400, "global", "badRequest", "API key not valid.", details=[{"reason": "API_KEY_INVALID"}]),
            "does not know the key", "not valid"),
}


@pytest.mark.one_hub  # tells how the reading went
@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_leaves_the_copy_and_is_told_without_the_key(googled, google, name):
    failure, everyone, owner = FAILURES[name]
    google.failures = [failure]
    state = look(googled)
    assert state["state"] == "failing" and state["failures"] == 1
    assert owner is None or owner in state["problem"]
    source = googled.sources()[0]
    assert everyone in source["problem"] and ID not in source["problem"]
    assert told(googled) == ALL
    public = str([googled.get(path)[1] for path in (EVENTS, "/api/v1/space", "/spaceapi.json", CALENDARS)])
    assert KEY not in public + googled.log + str(state), "the key is a secret"
    assert KEY in str(googled.get(SETTINGS, token=googled.owner_token)[1]), "but for who has set it"
    assert look(googled)["state"] == "good"


@pytest.mark.parametrize("body", [
    b"<html>Sign in</html>", b'{"items": [', b'{"items": [1]}', b'{"items": [{"summary": "no id"}]}'],
    ids=lambda body: body.decode(errors="replace")[:20])
def test_an_answer_that_is_no_list_leaves_the_copy(googled, google, body):
    google.bodies = [body]
    state = look(googled)
    assert state["state"] == "failing" and "no list of events" in state["problem"]
    assert told(googled) == ALL
    assert look(googled)["state"] == "good"


@pytest.mark.parametrize("item", [
    {"start": {"dateTime": "tomorrow"}, "end": {"dateTime": "later"}}, {"start": {"date": "2026-02-30"}}],
    ids=str)
def test_one_bad_event_does_not_hurt_the_others(ours, make_googled, item):
    ours.put("bad", summary="Bad one", **item)
    hub = make_googled()
    eventually(lambda: hub.sources()[0]["as_of"])
    assert set(ALL) <= set(told(hub))
    assert hub.sources()[0]["problem"] is None


@pytest.mark.one_hub  # tells how the reading went
def test_pages_without_end_are_given_up(googled, google):
    google.bodies = [b'{"items": [], "nextPageToken": "%d"}' % number for number in range(1000)]
    state = look(googled, 90)
    assert state["state"] == "failing" and "pages" in state["problem"] and told(googled) == ALL
    assert 0 < len(google.bodies) < 600, "it stopped by itself"
    google.bodies = [b'{"items": [], "nextPageToken": "same"}'] * 10
    assert "circle" in look(googled)["problem"]


def test_a_failure_in_the_middle_takes_nothing(googled, ours, google):
    google.page_sizes = [1]
    ours.put("single", summary="Half")
    ours.put("camp", summary="Whole")
    google.bodies = [b'{"items": [{"id": "single", "status": "cancelled"}], "nextPageToken": "x"}']
    google.failures = [None, Failure(503, "global", "backendError", "Backend Error")]
    state = look(googled)
    assert state["state"] == "failing"
    assert told(googled) == ALL
    look(googled)
    assert {title for title, _ in told(googled)} == {"Half", "Whole", "Open evening"}


def test_a_redirect_is_not_followed_with_the_key(googled, google, calendar_server):
    stolen = calendar_server.serve("/stolen", b"{}")
    google.failures = [Failure(302, "global", "moved", "Moved", {"Location": stolen})]
    state = look(googled)
    assert "sends on" in state["problem"] and calendar_server.asked("/stolen") == []


def test_a_limit_says_when_to_come_back(googled, google):
    google.failures = [rate_limit(Retry_After="7200")]
    state = look(googled)
    pause = datetime.datetime.fromisoformat(state["next_look"]) - datetime.datetime.fromisoformat(state["looked_at"])
    assert datetime.timedelta(hours=2) <= pause <= datetime.timedelta(hours=2, minutes=13)


@pytest.mark.parametrize("entry, said", [
    ({"kind": "google", "id": ID}, "calendars[0].key"), ({"kind": "google", "key": KEY}, "calendars[0].id"),
    ({"kind": "google", "id": "with space", "key": KEY}, "calendars[0].id"),
    ({"kind": "google", "id": ID, "key": KEY + "\n"}, "calendars[0].key"),
    ({"kind": "google", "id": ID, "key": "x" * 301}, "calendars[0].key"),
    ({"kind": "google", "id": ID, "key": KEY, "url": "https://a.example"}, "calendars[0].url")])
def test_wrong_settings_are_refused_without_repeating_the_key(hub, entry, said):
    status, answer = hub.put(SETTINGS, hub.owner_token, SPACE | {"calendars": [entry]})
    assert (status, answer["code"]) == (400, 40003)
    assert said in answer["error"] and KEY not in answer["error"] and "xxx" not in answer["error"]
