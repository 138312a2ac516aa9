"""A file of 1 GB sent to an album by tus, beside nginx's PUT followed by `sync -d`; and a zip of 2 GB beside nginx
sending the same two files as they are. Both write and read the same disk; the hub computes SHA-256 and CRC-32 as it
comes.

Each server has one core, and the sender the other. The memory is that of the hub at its highest after a first file,
without the programs that it starts to look at pictures.
"""

import contextlib
import http.client
import os
import pathlib
import socket
import statistics
import subprocess
import tempfile
import time

from figure import Figure
from hub import Hub
from measure import ON_SERVER_CORE, in_turns, median_ratio, needed, resident_of, spread
from nginx import nginx
from own_network import own_network
from uploads import PART, Guest, join, make_album

GB = 1 << 30
PIECE = 1 << 20
# Many: a virtual disk may write a gigabyte in one second, and the next one in four.
ROUNDS = 9
# The hub's time is at most that of nginx and sync divided by 0.8; the zip's at most that of one file divided by 0.7.
UPLOAD_BAR = 1 / 0.8
ZIP_BAR = 1 / 0.7
# Megabytes by which the hub may grow while a gigabyte comes.
MEMORY_BAR = 40


def send(port, method, path, fields, head, size=GB):
    """Sends so many bytes behind a few of their own; returns the answer's status and fields, and the seconds."""
    piece = os.urandom(PIECE)
    since = time.perf_counter()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=300)) as connection:
        connection.putrequest(method, path)
        for name, value in (fields | {"Content-Length": size}).items():
            connection.putheader(name, str(value))
        connection.endheaders()
        connection.send(head)
        left = size - len(head)
        while left > 0:
            connection.send(memoryview(piece)[:min(PIECE, left)])
            left -= PIECE
        answer = connection.getresponse()
        answer.read()
    return answer, time.perf_counter() - since


class HubTarget:
    def __init__(self, hub):
        self.hub = hub
        self.album = make_album(hub)
        self.guest = Guest(hub, self.album, join(hub, self.album))
        self.pictures = []
        self.most = 0

    def upload(self):
        path = self.guest.begin(GB)
        fields = {"Authorization": f"Bearer {self.guest.token}", "Tus-Resumable": "1.0.0", "Upload-Offset": 0,
                  "Content-Type": PART}
        # Another file each time: the same bytes would be the same picture.
        answer, seconds = send(self.hub.port, "PATCH", path, fields, os.urandom(64))
        assert answer.status == 204, answer.status
        self.pictures.append(answer.headers["Eightbells-Picture"])
        self.most = max(self.most, resident_of([self.hub.process.pid])[0])
        return seconds


class NginxTarget:
    def __init__(self, port, folder):
        self.port, self.folder = port, folder
        self.number = 0

    def upload(self):
        self.number += 1
        answer, seconds = send(self.port, "PUT", f"/put/{self.number}", {}, os.urandom(64))
        assert answer.status == 201, answer.status
        since = time.perf_counter()
        subprocess.run(["sync", "-d", self.folder / "put" / str(self.number)], check=True, timeout=300)
        seconds += time.perf_counter() - since
        (self.folder / "put" / str(self.number)).unlink()
        return seconds


def fetch(target):
    """Reads whole answers, one after the other, without copying them: bytes a second."""
    port, paths, token = target
    since = time.perf_counter()
    count = sum(count_bytes(port, path, token) for path in paths)
    assert count >= 2 * GB
    return count / (time.perf_counter() - since)


def count_bytes(port, path, token):
    with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        buffer = bytearray(PIECE)
        count = 0
        while got := connection.recv_into(buffer, PIECE, socket.MSG_TRUNC if count else 0):
            if not count:
                assert b" 200 " in bytes(buffer[:40]), bytes(buffer[:200])
            count += got
    return count


def figures():
    needed("nginx", "sync", "ip")
    with own_network(), tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = pathlib.Path(name)
        (folder / "nginx" / "put").mkdir(parents=True)
        options = ["--albums-guest-gigabytes", "1000", "--albums-gigabytes", "1000"]
        hub = Hub(folder / "hub", under=ON_SERVER_CORE, options=options).start()
        blobs = folder / "hub" / "blobs"
        serves = (f"client_max_body_size 0; location /put/ {{ root {folder}/nginx; dav_methods PUT; }}"
                  f" location /blobs/ {{ alias {blobs}/; }}")
        try:
            with nginx(folder / "nginx", serves) as (port, _):
                ours = HubTarget(hub)
                yield from uploads(ours, NginxTarget(port, folder / "nginx"))
                yield from zips(ours, port, blobs)
        finally:
            hub.stop()


def uploads(ours, peer):
    ours.upload()
    before = ours.most
    runs = in_turns({"hub": ours, "nginx": peer}, lambda target: target.upload(), ROUNDS)
    for name, seconds in runs.items():
        yield Figure(f"an upload of 1 GB, {name}", 1 / statistics.median(seconds), "GB/s", notes=spread(seconds))
    yield Figure("an upload of 1 GB, memory more than before", (ours.most - before) / 1024, "MB", MEMORY_BAR)
    ratio = median_ratio(runs["hub"], runs["nginx"])
    yield Figure("an upload of 1 GB, time, hub : nginx and sync", ratio, "×", UPLOAD_BAR)


def zips(ours, port, blobs):
    # The very same files, since their layout in the page cache depends on how they were written.
    kept = sorted((path for path in blobs.rglob("*") if path.stat().st_size == GB), key=lambda it: it.stat().st_mtime)
    chosen = ",".join(ours.pictures[-2:])
    targets = {
        "hub": (ours.hub.port, [f"{ours.guest.path}/zip?pictures={chosen}"], ours.album["host_token"]),
        "nginx": (port, [f"/blobs/{path.relative_to(blobs)}" for path in kept[-2:]], "none")}
    runs = in_turns(targets, fetch, ROUNDS)
    for name, rates in runs.items():
        yield Figure(f"a zip of 2 GB, {name}", statistics.median(rates) / 1e9, "GB/s")
    ratio = median_ratio(runs["nginx"], runs["hub"])
    yield Figure("a zip of 2 GB, rate, nginx : hub", ratio, "×", ZIP_BAR)
