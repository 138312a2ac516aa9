"""Attacks on sessions: fixation, other sites' pages, stolen links, guessed codes, escalation of roles."""

import concurrent.futures
import http.client
import itertools
import json
import threading

import pytest

from certificates import make_certificate
from hub import SESSION, SETTINGS, SPACE, STATE
from people import LINKS, LOOK, PEOPLE, TOKENS

WRONG = "2222-2222"
PER_ADDRESS, OVER_ALL, PER_CODE = 10, 1_000, 5


@pytest.fixture
def proxied(make_hub):
    """A hub behind a trusted proxy, so that a test can come from any address."""
    return make_hub(env={"EIGHTBELLS_TRUSTED_PROXIES": "127.0.0.0/8"})


def sign_in(hub, fields=None, **key):
    return hub.request("POST", SESSION, fields or {}, json.dumps(key))


def cookie_of(answer):
    return answer.headers["Set-Cookie"].partition(";")[0]


# Session fixation

def test_signing_in_always_makes_a_new_secret(hub):
    planted = "eightbells=" + "A" * 32
    answer = sign_in(hub, {"Cookie": planted}, link=hub.link("member", "Mo")[0])
    assert answer.status == 200 and cookie_of(answer) != planted
    assert hub.get(SESSION, {"Cookie": planted})[1]["person"] is None


def test_whoever_planted_their_own_session_does_not_share_the_victims(hub):
    attacker = hub.sign_in("member", "Eve")
    answer = sign_in(hub, attacker, link=hub.link("owner", "Olga")[0])
    assert answer.status == 200 and answer.json["person"]["name"] == "Olga"
    assert hub.get(SESSION, attacker)[1]["person"] is None, "the old session has ended, and is no way into the new one"


def test_a_second_cookie_of_the_name_counts_for_neither(hub):
    pair = [hub.sign_in("member", "Mo")["Cookie"], hub.sign_in("member", "Eve")["Cookie"]]
    for order in (pair, pair[::-1]):
        assert hub.get(SESSION, {"Cookie": "; ".join(order)})[1]["person"] is None


def test_over_tls_the_cookie_is_bound_to_this_host(make_hub, tmp_path):
    hub = make_hub(certificate=make_certificate(tmp_path / "tls"))
    answer = sign_in(hub, link=hub.link("member", "Mo")[0])
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-eightbells=") and "Path=/" in cookie and "; Secure" in cookie
    assert "Domain" not in cookie and "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert hub.get(SESSION, {"Cookie": cookie_of(answer)})[1]["person"]["name"] == "Mo"
    plain = cookie_of(answer).removeprefix("__Host-")
    assert hub.get(SESSION, {"Cookie": plain})[1]["person"] is None, "a cookie that plain HTTP could have set"


# Other sites' pages

def test_no_other_site_signs_its_visitors_in_or_out(hub):
    secret = hub.link("member", "Eve")[0]
    mo = hub.sign_in("member", "Mo")
    for fields in {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}:
        assert sign_in(hub, fields, link=secret).status == 403
        assert hub.request("DELETE", SESSION, {"Cookie": mo["Cookie"]} | fields).status == 403
    assert hub.get(SESSION, mo)[1]["person"]["name"] == "Mo"
    assert sign_in(hub, link=secret).status == 200, "and the link is not used up"


def test_every_write_by_cookie_is_refused_from_elsewhere(hub_with_space):
    hub = hub_with_space
    victim = {"Cookie": hub.sign_in("owner", "Olga")["Cookie"], "Origin": "https://evil.example"}
    for method, path, body in [
            ("POST", LINKS, {"role": "owner"}), ("POST", TOKENS, {"name": "x", "role": "owner"}),
            ("PATCH", f"{PEOPLE}/1", {"name": "x"}), ("DELETE", f"{PEOPLE}/1", None), ("PUT", SETTINGS, SPACE),
            ("POST", STATE, {"open": True}), ("DELETE", "/api/v1/devices/1", None)]:
        answer = hub.request(method, path, victim, json.dumps(body))
        assert answer.status == 403 and answer.json["code"] == 40320, (method, path)


def test_no_other_site_reads_what_a_cookie_opens(hub):
    olga = hub.sign_in("owner", "Olga")
    for path in (SESSION, PEOPLE, TOKENS, LINKS, "/api/v1/audit", "/api/v1/devices"):
        answer = hub.request("GET", path, olga | {"Origin": "https://evil.example"})
        assert answer.status == 200 and "Access-Control-Allow-Origin" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store"


# Links

