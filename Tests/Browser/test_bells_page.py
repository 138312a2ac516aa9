"""The notification centre in a real browser: what has rung, its answers, what rings whom, and the way of each."""

import datetime as dt
import io
import threading
import wave

import pytest

from bell_device import device_at, make_device
from bells_page import SEND, Person
from hub import command, eventually
from local_server import LocalServer, QuietHandler
from people_pages import authenticator, owner, people, place
from page import DESKTOP, PHONE, SMALL, wait_kept, wait_until
from png import png
from push_browser import Browser
from visits import ZONE

TABLET, LANDSCAPE = {"width": 768, "height": 1024}, {"width": 1024, "height": 768}
OPENERS = [{"id": "me", "title": "I open"}, {"id": "no", "title": "I cannot"},
           {"id": "say", "title": "Answer all", "text_input": {"button": "Send", "placeholder": "Answer all"}}]


@pytest.fixture
def ada(hub, open_page):
    return Person(hub, open_page)


def test_nothing_has_rung_yet(ada):
    page = ada.open()
    page.wait_for_selector(".empty:has-text('Nothing has rung yet. “What rings you” says what will.')")
    page.wait_for_selector("p:has-text('Nothing missed.')")
    assert page.title() == "Bells · Eightbells"
    page.wait_for_selector(".devices .empty:has-text('None yet')")


def test_what_rings_comes_without_a_reload_by_day_and_thread(ada):
    page = ada.open()
    page.wait_for_selector(".empty")
    page.wait_for_selector(".bells-aside")
    ada.ring("Open", body="Ada has opened", thread="door")
    page.wait_for_selector(".bell[data-unread]:has-text('Ada has opened')")
    page.wait_for_selector("bells-page [aria-live]:has-text('New: Open.')")
    ada.ring("Closed", thread="door")
    page.wait_for_selector(".thread .bell:nth-child(2)")
    assert page.locator(".thread").count() == 1
    titles = page.locator(".thread .bell-title").all_text_contents()
    assert titles == ["Missed: Closed", "Missed: Open"]
    assert page.locator("h2.day").inner_text().startswith("Today, ")
    wait_until(page, "document.title === 'Bells (2) · Eightbells'")
    state = page.locator(".nav-link[aria-current] .nav-state")
    assert state.text_content().strip() == "2 missed"
    page.click("button:has-text('Seen them all')")
    page.wait_for_selector(".bell[data-unread]", state="detached")
    assert ada.bells()["unread"] == 0
    assert state.text_content().strip() == ""


def test_times_are_the_spaces_wherever_the_device_is(hub_with_space, open_page):
    ada = Person(hub_with_space, open_page, timezone_id="UTC")
    ada.ring("Who opens?")
    ada.page.route("**/api/v1/place", lambda _: None)
    with ada.page.expect_request("**/api/v1/place"):
        page = ada.open()
    page.wait_for_selector(".bell")  # before it is known where the space is
    page.unroute("**/api/v1/place")  # lets the request go on
    at = dt.datetime.fromisoformat(ada.bells()["items"][0]["at"]).astimezone(ZONE)
    page.wait_for_selector(f".bell time:has-text('{at:%H:%M}')")


def test_an_answer_counts_and_is_told(ada):
    one = ada.ring("Who opens?", actions=OPENERS)
    page = ada.open()
    page.click("button:has-text('I open')")
    page.wait_for_selector(".bell-said:has-text('Ada answered at')")
    page.wait_for_selector(".bell-said:has-text('I open')")
    assert page.locator(".actions button").count() == 0, "it has been answered"
    item = ada.bells()["items"][0]
    assert (item["id"], item["state"], item["acted"]["action"]) == (one, "acted", "me")


def test_text_is_typed_and_stays_while_something_else_comes(ada):
    one = ada.ring("Who opens?", actions=OPENERS, thread="door")
    page = ada.open()
    page.fill(".reply input", "At eight")
    ada.ring("Closed", thread="door")
    page.wait_for_selector(".bell:has-text('Closed')")
    assert page.input_value(".reply input") == "At eight"
    page.fill(".reply input", "   ")
    page.click(".reply button")  # no text is no answer
    assert page.locator(".note[data-kind=bad]").count() == 0, "nothing is sent that the hub would refuse"
    page.fill(".reply input", "At eight")
    page.click(".reply button")
    page.wait_for_selector(".bell-said")
    trace = ada.hub.get(f"{SEND}/{one}", token=ada.hub.owner_token)[1]
    assert (trace["acted"]["action"], trace["acted"]["text"]) == ("say", "At eight")


