"""The rates of writes and of computed answers: callers above them are told to wait."""

import concurrent.futures
import contextlib
import json
import socket
import time

import pytest

from hub import EVENTS, SESSION, STATE

# ServerLimits.writes, at once and per second, and .questions at once, for callers who are not signed in.
WRITES, WRITES_PER_SECOND = 500, 10
QUESTIONS = 600
DAYS = f"{EVENTS}?from=2026-01-01&to=2026-01-02"


@pytest.fixture
def proxied(make_hub):
    """A hub that trusts a proxy's address of the caller."""
    return make_hub(options=["--trusted-proxies", "127.0.0.0/8"])


def ask(hub, method, path, fields=None, body=None, count=1):
    """Sends the same request up to `count` times on one connection, until it is closed: the answers."""
    answers = []
    connection = None
    for _ in range(count):
        connection = connection or hub.connection()
        connection.request(method, path, body, fields or {})
        answer = connection.getresponse()
        answers.append((answer.status, answer.headers, answer.read()))
        if answer.will_close:
            connection.close()
            connection = None
    if connection:
        connection.close()
    return answers


def until_refused(hub, *request, **words):
    """Repeats a request until it is refused: the number accepted before, the refusal, and the seconds it took."""
    begun = time.monotonic()
    for taken in range(10_000):
        (answer,) = ask(hub, *request, **words)
        if answer[0] == 429:
            return taken, answer, time.monotonic() - begun
    raise AssertionError("nobody was refused")


def test_a_stranger_who_writes_too_often_waits_and_others_do_not(proxied):
    hub = proxied
    stranger = {"X-Forwarded-For": "203.0.113.1"}
    taken, (_, headers, body), seconds = until_refused(hub, "POST", STATE, stranger, b"{}")
    assert WRITES <= taken <= WRITES + seconds * WRITES_PER_SECOND + 1
    told = json.loads(body)
    assert told["code"] == 42902 and told["help"]
    assert int(headers["Retry-After"]) == 1
    # Another address, a member behind the same one, and answers from memory are accepted.
    assert ask(hub, "POST", STATE, {"X-Forwarded-For": "203.0.113.2"}, b"{}")[0][0] == 401
    token = {"Authorization": f"Bearer {hub.owner_token}"}
    assert ask(hub, "POST", STATE, stranger | token, b'{"open": true}')[0][0] == 200
    assert {status for status, _, _ in ask(hub, "GET", STATE, stranger, count=1_000)} == {200}


def test_who_may_wait_is_found_before_the_body_is_read(hub):
    until_refused(hub, "POST", SESSION, body=b"{}")

    def refused():
        with socket.create_connection(("127.0.0.1", hub.port), timeout=2) as connection:
            # No body follows: a hub that read it would wait for it.
            connection.sendall(f"POST {SESSION} HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n".encode())
            return connection.makefile("rb").readline().startswith(b"HTTP/1.1 429 ")

    # Ten more are taken in a second: on a busy machine this one may be among them, and is then asked again.
    for _ in range(10):
        with contextlib.suppress(TimeoutError):
            assert refused()
            return
        until_refused(hub, "POST", SESSION, body=b"{}")
    raise AssertionError("the body was waited for ten times")


def test_an_invented_token_buys_no_share_of_its_own(hub):
    begun = time.monotonic()
    for number in range(WRITES // 2):
        ask(hub, "POST", STATE, {"Authorization": f"Bearer eb_{number}"}, b"{}")
    taken, *_ = until_refused(hub, "POST", STATE, body=b"{}")
    assert WRITES // 2 + taken <= WRITES + (time.monotonic() - begun) * WRITES_PER_SECOND + 1


@pytest.mark.timeout(120)
def test_questions_are_counted_apart_from_writes_and_by_network(proxied):
    hub = proxied
    hub.configure()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(
            lambda number: ask(hub, "GET", DAYS, {"X-Forwarded-For": f"2001:db8::{number}"}, count=400), range(1, 5)))
    statuses = [status for answers in found for status, _, _ in answers]
    assert set(statuses) == {200, 429} and statuses.count(200) >= QUESTIONS
    (status, _, _), = ask(hub, "GET", DAYS, {"X-Forwarded-For": "2001:db8:0:1::1"})
    assert status == 200
    assert ask(hub, "POST", STATE, {"X-Forwarded-For": "2001:db8::1"}, b"{}")[0][0] == 401


def test_an_owner_may_lift_it(make_hub):
    hub = make_hub(options=["--rate-limits", "off"])
    assert {status for status, _, _ in ask(hub, "POST", STATE, None, b"{}", WRITES + 50)} == {401}


def test_a_setting_that_is_neither_on_nor_off_ends_the_start(make_hub):
    with pytest.raises(AssertionError, match="rate_limits: \"of\"; on and off are accepted"):
        make_hub(options=["--rate-limits", "of"])
