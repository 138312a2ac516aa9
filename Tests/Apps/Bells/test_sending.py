"""Sending notifications over the API: who may, what is accepted, and what is answered."""

import calendar
import datetime

import pytest

from bell_device import LATER, LATEST, device_at, make_device
from faults import preloaded
from hub import command, eventually
from people import own_id

SEND = "/api/v1/notifications"
OPEN = {"to": {"topic": "space"}, "content": {"title": "Open"}}


def send(hub, token, body=None, **headers):
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return hub._exchange("POST", SEND, token, body or OPEN, fields)


def limited(hub, *topics, role="reader"):
    words = [word for topic in topics for word in ("--topic", topic)]
    made = command("token", "create", "--data", hub.data, "--name", "limited", "--role", role, *words)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def topic(hub, *words):
    made = command("topic", "create", *words, "--data", hub.data)
    assert made.returncode == 0, made.stderr


def test_what_is_acknowledged_outlives_a_kill(hub):
    device = make_device(hub, "bell", "space")
    status, answer = send(hub, hub.owner_token)
    assert status == 202
    hub.kill()
    hub.start()
    trace = hub.get(f"{SEND}/{answer['id']}", token=hub.owner_token)[1]
    assert (trace["state"], trace["topic"]) == ("active", "space")
    assert [(one["device"], one["channel"], one["pending"]) for one in trace["devices"]] == [
        (device["id"], "gateway", True)]
    assert [event["what"] for event in trace["devices"][0]["events"]] == ["queued"]


# The disk is full for the records' file.
@pytest.mark.file
def test_on_a_full_disk_a_sender_is_told_so_and_nothing_of_it_is_done(make_hub, tmp_path):
    data, full = tmp_path / "data", tmp_path / "full"
    data.mkdir()
    hub = make_hub(env=preloaded(data, **{"while": full}))
    made, ada = make_device(hub, "bell", "space"), hub.sign_in("member", "Ada")
    me = own_id(hub, ada)
    to_all = {"to": [{"topic": "space"}, {"person": me}], "content": {"title": "Open"}}
    before = send(hub, hub.owner_token, to_all)[1]["id"]
    with device_at(hub, made["secret"]) as device:
        assert device.show()["id"] == before and device.is_silent()
        full.touch()
        for body in (to_all, to_all | {"at": f"{LATER}T00:00:00Z"}):
            status, answer = send(hub, hub.owner_token, body, Idempotency_Key="once")
            assert (status, answer["code"]) == (507, 50701), answer
            assert answer["help"]
        assert hub.delete(f"{SEND}/{before}", hub.owner_token)[0] == 507
        assert device.is_silent(), "nobody is told of what is not kept"
        assert [item["id"] for item in hub.get(SEND, token=hub.owner_token)[1]["items"]] == [before]
        assert [item["id"] for item in hub.get("/api/v1/bells", token=ada)[1]["items"]] == [before]
        full.unlink()
        status, answer = send(hub, hub.owner_token, to_all, Idempotency_Key="once")
        assert status == 202, answer
        assert device.show()["id"] == answer["id"]
        assert send(hub, hub.owner_token, to_all, Idempotency_Key="once")[1] == answer
        assert device.is_silent()
    assert [item["id"] for item in hub.get(SEND, token=hub.owner_token)[1]["items"]] == [answer["id"], before]
    assert [item["id"] for item in hub.get("/api/v1/bells", token=ada)[1]["items"]] == [answer["id"], before]
    trace = hub.get(f"{SEND}/{before}", token=hub.owner_token)[1]
    assert trace["state"] == "active"


def test_the_same_key_gives_the_same_id_spelt_either_way(hub):
    token = hub.owner_token
    first = send(hub, token, Idempotency_Key="a-1")
    assert first[0] == 202
    assert send(hub, token, OPEN | {"idempotency_key": "a-1"}) == first
    assert send(hub, token, OPEN | {"idempotency_key": "a-1"}, Idempotency_Key="a-1") == first
    status, answer = send(hub, token, OPEN | {"idempotency_key": "a-2"}, Idempotency_Key="a-1")
    assert (status, answer["code"]) == (400, 40003) and "idempotency_key" in answer["error"]
    status, answer = send(hub, token, OPEN | {"content": {"title": "Else"}, "idempotency_key": "a-1"})
    assert (status, answer["code"]) == (409, 40922)
    assert len(hub.get(SEND, token=token)[1]["items"]) == 1


