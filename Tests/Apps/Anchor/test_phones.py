"""Phones that report by apps of their own, with curl as the phones: OwnTracks, Overland, the Traccar client."""

import base64
import itertools
import json
import re
import subprocess
import time
import urllib.parse

ANCHOR = "/api/v1/anchor"
PHONES = f"{ANCHOR}/phones"
PLACE = (54.3217, 10.1413)
# A place near it; a time has three digits behind its point.
LOGGED = re.compile(r"54\.3\d{3}|10\.1\d{3}")


def add(hub, person, app, name="Ada's phone", aboard=True):
    status, made = hub.post(PHONES, person, {"name": name, "app": app, "aboard": aboard})
    assert status == 201, made
    return made


def curl(hub, path, *words, body=None):
    """One request as a phone sends it: the status and the answer."""
    words = [*words, "-H", "Content-Type: application/json", "-d", json.dumps(body)] if body is not None else words
    done = subprocess.run(
        ["curl", "-sS", "-m", "30", "-w", "\n%{http_code}", *words, f"{hub.url}{path}"], capture_output=True, text=True,
        check=True)
    text, _, status = done.stdout.rpartition("\n")
    return int(status), json.loads(text) if text else None


def location(north=0.0, east=0.0, **more):
    """A message of OwnTracks, so many thousandths of a degree away from the place."""
    lat, lon = PLACE[0] + north / 1_000, PLACE[1] + east / 1_000
    return {"_type": "location", "lat": lat, "lon": lon, "acc": 5, "tst": int(time.time()), "tid": "AP"} | more


def configuration(made):
    """What the app reads from its link."""
    link = urllib.parse.urlsplit(made["link"])
    return json.loads(base64.b64decode(urllib.parse.parse_qs(link.query)["inline"][0]))


def source(hub, name="Ada's phone"):
    answer = hub.get(ANCHOR, token=hub.owner_token)[1]
    return next((one for one in answer["sources"] if one["name"] == name), None)


def test_owntracks_reports_with_what_its_link_says(hub):
    ada = hub.sign_in("owner", "Ada")
    made = add(hub, ada, "owntracks")
    says = configuration(made)
    assert says == made["config"] and says["mode"] == 3 and says["_type"] == "configuration"
    assert made["qr"].startswith("data:image/svg+xml;base64,")
    words = ["-u", f"{says['username']}:{says['password']}"]
    path = urllib.parse.urlsplit(says["url"]).path
    status, answer = curl(hub, path, *words, body=location(batt=81, bs=1, m=2))
    assert status == 200 and isinstance(answer, list)
    told = source(hub)
    assert told["kind"] == "owntracks" and told["battery"] == 0.81 and told["charging"] is False
    phone, = hub.get(PHONES, ada)[1]["phones"]
    assert (phone["name"], phone["app"], phone["mode"], phone["person"]) == ("Ada's phone", "owntracks", "move", "Ada")
    assert "lat" not in json.dumps(phone), "where it is stays with the watch"
    # Nothing at (0, 0), an empty message, and what is no position at all.
    assert curl(hub, path, *words, body=location() | {"lat": 0, "lon": 0})[0] == 200
    assert curl(hub, path, *words, "-X", "POST")[0] == 200
    status, answer = curl(hub, path, *words, body={"_type": "encrypted", "data": "x"})
    assert status == 400 and "encrypted" in answer["error"].lower()
    assert not LOGGED.search(hub.log)


def test_overland_and_traccar_report_in_their_own_manner(hub):
    ada = hub.sign_in("owner", "Ada")
    overland = urllib.parse.urlsplit(add(hub, ada, "overland", "Overland")["link"])
    says = {name: values[0] for name, values in urllib.parse.parse_qs(overland.query).items()}
    batch = {"locations": [{
        "type": "Feature", "geometry": {"type": "Point", "coordinates": [PLACE[1], PLACE[0]]},
        "properties": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "horizontal_accuracy": 5,
            "battery_state": "charging", "battery_level": 0.5}}]}
    path = urllib.parse.urlsplit(says["url"]).path
    assert curl(hub, path, "-H", f"Authorization: Bearer {says['token']}", body=batch) == (200, {"result": "ok"})
    assert curl(hub, f"{path}?token={says['token']}", body=batch) == (200, {"result": "ok"})
    assert source(hub, "Overland")["charging"] is True

    link = urllib.parse.urlsplit(add(hub, ada, "traccar", "Traccar")["link"])
    secret = urllib.parse.parse_qs(link.query)["id"][0]
    query = f"?id={secret}&lat={PLACE[0]}&lon={PLACE[1]}&timestamp={int(time.time())}&accuracy=5&batt=40"
    assert curl(hub, link.path + query, "-X", "POST")[0] == 200
    assert source(hub, "Traccar")["battery"] == 0.4
    newer = {"device_id": secret, "location": {
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
        "coords": {"latitude": PLACE[0], "longitude": PLACE[1], "accuracy": 5},
        "battery": {"level": 0.3, "is_charging": False}}}
    assert curl(hub, link.path, body=newer)[0] == 200
    assert source(hub, "Traccar")["battery"] == 0.3


