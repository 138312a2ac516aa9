"""The programme from calendars on a real server: its answers, and the parameters of requests."""

import datetime
import gzip
import json
import zoneinfo

import icalendar
import pytest

from hub import EVENTS, eventually
from ics import calendar, event, exported

PATH = "/calendar.ics"


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def programme(hub, calendar_server):
    """Puts a calendar on the server and gives it to the hub; returns the programme of 2026."""
    def serve(text, zone="Europe/Berlin", first="2026-01-01", last="2027-01-01", **page):
        url = calendar_server.serve(PATH, text, **page)
        hub.configure(timezone=zone, calendars=[{"kind": "ics", "url": url}])
        eventually(lambda: hub.sources() and hub.sources()[0]["as_of"], what="the first look at the calendar")
        return hub.events(first, last)

    return serve


def titles(answer):
    return [event["title"] for event in answer["events"]]


def test_an_event_is_told_with_all_that_is_known_of_it(programme):
    answer = programme(calendar(
        event("one@space.example", "20260601T190000", "LOCATION:Workshop\\, first floor", "STATUS:TENTATIVE",
              "URL:https://space.example/one", "DESCRIPTION:Bring a project", title="Open evening",
              end="20260601T213000", zone="Europe/Berlin"), name="Our programme"))
    told = answer["events"][0]
    source = answer["sources"][0]
    assert told.pop("id")
    assert told == {
        "uid": "one@space.example", "title": "Open evening", "start": "2026-06-01T19:00:00+02:00",
        "end": "2026-06-01T21:30:00+02:00", "all_day": False, "location": "Workshop, first floor",
        "url": "https://space.example/one", "description_html": told["description_html"],
        "calendar": source["calendar"], "status": "tentative"}
    assert "Bring a project" in told["description_html"]
    assert (source["name"], source["problem"], source["since"], source["warnings"]) == ("Our programme", None, None, [])
    assert answer["as_of"] == source["as_of"]
    age = datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(answer["as_of"])
    assert datetime.timedelta(seconds=-1) < age < datetime.timedelta(seconds=30)


def test_one_event_is_told_as_in_the_programme_unless_it_is_private(programme, hub):
    evening = event("a", "20200601T180000Z", "RRULE:FREQ=DAILY;COUNT=2", "GEO:53.07;8.8")
    answer = programme(calendar(evening), first="2020-01-01", last="2021-01-01")
    assert len(answer["events"]) == 2
    for told in answer["events"]:
        assert hub.get(f"{EVENTS}/{told['id']}") == (200, told)
    programme(calendar([*evening[:-1], "CLASS:PRIVATE", evening[-1]]))
    status, answer = eventually(lambda: (now := hub.get(f"{EVENTS}/{told['id']}"))[0] != 200 and now)
    assert (status, answer["code"]) == (404, 40403)


@pytest.mark.parametrize("zone, start, told", [
    ("Europe/Berlin", "20260329T190000", "2026-03-29T19:00:00+02:00"),
    ("America/New_York", "20260308T190000", "2026-03-08T19:00:00-04:00"),
])
def test_times_have_the_offset_of_the_space_on_their_day(programme, zone, start, told):
    """Floating, with the space's zone, and in UTC: three ways to write the same time."""
    utc = datetime.datetime.fromisoformat(told).astimezone(datetime.UTC)
    answer = programme(calendar(
        event("floating", start, title="floating"), event("zoned", start, title="zoned", zone=zone),
        event("utc", f"{utc:%Y%m%dT%H%M%SZ}", title="utc")), zone)
    assert {event["title"]: event["start"] for event in answer["events"]} == dict.fromkeys(
        ["floating", "zoned", "utc"], told)


def test_an_event_of_another_zone_is_told_in_the_space_s_own(programme):
    answer = programme(calendar(event("far", "20260601T190000", zone="America/New_York")))
    assert answer["events"][0]["start"] == "2026-06-02T01:00:00+02:00"


def test_all_day_events_begin_and_end_at_midnight_of_the_space(programme):
    answer = programme(calendar(
        event("long", "20260328", end="20260330", title="two days"), event("short", "20261025", title="one day")))
    assert [(event["title"], event["all_day"], event["start"], event["end"]) for event in answer["events"]] == [
        ("two days", True, "2026-03-28T00:00:00+01:00", "2026-03-30T00:00:00+02:00"),
        ("one day", True, "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00")]


