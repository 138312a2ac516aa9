"""A double of the hub's side of a sent portfolio, in front of a hub's own player: the client's API as it is described,
whose PIN, pictures and end a test decides."""

import http.server
import json
import threading

PORTFOLIOS = "/api/v1/portfolios"
ID = "Zm9yLUtpbmtvLWZyb20tQQ"
POLICY = ("default-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
          "connect-src 'self'; base-uri 'none'")


class SentLink:
    """A link to all of a portfolio; `fields` are those of a request of its owner."""

    def __init__(self, hub, portfolio, fields):
        self.hub, self.portfolio, self.fields = hub, portfolio, fields
        told = hub.get(f"{PORTFOLIOS}/{portfolio}", fields)[1]
        self.galleries = [
            {"id": one["id"], "title": one["title"],
             "pictures": hub.get(f"{PORTFOLIOS}/{portfolio}/galleries/{one['id']}", fields)[1]["pictures"]}
            for one in told["galleries"]]
        self.pin, self.has_ended, self.withdrawn, self.marks, self.opened = None, False, set(), {}, []
        handler = type("Handler", (_Handler,), {"link": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        # Browsers trust this name without HTTPS.
        self.url = f"http://localhost:{self._server.server_port}/sent/{ID}/"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def pictures(self):
        return [one for gallery in self.galleries for one in gallery["pictures"]]

    def described(self):
        galleries = [gallery | {"pictures": [one for one in gallery["pictures"] if one["id"] not in self.withdrawn]}
                     for gallery in self.galleries]
        return {"title": "Two series", "text": "Dear Ms Okafor", "from": "Ada", "download": "2048", "changed": 1,
                "galleries": galleries, "marks": list(self.marks.values())}

    def take(self, marks):
        for mark in marks:
            if mark.get("gone"):
                self.marks.pop(mark["id"], None)
            else:
                self.marks[mark["id"]] = mark


class _Handler(http.server.BaseHTTPRequestHandler):
    link = None
    protocol_version = "HTTP/1.1"
    api = f"/api/v1/sent/{ID}"

    def log_message(self, *_):
        pass

    def _send(self, status, body=b"", kind="application/json"):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(content)

    def _packed(self, path):
        answer = self.link.hub.request("GET", path)
        self._send(answer.status, answer.body, answer.headers["Content-Type"])

    def _refused(self):
        """True if an answer of the API was sent instead."""
        if self.link.has_ended:
            self._send(410, {"code": 41086, "error": "ended"})
        elif self.link.pin and self.headers.get("Authorization") != "Bearer T":
            self._send(401, {"code": 40186, "error": "this link asks for a PIN"})
        else:
            return False
        return True

    def do_GET(self):
        path = self.path.partition("?")[0]
        scope = f"/sent/{ID}/"
        if path == scope:
            self._packed("/portfolio/player/index.html")
        elif path == f"{scope}worker.js":
            self._packed("/portfolio/player/worker.js")
        elif path == f"{scope}app.webmanifest":
            self._send(200, {"name": "Two series", "start_url": scope, "scope": scope}, "application/manifest+json")
        elif path.startswith(self.api):
            if not self._refused():
                self._answer(path)
        else:
            self._packed(path)

    def _answer(self, path):
        if path == self.api:
            self._send(200, self.link.described())
            return
        picture, size = path.rpartition("/files/")[2].split("/")
        if picture in self.link.withdrawn:
            self._send(404, {"code": 40487, "error": "gone"})
            return
        file = f"{PORTFOLIOS}/{self.link.portfolio}/files/{picture}/{size}"
        answer = self.link.hub.request("GET", file, self.link.fields)
        self._send(answer.status, answer.body, answer.headers["Content-Type"])

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == f"{self.api}/open":
            self._send(*((200, {"token": "T"}) if body["pin"] == self.link.pin else (403, {"code": 40389})))
        elif not self._refused():
            if self.path == f"{self.api}/opened":
                self.link.opened.append(body["client"])
                self._send(204)
            else:
                self.link.take(body["marks"])
                self._send(200, {"marks": list(self.link.marks.values())})
