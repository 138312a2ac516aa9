"""The talking clock's page with the real hub: a voice is recorded by a microphone that hears a file, heard, chosen, and
says the next quarter, measured where its sound leaves the page."""

import datetime
import zoneinfo

import pytest
from base64url import encoded
from bell_device import device_at, make_device
from clock_page import RATE, WORDS, probe, spoken, tone, wav
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hub import eventually
from page import DESKTOP, PHONE, SMALL, launch, pages, tell_updated, wait_kept, wait_until
from tabs import Tabs

CLOCK = "/api/v1/clock"
VOICES = f"{CLOCK}/voices"
PARTS = [str(one) for one in range(1, 13)] + ["15", "30", "45", "AM", "PM"]
LATE = 0.05  # seconds: the page promises less, and a busy machine needs more than an idle one
USABLE, REQUESTS, READABLE = 100_000, 15, 60_000
PAGE = "li:has-text('This page')"
SWITCH = "document.querySelector('.clock-side li:last-child .switch input')"
# The first frames in which the time can be read, and in which one can have it said.
MARKS = """{
  const look = () => {
    if (document.querySelector('.face')) window.readAt ??= performance.now();
    const says = document.querySelector('.clock-next q')?.textContent;
    if (says && document.querySelector('.clock-keys .primary:enabled')) window.usedAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
TICKS = "window.ticks = []; setInterval(() => window.ticks.push(performance.now()), 100);"


@pytest.fixture(scope="module")
def microphone(browser, tmp_path_factory):
    """A browser whose microphone hears three words again and again."""
    file = tmp_path_factory.mktemp("microphone") / "words.wav"
    file.write_bytes(spoken())
    with_one = launch(
        browser.browser_type, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={file}")
    yield with_one
    with_one.close()


@pytest.fixture
def open_page(microphone):
    with pages(microphone) as open_page:
        yield open_page


def person(hub, page, name="Ada"):
    """Signs somebody in; how to ask the hub as them."""
    return hub.sign_in_browser(page.context, "member", name)


def clock_of(hub, fields):
    return hub.get(CLOCK, token=fields)[1]


def put_part(hub, fields, voice, part):
    answer = hub.request("PUT", f"{VOICES}/{voice}/parts/{part}", fields | {"Content-Type": "audio/wav"},
                         wav(tone(0.3)))
    assert answer.status == 200, answer.body


def test_a_voice_is_recorded_heard_and_says_the_next_quarter(hub, open_page):
    page = open_page(viewport=DESKTOP, bypass_csp=True)
    page.add_init_script(probe(9))
    fields = person(hub, page)
    page.goto(hub.url + "/clock/record")
    page.fill("[name=name]", "Grandfather Karl")
    page.click("button:has-text('Begin')")
    page.wait_for_selector("#say:has-text('one')")
    voice = next(one["id"] for one in clock_of(hub, fields)["voices"] if one["kind"] == "recorded")

    # By the keys alone: record, stop, hear, and the next part.
    page.keyboard.press("Space")
    page.wait_for_selector(".recording")
    wait_until(page, "document.querySelector('[role=meter]').getAttribute('aria-valuenow') > -20")
    page.wait_for_timeout(round(1000 * (sum(map(sum, WORDS)) + 0.2)))
    page.keyboard.press("Space")
    page.wait_for_selector(".take-foot:has-text('saved')")
    assert page.locator(".verdicts li").all_text_contents()[1] == "not distorted"
    parts = hub.get(f"{VOICES}/{voice}", token=fields)[1]["parts"]
    assert list(parts) == ["1"] and parts["1"]["rate"] == RATE and 0.1 * RATE < parts["1"]["frames"] < 1.5 * RATE
    end = page.locator("[data-at=end]")
    before = float(end.get_attribute("aria-valuenow"))
    end.press("ArrowLeft")
    end.press("ArrowLeft")
    assert float(end.get_attribute("aria-valuenow")) == pytest.approx(before - 0.02, abs=0.006)
    eventually(lambda: hub.get(f"{VOICES}/{voice}", token=fields)[1]["parts"]["1"]["sha256"] != parts["1"]["sha256"])
    page.keyboard.press("p")
    page.click("h1")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#say em:text-is('two')")
    assert page.locator(".parts [data-state]").count() == 1

    # The others come by another way; then it can be left, and gone on with.
    for part in PARTS[1:]:
        put_part(hub, fields, voice, part)
    page.reload()
    page.wait_for_selector("strong:has-text('17 of 17')")
    # The words of 24 hours were not recorded.
    assert hub.patch(CLOCK, fields, {"settings": {"hours": 24}})[0] == 200
    page.click("button:has-text('Speak with this voice')")
    page.wait_for_url("**/clock")
    settings = clock_of(hub, fields)["settings"]
    assert (settings["voice"], settings["hours"]) == (voice, 12)

    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.locator(PAGE).get_by_role("switch").check()
    page.wait_for_selector(f"{PAGE} small:has-text('speaks while it is open')")
    said = page.locator(".clock-next q").inner_text()
    wait_until(page, "window.heard.length > 0", 25_000)
    at = page.evaluate("window.heard[0]")
    late = (at + 450) % 900 - 450
    print(f"the first sample {late * 1000:+.1f} ms after the quarter, by WebAudio")
    assert abs(late) < LATE
    # Joined to the sample: as long as the parts that the page has shown in words.
    frames = {name: one["frames"] for name, one in hub.get(f"{VOICES}/{voice}", token=fields)[1]["parts"].items()}
    names = page.evaluate("Number(window.lengths[0])")
    assert said and names in possible(frames, hub, fields)
    page.wait_for_timeout(1500)
    assert page.evaluate("window.heard.length") < 5, "once, and no second time"


def test_an_update_waits_for_a_part_that_could_not_be_sent(hub, open_page):
    page = open_page(viewport=DESKTOP)
    person(hub, page)
    page.goto(hub.url + "/clock/record")
    wait_kept(page)
    page.fill("[name=name]", "Grandfather Karl")
    page.click("button:has-text('Begin')")
    page.wait_for_selector("#say:has-text('one')")
    page.context.set_offline(True)
    page.keyboard.press("Space")
    page.wait_for_selector(".recording")
    page.wait_for_timeout(round(1000 * (sum(map(sum, WORDS)) + 0.2)))
    page.keyboard.press("Space")
    page.wait_for_selector(".take-foot:has-text('not saved yet')")
    tell_updated(page)
    page.wait_for_timeout(6_000)  # it looks every five seconds whether it may
    assert page.evaluate("window.isSame") is True
    assert not page.evaluate("dispatchEvent(new Event('beforeunload', {cancelable: true}))"), "it would be lost"
    session = page.context.cookies()
    page.context.clear_cookies()
    page.context.set_offline(False)
    page.wait_for_selector("hub-navigation a[href='/join']")
    page.locator("[data-at=end]").press("ArrowLeft")  # it is sent once more
    page.wait_for_selector(".note:has-text('Nobody is signed in here any more.')")
    page.context.add_cookies(session)
    with page.expect_event("framenavigated"):
        page.locator("[data-at=end]").press("ArrowLeft")


def possible(frames, hub, fields):
    """The lengths of all announcements at quarters: hour, minute, AM or PM; at the full hour with a stroke."""
    stroke = hub.get(f"{VOICES}/bells", token=fields)[1]["parts"]["bigben"]
    lengths = set()
    for hour in PARTS[:12]:
        for half in ("AM", "PM"):
            lengths |= {frames[hour] + frames[minute] + frames[half] for minute in ("15", "30", "45")}
            lengths.add(round(stroke["frames"] * RATE / stroke["rate"]) + frames[hour] + frames[half])
    return lengths


def test_settings_muting_and_another_tab(hub, open_page):
    hub.configure()
    page = open_page(viewport=DESKTOP, timezone_id="Asia/Tokyo")
    fields = person(hub, page)
    page.goto(hub.url + "/clock")
    page.wait_for_selector(".clock-next q:not(:empty)")
    page.select_option(".clock-settings select >> nth=0", "30")
    page.wait_for_selector(".saved:has-text('Saved')")
    assert clock_of(hub, fields)["settings"]["every"] == 30
    page.select_option("label:has-text('The time it speaks') select", "Europe/Berlin")
    eventually(lambda: clock_of(hub, fields)["settings"]["zone"] == "Europe/Berlin")
    # A switch whose change could not be saved does not stay turned; of two times that are set in a row both count.
    quiet = page.locator("label.switch:has-text('Quiet hours')")
    page.route("**/api/v1/clock", lambda route: route.abort() if route.request.method == "PATCH" else route.continue_())
    quiet.click()
    page.wait_for_selector(".clock-settings .note")
    assert not quiet.get_by_role("switch").is_checked()
    page.unroute_all()
    quiet.click()
    page.wait_for_selector(".clock-settings .times")
    page.eval_on_selector_all(".clock-settings .times input", """(all) => all.forEach((one, index) => {
      one.value = ['23:00', '06:30'][index];
      one.dispatchEvent(new Event('change'));
    })""")
    eventually(lambda: clock_of(hub, fields)["settings"]["quiet"] == {"from": "23:00", "to": "06:30"})
    quiet.click()
    eventually(lambda: clock_of(hub, fields)["settings"].get("quiet") is None)
    # It is muted, and another voice chosen, while one hears it: here it speaks without an end.
    page.evaluate("AudioBufferSourceNode.prototype.start = () => {}")
    page.click(".clock-keys .primary")
    page.wait_for_selector(".clock-keys .primary[aria-busy]")
    page.click(".voice button[aria-label^=Hear] >> nth=0")
    page.wait_for_selector(".voice button[aria-busy]")
    page.click("button:has-text('Mute till 07:00')")
    page.wait_for_selector(".clock-next:has-text('Muted till 07:00')")
    until = datetime.datetime.fromisoformat(clock_of(hub, fields)["muted_until"])
    assert f"{until.astimezone(zoneinfo.ZoneInfo('Europe/Berlin')):%H:%M}" == "07:00"
    page.click("button:has-text('Speak again')")
    page.wait_for_selector(".clock-next:has-text('Next at')")
    page.locator("label:has-text('Ship’s bells') input").check()
    eventually(lambda: clock_of(hub, fields)["settings"]["style"] == "bells")
    page.wait_for_selector(".clock-next q:has-text('bell')")
    page.locator(PAGE).get_by_role("switch").check()
    page.wait_for_selector(f"{PAGE} small:has-text('speaks while it is open')")
    other = open_page(context=page.context)
    other.goto(hub.url + "/clock")
    other.click("h2:has-text('Where it speaks')")
    other.wait_for_selector(f"{PAGE} small:has-text('another tab')")
    page.close()
    other.wait_for_selector(f"{PAGE} small:has-text('speaks while it is open')")


def test_a_device_that_speaks_meanwhile_does_not_take_its_slider_out_of_the_hand(hub, open_page):
    page = open_page(viewport=DESKTOP)
    fields = person(hub, page)
    made = make_device(hub, "kitchen", person="Ada")
    with device_at(hub, made["secret"]):
        page.goto(hub.url + "/clock")
        kitchen = page.locator("li:has-text('kitchen')")
        kitchen.get_by_role("switch").check()
        slider = kitchen.get_by_role("slider")
        slider.focus()
        assert hub.put(f"{CLOCK}/devices/{made['id']}", fields, {"on": True, "volume": 35})[0] == 200
        wait_until(page, "document.activeElement.value === '35'")
        slider.press("ArrowRight")
        eventually(lambda: clock_of(hub, fields)["devices"][0]["volume"] == 40)
        assert slider.evaluate("(slider) => slider === document.activeElement")
        kitchen.get_by_role("switch").uncheck()
        slider.wait_for(state="detached")


@pytest.mark.waits
def test_a_hidden_page_goes_on_speaking(hub, tmp_path):
    cookie, _, value = hub.sign_in("member", "Ada")["Cookie"].partition("=")
    with Tabs(tmp_path / "profile") as tabs:
        page = tabs.open()
        page.before_scripts(probe(16) + TICKS)
        page("Network.setCookie", name=cookie, value=value, url=hub.url)
        page.go(hub.url + "/clock")
        eventually(lambda: page.run(f"Boolean({SWITCH})"), 20, what="the page")
        page.run(f"{SWITCH}.click()")
        # Two parts of announcements at least are laid: this quarter, and the next one.
        eventually(lambda: page.run("window.lengths.length") >= 2, 10, what="announcements on the audio clock")
        tabs.open().show()
        eventually(lambda: page.run("document.visibilityState") == "hidden", 5)
        page.run("window.ticks.length = 0")
        eventually(lambda: page.run("window.heard.length"), 25, what="the quarter")
        late = (page.run("window.heard[0]") + 450) % 900 - 450
        slept = page.run("Math.max(...window.ticks.slice(1).map((one, index) => one - window.ticks[index]))")
        print(f"hidden: {late * 1000:+.1f} ms after the quarter; a timer of 100 ms slept for {slept:.0f} ms")
        assert abs(late) < LATE and page.run("document.visibilityState") == "hidden"
        assert slept > 500, "timers sleep in a hidden page: the sound must not be theirs"


def test_a_stranger_sees_the_clock_in_german_and_nothing_hangs_over(hub, open_page):
    page = open_page(viewport=SMALL, locale="de-DE")
    page.goto(hub.url + "/clock")
    page.wait_for_selector(".clock-next q:not(:empty)")
    page.wait_for_selector("a:has-text('Anmelden')")
    assert page.locator(".card").count() == 0
    assert page.locator(".face").get_attribute("aria-label").endswith(".")
    person(hub, page)
    for path in ("/clock", "/clock/record"):
        page.goto(hub.url + path)
        page.wait_for_selector(".card")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_browser_speaks_while_its_page_is_open_and_has_no_switch(hub, open_page):
    page = open_page(viewport=PHONE, locale="de-DE")
    fields = person(hub, page)
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = encoded(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    subscription = {"endpoint": "http://127.0.0.1:1/push", "keys": {"p256dh": point, "auth": encoded(bytes(16))}}
    assert hub.put("/api/v1/bells/webpush", fields, {"subscription": subscription})[0] == 200
    [device] = hub.get("/api/v1/devices", token=fields)[1]
    assert hub.patch(f"/api/v1/devices/{device['id']}", fields, {"name": "Chrome on Linux"})[0] < 300
    page.goto(hub.url + "/clock")
    row = page.locator("li", has_text="Chrome unter Linux")
    row.locator("small:text-is('spricht, solange seine Seite offen ist')").wait_for()
    assert row.locator("input").count() == 0


def test_a_voice_that_cannot_be_opened_is_tried_again_and_no_new_one_begun(hub, open_page):
    page = open_page(viewport=PHONE)
    made = hub.post(VOICES, person(hub, page), {"name": "Ada", "language": "en"})
    page.route("**/api/v1/clock/voices/*", lambda route: route.abort())
    page.goto(f"{hub.url}/clock/record#{made[1]['id']}")
    page.wait_for_selector(".note:has-text('The hub cannot be reached')")
    assert page.locator("[name=name]").count() == 0
    page.unroute_all()
    page.click("button:has-text('Try again')")
    page.wait_for_selector("#say:has-text('one')")


def test_the_word_of_the_key_that_records_is_whole(hub, open_page):
    page = open_page(viewport=PHONE, locale="de-DE")
    made = hub.post(VOICES, person(hub, page), {"name": "Ada", "language": "de"})
    page.goto(f"{hub.url}/clock/record#{made[1]['id']}")
    key = page.locator(".record-button")
    key.locator("span:text-is('Aufnehmen')").wait_for()
    circle, word = key.locator("svg").bounding_box(), key.locator("span").bounding_box()
    assert word["y"] >= circle["y"] + circle["height"]
    assert key.evaluate("(key) => key.scrollWidth <= key.clientWidth")


def test_without_a_microphone_it_says_how_to_allow_it(hub, browser):
    with pages(browser) as open_page:
        page = open_page(viewport=PHONE)
        fields = person(hub, page)
        made = hub.post(VOICES, fields, {"name": "Ada", "language": "de"})
        page.goto(f"{hub.url}/clock/record#{made[1]['id']}")
        page.click(".record-button")
        page.wait_for_selector("[role=alert] li")
        assert page.locator("[role=alert] li").count() >= 2


def test_it_needs_little(hub, browser):
    with pages(browser) as open_page:
        page = open_page(viewport=PHONE)
        person(hub, page)
        session = page.context.new_cdp_session(page)
        begun, done = {}, []
        session.on("Network.requestWillBeSent", lambda event: begun.setdefault(
            event["requestId"], (event["timestamp"], event["request"]["url"])))
        session.on("Network.webSocketCreated", lambda event: begun.setdefault(event["requestId"], (0, event["url"])))
        session.on("Network.loadingFinished", lambda event: done.append(
            (event["timestamp"], event["encodedDataLength"])))
        session.send("Network.enable")
        session.send("Performance.enable")
        page.add_init_script(MARKS)
        page.goto(hub.url + "/clock", wait_until="commit")
        wait_until(page, "window.usedAt !== undefined")
        marks = page.evaluate("[window.readAt, window.usedAt]")
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        read, used = (metrics["NavigationStart"] + one / 1000 for one in marks)
        read_bytes, used_bytes = (sum(size for at, size in done if at <= until) for until in (read, used))
        addresses = [url for at, url in begun.values() if at <= used]
        print(f"read after {read_bytes} bytes; used after {len(addresses)} requests, {used_bytes} bytes")
        assert read_bytes <= READABLE and used_bytes <= USABLE and len(addresses) <= REQUESTS, addresses
        assert not any("notifications.wasm" in one for one in addresses)


def test_who_was_signed_out_while_the_hub_was_away_is_not_told_that_it_is(hub, open_page):
    page = open_page()
    person(hub, page)
    page.goto(f"{hub.url}/clock")
    page.wait_for_selector(".clock-side li")
    hub.stop()
    page.evaluate("dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(".note:has-text('The hub cannot be reached')")
    page.context.clear_cookies()
    hub.start()
    page.wait_for_selector(".note:has-text('The hub cannot be reached')", state="detached")
    page.wait_for_selector("main a[href='/join']")
