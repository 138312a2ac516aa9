"""The programme on the page: search, calendars, month, long events, thousands of rows, and coming back."""

import datetime as dt
import re

import pytest
from page import ADDRESS, DESKTOP, KNOWS_ADDRESS, PHONE, SMALL, wait_live, wait_until
from readable import axe_in_both
from visits import coming, day, fill, whole_days

MANY = 1_500


def calendars():
    """Made by each test: a run may have begun the day before."""
    return [
        {"name": "Evenings", "color": "#c2702a", "events": [
            coming("solder", "Löten für Anfänger", 1, "180000", 2, "LOCATION:Werkstatt"),
            coming("talks", "Lightning talks", 2, "200000", 2, "DESCRIPTION:<p>Short talks on <em>anything</em></p>"),
            whole_days("camp", "Winter camp", 3, 3)]},
        {"name": "Courses", "color": "#2f7fb8", "events": [
            coming("sewing", "Sewing", 2, "170000", 2), coming("far", "Far away", 200, "190000", 2)]},
    ]


@pytest.fixture
def space(hub):
    fill(hub, *calendars())
    return hub


@pytest.fixture
def large_space(hub):
    fill(hub, {"events": [
        coming(f"e{number}", f"Evening {number}", 1 + number // 4, f"{8 + number % 12:02}0000", 1)
        for number in range(MANY)]})
    return hub


def find(page, text):
    toggle = page.locator(".search-toggle")
    if toggle.is_visible() and toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    page.fill("#programme-search", text)


def wait_titles(page, *wanted):
    wait_until(page, f"""JSON.stringify([...document.querySelectorAll('.weeks .event-row .event-title')]
      .map((it) => it.firstChild.textContent)) === JSON.stringify({list(wanted)})""")


def test_search_finds_what_people_mean(space, visit):
    page = visit(space)
    for question, found in (
            ("loten", "Löten für Anfänger"), ("anything", "Lightning talks"), ("LOETEN", "Löten für Anfänger"),
            ("courses sew", "Sewing"), ("werkstatt", "Löten für Anfänger"), ("far", "Far away")):
        find(page, question)
        wait_titles(page, found)
        assert page.locator(".found").inner_text().startswith("1 event"), question


def test_what_was_searched_stands_in_the_address_and_stays(space, visit):
    page = visit(space)
    find(page, "sewing")
    wait_until(page, "location.search === '?search=sewing'")
    page.reload()
    wait_titles(page, "Sewing")
    assert page.input_value("#programme-search") == "sewing"
    page.click(".weeks .event-row")
    page.wait_for_selector("space-event dl")
    page.reload()
    page.wait_for_selector("space-event dl")
    page.click("button.back")
    wait_titles(page, "Sewing")
    find(page, "nothing like this")
    page.wait_for_selector("text=Nothing found.")
    page.click("text=Show everything")
    wait_until(page, "document.querySelectorAll('.weeks .event-row').length > 3")


def test_calendars_are_told_by_name_and_colour_and_can_be_chosen(space, visit):
    page = visit(space, viewport=DESKTOP)
    row = page.locator(".weeks li:has-text('Sewing')")
    assert "Courses" in row.inner_text()
    dot = row.locator(".calendar-dot")
    assert dot.evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(47, 127, 184)"
    page.click(".calendar-choice:has-text('Courses')")
    wait_titles(page, "Sewing", "Far away")
    wait_until(page, "location.search.startsWith('?calendar=')")
    page.reload()
    wait_titles(page, "Sewing", "Far away")
    assert page.locator(".calendar-choice:has-text('Courses')").get_attribute("aria-pressed") == "true"


def test_what_lasts_for_days_stands_on_each_of_them(space, visit):
    page = visit(space)
    rows = page.locator(".day li:has-text('Winter camp')")
    texts = ["day 1 of 3", "day 2 of 3", "day 3 of 3"]
    assert [text in row for text, row in zip(texts, rows.all_inner_texts(), strict=True)] == [True] * 3
    rows.nth(1).locator("a").click()
    page.wait_for_selector("space-event h2:has-text('Winter camp')")


def test_a_reader_whose_clock_is_another_one_is_told_when_it_is_there(space, visit):
    for zone, count in (("Europe/Berlin", 0), ("Asia/Dubai", 1)):
        page = visit(space, timezone_id=zone)
        page.click(".weeks .event-row:has-text('Lightning talks')")
        page.wait_for_selector("space-event dl")
        there = page.locator("space-event dd").first.locator("small")
        assert there.count() == count, zone
    # Two hours ahead of Berlin, three in its winter.
    assert re.search("Where you are: .*, (22:00|23:00) ", there.inner_text())


def chosen_day(page):
    return page.evaluate("document.activeElement.dataset.day * 1")


def test_the_month_is_a_grid_for_the_keyboard(space, visit):
    page = visit(space, "/?view=month")
    page.wait_for_selector('[role="grid"]')
    assert page.locator('.month [tabindex="0"]').count() == 1
    today = (day(0) - dt.date(1970, 1, 1)).days
    page.locator('.month [tabindex="0"]').focus()
    assert chosen_day(page) == today
    for key, expected in [("ArrowRight", 1), ("ArrowDown", 8), ("ArrowLeft", 7), ("ArrowUp", 0)]:
        page.keyboard.press(key)
        wait_until(page, f"document.activeElement.dataset.day * 1 === {today + expected}")
        assert page.locator('[aria-selected="true"]').count() == 1
    page.keyboard.press("End")
    sunday = today + 6 - day(0).weekday()
    wait_until(page, f"document.activeElement.dataset.day * 1 === {sunday}")
    page.keyboard.press("PageDown")
    later = dt.date(1970, 1, 1) + dt.timedelta(days=sunday)
    name = (later.replace(day=1) + dt.timedelta(days=32)).strftime("%B")
    page.wait_for_selector(f"#month-name:has-text('{name}')")
    wait_until(page, "location.search.includes('month=') && location.search.includes('day=')")
    page.keyboard.press("PageUp")
    page.wait_for_selector(f"#month-name:has-text('{later:%B}')")


def test_a_day_of_the_month_tells_what_is_on(space, visit):
    page = visit(space, "/?view=month")
    number = (day(2) - dt.date(1970, 1, 1)).days
    if day(2).month != day(0).month:
        page.click('[aria-label="Next month"]')
    cell = page.locator(f'td[data-day="{number}"]')
    assert "2 events: Sewing, Lightning talks" in cell.locator(".visually-hidden").text_content()
    assert cell.get_attribute("aria-label") is None and cell.locator("[aria-hidden=true] .month-day").count() == 1
    cell.click()
    page.wait_for_selector(".month-chosen .event-row")
    assert page.locator(".month-chosen .event-row").count() == 2
    # The address follows a choice within 250 ms, see choice.js.
    wait_until(page, f"location.search.includes('day={day(2)}')")
    page.reload()
    page.wait_for_selector(f'td[data-day="{number}"][aria-selected="true"]')
    page.click(".month-chosen .event-row >> text=Sewing")
    page.wait_for_selector("space-event h2:has-text('Sewing')")
    page.click("button.back")
    wait_until(page, "document.activeElement.matches('.month-chosen .event-row')")


def test_a_day_tapped_on_a_phone_brings_its_events_into_sight(space, visit):
    page = visit(space, "/programme?view=month", viewport=PHONE, has_touch=True)
    number = (day(2) - dt.date(1970, 1, 1)).days
    if day(2).month != day(0).month:
        page.click('[aria-label="Next month"]')
    assert page.title().startswith("Programme · ")
    cell = page.locator(f'td[data-day="{number}"]')
    assert cell.bounding_box()["y"] < 780, "it is in sight"
    cell.tap()
    wait_until(page, """(() => {
      const rows = [...document.querySelectorAll('.month-chosen .event-row')].map((row) => row.getBoundingClientRect());
      return rows.length === 2 && rows.every(({ top, bottom }) => top >= 0 && bottom <= innerHeight);
    })()""")


def test_an_event_is_shared_by_the_devices_own_means_or_by_its_address(space, visit):
    page = visit(space)
    page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    page.click(".weeks .event-row >> text=Sewing")
    page.click("space-event button:has-text('Share')")
    wait_until(page, "window.shared")
    assert page.evaluate("window.shared") == {"title": "Sewing", "url": page.url}
    assert page.locator("space-event .actions a[download]").inner_text() == "Add to calendar"
    assert page.locator("space-event .heart").count() == 1 and page.locator("space-event .map-link").count() == 1
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.share = undefined")
    page.click("space-event button:has-text('Share')")
    page.wait_for_selector("space-event [role=status]:has-text('copied')")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    # A page at localhost gives the address that the hub knows.
    page.evaluate(KNOWS_ADDRESS)
    page.click("space-event button:has-text('Share')")
    wait_until(page, f"navigator.clipboard.readText().then((text) => text.startsWith('{ADDRESS}/programme/'))")


def test_paper_has_a_week_to_a_page(hub, visit):
    monday = day(7 - day(0).weekday())
    weeks = [(monday - day(0)).days + 7 * number for number in range(3)]
    fill(hub, {"events": [coming(f"e{number}", f"Evening {number}", first + number % 5)
                          for first in weeks for number in range(first, first + 6)]})
    page = visit(hub, "/programme", viewport=DESKTOP)
    wait_until(page, f"document.querySelectorAll('.week').length === {len(weeks)}")
    paper = page.pdf(format="A4")
    # There is nothing today, which is said above the first week.
    assert len(re.findall(rb"/Type /Page\b(?!s)", paper)) == len(weeks)
    page.emulate_media(media="print")
    assert not any(one.is_visible() for one in page.locator("hub-navigation, button, .tools, hub-foot").all())


def test_thousands_of_rows_are_all_there_but_not_all_drawn(large_space, visit):
    page = visit(large_space)
    at_once = page.evaluate("""async () => {
      document.querySelector('space-programme button.button').click();
      await null; // the list follows the click
      await null;
      return document.querySelectorAll('.weeks .event-row').length;
    }""")
    assert at_once < MANY
    wait_until(page, f"document.querySelectorAll('.weeks .event-row').length === {MANY}")
    last = page.locator(".weeks .events").last
    assert not last.evaluate("it => it.firstElementChild.checkVisibility({ contentVisibilityAuto: true })")
    assert page.evaluate(f"window.find('Evening {MANY - 1}')"), "the browser's own search finds what is not drawn"


def test_a_date_can_be_gone_to(large_space, visit):
    page = visit(large_space)
    page.click(".search-toggle")
    page.fill(".go-to input", str(day(300)))
    number = (day(300) - dt.date(1970, 1, 1)).days
    wait_until(page, f"document.activeElement.closest('.day')?.dataset.day === '{number}'")
    # Thousands of rows take their places; then it stands at the top.
    wait_until(page, "Math.floor(document.activeElement.getBoundingClientRect().top / 200) === 0")


@pytest.mark.parametrize("way", ["event", "reload"])
def test_coming_back_finds_the_place_among_thousands(large_space, visit, way):
    page = visit(large_space)
    page.click("space-programme button.button")
    row = page.locator('.weeks .event-row:has-text("Evening 700")').first
    row.scroll_into_view_if_needed()
    page.evaluate("new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); })")
    top = row.bounding_box()["y"]
    if way == "event":
        row.click()
        page.wait_for_selector("space-event dl")
        page.reload()  # the system has discarded the page
        page.wait_for_selector("space-event dl")
        page.click("button.back")
    else:
        page.reload()
        wait_live(page)
    there = page.locator('.weeks .event-row:has-text("Evening 700")').first
    there.wait_for()
    wait_until(page, "scrollY > 1000")
    page.evaluate("new Promise((resolve) => { setTimeout(resolve, 300); })")
    assert abs(there.bounding_box()["y"] - top) < 120


def test_the_place_is_found_on_the_way_back_and_not_taken_along_to_another_page(large_space, visit):
    page = visit(large_space, "/programme")
    wait_until(page, "(scrollTo(0, 1500), scrollY === 1500)")
    page.goto(large_space.url)
    wait_until(page, "document.body.hasAttribute('data-whole')")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    wait_until(page, "location.pathname === '/programme' && scrollY > 1400")


def test_a_link_of_a_description_is_left_and_come_back_from(hub, visit):
    fill(hub, {"events": [coming("a", "With a link", 1, "190000", 2, f"DESCRIPTION:See {hub.url}/spaceapi.json")]})
    page = visit(hub)
    page.click(".weeks .event-row")
    link = page.locator(".description a")
    assert link.get_attribute("target") == "_blank" and "noopener" in link.get_attribute("rel")
    with page.context.expect_page() as other:
        link.click()
    other.value.close()
    assert page.locator("space-event h2").inner_text() == "With a link"


def test_every_view_fits_a_small_phone_and_axe_finds_nothing(space, visit):
    page = visit(space, viewport=SMALL, locale="de-DE")
    page.locator(".weeks .heart").first.click()
    for path in ("/?search=e", "/?view=month", "/?view=favourites"):
        page.goto(space.url + path)
        page.locator(".subscribe summary").click()
        page.wait_for_selector(".weeks .event-row, .month, .nothing-marked", state="attached")
        page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
        assert axe_in_both(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
        for button in page.locator(".tools button:visible, .month-head button:visible").all():
            assert button.bounding_box()["height"] >= 44


def test_large_letters_do_not_run_over_each_other(space, visit):
    page = visit(space, "/?view=month", viewport={"width": 360, "height": 800}, locale="de-DE")
    page.wait_for_selector(".month-head h2")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    fits = "(all) => all.length > 3 && all.every((one) => one.scrollWidth <= one.clientWidth)"
    assert page.eval_on_selector_all(".views button, .month-head h2", fits)


def test_an_installed_app_that_the_system_threw_away_comes_back_as_it_was(space, visit):
    page = visit(space)
    page.context.add_init_script("Object.defineProperty(navigator, 'standalone', { value: true })")  # as on an iPhone
    page.reload()
    wait_live(page)
    page.wait_for_selector(".weeks .event-row")
    find(page, "sewing")
    wait_titles(page, "Sewing")
    page.click(".weeks .event-row")
    page.wait_for_selector("space-event dl")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")  # as when another app comes to the front
    page.evaluate("""async () => {
      const { recall } = (await import('/shell.js')).$keep;
      while (!(await recall('place'))) await new Promise((resolve) => { setTimeout(resolve, 10); });
    }""")
    context = page.context
    page.close()  # and with it the tab's session storage
    page = context.new_page()
    page.goto(space.url)
    page.wait_for_selector("space-event h2:has-text('Sewing')")
    page.click("button.back")
    wait_titles(page, "Sewing")
    assert page.input_value("#programme-search") == "sewing"


def test_subscriptions_have_addresses_for_each_calendar(space, visit):
    page = visit(space)
    page.click(".subscribe summary")
    address = page.locator(".subscribe-address input")
    assert address.input_value() == f"{space.url}/space/calendar.ics"
    assert page.locator(".subscribe a.button").get_attribute("href").startswith("webcal://")
    page.click(".subscribe .calendar-choice:has-text('Courses')")
    wait_until(page, "document.querySelector('.subscribe-address input').value.includes('/space/calendars/')")
    page.click(".subscribe .calendar-choice:has-text('My favourites')")
    page.wait_for_selector(".subscribe >> text=Sign in")
    space.sign_in_browser(page.context, role="member", name="Ada")
    page.reload()
    wait_live(page)
    page.click(".subscribe summary")
    page.click(".subscribe .calendar-choice:has-text('My favourites')")
    page.click("text=Make an address")
    page.wait_for_selector(".subscribe-address")
    assert "/space/favourites/" in page.locator(".subscribe-address input").input_value()
    page.click("text=End this address")
    page.wait_for_selector("text=Make an address")
