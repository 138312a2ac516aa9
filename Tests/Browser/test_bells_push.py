"""The service worker's part of the notifications in Chromium: pushes are delivered by its DevTools, and subscribing is
tried with a push service made of a few lines in the page. Tests/Push has a real push service, and Firefox."""

import json

import pytest

from hub import eventually
from page import pages, wait_kept, wait_until

# Chromium's push service is not reachable here: the page gets one of its own. The key is any 65 bytes.
KEY = "B" + "A" * 86
PUSH = f"""
const subscription = {{
  options: {{ applicationServerKey: Uint8Array.from(atob('{KEY}'), (one) => one.charCodeAt(0)).buffer }},
  toJSON: () => ({{
    endpoint: 'https://push.example/1', expirationTime: null,
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
def open_page(browser):
    with pages(browser) as open_page:
        yield open_page


@pytest.fixture
def page(hub, open_page):
    page = open_page()
    hub.sign_in_browser(page.context, "member", "Ada")
    return page


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

    def shown(self, count):
        """What stands on the screen, once it is so many."""
        found = []

        def look():
            found[:] = self.page.evaluate(SHOWN)
            return len(found) == count

        eventually(look)
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
    eventually(lambda: sent[-1][0] == "DELETE")
    start.wait_for()
    assert page.evaluate("sessionStorage.getItem('subscribed')") is None


@pytest.mark.parametrize("locale, blocked, iphone", [
    ("en-GB", "has been told not to let this page ring", "Touch the share button of Safari"),
    ("de-DE", "dass diese Seite nicht läuten darf", "Tippe in Safari auf den Teilen-Knopf")])
def test_what_is_needed_is_said_for_each_platform(hub, open_page, locale, blocked, iphone):
    page = open_page(locale=locale)
    hub.sign_in_browser(page.context, "member", "Ada")
    page.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' });")
    page.goto(hub.url + "/bells")
    page.wait_for_selector(f"text={blocked}")
    phone = open_page(locale=locale, user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) "
                      "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1")
    hub.sign_in_browser(phone.context, "member", "Ada")
    phone.goto(hub.url + "/bells")
    phone.wait_for_selector(f"text={iphone}")



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
    card.locator("input").uncheck()
    card.locator("button:has-text('Ring me here')").click()
    card.locator("text=Choose at least one.").wait_for()
    card.locator("input").check()
    card.locator("button:has-text('Ring me here')").click()
    card.locator("text=It rings here").wait_for()
    method, body = sent[-1]
    assert method == "PUT" and body["topics"] == ["space"] and "secret" not in body
    page.reload()
    card.locator("text=It rings here").wait_for()
    card.locator("button:has-text('Not any more')").click()
    card.locator("button:has-text('Ring me here')").wait_for()
    assert sent[-1] == ("DELETE", {"secret": "s"})


def test_who_is_signed_in_has_the_bells_instead(hub_with_space, open_page):
    page = open_page()
    hub_with_space.sign_in_browser(page.context, "member", "Ada")
    page.goto(hub_with_space.url)
    page.wait_for_selector(".nav")
    wait_until(page, "customElements.get('bells-stranger') && document.querySelector('bells-stranger').hidden")
    assert page.locator("bells-stranger h2").count() == 0
