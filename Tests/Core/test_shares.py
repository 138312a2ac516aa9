"""What strangers, and members, can make the hub keep in its memory: each of these once filled it. Each case measures the
hub's own memory, or what its queues hold."""

import contextlib
import time

import pytest

from http2 import AUTHORITY, DATA, END_HEADERS, SCHEME, HTTP2Wire, frame, headers
from wire import Wire

FAVOURITES = "/api/v1/space/favourites"
JSON = {"Content-Type": "application/json"}


def memory(hub, peak=False):
    """The hub's resident megabytes, now or at most so far."""
    name = "VmHWM:" if peak else "VmRSS:"
    with open(f"/proc/{hub.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024


@contextlib.contextmanager
def growth(hub, megabytes, peak=False):
    """What follows may make the hub grow by so much and no more."""
    before = memory(hub)
    yield
    grown = memory(hub, peak) - before
    assert grown < megabytes, f"grew by {grown:.0f} MB"


@pytest.mark.parametrize("value", [b"{},", b"[],", b'{"a":{}},', b"1,"])
def test_json_of_many_small_values_is_not_made(hub, value):
    """8 MB of them took 724 MB."""
    member = hub.sign_in("member")
    body = b"[" + value * ((8 << 20) // len(value) - 2) + b"0]"
    with growth(hub, 60, peak=True):
        answer = hub.request("POST", FAVOURITES, JSON | member, body)
    assert answer.status == 400 and answer.json["code"] == 40002, answer.body
    assert "100000" in answer.json["error"]


def test_a_large_body_is_not_kept_for_strangers(hub):
    """60 connections that each sent 8 MB, all but a byte, held 480 MB."""
    length = 8 << 20
    with contextlib.ExitStack() as opened, growth(hub, 30, peak=True):
        for _ in range(60):
            wire = opened.enter_context(Wire(hub))
            wire.send(f"POST {FAVOURITES} HTTP/1.1\r\nHost: hub\r\nContent-Length: {length}\r\n\r\n")
            assert wire.answer()[0] == 401
            with contextlib.suppress(OSError):
                wire.socket.sendall(bytes(length - 1))


def test_a_large_body_is_not_kept_for_strangers_over_http2_either(hub):
    """No more comes than the windows let through, and that is let go with the answer."""
    head = [(":method", "POST"), SCHEME, (":path", FAVOURITES), AUTHORITY]
    with contextlib.ExitStack() as opened, growth(hub, 30, peak=True):
        for _ in range(60):
            wire = opened.enter_context(HTTP2Wire(hub.port))
            wire.send(headers(1, *head, flags=END_HEADERS), *[frame(DATA, 0, 1, bytes(16_384))] * 3)
            assert wire.answer(1)[0] == 401
            wire.ping()


def test_whoever_is_signed_in_may_send_much(hub):
    member = hub.sign_in("member")
    body = b'{"favourites": []' + b" " * (6 << 20) + b"}"
    assert hub.request("POST", FAVOURITES, JSON | member, body).status == 200
    # Over HTTP/2 the body comes while the hub looks up who sends it.
    head = [(":method", "POST"), (":scheme", "http"), (":path", FAVOURITES), (":authority", f"127.0.0.1:{hub.port}"),
            ("content-type", "application/json"), *((name.lower(), value) for name, value in member.items())]
    with HTTP2Wire(hub.port) as wire:
        wire.send(headers(1, *head, flags=END_HEADERS), *[frame(DATA, 0, 1, b" " * 16_000)] * 10,
                  frame(DATA, 1, 1, b'{"favourites": []}'))
        assert wire.answer(1)[0] == 200
