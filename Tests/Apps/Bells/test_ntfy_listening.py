"""Subscribers in ntfy's manner: every form, what they missed, and what ends them."""

import contextlib
import http.client
import json
import re
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from hub import command
from ntfy import poll, publish, topic
from wire import Wire

SECONDS = 10


@contextlib.contextmanager
def stream(hub, path, token="owner", seconds=SECONDS):
    """An open subscription over HTTP: an answer to read lines from."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=seconds)
    headers = {"Authorization": f"Bearer {hub.owner_token if token == 'owner' else token}"} if token else {}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    try:
        yield answer
    finally:
        connection.close()


def line(answer):
    return json.loads(answer.readline())


@contextlib.contextmanager
def socket(hub, path, token="owner"):
    headers = {"Authorization": f"Bearer {hub.owner_token if token == 'owner' else token}"} if token else {}
    with connect(hub.url.replace("http", "ws", 1) + path, additional_headers=headers, open_timeout=SECONDS) as opened:
        yield opened


def is_broken(messages):
    """Without a close frame, behind which ntfy's app for Android would wait for minutes."""
    with pytest.raises(ConnectionClosed) as ended:
        messages.recv(SECONDS)
    assert ended.value.rcvd is None


def test_each_form_has_the_same_message(hub):
    topic(hub, "coffee")
    with stream(hub, "/coffee/json") as lines, stream(hub, "/coffee/sse") as events, \
            stream(hub, "/coffee/raw") as raw, socket(hub, "/coffee/ws") as messages:
        opened = line(lines)
        assert (opened["event"], opened["topic"]) == ("open", "coffee") and opened["id"]
        assert events.readline() == b"event: open\n"
        assert json.loads(events.readline().removeprefix(b"data: "))["event"] == "open"
        assert events.readline() == b"\n" and raw.readline() == b"\n"
        assert json.loads(messages.recv(SECONDS))["event"] == "open"
        sent = publish(hub, "/coffee", "two\nlines", Title="T")[1]
        assert line(lines) == sent
        assert json.loads(events.readline().removeprefix(b"data: ")) == sent
        assert raw.readline() == b"two lines\n"
        assert json.loads(messages.recv(SECONDS)) == sent
        assert lines.headers["Content-Type"] == "application/x-ndjson; charset=utf-8"
        assert events.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert raw.headers["Content-Type"] == "text/plain; charset=utf-8"


def test_what_is_sent_otherwise_is_heard_too(hub_with_space):
    hub = hub_with_space
    with stream(hub, "/t/space/json", token=None) as lines:
        assert line(lines)["event"] == "open"
        hub.turn(True)
        heard = line(lines)
        assert heard["topic"] == "space" and heard["event"] == "message" and heard["message"]
        status, answer = hub.post("/api/v1/notifications", hub.owner_token, {
            "to": {"topic": "space"}, "content": {"title": "Cake", "body": "in the kitchen"}})
        assert status == 202
        heard = line(lines)
        assert (heard["id"], heard["title"], heard["message"]) == (answer["id"], "Cake", "in the kitchen")
        # A command beside the hub, too.
        made = command("push", "send", "--to", "topic:space", "--title", "Tea", "--data", hub.data)
        assert made.returncode == 0, made.stderr
        heard = line(lines)
        assert (heard["id"], heard["message"]) == (made.stdout.strip(), "Tea")


def test_several_topics_are_one_subscription_and_a_message_comes_once(hub):
    for name in ("a", "b", "c"):
        topic(hub, name)
    with stream(hub, "/a,b/json") as lines:
        assert line(lines)["topic"] == "a,b"
        status, both = hub.post("/api/v1/notifications", hub.owner_token, {
            "to": [{"topic": "a"}, {"topic": "b"}], "content": {"title": "both"}})
        assert status == 202
        publish(hub, "/c", "not this")
        last = publish(hub, "/b", "this")[1]
        assert line(lines)["id"] == both["id"]
        assert line(lines) == last


def test_what_was_missed_is_asked_for(hub):
    topic(hub, "coffee")
    sent = [publish(hub, "/coffee", f"{number}")[1] for number in range(120)]

    def texts(query):
        return [int(each["message"]) for each in poll(hub, "/coffee", query=f"poll=1&{query}")]

    assert texts("") == texts("since=all") == texts("since=10m") == list(range(120))
    assert texts(f"since={sent[99]['id']}") == list(range(100, 120))
    assert texts("since=SLiKI64DOtxy") == list(range(120))
    assert texts("since=latest") == [119]
    assert texts("since=none") == texts(f"since={int(time.time()) + 5}") == []
    with stream(hub, f"/coffee/json?since={sent[117]['id']}") as lines:
        assert line(lines)["event"] == "open"
        assert [line(lines)["message"] for _ in range(2)] == ["118", "119"]
        publish(hub, "/coffee", "live")
        assert line(lines)["message"] == "live"
    with socket(hub, "/coffee/ws?since=latest") as messages:
        assert json.loads(messages.recv(SECONDS))["event"] == "open"
        assert json.loads(messages.recv(SECONDS))["message"] == "live"


