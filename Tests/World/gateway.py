"""A double of the hub's gateway, which misbehaves when a test wants it to."""

import json
import socket
import threading
import time

from hub import eventually
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

# As the hub: shows that are not acknowledged, on one connection.
IN_FLIGHT = 64


class Gateway:
    """A gateway for one device. All of its state is guarded by one lock; sending happens outside of the handler too."""

    def __init__(self, secret, tls=None):
        self.secret, self.tls, self.port = secret, tls, 0
        self.lock = threading.RLock()
        self.messages = []  # all that the device said, in order
        self.pending = {}  # id -> the message that is to be acknowledged
        self.in_flight = set()
        self.connections = 0
        self.current = None
        self.newest = ("", 0)
        self.numbers = 0
        # Faults that a test can choose.
        self.is_deaf = False  # never answers a ping
        self.takes_responses = True
        self.sends_twice = False
        self.welcomes = True
        self.server = None

    # Starting and ending

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.server = serve(self._handle, "127.0.0.1", self.port, ssl=self.tls, compression=None, ping_interval=None)
        self.port = self.server.socket.getsockname()[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def stop(self):
        """Closes its socket, and cuts the connection."""
        if self.server:
            self.server.shutdown()
            self.cut()
            self.server = None

    @property
    def url(self):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def cut(self):
        """Cuts the connection without a word, as a network does."""
        with self.lock:
            connection, self.current = self.current, None
        if connection:
            try:
                connection.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    # Messages to the device.

    def show(self, title="Open", collapse_id=None, expires_at=None, update=None, **content):
        """Sends a notification, or a new version of one; returns its id."""
        with self.lock:
            if update is None:
                self.numbers += 1
                identifier, version = str(self.numbers), 1
            else:
                identifier, version = update, 2
            message = {"do": "show", "id": identifier, "version": version, "content": {"title": title} | content,
                       "priority": "high", "sent_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
            if collapse_id:
                message["collapse_id"] = collapse_id
            if expires_at:
                message["expires_at"] = expires_at
            self.pending[identifier] = message
        self._send_pending()
        return identifier

    def withdraw(self, identifier, reason="taken_back", version=9):
        with self.lock:
            self.pending[identifier] = {"do": "withdraw", "id": identifier, "version": version, "reason": reason}
            self.in_flight.discard(identifier)
        self._send_pending()

    def say(self, **message):
        with self.lock:
            connection = self.current
        self._send(connection, message)

    def bye(self, reason, code):
        with self.lock:
            connection, self.current = self.current, None
        self._send(connection, {"do": "bye", "reason": reason})
        connection.close(code)

    def _send(self, connection, message):
        try:
            connection.send(message if isinstance(message, (str, bytes)) else json.dumps(message))
        except (ConnectionClosed, OSError, AttributeError):
            pass

    def _send_pending(self):
        with self.lock:
            connection = self.current
            if connection is None:
                return
            for identifier, message in sorted(self.pending.items(), key=lambda one: int(one[0])):
                if identifier in self.in_flight or len(self.in_flight) >= IN_FLIGHT:
                    continue
                self.in_flight.add(identifier)
                for _ in range(2 if self.sends_twice else 1):
                    self._send(connection, message)

    # Messages from the device.

    def _handle(self, connection):
        with self.lock:
            self.connections += 1
        try:
            hello = json.loads(connection.recv(timeout=10))
            with self.lock:
                self.messages.append(hello)
            if not self.welcomes:
                time.sleep(30)
                return
            if hello.get("secret") != self.secret:
                self._send(connection, {"do": "bye", "reason": "unknown_secret"})
                return connection.close(4001)
            with self.lock:
                # The hello of an agent that was killed may be read after that of the next one.
                number = (hello["state"], hello["number"])
                if number[0] == self.newest[0] and number[1] < self.newest[1]:
                    return connection.close(4000)
                former, self.current, self.newest = self.current, connection, number
                self.in_flight = set()
            if former:
                self._send(former, {"do": "bye", "reason": "replaced"})
                threading.Thread(target=former.close, args=(4000,), daemon=True).start()
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            self._send(connection, {"do": "welcome", "device": "7", "name": "Boat", "now": now})
            self._send_pending()
            while True:
                self._hear(connection, json.loads(connection.recv()))
        except (ConnectionClosed, OSError, TimeoutError):
            pass
        finally:
            with self.lock:
                if self.current is connection:
                    self.current = None

    def _hear(self, connection, message):
        with self.lock:
            self.messages.append(message)
            # What is delivered is still to be shown.
            if message["do"] == "ack" and message["what"] != "delivered":
                waiting = self.pending.get(message["id"])
                if waiting and message["version"] >= waiting["version"]:
                    del self.pending[message["id"]]
                    self.in_flight.discard(message["id"])
        if message["do"] == "ping" and not self.is_deaf:
            self._send(connection, {"do": "pong"})
        if message["do"] == "respond" and self.takes_responses:
            self._send(connection, {"do": "taken", "id": message["id"], "action": message["action"]})
        self._send_pending()

    # Questions of tests.

    def heard(self, do, **members):
        """All messages of a kind, with these members."""
        with self.lock:
            return [one for one in self.messages
                    if one["do"] == do and all(one.get(name) == value for name, value in members.items())]

    def wait_connected(self):
        eventually(lambda: self.current is not None, what="the agent is connected")
        return self

    def wait_acknowledged(self, identifier, what="shown", **members):
        return eventually(lambda: self.heard("ack", id=identifier, what=what, **members),
                          what=f"{identifier} is {what}")[0]