def test_a_wrong_secret_and_a_removed_phone_report_nothing(hub):
    ada, ben = hub.sign_in("owner", "Ada"), hub.sign_in("member", "Ben")
    made = add(hub, ada, "owntracks")
    path = f"{ANCHOR}/owntracks"
    assert curl(hub, path, body=location())[0] == 401
    assert curl(hub, path, "-u", "Ada:ebd_wrong", body=location())[0] == 401
    assert curl(hub, path, "-u", f"x:{made['secret']}", body=location())[0] == 200
    assert hub.get(PHONES, ben)[1]["phones"] == []
    assert hub.delete(f"{PHONES}/{made['id']}", ben)[0] == 404
    assert hub.delete(f"{PHONES}/{made['id']}", ada)[0] == 204
    assert curl(hub, path, "-u", f"x:{made['secret']}", body=location())[0] == 401
    assert source(hub) is None
    # A caller without any secret cannot have much read and parsed.
    assert curl(hub, f"{ANCHOR}/traccar", body={"device_id": "x" * 5_000})[0] == 413
    status, answer = hub.post(PHONES, ada, {"name": "x", "app": "telegraph"})
    assert status == 400 and "owntracks" in answer["error"]


def test_a_phone_in_a_pocket_rings_at_places_and_is_no_witness(hub):
    """The space is open, and Ben is 500 m away: coming rings him, each time; leaving and others do not."""
    ben = hub.sign_in("member", "Ben")
    secret = add(hub, ben, "owntracks", "Ben's phone", aboard=False)["secret"]

    def report(north):
        assert curl(hub, f"{ANCHOR}/owntracks", "-u", f"ben:{secret}", body=location(north)) == (200, [])

    report(20)
    status, sent = hub.post("/api/v1/notifications", hub.owner_token, {
        "to": {"role": "member"}, "content": {"title": "You are near"}, "trigger": {
            "type": "location", "latitude": PLACE[0], "longitude": PLACE[1], "radius": 500, "on": "enter",
            "repeats": True}})
    assert status == 202, sent

    def rung():
        return [one["content"]["title"] for one in hub.get("/api/v1/bells", ben)[1]["items"]]

    report(19)
    assert rung() == []
    report(3)
    assert rung() == ["You are near"]
    hub.kill()
    hub.start()
    report(2)
    report(20)
    report(1)
    items = hub.get("/api/v1/bells", ben)[1]["items"]
    assert len(items) == 2, items
    assert source(hub, "Ben's phone") is None
    waiting, = hub.get("/api/v1/notifications?scheduled=1", token=hub.owner_token)[1]["items"]
    assert waiting["trigger"]["radius"] == 500
    assert hub.delete(f"/api/v1/notifications/{waiting['id']}", hub.owner_token)[0] == 204
    assert not LOGGED.search(hub.log)


def test_owntracks_is_asked_for_the_mode_that_suits_the_battery(hub):
    ada = hub.sign_in("owner", "Ada")
    secret = add(hub, ada, "owntracks")["secret"]
    # Positions some seconds apart: a phone's clock may be a little ahead.
    times = itertools.count(int(time.time()), 4)

    def report(**more):
        message = location(**more, tst=next(times))
        status, answer = curl(hub, f"{ANCHOR}/owntracks", "-u", f"ada:{secret}", body=message)
        assert status == 200
        return [one["configuration"]["monitoring"] for one in answer]

    assert report(bs=2, m=1) == [], "no anchor is down: seldom is enough"
    assert hub.post(f"{ANCHOR}/drop", ada, {"lat": PLACE[0], "lon": PLACE[1]})[0] in (200, 201)
    assert hub.post(f"{ANCHOR}/arm", ada, {})[0] == 200
    assert report(bs=2, m=1) == [2], "with a charger all the time"
    assert report(bs=2, m=1) == [], "not again at once"
    assert report(bs=2, m=2) == []
    assert report(bs=1, m=2) == [1], "on its battery seldom"
    # 38 m away: near the edge of the zone, or beyond it.
    assert report(north=0.34, bs=1, m=1) == [2], "near the edge all the time, whatever the battery says"
    phone, = hub.get(PHONES, ada)[1]["phones"]
    assert (phone["mode"], phone["wanted"], phone["obeys"]) == ("significant", "move", True)
