"""An app of the hub as Parse's clients see it: its keys, plain requests, and keys that a peer's own tests demand."""

import contextlib
import hashlib
import json
import pathlib
import sqlite3

from local_server import LocalServer, QuietHandler
from parse_client import Parse

PARSE_JS = pathlib.Path(__file__).resolve().parents[1] / "Fixtures/peers/parse-js"
FEATURES = pathlib.Path(__file__).resolve().parents[1] / "Apps/Backend/parse-features.js"
PAGE = "<!doctype html><meta charset=utf-8><script src=/parse.js></script><script src=/features.js></script>"


class ParseApp:
    """An app, made by the command beside the running hub, or one of which the hub has `told`."""

    def __init__(self, hub, name="Word game", told=None):
        if told is None:
            made = hub.command("app", "create", "--name", name, "--json")
            assert made.returncode == 0, made.stderr
            told = json.loads(made.stdout)
        self.hub, self.told = hub, told
        self.application_id, self.rest_key, self.master_key = (
            self.told[name] for name in ("application_id", "rest_key", "master_key"))

    @property
    def path(self):
        """Its address for owners."""
        return f"/api/v1/apps/{self.told['app_id']}"

    def set(self, **options):
        """Changes options as an owner."""
        status, answer = self.hub.patch(self.path, self.hub.owner_token, options)
        assert status == 200, answer

    def kept(self):
        """The hub's record of it."""
        return self.hub.get(self.path, token=self.hub.owner_token)[1]["kept"]

    def client(self, **who):
        """Somebody who asks for its objects (parse_client.py)."""
        return Parse(self.hub.port, self.told, **who)

    def choose_keys(self, application_id, rest_key, master_key):
        """Writes keys into the folder of a hub that is stopped: a peer's own tests have theirs in their sources, and
        the hub draws its own."""
        assert self.hub.process is None, "the hub must be stopped"
        self.application_id, self.rest_key, self.master_key = application_id, rest_key, master_key
        with contextlib.closing(sqlite3.connect(self.hub.data / "eightbells.sqlite")) as database, database:
            database.execute(
                "UPDATE apps_apps SET application_id = ?, rest_key = ? WHERE id = ?",
                (application_id, rest_key, self.told["app_id"]))
            database.execute(
                "UPDATE apps_secrets SET master_digest = ? WHERE app = ?",
                (hashlib.sha256(master_key.encode()).digest(), self.told["app_id"]))

    def headers(self, master=False, session=None, **more):
        """The header fields of a request: with the app's key for everybody, or with the master key."""
        key = {"X-Parse-Master-Key": self.master_key} if master else {"X-Parse-REST-API-Key": self.rest_key}
        user = {"X-Parse-Session-Token": session} if session else {}
        return {"X-Parse-Application-Id": self.application_id, "Content-Type": "application/json"} | key | user | more

    def ask(self, method, path, content=None, **who):
        """Status and JSON of a request to an address below /parse."""
        body = None if content is None else json.dumps(content)
        answer = self.hub.request(method, f"/parse/{path}", self.headers(**who), body)
        return answer.status, answer.json

    @property
    def features(self):
        """The arguments of features()."""
        return {"application": self.application_id, "key": self.rest_key, "url": f"{self.hub.url}/parse"}


def enter(app, listener, socket_id, channel, session):
    """Subscribes to a channel for which the hub signs; returns the signature."""
    status, signed = app.ask(
        "POST", "channels/auth", {"socket_id": socket_id, "channel_name": channel}, session=session)
    assert status == 200, signed
    listener.send("pusher:subscribe", {"channel": channel, **signed})
    listener.expect("pusher_internal:subscription_succeeded")
    return signed


def sign_up(app, name, **fields):
    status, user = app.ask("POST", "users", {"username": name, "password": f"{name}'s", **fields})
    assert status == 201, user
    return user


@contextlib.contextmanager
def parse_page():
    """A page with the JS SDK on a server, and so of an origin, of its own; yields its address."""
    files = {"/parse.js": PARSE_JS / "node_modules/parse/dist/parse.min.js", "/features.js": FEATURES}

    class Handler(QuietHandler):
        def do_GET(self):
            path = files.get(self.path)
            body = path.read_bytes() if path else PAGE.encode()
            self.reply(200, body, {"Content-Type": "text/javascript" if path else "text/html"})

    with LocalServer(Handler) as server:
        yield server.url