def test_a_called_off_evening_is_told_as_such(programme):
    answer = programme(calendar(
        event("s", "20260601T190000Z", "RRULE:FREQ=DAILY;COUNT=3", title="Evening"),
        event("s", "20260602T190000Z", "RECURRENCE-ID:20260602T190000Z", "STATUS:CANCELLED", title="Evening"),
        event("s", "20260603T200000Z", "RECURRENCE-ID:20260603T190000Z", title="Later evening")))
    assert [(event["title"], event["start"][11:16], event["status"]) for event in answer["events"]] == [
        ("Evening", "21:00", "confirmed"), ("Evening", "21:00", "cancelled"), ("Later evening", "22:00", "confirmed")]


def test_events_are_told_in_the_order_of_their_time(programme):
    answer = programme(calendar(*(
        event(str(number), f"202606{number * 7 % 28 + 1:02}T1{number % 10}0000Z") for number in range(40))))
    starts = [datetime.datetime.fromisoformat(event["start"]) for event in answer["events"]]
    assert len(starts) == 40 and starts == sorted(starts)


def test_a_question_is_about_the_days_from_the_first_up_to_but_not_the_last(programme, hub):
    programme(calendar(
        event("a", "20260601T000000", title="before", end="20260601T010000"),
        event("b", "20260601T220000", title="over", end="20260602T030000"),
        event("c", "20260601T230000", title="late", end="20260602T000000"),
        event("d", "20260602T000000", title="midnight", end="20260602T010000")))
    for first, last, told in (
            ("2026-06-01", "2026-06-02", ["before", "over", "late"]),
            ("2026-06-02", "2026-06-03", ["over", "midnight"]),
            ("2026-06-03", "2026-06-04", []),
            ("2026-05-31", "2026-06-01", []),
            ("2026-05-01", "2026-07-01", ["before", "over", "late", "midnight"])):
        assert titles(hub.events(first, last)) == told


@pytest.mark.parametrize("query, said", [
    ("from=tomorrow", ["from", "tomorrow"]), ("from=2026-02-29", ["2026-02-29"]), ("to=20260101", ["to", "20260101"]),
    ("from=2026-06-02&to=2026-06-02", ["not after"]), ("from=2026-06-02&to=2026-06-01", ["not after"]),
    ("from=2020-01-01&to=2026-01-01", ["2192 days", "1830"]), ("from=2026-06-01T00:00:00Z", ["from"]),
    ("from=", ["from"]), ("days=0", ["days", "1 to 1830"]), ("days=1831", ["1831"]), ("days=two", ["two"]),
    ("days=2&to=2026-06-03", ["both"])])
def test_a_question_about_wrong_days_is_refused(hub, query, said):
    status, answer = hub.get(f"{EVENTS}?{query}")
    assert (status, answer["code"]) == (400, 40004)
    assert [part for part in said if part not in answer["error"] + answer["help"]] == [], answer


def test_five_years_may_be_asked_for_at_once(hub):
    assert hub.get(f"{EVENTS}?from=2022-01-01&to=2027-01-01")[0] == 200


def test_without_days_the_next_three_months_are_told(programme, hub):
    today = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin")).date()
    days = {name: today + datetime.timedelta(days=count) for name, count in
            (("yesterday", -1), ("today", 0), ("soon", 91), ("later", 93))}
    programme(calendar(*(event(name, f"{day:%Y%m%d}", title=name) for name, day in days.items())))
    assert titles(hub.get(EVENTS)[1]) == ["today", "soon"]
    assert titles(hub.get(f"{EVENTS}?days=1")[1]) == ["today"]
    assert titles(hub.get(f"{EVENTS}?days=94")[1]) == ["today", "soon", "later"]
    assert titles(hub.get(f"{EVENTS}?from={days['yesterday']}&days=2")[1]) == ["yesterday", "today"]


def test_nothing_is_told_before_the_settings(make_hub):
    hub = make_hub()
    answer = hub.events()
    assert (answer["events"], answer["sources"], answer["as_of"]) == ([], [], None)


# Identifiers


def test_ids_are_the_same_after_a_restart(programme, hub, calendar_server):
    text = calendar(event("s", "20260105T190000", "RRULE:FREQ=WEEKLY", zone="Europe/Berlin"),
                    event("one", "20260701T180000Z"))
    before = {event["id"]: event["start"] for event in programme(text)["events"]}
    assert len(before) == 53
    hub.stop()
    hub.start()
    assert {event["id"]: event["start"] for event in hub.events()["events"]} == before
    # Nor do they depend on other events in the calendar.
    more = "\r\n".join([*event("new", "20260101"), "END:VCALENDAR"])
    calendar_server.serve(PATH, text.replace("END:VCALENDAR", more))
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.url + PATH}])
    eventually(lambda: len(hub.events()["events"]) == 54)
    assert before.items() <= {event["id"]: event["start"] for event in hub.events()["events"]}.items()


