"""A server to which webhooks are posted: it answers as told, and keeps what came."""

import dataclasses
import http.server
import json
import threading


@dataclasses.dataclass
class Posted:
    path: str
    fields: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class WebhookReceiver:
    """Serves until it leaves its `with` block. `answers` are (status, fields), one for each request; the last one is
    given again and again."""

    def __init__(self):
        self.answers = [(204, {})]
        self.posted = []
        self._news = threading.Condition()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with receiver._news:
                    fields = {name.lower(): value for name, value in self.headers.items()}
                    receiver.posted.append(Posted(self.path, fields, body))
                    status, more = receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0]
                    receiver._news.notify_all()
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def wait(self, count, seconds=15):
        """Waits until so many posts have come; returns them."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.posted) >= count, seconds), \
                f"{len(self.posted)} of {count} posts within {seconds} s"
            return list(self.posted)
