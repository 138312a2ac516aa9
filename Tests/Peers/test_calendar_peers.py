"""Compares the calendar engine with two independent ones: recurring-ical-events, and ical.

`calendarbench` must be built in release; CALENDARBENCH names another one. A difference to a peer is listed in
DIFFERENCES with its reason, by event: the peer must differ there (or the entry is out of date), and nowhere else.
"""

import datetime as dt
import functools
import os
import pathlib
import random
import re
import subprocess
import warnings
import zoneinfo

import icalendar
import pytest
import recurring_ical_events
from dateutil import rrule
from ical.calendar_stream import IcsCalendarStream
from trials import some

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = os.environ.get("CALENDARBENCH", str(ROOT / ".build/release/calendarbench"))
FIXTURES = ROOT / "Tests/Fixtures/calendars"
UTC = dt.timezone.utc
SPACE = "Europe/Berlin"
FROM = dt.datetime(2026, 1, 1, tzinfo=UTC)
TO = dt.datetime(2027, 1, 1, tzinfo=UTC)

DURATION_IN_WALL_TIME = "adds hours on the wall; by RFC 5545, 3.3.6 and 3.8.5.3, hours and what DTEND says are exact"
ONLY_THIS = "reads RANGE=THISANDFUTURE as this occurrence alone"
START_DROPPED = "leaves DTSTART out when only RDATE recurs; by RFC 5545, 3.8.5.2, it is in the set"
START_NOT_COUNTED = "does not count a DTSTART that misses its rule; by RFC 5545, 3.3.10, it is the first of COUNT"
ALL_WEEKDAYS = "BYWEEKNO alone means all seven days; by RFC 5545, 3.3.10, the weekday comes from DTSTART"
BOTH_KINDS = "needs a day to fit the plain and the positioned weekdays; by RFC 5545, 3.3.10, BYDAY is one list"
PARTIAL_WEEK = "counts BYSETPOS of the first week from DTSTART on; by RFC 5545, 3.3.10, the set is the whole week"
OTHER_CLOCK = "compares RECURRENCE-ID as written, so one in UTC replaces nothing in Europe/Berlin"

# (fixture, engine): {uid: reason}
DIFFERENCES = {
    ("clocks.ics", "recurring_ical_events"): {"overnight": DURATION_IN_WALL_TIME},
    ("clocks.ics", "ical"): {"overnight": DURATION_IN_WALL_TIME},
    ("dates.ics", "ical"): {"rdate-only": START_DROPPED},
    ("future.ics", "ical"): {"moving": ONLY_THIS},
    ("overrides.ics", "ical"): {"course": OTHER_CLOCK},
    ("unusual.ics", "recurring_ical_events"): {
        "unsynchronised": START_NOT_COUNTED, "week-44": ALL_WEEKDAYS, "mixed-days": BOTH_KINDS,
        "weekly-position": PARTIAL_WEEK,
    },
    ("unusual.ics", "ical"): {
        "unsynchronised": START_NOT_COUNTED, "week-44": ALL_WEEKDAYS, "mixed-days": BOTH_KINDS,
        "weekly-position": PARTIAL_WEEK,
    },
}

# Files that an engine refuses as a whole: the reason is what its message contains.
REFUSALS = {("prefixes.ics", "ical"): "to be valid timezone"}

FILES = [
    "clocks.ics", "dates.ics", "future.ics", "overrides.ics", "prefixes.ics", "rules.ics", "unusual.ics", "zones.ics",
]


def shown(value):
    if isinstance(value, dt.datetime):
        if value.tzinfo is None:
            value = value.replace(tzinfo=zoneinfo.ZoneInfo(SPACE))
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value.isoformat()


