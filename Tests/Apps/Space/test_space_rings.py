"""The door rings: who opens when an event begins, and other spaces that turn their sign."""

import datetime
import json
import time

from bell_device import device_at, make_device
from hub import command, eventually
from ics import calendar, event
from mailroom import Mailroom, hub_with_mail, link

DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]


def soon(calendar_server):
    """A calendar in which an evening begins in a moment."""
    begins = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=6)
    url = calendar_server.serve(
        "/calendar.ics", calendar(event("a", f"{begins:%Y%m%dT%H%M%SZ}", "DURATION:PT2H", title="Soldering")))
    return [{"kind": "ics", "url": url}]


def opener_told(hub, who):
    """What the history tells of openers, and of which evening."""
    entries = hub.get("/api/v1/history?room=programme", token=who)[1]["entries"]
    return [(one["by"], one["who"], one["what"], one["about"]) for one in entries if one["what"].startswith("opener.")]


def kim_opens(hub):
    """The only entry for which there is a reason, if Kim has answered: it names her, the evening, and its time."""
    evening, = hub.get("/api/v1/space/events?days=2")[1]["events"]
    return [("person", "Kim", "opener.volunteered", f"Soldering, {evening['start']}")]


def test_a_keykeeper_is_asked_when_an_event_begins_and_puts_themselves_down(hub_with_space, calendar_server):
    hub = hub_with_space
    kim = hub.sign_in("keykeeper", "Kim")
    device = make_device(hub, "bell", person="Kim")
    hub.turn(False)
    calendars = soon(calendar_server)
    with device_at(hub, device["secret"]) as bell:
        hub.configure(calendars=calendars)
        question = bell.show(20)
        content = question["content"]
        assert content["title"] == "Soldering begins, the space is closed"
        assert content["interruption_level"] == "time-sensitive"
        assert [one["id"] for one in content["actions"]] == ["opening", "not-today"]
        assert [one["title"] for one in content["localized"]["de"]["actions"]] == ["Ich schließe auf", "Heute nicht"]
        bell.send("respond", id=question["id"], action="opening", at="2026-01-01T12:00:00Z")
        assert bell.expect("taken")["id"] == question["id"]
    openers = eventually(lambda: hub.get("/api/v1/space/openers?days=2")[1]["openers"])
    assert [one["name"] for one in openers[0]["people"]] == ["Kim"]
    assert opener_told(hub, kim) == kim_opens(hub)


def test_who_answers_by_mail_stands_in_the_history_by_name(make_hub, calendar_server):
    with Mailroom() as room:
        hub = hub_with_mail(make_hub, room.port)
        kim = hub.sign_in("keykeeper", "Kim")
        assert hub.put("/api/v1/bells/mail", kim, {"address": "kim@example.org", "after_minutes": 0})[0] == 200
        assert hub.request("POST", link(room.wait(1)[0], hub)).status == 200
        hub.configure()
        hub.turn(False)
        calendars = soon(calendar_server)
        hub.configure(calendars=calendars)
        assert hub.request("POST", link(room.wait(2, 25)[1], hub)).status == 200
        assert opener_told(hub, kim) == kim_opens(hub)


def test_open_until_that_has_passed_reminds_who_may_turn_the_sign_and_only_tells_others(hub_with_space):
    hub = hub_with_space
    kim, ada = hub.sign_in("keykeeper", "Kim"), hub.sign_in("member", "Ada")
    for who in (kim, ada):
        assert hub.put("/api/v1/bells/topics/space?for=me", who)[0] == 204
    lea = hub.sign_in("keykeeper", "Lea")
    make_device(hub, "bell", "space", person="Lea")  # she has subscribed with this one alone
    speaker = make_device(hub, "room", "space")
    until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=3)
    hub.turn(True, until=f"{until:%Y-%m-%dT%H:%M:%SZ}")

    def told(who):
        items = hub.get("/api/v1/bells", token=who)[1]["items"]
        return [one["content"] for one in items if "passed" in one["content"]["title"]]
    for who in (kim, lea):
        reminder, = eventually(lambda who=who: told(who))
        assert "Whoever leaves last" in reminder["body"] and "interruption_level" not in reminder
    other, = eventually(lambda: told(ada))
    assert "may be closed" in other["body"] and other["interruption_level"] == "passive" and "sound" not in other
    # A loudspeaker, which is nobody's, reminds whoever is there.
    with device_at(hub, speaker["secret"]) as room:
        while "Whoever leaves last" not in room.show()["content"]["body"]:
            pass


def test_another_space_that_opens_rings_those_who_follow_it(hub_with_space, calendar_server):
    hub = hub_with_space

    def says(open_):
        return calendar_server.serve("/other.json", json.dumps({"space": "Other", "state": {"open": open_}}),
                                     content_type="application/json")
    url = says(False)
    device = make_device(hub, "bell", "space.followed")
    assert hub.put("/api/v1/space/followed", hub.owner_token, {"urls": [url]})[0] == 200
    eventually(lambda: hub.get("/api/v1/space/followed")[1]["followed"][0]["open"] is False)
    says(True)
    with device_at(hub, device["secret"]) as bell:
        assert bell.is_silent()
    hub.stop()
    hub.start()  # looks at once
    with device_at(hub, device["secret"]) as bell:
        assert bell.show()["content"]["title"] == "Other is open"


def test_who_is_near_is_told_that_the_space_is_open(hub_with_space):
    hub = hub_with_space
    ada = hub.sign_in("owner", "Ada")
    hub.configure(lat=54.32, lon=10.14)
    device = make_device(hub, "bell", "space.near", person="Ada")
    phone = hub.post("/api/v1/anchor/phones", ada, {"name": "phone", "app": "owntracks", "aboard": False})[1]

    def walk(north):
        message = {"_type": "location", "lat": 54.32 + north / 1_000, "lon": 10.14, "acc": 5, "tst": int(time.time())}
        assert hub.post("/api/v1/anchor/owntracks", phone["secret"], message)[0] == 200

    hub.turn(False)
    with device_at(hub, device["secret"]) as bell:
        walk(20)
        hub.turn(True)
        # Two kilometres away nothing rings; 300 m away it does, once.
        assert bell.is_silent()
        walk(2.7)
        assert bell.show()["content"]["title"] == "Open, and you are near"
        walk(20)
        walk(2.7)
        assert bell.is_silent()
        # She is there when the sign opens again. Nothing waits while it is closed.
        hub.turn(False)
        walk(20)
        walk(2.7)
        assert bell.is_silent()
        hub.turn(True)
        assert bell.show()["content"]["title"] == "Open, and you are near"


def test_a_closed_sign_says_when_it_opens(hub_with_space):
    hub = hub_with_space
    tomorrow = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=3)
    hub.configure(opening_hours=f"{DAYS[tomorrow.weekday()]} 18:00-23:00")
    hub.turn(True)
    assert hub.state()["opens"] is None
    hub.turn(False)
    assert hub.state()["opens"].startswith(f"{tomorrow}T18:00:00")
    status = command("space", "status", "--hub", hub.url)
    assert status.stdout.startswith("closed since ") and f", opens {tomorrow} 18:00" in status.stdout, status.stderr
    told = json.loads(command("space", "status", "--hub", hub.url, "--json").stdout)
    assert told["opens"] == hub.state()["opens"]