def test_an_answer_that_wants_the_person_asks_first(ada):
    ada.ring("Stop the watch?", actions=[
        {"id": "stop", "title": "Stop", "options": ["destructive", "authentication_required"]}])
    page = ada.open()
    page.click(".bell button.danger:has-text('Stop')")
    page.click("dialog button:has-text('Cancel')")
    assert ada.bells()["items"][0]["state"] == "new"
    page.click(".bell button.danger:has-text('Stop')")
    page.click("dialog button:has-text('Stop')")
    page.wait_for_selector(".bell-said")
    assert ada.bells()["items"][0]["acted"]["action"] == "stop"


def test_an_answer_that_wants_the_person_asks_for_their_passkey(hub, owner, place):
    session, device = authenticator(owner)
    owner.goto(f"{place}/me")
    owner.click("button:has-text('Make a passkey')")
    owner.wait_for_selector("text=The passkey is made.")
    actions = [{"id": "stop", "title": "Stop", "options": ["destructive", "authentication_required"]}]
    one = hub.post(SEND, hub.owner_token, {
        "to": {"role": "owner"}, "content": {"title": "Stop the watch?", "actions": actions}})[1]["id"]
    owner.goto(f"{place}/bells")
    owner.evaluate("""() => {
        const get = navigator.credentials.get.bind(navigator.credentials);
        globalThis.asked = [];
        navigator.credentials.get = (how) => get(how).then(
            (found) => { asked.push('proven'); return found; }, (error) => { asked.push(error.name); throw error; });
    }""")

    def press(is_verified):
        session.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": is_verified})
        owner.click(".bell button.danger:has-text('Stop')")
        owner.click("dialog button:has-text('Stop')")

    press(False)
    wait_until(owner, "asked.join() === 'NotAllowedError'")
    assert hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["state"] == "active", "somebody else's finger"
    press(True)
    owner.wait_for_selector(".bell-said")
    assert owner.evaluate("asked.join()") == "NotAllowedError,proven"
    assert hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["acted"]["action"] == "stop"


def test_somebody_elses_answer_and_what_is_taken_back(hub, ada, open_page):
    mo = Person(hub, open_page, name="Mo")
    body = {"to": [{"person": ada.id}, {"person": mo.id}], "content": {"title": "Who opens?", "actions": OPENERS}}
    assert hub.post(SEND, hub.owner_token, body)[0] == 202
    page = ada.open()
    page.wait_for_selector(".bell button")
    mo.open().click("button:has-text('I cannot')")
    page.wait_for_selector(".bell-said:has-text('Mo answered')")
    two = ada.ring("Wrong")
    page.wait_for_selector(".bell:has-text('Wrong')")
    hub.delete(f"{SEND}/{two}", hub.owner_token)
    page.wait_for_selector(".bell:has-text('Wrong') .bell-said:has-text('Taken back')")


LOCALIZED = {"de": {"title": "Wer schließt auf?", "actions": [{"id": "me", "title": "Ich schließe auf"}]}}


def test_it_is_told_in_the_readers_language(hub_with_space, open_page):
    ada = Person(hub_with_space, open_page, locale="de-DE")
    ada.ring("Who opens?", actions=OPENERS[:1], localized=LOCALIZED, interruption_level="critical")
    page = ada.page
    page.goto(hub_with_space.url)
    board = page.locator(".ring[data-level=alarm]")
    board.locator("text=Wer schließt auf?").first.wait_for()
    assert board.locator("text=Who opens?").count() == 0
    board.locator("button:has-text('Ich schließe auf')").wait_for()
    ada.open().wait_for_selector(".bell-title:has-text('Wer schließt auf?')")
    page.click(".bell button:has-text('Ich schließe auf')")
    page.wait_for_selector(".bell-said:has-text('Ich schließe auf')")


