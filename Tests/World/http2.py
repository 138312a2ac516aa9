"""HTTP/2 over a bare socket: frames made by hand, valid or invalid (RFC 9113), and a reader of the answers."""

import dataclasses
import socket
import struct
import time

import hpack

from toy import ASKED, KETTLE

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

# Frame types (section 6).
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
# Flags; ACK and END_STREAM are the same bit.
ACK = END_STREAM = 0x1
END_HEADERS, PADDED, PRIORITISED = 0x4, 0x8, 0x20
# Error codes (section 7).
NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED = range(6)
FRAME_SIZE_ERROR, REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM = range(6, 12)
# Settings (section 6.5.2).
TABLE_SIZE, ENABLE_PUSH, MAX_STREAMS, WINDOW_SIZE, FRAME_SIZE, LIST_SIZE = range(1, 7)


def frame(kind, flags=0, stream=0, payload=b"", length=None):
    """A frame; `length` overrides the payload's length."""
    size = len(payload) if length is None else length
    return struct.pack("!I", size)[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload


def settings(*pairs, flags=0, stream=0):
    return frame(SETTINGS, flags, stream, b"".join(struct.pack("!HI", name, value) for name, value in pairs))


def window_update(increment, stream=0):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack("!I", increment))


def reset(stream, code=CANCEL):
    return frame(RST_STREAM, 0, stream, struct.pack("!I", code))


def integer(value, bits, first=0):
    """An integer behind a prefix of so many bits (RFC 7541 section 5.1)."""
    limit = (1 << bits) - 1
    if value < limit:
        return bytes([first | value])
    made, value = bytearray([first | limit]), value - limit
    while value >= 128:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def block(*fields, first=0):
    """A header block of literals that enter no table (RFC 7541 section 6.2.2), and so is always the same."""
    made = b""
    for name, value in fields:
        name, value = (text if isinstance(text, bytes) else text.encode("latin-1") for text in (name, value))
        made += bytes([first]) + integer(len(name), 7) + name + integer(len(value), 7) + value
    return made


def headers(stream, *fields, flags=END_HEADERS | END_STREAM):
    return frame(HEADERS, flags, stream, block(*fields))


METHOD, SCHEME, PATH, AUTHORITY = (
    (":method", "GET"), (":scheme", "https"), (":path", KETTLE), (":authority", "localhost"))
GET = [METHOD, SCHEME, PATH, AUTHORITY]
POST = [(":method", "POST"), SCHEME, (":path", ASKED), AUTHORITY]
GET_1 = headers(1, *GET)
# A request whose body is still to come: its stream stays open.
OPEN_1 = headers(1, *POST, flags=END_HEADERS)


def in_frames(made):
    """A header block over as many frames as it needs."""
    first, *rest = (made[at:at + 16_000] for at in range(0, len(made), 16_000))
    frames = [frame(HEADERS, END_STREAM | (0 if rest else END_HEADERS), 1, first)]
    frames += [frame(CONTINUATION, END_HEADERS * (piece is rest[-1]), 1, piece) for piece in rest]
    return b"".join(frames)


def send_until_cut(wire, parts):
    """Sends without reading, until all is sent, the other end takes no more, or it has closed."""
    wire.socket.settimeout(1)
    try:
        for part in parts:
            wire.socket.sendall(part)
    except OSError:
        return True
    return False


