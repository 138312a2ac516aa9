"""Tests with other people's programs: http-ece decrypts the hub's messages, py-vapid verifies its tokens, pywebpush
sends the same; and with push services that lead astray."""

import base64
import contextlib
import json
import os
import subprocess
import threading
import time

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPusher

from base64url import decoded, encoded
from hub import BINARY
from local_server import LocalServer, QuietHandler
from push_service import PushService

TRIAL = BINARY.with_name("webpushtrial")
LISTED = ["127.0.0.1"]


class Browser:
    """A subscription and its private half."""

    def __init__(self, endpoint):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {"endpoint": endpoint, "keys": {"p256dh": encoded(public), "auth": encoded(self.secret)}}

    def decrypt(self, body):
        return http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")


@pytest.fixture(scope="module")
def key():
    told = subprocess.run([TRIAL, "key"], capture_output=True, timeout=30, check=True).stdout
    return json.loads(told)


def send(key, subscription, payload="hello", listed=LISTED, **more):
    """Sends a message, and returns the outcome."""
    line = {"key": key["key"], "subscription": subscription, "payload": payload, "listed": listed} | more
    done = subprocess.run(
        [TRIAL, "send"], input=json.dumps(line) + "\n", capture_output=True, text=True, timeout=50, check=True)
    return json.loads(done.stdout)


@pytest.fixture
def service():
    with PushService() as one:
        yield one


def subscribe(service, key, name="one"):
    """A browser that is not there, with an endpoint."""
    from push_service import Endpoint

    service.endpoints[name] = Endpoint("nobody", "channel", decoded(key["public"]) if key else None)
    return Browser(f"{service.origin}/wpush/{name}")


@pytest.mark.parametrize("text", ["", "hello", "Löten läuft 👩‍👩‍👧", "x" * 3993])
def test_http_ece_reads_what_is_sent(service, key, text):
    browser = subscribe(service, key)
    assert send(key, browser.subscription, text, topic="a" * 32, urgency="high") == {"outcome": "sent"}
    message = service.messages[0]
    assert browser.decrypt(message.body).decode() == text
    assert len(message.body) == len(text.encode()) + 103
    assert message.headers["ttl"] == "60" and message.headers["urgency"] == "high"
    assert message.headers["topic"] == "a" * 32 and message.headers["content-encoding"] == "aes128gcm"
    with pytest.raises(http_ece.ECEException):
        Browser("").decrypt(message.body)


def test_py_vapid_verifies_the_token(service, key):
    browser = subscribe(service, key)
    send(key, browser.subscription, contact="mailto:watch@hub.example")
    token, public = service.messages[0].headers["authorization"].removeprefix("vapid ").split(",")
    assert public == f"k={key['public']}"
    assert Vapid02.verify(service.messages[0].headers["authorization"])
    claims = json.loads(decoded(token.split(".")[1]))
    assert claims["aud"] == service.origin and claims["sub"] == "mailto:watch@hub.example"
    assert 11.9 * 3600 < claims["exp"] - time.time() <= 12 * 3600


def test_a_push_service_takes_ours_as_it_takes_pywebpush_s(service, key):
    """The same fields, the same length; and each with its own key only."""
    browser = subscribe(service, key)
    vapid = Vapid02.from_raw(base64.urlsafe_b64encode(decoded(key["key"])).rstrip(b"="))
    fields = vapid.sign({"aud": service.origin, "exp": int(time.time()) + 3600, "sub": "mailto:a@b.example"})
    peer = WebPusher(browser.subscription).send("hello", headers=fields, ttl=60)
    assert peer.status_code == 201
    assert send(key, browser.subscription) == {"outcome": "sent"}
    peers, ours = (message.headers for message in service.messages)
    assert {"ttl", "content-encoding", "authorization"} <= peers.keys() & ours.keys()
    assert [browser.decrypt(message.body) for message in service.messages] == [b"hello"] * 2
    other = json.loads(subprocess.run([TRIAL, "key"], capture_output=True, timeout=30, check=True).stdout)
    refused = send(other, browser.subscription)
    assert (refused["outcome"], refused["status"]) == ("busy", 403), "it is tried again with a token signed anew"


