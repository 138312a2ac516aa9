"""Apps' own views of notifications in a real browser: what they show, and that nothing leaves their frames."""

import contextlib
import socket
import threading

import pytest

from bells_page import Person
from hub import ROOT, command
from page import pages, wait_until
from png import png

VIEWS = "/api/v1/bells/views"
LIKE = {"category": "like", "actions": [{"id": "like", "title": "Like", "options": []}]}
STAR = ROOT / "Docs/examples/star.html"
FRAME = ".bell iframe"


@pytest.fixture
def ada(hub, open_page):
    return Person(hub, open_page)


def add(hub, html, name="test", categories=("like",)):
    status, answer = hub.put(f"{VIEWS}/{name}", hub.owner_token, {"categories": list(categories), "html": html})
    assert status == 200, answer


def document(script):
    """A view that keeps its end of the channel in `port`, and runs a script for each message."""
    return ("<body><script>let port; addEventListener('message', (event) => { [port] = event.ports;"
            f"port.onmessage = ({{ data }}) => {{ {script} }}; }}, {{ once: true }});</script>")


def in_frame(page):
    return page.frame_locator(FRAME)


def test_the_star_appears_after_like(hub, ada):
    made = command("view", "add", "--data", hub.data, "--name", "star", "--category", "like", "--file", STAR)
    assert made.returncode == 0, made.stderr
    fields = {"Authorization": f"Bearer {hub.owner_token}"}
    kept = hub.request("POST", "/api/v1/bells/attachments", fields, png(40, 30)).json
    one = ada.ring("A new picture", body="The lighthouse", attachments=[{"id": "p", "blob": kept["blob"]}], **LIKE)
    page = ada.open()
    page.wait_for_selector(".own-view[data-state=shown]")
    frame = in_frame(page)
    frame.locator("#words:has-text('The lighthouse')").wait_for()
    frame.locator("img").wait_for()
    assert frame.locator("#star").is_hidden()
    height = page.locator(".own-view").bounding_box()["height"]
    assert 40 <= height <= 480 and height == frame.locator("body").evaluate("(body) => body.offsetHeight")
    # The texts are there for readers of the screen alone, and what the view was given is not shown twice.
    assert page.locator(".bell-body.visually-hidden").text_content() == "The lighthouse"
    assert page.locator(".bell .photo").count() == 0
    assert page.get_attribute(FRAME, "title") == "View of “A new picture”"
    frame.locator("body").evaluate("() => { window.isTheSame = true; }")
    page.click(".bell button:has-text('Like')")
    frame.locator("#star").wait_for()
    frame.locator("#words:has-text('You and others like it')").wait_for()
    assert frame.locator("body").evaluate("() => window.isTheSame"), "the frame stays while its state changes"
    assert ada.bells()["items"][0]["acted"]["action"] == "like"
    page.reload()
    in_frame(page).locator("#star").wait_for()
    assert ada.bells()["items"][0] | {"id": one, "view": "star"} == ada.bells()["items"][0]
    assert command("view", "delete", "star", "--data", hub.data).returncode == 0
    page.reload()
    page.wait_for_selector(".bell-body:not(.visually-hidden)")
    page.wait_for_selector("iframe", state="detached")
    page.troubles.clear()  # the list that this browser remembers may name the view once more


# The page hears of its answer by the hub's news before its request is answered.
LATE_ANSWER = """window.ask = window.fetch;
window.fetch = async (url, ...more) => {
  const answer = await window.ask(url, ...more);
  if (String(url).endsWith('/response')) await new Promise((resolve) => { setTimeout(resolve, 2000); });
  return answer;
}; null"""


