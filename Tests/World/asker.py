"""Whoever asks a hub: the kinds of callers with their secrets, bodies that the API's description accepts, and what
stands for the parameters of a path."""

import base64
import hashlib
import hmac
import http.client
import itertools
import json
import re
import time

from hub import ROOT
from upgrade import VERSIONS, unpack


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

    def answer(self, caller, route, more=None, body=None, whole=True, known=None, query=""):
        """The status and the body. `more` are fields of the header, `body` is another than the description's, `known`
        stands for parameters of the path before all else, and `query` behind the path."""
        method, path = route.split()
        parts = next(values for start, values in self.parts if path.startswith(start))
        if caller == "host":
            parts = parts | {"picture": parts.get("host's picture")}
        parts = parts | (known or {})
        filled = re.sub(r"\{(\w+)\}", lambda match: str(parts.get(match[1], "1")), path)
        body = body or self.bodies.of(method, path)
        fields = self.callers[caller] | (more or {})
        if body and body[0]:
            fields["Content-Type"] = body[0]
        if caller == "server" and path.startswith(("/apps/{app}", "/users/{user}")):
            query = self._signed(method, filled, query, body and body[1] or b"")
        return self._answer(method, f"{filled}?{query}" if query else filled, fields, body and body[1], whole)

    def _signed(self, method, path, query, body):
        """The parameters of a request as a server of the app makes it."""
        told = {"auth_key": self.secrets["key"], "auth_timestamp": str(int(time.time())), "auth_version": "1.0"}
        told |= {"body_md5": hashlib.md5(body).hexdigest()} if body else {}
        told |= dict(part.split("=") for part in query.split("&") if part)
        query = "&".join(f"{name}={told[name]}" for name in sorted(told))
        signed = hmac.new(self.secrets["secret"].encode(), f"{method}\n{path}\n{query}".encode(), "sha256")
        return f"{query}&auth_signature={signed.hexdigest()}"

    def _answer(self, method, path, fields, body=None, whole=True):
        status, _, told = self._exchange(method, path, fields, body, whole)
        return status, told

    def _exchange(self, method, path, fields, body=None, whole=True):
        """The status, the fields and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=15)
        try:
            connection.request(method, path, body, {"X-Forwarded-For": next(self.addresses)} | fields)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read() if whole else b""  # streams do not end
        finally:
            connection.close()


def prepared(make):
    """A running hub with that folder, and its credentials; `make` makes the hub, which is not started."""
    hub = make(env={"EIGHTBELLS_TRUSTED_PROXIES": "127.0.0.0/8"})
    who = unpack(VERSIONS[-1], hub.data)["who"]
    return hub.start(), who
