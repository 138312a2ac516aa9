"""The rooms that the hub shows, and the front room at "/"."""

import gzip
import json

import pytest

from bell_device import device_at, make_device

ROOMS = "/api/v1/rooms"


def choose(hub, rooms, front, **headers):
    fields = {"Authorization": f"Bearer {hub.owner_token}", "Content-Type": "application/json"}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    return hub.request("PUT", ROOMS, fields, json.dumps({"rooms": rooms, "front": front}).encode())


def front(hub):
    return hub.request("GET", "/").body.decode().split("data-room=")[1].split('"')[1]


def test_until_somebody_chooses_all_are_shown(hub):
    rooms = ["space", "programme", "bells", "clock", "anchor", "albums", "portfolio", "apps"]
    assert hub.get(ROOMS) == (200, {"rooms": rooms, "front": "space", "chosen": False})
    assert front(hub) == "space"
    for path in ("/space", "/programme"):
        assert hub.request("GET", path).status == 200


def test_the_front_room_is_at_the_root_as_it_is_at_its_own_address(hub):
    before = hub.request("GET", "/").headers["ETag"]
    assert choose(hub, ["programme"], "programme").status == 200
    root, own = hub.request("GET", "/"), hub.request("GET", "/programme")
    assert (root.body, root.headers["ETag"]) == (own.body, own.headers["ETag"])
    assert hub.request("GET", "/", {"If-None-Match": root.headers["ETag"]}).status == 304
    assert hub.request("GET", "/", {"If-None-Match": before}).status == 200, "another page is no old copy"
    packed = hub.request("GET", "/", {"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and gzip.decompress(packed.body) == root.body
    assert packed.headers["ETag"] != root.headers["ETag"]
    assert not packed.headers["ETag"].endswith('-gzip"'), "Caddy takes that for an ending of its own"
    assert hub.request("GET", "/manifest.webmanifest").json["description"].startswith("What is on")
    assert hub.request("GET", "/space").status == 200, "what is hidden works"


def test_it_outlives_a_restart_and_only_owners_are_told_what_is_hidden(hub):
    choose(hub, ["programme"], "programme")
    hub.kill()
    hub.start()
    told = {"rooms": ["programme"], "front": "programme", "chosen": True}
    assert hub.get(ROOMS) == (200, told)
    assert hub.get(ROOMS, token=hub.token("member")) == (200, told)
    hidden = ["space", "bells", "clock", "anchor", "albums", "portfolio", "apps"]
    assert hub.get(ROOMS, token=hub.owner_token) == (200, told | {"hidden": hidden})
    assert front(hub) == "programme"


def test_what_is_no_choice_is_refused(hub):
    for rooms, first in (([], "space"), (["space", "space"], "space"), (["cellar"], "cellar"), (["space"], "programme"),
                         ("space", "space"), ([1], "space"), (["space"], None)):
        answer = choose(hub, rooms, first)
        assert (answer.status, answer.json["code"]) == (400, 40003), (rooms, first)
    assert hub.put(ROOMS, hub.owner_token, {"rooms": ["space"], "front": "space", "x": 1})[0] == 400
    assert hub.put(ROOMS, hub.keykeeper_token, {"rooms": ["space"], "front": "space"})[0] == 403
    assert hub.put(ROOMS, None, {"rooms": ["space"], "front": "space"})[0] == 401
    assert hub.get(ROOMS)[1]["chosen"] is False


def test_of_two_who_choose_at_once_the_second_is_told(hub):
    tag = hub.request("GET", ROOMS, {"Authorization": f"Bearer {hub.owner_token}"}).headers["ETag"]
    first = choose(hub, ["programme"], "programme", If_Match=tag)
    assert first.status == 200
    second = choose(hub, ["space"], "space", If_Match=tag)
    assert (second.status, second.json["code"]) == (412, 41201)
    assert hub.get(ROOMS)[1]["front"] == "programme"
    assert choose(hub, ["space"], "space", If_Match=first.headers["ETag"]).status == 200


UPLOADED = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b//EN\r\nEND:VCALENDAR\r\n"
SENSOR = json.dumps({"value": 20, "unit": "°C", "location": "kitchen"}).encode()
MADE = {
    "a followed space": ("space", "POST", "/api/v1/space/followed", b'{"url": "https://space.example/api.json"}'),
    "followed spaces": ("space", "PUT", "/api/v1/space/followed", b'{"urls": ["https://space.example/api.json"]}'),
    "a picture": ("space", "PUT", "/api/v1/space/pictures/logo", b"<svg xmlns='http://www.w3.org/2000/svg'></svg>"),
    "a sensor": ("space", "PUT", "/api/v1/space/sensors/temperature/kitchen", SENSOR),
    "a calendar's file": ("programme", "PUT", "/api/v1/space/calendars/club", UPLOADED),
}


@pytest.mark.parametrize("made", MADE)
def test_whatever_is_made_in_a_hidden_room_shows_it(hub, made):
    room, method, path, body = MADE[made]
    other = next(one for one in ("space", "programme") if one != room)
    choose(hub, [other], other)
    answer = hub.request(method, path, {"Authorization": f"Bearer {hub.owner_token}"}, body)
    assert answer.status == 200, answer.body
    assert hub.get(ROOMS)[1] == {"rooms": [other, room], "front": other, "chosen": True}


def test_a_sensor_that_reports_again_shows_nothing(hub):
    path = "/api/v1/space/sensors/temperature/kitchen"
    assert hub.put(path, hub.owner_token, json.loads(SENSOR))[0] == 200
    choose(hub, ["programme"], "programme")
    assert hub.put(path, hub.owner_token, json.loads(SENSOR) | {"value": 21})[0] == 200
    assert hub.get(ROOMS)[1]["rooms"] == ["programme"]


def test_what_is_made_in_a_hidden_room_shows_it(hub):
    choose(hub, ["programme"], "programme")
    hub.configure()
    assert hub.get(ROOMS)[1]["rooms"] == ["programme"]
    hub.turn(True)
    assert hub.get(ROOMS)[1] == {"rooms": ["programme", "space"], "front": "programme", "chosen": True}
    choose(hub, ["space"], "space")
    hub.turn(False)
    assert hub.get(ROOMS)[1]["rooms"] == ["space"], "only the first turn makes something"
    calendars = [{"kind": "ics", "url": "https://example.org/a.ics"}]
    hub.configure(calendars=calendars)
    assert hub.get(ROOMS)[1]["rooms"] == ["space", "programme"]
    choose(hub, ["space"], "space")
    hub.configure(calendars=calendars)
    assert hub.get(ROOMS)[1]["rooms"] == ["space"], "the calendar was there before"
    told = [entry["what"] for entry in hub.get("/api/v1/audit", token=hub.owner_token)[1]["entries"]]
    assert told.count("rooms.chosen") == 3 and told.count("rooms.shown") == 2


@pytest.mark.parametrize("before", [["space", "anchor", "bells"], None])
def test_a_choice_hides_no_room_that_is_switched_off_meanwhile(hub, before):
    if before:
        choose(hub, before, "space")
    usual, hub.options = hub.options, ["--rooms", "space,bells,programme"]
    hub.stop()
    hub.start()
    assert hub.get(ROOMS)[1]["rooms"] == (["space", "bells"] if before else ["space", "programme", "bells"])
    assert choose(hub, ["programme", "bells"], "programme").status == 200
    assert hub.get(ROOMS)[1]["rooms"] == ["programme", "bells"]
    hub.stop()
    hub.options = usual
    hub.start()
    told = hub.get(ROOMS)[1]
    assert (told["rooms"][:2], told["front"]) == (["programme", "bells"], "programme")
    assert "anchor" in told["rooms"] and "space" not in told["rooms"]
    assert not before or len(told["rooms"]) == 3


def test_who_is_removed_while_a_room_is_off_is_not_in_it_when_it_is_on_again(hub):
    kim = hub.sign_in("member", "Kim")
    bell, other = make_device(hub, "Kim's", person="Kim"), make_device(hub, "nobody's")
    kim = hub.get("/api/v1/session", kim)[1]["person"]["id"]
    usual, hub.options = hub.options, ["--rooms", "space"]
    hub.stop()
    hub.start()
    assert hub.delete(f"/api/v1/people/{kim}", hub.owner_token)[0] == 204
    hub.stop()
    hub.options = usual
    hub.start()
    devices = hub.get("/api/v1/bells/devices?all=1", token=hub.owner_token)[1]
    assert [one["name"] for one in devices] == ["nobody's"]
    with device_at(hub, bell["secret"], is_welcome=False) as device:
        assert device.expect("bye")["reason"] == "unknown_secret"
    with device_at(hub, other["secret"]):
        pass
