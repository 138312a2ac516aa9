"""A server to which webhooks are posted: it answers as told, and keeps what came."""

import dataclasses
import json
import threading
import time

from local_server import LocalServer, QuietHandler


@dataclasses.dataclass
class Posted:
    path: str
    fields: dict
    body: bytes
    # The uptime of its arrival, and who has sent it, if the receiver was told how to see that.
    at: float = 0
    sender: object = None

    @property
    def json(self):
        return json.loads(self.body)


class WebhookReceiver(LocalServer):
    """Serves until it leaves its `with` block. `answers` are (status, fields), one for each request; the last one is
    given again and again."""

    def __init__(self):
        self.answers = [(204, {})]
        self.posted = []
        # Says of a port of this machine who has the connection.
        self.who = lambda port: None
        self._news = threading.Condition()
        receiver = self

        class Handler(QuietHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                at, sender = time.monotonic(), receiver.who(self.client_address[1])
                with receiver._news:
                    fields = {name.lower(): value for name, value in self.headers.items()}
                    receiver.posted.append(Posted(self.path, fields, body, at, sender))
                    status, more = receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0]
                    receiver._news.notify_all()
                self.reply(status, fields=more)

            do_GET = do_POST

        super().__init__(Handler)

    def wait(self, count, seconds=15):
        """Waits until so many posts have come; returns them."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.posted) >= count, seconds), \
                f"{len(self.posted)} of {count} posts within {seconds} s"
            return list(self.posted)
