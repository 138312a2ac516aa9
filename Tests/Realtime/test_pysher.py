"""Unmodified pysher with an app of one's own, and with its own signatures."""

import contextlib
import json
import logging
import queue

import pysher
import pytest

from pusher_app import App, Relay

SECONDS = 15
JOINED, ADDED = "pusher_internal:subscription_succeeded", "pusher_internal:member_added"


@pytest.fixture
def app(hub):
    return App(hub)


@contextlib.contextmanager
def listening(app, channels, user=None, port=None):
    """A client on these channels, and a queue of (channel, event, data) of those of their events that are named;
    `user` is the one whom it says to be on presence channels."""
    heard = queue.Queue()
    client = pysher.Pusher(
        app.key, secret=app.secret, user_data={"user_id": user} if user else None, custom_host="127.0.0.1",
        port=port or app.hub.port, secure=False, log_level=logging.CRITICAL, reconnect_interval=1, auto_sub=True)

    def connected(_):
        # Only here nothing can come before its callback is bound. When it comes back, pysher subscribes by itself.
        if client.channels:
            return
        for name, events in channels.items():
            channel = client.subscribe(name)
            for event in (JOINED, *events):
                channel.bind(event, lambda data, *where: heard.put((*where, json.loads(data))), name, event)

    client.connection.bind("pusher:connection_established", connected)
    client.connect()
    try:
        client.joined = {name: heard.get(timeout=SECONDS) for name in channels}
        yield client, heard
    finally:
        # Its thread may sleep on for a while; it does not keep the process.
        client.disconnect(timeout=1)


def test_public_private_and_presence_channels(app):
    channels = {"lobby": ["word"], "private-room": ["word"], "presence-table": [ADDED, "client-word"]}
    with listening(app, channels, "ada") as (ada, heard):
        assert ada.joined["presence-table"][2]["presence"]["ids"] == ["ada"]
        for name in ("lobby", "private-room"):
            app.client().trigger(name, "word", {"word": "anchor"})
            assert heard.get(timeout=SECONDS) == (name, "word", {"word": "anchor"})
        with listening(app, {"presence-table": []}, "ben") as (ben, _):
            presence = ben.joined["presence-table"][2]["presence"]
            assert sorted(presence["ids"]) == ["ada", "ben"] and presence["count"] == 2
            assert heard.get(timeout=SECONDS)[1:] == (ADDED, {"user_id": "ben"})
            ben.channel("presence-table").trigger("client-word", {"word": "anchor"})
            assert heard.get(timeout=SECONDS)[1:] == ("client-word", {"word": "anchor"})


def test_it_comes_back_and_hears_what_it_missed(app):
    app.set(history_seconds=60, history_events=100)
    relay = Relay(app.hub.port)
    try:
        with listening(app, {"lobby": ["word"]}, port=relay.port) as (_, heard):
            app.client().trigger("lobby", "word", 1)
            assert heard.get(timeout=SECONDS)[2] == 1
            relay.cut()
            app.client().trigger("lobby", "word", 2)
            assert heard.get(timeout=SECONDS)[1] == JOINED
            app.client().trigger("lobby", "word", 3)
            assert [heard.get(timeout=SECONDS)[2] for _ in range(2)] == [2, 3]
    finally:
        relay.close()
