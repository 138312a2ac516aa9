"""Albums and uploads to them, as guests' programs do it: tus 1.0.0, and a line that is cut."""

import base64
import contextlib
import hashlib
import json
import random
import select
import socket
import struct
import threading

ALBUMS = "/api/v1/albums"
PART = "application/offset+octet-stream"
TUS = {"Tus-Resumable": "1.0.0"}


def make_album(hub, name="Party", *options):
    """An album with its first host: what the command prints."""
    made = hub.command("album", "create", "--name", name, *(options or ["--open"]))
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


def join(hub, album, name=None):
    """The token of a new guest."""
    said = {"secret": album["join_url"].partition("#")[2]} | ({"name": name} if name else {})
    status, answer = hub.post(f"{ALBUMS}/join", json=said)
    assert status == 201, answer
    return answer["token"]


def some_bytes(count, seed=1):
    """Bytes that nothing can make smaller, behind the beginning of a JPEG."""
    return b"\xff\xd8\xff\xe0" + random.Random(seed).randbytes(count - 4)


def metadata(**values):
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())


class Guest:
    """Somebody who sends to one album."""

    def __init__(self, hub, album, token):
        self.hub = hub
        self.path = f"{ALBUMS}/{album['id']}"
        self.token = token

    def ask(self, method, path, body=None, **fields):
        """One request of tus: the whole answer. `fields` have _ for -."""
        named = {name.replace("_", "-"): str(value) for name, value in fields.items()}
        headers = TUS | {"Authorization": f"Bearer {self.token}"} | named
        return self.hub.request(method, path, headers, body)

    def begin(self, count, **values):
        """Makes an upload; its path."""
        fields = {"Upload_Length": count} | ({"Upload_Metadata": metadata(**values)} if values else {})
        answer = self.ask("POST", f"{self.path}/uploads", **fields)
        assert answer.status == 201, answer.body
        return answer.headers["Location"]

    def add(self, upload, offset, content, **fields):
        return self.ask("PATCH", upload, content, Upload_Offset=offset, Content_Type=PART, **fields)

    def offset(self, upload):
        """The bytes that have come; the status where there is no such upload."""
        answer = self.ask("HEAD", upload)
        return int(answer.headers["Upload-Offset"]) if answer.status == 200 else -answer.status

    def send(self, content, **values):
        """Sends all at once: the picture's id."""
        answer = self.add(self.begin(len(content), **values), 0, content)
        assert answer.status == 204, answer.body
        return answer.headers["Eightbells-Picture"]

    def pictures(self, query=""):
        status, answer = self.hub.get(f"{self.path}/pictures?limit=500{query}", token=self.token)
        assert status == 200, answer
        return answer["pictures"]

    def original(self, picture, **fields):
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        return self.hub.request(
            "GET", f"{self.path}/pictures/{picture}/original", {"Authorization": f"Bearer {self.token}"} | named)


def checksum(kind, content):
    return f"{kind} {base64.b64encode(hashlib.new(kind, content).digest()).decode()}"


class CutLine:
    """A line to the hub: `cuts` are the bytes to the hub after which each next connection that carries so many ends.
    With `is_silent`, the hub is not told: its side stays open until the line is closed."""

    def __init__(self, port, cuts, is_silent=False):
        self.target = port
        self.cuts = list(cuts)
        self.is_silent = is_silent
        self.cut_count = 0
        self._kept = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client):
        with contextlib.suppress(OSError):
            hub = socket.create_connection(("127.0.0.1", self.target), timeout=10)
            sent = 0
            while True:
                for ready in select.select([client, hub], [], [], 60)[0]:
                    data = ready.recv(65_536)
                    if not data:
                        client.close()
                        hub.close()
                        return
                    if ready is hub:
                        client.sendall(data)
                        continue
                    with self._lock:
                        limit = self.cuts[0] if self.cuts else None
                        is_cut = limit is not None and sent + len(data) > limit
                        if is_cut:
                            self.cuts.pop(0)
                            self.cut_count += 1
                            data = data[:max(0, limit - sent)]
                    hub.sendall(data)
                    sent += len(data)
                    if is_cut:
                        self._end(client, hub)
                        return

    def _end(self, client, hub):
        # A reset, as of a phone that lost its network.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        if self.is_silent:
            self._kept.append(hub)
        else:
            hub.close()

    def close(self):
        self._listener.close()
        for hub in self._kept:
            hub.close()
