"""A hub with a large programme, read and stored."""

import make_calendar
from hub import eventually

EVENTS = 10_000
# A month in the middle of make_calendar's five years.
FIRST, LAST = "2025-03-01", "2025-04-01"
PROGRAMME = f"/api/v1/space/events?from={FIRST}&to={LAST}"


def fill(hub, events=EVENTS):
    """Gives a running hub its calendar, and waits until it was read."""
    (hub.data / "programme.ics").write_text(make_calendar.calendar(events), newline="")
    hub.configure(calendars=[{"kind": "ics", "url": "file:programme.ics"}])
    shown = eventually(lambda: hub.events(FIRST, LAST)["events"], seconds=60, what="the programme")
    assert len(shown) > events / 10
