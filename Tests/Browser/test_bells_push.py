"""The service worker's part of the notifications in Chromium: pushes are delivered by its DevTools, and subscribing is
tried with a push service made of a few lines in the page. Tests/Push has a real push service, and Firefox."""

import json
import os

import pytest
import seal

from base64url import decoded
from desktop import Desktop
from hub import eventually
from local_server import LocalServer, QuietHandler
from page import WHOLE_CHROMIUM, pages, wait_kept, wait_until
from png import png
from push_browser import Browser
from traces import events

# Chromium's push service is not reachable here: the page gets one of its own. The key is any 65 bytes.
KEY = "B" + "A" * 86
PUSH = f"""
const endpoint = () => sessionStorage.getItem('endpoint') ?? 'https://push.example/1';
const subscription = {{
  get endpoint() {{ return endpoint(); }},
  options: {{ applicationServerKey: Uint8Array.from(atob('{KEY}'), (one) => one.charCodeAt(0)).buffer }},
  toJSON: () => ({{
    endpoint: endpoint(), expirationTime: null,
    keys: {{ p256dh: '{KEY}', auth: 'AAAAAAAAAAAAAAAAAAAAAA' }},
  }}),
  unsubscribe: async () => {{ sessionStorage.removeItem('subscribed'); return true; }},
}};
PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('subscribed') ? subscription : null);
PushManager.prototype.subscribe = async (options) => {{
  const {{ userVisibleOnly: visible, applicationServerKey: {{ length: bytes }} }} = options;
  sessionStorage.setItem('subscribed', JSON.stringify({{ visible, bytes }}));
  return subscription;
}};
"""
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
  ({ title, body, tag, silent, requireInteraction, actions, data }) =>
    ({ title, body, tag, silent, requireInteraction, actions: actions.map(({ action }) => action), data }))"""


@pytest.fixture
def open_page(whole_browser):
    with pages(whole_browser) as open_page:
        yield open_page


@pytest.fixture
def page(hub, open_page):
    page = open_page()
    hub.sign_in_browser(page.context, "member", "Ada")
    return page


class Telling:
    """Words that are found only when they are told."""

    def __init__(self, words):
        self.words = words

    def __str__(self):
        return self.words()


class Pushed:
    """Delivers messages to the page's service worker, as a push service would."""

    def __init__(self, hub, page):
        page.context.grant_permissions(["notifications"], origin=hub.url)
        page.goto(hub.url + "/bells")
        page.wait_for_selector("bells-page h1")
        wait_kept(page)
        self.page, self.origin, self.registration = page, hub.url, None
        self.session = page.context.new_cdp_session(page)
        self.session.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self.session.send("ServiceWorker.enable")
        eventually(lambda: page.wait_for_timeout(20) or self.registration)

    def _note(self, event):
        for one in event["registrations"]:
            if not one["isDeleted"]:
                self.registration = one["registrationId"]

    def __call__(self, **message):
        message = {"v": 1, "id": "12", "version": 1, "receipt": "r" * 22} | message
        self.session.send("ServiceWorker.deliverPushMessage", {
            "origin": self.origin, "registrationId": self.registration, "data": json.dumps(message)})

    def shown(self, count, trace=lambda: ""):
        """The notifications on the screen, once there are so many; `trace` says more when there never are."""
        found = []

        def look():
            found[:] = self.page.evaluate(SHOWN)
            return len(found) == count

        eventually(look, 30, what=Telling(lambda: f"{count} on the screen, not {found} {trace()}"))
        return found


def test_a_push_is_shown_changed_and_taken_back(hub, page):
    push = Pushed(hub, page)
    actions = [{"id": "me", "title": "I open"}, {"id": "no", "title": "I cannot"}, {"id": "x", "title": "x"}]
    push(content={"title": "Nobody opens", "body": "Thursday", "actions": actions,
                  "interruption_level": "time-sensitive", "localized": {"de": {"title": "Niemand schließt auf"}}})
    one, = push.shown(1)
    assert (one["title"], one["body"], one["requireInteraction"]) == ("Nobody opens", "Thursday", True)
    assert one["actions"] == ["me", "no"], "two are what the platform has room for"
    push(id="13", content={"title": "Open"}, collapse_id="sign")
    push.shown(2)
    push(id="14", content={"title": "Closed"}, collapse_id="sign")
    eventually(lambda: sorted(one["title"] for one in push.shown(2)) == ["Closed", "Nobody opens"])
    push(version=2, content={"title": "Ada opens"})
    eventually(lambda: "Ada opens" in [one["title"] for one in push.shown(2)])
    push(version=3, withdraw=True)
    assert [one["title"] for one in push.shown(1)] == ["Closed"]