def test_owners_send_to_everybody_and_others_where_the_topic_lets_them(hub):
    device = make_device(hub)["id"]
    topic(hub, "coffee", "--senders", "members")
    member, sensor = hub.token("member"), hub.token("sensor")
    for to in ({"topic": "space"}, {"device": device}, {"role": "owner"}, [{"topic": "coffee"}, {"device": device}]):
        assert send(hub, hub.owner_token, {"to": to, "content": {"title": "x"}})[0] == 202, to
        status, answer = send(hub, member, {"to": to, "content": {"title": "x"}})
        assert (status, answer["code"]) == (403, 40310), to
    coffee = {"to": {"topic": "coffee"}, "content": {"title": "x"}}
    assert send(hub, member, coffee)[0] == 202
    assert send(hub, sensor, coffee)[0] == 403, "a sensor is no member"
    assert send(hub, None, coffee)[0] == 401
    person = hub.sign_in("member", "Mo")
    assert send(hub, person, coffee)[0] == 202 and send(hub, person)[0] == 403


@pytest.mark.parametrize("role", ["sensor", "owner"])
def test_a_token_with_topics_sends_to_these_and_nowhere_else(hub, role):
    topic(hub, "coffee", "--senders", "everybody")
    topic(hub, "tea", "--senders", "everybody")
    token = limited(hub, "space", "tea", role=role)
    assert send(hub, token)[0] == 202
    assert send(hub, token, {"to": [{"topic": "space"}, {"topic": "tea"}], "content": {"title": "x"}})[0] == 202
    for to in ({"topic": "coffee"}, {"role": "owner"}, [{"topic": "space"}, {"topic": "coffee"}]):
        status, answer = send(hub, token, {"to": to, "content": {"title": "x"}})
        assert (status, answer["code"]) == (403, 40310), to
    assert hub.post("/api/v1/tokens", token, {"name": "x", "role": "owner"})[0] == 403, "it makes itself no other token"


def test_a_limited_token_is_made_over_the_api_too(hub):
    status, made = hub.post(
        "/api/v1/tokens", hub.owner_token, {"name": "machine", "role": "reader", "topics": ["space"]})
    assert status == 200 and made["topics"] == ["space"]
    assert send(hub, made["token"])[0] == 202
    for wrong in ([], ["a b"], "space", [1], ["a"] * 51, ["space", "nix"]):
        status, answer = hub.post(
            "/api/v1/tokens", hub.owner_token, {"name": "m", "role": "reader", "topics": wrong})
        assert status == 400 and "topics" in answer["fields"], answer
    assert "There is no topic" in answer["error"] and "nix" in answer["error"], answer


def test_a_sender_sees_and_changes_its_own(hub):
    token, other = limited(hub, "space"), limited(hub, "space")
    one = send(hub, token)[1]["id"]
    assert [item["id"] for item in hub.get(SEND, token=token)[1]["items"]] == [one]
    assert hub.get(SEND, token=other)[1]["items"] == []
    assert hub.get(f"{SEND}/{one}", token=other)[0] == 404
    assert hub.patch(f"{SEND}/{one}", other, {"content": {"title": "Mine"}})[0] == 404
    assert hub.delete(f"{SEND}/{one}", other)[0] == 404
    assert hub.delete(f"{SEND}/{one}", token)[0] == 204
    assert hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["state"] == "withdrawn"
    assert hub.delete(f"{SEND}/{one}", token)[0] == 204, "a repeated request has nothing to do"


def test_an_owner_s_token_with_topics_has_only_its_own(hub):
    made = make_device(hub, "bell", "space")
    token = limited(hub, "space", role="owner")
    mine, other = send(hub, token)[1]["id"], send(hub, hub.owner_token)[1]["id"]
    later = send(hub, hub.owner_token, OPEN | {"at": f"{LATER}T00:00:00Z"})[1]["id"]
    assert [item["id"] for item in hub.get(SEND, token=token)[1]["items"]] == [mine]
    assert hub.get(f"{SEND}?scheduled=1", token=token)[1]["items"] == []
    for one in (other, later):
        assert hub.get(f"{SEND}/{one}", token=token)[0] == 404
        assert hub.patch(f"{SEND}/{one}", token, {"content": {"title": "Mine"}})[0] == 404
        assert hub.delete(f"{SEND}/{one}", token)[0] == 404
    assert hub.post("/api/v1/bells/test", token, {"device": made["id"]})[0] == 404
    form = "socket_id=1.2&channel_name=private-bells"
    for word, status in ((token, 403), (hub.owner_token, 200)):
        fields = {"Authorization": f"Bearer {word}", "Content-Type": "application/x-www-form-urlencoded"}
        assert hub.request("POST", "/api/v1/realtime/auth", fields, form).status == status


