"""The anchor's page with the real hub, and a receiver that moves: it drops, watches by itself, rings, and weighs."""

import json
import math
import re

import pytest
from bell_device import device_at, make_device
from calendar_server import CalendarServer
from hub import eventually
from page import DESKTOP, LIMIT, PHONE, PICTURES, SMALL, tell_updated, wait_kept, wait_room_kept, wait_until

ANCHOR = "/api/v1/anchor"
PLACE = (54.43, 10.17)


def south(metres):
    return {"latitude": PLACE[0] - metres / 111_195, "longitude": PLACE[1], "accuracy": 3}


def on_board(open_page, hub, **options):
    """A page with a receiver, and the way to ask the hub as its owner."""
    page = open_page(**{"viewport": PHONE, "geolocation": south(0), "permissions": ["geolocation"]} | options)
    return page, hub.sign_in_browser(page.context, "owner", "Ada")


FAR = r"/\b%dm/.test(document.querySelector('.reading-far')?.innerText)"


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
    page.wait_for_selector(".rode-view[aria-label*='swings within 29 metres']")
    page.fill("label:has-text('Alarm') + .with-unit input", "40")
    page.keyboard.press("Enter")
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == 40)
    page.click("button:has-text('Start the watch')")
    page.wait_for_selector(".arm-go:has-text('The watch is on')")
    assert watching(hub, ada)["armed"]
    hub.patch(ANCHOR, ada, {"grace_s": 1, "gap_s": 10})

    page.goto(hub.url + "/anchor")
    drift(page, 20, FAR % 20)
    assert page.evaluate(state("Holding")) and "000°" in page.locator(".reading-bearing").inner_text()

    # The zone by keys in the plot, kept by the hub, and taken back.
    handle = page.get_by_role("slider", name="Alarm radius")
    handle.press("PageUp")
    handle.press("ArrowUp")
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == 46)
    page.click("button:has-text('Undo')")
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == 40)
    # Drawn outward by 20 pixels it is as many pixels larger: it stays under the finger.
    handle.scroll_into_view_if_needed()
    pixel = page.evaluate("1 / document.querySelector('.watch-plot .chart').getScreenCTM().a")
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 14, y - 14, steps=20)
    page.mouse.up()
    drawn = pytest.approx(40 + 20 * pixel, abs=1.5)
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == drawn)
    page.click("button:has-text('Undo')")
    eventually(lambda: watching(hub, ada)["settings"]["zone"]["radius_m"] == 40)

    # She drags: the whole screen is the alarm, in one colour, until somebody acts.
    drift(page, 60, "Boolean(document.querySelector('.night.alarm'))")
    assert page.locator(".alarm-facts strong").inner_text().endswith("m outside")
    assert not re.search(r"\d", page.locator(".alarm-head [aria-live]").inner_text()), "read out each second"
    assert page.locator(".night .take").bounding_box()["height"] >= 100
    hull = page.locator(".night.alarm .boat path").bounding_box()
    assert max(hull["width"], hull["height"]) >= 20, "no more than her outline"
    wait_until(page, "document.activeElement.matches('.alarm')")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.take')"), "the keyboard reaches nothing that it covers"
    page.click(".night .take")
    page.wait_for_selector(".night.alarm", state="detached")
    assert page.locator("[inert]").count() == 0
    drift(page, 15, state("Holding"))

    # It was elsewhere for a while: it watches on by itself, and says how long nobody looked.
    page.goto("about:blank")
    page.wait_for_timeout(11_000)
    page.goto(hub.url + "/anchor")
    drift(page, 15, "document.querySelector('.note')?.innerText.includes('Nobody watched for')")
    page.wait_for_selector(".page-watch .tag:has-text('watches')")

    page.click("button:has-text('Weigh anchor')")
    page.wait_for_selector("dialog:has-text('The watch ends on all devices')")
    assert page.evaluate("document.activeElement.textContent") == "Not yet", "Enter twice does not end the watch"
    assert watching(hub, ada)["armed"], "it asks first"
    page.click("button:has-text('Weigh, end the watch')")
    page.wait_for_selector("button.drop")
    assert watching(hub, ada)["state"] == "idle"
    page.reload()
    page.wait_for_selector(".card:has-text('Anchorages') strong")
    with page.expect_download() as night:
        page.click(".card:has-text('Anchorages') li a:has-text('GPX')")
    assert "<trkpt" in night.value.path().read_text()
    large = {"name": "summer.gpx", "mimeType": "application/gpx+xml", "buffer": bytes(16 * 1024 * 1024 + 1)}
    page.set_input_files(".card:has-text('Anchorages') input[type=file]", large)
    page.wait_for_selector(".card:has-text('Anchorages') .note:has-text('summer.gpx has 17 MB; up to 16 MB')")


