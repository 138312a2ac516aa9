"""`eightbells device`, `push` and `topic`: on a hub's data, and over its API."""

import json
import re

import pytest

from bell_device import LATER, make_device
from hub import command, eventually
from ics import calendar, event
from people import own_id

SEND = "/api/v1/notifications"


def ways(hub):
    """The options of both ways: on the data, and over the network."""
    return {"data": ["--data", hub.data], "network": ["--hub", hub.url, "--token", hub.owner_token]}


def run(*words, **options):
    done = command(*words, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def refused(*words):
    """What a command says that refuses: one sentence alone, and nothing of it in the log."""
    done = command(*words)
    assert done.returncode == 1 and done.stdout == "", done
    return done.stderr.removeprefix("eightbells: ").removesuffix("\n")


@pytest.mark.parametrize("way", ["data", "network"])
def test_a_notification_is_sent_listed_traced_and_taken_back(hub, way):
    make_device(hub, "bell", "space")
    options = ways(hub)[way]
    one = run("push", "send", "--to", "topic:space", "--title", "Open", "--body", "Ada", *options)
    assert one.isdigit()
    trace = json.loads(run("push", "trace", one, "--json", *options))
    assert trace["content"] == {"title": "Open", "body": "Ada", "sound": "default"}
    assert trace["devices"][0]["name"] == "bell"
    assert "bell by gateway:" in run("push", "trace", one, *options)
    later = run(
        "push", "send", "--to", "topic:space", "--title", "Later", "--at", f"{LATER}T00:00:00Z", *options)
    assert later in run("push", "list", "--scheduled", *options)
    quiet = hub.post(SEND, hub.owner_token, {"to": {"topic": "space"}, "content": {"silent": True}})[1]["id"]
    listed = run("push", "list", *options)
    assert one in listed and later not in listed and "(without words)" not in listed
    assert json.loads(run("push", "list", "--json", *options))[0]["id"] == quiet, "programs are told of silent ones too"
    for each in (one, later):
        run("push", "cancel", each, *options)
    assert json.loads(run("push", "trace", one, "--json", *options))["state"] == "withdrawn"
    gone = command("push", "cancel", "77", *options)
    assert gone.returncode == 1 and "There is no notification 77." in gone.stderr


@pytest.mark.parametrize("plan", ["local", "repeat", "instant", "place"])
def test_both_ways_tell_the_same_of_a_plan(hub, plan):
    make_device(hub, "bell", "space")
    body = {"to": {"topic": "space"}, "content": {"title": "Up"}} | {
        "local": {"at": {"local": "07:30", "date": f"{LATER}"}, "repeat": {"every": "PT2M", "limit": 5}},
        "repeat": {"repeat": {"every": "PT2M", "limit": 5, "then": [{"topic": "space"}]}},
        "instant": {"at": f"{LATER}T00:00:00Z"},
        "place": {"trigger": {
            "type": "location", "latitude": 54.1, "longitude": 10.2, "radius": 500, "on": "enter"}}}[plan]
    one = hub.post(SEND, hub.owner_token, body)[1]["id"]
    data, network = ways(hub).values()
    trace = json.loads(run("push", "trace", one, "--json", *data))
    assert trace == json.loads(run("push", "trace", one, "--json", *network))
    assert ("schedule" in trace, "repeat" in trace) == (plan == "local", plan in ("local", "repeat"))
    for options in (data, network):
        told = run("push", "trace", one, *options)
        assert "Sent by test owner." in told
        assert (f"Rings at 07:30 by each device's clock, {LATER}." in told) == (plan == "local")
        assert ("Rings every PT2M until somebody acts, 5 times at most" in told) == (plan in ("local", "repeat"))
        assert ("It waits for somebody at its place." in told) == (plan == "place")
        assert ("then topic:space" in told) == (plan == "repeat")


def test_a_topic_of_a_room_is_not_for_commands(hub_with_space, calendar_server):
    hub = hub_with_space
    url = calendar_server.serve("/calendar.ics", calendar(event("a", "20270101T180000Z", "DURATION:PT2H")))
    hub.configure(calendars=[{"kind": "ics", "url": url}])

    def found():
        topics = json.loads(run("topic", "list", "--json", "--data", hub.data))
        return next((one["id"] for one in topics if one["id"].startswith("programme.")), None)

    one = eventually(found, what="the calendar has a topic")
    for verb, accepted in (("create", "another id is accepted"), ("delete", "it goes with that")):
        for topic, room in ((one, "Programme"), ("space", "Space")):
            assert refused("topic", verb, topic, "--data", hub.data) == (
                f"The topic {topic} is the room {room}'s; {accepted}.")
    assert found() == one


@pytest.mark.parametrize("way", ["data", "network"])
def test_the_payload_comes_from_a_file_that_options_complete(hub, way, tmp_path):
    make_device(hub, "bell", "space")
    options = ways(hub)[way]
    payload = tmp_path / "payload.json"
    payload.write_text(json.dumps({"title": "From a file", "category": "sign", "unheard_of": 1}))
    one = run("push", "send", "--to", "topic:space", "--file", payload, "--body", "Added", *options)
    content = json.loads(run("push", "trace", one, "--json", *options))["content"]
    assert content == {"title": "From a file", "category": "sign", "unheard_of": 1, "body": "Added"}
    payload.write_text(json.dumps({"to": {"topic": "space"}, "content": {"title": "Whole"}, "collapse_id": "c"}))
    one = run("push", "send", "--file", payload, *options)
    assert json.loads(run("push", "trace", one, "--json", *options))["collapse_id"] == "c"
    payload.write_text("{")
    broken = command("push", "send", "--to", "topic:space", "--file", payload, *options)
    assert broken.returncode == 1 and "is no JSON" in broken.stderr
    missing = command("push", "send", "--to", "topic:space", "--file", tmp_path / "nix", *options)
    assert missing.returncode == 1 and "Cannot read" in missing.stderr


def test_wrong_command_lines_say_what_is_accepted(hub):
    data = ["--data", hub.data]
    for words, told in (
            (["push", "send", "--title", "x", *data], "--to is missing"),
            (["push", "send", "--to", "space", "--title", "x", *data], "--to space: topic:ID"),
            (["push", "send", "--to", "topic:space", *data], "content.silent: missing"),
            (["push", "send", "--to", "topic:space", "--title", "x"], "--data is missing"),
            (["push", "send", "--to", "topic:space", "--title", "x", "--hub", hub.url], "--token is missing"),
            (["push", "trace", "x", *data], "ID x"), (["push", "trace", *data], "ID is missing"),
            (["device", "delete", "x", *data], "ID x: the number that device list shows"),
            (["device", "topics", "1x", *data], "ID 1x"), (["webhook", "delete", "x", *data], "ID x"),
            (["webhook", "test", "x", *data], "ID x"), (["hook", "delete", "x", *data], "ID x"),
            (["push", "send", "--to", "topic:space", "--title", "x", "--at", "25:00", *data], "such as 07:30"),
            (["device", "create", *data], "--name is missing"), (["device"], "What to do is missing"),
            (["push", "sned", *data], "Did you mean send?"), (["bells"], "Unknown command bells")):
        done = command(*words)
        assert done.returncode == 2 and told in done.stderr, (words, done.stderr)
    assert command("push", "send", "--to", "topic:nix", "--title", "x", *data).returncode == 1


def test_the_environment_chooses_the_way_too(hub):
    send = ["push", "send", "--to", "topic:space", "--title", "x"]
    # Run by a command of an agent, whose time has an end.
    run(*send, env={"EIGHTBELLS_DATA": str(hub.data), "EIGHTBELLS_DEADLINE": "1795286430000"})
    run(*send, env={"EIGHTBELLS_HUB": hub.url, "EIGHTBELLS_TOKEN": hub.owner_token})
    senders = [item["sender"] for item in hub.get(SEND, token=hub.owner_token)[1]["items"]]
    assert senders == ["token 1", "command"]


def test_devices_are_made_listed_and_removed(hub):
    made = make_device(hub, "workshop", "space")
    assert set(made) == {"id", "device_token", "secret"} and len(bytes.fromhex(made["device_token"])) == 32
    listed = json.loads(run("device", "list", "--json", "--data", hub.data))
    assert [(one["id"], one["name"], one["seen_at"]) for one in listed] == [(made["id"], "workshop", None)]
    assert made["secret"] not in run("device", "list", "--data", hub.data)
    create = ["device", "create", "--name", "x", "--data", hub.data]
    assert refused(*create, "--topic", "nix") == 'There is no topic "nix".'
    assert refused(*create, "--person", "Nobody") == "There is nobody called Nobody."
    hub.sign_in("owner", "Ada")
    ben = hub.sign_in("keykeeper", "Ben")
    me = own_id(hub, ben)
    assert hub.patch(f"/api/v1/people/{me}", ben, {"name": "Ada"})[0] == 200
    both = refused(*create, "--person", "Ada")
    first, second = re.findall(r"(person:\d+), (?:owner|keykeeper)", both)
    assert both.startswith("There are 2 people called Ada") and refused(*create, "--person", "person:999")
    assert len(json.loads(run("device", "list", "--json", "--data", hub.data))) == 1, "a refused one leaves nothing"
    theirs = [json.loads(run(*create, "--person", who))["id"] for who in (first, second)]
    listed = {one["id"]: one["person"] for one in json.loads(run("device", "list", "--json", "--data", hub.data))}
    assert [f"person:{listed[id]}" for id in theirs] == [first, second]
    for id in theirs:
        run("device", "delete", id, "--data", hub.data)
    assert run("device", "delete", made["id"], "--data", hub.data) == "Removed workshop."
    assert command("device", "delete", made["id"], "--data", hub.data).returncode == 1
    assert run("device", "list", "--data", hub.data) == "No device is rung yet."


def test_the_topics_of_a_device_change_by_command(hub):
    made = make_device(hub, "workshop", "space")
    ring = ["push", "send", "--title", "x", "--data", hub.data, "--to"]
    topics = ["device", "topics", made["id"], "--data", hub.data]
    run("topic", "create", "coffee", "--data", hub.data)
    assert run(*topics, "--add", "coffee", "--remove", "space") == "coffee"
    rung = [len(json.loads(run("push", "trace", run(*ring, f"topic:{topic}"), "--json", "--data", hub.data))["devices"])
            for topic in ("coffee", "space")]
    assert rung == [1, 0]
    assert refused(*topics, "--add", "space", "--add", "nix") == 'There is no topic "nix".'
    assert json.loads(run(*topics, "--json")) == ["coffee"], "a refused change leaves nothing"
    hub.sign_in("member", "Ada")
    run("topic", "create", "door", "--subscribers", "right:space.turn", "--data", hub.data)
    hers = make_device(hub, "Ada's bell", person="Ada")["id"]
    assert refused("device", "topics", hers, "--add", "door", "--data", hub.data) == (
        "The topic door is not for the person whose device it is.")
    assert refused("device", "topics", "77", "--data", hub.data) == "There is no device 77 that can be rung."


def test_what_there_is_not_is_refused_where_it_is_named(hub):
    token = ["token", "create", "--name", "x", "--role", "reader", "--data", hub.data]
    assert refused(*token, "--topic", "space", "--topic", "nix") == (
        'There is no topic "nix"; eightbells topic create nix makes it.')
    wrong = command("topic", "create", "bad", "--senders", "right:nonsense", "--data", hub.data)
    assert wrong.returncode == 2 and "--senders right:nonsense: there is no such right" in wrong.stderr
    assert "bad" not in run("topic", "list", "--data", hub.data)


def test_the_doctor_names_the_ways_and_what_waits(hub):
    make_device(hub, "bell", "space")
    run("push", "send", "--to", "topic:space", "--title", "x", "--data", hub.data)
    told = command("doctor", "--data", hub.data, "--listen", f"127.0.0.1:{hub.port}").stdout
    assert "1 device is rung: 1 by gateway" in told and "1 delivery waits, 0 notifications are scheduled" in told
    text = eventually(
        lambda: "eightbells_bells_pending 1" in (all := hub.get("/metrics", token=hub.owner_token)[1]) and all)
    assert "eightbells_bells_devices 1" in text and "eightbells_bells_scheduled 0" in text


def test_a_room_that_is_off_rings_nobody(make_hub):
    hub = make_hub(options=["--rooms", "space"])
    hub.turn(True)
    assert hub.get(SEND, token=hub.owner_token)[0] == 404
    off = command("push", "list", "--data", hub.data, env={"EIGHTBELLS_ROOMS": "space"})
    assert off.returncode == 1 and "Bells is switched off" in off.stderr
