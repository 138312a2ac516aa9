"""A mail server that keeps what it gets: aiosmtpd, from PyPI."""

import asyncio
import email
import email.policy
import re
import urllib.parse

from aiosmtpd.controller import Controller

from hub import eventually


class AnyPort(Controller):
    """A controller that knows which port it got before it tries the server."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class Mailroom:
    """A mail server that keeps what it gets; `refusal` is its answer to DATA instead, or the answers by address, and
    while it is `busy` none. `sender_refusal` is its answer to MAIL, and `recipient_refusal` to RCPT. `greeted` are the
    names by which it was greeted."""

    def __init__(self, **options):
        self.mails, self.envelopes, self.greeted, self.refusal, self.busy = [], [], set(), None, False
        self.waiting = False
        self.sender_refusal = self.recipient_refusal = None
        room = self

        class Handler:
            async def handle_MAIL(self, server, session, envelope, address, options):
                room.greeted.add(session.host_name)
                envelope.mail_from = None if room.sender_refusal else address
                return room.sender_refusal or "250 OK"

            async def handle_RCPT(self, server, session, envelope, address, options):
                if not room.recipient_refusal:
                    envelope.rcpt_tos.append(address)
                return room.recipient_refusal or "250 OK"

            async def handle_DATA(self, server, session, envelope):
                room.waiting = room.busy
                while room.busy:
                    await asyncio.sleep(0.02)
                refusal = room.refusal
                if isinstance(refusal, dict):
                    refusal = refusal.get(envelope.rcpt_tos[0])
                if refusal:
                    return refusal
                room.mails.append(email.message_from_bytes(envelope.original_content, policy=email.policy.default))
                room.envelopes.append(envelope)
                return "250 taken"

        self.controller = AnyPort(Handler(), hostname="127.0.0.1", port=0, **options)

    def __enter__(self):
        self.controller.start()
        self.port = self.controller.port
        return self

    def __exit__(self, *_):
        self.controller.stop()

    def wait(self, count, seconds=15):
        return eventually(lambda: len(self.mails) >= count and self.mails, seconds, what=f"{count} mails")


def hub_with_mail(make_hub, port, *more, **options):
    hub = make_hub(options=[
        "--smtp", f"smtp://127.0.0.1:{port}", "--mail-from", "bells@hub.example", *more], **options)
    assert hub.command("topic", "create", "coffee", "--name", "Coffee").returncode == 0
    return hub


def link(mail, hub):
    """The path of the first link in a mail that asks before it acts."""
    found = re.search(r"http://\S+/bells/mail/[\w-]+", mail.get_body(("plain",)).get_content())
    assert found and found[0].startswith(hub.url), mail
    return urllib.parse.urlsplit(found[0]).path
