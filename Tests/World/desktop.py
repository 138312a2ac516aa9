"""A desktop's notifications, on a private D-Bus session: records what browsers show, and presses their buttons.

Firefox needs libnotify4 for it; Chromium speaks D-Bus itself. Both get its address from `environment`.
"""

import contextlib
import dataclasses
import pathlib
import subprocess
import tempfile
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import DBus
from jeepney.io.blocking import open_dbus_connection

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
# A session bus that starts no services of the machine's.
SETTINGS = """<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>"""
# Capabilities that browsers ask for before they offer buttons.
CAPABILITIES = ["actions", "body", "body-markup", "body-images", "icon-static", "persistence"]
# Reasons of a closed notification: by hand, and by the program that showed it.
DISMISSED, WITHDRAWN = 2, 3


@dataclasses.dataclass
class Shown:
    """A notification as the desktop shows it; `actions` are identifier → label, and "default" is a tap."""

    id: int
    app: str
    title: str
    body: str
    actions: dict
    hints: dict
    is_open: bool = True
    # The number of times that it was shown again under the same number.
    changes: int = 0


class Desktop:
    """Runs until it leaves its `with` block."""

    def __init__(self):
        self.shown = []
        self._news = threading.Condition()
        self._folder = tempfile.TemporaryDirectory()
        settings = pathlib.Path(self._folder.name, "bus.conf")
        settings.write_text(SETTINGS)
        self._daemon = subprocess.Popen(
            ["dbus-daemon", f"--config-file={settings}", "--nofork", "--nopidfile", "--print-address=1"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self._daemon.stdout.readline().strip()
        assert self.address, "dbus-daemon does not start: bin/install test"
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": self.address}
        self._connection = open_dbus_connection(self.address)
        self._connection.send_and_get_reply(DBus().RequestName(NAME))
        self._sending = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._daemon.terminate()
        self._daemon.wait(10)
        self._daemon.stdout.close()
        with contextlib.suppress(Exception):
            self._connection.close()
        self._folder.cleanup()

    def wait(self, condition, seconds=20):
        """The first notification for which the condition holds."""
        def found():
            return next((one for one in self.shown if condition(one)), None)
        with self._news:
            assert self._news.wait_for(found, seconds), f"not within {seconds} s; shown: {self.shown}"
            return found()

    def press(self, one, label):
        """Presses the button with this label; "default" is a tap on the notification itself. It goes a moment later, if
        the browser has not taken it away by then: on a busy machine, Chromium 156 takes a press whose end follows at
        once for a notification that was put aside."""
        action = next(name for name, text in one.actions.items() if label in (name, text))
        self._signal("ActionInvoked", "us", (one.id, action))
        with self._news:
            is_gone = self._news.wait_for(lambda: not one.is_open, 3)
        if not is_gone:
            self._close(one.id, DISMISSED)

    def _signal(self, name, signature, body):
        with self._sending:
            self._connection.send(new_signal(DBusAddress(PATH, interface=NAME), name, signature, body))

    def _close(self, number, reason):
        with self._news:
            for one in self.shown:
                if one.id == number:
                    one.is_open = False
            self._news.notify_all()
        self._signal("NotificationClosed", "uu", (number, reason))

    def _serve(self):
        with contextlib.suppress(ConnectionError, OSError, EOFError):
            while True:
                call = self._connection.receive()
                if call.header.message_type is MessageType.method_call:
                    # Before the answer, the browser does not know the number of what a test may press already.
                    with self._sending:
                        self._connection.send(self._answer(call))

    def _answer(self, call):
        match call.header.fields.get(HeaderFields.member):
            case "GetCapabilities":
                return new_method_return(call, "as", (CAPABILITIES,))
            case "GetServerInformation":
                return new_method_return(call, "ssss", ("tests", "Eightbells", "1", "1.2"))
            case "Notify":
                return new_method_return(call, "u", (self._show(*call.body),))
            case "CloseNotification":
                threading.Thread(target=self._close, args=(call.body[0], WITHDRAWN)).start()
                return new_method_return(call)
        return new_error(call, "org.freedesktop.DBus.Error.UnknownMethod")

    def _show(self, app, replaced, _icon, title, body, actions, hints, _timeout):
        named = dict(zip(actions[::2], actions[1::2], strict=True))
        plain = {name: value for name, (kind, value) in hints.items() if kind in ("s", "y", "b", "i", "u", "d")}
        with self._news:
            old = next((one for one in self.shown if one.id == replaced and one.is_open), None)
            if old:
                old.app, old.title, old.body, old.actions, old.hints = app, title, body, named, plain
                old.changes += 1
            else:
                old = Shown(len(self.shown) + 1, app, title, body, named, plain)
                self.shown.append(old)
            self._news.notify_all()
            return old.id
