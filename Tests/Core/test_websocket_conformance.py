"""The hub's WebSocket, case by case as in the RFCs, in the manner of the Autobahn test suite. Each case names its
section: of RFC 6455, or of RFC 7692 for compression.

The hub has no echo. The closest is its answer to an unknown event, which names the event: it shows how a text was read,
whatever its characters, fragments and compression.
"""

import base64
import json
import os
import struct
import zlib

import pytest
from websockets.sync.client import connect

from frames import BINARY, CLOSE, CONTINUED, PATH, PING_FRAME, PONG_FRAME, TEXT, RawSocket, frame
from wire import Wire, get

# Bytes of a message before signing in.
LIMIT = 4096
DEFLATE = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"


class Deflated(RawSocket):
    """A connection with compression."""

    def __init__(self, hub, offer="permessage-deflate", answer=DEFLATE):
        self.wire = Wire(hub)
        status, fields = upgrade(self.wire, f"Sec-WebSocket-Extensions: {offer}")
        assert (status, fields.get("sec-websocket-extensions")) == (101, answer)
        assert json.loads(self.next()[1])["event"] == "pusher:connection_established"

    def next(self):
        """As the base class, but what the hub sends may be compressed."""
        first, second = self.wire._take(2)
        assert first & 0x30 == 0 and first & 0x80 and second < 128
        size = second
        if size == 126:
            size, = struct.unpack("!H", self.wire._take(2))
        elif size == 127:
            size, = struct.unpack("!Q", self.wire._take(8))
        payload = self.wire._take(size)
        if first & 0x40:
            assert first & 15 in (TEXT, BINARY), "control frames are never compressed"
            payload = zlib.decompressobj(-15).decompress(payload + b"\0\0\xff\xff")
        return first & 15, payload


def upgrade(wire, *fields):
    key = base64.b64encode(os.urandom(16)).decode()
    status, answered, _ = wire.send(get(
        PATH, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}",
        *fields)).answer()
    return status, answered


def event(name):
    return json.dumps({"event": name}, ensure_ascii=False).encode()


def echo(socket):
    """The name of the unknown event in the hub's answer."""
    opcode, payload = socket.next()
    assert opcode == TEXT, (opcode, payload)
    message = json.loads(payload)["data"]["message"]
    assert message.startswith("The event ") and message.endswith(" is unknown."), message
    return message[len("The event "):-len(" is unknown.")]


def flushed(*parts, bits=15, level=9, end=zlib.Z_SYNC_FLUSH):
    """Parts compressed one after the other, each with the window of those before."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, -bits)
    return [compressor.compress(part) + compressor.flush(end) for part in parts]


def deflated(*parts, **options):
    """A message's payload, encoded by RFC 7692 section 7.2.1."""
    payload = b"".join(flushed(*parts, **options))
    assert payload.endswith(b"\0\0\xff\xff")
    return payload[:-4]


# --- Valid messages

HELLO = event("hello")
LONG = event("x" * 1000)
TEXTS = ["ascii", "κόσμε", "\u0080\u07ff\u0800\ud7ff\ue000\ufffd", "\U00010000\U0010ffff", "\ufeff", "\u2028 a b"]

