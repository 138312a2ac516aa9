"""People by the hub's API: its addresses, signing in, and what an owner is told of somebody."""

import json

from hub import SESSION

LINKS = "/api/v1/links"
LOOK = "/api/v1/links/look"
PEOPLE = "/api/v1/people"
DEVICES = "/api/v1/devices"
TOKENS = "/api/v1/tokens"
AUDIT = "/api/v1/audit"


def use(hub, name=None, fields=None, **key):
    """Signs in by a link or a code; returns the header fields and the hub's answer."""
    body = key | ({"name": name} if name else {})
    answer = hub.request("POST", SESSION, fields or {}, json.dumps(body))
    assert answer.status == 200, answer.body
    return {"Cookie": answer.headers["Set-Cookie"].partition(";")[0], "Origin": hub.url}, answer.json


def own_id(hub, fields):
    """The id of whoever is signed in."""
    return hub.get(SESSION, token=fields)[1]["person"]["id"]


def person(hub, owner, name):
    return next(one for one in hub.get(PEOPLE, owner)[1] if one["name"] == name)


def what(hub, owner):
    return [(entry["who"], entry["what"], entry["about"]) for entry in hub.get(AUDIT, owner)[1]["entries"]]