def test_members_of_the_content_are_replaced_and_null_removes_one(hub):
    token = hub.owner_token
    content = {"title": "Open", "body": "Ada", "unheard_of": {"a": [1]}}
    one = send(hub, token, {"to": {"topic": "space"}, "content": content})[1]["id"]
    assert hub.patch(f"{SEND}/{one}", token, {"content": {"body": None, "title": "Closed"}})[0] == 200
    trace = hub.get(f"{SEND}/{one}", token=token)[1]
    assert trace["content"] == {"title": "Closed", "unheard_of": {"a": [1]}} and trace["version"] == 2
    status, answer = hub.patch(f"{SEND}/{one}", token, {"content": {"badge": -1}})
    assert (status, answer["code"]) == (400, 40003)
    assert hub.get(f"{SEND}/{one}", token=token)[1]["version"] == 2
    assert hub.patch(f"{SEND}/99", token, {"content": {}})[0] == 404


def test_nobody_makes_an_order_to_an_agent_of_what_was_sent(hub):
    token = hub.owner_token
    # What is shown is no order, and a word of one's own is none either.
    shown = send(hub, token, OPEN | {"content": {"title": "x", "user_info": {"clock": {"on": True}}}})
    word = send(hub, token, OPEN | {"content": {"silent": True, "user_info": {"clock": "12:00"}}})
    assert (shown[0], word[0]) == (202, 202)
    order = {"user_info": {"anchor": {"version": 9, "armed": False}}}
    for sent, members, name in ((shown, {"silent": True, "title": None}, "clock"), (word, order, "anchor")):
        status, answer = hub.patch(f"{SEND}/{sent[1]['id']}", token, {"content": members})
        assert (status, answer["code"]) == (400, 40003) and f"content.user_info.{name}" in answer["fields"], answer


def test_numbers_are_kept_as_doubles_or_whole(hub):
    body = '{"to":{"topic":"space"},"content":{"title":"x","user_info":{"a":1.50e3,"b":150,"c":0.10}}}'
    fields = {"Authorization": f"Bearer {hub.owner_token}", "Content-Type": "application/json"}
    one = hub.request("POST", SEND, fields, body).json["id"]
    assert b'"user_info":{"a":1500.0,"b":150,"c":0.1}' in hub.request("GET", f"{SEND}/{one}", fields).body


