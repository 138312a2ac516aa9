"""A browser that is rung: its subscription, and a push service of its own."""

import json
import os

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from base64url import encoded
from hub import eventually
from local_server import LocalServer, QuietHandler


class Browser:
    """A browser's side of a subscription, with a push service of its own that answers with `status`."""

    def __init__(self):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.status, self.pushes = 201, []
        browser = self

        class Handler(QuietHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                browser.pushes.append((dict(self.headers), body))
                self.reply(browser.status)

        self.server = LocalServer(Handler).start()

    @property
    def subscription(self):
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": f"{self.server.url}/push/{id(self)}", "expirationTime": None,
                "keys": {"p256dh": encoded(point), "auth": encoded(self.auth)}}

    def next(self):
        """The next push: its header fields, and what it says."""
        eventually(lambda: self.pushes, what="a push came")
        fields, body = self.pushes.pop(0)
        return fields, json.loads(http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))
