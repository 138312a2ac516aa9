"""Every route of the hub, asked by every kind of caller: the table Tests/Hub/authorization.txt. After a change of
routes `python3 Tests/World/authorization.py` writes it anew, to be read line by line before it is kept."""

import base64
import hashlib
import hmac
import http.client
import itertools
import json
import pathlib
import re
import sys
import tempfile
import time

from hub import ROOT, Hub

TABLE = ROOT / "Tests/Hub/authorization.txt"
# From the weakest: whoever may change something changes it only for those behind them.
CALLERS = ["stranger", "site", "guest", "link", "user", "device", "phone", "sensor", "reader", "topic", "member",
           "keeper", "server", "host", "master", "owner"]
NAMES = """\
# Every route, and the status that each kind of caller is answered with; Tests/Hub/test_authorization.py asks a real
# hub, and RouteTableTests compares the routes with those that the hub serves. To write it anew after a change:
# .build/venv/bin/python Tests/World/authorization.py
#
# stranger  nobody                               site    another site's page in a signed-in owner's browser
# guest     of the album, not its host           link    somebody with the link to pictures of the portfolio
# user      of the app, with its public key      device  the secret of an agent
# phone     the secret with which an app reports positions
# sensor, reader   tokens of these roles         topic   an owner's token, limited to one topic of notifications
# member, keeper   signed in, owners of nothing that is asked about; a keeper opens the door
# server    of the app: it signs with the secret master  the app's master key
# host      of the album                         owner   signed in
#
# Pages and their files, which are the same for everybody, do not stand here; nor do Parse's paths with a slash behind.
"""
# What changes the whole hub, or ends the caller's session, comes last.
LAST = ["PUT /api/v1/rooms", "DELETE /api/v1/session"]


def rows():
    """The table: each route's statuses, by caller."""
    found = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#") and not line.startswith(" "):
            method, path, *statuses = line.split()
            found[f"{method} {path}"] = statuses
    return found


def written(found):
    """The table as text."""
    width = max(len(route) for route in found)
    lines = [NAMES + " " * width + " " + " ".join(name[:3] for name in CALLERS)]
    lines += [f"{route:{width}} " + " ".join(found[route]) for route in sorted(found, key=by_path)]
    return "\n".join(lines) + "\n"


def by_path(route):
    return route.partition(" ")[::-1]


def in_order(routes):
    """The order of asking: what reads, what writes, what deletes, the deepest first."""
    kinds = {"GET": 0, "HEAD": 0, "OPTIONS": 0, "DELETE": 2}
    return sorted(routes, key=lambda route: (
        route in LAST and LAST.index(route) + 1, kinds.get(route.split()[0], 1), -route.count("/"), route))


class Bodies:
    """Bodies that the API's description accepts: its example, or the least that its schema demands."""

    def __init__(self):
        import yaml
        with open(ROOT / "Docs/openapi.yaml", encoding="utf-8") as file:
            self.api = yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    def of(self, method, path):
        """The Content-Type and the bytes; None for a request without a body."""
        operation = self.api["paths"].get(path, {}).get(method.lower(), {})
        for kind, media in self._whole(operation.get("requestBody", {})).get("content", {}).items():
            value = media["example"] if "example" in media else self._least(media.get("schema", {}))
            if "examples" in media:
                value = self._whole(next(iter(media["examples"].values())))["value"]
            if "json" in kind:
                return kind, json.dumps(value, default=str).encode()
            if "form" in kind and isinstance(value, dict):
                return kind, "&".join(f"{name}={one}" for name, one in value.items()).encode()
            return kind, b"x"
        return (None, b"{}") if method in ("POST", "PUT", "PATCH") else None

    def _whole(self, part):
        while "$ref" in part:
            found = self.api
            for name in part["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            part = found
        return part

    def _least(self, schema):
        schema = self._whole(schema)
        for name in ("example", "const", "default"):
            if name in schema:
                return schema[name]
        for name in ("examples", "enum"):
            if name in schema:
                return schema[name][0]
        for name in ("oneOf", "anyOf"):
            if name in schema:
                return self._least(schema[name][0])
        if "allOf" in schema:
            parts = [self._least(part) for part in schema["allOf"]]
            return {name: value for part in parts if isinstance(part, dict) for name, value in part.items()}
        kind = schema.get("type", "object")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            known = schema.get("properties", {})
            return {name: self._least(known.get(name, {})) for name in schema.get("required", [])}
        if kind == "array":
            return [self._least(schema.get("items", {}))] if schema.get("minItems") else []
        if kind == "string":
            return "a" * max(schema.get("minLength", 1), 1)
        return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "boolean": True}.get(kind)


