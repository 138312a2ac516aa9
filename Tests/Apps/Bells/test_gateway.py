"""Notifications on their way to devices at the gateway, over real sockets."""

import concurrent.futures
import datetime
import json
import pathlib
import re
import time

import pytest

from bell_device import device_at, make_device
from hub import command, eventually

SEND = "/api/v1/notifications"


def send(hub, to, **body):
    content = body.pop("content", {"title": "Hello"})
    status, answer = hub.post(SEND, hub.owner_token, {"to": to, "content": content} | body)
    assert status == 202, answer
    return answer["id"]


def events(hub, one, device):
    """The events of a notification on a device, with the codes of their reasons."""
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    found = next(each for each in trace["devices"] if each["device"] == device["id"])
    return [(event["what"], event["code"]) if "code" in event else event["what"] for event in found["events"]]


@pytest.mark.one_hub  # the one that a device has connected to says so
def test_what_is_sent_is_shown_and_the_trace_tells_the_way(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        assert (device.welcome["device"], device.welcome["name"]) == (made["id"], "bell")
        one = send(hub, {"topic": "space"}, content={"title": "Open", "unheard_of": [1]}, collapse_id="sign")
        shown = device.show()
        assert (shown["id"], shown["content"], shown["collapse_id"], shown["priority"]) == (
            one, {"title": "Open", "unheard_of": [1]}, "sign", "high")
        assert device.is_silent()
        assert events(hub, one, made) == ["queued", "sent", "shown"]
        listed = hub.get("/api/v1/bells/devices?all=1", token=hub.owner_token)[1]
        assert [(each["connected"], each["zone"]) for each in listed] == [(True, "Europe/Berlin")]
    eventually(lambda: not hub.get("/api/v1/bells/devices?all=1", token=hub.owner_token)[1][0]["connected"])


def test_times_of_a_device_keep_their_milliseconds(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        one = send(hub, {"topic": "space"})
        shown = device.expect("show")
        at = datetime.datetime.now(datetime.UTC).replace(microsecond=819_000) - datetime.timedelta(seconds=0)
        time.sleep(max(0, (at - datetime.datetime.now(datetime.UTC)).total_seconds()) + 0.01)
        at = f"{at:%Y-%m-%dT%H:%M:%S}.819Z"
        device.send("ack", id=one, version=shown["version"], what="shown", at=at)
        assert device.is_silent()
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    told = [event for event in trace["devices"][0]["events"] if event["what"] == "shown"]
    queued = trace["devices"][0]["events"][0]["at"]
    assert told[0]["at"] == max(at, queued)


def test_what_came_while_it_was_away_comes_when_it_is_back_and_once(hub):
    made = make_device(hub, "bell", "space")
    ids = [send(hub, {"topic": "space"}) for _ in range(3)]
    hub.kill()
    hub.start()
    with device_at(hub, made["secret"]) as device:
        assert [device.show()["id"] for _ in ids] == ids
        assert device.is_silent()
    with device_at(hub, made["secret"]) as device:
        assert device.is_silent(), "it was acknowledged"


def test_it_is_changed_and_taken_back_on_the_device(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        one = send(hub, {"topic": "space"}, content={"title": "Open", "body": "Ada"})
        first = device.show()
        assert hub.patch(f"{SEND}/{one}", hub.owner_token, {"content": {"body": "Ben"}})[0] == 200
        second = device.show()
        assert (second["id"], second["version"]) == (one, first["version"] + 1)
        assert second["content"] == {"title": "Open", "body": "Ben"}
        assert hub.delete(f"{SEND}/{one}", hub.owner_token)[0] == 204
        gone = device.expect("withdraw")
        assert (gone["id"], gone["reason"]) == (one, "taken_back")
        device.ack(gone, "withdrawn")
        assert device.is_silent()
    assert events(hub, one, made)[-1] == ("withdrawn", "taken_back")
    with device_at(hub, made["secret"]) as device:
        assert device.is_silent()


def test_what_is_taken_back_while_a_device_is_away_is_over_in_the_trace_before_it_comes(hub):
    made = make_device(hub, "bell", "space")
    one = send(hub, {"topic": "space"})
    assert hub.delete(f"{SEND}/{one}", hub.owner_token)[0] == 204
    assert events(hub, one, made) == ["queued", ("withdrawn", "taken_back")]
    with device_at(hub, made["secret"]) as device:
        device.ack(device.expect("withdraw"), "withdrawn")
        assert device.is_silent()
    assert [event for event in events(hub, one, made) if event != "sent"] == ["queued", ("withdrawn", "taken_back")]


def test_the_first_action_takes_it_from_the_others(hub):
    ada = hub.sign_in("member", "Ada")
    one_bell, other_bell = make_device(hub, "one", "space", person="Ada"), make_device(hub, "other", "space")
    with device_at(hub, one_bell["secret"]) as one, device_at(hub, other_bell["secret"]) as other:
        asked = send(hub, {"topic": "space"}, content={"title": "Who?", "actions": [{"id": "me", "title": "I"}]})
        one.show(), other.show()
        one.send("respond", id=asked, action="me", text="soon")
        taken = one.expect("taken")
        assert (taken["id"], taken["action"]) == (asked, "me")
        gone = other.expect("withdraw")
        assert (gone["id"], gone["reason"]) == (asked, "answered_elsewhere")
    trace = hub.get(f"{SEND}/{asked}", token=hub.owner_token)[1]
    assert (trace["state"], trace["acted"]["action"], trace["acted"]["text"]) == ("acted", "me", "soon")
    told = command("push", "trace", asked, "--data", hub.data).stdout
    assert f': me "soon", by person {trace["acted"]["person"]} on one.' in told
    item = hub.get("/api/v1/bells", token=ada)[1]["items"][0]
    assert (item["state"], item["acted"]["by"]) == ("acted", "Ada")


# What comes by another hub is fetched when half of what is on its way is acknowledged, so that is less than 64 here.
@pytest.mark.one_hub
def test_a_device_that_never_acknowledges_costs_a_bound_and_nobody_else_s_notification(hub):
    """1,000 wait for it, of which 64 are on their way; past that the oldest of the lowest priority is dropped."""
    deaf_bell, other_bell = make_device(hub, "deaf"), make_device(hub, "other")

    def ring(count, other):
        """A burst, of which each tenth is for the other device too."""
        def one(number):
            to = [{"device": each["id"]} for each in ((deaf_bell, other_bell) if number % 10 == 0 else (deaf_bell,))]
            return send(hub, to, content={"title": f"{number}", "body": "x" * 2_000}, priority="normal")

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            sent = list(pool.map(one, range(count)))
        assert {other.show()["id"] for _ in sent[::10]} == set(sent[::10])
        return sent

    with device_at(hub, deaf_bell["secret"]) as deaf, device_at(hub, other_bell["secret"]) as other:
        important = send(hub, {"device": deaf_bell["id"]}, priority="high")
        sent = ring(999, other)
        before = memory(hub)
        sent += ring(1_000, other)
        assert other.is_silent()
        assert memory(hub) - before < 8 << 20, "what waits is in the store"
        came = [deaf.expect("show")["id"] for _ in range(64)]
        assert came[0] == important and len(set(came)) == 64
        assert deaf.is_silent(), "no more than 64 are on their way to it"
        # Their ids have the order in which they were kept.
        sent.sort(key=int)
        dropped, kept = sent[:1_000], sent[1_000:]
        for one in (dropped[0], dropped[500], dropped[-1]):
            assert events(hub, one, deaf_bell)[-1] == ("suppressed", "queue_full")
        for one in (important, kept[0], kept[-1]):
            assert ("suppressed", "queue_full") not in events(hub, one, deaf_bell)
    with device_at(hub, deaf_bell["secret"]) as better:
        assert [better.next()["id"] for _ in range(64)] == [important, *kept[:63]]


def memory(hub):
    """Bytes that the hub's process has for itself."""
    status = pathlib.Path(f"/proc/{hub.process.pid}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+) kB", status)[1]) << 10


def test_of_two_with_one_secret_the_newer_wins(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as older, device_at(hub, made["secret"]) as newer:
        assert older.expect("bye")["reason"] == "replaced"
        one = send(hub, {"topic": "space"})
        assert newer.show()["id"] == one


def test_a_removed_device_is_told_and_its_secret_is_void(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        assert hub.delete(f"/api/v1/bells/devices/{made['id']}", hub.owner_token)[0] == 204
        assert device.expect("bye")["reason"] == "removed"
    with device_at(hub, made["secret"], is_welcome=False) as device:
        assert device.expect("bye")["reason"] == "unknown_secret"


def test_a_hub_that_ends_says_so(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        hub.stop()
        assert device.expect("bye")["reason"] == "restart"


def test_what_a_command_beside_the_hub_sends_is_there_at_once(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        assert device.is_silent()
        sent = command("push", "send", "--to", "topic:space", "--title", "Beside", "--data", hub.data)
        assert sent.returncode == 0, sent.stderr
        shown = device.show(seconds=5)
        assert (shown["id"], shown["content"]["title"]) == (sent.stdout.strip(), "Beside")
        assert command("push", "cancel", shown["id"], "--data", hub.data).returncode == 0
        assert device.expect("withdraw", seconds=5)["id"] == shown["id"]


def test_what_is_scheduled_comes_at_its_time(hub):
    made = make_device(hub, "bell", "space")
    at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=2)
    with device_at(hub, made["secret"]) as device:
        one = send(hub, {"topic": "space"}, at=at.strftime("%Y-%m-%dT%H:%M:%SZ"))
        shown = device.show(seconds=8)
        assert shown["id"] == one
        now = datetime.datetime.now(datetime.UTC)
        assert abs((now - at).total_seconds()) < 2, "neither early nor late"


DEVICES = "/api/v1/bells/devices"


def test_a_device_registers_and_again_which_ends_the_old_secret(hub):
    ada = hub.sign_in("member", "Ada")
    status, made = hub.post(DEVICES, ada, {"name": "boat", "topics": ["space"], "zone": "Europe/Berlin"})
    assert status == 201 and set(made) == {"id", "device_token", "secret"} and len(made["device_token"]) == 64
    mine = hub.get(DEVICES, token=ada)[1]
    assert [(one["id"], one["name"], one["kind"], one["channels"]) for one in mine] == [
        (made["id"], "boat", "agent", ["gateway"])]
    with device_at(hub, made["secret"]) as device:
        one = send(hub, {"topic": "space"})
        assert device.show()["id"] == one
        status, again = hub.put(f"{DEVICES}/{made['id']}/secret", ada, {})
        assert status == 200 and again["id"] == made["id"] and set(again) == set(made)
        assert again["secret"] != made["secret"] and again["device_token"] != made["device_token"]
        assert device.expect("bye")["reason"] == "removed"
    old = {"to": {"device": made["device_token"]}, "content": {"title": "x"}}
    assert hub.post(SEND, hub.owner_token, old)[0] == 404, "the old token rings nobody"
    with device_at(hub, again["secret"]) as device:
        two = send(hub, {"device": again["device_token"]})
        assert device.show()["id"] == two
    bob = hub.sign_in("member", "Bob")
    assert hub.put(f"{DEVICES}/{made['id']}/secret", bob, {})[0] == 404, "it is Ada's"
    assert hub.put(f"{DEVICES}/{made['id']}/secret", hub.owner_token, {})[0] == 200
    status, free = hub.post(DEVICES, hub.owner_token, {"name": "box"})
    listed = hub.get(f"{DEVICES}?all=1", token=hub.owner_token)[1]
    assert status == 201 and [one["person"] for one in listed if one["id"] == free["id"]] == [None]


def test_an_agents_topics_change_by_its_person_and_by_owners(hub):
    ada, bob = hub.sign_in("member", "Ada"), hub.sign_in("member", "Bob")
    made = hub.post(DEVICES, ada, {"name": "boat", "topics": ["space"]})[1]

    def put(who, topic="programme", verb=hub.put):
        return verb(f"/api/v1/bells/topics/{topic}?for={made['id']}", who)[0]

    def rung(topic):
        one = send(hub, {"topic": topic})
        return bool(hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"])

    assert put(bob) == 404 and not rung("programme"), "it is Ada's"
    assert put(ada) == 204 and rung("programme")
    assert put(ada, "space", hub.delete) == 204 and not rung("space")
    owner = hub.sign_in("owner", "Olga")
    assert put(owner, "space") == 204 and rung("space")
    assert command("topic", "create", "door", "--subscribers", "right:space.turn", "--data", hub.data).returncode == 0
    assert put(owner, "door") == 404, "Ada may not have it"
    assert hub.put("/api/v1/bells/topics/space?for=boat", ada)[0] == 400


def test_what_is_wrong_with_a_registration_is_said(hub):
    ada = hub.sign_in("member", "Ada")
    for body, status in (({}, 400), ({"name": ""}, 400), ({"name": "a", "topics": ["a b"]}, 400),
                         ({"name": "a", "topics": ["nix"]}, 404), ({"name": "a", "more": 1}, 400)):
        assert hub.post(DEVICES, ada, body)[0] == status, body
    assert hub.get(DEVICES, token=ada)[1] == []
    assert hub.post(DEVICES, json={"name": "a"})[0] == 401
    made = command("token", "create", "--data", hub.data, "--name", "machine", "--role", "reader")
    assert hub.post(DEVICES, made.stdout.strip(), {"name": "a"})[0] == 403, "a token of nobody who owns the hub"
    assert hub.put(f"{DEVICES}/77/secret", ada, {})[0] == 404


def test_a_device_that_a_command_removes_is_sent_away(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        assert device.is_silent()
        assert command("device", "delete", made["id"], "--data", hub.data).returncode == 0
        assert device.expect("bye")["reason"] == "removed"


def test_an_answer_from_before_all_times_is_taken(hub):
    made = make_device(hub, "bell", "space")
    with device_at(hub, made["secret"]) as device:
        one = send(hub, {"topic": "space"}, content={"title": "Who?", "actions": [{"id": "open", "title": "I"}]})
        device.show()
        device.socket.send('{"do":"respond","id":"%s","action":"open","at":-1e300}' % one)
        assert device.expect("taken")["counts"] is True
    assert hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["state"] == "acted"


def test_who_has_a_role_is_asked_when_it_is_time(hub):
    at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=3)
    one = send(hub, {"role": "keykeeper"}, at=at.strftime("%Y-%m-%dT%H:%M:%SZ"))
    ada = hub.sign_in("keykeeper", "Ada")
    eventually(
        lambda: [item["id"] for item in hub.get("/api/v1/bells", token=ada)[1]["items"]] == [one], seconds=10,
        what="who became one since is rung")


def test_a_test_shows_the_way(hub):
    made = make_device(hub, "bell")
    with device_at(hub, made["secret"]) as device:
        status, answer = hub.post("/api/v1/bells/test", hub.owner_token, {"device": made["id"]})
        assert status == 202
        assert device.show()["content"]["title"] == "It rings"
    eventually(lambda: "shown" in events(hub, answer["id"], made))
    told = command("push", "trace", answer["id"], "--data", hub.data).stdout
    assert "bell by gateway:" in told and " shown" in told
    assert json.loads(command("push", "trace", answer["id"], "--json", "--data", hub.data).stdout)["id"] == answer["id"]
