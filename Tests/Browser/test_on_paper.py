"""Pages on paper: their content, and nothing that one presses."""

import visits
from page import wait_until
from visits import fill


def test_the_navigation_covers_no_sheet(demo_hub, open_page):
    page = open_page()
    demo_hub.sign_in_browser(page.context, "member")
    page.goto(demo_hub.url + "/history")
    page.wait_for_selector(".nav")
    page.emulate_media(media="print")
    assert not page.is_visible(".nav")
    assert page.evaluate("getComputedStyle(document.body).padding") == "0px"


def test_a_month_names_its_events(hub, visit):
    fill(hub, {"events": [visits.coming("now", "Soldering for beginners", 0)]})
    page = visit(hub, "/?view=month")
    wait_until(page, "document.body.dataset.whole !== undefined")
    page.emulate_media(media="print")
    assert page.is_visible(".month-titles span:has-text('Soldering for beginners')")
    assert not any(one.is_visible() for one in page.locator("hub-navigation a, space-month button, .month-dots").all())