def test_filters_choose(hub):
    topic(hub, "coffee")
    publish(hub, "/coffee", "quiet", Priority="1", Tags="a")
    publish(hub, "/coffee", "loud", Priority="5", Tags="a,b", Title="T")

    def texts(query):
        return [each["message"] for each in poll(hub, "/coffee", query=f"poll=1&{query}")]

    assert texts("priority=high,urgent") == texts("tags=a,b") == texts("title=T") == texts("message=loud") == ["loud"]
    assert texts("tags=a") == ["quiet", "loud"] and texts("title=t") == []
    with stream(hub, "/coffee/json?priority=5") as lines:
        assert line(lines)["event"] == "open"
        publish(hub, "/coffee", "low", Priority="low")
        publish(hub, "/coffee", "max", Priority="max")
        assert line(lines)["message"] == "max"


def test_nothing_is_missed_or_heard_twice_while_messages_come(hub):
    topic(hub, "busy")
    stop = threading.Event()
    said = set()

    def talk():
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=SECONDS)
        while not stop.is_set():
            connection.request("POST", "/busy", "m", {"Authorization": f"Bearer {hub.owner_token}"})
            said.add(json.loads(connection.getresponse().read())["id"])
            time.sleep(0.01)  # the rate of one token is limited
        connection.close()

    speakers = [threading.Thread(target=talk) for _ in range(3)]
    for speaker in speakers:
        speaker.start()
    try:
        for _ in range(25):
            before = set(said)
            with stream(hub, "/busy/json?since=all") as lines:
                assert line(lines)["event"] == "open"
                heard = [line(lines)["id"] for _ in range(len(before) + 10)]
            assert len(set(heard)) == len(heard) and before <= set(heard)
    finally:
        stop.set()
        for speaker in speakers:
            speaker.join(SECONDS)


def test_who_loses_the_right_hears_no_more(hub):
    topic(hub, "coffee")
    member = hub.token("member", "listener")
    with stream(hub, "/coffee/json", token=member) as lines, socket(hub, "/coffee/ws", token=member) as messages:
        assert line(lines)["event"] == json.loads(messages.recv(SECONDS))["event"] == "open"
        one = next(each for each in hub.get("/api/v1/tokens", token=hub.owner_token)[1] if each["name"] == "listener")
        assert hub.delete(f"/api/v1/tokens/{one['id']}", hub.owner_token)[0] == 204
        publish(hub, "/coffee", "secret")
        assert lines.readline() == b""
        is_broken(messages)


def test_a_topic_that_is_closed_ends_the_subscriptions_of_strangers(hub):
    topic(hub, "news", "--subscribers", "everybody")
    with stream(hub, "/news/json", token=None) as lines:
        assert line(lines)["event"] == "open"
        publish(hub, "/news", "one")
        assert line(lines)["message"] == "one"
        topic(hub, "news")
        publish(hub, "/news", "two")
        assert lines.readline() == b""


def test_strangers_of_one_address_read_what_was_sent_by_turns_and_all_of_it(hub):
    topic(hub, "news", "--subscribers", "everybody")
    sent = [publish(hub, "/news", f"{number}")[1] for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(lambda _: poll(hub, "/news", token=None), range(24))) == [sent] * 24


def test_a_slow_subscriber_is_dropped_comes_back_and_gets_all(hub):
    topic(hub, "busy")
    with Wire(hub, seconds=60, buffer=4096) as slow, stream(hub, "/busy/json", seconds=60) as lines:
        slow.send(f"GET /busy/json HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {hub.owner_token}\r\n\r\n")
        assert line(lines)["event"] == "open"
        text, sent = "x" * 4_000, []
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=SECONDS)
        for number in range(1_500):
            connection.request("POST", "/busy", text, {"Authorization": f"Bearer {hub.owner_token}"})
            answer = connection.getresponse()
            sent.append(json.loads(answer.read())["id"])
            assert line(lines)["id"] == sent[-1]
        connection.close()
        # Its end comes before all that was sent: some 6 MB.
        taken = 0
        try:
            while part := slow.socket.recv(1 << 20):
                taken += len(part)
        except ConnectionError:
            pass
        assert taken < 5_000_000
    with Wire(hub, seconds=60, buffer=4096) as again:
        again.send(f"GET /busy/json?since=all HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {hub.owner_token}\r\n\r\n")
        time.sleep(1)  # as slow as before
        got = b""
        while got.count(b'"event":"message"') < len(sent):
            part = again.socket.recv(1 << 20)
            assert part, f"the end came after {got.count(b'message')} messages"
            got += part
    assert [each.decode() for each in re.findall(rb'"id":"(\d{16})"', got)] == sent


