"""Passkeys over HTTP, with an authenticator that can make every mistake."""

import base64
import json
import os
import random
import time

import pytest

from authenticator import BACKED_UP, CREDENTIAL, ELIGIBLE, PRESENT, VERIFIED, Authenticator
from base64url import encoded
from hub import SESSION

PASSKEYS = "/api/v1/passkeys"
OPTIONS = "/api/v1/passkeys/options"
SIGN_IN = "/api/v1/passkeys/session"
SIGN_IN_OPTIONS = "/api/v1/passkeys/session/options"


class Browser:
    """A browser at a hub's name, with the requests it would send."""

    def __init__(self, hub, fields=None):
        self.hub = hub
        self.origin = f"http://localhost:{hub.port}"
        self.fields = {"Host": f"localhost:{hub.port}", "Origin": self.origin}
        if fields:
            self.fields["Cookie"] = fields["Cookie"]

    def get(self, path):
        return self.hub.get(path, self.fields)

    def post(self, path, json):
        return self.hub.post(path, self.fields, json)

    def patch(self, path, json):
        return self.hub.patch(path, self.fields, json)

    def delete(self, path):
        return self.hub.delete(path, self.fields)

    def options(self):
        status, answer = self.post(OPTIONS, {})
        assert status == 200, answer
        return answer

    def sign_in_options(self):
        status, answer = self.post(SIGN_IN_OPTIONS, {})
        assert status == 200, answer
        return answer

    def register(self, authenticator=None, **how):
        authenticator = authenticator or Authenticator(self.origin)
        status, answer = self.post(PASSKEYS, authenticator.register(self.options(), **how))
        assert status == 201, answer
        return authenticator

    def signed_out(self):
        return Browser(self.hub)


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def ada(hub):
    """A member's browser."""
    yield Browser(hub, hub.sign_in("member", "Ada"))
    hub.remove("Ada")


def enter(browser, passkey, **how):
    return browser.post(SIGN_IN, passkey.sign_in(browser.sign_in_options(), **how))


def test_a_lost_answer_makes_no_second_passkey_and_no_second_device(hub, ada):
    key = {"Idempotency-Key": "c0ffee00c0ffee00c0ffee00"}
    passkey = Authenticator(ada.origin)
    made = passkey.register(ada.options())
    first, again = (hub.post(PASSKEYS, ada.fields | key, made) for _ in range(2))
    assert first[0] == 201 and again == first
    stranger = ada.signed_out()
    content = json.dumps(passkey.sign_in(stranger.sign_in_options()))
    entered = [hub.request("POST", SIGN_IN, stranger.fields | key, content) for _ in range(2)]
    assert [answer.status for answer in entered] == [200, 200], entered[1].body
    assert entered[0].headers["Set-Cookie"] == entered[1].headers["Set-Cookie"]
    assert len(ada.get("/api/v1/devices")[1]) == 2
    assert hub.request("POST", SIGN_IN, stranger.fields, content).status != 200


@pytest.mark.parametrize("algorithm", ["ES256", "EdDSA", "RS256"])
def test_who_has_a_passkey_gets_in_without_anybodys_help(hub, ada, algorithm):
    passkey = ada.register(Authenticator(ada.origin, algorithm))
    stranger = ada.signed_out()
    content = passkey.sign_in(stranger.sign_in_options())
    status, answer = stranger.post(SIGN_IN, content)
    assert status == 200 and answer["person"]["name"] == "Ada" and answer["person"]["role"] == "member"
    answer = hub.request("POST", SIGN_IN, stranger.fields, json.dumps(
        passkey.sign_in(stranger.sign_in_options())))
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    status, answer = hub.get(SESSION, {"Cookie": cookie.partition(";")[0]})
    assert answer["person"]["name"] == "Ada"
    status, listed = ada.get(PASSKEYS)
    assert status == 200 and len(listed) == 1 and listed[0]["last_used"] and listed[0]["address"] == "localhost"


def test_signing_in_replaces_the_session_that_was_there(hub, ada):
    passkey = ada.register()
    assert enter(ada, passkey)[0] == 200
    assert ada.get(SESSION)[1]["person"] is None, "the old cookie is worth nothing any more"


def test_the_options_ask_for_what_browsers_can_find_by_themselves(ada):
    ada.register()
    options = ada.options()
    assert options["rp"]["id"] == "localhost"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "preferred"
    assert options["attestation"] == "none" and options["timeout"] == 300_000
    assert [it["alg"] for it in options["pubKeyCredParams"]] == [-8, -7, -257]
    assert len(options["excludeCredentials"]) == 1
    again = ada.options()
    assert again["user"]["id"] == options["user"]["id"], "a person is the same to all authenticators"
    assert again["challenge"] != options["challenge"]
    signing = ada.sign_in_options()
    assert signing["rpId"] == "localhost" and signing["allowCredentials"] == []


