"""Servers of WebDAV: wsgidav as people run it, and one that lies."""

import contextlib
import logging
import threading
import urllib.parse

from cheroot import wsgi
from wsgidav.wsgidav_app import WsgiDAVApp

from local_server import LocalServer, QuietHandler


@contextlib.contextmanager
def serving(folder, password=None):
    """wsgidav with a folder; with a password, for the user ada alone. Yields the server, which has `url` and `asked`:
    the method and path of each request."""
    asked = []
    app = WsgiDAVApp({
        "provider_mapping": {"/": str(folder)}, "verbose": 0, "logging": {"enable": False},
        "simple_dc": {"user_mapping": {"*": {"ada": {"password": password}} if password else True}}})
    logging.getLogger("wsgidav").setLevel(logging.ERROR)

    def counted(environment, start):
        asked.append((environment["REQUEST_METHOD"], environment["PATH_INFO"]))
        return app(environment, start)

    server = wsgi.Server(("127.0.0.1", 0), counted)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    server.url, server.asked = f"http://127.0.0.1:{server.bind_addr[1]}/", asked
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)


def entry(path, folder=False, **properties):
    """A response of a list."""
    inner = "".join(f"<D:get{name}>{value}</D:get{name}>" for name, value in properties.items())
    kind = "<D:resourcetype><D:collection/></D:resourcetype>" if folder else "<D:resourcetype/>"
    return (f"<D:response><D:href>{urllib.parse.quote(path)}</D:href><D:propstat><D:prop>{inner}{kind}</D:prop>"
            "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>")


class Liar(LocalServer):
    """A server that answers as `answers` says: by path, (status, fields, bytes); for folders a list of entries."""

    def __init__(self):
        self.answers, self.asked = {}, []
        liar = self

        class Handler(QuietHandler):
            def do_GET(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                liar.asked.append((self.command, self.path, self.headers.get("Authorization")))
                answer = liar.answers.get(self.path, (404, {}, b""))
                if isinstance(answer, list):
                    text = f'<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">{"".join(answer)}</D:multistatus>'
                    answer = (207, {"Content-Type": "application/xml"}, text.encode())
                status, fields, body = answer
                self.reply(status, body, fields)

            do_PROPFIND = do_GET

        super().__init__(Handler)
        self.url += "/"