@pytest.fixture
def pictures():
    """The address of a picture on a server of others."""
    class Handler(QuietHandler):
        def do_GET(self):
            self.reply(200 if self.path == "/a.png" else 404, png(40, 30))

    with LocalServer(Handler) as server:
        yield server.url


def test_what_is_mutable_has_its_picture_before_it_is_shown(hub, page, pictures):
    pushed = Pushed(hub, page)
    service = Browser()
    cookies = {"Cookie": "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies(hub.url)),
               "Origin": hub.url}
    status, device = hub.put("/api/v1/bells/webpush", cookies, {"subscription": service.subscription})
    assert status == 200
    image = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => one.image)"
    for address, code in ((f"{pictures}/a.png", None), (f"{pictures}/gone.png", "extension_failed")):
        status, sent = hub.post("/api/v1/notifications", hub.owner_token, {
            "to": {"device": device["device"]},
            "content": {"title": "Ada", "mutable": True, "user_info": {"my-image": address}}})
        assert status == 202, sent
        _, message = service.next()
        pushed(**message)

        def trace(one=sent["id"]):
            return events(hub, one)

        [one] = [one for one in pushed.shown(1 if code is None else 2, trace) if one["data"]["id"] == sent["id"]]
        assert one["title"] == "Ada"
        shown = eventually(lambda: [event for event in trace() if event["what"] == "shown"])
        assert [event.get("code", "") for event in shown] == [code or ""]
    images = page.evaluate(image)
    assert len([one for one in images if "/api/v1/bells/attachments/" in (one or "")]) == 1, images
    service.server.close()


@pytest.mark.timeout(240)
def test_a_button_of_the_desktop_s_notification_answers_at_the_hub_while_the_page_is_closed(hub, browser, tmp_path):
    """The hub encrypts for a subscription whose key the test has; DevTools hand the worker what comes of it. All behind
    is real: the worker shows it over D-Bus, and the desktop presses its button."""
    service = Browser()
    with Desktop() as desktop:
        context = browser.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=WHOLE_CHROMIUM, args=["--no-sandbox"], locale="en-GB",
            permissions=["notifications"], env=os.environ | desktop.environment)
        ada = hub.sign_in_browser(context, "member", "Ada")
        pushed = Pushed(hub, context.pages[0])
        status, device = hub.put(
            "/api/v1/bells/webpush", ada | {"Origin": hub.url}, {"subscription": service.subscription})
        assert status == 200, device
        context.pages[0].goto("about:blank")
        for label, said, state in (("I cannot", "no", "acted"), ("default", "default", "active")):
            actions = [{"id": "me", "title": "I open"}, {"id": "no", "title": "I cannot"}]
            one = hub.post("/api/v1/notifications", hub.owner_token, {
                "to": {"device": device["device"]},
                "content": {"title": f"Nobody opens ({said})", "body": "Thursday", "actions": actions}})[1]["id"]
            _, message = service.next()
            pushed(**message)
            shown = desktop.wait(lambda it, title=f"Nobody opens ({said})": it.title == title)
            assert {"I open", "I cannot"} <= set(shown.actions.values())
            desktop.press(shown, label)

            def answered(one=one, said=said):
                trace = hub.get(f"/api/v1/notifications/{one}", token=hub.owner_token)[1]
                way, = trace["devices"]
                told = [event.get("detail") for event in way["events"] if event["what"] == "acted"]
                return trace["state"] if told == [said] else None

            assert eventually(answered, 20) == state
        context.close()
    service.server.close()


def test_a_push_is_shown_plainly_where_the_rules_are_not_to_be_had(hub, page):
    push = Pushed(hub, page)
    page.evaluate("async () => Promise.all((await caches.keys()).map((name) => caches.delete(name)))")
    hub.kill()
    push(content={"title": "Nobody opens", "body": "Thursday", "url": "/programme",
                  "actions": [{"id": "me", "title": "I open"}]})
    one, = push.shown(1)
    assert (one["title"], one["body"], one["actions"], one["silent"]) == ("Nobody opens", "Thursday", [], False)
    assert one["data"]["url"] == "/bells#12"


