"""The server of an app's makers, which the hub asks about objects in place of cloud code."""

import json
import threading

from local_server import LocalServer, QuietHandler


class ParseWebhooks(LocalServer):
    """Serves until it leaves its `with` block. `answers` has, by path, what is answered: an object, a status, or
    a function of the question. `asked` has the questions in their order, with the fields of their headers."""

    def __init__(self):
        self.answers, self.asked = {}, []
        self._news = threading.Condition()
        webhooks = self

        class Handler(QuietHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                question = json.loads(body)
                answer = webhooks.answers.get(self.path, {"success": True})
                answer = answer(question) if callable(answer) else answer
                status, answer = (answer, b"") if isinstance(answer, int) else (200, answer)
                text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                fields = {name.lower(): value for name, value in self.headers.items()}
                with webhooks._news:
                    webhooks.asked.append((self.path, question, fields, body))
                    webhooks._news.notify_all()
                self.reply(status, text)

        super().__init__(Handler)

    def wait(self, path, count=1, seconds=30):
        """Waits until so many questions have come to a path; returns them."""
        def found():
            return [one for one in self.asked if one[0] == path]
        with self._news:
            assert self._news.wait_for(lambda: len(found()) >= count, seconds), f"{len(found())} of {count} at {path}"
            return found()