WRONG = [
    ({"to": None}, "to"), ({"to": []}, "to"), ({"to": {"topic": "a/b"}}, "to"),
    ({"to": {"topic": "a", "device": "1"}}, "to"),
    ({"to": {"device": 7}}, "to"), ({"to": {"role": "sensor"}}, "to"), ({"to": [{"topic": "a"}] * 101}, "to"),
    ({"content": {}}, "content.silent"), ({"content": "Open"}, "content"), ({"content": {"title": 7}}, "content.title"),
    ({"content": {"interruption_level": "loud"}}, "content.interruption_level"),
    ({"content": {"actions": [{"id": "a", "title": "A"}] * 5}}, "content.actions"),
    ({"content": {"silent": True, "user_info": {"clock": {"on": True}}}}, "content.user_info.clock"),
    ({"content": {"silent": True, "user_info": {"a": 1, "anchor": {}}}}, "content.user_info.anchor"),
    ({"content": {"title": "x" * 1001}}, "content.title"), ({"collapse_id": "x" * 65}, "collapse_id"),
    ({"priority": "urgent"}, "priority"), ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
    ({"expires_at": "tomorrow"}, "expires_at"), ({"at": "2199-01-01T00:00:00Z"}, "at"),
    ({"at": {"local": "24:00"}}, "at"), ({"at": {"date": f"{LATER}"}}, "at"),
    ({"at": {"local": "07:30", "date": "2027-02-29"}}, "at"), ({"at": {"local": "07:30", "date": "2020-01-01"}}, "at"),
    ({"at": {"local": "07:30", "date": "2199-01-01"}}, "at"), ({"at": {"local": "07:30", "zone": "UTC"}}, "at"),
    ({"at": {"local": "07:30", "every": "FREQ=HOURLY"}}, "at"), ({"at": {"local": "07:30", "every": 7}}, "at"),
    ({"at": {"local": "07:30", "every": "FREQ=DAILY;BYHOUR=8"}}, "at"),
    ({"at": {"local": "07:30", "every": "FREQ=DAILY"}, "expires_at": f"{LATER}T00:00:00Z"}, "expires_at"),
    ({"at": {"local": "07:30", "date": f"{LATEST}"}, "expires_at": f"{LATER}T00:00:00Z"}, "expires_at"),
    ({"repeat": "PT2M"}, "repeat"), ({"repeat": {"every": "PT29S", "limit": 5}}, "repeat"),
    ({"repeat": {"every": "P1DT1S", "limit": 5}}, "repeat"), ({"repeat": {"every": "2 min", "limit": 5}}, "repeat"),
    ({"repeat": {"every": "PT2M", "limit": 0}}, "repeat"), ({"repeat": {"every": "PT2M", "limit": 101}}, "repeat"),
    ({"repeat": {"every": "PT2M"}}, "repeat"), ({"repeat": {"every": "PT2M", "limit": 5, "to": []}}, "repeat"),
    ({"repeat": {"every": "PT2M", "limit": 5, "then": ["Ada"]}}, "repeat"),
    ({"idempotency_key": ""}, "idempotency_key"), ({"sound": "loud"}, "sound"),
]


@pytest.mark.parametrize("change, field", WRONG)
def test_what_is_wrong_is_refused_by_its_field(shared_hub, change, field):
    status, answer = send(shared_hub, shared_hub.owner_token, OPEN | change)
    assert (status, answer["code"]) == (400, 40003) and field in answer["fields"], answer
    assert shared_hub.get(SEND, token=shared_hub.owner_token)[1]["items"] == []


def test_the_largest_that_is_accepted_is_accepted(hub):
    rest = len('{"title":"x","user_info":{"a":""}}')
    for size, status in ((16_384 - rest, 202), (16_384 - rest + 1, 400)):
        content = {"title": "x", "user_info": {"a": "x" * size}}
        assert send(hub, hub.owner_token, OPEN | {"content": content})[0] == status
    assert send(hub, hub.owner_token, OPEN | {"collapse_id": "x" * 64})[0] == 202


def test_recipients_that_are_not_there_are_named(hub):
    for to, code in (({"topic": "nix"}, 40411), ({"device": "77"}, 40412), ({"device": "ab" * 32}, 40412),
                     ({"person": "77"}, 40422)):
        status, answer = send(hub, hub.owner_token, {"to": to, "content": {"title": "x"}})
        assert (status, answer["code"]) == (404, code), to
    assert send(hub, hub.owner_token, {"to": {"role": "keykeeper"}, "content": {"title": "x"}})[0] == 202


def test_a_device_can_be_named_by_its_token(hub):
    made = make_device(hub)
    assert len(made["device_token"]) == 64
    for name in (made["device_token"], made["id"]):
        one = send(hub, hub.owner_token, {"to": {"device": name}, "content": {"title": "x"}})[1]["id"]
        trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
        assert [device["device"] for device in trace["devices"]] == [made["id"]]


def test_what_is_scheduled_is_listed_and_can_be_cancelled(hub):
    make_device(hub, "bell", "space")
    token = hub.owner_token
    later = send(hub, token, OPEN | {"at": f"{LATER}T00:00:00Z"})[1]["id"]
    soon = send(hub, token, OPEN | {"at": "2020-01-01T00:00:00Z"})[1]["id"]
    listed = hub.get(f"{SEND}?scheduled=1", token=token)[1]["items"]
    assert [(item["id"], item["state"], item["to"]) for item in listed] == [(later, "scheduled", [{"topic": "space"}])]
    assert [item["id"] for item in hub.get(SEND, token=token)[1]["items"]] == [soon], "a time that is over is now"
    assert hub.get(f"{SEND}/{later}", token=token)[1]["devices"] == []
    assert hub.patch(f"{SEND}/{later}", token, {"content": {"body": "Later"}})[0] == 200
    assert hub.get(f"{SEND}/{later}", token=token)[1]["content"]["body"] == "Later"
    assert hub.delete(f"{SEND}/{later}", token)[0] == 204
    assert hub.get(f"{SEND}?scheduled=1", token=token)[1]["items"] == []
    assert hub.get(f"{SEND}/{later}", token=token)[1]["state"] == "withdrawn"
    assert hub.delete(f"{SEND}/{later}", token)[0] == 204, "a repeated request has nothing to do"


