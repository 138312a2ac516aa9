"""The space's page in a real browser, against a real hub that runs with its demonstration data."""

import datetime as dt
import json
import re
import time

import pytest
import visits
from hub import STATE
from page import DESKTOP, LIMIT, PHONE, PICTURES, SMALL, overflow, pages, wait_kept, wait_live, wait_until
from readable import axe_in_both

RECONNECT_LIMIT = 45_000  # the longest backoff, and one attempt


def turn(hub, **sign):
    """Turns the sign as a keykeeper does."""
    status, answer = hub.post(STATE, hub.keykeeper_token, sign)
    assert 200 <= status < 300, answer


@pytest.fixture
def demo_hub(shared_demo_hub):
    return shared_demo_hub.running()


@pytest.fixture
def visit(browser, demo_hub):
    """Opens the page as a visitor would: visit(path, viewport=…, locale=…, color_scheme=…), complete and live."""
    with pages(browser) as open_page:
        def visit(path="/", live=True, **options):
            page = open_page(**options)
            page.goto(demo_hub.url + path)
            if live:
                wait_live(page)
                # The hub reads its calendars after its start; the page updates by itself.
                page.wait_for_selector("a.event-row", state="attached")
            return page

        yield visit


def show_all(page):
    button = page.locator("space-programme button.button")
    if button.count():
        button.click()


def rows(page):
    """The events on the page: (id, text) of each, in order."""
    return page.eval_on_selector_all("a.event-row", "all => all.map((row) => [row.id.slice(3), row.innerText])")


def open_first(page):
    """Opens the first event; returns its id."""
    link = page.locator("a.event-row").first
    name = link.get_attribute("id")[3:]
    link.click()
    page.wait_for_selector("space-event dl")
    return name


def test_a_turned_sign_is_seen_at_once_on_every_open_page(demo_hub, visit):
    turn(demo_hub, open=True)
    pages = [visit(), visit(viewport=DESKTOP, locale="de-DE")]
    for page in pages:
        page.wait_for_selector('.sign-board[data-kind="open"]')
    for kind, value in (("closed", False), ("open", True)):
        before = time.monotonic()
        turn(demo_hub, open=value, message=f"It is {kind}")
        for page in pages:
            page.wait_for_selector(f'.sign-board[data-kind="{kind}"]:has-text("It is {kind}")')
        assert time.monotonic() - before < 10, "it comes over the live line, and not with the next question"
    # The change is announced to screen readers, too.
    assert "It is open" in pages[0].locator('[role="status"]').inner_text()


def test_everything_is_there_without_a_network(demo_hub, visit):
    turn(demo_hub, open=True)
    page = visit()
    page.wait_for_selector('.sign-board[data-kind="open"]')
    show_all(page)
    online = rows(page)
    assert online
    wait_kept(page)
    demo_hub.stop()
    page.reload()
    page.wait_for_selector('.note[data-kind="lost"]')
    board = page.locator('.sign-board[data-kind="open"][data-stale]')
    board.wait_for()
    page.wait_for_selector(".sign-last:has-text('Last known, just now'), .sign-last:has-text(' ago:')")
    page.wait_for_selector("space-programme .tonight", state="attached")
    show_all(page)
    assert rows(page) == online
    title = page.locator("a.event-row .event-title").first.inner_text()
    open_first(page)
    heading = page.locator("space-event h2").inner_text()
    assert heading and heading in title
    assert page.locator("space-event dd").first.inner_text()
    page.reload()  # the event's own address works offline, too
    page.wait_for_selector("space-event dl")
    assert page.locator("space-event h2").inner_text() == heading


def test_a_page_reconnects_by_itself_and_shows_what_changed_meanwhile(demo_hub, visit):
    turn(demo_hub, open=True)
    page = visit()
    page.wait_for_selector('.sign-board[data-kind="open"]:not([data-stale])')
    demo_hub.stop()
    page.wait_for_selector('.note[data-kind="lost"]')
    page.wait_for_selector('.sign-board[data-kind="open"][data-stale]')
    demo_hub.start()
    turn(demo_hub, open=False)
    wait_live(page, RECONNECT_LIMIT)
    page.wait_for_selector('.note[data-kind="again"]')
    page.wait_for_selector('.sign-board[data-kind="closed"]:not([data-stale])')
    page.wait_for_selector('.note[data-kind="lost"]', state="detached")


