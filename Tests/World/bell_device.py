"""A device at the hub's gateway, of a few lines: it acknowledges what it is told to show."""

import contextlib
import datetime as dt
import json

from websockets.sync.client import connect

from hub import command

SECONDS = 10
# Days to plan something for: far enough away that nothing of it rings while a test runs, and less than the 400 days
# that may be planned.
LATER, LATEST = (dt.datetime.now(dt.UTC).date() + dt.timedelta(days=days) for days in (60, 90))
DRILLS = "/api/v1/drills"


def make_device(hub, name="bell", *topics, person=None, app=None):
    """Makes a device with the command beside the hub; its id, device_token and secret."""
    words = ["device", "create", "--data", hub.data, "--name", name]
    for topic in topics:
        words += ["--topic", topic]
    if person:
        words += ["--person", person]
    if app:
        words += ["--app", app]
    made = command(*words)
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


def drilled(hub, who, room="anchor"):
    """A room's drill, as the hub tells it."""
    return next(one for one in hub.get(DRILLS, token=who)[1]["drills"] if one["room"] == room)


class Device:
    """A connected device; `shown` are the ids that it has shown."""

    def __init__(self, socket, secret):
        self.socket = socket
        self.shown = []
        self.send("hello", secret=secret, zone="Europe/Berlin", v=1)

    def send(self, do, **members):
        self.socket.send(json.dumps({"do": do} | members))

    def next(self, seconds=SECONDS):
        return json.loads(self.socket.recv(seconds))

    def expect(self, do, seconds=SECONDS):
        message = self.next(seconds)
        assert message["do"] == do, message
        return message

    def ack(self, message, what="shown"):
        self.send("ack", id=message["id"], version=message["version"], what=what)

    def show(self, seconds=SECONDS):
        """The next message, which must be one to show; it is acknowledged."""
        message = self.expect("show", seconds)
        self.shown.append(message["id"])
        self.ack(message)
        return message

    def is_silent(self, seconds=0.5):
        """True if nothing more comes, not even after a ping was answered."""
        self.send("ping")
        assert self.next()["do"] == "pong"
        try:
            self.socket.recv(seconds)
        except TimeoutError:
            return True
        return False


@contextlib.contextmanager
def device_at(hub, secret, is_welcome=True):
    """A device that is connected, and welcomed unless said otherwise."""
    url = hub.url.replace("http", "ws", 1) + "/gateway"
    with connect(url, open_timeout=SECONDS, max_size=1 << 20) as socket:
        device = Device(socket, secret)
        device.welcome = device.expect("welcome") if is_welcome else None
        yield device