def test_a_local_time_is_listed_changed_and_cancelled(hub):
    make_device(hub, "bell", "space")
    token = hub.owner_token
    once = send(hub, token, OPEN | {"at": {"local": "07:30", "date": f"{LATER}"}})[1]["id"]
    rule = {"local": "07:30", "every": "FREQ=MONTHLY;BYMONTHDAY=-1"}
    last_of_month = f"{LATER:%Y-%m}-{calendar.monthrange(LATER.year, LATER.month)[1]}"
    series = send(hub, token, OPEN | {"at": rule | {"date": f"{LATER}"}})[1]["id"]
    listed = {item["id"]: item for item in hub.get(f"{SEND}?scheduled=1", token=token)[1]["items"]}
    assert listed[once]["schedule"] == {"local": "07:30", "date": f"{LATER}"}
    assert listed[once]["at"].startswith(f"{LATER}T") and listed[once]["state"] == "scheduled"
    assert listed[series]["schedule"] == rule | {"date": last_of_month}, "the rule begins with a day of its own"
    assert hub.get(f"{SEND}/{series}", token=token)[1]["schedule"] == rule | {"date": last_of_month}
    for one in (once, series):
        assert hub.patch(f"{SEND}/{one}", token, {"content": {"body": "Later"}})[0] == 200
        assert hub.get(f"{SEND}/{one}", token=token)[1]["content"]["body"] == "Later"
        assert hub.delete(f"{SEND}/{one}", token)[0] == 204
        assert hub.get(f"{SEND}/{one}", token=token)[1]["state"] == "withdrawn"
    assert hub.get(f"{SEND}?scheduled=1", token=token)[1]["items"] == []


def test_a_rule_whose_time_is_over_today_begins_tomorrow(hub):
    today = datetime.datetime.now(datetime.UTC).date()
    one = send(hub, hub.owner_token, OPEN | {"at": {"local": "00:00", "every": "FREQ=DAILY;COUNT=1"}})[1]["id"]
    later = send(hub, hub.owner_token, OPEN | {"at": f"{today + datetime.timedelta(days=4)}T00:00:00Z"})[1]["id"]
    item, other = hub.get(f"{SEND}?scheduled=1", token=hub.owner_token)[1]["items"]
    assert other["id"] == later
    tomorrow = today + datetime.timedelta(days=1)
    assert (item["id"], item["state"]) == (one, "scheduled")
    assert item["schedule"]["date"] in (f"{tomorrow}", f"{tomorrow + datetime.timedelta(days=1)}")


def test_the_command_line_schedules_by_the_devices_clocks(hub):
    words = ["--to", "topic:space", "--title", "Up", "--data", hub.data]
    made = command("push", "send", *words, "--at", "07:30", "--every", "FREQ=DAILY")
    assert made.returncode == 0, made.stderr
    [item] = hub.get(f"{SEND}?scheduled=1", token=hub.owner_token)[1]["items"]
    assert item["id"] == made.stdout.strip() and item["schedule"]["every"] == "FREQ=DAILY"
    for wrong in (["--every", "FREQ=DAILY"], ["--at", f"{LATER}T00:00:00Z", "--every", "FREQ=DAILY"],
                  ["--at", "07:30", "--every", "daily"]):
        assert command("push", "send", *words, *wrong).returncode == 2, wrong


def test_what_rings_until_somebody_acts_may_only_hand_over_where_its_sender_may_send(hub):
    make_device(hub, "bell", "space")
    again = {"every": "PT2M", "limit": 5, "then": ["role:owner"]}
    one = send(hub, hub.owner_token, OPEN | {"repeat": again, "at": f"{LATER}T00:00:00Z"})[1]["id"]
    shown = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["repeat"]
    assert (shown["every"], shown["limit"]) == ("PT2M", 5)
    assert shown["then"] == [{"role": "owner"}], "who is an owner is asked when it is time"
    token = limited(hub, "space")
    status, answer = send(hub, token, OPEN | {"repeat": again})
    assert (status, answer["code"]) == (403, 40310)
    again["then"] = [{"topic": "space"}]
    assert send(hub, token, OPEN | {"repeat": again})[0] == 202
    assert send(hub, hub.owner_token, OPEN | {"repeat": again | {"then": ["topic:nix"]}})[0] == 404


