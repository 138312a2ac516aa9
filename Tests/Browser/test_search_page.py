"""One search over the rooms: events, albums, notifications, people; each finds what the reader may see."""

import pytest

from page import DESKTOP, PHONE, PICTURES, pages
from visits import coming, fill

WORDS = {"en-GB": ("Search", "Nothing found", "3 hits"), "de-DE": ("Suchen", "Nichts gefunden", "3 Treffer")}


@pytest.mark.parametrize("locale", WORDS)
def test_a_member_finds_what_the_rooms_keep(hub_with_space, browser, locale):
    hub = hub_with_space
    title, nothing, three = WORDS[locale]
    fill(hub, {"events": [coming("feast", "Sömmerfest", 3), coming("solder", "Soldering", 1)]})
    ben = hub.sign_in("member", "Ben Sommer")
    assert hub.post("/api/v1/albums", ben, {"name": "Sommerfest 2026"})[0] == 201
    person = hub.get("/api/v1/session", token=ben)[1]["person"]["id"]
    told = {"to": {"person": person}, "content": {"title": "Cake?", "body": "For the sommerfest"}}
    assert hub.post("/api/v1/notifications", hub.owner_token, told)[0] == 202
    with pages(browser) as open_page:
        page = open_page(locale=locale, viewport=PHONE)
        hub.sign_in_browser(page.context, "member", "Ben Sommer")
        page.goto(f"{hub.url}/search")
        page.fill("#search-field", "sommer")
        page.wait_for_selector(f"[role=status]:has-text('{three}')")
        assert page.locator("h1").inner_text() == title
        assert page.locator(".search-found strong").all_inner_texts() == ["Sömmerfest", "Cake?", "Sommerfest 2026"]
        page.screenshot(path=PICTURES / f"search-{locale[:2]}.png")
        page.fill("#search-field", "fest soemmer")
        page.locator(".search-found strong", has_text="Cake?").wait_for(state="detached")
        assert page.locator(".search-found strong").all_inner_texts() == ["Sömmerfest"], "umlauts written out"
        page.click(".search-found a")
        page.wait_for_selector("space-event h2")
        page.go_back()
        page.wait_for_selector(".search-found a:has-text('Sömmerfest')")
        page.fill("#search-field", "xyz")
        page.wait_for_selector(f"[role=status]:has-text('{nothing}')")
        other = open_page(locale=locale, viewport=DESKTOP)
        hub.sign_in_browser(other.context, "member", "Cem")
        other.goto(f"{hub.url}/search?q=sommer")
        other.wait_for_selector(".search-found a")
        assert other.locator(".search-found strong").all_inner_texts() == ["Sömmerfest"], "the rest is Ben's"
        owner = open_page(locale=locale, viewport=DESKTOP)
        hub.sign_in_browser(owner.context, "owner")
        owner.goto(f"{hub.url}/search?q=ben%20sommer")
        owner.wait_for_selector(f".search-found a[href='/people/{person}']")