WITHOUT_RULES = """const ask = window.fetch;
window.fetch = (...all) => (String(all[0]).endsWith('/anchorwatch.wasm') && !window.isBack
  ? Promise.reject(new TypeError('away')) : ask(...all));"""


def test_without_the_rules_it_says_that_it_does_not_watch_until_they_are_there(hub, open_page):
    page, ada = on_board(open_page, hub)
    page.add_init_script(WITHOUT_RULES)
    page.goto(hub.url + "/anchor")
    page.click("button.drop")
    page.wait_for_selector(".page-watch:has-text('The rules of the watch did not load')")
    page.context.set_geolocation(south(20))
    eventually(lambda: watching(hub, ada)["distance_m"] == pytest.approx(20, abs=1), 40)
    assert page.locator(".page-watch .tag").inner_text() == "only rings"
    page.evaluate("window.isBack = true")
    page.wait_for_selector(".page-watch .tag:has-text('watches')")


def test_an_update_waits_while_this_page_watches(hub, open_page):
    """The page that a reload brings may make no sound until somebody touches it."""
    page, _ = on_board(open_page, hub)
    page.goto(hub.url + "/anchor")
    wait_kept(page)
    page.click("button.drop")
    page.wait_for_selector(".page-watch .tag:has-text('watches')")
    tell_updated(page)
    page.wait_for_timeout(6_000)  # it looks every five seconds whether it may
    assert page.evaluate("window.isSame") is True
    page.click("button:has-text('Weigh anchor')")
    with page.expect_event("framenavigated"):
        page.click("button:has-text('Weigh, end the watch')")


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
        # What was changed is said above the buttons, however high the line with the chart's names is.
        page.set_viewport_size({"width": 1000, "height": 800})
        page.get_by_role("slider", name="Alarm radius").press("PageUp")
        note = page.locator(".changed").bounding_box()
        assert note["y"] + note["height"] <= page.locator(".plot-tools").bounding_box()["y"]


def begin(hub, page, ada, **settings):
    """The anchor is down, the watch is armed, and this page watches."""
    hub.post(f"{ANCHOR}/drop", ada, {"lat": PLACE[0], "lon": PLACE[1]})
    assert hub.patch(ANCHOR, ada, {"zone": {"shape": "circle", "radius_m": 40}} | settings)[0] == 200
    assert hub.post(f"{ANCHOR}/arm", ada, {})[0] == 200
    page.goto(hub.url + "/anchor")
    page.locator(".page-watch input").check()
    drift(page, 20, state("Holding"))


# Beside the page's own sound: how loud it is, and the loudest tone.
EAR = """{
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode) {
      window.output = to.context;
      window.ear = new AnalyserNode(to.context, { fftSize: 4096, smoothingTimeConstant: 0 });
      connect.call(this, window.ear);
    }
    return connect.call(this, to, ...rest);
  };
  window.loudness = () => {
    if (window.output?.state !== 'running') return 0;
    const samples = new Float32Array(window.ear.fftSize);
    window.ear.getFloatTimeDomainData(samples);
    return Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);
  };
  window.tones = new Set();
  setInterval(() => {
    if (!(window.loudness() > 0.05)) return;
    const bins = new Float32Array(window.ear.frequencyBinCount);
    window.ear.getFloatFrequencyData(bins);
    const hertz = (bins.indexOf(Math.max(...bins)) * window.output.sampleRate) / window.ear.fftSize;
    window.tones.add(Math.round(hertz / 110) * 110);
  }, 50);
}"""
# Says on the console that the page calls itself silent. Whatever Playwright looks for in a page counts as a touch,
# after which the page may be heard: so it cannot look for that.
SILENT = """setInterval(() => {
  const note = document.querySelector('.page-watch .note');
  if (note?.checkVisibility() && note.innerText.includes('silent until you touch it')) console.log('silent');
}, 100);"""


