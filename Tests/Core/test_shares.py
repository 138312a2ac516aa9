"""The memory that strangers and members can make the hub use: each of these cases once filled it. Each measures the
hub's memory, or the lengths of its queues."""

import contextlib

import pytest

import re
import zlib

import frames
from frames import RawSocket
from http2 import (
    AUTHORITY, DATA, END_HEADERS, METHOD, SCHEME, WINDOW_SIZE, HTTP2Wire, frame, headers, settings, window_update)
from hub import eventually
from live import opened
from measure import cpu_seconds
from toy import EVENT_STREAM, KETTLE, TEA
from wire import Wire, get

JSON = {"Content-Type": "application/json"}


def memory(hub, peak=False):
    """The hub's resident megabytes, now or at most so far."""
    name = "VmHWM:" if peak else "VmRSS:"
    with open(f"/proc/{hub.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024


@contextlib.contextmanager
def growth(hub, megabytes, peak=False):
    """Limits the hub's growth within the block."""
    before = memory(hub)
    yield
    grown = memory(hub, peak) - before
    assert grown < megabytes, f"grew by {grown:.0f} MB"


@pytest.mark.parametrize("value", [b"{},", b"[],", b'{"a":{}},', b"1,"])
def test_json_of_many_small_values_is_not_made(hub, value):
    """8 MB of them once took 724 MB."""
    member = hub.sign_in("member")
    body = b"[" + value * ((8 << 20) // len(value) - 2) + b"0]"
    with growth(hub, 60, peak=True):
        answer = hub.request("PUT", TEA, JSON | member, body)
    assert answer.status == 400 and answer.json["code"] == 40002, answer.body
    assert "100000" in answer.json["error"]


def test_a_large_body_is_not_kept_for_strangers(hub):
    """60 connections that each sent 8 MB without the last byte once held 480 MB."""
    length = 8 << 20
    with contextlib.ExitStack() as opened, growth(hub, 30, peak=True):
        for _ in range(60):
            wire = opened.enter_context(Wire(hub))
            wire.send(f"PUT {TEA} HTTP/1.1\r\nHost: hub\r\nContent-Length: {length}\r\n\r\n")
            assert wire.answer()[0] == 401
            with contextlib.suppress(OSError):
                wire.socket.sendall(bytes(length - 1))


def test_a_large_body_is_not_kept_for_strangers_over_http2_either(hub):
    """No more comes than the windows allow, and that is released with the answer."""
    head = [(":method", "PUT"), SCHEME, (":path", TEA), AUTHORITY]
    with contextlib.ExitStack() as opened, growth(hub, 30, peak=True):
        for _ in range(60):
            wire = opened.enter_context(HTTP2Wire(hub.port))
            wire.send(headers(1, *head, flags=END_HEADERS), *[frame(DATA, 0, 1, bytes(16_384))] * 3)
            assert wire.answer(1)[0] == 401
            wire.ping()


def test_whoever_is_signed_in_may_send_much(hub):
    member = hub.sign_in("member")
    body = b'{"tea": "Assam"' + b" " * (6 << 20) + b"}"
    assert hub.request("PUT", TEA, JSON | member, body).status == 200
    # Over HTTP/2 the body may come while the hub looks up its sender.
    head = [(":method", "PUT"), (":scheme", "http"), (":path", TEA), (":authority", f"127.0.0.1:{hub.port}"),
            ("content-type", "application/json"), *((name.lower(), value) for name, value in member.items())]
    with HTTP2Wire(hub.port) as wire:
        wire.send(headers(1, *head, flags=END_HEADERS), *[frame(DATA, 0, 1, b" " * 16_000)] * 10,
                  frame(DATA, 1, 1, b'{"tea": "Assam"}'))
        assert wire.answer(1)[0] == 200


def test_unfinished_bodies_of_one_member_share_a_budget(hub):
    """40 connections that each sent 8 MB without the last byte once held 350 MB, and none of it was counted."""
    length, member = 8 << 20, hub.sign_in("member")
    fields = "".join(f"{name}: {value}\r\n" for name, value in member.items())
    with contextlib.ExitStack() as opened, growth(hub, 60, peak=True):
        for _ in range(40):
            wire = opened.enter_context(Wire(hub))
            wire.send(f"PUT {TEA} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n{fields}Content-Length: {length}\r\n\r\n")
            with contextlib.suppress(OSError):
                wire.socket.sendall(bytes(length - 1))
        eventually(lambda: 8 << 20 < metric(hub, "eightbells_body_bytes") <= 24 << 20)
        hub.choose("Assam")
    eventually(lambda: metric(hub, "eightbells_body_bytes") == 0)


# Unread answers

# 140 KB for a client that does not accept gzip.
LARGE = "/api/openapi.yaml"
UNREAD_OF_ADDRESS, UNREAD_OF_ALL = 16, 64


def metric(hub, name):
    text = hub.request("GET", "/metrics", {"Authorization": f"Bearer {hub.owner_token}"}).body.decode()
    return float(re.search(rf"^{name} (\S+)$", text, re.M)[1])


def hold_streams(hub, opened, connections, streams, source="127.0.0.1"):
    """Requests the large answer on so many streams of so many connections, none of which may be answered."""
    asked = [headers(1 + 2 * at, METHOD, SCHEME, (":path", LARGE), AUTHORITY) for at in range(streams)]
    for _ in range(connections):
        wire = opened.enter_context(HTTP2Wire(hub.port, own=[(WINDOW_SIZE, 0)], source=source))
        wire.send(*asked)


def test_answers_on_streams_without_a_window_share_a_budget(hub):
    """60 connections of 120 streams each once held 978 MB."""
    hub.request("GET", LARGE)
    with contextlib.ExitStack() as opened, growth(hub, 60, peak=True):
        hold_streams(hub, opened, 60, 120)
        eventually(lambda: metric(hub, "eightbells_unread_bytes") > 1 << 20)
        assert metric(hub, "eightbells_unread_bytes") < (UNREAD_OF_ADDRESS + 1) << 20
        assert hub.get(KETTLE)[0] == 200


def test_all_addresses_together_share_a_budget_too(hub):
    hub.request("GET", LARGE)
    with contextlib.ExitStack() as opened, growth(hub, 130, peak=True):
        # An honest client in the middle of it, from an address with few connections.
        honest = opened.enter_context(Wire(hub, seconds=60, source="127.0.1.1"))
        for number in range(8):
            hold_streams(hub, opened, 60, 8, source=f"127.0.0.{number + 10}")
        assert metric(hub, "eightbells_unread_bytes") < (UNREAD_OF_ALL + 1) << 20
        assert metric(hub, "eightbells_shed_connections_total") > 0
        assert honest.send(get(KETTLE)).answer()[0] == 200


def test_answers_to_pipelined_requests_share_a_budget(hub):
    """With a programme of 8 MB, 200 connections once held 1.7 GB. They may hold the 16 MB of their address, and each
    loop works on one connection more, with less than half a megabyte, before it closes another; 17 MB are measured."""
    hub.request("GET", LARGE)
    with contextlib.ExitStack() as opened, growth(hub, 40, peak=True):
        for _ in range(200):
            wire = opened.enter_context(Wire(hub, buffer=4096))
            wire.socket.setblocking(False)
            with contextlib.suppress(OSError):
                wire.socket.send(get(LARGE) * 400)
        eventually(lambda: metric(hub, "eightbells_unread_bytes") > 1 << 20)
        assert metric(hub, "eightbells_unread_bytes") < (UNREAD_OF_ADDRESS + 1) << 20
        assert hub.get(KETTLE)[0] == 200


def test_requests_that_had_to_wait_are_answered_when_there_is_room(hub):
    expected = hub.request("GET", LARGE).body
    with HTTP2Wire(hub.port, own=[(WINDOW_SIZE, 0)], seconds=60) as wire:
        streams = range(1, 81, 2)
        wire.send(*(headers(stream, METHOD, SCHEME, (":path", LARGE), AUTHORITY) for stream in streams))
        wire.ping()
        assert 0 < metric(hub, "eightbells_unread_bytes") < 1 << 20
        wire.send(window_update(100 << 20), settings((WINDOW_SIZE, 1 << 20)))
        bodies = dict.fromkeys(streams, b"")
        ended = set()
        while len(ended) < len(bodies):
            piece = wire.next()
            if piece.kind == DATA:
                bodies[piece.stream] += piece.payload
                ended |= {piece.stream} if piece.flags & 1 else set()
        assert set(bodies.values()) == {expected}
    eventually(lambda: metric(hub, "eightbells_unread_bytes") == 0)


def test_of_what_is_unpacked_on_its_way_there_are_no_parts(hub):
    """Each part, of a byte even, had all before it unpacked: few bytes of a stranger took much of the hub's time."""
    whole = hub.request("GET", LARGE).body
    answer = hub.request("GET", LARGE, {"Range": "bytes=100000-130000"})
    assert (answer.status, answer.body) == (200, whole)


# Messages

def test_messages_that_unfold_cost_little(hub):
    """A frame of 120 bytes once became 64 KB of JSON, 6,000 times a second: all of a core's time."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = b'{"event":"pusher:pong","data":"' + b"a" * 65_000 + b'"}'
    packed = (deflate.compress(text) + deflate.flush(zlib.Z_SYNC_FLUSH))[:-4]
    before = cpu_seconds(hub.process.pid)
    with RawSocket(hub, "Sec-WebSocket-Extensions: permessage-deflate") as flood:
        with contextlib.suppress(OSError):
            for _ in range(300):
                flood.wire.socket.sendall(frames.frame(frames.TEXT, packed, reserved=4) * 100)
    assert cpu_seconds(hub.process.pid) - before < 0.5


# Connections

def connections(hub):
    return metric(hub, "eightbells_open_connections")


def is_open(wire):
    """True if the connection was accepted: it answers."""
    try:
        return wire.send(get(KETTLE)).answer()[0] == 200
    except (EOFError, OSError):
        return False


def test_an_address_has_its_share_of_connections(hub):
    """2,000 connections of one address were once accepted."""
    with contextlib.ExitStack() as opened:
        mine = [opened.enter_context(Wire(hub, seconds=60, source="127.0.0.9")) for _ in range(400)]
        assert sum(is_open(wire) for wire in mine) == 256
        assert is_open(opened.enter_context(Wire(hub, source="127.0.0.10")))
        assert metric(hub, "eightbells_refused_connections_total") == 144
    # A closed connection frees its place.
    eventually(lambda: connections(hub) < 5)
    with Wire(hub, source="127.0.0.9") as wire:
        assert is_open(wire)


def test_event_streams_over_http2_count_as_connections(make_hub):
    """One address could once have some 32,000 of them, and stop the hub by hanging up."""
    hub = make_hub(options=["--connections-per-address", "6"])
    with HTTP2Wire(hub.port, source="127.0.0.9") as wire:
        listen = [headers(stream, METHOD, SCHEME, (":path", EVENT_STREAM), AUTHORITY) for stream in range(1, 15, 2)]
        wire.send(*listen)
        status, _, body = wire.answer(13)
        assert status == 429 and b"42901" in body, body
        assert metric(hub, "eightbells_event_streams") == 5


def test_there_may_be_any_number_where_the_owner_says_so(make_hub):
    hub = make_hub(options=["--connections-per-address", "0"])
    with contextlib.ExitStack() as opened:
        assert all(is_open(opened.enter_context(Wire(hub))) for _ in range(400))


def test_sockets_that_are_signed_in_do_not_count(make_hub):
    hub = make_hub(options=["--connections-per-address", "6"])
    member = hub.sign_in("member")
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            listener = stack.enter_context(opened(hub))
            listener.id = listener.expect("pusher:connection_established")["socket_id"]
            sign = f"socket_id={listener.id}&channel_name=private-members"
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            auth = hub.request("POST", "/api/v1/realtime/auth", form | member, sign).json["auth"]
            listener.send("pusher:subscribe", {"channel": "private-members", "auth": auth})
            assert listener.next()["event"] == "pusher_internal:subscription_succeeded"
        wires = [stack.enter_context(Wire(hub)) for _ in range(8)]
        assert sum(is_open(wire) for wire in wires) <= 6
        assert is_open(wires[0])


def test_behind_a_proxy_its_clients_have_the_shares(make_hub):
    hub = make_hub(options=["--connections-per-address", "2", "--trusted-proxies", "127.0.0.1/32"])

    def ask(wire, client):
        status, fields, body = wire.send(get(KETTLE, f"X-Forwarded-For: {client}")).answer()
        return status if status == 200 else (status, body[8:13].decode(), fields["connection"])

    with contextlib.ExitStack() as opened:
        wires = [opened.enter_context(Wire(hub)) for _ in range(6)]
        assert [ask(wires[at], "2001:db8::%d" % at) for at in range(2)] == [200, 200]
        # The same /64.
        assert ask(wires[2], "2001:db8::ffff:1") == (429, "42901", "close")
        assert ask(wires[3], "2001:db8:0:1::1") == 200
        # A connection counts for its latest client.
        assert ask(wires[0], "198.51.100.7") == 200
        assert ask(wires[4], "2001:db8::5") == 200
        assert ask(wires[5], "2001:db8::6")[0] == 429


@pytest.mark.parametrize("value", ["-1", "many", "1.5", "20001"])
def test_what_is_no_number_of_connections_is_refused(make_hub, value):
    hub = make_hub(start=False, options=["--connections-per-address", value])
    with pytest.raises(AssertionError):
        hub.start()
    assert "connections_per_address" in hub.log
