"""What a request has to have so that whoever may make it is not refused, by route: where the least body of the API's
description or a made-up identifier does not do, and nobody could be told from whoever may not (authorization.py).

Each is a function of the Asker and the caller's name that makes what the request needs, anew for every caller. Those of
pictures and of apps stand in files of their own."""

import itertools
import json
import secrets
import time

from authenticator import Authenticator
from ics import calendar, event
from png import png
from push_browser import Browser

ANCHOR, BELLS, CLOCK, SPACE, PASSKEYS = (
    f"/api/v1/{room}" for room in ("anchor", "bells", "clock", "space", "passkeys"))
SEND = "/api/v1/notifications"
UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
GPX = b'<gpx><trk><trkseg><trkpt lat="54.1" lon="10.2"><time>2026-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>'
WAV = {"Content-Type": "audio/wav"}
numbers = itertools.count(1)
ROUTES = {}


class Accepted:
    """A body (JSON, or a Content-Type and bytes), what stands behind the path, fields of the header, and what stands
    for the parameters in the path."""

    def __init__(self, body=None, query="", fields=None, **known):
        is_bytes = body is None or isinstance(body, tuple)
        self.body = body if is_bytes else ("application/json", json.dumps(body).encode())
        self.query, self.fields, self.known = query, fields or {}, known

    def at(self, **known):
        self.known |= known
        return self


def accepted(*names):
    def keep(make):
        ROUTES.update(dict.fromkeys(names, make))
        return make
    return keep


def last(url):
    """What stands last in an address: a secret, or an id."""
    return url.rpartition("#")[2].rpartition("/")[2]


# People

def somebody_else(caller):
    """Whoever signs in is another person from then on; the callers of the table stay who they are."""
    return {} if caller == "site" else {"Cookie": ""}


def new_link(asker):
    return asker.must("owner", "POST", "/api/v1/links", {"role": "member", "name": f"Guest {next(numbers)}"})


@accepted("POST /api/v1/session", "POST /api/v1/links/look")
def link(asker, caller):
    return Accepted({"link": last(new_link(asker)["url"])}, fields=somebody_else(caller))


@accepted("DELETE /api/v1/links/{id}")
def open_link(asker, caller):
    return Accepted(id=new_link(asker)["id"])


@accepted("PATCH /api/v1/devices/{id}")
def signed_in_device(asker, caller):
    return Accepted(id=next(one["id"] for one in asker.must("owner", "GET", "/api/v1/devices") if one["current"]))


def at_name(asker, caller):
    """The header fields of a page at a host name: passkeys are for names."""
    fields = {"Host": f"localhost:{asker.hub.port}"}
    return fields if caller == "site" else fields | {"Origin": f"http://localhost:{asker.hub.port}"}


@accepted(f"POST {PASSKEYS}/options", f"POST {PASSKEYS}/session/options")
def passkey_options(asker, caller):
    return Accepted({}, fields=at_name(asker, caller))


def registration(asker, caller):
    """A passkey that somebody is about to keep: the authenticator, and the body of the request."""
    page = at_name(asker, "owner")
    key = Authenticator(page["Origin"])
    return key, key.register(asker.must(caller, "POST", f"{PASSKEYS}/options", {}, page))


@accepted(f"POST {PASSKEYS}")
def new_passkey(asker, caller):
    able = caller if caller in ("member", "keeper") else "owner"
    return Accepted(registration(asker, able)[1], fields=at_name(asker, caller))


@accepted(f"POST {PASSKEYS}/session")
def passkey(asker, caller):
    key, _ = kept_passkey(asker)
    options = asker.must("stranger", "POST", f"{PASSKEYS}/session/options", {}, at_name(asker, "owner"))
    return Accepted(key.sign_in(options), fields=at_name(asker, caller) | somebody_else(caller))


def kept_passkey(asker):
    """The owner's authenticator, and the id of its passkey."""
    known = {one["id"] for one in asker.must("owner", "GET", PASSKEYS)}
    if asker.kept.get("passkey", (None, None))[1] not in known:
        key, made = registration(asker, "owner")
        asker.kept["passkey"] = key, asker.must("owner", "POST", PASSKEYS, made, at_name(asker, "owner"))["id"]
    return asker.kept["passkey"]


@accepted(f"DELETE {PASSKEYS}/{{id}}", f"PATCH {PASSKEYS}/{{id}}")
def own_passkey(asker, caller):
    return Accepted({"name": "Ada's key"}, id=kept_passkey(asker)[1])


