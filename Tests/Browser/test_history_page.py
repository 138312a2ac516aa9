"""The history's page: by days, by rooms, for those who belong here."""

import re

from page import PHONE, pages
from visits import coming, day, fill


def test_a_member_reads_what_happened_and_of_which_room(hub_with_space, browser):
    hub, turned = hub_with_space, "Ada turned the sign: open"
    assert hub.post("/api/v1/space/state", hub.sign_in("keykeeper", "Ada"), {"open": True})[0] == 200
    with pages(browser) as open_page:
        page = open_page(viewport=PHONE)
        page.goto(f"{hub.url}/history")
        page.wait_for_selector("main a:has-text('Sign in')")
        tab = page.context.new_page()
        tab.goto(f"{hub.url}/history")
        tab.wait_for_selector("main a:has-text('Sign in')")
        hub.sign_in_browser(page.context, "member", "Ben")
        page.goto(f"{hub.url}/me")
        page.click("a:has-text('What happened here')")
        page.wait_for_selector("h2:has-text('Today')")
        tab.wait_for_selector("h2:has-text('Today')")
        assert page.locator("h1").inner_text() == "What happened here"
        assert page.locator(".log li", has_text=turned).count() == 1
        assert page.locator(".log li", has_text="Ben").count() == 1, "who joined"
        page.select_option("#history-room", "space")
        page.locator(".log li", has_text="Ben").wait_for(state="detached")
        page.wait_for_selector("hub-history [role=status]:has-text(': 1 ')", state="attached")
        page.reload()
        page.wait_for_selector(f".log li:has-text('{turned}')")
        assert page.locator(".log li").count() == 1 and page.input_value("#history-room") == "space"
        assert hub.post("/api/v1/space/state", hub.sign_in("keykeeper", "Ada"), {"open": False})[0] == 200
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # somebody comes back to the page
        page.wait_for_selector(".log li >> nth=1")
        assert page.locator(".log li", has_text=turned).count() == 1
        page.route("**/api/v1/history*", lambda route: route.abort())
        page.select_option("#history-room", "")
        page.wait_for_selector("hub-history .note")
        assert page.locator(".log li").count() == 0, "what is chosen could not be read"
        page.unroute("**/api/v1/history*")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_selector(".log li:has-text('Ben')")


def test_the_time_of_an_event_is_said_in_words(hub_with_space, browser):
    hub = hub_with_space
    fill(hub, {"events": [coming("evening", "Offener Abend", 4, "180000")]})
    evening, = hub.events(str(day(0)), str(day(9)))["events"]
    assert hub.post(f"/api/v1/space/openers/{evening['id']}/me", hub.sign_in("keykeeper", "Kim"))[0] == 200
    with pages(browser) as open_page:
        page = open_page(locale="de-DE")
        hub.sign_in_browser(page.context, "member", "Ben")
        page.goto(f"{hub.url}/history")
        said = page.locator(".log li", has_text="Kim schließt auf").inner_text()
        assert re.search(rf"auf: Offener Abend, {day(4).day}\. [A-Z][a-zä]+, 18:00 Uhr$", said), said


def test_a_page_whose_scripts_do_not_come_says_that_loading_it_again_may_help(demo_hub, open_page):
    page = open_page()
    said = """() => {
      document.getAnimations().forEach((one) => one.finish()); // 20 seconds later
      const { content, visibility } = getComputedStyle(document.querySelector('hub-navigation'), '::before');
      return content.includes('Load the page again') && visibility === 'visible';
    }"""
    page.route("**/history/history.js", lambda route: route.abort())
    page.goto(demo_hub.url + "/history")
    assert page.evaluate(said)
    page.unroute("**/history/history.js")
    page.reload()
    page.wait_for_selector("hub-navigation a", state="attached")
    assert not page.evaluate(said)
