"""Choosing rooms: the first start, the settings, and what is at "/" with and without a network."""

import json

from page import wait_kept, wait_until
from playwright.sync_api import expect
from visits import coming, fill

ROOMS = "/api/v1/rooms"


def names(page):
    return page.eval_on_selector_all(".nav .nav-short", "all => all.map((one) => one.innerText.trim())")


def choose(hub, rooms, front):
    status, answer = hub.put(ROOMS, hub.owner_token, {"rooms": rooms, "front": front})
    assert status == 200, answer


def room(page):
    return page.evaluate("document.documentElement.dataset.room")


def test_who_begins_with_a_programme_only_has_it_at_the_root_and_may_bring_the_other_back(open_page, hub):
    page = open_page()
    page.goto(hub.setup_link())
    page.fill("input[name=name]", "Ada")
    page.click("button:has-text('Make me the owner')")
    page.click("a:has-text('Set the hub up')")
    page.wait_for_selector("h1:has-text('What shall I watch over?')")
    assert page.locator("#front").input_value() == "space"
    page.locator("label.offer", has_text="A door").click()
    page.locator("label.offer", has_text="Bells").click()
    page.locator("label.offer", has_text="A talking clock").click()
    page.locator("label.offer", has_text="An anchor watch").click()
    page.locator("label.offer", has_text="Albums").click()
    page.locator("label.offer", has_text="Portfolio").click()
    page.locator("label.offer", has_text="For your own apps").click()
    assert page.locator("#front").count() == 0, "of one room it is clear which is seen first"
    page.click("button:has-text('Open this room')")
    page.fill("#field-name", "Film club")
    page.click("main form button.primary")
    page.wait_for_url(hub.url + "/")
    wait_until(page, "document.querySelectorAll('.nav .nav-link').length === 5")
    assert (room(page), names(page)) == ("programme", ["Programme", "Search", "Me", "People", "Settings"])
    assert page.locator(".nav a[aria-current=page]").get_attribute("href") == "/"

    page.wait_for_load_state("networkidle")  # a module that comes while one leaves is told as an error of the page
    page.goto(hub.url + "/settings")
    page.click("a[href='/settings/rooms']")
    page.locator("li[data-room=space] .switch").click()
    page.wait_for_selector("li[data-room=space] .room-saved:has-text('Saved')")
    assert hub.get(ROOMS)[1]["rooms"] == ["programme", "space"]
    wait_until(page, "document.querySelectorAll('.nav-rooms a[href=\"/space\"]').length === 1")
    page.focus("#show-space")
    page.keyboard.press("Tab")  # to each room, not to the chosen one alone
    page.keyboard.press("Enter")
    page.wait_for_selector("li[data-room=space] .room-saved:has-text('Saved')")
    assert hub.get(ROOMS)[1] == {"rooms": ["space", "programme"], "front": "space", "chosen": True}
    page.locator("li[data-room=bells] .switch").click()
    page.wait_for_selector("li[data-room=bells] .room-saved:has-text('Saved')")
    page.click("#up-bells")
    page.wait_for_selector("li[data-room=bells] .room-saved:has-text('Saved, place 2 of 3')")
    page.locator("li[data-room=bells] .switch").click()
    page.wait_for_selector("li[data-room=bells] .room-saved:has-text('Saved')")
    assert page.locator("#show-space").is_disabled(), "the front room is always shown"
    page.locator(".nav a[href='/']:has-text('Space')").click()
    page.wait_for_selector("space-sign")
    page.wait_for_load_state("networkidle")
    assert room(page) == "space"


def test_a_hidden_room_has_no_parts_on_the_pages_of_others(open_page, hub):
    fill(hub, {"events": [coming("soon", "Soldering", 2), coming("far", "Far away", 40)]})
    choose(hub, ["programme", "albums"], "programme")
    page = open_page()
    page.add_init_script("new MutationObserver(() => { window.hadSign ||= Boolean(document.querySelector("
                         "'.sign-board')); }).observe(document, { childList: true, subtree: true });")
    hub.sign_in_browser(page.context, "owner")
    page.goto(hub.url + "/programme")
    page.wait_for_selector("a.event-row")
    assert page.locator(".nav .nav-rooms a").count() == 2, "the first visit knows the choice"
    page.click("a.event-row:has-text('Soldering')")
    page.wait_for_selector("space-event h2")
    wait_until(page, "document.body.hasAttribute('data-whole')")
    assert page.locator("#openers").count() == 0, "nobody opens where there is no door"
    assert page.title().startswith("Soldering · ") and not page.evaluate("window.hadSign")
    event = page.url
    page.goto(hub.url + "/bells")
    page.wait_for_selector(".topics li")
    page.wait_for_selector("#drill-room option", state="attached")
    assert page.locator(".topics li, #drill-room option", has_text="Anchor").count() == 0

    choose(hub, ["programme", "space"], "programme")
    page.goto(event)
    page.wait_for_selector(".sign-board", state="attached")
    page.wait_for_selector("#openers")


