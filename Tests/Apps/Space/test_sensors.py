"""Sensors over the API: every kind of SpaceAPI, its required fields, and the age of its values."""

import concurrent.futures
import random
import threading
import time
import urllib.parse

import pytest

from hub import SPACE, eventually
from live import listening
from png import png
from spaceapi import check, document

SENSORS = "/api/v1/space/sensors"
HERE = {"location": "Kitchen"}
KINDS = {
    "temperature": {"value": 21.5, "unit": "°C"} | HERE, "carbondioxide": {"value": 612, "unit": "ppm"} | HERE,
    "door_locked": {"value": True} | HERE, "barometer": {"value": 1013.2, "unit": "hPa"} | HERE,
    "humidity": {"value": 41, "unit": "%"} | HERE, "beverage_supply": {"value": 48, "unit": "btl"},
    "power_consumption": {"value": 420, "unit": "W"} | HERE, "power_generation": {"value": 90, "unit": "VA"} | HERE,
    "wind": {"properties": {"speed": {"value": 3, "unit": "m/s"}, "gust": {"value": 9, "unit": "km/h"},
                            "direction": {"value": 270, "unit": "°"}, "elevation": {"value": 12, "unit": "m"}}} | HERE,
    "network_connections": {"value": 12, "type": "wifi"}, "account_balance": {"value": -12.5, "unit": "EUR"},
    "total_member_count": {"value": 87}, "people_now_present": {"value": 2, "names": ["Ada", "<b>Bob</b>"]},
    "network_traffic": {"properties": {"bits_per_second": {"value": 1e6, "maximum": 1e8},
                                       "packets_per_second": {"value": 800}}},
    "radiation.alpha": {"value": 3, "unit": "cpm", "dead_time": 90, "conversion_factor": 0.0057},
    "radiation.beta": {"value": 3, "unit": "µSv/h"}, "radiation.gamma": {"value": 3, "unit": "mSv/a"},
    "radiation.beta_gamma": {"value": 3, "unit": "r/h"} | HERE,
}


def address(kind, name):
    return f"{SENSORS}/{kind}/{urllib.parse.quote(name, safe='')}"


@pytest.fixture
def report(hub_with_space):
    token = hub_with_space.token("sensor", "thermometer")

    def report(kind, name="main", status=200, **fields):
        got, answer = hub_with_space.put(address(kind, name), token, fields)
        assert got == status, answer
        return answer

    report.token = token
    return report


