"""Private channels: who gets a signature, its use, and the end of a subscription."""

import contextlib
import json
import logging
import queue
import sqlite3
import urllib.parse

import pysher
import pytest

from authenticator import Authenticator
from hub import STATE, eventually
from live import SECONDS, opened
from visits import day

AUTH = "/api/v1/realtime/auth"
PASSKEYS = "/api/v1/passkeys"
MEMBERS = "private-members"


def ask(hub, fields, socket_id, channel):
    """Requests a signature as other people's clients do: a form in, JSON out."""
    fields = fields if isinstance(fields, dict) else {"Authorization": f"Bearer {fields}"} if fields else {}
    form = urllib.parse.urlencode({"socket_id": socket_id, "channel_name": channel})
    headers = fields | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = hub.request("POST", AUTH, headers, form)
    return answer.status, answer.json


@contextlib.contextmanager
def socket(hub):
    """A connection and the name that the hub gave to it. The sign-in of the device may be reported late: only `every`
    includes events about a person's own things."""
    with opened(hub) as listener:
        listener.every = listener.next

        def next(seconds=SECONDS):
            while (message := listener.every(seconds))["event"] == "person":
                pass
            return message

        listener.next = next
        listener.id = listener.expect("pusher:connection_established")["socket_id"]
        yield listener


def subscribe(hub, listener, fields, channel=MEMBERS):
    """Subscribes with a valid signature."""
    status, answer = ask(hub, fields, listener.id, channel)
    assert status == 200, answer
    listener.send("pusher:subscribe", {"channel": channel, "auth": answer["auth"]})
    message = listener.next()
    assert (message["event"], message["channel"]) == ("pusher_internal:subscription_succeeded", channel), message


def refused(listener, channel, auth):
    """Subscribes with that signature; fails unless it is refused. The connection stays open."""
    listener.send("pusher:subscribe", {"channel": channel} | ({} if auth is None else {"auth": auth}))
    message = listener.next()
    assert (message["event"], message["channel"]) == ("pusher:subscription_error", channel), message
    assert message["data"]["type"] == "AuthError"
    listener.send("pusher:ping")
    listener.expect("pusher:pong")
    return message["data"]["status"]


def person(hub, fields):
    return hub.get("/api/v1/session", fields)[1]["person"]["id"]


def ended(listener, channel):
    """Checks that the subscription ends; the connection and its public channel stay."""
    message = listener.next()
    assert (message["event"], message["channel"]) == ("pusher:subscription_error", channel), message
    assert message["data"]["status"] == 401
    listener.subscribe()


def test_members_and_up_may_listen_to_what_is_for_members(hub):
    for role in "owner", "keykeeper", "member":
        with socket(hub) as listener:
            subscribe(hub, listener, hub.sign_in(role))


def test_each_person_has_a_channel_and_nobody_elses(hub):
    ada, bob = hub.sign_in("owner", "Ada"), hub.sign_in("member", "Bob")
    with socket(hub) as listener:
        subscribe(hub, listener, bob, f"private-person-{person(hub, bob)}")
        for fields, other in ((bob, ada), (ada, bob)):  # an owner is no exception
            status, answer = ask(hub, fields, listener.id, f"private-person-{person(hub, other)}")
            assert (status, answer["code"]) == (403, 40375)


def test_strangers_and_door_contacts_get_no_signature(hub):
    with socket(hub) as listener:
        assert ask(hub, None, listener.id, MEMBERS)[0] == 401
        assert ask(hub, "eb_wrong", listener.id, MEMBERS)[0] == 401
        assert ask(hub, {"Cookie": "eightbells=wrong"}, listener.id, MEMBERS)[0] == 401
        assert ask(hub, hub.token("sensor"), listener.id, MEMBERS)[0] == 403
        assert ask(hub, hub.token("reader"), listener.id, MEMBERS)[0] == 200


def test_another_sites_page_gets_no_signature(hub):
    fields = hub.sign_in("member")
    with socket(hub) as listener:
        status, answer = ask(hub, fields | {"Origin": "https://evil.example"}, listener.id, MEMBERS)
        assert status == 403 and "auth" not in answer
        del fields["Origin"]
        assert ask(hub, fields, listener.id, MEMBERS)[0] == 403