def test_the_list_of_what_waits_goes_on_behind_an_id(hub):
    token = limited(hub, "space")
    mine = [send(hub, token, OPEN | {"at": f"{LATER}T00:00:{second:02}Z"})[1]["id"] for second in range(52)]
    other = send(hub, hub.owner_token, OPEN | {"at": f"{LATER}T00:00:00Z"})[1]["id"]
    path = f"{SEND}?scheduled=1"
    first = [item["id"] for item in hub.get(path, token=token)[1]["items"]]
    assert first == mine[:50]
    assert [item["id"] for item in hub.get(f"{path}&before={first[-1]}", token=token)[1]["items"]] == mine[50:]
    assert other in [item["id"] for item in hub.get(path, token=hub.owner_token)[1]["items"]]
    data = ["--data", hub.data]
    listed = command("push", "list", "--scheduled", "--before", first[-1], *data).stdout
    assert [line.split()[0] for line in listed.splitlines()] == mine[49:][1:]
    assert hub.delete(f"{SEND}/{mine[0]}", token)[0] == 204
    assert hub.get(f"{path}&before={mine[0]}", token=token)[0] == 400
    assert command("push", "list", "--scheduled", "--before", mine[0], *data).returncode == 1


def test_one_that_waits_is_given_another_time(hub):
    make_device(hub, "bell", "space")
    token = hub.owner_token
    one = send(hub, token, OPEN | {"at": f"{LATER}T00:00:00Z", "expires_at": f"{LATER}T01:00:00Z"})[1]["id"]
    assert hub.patch(f"{SEND}/{one}", token, {"at": f"{LATEST}T00:00:00Z"})[0] == 200
    trace = hub.get(f"{SEND}/{one}", token=token)[1]
    assert (trace["at"], trace["expires_at"]) == (f"{LATEST}T00:00:00.000Z", f"{LATEST}T01:00:00Z")
    local = {"local": "07:30", "date": f"{LATEST}"}
    assert hub.patch(f"{SEND}/{one}", token, {"at": local, "content": {"body": "Later"}})[0] == 200
    trace = hub.get(f"{SEND}/{one}", token=token)[1]
    assert trace["schedule"] == local and trace["content"]["body"] == "Later"
    for wrong in ({}, {"at": None}, {"at": "tomorrow"}, {"at": {"local": "25:00"}}, {"at": "2199-01-01T00:00:00Z"}):
        assert hub.patch(f"{SEND}/{one}", token, wrong)[0] == 400, wrong
    assert hub.patch(f"{SEND}/{one}", token, {"at": "2020-01-01T00:00:00Z"})[0] == 200, "a time that is over is now"
    eventually(lambda: hub.get(f"{SEND}/{one}", token=token)[1]["state"] == "active", what="it is sent")
    status, answer = hub.patch(f"{SEND}/{one}", token, {"at": f"{LATEST}T00:00:00Z"})
    assert (status, answer["code"]) == (409, 40912)
    assert hub.patch(f"{SEND}/99", token, {"at": f"{LATEST}T00:00:00Z"})[0] == 404


def test_senders_have_names(hub):
    token = limited(hub, "space")
    olga = hub.sign_in("owner", "Olga")
    for word, name in ((token, "limited"), (olga, "Olga")):
        one = send(hub, word)[1]["id"]
        assert hub.get(f"{SEND}/{one}", token=olga)[1]["sender_name"] == name
    later = send(hub, token, OPEN | {"at": f"{LATER}T00:00:00Z"})[1]["id"]
    assert hub.get(f"{SEND}/{later}", token=olga)[1]["sender_name"] == "limited"
    names = [item["sender_name"] for item in hub.get(SEND, token=olga)[1]["items"]]
    assert names == ["Olga", "limited"]


