"""Pusher's HTTP API, asked by PyPI's pusher, and by requests that its library would not send."""

import hashlib
import http.client
import json
import time
import urllib.parse

import pusher
import pytest
from pusher.errors import PusherBadAuth, PusherBadRequest, PusherBadStatus, PusherForbidden
from pusher.signature import sign

from live import opened
from pusher_app import App


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def app(hub):
    return App(hub)


class Caller:
    """Signs requests by hand; each part can be another than it should be."""

    def __init__(self, app):
        self.app = app

    def __call__(self, method, path, body=None, query=None, *, signed=None, sent=None, at=0, path_signed=None,
                 secret=None):
        """Returns the status and the JSON. `signed` replaces the body that is signed, `sent` adds to the query that is
        sent; `at` are the seconds by which the clock is wrong."""
        path = path if path.startswith("/users") else f"/apps/{self.app.id}{path}"
        content = json.dumps(body).encode() if isinstance(body, (dict, list)) else (body or b"")
        parameters = {"auth_key": self.app.key, "auth_timestamp": str(int(time.time()) + at), "auth_version": "1.0"}
        parameters |= query or {}
        if content or signed:
            parameters["body_md5"] = hashlib.md5(signed or content).hexdigest()
        text = "&".join(f"{name}={value}" for name, value in sorted(parameters.items()))
        text = "\n".join([method, path_signed or path, text])
        parameters["auth_signature"] = sign(secret or self.app.secret, text)
        target = f"{path}?{urllib.parse.urlencode(parameters | (sent or {}))}"
        answer = self.app.hub.request(method, target, {"Content-Type": "application/json"}, content or None)
        return answer.status, answer.json


@pytest.fixture
def call(app):
    return Caller(app)


def listening(app):
    """A plain socket of the app, on a public channel."""
    return opened(app.hub, path=app.socket_path)


def event(**changes):
    return {"name": "word", "data": "{}", "channel": "lobby"} | changes


def test_events_arrive_as_they_were_sent(app):
    client = app.client()
    with listening(app) as one, listening(app) as other:
        ids = [listener.expect("pusher:connection_established")["socket_id"] for listener in (one, other)]
        for listener in (one, other):
            listener.subscribe("lobby").subscribe("hall")
        assert client.trigger(["lobby", "hall"], "word", {"word": "anchör"}) == {}
        for listener in (one, other):
            assert {listener.next()["channel"] for _ in range(2)} == {"lobby", "hall"}
        assert client.trigger("lobby", "word", '"only one"', socket_id=ids[0]) == {}
        batch = [("lobby", "first"), ("hall", "second")]
        assert client.trigger_batch([{"channel": where, "name": name, "data": "1"} for where, name in batch]) == {}
        assert [one.next()["event"] for _ in range(2)] == ["first", "second"]
        assert [other.next()["event"] for _ in range(3)] == ["word", "first", "second"]


def test_who_is_there_can_be_asked(app, call):
    client = app.client()
    assert client.channels_info() == {"channels": {}}
    assert client.channel_info("lobby") == {"occupied": False}
    with listening(app) as one, listening(app) as table:
        one.expect("pusher:connection_established")
        socket = table.expect("pusher:connection_established")["socket_id"]
        one.subscribe("lobby").subscribe("cache-words")
        signed = client.authenticate("presence-table", socket, {"user_id": 7, "user_info": {"name": "Ada"}})
        table.send("pusher:subscribe", {"channel": "presence-table", **signed})
        table.expect("pusher_internal:subscription_succeeded")
        assert client.channels_info()["channels"] == {"lobby": {}, "cache-words": {}, "presence-table": {}}
        assert client.channels_info("presence-", ["user_count"]) == {"channels": {"presence-table": {"user_count": 1}}}
        assert client.channel_info("presence-table", ["user_count", "subscription_count"]) == {
            "occupied": True, "user_count": 1, "subscription_count": 1}
        assert client.users_info("presence-table") == {"users": [{"id": "7"}]}
        assert client.channel_info("cache-words", ["cache"])["cache"] is None
        client.trigger("cache-words", "word", "kept")
        cached = client.channel_info("cache-words", ["cache"])["cache"]
        assert cached["data"] == "kept" and 1790 < cached["ttl"] <= 1800
        asked = event(channel=None, channels=["lobby", "presence-table"], info="user_count,subscription_count")
        assert call("POST", "/events", asked) == (200, {"channels": {
            "lobby": {"subscription_count": 1}, "presence-table": {"user_count": 1, "subscription_count": 1}}})
        batch = {"batch": [event(), event(info="subscription_count")]}
        assert call("POST", "/batch_events", batch) == (200, {"batch": [{}, {"subscription_count": 1}]})


