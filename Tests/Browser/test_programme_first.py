"""The programme's page while it loads: the next events come first, all else behind them."""

import contextlib
import re

import pytest
from page import pages, wait_live, wait_until
from visits import coming, fill

SOON = coming("soon", "Soldering", 2, "180000", 2)
ALSO_SOON = coming("also", "Sewing", 4, "180000", 2)
FAR = coming("far", "Far away", 30, "190000", 2)


@pytest.fixture
def page(browser):
    with pages(browser) as open_page:
        yield open_page()


@contextlib.contextmanager
def held(page, pattern):
    """Answers for these addresses wait until the end of the block."""
    waiting, over = [], []
    page.route(pattern, lambda route: route.continue_() if over else waiting.append(route))
    yield
    over.append(True)
    for route in waiting:
        route.continue_()


def title(text):
    return f"space-programme .event-title:has-text('{text}')"


def test_rows_stay_when_all_of_the_programme_has_come(hub, page):
    fill(hub, {"events": [SOON, ALSO_SOON, FAR]})
    with held(page, re.compile(r"/events\?from=")):
        page.goto(f"{hub.url}/programme")
        page.wait_for_selector(title("Soldering"))
        assert page.locator(title("Far away")).count() == 0
        page.evaluate("window.before = [...document.querySelectorAll('.event-item')]")
    page.wait_for_selector(title("Far away"), state="attached")
    assert page.evaluate("window.before.length") >= 2
    assert page.evaluate("window.before.every((row) => row.isConnected)")


def test_a_heart_counts_that_is_pressed_while_the_page_loads(hub, page):
    fill(hub, {"events": [SOON]})
    with held(page, "**/pages/*-later.js"):
        page.goto(f"{hub.url}/programme")
        page.click(".event-item:has-text('Soldering') .heart")
    page.wait_for_selector(".event-item:has-text('Soldering') .heart[aria-pressed=true]")
    wait_live(page)
    page.reload()
    page.wait_for_selector(".event-item:has-text('Soldering') .heart[aria-pressed=true]")


def test_two_weeks_without_an_event_are_not_all_there_is(hub, page):
    fill(hub, {"events": [FAR]})
    page.goto(f"{hub.url}/programme")
    page.wait_for_selector(title("Far away"))
    assert "Nothing else" not in page.locator("space-programme").inner_text()


def test_an_event_further_ahead_is_found_at_its_own_address(hub, page):
    fill(hub, {"events": [SOON, FAR]})
    (event,) = [one for one in hub.get("/api/v1/space/events")[1]["events"] if one["title"] == "Far away"]
    page.add_init_script("""new MutationObserver(() => {
      if (document.body?.innerText.includes('not in the programme any more')) window.wasMissing = true;
    }).observe(document, { childList: true, subtree: true });""")
    page.goto(f"{hub.url}/programme/{event['id']}")
    page.wait_for_selector("space-event h2:has-text('Far away')")
    assert not page.evaluate("window.wasMissing")


def test_all_of_the_programme_comes_without_a_live_connection(hub, page):
    fill(hub, {"events": [SOON, FAR]})
    page.route_web_socket("**/app/**", lambda socket: socket.close())
    page.goto(f"{hub.url}/programme")
    page.wait_for_selector(title("Far away"), state="attached")
    wait_until(page, "document.body.hasAttribute('data-whole')")
    page.click(title("Soldering"))
    page.wait_for_selector(".sign-line[data-line=asked]")
    assert "needs a connection" not in page.locator("space-event").inner_text()


def test_rules_that_did_not_come_are_asked_for_once_more(hub, page):
    fill(hub, {"events": [SOON]})
    page.route("**/rules.wasm", lambda route: route.abort())
    page.goto(f"{hub.url}/programme")
    page.wait_for_selector("space-programme:has-text('did not load the rules for its days')")
    page.unroute("**/rules.wasm")
    page.wait_for_selector(title("Soldering"))
