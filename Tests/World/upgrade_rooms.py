"""What fills the rest of a data folder's tables for upgrade.py. Whoever is out there is asked in vain, so that what
waits for them waits; what the hub tells of it later does not change by itself."""

import base64
import contextlib
import datetime
import hashlib
import io
import math
import sqlite3
import tempfile
import time
import uuid
import wave

import pusher

from apns import APP, TEAM, Entry
from authenticator import Authenticator
from bell_device import make_device
from hub import command, eventually
from ics import calendar, event
from local_server import LocalServer, QuietHandler
from mailroom import Mailroom, link
from parse_app import ParseApp
from png import png
from push_browser import Browser
from upgrade import ANCHOR, BELLS, CLOCK, DATABASE, SPACE

# Nobody answers there.
NOWHERE = "http://127.0.0.1:9/"
SEND = "/api/v1/notifications"


def use_every_room(hub, people):
    """`people` are the header fields of Ada, an owner, of Kim, a keykeeper, and of Mira, a member. Returns what
    `told_of_rooms` needs."""
    usual = hub.options
    with Mailroom() as room, tempfile.TemporaryDirectory() as copies:
        options = ["--smtp", f"smtp://127.0.0.1:{room.port}", "--mail-from", "bells@hub.example",
                   "--albums-folder", copies]

        def restarted(options):
            hub.stop()
            hub.options = options
            return hub.start()

        entry = Entry(restarted, options)
        sign_in_by_passkey(hub, people)
        receive(hub, people, room)
        send(hub, people, entry)
        turn_the_sign(hub, people)
        voice = speak(hub, people)
        lie_at_anchor(hub, people)
        app = store_of_an_app(hub, room)
        eventually(lambda: count(hub, "albums_copies"), what="the album's pictures are copied")
        ask(hub, "GET", "/healthz", None)
        eventually(lambda: count(hub, "pulse"), what="the store is tried")
        restarted(usual)
    eventually(lambda: count(hub, "bells_troubles"), what="the owner is told of a certificate that ends")
    return {"voice": voice, "app": app}


def told_of_rooms(hub, who):
    """The hub's answers about all this."""
    owner, mira, made = {"Cookie": who["owner"]}, {"Cookie": who["member"]}, who["rooms"]

    def get(path, who, *names):
        answer = hub.get(path, token=who)[1]
        return [{name: one[name] for name in names} for one in (answer if isinstance(answer, list) else [answer])]

    app = {"X-Parse-Application-Id": made["app"]["id"], "X-Parse-Master-Key": made["app"]["master_key"]}
    return {
        "passkeys": get("/api/v1/passkeys", mira, "name"),
        "mail": get(f"{BELLS}/mail", mira, "address", "after_minutes", "confirmed"),
        "webhooks": get(f"{BELLS}/webhooks", owner, "name", "topics"),
        "hooks": get(f"{BELLS}/hooks", owner, "name"),
        "views": get(f"{BELLS}/views", owner, "name", "categories", "size"),
        "reminder": get(f"{SPACE}/favourites/reminder", mira, "minutes"),
        "followed": [one["url"] for one in hub.get(f"{SPACE}/followed", token=owner)[1]["followed"]],
        "voice": get(made["voice"], mira, "name", "language", "parts"),
        "file": hashlib.sha256(hub.request("GET", made["app"]["file"]).body).hexdigest(),
        "roles": [one["name"] for one in hub.get("/parse/roles", app)[1]["results"]],
        "webhook": hub.get("/parse/hooks/triggers", app)[1],
    }


def count(hub, table):
    """The rows of one of the running hub's tables."""
    with contextlib.closing(sqlite3.connect(hub.data / DATABASE, timeout=20)) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def ask(hub, method, path, who, content=None, good=(200, 201, 202, 204)):
    """The answer to a request that must not fail."""
    status, answer = hub._exchange(method, path, who, content)
    assert status in good, (method, path, status, answer)
    return answer


def person(hub, who):
    return ask(hub, "GET", "/api/v1/session", who)["person"]["id"]


def sign_in_by_passkey(hub, people):
    """Mira's passkey, with which she comes in; and an answer that is kept for whoever asks again."""
    origin = f"http://localhost:{hub.port}"
    page = {"Host": f"localhost:{hub.port}", "Origin": origin}
    mira, passkey = page | {"Cookie": people["member"]["Cookie"]}, Authenticator(origin)
    made = passkey.register(ask(hub, "POST", "/api/v1/passkeys/options", mira, {}))
    ask(hub, "POST", "/api/v1/passkeys", mira | {"Idempotency-Key": "c0ffee00c0ffee00c0ffee00"}, made)
    options = ask(hub, "POST", "/api/v1/passkeys/session/options", page, {})
    ask(hub, "POST", "/api/v1/passkeys/session", page, passkey.sign_in(options))


