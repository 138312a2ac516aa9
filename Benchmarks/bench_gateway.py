"""What 10,000 devices cost that are connected to the gateway while nothing happens: the hub's own memory."""

import asyncio
import pathlib
import tempfile

from figure import Figure
from gateway_devices import add_devices, connected
from hub import Hub
from measure import proportional

FIRST, DEVICES = 2_000, 10_000
# Bytes of the hub's own memory for each open, silent socket, without the kernel's.
BAR = 1024
# Seconds for what follows a welcome: that the device was seen is written.
SETTLED = 2


def figures():
    with tempfile.TemporaryDirectory() as name:
        hub = Hub(pathlib.Path(name) / "hub").start()
        try:
            before, some, most = asyncio.run(memories(hub, add_devices(hub, DEVICES)))
        finally:
            hub.stop()
    rest = (most - some) / (DEVICES - FIRST)
    yield Figure(
        f"{DEVICES:,} silent devices at the gateway, own memory each", (most - before) / DEVICES, "bytes", BAR,
        f"Pss {before / 1e6:.1f} MB before, {some / 1e6:.1f} MB with {FIRST:,}, {most / 1e6:.1f} MB with all: "
        f"{rest:.0f} bytes each from {FIRST:,} on")


async def memories(hub, made):
    """Bytes before any is connected, with the first ones, and with all."""
    found = [proportional(hub.process.pid)]
    sockets = []
    for least, most in ((0, FIRST), (FIRST, DEVICES)):
        sockets += await connected(hub.port, made[least:most], None, first=least + 1)
        await asyncio.sleep(SETTLED)
        found.append(proportional(hub.process.pid))
    assert not any(socket.lost.done() for socket in sockets), "devices were disconnected"
    for socket in sockets:
        socket.transport.close()
    return found
