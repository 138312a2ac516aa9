"""Visits to the page of a hub in Chromium, and calendars of the coming days to see there."""

import contextlib
import datetime as dt
import zoneinfo

import ics
from hub import eventually

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
LIMIT = 15_000  # milliseconds for anything that has no bound of its own
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
DESKTOP = {"width": 1280, "height": 800}


@contextlib.contextmanager
def visits(browser):
    """Gives visit(hub, path, context=…, …): the page, live and with its programme. What went wrong in any is told."""
    contexts, troubles = [], []

    def visit(hub, path="/", context=None, **options):
        if context is None:
            context = browser.new_context(
                **{"viewport": PHONE, "locale": "en-GB", "timezone_id": "Europe/Berlin"} | options)
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LIMIT)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(hub.url + path)
        wait_live(page)
        page.wait_for_selector(".tonight, .weeks .event-row, .month, space-event h2, .nothing-marked", state="attached")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert troubles == []


def wait_live(page, limit=LIMIT):
    page.wait_for_selector('.sign-line[data-line="live"]', timeout=limit)


def wait_until(page, condition, limit=LIMIT):
    """Until a condition in JavaScript holds. Playwright's own wait needs eval, which our policy gives to no page."""
    page.evaluate(f"""async () => {{
      const until = performance.now() + {limit};
      const condition = () => ({condition});
      while (!condition()) {{
        if (performance.now() > until) throw new Error('not within {limit} ms: ' + condition);
        await new Promise((resolve) => {{ setTimeout(resolve, 10); }});
      }}
    }}""")


def wait_kept(page):
    """Until the service worker has everything and has taken this page over."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_until(page, "navigator.serviceWorker.controller !== null")


def day(offset):
    """The date so many days from today, in the space."""
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
    """Gives the hub these calendars, each {"name", "color", "events"}, and waits until it tells of them all."""
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