REGISTRATIONS_GONE_WRONG = {
    "another ceremony": {"client": {"type": "webauthn.get"}},
    "another origin": {"client": {"origin": "http://localhost.evil.example"}},
    "another port": {"client": {"origin": "http://localhost:1"}},
    "in somebody's frame": {"client": {"crossOrigin": True}},
    "under somebody's page": {"client": {"topOrigin": "https://evil.example"}},
    "another challenge": {"client": {"challenge": encoded(bytes(56))}},
    "a short challenge": {"client": {"challenge": "AAAA"}},
    "no challenge": {"client": {"challenge": None}},
    "another party": {"party": "evil.example"},
    "nobody there": {"flags": VERIFIED | CREDENTIAL},
    "no key": {"flags": PRESENT | VERIFIED},
    "a copy of what has none": {"flags": PRESENT | CREDENTIAL | BACKED_UP},
    "an algorithm nobody asked for": {"cose": {1: 2, 3: -35, -1: 2, -2: bytes(48), -3: bytes(48)}},
    "a point off the curve": {"cose": {1: 2, 3: -7, -1: 1, -2: bytes(31) + b"\1", -3: bytes(31) + b"\1"}},
    "a key too short": {"cose": {1: 2, 3: -7, -1: 1, -2: bytes(16), -3: bytes(16)}},
    "another id": {"id": encoded(bytes(32))},
}


@pytest.mark.parametrize("how", REGISTRATIONS_GONE_WRONG.values(), ids=REGISTRATIONS_GONE_WRONG.keys())
def test_a_registration_that_is_not_right_makes_no_passkey(ada, how):
    status, answer = ada.post(PASSKEYS, Authenticator(ada.origin).register(ada.options(), **how))
    assert status == 400 and answer["code"] == 40035, answer
    assert ada.get(PASSKEYS)[1] == []
    ada.register()  # the same without the mistake


SIGN_INS_GONE_WRONG = {
    "another ceremony": ({"client": {"type": "webauthn.create"}}, 40035),
    "another origin": ({"client": {"origin": "https://evil.example"}}, 40035),
    "in somebody's frame": ({"client": {"crossOrigin": True}}, 40035),
    "another party": ({"party": "evil.example"}, 40035),
    "nobody there": ({"flags": VERIFIED}, 40035),
    "another's signature": ({"sign": Authenticator("http://localhost").sign}, 40136),
    "another kind of signature": ({"sign": Authenticator("http://localhost", "RS256").sign}, 40136),
    "no signature": ({"sign": lambda data: b"\x30\x00"}, 40136),
    "copied since": ({"flags": PRESENT | ELIGIBLE | BACKED_UP}, 40035),
    "another person": ({"userHandle": encoded(bytes(32))}, 40135),
    "no person": ({"userHandle": None}, 40135),
}


@pytest.mark.parametrize("how, code", SIGN_INS_GONE_WRONG.values(), ids=SIGN_INS_GONE_WRONG.keys())
def test_a_sign_in_that_is_not_right_lets_nobody_in(ada, how, code):
    passkey = ada.register()
    stranger = ada.signed_out()
    status, answer = enter(stranger, passkey, **how)
    assert answer["code"] == code and status == code // 100, answer
    assert enter(stranger, passkey)[0] == 200


def test_what_was_signed_cannot_be_changed(ada):
    passkey = ada.register()
    stranger = ada.signed_out()
    content = passkey.sign_in(stranger.sign_in_options(), flags=PRESENT)
    data = bytearray(base64.urlsafe_b64decode(content["response"]["authenticatorData"] + "=="))
    data[32] |= VERIFIED
    content["response"]["authenticatorData"] = encoded(bytes(data))
    status, answer = stranger.post(SIGN_IN, content)
    assert status == 401 and answer["code"] == 40136


def test_a_challenge_is_good_once_and_for_its_ceremony(ada):
    passkey = ada.register()
    stranger = ada.signed_out()
    content = passkey.sign_in(stranger.sign_in_options())
    assert stranger.post(SIGN_IN, content)[0] == 200
    status, answer = stranger.post(SIGN_IN, content)
    assert status == 401 and answer["code"] == 40136, "the counter tells a repetition"
    # A challenge for registering signs nobody in, and the reverse; neither does another person's.
    assert stranger.post(SIGN_IN, passkey.sign_in(ada.options()))[1]["code"] == 40035
    other = Authenticator(ada.origin)
    wrong = ada.options() | {"challenge": ada.sign_in_options()["challenge"]}
    assert ada.post(PASSKEYS, other.register(wrong))[1]["code"] == 40035
    bob = Browser(ada.hub, ada.hub.sign_in("member", "Bob"))
    assert ada.post(PASSKEYS, other.register(bob.options()))[1]["code"] == 40035
    # Registered twice with one challenge.
    options = ada.options()
    assert ada.post(PASSKEYS, other.register(options))[0] == 201
    status, answer = ada.post(PASSKEYS, Authenticator(ada.origin).register(options))
    assert answer["code"] == 40035 and "used before" in answer["error"]


