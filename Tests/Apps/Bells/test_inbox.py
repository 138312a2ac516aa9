"""A person's own notifications: the list, answers, topics, devices and quiet hours."""

import datetime
import time
import zoneinfo

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from base64url import encoded
from bell_device import LATER, make_device
from hub import SPACE, command, eventually
from live import connected, Listener
from people import own_id
from traces import events, happened

BELLS = "/api/v1/bells"
SEND = "/api/v1/notifications"


@pytest.fixture
def browser():
    """A subscription to a push service that nobody runs."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"endpoint": "http://127.0.0.1:1/push", "keys": {"p256dh": encoded(point), "auth": encoded(bytes(16))}}


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def ada(hub):
    yield hub.sign_in("member", "Ada")
    hub.remove("Ada")


def ring(hub, person_id, **content):
    body = {"to": {"person": person_id}, "content": {"title": "Hello"} | content}
    status, answer = hub.post(SEND, hub.owner_token, body)
    assert status == 202, answer
    return answer["id"]


def test_the_list_tells_what_is_new_and_what_rings(hub, ada):
    me = own_id(hub, ada)
    first = ring(hub, me)
    second = ring(hub, me, interruption_level="critical", actions=[{"id": "yes", "title": "Yes"}])
    listed = hub.get(BELLS, token=ada)[1]
    assert [(item["id"], item["state"]) for item in listed["items"]] == [(second, "new"), (first, "new")]
    assert (listed["unread"], listed["ringing"]) == (2, [second]) and listed["commit"] > 0
    assert hub.post(f"{BELLS}/seen", ada, {"ids": [first]})[1] == {"unread": 1}
    assert hub.get(f"{BELLS}?before={second}", token=ada)[1]["items"][0]["state"] == "seen"
    assert hub.get(f"{BELLS}?before=x", token=ada)[1]["code"] == 40004, "not the first page again"
    assert hub.post(f"{BELLS}/seen", ada, {"all": True})[1] == {"unread": 0}
    for wrong in ({}, {"ids": [7]}, {"ids": ["x"]}, {"all": "yes"}, {"ids": ["1"] * 201}):
        assert hub.post(f"{BELLS}/seen", ada, wrong)[0] == 400, wrong
    assert hub.get(BELLS)[0] == 401 and hub.get(BELLS, token=hub.owner_token)[0] == 403


def test_all_are_seen_also_where_one_commit_marks_only_some(hub, ada):
    me = own_id(hub, ada)
    for _ in range(201):
        ring(hub, me)
    assert hub.post(f"{BELLS}/seen", ada, {"all": True})[1] == {"unread": 0}


def test_the_first_action_counts_for_all(hub, ada):
    mo = hub.sign_in("member", "Mo")
    body = {"to": [{"person": own_id(hub, ada)}, {"person": own_id(hub, mo)}],
            "content": {"title": "Who opens?", "actions": [{"id": "me", "title": "I do"}, {"id": "no", "title": "No"}]}}
    one = hub.post(SEND, hub.owner_token, body)[1]["id"]
    assert hub.post(f"{BELLS}/{one}/response", ada, {"action": "me", "text": "soon"})[1] == {"id": one, "action": "me"}
    assert hub.post(f"{BELLS}/{one}/response", mo, {"action": "no"})[1] == {"id": one, "action": "me"}
    for fields in (ada, mo):
        item = hub.get(BELLS, token=fields)[1]["items"][0]
        assert item["state"] == "acted" and (item["acted"]["action"], item["acted"]["by"]) == ("me", "Ada")
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    assert trace["state"] == "acted" and (trace["acted"]["action"], trace["acted"]["text"]) == ("me", "soon")
    kim = hub.sign_in("member", "Kim")
    assert hub.post(f"{BELLS}/{one}/response", kim, {"action": "me"})[0] == 404, "it was not for Kim"
    assert hub.post(f"{BELLS}/{one}/response", ada, {"action": "x" * 65})[0] == 400


def test_whoever_has_no_device_that_rings_may_ask_why_it_did_not(hub, ada):
    kim = hub.sign_in("member", "Kim")
    one = ring(hub, own_id(hub, ada))
    trace = hub.get(f"{SEND}/{one}", token=ada)[1]
    assert (trace["id"], trace["content"], trace["devices"]) == (one, {"title": "Hello"}, [])
    assert hub.get(f"{SEND}/{one}", token=kim)[0] == 404, "it is not in Kim's list"


def test_what_is_over_cannot_be_answered_and_says_so(hub, ada):
    yes = [{"id": "yes", "title": "Yes"}]
    me = own_id(hub, ada)

    def ask(**body):
        body = {"to": {"person": me}, "content": {"title": "Who?", "actions": yes}} | body
        return hub.post(SEND, hub.owner_token, body)[1]["id"]

    end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=2)
    expired = ask(expires_at=end.strftime("%Y-%m-%dT%H:%M:%SZ"))
    old, new, withdrawn, open_ = ask(collapse_id="door"), ask(collapse_id="door"), ask(), ask()
    assert hub.delete(f"{SEND}/{withdrawn}", hub.owner_token)[0] == 204

    def over():
        return {item["id"]: (item["state"], item["over"]) for item in hub.get(BELLS, token=ada)[1]["items"]}

    eventually(lambda: over()[expired] == ("new", "expired"), what="its time is over")
    told = over()
    assert [told[one] for one in (old, new, withdrawn)] == [
        ("seen", "collapsed"), ("new", None), ("withdrawn", "taken_back")]
    for one in (expired, old, withdrawn):
        status, answer = hub.post(f"{BELLS}/{one}/response", ada, {"action": "yes"})
        assert (status, answer["code"]) == (409, 40912), one
    for one in (new, open_):
        assert hub.post(f"{BELLS}/{one}/response", ada, {"action": "yes"})[0] == 200
        assert over()[one] == ("acted", "answered")


def test_a_dismissal_counts_for_one_person_alone(hub, ada):
    mo = hub.sign_in("member", "Mo")
    body = {"to": [{"person": own_id(hub, ada)}, {"person": own_id(hub, mo)}], "content": {"title": "Hello"}}
    one = hub.post(SEND, hub.owner_token, body)[1]["id"]
    assert hub.post(f"{BELLS}/{one}/response", ada, {"action": "dismiss"})[0] == 200
    assert hub.get(BELLS, token=ada)[1]["items"][0]["state"] == "seen"
    assert hub.get(BELLS, token=mo)[1]["items"][0]["state"] == "new"


def listen(hub, socket, fields, channel):
    listener = Listener(socket)
    connection = listener.expect("pusher:connection_established")
    form = f"socket_id={connection['socket_id']}&channel_name={channel}"
    answer = hub.request(
        "POST", "/api/v1/realtime/auth", fields | {"Content-Type": "application/x-www-form-urlencoded"}, form)
    assert answer.status == 200, answer.body
    listener.send("pusher:subscribe", {"channel": channel} | answer.json)
    assert listener.next()["event"] == "pusher_internal:subscription_succeeded"
    return listener


def test_a_silent_one_wakes_open_pages_and_their_answer_is_in_the_trace(hub, ada, browser):
    me = own_id(hub, ada)
    assert hub.put(f"{BELLS}/webpush", ada, {"subscription": browser})[0] == 200
    content = {"silent": True, "user_info": {"a": 1}}

    def codes(one):
        devices = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"]
        return [(event["what"], event.get("code")) for event in devices[0]["events"]]

    with connected(hub.socket_url) as socket:
        listener = listen(hub, socket, ada, f"private-person-{me}")
        for answer, told in (("new_data", ("shown", "new_data")), ("no_answer", ("shown", "no_answer")),
                             ("failed", ("failed", "work_failed"))):
            status, sent = hub.post(
                SEND, hub.owner_token, {"to": {"person": me}, "content": content, "priority": "normal"})
            assert status == 202, sent
            assert listener.expect("bells.silent") == {"id": sent["id"], "seconds": 30, "content": content}
            assert hub.post(f"{BELLS}/{sent['id']}/woken", ada, {"answer": answer, "took": 1.25})[0] == 204
            assert told in codes(sent["id"])
    assert hub.get(BELLS, token=ada)[1]["items"] == [], "nobody reads it"
    assert hub.post(f"{BELLS}/{sent['id']}/woken", ada, {"answer": "maybe"})[0] == 400
    assert hub.post(f"{BELLS}/{sent['id']}/woken", None, {"answer": "no_data"})[0] == 401
    bob = hub.sign_in("member", "Bob")
    before = codes(sent["id"])
    assert hub.post(f"{BELLS}/{sent['id']}/woken", bob, {"answer": "new_data"})[0] == 204
    assert codes(sent["id"]) == before, "it was not for Bob's browser"


def test_what_was_scheduled_reaches_open_pages_when_its_time_has_come(hub, ada):
    me = own_id(hub, ada)

    def schedule(content):
        status, sent = hub.post(SEND, hub.owner_token, {
            "to": {"person": me}, "content": content,
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))})
        assert status == 202, sent
        return sent["id"]

    with connected(hub.socket_url) as socket:
        listener = listen(hub, socket, ada, f"private-person-{me}")
        one = schedule({"silent": True, "user_info": {"a": 1}})
        assert listener.expect("bells.silent") == {
            "id": one, "seconds": 30, "content": {"silent": True, "user_info": {"a": 1}}}
        two = schedule({"title": "Tea"})
        assert listener.expect("bells.changed") == {"id": two, "state": "new"}
    assert [item["id"] for item in hub.get(BELLS, token=ada)[1]["items"]] == [two]


def test_pages_hear_of_what_a_command_beside_the_hub_sends_and_takes_back(hub, ada):
    me = own_id(hub, ada)

    def push(*words):
        done = command("push", *words, "--data", hub.data)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    with connected(hub.socket_url) as socket:
        listener = listen(hub, socket, ada, f"private-person-{me}")
        one = push("send", "--to", f"person:{me}", "--title", "Tea")
        assert listener.expect("bells.changed") == {"id": one, "state": "new"}
        push("cancel", one)
        assert listener.expect("bells.changed") == {"id": one, "state": "withdrawn"}


def test_pages_hear_of_what_comes_and_is_answered(hub, ada):
    me = own_id(hub, ada)
    with connected(hub.socket_url) as socket:
        listener = listen(hub, socket, ada, f"private-person-{me}")
        one = ring(hub, me)
        assert listener.expect("bells.changed") == {"id": one, "state": "new"}
        hub.delete(f"{SEND}/{one}", hub.owner_token)
        assert listener.expect("bells.changed") == {"id": one, "state": "withdrawn"}
    owner = hub.sign_in("owner", "Olga")
    with connected(hub.socket_url) as socket:
        listener = listen(hub, socket, owner, "private-bells")
        two = ring(hub, me, actions=[{"id": "yes", "title": "Yes"}])
        assert hub.post(f"{BELLS}/{two}/response", ada, {"action": "yes"})[0] == 200
        heard = listener.expect("bells.answered")
        assert (heard["id"], heard["action"], heard["person"]) == (two, "yes", me)
    form = "socket_id=1.2&channel_name=private-bells"
    fields = {"Content-Type": "application/x-www-form-urlencoded"}
    assert hub.request("POST", "/api/v1/realtime/auth", ada | fields, form).status == 403


def test_topics_are_subscribed_and_say_how_often_they_rang(hub, ada):
    assert command("topic", "create", "crew", "--data", hub.data).returncode == 0
    public = ["programme", "space", "space.followed"]
    assert [topic["id"] for topic in hub.get(f"{BELLS}/topics")[1]] == public, "strangers see the public ones"
    mine = [topic["id"] for topic in hub.get(f"{BELLS}/topics", token=ada)[1]]
    assert mine == ["anchor", "crew", *public, "space.near"]
    assert hub.put(f"{BELLS}/topics/crew?for=me", ada)[0] == 204
    assert hub.put(f"{BELLS}/topics/nix?for=me", ada)[0] == 404
    assert hub.put(f"{BELLS}/topics/crew?for=all", ada)[0] == 400
    assert hub.put(f"{BELLS}/topics/crew?for=device", ada)[0] == 404, "this browser is not rung"
    hub.post(SEND, hub.owner_token, {"to": {"topic": "crew"}, "content": {"title": "Ahoy"}})
    crew = hub.get(f"{BELLS}/topics", token=ada)[1][1]
    assert (crew["subscribed"], crew["last_week"]) == ({"me": True, "device": False}, 1)
    assert all("last_week" not in topic for topic in hub.get(f"{BELLS}/topics")[1]), "strangers are not told"
    both = [{"topic": "crew"}, {"topic": "space"}]
    hub.post(SEND, hub.owner_token, {"to": both, "content": {"title": "Ahoy"}})
    counts = {topic["id"]: topic["last_week"] for topic in hub.get(f"{BELLS}/topics", token=ada)[1]}
    assert (counts["crew"], counts["space"], counts["programme"]) == (2, 1, 0)
    assert hub.get(BELLS, token=ada)[1]["items"][0]["content"]["title"] == "Ahoy"
    assert hub.delete(f"{BELLS}/topics/crew?for=me", ada)[0] == 204
    assert hub.get(f"{BELLS}/topics", token=ada)[1][1]["subscribed"]["me"] is False


def test_a_topic_for_a_right_is_for_those_who_have_it(hub, ada):
    made = command("topic", "create", "door", "--subscribers", "right:space.turn", "--data", hub.data)
    assert made.returncode == 0, made.stderr
    assert hub.put(f"{BELLS}/topics/door", ada)[0] == 404
    assert hub.put(f"{BELLS}/topics/door", hub.sign_in("keykeeper", "Kim"))[0] == 204
    own = command("topic", "create", "space", "--data", hub.data)
    assert own.returncode == 1 and own.stderr == (
        "eightbells: The topic space is the room Space's; another id is accepted.\n")
    assert command("topic", "create", "a door", "--data", hub.data).returncode == 2
    assert command("topic", "create", "d", "--senders", "nobody", "--data", hub.data).returncode == 2
    assert command("topic", "delete", "door", "--data", hub.data).returncode == 0
    listed = command("topic", "list", "--data", hub.data).stdout
    assert not any(line.startswith("door ") for line in listed.splitlines())


def test_a_subscription_ends_with_the_right_to_it(hub, ada, browser):
    def topic(*words):
        made = command("topic", "create", "door", *words, "--data", hub.data)
        assert made.returncode == 0, made.stderr

    def rung():
        one = hub.post(SEND, hub.owner_token, {"to": {"topic": "door"}, "content": {"title": "x"}})[1]["id"]
        devices = {device["name"] for device in hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"]}
        people = {name for name, fields in (("Ada", ada), ("Kim", kim))
                  if any(item["id"] == one for item in hub.get(BELLS, token=fields)[1]["items"])}
        return devices, people

    topic("--subscribers", "everybody")
    kim = hub.sign_in("keykeeper", "Kim")
    for fields in (ada, kim):
        assert hub.put(f"{BELLS}/topics/door", fields)[0] == 204
    make_device(hub, "Kim's bell", "door", person="Kim")
    make_device(hub, "workshop", "door")
    assert hub.put(f"{BELLS}/webpush", json={"subscription": browser, "topics": ["door"]})[0] == 200
    assert rung() == ({"Kim's bell", "workshop", "Browser"}, {"Ada", "Kim"})
    topic("--subscribers", "members")
    assert rung() == ({"Kim's bell", "workshop"}, {"Ada", "Kim"}), "strangers are no members"
    topic("--subscribers", "right:space.turn")
    assert rung() == ({"Kim's bell", "workshop"}, {"Kim"}), "Ada is a member"
    hub.sign_in("member", "Kim")
    assert rung() == ({"workshop"}, set()), "Kim is one now, too"


def test_devices_are_ones_own_and_owners_see_all(make_hub):
    hub = make_hub()
    ada = hub.sign_in("member", "Ada")
    mine = make_device(hub, "Ada's bell", person="Ada")["id"]
    other = make_device(hub, "workshop")["id"]
    assert [one["id"] for one in hub.get(f"{BELLS}/devices", token=ada)[1]] == [mine]
    everything = hub.get(f"{BELLS}/devices?all=1", token=hub.owner_token)[1]
    assert {one["id"] for one in everything} == {mine, other}
    assert hub.get(f"{BELLS}/devices?all=1", token=ada)[0] == 403
    assert hub.delete(f"{BELLS}/devices/{other}", ada)[0] == 404
    assert hub.post(f"{BELLS}/test", ada, {"device": other})[0] == 404
    assert hub.post(f"{BELLS}/test", ada, {})[0] == 404, "this browser is not rung"
    status, answer = hub.post(f"{BELLS}/test", ada, {"device": mine})
    assert status == 202
    trace = hub.get(f"{SEND}/{answer['id']}", token=ada)[1]
    assert trace["devices"][0]["device"] == mine and trace["content"]["localized"]["de"]["title"] == "Es läutet"
    assert hub.delete(f"{BELLS}/devices/{mine}", ada)[0] == 204
    assert hub.get(f"{BELLS}/devices", token=ada)[1] == []


def test_who_is_removed_is_rung_no_more(make_hub):
    hub = make_hub()
    ada = hub.sign_in("member", "Ada")
    me = own_id(hub, ada)
    device = make_device(hub, "Ada's bell", "space", person="Ada")["id"]
    ring(hub, me)
    assert hub.delete(f"/api/v1/people/{me}", hub.owner_token)[0] == 204
    assert hub.get(f"{BELLS}/devices?all=1", token=hub.owner_token)[1] == []
    status, answer = hub.post(SEND, hub.owner_token, {"to": {"device": device}, "content": {"title": "x"}})
    assert (status, answer["code"]) == (404, 40412)


def test_what_somebody_has_planned_goes_with_them(hub):
    olga, kim = hub.sign_in("owner", "Olga"), hub.sign_in("owner", "Kim")
    me = own_id(hub, kim)
    for sender, to in ((kim, {"person": me}), (kim, {"topic": "space"}), (olga, {"topic": "space"})):
        content = {"title": "Kim's" if sender == kim else "Olga's"}
        assert hub.post(SEND, sender, {"to": to, "content": content, "at": f"{LATER}T07:00:00Z"})[0] == 202
    planned = f"{SEND}?scheduled=1"
    assert len(hub.get(planned, token=hub.owner_token)[1]["items"]) == 3
    assert hub.delete(f"/api/v1/people/{me}", hub.owner_token)[0] == 204
    [left] = hub.get(planned, token=hub.owner_token)[1]["items"]
    assert left["content"]["title"] == "Olga's"


def test_quiet_hours_are_kept_and_the_trace_says_so(hub, ada):
    assert hub.get(f"{BELLS}/settings", token=ada)[1] == {"quiet": None}
    now = datetime.datetime.now(zoneinfo.ZoneInfo(SPACE["timezone"]))  # no device's zone is known here
    since, until = (f"{now + datetime.timedelta(hours=hours):%H:%M}" for hours in (-1, 2))
    quiet = {"quiet": {"from": since, "to": until}}
    assert hub.put(f"{BELLS}/settings", ada, quiet)[1] == quiet
    assert hub.get(f"{BELLS}/settings", token=ada)[1] == quiet
    make_device(hub, "Ada's bell", person="Ada")
    quietly, loud = ring(hub, own_id(hub, ada)), ring(hub, own_id(hub, ada), interruption_level="critical")
    suppressed = events(hub, quietly, ada)
    told = [(event["what"], event.get("code"), event.get("reason")) for event in suppressed]
    assert told == [("queued", None, None), ("suppressed", "quiet_hours", f"quiet hours until {until}")]
    assert suppressed[1]["localized"] == {"de": f"Ruhezeit bis {until}"}
    assert happened(hub, loud) == ["queued"]
    for wrong in ({}, {"quiet": {}}, {"quiet": {"from": "24:00", "to": "07:00"}}, {"quiet": {"from": "7", "to": "8"}},
                  {"quiet": {"from": "23:00", "to": "23:00"}}):
        assert hub.put(f"{BELLS}/settings", ada, wrong)[0] == 400, wrong
    assert hub.put(f"{BELLS}/settings", ada, {"quiet": None})[1] == {"quiet": None}