@dataclasses.dataclass
class Frame:
    """A received frame."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def code(self):
        """The error code of RST_STREAM or GOAWAY."""
        at = 4 if self.kind == GOAWAY else 0
        return struct.unpack("!I", self.payload[at:at + 4])[0]


class HTTP2Wire:
    """One connection. It has said its preface and settings, unless told not to, and heard the other end's."""

    def __init__(self, port, tls=None, own=(), greets=True, seconds=10, source="127.0.0.1"):
        """`tls` is a context that offers h2 and decides by ALPN; `own` are settings as pairs."""
        plain = socket.create_connection(("127.0.0.1", port), timeout=seconds, source_address=(source, 0))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = tls.wrap_socket(plain, server_hostname="localhost") if tls else plain
        assert not tls or self.socket.selected_alpn_protocol() == "h2"
        self._until = time.monotonic() + seconds
        self._unread = b""
        self._decoder = hpack.Decoder()
        self.settings = {}
        if greets:
            self.send(PREFACE, settings(*own))
            self.settings = self.greeting()
            self.send(frame(SETTINGS, ACK))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def greeting(self):
        """The settings that the other end must begin with (section 3.4), by number."""
        first = self.next()
        assert (first.kind, first.flags, first.stream) == (SETTINGS, 0, 0), first
        return dict(struct.iter_unpack("!HI", first.payload))

    def send(self, *parts):
        """Sends as much as the other end takes; if it has closed, that shows when its answer is read."""
        try:
            self.socket.sendall(b"".join(parts))
        except TimeoutError:
            raise
        except OSError:
            pass
        return self

    def _take(self, count):
        while len(self._unread) < count:
            self.socket.settimeout(max(0.01, self._until - time.monotonic()))
            try:
                more = self.socket.recv(65_536)
            except ConnectionResetError:
                more = b""
            if not more:
                raise EOFError(f"{count} bytes awaited, {len(self._unread)} came: {self._unread[:200]!r}")
            self._unread += more
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    def next(self):
        head = self._take(9)
        length, = struct.unpack("!I", b"\0" + head[:3])
        stream, = struct.unpack("!I", head[5:])
        assert length <= 16_384, "nobody allowed a larger frame (section 4.2)"
        return Frame(head[3], head[4], stream, self._take(length))

    def until(self, *kinds, stream=None):
        """The next frame of one of these types, and those before it. All header blocks are decoded, in order."""
        passed = []
        while True:
            found = self.next()
            assert found.kind != PUSH_PROMISE, "nobody asked for anything (section 8.4)"
            if found.kind in kinds and stream in (None, found.stream):
                return found, passed
            if found.kind == HEADERS:
                self.fields(found)
            passed.append(found)

    def fields(self, head):
        """The fields of a HEADERS frame, those that begin with a colon first."""
        payload = head.payload
        assert not head.flags & PADDED
        while not head.flags & END_HEADERS:
            more = self.next()
            assert (more.kind, more.stream) == (CONTINUATION, head.stream), more
            payload, head = payload + more.payload, dataclasses.replace(head, flags=head.flags | more.flags)
        return self._decoder.decode(payload)

    def answer(self, stream):
        """A stream's whole answer: its status, its fields, its body, without interim answers."""
        while True:
            head, _ = self.until(HEADERS, RST_STREAM, GOAWAY, stream=None)
            if head.kind == HEADERS:
                found = self.fields(head)
                if head.stream != stream:
                    continue
                status = int(dict(found)[":status"])
                if status >= 200:
                    break
            elif head.kind == GOAWAY or head.stream == stream:
                raise AssertionError(f"no answer: {head}, code {head.code}")
        body, flags = b"", head.flags
        while not flags & END_STREAM:
            piece, _ = self.until(DATA, RST_STREAM, stream=stream)
            assert piece.kind == DATA, f"the answer was cut off: {piece}"
            body, flags = body + piece.payload, piece.flags
        return status, found, body

    def ping(self, payload=b"8 bells."):
        """Checks that the connection works, with a PING, and returns the frames before the answer."""
        self.send(frame(PING, 0, 0, payload))
        while True:
            found, passed = self.until(PING, GOAWAY)
            assert found.kind == PING, f"the connection ended with code {found.code}: {found.payload[8:]!r}"
            if found.flags & ACK and found.payload == payload:
                return passed

    def rest(self):
        """All bytes until the other end closes."""
        while True:
            try:
                self._unread += self._take(len(self._unread) + 1)
            except EOFError:
                return self._unread

    def has_ended(self):
        """True if the other end closes, whatever it sends before; fails at the time limit if not."""
        self.rest()
        return True


class HTTP2Target:
    """A server that speaks HTTP/2, over TLS with a context."""

    def __init__(self, port, context=None, pid=None):
        self.port, self.context, self.pid = port, context, pid

    def open(self, **options):
        return HTTP2Wire(self.port, tls=self.context, **options)

    def is_well(self):
        with self.open() as wire:
            return wire.send(GET_1).answer(1)[0] == 200
