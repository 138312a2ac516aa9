"""The caller is checked before the body is read; then the request is carried out once, however its parts arrive."""

import json
import socket

import pytest

from hub import SETTINGS, SPACE, STATE
from wire import Wire


@pytest.mark.parametrize("route", [
    "POST /api/v1/tokens", "POST /api/v1/links", f"POST {STATE}", "PUT /api/v1/space/sensors/temperature/kitchen",
    "DELETE /api/v1/people/1", "POST /api/v1/space/followed", "PATCH /api/v1/devices/1"])
@pytest.mark.parametrize("fields, status", [("", 401), ("Authorization: Bearer {reader}\r\n", 403)])
def test_who_may_not_send_is_told_so_before_the_body_comes(shared_hub, route, fields, status):
    fields = fields.format(reader=shared_hub.token("reader", route) if fields else "")
    with Wire(shared_hub, seconds=5) as wire:
        wire.send(f"{route} HTTP/1.1\r\nHost: hub\r\n{fields}Content-Length: 60000\r\n\r\n")
        assert wire.answer()[0] == status


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_a_request_is_carried_out_once_however_its_parts_come(hub, pieces):
    times = 20
    body = json.dumps(SPACE).encode()
    head = (f"PUT {SETTINGS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {hub.owner_token}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    parts = {1: [head + body], 2: [head, body], 3: [head, body[:10], body[10:]]}[pieces]
    with socket.create_connection(("127.0.0.1", hub.port), timeout=20) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answers = connection.makefile("rb")
        for _ in range(times):
            for part in parts:
                connection.sendall(part)
            assert b" 200 " in answers.readline()
            length = 0
            while (line := answers.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            answers.read(length)
    entries = hub.get("/api/v1/audit", token=hub.owner_token)[1]["entries"]
    assert [entry["what"] for entry in entries].count("settings.changed") == times