def test_a_subscription_that_ended_is_gone(service, key):
    browser = subscribe(service, key)
    del service.endpoints["one"]
    assert send(key, browser.subscription) == {"outcome": "gone"}


def test_a_busy_push_service_is_asked_again_when_it_says(service, key):
    browser = subscribe(service, key)
    service.answer = (429, {"Retry-After": "120"})
    assert send(key, browser.subscription) == {"outcome": "busy", "status": 429, "seconds": 120}
    service.answer = (503, {})
    assert send(key, browser.subscription) == {"outcome": "busy", "status": 503, "seconds": None}
    service.answer = (413, {})
    assert send(key, browser.subscription) == {"outcome": "failed", "reason": "tooLarge"}


def test_a_message_that_waits_is_replaced_by_one_of_its_topic(service, key):
    browser = subscribe(service, key)
    for text, topic in (("a", "sign"), ("b", "other"), ("c", "sign")):
        send(key, browser.subscription, text, topic=topic)
    assert [browser.decrypt(one.body) for one in service.endpoints["one"].waiting] == [b"b", b"c"]


@pytest.mark.parametrize("endpoint", [
    "https://127.0.0.1/x", "https://[::1]/x", "https://192.168.1.1/x", "https://169.254.169.254/latest",
    "https://[::ffff:10.0.0.1]/x",
])
def test_an_address_inside_is_refused_at_once(key, endpoint):
    assert send(key, Browser(endpoint).subscription, listed=[])["code"] == "targetRefused"


def test_a_name_that_leads_inside_is_not_connected_to_and_may_lead_elsewhere_later(key):
    assert send(key, Browser("https://localhost/x").subscription, listed=[]) == {"outcome": "led inside"}


@pytest.mark.parametrize("endpoint", ["https://127.1/x", "https://2130706433/x", "https://0/x"])
def test_a_spelling_that_leads_inside_is_refused_when_it_is_connected_to(key, endpoint):
    assert send(key, Browser(endpoint).subscription, listed=[]) == {"outcome": "failed", "reason": "targetRefused"}


@contextlib.contextmanager
def hostile(answer):
    """A server that answers posts as it likes; gives its endpoint and the paths it was asked for."""
    asked = []

    class Handler(QuietHandler):
        def do_POST(self):
            asked.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            with contextlib.suppress(OSError):
                answer(self)

        do_GET = do_POST

    with LocalServer(Handler) as server:
        yield f"{server.url}/x", asked


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(key, status):
    def answer(handler):
        handler.send_response(status)
        handler.send_header("Location", "/elsewhere")
        handler.end_headers()

    with hostile(answer) as (endpoint, asked):
        told = send(key, Browser(endpoint).subscription)
    assert told == {"outcome": "failed", "reason": "refused", "status": status} and asked == ["/x"]


@pytest.mark.parametrize("has_head", [True, False])
def test_a_slow_drip_takes_no_longer_than_its_time(key, has_head):
    """A whole head says what became of the message, whatever becomes of its body."""
    left = threading.Event()

    def answer(handler):
        handler.wfile.write(b"HTTP/1.1 201 Created\r\nContent-Length: 1000000\r\n" + (b"\r\n" if has_head else b"X: "))
        while not left.wait(0.05):
            handler.wfile.write(b"x")

    with hostile(answer) as (endpoint, _):
        start = time.monotonic()
        told = send(key, Browser(endpoint).subscription, timeout=1.5)
        assert told["outcome"] == "sent" if has_head else told["reason"] == "answer-late"
        assert 1 < time.monotonic() - start < 10
        left.set()


def test_a_body_without_end_is_cut_off(key):
    def answer(handler):
        handler.send_response(201)
        handler.end_headers()
        while True:
            handler.wfile.write(b"x" * 65536)

    with hostile(answer) as (endpoint, _):
        assert send(key, Browser(endpoint).subscription) == {"outcome": "sent"}, "its status alone counts"