def test_it_is_told_in_the_readers_language_in_the_dark_and_again_when_it_changes(hub, open_page):
    ada = Person(hub, open_page, locale="de-DE", color_scheme="dark")
    add(hub, document("(window.said ??= []).push(data); document.body.append(`${data.what} ${data.text}`); "
                      "port.postMessage({ what: 'size', height: 9e9 });"))
    one = ada.ring("Hello", body="x", localized={"de": {"title": "Hallo"}}, category="like",
                   actions=[{"id": "say", "title": "Say", "text_input": {}}])
    page = ada.open()
    page.wait_for_selector(".own-view[data-state=shown]")
    assert page.locator(".own-view").bounding_box()["height"] == 480

    def said():
        return in_frame(page).locator("body").evaluate("() => window.said")

    first = said()[0]
    assert (first["what"], first["language"], first["dark"]) == ("show", "de", True)
    assert first["width"] == page.locator(".own-view").bounding_box()["width"]
    told = first["notification"]
    assert (told["id"], told["content"]["title"], told["acted"]) == (one, "Hallo", None)
    ada.hub.patch(f"/api/v1/notifications/{one}", hub.owner_token, {"content": {"body": "y"}})
    in_frame(page).locator("text=changed").wait_for()
    page.emulate_media(color_scheme="light")
    page.evaluate(LATE_ANSWER)
    page.fill(".reply input", "At eight")
    page.click(".reply button")
    page.wait_for_selector(".bell-said")
    in_frame(page).locator("text=At eight").wait_for()
    changed = said()[1:]
    assert changed[0]["notification"]["content"]["body"] == "y" and changed[0]["action"] is None
    assert {one["dark"] for one in changed} == {True, False}
    assert (changed[-1]["action"], changed[-1]["text"], changed[-1]["notification"]["state"]) == (
        "say", "At eight", "acted")


@pytest.mark.parametrize("html", [
    "<script>onmessage = () => {}</script>", document("port.postMessage({ what: 'size', height: 'high' })"),
    document("setInterval(() => port.postMessage({ what: 'more' }), 0)"), document("location.reload()")],
    ids=["silent", "no height", "floods", "reloads"])
def test_a_view_that_does_not_answer_leaves_the_texts(hub, ada, html):
    add(hub, html)
    ada.ring("Hello", body="The texts", **LIKE)
    page = ada.open()
    page.wait_for_selector(FRAME, state="attached")
    page.wait_for_selector(FRAME, state="detached")
    assert page.locator(".bell-body:not(.visually-hidden)").is_visible()
    page.click(".bell button:has-text('Like')")
    page.wait_for_selector(".bell-said")
    assert page.locator(FRAME).count() == 0
    page.troubles.clear()  # the view's own errors are told, too


def test_a_view_that_runs_for_ever_does_not_stop_the_page(hub, whole_browser):
    with pages(whole_browser) as open_page:
        ada = Person(hub, open_page)
        add(hub, "<script>for (;;);</script>")
        ada.ring("Hello", body="The texts", **LIKE)
        page = ada.open()
        page.wait_for_selector(FRAME, state="attached")
        page.wait_for_selector(FRAME, state="detached")
        page.click(".bell button:has-text('Like')")
        page.wait_for_selector(".bell-said")


TRIES = """
const to = 'http://HERE/';
const tries = {
  fetch: () => fetch(to + 'fetch'), socket: () => new WebSocket(to.replace('http', 'ws')),
  image: () => { new Image().src = to + 'image'; }, beacon: () => navigator.sendBeacon(to + 'beacon', 'x'),
  events: () => new EventSource(to + 'events'), worker: () => new Worker(to + 'worker'), form() {
    const form = document.createElement('form'); form.method = 'post'; form.action = to + 'form';
    document.body.append(form); form.submit();
  },
  popup: () => window.open(to + 'popup'), top: () => { top.location = to + 'top'; },
  parent: () => parent.document.title, storage: () => localStorage.length, cookies: () => document.cookie,
  link(rel = 'prefetch') {
    const link = document.createElement('link'); link.rel = rel; link.href = to + rel; document.head.append(link);
  },
  connect: () => tries.link('preconnect'), style: () => tries.link('stylesheet'),
  script: () => { const one = document.createElement('script'); one.src = to + 'script'; document.body.append(one); },
  inner() { document.body.innerHTML = '<iframe srcdoc="x"></iframe>'; },
  within() { const one = document.createElement('iframe'); one.srcdoc = 'x'; document.body.append(one); },
  source() { const one = document.createElement('iframe'); one.src = to + 'source'; document.body.append(one); },
  blank() {
    const one = document.createElement('iframe'); document.body.append(one); new one.contentWindow.RTCPeerConnection();
  },
  rtc() { new RTCPeerConnection({ iceServers: [{ urls: 'stun:UDP' }] }).createOffer(); },
  hub: () => fetch('/api/v1/session'), own: () => { new Image().src = '/icon-192.png?own'; },
};
if (data.what === 'show') {
  const said = [];
  for (const [name, one] of Object.entries(tries)) {
    try { one(); said.push(name); } catch (error) { said.push(`${name}: ${error.name}`); }
  }
  document.body.append(said.join(', '));
  port.postMessage({ what: 'size', height: 100 });
} else if (data.what === 'changed' && data.action) AWAY
"""


