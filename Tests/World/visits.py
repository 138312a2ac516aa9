"""Visits to a hub's page in Chromium, and calendars of the coming days for it."""

import contextlib
import datetime as dt
import zoneinfo

import ics
from hub import eventually
from page import pages, wait_live

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")


@contextlib.contextmanager
def visits(browser):
    """Yields visit(hub, path, context=…, …): the page, live and with its programme. Errors in any are reported."""
    with pages(browser) as open_page:
        def visit(hub, path="/", context=None, **options):
            page = open_page(context, **options)
            page.goto(hub.url + path)
            wait_live(page)
            page.wait_for_selector(
                ".tonight, .weeks .event-row, .month, space-event h2, .nothing-marked", state="attached")
            return page

        yield visit


def day(offset):
    """The date so many days from today, in the space's zone."""
    return dt.datetime.now(ZONE).date() + dt.timedelta(days=offset)


def coming(uid, title, offset, time="190000", hours=2, *lines):
    """An event so many days from today."""
    start = dt.datetime.combine(day(offset), dt.datetime.strptime(time, "%H%M%S").time())
    end = start + dt.timedelta(hours=hours)
    stamp = "%Y%m%dT%H%M%S"
    return ics.event(
        uid, start.strftime(stamp), *lines, title=title, end=end.strftime(stamp), zone="Europe/Berlin")


def whole_days(uid, title, offset, days, *lines):
    return ics.event(uid, f"{day(offset):%Y%m%d}", *lines, title=title, end=f"{day(offset + days):%Y%m%d}")


def fill(hub, *calendars):
    """Gives the hub these calendars, each {"name", "color", "events"}, and waits until it has read them all."""
    settings = []
    for number, one in enumerate(calendars):
        name = f"calendar-{number}.ics"
        (hub.data / name).write_text(ics.calendar(*one["events"], name=one.get("name")), newline="")
        settings.append({"kind": "ics", "url": f"file:{name}"} | {
            key: one[key] for key in ("name", "color") if key in one})
    hub.configure(calendars=settings)
    wanted = {line[8:] for one in calendars for event in one["events"] for line in event if line.startswith("SUMMARY:")}

    def shown():
        events = hub.events(str(day(-40)), str(day(400)))["events"]
        return {event["title"] for event in events} == wanted

    eventually(shown, what="the calendars")
