"""Browsers that are rung while no page is open: subscriptions, what reaches the push service, and receipts."""

import base64
import http.server
import json
import os
import threading

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hub import eventually

WEBPUSH = "/api/v1/bells/webpush"
SEND = "/api/v1/notifications"
RECEIPTS = "/api/v1/bells/receipts"


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser:
    """A browser's side of a subscription, with a push service of its own that answers with `status`."""

    def __init__(self):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.status, self.pushes = 201, []
        browser = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                browser.pushes.append((dict(self.headers), body))
                self.send_response(browser.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def subscription(self):
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": f"http://127.0.0.1:{self.server.server_port}/push/{id(self)}", "expirationTime": None,
                "keys": {"p256dh": text(point), "auth": text(self.auth)}}

    def next(self):
        """The next push: its header fields, and what it says."""
        eventually(lambda: self.pushes, what="a push came")
        fields, body = self.pushes.pop(0)
        return fields, json.loads(http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


@pytest.fixture
def browser():
    browser = Browser()
    yield browser
    browser.server.shutdown()
    browser.server.server_close()


@pytest.fixture
def ada(hub):
    return hub.sign_in("member", "Ada")


def person(hub, fields):
    return hub.get("/api/v1/session", token=fields)[1]["person"]["id"]


def send(hub, to, **content):
    status, answer = hub.post(SEND, hub.owner_token, {"to": to, "content": {"title": "Open"} | content})
    assert status == 202, answer
    return answer["id"]


def events(hub, one):
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    return [event["what"] for event in trace["devices"][0]["events"]]


def test_a_browser_that_is_signed_in_is_rung_and_answers(hub, ada, browser):
    assert len(hub.get(WEBPUSH)[1]["key"]) == 87
    status, answer = hub.put(WEBPUSH, ada, {"subscription": browser.subscription, "zone": "Europe/Berlin"})
    assert status == 200 and "secret" not in answer
    devices = hub.get("/api/v1/bells/devices", token=ada)[1]
    assert [(one["id"], one["kind"], one["channels"], one["this"]) for one in devices] == [
        (answer["device"], "browser", ["webpush"], True)]
    one = send(hub, {"person": person(hub, ada)}, body="Ada", actions=[{"id": "me", "title": "I"}])
    fields, push = browser.next()
    assert fields["Content-Encoding"] == "aes128gcm" and fields["Authorization"].startswith("vapid t=")
    assert (push["id"], push["version"], push["content"]["title"]) == (one, 1, "Open")
    receipt = {"id": one, "version": 1, "receipt": push["receipt"]}
    assert hub.post(RECEIPTS, json=receipt | {"what": "shown"})[0] == 200
    eventually(lambda: events(hub, one) == ["queued", "sent", "shown"], what="the receipt is in the trace")
    status, taken = hub.post(RECEIPTS, json=receipt | {"what": "acted", "action": "me"})
    assert (status, taken) == (200, {"id": one, "action": "me"})
    assert hub.get("/api/v1/bells", token=ada)[1]["items"][0]["acted"]["by"] == "Ada"
    forged = receipt | {"receipt": "A" * 22, "what": "shown"}
    assert hub.post(RECEIPTS, json=forged)[0] == 404
    assert hub.post(RECEIPTS, json=receipt | {"what": "eaten"})[0] == 400
    other = send(hub, {"person": person(hub, ada)})
    assert hub.post(RECEIPTS, json=receipt | {"id": other, "what": "shown"})[0] == 404, "of another notification"


def test_it_is_rung_no_more_when_it_says_so_or_signs_out(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    assert hub.delete(WEBPUSH, ada)[0] == 204
    send(hub, {"person": person(hub, ada)})
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    one = send(hub, {"person": person(hub, ada)})
    assert browser.next()[1]["id"] == one, "nothing came while it was off"
    me = person(hub, ada)
    assert hub.delete("/api/v1/session", ada)[0] == 200
    assert hub.get("/api/v1/bells/devices?all=1", token=hub.owner_token)[1] == []
    send(hub, {"person": me})
    assert not browser.pushes


def test_a_service_that_says_gone_ends_the_subscription(hub, ada, browser):
    hub.put(WEBPUSH, ada, {"subscription": browser.subscription})
    browser.status = 410
    one = send(hub, {"person": person(hub, ada)})
    eventually(lambda: events(hub, one)[-1] == "gone")
    assert all(device["channels"] == [] for device in hub.get("/api/v1/bells/devices", token=ada)[1])


def test_a_stranger_subscribes_to_public_topics_alone(hub, browser):
    body = {"subscription": browser.subscription, "topics": ["space"]}
    status, made = hub.put(WEBPUSH, json=body)
    assert status == 200 and made["secret"]
    one = send(hub, {"topic": "space"})
    assert browser.next()[1]["id"] == one
    status, again = hub.put(WEBPUSH, json=body | {"secret": made["secret"], "topics": []})
    assert (status, again) == (200, made), "the same device"
    send(hub, {"topic": "space"})
    hub.put(WEBPUSH, json=body | {"secret": made["secret"]})
    two = send(hub, {"topic": "space"})
    assert browser.next()[1]["id"] == two
    assert hub.put(WEBPUSH, json=body | {"topics": ["nix"]})[0] == 404
    assert hub.delete(WEBPUSH)[0] == 204, "of nobody is nothing to end"
    answer = hub.request("DELETE", WEBPUSH, {"Content-Type": "application/json"}, json.dumps(made))
    assert answer.status == 204
    assert hub.get("/api/v1/bells/devices?all=1", token=hub.owner_token)[1] == []


def test_strangers_are_bounded(hub, browser):
    for number in range(21):
        body = {"subscription": browser.subscription | {"endpoint": f"http://127.0.0.1:1/{number}"}}
        status, answer = hub.put(WEBPUSH, json=body | {"topics": ["space"]})
        assert (status, answer.get("code")) == ((200, None) if number < 20 else (409, 40910)), number


def test_what_is_no_subscription_is_refused(hub, make_hub, browser):
    good = browser.subscription
    for wrong in (None, {}, good | {"endpoint": "ftp://a/b"}, good | {"endpoint": "https://a/" + "x" * 2050},
                  good | {"keys": {"p256dh": "x", "auth": good["keys"]["auth"]}}, good | {"keys": {}},
                  good | {"endpoint": "http://10.0.0.1/x"}, good | {"endpoint": "https://192.168.0.1/x"}):
        status, answer = hub.put(WEBPUSH, json={"subscription": wrong, "topics": ["space"]})
        assert (status, answer["code"]) == (400, 40003) and "subscription" in answer["fields"], wrong
    closed = make_hub("closed", env={"EIGHTBELLS_REACHABLE_NETWORKS": ""})
    assert closed.put(WEBPUSH, json={"subscription": good})[0] == 400, "the endpoint points inwards"


def test_the_key_outlives_a_restart(hub):
    key = hub.get(WEBPUSH)[1]["key"]
    hub.kill()
    hub.start()
    assert hub.get(WEBPUSH)[1]["key"] == key