def run(*arguments):
    result = subprocess.run([BENCH, *arguments], capture_output=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


def ours(path, first=FROM, last=TO):
    times = [time.strftime("%Y-%m-%dT%H:%M:%SZ") for time in (first, last)]
    rows = [line.split("\t") for line in run(str(path), *times, SPACE, "--dump").splitlines()]
    return sorted(tuple(row[:4]) for row in rows)


def by_recurring_ical_events(text, first=FROM, last=TO):
    with warnings.catch_warnings():
        # It warns about guessing the zone behind a prefix, as it should.
        warnings.simplefilter("ignore")
        calendar = icalendar.Calendar.from_ical(text)
        events = recurring_ical_events.of(calendar).between(first, last)
        return sorted(
            (str(event["UID"]), shown(event["DTSTART"].dt), shown(event["DTEND"].dt), str(event["SUMMARY"]))
            for event in events
        )


def by_ical(text, first=FROM, last=TO):
    calendar = IcsCalendarStream.calendar_from_ics(text)
    timeline = calendar.timeline_tz(zoneinfo.ZoneInfo(SPACE))
    return sorted(
        (event.uid, shown(event.dtstart), shown(event.end), event.summary)
        for event in timeline.overlapping(first, last)
    )


ENGINES = {"recurring_ical_events": by_recurring_ical_events, "ical": by_ical}


def text_of(path):
    return path.read_bytes().decode()


def test_every_fixture_is_named():
    assert sorted(path.name for path in FIXTURES.glob("*.ics")) == FILES


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", FILES)
def test_a_fixture_has_the_peers_occurrences(name, engine):
    path = FIXTURES / name
    if (name, engine) in REFUSALS:
        with pytest.raises(Exception, match=REFUSALS[name, engine]):
            ENGINES[engine](text_of(path))
        other = next(peer for peer in ENGINES if peer != engine)
        assert ours(path) == ENGINES[other](text_of(path))
        return
    found, expected = ours(path), ENGINES[engine](text_of(path))
    different = {uid + "@example.org" for uid in DIFFERENCES.get((name, engine), {})}
    assert [row for row in found if row[0] not in different] == [row for row in expected if row[0] not in different]
    for uid in different:
        assert [row for row in found if row[0] == uid] != [row for row in expected if row[0] == uid], (
            f"{engine} agrees about {uid} now: remove it from DIFFERENCES"
        )


# The right rows for cases in which both peers differ.
def rows(uid, title, minutes, *starts):
    result = []
    for start in starts:
        time = dt.datetime.strptime(start, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
        result.append((uid + "@example.org", shown(time), shown(time + dt.timedelta(minutes=minutes)), title))
    return result


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("clocks.ics", rows("overnight", "Overnight with DTEND", 360, "2026-10-23 20:00", "2026-10-24 20:00",
                            "2026-10-25 21:00")),
        ("unusual.ics", rows("unsynchronised", "Start does not fit the rule", 60, "2026-10-20 10:00",
                             "2026-10-26 11:00", "2026-11-02 11:00")),
        ("unusual.ics", rows("week-44", "A week without a weekday", 60, "2026-10-26 10:00")),
        ("unusual.ics", rows("weekly-position", "Second open day of the week", 60, "2026-11-07 10:00",
                             "2026-11-14 10:00", "2026-11-21 10:00")),
        ("unusual.ics", rows("mixed-days", "Plain and positioned weekdays", 60, "2026-11-02 10:00", "2026-11-03 10:00",
                             "2026-11-09 10:00", "2026-11-16 10:00", "2026-11-23 10:00", "2026-11-30 10:00",
                             "2026-12-01 10:00", "2026-12-07 10:00", "2026-12-14 10:00")),
    ],
)
def test_where_no_peer_is_right_the_standard_is(name, expected):
    assert [row for row in ours(FIXTURES / name) if row[0] == expected[0][0]] == expected


# Random rules

WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", None]


def pick(rng, values, most):
    return sorted(rng.sample(values, rng.randint(1, most)))


def listed(values):
    return ",".join(str(value) for value in values)


def random_rule(rng):
    """A rule for which the peers follow the standard: see BOTH_KINDS, ALL_WEEKDAYS, PARTIAL_WEEK for the rest."""
    frequency = rng.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts = [f"FREQ={frequency}"]
    if rng.random() < 0.5:
        parts.append(f"INTERVAL={rng.randint(1, 4)}")
    if rng.random() < 0.3:
        parts.append(f"WKST={rng.choice(WEEKDAYS)}")
    signed = [number for number in range(-31, 32) if number]
    expands = False
    if rng.random() < 0.3:
        parts.append(f"BYMONTH={listed(pick(rng, range(1, 13), 6))}")
    kind = rng.random()
    if frequency == "YEARLY" and kind < 0.15:
        parts.append(f"BYWEEKNO={listed(pick(rng, [-53, -2, -1, 1, 2, 20, 52, 53], 3))}")
        parts.append(f"BYDAY={listed(pick(rng, WEEKDAYS, 3))}")
        expands = True
    elif frequency == "YEARLY" and kind < 0.3:
        parts.append(f"BYYEARDAY={listed(pick(rng, [-366, -100, -1, 1, 60, 100, 200, 365, 366], 4))}")
        expands = True
    elif frequency in ("MONTHLY", "YEARLY") and kind < 0.5:
        days = {f"{rng.choice([-5, -2, -1, 1, 2, 3, 4, 5])}{rng.choice(WEEKDAYS)}" for _ in range(rng.randint(1, 3))}
        parts.append(f"BYDAY={listed(sorted(days))}")
        expands = True
    elif kind < 0.75:
        parts.append(f"BYDAY={listed(pick(rng, WEEKDAYS, 4))}")
        expands = frequency != "DAILY"
    if frequency != "WEEKLY" and rng.random() < 0.25:
        parts.append(f"BYMONTHDAY={listed(pick(rng, signed, 5))}")
        expands = expands or frequency != "DAILY"
    if rng.random() < 0.15:
        parts.append(f"BYHOUR={listed(pick(rng, range(6, 22), 2))}")
        expands = True
    if expands and frequency != "WEEKLY" and rng.random() < 0.25:
        parts.append(f"BYSETPOS={listed(pick(rng, [-2, -1, 1, 2, 3], 2))}")
    return parts


