"""Clients that send requests and never read: their queues are bounded, and others are not affected."""

import pytest

from frames import PING_FRAME, RawSocket, frame
from live import listening
from toy import CHANNEL, KETTLE, PICTURE, SCRIPT
from wire import Wire, get

pytestmark = pytest.mark.serial

# Bytes of requests in one go, and the hub's permitted growth: far less than all answers.
QUESTIONS = 6_000_000
GROWTH = 32_000_000


def memory(hub):
    """The hub's resident bytes."""
    with open(f"/proc/{hub.process.pid}/statm") as file:
        return int(file.read().split()[1]) * 4096


def ask_without_reading(wire, block, count=QUESTIONS):
    """Sends until the other end takes no more, closes, or all requests were sent."""
    wire.socket.settimeout(1)
    sent = 0
    try:
        while sent < count:
            wire.socket.sendall(block)
            sent += len(block)
    except (BrokenPipeError, ConnectionResetError, TimeoutError):
        pass


@pytest.mark.parametrize("path", [KETTLE, PICTURE, SCRIPT, "/nothing"])
def test_answers_that_nobody_reads_are_not_piled_up(hub, path):
    hub.request("GET", path)
    before = memory(hub)
    with Wire(hub) as sleeper:
        ask_without_reading(sleeper, get(path) * 1000)
        assert hub.get(KETTLE)[0] == 200
        assert memory(hub) - before < GROWTH


def test_a_client_that_reads_late_gets_all_answers(hub):
    """The hub stops reading at its bound, and continues when there is room again."""
    count = 3000
    expected = hub.request("GET", PICTURE).body
    with Wire(hub, seconds=50) as wire:
        wire.socket.setblocking(False)
        unsent = get(PICTURE) * count
        try:
            while unsent:
                unsent = unsent[wire.socket.send(unsent):]
        except BlockingIOError:
            pass
        answered = 0
        while answered < count:
            if unsent:
                wire.socket.settimeout(10)
                unsent = unsent[wire.socket.send(unsent[:4096]):]
            status, _, body = wire.answer()
            assert (status, body == expected) == (200, True)
            answered += 1


def test_pongs_that_nobody_reads_are_not_piled_up(hub):
    before = memory(hub)
    with RawSocket(hub) as sleeper, listening(hub, CHANNEL) as listener:
        ask_without_reading(sleeper.wire, frame(PING_FRAME, b"x" * 125) * 500, 8 * QUESTIONS)
        hub.choose("still here")
        assert listener.expect("state")["tea"] == "still here"
        assert memory(hub) - before < GROWTH


def test_news_that_a_listener_never_reads_are_not_piled_up(hub):
    """Requests on the socket have answers too; a bounded queue overflows and the listener is dropped."""
    before = memory(hub)
    with RawSocket(hub) as sleeper, listening(hub, CHANNEL) as listener:
        ask_without_reading(sleeper.wire, frame(1, b'{"event": "pusher:ping", "data": {}}') * 1000)
        hub.put_on()
        listener.expect("state")
        assert memory(hub) - before < GROWTH
