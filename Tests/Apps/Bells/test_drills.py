"""Drills: whom a room would wake tonight, tried device by device."""

import json
import math
import time

import pytest

from bell_device import DRILLS, device_at, drilled, make_device
from hub import command, eventually
from parse_app import ParseApp
from portfolio import PORTFOLIOS, add, photo, sync

ANCHOR = "/api/v1/anchor"
SEND = "/api/v1/notifications"
TOPICS = "/api/v1/bells/topics"


@pytest.fixture
def crew(hub):
    """Ada owns the hub, Ben and Cleo belong here. All want the sign; Ben wants the anchor too, Cleo has no device. The
    box in the hall is nobody's."""
    people = {"Ada": hub.sign_in("owner", "Ada"), "Ben": hub.sign_in("member", "Ben"),
              "Cleo": hub.sign_in("member", "Cleo")}
    devices = {"phone": make_device(hub, "phone", person="Ada"), "tablet": make_device(hub, "tablet", person="Ada"),
               "radio": make_device(hub, "radio", person="Ben"), "box": make_device(hub, "box", "space", "anchor")}
    for name, fields in people.items():
        for topic in ("space", "anchor"):
            if (name, topic) != ("Cleo", "anchor"):
                assert hub.put(f"{TOPICS}/{topic}", fields)[0] == 204
    made = command("webhook", "create", "--data", hub.data, "--name", "Elsewhere", "--url", "https://hook.example/x",
                   "--topic", "space")
    assert made.returncode == 0, made.stderr
    return people, devices


def rung(hub, who, room, words=""):
    """The names of the devices that a room's notification was for, by its title."""
    def of():
        found = [one for one in hub.get(SEND, token=who)[1]["items"]
                 if one["room"] == room and words in one["content"].get("title", "")]
        return found and hub.get(f"{SEND}/{found[0]['id']}", token=who)[1]["devices"]
    return sorted(one["name"] for one in eventually(of, what=f"a notification of {room}")
                  if one["channel"] == "gateway")


def report(hub, *fixes):
    """The boat tells how many metres north of the anchor she was, and how many seconds ago."""
    fixes = [[time.time() - ago, 54.1 + math.degrees(metres / 6_371_008.8), 10.2, 1, 0.8] for metres, ago in fixes]
    body = {"source": "gpsd", "kind": "agent", "interval_s": 60, "fixes": fixes}
    assert hub.post(f"{ANCHOR}/positions", hub.owner_token, body)[0] == 200


def test_the_sign_and_the_anchor_ring_the_same_devices_and_so_do_their_drills(hub, crew):
    people, devices = crew
    ada = people["Ada"]
    everybody = ["box", "phone", "radio", "tablet"]
    hub.turn(True)
    assert rung(hub, ada, "space") == everybody
    # The watch rings one person after the other; whoever armed it is the first, and boxes ring with them.
    hub.post(f"{ANCHOR}/drop", ada, {"lat": 54.1, "lon": 10.2})
    hub.patch(ANCHOR, ada, {"grace_s": 0, "zone": {"shape": "circle", "radius_m": 40}})
    report(hub, (20, 20))
    assert hub.post(f"{ANCHOR}/arm", ada, {})[0] == 200
    report(hub, (20, 10))
    # As far as a boat drifts in a second; the last is now.
    report(hub, *((20 + 8 * step, 6 - step) for step in range(7)))
    assert rung(hub, ada, "anchor", "drags") == ["box", "phone", "tablet"]
    for room in ("space", "anchor", "bells"):
        status, begun = hub.post(DRILLS, ada, {"room": room})
        told = drilled(hub, ada, room)
        assert status == 202 and begun["id"] == told["id"], told
        names = sorted(one["name"] for one in told["devices"])
        expected = [name for name in everybody if (room, name) != ("bells", "box")]
        assert names == expected and begun["devices"] == told["rings"] == len(expected), (room, told)
        assert told["without"] == ([] if room == "anchor" else ["Cleo"])


