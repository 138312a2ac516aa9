"""A double of gpsd: it tells every client that watches the positions that a test wants, by the clock that is asked."""

import contextlib
import json
import math
import socketserver
import threading
import time

METRES_PER_DEGREE = 111_195.08
ANCHOR = (54.1, 10.2)


def place(east, north, around=ANCHOR):
    """Degrees of a place so many metres from another one."""
    latitude, longitude = around
    return (latitude + north / METRES_PER_DEGREE,
            longitude + east / (METRES_PER_DEGREE * math.cos(math.radians(latitude))))


class Gpsd:
    """Listens on a port of its own; `tell` sends a fix to all who watch."""

    def __init__(self):
        self.watching = []  # the clients, in the order in which they asked
        self.told = []  # the times of all fixes, each told to at least one client
        self._lock = threading.Lock()
        receiver = self

        class Client(socketserver.StreamRequestHandler):
            def handle(self):
                self.wfile.write(b'{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}\r\n')
                with contextlib.suppress(OSError):  # it may be killed
                    for line in self.rfile:
                        if line.startswith(b"?WATCH"):
                            with receiver._lock:
                                receiver.watching.append(self.wfile)
                with receiver._lock:
                    if self.wfile in receiver.watching:
                        receiver.watching.remove(self.wfile)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Client)
        self.port = self._server.server_address[1]
        self.address = f"127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def tell(self, east=0.0, north=0.0, eph=4.0, at=None, mode=3):
        """A fix so many metres from the anchor; returns how many clients were told."""
        at = time.time() if at is None else at
        latitude, longitude = place(east, north)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at % 1 * 1000):03d}Z"
        line = json.dumps({
            "class": "TPV", "device": "/dev/ttyUSB0", "mode": mode, "time": stamp, "lat": round(latitude, 9),
            "lon": round(longitude, 9), "eph": eph, "speed": 0.1}).encode() + b"\r\n"
        count = 0
        with self._lock:
            for client in list(self.watching):
                try:
                    client.write(line)
                    count += 1
                except OSError:
                    self.watching.remove(client)
        if count:
            self.told.append(at)
        return count


class Ticking:
    """Tells a fix again and again from a thread of its own; `place` gives metres east and north at a moment."""

    def __init__(self, gpsd, where=lambda: (0.0, 0.0), seconds=1.0, eph=4.0):
        self.gpsd, self.where, self.seconds, self.eph = gpsd, where, seconds, eph
        self.silent = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join(5)

    def _run(self):
        due = time.monotonic()
        while not self._stop.wait(max(0, due - time.monotonic())):
            due += self.seconds
            if not self.silent:
                east, north = self.where()
                self.gpsd.tell(east, north, self.eph)
