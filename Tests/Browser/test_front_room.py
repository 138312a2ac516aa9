"""The front room: cards of other rooms, and its view for strangers."""

import datetime as dt
import re

import pytest

import visits
from hub import eventually
from page import DESKTOP, PHONE, pages, wait_live, wait_until
from visits import fill


@pytest.fixture
def visit(browser, demo_hub):
    with pages(browser) as open_page:
        def visit(path="/", role=None, **options):
            page = open_page(**options)
            if role:
                demo_hub.sign_in_browser(page.context, role)
            page.goto(demo_hub.url + path)
            wait_live(page)
            page.wait_for_selector("a.event-row")
            return page

        yield visit


def coming(hub):
    """The next event that has not begun; a hub that has just begun may not have read its calendar yet."""
    def found():
        now = dt.datetime.now(dt.timezone.utc)
        events = hub.get("/api/v1/space/events")[1]["events"]
        return next((one for one in sorted(events, key=lambda one: one["start"]) if one["status"] == "confirmed"
                     and not one["all_day"] and dt.datetime.fromisoformat(one["start"]) > now), None)

    return eventually(found)


def weeks_with_events(hub):
    """The Mondays of the two weeks that begin with tomorrow's, without those in whose days nothing is on."""
    days = [visits.day(offset) for offset in range(1, 15)]
    mondays = [day - dt.timedelta(days=day.weekday()) for day in days]
    shown = [(day, monday) for day, monday in zip(days, mondays) if monday < mondays[0] + dt.timedelta(weeks=2)]
    found = hub.events(str(days[0]), str(shown[-1][0] + dt.timedelta(days=1)))["events"]

    def day_of(time, before=dt.timedelta()):
        return (dt.datetime.fromisoformat(time).astimezone(visits.ZONE) - before).date()

    # An event of several days stands at each of them; midnight is the end of the day before.
    spans = [(day_of(one["start"]), day_of(one["end"], dt.timedelta(seconds=1))) for one in found]
    return {monday for day, monday in shown if any(first <= day <= max(first, last) for first, last in spans)}


def test_the_navigation_says_what_comes_next(visit):
    page = visit("/", "member", viewport=DESKTOP)
    state = page.locator(".nav-link:has-text('Programme') .nav-state")
    wait_until(page, "document.querySelectorAll('.nav-state')[1]?.innerText.trim()")
    assert 4 < len(state.inner_text().strip()) <= 22


def test_for_what_nobody_opens_a_keykeeper_is_told_on_the_front_room(visit, demo_hub):
    event = coming(demo_hub)
    owner = demo_hub.sign_in("owner", "Ada")
    assert demo_hub.put(f"/api/v1/space/openers/{event['id']}", owner, {"wanted": True})[0] == 200
    page = visit("/", "keykeeper", viewport=DESKTOP)
    card = page.locator("hub-watch .room-card")
    card.wait_for()
    assert card.locator(".room-says").inner_text() == "Nobody opens yet"
    assert event["title"] in card.locator(".room-lines").inner_text()
    assert page.locator(".nav-state .lamp[data-state=warn]").count() == 1
    card.locator(".room-lines a").click()
    page.wait_for_selector(f"article.event h2:has-text({event['title']!r})")
    member = visit("/", "member")
    member.wait_for_selector("space-hours h2")
    assert not member.locator("hub-watch h2").is_visible(), "who may not open is not asked to"


def test_the_little_board_says_who_opens(browser, hub):
    fill(hub, {"events": [visits.coming("soon", "Soldering", 1)]})
    known = hub.get("/api/v1/space/settings", token=hub.owner_token)[1]
    hub.configure(**known | {"opening_hours": f"{visits.day(1).strftime('%a')[:2]} 21:00-23:00"})
    event = coming(hub)
    keykeeper = hub.sign_in("keykeeper", "Kim")
    assert hub.post("/api/v1/space/state", keykeeper, {"open": False})[0] == 200
    assert hub.post(f"/api/v1/space/openers/{event['id']}/me", keykeeper)[0] == 200
    with visits.visits(browser) as visit:
        page = visit(hub)
        plate = page.locator(".sign-plate")
        plate.wait_for()
        wait_until(page, "document.querySelector('.plate-when').textContent.startsWith('Opens ')")
        assert plate.locator(".plate-what").inner_text() == f"{event['title']}, Kim will open"
        assert page.locator(".sign-opens").text_content() == "", "the sign names no later hour"
        plate.click()
        page.wait_for_selector(f"article.event h2:has-text({event['title']!r})")
        page.go_back()
        page.wait_for_selector(".sign-plate")
        hub.delete(f"/api/v1/space/openers/{event['id']}/me", keykeeper)
        wait_until(page, "document.querySelector('.sign-opens').textContent.startsWith('opens ')")