def test_a_description_is_cleaned_of_what_could_act(programme):
    answer = programme(calendar(event("a", "20260601T180000Z", "DESCRIPTION:<img src=x onerror=alert(1)>Hello")))
    clean = answer["events"][0]["description_html"]
    assert "Hello" in clean and "<img" not in clean and "onerror" not in clean


def test_a_plain_description_becomes_paragraphs_and_links(programme):
    answer = programme(calendar(event(
        "a", "20260601T180000Z",
        "DESCRIPTION:See https://space.example/a?b=1&c=2 first.\\n\\nThen <come> & bring tea\\, please.")))
    clean = answer["events"][0]["description_html"]
    assert 'href="https://space.example/a?b=1&amp;c=2"' in clean
    assert "bring tea, please." in clean and "&amp;" in clean


HOUSE = "Test space, Am Speicher 8, 28195 Bremen"


def test_an_ics_file_says_where_to_go_whose_it_is_and_leads_back(programme, hub):
    answer = programme(calendar(
        event("a", "20260601T180000Z", "LOCATION:Workshop"),
        event("b", "20260602T180000Z", "LOCATION:Domshof 1\\, 28195 Bremen", "URL:https://tour.example/"),
        event("c", "20260603T180000Z", "LOCATION:https://meet.example/tea")))
    found = []
    for told in answer["events"]:
        file = icalendar.Calendar.from_ical(hub.request("GET", f"{EVENTS}/{told['id']}.ics").body)
        (one,) = file.walk("VEVENT")
        page = f"{hub.url}/programme/{told['id']}"
        # With a calendar's name Outlook opens it as a calendar of its own.
        assert "X-WR-CALNAME" not in file and str(one["DESCRIPTION"]) == f"Test space: {page}"
        assert hub.request("GET", page.removeprefix(hub.url)).status == 200
        found.append((str(one["LOCATION"]), "GEO" in one, str(one["URL"]).replace(page, "its page")))
    assert found == [
        (f"Workshop, {HOUSE}", True, "its page"), ("Domshof 1, 28195 Bremen", False, "https://tour.example/"),
        ("https://meet.example/tea", False, "its page")]


def test_an_ics_file_says_the_same_as_the_event(programme, hub):
    answer = programme(calendar(
        event("one@space.example", "20260601T190000", "LOCATION:Workshop\\, first floor; left", end="20260601T213000",
              zone="Europe/Berlin", title="Open evening: „Löten” \\, 🔧" + " and on" * 20),
        event("two", "20260328", "DESCRIPTION:First line\\nsecond line\\, with a comma", end="20260330",
              title="All day"),
        event("s", "20261020T190000", "RRULE:FREQ=WEEKLY;COUNT=3", zone="Europe/Berlin", title="Weekly")))
    assert len(answer["events"]) == 5
    for told in answer["events"]:
        got = hub.request("GET", f"{EVENTS}/{told['id']}.ics")
        assert got.status == 200
        assert got.headers["Content-Type"] == "text/calendar; charset=utf-8"
        assert f'filename="{told["id"]}.ics"' in got.headers["Content-Disposition"]
        assert max(map(len, got.body.split(b"\r\n"))) <= 75 and b"\n" not in got.body.replace(b"\r\n", b"")
        found, = icalendar.Calendar.from_ical(got.body).walk("VEVENT")
        assert found["SUMMARY"] == told["title"]
        assert str(found["LOCATION"]) == ", ".join(filter(None, [told["location"], HOUSE]))
        assert found["UID"] and found["DTSTAMP"]
        start, end = (datetime.datetime.fromisoformat(told[name]) for name in ("start", "end"))
        if told["all_day"]:
            assert (found.decoded("DTSTART"), found.decoded("DTEND")) == (start.date(), end.date())
            assert str(found["DESCRIPTION"]).startswith("First line\nsecond line, with a comma\n\nTest space: http")
        else:
            # RFC 5545 section 3.6.1: without an end an event ends when it begins.
            assert (found.decoded("DTSTART"), found.decoded("DTEND", found.decoded("DTSTART"))) == (start, end)
    uids = [icalendar.Calendar.from_ical(hub.request("GET", f"{EVENTS}/{told['id']}.ics").body).walk("VEVENT")[0]["UID"]
            for told in answer["events"]]
    assert len(set(uids)) == 5, "two evenings of a series do not replace each other in a calendar"


