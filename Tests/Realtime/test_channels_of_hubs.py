"""Channels of apps on two hubs with one database: whoever is connected to either hears, sees and counts all."""

import contextlib
import json
import signal
import time

import pytest

from hub import eventually
from live import opened
from parse_app import ParseApp, enter, sign_up
from pusher_app import App
from pysher_client import ADDED, listening
from webhook_receiver import WebhookReceiver

# Their records are on a server of their own.
pytestmark = pytest.mark.file

REMOVED = "pusher_internal:member_removed"
KINDS = ["channel_occupied", "channel_vacated", "member_added", "member_removed", "client_event"]


@pytest.fixture
def hubs(make_two_hubs):
    return make_two_hubs()


class AppAt(App):
    """The same app, asked and listened to at another hub."""

    def __init__(self, app, hub):  # pylint: disable=super-init-not-called
        self.hub, self.told = hub, app.told
        self.id, self.key, self.secret = app.id, app.key, app.secret


@pytest.fixture
def apps(hubs):
    """An app at both hubs, which know of each other."""
    app = App(hubs[0])
    other = AppAt(app, hubs[1])
    with opened(hubs[1], path=app.socket_path) as listener:
        listener.expect("pusher:connection_established")
        listener.subscribe("first")
        eventually(lambda: app.client().channels_info()["channels"], 30, "each knows who is at the other")
    eventually(lambda: not app.client().channels_info()["channels"], 30, "and who has left")
    return app, other


@contextlib.contextmanager
def at(app, *channels):
    """A plain socket on public channels; its id is `socket_id`."""
    with opened(app.hub, path=app.socket_path) as listener:
        listener.socket_id = listener.expect("pusher:connection_established")["socket_id"]
        for channel in channels:
            listener.subscribe(channel)
        yield listener


def join(app, listener, channel, user, name=None):
    """Subscribes to a presence channel; returns its members."""
    data = {"user_id": user, "user_info": {"name": name or user.title()}}
    listener.send(
        "pusher:subscribe",
        {"channel": channel, **app.client().authenticate(channel, listener.socket_id, data)})
    return listener.expect("pusher_internal:subscription_succeeded")["presence"]


def test_events_of_either_reach_both_in_order(apps):
    one, other = apps
    with at(one, "lobby") as here, at(other, "lobby") as there:
        for number in range(30):
            (one, other)[number % 2].client().trigger("lobby", "word", {"number": number})
            assert here.expect("word") == there.expect("word") == {"number": number}
        # One publisher's events stay in their order, and whoever is left out hears nothing at the other hub either.
        for number in range(100):
            one.client().trigger(["lobby", "hall"], "many", {"number": number}, socket_id=there.socket_id)
        one.client().trigger("lobby", "last", {})
        assert [here.expect("many")["number"] for _ in range(100)] == list(range(100))
        assert there.expect("last") == {}


def test_pysher_at_both(apps):
    """Public, private and presence channels, and client events, of an unmodified client."""
    one, other = apps
    with listening(one, {"private-room": ["word"], "presence-table": [ADDED, "client-word"]}, "ada") as (_, heard):
        other.client().trigger("private-room", "word", {"word": "anchor"})
        assert heard.get(timeout=15) == ("private-room", "word", {"word": "anchor"})
        with listening(other, {"presence-table": []}, "ben") as (ben, _):
            assert sorted(ben.joined["presence-table"][2]["presence"]["ids"]) == ["ada", "ben"]
            assert heard.get(timeout=15)[1:] == (ADDED, {"user_id": "ben"})
            ben.channel("presence-table").trigger("client-word", {"word": "back"})
            assert heard.get(timeout=15)[1:] == ("client-word", {"word": "back"})


