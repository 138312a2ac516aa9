"""The live channel with other people's clients: pysher and websockets."""

import contextlib
import json
import logging
import queue
import re
import time

import pysher
import pytest
from websockets.exceptions import ConnectionClosed

from hub import STATE, eventually
from live import listening, opened


@contextlib.contextmanager
def pysher_listening(hub, channel="space", *events):
    """pysher, subscribed; yields the queue in which it puts (event, data)."""
    heard, ready = queue.Queue(), queue.Queue()
    client = pysher.Pusher(
        "eightbells", custom_host="127.0.0.1", port=hub.port, secure=False, log_level=logging.CRITICAL,
        reconnect_interval=1)

    def connected(_):
        subscribed = client.subscribe(channel)
        subscribed.bind("pusher_internal:subscription_succeeded", ready.put)
        for event in events:
            subscribed.bind(event, lambda data, event=event: heard.put((event, data)))

    client.connection.bind("pusher:connection_established", connected)
    client.connect()
    try:
        ready.get(timeout=10)
        yield heard
    finally:
        client.disconnect(timeout=10)


def test_two_foreign_clients_hear_that_the_sign_was_turned(hub_with_space):
    with pysher_listening(hub_with_space, "space", "state") as heard, listening(hub_with_space) as listener:
        turned = hub_with_space.turn(True, message="Come in", until="23:00", by="Ada")
        event, data = heard.get(timeout=10)
        assert (event, json.loads(data)) == ("state", turned)
        message = listener.next()
        assert message == {"event": "state", "channel": "space", "data": turned}
    assert turned["open"] is True and turned["message"] == "Come in"


def test_what_is_told_is_what_can_be_fetched(hub_with_space):
    with listening(hub_with_space) as listener:
        for open in (True, False, True):
            hub_with_space.turn(open, message=f"now {open}")
            told, fetched = listener.expect("state"), hub_with_space.state()
            del told["as_of"], fetched["as_of"]
            assert told == fetched


def test_a_page_can_tell_whether_it_is_behind(hub_with_space):
    def fetched():
        return int(hub_with_space.request("GET", STATE).headers["Eightbells-Commit"])

    with listening(hub_with_space) as listener:
        before = fetched()
        numbers = []
        for number in range(5):
            hub_with_space.turn(number % 2 == 0)
            listener.expect("state")
            numbers.append(listener.commit)
            assert fetched() == listener.commit
        assert before < numbers[0] and numbers == sorted(set(numbers))


def test_turns_are_told_in_the_order_they_were_made(hub_with_space):
    with listening(hub_with_space) as listener:
        for number in range(30):
            hub_with_space.turn(number % 2 == 0, message=str(number))
        assert [listener.expect("state")["message"] for _ in range(30)] == [str(number) for number in range(30)]


def test_what_was_refused_is_not_told(hub_with_space):
    with listening(hub_with_space) as listener:
        assert hub_with_space.post(STATE, hub_with_space.keykeeper_token, {"open": "yes"})[0] == 400
        assert hub_with_space.post(STATE, None, {"open": True})[0] == 401
        hub_with_space.turn(False)
        assert listener.expect("state")["open"] is False


def test_new_settings_are_told_without_what_they_are(hub_with_space):
    with listening(hub_with_space) as listener:
        hub_with_space.configure(name="Another name")
        heard = {}
        for _ in range(2):
            message = listener.next()
            heard[message["event"]] = message["data"]
    assert heard == {"settings": {}, "programme": {}}


@pytest.mark.serial
def test_a_hundred_sockets_hear_the_same_within_a_second(hub_with_space):
    with contextlib.ExitStack() as stack:
        listeners = [stack.enter_context(listening(hub_with_space)) for _ in range(100)]
        start = time.monotonic()
        hub_with_space.turn(True, message="for all")
        messages = [listener.socket.recv(10) for listener in listeners]
        took = time.monotonic() - start
    assert len(set(messages)) == 1
    assert took < 1


@pytest.mark.parametrize("version", [5, 6, 7])
def test_the_protocol_is_spoken_in_three_versions(hub, version):
    with opened(hub, f"protocol={version}") as listener:
        message = json.loads(listener.socket.recv(10))
        assert isinstance(message["data"], str), "data is JSON within a string"
        data = json.loads(message["data"])
        assert data["activity_timeout"] == 120
        first, second = data["socket_id"].split(".")
        assert first.isdigit() and second.isdigit()
        listener.subscribe()


def test_no_two_connections_have_the_same_name(hub):
    with contextlib.ExitStack() as stack:
        names = {
            stack.enter_context(opened(hub)).expect("pusher:connection_established")["socket_id"] for _ in range(10)}
    assert len(names) == 10


