"""Tests with other people's programs: http-ece decrypts the hub's messages, py-vapid verifies its tokens, pywebpush
sends the same."""

import base64
import json
import os
import subprocess
import time

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPusher

from base64url import decoded, encoded
from hub import BINARY
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


def test_a_message_that_waits_is_replaced_by_one_of_its_topic(service, key):
    browser = subscribe(service, key)
    for text, topic in (("a", "sign"), ("b", "other"), ("c", "sign")):
        send(key, browser.subscription, text, topic=topic)
    assert [browser.decrypt(one.body) for one in service.endpoints["one"].waiting] == [b"b", b"c"]
