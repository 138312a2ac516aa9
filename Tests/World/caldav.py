"""A CalDAV server: Radicale as people run it, in a folder of its own."""

import contextlib
import threading
import urllib.request
import wsgiref.simple_server

import radicale.app
import radicale.config

PROPERTIES = """<?xml version="1.0"?><d:mkcol xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>
<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>{name}</d:displayname></d:prop></d:set>
</d:mkcol>"""


class _Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Collection:
    """A calendar at a server; `asked` has the method and status of each request that was no preparation, `altered`
    makes of an answer's body, as text, what is sent, and `scheme` is how a refusal wants the password."""

    def __init__(self, base, asked):
        self.url, self.asked, self.altered, self.scheme = f"{base}ada/ours/", asked, lambda body: body, "Basic"

    def send(self, method, name="", body=None):
        request = urllib.request.Request(
            self.url + name, method=method, data=body.encode() if body else None, headers={
                "Authorization": "Basic YWRhOnNlc2FtZQ==", "Content-Type": "text/calendar; charset=utf-8",
                "X-Preparation": "yes"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status

    def put(self, name, *lines, before=()):
        event = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", *before, "BEGIN:VEVENT", f"UID:{name}",
                 "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT", "END:VCALENDAR", ""]
        self.send("PUT", f"{name}.ics", "\r\n".join(event))


@contextlib.contextmanager
def serving(folder, password="sesame"):
    """Radicale with a calendar of the user ada."""
    users = folder / "users"
    users.write_text(f"ada:{password}\n")
    settings = radicale.config.load()
    settings.update({
        "auth": {"type": "htpasswd", "htpasswd_filename": str(users), "htpasswd_encryption": "plain", "delay": "0"},
        "storage": {"filesystem_folder": str(folder / "collections")}, "logging": {"level": "error"}}, "test")
    application = radicale.app.Application(settings)
    asked = []

    def counted(environment, start):
        head = []
        environment.pop("HTTP_ACCEPT_ENCODING", None)
        body = b"".join(application(environment, lambda *told: head.extend(told)))
        status, fields = head
        if "HTTP_X_PREPARATION" not in environment:
            asked.append((environment["REQUEST_METHOD"], int(status[:3])))
            body = collection.altered(body.decode()).encode()
        fields = [(name, value.replace("Basic ", f"{collection.scheme} ")) for name, value in fields
                  if name.lower() != "content-length"]
        start(status, [*fields, ("Content-Length", str(len(body)))])
        return [body]

    server = wsgiref.simple_server.make_server("127.0.0.1", 0, counted, handler_class=_Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    collection = Collection(f"http://127.0.0.1:{server.server_port}/", asked)
    collection.send("MKCOL", body=PROPERTIES.format(name="Ours &amp; yours"))
    try:
        yield collection
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
