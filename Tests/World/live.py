"""The live channel as a client sees it, over websockets' own client."""

import contextlib
import json

from websockets.sync.client import connect

SECONDS = 10


class Listener:
    """A connection that speaks the Pusher protocol; `expect` answers the next message of an event."""

    def __init__(self, socket):
        self.socket = socket

    def send(self, event, data=None, **more):
        self.socket.send(json.dumps({"event": event, "data": {} if data is None else data} | more))

    def next(self, seconds=SECONDS):
        """The next message, its data taken out of its string."""
        message = json.loads(self.socket.recv(seconds))
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


@contextlib.contextmanager
def opened(hub, query="protocol=7&client=test&version=1", path="/app/eightbells", **options):
    """A connection as it comes, before its first message is read."""
    if hub.certificate:
        options["ssl"] = hub.certificate.trusted()
    scheme = "wss" if hub.certificate else "ws"
    with connect(
            f"{scheme}://127.0.0.1:{hub.port}{path}?{query}", open_timeout=SECONDS, close_timeout=SECONDS, proxy=None,
            **options) as socket:
        yield Listener(socket)


@contextlib.contextmanager
def listening(hub, channel="space", **options):
    """A connection that is subscribed."""
    with opened(hub, **options) as listener:
        listener.expect("pusher:connection_established")
        yield listener.subscribe(channel)