def test_who_answers_and_who_does_not_is_seen_and_quiet_hours_are_passed(hub, crew):
    people, devices = crew
    ben = people["Ben"]
    assert hub.put("/api/v1/bells/settings", ben, {"quiet": {"from": "00:00", "to": "23:59"}})[0] == 200
    with device_at(hub, devices["radio"]["secret"]) as radio, device_at(hub, devices["box"]["secret"]) as box:
        assert hub.post(DRILLS, people["Ada"], {"room": "space"})[1]["devices"] == 4
        heard = radio.show()
        assert heard["content"]["title"] == "A test: The sign at the door"
        assert heard["content"]["localized"]["de"]["title"] == "Eine Probe: Das Schild an der Tür"
        box.show()
        radio.send("respond", id=heard["id"], action="heard")

        def told():
            return {one["name"]: one for one in drilled(hub, people["Ada"], "space")["devices"]}
        eventually(lambda: told()["radio"]["answered_after_s"] is not None and told()["box"]["rang"])
    states = {name: (one["rang"], one["answered_after_s"] is not None) for name, one in told().items()}
    assert states == {"radio": (True, True), "box": (True, False), "phone": (False, False), "tablet": (False, False)}
    # A device that is removed is no part of it any more.
    assert hub.delete(f"/api/v1/bells/devices/{devices['box']['id']}", people["Ada"])[0] == 204
    assert "box" not in told()
    assert [one["what"] for one in hub.get("/api/v1/history?room=bells", token=ben)[1]["entries"]] == ["bell.drilled"]


def test_another_drill_takes_the_last_one_away_and_each_names_its_device(hub, crew):
    people, devices = crew

    def drill():
        assert hub.post(DRILLS, people["Ada"], {"room": "space"})[0] == 202

    with device_at(hub, devices["radio"]["secret"]) as radio:
        drill()
        first = radio.show()
        assert first["content"]["body"] == "Do you hear “radio”? Answer only then."
        drill()
        told = {}
        for _ in range(2):
            message = radio.next()
            told[message["do"]] = message["id"]
            radio.ack(message, "withdrawn" if message["do"] == "withdraw" else "shown")
        assert told["withdraw"] == first["id"] != told["show"]
        radio.send("respond", id=told["show"], action="heard")
        eventually(lambda: [one["name"] for one in drilled(hub, people["Ada"], "space")["devices"]
                            if one["answered_after_s"] is not None] == ["radio"])


def test_hosts_photographers_and_those_whom_apps_ring_are_tried_once_there_is_something(hub, crew, tmp_path):
    people, _ = crew
    ada = people["Ada"]
    assert {one["room"] for one in hub.get(DRILLS, token=ada)[1]["drills"]}.isdisjoint({"albums", "portfolio", "apps"})
    assert hub.post(DRILLS, ada, {"room": "albums"})[0] == 404
    album = hub.post("/api/v1/albums", people["Ben"], {"name": "Feast", "mode": "family"})[1]
    photo(tmp_path / "Work/Coast/tide.jpg")
    portfolio = add(hub.data, f"folder:{tmp_path / 'Work'}", "--for", "Ada")
    sync(hub.data, portfolio)
    path = f"{PORTFOLIOS}/{portfolio}"
    coast = hub.get(path, token=ada)[1]["galleries"][0]["id"]
    assert hub.post(f"{path}/sent", ada, {"title": "Coast", "galleries": [coast]})[0] == 201
    assert hub.command("topic", "create", "photos", "--name", "Photos").returncode == 0
    make_device(hub, "frame", "photos")
    rings = [{"on": "create", "topic": "photos", "template": {"title": "A photo"}}]
    schema = {"className": "Photo", "fields": {"by": {"type": "String"}}, "rings": rings}
    assert ParseApp(hub).ask("POST", "schemas/Photo", schema, master=True)[0] == 200
    for room, names in (("albums", ["radio"]), ("portfolio", ["phone", "tablet"]), ("apps", ["frame"])):
        assert hub.post(DRILLS, ada, {"room": room})[0] == 202
        told = drilled(hub, ada, room)
        assert sorted(one["name"] for one in told["devices"]) == names and told["name"]["de"] != told["name"]["en"]
    # So it is in earnest.
    secret = album["join_url"].partition("#")[2]
    assert hub.post("/api/v1/albums/join", json={"secret": secret, "name": "Dora"})[0] in (200, 201)
    assert rung(hub, ada, "albums", "wants to join") == ["radio"]


def test_who_may_try_what(hub, crew):
    people, _ = crew
    # Whoever belongs here keeps the anchor watch; the rest is the owners'.
    assert [one["room"] for one in hub.get(DRILLS, token=people["Ben"])[1]["drills"]] == ["anchor"]
    assert hub.post(DRILLS, people["Ben"], {"room": "anchor"})[0] == 202
    for room in ("space", "bells"):
        assert hub.post(DRILLS, people["Ben"], {"room": room})[0] == 403
    for room in ("clock", "nowhere"):
        status, refused = hub.post(DRILLS, people["Ada"], {"room": room})
        assert status == 404 and refused["code"] == 40413, refused
        assert "space" in refused["help"]
    assert hub.post(DRILLS, people["Ada"], {})[0] == 400
    assert hub.get(DRILLS)[0] == 401 and hub.post(DRILLS, None, {"room": "space"})[0] == 401
    assert json.dumps(drilled(hub, people["Ada"], "space")).count("secret") == 0
