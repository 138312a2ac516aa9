"""A server on this machine that stands for one elsewhere."""

import http.server
import threading


class QuietHandler(http.server.BaseHTTPRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", fields=()):
        """A whole answer."""
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | dict(fields)).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class LocalServer:
    """Serves until it leaves its `with` block."""

    def __init__(self, handler):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
