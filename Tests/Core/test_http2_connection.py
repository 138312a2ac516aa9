"""The behaviour of an HTTP/2 connection as a whole (RFC 9113): settings, many streams, flow control, and its limits.

Cases about single frames are in test_http2_conformance.py.
"""

import struct

import pytest

from http2 import (
    ACK, DATA, ENABLE_PUSH, END_HEADERS, END_STREAM, GET, GET_1, GOAWAY, HEADERS, MAX_STREAMS, NO_ERROR,
    PING, POST, PROTOCOL_ERROR, REFUSED_STREAM, RST_STREAM, SETTINGS, WINDOW_SIZE, frame, headers, settings,
    window_update)


def test_settings_are_acknowledged_one_by_one(http2_target):
    with http2_target.open() as wire:
        wire.ping()
        wire.send(settings((WINDOW_SIZE, 1000)), settings(), settings((ENABLE_PUSH, 0)))
        acks = [found for found in wire.ping() if found.kind == SETTINGS]
    assert [(ack.flags, ack.payload) for ack in acks] == [(ACK, b"")] * 3


def test_a_ping_comes_back_with_its_payload(http2_target):
    with http2_target.open() as wire:
        wire.send(frame(PING, 0, 0, b"\0first\xff\0"), frame(PING, 0, 0, b"a second"))
        echoes = [wire.until(PING)[0] for _ in range(2)]
    assert [(echo.flags, echo.payload) for echo in echoes] == [(ACK, b"\0first\xff\0"), (ACK, b"a second")]


def test_a_client_that_says_goodbye_still_gets_its_answer(http2_target):
    """Section 6.8."""
    with http2_target.open() as wire:
        wire.send(GET_1, frame(GOAWAY, 0, 0, struct.pack("!II", 0, NO_ERROR)))
        assert wire.answer(1)[0] == 200


def test_an_answer_names_its_fields_as_http2_does(http2_target):
    """Sections 8.2, 8.2.2 and 8.3.2; RFC 9110 section 6.6.1 wants a date."""
    with http2_target.open() as wire:
        _, fields, body = wire.send(GET_1).answer(1)
    names = [name for name, _ in fields]
    assert names[0] == ":status" and not any(name.startswith(":") for name in names[1:])
    assert all(name == name.lower() for name in names)
    assert not {"connection", "keep-alive", "transfer-encoding", "upgrade"} & set(names)
    assert "date" in names and int(dict(fields)["content-length"]) == len(body)


def test_the_answer_to_head_is_its_fields_alone(http2_target):
    """Section 8.1: no DATA, and the length it would have."""
    with http2_target.open() as wire:
        wire.send(headers(1, (":method", "HEAD"), *GET[1:]))
        head, _ = wire.until(HEADERS)
        fields = dict(wire.fields(head))
        assert head.flags & END_STREAM and fields[":status"] == "200" and int(fields["content-length"]) > 0
        assert not any(found.stream for found in wire.ping())


def test_many_streams_are_answered_at_once(http2_target):
    streams = range(1, 200, 2)
    with http2_target.open() as wire:
        wire.send(*(headers(stream, *GET) for stream in streams))
        ended = set()
        while len(ended) < len(streams):
            found, _ = wire.until(DATA, RST_STREAM, GOAWAY)
            assert found.kind == DATA, found
            if found.flags & END_STREAM:
                ended.add(found.stream)
    assert ended == set(streams)


def test_no_more_streams_are_open_than_were_allowed(http2_target):
    """Section 5.1.2: those above SETTINGS_MAX_CONCURRENT_STREAMS are refused."""
    with http2_target.open() as wire:
        allowed = wire.settings.get(MAX_STREAMS)
        assert allowed is not None and 100 <= allowed <= 1000, "6.5.2 recommends at least 100; there must be an end"
        wire.send(*(headers(2 * number + 1, *POST, flags=END_HEADERS) for number in range(allowed)))
        assert not any(found.kind == RST_STREAM for found in wire.ping())
        extra = 2 * allowed + 1
        wire.send(headers(extra, *POST, flags=END_HEADERS))
        end, _ = wire.until(RST_STREAM, GOAWAY)
        assert end.code in (REFUSED_STREAM, PROTOCOL_ERROR) and (end.kind == GOAWAY or end.stream == extra)


def test_a_client_that_waits_is_told_to_go_on(http2_target):
    """RFC 9110 section 10.1.1 counts here too: 100, or the final answer at once."""
    with http2_target.open() as wire:
        fields = ("expect", "100-continue"), ("content-length", "4")
        head, _ = wire.send(headers(1, *POST, *fields, flags=END_HEADERS)).until(HEADERS)
        assert dict(wire.fields(head))[":status"] in ("100", "400")


@pytest.mark.parametrize("length", [[], [("content-length", "3000000")]], ids=["sent", "promised"])
def test_a_body_that_is_too_large_is_refused_and_the_connection_lives_on(http2_target, length):
    """Section 8.1: the whole answer, and then the stream may be reset, but not for an error."""
    with http2_target.open() as wire:
        wire.send(headers(1, *POST, *length, flags=END_HEADERS))
        if not length:
            wire.send(*[frame(DATA, 0, 1, b" " * 10_000)] * 7)
        status, _, body = wire.answer(1)
        assert status == 413 and b"41301" in body
        ends = [found for found in wire.ping() if found.kind == RST_STREAM]
        assert [end.code for end in ends] in ([], [NO_ERROR])
        assert wire.send(headers(3, *GET)).answer(3)[0] == 200


# Flow control (sections 5.2 and 6.9)


def received(frames):
    return sum(len(found.payload) for found in frames if found.kind == DATA)


@pytest.mark.parametrize("window", [0, 1, 20])
def test_no_more_is_sent_than_a_streams_window_takes(http2_target, window):
    with http2_target.open(own=[(WINDOW_SIZE, window)]) as wire:
        head, _ = wire.send(GET_1).until(HEADERS)
        length = int(dict(wire.fields(head))["content-length"])
        assert received(wire.ping() + wire.ping()) <= window
        wire.send(window_update(length - window, 1))
        body, flags = window, 0
        while not flags & END_STREAM:
            piece, _ = wire.until(DATA)
            body, flags = body + len(piece.payload), piece.flags
        assert length <= body <= length + window


def test_a_window_may_become_negative(http2_target):
    """Section 6.9.2: what settings take away is owed before anything more is sent."""
    with http2_target.open(own=[(WINDOW_SIZE, 20)]) as wire:
        head, _ = wire.send(GET_1).until(HEADERS)
        length = int(dict(wire.fields(head))["content-length"])
        first = received(wire.ping() + wire.ping())
        assert first == 20
        wire.send(settings((WINDOW_SIZE, 5)), window_update(15, 1))
        assert received(wire.ping() + wire.ping()) == 0
        wire.send(window_update(3, 1))
        assert received(wire.ping() + wire.ping()) == 3
        wire.send(settings((WINDOW_SIZE, 5 + length)))
        assert 23 + received(wire.ping() + wire.ping()) == length


def test_settings_open_the_windows_of_streams_under_way(http2_target):
    with http2_target.open(own=[(WINDOW_SIZE, 0)]) as wire:
        wire.send(GET_1, headers(3, *GET))
        assert received(wire.ping() + wire.ping()) == 0
        wire.send(settings((WINDOW_SIZE, 60_000)))
        ended = set()
        while len(ended) < 2:
            piece, _ = wire.until(DATA)
            ended |= {piece.stream} if piece.flags & END_STREAM else set()
