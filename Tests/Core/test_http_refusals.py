"""Requests the hub refuses: with the right status, an error people can read, and no doubt about what follows."""

import json

import pytest

from hub import SETTINGS, STATE
from wire import Wire, get

HEAD = f"POST {STATE} HTTP/1.1\r\nHost: hub\r\n"

# Each would let two servers disagree about where a request ends, or what it is (RFC 9112 section 11.2).
MALFORMED = {
    "a length beside chunks": (HEAD + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    "chunks beside a length": (HEAD + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400),
    "two lengths": (HEAD + "Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd", 400),
    "a list of lengths": (HEAD + "Content-Length: 4, 4\r\n\r\nabcd", 400),
    "a negative length": (HEAD + "Content-Length: -1\r\n\r\n", 400),
    "a signed length": (HEAD + "Content-Length: +4\r\n\r\nabcd", 400),
    "a hexadecimal length": (HEAD + "Content-Length: 0x4\r\n\r\nabcd", 400),
    "an empty length": (HEAD + "Content-Length: \r\n\r\n", 400),
    "a length past all numbers": (HEAD + "Content-Length: " + "9" * 30 + "\r\n\r\n", 400),
    "a folded field": (HEAD + "X-A: one\r\n two\r\n\r\n", 400),
    "a first line that is folded": (f"GET {STATE} HTTP/1.1\r\n Host: hub\r\n\r\n", 400),
    "two hosts": (HEAD + "Host: other\r\n\r\n", 400),
    "no host": (f"GET {STATE} HTTP/1.1\r\n\r\n", 400),
    "bare line feeds": (f"GET {STATE} HTTP/1.1\nHost: hub\n\n", 400),
    "one bare line feed": (f"GET {STATE} HTTP/1.1\r\nHost: hub\nX-A: b\r\n\r\n", 400),
    "a bare carriage return": (HEAD + "X-A: one\rX-B: two\r\n\r\n", 400),
    "a NUL in a value": (HEAD + "X-A: a\0b\r\n\r\n", 400),
    "a NUL in the target": ("GET /\0 HTTP/1.1\r\nHost: hub\r\n\r\n", 400),
    "a space before the colon": (HEAD + "X-A : b\r\n\r\n", 400),
    "a field without a colon": (HEAD + "X-A\r\n\r\n", 400),
    "a field without a name": (HEAD + ": b\r\n\r\n", 400),
    "two spaces in the request line": (f"GET  {STATE} HTTP/1.1\r\nHost: hub\r\n\r\n", 400),
    "no target": ("GET HTTP/1.1\r\nHost: hub\r\n\r\n", 400),
    "an absolute target": ("GET http://other/ HTTP/1.1\r\nHost: hub\r\n\r\n", 400),
    "a target of other bytes": ("GET /\u00e4 HTTP/1.1\r\nHost: hub\r\n\r\n", 400),
    "no version": ("GET /\r\nHost: hub\r\n\r\n", 400),
    "TLS on a plain port": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "version 2.0": ("GET / HTTP/2.0\r\nHost: hub\r\n\r\n", 505),
    "version 1.2": ("GET / HTTP/1.2\r\nHost: hub\r\n\r\n", 505),
    "another transfer coding": (HEAD + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
    "chunked twice": (HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
    "chunks in HTTP/1.0": (HEAD.replace("1.1", "1.0") + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
    "a chunk without a size": (HEAD + "Transfer-Encoding: chunked\r\n\r\n\r\n0\r\n\r\n", 400),
    "a chunk with a signed size": (HEAD + "Transfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n", 400),
    "a chunk longer than its size": (HEAD + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", 400),
    "a chunk past all numbers": (HEAD + "Transfer-Encoding: chunked\r\n\r\n" + "F" * 16 + "\r\n", 400),
    "a chunk that ends in a line feed": (HEAD + "Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n", 400),
    "a chunk extension without an end": (
        HEAD + "Transfer-Encoding: chunked\r\n\r\n1;" + "x" * 1000 + "\r\na\r\n0\r\n\r\n", 400),
    "a trailer without an end": (
        HEAD + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "X-T: 1\r\n" * 2000 + "\r\n", 431),
    "a head larger than 32 KB": (f"GET / HTTP/1.1\r\nHost: hub\r\nX-A: {'a' * 33_000}\r\n\r\n", 431),
    "a head that does not end": (f"GET /{'a' * 40_000}", 431),
    "more than a hundred fields": (get("/", *(f"X-{number}: 1" for number in range(100))), 431),
}


@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("cut", ["whole", "bytes"])
def test_a_malformed_request_is_refused_and_ends_the_connection(hub_for_refusals, name, cut):
    sent, status = MALFORMED[name]
    sent = sent if isinstance(sent, bytes) else sent.encode()
    # What follows must never be taken for a request.
    smuggled = sent + get("/smuggled")
    with Wire(hub_for_refusals) as wire:
        if cut == "whole":
            wire.send(smuggled)
        else:
            send_slowly(wire, sent)
        answered, fields, error = wire.error()
        assert answered == status, error
        assert fields["connection"] == "close"
        assert wire.has_ended()


def send_slowly(wire, sent):
    """Byte by byte where that can matter. The hub throws away what comes behind its answer, but takes it."""
    slow = min(len(sent), 200)
    wire.send(*(sent[at:at + 1] for at in range(slow)), sent[slow:])


@pytest.fixture(scope="module")
def hub_for_refusals(tmp_path_factory):
    """One hub for all refusals: it must survive them in any order."""
    from hub import Hub

    hub = Hub(tmp_path_factory.mktemp("refusals") / "data").start()
    yield hub
    assert hub.stop() == 0
    assert "smuggled" not in hub.log


def test_a_hundred_fields_and_32_kilobytes_are_still_fine(hub_for_refusals):
    with Wire(hub_for_refusals) as wire:
        fields = [f"X-{number}: 1" for number in range(98)]
        room = 32 * 1024 - len(get(STATE, *fields, "X-Long: "))
        assert wire.send(get(STATE, *fields, f"X-Long: {'a' * room}")).answer()[0] == 200


@pytest.mark.parametrize("method, path, accepted", [
    ("DELETE", STATE, {"GET", "HEAD", "POST"}),
    ("POST", "/", {"GET", "HEAD"}),
    ("POST", SETTINGS, {"GET", "HEAD", "PUT"}),
    ("BREW", "/spaceapi.json", {"GET", "HEAD"}),
    ("POST", "/api/v1/space/events/x.ics", {"GET", "HEAD"}),
])
def test_another_method_is_refused_with_those_accepted(hub_for_refusals, method, path, accepted):
    with Wire(hub_for_refusals) as wire:
        body = b"a body that comes along"
        wire.send(f"{method} {path} HTTP/1.1\r\nHost: hub\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        status, fields, error = wire.error()
        assert status == 405 and method in error["error"]
        assert set(fields["allow"].split(", ")) == accepted
        assert wire.send(get(STATE)).answer()[0] == 200, "the connection is still good"


@pytest.mark.parametrize("path", [
    "/nothing", "/api/v1/space/nothing", "//", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/space/../sw.js",
    "/index.html/", "/api/v1/space/events/.ics", "/%00", "/%ff", "/%", "/api/v1/space/events/a%2Fb.ics"])
def test_an_unknown_path_is_404(hub_for_refusals, path):
    with Wire(hub_for_refusals) as wire:
        assert wire.send(get(path)).error()[0] == 404
        assert wire.send(get(STATE)).answer()[0] == 200


@pytest.mark.parametrize("kind", ["promised", "sent", "chunked"])
def test_a_body_that_is_too_large_is_refused_with_a_whole_answer(hub_for_refusals, kind):
    """The client is still sending when the hub has had enough: the answer must arrive all the same."""
    size = 1_000_000
    head = f"PUT {SETTINGS} HTTP/1.1\r\nHost: hub\r\n"
    if kind == "chunked":
        sent = (head + "Transfer-Encoding: chunked\r\n\r\n").encode() + (b"8000\r\n" + b"x" * 0x8000 + b"\r\n") * 30
    else:
        sent = (head + f"Content-Length: {size}\r\n\r\n").encode() + (b"x" * size if kind == "sent" else b"")
    with Wire(hub_for_refusals) as wire:
        status, fields, error = wire.send(sent).error()
        assert (status, fields["connection"]) == (413, "close")
        assert "65536" in error["help"]
        assert wire.has_ended()


def test_an_error_on_a_broken_body_names_the_place(hub_for_refusals):
    hub = hub_for_refusals
    headers = {"Authorization": f"Bearer {hub.keykeeper_token}"}
    answer = hub.request("POST", STATE, headers, b'{\n  "open": tru\n}')
    assert answer.status == 400
    assert "line 2" in json.loads(answer.body)["error"]