def sensors(hub):
    return hub.get(SENSORS)[1]["sensors"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_spaceapi_is_taken_and_told(shared_hub, kind):
    name = "A name / with ü"
    status, answer = shared_hub.put(address(kind, name), shared_hub.owner_token, KINDS[kind])
    assert status == 200 and sensors(shared_hub) == [answer]
    assert (answer["kind"], answer["name"], answer["stale"]) == (kind, name, False)
    found = document(shared_hub)
    check(found)
    outer, _, inner = kind.partition(".")
    told = found["sensors"][outer][inner] if inner else found["sensors"][outer]
    assert told == [KINDS[kind] | {"name": name, "lastchange": told[0]["lastchange"]}]
    assert abs(told[0]["lastchange"] - time.time()) < 10
    assert shared_hub.delete(address(kind, name), shared_hub.owner_token)[0] == 204


@pytest.mark.parametrize("kind, fields, said", [
    ("temperature", {"value": 1, "unit": "°C"}, "location: missing"),
    ("temperature", {"value": 1, "location": "a"}, "unit: missing"),
    ("temperature", {"value": "1", "unit": "°C", "location": "a"}, "value: a string"),
    ("temperature", {"value": 1, "unit": "C", "location": "a"}, "°C"),
    ("temperature", {"value": 1e13, "unit": "°C", "location": "a"}, "value"),
    ("door_locked", {"value": 1, "location": "a"}, "true or false"),
    ("door_locked", {"value": True, "location": "a", "unit": "x"}, "unit: unknown"),
    ("people_now_present", {"value": -1}, "-1"),
    ("people_now_present", {"value": 1, "names": [""]}, "names"),
    ("people_now_present", {"value": 1, "names": [1]}, "names"),
    ("wind", {"location": "a", "properties": {"speed": {"value": 1, "unit": "m/s"}}}, "properties.gust: missing"),
    ("wind", {"location": "a", "properties": {"speed": {"value": "1", "unit": "m/s"}}}, "properties.speed.value"),
    ("network_traffic", {"properties": {}}, "bits_per_second"),
    ("network_traffic", {"properties": {"bits_per_second": {"value": -1}}}, "-1"),
    ("network_connections", {"value": 1, "type": "radio"}, "wifi"),
    ("network_connections", {"value": 1, "machines": [{"mac": "D3:3A"}]}, "machines: unknown"),
    ("humidity", {"value": 1, "unit": "%", "location": "a", "heartbeat_s": 0}, "heartbeat_s"),
    ("humidity", [], "body"),
])
def test_what_spaceapi_would_refuse_is_refused(shared_hub, kind, fields, said):
    status, answer = shared_hub.put(f"{SENSORS}/{kind}/x", shared_hub.owner_token, fields)
    assert (status, answer["code"]) == (400, 40003) and said in answer["error"], answer
    assert sensors(shared_hub) == []


def test_the_last_one_who_leaves_leaves_no_names(hub_with_space, report):
    report("people_now_present", value=1, names=["Ada"])
    report("people_now_present", value=0, names=[])
    told, = document(hub_with_space)["sensors"]["people_now_present"]
    assert told["value"] == 0 and "names" not in told
    check(document(hub_with_space))


def test_an_unknown_kind_is_told_those_there_are(report):
    answer = report("mood", status=404, value=1)
    assert answer["code"] == 40447 and "temperature" in answer["help"]


def test_a_name_can_be_shown(hub_with_space, report):
    assert "name" in report("total_member_count", "a\x01b", status=400, value=1)["error"]
    assert "name" in report("total_member_count", "n" * 101, status=400, value=1)["error"]


def test_old_values_are_stale_and_never_told_as_fresh(hub_with_space, report):
    hub = hub_with_space
    report("temperature", **KINDS["temperature"], heartbeat_s=1)
    report("humidity", **KINDS["humidity"])
    assert set(document(hub)["sensors"]) == {"temperature", "humidity"}
    eventually(lambda: [one["stale"] for one in sensors(hub)] == [False, True])
    assert sensors(hub)[1]["value"] == 21.5
    found = document(hub)
    check(found)
    assert set(found["sensors"]) == {"humidity"}
    report("temperature", **KINDS["temperature"])
    assert "temperature" in document(hub)["sensors"]


def test_the_time_of_the_change_is_not_that_of_the_report(hub_with_space, report):
    first = report("humidity", **KINDS["humidity"])
    time_of_change = first["changed_at"]

    def again():
        answer = report("humidity", **KINDS["humidity"])
        return answer if answer["reported_at"] > time_of_change else None

    second = eventually(again)
    assert second["changed_at"] == time_of_change
    third = report("humidity", **KINDS["humidity"] | {"value": 2})
    assert third["changed_at"] == third["reported_at"] > time_of_change


def test_sensors_survive_a_kill_and_are_told_live_and_can_be_removed(hub_with_space, report):
    hub = hub_with_space
    with listening(hub) as listener:
        answer = report("door_locked", "Front door", **KINDS["door_locked"])
        assert listener.expect("sensor") == answer
    hub.kill()
    hub.start()
    assert sensors(hub) == [answer] and "door_locked" in document(hub)["sensors"]
    headers = {"Authorization": f"Bearer {report.token}"}
    assert hub.request("DELETE", f"{SENSORS}/door_locked/Front%20door", headers).status == 204
    assert sensors(hub) == [] and "sensors" not in document(hub)


def test_there_is_an_end_to_sensors(hub_with_space, report):
    for number in range(100):
        report("total_member_count", f"s{number}", value=number)
    assert report("total_member_count", "one more", status=409, value=1)["code"] == 40947
    report("total_member_count", "s3", value=4)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_taken_makes_a_document_that_both_versions_accept(hub_with_space, report, seed):
    """Random settings, pictures, turns and sensors."""
    dice = random.Random(seed)
    hub = hub_with_space
    words = ["", "Ada", "„Raum“ <b>&amp;</b>", "\u2028 ⚓ \\ \"", "x" * 100]
    settings = {"name": dice.choice(words[1:]), "address": dice.choice([None, *words]), "contact": dice.choice(
        [{}, {"email": "a@b.example"}, {"matrix": "#a:b", "irc": "ircs://x/#y"}]), "opening_hours": dice.choice(
        [None, "Tu 18:00+", "whenever"]), "timezone": dice.choice(["UTC", "Europe/Berlin", "Asia/Kathmandu"])}
    hub.configure(**settings)
    for _ in range(8):
        hub.turn(dice.random() < 0.5, message=dice.choice(words), by=dice.choice(words),
                 until=dice.choice([None, "23:00", "2020-01-01T00:00:00Z"]))
    for kind in dice.sample(sorted(KINDS), 9):
        more = {"description": dice.choice(words[1:])} if dice.random() < 0.5 else {}
        report(kind, dice.choice(words[1:]), **KINDS[kind] | more)
    pictures = dice.sample(["open", "closed", "logo"], dice.randrange(4))
    for name in pictures:
        answer = hub.request("PUT", f"/api/v1/space/pictures/{name}", {"Authorization": f"Bearer {hub.owner_token}"},
                             png(10, 10))
        assert answer.status in (200, 201), answer.body
    hub.put("/api/v1/space/followed", hub.owner_token, {"urls": ["http://127.0.0.1:9/spaceapi.json"]})
    if dice.random() < 0.5:
        hub.put("/api/v1/space/switch", report.token, {"open": True, "heartbeat_s": 60})
    found = document(hub)
    check(found)
    assert ("icon" in found["state"]) == ({"open", "closed"} <= set(pictures))
    if "icon" in found["state"]:
        for address in found["state"]["icon"].values():
            assert address.startswith(hub.url + "/")
            assert hub.request("GET", address.removeprefix(hub.url)).status == 200
    assert found["linked_spaces"] == [{"endpoint": "http://127.0.0.1:9/spaceapi.json"}]
    assert found["space"] == settings["name"] != SPACE["name"]


def test_of_reports_at_the_same_time_the_last_one_told_is_the_one_that_stays(hub_with_space, report):
    with concurrent.futures.ThreadPoolExecutor(6) as pool, listening(hub_with_space) as live:
        for turn in range(60):
            begin = threading.Barrier(6)

            def speak(number):
                begin.wait()
                report("temperature", value=turn * 10 + number, unit="°C", **HERE)

            list(pool.map(speak, range(6)))
            told = [live.expect("sensor") for _ in range(6)]
            assert told[-1]["value"] == sensors(hub_with_space)[0]["value"]
