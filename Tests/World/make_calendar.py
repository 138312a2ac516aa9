"""Writes a deterministic calendar for timing engines: python3 make_calendar.py FILE [EVENTS] [SEED]

Half of the events recur, weekly, monthly and daily, with BYDAY, COUNT and UNTIL; a few have exceptions and overrides.
"""

import datetime as dt
import random
import sys

ZONES = ["Europe/Berlin", "Europe/London", "America/New_York"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FIRST = dt.datetime(2022, 1, 1)


def stamp(time):
    return time.strftime("%Y%m%dT%H%M%S")


def rule(rng, start):
    kind = rng.random()
    if kind < 0.5:
        days = sorted({start.weekday(), rng.randrange(7)})
        text = "FREQ=WEEKLY;BYDAY=" + ",".join(WEEKDAYS[day] for day in days)
    elif kind < 0.8:
        position = min((start.day - 1) // 7 + 1, 4)
        text = f"FREQ=MONTHLY;BYDAY={position}{WEEKDAYS[start.weekday()]}"
    else:
        text = f"FREQ=DAILY;INTERVAL={rng.randint(1, 6)}"
    end = rng.random()
    if end < 0.3:
        text += f";COUNT={rng.randint(5, 150)}"
    elif end < 0.6:
        until = start + dt.timedelta(days=rng.randint(60, 1200))
        text += f";UNTIL={stamp(until)}Z"
    return text


def event(rng, number):
    zone = rng.choice(ZONES)
    start = FIRST + dt.timedelta(days=rng.randrange(5 * 365), hours=rng.randint(8, 21), minutes=rng.choice([0, 30]))
    recurs = number % 2 == 1
    text_rule = None
    if recurs:
        text_rule = rule(rng, start)
        if text_rule.startswith("FREQ=MONTHLY") and start.day > 28:
            # The start must match its rule, which has no fifth weekday.
            start -= dt.timedelta(days=7)
    end = start + dt.timedelta(minutes=30 * rng.randint(1, 8))
    head = ["BEGIN:VEVENT", f"UID:event-{number}@example.org", "DTSTAMP:20260101T000000Z"]
    tail = [f"SUMMARY:Event {number}", "LOCATION:Main hall",
                f"DESCRIPTION:Bring tools\\, see https://example.org/{number}",
            "END:VEVENT"]
    times = [f"DTSTART;TZID={zone}:{stamp(start)}", f"DTEND;TZID={zone}:{stamp(end)}"]
    lines = head + times + ([f"RRULE:{text_rule}"] if recurs else []) + tail
    if recurs and text_rule.startswith("FREQ=DAILY") and number % 20 == 1:
        lines.insert(5, f"EXDATE;TZID={zone}:{stamp(start)}")
    return lines


def calendar(events=5000, seed=1):
    rng = random.Random(seed)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Eightbells//Benchmark//EN"]
    for number in range(events):
        lines += event(rng, number)
    return "\r\n".join(lines + ["END:VCALENDAR", ""])


if __name__ == "__main__":
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with open(sys.argv[1], "w", newline="") as file:
        file.write(calendar(count, seed))