def test_the_alarm_is_heard_and_says_who_rings_next(hub, open_page):
    page, ada = on_board(open_page, hub)
    page.add_init_script(EAR)
    page.add_init_script(SILENT)
    hub.sign_in("owner", "Ben")
    make_device(hub, "phone", person="Ada")
    make_device(hub, "tablet", person="Ben")
    begin(hub, page, ada, grace_s=0)
    # Opened anew and not touched yet, it says that nobody would hear it, also where it only rings.
    page.locator(".page-watch input").uncheck()
    with page.expect_console_message(lambda line: line.text == "silent", timeout=LIMIT):
        page.reload()
    page.locator(".page-watch input").check()
    with page.expect_console_message(lambda line: line.text == "silent", timeout=LIMIT):
        page.reload()
    page.click("button:has-text('Allow the sound')")
    page.wait_for_selector(".page-watch .note", state="detached")

    drift(page, 60, "Boolean(document.querySelector('.night.alarm'))")
    wait_until(page, "[1320, 880].every((tone) => window.tones.has(tone))")
    rows = page.locator(".alarm-next li")
    wait_until(page, "document.querySelectorAll('.alarm-next li').length === 3")
    this, first, second = rows.all_inner_texts()
    assert this.split("\n") == ["This page", "ringing"]
    assert first == "phone, Ada\nnot reached yet", "nobody has started it"
    minutes, seconds = map(int, re.fullmatch(r"tablet, Ben\nin (\d):(\d\d)", second).groups())
    assert 45 <= 60 * minutes + seconds <= 90, "with the fourth ring, 90 s after the first"
    page.set_viewport_size({"width": 1024, "height": 730})
    box = page.locator(".alarm-act").bounding_box()
    assert box["y"] + box["height"] <= 600, "above all that grows with each device"
    # While the browser keeps the page silent, it does not say that it rings.
    page.evaluate("window.output.resume = async () => {}; window.output.suspend()")
    page.wait_for_selector(".alarm-next li:has-text('silent until you tap')")
    page.evaluate("delete window.output.resume; window.output.resume()")
    # A call takes the loudspeaker, and gives it back.
    page.evaluate("window.output.suspend()")
    wait_until(page, "window.loudness() > 0.05")
    page.click(".night .take")
    page.wait_for_selector(".night.alarm", state="detached")
    wait_until(page, "window.loudness() < 0.001")
    # A reminder, which rings on the boat alone, is silenced from here as well.
    boat = make_device(hub, "boat")
    with device_at(hub, boat["secret"]) as agent:
        assert hub.post(f"{ANCHOR}/positions", boat["secret"], {"kind": "agent", "interval_s": 60})[0] == 200
        page.click("button:has-text('Silence it on board')")
        assert agent.show()["content"]["user_info"]["anchor"]["acknowledged"] is True


def test_what_it_saw_without_a_network_survives_a_reload_and_reaches_the_hub(hub, open_page):
    page, ada = on_board(open_page, hub)
    begin(hub, page, ada)
    wait_room_kept(page, "anchor")
    page.reload()
    drift(page, 20, state("Holding"))
    page.context.set_offline(True)

    def lie(first, last):
        for metres in range(first, last):
            drift(page, metres, FAR % metres)

    lie(22, 27)
    page.reload()
    page.wait_for_selector(".board-lost")
    lie(27, 31)
    page.context.set_offline(False)

    def told():
        fixes = hub.get(f"{ANCHOR}/track", token=ada)[1]["fixes"]
        return {round((PLACE[0] - fix[1]) * 111_195) for fix in fixes}

    eventually(lambda: set(range(22, 31)) <= told(), 40, what="the track is complete")
    page.wait_for_selector(".board-lost", state="detached")
    assert page.locator(".watch-top .note").count() == 0, "it has watched all the time"


def test_a_better_place_of_the_anchor_is_offered_and_taken(hub, open_page):
    page, ada = on_board(open_page, hub)
    begin(hub, page, ada)
    better = {"lat": PLACE[0] + 7 / 111_195, "lon": PLACE[1]}

    def offered(route):
        answer = route.fetch()
        found = answer.json()
        if found["anchor_by"] != "swing":
            found["suggested"] = {"anchor": better, "radius_m": 24, "error_m": 1.6, "hours": 3.2}
        route.fulfill(response=answer, body=json.dumps(found))

    page.route("**/api/v1/anchor", offered)
    page.reload()
    card = page.locator(".card:has-text('The anchor seems to lie 7 m away')")
    card.get_by_text("3 h of her swing show where it holds, ±2 m.").wait_for()
    card.get_by_role("button", name="Leave it").click()
    card.wait_for(state="detached")
    page.reload()
    card.get_by_role("button", name="Take it").click()
    card.wait_for(state="detached")
    found = watching(hub, ada)
    assert (found["anchor_by"], found["settings"]["anchor"]["lat"]) == ("swing", pytest.approx(better["lat"]))
    page.unroute_all(behavior="ignoreErrors")


