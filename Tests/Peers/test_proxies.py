"""The configurations of Docs/https.md, in the real Caddy and the real nginx, in front of the real hub."""

import http.client
import json
import socket
import ssl
import subprocess

import pytest

from certificates import make_certificate
from front import FILES, HOST, WORDS, Front, free_ports
from hub import ANSWER_SECONDS, BINARY, ROOT, SESSION, SETTINGS, STATE, clean_environment, command, eventually
from live import Listener, connected
from local_server import LocalServer, QuietHandler

FIXTURES = ROOT / "Tests/Fixtures/proxies"


@pytest.fixture(params=sorted(WORDS))
def make_front(request, tmp_path):
    fronts = []

    def make(upstream):
        recipe = FIXTURES / FILES[request.param]
        fronts.append(Front(request.param, tmp_path, recipe, {"127.0.0.1:8080": upstream}))
        return fronts[-1]

    yield make
    for front in fronts:
        front.stop()


@pytest.fixture
def front(make_front, hub_with_space):
    """The web server, in front of a hub."""
    return make_front(hub_with_space.port)


# In front of the hub


def test_the_page_and_the_api_come_through_as_they_are(front, hub_with_space):
    for path in ("/", "/api/v1/space", "/api/openapi.yaml", "/healthz"):
        status, headers, body = front.request("GET", path)
        assert (status, body) == (200, hub_with_space.request("GET", path).body)
        if tag := headers["ETag"]:
            status, _, body = front.request("GET", path, headers={"If-None-Match": tag})
            assert (status, body) == (304, b"")
    assert front.request("HEAD", "/")[2] == b""


def test_the_browser_may_speak_http_2(front):
    with front.socket("h2", "http/1.1") as agreed:
        assert agreed.selected_alpn_protocol() == "h2"
    told = subprocess.run(
        ["curl", "--silent", "--show-error", "--http2", "--cacert", front.certificate, "--write-out",
         "\n%{http_version} %{http_code}", "--resolve", f"{HOST}:{front.port}:127.0.0.1",
         f"https://{HOST}:{front.port}/spaceapi.json"], capture_output=True, text=True, timeout=30, check=True).stdout
    document, _, said = told.rpartition("\n")
    assert said == "2 200" and json.loads(document)["space"] == "Test space"