ROBOTS = ["WhatsApp/2.23 A", "TelegramBot (like TwitterBot)", "facebookexternalhit/1.1", "Slackbot-LinkExpanding 1.0"]


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_link_that_a_preview_robot_has_opened_is_still_good(shared_hub, robot):
    hub = shared_hub
    secret, code = hub.link("member", "Mo")
    for method in ("HEAD", "GET", "OPTIONS"):
        for path in ("/join", f"/join?link={secret}", f"/join?code={code}", SESSION, LOOK):
            hub.request(method, path, {"User-Agent": robot})
    assert hub.post(LOOK, json={"link": secret})[0] == 200
    assert sign_in(hub, link=secret).status == 200


def test_a_link_works_once_however_many_try_at_the_same_time(hub):
    secret, code = hub.link("member", "Mo")
    start = threading.Barrier(16)

    def attempt(number):
        start.wait(10)
        return sign_in(hub, **({"link": secret} if number % 8 else {"code": code})).status

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(attempt, range(16)))
    assert statuses.count(200) == 1 and set(statuses) <= {200, 404, 410}, statuses
    assert len(hub.get("/api/v1/people", token=hub.owner_token)[1]) == 1


def test_whoever_comes_after_a_thief_is_told(hub):
    secret = hub.link("keykeeper", "Kim")[0]
    assert sign_in(hub, link=secret).status == 200
    answer = sign_in(hub, link=secret)
    assert answer.status == 410 and answer.json["code"] == 41020
    assert "was used at 20" in answer.json["error"] and "tell an owner" in answer.json["help"]


def test_no_secret_is_in_the_log_or_in_the_data(hub):
    secret, code = hub.link("keykeeper", "Kim")
    answer = sign_in(hub, link=secret)
    session = cookie_of(answer).partition("=")[2]
    assert sign_in(hub, link="x" * 32).status == 404 and sign_in(hub, code=WRONG).status == 404
    hub.stop()
    kept = b"".join(path.read_bytes() for path in hub.data.iterdir() if path.is_file()) + hub.log.encode()
    for text in (secret, code, code.replace("-", ""), session):
        assert text.encode() not in kept


# Guessed codes

def test_after_ten_wrong_codes_an_address_has_to_wait_and_a_link_still_works(hub):
    secret, code = hub.link("member", "Mo")
    assert [sign_in(hub, code=WRONG).status for _ in range(PER_ADDRESS)] == [404] * PER_ADDRESS
    answer = sign_in(hub, code=code)
    assert answer.status == 429 and answer.json["code"] == 42920, "the right one, too: else a guess would show"
    assert 0 < int(answer.headers["Retry-After"]) <= 600
    assert hub.post(LOOK, json={"code": code})[0] == 429
    assert sign_in(hub, link=secret).status == 200


def test_looking_is_guessing(hub):
    assert [hub.post(LOOK, json={"code": WRONG})[0] for _ in range(PER_ADDRESS + 1)] == [404] * PER_ADDRESS + [429]


def test_guesses_at_the_same_time_do_not_slip_by(hub):
    start = threading.Barrier(40)

    def attempt(_):
        start.wait(20)
        return sign_in(hub, code=WRONG).status

    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        statuses = list(pool.map(attempt, range(40)))
    assert statuses.count(404) == PER_ADDRESS and statuses.count(429) == 40 - PER_ADDRESS


def test_right_codes_are_not_counted(hub):
    for _ in range(PER_ADDRESS + 2):
        assert sign_in(hub, code=hub.link("member", "Mo")[1]).status == 200


def test_a_code_is_void_after_five_guesses_that_begin_as_it_does_from_wherever(proxied):
    secret, code = proxied.link("member", "Mo")
    ends = [end for end in ("AAAAA", "CCCCC", "DDDDD", "EEEEE", "FFFFF", "GGGGG") if code[3:].replace("-", "") != end]
    for number, end in enumerate(ends[:PER_CODE]):
        answer = sign_in(proxied, {"X-Forwarded-For": f"203.0.113.{number}"}, code=code[:3] + end)
        assert answer.status == 404
    assert sign_in(proxied, {"X-Forwarded-For": "203.0.113.99"}, code=code).status == 404
    assert sign_in(proxied, {"X-Forwarded-For": "203.0.113.99"}, link=secret).status == 200


def test_a_household_of_ipv6_counts_as_one(proxied):
    def attempt(number, network="2001:db8:1:2"):
        return sign_in(proxied, {"X-Forwarded-For": f"{network}::{number:x}"}, code=WRONG).status

    assert [attempt(number) for number in range(1, PER_ADDRESS + 2)] == [404] * PER_ADDRESS + [429]
    assert attempt(1, "2001:db8:1:3") == 404


