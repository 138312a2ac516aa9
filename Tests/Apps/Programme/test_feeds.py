"""Calendar feeds, read with other people's programs: they find the same events as the hub."""

import datetime
import gzip
import pathlib
import zoneinfo

import ical.calendar_stream
import icalendar
import pytest
import recurring_ical_events

from hub import eventually
from ics import calendar, event, exported

WHOLE = "/space/calendar.ics"
CALENDARS = "/api/v1/space/calendars"
FIXTURES = pathlib.Path(__file__).parents[2] / "Fixtures/calendars"
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
YEAR = datetime.datetime.now().year
# Occurrences of series that cannot be written as one are in the feed for 92 days back and a year ahead.
TODAY = datetime.datetime.now(BERLIN).date()
FIRST, LAST = TODAY - datetime.timedelta(days=60), TODAY + datetime.timedelta(days=300)


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def serve(hub, calendar_server):
    """Gives the hub calendars by name; returns its feed."""
    def serve(timezone="Europe/Berlin", color=None, **texts):
        urls = {name: calendar_server.serve(f"/{name}.ics", text) for name, text in texts.items()}
        hub.configure(timezone=timezone, calendars=[
            {"kind": "ics", "url": url, "name": name} | ({"color": color} if color else {})
            for name, url in urls.items()])
        wait_read(hub, len(urls))
        return get(hub)
    return serve


def wait_read(hub, count):
    """Waits until the hub has read so many calendars; the programme itself may be too large to answer."""
    def are_read():
        found = hub.get("/api/v1/space/calendars", token=hub.owner_token)[1]["calendars"]
        return len(found) == count and all(one["as_of"] and not one["looking"] for one in found)
    # By each of two hubs.
    eventually(lambda: are_read() and are_read(), 60)


def get(hub, path=WHOLE, **headers):
    answer = hub.request("GET", path, headers)
    assert answer.status == 200, answer.body
    return answer


def lines(body):
    return body.replace(b"\r\n ", b"").decode().split("\r\n")


def parsed(answer):
    return icalendar.Calendar.from_ical(answer.body)


def instant(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.UTC)
    return datetime.datetime.combine(value, datetime.time(), BERLIN).astimezone(datetime.UTC)


def by_peer(answer):
    """The occurrences that another engine finds in the feed between two days."""
    found = recurring_ical_events.of(parsed(answer)).between(
        datetime.datetime.combine(FIRST, datetime.time(), BERLIN),
        datetime.datetime.combine(LAST, datetime.time(), BERLIN))
    return sorted((instant(one["DTSTART"].dt), instant(one.get("DTEND", one["DTSTART"]).dt), str(one["SUMMARY"]))
                  for one in found)


def by_hub(hub):
    return sorted((instant(datetime.datetime.fromisoformat(one["start"])),
                   instant(datetime.datetime.fromisoformat(one["end"])), one["title"])
                  for one in hub.events(FIRST, LAST)["events"])


def day(offset):
    return f"{TODAY + datetime.timedelta(days=offset):%Y%m%d}"


def test_the_file_says_what_it_is(hub, serve):
    answer = serve(color="#2f6f9f", ours=calendar(event("a", day(1) + "T180000Z", title="Evening")))
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    text = lines(answer.body)
    assert text[:2] == ["BEGIN:VCALENDAR", "VERSION:2.0"] and text[-2:] == ["END:VCALENDAR", ""]
    for line in ("NAME:Test space", "X-WR-CALNAME:Test space", "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
                 "METHOD:PUBLISH", "CATEGORIES:ours", "COLOR:steelblue"):
        assert line in text, line
    one = parsed(get(hub, f"/space/calendars/{hub.sources()[0]['calendar']}.ics"))
    assert (str(one["NAME"]), str(one["COLOR"])) == ("Test space: ours", "steelblue")
    assert str(one["X-APPLE-CALENDAR-COLOR"]) == "#2F6F9F"


