"""The anchor watch of a real hub: commands, reports, alarms at devices' gateway, answers that come back, kills."""

import contextlib
import datetime
import json
import math
import re
import sqlite3
import time

import pytest

from bell_device import DRILLS, device_at, drilled, make_device
from hub import command, eventually

ANCHOR = "/api/v1/anchor"
# Confirmed at once, since what is measured is not how long the rules wait.
QUICK = {"grace_s": 0, "zone": {"shape": "circle", "radius_m": 40}}


def north(metres, at=None, accuracy=1):
    """A fix that many metres north of the anchor."""
    return [at or time.time(), 54.1234 + math.degrees(metres / 6_371_008.8), 10.2, accuracy, 0.8]


def report(hub, secret, metres, **more):
    body = {"source": "gpsd", "kind": "agent", "interval_s": 60, "fixes": [north(metres)]} | more
    status, answer = hub.post(f"{ANCHOR}/positions", secret, body)
    assert status == 200, answer
    return answer


def ours(message):
    """The member of a silent push for the anchor watch of an agent."""
    return message["content"]["user_info"]["anchor"]


def until_level(device, level, seconds=20):
    """The next message of that level; what comes before it is shown, too."""
    while True:
        message = device.show(seconds)
        if message["content"].get("interruption_level") == level:
            return message


def test_a_dragging_boat_wakes_the_crew_until_somebody_is_on_it(hub):
    boat = make_device(hub, "boat")
    ada = hub.sign_in("owner", "Ada")
    phone = make_device(hub, "Ada's phone", person="Ada")
    make_device(hub, "drawer", person="Ada")
    report(hub, boat["secret"], 20)
    with device_at(hub, boat["secret"]) as agent, device_at(hub, phone["secret"]) as bell:
        assert hub.post(f"{ANCHOR}/drop", ada, {"lat": 54.1234, "lon": 10.2})[0] == 200
        assert ours(agent.show())["armed"] is False
        assert hub.patch(ANCHOR, ada, QUICK)[0] == 200
        assert ours(agent.show())["settings"]["grace_s"] == 0
        status, armed = hub.post(f"{ANCHOR}/arm", ada, {})
        assert status == 200 and [one["kind"] for one in armed["warnings"]] == ["no drill"]
        told = ours(agent.show())
        assert told["armed"] is True and told["settings"]["zone"]["radius_m"] == 40

        report(hub, boat["secret"], 20, fixes=[north(20, time.time() - 10)])
        assert hub.get(ANCHOR, token=ada)[1]["state"] == "holding"
        began = time.monotonic()
        # As far as a boat drifts in a second; the last is now.
        now = time.time()
        report(hub, boat["secret"], 0, fixes=[north(20 + 8 * step, now - 6 + step) for step in range(7)])
        alarm = until_level(bell, "critical")
        print(f"rang {time.monotonic() - began:.2f} s after the report of the first fix outside")
        content = alarm["content"]
        assert "drags" in content["title"] and "54." not in json.dumps(content), "no position in a notification"
        assert [one["id"] for one in content["actions"]] == ["on-it", "extend", "weigh"]
        assert hub.get(ANCHOR, token=ada)[1]["state"] == "alarm"
        # Her other phone, which was never connected, is not said to ring.
        eventually(lambda: {one["name"]: (one["rang"], one["reached"]) for one in hub.get(ANCHOR, token=ada)[1][
            "watchers"]} == {"Ada's phone": (True, True), "drawer": (True, False)}, 10, what="whom it has reached")

        # Killed, the hub knows where it was, and rings on.
        hub.kill()
        hub.start()
        state = hub.get(ANCHOR, token=ada)[1]
        assert state["armed"] and [one["kind"] for one in state["alarms"]] == ["alarm"]
    with device_at(hub, phone["secret"]) as bell:
        # It may have rung once more by now.
        with contextlib.suppress(TimeoutError):
            alarm = until_level(bell, "critical", 2)
        bell.send("respond", id=alarm["id"], action="on-it")
        eventually(lambda: hub.get(ANCHOR, token=ada)[1]["acknowledged_by"] == "Ada", 20, what="she is on it")
    # A time has three digits behind its point.
    assert not re.search(r"54\.12\d\d", hub.log), "no position in the log"