def test_one_that_does_not_count_is_held_to_its_challenge(ada):
    passkey = ada.register(Authenticator(ada.origin, counter=None))
    stranger = ada.signed_out()
    content = passkey.sign_in(stranger.sign_in_options())
    assert stranger.post(SIGN_IN, content)[0] == 200
    status, answer = stranger.post(SIGN_IN, content)
    assert status == 400 and "used before" in answer["error"]
    assert enter(stranger, passkey)[0] == 200


def test_a_counter_that_goes_back_is_a_copys(ada):
    passkey = ada.register(Authenticator(ada.origin, counter=10))
    stranger = ada.signed_out()
    assert enter(stranger, passkey)[0] == 200
    passkey.counter = 9
    status, answer = enter(stranger, passkey)
    assert status == 401 and "may be a copy" in answer["error"]


def test_a_passkey_is_one_persons(ada):
    passkey = ada.register()
    bob = Browser(ada.hub, ada.hub.sign_in("member", "Bob"))
    status, answer = bob.post(PASSKEYS, passkey.register(bob.options()))
    assert status == 409 and answer["code"] == 40935
    mine = ada.get(PASSKEYS)[1][0]["id"]
    for status, answer in (bob.patch(f"{PASSKEYS}/{mine}", {"name": "his"}), bob.delete(f"{PASSKEYS}/{mine}")):
        assert status == 404 and answer["code"] == 40435
    assert bob.get(PASSKEYS)[1] == []


def test_a_passkey_is_named_and_removed(ada):
    passkey = ada.register(name="Ada's phone")
    (mine,) = ada.get(PASSKEYS)[1]
    assert mine["name"] == "Ada's phone"
    status, answer = ada.patch(f"{PASSKEYS}/{mine['id']}", {"name": "Phone"})
    assert status == 200 and answer["name"] == "Phone"
    for name in ("", "x" * 101, "a\nb", 7):
        assert ada.patch(f"{PASSKEYS}/{mine['id']}", {"name": name})[0] == 400
    assert ada.delete(f"{PASSKEYS}/{mine['id']}")[0] == 204
    status, answer = enter(ada.signed_out(), passkey)
    assert status == 401 and answer["code"] == 40135


def test_a_passkey_made_on_a_lost_device_ends_with_it(hub, ada):
    lost = Browser(hub, hub.sign_in("member", "Ada", device="lost"))
    thief, mine = lost.register(name="thief's"), ada.register(name="mine")
    device = next(one for one in ada.get("/api/v1/devices")[1] if one["name"] == "lost")
    assert device["made"]["passkeys"] == ["thief's"]
    assert ada.delete(f"/api/v1/devices/{device['id']}")[0] == 204
    assert enter(ada.signed_out(), thief)[1]["code"] == 40135
    assert enter(ada.signed_out(), mine)[0] == 200


def test_a_passkey_whose_own_device_is_signed_out_does_not_end_with_another_that_it_signed_in(hub, ada):
    phone = Browser(hub, hub.sign_in("member", "Ada", device="phone"))
    passkey = phone.register(name="phone's")
    assert phone.delete(SESSION)[0] == 200
    assert enter(ada.signed_out(), passkey)[0] == 200
    (borrowed,) = [one for one in ada.get("/api/v1/devices")[1] if not one["current"]]
    assert borrowed["made"] == {"passkeys": [], "tokens": [], "links": [], "devices": [], "addresses": []}
    assert ada.delete(f"/api/v1/devices/{borrowed['id']}")[0] == 204
    assert enter(ada.signed_out(), passkey)[0] == 200


def test_a_device_that_comes_back_by_its_own_passkey_is_let_in_by_no_other(hub, ada):
    url = ada.post("/api/v1/links", {"for": "me"})[1]["url"]
    answer = hub.request("POST", SESSION, ada.signed_out().fields, json.dumps({"link": url.partition("#")[2]}))
    laptop = Browser(hub, {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]})

    def let_in():
        return next(one["made"]["devices"] for one in ada.get("/api/v1/devices")[1] if one["current"])

    passkey, phones = laptop.register(name="laptop's"), ada.register(name="phone's")
    assert let_in() == ["Device"]
    status, answer = enter(laptop, passkey)
    assert status == 200 and let_in() == []
    assert len(ada.get("/api/v1/devices")[1]) == 2, "it is the same device"
    # With one that was made at the other address it is accepted.
    assert enter(ada.signed_out(), phones)[0] == 200
    assert len(let_in()) == 1


