"""The hub's HTTP/1.1 over bare sockets: many requests on one connection, their bodies, and the answers."""

import gzip
import json
import re
import signal

import pytest

from hub import eventually
from toy import KETTLE, PAGE, PICTURE, SCRIPT, STYLE, TEA
from wire import Wire, get


@pytest.fixture(scope="module")
def hub(lasting_hub):
    return lasting_hub


def signed(hub):
    return f"Authorization: Bearer {hub.owner_token}"


def put(hub, body, *fields):
    """The head of a PUT of the tea, with a token, and its body."""
    return "\r\n".join([f"PUT {TEA} HTTP/1.1", "Host: hub", signed(hub), *fields, "", ""]).encode() + body


def sized(hub, body, *fields):
    return put(hub, body, f"Content-Length: {len(body)}", *fields)


def chunked(hub, *pieces, extension="", trailer=""):
    body = b"".join(b"%X%s\r\n%s\r\n" % (len(piece), extension.encode(), piece) for piece in pieces)
    return put(hub, body + b"0\r\n" + trailer.encode() + b"\r\n", "Transfer-Encoding: chunked")


def test_a_connection_serves_one_request_after_another(hub):
    with Wire(hub) as wire:
        for path in (PAGE, KETTLE, "/nothing", KETTLE):
            status, fields, _ = wire.send(get(path)).answer()
            assert status == (404 if path == "/nothing" else 200)
            assert "connection" not in fields


def test_every_answer_has_a_date_and_forbids_guessing_its_type(hub):
    with Wire(hub) as wire:
        _, fields, _ = wire.send(get(KETTLE)).answer()
    assert re.fullmatch(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT", fields["date"])
    assert fields["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("version, connection, stays", [
    ("1.1", None, True), ("1.1", "close", False), ("1.1", "Close, te", False), ("1.0", None, False),
    ("1.0", "keep-alive", False),
])
def test_a_connection_stays_open_as_both_ends_agreed(hub, version, connection, stays):
    fields = [] if connection is None else [f"Connection: {connection}"]
    head = "\r\n".join([f"GET {KETTLE} HTTP/{version}", "Host: hub", *fields, "", ""])
    with Wire(hub) as wire:
        status, answered, _ = wire.send(head).answer()
        assert status == 200
        if stays:
            assert wire.send(get(KETTLE)).answer()[0] == 200
        else:
            assert answered["connection"] == "close"
            assert wire.has_ended()


def mixed(hub):
    """Requests of every kind with their expected answers in order: waiting ones must not be overtaken."""
    tea = lambda name: json.dumps({"tea": name}).encode()
    return [
        (get(KETTLE), 200, None),
        (sized(hub, tea("first")), 200, b"first"),
        (get("/nothing"), 404, b"/nothing"),
        (chunked(hub, tea("second")[:7], tea("second")[7:], extension=";a=b", trailer="X-T: 1\r\n"), 200, b"second"),
        (sized(hub, b"no json"), 400, b"JSON"),
        (get("/api/v1/audit", signed(hub)), 200, b"entries"),
        (sized(hub, tea("third")), 200, b"third"),
        (get(KETTLE), 200, b"third"),
    ]


