"""A network namespace of a test's own, in which an address can really be taken away."""

import ctypes
import os
import subprocess

import pytest

BOAT = "10.99.17.1"
_NEW_NETWORK = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


class OwnNetwork:
    """Whatever this thread starts from now on is in it: it has this machine's loopback, and `BOAT`, an address at which
    the hub can be reached until `cut`."""

    def __init__(self):
        self._before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        if _libc.unshare(_NEW_NETWORK) != 0:
            os.close(self._before)
            pytest.skip("only root makes a network namespace")
        self._ip("link", "set", "lo", "up")
        self.mend()

    @staticmethod
    def _ip(*words):
        subprocess.run(["ip", *words], check=True)

    def cut(self):
        self._ip("addr", "del", f"{BOAT}/32", "dev", "lo")

    def mend(self):
        self._ip("addr", "add", f"{BOAT}/32", "dev", "lo")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _libc.setns(self._before, _NEW_NETWORK)
        os.close(self._before)