@pytest.mark.parametrize("path, query, code", [
    ("/app/somebody", "protocol=7", 4001), ("/app/eightbells", "protocol=4", 4007),
    ("/app/eightbells", "protocol=8", 4007), ("/app/eightbells", "protocol=x", 4006),
    ("/app", "protocol=7", 4005), ("/app/eightbells/more", "protocol=7", 4005),
    ("/app/eightbells", "protocol=", 4006), ("/app/eightbells", "client=test", 4008)])
def test_a_client_that_cannot_be_served_is_told_why_and_sent_away(shared_hub, path, query, code):
    with opened(shared_hub, query, path) as listener:
        data = listener.expect("pusher:error")
        assert data["code"] == code and data["message"]
        with pytest.raises(ConnectionClosed) as closed:
            listener.socket.recv(10)
    assert closed.value.rcvd.code == code and closed.value.rcvd.reason


@pytest.mark.parametrize("channel", ["private-space", "presence-space", "private-members"])
def test_a_channel_that_needs_a_key_is_refused(shared_hub, channel):
    with opened(shared_hub) as listener:
        listener.expect("pusher:connection_established")
        listener.send("pusher:subscribe", {"channel": channel, "auth": "eightbells:0"})
        message = listener.next()
        assert (message["event"], message["channel"]) == ("pusher:subscription_error", channel)
        assert (message["data"]["type"], message["data"]["status"]) == ("AuthError", 403)
        listener.subscribe()


@pytest.mark.parametrize("data", [
    {}, None, {"channel": ""}, {"channel": "a b"}, {"channel": "x" * 165}, {"channel": 7}, "[]", "not JSON", 7])
def test_a_channel_without_a_right_name_is_an_error_that_can_be_mended(shared_hub, data):
    with opened(shared_hub) as listener:
        listener.expect("pusher:connection_established")
        listener.socket.send(json.dumps({"event": "pusher:subscribe", "data": data}))
        assert "channel" in listener.expect("pusher:error")["message"]
        listener.subscribe("x" * 164)


def test_the_data_of_a_subscription_may_be_a_string(hub):
    with opened(hub) as listener:
        listener.expect("pusher:connection_established")
        listener.send("pusher:subscribe", json.dumps({"channel": "space"}))
        assert listener.next()["event"] == "pusher_internal:subscription_succeeded"


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", '{"event": 7}', '{"event": "pusher:dance"}'])
def test_an_unknown_message_is_an_error_that_can_be_mended(hub, text):
    with opened(hub) as listener:
        listener.expect("pusher:connection_established")
        listener.socket.send(text)
        assert listener.expect("pusher:error")["message"]
        listener.subscribe()


def test_clients_cannot_speak_to_each_other(hub_with_space):
    with listening(hub_with_space) as speaker, listening(hub_with_space) as listener:
        speaker.send("client-hello", {"a": 1}, channel="space")
        assert speaker.expect("pusher:error")["code"] == 4301
        speaker.send("state", {"open": True}, channel="space")
        assert speaker.next()["event"] == "pusher:error"
        hub_with_space.turn(False)
        assert listener.expect("state")["open"] is False, "nothing else was heard before"


def test_whoever_unsubscribes_hears_nothing_more(hub_with_space):
    with listening(hub_with_space) as leaving, listening(hub_with_space) as staying:
        leaving.send("pusher:unsubscribe", {"channel": "space"})
        leaving.send("pusher:ping")
        leaving.expect("pusher:pong")
        hub_with_space.turn(True)
        staying.expect("state")
        leaving.send("pusher:ping")
        leaving.expect("pusher:pong")
        leaving.subscribe()
        hub_with_space.turn(False)
        assert leaving.expect("state")["open"] is False


def test_another_channel_hears_nothing_of_the_space(hub_with_space):
    with listening(hub_with_space, "other") as other, listening(hub_with_space) as listener:
        hub_with_space.turn(True)
        listener.expect("state")
        other.send("pusher:ping")
        other.expect("pusher:pong")


def test_a_channel_is_subscribed_to_once(hub_with_space):
    with listening(hub_with_space) as listener:
        listener.send("pusher:subscribe", {"channel": "space"})
        assert "already" in listener.expect("pusher:error")["message"]
        hub_with_space.turn(True)
        listener.expect("state")
        listener.send("pusher:ping")
        listener.expect("pusher:pong")


def test_listeners_that_vanish_are_forgotten(hub_with_space):
    def listeners():
        text = hub_with_space.get("/metrics", token=hub_with_space.owner_token)[1]
        return int(re.search(r"^eightbells_websockets (\d+)$", text, re.M)[1])

    for _ in range(30):
        with listening(hub_with_space) as listener:
            listener.socket.socket.close()
    eventually(lambda: listeners() == 0, what="they are forgotten")
    with listening(hub_with_space) as listener:
        hub_with_space.turn(True)
        listener.expect("state")