@pytest.mark.parametrize("cut", ["whole", "halves", "bytes"])
def test_requests_in_a_row_are_answered_in_order_however_the_bytes_are_cut(hub, cut):
    exchanges = mixed(hub)
    sent = b"".join(request for request, _, _ in exchanges)
    size = {"whole": len(sent), "halves": len(sent) // 2 + 1, "bytes": 1}[cut]
    with Wire(hub, seconds=30) as wire:
        wire.send(*(sent[start:start + size] for start in range(0, len(sent), size)))
        for request, status, part in exchanges:
            answered, _, body = wire.answer()
            assert answered == status, (request, body)
            assert part is None or part in body


def test_a_hundred_requests_in_one_segment_are_all_answered(hub):
    with Wire(hub) as wire:
        wire.send(get(STYLE) * 100)
        bodies = {wire.answer()[2] for _ in range(100)}
    assert len(bodies) == 1


def test_a_request_without_an_end_is_not_answered_early(hub):
    body = b'{"tea": "Darjeeling"}'
    whole = sized(hub, body)
    with Wire(hub) as wire:
        wire.send(whole[:-1])
        assert hub.kettle().get("tea") != "Darjeeling"
        assert wire.send(whole[-1:]).answer()[0] == 200
    assert hub.kettle()["tea"] == "Darjeeling"


@pytest.mark.parametrize("count", [0, 1, 2])
def test_empty_lines_before_a_request_are_tolerated_up_to_one(hub, count):
    with Wire(hub) as wire:
        wire.send(b"\r\n" * count + get(KETTLE))
        assert wire.answer()[0] == (200 if count < 2 else 400)


def test_a_client_that_asks_first_is_told_to_go_on(hub):
    body = b'{"tea": "Assam"}'
    with Wire(hub) as wire:
        wire.send(put(hub, b"", f"Content-Length: {len(body)}", "Expect: 100-continue"))
        assert wire.answer()[0] == 100
        assert wire.send(body).answer()[0] == 200


@pytest.mark.parametrize("path", [PAGE, KETTLE, SCRIPT, "/nothing"])
def test_head_answers_like_get_without_the_body(hub, path):
    with Wire(hub) as wire:
        status, fields, body = wire.send(get(path)).answer()
        wire.send(get(path).replace(b"GET", b"HEAD", 1))
        head_status, head_fields, _ = wire.answer(head_only=True)
        assert wire.send(get(KETTLE)).answer()[0] == 200, "nothing may follow the head"
    assert head_status == status
    for told in (fields, head_fields):
        told.pop("date")
    if path != KETTLE:
        assert head_fields == fields
    assert int(head_fields["content-length"]) == len(body)


# Not pages: where rooms are off, these are changed when the hub starts, and are never compressed.
FILES = [
    SCRIPT, STYLE, PICTURE, "/me/me.js", "/icon.svg", "/rules.wasm", "/notifications.wasm", "/speakingclock.wasm",
    "/anchorwatch.wasm",
    "/api/openapi.yaml",
]


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_the_same_with_and_without_gzip(hub, path):
    plain = hub.request("GET", path, {"Accept-Encoding": "identity"})
    packed = hub.request("GET", path, {"Accept-Encoding": "br, gzip;q=0.8"})
    assert (plain.status, packed.status) == (200, 200)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["Content-Type"] == packed.headers["Content-Type"]
    assert plain.headers["ETag"] != packed.headers["ETag"]
    assert gzip.decompress(packed.body) == plain.body and plain.body


def test_a_client_that_forbids_gzip_gets_none(hub):
    assert "Content-Encoding" not in hub.request("GET", SCRIPT, {"Accept-Encoding": "gzip;q=0, deflate"}).headers


@pytest.mark.parametrize("path", [PAGE, SCRIPT, "/api/v1/rooms"])
@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_what_the_client_has_is_not_sent_again(hub, path, coding):
    first = hub.request("GET", path, {"Accept-Encoding": coding})
    tag = first.headers["ETag"]
    assert re.fullmatch(r'"[^"]+"', tag)
    for wanted in (tag, f'"other", W/{tag}', "*"):
        again = hub.request("GET", path, {"Accept-Encoding": coding, "If-None-Match": wanted})
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    stale = hub.request("GET", path, {"Accept-Encoding": coding, "If-None-Match": '"other"'})
    assert (stale.status, stale.body) == (200, first.body)


def test_a_page_may_run_only_what_the_hub_serves(hub):
    policy = hub.request("GET", PAGE).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe-inline" not in policy and "'unsafe-eval'" not in policy


def test_an_answer_larger_than_a_socket_takes_arrives_whole(hub):
    """Many large answers are asked for before the first is read."""
    with Wire(hub, seconds=30) as wire:
        wire.send(get(PICTURE) * 200)
        first = wire.answer()[2]
        assert len(first) > 1000
        assert all(wire.answer()[2] == first for _ in range(199))


def test_two_hundred_connections_are_served_at_once(hub):
    wires = [Wire(hub, seconds=30) for _ in range(200)]
    try:
        for wire in wires:
            wire.send(get(KETTLE)[:-3])
        for wire in wires:
            wire.send(get(KETTLE)[-3:])
        assert {wire.answer()[0] for wire in wires} == {200}
    finally:
        for wire in wires:
            wire.socket.close()


@pytest.mark.serial
def test_a_hub_that_is_told_to_stop_finishes_what_it_has_begun(hub):
    """A request whose body is still under way is answered, and its change is kept."""
    body = b'{"tea": "last words"}'
    request = sized(hub, body)
    with Wire(hub) as idle, Wire(hub) as busy:
        idle.send(get(KETTLE)).answer()
        busy.send(request[:-5])
        hub.kettle()
        process = hub.process
        process.send_signal(signal.SIGTERM)
        assert idle.has_ended(), "an idle connection is closed at once"
        status, fields, _ = busy.send(request[-5:]).answer()
        assert (status, fields["connection"]) == (200, "close")
        assert busy.has_ended()
    assert eventually(lambda: process.poll() is not None) and process.returncode == 0
    hub.process.stdout.close()
    hub.start()
    assert hub.kettle()["tea"] == "last words"


def test_peers_that_vanish_at_any_byte_harm_nobody(hub):
    request = sized(hub, b'{"tea": "Ceylon"}')
    for end in range(1, len(request), 7):
        with Wire(hub) as wire:
            wire.send(request[:end])
    assert hub.kettle().get("tea") != "Ceylon"
    with Wire(hub) as wire:
        assert wire.send(request).answer()[0] == 200
