"""A server on this machine that stands for one elsewhere."""

import functools
import http.server
import ssl
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
    """Serves until it leaves its `with` block, or from `start` to `close`."""

    def __init__(self, handler, certificate=None, port=0):
        """`certificate`: the paths of a certificate and its key, for HTTPS; `port`: 0 for any."""
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def start(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()


class FolderServer(LocalServer):
    """Serves the files of a folder."""

    class _Files(QuietHandler, http.server.SimpleHTTPRequestHandler):
        pass

    def __init__(self, folder):
        super().__init__(functools.partial(self._Files, directory=folder))