def test_lines_are_folded_and_texts_escaped(hub, serve):
    title = "Löten; für Anfänger, mit „Zubehör“ \\ und ⚓️" * 4
    escaped = title.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    answer = serve(ours=calendar(event(
        "a", day(1) + "T180000Z", "LOCATION:Hinterhof\\, 2. Stock", "DESCRIPTION:<p>One</p><p>Two\\, three</p>",
        "URL:https://space.example/a", "LAST-MODIFIED:20260102T030405Z", "SEQUENCE:3", "STATUS:TENTATIVE",
        title=escaped)))
    assert max(map(len, answer.body.split(b"\r\n"))) <= 75 and b"\n" not in answer.body.replace(b"\r\n", b"")
    found, = parsed(answer).walk("VEVENT")
    assert (str(found["SUMMARY"]), str(found["LOCATION"])) == (title, "Hinterhof, 2. Stock")
    assert "One" in found["DESCRIPTION"] and "Two, three" in found["DESCRIPTION"] and "<" not in found["DESCRIPTION"]
    assert (str(found["URL"]), int(found["SEQUENCE"]), str(found["STATUS"])) == (
        "https://space.example/a", 3, "TENTATIVE")
    assert found["LAST-MODIFIED"].dt == datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    assert found["UID"] == f"{hub.events(FIRST, LAST)['events'][0]['id']}@eightbells"