def test_of_two_switches_in_a_row_both_count(open_page, hub):
    page = open_page()
    hub.sign_in_browser(page.context, "owner")
    page.goto(hub.url + "/settings/rooms")
    page.wait_for_selector("#show-portfolio:checked")
    page.evaluate("for (const id of ['albums', 'portfolio']) document.getElementById(`show-${id}`).click()")
    page.wait_for_selector("li[data-room=portfolio] .room-saved:has-text('Saved')")
    assert not {"albums", "portfolio"} & set(hub.get(ROOMS)[1]["rooms"])


def test_of_two_owners_the_second_is_told(open_page, demo_hub):
    page = open_page(locale="de-DE")
    demo_hub.sign_in_browser(page.context, "owner")
    page.goto(demo_hub.url + "/settings/rooms")
    page.wait_for_selector("li[data-room=programme]")
    choose(demo_hub, ["programme", "space"], "programme")
    page.locator("li[data-room=programme] .switch").click()
    page.wait_for_selector(".note[role=alert]:has-text('jemand anders')")
    wait_until(page, "document.querySelector('#front-programme[aria-pressed=true]')")
    assert demo_hub.get(ROOMS)[1]["rooms"] == ["programme", "space"]


def test_an_open_navigation_follows_and_without_a_network_the_front_room_stays_at_the_root(open_page, demo_hub):
    page = open_page()
    demo_hub.sign_in_browser(page.context, "member")
    page.goto(demo_hub.url + "/programme")
    page.wait_for_selector("a.event-row")
    wait_kept(page)
    page.goto(demo_hub.url)
    page.wait_for_selector(".sign-line[data-line=live]")
    wait_until(page, "document.querySelectorAll('.nav .nav-link').length === 10")
    page.wait_for_timeout(2500)  # late scripts add listeners
    choose(demo_hub, ["programme"], "programme")
    # The page is loaded anew, as another room's.
    page.wait_for_selector("html[data-room=programme] a.event-row")
    expect(page.locator(".nav .nav-link")).to_have_count(3)
    assert names(page) == ["Programme", "Search", "Me"]
    page.goto(demo_hub.url)
    page.wait_for_selector("a.event-row")
    assert room(page) == "programme", "the copy of before is not shown any longer"
    wait_until(page, "window.there || (caches.keys().then((all) => { "
                     "window.there = all.some((name) => /room-programme-[0-9a-f]+$/.test(name)); }), false)")
    demo_hub.kill()
    page.goto(demo_hub.url)
    page.wait_for_selector("a.event-row")
    assert (room(page), names(page)) == ("programme", ["Programme", "Search", "Me"])


def test_a_device_that_was_away_follows_at_its_next_visit(open_page, demo_hub):
    page = open_page()
    page.goto(demo_hub.url)
    page.wait_for_selector(".sign-line[data-line=live]")
    wait_kept(page)
    page.goto("about:blank")
    choose(demo_hub, ["space", "programme"], "programme")
    page.goto(demo_hub.url)
    page.wait_for_selector("html[data-room=programme] a.event-row")
    assert page.url == demo_hub.url + "/"
    assert json.loads(page.evaluate("localStorage.getItem('eightbells-rooms')"))["front"] == "programme"


def test_whichever_room_is_in_front_has_what_the_shell_brings(open_page, hub):
    hub.configure()
    choose(hub, ["programme", "space"], "programme")
    page = open_page()
    hub.sign_in_browser(page.context, "owner")
    page.goto(hub.url)
    page.wait_for_selector("hub-checklist li:nth-child(4)")
    steps = page.locator("hub-checklist li")
    assert [text.split("\n")[0] for text in steps.all_inner_texts()] == [
        "Say whose this is", "Connect something", "Reach it by HTTPS", "Let somebody in"]
    source = steps.nth(1)
    assert "a calendar, or a contact on the door" in source.inner_text()
    ways = source.locator("a").evaluate_all("all => all.map((one) => [one.innerText, one.getAttribute('href')])")
    assert ways == [["a calendar", "/settings/programme#add-calendar"], ["a contact on the door", "/docs/door-contact"]]
    page.goto(hub.url + "/space")
    page.wait_for_selector("space-hours", state="attached")
    page.wait_for_timeout(2500)  # what comes last, and the hub's word on which room is in front
    assert page.locator("hub-checklist section").count() == 0, "that is the front room's"
    choose(hub, ["space"], "space")
    page.goto(hub.url)
    page.wait_for_selector("hub-checklist small:has-text('a contact on the door')")
    expect(page.locator("hub-checklist")).not_to_contain_text("a calendar")  # of a room that is hidden


def test_whoever_is_outside_meets_a_title_and_a_card_in_each_room(open_page, hub):
    page = open_page()
    for path in ("/anchor", "/portfolio", "/apps", "/albums", "/bells", "/history"):
        page.goto(hub.url + path)
        card = page.locator("main .card.for-owners")
        card.wait_for()
        title = page.locator("main h1").bounding_box()
        assert card.bounding_box()["x"] >= 12 and title["height"] > 20, path
