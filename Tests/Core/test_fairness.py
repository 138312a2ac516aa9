"""No client, whatever it does for however long, keeps the others waiting."""

import contextlib
import threading
import time
import zlib

import pytest

from frames import TEXT, RawSocket, frame
from toy import KETTLE

# All connections of these hubs share one loop.
ONE_CORE = ("taskset", "-c", "0")
# Seconds for five answers beside a flood: far more than they take, and far less than the flood does.
PATIENCE = 5

pytestmark = [pytest.mark.serial, pytest.mark.timeout(90)]


def compressed(text):
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (deflate.compress(text) + deflate.flush(zlib.Z_SYNC_FLUSH))[:-4]


def message(size):
    """A message without meaning, of so many bytes."""
    beginning = b'{"event":"pusher:pong","data":"'
    return beginning + b"a" * (size - len(beginning) - 2) + b'"}'


# The repeated bytes, and the fields of the handshake before them. 4 KB fit into 50 bytes.
FLOODS = {
    "messages": (frame(TEXT, message(100)), ()),
    "messages that unfold": (
        frame(TEXT, compressed(message(4096)), reserved=4), ("Sec-WebSocket-Extensions: permessage-deflate",)),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_client_that_sends_without_end_is_cut_off_and_keeps_nobody_waiting(make_hub, name):
    hub = make_hub(under=ONE_CORE)
    what, fields = FLOODS[name]
    with RawSocket(hub, *fields) as opened:
        block, sent = what * (50_000 // len(what)), [0]

        def push():
            with contextlib.suppress(OSError):
                while True:
                    opened.wire.socket.sendall(block)
                    sent[0] += 1

        thread = threading.Thread(target=push, daemon=True)
        thread.start()
        begun = time.monotonic()
        for _ in range(5):
            assert hub.request("GET", KETTLE).status == 200
        assert time.monotonic() - begun < PATIENCE
        thread.join(20)
        assert not thread.is_alive(), "the flood went on"