def test_the_fields_offer_what_the_hub_takes(hub, open_page):
    page, ada = on_board(open_page, hub)
    hub.post(f"{ANCHOR}/drop", ada, {"lat": PLACE[0], "lon": PLACE[1]})
    zone = {"shape": "sector", "from_deg": 150, "to_deg": 210, "inner_m": 10, "outer_m": 18}
    assert hub.patch(ANCHOR, ada, {"zone": zone, "depth_m": {"min": 1.1}})[0] == 200
    page.route("**/anchor/replay", lambda route: route.fulfill(status=502, body="Bad Gateway"), times=1)
    page.goto(hub.url + "/anchor/arm")
    page.wait_for_selector(".card:has-text('The hub answered 502.')")  # and not that there is no track
    page.fill("label:has-text('Alarm') + .with-unit input", "8")
    page.keyboard.press("Enter")
    page.wait_for_selector(".error:has-text('A number from 11 to 5000')")
    page.click("button:has-text('Start the watch')")
    wait_until(page, "document.activeElement.getAttribute('aria-invalid') === 'true'")
    assert not watching(hub, ada)["armed"], "with the number before"
    page.click("summary:has-text('Wind, depth, creeping')")
    page.fill("label:has-text('Deeper than') + .with-unit input", "1.2")
    page.keyboard.press("Enter")
    eventually(lambda: watching(hub, ada)["settings"]["depth_m"] == {"min": 1.1, "max": 1.2})
    page.click("summary:has-text('Kept out')")
    page.click("button:has-text('Keep a sector out')")
    eventually(lambda: [(one["inner_m"], one["outer_m"]) for one in watching(hub, ada)["settings"]["excluded"]]
               == [(9, 18)], what="a sector is kept out of a small zone")


NEAR = """([bearing, far]) => document.querySelector('.zone-band path').isPointInStroke(new DOMPoint(
  Math.sin(bearing * Math.PI / 180) * far, -Math.cos(bearing * Math.PI / 180) * far))"""


def test_a_sector_warns_where_it_is_drawn_and_said(hub, open_page):
    page, ada = on_board(open_page, hub)
    hub.post(f"{ANCHOR}/drop", ada, {"lat": PLACE[0], "lon": PLACE[1]})
    zone = {"shape": "sector", "from_deg": 150, "to_deg": 210, "outer_m": 60}
    assert hub.patch(ANCHOR, ada, {"zone": zone})[1]["warning_room_m"] == 4
    page.goto(hub.url + "/anchor")
    page.wait_for_selector(".chart[aria-label*='Warning 4 metres before the edge']")
    # At the arc, at a side and at the tip, and not 8 m within.
    near = [page.evaluate(NEAR, at) for at in ([180, 57], [155, 40], [180, 5], [180, 52])]
    assert near == [True, True, True, False]
    page.goto(hub.url + "/anchor/arm")
    field = page.locator("label:has-text('Warning before the edge') + .with-unit input")
    eventually(lambda: field.input_value() == "4", what="the depth of the zone")
    field.fill("10")
    page.keyboard.press("Enter")
    eventually(lambda: watching(hub, ada)["warning_room_m"] == 10, what="a wider band")


@pytest.mark.parametrize("look", ["day", "night"])
def test_pictures_for_the_documentation(demo_hub, open_page, look):
    page, _ = on_board(open_page, demo_hub, color_scheme="dark" if look == "night" else "light")
    page.goto(demo_hub.url + "/anchor")
    page.wait_for_selector(".vessel .boat", state="attached")
    page.wait_for_selector(".watchers")
    if look == "night":
        page.click("button[aria-label^=Night]")
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = PICTURES / f"anchor-{look}.png"
    page.screenshot(path=picture, animations="disabled")
    assert picture.stat().st_size > 10_000


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