@pytest.mark.parametrize("channel", ["private-", "private-other", "private-person-", "private-person-x",
                                     "private-person-0", "private-Members"])
def test_there_are_no_other_private_channels(shared_hub, channel):
    with socket(shared_hub) as listener:
        assert ask(shared_hub, shared_hub.sign_in("owner"), listener.id, channel)[0] == 403


@pytest.mark.parametrize("socket_id, channel", [
    ("", MEMBERS), ("1", MEMBERS), ("1.2:private-members", MEMBERS), ("a.b", MEMBERS), ("1.2", "space"),
    ("1.2", "presence-members"), ("1.2", "private-members x"), ("1.2", "")])
def test_what_is_no_socket_or_no_private_channel_is_not_signed(shared_hub, socket_id, channel):
    status, answer = ask(shared_hub, shared_hub.sign_in("owner"), socket_id, channel)
    assert (status, answer["code"]) == (400, 40003), answer
    assert set(answer["fields"]) == {"socket_id", "channel_name"}


def test_a_wrong_signature_is_refused(hub):
    fields = hub.sign_in("member")
    own = f"private-person-{person(hub, fields)}"
    with socket(hub) as listener, socket(hub) as other:
        for auth in (None, "", "eightbells:", "eightbells:" + "0" * 64, "somebody:" + "0" * 64, "0" * 64, "🔔"):
            assert refused(listener, MEMBERS, auth) == 403
        mine = ask(hub, fields, listener.id, own)[1]["auth"]
        signature, _, holder = mine.removeprefix("eightbells:").partition(".")
        assert len(signature) == 64 and holder.startswith("device:")
        assert refused(listener, MEMBERS, mine) == 403, "it is for another channel"
        assert refused(other, own, mine) == 403, "it is for another socket"
        for other_holder in (mine[:-1] + ("0" if mine[-1] != "0" else "1"), mine.partition(".")[0], mine + "1"):
            assert refused(listener, own, other_holder) == 403
        assert refused(listener, own, mine.upper()) == 403
        listener.send("pusher:subscribe", {"channel": own, "auth": mine})
        assert listener.next()["event"] == "pusher_internal:subscription_succeeded"
        # It is good as long as the socket and the right to it last.
        listener.send("pusher:unsubscribe", {"channel": own})
        listener.send("pusher:subscribe", {"channel": own, "auth": mine})
        assert listener.next()["event"] == "pusher_internal:subscription_succeeded"


def test_a_private_channel_is_not_read_as_a_stream(hub):
    fields = hub.sign_in("member")
    assert hub.request("GET", f"/events/{MEMBERS}", fields).status == 403


def test_a_device_that_signs_out_hears_no_more(hub):
    fields = hub.sign_in("member")
    with socket(hub) as listener:
        subscribe(hub, listener, fields)
        assert hub.delete("/api/v1/session", fields)[0] == 200
        ended(listener, MEMBERS)
        assert ask(hub, fields, listener.id, MEMBERS)[0] == 401


def test_a_device_that_is_removed_elsewhere_hears_no_more(hub):
    phone, laptop = hub.sign_in("member", "Bob"), hub.sign_in("member", "Bob")
    own = f"private-person-{person(hub, phone)}"
    device = hub.get("/api/v1/session", phone)[1]["device"]["id"]
    with socket(hub) as on_phone, socket(hub) as on_laptop:
        subscribe(hub, on_phone, phone, own)
        subscribe(hub, on_phone, phone)
        subscribe(hub, on_laptop, laptop, own)
        assert hub.delete(f"/api/v1/devices/{device}", laptop)[0] == 204
        assert {on_phone.next()["channel"], on_phone.next()["channel"]} == {own, MEMBERS}
        on_laptop.send("pusher:ping")
        on_laptop.expect("pusher:pong")  # and no other event