def test_until_the_rules_are_there_it_is_told_by_its_texts_alone(hub_with_space, open_page):
    ada = Person(hub_with_space, open_page)
    page = ada.page
    page.add_init_script("""
      const { fetch } = window;
      window.fetch = (...asked) => (asked[0] !== '/notifications.wasm' ? fetch(...asked) : new Promise((resolve) => {
        window.release = () => resolve(fetch(...asked));
      }));""")
    ada.ring("Who opens?", body="Thursday", actions=OPENERS[:2], url="/programme", interruption_level="critical")
    ada.open().wait_for_selector(".bell-title:has-text('Who opens?')")
    page.wait_for_selector(".bell-body:has-text('Thursday')")
    assert page.locator(".bell .actions button:enabled, .bell .bell-foot a.button").count() == 0
    wait_until(page, "window.release")
    page.evaluate("release()")
    page.wait_for_selector(".bell .actions button:enabled:has-text('I open')")
    page.goto(hub_with_space.url)
    answers = page.locator(".ring[data-level=alarm] .ring-answers")
    answers.wait_for()
    assert answers.locator("button").count() == 0 and answers.locator("a").count() == 1
    page.evaluate("release()")
    answers.locator("button:has-text('I open')").click()
    answers.wait_for(state="detached")
    assert ada.bells()["items"][0]["acted"]["action"] == "me"


def test_attachments_are_shown_or_linked(ada):
    ada.ring("Pictures", url="/programme", attachments=[
        {"id": "a", "url": "/icon-192.png", "type": "image/png"}, {"id": "b", "url": "/gone.png"},
        {"id": "c", "url": "http://127.0.0.1:9/x.mp3", "type": "audio/mpeg"}])
    page = ada.open()
    wait_until(page, "document.querySelector('a[target=_blank][href=\"/icon-192.png\"] .photo')?.naturalWidth > 0")
    page.wait_for_selector(".bell a[href='/gone.png']:has-text('Attachment that cannot be shown: b')")
    page.wait_for_selector(".bell a[href='/programme']")
    page.click("button:has-text('Play the sound')")
    page.wait_for_selector(".bell a[href='http://127.0.0.1:9/x.mp3']:has-text('Attachment: c')")
    links = page.locator(".bell a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert [one for one in links if not one.startswith("/bells/")] == [
        "/icon-192.png", "/gone.png", "http://127.0.0.1:9/x.mp3", "/programme"]


def test_a_picture_of_others_is_fetched_by_the_hub_and_not_by_the_browser(ada):
    asked = []

    class Picture(QuietHandler):
        def do_GET(self):
            asked.append(self.headers.get("User-Agent", ""))
            self.reply(200, png(40, 30))

    with LocalServer(Picture) as server:
        ada.ring("Door", attachments=[{"id": "a", "url": f"{server.url}/a.png"}])
        page = ada.open()
        wait_until(page, "document.querySelector('.bell img.photo')?.naturalWidth === 40")
    assert page.locator(".bell img").get_attribute("src").startswith("/api/v1/bells/attachments/")
    assert len(asked) == 1 and "Mozilla" not in asked[0]


def test_hebrew_begins_at_the_right_and_english_at_the_left(ada):
    ada.ring("שלום 123!", body="Hello")
    page = ada.open()
    page.wait_for_selector(".bell-body")
    gaps = page.locator(".bell-title > [id], .bell-body").evaluate_all("""all => all.map((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      const [inner, outer] = [text, one.closest('.bell-main')].map((it) => it.getBoundingClientRect());
      return [inner.left - outer.left, outer.right - inner.right].map((gap) => gap < 1);
    })""")
    assert gaps == [[False, True], [True, False]]