def test_a_typed_answer_is_for_who_asked_and_who_typed_it(hub):
    ada, mo = hub.sign_in("member", "Ada"), hub.sign_in("member", "Mo")
    for name in ("Ada", "Mo"):
        make_device(hub, f"{name}'s bell", "space", person=name)
    token = limited(hub, "space")
    actions = [{"id": "say", "title": "Say", "text_input": {"button": "Send"}}]
    one = send(hub, token, {"to": {"topic": "space"}, "content": {"title": "What?", "actions": actions}})[1]["id"]
    answered = hub.post(f"/api/v1/bells/{one}/response", ada, {"action": "say", "text": "secret"})
    assert answered[0] == 200
    for word, text in ((token, "secret"), (hub.owner_token, "secret"), (ada, "secret"), (mo, None)):
        acted = hub.get(f"{SEND}/{one}", token=word)[1]["acted"]
        assert (acted["action"], acted["text"]) == ("say", text)


def test_the_list_goes_on_behind_an_id(hub):
    ids = [send(hub, hub.owner_token)[1]["id"] for _ in range(3)]
    newest = hub.get(SEND, token=hub.owner_token)[1]["items"]
    assert [item["id"] for item in newest] == ids[::-1]
    rest = hub.get(f"{SEND}?before={ids[1]}", token=hub.owner_token)[1]["items"]
    assert [item["id"] for item in rest] == ids[:1]
    for wrong in (f"{SEND}?before=x", f"{SEND}?scheduled=yes", "/api/v1/bells/devices?all=yes"):
        assert hub.get(wrong, token=hub.owner_token)[1]["code"] == 40004, wrong
    assert hub.get(f"{SEND}?scheduled=true", token=hub.owner_token)[1]["items"] == []


def test_the_turned_sign_rings_in_its_commit(hub_with_space):
    hub = hub_with_space
    make_device(hub, "bell", "space")
    hub.turn(True, by="Ada", message="Come in")
    found = eventually(lambda: hub.get(SEND, token=hub.owner_token)[1]["items"])
    assert [(item["room"], item["topic"], item["collapse_id"], item["sender"], item["sender_name"])
            for item in found] == [("space", "space", "room space/sign", "room space", "Space")]
    content = found[0]["content"]
    assert (content["title"], content["body"]) == ("Open", "Ada has opened: Come in")
    assert (content["category"], content["thread"], content["url"]) == ("sign", "space", "/space")
    assert content["sound"] == "default"
    assert content["localized"]["de"] == {"title": "Offen", "body": "Ada hat aufgemacht: Come in"}
    hub.turn(True, message="Still open")
    hub.turn(False)
    found = eventually(lambda: len(items := hub.get(SEND, token=hub.owner_token)[1]["items"]) > 1 and items)
    assert [item["content"]["title"] for item in found] == ["Closed", "Open"], "new words ring nobody"
    # Whoever sends to its topic does not take it away with its own collapse id.
    other = limited(hub, "space")
    for taken in ("sign", "room space/sign"):
        assert send(hub, other, OPEN | {"collapse_id": taken})[0] == 202
    trace = hub.get(f"{SEND}/{found[0]['id']}", token=hub.owner_token)[1]
    assert [event["what"] for event in trace["devices"][0]["events"]] == ["queued"]


def test_the_hub_speaks_german_where_it_is_told_to(make_hub):
    hub = make_hub(options=["--bells-language", "de"])
    hub.turn(True)
    found = eventually(lambda: hub.get(SEND, token=hub.owner_token)[1]["items"])
    assert found[0]["content"]["title"] == "Offen" and found[0]["content"]["localized"]["en"]["title"] == "Open"
    refused = command("serve", "--data", hub.data.parent / "other", "--bells-language", "fr")
    assert refused.returncode == 2 and "en and de are accepted" in refused.stderr


def test_a_person_sees_only_the_way_to_their_own_devices(hub):
    ada, mo = hub.sign_in("member", "Ada"), hub.sign_in("member", "Mo")
    for name in ("Ada", "Mo"):
        make_device(hub, f"{name}'s bell", "space", person=name)
    one = send(hub, hub.owner_token)[1]["id"]
    assert [device["name"] for device in hub.get(f"{SEND}/{one}", token=ada)[1]["devices"]] == ["Ada's bell"]
    assert [device["name"] for device in hub.get(f"{SEND}/{one}", token=mo)[1]["devices"]] == ["Mo's bell"]
    assert len(hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"]) == 2
    assert hub.get(f"{SEND}/{one}", token=hub.sign_in("member", "Kim"))[0] == 404