def test_a_member_counts_once_while_connected_anywhere(apps):
    one, other = apps
    with at(one) as ada, at(other) as ben, at(other) as twin:
        assert join(one, ada, "presence-table", "ada")["ids"] == ["ada"]
        eventually(lambda: other.client().users_info("presence-table")["users"], what="the other knows")
        assert sorted(join(other, ben, "presence-table", "ben")["ids"]) == ["ada", "ben"]
        assert ada.expect(ADDED) == {"user_id": "ben", "user_info": {"name": "Ben"}}
        # Ada comes to the other hub as well, which is no news, and leaves the first one, which is none either.
        assert join(other, twin, "presence-table", "ada")["count"] == 2
        info = ["user_count", "subscription_count"]
        for app in apps:
            eventually(
                lambda app=app: app.client().channel_info("presence-table", info)
                == {"occupied": True, "user_count": 2, "subscription_count": 3}, what="both count all")
            assert {user["id"] for user in app.client().users_info("presence-table")["users"]} == {"ada", "ben"}
        ada.send("pusher:unsubscribe", {"channel": "presence-table"})
        eventually(
            lambda: other.client().channel_info("presence-table", info)["subscription_count"] == 2, what="one less")
        assert one.client().channels_info("presence-", ["user_count"]) == {
            "channels": {"presence-table": {"user_count": 2}}}
        assert twin.socket and join(one, ada, "presence-table", "ada")["count"] == 2
        twin.send("pusher:unsubscribe", {"channel": "presence-table"})
        ada.send("pusher:unsubscribe", {"channel": "presence-table"})
        assert ben.expect(REMOVED) == {"user_id": "ada"}, "told once, and nothing before"


def test_counts_of_subscribers_are_those_of_both(apps):
    one, other = apps
    one.set(subscription_count=True)
    counted = "pusher_internal:subscription_count"
    with at(one, "hall") as here:
        assert here.expect(counted) == {"subscription_count": 1}
        with at(other) as there:
            # What was set at one holds at the other a moment later, which the count tells.
            there.subscribe("hall")
            assert here.expect(counted) == {"subscription_count": 2}
        assert here.expect(counted) == {"subscription_count": 1}


def test_a_cached_event_is_kept_at_both(apps):
    one, other = apps
    one.client().trigger("cache-words", "word", {"word": "anchor"})
    with at(other) as listener:
        def cached():
            listener.subscribe("cache-words")
            message = listener.next()
            listener.send("pusher:unsubscribe", {"channel": "cache-words"})
            return message["event"] == "word"

        eventually(cached, what="the other has it too")


def test_users_are_found_at_both(apps):
    one, other = apps
    with at(one) as ida, at(other) as jan:
        def sign_in(app, listener, user):
            listener.send("pusher:signin", app.client().authenticate_user(listener.socket_id, user))
            return listener.expect("pusher:signin_success")

        sign_in(one, ida, {"id": "ida", "watchlist": ["jan"]})
        assert ida.expect("pusher_internal:watchlist_events")["events"] == [{"name": "offline", "user_ids": ["jan"]}]
        sign_in(other, jan, {"id": "jan"})
        assert ida.expect("pusher_internal:watchlist_events")["events"] == [{"name": "online", "user_ids": ["jan"]}]
        jan.subscribe("#server-to-user-jan")
        one.client().send_to_user("jan", "note", {"text": "your turn"})
        assert jan.expect("note") == {"text": "your turn"}
        one.client().terminate_user_connections("jan")
        assert jan.next()["data"]["code"] == 4009
        assert ida.expect("pusher_internal:watchlist_events")["events"] == [{"name": "offline", "user_ids": ["jan"]}]


def set_webhooks(app, receiver):
    app.set(webhooks=[{"url": f"{receiver.url}/hook", "events": KINDS}])
    time.sleep(1)  # The other hub reads it a moment later, and may be the one that sends them.


def events(receiver):
    """The events posted so far, as (name, channel, user); not those of the channel of before."""
    all_events = [event for posted in receiver.posted for event in json.loads(posted.body)["events"]]
    return [
        (event["name"], event["channel"], event.get("user_id")) for event in all_events if event["channel"] != "first"]