# The second of two is told an address to publish (hub.py), so its feed names it.
@pytest.mark.one_hub
def test_an_unchanged_programme_is_not_sent_again(hub, serve, calendar_server):
    answer = serve(ours=calendar(event("a", day(1) + "T180000Z")))
    etag = answer.headers["ETag"]
    again = hub.request("GET", WHOLE, {"If-None-Match": etag})
    assert (again.status, again.body) == (304, b"")
    packed = get(hub, **{"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.body) == answer.body and packed.headers["Vary"] == "Accept-Encoding"
    hub.stop()
    hub.start()
    assert get(hub).headers["ETag"] == etag, "the same after a restart"
    calendar_server.serve("/ours.ics", calendar(event("a", day(2) + "T180000Z")))
    hub.post(f"{CALENDARS}/refresh", hub.owner_token, {})
    eventually(lambda: hub.request("GET", WHOLE, {"If-None-Match": etag}).status == 200)
    assert hub.request("HEAD", WHOLE).status == 200


SERIES = {
    "weekly": ("T190000", ["RRULE:FREQ=WEEKLY"]),
    "until": ("T190000", [f"RRULE:FREQ=WEEKLY;UNTIL={day(100)}T225959Z"]),
    "until by day": ("T190000", [f"RRULE:FREQ=WEEKLY;UNTIL={day(98)}"]),
    "count": ("T190000", ["RRULE:FREQ=DAILY;COUNT=200"]),
    "excluded": ("T190000", ["RRULE:FREQ=DAILY;COUNT=99", f"EXDATE;TZID=Europe/Berlin:{day(-40)}T190000,"
                             f"{day(-39)}T190000"]),
    "excluded by day": ("T190000", ["RRULE:FREQ=DAILY;COUNT=99", f"EXDATE;VALUE=DATE:{day(-40)},{day(20)}"]),
    "position": ("T190000", ["RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"]),
    "last": ("T190000", ["RRULE:FREQ=MONTHLY;BYDAY=-1FR;INTERVAL=2"]),
    "days": ("", ["RRULE:FREQ=WEEKLY;COUNT=30"]),
    "days excluded": ("", ["RRULE:FREQ=DAILY;COUNT=90", f"EXDATE;VALUE=DATE:{day(-40)}"]),
    "hours": ("T080000", ["RRULE:FREQ=DAILY;BYHOUR=8,14,20;COUNT=300"]),
}


# A date has no zone.
@pytest.mark.parametrize(("name", "zone"), [
    ("weekly", "America/New_York"), ("weekly", "UTC"), ("excluded", "UTC"),
    *((name, "Europe/Berlin" if time else None) for name, (time, _) in SERIES.items())])
def test_a_series_leaves_as_one_and_means_the_same(hub, serve, name, zone):
    time, rules = SERIES[name]
    if zone == "UTC":
        rules = [rule.replace("TZID=Europe/Berlin:", "").replace("190000", "190000Z")
                 if "TZID" in rule else rule for rule in rules]
    answer = serve(ours=calendar(event(
        "s", day(-50) + time + ("Z" if zone == "UTC" else ""), *rules, title="Series",
        zone=None if zone == "UTC" else zone)))
    events = parsed(answer).walk("VEVENT")
    assert len(events) == 1 and "RRULE" in events[0]
    assert by_peer(answer) == by_hub(hub) != []


def test_changes_of_a_series_stay_with_it(hub, serve):
    # Some programs exclude what is moved as well.
    series = event("s", day(-14) + "T190000", "RRULE:FREQ=WEEKLY;COUNT=8", f"EXDATE;TZID=Europe/Berlin:{day(0)}T190000",
                   title="Evening", zone="Europe/Berlin", end=day(-14) + "T220000")
    answer = serve(ours=calendar(
        series,
        event("s", day(1) + "T200000", f"RECURRENCE-ID;TZID=Europe/Berlin:{day(0)}T190000", title="Moved",
              zone="Europe/Berlin", end=day(1) + "T210000"),
        event("s", day(7) + "T190000", f"RECURRENCE-ID;TZID=Europe/Berlin:{day(7)}T190000", "STATUS:CANCELLED",
              title="Off", zone="Europe/Berlin"),
        event("s", day(14) + "T190000", f"RECURRENCE-ID;TZID=Europe/Berlin:{day(14)}T190000", "CLASS:PRIVATE",
              title="Board", zone="Europe/Berlin")))
    events = parsed(answer).walk("VEVENT")
    assert len(events) == 3 and len({one["UID"] for one in events}) == 1
    assert by_peer(answer) == by_hub(hub)
    assert b"Board" not in answer.body


def test_what_cannot_be_said_as_a_series_leaves_as_occurrences(hub, serve):
    answer = serve(ours=calendar(
        event("future", day(-14) + "T190000", "RRULE:FREQ=WEEKLY;COUNT=8", title="Later", zone="Europe/Berlin"),
        event("future", day(7) + "T200000", f"RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:{day(7)}T190000",
              title="Later still", zone="Europe/Berlin"),
        event("two", day(-14) + "T190000", "RRULE:FREQ=WEEKLY;COUNT=8", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=4",
              title="Two rules", zone="Europe/Berlin"),
        event("added", day(-14) + "T190000", "RRULE:FREQ=WEEKLY;COUNT=8", f"RDATE;TZID=Europe/Berlin:{day(3)}T120000",
              title="Added", zone="Europe/Berlin"),
        event("dates", day(-14) + "T190000", f"RDATE;TZID=Europe/Berlin:{day(3)}T190000,{day(9)}T190000",
              title="Dates", zone="Europe/Berlin")))
    events = parsed(answer).walk("VEVENT")
    assert not any("RRULE" in one for one in events) and len({one["UID"] for one in events}) == len(events)
    assert {one["UID"] for one in events} == {f"{one['id']}@eightbells" for one in hub.events(FIRST, LAST)["events"]}
    assert by_peer(answer) == by_hub(hub)


@pytest.mark.parametrize("name", ["clocks", "dates", "overrides", "rules", "zones", "prefixes", "future"])
def test_the_fixtures_mean_the_same_on_their_way_through(hub, serve, name):
    """The collected difficult calendars, read and written by the hub, then read by another engine."""
    text = (FIXTURES / f"{name}.ics").read_text()
    # The collected events are moved into the window of the feed.
    answer = serve(ours=text)
    found, told = by_peer(answer), by_hub(hub)
    if name == "clocks":
        # RFC 5545 section 3.8.5.3: the exact length counts, also in a night with a change of the clocks. The peer
        # differs.
        found, told = ([(start, title) for start, _, title in all] for all in (found, told))
    assert found == told


def test_many_events_stay_many_and_series_stay_small(hub, serve):
    answer = serve(ours=exported(1000), series=calendar(event(
        "daily", "20200101T190000", "RRULE:FREQ=DAILY", zone="Europe/Berlin", title="Daily")))
    past = TODAY - datetime.timedelta(days=92)
    told = [one for one in hub.events("2026-01-01", "2027-01-01")["events"]
            if one["title"] != "Daily" and one["end"][:10] >= f"{past}"]
    found = parsed(answer).walk("VEVENT")
    assert len(found) == len(told) + 1
    one = get(hub, f"/space/calendars/{hub.sources()[1]['calendar']}.ics")
    assert len(one.body) < 3000 and len(parsed(one).walk("VEVENT")) == 1


def test_private_events_do_not_leave(hub, serve):
    answer = serve(ours=calendar(
        event("a", day(1) + "T180000Z", "CLASS:PRIVATE", title="Board meeting"),
        event("b", day(1) + "T180000Z", "CLASS:CONFIDENTIAL", title="Board meeting"),
        event("c", day(1) + "T180000Z", title="Open")))
    assert b"Board" not in answer.body and len(parsed(answer).walk("VEVENT")) == 1


def test_equal_uids_of_two_calendars_stay_two_events(hub, serve):
    same = calendar(event("same", day(1) + "T180000Z"))
    found = parsed(serve(one=same, two=same)).walk("VEVENT")
    assert len({one["UID"] for one in found}) == 2
    assert [str(one["CATEGORIES"].to_ical(), "utf-8") for one in found] == ["one", "two"]


def test_scripts_and_lines_of_a_title_stay_text(hub, serve):
    evil = "<script>alert(1)</script>\\nEND:VEVENT\\nBEGIN:VEVENT"
    answer = serve(ours=calendar(event("a\\nSUMMARY:injected", day(1) + "T180000Z", f"LOCATION:{evil}", title=evil)))
    assert len(parsed(answer).walk("VEVENT")) == 1
    assert "SUMMARY:injected" not in lines(answer.body)
    assert answer.headers["Content-Type"].startswith("text/calendar")


@pytest.mark.parametrize("path", ["/space/calendars/..%2F..%2Fx.ics", "/space/calendars/%0d%0aX-Evil:1.ics"])
def test_an_unknown_calendar_is_404(hub, serve, path):
    serve(ours=calendar(event("a", day(1) + "T180000Z")))
    answer = hub.request("GET", path)
    assert answer.status == 404 and "X-Evil" not in answer.headers


def test_there_is_no_feed_before_there_is_a_space(make_hub):
    hub = make_hub()
    assert hub.get(WHOLE)[1]["code"] == 40402
    hub.configure()
    empty = parsed(get(hub))
    assert not empty.walk("VEVENT") and len(empty.walk("VTIMEZONE")) == 1


ZONES = ["Europe/Berlin", "Europe/Dublin", "America/New_York", "Africa/Casablanca", "Australia/Lord_Howe", "UTC",
         "Asia/Gaza", "Pacific/Apia"]


@pytest.mark.parametrize("zone", ZONES)
def test_a_zone_is_described_rightly(hub, serve, zone):
    """Another program reads only the VTIMEZONE, and computes the system's offsets."""
    answer = serve(timezone=zone, ours=calendar(event(
        "s", "20100301T190000", "RRULE:FREQ=MONTHLY", zone=zone if zone != "UTC" else None)))
    described = next(one for one in parsed(answer).walk("VTIMEZONE") if str(one["TZID"]) == zone)
    # Under another name, so that the system's rules are not used.
    described["TZID"] = "Somewhere/Else"
    read, known = described.to_tz(), zoneinfo.ZoneInfo(zone)
    first = datetime.datetime(2010, 3, 2, 12)
    wrong = []
    for number in range(0, (YEAR + 9 - 2010) * 365, 3):
        noon = first + datetime.timedelta(days=number)
        if noon.replace(tzinfo=read).utcoffset() != noon.replace(tzinfo=known).utcoffset():
            wrong.append(noon.date())
    assert wrong == []


def test_what_is_too_large_together_may_be_had_one_by_one(hub, serve):
    big = calendar(*(event(f"e{number}", day(1) + "T180000Z", "DESCRIPTION:" + "word " * 700, title=f"Event {number}")
                     for number in range(5000)))
    with pytest.raises(AssertionError, match="20 MB"):
        serve(one=big, two=big, small=calendar(event("a", day(1) + "T180000Z")))
    status, answer = hub.get(WHOLE)
    assert (status, answer["code"]) == (503, 50360) and "20 MB" in answer["error"]
    calendars = hub.get("/api/v1/space/calendars", token=hub.owner_token)[1]["calendars"]
    small = get(hub, f"/space/calendars/{calendars[2]['calendar']}.ics")
    assert len(parsed(small).walk("VEVENT")) == 1


def test_a_stricter_program_reads_it_too(hub, serve):
    """The library of Home Assistant's calendars, which refuses malformed files."""
    serve(color="#123456", ours=(FIXTURES / "overrides.ics").read_text(), more=(FIXTURES / "rules.ics").read_text())
    text = get(hub).body.decode()
    assert ical.calendar_stream.IcsCalendarStream.calendar_from_ics(text).events


@pytest.mark.one_hub  # as above
def test_a_feed_is_the_same_by_whatever_name_the_hub_is_asked(hub, serve):
    """Requests with invented names do not make the hub write a large feed again and again."""
    feed = serve(ours=calendar(event("a", "20261201T180000Z")))
    for number in range(40):
        again = get(hub, Host=f"made-up-{number}.example")
        assert (again.body, again.headers["ETag"]) == (feed.body, feed.headers["ETag"])
    assert b"SOURCE" not in feed.body and b"127.0.0.1" not in feed.body


def test_a_feed_names_the_address_that_its_owner_gives_the_hub(make_hub, calendar_server):
    hub = make_hub(env={"EIGHTBELLS_PUBLIC_URL": "https://hub.example/"})
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve("/a.ics", calendar())}])
    assert f"SOURCE;VALUE=URI:https://hub.example{WHOLE}" in lines(get(hub, Host="elsewhere.example").body)