def test_a_private_push_is_opened_with_the_key_that_the_page_keeps(hub, page):
    push = Pushed(hub, page)
    page.click(".private-card button:text-is('Make a key')")
    page.click(".private-card button:text-is('Show it to another device')")
    key = decoded(page.text_content(".private-card .private-link").split("#key=")[1])
    actions = [{"id": "me", "title": "I open"}]
    push(content=seal.seal({"title": "Under the mat", "body": "Left", "actions": actions}, key))
    one, = push.shown(1)
    assert (one["title"], one["body"], one["actions"]) == ("Under the mat", "Left", ["me"])
    push(id="13", content=seal.seal({"title": "Under the mat"}, bytes(32), "Something new"))
    assert sorted(one["title"] for one in push.shown(2)) == ["Something new", "Under the mat"]


def test_a_browser_is_subscribed_by_a_press_only(hub, page):
    sent = []

    def webpush(route):
        sent.append((route.request.method, route.request.post_data_json))
        if route.request.method == "GET":
            return route.fulfill(json={"key": KEY})
        return route.fulfill(status=200 if route.request.method == "PUT" else 204, json={"device": "7"})

    mine = [{"id": "7", "name": "Chrome on Linux", "kind": "browser", "person": "1", "channels": ["webpush"],
             "this": True, "zone": None, "created_at": "2026-11-21T12:00:00Z", "seen_at": "2026-11-21T12:00:00Z",
             "connected": False,
             "can": {"locked": "maybe", "offline": "no"}}]
    page.add_init_script(PUSH)
    page.add_init_script("""
      const get = () => window.allowed ?? 'default';
      Object.defineProperty(Notification, 'permission', { get });
      Notification.requestPermission = async () => {
        window.asked = (window.asked ?? 0) + 1;
        window.allowed = sessionStorage.getItem('answer') ?? 'granted';
        return window.allowed;
      };""")
    page.route("**/api/v1/bells/webpush", webpush)
    page.route("**/api/v1/bells/devices", lambda route: route.fulfill(
        json=mine if any(method == "PUT" for method, _ in sent) else []))
    page.goto(hub.url + "/bells")
    start = page.locator("button:has-text('Ring me here')")
    start.wait_for()
    assert page.evaluate("window.asked") is None and sent == []

    page.evaluate("sessionStorage.setItem('answer', 'default')")
    start.click()
    page.wait_for_selector("text=The browser has not allowed it")
    assert page.evaluate("window.asked") == 1 and sent == []

    page.evaluate("sessionStorage.removeItem('answer')")
    start.click()
    page.wait_for_selector("text=It rings here, also while this page is closed.")
    assert json.loads(page.evaluate("sessionStorage.getItem('subscribed')")) == {"visible": True, "bytes": 65}
    method, body = sent[-1]
    assert method == "PUT" and sorted(body) == ["subscription", "zone"] and body["zone"] == "Europe/Berlin"
    assert sorted(body["subscription"]) == ["endpoint", "keys"]
    page.wait_for_selector("tr:has-text('Chrome on Linux'):has-text('this one')")

    page.click("button:has-text('Not any more')")
    # Playwright answers a page's request only while it is asked something itself, so no waiting without the page.
    start.wait_for()
    assert sent[-1][0] == "DELETE"
    assert page.evaluate("sessionStorage.getItem('subscribed')") is None


ALLOWED = """Object.defineProperty(Notification, 'permission',
    { get: () => sessionStorage.getItem('permission') ?? 'granted' });
  Notification.requestPermission = async () => { window.asked = true; return 'granted'; };"""


class HubOfPushes:
    """Answers for the hub to what a page says of its subscription."""

    def __init__(self, page, answer):
        self.endpoints, self.topics, self.status, self.ended = [], [], 200, 0
        self.answer = answer
        page.add_init_script(PUSH)
        page.add_init_script(ALLOWED)
        page.route("**/api/v1/bells/webpush", self._take)

    def _take(self, route):
        if route.request.method == "GET":
            return route.fulfill(json={"key": KEY})
        if route.request.method == "PUT":
            body = route.request.post_data_json
            self.endpoints.append(body["subscription"]["endpoint"].removeprefix("https://push.example/"))
            self.topics.append(body.get("topics"))
        self.ended += route.request.method == "DELETE"
        return route.fulfill(status=self.status, json=self.answer if self.status == 200 else {})


