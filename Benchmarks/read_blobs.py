"""Reads one address again and again over some connections: python3 read_blobs.py PORT PATH READERS SECONDS

Prints bytes and seconds. Bodies are dropped in the kernel (MSG_TRUNC, tcp(7)): a reader that copied them would be
slower than a server that does not, and would measure itself.
"""

import re
import selectors
import socket
import sys
import time

ROOM = bytearray(16 << 20)
HEAD = 16_384


class Reader:
    """One connection, which repeats its request as soon as it has the whole answer."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        self.left = 0
        self.socket.setblocking(False)
        self.ask()

    def ask(self):
        self.socket.sendall(self.request)

    def read(self):
        """Reads what has come; returns the number of bytes of bodies in it."""
        if self.left == 0:
            head, end, _ = self.socket.recv(HEAD, socket.MSG_PEEK).partition(b"\r\n\r\n")
            if not end:
                return 0
            assert head.startswith(b"HTTP/1.1 200 "), head
            self.left = int(re.search(rb"(?i)\r\ncontent-length: (\d+)", head)[1])
            self.socket.recv(len(head) + len(end))
        try:
            count = self.socket.recv_into(ROOM, min(self.left, len(ROOM)), socket.MSG_TRUNC)
        except BlockingIOError:
            return 0
        assert count, "the server hung up"
        self.left -= count
        if self.left == 0:
            self.ask()
        return count


def main():
    port, path, readers, seconds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    found = 0
    with selectors.DefaultSelector() as selector:
        for _ in range(readers):
            reader = Reader(port, path)
            selector.register(reader.socket, selectors.EVENT_READ, reader)
        start = time.monotonic()
        while time.monotonic() < start + seconds:
            ready = selector.select(10)
            assert ready, "nothing came for ten seconds"
            found += sum(key.data.read() for key, _ in ready)
        took = time.monotonic() - start
    print("bytes", found)
    print("seconds", took)
    print("cpu", time.process_time())


if __name__ == "__main__":
    main()