def test_a_thousand_addresses_together_have_to_wait(proxied):
    connection = http.client.HTTPConnection("127.0.0.1", proxied.port, timeout=20)
    numbers = itertools.count()

    def attempt(code=WRONG):
        number = next(numbers)
        connection.request(
            "POST", SESSION, json.dumps({"code": code}), {"X-Forwarded-For": f"198.18.{number // 250}.{number % 250}"})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    assert {attempt() for _ in range(OVER_ALL)} == {404}

    def waits(name):
        code = proxied.link("member", name)[1]
        assert any(attempt() == 429 for _ in range(OVER_ALL)), "nobody has to wait"
        return attempt(code) == 429

    # Meanwhile more than one in a second is forgiven, and with bad luck just before a code that is right.
    assert waits("Mo") or waits("Mia")
    connection.close()


def test_whoever_tries_unknown_tokens_is_slowed_down_and_a_good_one_is_not(hub_with_space):
    hub = hub_with_space
    statuses = [hub.get(SETTINGS, token=f"eb_{number}")[0] for number in range(70)]
    assert statuses[0] == 401 and statuses[-1] == 429
    assert hub.get(SETTINGS, token=hub.owner_token)[0] == 200
    assert hub.log.count("an unknown token was used") < 70


# Each hub has a log of its own.
@pytest.mark.one_hub
def test_an_unknown_token_is_logged_once_and_without_what_may_be_secret(hub):
    places = {
        "/api/v1/tokens": "/api/v1/tokens", "/t/coffee": "/t/…",
        "/api/v1/portfolios/7/sent/a-links-secret/file": "/api/v1/portfolios/…"}
    for path in places:
        assert hub.request("POST", path, {"Authorization": "Bearer eb_nobody"}, b"{}").status == 401
    assert hub.get(SETTINGS, token="eb_nobody")[0] == 401
    lines = [line for line in hub.log.splitlines() if "an unknown token was used" in line]
    assert [line.partition("path=")[2] for line in lines] == [*places.values(), "/api/v1/space/…"]


# Roles

@pytest.mark.parametrize("role", ["keykeeper", "sensor"])
def test_nobody_makes_more_of_themselves(hub, role):
    """A device if people can have the role, else a token. What all roles may is in test_authorization.py."""
    owner = hub.sign_in("owner", "Olga")
    own = hub.sign_in(role, "Eve") if role in ("keykeeper", "member") else hub.token(role)
    eve = next((one["id"] for one in hub.get(PEOPLE, owner)[1] if one["name"] == "Eve"), 1)
    token = hub.post(TOKENS, owner, {"name": "x", "role": "reader"})[1]["id"]
    for method, path, body in [
            ("post", LINKS, {"role": "owner"}), ("post", LINKS, {"role": role}), ("post", LINKS, {"person": "1"}),
            ("post", TOKENS, {"name": "x", "role": "owner"}), ("patch", f"{PEOPLE}/{eve}", {"role": "owner"}),
            ("patch", f"{PEOPLE}/1", {"name": "mine"}), ("put", SETTINGS, SPACE)]:
        assert getattr(hub, method)(path, own, body)[0] == 403, (method, path)
    for path in (f"{PEOPLE}/1", f"{TOKENS}/{token}"):
        assert hub.delete(path, own)[0] == 403
    for path in (PEOPLE, TOKENS, "/api/v1/audit", f"{PEOPLE}/1/devices", "/metrics"):
        assert hub.get(path, token=own)[0] == 403
    assert hub.post(LINKS, own, {"for": "me", "role": "owner"})[0] in (400, 403)


def test_the_one_who_signs_in_chooses_no_role(hub):
    for extra in ({"role": "owner"}, {"person": "1"}, {"kind": "setup"}):
        secret = hub.link("member", "Mo")[0]
        assert sign_in(hub, link=secret, **extra).status == 400
        assert sign_in(hub, link=secret).json["person"]["role"] == "member"


def test_a_link_for_oneself_gives_the_role_of_today(hub):
    owner, kim = hub.sign_in("owner", "Olga"), hub.sign_in("keykeeper", "Kim")
    secret = hub.post(LINKS, kim, {"for": "me"})[1]["url"].partition("#")[2]
    number = next(one["id"] for one in hub.get(PEOPLE, owner)[1] if one["name"] == "Kim")
    assert hub.patch(f"{PEOPLE}/{number}", owner, {"role": "member"})[0] == 200
    assert sign_in(hub, link=secret).json["person"]["role"] == "member"


# Texts

