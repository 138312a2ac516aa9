"""Unmodified pysher with an app of one's own, and with its own signatures."""

import pytest

from pusher_app import App
from pysher_client import ADDED, JOINED, SECONDS, listening
from relay import Relay


@pytest.fixture
def app(hub):
    return App(hub)


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
    with Relay(app.hub.port) as relay, listening(app, {"lobby": ["word"]}, port=relay.port) as (_, heard):
        app.client().trigger("lobby", "word", 1)
        assert heard.get(timeout=SECONDS)[2] == 1
        relay.hang_up()
        app.client().trigger("lobby", "word", 2)
        assert heard.get(timeout=SECONDS)[1] == JOINED
        app.client().trigger("lobby", "word", 3)
        assert [heard.get(timeout=SECONDS)[2] for _ in range(2)] == [2, 3]
