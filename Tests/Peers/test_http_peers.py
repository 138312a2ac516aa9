"""The hub with other people's clients: curl, httpx, h2load and websockets, with and without TLS."""

import asyncio
import concurrent.futures
import itertools
import json
import os
import re
import socket
import ssl
import subprocess

import httpx
import pytest

from certificates import make_certificate
from hub import EVENT_STREAM, LOGO, LOGO_UPLOAD, SETTINGS, SPACE, STATE, Hub, eventually
from live import listening
from png import png

SECONDS = 30
# curl's options for each protocol on each port, and the version that it must report.
PLAIN = {"1.0": ["--http1.0"], "1.1": ["--http1.1"], "2": ["--http2-prior-knowledge"]}
TLS = {
    "1.1": ["--http1.1"], "2": ["--http2"], "1.1 without ALPN": ["--http1.1", "--no-alpn"],
    "2 over TLS 1.2": ["--http2", "--tls-max", "1.2"], "1.1 over TLS 1.2": ["--http1.1", "--tls-max", "1.2"],
}
WAYS = [("http", way) for way in PLAIN] + [("https", way) for way in TLS]
# The protocols for which uploads and ranges are tested.
MAIN_WAYS = [("http", "1.1"), ("http", "2"), ("https", "1.1"), ("https", "2")]


@pytest.fixture(scope="module")
def hubs(tmp_path_factory):
    """One hub with TLS and one without, both set up, by their schemes."""
    folder = tmp_path_factory.mktemp("peers")
    made = {
        "http": Hub(folder / "plain").start(),
        "https": Hub(folder / "tls", certificate=make_certificate(folder / "certificate")).start()}
    for hub in made.values():
        hub.configure()
    yield made
    assert [hub.stop() for hub in made.values()] == [0, 0]


@pytest.fixture(scope="module")
def picture():
    return png(1500, 1000)


class Curl:
    """curl with one hub and one protocol."""

    def __init__(self, hubs, scheme, way):
        self.hub = hubs[scheme]
        # A client of HTTP/1.0 is answered in HTTP/1.1 (RFC 9110 section 2.5).
        self.version = way.partition(" ")[0].replace("1.0", "1.1")
        self.options = (PLAIN if scheme == "http" else TLS)[way]
        if scheme == "https":
            self.options = [*self.options, "--cacert", self.hub.certificate.certificate]

    def run(self, *words, path, data=None):
        """curl's output: status, the answer's body."""
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--max-time", str(SECONDS), *self.options, "--write-out",
             "%{stderr}%{http_code} %{http_version}\n", *map(str, words), self.hub.url + path],
            input=data, capture_output=True, timeout=SECONDS + 10, check=False)
        assert done.returncode == 0, done.stderr.decode()
        told = re.findall(r"(?m)^(\d{3}) (\S+)$", done.stderr.decode())
        assert told and {version for _, version in told} == {self.version}, done.stderr.decode()
        return int(told[-1][0]), done.stdout

    def authorised(self, token):
        return ["--header", f"Authorization: Bearer {token}"]


@pytest.fixture
def curl(hubs, request):
    return Curl(hubs, *request.param)


def ways(*some):
    return pytest.mark.parametrize("curl", some or WAYS, indirect=True, ids=lambda way: " ".join(way))


@ways()
def test_curl_reads_an_answer(curl):
    status, body = curl.run(path="/spaceapi.json")
    assert status == 200 and json.loads(body)["space"] == SPACE["name"]


@ways()
def test_curl_reads_a_compressed_answer(curl):
    status, body = curl.run("--compressed", path="/pages/space-programme-bells.js")
    assert (status, body) == (200, curl.hub.request("GET", "/pages/space-programme-bells.js").body)


@ways()
def test_curl_reads_a_head(curl):
    status, head = curl.run("--head", path="/spaceapi.json")
    assert status == 200 and re.search(rb"(?im)^content-length: \d{3,}\r$", head)


@ways()
def test_curl_turns_the_sign(curl):
    message = f"by curl {curl.version}"
    turn = json.dumps({"open": True, "message": message})
    status, body = curl.run(*curl.authorised(curl.hub.keykeeper_token), "--json", turn, path=STATE)
    assert status == 200 and json.loads(body)["message"] == message == curl.hub.state()["message"]


