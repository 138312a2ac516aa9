"""The anchor's page with the real hub, and a receiver that moves: it drops, watches by itself, rings, and weighs."""

import math

import pytest
from calendar_server import CalendarServer
from hub import eventually
from page import DESKTOP, PHONE, SMALL, pages, wait_until

ANCHOR = "/api/v1/anchor"
PLACE = (54.43, 10.17)
TILE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000b49444154789c63600002000005000"
    "17a5eab3f0000000049454e44ae426082")


@pytest.fixture
def open_page(browser):
    with pages(browser) as open_page:
        yield open_page


def south(metres):
    return {"latitude": PLACE[0] - metres / 111_195, "longitude": PLACE[1], "accuracy": 3}


def on_board(open_page, hub, **options):
    """A page with a receiver, and the way to ask the hub as its owner."""
    page = open_page(**{"viewport": PHONE, "geolocation": south(0), "permissions": ["geolocation"]} | options)
    return page, hub.sign_in_browser(page.context, "owner", "Ada")


def drift(page, metres, condition):
    """Moves the receiver until the page says so: it is told anew, as a receiver does each second."""
    for step in range(300):
        page.context.set_geolocation(south(metres + 0.1 * (step % 3)))
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not within 30 s: {condition}; {page.locator('.board').inner_text()}")


def state(word):
    return f"document.querySelector('.board-word')?.innerText.trim() === '{word}'"


def watching(hub, fields):
    return hub.get(ANCHOR, token=fields)[1]


def test_one_phone_drops_watches_rings_and_weighs(hub, open_page):
    page, ada = on_board(open_page, hub)
    page.goto(hub.url + "/anchor")
    page.click("button.drop")
    page.wait_for_selector(".board-word:has-text('Not watched yet')")
    eventually(lambda: watching(hub, ada)["state"] == "dropped")
    page.wait_for_selector(".page-watch .tag:has-text('watches')")

    # Before the night: the radius by keys, and the watch begins; it says who would not wake.
    page.click("a:has-text('Before the night')")
    page.wait_for_selector(".rode-view[aria-label*='swings on 29 metres']")
    page.fill("label:has-text('Alarm') + .with-unit input", "40")
    page.keyboard.press("Enter")
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == 40)
    page.click("button:has-text('Start the watch')")
    page.wait_for_selector(".arm-go:has-text('The watch is on')")
    assert watching(hub, ada)["armed"]
    hub.patch(ANCHOR, ada, {"grace_s": 1, "gap_s": 10})

    page.goto(hub.url + "/anchor")
    drift(page, 20, state("Holding"))
    assert "20" in page.locator(".reading-far").inner_text() and "000°" in page.locator(".reading-bearing").inner_text()

    # The zone by keys in the plot, kept by the hub, and taken back.
    handle = page.get_by_role("slider", name="Alarm radius")
    handle.press("PageUp")
    handle.press("ArrowUp")
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == 46)
    page.click("button:has-text('Undo')")
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == 40)

    # She drags: the whole screen is the alarm, in one colour, until somebody acts.
    drift(page, 60, "Boolean(document.querySelector('.night.alarm'))")
    assert page.locator(".alarm-facts strong").inner_text().endswith("m outside")
    assert page.locator(".take").bounding_box()["height"] >= 100
    page.click(".night .take")
    page.wait_for_selector(".night.alarm", state="detached")
    drift(page, 15, state("Holding"))

    # It was elsewhere for a while: it watches on by itself, and says how long nobody looked.
    page.goto("about:blank")
    page.wait_for_timeout(11_000)
    page.goto(hub.url + "/anchor")
    drift(page, 15, "document.querySelector('.note')?.innerText.includes('Nobody looked for')")
    page.wait_for_selector(".page-watch .tag:has-text('watches')")

    page.click("button:has-text('Weigh anchor')")
    page.wait_for_selector("dialog:has-text('The watch ends on all devices')")
    assert watching(hub, ada)["armed"], "it asks first"
    page.click("button:has-text('Weigh, end the watch')")
    page.wait_for_selector("button.drop")
    assert watching(hub, ada)["state"] == "idle"
    page.reload()
    page.wait_for_selector(".card:has-text('Anchorages') strong")


def test_the_chart_lies_under_the_plot_and_comes_only_when_it_is_wanted(make_hub, open_page):
    with CalendarServer() as tiles:
        hub = make_hub(env={"EIGHTBELLS_ANCHOR_TILES": f"{tiles.url}/map,{tiles.url}/sea"})
        page, ada = on_board(open_page, hub, viewport=DESKTOP)
        hub.post(f"{ANCHOR}/drop", ada, {"lat": PLACE[0], "lon": PLACE[1]})
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(hub.url + "/anchor")
        page.wait_for_selector(".mark path", state="attached")
        assert not any("/tiles/" in url for url in asked) and not tiles.requests
        page.click("button[aria-label^=Chart]")
        page.wait_for_selector(".credit a:has-text('OpenStreetMap')")
        page.wait_for_selector(".credit a:has-text('OpenSeaMap')")
        wait_until(page, "document.querySelectorAll('.leaflet-tile').length > 1")
        eventually(lambda: tiles.requests)
        # As many metres to a pixel as the plot: the zone's circle is as wide as it is on the chart.
        edge = page.locator(".zone-alarm").bounding_box()["width"]
        zoom = page.evaluate("Number(document.querySelector('.leaflet-tile').src.split('/').at(-3))")
        size = page.locator(".leaflet-tile").first.bounding_box()["width"]
        metres = 40_075_016.7 * math.cos(math.radians(PLACE[0])) / 2**zoom / size
        radius = watching(hub, ada)["settings"]["zone"]["radius_m"]
        assert edge * metres / 2 == pytest.approx(radius, rel=0.03)


def test_german_on_a_small_phone_at_night_hangs_over_nowhere(hub, open_page):
    page, ada = on_board(open_page, hub, viewport=SMALL, locale="de-DE", color_scheme="dark")
    page.goto(hub.url + "/anchor")
    page.wait_for_selector("button:has-text('Fallen Anker')")
    hub.post(f"{ANCHOR}/drop", ada, {"lat": PLACE[0], "lon": PLACE[1]})
    page.wait_for_selector("a:has-text('Vor der Nacht')")
    page.click("button[aria-label^=Nacht]")
    wait_until(page, "document.documentElement.hasAttribute('data-night')")
    for path in ("/anchor", "/anchor/arm"):
        page.goto(hub.url + path)
        page.wait_for_selector(".card")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
