"""An object store for tests: moto's fake of S3, behind a server that checks what moto does not.

Every signature is computed again by botocore, Amazon's own client; the digest of what is sent is compared with the one
that was signed. It can also be slow, busy, cut its answers off, and lie.
"""

import contextlib
import datetime
import hashlib
import http.client
import time
import urllib.parse

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.server import ThreadedMotoServer

from local_server import LocalServer, QuietHandler

REGION = "eu-central-1"
KEY, SECRET = "AKIDEIGHTBELLS", "a/secret+of=tests"
# moto looks for who asks, and at nothing else in it.
OWNER = f"AWS4-HMAC-SHA256 Credential={KEY}/20260101/{REGION}/s3/aws4_request, SignedHeaders=host, Signature=none"
# Seconds by which a request's time may differ from the server's.
SKEW_SECONDS = 900


class Refusal(Exception):
    """An error that the store answers with: a status and a code."""

    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


class ObjectStore(LocalServer):
    """Serves until it leaves its `with` block; buckets are made with `bucket`."""

    def __init__(self):
        store = self

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                store.answer(self)

            do_GET = do_PUT = do_DELETE = do_HEAD = do_POST = answer

        super().__init__(Handler)
        self.moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.calm()

    def __enter__(self):
        self.moto.start()
        _, self.moto_port = self.moto.get_host_and_port()
        return super().__enter__()

    def __exit__(self, *how):
        super().__exit__(*how)
        self.moto.stop()

    def calm(self):
        """It behaves well again."""
        # A status to be answered with for all requests of these methods; seconds before each answer; what becomes of
        # the bytes of a blob; True to cut answers with a body in half.
        self.busy, self.busy_methods, self.delay, self.lie, self.cuts = None, (), 0, None, False

    def bucket(self, name):
        """Makes a bucket, and forgets what was asked before; the address of a folder in it."""
        # Requests that were answered, as (method, path), and refusals of signatures.
        self.asked, self.refused = [], []
        place = f"<LocationConstraint>{REGION}</LocationConstraint>"
        place = f"<CreateBucketConfiguration>{place}</CreateBucketConfiguration>"
        status, _, answer = self.ask("PUT", f"/{name}", place)
        assert status == 200, answer
        return f"s3://{name}/club?endpoint={self.url}&region={REGION}&path-style"

    def ask(self, method, path, body=b"", fields=()):
        """Asks moto itself: status, fields, bytes."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.moto_port, timeout=30)) as connection:
            connection.request(method, path, body, dict(fields) | {"Authorization": OWNER})
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()

    def objects(self, bucket):
        """The names of what is in a bucket."""
        _, _, listed = self.ask("GET", f"/{bucket}?list-type=2&max-keys=1000")
        return [part.partition("</Key>")[0] for part in listed.decode().split("<Key>")[1:]]

    def blobs(self, bucket):
        return [name for name in self.objects(bucket) if "/blobs/" in name]

    # Answering

    def answer(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        method = handler.command
        time.sleep(self.delay)
        try:
            self.check(method, handler.path, handler.headers, body)
            if self.busy and method in self.busy_methods:
                raise Refusal(self.busy, "SlowDown")
        except Refusal as refusal:
            if refusal.status == 403:
                self.refused.append(refusal.code)
            text = f"<?xml version='1.0'?><Error><Code>{refusal.code}</Code><Message>No.</Message></Error>".encode()
            return handler.reply(refusal.status, text, {"Content-Type": "application/xml"})
        self.asked.append((method, handler.path.partition("?")[0]))
        status, fields, answer = self.ask(method, handler.path, body, {
            name: handler.headers[name] for name in ("Content-Type", "Range") if handler.headers[name]})
        kept = {name: value for name, value in fields
                if name.lower() in ("content-type", "content-disposition", "content-range", "etag")}
        if method == "GET" and status == 200 and "/blobs/" in handler.path and self.lie:
            answer = self.lie(answer)
        if self.cuts and len(answer) > 10_000:
            handler.close_connection = True
            kept["Content-Length"] = str(len(answer))
            answer = answer[:len(answer) // 2]
        if method == "HEAD":
            kept["Content-Length"] = dict(fields).get("Content-Length", "0")
        if status == 204:
            answer = b""
        handler.reply(status, answer, {"Date": handler.date_time_string()} | kept)

    def check(self, method, path, fields, body):
        """Refuses what S3 would refuse for its signature."""
        url = f"http://{fields['Host']}{path}"
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, keep_blank_values=True))
        credentials = Credentials(KEY, SECRET)
        if "X-Amz-Signature" in query:
            given, key, at = query["X-Amz-Signature"], query["X-Amz-Credential"], query["X-Amz-Date"]
            signed = query["X-Amz-SignedHeaders"].split(";")
            auth = S3SigV4QueryAuth(credentials, "s3", REGION)
            rest = path.partition("?")[2].split("&")
            url = url.partition("?")[0] + "?" + "&".join(part for part in rest if "X-Amz-Signature=" not in part)
            late = seconds(at) + int(query["X-Amz-Expires"])
            if method not in ("GET", "HEAD") or time.time() > late:
                raise Refusal(403, "AccessDenied")
            method = "GET"
        else:
            said = fields.get("Authorization") or ""
            if not said.startswith("AWS4-HMAC-SHA256 "):
                raise Refusal(403, "AccessDenied")
            parts = dict(part.strip().split("=", 1) for part in said.partition(" ")[2].split(","))
            given, key, signed = parts["Signature"], parts["Credential"], parts["SignedHeaders"].split(";")
            at = fields["x-amz-date"]
            auth = S3SigV4Auth(credentials, "s3", REGION)
            if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(signed):
                raise Refusal(403, "AccessDenied")
            if hashlib.sha256(body).hexdigest() != fields["x-amz-content-sha256"]:
                raise Refusal(400, "XAmzContentSHA256Mismatch")
            if abs(seconds(at) - time.time()) > SKEW_SECONDS:
                raise Refusal(403, "RequestTimeTooSkewed")
        if key.partition("/")[0] != KEY:
            raise Refusal(403, "InvalidAccessKeyId")
        request = AWSRequest(method, url, {name: fields[name] for name in signed if name != "host"})
        request.context["timestamp"] = at
        wanted = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
        if key != f"{KEY}/{auth.credential_scope(request)}" or given != wanted:
            raise Refusal(403, "SignatureDoesNotMatch")


def seconds(at):
    """20260101T000000Z as seconds since 1970."""
    return datetime.datetime.strptime(at, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc).timestamp()