@ways()
def test_curl_keeps_what_has_not_changed(curl, tmp_path):
    tag, file = tmp_path / "etag", tmp_path / "file"
    first = curl.run("--etag-save", tag, "--output", file, path="/pages/space-programme-bells.css")
    again = curl.run("--etag-compare", tag, "--output", file, path="/pages/space-programme-bells.css")
    assert (first[0], again[0]) == (200, 304)


# With prior knowledge, curl 7.88 fails here with nginx and nghttpd too: it sends the request before its preface.
@ways(*(way for way in WAYS if way != ("http", "2")))
def test_curl_asks_many_times_at_once(curl):
    status, body = curl.run("--parallel", "--parallel-max", "20", path="/api/v1/space/state?number=[1-200]")
    assert status == 200 and body.count(b'"lastchange"') == 200


@ways(*MAIN_WAYS)
@pytest.mark.parametrize("wish", ["Expect: 100-continue", "Expect:"])
def test_curl_uploads_a_picture(curl, picture, tmp_path, wish):
    file = tmp_path / "picture.png"
    file.write_bytes(picture)
    status, told = curl.run(
        *curl.authorised(curl.hub.owner_token), "--upload-file", file, "--header", "Content-Type: image/png",
        "--header", wish, path=LOGO_UPLOAD)
    assert 200 <= status < 300, told
    assert curl.run(path=LOGO) == (200, picture)


@ways(*MAIN_WAYS)
def test_curl_uploads_without_saying_how_much(curl, picture):
    """Chunks over HTTP/1.1, frames over HTTP/2."""
    status, told = curl.run(
        *curl.authorised(curl.hub.owner_token), "--upload-file", "-", "--header", "Content-Type: image/png",
        path=LOGO_UPLOAD, data=picture)
    assert 200 <= status < 300, told
    assert curl.run(path=LOGO) == (200, picture)


@ways(("http", "1.1"), ("https", "1.1"))
def test_curl_is_refused_before_it_has_sent_everything(curl):
    """The client reads the refusal although it is still sending. Over HTTP/2, curl 7.88 may lose such an answer, also
    nginx's; test_http2_connection.py tests that."""
    status, body = curl.run(
        *curl.authorised(curl.hub.owner_token), "--request", "PUT", "--data-binary", "@-", "--header", "Expect:",
        path=SETTINGS, data=b" " * 3_000_000)
    assert (status, json.loads(body)["code"]) == (413, 41301)


@ways(*MAIN_WAYS)
def test_curl_reads_parts(curl, picture, tmp_path):
    curl.run(
        *curl.authorised(curl.hub.owner_token), "--upload-file", "-", "--header", "Content-Type: image/png",
        path=LOGO_UPLOAD, data=picture)
    end = len(picture)
    for part, first, last in (("0-99", 0, 100), ("100-", 100, end), ("-7", end - 7, end), ("5-5", 5, 6),
                              (f"{end - 1}-{end + 50}", end - 1, end)):
        assert curl.run("--range", part, path=LOGO) == (206, picture[first:last]), part
    assert curl.run("--range", f"{end}-", path=LOGO)[0] == 416
    # An interrupted download continues, as long as the file is the same one.
    file = tmp_path / "cut.png"
    file.write_bytes(picture[:70_000])
    assert curl.run("--continue-at", "-", "--output", file, path=LOGO)[0] == 206
    assert file.read_bytes() == picture
    assert curl.run("--range", "0-9", "--header", 'If-Range: "another"', path=LOGO) == (200, picture)


@ways(*MAIN_WAYS)
def test_curl_listens_to_events(curl):
    """Server-Sent Events: curl prints each turn of the sign as a line at once."""
    hub = curl.hub
    listener = subprocess.Popen(
        ["curl", "--silent", "--no-buffer", "--max-time", str(SECONDS), *curl.options, hub.url + EVENT_STREAM],
        stdout=subprocess.PIPE)
    os.set_blocking(listener.stdout.fileno(), False)
    try:
        # It may not listen yet at the first turn, so the sign is turned until it does.
        turns = itertools.cycle([True, False])

        def heard():
            hub.turn(next(turns), message="heard by curl")
            return b"heard by curl" in (listener.stdout.read() or b"")

        assert eventually(heard, seconds=5)
    finally:
        listener.kill()
        listener.communicate(timeout=10)