def wav(seconds):
    """A quiet sound of 8,000 samples a second."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8_000)
        sound.writeframes(bytes([128]) * 8_000 * seconds)
    return file.getvalue()


def test_a_sound_plays_and_films_have_their_controls(ada):
    answer = ada.hub.request("POST", "/api/v1/bells/attachments", {
        "Authorization": f"Bearer {ada.hub.owner_token}", "Content-Type": "audio/wav"}, wav(2))
    ada.ring("Sounds", attachments=[{"id": "bell", "blob": answer.json["blob"]}], mutable=True,
             user_info={"my-film": "https://films.example/harbour.mp4", "page": "https://films.example/"})
    page = ada.open()
    blocked = []
    page.on("console", lambda one: blocked.append(one.text) if "Content Security" in one.text else None)
    page.wait_for_selector(".bell button:has-text('Show the video')")
    found = page.locator(".bell audio, .bell video").evaluate_all(
        "all => all.map((one) => [one.localName, one.controls, one.preload, one.getAttribute('src')])")
    assert found == [["audio", True, "none", answer.json["url"]]]
    page.evaluate("() => { const one = document.querySelector('.bell audio'); one.muted = true; return one.play(); }")
    wait_until(page, "document.querySelector('.bell audio').currentTime > 0.1")
    # A film of others is fetched when somebody wants it; the hub cannot have this one.
    page.click(".bell button:has-text('Show the video')")
    page.wait_for_selector(".bell a[href='https://films.example/harbour.mp4']")
    assert blocked == []


def test_a_silent_one_shows_nothing_and_the_page_answers(ada):
    service = Browser()
    status, device = ada.hub.put("/api/v1/bells/webpush", ada.fields, {"subscription": service.subscription})
    assert status == 200
    page = ada.open()
    page.wait_for_selector(".empty")
    status, sent = ada.hub.post(SEND, ada.hub.owner_token, {
        "to": {"person": ada.id}, "content": {"silent": True}, "priority": "normal"})
    assert status == 202, sent

    def codes():
        devices = ada.hub.get(f"{SEND}/{sent['id']}", token=ada.hub.owner_token)[1]["devices"]
        return [event.get("code") for event in devices[0]["events"]]

    eventually(lambda: page.wait_for_timeout(20) or "no_data" in codes(), what="the page has answered")
    assert page.locator(".bell").count() == 0
    service.server.close()


def test_older_ones_are_fetched(ada):
    for number in range(52):
        ada.ring(f"Number {number}", thread="all")
    page = ada.open()
    page.wait_for_selector(".bell:nth-child(50)")
    page.click("button:has-text('Show older ones')")
    page.wait_for_selector(".bell:has-text('Number 0')")
    assert page.locator(".bell").count() == 52
    assert page.locator("button:has-text('Show older ones')").count() == 0


def test_topics_and_quiet_hours(hub, ada):
    assert command("topic", "create", "crew", "--name", "The crew", "--data", hub.data).returncode == 0
    hub.post(SEND, hub.owner_token, {"to": {"topic": "crew"}, "content": {"title": "Ahoy"}})
    page = ada.open()
    row = page.locator(".topics li:has-text('The crew')")
    row.wait_for()
    assert "rang once within a week" in row.inner_text()
    row.locator("[role=switch]").check()
    known = lambda: hub.get("/api/v1/bells/topics", token=ada.fields)[1]
    topics = lambda: {one["id"]: one["subscribed"]["me"] for one in known()}
    eventually(lambda: topics()["crew"])
    hub.post(SEND, hub.owner_token, {"to": {"topic": "crew"}, "content": {"title": "Ahoy again"}})
    page.wait_for_selector(".thread:has-text('The crew') .bell:has-text('Ahoy again')")
    row.locator("[role=switch]").uncheck()
    eventually(lambda: not topics()["crew"])

    quiet = lambda: hub.get("/api/v1/bells/settings", token=ada.fields)[1]["quiet"]
    page.locator("label:has-text('Quiet hours') input").check()
    eventually(lambda: quiet() == {"from": "23:00", "to": "07:00"})
    page.fill(".times input >> nth=0", "22:15")
    page.locator(".times input >> nth=0").blur()
    eventually(lambda: quiet() == {"from": "22:15", "to": "07:00"})
    page.wait_for_selector("text=Quiet from 22:15 to 07:00.")
    until = page.locator(".times input >> nth=1")
    until.evaluate("""it => ['06:30', 'blur', 'change', 'focusout'].forEach((what, index) =>
      index ? it.dispatchEvent(new Event(what)) : it.value = what)""")  # as Safari tells of a typed time
    eventually(lambda: quiet() == {"from": "22:15", "to": "06:30"})
    until.fill("22:15")
    page.wait_for_selector("text=The two times must differ.")
    until.blur()
    assert until.input_value() == "06:30", "the one that counts, beside the reason"
    page.locator("label:has-text('Quiet hours') input").uncheck()
    eventually(lambda: quiet() is None)


def test_a_device_is_tried_and_its_way_is_shown(hub, ada):
    made = make_device(hub, "Pi in the workshop", person="Ada")
    page = ada.open()
    page.wait_for_selector("tr:has-text('Pi in the workshop')")
    with device_at(hub, made["secret"]) as device:
        shown = threading.Thread(target=device.show)
        shown.start()
        page.click("tr button:has-text('Try it')")
        page.wait_for_selector(".trial .trace li:has-text('Shown')")
        page.wait_for_selector("[role=status]:text-is('That is the whole way.')")
        shown.join(10)
    page.click(".trial a")
    page.wait_for_selector("h1:has-text('Why did it ring')")
    page.wait_for_selector(".trace-head .tag[data-kind=good]:has-text('Rang')")
    page.wait_for_selector("dd:has-text('on the one device')")
    page.go_back()
    # While a device that sleeps is tried, which takes half a minute, it can be removed.
    page.click("tr button:has-text('Try it')")
    page.wait_for_selector("tr button[aria-busy]")
    page.click("tr button:has-text('Remove')")
    page.click("dialog button.danger")
    page.wait_for_selector("tr:has-text('Pi in the workshop')", state="detached")
    assert hub.get("/api/v1/bells/devices", token=ada.fields)[1] == []


def test_a_drill_shows_who_would_hear_it(hub, open_page):
    leader = Person(hub, open_page, role="owner")
    kitchen = make_device(hub, "Kitchen", person="Ada")
    make_device(hub, "Cellar", person="Ada")
    hub.sign_in("member", "Ben")
    page = leader.open()
    page.select_option("#drill-room", "bells")
    page.wait_for_selector("text=2 devices would ring.")
    page.wait_for_selector("text=Ben would hear nothing")
    with device_at(hub, kitchen["secret"]) as device:
        page.click("button:has-text('Ring all')")
        message = device.show()
        device.send("respond", id=message["id"], action="heard")
        page.wait_for_selector(".drill li:has-text('Kitchen') .tag[data-kind=good]", timeout=20_000)
    assert page.locator(".drill li:has-text('Cellar')").inner_text().endswith("rings …")
    page.wait_for_selector("section:has([role=status]:has-text('rings …')) button:has-text('Ring all again')")
    # Another room has not been tried.
    page.select_option("#drill-room", "anchor")
    page.wait_for_selector("text=2 devices would ring.")
    assert page.locator(".drill").count() == 0
    # Whoever belongs here keeps the anchor watch, and tries that alone.
    choice = Person(hub, open_page, name="Ben").open().locator("#drill-room option")
    choice.first.wait_for(state="attached")
    assert choice.all_text_contents() == ["Anchor alarms"]


def test_why_it_did_not_ring_is_told_in_both_languages(hub, ada, open_page):
    make_device(hub, "Pi", person="Ada")
    one = ada.ring("Wrong")
    hub.delete(f"{SEND}/{one}", hub.owner_token)
    page = ada.open(f"/bells/{one}")
    page.wait_for_selector(".because:has-text('Taken back by its sender')")
    page.wait_for_selector("dd:has-text('taken back')")
    german = open_page(context=ada.page.context.browser.new_context(locale="de-DE"))
    german.context.add_cookies(ada.page.context.cookies())
    german.goto(f"{hub.url}/bells/{one}")
    german.wait_for_selector("h1:has-text('Warum hat es geläutet')")
    german.wait_for_selector(".because:has-text('Vom Absender zurückgenommen')")
    german.context.close()
    mo = Person(hub, open_page, name="Mo")
    mo.open(f"/bells/{one}").wait_for_selector(".note[data-kind=bad]")
    asked = ada.ring("Cake?", actions=[{"id": "action-1", "title": "I bake"}])
    assert hub.post(f"/api/v1/bells/{asked}/response", ada.fields, {"action": "action-1"})[0] == 200
    page.goto(f"{hub.url}/bells/{asked}")
    page.wait_for_selector("dd:has-text('I bake')")


def test_without_the_hub_the_last_state_stays(hub, ada):
    ada.ring("Still there")
    ada.page.clock.install()
    page = ada.open()
    page.wait_for_selector(".bell")
    wait_kept(page)
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".bell:has-text('Still there')")
    page.wait_for_selector(".note:has-text('as of')")
    page.clock.fast_forward(86_400_000)
    page.wait_for_selector(".note:has-text('as of yesterday')")
    page.context.set_offline(False)
    hub.kill()


def test_who_is_not_signed_in_is_led_there(hub, open_page):
    page = open_page()
    page.goto(hub.url + "/bells")
    page.wait_for_selector("main a:has-text('Sign in')")


def test_what_rings_now_is_on_top_of_the_front_room_with_its_answer(hub_with_space, open_page):
    ada = Person(hub_with_space, open_page, viewport=DESKTOP)
    page = ada.page
    page.add_init_script("""globalThis.badges = [];
        navigator.setAppBadge = async (count) => { badges.push(count); };
        navigator.clearAppBadge = async () => { badges.push(0); };""")
    page.clock.install()
    page.goto(hub_with_space.url)
    page.wait_for_selector(".nav")
    wait_until(page, "badges.at(-1) === 0")
    one = ada.ring("Nobody opens yet", body="Thursday", interruption_level="time-sensitive", actions=OPENERS)
    board = page.locator(".ring[data-level=call]")
    board.locator("text=Nobody opens yet").first.wait_for()
    wait_until(page, "[...document.querySelectorAll('.nav-state')].some((one) => one.innerText.trim() === '1 missed')")
    wait_until(page, "badges.at(-1) === 1")
    board.locator("button:has-text('I open')").click()
    board.wait_for(state="detached")
    wait_until(page, "badges.at(-1) === 0")
    assert ada.bells()["items"][0]["acted"]["action"] == "me"
    ada.ring("Drags", interruption_level="critical", actions=[{"id": "on", "title": "I’m on it"}])
    page.wait_for_selector(".ring[data-level=alarm]")
    assert one != ada.bells()["items"][0]["id"]
    page.context.set_offline(True)
    page.clock.fast_forward(86_400_000)
    page.wait_for_selector(".ring-since:has-text('since yesterday')")


LOADED = "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)"


def test_what_rings_now_is_on_top_of_the_pages_of_the_hub_and_of_rooms(hub, open_page):
    ada = Person(hub, open_page, role="owner")
    page = ada.page
    for number, path in enumerate((
            "/me", "/people", "/settings", "/settings/place", "/albums", "/anchor", "/apps", "/portfolio")):
        page.goto(hub.url + path)
        page.wait_for_selector("main h1")
        wait_until(page, f"{LOADED}.includes('/api/v1/bells')")
        assert not page.evaluate(f"{LOADED}.includes('/notifications.wasm')"), "loaded with the first that rings"
        one = ada.ring("Drags", body=f"{47 + number} m", interruption_level="critical", actions=OPENERS[:2])
        board = page.locator(".ring[data-level=alarm]")
        board.locator(f"text={47 + number} m").wait_for()
        board.locator("button:has-text('I open')").click()
        board.wait_for(state="detached")
        item = ada.bells()["items"][0]
        assert (item["id"], item["acted"]["action"]) == (one, "me")


def test_nothing_is_asked_on_the_hubs_own_pages_while_nobody_is_signed_in(hub, open_page):
    page = open_page()
    page.goto(hub.url + "/me")
    page.wait_for_selector("main a:has-text('Sign in')")
    page.wait_for_load_state("networkidle")
    assert not page.evaluate(f"{LOADED}.some((one) => one === '/elsewhere.js' || one.startsWith('/api/v1/bells'))")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_nothing_is_wider_than_the_screen(hub, open_page, locale):
    ada = Person(hub, open_page, locale=locale)
    make_device(hub, "Pi in the workshop, below the stairs", "space", person="Ada")
    one = ada.ring("Donaudampfschifffahrtsgesellschaftskapitän", body="x" * 200, actions=OPENERS)
    for path in ("/bells", f"/bells/{one}"):
        (page := ada.open(path)).wait_for_selector(".bell-title")
        page.wait_for_timeout(300)
        for size in (SMALL, PHONE, TABLET, LANDSCAPE, DESKTOP):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