def test_axe_finds_nothing(demo_hub, visit):
    page = visit()
    found = []

    def check(view):
        found.extend((view, *one) for one in axe_in_both(page))

    for kind, value in (("open", True), ("closed", False)):
        turn(demo_hub, open=value, message="Tea is ready")
        page.wait_for_selector(f'.sign-board[data-kind="{kind}"]')
        wait_until(page, "document.getAnimations().every((one) => one.playState === 'finished')")
        check(kind)
    open_first(page)
    check("event")
    page.go_back()
    wait_kept(page)
    demo_hub.stop()
    page.wait_for_selector('.note[data-kind="lost"]')
    check("offline")
    assert found == []


def test_the_picture_of_the_readme(demo_hub, visit):
    turn(demo_hub, open=True, message="The soldering irons are hot, tea is ready.")
    page = visit(viewport=DESKTOP)
    page.wait_for_selector('.sign-board[data-kind="open"]')
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = PICTURES / "space-desktop-light.png"
    page.screenshot(path=picture, animations="disabled")
    assert picture.stat().st_size > 10_000


@pytest.mark.parametrize("locale, language, opened, closed, back", [
    ("de-AT", "de", "Offen", "Geschlossen", "Programm"),
    ("fr-FR", "en", "Open", "Closed", "Programme"),
])
def test_the_page_speaks_the_readers_language(demo_hub, visit, locale, language, opened, closed, back):
    turn(demo_hub, open=True)
    page = visit(locale=locale)
    assert page.locator("html").get_attribute("lang") == language
    page.wait_for_selector(f'.sign-word:text-is("{opened}")')
    turn(demo_hub, open=False)
    page.wait_for_selector(f'.sign-word:text-is("{closed}")')
    assert page.title().startswith(closed)
    open_first(page)
    assert page.locator("button.back").inner_text() == back


def test_a_long_word_is_not_wider_than_320_pixels(demo_hub, visit):
    page = visit(viewport=SMALL, locale="de-DE")
    show_all(page)
    for kind, value in (("open", True), ("closed", False)):
        turn(demo_hub, open=value, message="Donaudampfschifffahrtsgesellschaftskapitänsmützenversteigerungshalle")
        page.wait_for_selector(f'.sign-board[data-kind="{kind}"]')
        assert overflow(page) <= 0
        word = page.locator(".sign-word").evaluate("it => [it.scrollWidth, it.clientWidth, it.getClientRects().length]")
        assert word[0] <= word[1], "the word on the sign does not fit"


def test_targets_are_large_enough_for_a_thumb(visit):
    page = visit()
    small = """all => all.filter((it) => it.offsetParent && !it.closest('p:not(.actions), .description'))
      .map((it) => [it.outerHTML.slice(0, 80), it.getBoundingClientRect().height])
      .filter(([, height]) => height < 44)"""
    assert page.eval_on_selector_all("a, button", small) == []
    open_first(page)
    assert page.eval_on_selector_all("a, button", small) == []


def test_the_programme_shows_each_event_once_and_in_order(visit):
    page = visit()
    show_all(page)
    shown = [name for name, _ in rows(page)]
    expected = page.evaluate("""async () => {
      const day = (offset) => new Date(Date.now() + offset * 86400e3).toISOString().slice(0, 10);
      const { events } = await (await fetch(`/api/v1/space/events?from=${day(-1.5)}&to=${day(400)}`)).json();
      return events.filter((it) => Date.parse(it.end) > Date.now()).map(({ id, start }) => [id, Date.parse(start)]);
    }""")
    starts = dict(expected)
    assert len(shown) == len(set(shown))
    assert set(shown) == set(starts)
    assert [starts[name] for name in shown] == sorted(starts.values())


