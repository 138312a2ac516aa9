"""Web Push in Firefox, without the internet: a page subscribes at the tests' push service, is closed, and is rung by
what the hub's own code encrypts; a pressed button comes back. Chromium's end of it, from the service worker on, is in
Browser/test_bells_push.py."""

import json
import subprocess
import threading

import pytest

from desktop import Desktop
from firefox import Firefox
from local_server import LocalServer, QuietHandler
from hub import BINARY
from push_service import DECRYPTED, NOT_DECRYPTED, PushService

TRIAL = BINARY.with_name("webpushtrial")

WORKER = """
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('push', (event) => {
    const { id, content } = event.data.json();
    event.waitUntil(registration.showNotification(content.title, {
      body: content.body, tag: id, data: { id },
      actions: content.actions.map(({ id, title }) => ({ action: id, title })),
    }));
  });
  addEventListener('pushsubscriptionchange', (event) => event.waitUntil(
    fetch('/pressed', { method: 'POST', body: JSON.stringify({ action: event.type }) })));
  addEventListener('notificationclick', (event) => {
    const body = JSON.stringify({ action: event.action, id: event.notification.data.id });
    event.waitUntil(fetch('/pressed', { method: 'POST', body }));
  });
"""
PAGE = "<!doctype html><title>Push</title><h1>Push</h1>"
SUBSCRIBE = """
  await navigator.serviceWorker.register('/worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: '%s' };
  return (await pushManager.subscribe(options)).toJSON();
"""
LOETEN = {
    "v": 1, "id": "12", "version": 1, "content": {
        "title": "Löten läuft", "body": "Bis zehn 👩‍🔧", "actions": [
            {"id": "come", "title": "I am coming"}, {"id": "no", "title": "Not today"}]}}


class Site(LocalServer):
    """The test's own page, its service worker, and what that says of pressed buttons."""

    def __init__(self):
        self.pressed = []
        self.news = threading.Condition()
        site = self

        class Handler(QuietHandler):
            def do_GET(self):
                is_worker = self.path == "/worker.js"
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if is_worker else "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write((WORKER if is_worker else PAGE).encode())

            def do_POST(self):
                said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with site.news:
                    site.pressed.append(said)
                    site.news.notify_all()
                self.send_response(204)
                self.end_headers()

        super().__init__(Handler)

    def wait_pressed(self):
        """The next button that the worker tells of."""
        with self.news:
            assert self.news.wait_for(lambda: self.pressed, 20), "nothing was pressed"
            return self.pressed.pop(0)


@pytest.fixture
def desktop():
    with Desktop() as one:
        yield one


@pytest.fixture
def site():
    with Site() as one:
        yield one


@pytest.fixture
def service():
    with PushService() as one:
        yield one


@pytest.fixture
def firefox(service, desktop, tmp_path):
    with Firefox(tmp_path / "profile", preferences=service.preferences, environment=desktop.environment) as browser:
        yield browser


def trial(*words, said=None):
    done = subprocess.run(
        [TRIAL, *words], input=said and json.dumps(said) + "\n", capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


@pytest.mark.timeout(180)
def test_a_closed_page_is_rung_in_firefox_and_a_pressed_button_comes_back(service, desktop, site, firefox):
    key = trial("key")
    firefox.open(site.url)
    subscription = firefox.run(SUBSCRIBE % key["public"])
    assert subscription["endpoint"].startswith(service.origin), subscription
    firefox.open("about:blank")
    line = {"key": key["key"], "subscription": subscription, "listed": ["127.0.0.1"], "urgency": "high"}
    assert trial("send", said=line | {"payload": json.dumps(LOETEN)}) == {"outcome": "sent"}
    shown = desktop.wait(lambda one: one.title == "Löten läuft")
    assert "Bis zehn 👩‍🔧" in shown.body
    assert {"I am coming", "Not today"} <= set(shown.actions.values())
    service.wait(lambda: service.messages[-1].codes == [DECRYPTED])
    desktop.press(shown, "I am coming")
    assert site.wait_pressed() == {"action": "come", "id": "12"}

    # A message sent while the browser is away waits for it; a newer one of its topic takes its place.
    with service.without_browsers():
        for title in ("Fräsen", "Drehen"):
            payload = LOETEN | {"id": "13", "content": LOETEN["content"] | {"title": title}}
            assert trial("send", said=line | {"payload": json.dumps(payload), "topic": "t"}) == {"outcome": "sent"}
    desktop.wait(lambda one: one.title == "Drehen")
    assert "Fräsen" not in [one.title for one in desktop.shown]

    # A sender with another key than the subscription's is refused.
    assert trial("send", said=line | {"key": trial("key")["key"], "payload": "{}"})["status"] == 403
    # A message that was not encrypted for this browser reaches nobody.
    other = subscription | {"keys": subscription["keys"] | {"auth": "A" * 22}}
    assert trial("send", said=line | {"subscription": other, "payload": json.dumps(LOETEN)}) == {"outcome": "sent"}
    service.wait(lambda: service.messages[-1].codes and service.messages[-1].codes[0] != DECRYPTED)
    assert service.messages[-1].codes == [NOT_DECRYPTED]
    assert len(desktop.shown) == 2

    # A push service that has lost everything: the worker hears of it, also without a page.
    service.forget()
    assert site.wait_pressed() == {"action": "pushsubscriptionchange"}
    assert trial("send", said=line | {"payload": json.dumps(LOETEN)}) == {"outcome": "gone"}
    firefox.open(site.url)
    newer = firefox.run(SUBSCRIBE % key["public"])
    assert newer["endpoint"] != subscription["endpoint"]
    line |= {"subscription": newer}
    assert trial("send", said=line | {"payload": json.dumps(LOETEN | {"id": "14"})}) == {"outcome": "sent"}
    assert firefox.run("""
      const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
      return subscription.unsubscribe();""")
    service.wait(lambda: not service.endpoints)
    assert trial("send", said=line | {"payload": json.dumps(LOETEN)}) == {"outcome": "gone"}
