"""base64url without padding (RFC 4648 section 5), as in Web Push, WebAuthn, and the keys of private messages."""

import base64


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
