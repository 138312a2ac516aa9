"""Attacks over HTTP/2 on the entry for APNs senders: who floods it is cut off, nobody else is affected, and memory is
bounded, as on the hub's own port (Core/test_http2_limits.py)."""

import pytest

from apns import Entry
from http2 import (
    CONTINUATION, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PING, RST_STREAM, WINDOW_SIZE, block, frame, headers,
    in_frames, integer, reset, send_until_cut, settings)
from measure import resident

# Kilobytes by which the hub may grow over a flood.
GROWTH = 32_000
POST = [(":method", "POST"), (":scheme", "https"), (":path", f"/3/device/{'ab' * 32}"), (":authority", "localhost")]


@pytest.fixture
def target(make_hub):
    target = Entry(make_hub).target()
    assert target.is_well()
    before = resident(target.pid)[0]
    yield target
    assert resident(target.pid)[0] - before < GROWTH
    assert target.is_well()


def test_rapid_reset_is_cut_off(target):
    with target.open() as wire:
        pairs = (headers(stream, *POST, flags=END_HEADERS) + reset(stream) for stream in range(1, 200_000, 2))
        assert send_until_cut(wire, pairs) or wire.has_ended()


def test_a_header_block_without_an_end_is_cut_off(target):
    with target.open() as wire:
        pieces = [frame(CONTINUATION, 0, 1, block(("apns-a", "a" * 1000)))] * 20_000
        assert send_until_cut(wire, [headers(1, *POST, flags=END_STREAM), *pieces]) or wire.has_ended()


@pytest.mark.parametrize("more", [
    block(("apns-a", "a" * 40_000)), block(*((f"apns-{number}", "1") for number in range(200))),
    b"\x40" + integer(3, 7) + b"x-a" + integer(4000, 7) + b"a" * 4000 + b"\xbe" * 10_000,
], ids=["one large field", "many fields", "fields that grow when they are decoded"])
def test_header_bombs_are_refused(target, more):
    with target.open() as wire:
        end, _ = wire.send(in_frames(block(*POST) + more)).until(HEADERS, RST_STREAM, GOAWAY)
        assert end.kind != HEADERS or dict(wire.fields(end))[":status"] == "403", "that of its reason"


@pytest.mark.parametrize("flood", [settings((WINDOW_SIZE, 65_535)), frame(PING, 0, 0, b"8 bytes.")])
def test_frames_that_want_an_answer_fill_no_memory(target, flood):
    with target.open() as wire:
        send_until_cut(wire, [flood * 1000] * 400)


def test_bodies_that_do_not_end_fill_no_memory(target):
    """As many streams as may be open on each of ten connections, each with a body that goes on."""
    wires = [target.open() for _ in range(10)]
    try:
        for wire in wires:
            for stream in range(1, 250, 2):
                wire.send(headers(stream, *POST, flags=END_HEADERS), frame(0, 0, stream, b"{" * 10_000))
    finally:
        for wire in wires:
            wire.socket.close()
