"""What strangers, and members, can make the hub keep in its memory: each of these once filled it. Each case measures the
hub's own memory, or what its queues hold."""

import contextlib
import time

import pytest

FAVOURITES = "/api/v1/space/favourites"
JSON = {"Content-Type": "application/json"}


def memory(hub, peak=False):
    """The hub's resident megabytes, now or at most so far."""
    name = "VmHWM:" if peak else "VmRSS:"
    with open(f"/proc/{hub.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024


@contextlib.contextmanager
def growth(hub, megabytes, peak=False):
    """What follows may make the hub grow by so much and no more."""
    before = memory(hub)
    yield
    grown = memory(hub, peak) - before
    assert grown < megabytes, f"grew by {grown:.0f} MB"


@pytest.mark.parametrize("value", [b"{},", b"[],", b'{"a":{}},', b"1,"])
def test_json_of_many_small_values_is_not_made(hub, value):
    """8 MB of them took 724 MB."""
    member = hub.sign_in("member")
    body = b"[" + value * ((8 << 20) // len(value) - 2) + b"0]"
    with growth(hub, 60, peak=True):
        answer = hub.request("POST", FAVOURITES, JSON | member, body)
    assert answer.status == 400 and answer.json["code"] == 40002, answer.body
    assert "100000" in answer.json["error"]
