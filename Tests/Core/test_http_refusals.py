"""Well-formed requests that are refused, with the right status and a readable error.

Malformed ones are in test_http_conformance.py.
"""

import json

import pytest

from toy import ASKED, KETTLE, PAGE, TEA
from wire import Wire, get


def test_a_hundred_fields_and_32_kilobytes_are_still_fine(lasting_hub):
    with Wire(lasting_hub) as wire:
        fields = [f"X-{number}: 1" for number in range(98)]
        room = 32 * 1024 - len(get(KETTLE, *fields, "X-Long: "))
        assert wire.send(get(KETTLE, *fields, f"X-Long: {'a' * room}")).answer()[0] == 200


@pytest.mark.parametrize("method, path, accepted", [
    ("DELETE", KETTLE, {"GET", "HEAD", "POST"}),
    ("POST", PAGE, {"GET", "HEAD"}),
    ("POST", TEA, {"PUT"}),
    ("BREW", KETTLE, {"GET", "HEAD", "POST"}),
    ("POST", "/api/v1/people/7/devices", {"GET", "HEAD"}),
])
def test_another_method_is_refused_with_those_accepted(lasting_hub, method, path, accepted):
    with Wire(lasting_hub) as wire:
        body = b"a body that comes along"
        wire.send(f"{method} {path} HTTP/1.1\r\nHost: hub\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        status, fields, error = wire.error()
        assert status == 405 and method in error["error"]
        assert set(fields["allow"].split(", ")) == accepted
        assert wire.send(get(KETTLE)).answer()[0] == 200, "the connection is still good"


@pytest.mark.parametrize("path", [
    "/nothing", f"{KETTLE}/nothing", "//", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/me/../sw.js",
    "/index.html/", "/api/v1/people//devices", "/%00", "/%ff", "/%", "/api/v1/people/7/%2Fdevices"])
def test_an_unknown_path_is_404(lasting_hub, path):
    with Wire(lasting_hub) as wire:
        assert wire.send(get(path)).error()[0] == 404
        assert wire.send(get(KETTLE)).answer()[0] == 200


@pytest.mark.parametrize("kind", ["promised", "sent", "chunked"])
def test_a_body_that_is_too_large_is_refused_with_a_whole_answer(lasting_hub, kind):
    """The client is still sending when the hub refuses: the answer must arrive all the same."""
    size = 1_000_000
    head = f"POST {ASKED} HTTP/1.1\r\nHost: hub\r\n"
    if kind == "chunked":
        sent = (head + "Transfer-Encoding: chunked\r\n\r\n").encode() + (b"8000\r\n" + b"x" * 0x8000 + b"\r\n") * 30
    else:
        sent = (head + f"Content-Length: {size}\r\n\r\n").encode() + (b"x" * size if kind == "sent" else b"")
    with Wire(lasting_hub) as wire:
        status, fields, error = wire.send(sent).error()
        assert (status, fields["connection"]) == (413, "close")
        assert "65536" in error["help"]
        assert wire.has_ended()


def test_an_error_on_a_broken_body_names_the_place(lasting_hub):
    headers = {"Authorization": f"Bearer {lasting_hub.owner_token}"}
    answer = lasting_hub.request("PUT", TEA, headers, b'{\n  "tea": tru\n}')
    assert answer.status == 400
    assert "line 2" in json.loads(answer.body)["error"]
