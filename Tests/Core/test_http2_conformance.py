"""HTTP/2 by RFC 9113 and RFC 7541, frame by frame. Each case names its section.

All cases run without TLS, by prior knowledge, and over TLS, by ALPN (conftest.py). The behaviour of a connection as a
whole, and its limits, are in test_http2_connection.py.
"""

import dataclasses
import struct

import pytest

from http2 import (
    ACK, AUTHORITY, COMPRESSION_ERROR, CONTINUATION, DATA, ENABLE_PUSH, END_HEADERS, END_STREAM, FLOW_CONTROL_ERROR,
    FRAME_SIZE, FRAME_SIZE_ERROR, GET, GET_1, GOAWAY, HEADERS, METHOD, OPEN_1, PADDED, PATH, PING, POST,
    PREFACE, PRIORITISED, PRIORITY, PROTOCOL_ERROR, PUSH_PROMISE, RST_STREAM, SCHEME, SETTINGS, STREAM_CLOSED,
    TABLE_SIZE, WINDOW_SIZE, WINDOW_UPDATE, block, frame, headers, integer, reset, settings, window_update)


@dataclasses.dataclass
class Case:
    """The input after the opening, and the error codes for it."""

    section: str
    name: str
    sent: bytes
    codes: tuple

    def __str__(self):
        return f"{self.section} {self.name}"


def case(section, name, sent, *codes):
    return Case(section, name, sent, codes or (PROTOCOL_ERROR,))