def test_a_person_who_is_removed_and_a_token_that_is_revoked_hear_no_more(hub):
    owner, bob = hub.sign_in("owner", "Ada"), hub.sign_in("member", "Bob")
    token = hub.token("reader", "display")
    with socket(hub) as listener, socket(hub) as display:
        subscribe(hub, listener, bob)
        subscribe(hub, display, token)
        assert hub.delete(f"/api/v1/people/{person(hub, bob)}", owner)[0] == 204
        ended(listener, MEMBERS)
        tokens = hub.get("/api/v1/tokens", owner)[1]
        number = next(one["id"] for one in tokens if one["name"] == "display")
        assert hub.delete(f"/api/v1/tokens/{number}", owner)[0] == 204
        ended(display, MEMBERS)


def test_a_signature_is_no_good_once_its_device_is_signed_out(hub):
    fields = hub.sign_in("member")
    with socket(hub) as listener:
        auth = ask(hub, fields, listener.id, MEMBERS)[1]["auth"]
        hub.delete("/api/v1/session", fields)
        listener.send("pusher:subscribe", {"channel": MEMBERS, "auth": auth})
        events = [listener.next()["event"] for _ in range(2)]
        assert events == ["pusher_internal:subscription_succeeded", "pusher:subscription_error"]


def test_the_key_is_the_same_after_a_restart(hub):
    fields = hub.sign_in("member")
    before = ask(hub, fields, "1.1", MEMBERS)[1]["auth"]
    hub.stop()
    hub.start()
    fields["Origin"] = hub.url
    assert ask(hub, fields, "1.1", MEMBERS)[1]["auth"] == before


def test_pysher_listens_to_a_private_channel(hub_with_space):
    """Somebody else's client, with the signature that its user requested from the hub."""
    hub, token = hub_with_space, hub_with_space.token("reader")
    ready, public = queue.Queue(), queue.Queue()
    client = pysher.Pusher(
        "eightbells", custom_host="127.0.0.1", port=hub.port, secure=False, log_level=logging.CRITICAL)

    def connected(data):
        status, answer = ask(hub, token, json.loads(data)["socket_id"], MEMBERS)
        assert status == 200
        client.subscribe(MEMBERS, answer["auth"]).bind("pusher_internal:subscription_succeeded", ready.put)
        client.subscribe("space").bind("state", public.put)

    client.connection.bind("pusher:connection_established", connected)
    client.connect()
    try:
        ready.get(timeout=10)
        assert hub.post(STATE, hub.keykeeper_token, {"open": True})[0] == 200
        assert json.loads(public.get(timeout=10))["open"] is True
    finally:
        client.disconnect(timeout=10)


def coming(hub):
    """The demonstration's events of the next weeks. The last of them rings nobody while a test runs."""
    return eventually(lambda: hub.events(str(day(0)), str(day(60)))["events"])


def favourite(hub, fields, event):
    """Keeps an event as a favourite, which the hub reports on the person's own channel."""
    seen = {"title": event["title"], "start": event["start"], "end": event["end"], "location": event["location"],
            "status": event["status"]}
    entry = {"event": event["id"], "kept": True, "at": "2026-11-20T12:00:00.000Z", "seen": seen}
    status, answer = hub.post("/api/v1/space/favourites", fields, {"favourites": [entry]})
    assert status == 200, answer


def test_news_for_one_person_reach_that_persons_devices_and_nobody_else(demo_hub):
    hub = demo_hub
    events = coming(hub)
    phone, laptop, bob = hub.sign_in("member", "Ada"), hub.sign_in("member", "Ada"), hub.sign_in("member", "Bob")
    ada = person(hub, phone)
    with socket(hub) as on_phone, socket(hub) as on_laptop, socket(hub) as of_bob:
        subscribe(hub, on_phone, phone, f"private-person-{ada}")
        subscribe(hub, on_laptop, laptop, f"private-person-{ada}")
        subscribe(hub, of_bob, bob, f"private-person-{person(hub, bob)}")
        favourite(hub, phone, events[-1])
        for listener in (on_phone, on_laptop):
            message = listener.next()
            assert (message["event"], message["channel"]) == ("favourites", f"private-person-{ada}")
        of_bob.send("pusher:ping")
        of_bob.expect("pusher:pong")


