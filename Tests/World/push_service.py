"""A push service as Mozilla's, for Firefox and for senders: a browser keeps a WebSocket open and gets an endpoint for
each subscription; what is posted to the endpoint reaches the browser, at once or when it comes back.

Firefox uses it with `Firefox(folder, preferences=service.preferences)`. A sender needs the endpoint's network to be
listed: http://127.0.0.1.
"""

import contextlib
import dataclasses
import json
import secrets
import threading
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

from base64url import decoded, encoded
from local_server import LocalServer, QuietHandler

# Codes with which Firefox acknowledges a message: it was handled, or it could not be decrypted.
DECRYPTED, NOT_DECRYPTED = 100, 101
# RFC 8030 section 7.2.
BODY_BYTES = 4096


@dataclasses.dataclass
class Message:
    """A message that was posted to an endpoint. `codes` are the browser's acknowledgements, in their order."""

    version: str
    headers: dict
    body: bytes
    expires_at: float
    codes: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Endpoint:
    agent: str
    channel: str
    # The application server's public key, to which the subscription is bound; None for a sender without one.
    key: bytes | None
    waiting: list = dataclasses.field(default_factory=list)


class PushService:
    """Serves until it leaves its `with` block."""

    def __init__(self):
        # By the last part of the endpoint's path.
        self.endpoints = {}
        self.messages = []
        # Answered to each post instead of delivering it: (status, fields).
        self.answer = None
        self._agents = {}
        self._is_away = False
        self._news = threading.Condition()
        self._sockets = serve(self._talk, "127.0.0.1", 0, subprotocols=["push-notification"], compression=None)
        self._http = LocalServer(self._handler())
        self.origin = self._http.url
        self.preferences = {
            "dom.push.serverURL": f"ws://127.0.0.1:{self._sockets.socket.getsockname()[1]}/",
            "dom.push.testing.allowInsecureServerURL": True, "dom.push.connection.enabled": True,
            "dom.push.enabled": True, "dom.push.retryBaseInterval": 300, "permissions.default.desktop-notification": 1,
            "dom.webnotifications.actions.enabled": True,
        }

    def __enter__(self):
        self._http.start()
        threading.Thread(target=self._sockets.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._sockets.shutdown()
        for socket in list(self._agents.values()):
            with contextlib.suppress(Exception):
                socket.close()
        self._http.close()

    @contextlib.contextmanager
    def without_browsers(self):
        """No browser is connected in its `with` block; they come back by themselves behind it."""
        with self._news:
            self._is_away = True
            sockets = list(self._agents.values())
        for socket in sockets:
            socket.close()
        self.wait(lambda: not self._agents)
        yield
        with self._news:
            self._is_away = False

    def forget(self):
        """Loses all subscriptions; browsers learn it and get another identity, as after a loss at Mozilla's."""
        with self.without_browsers(), self._news:
            self.endpoints = {}

    def wait(self, condition, seconds=20):
        """Waits until a condition holds; it is looked at whenever something comes. Returns its value."""
        with self._news:
            assert self._news.wait_for(condition, seconds), f"not within {seconds} s"
            return condition()

    # The browser's side.

    def _talk(self, socket):
        agent = None
        with contextlib.suppress(ConnectionClosed):
            for text in socket:
                said = json.loads(text)
                if said == {}:
                    socket.send("{}")
                    continue
                with self._news:
                    if self._is_away:
                        break
                    if said["messageType"] == "hello":
                        agent = self._greet(socket, said)
                    else:
                        self._take(socket, agent, said)
                    self._news.notify_all()
        socket.close()
        with self._news:
            if self._agents.get(agent) is socket:
                del self._agents[agent]
            self._news.notify_all()

    def _greet(self, socket, said):
        known = {endpoint.agent for endpoint in self.endpoints.values()}
        agent = said["uaid"] if said.get("uaid") in known else secrets.token_hex(16)
        self._agents[agent] = socket
        socket.send(json.dumps(
            {"messageType": "hello", "status": 200, "uaid": agent, "use_webpush": True, "broadcasts": {}}))
        for endpoint in self.endpoints.values():
            if endpoint.agent == agent:
                for message in self._current(endpoint):
                    self._push(socket, endpoint, message)
        return agent

    def _take(self, socket, agent, said):
        kind = said["messageType"]
        if kind == "register":
            name = encoded(secrets.token_bytes(18))
            key = decoded(said["key"]) if said.get("key") else None
            self.endpoints[name] = Endpoint(agent, said["channelID"], key)
            socket.send(json.dumps(
                {"messageType": "register", "status": 200, "channelID": said["channelID"],
                 "pushEndpoint": f"{self.origin}/wpush/{name}"}))
        elif kind == "unregister":
            self.endpoints = {
                name: endpoint for name, endpoint in self.endpoints.items() if endpoint.channel != said["channelID"]}
            socket.send(json.dumps({"messageType": "unregister", "status": 200, "channelID": said["channelID"]}))
        elif kind in ("ack", "nack"):
            for update in said["updates"] if kind == "ack" else [said]:
                for message in self.messages:
                    if message.version == update["version"]:
                        message.codes.append(update.get("code", DECRYPTED))
                for endpoint in self.endpoints.values():
                    endpoint.waiting = [one for one in endpoint.waiting if one.version != update["version"]]

    @staticmethod
    def _current(endpoint):
        now = time.time()
        endpoint.waiting = [message for message in endpoint.waiting if message.expires_at > now]
        return endpoint.waiting

    @staticmethod
    def _push(socket, endpoint, message):
        told = {"messageType": "notification", "channelID": endpoint.channel, "version": message.version}
        if message.body:
            told |= {"data": encoded(message.body), "headers": {"encoding": message.headers["content-encoding"]}}
        with contextlib.suppress(ConnectionClosed):
            socket.send(json.dumps(told))

    # The sender's side.

    def post(self, name, headers, body):
        """Takes a post, and returns the status and fields of its answer."""
        with self._news:
            message = Message(secrets.token_hex(16), headers, body, time.time() + int(headers.get("ttl") or 0))
            try:
                if self.answer:
                    return self.answer
                endpoint = self.endpoints.get(name)
                if not endpoint:
                    return 410, {}
                if (status := self._refusal(endpoint, headers, body)) is not None:
                    return status, {}
                if topic := headers.get("topic"):
                    endpoint.waiting = [one for one in endpoint.waiting if one.headers.get("topic") != topic]
                socket = self._agents.get(endpoint.agent)
                # Without a time to live, it is for a browser that is there now.
                if socket or message.expires_at > time.time():
                    endpoint.waiting.append(message)
                if socket:
                    self._push(socket, endpoint, message)
                return 201, {"Location": f"{self.origin}/m/{message.version}", "TTL": headers["ttl"]}
            finally:
                self.messages.append(message)
                self._news.notify_all()

    def _refusal(self, endpoint, headers, body):
        """The status for a message that a push service does not take (RFC 8030, RFC 8292)."""
        ttl, topic = headers.get("ttl", ""), headers.get("topic")
        if not ttl.isdecimal() or headers.get("urgency", "normal") not in ("very-low", "low", "normal", "high"):
            return 400
        if topic is not None and not (0 < len(topic) <= 32 and topic.replace("-", "a").replace("_", "a").isalnum()):
            return 400
        if len(body) > BODY_BYTES:
            return 413
        if body and headers.get("content-encoding") != "aes128gcm":
            return 400
        if endpoint.key is None:
            return None
        if not headers.get("authorization", "").startswith("vapid "):
            return 401
        try:
            return None if self._is_signed(headers["authorization"], endpoint.key) else 403
        except (ValueError, KeyError, InvalidSignature):
            return 403

    def _is_signed(self, field, wanted):
        """True for a token of the key that the subscription is bound to, for this service, and not for too long."""
        parts = dict(part.strip().split("=", 1) for part in field.removeprefix("vapid ").split(","))
        key = decoded(parts["k"])
        head, claims, signature = parts["t"].split(".")
        raw = decoded(signature)
        pair = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
        public.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        told = json.loads(decoded(claims))
        left = told["exp"] - time.time()
        return key == wanted and len(raw) == 64 and told["aud"] == self.origin and 0 < left <= 24 * 3600

    def _handler(self):
        service = self

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, fields = service.post(self.path.removeprefix("/wpush/"), headers, body)
                self.reply(status, fields=fields)

        return Handler
