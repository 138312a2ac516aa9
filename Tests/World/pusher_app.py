"""An app of the hub, and the server that its makers run: it signs for its users, triggers events with PyPI's pusher,
and serves a page with pusher-js."""

import json
import pathlib
import urllib.parse

import pusher
from local_server import LocalServer, QuietHandler
from relay import Relay

PEERS = pathlib.Path(__file__).resolve().parents[1] / "Fixtures/peers/pusher-js"
FEATURES = pathlib.Path(__file__).resolve().parents[1] / "Realtime/pusher-features.js"
# The master key of encrypted channels, which the hub never gets.
MASTER = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
PAGE = "<!doctype html><meta charset=utf-8><script src=/pusher.js></script><script src=/features.js></script>"


class App:
    """An app, made by the command beside the running hub."""

    def __init__(self, hub, name="Word game"):
        made = hub.command("app", "create", "--name", name, "--json")
        assert made.returncode == 0, made.stderr
        self.hub, self.told = hub, json.loads(made.stdout)
        self.id, self.key, self.secret = (self.told[name] for name in ("app_id", "key", "secret"))

    def client(self, **more):
        """PyPI's pusher, as the app's makers use it."""
        return pusher.Pusher(**{
            "app_id": self.id, "key": self.key, "secret": self.secret, "host": "127.0.0.1", "port": self.hub.port,
            "ssl": False, "encryption_master_key_base64": MASTER} | more)

    def set(self, **options):
        """Changes options as an owner."""
        status, answer = self.hub.patch(f"/api/v1/apps/{self.id}", self.hub.owner_token, options)
        assert status == 200, answer
        return answer

    @property
    def socket_path(self):
        return f"/app/{self.key}"


class AppServer(LocalServer):
    """The server of an app's makers. A user is named in the query: they trust everybody."""

    def __init__(self, app):
        self.app = app
        self.relay = Relay(app.hub.port)
        self._client = app.client()
        server = self

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                files = {
                    "/pusher.js": PEERS / "dist/web/pusher-with-encryption.min.js", "/features.js": FEATURES}
                path = files.get(self.path)
                body = path.read_bytes() if path else PAGE.encode()
                self.reply(200, body, {"Content-Type": "text/javascript" if path else "text/html"})

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                url = urllib.parse.urlsplit(self.path)
                try:
                    status, answer = server.answer(url.path, dict(urllib.parse.parse_qsl(url.query)), body)
                except Exception as error:  # pylint: disable=broad-except
                    status, answer = 500, {"error": repr(error)}
                self.reply(status, json.dumps(answer).encode(), {"Content-Type": "application/json"})

        super().__init__(Handler)

    def __exit__(self, *error):
        super().__exit__(*error)
        self.relay.__exit__()

    @property
    def told(self):
        """The arguments of features()."""
        return {"key": self.app.key, "host": "127.0.0.1", "port": self.relay.port, "server": self.url}

    def answer(self, path, query, body):
        user = query.get("user", "ada")
        if path == "/auth":
            form = dict(urllib.parse.parse_qsl(body))
            return self._authorize(form["channel_name"], form["socket_id"], user)
        if path == "/user":
            form = dict(urllib.parse.parse_qsl(body))
            data = {"id": user, "user_info": {"name": user.title()}}
            if "watch" in query:
                data["watchlist"] = query["watch"].split(",")
            return 200, self._client.authenticate_user(form["socket_id"], data)
        if path == "/cut":
            self.relay.hang_up()
            return 200, {}
        call = json.loads(body)
        return 200, getattr(self._client, call["call"])(*call["arguments"])

    def _authorize(self, channel, socket_id, user):
        if "secret" in channel:
            return 403, {"error": "not yours"}
        custom = {"user_id": user, "user_info": {"name": user.title()}} if channel.startswith("presence-") else None
        answer = self._client.authenticate(channel, socket_id, custom)
        if isinstance(answer.get("shared_secret"), bytes):
            # PyPI's pusher 3.3.4 gives bytes, which are no JSON.
            answer["shared_secret"] = answer["shared_secret"].decode()
        return 200, answer
