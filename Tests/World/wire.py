"""HTTP/1.1 over a bare socket, for tests that send what no client library would."""

import json
import socket
import time


class Wire:
    """One connection: sends bytes as they are, and reads answers one by one."""

    def __init__(self, hub, seconds=10, source="127.0.0.1", buffer=None):
        """`source` is the own address, and `buffer` the approximate size of the socket's buffer."""
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(seconds)
        self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", hub.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._until = time.monotonic() + seconds
        self._unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *parts):
        """Each part is a segment of its own."""
        for part in parts:
            self.socket.sendall(part if isinstance(part, bytes) else part.encode())
        return self

    def _read(self):
        self.socket.settimeout(max(0.01, self._until - time.monotonic()))
        return self.socket.recv(65_536)

    def _take(self, count):
        while len(self._unread) < count:
            more = self._read()
            if not more:
                raise EOFError(f"{count} bytes awaited, {len(self._unread)} came: {self._unread[:200]!r}")
            self._unread += more
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    def answer(self, head_only=False):
        """The next answer: its status, its fields in lower case, its body."""
        while b"\r\n\r\n" not in self._unread:
            more = self._read()
            if not more:
                raise EOFError(f"the connection ended within a head: {self._unread[:200]!r}")
            self._unread += more
        head = self._take(self._unread.index(b"\r\n\r\n") + 4)
        lines = head.decode("ascii").split("\r\n")
        status = int(lines[0].split()[1])
        assert lines[0].startswith("HTTP/1.1 "), lines[0]
        fields = {}
        for line in lines[1:-2]:
            name, value = line.split(": ", 1)
            assert name.lower() not in fields, f"{name} came twice"
            fields[name.lower()] = value
        bodiless = head_only or status in (101, 100, 204, 304)
        body = b"" if bodiless else self._take(int(fields["content-length"]))
        return status, fields, body

    def error(self):
        """The next answer, which must be an error of the usual form."""
        status, fields, body = self.answer()
        assert fields["content-type"].startswith("application/json"), fields
        value = json.loads(body)
        assert list(value) == ["code", "error", "help"], value
        assert value["code"] // 100 == status and value["error"] and value["help"], value
        return status, fields, value

    def has_ended(self):
        """True if the other end has closed without sending more. A reset counts as a failure."""
        assert self._unread == b"", self._unread[:200]
        return self._read() == b""


def get(path="/", *fields):
    """The bytes of a GET with some more header fields."""
    return "".join(f"{line}\r\n" for line in (f"GET {path} HTTP/1.1", "Host: hub", *fields, "")).encode()
