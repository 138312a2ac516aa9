"""Well-formed requests that are refused, with the right status and a readable error.

Malformed ones are in test_http_conformance.py.
"""

import json

import pytest

from hub import SETTINGS, STATE
from wire import Wire, get


@pytest.fixture(scope="module")
def hub_for_refusals(tmp_path_factory):
    """One hub for all refusals: it must survive them in any order."""
    from hub import Hub

    hub = Hub(tmp_path_factory.mktemp("refusals") / "data").start()
    yield hub
    assert hub.stop() == 0


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
    """The client is still sending when the hub refuses: the answer must arrive all the same."""
    size = 1_000_000
    head = f"POST {STATE} HTTP/1.1\r\nHost: hub\r\n"
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