def test_the_words_of_a_cleaned_description_are_in_the_ics_file(programme, hub):
    told = programme(calendar(event(
        "a", "20260601T180000Z", "DESCRIPTION:<p>Bring <b>tools</b>\\, tea</p><ul><li>one</li></ul>")))["events"][0]
    got = hub.request("GET", f"{EVENTS}/{told['id']}.ics")
    words = str(icalendar.Calendar.from_ical(got.body).walk("VEVENT")[0]["DESCRIPTION"])
    assert "Bring tools, tea" in words and "one" in words and "<" not in words


@pytest.mark.parametrize("id", ["nothing", "%0d%0aX-Evil:%201"])
def test_an_unknown_event_is_404(hub_with_space, id):
    answer = hub_with_space.request("GET", f"{EVENTS}/{id}.ics")
    assert answer.status == 404
    assert answer.json["code"] in (40403, 40401) and answer.json["help"]
    assert "X-Evil" not in answer.headers


def test_an_export_of_a_thousand_events_is_told_whole(programme, hub):
    answer = programme(exported(1000))
    assert len(answer["events"]) == 1000
    assert {event["title"] for event in answer["events"]} == {f"Evening {number}" for number in range(1000)}
    assert answer["sources"][0]["warnings"] == []
    told = next(event for event in answer["events"] if event["title"] == "Evening 7")
    assert told["start"] == "2026-08-08T21:00:00+02:00" and told["location"] == "Main hall, ground floor"
    assert '<a href="https://a.example/7"' in told["description_html"] and "Äpfel 🍏" in told["description_html"]

    path = f"{EVENTS}?from=2026-01-01&to=2027-01-01"
    packed = hub.request("GET", path, {"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and packed.headers["Vary"] == "Accept-Encoding"
    assert json.loads(gzip.decompress(packed.body)) == hub.events()
    again = hub.request("GET", path, {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    assert hub.request("GET", path, {"Origin": "https://a.example"}).headers["Access-Control-Allow-Origin"] == "*"


def test_two_calendars_are_told_together(hub, calendar_server):
    urls = [
        calendar_server.serve(f"/{name}.ics", calendar(event("same-uid", "20260601T180000Z", title=name), name=name))
        for name in ("first", "second")]
    hub.configure(calendars=[{"kind": "ics", "url": url} for url in urls])
    eventually(lambda: len(hub.events()["events"]) == 2)
    answer = hub.events()
    assert titles(answer) == ["first", "second"]
    assert len({event["id"] for event in answer["events"]}) == 2
    names = {source["calendar"]: source["name"] for source in answer["sources"]}
    assert [names[event["calendar"]] for event in answer["events"]] == ["first", "second"]


def test_another_zone_moves_floating_and_all_day_events_along(programme, hub, calendar_server):
    programme(calendar(event("a", "20260601T190000", title="floating"), event("b", "20260601", title="day")))
    hub.configure(timezone="Asia/Tokyo", calendars=[{"kind": "ics", "url": calendar_server.url + PATH}])
    assert {event["title"]: event["start"] for event in hub.events()["events"]} == {
        "floating": "2026-06-01T19:00:00+09:00", "day": "2026-06-01T00:00:00+09:00"}


def test_an_event_tells_where_on_earth_it_is(hub):
    (hub.data / "places.ics").write_text(calendar(
        event("a", "20260310T190000Z", "GEO:53.0963;8.7746", title="Harbour"),
        event("b", "20260311T190000Z", "GEO:0;0", title="Nowhere"),
        event("c", "20260312T190000Z", "GEO:95;8", title="Beyond the pole")), newline="")
    hub.configure(calendars=[{"kind": "ics", "url": "file:places.ics"}])
    events = eventually(lambda: hub.events()["events"])
    places = {one["title"]: (one.get("lat"), one.get("lon")) for one in events}
    assert places == {"Harbour": (53.0963, 8.7746), "Nowhere": (None, None), "Beyond the pole": (None, None)}
    harbour = next(one for one in events if one["title"] == "Harbour")
    assert "GEO:53.0963;8.7746\r\n" in hub.get(f"/api/v1/space/events/{harbour['id']}.ics")[1]