# Bells

@accepted(f"POST {BELLS}/attachments")
def attachment(asker, caller):
    return Accepted(("image/png", png(8, 8)))


@accepted(f"GET {BELLS}/attachments/{{name}}")
def sent_attachment(asker, caller):
    fields = {"Content-Type": "image/png"}
    return Accepted(name=asker.must("owner", "POST", f"{BELLS}/attachments", png(8, 8), fields)["blob"])


@accepted(f"DELETE {BELLS}/hooks/{{id}}", "POST /api/v1/hooks/{secret}")
def hook(asker, caller):
    made = asker.must("owner", "POST", f"{BELLS}/hooks", {
        "name": "Oven", "to": {"topic": "coffee"}, "template": {"title": "{{event.name}}"}})
    return Accepted({"event": {"name": "door"}}, id=made["id"], secret=last(made["url"]))


@accepted(f"DELETE {BELLS}/webhooks/{{id}}", f"POST {BELLS}/webhooks/{{id}}/test")
def webhook(asker, caller):
    made = asker.must("owner", "POST", f"{BELLS}/webhooks", {
        "name": "Screen", "url": f"{asker.elsewhere}/hook", "topics": ["coffee"]})
    return Accepted(id=made["id"])


@accepted(f"PUT {BELLS}/mail")
def address(asker, caller):
    return Accepted({"address": "ada@example.org", "after_minutes": 0})


@accepted("GET /bells/mail/{token}", "POST /bells/mail/{token}")
def link_in_a_mail(asker, caller):
    title = f"Question {next(numbers)}"
    assert asker.gets_mail
    asker.ring(title=title, interruption_level="critical", actions=[{"id": "me", "title": "I"}])
    return Accepted(token=asker.linked_in_mail("/bells/mail/", title))


@accepted(f"POST {BELLS}/revoked-keys")
def revoked_key(asker, caller):
    return Accepted({"proof": secrets.token_urlsafe(32)})


@accepted(f"GET {BELLS}/views/{{name}}")
def view(asker, caller):
    return Accepted(name="star")


@accepted(f"PUT {BELLS}/webpush")
def subscription(asker, caller):
    browser = Browser()
    browser.server.close()
    return Accepted({"subscription": browser.subscription})


@accepted(f"POST {BELLS}/receipts")
def receipt(asker, caller):
    push = asker.rung()
    return Accepted({"id": push["id"], "version": 1, "receipt": push["receipt"], "what": "shown"})


@accepted(f"POST {BELLS}/test")
def own_device(asker, caller):
    return Accepted({"device": asker.box})


@accepted(f"POST {BELLS}/{{id}}/media")
def picture_elsewhere(asker, caller):
    picture = f"{asker.elsewhere}/map/a.png"
    return Accepted({"url": picture}, id=asker.ring(attachments=[{"id": "a", "url": picture}]))


@accepted(f"POST {BELLS}/{{id}}/response")
def question(asker, caller):
    return Accepted({"action": "me"}, id=asker.ring(actions=[{"id": "me", "title": "I"}]))


@accepted("DELETE /api/v1/devices/{id}/apns", "PUT /api/v1/devices/{id}/apns")
def device_of_owner(asker, caller):
    return Accepted({"token": "ab" * 32, "topic": "org.example.app"}, id=asker.box)


@accepted("POST /api/v1/drills")
def drill(asker, caller):
    return Accepted({"room": "space"})


@accepted("GET /t/{topic}", "GET /{topic}")
def unified_push(asker, caller):
    return Accepted(query="up=1")


@accepted("GET /t/{topic}/ws", "GET /{topic}/ws", "GET /app", "GET /gateway", "GET /parse")
def socket(asker, caller):
    return Accepted(fields=UPGRADE)


# The clock

@accepted("POST /api/v1/clock/speak")
def box(asker, caller):
    return Accepted({"device": asker.box})


@accepted(f"DELETE {CLOCK}/voices/{{id}}",
          *(f"{method} {CLOCK}/voices/{{id}}/parts/{{part}}" for method in ("DELETE", "GET", "PUT")))
