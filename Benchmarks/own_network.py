"""A loopback network for the benchmark alone, with Debian's congestion control.

On a machine that uses BBR, its pacing decides on loopback, not the server: the timer for packets that could leave at
once took a third of a server's core here, and how often is chance.
"""

import contextlib
import ctypes
import os
import pathlib
import subprocess

CONTROL = pathlib.Path("/proc/sys/net/ipv4/tcp_congestion_control")
ALLOWED = pathlib.Path("/proc/sys/net/ipv4/tcp_allowed_congestion_control")
DEFAULT = "cubic"
# sched.h
CLONE_NEWNET = 0x40000000


@contextlib.contextmanager
def own_network():
    """Runs its body in that network. Yields the congestion control in use: only root can use another than the
    machine's."""
    libc = ctypes.CDLL(None, use_errno=True)
    before = os.open("/proc/self/ns/net", os.O_RDONLY)
    allowed = ALLOWED.read_text()
    try:
        # In a network of its own only what everybody may use can be chosen (tcp(7)).
        if DEFAULT not in allowed.split():
            with contextlib.suppress(OSError):
                ALLOWED.write_text(f"{allowed.strip()} {DEFAULT}")
        if libc.unshare(CLONE_NEWNET) == 0:
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True, timeout=10)
            with contextlib.suppress(OSError):
                CONTROL.write_text(DEFAULT)
        yield CONTROL.read_text().strip()
    finally:
        libc.setns(before, CLONE_NEWNET)
        os.close(before)
        with contextlib.suppress(OSError):
            ALLOWED.write_text(allowed)
