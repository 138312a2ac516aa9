"""The programme without events, and with past ones."""

import datetime as dt

import ics
from hub import eventually
from page import DESKTOP, wait_live, wait_until
from visits import coming, day, fill


def months_ago(count):
    """The first day of a past month."""
    first = day(0).replace(day=1)
    for _ in range(count):
        first = (first - dt.timedelta(days=1)).replace(day=1)
    return first


def offset(date):
    return (date - day(0)).days


def give(hub, *events):
    """With events long past, too."""
    (hub.data / "ours.ics").write_text(ics.calendar(*events), newline="")
    hub.configure(calendars=[{"kind": "ics", "url": "file:ours.ics"}])
    eventually(lambda: hub.sources()[0]["as_of"])


def month(page, first):
    page.wait_for_selector(f"#month-name:has-text('{first:%B %Y}')")


def test_without_a_calendar_there_is_nothing_to_search(hub_with_space, browser, visit):
    stranger = visit(hub_with_space, viewport=DESKTOP)
    stranger.get_by_text("Nothing is in it so far.").wait_for()
    for part in ("[role=search]", ".subscribe", "space-month table"):
        assert not stranger.locator(part).is_visible(), part
    context = browser.new_context(locale="en-GB", timezone_id="Europe/Berlin")
    hub_with_space.sign_in_browser(context, "owner")
    owner = visit(hub_with_space, context=context)
    owner.get_by_role("link", name="Add a calendar").click()
    owner.wait_for_selector("#add-calendar")
    fill(hub_with_space, {"events": [coming("a", "Soldering", 3)]})
    stranger.wait_for_selector(".weeks .event-row:has-text('Soldering')")
    assert stranger.locator("[role=search]").is_visible() and stranger.locator(".subscribe").is_visible()
    context.close()


def test_before_the_hub_knows_its_place_its_programme_says_what_to_do(hub, browser, visit):
    context = browser.new_context(locale="en-GB", timezone_id="Europe/Berlin")
    hub.sign_in_browser(context, "owner")
    owner = visit(hub, "/programme", context=context)
    owner.get_by_role("link", name="Add a calendar").click()
    owner.wait_for_selector("#add-calendar")
    context.close()
    stranger = visit(hub, "/programme")
    stranger.get_by_text("Nothing is in it so far.").wait_for()


def test_the_month_turns_back_to_what_was(hub, visit):
    before, long_ago = months_ago(1), months_ago(24)
    give(hub, coming("now", "Soldering", 0), coming("before", "Last month", offset(before) + 9),
         coming("old", "Two years ago", offset(long_ago) + 9))
    page = visit(hub, "/?view=month")
    page.click('[aria-label="Previous month"]')
    month(page, before)
    page.wait_for_selector("td:has-text('Last month')", state="attached")
    page.click(f'td[data-day="{(before + dt.timedelta(days=9) - dt.date(1970, 1, 1)).days}"]')
    page.click(".month-chosen .event-row")
    page.wait_for_selector("space-event h2:has-text('Last month')")
    page.reload()
    page.wait_for_selector("space-event h2:has-text('Last month')")
    (event,) = hub.events(str(long_ago), str(long_ago + dt.timedelta(days=20)))["events"]
    page.goto(f"{hub.url}/programme/{event['id']}")
    page.wait_for_selector("space-event h2:has-text('Two years ago')")
    page.goto(f"{hub.url}/?view=month&month={long_ago:%Y-%m}")
    month(page, long_ago)
    page.wait_for_selector("td:has-text('Two years ago')", state="attached")
    page.get_by_text("The page turns back two years").wait_for()
    assert page.locator('[aria-label="Previous month"]').get_attribute("aria-disabled") == "true"
    page.keyboard.press("Escape")
    page.goto(f"{hub.url}/?view=month&month=2001-01")
    month(page, long_ago)


def test_what_is_over_needs_the_hub_and_says_so(hub, visit):
    give(hub, coming("now", "Soldering", 0), coming("before", "Last month", offset(months_ago(2)) + 9))
    page = visit(hub, "/?view=month")
    page.wait_for_load_state("networkidle")
    hub.stop()
    page.click('[aria-label="Previous month"]')
    page.click('[aria-label="Previous month"]')
    page.locator("main").get_by_text("it needs the hub, which cannot be reached").wait_for()
    hub.start()
    wait_live(page, 60_000)
    page.wait_for_selector("td:has-text('Last month')", state="attached")
    wait_until(page, "!document.querySelector('main').textContent.includes('it needs the hub')")
