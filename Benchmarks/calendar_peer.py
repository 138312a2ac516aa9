"""Times recurring-ical-events in the same way as calendarbench: python3 calendar_peer.py FILE FROM TO

FROM and TO are days. Prints the same lines: occurrences, parse and expand in seconds.
"""

import datetime as dt
import sys
import time

import icalendar
import recurring_ical_events


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    first, last = (dt.date.fromisoformat(text) for text in sys.argv[2:4])
    start = time.monotonic()
    calendar = icalendar.Calendar.from_ical(data)
    parsed = time.monotonic()
    events = recurring_ical_events.of(calendar).between(first, last)
    expanded = time.monotonic()
    print("occurrences", len(events))
    print("parse", parsed - start)
    print("expand", expanded - parsed)


if __name__ == "__main__":
    main()