def test_cancelled_is_said_in_words(visit):
    page = visit()
    show_all(page)
    cancelled = page.locator('a.event-row[data-status="cancelled"]')
    cancelled.first.wait_for(state="attached")
    for row in cancelled.all():
        assert row.locator("s").count() == 1
        assert "cancelled" in row.inner_text()


def test_back_from_an_event_keeps_the_place_in_the_list(visit):
    page = visit()
    link = page.locator("a.event-row").last
    link.scroll_into_view_if_needed()
    name = link.get_attribute("id")
    place = page.evaluate("scrollY")
    assert place > 0
    link.click()
    page.wait_for_selector("space-event dl")
    assert page.evaluate("scrollY") < place
    page.go_back()
    wait_until(page, f"document.activeElement.id === '{name}'")
    assert abs(page.evaluate("scrollY") - place) <= 1


def test_an_event_has_an_address_of_its_own_and_a_calendar_file(demo_hub, visit):
    page = visit()
    name = open_first(page)
    address = page.url
    assert re.fullmatch(r".*/programme/[^/#]+", address)
    other = visit(address.removeprefix(demo_hub.url))
    other.wait_for_selector("space-event dl")
    assert other.locator("space-event h2").inner_text() == page.locator("space-event h2").inner_text()
    file = other.locator(f'a[href$="{name}.ics"]').get_attribute("href")
    answer = other.request.get(demo_hub.url + file)
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/calendar")
    assert answer.text().startswith("BEGIN:VCALENDAR")
    other.click("button.back")
    other.wait_for_selector("a.event-row")


def test_an_event_that_is_gone_is_said_to_be(visit):
    page = visit("/#/event/no-such-event")
    page.wait_for_selector("space-event h2")
    assert "not in the programme any more" in page.locator("space-event h2").inner_text()


def test_a_passed_until_is_marked_and_does_not_turn_the_sign(demo_hub, visit):
    turn(demo_hub, open=True, until="2020-01-01T23:00:00+01:00")
    page = visit()
    page.wait_for_selector('.sign-board[data-kind="open"] .sign-until[data-passed]:has-text("has passed")')


def test_letters_of_twice_the_size_stay_on_the_page(demo_hub, visit):
    page = visit()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_programme_that_was_never_read_is_not_told_as_an_empty_one(hub, browser):
    hub.configure(calendars=[{"kind": "ics", "url": "http://127.0.0.1:1/never.ics"}])
    page = browser.new_page(viewport=PHONE, locale="de-DE")
    page.set_default_timeout(LIMIT)
    page.goto(hub.url)
    page.wait_for_selector(".note:has-text('noch nicht zu lesen')")
    assert page.locator(".tonight").count() == 0
    assert "Nummer 1" in page.locator(".problems").inner_text()
    page.close()


def test_an_event_says_whose_it_is_and_gives_the_window_its_title(demo_hub, visit):
    page = visit()
    page.click('a[href*="#/event/"] >> nth=1')
    title = page.locator("space-event h2").inner_text()
    wait_until(page, f"document.title === {json.dumps(title)} + ' · Hackerspace Nordlicht'")
    assert "Am Speicher 8" in page.locator("space-event .house").inner_text()
    assert page.locator(".sign-name").is_visible()


def test_later_events_carry_their_year_and_take_the_focus(demo_hub, visit):
    """The first day after today carries none, unless it is in the next year already."""
    page = visit()
    page.locator("space-programme button.button").focus()
    page.keyboard.press("Enter")
    wait_until(page, "document.activeElement.classList.contains('event-row')")
    assert re.search(r"\b20\d\d\b", page.locator(".day h3").last.inner_text())
    first = page.locator(".day").first
    year = (dt.date(1970, 1, 1) + dt.timedelta(days=int(first.get_attribute("data-day")))).year
    assert (str(year) in first.locator("h3").inner_text()) == (year != visits.day(0).year)