EVIL = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'; DROP TABLE people; --", "{{7*7}}"]


@pytest.mark.parametrize("text", EVIL)
def test_names_are_kept_as_they_are_and_never_answered_as_a_page(shared_hub, text):
    hub = shared_hub
    owner = hub.sign_in("owner", text)
    hub.post(LINKS, owner, {"role": "member", "name": text})
    hub.post(TOKENS, owner, {"name": text, "role": "reader"})
    for path in (SESSION, PEOPLE, TOKENS, LINKS, "/api/v1/audit"):
        answer = hub.request("GET", path, owner)
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert text in json.dumps(answer.json, ensure_ascii=False).replace("\\\"", "\"")


@pytest.mark.parametrize("body", [
    b"", b"null", b"[]", b"{", b"\xff", b'{"link": null}', b'{"link": {}}', b'{"code": [1]}', b'{"link": "\\u0000"}',
    b'{"link": "a", "link": "b"}', b'{"code": "' + b"A" * 60_000 + b'"}', b'{"code": "\\ud83d\\ude00"}'])
def test_malformed_bodies_are_refused(shared_hub, body):
    for path in (SESSION, LOOK):
        assert shared_hub.request("POST", path, {}, body).status in (400, 404)


# Nothing acknowledged is lost

def test_who_was_signed_in_stays_so_after_a_kill(hub):
    owner = hub.sign_in("owner", "Olga")
    for number in range(5):
        fields = hub.sign_in("member", f"Mo {number}")
        hub.kill()
        hub.start()
        assert hub.get(SESSION, fields)[1]["person"]["name"] == f"Mo {number}"
        device = hub.get(SESSION, fields)[1]["device"]["id"]
        assert hub.delete(f"/api/v1/devices/{device}", owner)[0] == 204
        hub.kill()
        hub.start()
        assert hub.get(SESSION, fields)[1]["person"] is None, "and whoever was sent away stays away"


# Security fields of every answer

@pytest.mark.parametrize("path, status", [
    ("/", 200), ("/spaceapi.json", 200), ("/nowhere", 404), ("/shell.css", 200), ("/sw.js", 200), (STATE, 200),
    (PEOPLE, 401), ("/healthz", 200), ("/api/openapi.yaml", 200)])
def test_every_answer_protects_itself(shared_hub, path, status):
    answer = shared_hub.request("GET", path)
    assert answer.status == status
    for name, value in [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")]:
        assert answer.headers.get_all(name) == [value]
    policy = answer.headers.get_all("Content-Security-Policy")
    # Where nothing runs, nothing has to be kept from a device's features.
    is_page = policy != ["default-src 'none'; frame-ancestors 'none'"]
    assert is_page == (path in ("/", "/sw.js")), policy
    assert len(answer.headers.get_all("Permissions-Policy") or []) == is_page
    assert len(policy) == 1 and ("frame-ancestors 'none'" in policy[0] or "frame-ancestors 'self'" in policy[0])
    assert "unsafe-inline" not in policy[0] and "'unsafe-eval'" not in policy[0]


def test_pages_keep_other_sites_windows_away_where_browsers_heed_it(proxied):
    """Elsewhere, over plain HTTP, a browser would only log that it ignores it."""
    for host, scheme, is_trusted in [
            ("127.0.0.1:8080", None, True), ("localhost:8080", None, True), ("Hub.localhost", None, True),
            ("[::1]:8080", None, True), ("127.8.8.8", None, True), ("192.168.1.10:8080", None, False),
            ("hub.example", None, False), ("localhost.example", None, False), ("127.0.0.1.example", None, False),
            ("[fe80::1]", None, False), ("hub.example", "https", True), ("192.168.1.10", "https", True)]:
        fields = {"Host": host, "Accept": "text/html"} | ({"X-Forwarded-Proto": scheme} if scheme else {})
        for path in ("/", "/me", "/nowhere"):
            answer = proxied.request("GET", path, fields)
            assert answer.headers["Content-Type"].startswith("text/html")
            opener = answer.headers.get_all("Cross-Origin-Opener-Policy")
            assert opener == (["same-origin"] if is_trusted else None), (host, scheme, path)


def test_sockets_may_be_opened_to_this_hub_alone(hub):
    policy = hub.request("GET", "/").headers["Content-Security-Policy"]
    host = f"127.0.0.1:{hub.port}"
    assert f"connect-src 'self' ws://{host} wss://{host};" in policy
    evil = hub.request("GET", "/", {"Host": "hub.example;script-src"}).headers["Content-Security-Policy"]
    assert evil.count("script-src") == 1 and "connect-src 'self';" in evil
