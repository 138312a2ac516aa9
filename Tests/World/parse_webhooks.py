"""The server of an app's makers, which the hub asks about objects in place of cloud code."""

import http.server
import json
import threading


class ParseWebhooks:
    """Serves until it leaves its `with` block. `answers` has, by path, what is answered: an object, a status, or
    a function of the question. `asked` has the questions in their order, with the fields of their headers."""

    def __init__(self):
        self.answers, self.asked = {}, []
        self._news = threading.Condition()
        webhooks = self

        class Handler(http.server.BaseHTTPRequestHandler):
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
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def wait(self, path, count=1, seconds=30):
        """Waits until so many questions have come to a path; returns them."""
        def found():
            return [one for one in self.asked if one[0] == path]
        with self._news:
            assert self._news.wait_for(lambda: len(found()) >= count, seconds), f"{len(found())} of {count} at {path}"
            return found()
