"""Who may say what on a socket: every message of every socket, said by every kind of caller of authorization.txt, with
the best credential that the caller has. The routes themselves stand in that table."""

import hashlib
import hmac
import json
import re
import urllib.parse

import pytest
from websockets.exceptions import ConnectionClosed

from asker import Asker, prepared
from authorization import CALLERS, rows
from hub import ROOT
from live import connected
from trials import IS_WHOLE

SOCKETS = {"GET /app": None, "GET /app/{key}/{more}": None,  # they say why there is nothing
           "GET /app/{key}": "page app", "GET /gateway": "gateway", "GET /parse": "objects",
           # The hub passes over all that a subscriber says.
           "GET /t/{topic}/ws": None, "GET /{topic}/ws": None}
# The server of the app has its secret and its master key.
ALL = set(CALLERS)
NOBODY, SERVER, DEVICE, OF_APP = set(), {"server"}, {"device"}, {"user", "server"}
INSIDE = {"member", "keeper", "owner"}
FEW = {"stranger", "owner", "server"}  # bin/test has these alone say what all may say, or nobody; bin/trial everybody
# A page of another site gets no signature, but the owner's cookie goes with its connection.
TABLE = {
    "page pusher:ping": ALL, "page pusher:pong": ALL, "page pusher:unsubscribe": ALL, "page pusher:signin": NOBODY,
    "page client-": NOBODY, "page pusher:subscribe space": ALL, "page pusher:subscribe private-nowhere": NOBODY,
    "page pusher:subscribe presence-nowhere": NOBODY, "page pusher:subscribe #server-to-user-1": NOBODY,
    "page pusher:subscribe private-members": {"reader", "topic"} | INSIDE,
    "page pusher:subscribe private-anchor": {"reader", "topic"} | INSIDE,
    "page pusher:subscribe private-person-": {"owner"},
    "page pusher:subscribe private-albums-": {"guest"},
    "page pusher:subscribe private-portfolio-": {"owner"},
    "page pusher:subscribe private-bells": {"owner"},
    "page pusher:subscribe private-apps": {"owner"},
    "page pusher:subscribe private-apps-": {"owner"},
    "app pusher:ping": ALL, "app pusher:pong": ALL, "app pusher:unsubscribe": ALL, "app pusher:subscribe news": ALL,
    "app pusher:subscribe private-a": SERVER, "app pusher:subscribe private-encrypted-a": SERVER,
    "app pusher:subscribe presence-a": SERVER, "app pusher:subscribe #server-to-user-u": SERVER,
    "app pusher:signin": SERVER, "app client-": SERVER,
    "gateway hello": DEVICE, "gateway ack": DEVICE, "gateway respond": DEVICE, "gateway ping": DEVICE,
    "objects connect": OF_APP, "objects subscribe Word": OF_APP, "objects subscribe Closed": SERVER,
    "objects update": OF_APP, "objects unsubscribe": OF_APP,
}


def known():
    """The messages that the hub reads, by its sources."""
    def source(path):
        return (ROOT / "Sources" / path).read_text()
    pusher = source("Realtime/Protocol/PusherSession.swift")
    messages = re.findall(r'case "(pusher:\w+)"|hasPrefix\("(client-)"\)', pusher)
    messages = ["".join(one) for one in messages]
    device = source("Push/Gateway/GatewayMessage.swift").partition("switch what {")[2].partition("default:")[0]
    live = re.search(r"operations = \[(.*)\]", source("Objects/LiveQueries/LiveMessage.swift"))[1]
    return {f"{socket} {name}" for socket, names in (
        ("page", messages), ("app", messages), ("gateway", re.findall(r'case "(\w+)":', device)),
        ("objects", re.findall(r'"(\w+)"', live))) for name in names}


