"""Topics in ntfy's manner: what silent subscribers cost, and messages published beside PocketBase's record creates."""

import pathlib
import socket
import tempfile
import time

from bench_publishes import beside_pocketbase
from figure import Figure
from hub import Hub
from measure import proportional
from ntfy import topic
from publishing import Target

FIRST, SUBSCRIBERS = 500, 5_000
# Bytes of the hub's own memory for each.
BAR = 4096
# Connections that a token may have, with room to spare.
PER_TOKEN = 450
# Seconds for what follows the opening.
SETTLED = 2


def figures():
    yield from subscribers()
    yield from beside_pocketbase("ntfy messages", target, lambda hub: topic(hub, "coffee"))


def target(hub):
    return Target(hub.process.pid, hub.url, "/coffee", "Ada has opened door %d, number %d", hub.owner_token)


def subscribers():
    with tempfile.TemporaryDirectory() as name:
        hub = Hub(pathlib.Path(name) / "hub").start()
        try:
            topic(hub, "coffee")
            tokens = [hub.token("owner", f"program {number}") for number in range(SUBSCRIBERS // PER_TOKEN + 1)]
            sockets, found = [], []
            for most in (FIRST, SUBSCRIBERS):
                sockets += [opened(hub, tokens[number // PER_TOKEN]) for number in range(len(sockets), most)]
                time.sleep(SETTLED)
                found.append(proportional(hub.process.pid))
        finally:
            hub.stop()
    yield Figure(
        f"{SUBSCRIBERS:,} silent subscribers at /json, own memory each", (found[1] - found[0]) / (SUBSCRIBERS - FIRST),
        "bytes", BAR, f"Pss {found[0] / 1e6:.1f} MB with {FIRST}, {found[1] / 1e6:.1f} MB with all")


def opened(hub, token):
    """A subscriber that has been told that it is one."""
    peer = socket.create_connection(("127.0.0.1", hub.port), timeout=20)
    peer.sendall(f"GET /coffee/json HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    told = b""
    while b'"open"' not in told:
        part = peer.recv(4096)
        assert part, told
        told += part
    return peer
