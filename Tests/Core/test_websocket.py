"""The hub's WebSocket (RFC 6455): with a library, and with bare frames for protocol violations."""

import base64
import json
import os
import struct

import pytest
from websockets.exceptions import ConnectionClosed

from frames import BINARY, CLOSE, CONTINUED, PATH, PING_FRAME, PONG_FRAME, TEXT, RawSocket, frame
from live import listening, opened
from toy import CHANNEL, KETTLE
from wire import Wire, get

PING = json.dumps({"event": "pusher:ping", "data": {}}).encode()
# Bytes of a message before signing in, and messages that may come at once.
LIMIT = 4096
BURST = 40


def test_a_ping_is_answered_with_its_own_payload(hub):
    with opened(hub) as listener:
        assert listener.socket.ping("are you there?").wait(10)


def test_a_message_may_come_in_fragments_with_a_ping_between_them(hub):
    with RawSocket(hub) as socket:
        socket.wire.send(
            frame(TEXT, PING[:3], final=False), frame(CONTINUED, b"", final=False), frame(PING_FRAME, b"!"),
            frame(CONTINUED, PING[3:]))
        assert socket.next() == (PONG_FRAME, b"!")
        assert json.loads(socket.next()[1])["event"] == "pusher:pong"


def test_frames_may_be_cut_anywhere(hub):
    sent = frame(TEXT, PING) + frame(TEXT, PING + b" " * 200) + frame(PING_FRAME, b"x" * 125)
    with RawSocket(hub) as socket:
        socket.wire.send(*(sent[at:at + 1] for at in range(len(sent))))
        assert [socket.next()[0] for _ in range(3)] == [TEXT, TEXT, PONG_FRAME]


def test_many_messages_in_one_segment_are_all_answered(hub):
    with RawSocket(hub) as socket:
        socket.wire.send(frame(TEXT, PING) * BURST)
        assert {json.loads(socket.next()[1])["event"] for _ in range(BURST)} == {"pusher:pong"}


@pytest.mark.parametrize("flood", [frame(TEXT, PING), frame(PING_FRAME, b"!"), frame(PONG_FRAME)],
                         ids=["text", "ping", "pong"])
def test_who_says_too_much_is_sent_away(hub, flood):
    with RawSocket(hub) as socket:
        socket.wire.send(flood * 200)
        answers = 0
        while (answer := socket.next())[0] != CLOSE:
            answers += 1
        assert struct.unpack("!H", answer[1][:2])[0] == 1008
        # The burst, and those for the seconds of a slow machine.
        assert answers <= BURST + 20
        assert socket.wire.has_ended()


def test_a_message_right_behind_the_handshake_is_not_lost(hub):
    key = base64.b64encode(os.urandom(16)).decode()
    with Wire(hub) as wire:
        wire.send(get(
            PATH, "Upgrade: WebSocket", "Connection: upgrade", "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}") + frame(TEXT, PING))
        assert wire.answer()[0] == 101
        received = wire._unread
        while b"pusher:pong" not in received:
            received += wire._read() or pytest.fail(f"ended after {received!r}")


def test_an_unsolicited_pong_is_nothing_to_worry_about(hub):
    with RawSocket(hub) as socket:
        socket.wire.send(frame(PONG_FRAME, b"beat"), frame(TEXT, PING))
        assert socket.next()[0] == TEXT


WRONG = {
    "an unmasked frame": (frame(TEXT, PING, masked=False), 1002),
    "a reserved bit": (frame(TEXT, PING, reserved=4), 1002),
    "an unknown opcode": (frame(3, b""), 1002),
    "an unknown control opcode": (frame(11, b""), 1002),
    "a long ping": (frame(PING_FRAME, b"x" * 126), 1002),
    "a ping in fragments": (frame(PING_FRAME, b"x", final=False), 1002),
    "a continuation of nothing": (frame(CONTINUED, b"x"), 1002),
    "a message inside another": (frame(TEXT, b"a", final=False) + frame(TEXT, b"b"), 1002),
    "half a close code": (frame(CLOSE, b"\x03"), 1002),
    "a close code that is never sent": (frame(CLOSE, struct.pack("!H", 1006)), 1002),
    "a close code of nobody": (frame(CLOSE, struct.pack("!H", 2999)), 1002),
    "a close reason that is no UTF-8": (frame(CLOSE, struct.pack("!H", 1000) + b"\xff"), 1007),
    "text that is no UTF-8": (frame(TEXT, b'{"event": "\xc3\x28"}'), 1007),
    "a surrogate": (frame(TEXT, b"\xed\xa0\x80"), 1007),
    "text cut within a character": (frame(TEXT, "ä".encode()[:1]), 1007),
    "binary data": (frame(BINARY, b"abc"), 1003),
    "a message above 4 KB": (frame(TEXT, b"x" * (LIMIT + 1)), 1009),
    "a message announced above all memory": (frame(TEXT, b"", length=1 << 62), 1009),
    "fragments above 4 KB together": (
        frame(TEXT, b"x" * 3_000, final=False) + frame(CONTINUED, b"x" * 3_000), 1009),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_frame_ends_the_connection_with_its_code(lasting_hub, name):
    sent, code = WRONG[name]
    with RawSocket(lasting_hub) as socket:
        socket.wire.send(sent)
        assert socket.closing() == code


def test_a_message_of_exactly_4_kilobytes_is_read(hub):
    with opened(hub) as listener:
        listener.expect("pusher:connection_established")
        listener.socket.send(PING.decode() + " " * (LIMIT - len(PING)))
        listener.expect("pusher:pong")


@pytest.mark.parametrize("sent, answered", [
    (b"", 1000), (struct.pack("!H", 1000) + b"bye", 1000), (struct.pack("!H", 1001), 1001),
    (struct.pack("!H", 4321) + "tschüss".encode(), 4321)])
def test_a_goodbye_is_answered_with_the_same_code(lasting_hub, sent, answered):
    with RawSocket(lasting_hub) as socket:
        socket.wire.send(frame(CLOSE, sent))
        assert socket.closing() == answered


@pytest.mark.parametrize("fields", [
    [],
    ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"],
    ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 8", "Sec-WebSocket-Key: " + "A" * 22 + "=="],
    ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: short"],
    ["Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + "A" * 22 + "=="],
])
def test_a_request_that_asks_wrongly_is_told_to_upgrade(lasting_hub, fields):
    with Wire(lasting_hub) as wire:
        status, answered, _ = wire.send(get(PATH, *fields)).error()
        assert (status, answered["upgrade"]) == (426, "websocket")
        assert wire.send(get(KETTLE)).answer()[0] == 200


def test_a_key_is_answered_as_rfc_6455_says(hub):
    """The example of RFC 6455 section 1.3."""
    with Wire(hub) as wire:
        wire.send(get(
            PATH, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="))
        status, fields, _ = wire.answer()
    assert (status, fields["sec-websocket-accept"]) == (101, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")


def test_a_hub_that_stops_says_so_and_asks_to_come_back(hub):
    with listening(hub, CHANNEL) as listener:
        assert hub.stop() == 0
        with pytest.raises(ConnectionClosed) as closed:
            listener.socket.recv(10)
        assert closed.value.rcvd.code == 4200