def random_event(rng, number):
    """An event whose start fits its rule, or None if the rule never matches.

    It ends before the night in which clocks may change: see DURATION_IN_WALL_TIME.
    """
    parts = random_rule(rng)
    tentative = dt.datetime(rng.randint(2018, 2025), rng.randint(1, 12), rng.randint(1, 28), rng.randint(8, 18), 30)
    # For a rule that never matches dateutil goes on to the year 9999 all the same, which takes a second.
    end_of_search = tentative + dt.timedelta(days=366 * 60)
    start = next(iter(rrule.rrulestr(";".join(parts), dtstart=tentative).replace(until=end_of_search)), None)
    if start is None:
        return None
    zone = rng.choice(ZONES)
    end = rng.random()
    if end < 0.3:
        parts.append(f"COUNT={rng.randint(1, 400)}")
    elif end < 0.5:
        parts.append(f"UNTIL={start + dt.timedelta(days=rng.randint(0, 4000)):%Y%m%dT%H%M%SZ}")
    value = f";TZID={zone}:{start:%Y%m%dT%H%M%S}" if zone else f":{start:%Y%m%dT%H%M%SZ}"
    return [
        "BEGIN:VEVENT", f"UID:random-{number}@example.org", "DTSTAMP:20260101T000000Z", f"DTSTART{value}",
        f"DURATION:PT{rng.randint(1, 120)}M", f"RRULE:{';'.join(parts)}", f"SUMMARY:{';'.join(parts)}".replace(
            ";", "\\;").replace(",", "\\,"), "END:VEVENT",
    ]


@functools.cache
def random_calendar(seed):
    rng = random.Random(seed)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Eightbells//Random//EN"]
    for number in range(60):
        lines += random_event(rng, number) or []
    return "\r\n".join(lines + ["END:VCALENDAR", ""])


@pytest.mark.timeout(400)  # to find the starts of these rules takes long: see random_event
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(some(80)))
def test_random_rules_have_the_peers_occurrences(seed, engine, tmp_path):
    seed = int(os.environ.get("SEED", "20261120")) + seed
    print("seed", seed)
    path = tmp_path / "random.ics"
    path.write_bytes(random_calendar(seed).encode())
    first, last = FROM, dt.datetime(2029, 1, 1, tzinfo=UTC)
    assert ours(path, first, last) == ENGINES[engine](text_of(path), first, last)


# Our own files

TEXTS = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Eightbells//Texts//EN
BEGIN:VEVENT
UID:texts@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID=Europe/Berlin:20261120T190000
DTEND;TZID=Europe/Berlin:20261120T210000
SUMMARY:Löten\\, für Anfänger\\; mit „Zubehör“ und einem Titel\\, der länger als eine Zeile von 75 Oktetten ist ⚓️⚓️⚓️
LOCATION:Hinterhof\\, 2. Stock
DESCRIPTION:First line\\nSecond line\\\\ with <b>bold</b> &amp\\; a link: https://example.org/a?b=1
URL:https://example.org/löten
STATUS:TENTATIVE
SEQUENCE:3
END:VEVENT
BEGIN:VEVENT
UID:days@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20261121
DTEND;VALUE=DATE:20261123
RRULE:FREQ=YEARLY
SUMMARY:Camp
END:VEVENT
END:VCALENDAR
"""


def unescaped(text):
    """A TEXT value that icalendar does not decode, since its property is not a standard one."""
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], text)


def own_files(path):
    """Each occurrence's row, and the event that icalendar parses from the hub's file of it."""
    window = (str(path), "2026-11-01", "2026-12-01", SPACE)
    for line in run(*window, "--dump").splitlines():
        row = line.split("\t")
        text = run(*window, "--ics", row[5])
        yield row, text, icalendar.Calendar.from_ical(text).walk("VEVENT")[0]


def test_a_file_of_an_occurrence_says_the_same_to_icalendar(tmp_path):
    path = tmp_path / "texts.ics"
    path.write_bytes(TEXTS.replace("\n", "\r\n").encode())
    seen = 0
    for (_, start, end, title, status, identifier), text, event in own_files(path):
        seen += 1
        assert (shown(event["DTSTART"].dt), shown(event["DTEND"].dt)) == (start, end)
        assert (str(event["SUMMARY"]), str(event["STATUS"]).lower()) == (title, status)
        assert str(event["UID"]) == identifier + "@eightbells"
        assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
        if title.startswith("Löten"):
            assert title.endswith("⚓️⚓️⚓️")
            assert str(event["LOCATION"]) == "Hinterhof, 2. Stock"
            text = "First line\nSecond line\\ with bold & a link: https://example.org/a?b=1"
            assert str(event["DESCRIPTION"]) == text
            assert "<b>bold</b> &amp; a link" in unescaped(str(event["X-ALT-DESC"]))
            assert str(event["URL"]) == "https://example.org/löten"
            assert int(event["SEQUENCE"]) == 3
    assert seen == 2
