"""The hub's entry for APNs senders, as tests use it: its port, its authority, providers, and pushes by hand."""

import contextlib
import json
import pathlib
import socket
import ssl
import time

import httpx
import jwt

from bell_device import make_device
from http2 import HTTP2Target, headers
from hub import command

TEAM, APP = "TEAM123456", "org.example.app"
PAYLOAD = {"aps": {"alert": "Hi"}}


def free_port():
    """A port that nobody uses: after a restart it has to be the same again."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Entry:
    """A hub with the entry, and a provider with a key."""

    def __init__(self, make_hub, options=(), **others):
        self.port = free_port()
        self.hub = make_hub(options=["--apns-listen", f"127.0.0.1:{self.port}", *options], **others)
        assert self.hub.line(f"Eightbells takes APNs pushes on https://127.0.0.1:{self.port}"), self.hub.greeting
        self.provider = self.make("create")
        self.url = f"https://localhost:{self.port}"

    @property
    def authority(self):
        """The file that the hub says clients must trust; its own certificate if it has one."""
        if self.hub.certificate:
            return pathlib.Path(self.hub.certificate.certificate)
        return pathlib.Path(self.hub.line("Their senders must trust ").rpartition(" ")[2])

    def make(self, verb, *options, team=TEAM, topics=(APP,)):
        """A provider; what the command prints."""
        words = [word for topic in topics for word in ("--topic", topic)]
        made = command("provider", verb, "--data", self.hub.data, "--team", team, *words, *options)
        assert made.returncode == 0, made.stderr
        return json.loads(made.stdout)

    def device(self, name="phone", app=APP):
        return make_device(self.hub, name, app=app)

    def token(self, provider=None, age=0, issued=None, header=None, **claims):
        """A token of a provider."""
        provider = provider or self.provider
        claims = {"iss": provider["team"], "iat": int(time.time()) - age if issued is None else issued} | claims
        return jwt.encode(claims, pathlib.Path(provider["p8"]).read_text(), algorithm="ES256",
                          headers={"kid": provider["key_id"]} | (header or {}))

    def context(self, *protocols, certificate=None):
        made = ssl.create_default_context(cafile=self.authority)
        if protocols:
            made.set_alpn_protocols(list(protocols))
        if certificate:
            made.load_cert_chain(certificate)
        return made

    @contextlib.contextmanager
    def sender(self, certificate=None):
        """A client with one connection."""
        limits = httpx.Limits(max_connections=1)
        context = self.context(certificate=certificate)
        with httpx.Client(http2=True, http1=False, verify=context, base_url=self.url, limits=limits) as client:
            yield client

    def push(self, device_token, payload=None, client=None, token=True, topic=APP, **fields):
        """Sends a push: the answer. `fields` are those that begin with apns-, spelt with underscores."""
        named = {f"apns-{name.replace('_', '-')}": str(value).encode() for name, value in fields.items()}
        if topic:
            named["apns-topic"] = topic
        if token:
            named["authorization"] = f"bearer {self.token() if token is True else token}"
        body = payload if isinstance(payload, bytes) else json.dumps(payload or PAYLOAD).encode()
        path = f"/3/device/{device_token}"
        if client:
            return client.post(path, headers=named, content=body)
        with self.sender() as client:
            return client.post(path, headers=named, content=body)

    def target(self):
        return EntryTarget(self.port, self.context("h2"), self.hub.process.pid)


class EntryTarget(HTTP2Target):
    """The entry for tests that send frames by hand."""

    def is_well(self):
        fields = [(":method", "GET"), (":scheme", "https"), (":path", "/3/device/1"), (":authority", "localhost")]
        with self.open() as wire:
            return wire.send(headers(1, *fields)).answer(1)[0] == 405


def why(answer):
    """Status and reason of an answer."""
    return answer.status_code, answer.json().get("reason") if answer.content else None