def test_webhooks_are_sent_once(apps):
    one, other = apps
    with WebhookReceiver() as receiver:
        set_webhooks(one, receiver)
        with at(one, "lobby") as ada, at(other, "lobby") as ben:
            join(one, ada, "presence-table", "ada")
            join(other, ben, "presence-table", "ben")
            assert ada.expect(ADDED)["user_id"] == "ben"
            ben.send("client-word", {}, channel="presence-table")
            assert ada.expect("client-word") == {}
            eventually(lambda: len(events(receiver)) == 5, what="all are told")
        told = {
            ("channel_occupied", "lobby", None), ("channel_occupied", "presence-table", None),
            ("member_added", "presence-table", "ada"), ("member_added", "presence-table", "ben"),
            ("client_event", "presence-table", "ben")}
        assert set(events(receiver)) == told
        eventually(lambda: len(events(receiver)) == 9, 20, "all have left")
        time.sleep(1)
        assert sorted(events(receiver)[5:], key=str) == sorted([
            ("channel_vacated", "lobby", None), ("channel_vacated", "presence-table", None),
            ("member_removed", "presence-table", "ada"), ("member_removed", "presence-table", "ben")], key=str)


def test_whoever_signs_out_at_one_hub_hears_nothing_more_at_the_other(hubs):
    app = ParseApp(hubs[0])
    app.set(user_channels=True)
    session = sign_up(app, "Ada")["sessionToken"]
    with opened(hubs[1], path=f"/app/{app.told['key']}") as listener:
        socket_id = listener.expect("pusher:connection_established")["socket_id"]
        enter(app, listener, socket_id, "private-room", session)
        assert app.ask("POST", "logout", {}, session=session) == (200, {})
        assert listener.expect("pusher:subscription_error")["status"] == 401


@pytest.mark.waits
@pytest.mark.parametrize("dies", [0, 1])
def test_members_of_a_hub_that_dies_are_gone(apps, dies):
    """Also when it is the one that has sent the webhooks until then."""
    one, other = apps[dies], apps[1 - dies]
    with WebhookReceiver() as receiver:
        set_webhooks(other, receiver)
        with at(other) as stays, contextlib.ExitStack() as stack:
            join(other, stays, "presence-table", "ada")
            gone = stack.enter_context(at(one, "hall"))
            join(one, gone, "presence-table", "ben")
            assert stays.expect(ADDED)["user_id"] == "ben"
            eventually(lambda: len(events(receiver)) == 4, what="all have come")
            time.sleep(2.5)  # What was told in the last seconds may come twice.
            began = time.monotonic()
            one.hub.process.send_signal(signal.SIGKILL)
            assert stays.expect(REMOVED, 15) == {"user_id": "ben"}
            assert time.monotonic() - began < 8
            assert set(other.client().channels_info()["channels"]) == {"presence-table"}
            eventually(lambda: len(events(receiver)) >= 6, 20, "this is told to the app's server")
            assert set(events(receiver)[4:]) == {
                ("member_removed", "presence-table", "ben"), ("channel_vacated", "hall", None)}
            with contextlib.suppress(Exception):
                stack.close()


@pytest.mark.waits
def test_without_the_bus_each_has_its_own(apps, nats):
    one, other = apps
    with at(one, "lobby") as here, at(other, "lobby") as there:
        nats.stop()
        try:
            eventually(
                lambda: one.client().channel_info("lobby", ["subscription_count"])["subscription_count"] == 1, 20,
                "whoever is at the other does not count any more")
            one.client().trigger("lobby", "word", {"number": 1})
            assert here.expect("word") == {"number": 1}
        finally:
            nats.start()
        eventually(
            lambda: all(hub.client().channel_info("lobby", ["subscription_count"])["subscription_count"] == 2
                        for hub in apps), 60, "both know of each other again")
        one.client().trigger("lobby", "word", {"number": 2})
        assert there.expect("word") == {"number": 2}, "what was sent meanwhile is lost there"
