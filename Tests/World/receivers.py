"""Where positions come from: a real gpsd that gpsfake feeds, sentences over TCP and UDP, a Signal K server's stream."""

import contextlib
import json
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import threading
import time

import pytest
from websockets.sync.server import serve


def sentence(body):
    """A sentence of NMEA 0183 with its checksum."""
    checksum = 0
    for character in body:
        checksum ^= ord(character)
    return f"${body}*{checksum:02X}\r\n"


def angle(degrees, width):
    minutes = round(abs(degrees) * 60, 5)
    return f"{int(minutes // 60):0{width}d}{minutes % 60:08.5f}"


def minimum(at, latitude, longitude, status="A"):
    """RMC: position, date and time."""
    moment = time.gmtime(at)
    return sentence(
        f"GPRMC,{time.strftime('%H%M%S', moment)},{status},{angle(latitude, 2)},{'NS'[latitude < 0]},"
        f"{angle(longitude, 3)},{'EW'[longitude < 0]},0.0,90.0,{time.strftime('%d%m%y', moment)},,,A")


def instant(at, latitude, longitude):
    """All sentences that a receiver tells of one instant."""
    clock = time.strftime("%H%M%S", time.gmtime(at))
    return (
        sentence(f"GPGGA,{clock},{angle(latitude, 2)},N,{angle(longitude, 3)},E,1,08,1.4,0.0,M,45.0,M,,")
        + sentence("GPGSA,A,3,04,05,07,09,12,15,17,24,,,,,2.5,1.4,2.1") + minimum(at, latitude, longitude))


@contextlib.contextmanager
def real_gpsd(folder, place):
    """gpsd's port; gpsfake plays it a receiver's log, from now on: a place for each second, ten of them in one."""
    if not shutil.which("gpsfake"):
        raise pytest.UsageError("gpsfake is not there: bin/install test installs gpsd-tools.")
    log = folder / "receiver.log"
    begun = int(time.time())
    log.write_text("".join(instant(begun + second, *place(second)) for second in range(120)))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        ["gpsfake", "-q", "-c", "0.1", "-P", str(port), str(log)], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield port
    finally:
        # gpsfake ignores SIGTERM at times; its gpsd is in its group.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


class SentenceServer:
    """NMEA 0183 over TCP: tells `text()` again and again to everybody who connects."""

    def __init__(self, text):
        self.connections = 0
        server = self

        class Client(socketserver.BaseRequestHandler):
            def handle(self):
                server.connections += 1
                with contextlib.suppress(OSError):
                    while not server._stop.wait(0.2):
                        if server.dropping:
                            server.dropping = False
                            return
                        self.request.sendall(text().encode())

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self.dropping = False
        self._stop = threading.Event()
        self._server = Server(("127.0.0.1", 0), Client)
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def broadcast(text, port, to="127.0.0.1"):
    """NMEA 0183 over UDP to a port of this machine, or of a group on its loopback."""
    stop = threading.Event()

    def run():
        family = socket.AF_INET6 if ":" in to else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as sender:
            if family == socket.AF_INET6:
                sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, socket.if_nametoindex("lo"))
            else:
                sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            while not stop.wait(0.2):
                for datagram in text():
                    sender.sendto(datagram, (to, port))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(5)


class SignalK:
    """A Signal K server's stream (specification 1.7) over WebSocket; `deltas()` are told again and again."""

    def __init__(self, deltas):
        self.subscriptions = []
        self.targets = []
        self.dropping = False
        self._stop = threading.Event()

        def talk(socket):
            self.targets.append(socket.request.path)
            socket.send(json.dumps({
                "name": "signalk-server", "version": "2.8.2", "self": OWN, "roles": ["master", "main"],
                "timestamp": stamp(time.time())}))
            self.subscriptions.append(json.loads(socket.recv(timeout=20)))
            with contextlib.suppress(Exception):
                while not self._stop.wait(0.2):
                    if self.dropping:
                        self.dropping = False
                        return
                    for delta in deltas():
                        socket.send(json.dumps(delta))

        self._server = serve(talk, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._server.shutdown()


OWN = "vessels.urn:mrn:signalk:uuid:c0d79334-4e25-4245-8892-54e8ccc8021d"


def stamp(at):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at % 1 * 1000):03d}Z"


def delta(latitude, longitude, at=None, context=OWN):
    """A position as a server tells it, with its usual company."""
    return {"context": context, "updates": [{
        "$source": "n2k-from-file.43", "timestamp": stamp(time.time() if at is None else at),
        "values": [
            {"path": "navigation.position", "value": {"longitude": longitude, "latitude": latitude}},
            {"path": "navigation.speedOverGround", "value": 0.05},
            {"path": "environment.depth.belowTransducer", "value": 4.7},
        ]}]}
