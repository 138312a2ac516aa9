"""WebSocket frames made by hand, valid or invalid (RFC 6455 section 5)."""

import base64
import json
import os
import struct

from wire import Wire, get

PATH = "/app/eightbells?protocol=7"
TEXT, BINARY, CLOSE, PING_FRAME, PONG_FRAME, CONTINUED = 1, 2, 8, 9, 10, 0


def frame(opcode, payload=b"", final=True, masked=True, reserved=0, length=None):
    """A client's frame, valid or invalid."""
    head = bytes([final << 7 | reserved << 4 | opcode])
    size = len(payload) if length is None else length
    mask_bit = masked << 7
    if size < 126:
        head += bytes([mask_bit | size])
    elif size < 65_536:
        head += bytes([mask_bit | 126]) + struct.pack("!H", size)
    else:
        head += bytes([mask_bit | 127]) + struct.pack("!Q", size)
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))


class RawSocket:
    """An upgraded connection that reads the hub's frames."""

    def __init__(self, hub, *fields):
        self.wire = Wire(hub)
        key = base64.b64encode(os.urandom(16)).decode()
        self.wire.send(get(
            PATH, "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}", *fields))
        assert self.wire.answer()[0] == 101
        assert json.loads(self.next()[1])["event"] == "pusher:connection_established"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.wire.socket.close()

    def next(self):
        """Opcode and payload of the next frame, which a server never masks nor fragments."""
        first, second = self.wire._take(2)
        assert first & 0xF0 == 0x80 and second < 128
        size = second
        if size == 126:
            size, = struct.unpack("!H", self.wire._take(2))
        elif size == 127:
            size, = struct.unpack("!Q", self.wire._take(8))
        return first & 15, self.wire._take(size)

    def closing(self):
        """The code of the close frame, which must come next with a readable reason, and then the end."""
        opcode, payload = self.next()
        assert opcode == CLOSE, (opcode, payload)
        payload[2:].decode()
        assert self.wire.has_ended()
        return struct.unpack("!H", payload[:2])[0]