def renew(page, number):
    """The push service has given the browser another endpoint."""
    page.evaluate(f"sessionStorage.setItem('endpoint', 'https://push.example/{number}')")
    page.reload()


def test_the_hub_is_told_of_a_subscription_that_was_renewed(hub_with_space, page):
    hub = hub_with_space
    told = HubOfPushes(page, {"device": "7"})
    mine = {"id": "7", "name": "Chrome on Linux", "kind": "browser", "person": "1", "channels": ["webpush"],
            "this": True, "zone": None, "created_at": "2026-11-21T12:00:00Z", "seen_at": "2026-11-21T12:00:00Z",
            "connected": False, "can": {"locked": "running"}}
    page.route("**/api/v1/bells/devices", lambda route: route.fulfill(json=[mine]))
    page.goto(hub.url + "/bells")
    page.click("button:has-text('Ring me here')")
    rings = page.locator("text=It rings here, also while this page is closed.")
    rings.wait_for()
    page.wait_for_selector("td:has-text('while the browser runs')")
    page.reload()
    rings.wait_for()
    assert told.endpoints == ["1"], "there is nothing new to tell"

    told.status = 503
    renew(page, 2)
    page.locator("button:has-text('Ring me here')").wait_for()
    eventually(lambda: page.wait_for_timeout(20) or "2" in told.endpoints)
    told.status = 200
    page.reload()
    rings.wait_for()
    assert told.endpoints[-1] == "2" and page.evaluate("window.asked") is None, "by itself"

    # A front room does so, too.
    page.goto(hub.url + "/offline")
    page.evaluate("sessionStorage.setItem('endpoint', 'https://push.example/3')")
    page.goto(hub.url)
    eventually(lambda: page.wait_for_timeout(20) or told.endpoints[-1] == "3")

    # Somebody else who signs in has not pressed anything.
    page.goto(hub.url + "/offline")
    page.evaluate("sessionStorage.setItem('endpoint', 'https://push.example/4')")
    hub.sign_in_browser(page.context, "member", "Bob")
    page.goto(hub.url + "/bells")
    page.locator("button:has-text('Ring me here')").wait_for()
    page.wait_for_timeout(500)  # for a request that should not come
    assert told.endpoints[-1] == "3"


def test_the_hub_is_told_of_a_permission_that_was_taken_back(hub, page):
    told = HubOfPushes(page, {"device": "7"})
    page.goto(hub.url + "/bells")
    page.click("button:has-text('Ring me here')")
    eventually(lambda: page.wait_for_timeout(20) or page.evaluate("localStorage.getItem('eightbells-push')"))
    page.reload()
    page.wait_for_selector("bells-page h1")
    assert told.ended == 0
    page.evaluate("sessionStorage.setItem('permission', 'denied')")
    page.reload()
    eventually(lambda: page.wait_for_timeout(20) or told.ended == 1)
    wait_until(page, "localStorage.getItem('eightbells-push') === null")


def test_a_stranger_keeps_ringing_when_a_topic_has_gone(hub_with_space, open_page):
    page = open_page()
    told = HubOfPushes(page, {"device": "7", "secret": "s"})
    page.goto(hub_with_space.url)
    card = page.locator("bells-stranger")
    card.locator("button:has-text('Ring me here')").click()
    card.locator("text=It rings here").wait_for()
    page.evaluate("""async () => (await caches.open('eightbells-bells')).put('/bells/stranger', new Response(
      JSON.stringify({ device: '7', secret: 's', topics: ['gone', 'space'] })))""")
    page.reload()
    card.locator("text=It rings here").wait_for()
    card.locator("label").filter(has_not_text="The sign at the door").locator("input").first.check()
    eventually(lambda: page.wait_for_timeout(20) or len(told.topics) == 2)
    assert "gone" not in told.topics[1] and "space" in told.topics[1]
    assert len(told.topics[1]) == 2

    renew(page, 2)
    eventually(lambda: page.wait_for_timeout(20) or len(told.topics) == 3)
    assert told.endpoints[-1] == "2" and told.topics[2] == told.topics[1]
    card.locator("text=It rings here").wait_for()

    # Two switches in a row: what the second one says goes out after the first.
    page.evaluate("for (const one of document.querySelectorAll('bells-stranger input')) one.click()")
    shown = page.evaluate("[...document.querySelectorAll('bells-stranger input')].filter((one) => one.checked).length")
    eventually(lambda: page.wait_for_timeout(20) or len(told.topics) > 3 and len(told.topics[-1]) == shown
               and not set(told.topics[-1]) & set(told.topics[2]))

    page.route("**/api/v1/bells/webpush", lambda route: route.abort() if route.request.method == "PUT"
               else route.fallback())
    door = card.locator("label:has-text('The sign at the door') input")
    door.click()
    card.locator("[role=alert]").wait_for()
    assert not door.is_checked(), "the hub was not told"