def test_a_persons_devices_are_told_when_something_of_theirs_changes(demo_hub):
    hub = demo_hub
    events = coming(hub)
    phone, bob = hub.sign_in("member", "Ada"), hub.sign_in("member", "Bob")
    ada = person(hub, phone)
    own = f"private-person-{ada}"
    device = hub.get("/api/v1/session", phone)[1]["device"]["id"]
    with socket(hub) as listener, socket(hub) as of_bob:
        subscribe(hub, of_bob, bob, f"private-person-{person(hub, bob)}")
        subscribe(hub, listener, phone, own)
        favourite(hub, phone, events[-1])
        while listener.every()["event"] != "favourites":
            pass  # events from before
        for change in (
                lambda: hub.patch(f"/api/v1/devices/{device}", phone, {"name": "phone"}),
                lambda: hub.patch(f"/api/v1/people/{ada}", hub.owner_token, {"role": "keykeeper"}),
                lambda: hub.patch(f"/api/v1/people/{ada}", phone, {"name": "Ada Lovelace"}),
                lambda: hub.sign_in("keykeeper", "Ada Lovelace"),
                lambda: hub.delete("/api/v1/session", hub.sign_in("keykeeper", "Ada Lovelace"))):
            change()
            assert listener.every() == {"event": "person", "channel": own, "data": {}}
        assert listener.every()["event"] == "person", "signed in, and out"
        of_bob.send("pusher:ping")
        of_bob.expect("pusher:pong")


@pytest.mark.parametrize("way", ["link", "passkey"])
def test_whose_session_another_persons_takes_the_place_of_is_told_on_their_other_devices(demo_hub, way):
    hub = demo_hub
    events = coming(hub)
    origin = {"Host": f"localhost:{hub.port}", "Origin": f"http://localhost:{hub.port}"}
    ada = hub.sign_in("member", "Ada") | origin
    passkey = Authenticator(origin["Origin"])
    assert hub.post(PASSKEYS, ada, passkey.register(hub.post(f"{PASSKEYS}/options", ada, {})[1]))[0] == 201
    shared, laptop = hub.sign_in("member", "Bob") | origin, hub.sign_in("member", "Bob")
    with socket(hub) as listener:
        own = f"private-person-{person(hub, laptop)}"
        subscribe(hub, listener, laptop, own)
        favourite(hub, laptop, events[-1])
        while listener.every()["event"] != "favourites":
            pass  # events from before
        if way == "link":
            answer = hub.post("/api/v1/session", shared, {"link": hub.link("member", "Ada")[0]})
        else:
            options = hub.post(f"{PASSKEYS}/session/options", shared, {})[1]
            answer = hub.post(f"{PASSKEYS}/session", shared, passkey.sign_in(options))
        assert answer[0] == 200 and answer[1]["person"]["name"] == "Ada"
        assert listener.every() == {"event": "person", "channel": own, "data": {}}
        assert len(hub.get("/api/v1/devices", laptop)[1]) == 1


@pytest.mark.file
def test_a_device_that_was_signed_out_beside_the_running_hub_hears_no_more_news(demo_hub):
    """No route notified the hub: it checks the listeners' rights in the store before each event."""
    hub = demo_hub
    events = coming(hub)
    phone, laptop = hub.sign_in("member", "Ada"), hub.sign_in("member", "Ada")
    own = f"private-person-{person(hub, phone)}"
    device = hub.get("/api/v1/session", phone)[1]["device"]["id"]
    with socket(hub) as on_phone, socket(hub) as on_laptop:
        subscribe(hub, on_phone, phone, own)
        subscribe(hub, on_laptop, laptop, own)
        with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite", timeout=10)) as store:
            with store:
                store.execute("DELETE FROM devices WHERE id = ?", (device,))
        favourite(hub, laptop, events[-1])
        assert on_laptop.next()["event"] == "favourites"
        message = on_phone.next()
        assert (message["event"], message["channel"]) == ("pusher:subscription_error", own)


def test_whoever_has_signed_in_may_say_more_at_once(hub):
    """64 KB instead of 4, but at the same rate."""
    member = hub.sign_in("member")
    with socket(hub) as listener:
        subscribe(hub, listener, member)
        listener.send("pusher:ping", {"padding": "x" * 60_000})
        assert listener.next()["event"] == "pusher:pong"