def voice(asker, caller):
    if asker.status_of("owner", "PUT", f"{CLOCK}/voices/{asker.kept.get('voice')}/parts/12", asker.sound, WAV) != 200:
        asker.kept["voice"] = asker.must("owner", "POST", f"{CLOCK}/voices", {"name": "Ada", "language": "en"})["id"]
        asker.must("owner", "PUT", f"{CLOCK}/voices/{asker.kept['voice']}/parts/12", asker.sound, WAV)
    return Accepted(("audio/wav", asker.sound), id=asker.kept["voice"], part="12")


# The anchor

@accepted(f"PATCH {ANCHOR}", f"POST {ANCHOR}/weigh")
def anchored(asker, caller):
    asker.status_of("owner", "POST", f"{ANCHOR}/drop", {"lat": 54.1, "lon": 10.2})  # unless it is down
    return Accepted()


@accepted(f"POST {ANCHOR}/drop")
def under_way(asker, caller):
    asker.status_of("owner", "POST", f"{ANCHOR}/weigh", {"sure": True})
    return Accepted({"lat": 54.1, "lon": 10.2})


@accepted(f"POST {ANCHOR}/owntracks")
def owntracks(asker, caller):
    return Accepted({"_type": "location", "lat": 54.1, "lon": 10.2, "acc": 5, "tst": int(time.time())})


@accepted(f"POST {ANCHOR}/overland")
def overland(asker, caller):
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return Accepted({"locations": [{
        "type": "Feature", "geometry": {"type": "Point", "coordinates": [10.2, 54.1]},
        "properties": {"timestamp": at, "horizontal_accuracy": 5}}]})


@accepted(f"GET {ANCHOR}/traccar", f"POST {ANCHOR}/traccar")
def traccar(asker, caller):
    at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    position = {"timestamp": at, "coords": {"latitude": 54.1, "longitude": 10.2, "accuracy": 5}}
    return Accepted({"location": position}, f"lat=54.1&lon=10.2&timestamp={int(time.time())}&accuracy=5")


@accepted(f"GET {ANCHOR}/tiles/{{layer}}/{{zoom}}/{{column}}/{{row}}")
def tile(asker, caller):
    return Accepted(layer="map", zoom=1, column=1, row=0)


@accepted(f"POST {ANCHOR}/tracks")
def track(asker, caller):
    return Accepted(("application/gpx+xml", GPX))


# The space

@accepted(f"PUT {SPACE}/calendars/{{id}}")
def calendar_file(asker, caller):
    return Accepted(("text/calendar", calendar(event("evening", "20410601T180000Z")).encode()), id="days")


@accepted(f"PUT {SPACE}/pictures/{{name}}")
def logo(asker, caller):
    return Accepted(("image/png", png(40, 30)))


@accepted(f"DELETE {SPACE}/followed/{{id}}")
def followed(asker, caller):
    told = asker.must("owner", "PUT", f"{SPACE}/followed", {"urls": [f"{asker.elsewhere}/{next(numbers)}"]})
    return Accepted(id=told["followed"][0]["id"])


@accepted(f"PUT {SPACE}/events/{{id}}/album")
def event_without_album(asker, caller):
    asker.status_of("owner", "DELETE", f"{SPACE}/events/{asker.event}/album")
    return Accepted({"mode": "open"})


@accepted(f"DELETE {SPACE}/events/{{id}}/album")
def event_with_album(asker, caller):
    asker.status_of("owner", "PUT", f"{SPACE}/events/{asker.event}/album", {"mode": "open"})
    return Accepted()


@accepted(f"DELETE {SPACE}/openers/{{event}}/me")
def opener(asker, caller):
    asker.status_of(caller, "POST", f"{SPACE}/openers/{asker.event}/me")
    return Accepted()


@accepted(f"POST {SPACE}/state/undo")
def turned(asker, caller):
    able = caller if caller == "keeper" else "owner"
    is_open = asker.must(able, "GET", f"{SPACE}/state")["open"]
    return Accepted({"turn": asker.must(able, "POST", f"{SPACE}/state", {"open": not is_open})["turn"]})


@accepted("GET /space/calendars/{calendar}.ics")
def one_calendar(asker, caller):
    sources = asker.must("owner", "GET", f"{SPACE}/events?from=2040-01-01&to=2041-01-01")["sources"]
    return Accepted(calendar=sources[0]["calendar"])


@accepted("GET /space/favourites/{secret}.ics")
def feed(asker, caller):
    return Accepted(secret=last(asker.who["feed"]).removesuffix(".ics"))
