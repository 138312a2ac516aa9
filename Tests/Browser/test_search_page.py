"""One search over the rooms: events, albums and their guests, pictures of portfolios, notifications, people; each finds
what the reader may see."""

import re

import pytest

from page import DESKTOP, PHONE, PICTURES, pages, wait_until
from people import own_id
from portfolio_page import add_portfolio, paint_folder
from uploads import ALBUMS, Guest, join
from visits import coming, fill

WORDS = {"en-GB": ("Search", "Nothing found", "3 hits"), "de-DE": ("Suchen", "Nichts gefunden", "3 Treffer")}


@pytest.mark.parametrize("locale", WORDS)
def test_a_member_finds_what_the_rooms_keep(hub_with_space, browser, locale):
    hub = hub_with_space
    title, nothing, three = WORDS[locale]
    fill(hub, {"events": [coming("feast", "Sömmerfest", 3), coming("solder", "Soldering", 1)]})
    ben = hub.sign_in("member", "Ben Sommer")
    assert hub.post("/api/v1/albums", ben, {"name": "Sommerfest 2026"})[0] == 201
    person = own_id(hub, ben)
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


def test_an_event_that_is_over_has_its_date_and_one_to_come_the_weekday(hub_with_space, browser):
    hub = hub_with_space
    fill(hub, {"events": [coming("next", "Soldering", 3), coming("last", "Soldering", -3)]})
    with pages(browser) as open_page:
        page = open_page(locale="de-DE", timezone_id="Asia/Tokyo")
        page.goto(f"{hub.url}/search?q=soldering")
        page.locator(".search-found small", has_text="19:00 Uhr").nth(1).wait_for()  # on the clocks of the space
        ahead, over = page.locator(".search-found small").all_inner_texts()
        assert re.match(r"[A-Z][a-z]+tag 19:00 Uhr|Mittwoch 19:00 Uhr", ahead), ahead
        assert re.match(r"\d{1,2}\. [A-Z][a-zä]+, 19:00 Uhr", over), over


def test_what_was_not_looked_through_is_said(hub_with_space, browser):
    owner = hub_with_space.sign_in("owner", "Ada")
    for number in range(13):
        assert hub_with_space.post(ALBUMS, owner, {"name": f"Feast {number}"})[0] == 201
    with pages(browser) as open_page:
        page = open_page(locale="de-DE")
        page.clock.install()
        hub_with_space.sign_in_browser(page.context, "owner", "Ada")
        page.goto(f"{hub_with_space.url}/search?q=mowe")
        page.wait_for_selector("[role=status]:has-text('Nichts gefunden')")
        page.get_by_text("In Alben, die älter sind als die 12 neuesten, ist nicht durchsucht").wait_for()
        page.fill("#search-field", "")
        page.get_by_text("nicht durchsucht").wait_for(state="detached")
        page.fill("#search-field", "feast")
        page.locator("summary", has_text="und noch 5").click()
        page.wait_for_selector(".search-found a >> nth=12")
        page.clock.fast_forward(60_000)
        page.wait_for_timeout(100)
        assert page.locator(".search-found a").count() == 13, "it stays open"
        page.fill("#search-field", "")
        page.locator(".search-found").first.wait_for(state="detached")
        # An emptied field is no search that is under way, also while the hub does not answer.
        page.route("**/api/v1/albums**", lambda route: None)
        page.goto(f"{hub_with_space.url}/search?q=mowe")
        page.wait_for_selector("hub-search [role=status]:has-text('Sucht')")
        page.fill("#search-field", "")
        wait_until(page, "document.querySelector('hub-search [role=status]').textContent === ''")
        # Without a network it does not say that nothing is there.
        page.unroute("**/api/v1/albums**")
        page.route("**/api/v1/albums**", lambda route: route.abort())
        page.goto(f"{hub_with_space.url}/search?q=mowe")
        page.wait_for_selector("hub-search [role=alert]:has-text('Gerade nicht zu durchsuchen')")
        assert page.inner_text("hub-search [role=status]") == ""


def test_pictures_are_found_by_their_titles_and_by_who_sent_them(hub_with_space, browser, tmp_path):
    hub = hub_with_space
    owner = hub.sign_in("owner", "Ada")
    made = add_portfolio(hub, owner, paint_folder(tmp_path / "pictures", {"Regatta in May": 1, "Harbour": 1}))
    status, album = hub.post(ALBUMS, owner, {"name": "Feast", "mode": "open"})
    assert status == 201
    guest = Guest(hub, album, join(hub, album, "Carla Möwe"))
    guest.send((tmp_path / "pictures/Harbour/Harbour 01.jpg").read_bytes())
    with pages(browser) as open_page:
        page = open_page(viewport=DESKTOP)
        hub.sign_in_browser(page.context, "owner", "Ada")

        def found(words):
            """The hits: title, all that is said, and where it leads."""
            page.goto(f"{hub.url}/search?q={words}")
            page.wait_for_selector("[role=status]:has-text('hit')")
            return sorted(page.eval_on_selector_all(".search-found a", """all => all.map((one) =>
                [one.querySelector('strong').textContent, one.innerText, one.getAttribute('href')])"""))

        (picture, told, path), (gallery, _, whole) = found("regatta")
        assert (picture, gallery) == ("Regatta 01", "Regatta in May")
        assert "Regatta in May" in told and path.startswith(f"/portfolio#/{made['id']}/")
        assert whole == path.rpartition("/")[0] + "/"
        for one in (path, whole):
            page.click(f".search-found a[href='{one}']")
            page.wait_for_selector(".stage-frame .large.is-there")
            assert page.inner_text(".plate-text h1") == picture
            page.go_back()
            page.wait_for_selector(".search-found a")
        assert page.locator(".small:has-text('searched')").count() == 0, "no limit was met"

        (sent, told, _), = found("mowe")
        assert (sent, "1 picture" in told) == ("Carla Möwe: Feast", True)
        page.click(".search-found a")
        page.wait_for_selector("h1:has-text('Feast')")

        other = open_page(viewport=DESKTOP)
        hub.sign_in_browser(other.context, "member", "Cem")
        other.goto(f"{hub.url}/search?q=mowe")
        other.wait_for_selector("[role=status]:has-text('Nothing found')")