# Errors of the connection: GOAWAY with this code, and the end.
CONNECTION_ERRORS = [
    # Frames
    case("9113 4.2", "a header block frame above the largest", headers(1, *GET, ("x-a", "a" * 16_384)),
         FRAME_SIZE_ERROR),
    case("9113 4.2", "settings above the largest frame", settings(*[(99, 0)] * 2731), FRAME_SIZE_ERROR),
    case("9113 6.4", "RST_STREAM of three bytes", OPEN_1 + frame(RST_STREAM, 0, 1, b"\0\0\0"), FRAME_SIZE_ERROR),
    case("9113 6.5", "settings of five bytes", frame(SETTINGS, 0, 0, b"\0\3\0\0\0"), FRAME_SIZE_ERROR),
    case("9113 6.5", "an ACK of settings with some", settings((TABLE_SIZE, 1), flags=ACK), FRAME_SIZE_ERROR),
    case("9113 6.7", "PING of seven bytes", frame(PING, 0, 0, b"seven b"), FRAME_SIZE_ERROR),
    case("9113 6.7", "PING of nine bytes", frame(PING, 0, 0, b"nine byte"), FRAME_SIZE_ERROR),
    case("9113 6.8", "GOAWAY of seven bytes", frame(GOAWAY, 0, 0, b"\0" * 7), FRAME_SIZE_ERROR),
    case("9113 6.9", "WINDOW_UPDATE of three bytes", frame(WINDOW_UPDATE, 0, 0, b"\0\0\1"), FRAME_SIZE_ERROR),
    # Header blocks
    case("7541 2.3.3", "an index past both tables", frame(HEADERS, END_HEADERS | END_STREAM, 1, integer(200, 7, 128)),
         COMPRESSION_ERROR),
    case("7541 6.1", "index 0", frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x80"), COMPRESSION_ERROR),
    case("7541 5.1", "an integer without an end",
         frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff" + b"\x80" * 20 + b"\1"), COMPRESSION_ERROR),
    case("7541 5.2", "a literal that is cut off", frame(HEADERS, END_HEADERS | END_STREAM, 1, block(*GET) + b"\0\x05a"),
         COMPRESSION_ERROR),
    case("7541 5.2", "Huffman padding of eight bits",
         frame(HEADERS, END_HEADERS | END_STREAM, 1, block(*GET) + b"\0\x01a\x82\x1f\xff"), COMPRESSION_ERROR),
    case("7541 5.2", "Huffman padding of zeros",
         frame(HEADERS, END_HEADERS | END_STREAM, 1, block(*GET) + b"\0\x01a\x81\x18"), COMPRESSION_ERROR),
    case("7541 5.2", "the end of string within one",
         frame(HEADERS, END_HEADERS | END_STREAM, 1, block(*GET) + b"\0\x01a\x84\xff\xff\xff\xff"), COMPRESSION_ERROR),
    case("7541 4.2", "a change of the table behind a field",
         frame(HEADERS, END_HEADERS | END_STREAM, 1, block(*GET) + b"\x20"), COMPRESSION_ERROR),
    case("7541 6.3", "a table above what was allowed",
         frame(HEADERS, END_HEADERS | END_STREAM, 1, integer(1 << 20, 5, 32) + block(*GET)), COMPRESSION_ERROR),
    case("9113 4.3", "DATA within a header block", headers(1, *POST, flags=0) + frame(DATA, END_STREAM, 1)),
    case("9113 4.3", "PING within a header block", headers(1, *GET, flags=END_STREAM) + frame(PING, 0, 0, b"8 bytes.")),
    case("9113 4.3", "another stream within a header block", headers(1, *GET, flags=END_STREAM) + headers(3, *GET)),
    case("9113 4.3", "another stream's CONTINUATION",
         headers(1, *GET, flags=END_STREAM) + frame(CONTINUATION, END_HEADERS, 3)),
    case("9113 5.5", "a frame nobody knows within a header block", headers(1, *GET, flags=END_STREAM) + frame(0x99)),
    case("9113 6.10", "CONTINUATION of nothing", frame(CONTINUATION, END_HEADERS, 1, block(*GET))),
    case("9113 6.10", "CONTINUATION behind a whole block", OPEN_1 + frame(CONTINUATION, END_HEADERS, 1)),
    case("9113 6.10", "CONTINUATION of the connection",
         headers(1, *GET, flags=0) + frame(CONTINUATION, END_HEADERS, 0)),
    # Streams
    case("9113 5.1", "DATA on an idle stream", frame(DATA, END_STREAM, 1, b"a")),
    case("9113 5.1", "RST_STREAM of an idle stream", reset(1)),
    case("9113 5.1", "WINDOW_UPDATE of an idle stream", window_update(1, 1)),
    case("9113 5.1.1", "a stream with an even number", headers(2, *GET)),
    case("9113 6.1", "DATA of the connection", frame(DATA, 0, 0, b"a")),
    case("9113 6.1", "more padding than DATA", OPEN_1 + frame(DATA, PADDED | END_STREAM, 1, b"\x05abc")),
    case("9113 6.2", "HEADERS of the connection", headers(0, *GET)),
    case("9113 6.2", "more padding than HEADERS",
         frame(HEADERS, END_HEADERS | END_STREAM | PADDED, 1, b"\xff" + block(*GET))),
    case("9113 6.4", "RST_STREAM of the connection", reset(0)),
    # The connection
    case("9113 6.5", "settings of a stream", settings(stream=1)),
    case("9113 6.5.2", "ENABLE_PUSH of 2", settings((ENABLE_PUSH, 2))),
    case("9113 6.5.2", "INITIAL_WINDOW_SIZE of 2^31", settings((WINDOW_SIZE, 1 << 31)), FLOW_CONTROL_ERROR),
    case("9113 6.5.2", "MAX_FRAME_SIZE of 16,383", settings((FRAME_SIZE, 16_383))),
    case("9113 6.5.2", "MAX_FRAME_SIZE of 2^24", settings((FRAME_SIZE, 1 << 24))),
    case("9113 6.6", "PUSH_PROMISE of a client",
         OPEN_1 + frame(PUSH_PROMISE, END_HEADERS, 1, struct.pack("!I", 2) + block(*GET))),
    case("9113 6.7", "PING of a stream", frame(PING, 0, 1, b"8 bytes.")),
    case("9113 6.8", "GOAWAY of a stream", frame(GOAWAY, 0, 1, b"\0" * 8)),
    case("9113 6.9", "WINDOW_UPDATE by 0", window_update(0)),
    case("9113 6.9.1", "a window above 2^31", window_update((1 << 31) - 1), FLOW_CONTROL_ERROR),
]

# Errors of a stream, which may be taken for the connection's (section 5.4.2).
STREAM_ERRORS = [
    case("9113 4.2", "DATA above the largest frame", OPEN_1 + frame(DATA, END_STREAM, 1, b"a" * 16_385),
         FRAME_SIZE_ERROR),
    case("9113 5.1", "DATA behind the end of a stream", GET_1 + frame(DATA, END_STREAM, 1, b"a"), STREAM_CLOSED),
    case("9113 5.1", "HEADERS behind the end of a stream", GET_1 + headers(1, *GET), STREAM_CLOSED),
    case("9113 6.3", "PRIORITY of four bytes", OPEN_1 + frame(PRIORITY, 0, 1, b"\0\0\0\0"), FRAME_SIZE_ERROR),
    case("9113 6.9", "WINDOW_UPDATE of a stream by 0", OPEN_1 + window_update(0, 1)),
    case("9113 6.9.1", "a stream's window above 2^31", OPEN_1 + window_update((1 << 31) - 1, 1), FLOW_CONTROL_ERROR),
    # The RFC would have the whole connection end; nghttp2 resets the stream, which harms nobody else.
    case("9113 6.9.2", "settings that lift a window above 2^31",
         OPEN_1 + window_update((1 << 31) - 65_536, 1) + settings((WINDOW_SIZE, 65_536)), FLOW_CONTROL_ERROR),
]


def request(section, name, *fields):
    return case(section, name, headers(1, *fields))


def with_body(section, name, length, *pieces):
    """A POST that announces so many bytes and sends these."""
    frames = [frame(DATA, END_STREAM * (at == len(pieces) - 1), 1, piece) for at, piece in enumerate(pieces)]
    flags = END_HEADERS | END_STREAM * (not pieces)
    return case(section, name, headers(1, *POST, ("content-length", length), flags=flags) + b"".join(frames))


def trailers(section, name, *fields, flags=END_HEADERS | END_STREAM):
    return case(section, name, OPEN_1 + frame(DATA, 0, 1, b"a") + headers(1, *fields, flags=flags))


# Malformed requests (section 8.1.1): a stream error, before which 400 may be sent.
MALFORMED = [
    trailers("9113 8.1", "trailers that do not end the stream", ("x-t", "1"), flags=END_HEADERS),
    trailers("9113 8.1", "trailers with a pseudo-header", (":method", "GET")),
    with_body("9113 8.1.1", "a longer body than promised", "1", b"ab"),
    with_body("9113 8.1.1", "a shorter body than promised", "3", b"ab"),
    with_body("9113 8.1.1", "a longer body in pieces", "3", b"ab", b"cd"),
    with_body("9113 8.1.1", "no body where one was promised", "1"),
    with_body("9110 8.6", "a length that is no number", "a", b"a"),
    with_body("9110 8.6", "a negative length", "-1", b"a"),
    request("9113 8.2", "a name in upper case", *GET, ("X-A", "1")),
    request("9113 8.2.1", "a name with a space", *GET, ("x a", "1")),
    request("9113 8.2.1", "a name with a colon", *GET, ("x:a", "1")),
    request("9113 8.2.1", "a name with a control character", *GET, ("x\x01a", "1")),
    request("9113 8.2.1", "a name beyond ASCII", *GET, (b"x\xe4", "1")),
    request("9113 8.2.1", "an empty name", *GET, ("", "1")),
    request("9113 8.2.1", "a NUL in a value", *GET, ("x-a", "a\0b")),
    request("9113 8.2.1", "a line feed in a value", *GET, ("x-a", "a\nb")),
    request("9113 8.2.1", "a carriage return in a value", *GET, ("x-a", "a\rb")),
    request("9113 8.2.1", "a space before a value", *GET, ("x-a", " a")),
    request("9113 8.2.1", "a tab behind a value", *GET, ("x-a", "a\t")),
    request("9113 8.2.2", "connection", *GET, ("connection", "keep-alive")),
    request("9113 8.2.2", "keep-alive", *GET, ("keep-alive", "timeout=5")),
    request("9113 8.2.2", "proxy-connection", *GET, ("proxy-connection", "keep-alive")),
    request("9113 8.2.2", "transfer-encoding", *GET, ("transfer-encoding", "chunked")),
    request("9113 8.2.2", "upgrade", *GET, ("upgrade", "h2c")),
    request("9113 8.2.2", "another TE than trailers", *GET, ("te", "gzip")),
    request("9113 8.3", "an unknown pseudo-header", *GET, (":colour", "blue")),
    request("9113 8.3", "an answer's pseudo-header", *GET, (":status", "200")),
    request("9113 8.3", "a pseudo-header behind a field", METHOD, SCHEME, AUTHORITY, ("x-a", "1"), PATH),
    request("9113 8.3.1", "no method", SCHEME, PATH, AUTHORITY),
    request("9113 8.3.1", "no scheme", METHOD, PATH, AUTHORITY),
    request("9113 8.3.1", "no path", METHOD, SCHEME, AUTHORITY),
    request("9113 8.3.1", "an empty path", METHOD, SCHEME, (":path", ""), AUTHORITY),
    request("9113 8.3.1", "a path without a slash", METHOD, SCHEME, (":path", "kettle"), AUTHORITY),
    request("9113 8.3.1", "two methods", METHOD, *GET),
    request("9113 8.3.1", "two schemes", SCHEME, *GET),
    request("9113 8.3.1", "two paths", PATH, *GET),
    request("9113 8.3.1", "two authorities", AUTHORITY, *GET),
    request("9113 8.3.1", "two hosts", *GET, ("host", "localhost"), ("host", "other")),
    request("9113 8.5", "CONNECT with a path", (":method", "CONNECT"), SCHEME, PATH, AUTHORITY),
    request("9113 8.5", "CONNECT without an authority", (":method", "CONNECT")),
    request("9113 8.3.1", "neither authority nor host", METHOD, SCHEME, PATH),
]


# Errors


@pytest.mark.parametrize("case", CONNECTION_ERRORS, ids=str)
def test_an_error_of_the_connection_ends_it_and_says_why(http2_target, case):
    with http2_target.open() as wire:
        goodbye, _ = wire.send(case.sent).until(GOAWAY)
        assert goodbye.code in case.codes, goodbye.payload[8:]
        assert wire.has_ended()


@pytest.mark.parametrize("case", STREAM_ERRORS, ids=str)
def test_an_error_of_a_stream_ends_it_and_says_why(http2_target, case):
    with http2_target.open() as wire:
        end, _ = wire.send(case.sent).until(RST_STREAM, GOAWAY)
        assert end.code in case.codes
        if end.kind == RST_STREAM:
            assert wire.send(headers(7, *GET)).answer(7)[0] == 200, "the other streams must live on"


@pytest.mark.parametrize("case", MALFORMED, ids=str)
def test_a_malformed_request_is_refused_and_the_others_live_on(http2_target, case):
    with http2_target.open() as wire:
        end, _ = wire.send(case.sent).until(RST_STREAM, GOAWAY, HEADERS)
        if end.kind == HEADERS:
            assert dict(wire.fields(end))[":status"] == "400"
        else:
            assert end.code == PROTOCOL_ERROR
        if end.kind != GOAWAY:
            assert wire.send(headers(7, *GET)).answer(7)[0] == 200


STARTS = {
    "another preface": PREFACE[:-4] + b"XX\r\n" + settings() + GET_1,
    "zeros": b"\0" * 24 + settings() + GET_1,
    "PING first": PREFACE + frame(PING, 0, 0, b"8 bytes.") + GET_1,
    "HEADERS first": PREFACE + GET_1,
    "an ACK first": PREFACE + settings(flags=ACK) + GET_1,
}


@pytest.mark.parametrize("name", STARTS)
def test_a_connection_begins_with_the_preface_and_settings(http2_target, name):
    """Section 3.4, where GOAWAY is optional. Without TLS, another preface is malformed HTTP/1.1."""
    with http2_target.open(greets=False) as wire:
        received = wire.send(STARTS[name]).rest()
    if received.startswith(b"HTTP/1.1"):
        assert received[9:12] in (b"400", b"505"), received
    else:
        assert kinds(received) <= {SETTINGS, WINDOW_UPDATE, GOAWAY}


def kinds(received):
    """The types of the frames in these bytes."""
    found, at = set(), 0
    while at + 9 <= len(received):
        found.add(received[at + 3])
        at += 9 + int.from_bytes(received[at:at + 3], "big")
    return found


# Valid input


IN_PIECES = "9113 4.3 a header block in pieces"
READ = {
    "9113 4.1 flags nobody knows": headers(1, *GET, flags=END_HEADERS | END_STREAM | 0xC2),
    "9113 4.1 the reserved bit": frame(HEADERS, END_HEADERS | END_STREAM, 1 | 1 << 31, block(*GET)),
    IN_PIECES: (
        frame(HEADERS, END_STREAM, 1, block(*GET)[:7]) + frame(CONTINUATION, 0, 1, block(*GET)[7:20])
        + frame(CONTINUATION, 0, 1) + frame(CONTINUATION, END_HEADERS, 1, block(*GET)[20:])),
    "9113 5.5 frames nobody knows": frame(0x99, 0xFF, 0, b"?") + frame(0x98, 0xFF, 1, b"?") + GET_1,
    "9113 6.2 padding": frame(
        HEADERS, END_HEADERS | END_STREAM | PADDED, 1, b"\x05" + block(*GET) + b"\0" * 5),
    "9113 6.2 priority": frame(
        HEADERS, END_HEADERS | END_STREAM | PRIORITISED, 1, b"\0\0\0\x03\xff" + block(*GET)),
    "9113 6.2 padding and priority": frame(
        HEADERS, END_HEADERS | END_STREAM | PADDED | PRIORITISED, 1, b"\x03\x80\0\0\0\xff" + block(*GET) + b"\0\0\0"),
    "9113 6.3 PRIORITY of idle streams": frame(PRIORITY, 0, 3, b"\0\0\0\0\x10") + GET_1,
    "9113 6.5.2 settings nobody knows": settings((99, 7), (0xFFFF, 0)) + GET_1,
    "9113 6.5.3 the last of equal settings": settings((WINDOW_SIZE, 0), (WINDOW_SIZE, 65_535)) + GET_1,
    "9113 6.7 an ACK nobody asked for": frame(PING, ACK, 0, b"8 bytes.") + GET_1,
    "9113 8.2.2 TE of trailers": headers(1, *GET, ("te", "trailers")),
    "9113 8.2.3 cookies in pieces": headers(1, *GET, ("cookie", "a=b"), ("cookie", "c=d")),
    "9113 8.3.1 a host instead of the authority": headers(1, METHOD, SCHEME, PATH, ("host", "localhost")),
    "9113 8.3.1 pseudo-headers in any order": headers(1, *GET[::-1]),
    "7541 4.2 a smaller table": frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x20" + block(*GET)),
    "7541 6.2.1 fields for the table": frame(HEADERS, END_HEADERS | END_STREAM, 1, block(*GET, first=0x40)),
    "7541 6.1 fields of the static table": frame(
        HEADERS, END_HEADERS | END_STREAM, 1, b"\x82\x87" + block(PATH, AUTHORITY)),
}


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("cut", ["whole", "bytes"])
def test_an_unusual_request_is_answered(http2_target, name, cut):
    sent = READ[name]
    # Debian's nghttp2 counts every read within a CONTINUATION's header as another frame, and allows eight.
    size = len(sent) if cut == "whole" else 9 if name == IN_PIECES else 1
    with http2_target.open() as wire:
        for at in range(0, len(sent), size):
            wire.send(sent[at:at + size])
        status, fields, body = wire.answer(1)
    assert status == 200 and len(body) == int(dict(fields)["content-length"])


@pytest.mark.parametrize("end", [
    frame(DATA, END_STREAM, 1, b"abcd"), frame(DATA, 0, 1, b"ab") + frame(DATA, END_STREAM, 1, b"cd"),
    frame(DATA, 0, 1) + frame(DATA, 0, 1, b"abcd") + frame(DATA, END_STREAM, 1),
    frame(DATA, END_STREAM | PADDED, 1, b"\x03abcd\0\0\0"),
    frame(DATA, 0, 1, b"abcd") + headers(1, ("x-t", "1")),
], ids=["whole", "pieces", "empty pieces", "padded", "trailers"])
def test_a_body_is_read_however_it_comes(http2_target, end):
    """Sections 6.1 and 8.1: without its padding it has the announced length."""
    with http2_target.open() as wire:
        wire.send(headers(1, *POST, ("content-length", "4"), flags=END_HEADERS), end)
        assert wire.answer(1)[0] == 400
        assert wire.send(headers(3, *GET)).answer(3)[0] == 200


@pytest.mark.parametrize("late", [reset(1), window_update(1, 1), frame(PRIORITY, 0, 1, b"\0\0\0\0\x10")],
                         ids=["RST_STREAM", "WINDOW_UPDATE", "PRIORITY"])
def test_what_comes_late_for_a_closed_stream_is_ignored(http2_target, late):
    """Section 5.1: it may have been sent before the stream ended."""
    with http2_target.open() as wire:
        assert wire.send(GET_1).answer(1)[0] == 200
        wire.send(late)
        assert wire.send(headers(3, *GET)).answer(3)[0] == 200


def test_a_priority_of_the_connection_is_an_error(http2_target):
    """Section 6.3."""
    with http2_target.open() as wire:
        wire.send(frame(PRIORITY, 0, 0, b"\0\0\0\x03\x10"), frame(PING, 0, 0, b"8 bells."))
        assert wire.until(PING, GOAWAY)[0].code == PROTOCOL_ERROR


def test_an_error_nobody_knows_is_nothing_special(http2_target):
    """Section 7."""
    with http2_target.open() as wire:
        wire.send(OPEN_1, reset(1, 0xABCD))
        assert wire.send(headers(3, *GET)).answer(3)[0] == 200


@pytest.mark.parametrize("stream, late, codes", [
    (5, headers(5, *GET), (STREAM_CLOSED, PROTOCOL_ERROR)), (5, frame(DATA, END_STREAM, 5, b"a"), (STREAM_CLOSED,)),
    (3, headers(3, *GET), (STREAM_CLOSED, PROTOCOL_ERROR))], ids=["HEADERS", "DATA", "HEADERS of one left out"])
def test_a_stream_that_was_closed_takes_nothing_more(http2_target, stream, late, codes):
    """Sections 5.1 and 5.1.1: a number is used once, and those below it are closed. nghttp2 ignores frames there, where
    the RFC would end the connection; the test only requires that nothing is answered."""
    with http2_target.open() as wire:
        assert wire.send(headers(5, *GET)).answer(5)[0] == 200
        wire.send(late, frame(PING, 0, 0, b"8 bells."))
        found, _ = wire.until(PING, GOAWAY, RST_STREAM, HEADERS)
        assert found.kind != HEADERS, f"stream {stream} was answered twice"
        assert found.kind == PING or found.code in codes