def receive(hub, people, room):
    """Ways to a person and to programs: a browser, a mailbox, a webhook, a hook, an app's view, a revoked key."""
    mira, ada = people["member"], people["owner"]
    browser = Browser()
    subscription = browser.subscription | {"endpoint": f"{NOWHERE}push"}
    browser.server.close()
    ask(hub, "PUT", f"{BELLS}/webpush", mira, {"subscription": subscription, "zone": "Europe/Berlin"})
    ask(hub, "PUT", f"{BELLS}/mail", mira, {"address": "mira@example.org", "after_minutes": 60})
    assert hub.request("POST", link(room.wait(1)[0], hub)).status == 200
    ask(hub, "POST", f"{BELLS}/webhooks", ada, {"name": "Screen", "url": NOWHERE, "topics": ["coffee"]})
    hook = {"name": "Oven", "to": {"topic": "coffee"}, "template": {"title": "{{event.name}}"}}
    ask(hub, "POST", f"{BELLS}/hooks", ada, hook)
    ask(hub, "PUT", f"{BELLS}/views/star", ada, {"categories": ["drawn"], "html": "<p>Hello</p>"})
    ask(hub, "POST", f"{BELLS}/revoked-keys", ada, {"proof": base64.urlsafe_b64encode(bytes(32)).rstrip(b"=").decode()})


def send(hub, people, entry):
    """Notifications of every kind, which wait for devices that are away; what a place has; and Apple's senders."""
    ada, mira = people["owner"], people["member"]
    to = {"person": person(hub, mira)}

    def ring(content, **others):
        return ask(hub, "POST", SEND, ada, {"to": to, "content": content} | others)["id"]

    class Pictures(QuietHandler):
        def do_GET(self):
            self.reply(200, png(40, 30), {"Content-Type": "image/png"})

    with LocalServer(Pictures) as elsewhere:
        picture = f"{elsewhere.url}/a.png"
        named = ring({"title": "A picture", "mutable": True, "user_info": {"my-image": picture}})
        ask(hub, "POST", f"{BELLS}/{named}/media", mira, {"url": picture})
    sent = hub.request("POST", f"{BELLS}/attachments", ada, png(30, 40))
    assert sent.status == 201, sent.body
    ring({"title": "Another", "attachments": [{"id": "door", "blob": sent.json["blob"]}]})
    ring({"title": "Who is there?", "interruption_level": "critical", "actions": [{"id": "me", "title": "I"}]},
         repeat={"every": "PT20M", "limit": 50})
    bell = make_device(hub, "Bell of Mira", "coffee", "space", person="Mira")
    ring({"silent": True, "user_info": {"a": 1}}, to={"device": bell["id"]}, priority="normal")
    ring({"title": "A fresh pot"}, to=[{"topic": "coffee"}, {"topic": "space"}])
    ask(hub, "POST", "/api/v1/drills", ada, {"room": "space"})
    phone = entry.device("Phone of an app")
    assert entry.push(phone["device_token"], id=str(uuid.uuid4())).status_code == 200
    entry.make("certificate", "--days", "29")
    gone = entry.device("Phone that went")
    ask(hub, "DELETE", f"{BELLS}/devices/{gone['id']}", ada)
    made = command("apple", "add", "--data", hub.data, "--team", TEAM, "--key-id", entry.provider["key_id"], "--key",
                   entry.provider["p8"], "--topic", APP, "--host", "localhost:9")
    assert made.returncode == 0, made.stderr
    ask(hub, "PUT", f"/api/v1/devices/{phone['id']}/apns", ada, {"token": "ab" * 32, "topic": APP})
    come_to_a_place(hub, ada, mira)


def come_to_a_place(hub, ada, mira):
    """Two notifications wait for members at a place: for Mira both have rung, and one will not again."""
    made = ask(hub, "POST", f"{ANCHOR}/phones", mira, {"name": "Pocket", "app": "owntracks", "aboard": False})
    basic = base64.b64encode(f"mira:{made['secret']}".encode()).decode()

    def report(north):
        body = {"_type": "location", "lat": 54.32 + north / 1_000, "lon": 10.14, "acc": 5, "tst": int(time.time())}
        ask(hub, "POST", f"{ANCHOR}/owntracks", {"Authorization": f"Basic {basic}"}, body)

    report(20)
    place = {"type": "location", "latitude": 54.32, "longitude": 10.14, "radius": 500, "on": "enter"}
    for repeats in (False, True):
        ask(hub, "POST", SEND, ada, {
            "to": {"role": "member"}, "content": {"title": "Near"}, "trigger": place | {"repeats": repeats}})
    for north in (19, 3):
        report(north)