class Asker:
    """Asks a hub that has the folder of the newest version in Tests/Fixtures/upgrade. Each request comes from an
    address of its own, so that none is refused for its rate."""

    def __init__(self, hub, who):
        self.hub, self.who, self.bodies = hub, who, Bodies()
        self.addresses = (f"10.{a}.{b}.{c}" for a, b, c in itertools.product(range(250), repeat=3))
        album, portfolio = who["album"], who["portfolio"]
        owner = {"Cookie": who["owner"], "Origin": hub.url}
        guest = {"Authorization": f"Bearer {album['guest']}"}
        opened = json.loads(self._answer("POST", f"/api/v1/sent/{portfolio['sent']}/open", {}, b'{"pin": "2468"}')[1])
        keys = {"X-Parse-Application-Id": who["app"]["application_id"],
                "X-Parse-REST-API-Key": self._get(f"/api/v1/apps/{self._app(owner)}", owner)["rest_key"]}
        user = json.loads(self._answer(
            "POST", "/parse/login", keys, b'{"username": "ada", "password": "a long one"}')[1])
        limited = json.loads(self._answer(
            "POST", "/api/v1/tokens", owner, b'{"name": "one", "role": "owner", "topics": ["coffee"]}')[1])
        app = f"/api/v1/apps/{self._app(owner)}"
        self._answer("PATCH", app, owner, b'{"master_networks": ["10.0.0.0/8"]}')
        self.secrets = json.loads(self._answer("POST", f"{app}/rotate", owner, b"{}")[1])
        phone = json.loads(self._answer(
            "POST", "/api/v1/anchor/phones", owner, b'{"name": "Pocket", "app": "owntracks"}')[1])
        basic = base64.b64encode(f"phone:{phone['secret']}".encode()).decode()
        self.callers = {
            "stranger": {}, "site": {"Cookie": who["owner"], "Origin": "https://other.example"}, "guest": guest,
            "link": {"Sent-Token": opened["token"]}, "user": keys | {"X-Parse-Session-Token": user["sessionToken"]},
            "device": {"Authorization": f"Bearer {self._device()}"},
            "phone": {"Authorization": f"Basic {basic}"}, "server": {},
            "host": {"Authorization": f"Bearer {album['host']}"},
            "master": {"X-Parse-Application-Id": who["app"]["application_id"],
                       "X-Parse-Master-Key": self.secrets["master_key"]},
            "sensor": self._token("sensor"), "reader": self._token("reader"),
            "topic": {"Authorization": f"Bearer {limited['token']}"},
            "member": hub.sign_in("member", "Eve"), "keeper": hub.sign_in("keykeeper", "Kai"), "owner": owner}
        self.parts = self._parts(owner, guest)

    def _token(self, role):
        return {"Authorization": f"Bearer {self.hub.token(role)}"}

    def _device(self):
        made = json.loads(self.hub.command("device", "create", "--name", "Box", "--topic", "coffee").stdout)
        self.next_device = int(made["id"]) + 1  # of the first that a caller makes
        return made["secret"]

    def _get(self, path, fields):
        return json.loads(self._answer("GET", path, fields)[1])

    def _parts(self, owner, guest):
        """What stands for the parameters below a path; the first that fits counts."""
        album, portfolio = self.who["album"], self.who["portfolio"]
        pictures = self._get(f"/api/v1/albums/{album['id']}/pictures", guest)["pictures"]
        path = f"/api/v1/portfolios/{portfolio['id']}"
        gallery = self._get(path, owner)["galleries"][-1]["id"]
        shown = self._get(f"{path}/galleries/{gallery}", owner)["pictures"][0]["id"]
        word = self._get("/parse/classes/Word", self.callers["user"])["results"][0]["objectId"]
        told = self._get("/api/v1/space/events?from=2040-01-01&to=2041-01-01", owner)["events"][0]["id"]
        return [
            # The guest removes the first one before the host asks.
            ("/api/v1/albums", {"id": album["id"], "host's picture": pictures[-1]["id"],
                                "picture": pictures[0]["id"], "guest": pictures[0]["by"]["id"]}),
            ("/api/v1/portfolios", {"id": portfolio["id"], "picture": shown, "gallery": gallery,
                                    "sent": portfolio["sent"], "share": portfolio["share"]}),
            ("/api/v1/sent", {"sent": portfolio["sent"], "picture": shown}),
            ("/sent", {"sent": portfolio["sent"], "picture": shown}),
            ("/portfolio", {"share": portfolio["share"], "picture": shown}),
            ("/api/v1/apps", {"id": self._app(owner), "class": "Word"}), ("/apps", {"app": self._app(owner)}),
            ("/parse", {"class": "Word", "id": word}), ("/api/v1/space/events", {"id": told}),
            ("/api/v1/space/pictures", {"name": "logo"}), ("/api/v1/devices/{id}/apns", {"id": self.next_device}),
            ("/api/v1/devices", {"id": "3"}),
            ("/api/v1/notifications", {"id": self._get("/api/v1/notifications?scheduled=1", owner)["items"][0]["id"]}),
            ("/api/v1/space", {"event": told, "id": "club", "kind": "temperature", "name": "main"}),
            ("/api/v1/people", {"id": "3"}), ("/api/v1/clock/voices", {"id": "english", "part": "a"}),
            ("/api/v1/bells/topics", {"id": "coffee"}), ("/space/pictures", {"name": "logo"}),
            ("/t", {"topic": "coffee"}), ("/{topic}", {"topic": "coffee"}), ("/events", {"channel": "space"}),
            ("", {})]

    def _app(self, owner):
        answer = self._get("/api/v1/apps", owner)
        return (answer if isinstance(answer, list) else next(iter(answer.values())))[0]["app_id"]

    def status(self, caller, route):
        """The status, as text."""
        return str(self.answer(caller, route, whole=False)[0])

    def answer(self, caller, route, more=None, body=None, whole=True):
        """The status and the body; `more` are fields of the header, and `body` is another than the description's."""
        method, path = route.split()
        known = next(values for start, values in self.parts if path.startswith(start))
        if caller == "host":
            known = known | {"picture": known.get("host's picture")}
        filled = re.sub(r"\{(\w+)\}", lambda match: str(known.get(match[1], "1")), path)
        body = body or self.bodies.of(method, path)
        fields = self.callers[caller] | (more or {})
        if body and body[0]:
            fields["Content-Type"] = body[0]
        if caller == "server" and path.startswith(("/apps/{app}", "/users/{user}")):
            filled = self._signed(method, filled, body and body[1] or b"")
        return self._answer(method, filled, fields, body and body[1], whole)

    def _signed(self, method, path, body):
        """The address of a request as a server of the app makes it."""
        query = f"auth_key={self.secrets['key']}&auth_timestamp={int(time.time())}&auth_version=1.0"
        query += f"&body_md5={hashlib.md5(body).hexdigest()}" if body else ""
        signed = hmac.new(self.secrets["secret"].encode(), f"{method}\n{path}\n{query}".encode(), "sha256")
        return f"{path}?{query}&auth_signature={signed.hexdigest()}"

    def _answer(self, method, path, fields, body=None, whole=True):
        connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=15)
        try:
            connection.request(method, path, body, {"X-Forwarded-For": next(self.addresses)} | fields)
            answer = connection.getresponse()
            return answer.status, answer.read() if whole else b""  # streams do not end
        finally:
            connection.close()

    def matrix(self, routes):
        """The statuses of these routes, by caller."""
        found = {route: [] for route in routes}
        for caller in CALLERS:
            for route in in_order(routes):
                found[route].append(self.status(caller, route))
        return found


def prepared(make):
    """A running hub with that folder, and its credentials; `make` makes the hub, which is not started."""
    from upgrade import VERSIONS, unpack
    hub = make(env={"EIGHTBELLS_TRUSTED_PROXIES": "127.0.0.0/8"})
    who = unpack(VERSIONS[-1], hub.data)["who"]
    return hub.start(), who


def main(served):
    """Writes the table for the routes that it has, and those of the file that is named."""
    routes = set(rows()) if TABLE.exists() else set()
    if served:
        routes = set(pathlib.Path(served[0]).read_text().splitlines())
    with tempfile.TemporaryDirectory() as folder:
        hub, who = prepared(lambda **options: Hub(pathlib.Path(folder) / "data", **options))
        try:
            TABLE.write_text(written(Asker(hub, who).matrix(routes)))
        finally:
            hub.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