def test_the_older_ways_still_work(app, call):
    with listening(app) as listener:
        listener.expect("pusher:connection_established")
        listener.subscribe("lobby")
        assert call("POST", "/channels/lobby/events", b'"raw"', {"name": "word"}) == (202, {})
        assert listener.next() == {"event": "word", "channel": "lobby", "data": "raw"}
        assert call("POST", "/events", None, {"name": "asked", "data": "1", "channel": "lobby"}) == (200, {})
        assert listener.next()["event"] == "asked"
    assert app.client().terminate_user_connections("nobody") == {}
    assert call("POST", "/users/nobody/terminate_connections") == (200, {})
    assert call("POST", "/channels/lobby/events", b"\xff", {"name": "word"})[0] == 400


def test_limits_are_kept_to_the_byte(call):
    for body, status in (
            (event(data="\x01" * 10_240), 200), (event(data="x" * 10_241), 413), (event(data="x" * 200_000), 413),
            (event(name="x" * 201), 400), (event(channel="not a name"), 400), (event(socket_id="one"), 400),
            (event(channels=[f"c{number}" for number in range(100)]), 200),
            (event(channels=[f"c{number}" for number in range(101)]), 400), (b"{", 400), ([], 400)):
        found, answer = call("POST", "/events", body)
        assert found == status, answer
        assert found == 200 or {"code", "error", "help"} <= set(answer)


def test_a_batch_has_ten_events_and_is_sent_as_a_whole_or_not(app, call):
    assert call("POST", "/batch_events", {"batch": [event(data="\x01" * 10_240)] * 10}) == (200, {})
    assert call("POST", "/batch_events", {"batch": [event()] * 11})[0] == 400
    with listening(app) as listener:
        listener.expect("pusher:connection_established")
        listener.subscribe("lobby")
        for bad, status in ((event(name=""), 400), (event(data="x" * 10_241), 413)):
            found, answer = call("POST", "/batch_events", {"batch": [event(), bad]})
            assert found == status and "batch[1]" in answer["error"]
        assert call("POST", "/events", event(name="last"))[0] == 200
        assert listener.next()["event"] == "last"


def test_a_fact_that_a_channel_lacks_is_an_error(app, call):
    client = app.client()
    for ask in (
            lambda: client.channels_info(attributes=["user_count"]),
            lambda: client.channel_info("lobby", ["user_count"]), lambda: client.channel_info("lobby", ["cache"]),
            lambda: client.channel_info("lobby", ["weather"]), lambda: client.users_info("lobby")):
        with pytest.raises(PusherBadRequest):
            ask()
    assert call("GET", "/channels/not%20a%20name")[0] == 400


def test_only_what_was_signed_is_taken(app, call):
    body = event()
    for words in (
            {"at": -601}, {"at": 602}, {"signed": b"{}"}, {"sent": {"more": "1"}}, {"sent": {"auth_version": "2.0"}},
            {"path_signed": "/apps/1/events"}, {"secret": "another"}, {"sent": {"auth_signature": ""}}):
        status, answer = call("POST", "/events", body, **words)
        assert status == 401, (words, answer)
        assert app.secret not in json.dumps(answer)
    assert call("POST", "/events", body, at=-598)[0] == 200
    assert app.hub.request("POST", f"/apps/{app.id}/events", body=json.dumps(body)).status == 401
    with pytest.raises(PusherBadAuth):
        app.client(secret="another").trigger("lobby", "word", "1")
    with pytest.raises(PusherBadStatus, match="404"):
        app.client(app_id="9999999").trigger("lobby", "word", "1")


def test_another_app_has_no_say(hub, app):
    other = App(hub, "Another")
    with pytest.raises(PusherBadAuth):
        app.client(key=other.key, secret=other.secret).trigger("lobby", "word", "1")
    with listening(other) as listener:
        listener.expect("pusher:connection_established")
        listener.subscribe("lobby")
        app.client().trigger("lobby", "word", '"of the one"')
        other.client().trigger("lobby", "word", '"of the other"')
        assert listener.next()["data"] == "of the other"
    assert app.client().channels_info() == {"channels": {}}


def test_an_app_that_is_off_or_over_its_quota_is_told_so(app):
    client = app.client()
    app.set(enabled=False)
    with pytest.raises(PusherForbidden):
        client.channels_info()
    app.set(enabled=True, messages_a_day=1)
    client.trigger("lobby", "word", "1")
    with pytest.raises(PusherForbidden):
        for _ in range(100):
            client.trigger("lobby", "word", "1")
    assert client.channels_info() == {"channels": {}}


def test_a_stranger_is_refused_before_the_body_is_read(app):
    connection = http.client.HTTPConnection("127.0.0.1", app.hub.port, timeout=10)
    try:
        connection.putrequest("POST", f"/apps/{app.id}/events?auth_key={app.key}&auth_version=1.0")
        connection.putheader("Content-Length", "90000")
        connection.endheaders()
        assert connection.getresponse().status == 401
    finally:
        connection.close()


def test_pypi_pusher_accepts_only_digits_as_an_app():
    with pytest.raises(ValueError, match="Invalid app id"):
        pusher.Pusher("eightbells", "key", "secret")