def turn_the_sign(hub, people):
    """A contact on the door, a space that is followed, an evening that begins before a closed door, one that comes."""
    ada, kim, mira = people["owner"], people["keykeeper"], people["member"]
    ask(hub, "PUT", f"{SPACE}/switch", hub.token("sensor", "front door"), {"open": True, "heartbeat_s": 600})
    ask(hub, "PUT", f"{SPACE}/followed", ada, {"urls": [f"{NOWHERE}spaceapi.json"]})
    ask(hub, "PUT", f"{SPACE}/favourites/reminder", mira, {"minutes": 30})
    until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=2)
    ask(hub, "POST", f"{SPACE}/state", kim, {"open": True, "until": f"{until:%Y-%m-%dT%H:%M:%SZ}"})
    eventually(lambda: count(hub, "space_rung"), what="the time until which is over")
    ask(hub, "POST", f"{SPACE}/state", kim, {"open": False})
    soon, later = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=s) for s in (3, 3 * 86_400))
    file = calendar(event("soon", f"{soon:%Y%m%dT%H%M%SZ}", title="Soldering"),
                    event("later", f"{later:%Y%m%dT%H%M%SZ}", title="Sewing"))
    answer = hub.request("PUT", f"{SPACE}/calendars/days", {"Authorization": f"Bearer {hub.owner_token}"}, file)
    assert answer.status == 200, answer.body
    eventually(lambda: count(hub, "space_asked"), 30, "a keykeeper is asked")
    eventually(lambda: count(hub, "programme_known_events"), what="the evening to come is known")


def speak(hub, people):
    """Mira has recorded a voice, and her box has told when it spoke."""
    mira = people["member"]
    voice = f"{CLOCK}/voices/" + ask(hub, "POST", f"{CLOCK}/voices", mira, {"name": "Mira", "language": "en"})["id"]
    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        file.setparams((1, 2, 44_100, 0, "NONE", None))
        file.writeframes(b"\1\0" * 441)
    answer = hub.request("PUT", f"{voice}/parts/12", mira | {"Content-Type": "audio/wav"}, sound.getvalue())
    assert answer.status == 200, answer.body
    box = make_device(hub, "Box", person="Mira")
    ask(hub, "PUT", f"{CLOCK}/devices/{box['id']}", mira, {"on": True, "volume": 60})
    said = {"at": int(time.time()) // 900 * 900, "what": "spoke", "by": "own"}
    ask(hub, "POST", f"{CLOCK}/reports", box["secret"], {"announcements": [said]})
    return voice


def lie_at_anchor(hub, people):
    """The boat reports, somebody looks, and she drags: the alarm is open, and stays so."""
    mira, boat = people["member"], make_device(hub, "Boat")

    def report(metres, *ages):
        fixes = [[time.time() - age, 54.1 + math.degrees(metres / 6_371_008.8), 10.2, 1, 0.8] for age in ages]
        ask(hub, "POST", f"{ANCHOR}/positions", boat["secret"], {
            "source": "gpsd", "kind": "agent", "interval_s": 60, "battery": 0.9, "charging": False, "fixes": fixes})

    report(20, 20)
    ask(hub, "PATCH", ANCHOR, mira, {"grace_s": 0})
    ask(hub, "POST", f"{ANCHOR}/arm", mira, {})
    report(90, *range(10, 0, -2))
    eventually(lambda: ask(hub, "GET", ANCHOR, mira)["alarms"], what="the alarm is open")


def store_of_an_app(hub, room):
    """An app with a user who is asked for an address, a mail that waits, a role, a file, webhooks that nobody hears."""
    app = ParseApp(hub, "Photo diary")

    def objects(method, path, content, **fields):
        status, answer = app.ask(method, path, content, master=True, **fields)
        assert status in (200, 201), answer
        return answer

    ask(hub, "PATCH", f"/api/v1/apps/{app.told['app_id']}", hub.owner_token, {"verify_emails": True})
    before, user = len(room.mails), {"username": "Ada", "password": "a long one", "email": "ada@example.org"}
    ada = objects("POST", "users", user)["objectId"]
    room.wait(before + 1)
    room.refusal = "450 later"
    objects("POST", "requestPasswordReset", {"email": "ada@example.org"})
    picture = app.headers(master=True) | {"Content-Type": "image/png"}
    sent = hub.request("POST", "/parse/files/a.png", picture, png(20, 20))
    assert sent.status == 201, sent.body
    role = {"name": "crew", "ACL": {"*": {"read": True}}, "users": {"__op": "AddRelation", "objects": [
        {"__type": "Pointer", "className": "_User", "objectId": ada}]}}
    objects("POST", "roles", role)
    objects("POST", "hooks/triggers", {"className": "Photo", "triggerName": "afterSave", "url": NOWHERE})
    photo = {"file": {"__type": "File", "name": sent.json["name"]}}
    objects("POST", "classes/Photo", photo, **{"X-Parse-Request-Id": "abc"})
    pusher.Pusher(app_id=app.told["app_id"], key=app.told["key"], secret=app.told["secret"], host="127.0.0.1",
                  port=hub.port, ssl=False).trigger("diary", "photo", {})
    return {"id": app.application_id, "master_key": app.master_key,
            "file": f"/parse/files/{app.application_id}/{sent.json['name']}"}
