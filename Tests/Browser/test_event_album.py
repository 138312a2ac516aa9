"""An event's page with its album: a member opens one, and a guest without an account comes in by the code."""

import datetime

from axe_playwright_python.sync_playwright import Axe
from ics import event
from page import DESKTOP, PHONE
from qr import read_picture
from visits import coming, day, fill


def test_a_member_opens_an_events_album_and_a_guest_comes_in_by_its_code(hub_with_space, visit):
    hub = hub_with_space
    fill(hub, {"events": [coming("solder", "Soldering", 1, "180000", 2)]})
    soldering = next(one["id"] for one in hub.events(str(day(-1)), str(day(9)))["events"])
    page = visit(hub, f"/programme/{soldering}", viewport=PHONE)
    assert page.locator(".event-album").count() == 0, "there is none, and strangers make none"
    hub.sign_in_browser(page.context, "member", "Ada")
    page.reload()
    page.click(".event-album button:has-text('With an album')")
    assert page.is_checked(".event-album input[value=family]"), "whoever is outside gets in only if somebody says so"
    page.check(".event-album input[value=open]")
    page.click(".event-album button:has-text('Make the album')")
    page.wait_for_selector(".event-album:has-text('Scan the code') img")
    assert Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"] == []
    guest = visit(hub, f"/programme/{soldering}", viewport=DESKTOP)
    link = read_picture(guest.locator(".event-album img").screenshot())
    assert link == guest.get_attribute(".event-album a:has-text('To the album')", "href") and "/album#" in link
    guest.goto(link)
    guest.wait_for_selector("text=Soldering")


def test_the_wall_has_the_screen_in_the_room_while_the_event_takes_place(hub_with_space, open_page):
    hub = hub_with_space
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=10)
    stamp = "%Y%m%dT%H%M%SZ"
    feast = event("feast", f"{soon:{stamp}}", title="Feast", end=f"{soon + datetime.timedelta(hours=3):{stamp}}")
    fill(hub, {"events": [feast, coming("solder", "Soldering", 1, "180000", 2)]})
    id = next(one["id"] for one in hub.events(str(day(-1)), str(day(9)))["events"] if one["title"] == "Feast")
    screen = open_page(viewport=DESKTOP)
    screen.clock.install()
    screen.goto(f"{hub.url}/screen")
    screen.wait_for_selector(".screen-events li:has-text('Soldering')")
    assert screen.locator(".sign-word").inner_text() and screen.locator(".screen-code img").count() == 1
    assert screen.locator("iframe").count() == 0, "the event has no album"
    ada = hub.sign_in("member", "Ada")
    screen.route("**/api/v1/space/events/*/album", lambda route: route.fulfill(status=503, json={}), times=1)
    with screen.expect_response(lambda answer: answer.status == 503):
        assert hub.put(f"/api/v1/space/events/{id}/album", ada, {"mode": "open"})[0] == 200
    screen.wait_for_timeout(300)
    screen.clock.fast_forward(31_000)  # nobody stands before it who would load it anew
    wall = screen.frame_locator("iframe.screen-wall")
    wall.locator("h1:has-text('Feast')").wait_for()
    wall.locator(".qr img").wait_for()
    album = f"/api/v1/albums/{hub.get('/api/v1/albums', token=ada)[1]['albums'][0]['id']}"
    before = screen.get_attribute("iframe.screen-wall", "src")
    assert hub.patch(album, ada, {"new_link": True})[0] == 200
    screen.wait_for_selector(f"iframe.screen-wall:not([src='{before}'])")
    wall.locator("h1:has-text('Feast')").wait_for()
    assert hub.patch(album, ada, {"passphrase": "rum"})[0] == 200
    other = open_page(viewport=DESKTOP)
    other.goto(f"{hub.url}/screen")
    other.frame_locator("iframe.screen-wall").locator(".wall-said").wait_for(state="attached")
    assert not other.is_visible("iframe.screen-wall"), "it cannot type the passphrase: the sign stays"
    assert hub.delete(f"/api/v1/space/events/{id}/album", ada)[0] == 200
    screen.wait_for_selector("iframe", state="detached")
    assert screen.locator(".screen-events li").count() == 2
    assert hub.put("/api/v1/rooms", hub.owner_token, {"rooms": ["space"], "front": "space"})[0] == 200
    screen.wait_for_selector(".screen-events", state="detached")
    assert screen.locator(".sign-word").inner_text()