# httpx


def asking(hub, **options):
    if hub.certificate:
        options["verify"] = hub.certificate.trusted()
    return httpx.AsyncClient(base_url=hub.url, timeout=SECONDS, trust_env=False, **options)


def on_a_loop(work):
    """The result of a coroutine. Playwright keeps a loop running in this thread, in which no other one may start."""
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result(120)


@pytest.mark.parametrize("scheme, options, version", [
    ("http", {}, "HTTP/1.1"), ("http", {"http1": False, "http2": True}, "HTTP/2"), ("https", {}, "HTTP/1.1"),
    ("https", {"http2": True}, "HTTP/2")])
def test_httpx_asks_many_times_and_turns_the_sign(hubs, scheme, options, version):
    hub = hubs[scheme]
    headers = {"Authorization": f"Bearer {hub.keykeeper_token}"}

    async def talk():
        async with asking(hub, **options) as client:
            answers = await asyncio.gather(*(client.get("/spaceapi.json") for _ in range(100)))
            turned = await client.post(STATE, json={"open": False, "message": version}, headers=headers)
        return answers, turned

    answers, turned = on_a_loop(talk())
    assert {(answer.status_code, answer.http_version) for answer in answers} == {(200, version)}
    assert turned.status_code == 200 and hub.state()["message"] == version


@pytest.mark.parametrize("scheme, options", [("http", {}), ("https", {"http2": True})])
def test_httpx_streams_a_picture_up_and_down(hubs, picture, scheme, options):
    hub = hubs[scheme]
    headers = {"Authorization": f"Bearer {hub.owner_token}", "Content-Type": "image/png"}

    async def pieces():
        for at in range(0, len(picture), 50_000):
            yield picture[at:at + 50_000]

    async def talk():
        async with asking(hub, **options) as client:
            sent = await client.put(LOGO_UPLOAD, content=pieces(), headers=headers)
            async with client.stream("GET", LOGO) as answer:
                return sent, b"".join([piece async for piece in answer.aiter_bytes()])

    sent, received = on_a_loop(talk())
    assert sent.is_success, sent.text
    assert received == picture


# h2load


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("version", [["--h1"], []], ids=["HTTP/1.1", "HTTP/2"])
def test_h2load_finds_no_failure(hubs, scheme, version):
    requests = 5_000
    told = subprocess.run(
        ["h2load", *version, "-n", str(requests), "-c", "20", "-m", "1" if version else "16",
         hubs[scheme].url + "/spaceapi.json"],
        capture_output=True, text=True, timeout=SECONDS, check=True).stdout  # takes less than a second
    assert f"{requests} succeeded, 0 failed, 0 errored, 0 timeout" in told, told
    assert f"{requests} 2xx, 0 3xx, 0 4xx, 0 5xx" in told


# TLS


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_old_versions_of_tls_are_refused(hubs):
    context = hubs["https"].certificate.trusted()
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        shake_hands(hubs["https"], context)


@pytest.mark.parametrize("offered, chosen", [
    (["h2", "http/1.1"], "h2"), (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"), ([], None)])
def test_the_hub_prefers_http2(hubs, offered, chosen):
    """RFC 7301: the server chooses."""
    with shake_hands(hubs["https"], hubs["https"].certificate.trusted(*offered)) as connection:
        assert connection.selected_alpn_protocol() == chosen


def shake_hands(hub, context):
    plain = socket.create_connection(("127.0.0.1", hub.port), timeout=SECONDS)
    try:
        return context.wrap_socket(plain, server_hostname="localhost")
    except BaseException:
        plain.close()
        raise


# websockets


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("compression", ["deflate", None])
def test_websockets_hears_every_turn(hubs, scheme, compression):
    hub = hubs[scheme]
    with listening(hub, compression=compression) as listener:
        extensions = listener.socket.response.headers.get("Sec-WebSocket-Extensions", "")
        assert ("permessage-deflate" in extensions) == (compression is not None)
        for number in range(20):
            message = f"turn {number} " + "ä" * number * 20
            turned = hub.turn(number % 2 == 0, message=message[:100])
            assert listener.expect("state") == turned
        listener.socket.send(json.dumps({"event": "pusher:ping", "data": {}}) + " " * 4_000)
        listener.expect("pusher:pong")
