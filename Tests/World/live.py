"""A client of the live channel, with the library websockets."""

import asyncio
import contextlib
import json
import threading

from websockets.asyncio.client import connect as connect_on_loop
from websockets.sync.client import connect

SECONDS = 10


class Listener:
    """A connection that speaks the Pusher protocol; `expect` returns the next message of an event. `commit` is the
    change's number in the last message."""

    def __init__(self, socket):
        self.socket = socket

    def send(self, event, data=None, **more):
        self.socket.send(json.dumps({"event": event, "data": {} if data is None else data} | more))

    def next(self, seconds=SECONDS):
        """The next message, with its data decoded."""
        message = json.loads(self.socket.recv(seconds))
        self.commit = message.pop("commit", None)
        if isinstance(message.get("data"), str):
            message["data"] = json.loads(message["data"])
        return message

    def expect(self, event, seconds=SECONDS):
        """The data of the next message, which must be this event."""
        message = self.next(seconds)
        assert message["event"] == event, message
        return message.get("data")

    def subscribe(self, channel="space"):
        self.send("pusher:subscribe", {"channel": channel})
        message = self.next()
        assert (message["event"], message["channel"]) == ("pusher_internal:subscription_succeeded", channel), message
        return self


class LoopSocket:
    """A connection on an event loop of its own, used from outside.

    Over TLS the synchronous client reads and writes in two threads at once, which Python's ssl module before 3.13 does
    not support: about one connection in a thousand hangs, and some corrupt the heap.
    """

    def __init__(self, url, **options):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._socket = self._run(self._open(url, options))
        self.response = self._socket.response

    async def _open(self, url, options):
        return await connect_on_loop(url, **options)

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS * 2)

    def send(self, message):
        self._run(self._socket.send(message))

    def recv(self, timeout=None):
        return self._run(asyncio.wait_for(self._socket.recv(), timeout))

    def close(self):
        self._run(self._socket.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()


@contextlib.contextmanager
def connected(url, **options):
    """A WebSocket, over TLS or not."""
    options |= {"open_timeout": SECONDS, "close_timeout": SECONDS, "proxy": None}
    if "ssl" not in options:
        with connect(url, **options) as socket:
            yield socket
        return
    with contextlib.closing(LoopSocket(url, **options)) as socket:
        yield socket


@contextlib.contextmanager
def opened(hub, query="protocol=7&client=test&version=1", path="/app/eightbells", **options):
    """A connection before its first message is read."""
    if hub.certificate:
        options["ssl"] = hub.certificate.trusted()
    scheme = "wss" if hub.certificate else "ws"
    with connected(f"{scheme}://127.0.0.1:{hub.port}{path}?{query}", **options) as socket:
        yield Listener(socket)


@contextlib.contextmanager
def listening(hub, channel="space", **options):
    """A connection that is subscribed."""
    with opened(hub, **options) as listener:
        listener.expect("pusher:connection_established")
        yield listener.subscribe(channel)