def test_a_stop_sends_subscribers_away_and_they_catch_up(hub):
    topic(hub, "coffee")
    last = publish(hub, "/coffee", "before")[1]
    with stream(hub, "/coffee/sse") as events, socket(hub, "/coffee/ws") as messages, Wire(hub) as lines:
        lines.send(f"GET /coffee/json HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {hub.owner_token}\r\n\r\n")
        got = b""
        while b'"open"' not in got:
            got += lines.socket.recv(65_536)
        assert events.readline() == b"event: open\n" and json.loads(messages.recv(SECONDS))["event"] == "open"
        assert hub.stop() == 0
        is_broken(messages)
        while part := lines.socket.recv(65_536):
            got += part
        # Older versions of ntfy's app for Android take a regular end for none, and hear nothing any more.
        assert not got.endswith(b"0\r\n\r\n")
        assert events.read().endswith(b"\n\n")
    hub.start()
    publish(hub, "/coffee", "after")
    assert [each["message"] for each in poll(hub, "/coffee", query=f"poll=1&since={last['id']}")] == ["after"]


def test_an_old_http_client_reads_to_the_end(hub):
    topic(hub, "coffee")
    publish(hub, "/coffee", "m")
    with Wire(hub) as wire:
        wire.send(f"GET /coffee/raw?poll=1 HTTP/1.0\r\nAuthorization: Bearer {hub.owner_token}\r\n\r\n")
        got = b""
        while part := wire.socket.recv(65_536):
            got += part
        assert got.endswith(b"\r\n\r\nm\n")


@pytest.mark.waits
def test_silence_is_broken_after_45_seconds(hub):
    topic(hub, "coffee")
    with stream(hub, "/coffee/json", seconds=60) as lines, stream(hub, "/coffee/sse", seconds=60) as events, \
            stream(hub, "/coffee/raw", seconds=60) as raw:
        assert line(lines)["event"] == "open" and raw.readline() == b"\n"
        assert [events.readline() for _ in range(3)][0] == b"event: open\n"
        began = time.monotonic()
        alive = line(lines)
        assert (alive["event"], alive["topic"]) == ("keepalive", "coffee") and 40 < time.monotonic() - began < 55
        assert events.readline() == b"event: keepalive\n" and raw.readline() == b"\n"


def test_over_http2_each_stream_is_a_subscription(hub):
    topic(hub, "coffee")
    listening = subprocess.Popen(
        ["curl", "--silent", "--no-buffer", "--http2-prior-knowledge", "--max-time", "20", "--parallel",
         "--parallel-immediate", "-H", f"Authorization: Bearer {hub.owner_token}",
         f"{hub.url}/coffee/json", f"{hub.url}/t/coffee/json"], stdout=subprocess.PIPE, text=True)
    try:
        assert [json.loads(listening.stdout.readline())["event"] for _ in range(2)] == ["open"] * 2
        sent = publish(hub, "/coffee", "m")[1]
        assert [json.loads(listening.stdout.readline()) for _ in range(2)] == [sent] * 2
    finally:
        listening.kill()
        listening.communicate()


def test_strangers_have_a_share_of_connections_and_members_do_not_count(make_hub):
    hub = make_hub(options=["--connections-per-address", "4"])
    topic(hub, "news", "--subscribers", "everybody")
    with contextlib.ExitStack() as stack:
        for form in ("json", "sse"):
            for _ in range(5):
                # Each is counted until it is known who listens.
                opened = stack.enter_context(stream(hub, f"/news/{form}"))
                assert b"open" in opened.readline()
        for _ in range(4):
            assert line(stack.enter_context(stream(hub, "/news/json", token=None)))["event"] == "open"
        with pytest.raises((AssertionError, http.client.HTTPException, ConnectionError)):
            stack.enter_context(stream(hub, "/news/json", token=None))


@pytest.mark.serial
def test_an_idle_subscriber_costs_less_than_four_kilobytes(hub):
    topic(hub, "coffee")
    tokens = [hub.token("reader", f"reader {number}") for number in range(5)]

    def memory():
        rollup = open(f"/proc/{hub.process.pid}/smaps_rollup", encoding="ascii").read()
        return int(next(each for each in rollup.splitlines() if each.startswith("Rss:")).split()[1]) * 1024

    def listen(count):
        for number in range(count):
            wire = stack.enter_context(Wire(hub, seconds=60))
            wire.send(f"GET /coffee/json HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {tokens[number % 5]}\r\n\r\n")
            got = b""
            while b'"open"' not in got:
                got += wire.socket.recv(4096)
                assert b" 200 OK" in got, got

    with contextlib.ExitStack() as stack:
        listen(500)
        before = memory()
        listen(2_000)
        assert (memory() - before) / 2_000 < 4_096