def test_the_whole_way_is_tested_and_each_device_answers_for_itself(hub):
    ada = hub.sign_in("owner", "Ada")
    make_device(hub, "phone", person="Ada")
    kitchen = make_device(hub, "tablet", person="Ada")
    with device_at(hub, kitchen["secret"]) as tablet:
        status, drill = hub.post(DRILLS, ada, {"room": "anchor"})
        assert (status, drill["devices"]) == (202, 2)
        message = tablet.show()
        assert message["content"]["interruption_level"] == "critical"
        tablet.send("respond", id=message["id"], action="heard")
        told = eventually(lambda: [one for one in drilled(hub, ada)["devices"] if one["answered_after_s"] is not None],
                          20, what="it has answered")
    devices = {one["name"]: one for one in drilled(hub, ada)["devices"]}
    make_device(hub, "new", person="Ada")
    assert devices["tablet"]["rang"] and not devices["phone"]["rang"], told
    hub.post(f"{ANCHOR}/drop", ada, {"lat": 54.1234, "lon": 10.2})
    warnings = hub.post(f"{ANCHOR}/arm", ada, {})[1]["warnings"]
    assert {"kind": "no answer", "name": "phone", "person": "Ada"} in warnings
    assert {"kind": "not tried", "name": "new", "person": "Ada"} in warnings


def test_from_the_command_line(hub):
    env = {"EIGHTBELLS_HUB": hub.url, "EIGHTBELLS_TOKEN": hub.owner_token}

    def anchor(*words):
        return command("anchor", *words, env=env)

    assert anchor("status").stdout == "idle: no anchor is down\n"
    assert "No device has told a position" in anchor("drop").stderr
    boat = make_device(hub, "boat")
    # An older one may be far from where the boat is now.
    report(hub, boat["secret"], 20, fixes=[north(20, time.time() - 180)])
    assert "in the last two minutes" in anchor("drop").stderr
    # 44.2 m of swing on such a rode, 4 m to the bow, 20 m, and 2.5 m of error.
    rode = '{"rode": {"length_m": 45, "depth_m": 7}}'
    told = json.loads(anchor("drop", "--at", "54.1,10.2", "--no-arm", "--settings", rode, "--json").stdout)
    assert told["settings"]["zone"]["radius_m"] == 71
    assert "3 min old" in anchor("move").stderr and anchor("weigh").returncode == 0
    # A position that is fresh, of a phone, is as good beside one that is not.
    report(hub, make_device(hub, "phone")["secret"], 20, source="phone", kind="page")
    assert "not armed" in anchor("drop", "--no-arm").stdout and anchor("weigh").returncode == 0
    report(hub, boat["secret"], 20, battery=0.9, charging=True)
    # What is refused drops no anchor.
    assert "0.1 to 1 is accepted" in anchor("drop", "--at", "54.1,10.2", "--warning", "80").stderr
    assert anchor("status").stdout.startswith("idle")
    assert "not armed" in anchor("drop", "--at", "54.1,10.2", "--no-arm").stdout
    assert json.loads(anchor("arm", "--json").stdout)["armed"]
    assert anchor("acknowledge").returncode == 0 and anchor("weigh").returncode == 0
    for words in (("arm",), ("drop", "--no-arm")):
        told = command("anchor", *words, "--agent", "nowhere")
        assert told.returncode == 2 and "when the anchor is dropped" in told.stderr, told.stderr
    done = anchor("drop", "--bearing", "180", "--distance", "20", "--radius", "35")
    assert done.returncode == 0, done.stderr
    assert "gpsd (agent): ok, battery 90 %, charging" in done.stdout and "warning: the way of" in done.stdout
    report(hub, boat["secret"], 21)
    told = json.loads(anchor("status", "--json").stdout)
    assert told["state"] == "holding" and abs(told["distance_m"] - 21) < 0.5
    assert told["settings"]["zone"]["radius_m"] == 35 and abs(told["room_m"] - 14) < 0.5
    assert "a number is accepted" in anchor("set", "--radius", "wide").stderr
    assert json.loads(anchor("set", "--radius", "50", "--json").stdout)["settings"]["zone"]["radius_m"] == 50
    moved = json.loads(anchor("move", "--bearing", "180", "--distance", "25", "--json").stdout)
    assert abs(moved["distance_m"] - 25) < 0.5 and moved["anchor_by"] == "map"
    assert "2 devices report" in hub.command("doctor").stdout
    assert anchor("weigh").stdout.startswith("idle")
    assert anchor("move").returncode == 1
    assert len(hub.get(f"{ANCHOR}/history", token=hub.owner_token)[1]["anchorages"]) == 4


@pytest.mark.file
def test_the_boat_of_a_demonstration_goes_on_reporting(make_hub):
    hub = make_hub("demo", demo=True, options=["--rooms", "anchor"])
    hub.stop()
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite")) as store, store:
        store.execute("UPDATE anchor_sources SET last = last - 600, fix_at = fix_at - 600")
    hub.start()

    def is_heard():
        boat, = hub.get(ANCHOR, token=hub.owner_token)[1]["sources"]
        return time.time() - datetime.datetime.fromisoformat(boat["last"]).timestamp() < 60

    eventually(is_heard, 20, what="a report of now")
    state = hub.get(ANCHOR, token=hub.owner_token)[1]
    assert state["state"] == "holding" and state["distance_m"] < 25