def test_who_passes_by_finds_sign_programme_and_way(visit, demo_hub):
    page = visit("/", viewport=PHONE)
    page.wait_for_selector("space-way h2:has-text('How to get there')")
    way = page.locator("space-way")
    assert "Am Speicher 8" in way.inner_text()
    assert way.locator("a").get_attribute("href").startswith("https://www.openstreetmap.org/")
    assert page.locator("space-way :is(button, input)").count() == 0, "nothing that does nothing"
    assert "Am Speicher 8" not in page.locator("space-about").inner_text(), "it is said once"
    # Two weeks (those of them in which something is on), then the way, and behind it what else is offered.
    assert page.locator(".week").count() == len(weeks_with_events(demo_hub))
    below = page.evaluate("""document.querySelector('space-programme').compareDocumentPosition(
      document.querySelector('space-way h2')) & Node.DOCUMENT_POSITION_FOLLOWING""")
    assert below and way.bounding_box()["y"] > page.locator(".week").last.bounding_box()["y"]
    bells = page.locator("bells-stranger section")
    bells.wait_for()
    assert bells.bounding_box()["y"] > way.bounding_box()["y"] + way.bounding_box()["height"]
    page.locator("a:has-text('Whole programme')").click()
    page.wait_for_url("**/programme")
    page.go_back()
    page.wait_for_selector("space-way h2")


def test_two_weeks_are_two_of_the_calendar_and_the_next_event_is_named_when_they_are_empty(browser, hub):
    fill(hub, {"events": [visits.coming("now", "Soldering", 0, "000100", 23), visits.coming("far", "Far away", 60),
                          visits.coming("farther", "Farther away", 90)]})
    with visits.visits(browser) as visit:
        page = visit(hub)
        page.wait_for_selector(".tonight a:has-text('Far away')")
        assert page.locator(".week").count() == 0
        page.click("button:has-text('Show 2 later events')")
        page.wait_for_selector(".weeks .event-row:has-text('Farther away')")


def test_on_paper_are_weeks_and_whose_they_are_and_nothing_that_one_presses(browser, hub):
    next_monday = 7 - visits.day(0).weekday()
    evenings = [first + number for first in (next_monday, next_monday + 7) for number in range(3)]
    fill(hub, {"events": [visits.coming(f"e{number}", f"Evening {number}", number) for number in evenings]})
    with visits.visits(browser) as visit:
        page = visit(hub, viewport=PHONE)
        page.wait_for_selector("bells-stranger section")
        wait_until(page, "getComputedStyle(document.documentElement).getPropertyValue('--letterhead').length > 4")
        page.wait_for_selector(".week")
        weeks = page.locator(".week").count()
        # There is nothing today, which is said above the first week.
        assert len(re.findall(rb"/Type /Page\b(?!s)", page.pdf(format="A4"))) == weeks
        page.emulate_media(media="print")
        pressed = page.locator("hub-navigation, hub-foot, button, input, bells-stranger")
        assert not any(one.is_visible() for one in pressed.all())
        heads = page.locator(".tonight, .week").evaluate_all(
            "all => all.map((one) => getComputedStyle(one, '::before').content)")
        whose = '"Test space, Am Speicher 8, 28195 Bremen"'
        assert heads == [whose, "none"] + [whose] * (weeks - 1)


def test_who_is_inside_knows_the_way(visit):
    page = visit("/", "member")
    page.wait_for_selector("space-about:has-text('Am Speicher 8')")
    assert page.locator("space-way section").count() == 0


def test_what_a_bad_network_has_lost_is_asked_for_once_more(browser, demo_hub):
    with pages(browser) as open_page:
        page = open_page()
        page.route("**/pages/*-last.js", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            page.goto(demo_hub.url)
        page.unroute("**/pages/*-last.js")
        wait_until(page, "customElements.get('hub-checklist')")
