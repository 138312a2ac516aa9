"""Attacks that could exhaust a server over HTTP/2 (RFC 9113 section 10.5): the peer is cut off, and no other client is
affected.

If a flood may be endured instead, the bound on memory is tested.
"""

import os

import pytest

from http2 import (
    CONTINUATION, DATA, END_STREAM, GET, GOAWAY, HEADERS, OPEN_1, PING, RST_STREAM, WINDOW_SIZE, block, frame,
    headers, in_frames, integer, reset, send_until_cut, settings, window_update)
from hub import eventually
from measure import resident
from toy import EVENT_STREAM, PICTURE

# Kilobytes by which the server may grow over a flood, which is far more than it may keep of it.
GROWTH = 32_000


@pytest.fixture
def memory_is_bounded(http2_target):
    before = resident(http2_target.pid)[0] if http2_target.pid else 0
    yield
    if http2_target.pid:
        assert resident(http2_target.pid)[0] - before < GROWTH
    assert http2_target.is_well()


@pytest.mark.usefixtures("memory_is_bounded")
def test_streams_that_are_opened_and_reset_at_once_are_cut_off(http2_target):
    """Rapid reset: each stream costs the server a request, but never counts against the limit of open streams."""
    with http2_target.open() as wire:
        pairs = (headers(stream, *GET) + reset(stream) for stream in range(1, 200_000, 2))
        assert send_until_cut(wire, pairs) or wire.has_ended()


@pytest.mark.usefixtures("memory_is_bounded")
def test_a_header_block_without_an_end_is_cut_off(http2_target):
    """CONTINUATION flood: a block that never ends is never a request that could be refused."""
    with http2_target.open() as wire:
        pieces = [frame(CONTINUATION, 0, 1, block(("x-a", "a" * 1000)))] * 20_000
        assert send_until_cut(wire, [headers(1, *GET, flags=END_STREAM), *pieces]) or wire.has_ended()


FLOODS = {
    "settings": settings((WINDOW_SIZE, 65_535)),
    "pings": frame(PING, 0, 0, b"8 bytes."),
    "empty frames": frame(DATA, 0, 1),
    "padding alone": frame(DATA, 0x8, 1, b"\x0f" + b"\0" * 15),
    "frames nobody knows": frame(0x99, 0, 0, b"?" * 20),
    "window updates": window_update(1) + window_update(1, 1),
    "priorities": frame(2, 0, 1, b"\0\0\0\x03\x10"),
}


@pytest.mark.usefixtures("memory_is_bounded")
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_of_frames_fills_no_memory(http2_target, name):
    """The answers are not read. A stream is open, so that its frames are valid."""
    with http2_target.open() as wire:
        wire.send(OPEN_1)
        send_until_cut(wire, [FLOODS[name] * 1000] * 400)


def refused(wire):
    """True if a request is refused: by 431, or by closing its stream or the connection."""
    end, _ = wire.until(HEADERS, RST_STREAM, GOAWAY)
    return end.kind != HEADERS or dict(wire.fields(end))[":status"] == "431"


TOO_MUCH = {
    "one large field": [("x-a", "a" * 40_000)],
    "many fields": [(f"x-{number}", "1") for number in range(200)],
    "large fields": [(f"x-{number}", "a" * 1000) for number in range(40)],
}


@pytest.mark.usefixtures("memory_is_bounded")
@pytest.mark.parametrize("name", TOO_MUCH)
def test_more_fields_than_are_taken_are_refused(http2_target, name):
    """As over HTTP/1.1: 32 KB and a hundred fields."""
    with http2_target.open() as wire:
        assert refused(wire.send(in_frames(block(*GET, *TOO_MUCH[name]))))


@pytest.mark.usefixtures("memory_is_bounded")
def test_fields_that_grow_when_they_are_decoded_are_refused(http2_target):
    """One field of the table, referred to ten thousand times (RFC 7541, 7.3): 10 KB of frames, 40 MB of fields."""
    large = b"\x40" + integer(3, 7) + b"x-a" + integer(4000, 7) + b"a" * 4000
    with http2_target.open() as wire:
        assert refused(wire.send(in_frames(block(*GET) + large + b"\xbe" * 10_000)))


@pytest.mark.usefixtures("memory_is_bounded")
def test_answers_that_nobody_takes_are_not_piled_up(http2_target):
    """Windows of zero: a hundred streams wait with their answers, on ten connections."""
    wires = []
    try:
        for _ in range(10):
            wire = http2_target.open(own=[(WINDOW_SIZE, 0)])
            wires.append(wire)
            path = (":path", PICTURE)
            wire.send(*(headers(stream, GET[0], GET[1], path, GET[3]) for stream in range(1, 200, 2)))
            wire.ping()
    finally:
        for wire in wires:
            wire.socket.close()


LEFT = {
    "a body that does not come": OPEN_1,
    "an answer that is not taken": headers(1, *GET[:2], (":path", PICTURE), GET[3]),
    "half a header block": headers(1, *GET, flags=END_STREAM),
    "a goodbye": headers(1, *GET) + frame(GOAWAY, 0, 0, b"\0" * 8),
    "events that are listened to": headers(1, *GET[:2], (":path", EVENT_STREAM), GET[3]),
}


@pytest.mark.parametrize("name", LEFT)
def test_a_peer_that_is_gone_leaves_nothing_behind(http2_target, name):
    """Whatever its streams waited for, the descriptor is free again."""
    if not http2_target.pid:
        pytest.skip("another server's descriptors are not counted")
    # The first requests open connections to the store, which stay open.
    assert http2_target.is_well()
    leave(http2_target, name)
    before = descriptors(http2_target.pid)
    for _ in range(5):
        leave(http2_target, name)
    eventually(lambda: descriptors(http2_target.pid) <= before, seconds=5, what="the descriptors to be free again")


def leave(http2_target, name):
    """Five peers open a stream and disconnect."""
    wires = [http2_target.open(own=[(WINDOW_SIZE, 0)]) for _ in range(5)]
    for wire in wires:
        wire.send(LEFT[name])
        if name != "half a header block":
            wire.ping()
    assert descriptors(http2_target.pid) >= len(wires)
    for wire in wires:
        wire.socket.close()


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
