"""An authenticator and its browser, in software: makes passkeys and signs with them, or makes one mistake."""

import hashlib
import json
import os
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cbor
from fido2.cose import ES256, RS256, EdDSA

from base64url import encoded

PRESENT, VERIFIED, ELIGIBLE, BACKED_UP, CREDENTIAL = 0x01, 0x04, 0x08, 0x10, 0x40


def _make_key(algorithm):
    if algorithm == "EdDSA":
        key = ed25519.Ed25519PrivateKey.generate()
        return EdDSA.from_cryptography_key(key.public_key()), key.sign
    if algorithm == "RS256":
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        return (RS256.from_cryptography_key(key.public_key()),
                lambda data: key.sign(data, padding.PKCS1v15(), hashes.SHA256()))
    key = ec.generate_private_key(ec.SECP256R1())
    return ES256.from_cryptography_key(key.public_key()), lambda data: key.sign(data, ec.ECDSA(hashes.SHA256()))


class Authenticator:
    """One passkey for one address. `counter` is None for one that does not count."""

    def __init__(self, origin, algorithm="ES256", counter=0):
        self.origin = origin
        self.party = origin.partition("://")[2].partition(":")[0]
        self.id = os.urandom(32)
        self.cose, self.sign = _make_key(algorithm)
        self.counter = counter
        self.handle = None

    def _client_data(self, type, challenge, changes):
        told = {"type": type, "challenge": challenge, "origin": self.origin, "crossOrigin": False} | changes
        return json.dumps({name: value for name, value in told.items() if value is not None}).encode()

    def _data(self, flags, party=None, credential=b""):
        if self.counter is not None:
            self.counter += 1
        head = hashlib.sha256((party or self.party).encode()).digest()
        return head + struct.pack(">BI", flags, self.counter or 0) + credential

    def register(self, options, client=None, flags=PRESENT | VERIFIED | CREDENTIAL, party=None, cose=None, **changes):
        """The browser's answer to the options of a registration."""
        self.handle = options["user"]["id"]
        key = cbor.encode(dict(cose or self.cose))
        credential = bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        data = self._data(flags, party, credential if flags & CREDENTIAL else b"")
        client_data = self._client_data("webauthn.create", options["challenge"], client or {})
        return {
            "id": encoded(self.id), "type": "public-key",
            "response": {
                "clientDataJSON": encoded(client_data), "authenticatorData": encoded(data), "transports": ["internal"]},
        } | changes

    def sign_in(self, options, client=None, flags=PRESENT | VERIFIED, party=None, sign=None, **response):
        """The browser's answer to the options of a sign-in."""
        data = self._data(flags, party)
        client_data = self._client_data("webauthn.get", options["challenge"], client or {})
        signature = (sign or self.sign)(data + hashlib.sha256(client_data).digest())
        return {
            "id": encoded(self.id), "type": "public-key",
            "response": {
                "clientDataJSON": encoded(client_data), "authenticatorData": encoded(data),
                "signature": encoded(signature), "userHandle": self.handle} | response,
        }
