"""A web server for calendars that answers well or badly, by path, and records its requests."""

import dataclasses
import gzip
import threading
import time

from local_server import LocalServer, QuietHandler


@dataclasses.dataclass
class Page:
    """The content of a path: `how` is "whole" or one of the kinds of failure."""

    body: bytes = b""
    status: int = 200
    etag: str | None = None
    last_modified: str | None = None
    content_type: str = "text/calendar; charset=utf-8"
    location: str | None = None
    gzipped: bool = False
    retry_after: str | None = None
    how: str = "whole"


@dataclasses.dataclass
class Asked:
    path: str
    headers: dict


class CalendarServer(LocalServer):
    """Serves until it leaves its `with` block. Paths may be changed at any time; an unknown one is 404."""

    def __init__(self, certificate=None):
        self.pages = {}
        self.requests = []
        self._news = threading.Condition()
        self.closing = threading.Event()
        super().__init__(self._handler(), certificate)

    def __exit__(self, *error):
        self.closing.set()
        super().__exit__(*error)

    def serve(self, path, body=b"", **page):
        """Puts a page at a path; returns its address."""
        self.pages[path] = Page(body if isinstance(body, bytes) else body.encode(), **page)
        return self.url + path

    def asked(self, path):
        """The requests for a path so far, oldest first."""
        with self._news:
            return [request for request in self.requests if request.path == path]

    def wait_for(self, path, count, seconds=10):
        """Waits until a path was requested so often; returns the requests."""
        until = time.monotonic() + seconds
        with self._news:
            while len(found := [one for one in self.requests if one.path == path]) < count:
                left = until - time.monotonic()
                if left <= 0 or not self._news.wait(left):
                    raise AssertionError(f"{path} was asked for {len(found)} times within {seconds} s, not {count}")
            return found

    def _handler(self):
        world = self

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # an answer in two parts would take 40 ms
            timeout = 60

            def do_GET(self):
                page = world.pages.get(self.path, Page(b"nothing here", 404, content_type="text/plain"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with world._news:
                    world.requests.append(Asked(self.path, headers))
                    world._news.notify_all()
                try:
                    getattr(self, f"answer_{page.how}")(page, headers)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def answer_whole(self, page, headers):
                unchanged = page.status == 200 and (
                    headers.get("if-none-match") == page.etag
                    if page.etag and "if-none-match" in headers
                    else page.last_modified is not None and headers.get("if-modified-since") == page.last_modified)
                body = gzip.compress(page.body) if page.gzipped else page.body
                self.send_response(304 if unchanged else page.status)
                for name, value in (("ETag", page.etag), ("Last-Modified", page.last_modified),
                                    ("Location", page.location), ("Retry-After", page.retry_after)):
                    if value is not None:
                        self.send_header(name, value)
                if not unchanged:
                    self.send_header("Content-Type", page.content_type)
                    self.send_header("Content-Length", str(len(body)))
                    if page.gzipped:
                        self.send_header("Content-Encoding", "gzip")
                self.end_headers()
                if not unchanged:
                    self.wfile.write(body)

            def answer_silence(self, page, headers):
                """Closes without an answer."""
                self.close_connection = True

            def answer_never(self, page, headers):
                """Never answers."""
                world.closing.wait(60)
                self.close_connection = True

            def answer_cut(self, page, headers):
                """Announces more than it sends."""
                self.send_response(200)
                self.send_header("Content-Type", page.content_type)
                self.send_header("Content-Length", str(len(page.body) + 1000))
                self.end_headers()
                self.wfile.write(page.body)
                self.close_connection = True

            def answer_endless(self, page, headers):
                """Sends the page again and again, until the other end closes."""
                self.send_response(200)
                self.send_header("Content-Type", page.content_type)
                self.send_header("Connection", "close")
                self.end_headers()
                block = (page.body or b"X" * 100) * (1 + (1 << 16) // max(1, len(page.body or b"X" * 100)))
                sent = 0
                while sent < 200_000_000 and not world.closing.is_set():
                    self.wfile.write(block)
                    sent += len(block)
                self.close_connection = True

            def answer_drip(self, page, headers):
                """Sends one byte a second, and so is never quite silent."""
                self.send_response(200)
                self.send_header("Content-Type", page.content_type)
                self.send_header("Content-Length", str(len(page.body)))
                self.end_headers()
                for byte in page.body:
                    self.wfile.write(bytes([byte]))
                    if world.closing.wait(1):
                        break
                self.close_connection = True

        return Handler