GOOD = {
    # name: (section, frames, names of the events that are understood)
    "a text in one frame": ("5.6", [frame(TEXT, HELLO)], ["hello"]),
    "a text with a length in two bytes": ("5.2", [frame(TEXT, LONG)], ["x" * 1000]),
    "a text in two frames": ("5.4", [frame(TEXT, HELLO[:4], final=False), frame(CONTINUED, HELLO[4:])], ["hello"]),
    "a text in frames of one byte": (
        "5.4", [frame(TEXT, HELLO[:1], final=False)]
        + [frame(CONTINUED, HELLO[at:at + 1], final=False) for at in range(1, len(HELLO))]
        + [frame(CONTINUED)], ["hello"]),
    "empty frames around a text": (
        "5.4", [frame(TEXT, final=False), frame(CONTINUED, HELLO, final=False), frame(CONTINUED)], ["hello"]),
    "a ping within a text": (
        "5.4", [frame(TEXT, HELLO[:4], final=False), frame(PING_FRAME, b"?"), frame(CONTINUED, HELLO[4:])],
        [b"?", "hello"]),
    "a ping without a payload": ("5.5.2", [frame(PING_FRAME), frame(TEXT, HELLO)], [b"", "hello"]),
    "a ping of 125 bytes, not all of them text": ("5.5.2", [frame(PING_FRAME, b"\xfe" * 125)], [b"\xfe" * 125]),
    "ten pings at once": ("5.5.3", [frame(PING_FRAME, bytes([at])) for at in range(10)],
                          [bytes([at]) for at in range(10)]),
    "a pong that nobody asked for": ("5.5.3", [frame(PONG_FRAME, b"!"), frame(TEXT, HELLO)], ["hello"]),
    **{f"the text {text!r}": ("8.1", [frame(TEXT, event(text))], [text]) for text in TEXTS},
    **{f"the text {text!r}, cut between its bytes": (
        "8.1", [frame(TEXT, event(text)[:1], final=False)]
        + [frame(CONTINUED, event(text)[at:at + 1], final=False) for at in range(1, len(event(text)))]
        + [frame(CONTINUED)], [text]) for text in TEXTS},
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("cut", ["whole", "byte by byte"])
def test_what_is_right_is_understood(lasting_hub, name, cut):
    section, frames, expected = GOOD[name]
    sent = b"".join(frames)
    with RawSocket(lasting_hub) as socket:
        socket.wire.send(*([sent] if cut == "whole" else [sent[at:at + 1] for at in range(len(sent))]))
        for item in expected:
            if isinstance(item, bytes):
                assert socket.next() == (PONG_FRAME, item), f"RFC 6455 section {section}"
            else:
                assert echo(socket) == item, f"RFC 6455 section {section}"


# --- Refused messages


def raw(*bytes_):
    return bytes(bytes_)


def close(code, reason=b""):
    return frame(CLOSE, struct.pack("!H", code) + reason)


BAD = {
    # name: (section, bytes, close code)
    "RSV1 without an extension": ("5.2", frame(TEXT, HELLO, reserved=4), 1002),
    "RSV2": ("5.2", frame(TEXT, HELLO, reserved=2), 1002),
    "RSV3": ("5.2", frame(TEXT, HELLO, reserved=1), 1002),
    "RSV3 on a ping": ("5.2", frame(PING_FRAME, reserved=1), 1002),
    "RSV2 on a close": ("5.2", frame(CLOSE, reserved=2), 1002),
    "no mask": ("5.1", frame(TEXT, HELLO, masked=False), 1002),
    "no mask on a close": ("5.1", frame(CLOSE, masked=False), 1002),
    **{f"opcode {code}": ("5.2", frame(code), 1002) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    "a length of two bytes that needs one": ("5.2", raw(0x81, 0xfe, 0, 125, 0, 0, 0, 0) + b" " * 125, 1002),
    "a length of eight bytes that needs two": (
        "5.2", raw(0x81, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0), 1002),
    "a length with its highest bit": ("5.2", raw(0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0), 1009),
    "a ping of 126 bytes": ("5.5", frame(PING_FRAME, b"x" * 126), 1002),
    "a close of 126 bytes": ("5.5", frame(CLOSE, struct.pack("!H", 1000) + b"x" * 124), 1002),
    "a ping in fragments": ("5.5", frame(PING_FRAME, b"x", final=False) + frame(CONTINUED), 1002),
    "a continuation of nothing": ("5.4", frame(CONTINUED, b"x"), 1002),
    "a continuation of nothing, unfinished": ("5.4", frame(CONTINUED, b"x", final=False), 1002),
    "a continuation after a complete text": (
        "5.4", frame(TEXT, HELLO, final=False) + frame(CONTINUED) + frame(CONTINUED), 1002),
    "a text within a text": ("5.4", frame(TEXT, b"a", final=False) + frame(TEXT, b"b"), 1002),
    "binary within a text": ("5.4", frame(TEXT, b"a", final=False) + frame(BINARY, b"b"), 1002),
    "a text cut within a character": ("8.1", frame(TEXT, "κ".encode()[:1]), 1007),
    "a text in fragments, cut within a character": (
        "8.1", frame(TEXT, "κ".encode()[:1], final=False) + frame(CONTINUED), 1007),
    **{f"no UTF-8: {text.hex()}": ("8.1", frame(TEXT, text), 1007) for text in (
        b"\x80", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xff",
        b"\xed\xa0\x80\xed\xb0\x80", b"ok then \xfe")},
    "a close of one byte": ("5.5.1", frame(CLOSE, b"\x03"), 1002),
    "a close reason that is no UTF-8": ("5.5.1", close(1000, b"\xce\xba\xe1"), 1007),
    **{f"close code {code}": ("7.4", close(code), 1002) for code in (
        0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535)},
    "binary data, which no channel takes": ("7.4.1", frame(BINARY, b"x"), 1003),
    "a text above the limit": ("7.4.1", frame(TEXT, b"x" * (LIMIT + 1)), 1009),
    "a text above the limit in fragments": (
        "7.4.1", frame(TEXT, b"x" * LIMIT, final=False) + frame(CONTINUED, b"x"), 1009),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_ends_the_connection_with_its_code(lasting_hub, name):
    section, sent, code = BAD[name]
    with RawSocket(lasting_hub) as socket:
        socket.wire.send(sent)
        assert_closing(socket, code, f"RFC 6455 section {section}")


def assert_closing(socket, code, section):
    """The close frame comes next, or after the answer to the valid part before."""
    while True:
        opcode, payload = socket.next()
        if opcode == CLOSE:
            break
        assert opcode == TEXT, opcode
    payload[2:].decode()
    assert struct.unpack("!H", payload[:2])[0] == code, section
    assert socket.wire.has_ended()


@pytest.mark.parametrize("start", [b"\xff", b"good so far \xf4\x90", b"\xe0\x9f"])
@pytest.mark.parametrize("how", ["an unfinished frame", "an unfinished message"])
def test_a_text_that_cannot_become_utf_8_is_refused_before_its_end(lasting_hub, start, how):
    """RFC 6455 section 8.1; nothing more is sent or read."""
    with RawSocket(lasting_hub) as socket:
        if how == "an unfinished message":
            socket.wire.send(frame(TEXT, start, final=False))
        else:
            socket.wire.send(frame(TEXT, start + b" and more")[:-9])
        assert_closing(socket, 1007, "RFC 6455 section 8.1")


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1014, 3000, 3999, 4000,
                                  4999])
def test_a_close_is_answered_with_its_code(lasting_hub, code):
    """RFC 6455 section 5.5.1."""
    with RawSocket(lasting_hub) as socket:
        socket.wire.send(close(code, "tschüss".encode()))
        assert socket.closing() == code


def test_nothing_behind_a_close_is_read(lasting_hub):
    """RFC 6455 section 5.5.1."""
    with RawSocket(lasting_hub) as socket:
        socket.wire.send(close(1000) + frame(TEXT, HELLO) + frame(PING_FRAME))
        assert socket.closing() == 1000


# --- The handshake

HANDSHAKES = {
    # name: (section, fields, status)
    "names in any case": ("4.2.1", {"Upgrade": "WebSocket", "Connection": "keep-alive, upgrade"}, 101),
    "no Upgrade": ("4.2.1", {"Upgrade": None}, 426),
    "another Upgrade": ("4.2.1", {"Upgrade": "h2c"}, 426),
    "no Connection": ("4.2.1", {"Connection": None}, 426),
    "no key": ("4.2.1", {"Sec-WebSocket-Key": None}, 426),
    "a short key": ("4.2.1", {"Sec-WebSocket-Key": "AAAA"}, 426),
    "a key that is no Base64": ("4.2.1", {"Sec-WebSocket-Key": "!" * 22 + "=="}, 426),
    "no version": ("4.2.1", {"Sec-WebSocket-Version": None}, 426),
    "an old version": ("4.4", {"Sec-WebSocket-Version": "8"}, 426),
    "extensions that are no list": ("9.1", {"Sec-WebSocket-Extensions": "permessage-deflate; ="}, 426),
    "an extension of nobody": ("9.1", {"Sec-WebSocket-Extensions": "x-nobody; a=\"b\""}, 101),
}


@pytest.mark.parametrize("name", HANDSHAKES)
def test_a_handshake_is_answered_by_section_4(lasting_hub, name):
    section, changes, expected = HANDSHAKES[name]
    fields = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} | changes
    with Wire(lasting_hub) as wire:
        wire.send(get(PATH, *(f"{name}: {value}" for name, value in fields.items() if value is not None)))
        status, answered, _ = wire.answer()
    assert status == expected, f"RFC 6455 section {section}"
    if status == 101:
        assert answered["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        assert "sec-websocket-extensions" not in answered
    else:
        assert answered["sec-websocket-version"] == "13", "RFC 6455 section 4.4"


# --- Compression (RFC 7692)

WINDOW = DEFLATE + "; server_max_window_bits=12"
OFFERS = [
    # section, offer, answer
    ("7.1", "permessage-deflate", DEFLATE),
    ("7.1.1", "permessage-deflate; server_no_context_takeover; client_no_context_takeover", DEFLATE),
    ("7.1.2.1", "permessage-deflate; server_max_window_bits=15", WINDOW),
    ("7.1.2.1", "permessage-deflate; server_max_window_bits=12", WINDOW),
    ("7.1.2.1", "permessage-deflate; server_max_window_bits=9", None),
    ("7.1.2.1", "permessage-deflate; server_max_window_bits", None),
    ("7.1.2.1", "permessage-deflate; server_max_window_bits=16", None),
    ("7.1.2.2", "permessage-deflate; client_max_window_bits", DEFLATE),
    ("7.1.2.2", "permessage-deflate; client_max_window_bits=8", DEFLATE),
    ("7.1.2.2", "permessage-deflate; client_max_window_bits=7", None),
    ("7", "permessage-deflate; nonsense", None),
    ("7", "permessage-deflate; client_no_context_takeover; client_no_context_takeover", None),
    ("5.1", "permessage-deflate; server_max_window_bits=8, permessage-deflate", DEFLATE),
    ("5.1", "x-webkit-deflate-frame, permessage-deflate", DEFLATE),
]


@pytest.mark.parametrize("section, offer, answer", OFFERS)
def test_an_offer_of_compression_is_answered(lasting_hub, section, offer, answer):
    with Deflated(lasting_hub, offer, answer) as socket:
        socket.wire.send(frame(TEXT, HELLO))
        assert echo(socket) == "hello", f"RFC 7692 section {section}"


def stored(text):
    return raw(0, len(text), 0, len(text) ^ 255, 255) + text + raw(0)


PRESS = {
    # name: (section, frames, names of the events that are understood)
    "a compressed text": ("7.2.3.1", [frame(TEXT, deflated(HELLO), reserved=4)], ["hello"]),
    "two alike, each by itself": ("7.1.1.2", [frame(TEXT, deflated(HELLO), reserved=4)] * 2, ["hello"] * 2),
    "a plain text between": (
        "6", [frame(TEXT, deflated(HELLO), reserved=4), frame(TEXT, event("plain")),
              frame(TEXT, deflated(HELLO), reserved=4)], ["hello", "plain", "hello"]),
    "fragments, cut anywhere": (
        "6.1", [frame(TEXT, deflated(LONG)[:1], final=False, reserved=4), frame(PING_FRAME, b"?"),
                frame(CONTINUED, deflated(LONG)[1:9], final=False), frame(CONTINUED, deflated(LONG)[9:])],
        [b"?", "x" * 1000]),
    "a block that is not compressed": ("7.2.3.3", [frame(TEXT, stored(HELLO), reserved=4)], ["hello"]),
    "a block that says it is the last": (
        "7.2.3.4", [frame(TEXT, flushed(HELLO, end=zlib.Z_FINISH)[0] + b"\0", reserved=4)], ["hello"]),
    "two blocks": ("7.2.3.5", [frame(TEXT, deflated(HELLO[:5], HELLO[5:]), reserved=4)], ["hello"]),
    "a small window": ("7.1.2.2", [frame(TEXT, deflated(LONG, bits=9), reserved=4)], ["x" * 1000]),
    "no compression at all": ("7.2.1", [frame(TEXT, deflated(LONG, level=0), reserved=4)], ["x" * 1000]),
    **{f"the text {text!r}": ("6", [frame(TEXT, deflated(event(text)), reserved=4)], [text]) for text in TEXTS},
}


@pytest.mark.parametrize("name", PRESS)
@pytest.mark.parametrize("cut", ["whole", "byte by byte"])
def test_what_is_compressed_is_understood(lasting_hub, name, cut):
    section, frames, expected = PRESS[name]
    sent = b"".join(frames)
    with Deflated(lasting_hub) as socket:
        socket.wire.send(*([sent] if cut == "whole" else [sent[at:at + 1] for at in range(len(sent))]))
        for item in expected:
            if isinstance(item, bytes):
                assert socket.next() == (PONG_FRAME, item), f"RFC 7692 section {section}"
            else:
                assert echo(socket) == item, f"RFC 7692 section {section}"


SPOILT = {
    # name: (section, bytes, close code)
    "RSV1 on a ping": ("6", frame(PING_FRAME, reserved=4), 1002),
    "RSV1 on a close": ("6", frame(CLOSE, reserved=4), 1002),
    "RSV1 on a continuation": (
        "6", frame(TEXT, deflated(HELLO)[:3], final=False, reserved=4)
        + frame(CONTINUED, deflated(HELLO)[3:], reserved=4), 1002),
    "RSV1 on the end of a plain message": (
        "6", frame(TEXT, HELLO, final=False) + frame(CONTINUED, deflated(HELLO), reserved=4), 1002),
    "RSV1 and RSV2": ("6", frame(TEXT, deflated(HELLO), reserved=6), 1002),
    "no DEFLATE": ("7.2.2", frame(TEXT, b"\xff\xff\xff", reserved=4), 1007),
    "nothing": ("7.2.3.6", frame(TEXT, b"", reserved=4), 1007),
    "cut off": ("7.2.2", frame(TEXT, deflated(LONG)[:-3], reserved=4), 1007),
    "a reference before the beginning": ("7.2.2", frame(TEXT, b"\x02\x07", reserved=4), 1007),
    "the context of the message before": (
        "7.1.1.2", b"".join(frame(TEXT, part[:-4], reserved=4) for part in flushed(LONG, LONG)), 1007),
    "compressed, and no UTF-8": ("6", frame(TEXT, deflated(b"\xff" * 10), reserved=4), 1007),
    "a bomb of 50 MB": ("8", frame(TEXT, deflated(b" " * (50 << 20)), reserved=4), 1009),
    "one byte above the limit": ("8", frame(TEXT, deflated(b" " * (LIMIT + 1)), reserved=4), 1009),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_breaks_compression_ends_the_connection(lasting_hub, name):
    section, sent, code = SPOILT[name]
    with Deflated(lasting_hub) as socket:
        socket.wire.send(sent)
        assert_closing(socket, code, f"RFC 7692 section {section}")


def test_a_message_of_4_kilobytes_may_be_compressed(lasting_hub):
    """RFC 7692 section 6; the limit applies to the message, not to its compressed form."""
    payload = HELLO + b" " * (LIMIT - len(HELLO))
    with Deflated(lasting_hub) as socket:
        for level in (9, 0):
            socket.wire.send(frame(TEXT, deflated(payload, level=level), reserved=4))
        assert [echo(socket), echo(socket)] == ["hello", "hello"]


@pytest.mark.parametrize("compression", ["deflate", None])
def test_somebody_elses_client_is_understood_with_and_without_compression(lasting_hub, compression):
    url = lasting_hub.url.replace("http", "ws") + PATH
    with connect(url, compression=compression) as socket:
        assert json.loads(socket.recv(10))["event"] == "pusher:connection_established"
        for size in (1, 100, 1_000):
            socket.send(event("ä" * size).decode())
            assert json.loads(socket.recv(10))["data"]["message"] == f"The event {'ä' * size} is unknown."
        extensions = [extension.name for extension in socket.protocol.extensions]
        assert extensions == (["permessage-deflate"] if compression else [])