class Speaker:
    """Says things to the hub as one kind of caller."""

    def __init__(self, asker, app, user, caller):
        self.asker, self.app, self.user, self.caller = asker, app, user, caller
        self.fields = asker.callers.get(caller, {})
        self.secret = next((re.split("[ =]", value)[-1] for name, value in reversed(self.fields.items())
                            if name != "Origin"), "a" * 40)

    def connected(self, path):
        headers = {"X-Forwarded-For": next(self.asker.addresses)} | self.fields
        if self.caller == "server":
            del headers["X-Forwarded-For"]  # the master key is good on this machine alone
        origin = headers.pop("Origin", None)
        return connected(f"ws://127.0.0.1:{self.asker.hub.port}{path}", additional_headers=headers, origin=origin)

    def signed(self, socket, channel, data=None):
        """The app's own signature, or what the hub gives the caller."""
        if self.caller == "server":
            text = ":".join(filter(None, (socket, channel, data)))
            digest = hmac.new(self.app["secret"].encode(), text.encode(), hashlib.sha256).hexdigest()
            return f"{self.app['key']}:{digest}"
        path = "/api/v1/realtime/auth"
        if self.caller == "guest":
            path = f"/api/v1/albums/{self.asker.who['album']['id']}/realtime/auth"
        form = urllib.parse.urlencode({"socket_id": socket, "channel_name": channel})
        body = "application/x-www-form-urlencoded", form.encode()
        answer = self.asker.answer(self.caller, f"POST {path}", body=body)[1]
        return json.loads(answer).get("auth", f"{self.app['key']}:{'0' * 64}")

    def page(self, message, path="/app/eightbells", channel=None):
        event, _, wanted = message.partition(" ")
        channel = channel or wanted
        with self.connected(f"{path}?protocol=7") as socket:
            id = json.loads(json.loads(socket.recv(10))["data"])["socket_id"]

            def say(event, **members):
                for one in ({"event": event} | members, {"event": "pusher:ping"}):
                    socket.send(json.dumps(one))
                said = []
                while "pusher:pong" not in said:
                    said.append(json.loads(socket.recv(10))["event"])
                return not any("error" in one for one in said)

            def subscribe(channel):
                data = json.dumps({"user_id": "u"}) if channel.startswith("presence-") else None
                member = {"channel_data": data} if data else {}
                return say("pusher:subscribe", data=member | {
                    "channel": channel, "auth": self.signed(id, channel, data)})

            def sign_in():
                data = json.dumps({"id": "u"})
                return say("pusher:signin", data={"user_data": data, "auth": self.signed(id, ":user:", data)})
            if event == "pusher:signin":
                return sign_in()
            if event == "client-":
                subscribe("private-a")
                return say("client-a", channel="private-a", data={})
            if channel.startswith("#") and self.caller == "server":
                sign_in()
            if event == "pusher:subscribe":
                return subscribe(channel)
            return say(event, data={"channel": "news"})

    def gateway(self, message):
        with self.connected("/gateway") as socket:
            def say(**said):
                socket.send(json.dumps(said))
                return json.loads(socket.recv(10))["do"]
            is_in = say(do="hello", secret=self.secret) == "welcome"
            if not is_in or message == "hello":
                return is_in
            socket.send(json.dumps({"do": message, "id": "1", "version": 1, "what": "shown", "action": "default"}))
            return say(do="ping") in ("pong", "taken")

    def objects(self, message):
        op, _, name = message.partition(" ")
        keys = {"sessionToken": self.secret, "restAPIKey": self.secret}
        if self.caller == "user":
            keys = {"restAPIKey": self.app["rest_key"], "sessionToken": self.user}
        if self.caller == "server":
            keys = {"masterKey": self.app["master_key"]}
        with self.connected("/parse") as socket:
            def say(op, **members):
                socket.send(json.dumps({"op": op} | members))
                return json.loads(socket.recv(10))["op"] != "error"
            query = {"requestId": 1, "query": {"className": name or "Word", "where": {}}}
            is_in = say("connect", applicationId=self.app["application_id"], **keys)
            if op == "connect":
                return is_in
            if op != "subscribe":
                say("subscribe", **query)
            return say(op, **({"requestId": 1} if op == "unsubscribe" else query))


def test_no_message_and_no_channel_is_missing():
    assert {" ".join(row.split()[:2]) for row in TABLE} == known()
    served = {route for route, statuses in rows().items() if "101" in statuses}
    assert served == set(SOCKETS)
    named = {name for names in SOCKETS.values() if names for name in names.split()}
    assert named == {row.split()[0] for row in TABLE}


@pytest.mark.timeout(400)  # up to six hundred connections
def test_every_message_is_taken_from_those_of_the_table_and_nobody_else(make_hub):
    hub, who = prepared(lambda **options: make_hub(start=False, **options))
    asker = Asker(hub, who)
    app = json.loads(hub.command("app", "create", "--name", "Game", "--json").stdout)
    keys = {"X-Parse-Application-Id": app["application_id"], "Content-Type": "application/json"}
    closed = {"className": "Closed", "fields": {}, "classLevelPermissions": {"find": {}, "get": {}}}
    for path, own, body in (("schemas/Closed", {"X-Parse-Master-Key": app["master_key"]}, closed),
                            ("users", {"X-Parse-REST-API-Key": app["rest_key"]}, {"username": "u", "password": "pw"})):
        made = hub.request("POST", f"/parse/{path}", keys | own, json.dumps(body))
        assert made.status in (200, 201), made.body
    # The hub says which private channels there are.
    refused = hub.request("POST", "/api/v1/realtime/auth", asker.callers["owner"] | {
        "Content-Type": "application/x-www-form-urlencoded"}, "socket_id=1.2&channel_name=private-nowhere")
    channels = set(re.findall(r"(private-[\w-]+) is for", refused.json["help"]))
    listed = {row.split()[2] for row in TABLE if row.startswith("page pusher:subscribe private-")}
    assert channels == listed - {"private-nowhere"}
    ids = {"private-person-": hub.get("/api/v1/session", headers=asker.callers["owner"])[1]["person"]["id"],
           "private-albums-": who["album"]["id"], "private-portfolio-": who["portfolio"]["id"],
           "private-apps-": app["app_id"]}
    wrong = []
    for caller in CALLERS:
        speaker = Speaker(asker, app, made.json["sessionToken"], caller)
        for row, takes in TABLE.items():
            if takes in (ALL, NOBODY) and caller not in FEW and not IS_WHOLE:
                continue
            socket, message = row.split(" ", 1)
            last = message.split()[-1]
            channel = f"{last}{ids[last]}" if last in ids else None
            try:
                if socket == "page":
                    taken = speaker.page(message, channel=channel)
                elif socket == "app":
                    taken = speaker.page(message, f"/app/{app['key']}")
                else:
                    taken = getattr(speaker, socket)(message)
            except ConnectionClosed:
                taken = False
            if taken != (caller in takes):
                wrong.append(f"{row} of {caller}: {'taken' if taken else 'refused'}")
    assert not wrong, "\n".join(wrong)