def test_nobody_has_more_than_twenty(ada):
    for _ in range(20):
        ada.register()
    status, answer = ada.post(PASSKEYS, Authenticator(ada.origin).register(ada.options()))
    assert status == 409 and answer["code"] == 40936


def test_nobody_has_more_than_a_hundred_devices(hub, ada):
    who = ada.get(SESSION)[1]["person"]["id"]
    passkey = ada.register()
    for _ in range(101):
        assert enter(ada.signed_out(), passkey)[0] == 200
    assert len(hub.get(f"/api/v1/people/{who}/devices", token=hub.owner_token)[1]) == 100


def test_only_people_make_passkeys(hub, ada):
    assert ada.signed_out().post(OPTIONS, {})[0] == 401
    status, answer = hub.post(OPTIONS, hub.owner_token, {})
    assert status == 403 and answer["code"] == 40321
    foreign = {"Cookie": ada.fields["Cookie"], "Origin": "https://evil.example", "Host": ada.fields["Host"]}
    assert hub.post(OPTIONS, foreign, {})[0] == 403
    passkey = ada.register()
    content = passkey.sign_in(ada.sign_in_options())
    assert hub.post(SIGN_IN, {"Origin": "https://evil.example"}, content)[0] == 403


def test_a_number_is_no_address_for_passkeys(hub, ada):
    for host in (f"127.0.0.1:{hub.port}", "[::1]:80", "192.168.1.10"):
        status, answer = hub.post(SIGN_IN_OPTIONS, {"Host": host}, {})
        assert status == 400 and answer["code"] == 40036, host


def test_away_from_localhost_there_is_https_only(hub):
    fields = hub.sign_in("member", "Eve") | {"Host": "space.example", "Origin": "https://space.example"}
    for origin, expected in (("http://space.example", 400), ("https://space.example:444", 400),
                             ("https://space.example", 201)):
        options = hub.post(OPTIONS, fields, {})[1]
        assert options["rp"]["id"] == "space.example"
        passkey = Authenticator("https://space.example")
        status, answer = hub.post(PASSKEYS, fields, passkey.register(options, client={"origin": origin}))
        assert status == expected, answer
    # It is valid at that address only.
    browser = Browser(hub)
    status, answer = enter(browser, passkey)
    assert status == 401 and answer["code"] == 40135


def test_sizes_have_limits(ada):
    passkey = Authenticator(ada.origin)
    good = passkey.register(ada.options())
    for field, size in (("clientDataJSON", 4097), ("authenticatorData", 4097)):
        content = good | {"response": good["response"] | {field: encoded(bytes(size))}}
        assert ada.post(PASSKEYS, content)[0] == 400
    for content in ({}, [], {"id": 1}, good | {"id": "!"}, good | {"response": 1}, good | {"type": "password"}):
        status, answer = ada.post(PASSKEYS, content)
        assert status == 400 and answer["code"] == 40003, answer
    assert ada.post(PASSKEYS, good | {"more": "x" * 40_000})[0] == 413
    assert ada.post(PASSKEYS, good)[0] == 201


@pytest.mark.parametrize("promise", [
    "a5010203262001215820" + "07" * 32 + "9a36b23937",  # a list of 900 million
    "a59b00000000ffffffff", "bb7fffffffffffffff", "5b7fffffffffffffff", "9f" * 60, "c1" * 60, "a1" * 60, "",
])
def test_a_key_that_promises_more_than_there_is_takes_no_memory(hub, ada, promise):
    passkey = Authenticator(ada.origin)
    content = passkey.register(ada.options())
    data = base64.urlsafe_b64decode(content["response"]["authenticatorData"] + "==")
    for whole in (data[:37 + 18 + len(passkey.id)] + bytes.fromhex(promise), data + bytes.fromhex(promise or "00")):
        content["response"]["authenticatorData"] = encoded(whole)
        begun = time.monotonic()
        status, answer = ada.post(PASSKEYS, content)
        assert status == 400 and answer["code"] == 40035 and time.monotonic() - begun < 5, answer
    with open(f"/proc/{hub.process.pid}/status") as told:
        assert next(int(line.split()[1]) for line in told if line.startswith("VmHWM")) < 200_000


def test_a_registration_of_random_bytes_never_breaks_the_hub(ada):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    for _ in range(150):
        content = Authenticator(ada.origin).register(ada.options())
        data = bytearray(base64.urlsafe_b64decode(content["response"]["authenticatorData"] + "=="))
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(37, len(data))] = chance.randrange(256)
        data = data[:chance.randrange(37, len(data) + 1)] + os.urandom(chance.randrange(3))
        content["response"]["authenticatorData"] = encoded(bytes(data))
        status, answer = ada.post(PASSKEYS, content)
        assert status in (201, 400, 409), answer
        for one in ada.get(PASSKEYS)[1]:
            ada.delete(f"{PASSKEYS}/{one['id']}")