class Listener:
    """Notes what comes by TCP or UDP."""

    def __init__(self):
        self.heard = []
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        for run in (self._accept, self._receive):
            threading.Thread(target=run, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.tcp.accept()
                self.heard.append("tcp")
                connection.close()

    def _receive(self):
        with contextlib.suppress(OSError):
            while True:
                self.heard.append(self.udp.recvfrom(2_000))

    def close(self):
        self.tcp.close()
        self.udp.close()


AWAYS = {"by itself": "location.href = to + 'self';", "to our page": "location.href = '/bells';", "refresh": """{
  const one = document.createElement('meta'); one.httpEquiv = 'refresh'; one.content = '0;url=' + to;
  document.head.append(one); }""", "data": "location.href = 'data:text/html,x'"}


@pytest.mark.parametrize("away", AWAYS)
def test_nothing_leaves_the_frame(hub, ada, away):
    listener = Listener()
    page = ada.page
    asked = []
    page.context.on("response", lambda response: asked.append(response.url))
    script = TRIES.replace("HERE", f"127.0.0.1:{listener.tcp.getsockname()[1]}")
    script = script.replace("UDP", f"127.0.0.1:{listener.udp.getsockname()[1]}").replace("AWAY", AWAYS[away])
    add(hub, document(script.replace("<iframe", "<\\x69frame")))
    ada.ring("Hello", body="x", **LIKE)
    ada.open()
    page.wait_for_selector(".own-view[data-state=shown]")
    said = in_frame(page).locator("body").inner_text().split(", ")
    refused = {one.split(":")[0] for one in said if ":" in one}
    assert len(said) == 23 and refused >= {
        "top", "parent", "storage", "cookies", "inner", "within", "blank", "rtc"}, said
    page.click(".bell button:has-text('Like')")
    page.wait_for_selector(".bell-said")
    page.wait_for_timeout(1_000)  # for what is on its way
    assert len(page.context.pages) == 1 and page.url == f"{hub.url}/bells"
    answered = [url for url in asked if "?own" in url or not url.startswith((hub.url, "data:", "blob:"))]
    listener.close()
    assert (listener.heard, answered) == ([], [])
    page.troubles.clear()  # the policy's refusals are told


def test_no_key_and_no_press_goes_in(hub, ada):
    add(hub, "<input id=a autofocus><button id=b>b</button>" + document(
        "document.getElementById('a').focus(); port.postMessage({ what: 'size', height: 100 }); "
        "onclick = onkeydown = onfocus = () => document.body.append('TOUCHED');"))
    ada.ring("Hello", body="x", **LIKE)
    page = ada.open()
    page.wait_for_selector(".own-view[data-state=shown]")
    box = page.locator(".own-view").bounding_box()
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    page.keyboard.type("abc")
    page.focus(".bell button:has-text('Like')")
    for key in ("Shift+Tab", "Tab", "Tab"):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.tagName") != "IFRAME", key
    assert in_frame(page).locator("#a").input_value() == ""
    assert "TOUCHED" not in in_frame(page).locator("body").inner_text()


def test_only_those_in_sight_are_open(hub, ada):
    add(hub, document("document.body.append(data.notification.content.title); "
                      "port.postMessage({ what: 'size', height: 300 })"))
    for number in range(20):
        ada.ring(f"Number {number}", body="x", **LIKE)
    page = ada.open()
    page.wait_for_selector(".own-view[data-state=shown]")
    most = 0
    for place in page.locator(".bell").all():
        place.scroll_into_view_if_needed()
        page.wait_for_timeout(50)
        most = max(most, page.locator(FRAME).count())
    assert 2 <= most <= 6
    last = page.locator(".bell").last
    last.frame_locator("iframe").locator("text=Number 0").wait_for()
    # A view that was closed keeps its height, so that nothing jumps; it begins anew when it comes into sight.
    first = page.locator(".bell").first
    assert first.locator("iframe").count() == 0 and first.locator(".own-view").bounding_box()["height"] == 300
    first.scroll_into_view_if_needed()
    first.frame_locator("iframe").locator("text=Number 19").wait_for()
    wait_until(page, "document.querySelectorAll('.bell iframe').length <= 6")