def test_plain_http_is_sent_to_https(front):
    connection = http.client.HTTPConnection("127.0.0.1", front.plain_port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/a?b=c", headers={"Host": HOST})
        response = connection.getresponse()
        assert response.status in (301, 308)
        # Both leave the port out when it is 443, which a test's never is.
        where = response.headers["Location"].replace(f":{front.port}", "")
        assert where == f"https://{HOST}/a?b=c"
    finally:
        connection.close()


def test_a_turned_sign_reaches_a_websocket_and_a_stream_of_events_at_once(front, hub_with_space):
    token = {"Authorization": f"Bearer {hub_with_space.keykeeper_token}", "Content-Type": "application/json"}
    url = f"wss://{HOST}:{front.port}/app/eightbells?protocol=7&client=test&version=1"
    with connected(
            url, sock=socket.create_connection(("127.0.0.1", front.port)), ssl=front.context,
            server_hostname=HOST) as opened, front.asked("GET", "/events/space") as stream:
        listener = Listener(opened)
        listener.expect("pusher:connection_established")
        listener.subscribe()
        assert stream.status == 200 and stream.headers["Content-Type"] == "text/event-stream"
        status, _, body = front.request(
            "POST", STATE, body=json.dumps({"open": True, "message": "Soup"}), headers=token)
        assert status == 200 and json.loads(body)["open"] is True
        assert listener.expect("state")["message"] == "Soup"
        # No proxy buffers it.
        lines = []
        while not any(line.startswith(b"data:") and b"Soup" in line for line in lines):
            lines.append(stream.readline())
            assert lines[-1], lines


def test_refusals_come_from_the_hub_with_their_reason(front):
    status, _, body = front.request("POST", STATE, body=b"{}")
    assert (status, json.loads(body)["code"]) == (401, 40101)
    assert json.loads(front.request("GET", "/nowhere")[2])["code"] == 40401
    # More than nginx's default of 1 MB.
    status, _, body = front.request("POST", STATE, body=b"x" * 3_000_000)
    assert (status, json.loads(body)["code"]) == (413, 41301)


def documented_proxies():
    """The line of eightbells.conf in both recipes."""
    text = (ROOT / "Docs/https.md").read_text()
    lines = {line for line in text.splitlines() if line.startswith("trusted_proxies = ")}
    assert len(lines) == 1, lines
    return lines.pop().partition(" = ")[2]


def test_a_hub_that_believes_the_web_server_knows_that_people_come_by_https(make_front, make_hub):
    hub = make_hub()
    # In the configuration file, as in the recipe.
    hub.stop()
    (hub.data / "eightbells.conf").write_text(f"trusted_proxies = {documented_proxies()}\n")
    hub.start()
    hub.configure()
    front = make_front(hub.port)
    host = {"Host": HOST, "Origin": f"https://{HOST}"}
    status, headers, _ = front.request("GET", "/", headers=host)
    assert status == 200 and headers["Strict-Transport-Security"] == "max-age=15768000"
    content = json.dumps({"link": hub.link("owner", "Olga")[0], "device": "test"})
    status, headers, _ = front.request("POST", SESSION, body=content, headers=host)
    assert status == 200 and headers["Set-Cookie"].endswith("; Secure")
    who = host | {"Cookie": headers["Set-Cookie"].partition(";")[0]}
    status, _, body = front.request("POST", "/api/v1/links", body='{"role": "member"}', headers=who)
    assert status == 200 and json.loads(body)["url"].startswith(f"https://{HOST}/join#")
    status, _, _ = front.request("GET", SETTINGS, headers={"Host": HOST, "Authorization": "Bearer eb_unknown"})
    assert status == 401 and "an unknown token was used from=127.0.0.1" in hub.log
    assert hub.request("GET", "/healthz").json == {"status": "ok"}
    told = command("doctor", "--data", hub.data, "--listen", f"127.0.0.1:{hub.port}")
    assert told.returncode == 0 and "web server" not in told.stdout, told.stdout


def test_a_hub_that_does_not_believe_the_web_server_says_so(front, hub_with_space):
    """The configuration of people who followed the recipe before it had trusted_proxies."""
    hub = hub_with_space
    status, headers, _ = front.request("GET", "/", headers={"Host": HOST})
    assert status == 200 and headers["Strict-Transport-Security"] is None
    told = command("doctor", "--data", hub.data, "--listen", f"127.0.0.1:{hub.port}")
    assert "one at 127.0.0.1 stands in front of the hub, and is not believed" in " ".join(told.stdout.split())
    assert "trusted_proxies = 127.0.0.1" in told.stdout
    assert "a web server in front is not believed" in hub.log


# Forwarded fields


class Recorder(LocalServer):
    """Stands in for the hub, and records the requests."""

    def __init__(self):
        self.heads, self.got = [], 0
        recorder = self

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def do_GET(self):
                recorder.heads.append(self.headers)
                self.send_response(204)
                self.end_headers()

            def do_POST(self):
                if length := self.headers["Content-Length"]:
                    left = int(length)
                    while left:
                        data = self.rfile.read1(min(left, 65_536))
                        assert data, "the front went away"
                        left -= len(data)
                        recorder.got += len(data)
                self.do_GET()

        super().__init__(Handler)


@pytest.fixture
def recorder():
    with Recorder() as recorder:
        yield recorder


@pytest.mark.parametrize("lie", [
    {}, {"X-Forwarded-For": "198.51.100.7"}, {"X-Forwarded-For": "127.0.0.1, ::1"},
    {"X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example", "X-Forwarded-For": "198.51.100.7"},
])
def test_the_hub_is_told_who_asks_and_never_what_a_client_says_of_itself(make_front, recorder, lie):
    front = make_front(recorder.port)
    assert front.request("GET", "/", headers=lie)[0] == 204
    head = recorder.heads[-1]
    assert head.get_all("X-Forwarded-For") == ["127.0.0.1"]
    assert head.get_all("X-Forwarded-Proto") == ["https"]
    assert head.get_all("X-Forwarded-Host") == [f"{HOST}:{front.port}"]
    assert head.get_all("Host") == [f"{HOST}:{front.port}"]


def test_a_large_upload_reaches_the_hub_while_it_is_sent(make_front, recorder):
    front = make_front(recorder.port)
    half = 10_000_000
    with front.socket() as client:
        client.sendall(
            f"POST /upload HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {2 * half}\r\n\r\n".encode() + b"x" * half)
        eventually(lambda: recorder.got > half // 2, 20, "the first half arrives before the second is sent")
        client.sendall(b"x" * half)
        assert client.recv(100).startswith(b"HTTP/1.1 204")
    assert recorder.got == 2 * half


# Texts about it


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf"])
def test_the_documentation_shows_what_was_tried(name):
    assert (FIXTURES / name).read_text() in (ROOT / "Docs/https.md").read_text()


# The hub's own HTTPS


def test_the_hub_serves_https_itself(make_hub, tmp_path):
    made = make_certificate(tmp_path / "tls", hosts=(HOST,))
    data, (port,) = tmp_path / "data", free_ports(1)
    words = ["--data", data, "--listen", f"127.0.0.1:{port}", "--certificate", made.certificate, "--key", made.key]
    process = subprocess.Popen(
        [BINARY, "serve", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment())
    try:
        assert process.stdout.readline().startswith(b"Eightbells listens on https://")
        assert command("token", "create", "--data", data, "--name", "me", "--role", "owner").returncode == 0
        context = ssl.create_default_context(cafile=made.certificate)
        with socket.create_connection(("127.0.0.1", port)) as plain, \
                context.wrap_socket(plain, server_hostname=HOST) as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            answer = b"".join(iter(lambda: client.recv(4096), b""))
        assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b'{"status":"ok"}')
        told = command("doctor", *words)
        assert told.returncode == 0 and f"the hub is running at 127.0.0.1:{port}" in told.stdout, told.stdout
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()
        process.stderr.close()