def test_what_is_needed_is_said_for_each_platform(hub, open_page):
    page = open_page()
    hub.sign_in_browser(page.context, "member", "Ada")
    page.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' });")
    page.goto(hub.url + "/bells")
    page.wait_for_selector("text=has been told not to let this page ring")
    phone = open_page(user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) "
                      "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1")
    hub.sign_in_browser(phone.context, "member", "Ada")
    phone.goto(hub.url + "/bells")
    phone.wait_for_selector("text=In Safari touch “…” if it is there")


def test_a_stranger_who_does_not_allow_it_is_told_of_no_button(hub_with_space, open_page):
    page = open_page()
    page.add_init_script("""{
      let permission = 'default';
      Object.defineProperty(Notification, 'permission', { get: () => permission });
      Notification.requestPermission = async () => (permission = 'denied');
    }""")
    page.goto(hub_with_space.url + "/space")
    card = page.locator("bells-stranger")
    card.locator("button:has-text('Ring me here')").click()
    note = card.locator("[role=alert]")
    note.wait_for()
    assert note.inner_text() == "The browser has not allowed it." and card.locator("button").count() == 0


def test_a_stranger_has_what_is_public_ring_without_an_account(hub_with_space, open_page):
    sent = []

    def webpush(route):
        sent.append((route.request.method, route.request.post_data_json))
        if route.request.method == "GET":
            return route.fulfill(json={"key": KEY})
        return route.fulfill(status=200 if route.request.method == "PUT" else 204, json={"device": "7", "secret": "s"})

    page = open_page()
    page.add_init_script(PUSH)
    page.add_init_script("""Object.defineProperty(Notification, 'permission', { get: () => 'default' });
      Notification.requestPermission = async () => 'granted';""")
    page.route("**/api/v1/bells/webpush", webpush)
    page.goto(hub_with_space.url)
    card = page.locator("bells-stranger")
    card.locator("label:has-text('The sign at the door')").wait_for()
    assert sent == [], "nothing is asked on arrival"
    card.locator("label:has-text('The sign at the door') input").uncheck()
    card.locator("button:has-text('Ring me here')").click()
    card.locator("text=Choose at least one.").wait_for()
    card.locator("label:has-text('The sign at the door') input").check()
    kept = lambda: page.evaluate("caches.match('/notifications.wasm').then(Boolean)")
    wait_kept(page)
    assert not kept(), "a front room does without the rules for notifications"
    card.locator("button:has-text('Ring me here')").click()
    card.locator("text=It rings here").wait_for()
    eventually(kept)
    method, body = sent[-1]
    assert method == "PUT" and body["topics"] == ["space"] and "secret" not in body
    page.reload()
    card.locator("text=It rings here").wait_for()
    # A switch that is turned while it is being stopped does not begin it anew.
    page.evaluate("""() => {
      const [card] = document.querySelectorAll('bells-stranger');
      [...card.querySelectorAll('button')].find((one) => one.textContent.includes('Not any more')).click();
      [...card.querySelectorAll('label')].find((one) => !one.textContent.includes('The sign at the door'))
        .querySelector('input').click();
    }""")
    card.locator("button:has-text('Ring me here')").wait_for()
    wait_until(page, "!document.querySelector('bells-stranger [aria-busy]')")
    assert sent[-1] == ("DELETE", {"secret": "s"})


def test_who_is_signed_in_has_the_bells_instead(hub_with_space, open_page):
    page = open_page()
    hub_with_space.sign_in_browser(page.context, "member", "Ada")
    page.goto(hub_with_space.url)
    page.wait_for_selector(".nav")
    wait_until(page, "customElements.get('bells-stranger') && document.querySelector('bells-stranger').hidden")
    assert page.locator("bells-stranger h2").count() == 0
