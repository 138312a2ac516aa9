"""An event's page with its album: a member opens one, and a guest without an account comes in by the code."""

import datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from ics import event
from page import DESKTOP, PHONE, PICTURES
from qr import read_picture
from visits import coming, day, fill

WORDS = {
    "en-GB": ("With an album", "Make the album", "Scan the code", "To the album"),
    "de-DE": ("Mit Album", "Album anlegen", "Scanne den Code", "Zum Album"),
}


@pytest.mark.parametrize("locale", WORDS)
def test_a_member_opens_an_events_album_and_a_guest_comes_in_by_its_code(hub_with_space, visit, locale):
    hub = hub_with_space
    wish, make, how, go = WORDS[locale]
    fill(hub, {"events": [coming("solder", "Soldering", 1, "180000", 2)]})
    soldering = next(one["id"] for one in hub.events(str(day(-1)), str(day(9)))["events"])
    page = visit(hub, f"/programme/{soldering}", locale=locale, viewport=PHONE)
    assert page.locator(".event-album").count() == 0, "there is none, and strangers make none"
    hub.sign_in_browser(page.context, "member", "Ada")
    page.reload()
    page.click(f".event-album button:has-text('{wish}')")
    assert page.is_checked(".event-album input[value=family]"), "whoever is outside gets in only if somebody says so"
    page.check(".event-album input[value=open]")
    page.click(f".event-album button:has-text('{make}')")
    page.wait_for_selector(f".event-album:has-text('{how}') img")
    assert Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"] == []
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"event-album-{locale[:2]}.png", full_page=True)
    guest = visit(hub, f"/programme/{soldering}", locale=locale, viewport=DESKTOP)
    link = read_picture(guest.locator(".event-album img").screenshot())
    assert link == guest.get_attribute(f".event-album a:has-text('{go}')", "href") and "/album#" in link
    guest.goto(link)
    guest.wait_for_selector("text=Soldering")


@pytest.mark.parametrize("locale", WORDS)
def test_the_wall_has_the_screen_in_the_room_while_the_event_takes_place(hub_with_space, open_page, locale):
    hub = hub_with_space
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=10)
    stamp = "%Y%m%dT%H%M%SZ"
    feast = event("feast", f"{soon:{stamp}}", title="Feast", end=f"{soon + datetime.timedelta(hours=3):{stamp}}")
    fill(hub, {"events": [feast, coming("solder", "Soldering", 1, "180000", 2)]})
    id = next(one["id"] for one in hub.events(str(day(-1)), str(day(9)))["events"] if one["title"] == "Feast")
    screen = open_page(locale=locale, viewport=DESKTOP)
    screen.clock.install()
    screen.goto(f"{hub.url}/screen")
    screen.wait_for_selector(".screen-events li:has-text('Soldering')")
    assert screen.locator(".sign-word").inner_text() and screen.locator(".screen-code img").count() == 1
    assert screen.locator("iframe").count() == 0, "the event has no album"
    PICTURES.mkdir(parents=True, exist_ok=True)
    screen.screenshot(path=PICTURES / f"screen-{locale[:2]}.png")
    ada = hub.sign_in("member", "Ada")
    screen.route("**/api/v1/space/events/*/album", lambda route: route.fulfill(status=503, json={}), times=1)
    with screen.expect_response(lambda answer: answer.status == 503):
        assert hub.put(f"/api/v1/space/events/{id}/album", ada, {"mode": "open"})[0] == 200
    screen.wait_for_timeout(300)
    screen.clock.fast_forward(31_000)  # nobody stands before it who would load it anew
    wall = screen.frame_locator("iframe.screen-wall")
    wall.locator("h1:has-text('Feast')").wait_for()
    wall.locator(".qr img").wait_for()
    screen.screenshot(path=PICTURES / f"screen-wall-{locale[:2]}.png")
    album = f"/api/v1/albums/{hub.get('/api/v1/albums', token=ada)[1]['albums'][0]['id']}"
    before = screen.get_attribute("iframe.screen-wall", "src")
    assert hub.patch(album, ada, {"new_link": True})[0] == 200
    screen.wait_for_selector(f"iframe.screen-wall:not([src='{before}'])")
    wall.locator("h1:has-text('Feast')").wait_for()
    assert hub.patch(album, ada, {"passphrase": "rum"})[0] == 200
    other = open_page(locale=locale, viewport=DESKTOP)
    other.goto(f"{hub.url}/screen")
    other.frame_locator("iframe.screen-wall").locator(".wall-said").wait_for(state="attached")
    assert not other.is_visible("iframe.screen-wall"), "it cannot type the passphrase: the sign stays"
    assert hub.delete(f"/api/v1/space/events/{id}/album", ada)[0] == 200
    screen.wait_for_selector("iframe", state="detached")
    assert screen.locator(".screen-events li").count() == 2
    assert hub.put("/api/v1/rooms", hub.owner_token, {"rooms": ["space"], "front": "space"})[0] == 200
    screen.wait_for_selector(".screen-events", state="detached")
    assert screen.locator(".sign-word").inner_text()
