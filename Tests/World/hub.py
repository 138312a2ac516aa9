"""The hub as the tests use it: the real program, in a folder and on a port of its own."""

import contextlib
import functools
import http.client
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("EIGHTBELLS_BINARY") or ROOT / ".build/release/eightbells").absolute()
# That of the second of two hubs, if it is another one.
SECOND = os.environ.get("EIGHTBELLS_SECOND")

# For a debug build on a busy machine; every wait has a limit.
START_SECONDS = 20
STOP_SECONDS = 20
ANSWER_SECONDS = 15

RECORDS = "eightbells.sqlite"

# Seconds until what was changed at one hub is known at another.
A_MOMENT = 0.03

STATE = "/api/v1/space/state"
SESSION = "/api/v1/session"
SETTINGS = "/api/v1/space/settings"
EVENTS = "/api/v1/space/events"
# The addresses for uploading and for showing the space's logo, and the event stream of a channel.
LOGO_UPLOAD = "/api/v1/space/pictures/logo"
LOGO = "/space/pictures/logo"
EVENT_STREAM = "/events/space"

# Settings as an owner sends them; every test changes only the ones that it needs.
SPACE = {
    "name": "Test space",
    "logo": "https://space.example/logo.svg",
    "url": "https://space.example",
    "color": None,
    "address": "Am Speicher 8, 28195 Bremen",
    "lat": 53.0838,
    "lon": 8.7922,
    "timezone": "Europe/Berlin",
    "contact": {"email": "hello@space.example"},
    "opening_hours": "Tu,Th 18:00-23:00",
    "calendars": [],
    "tonight_at": "16:00",
    "news_at": "10:00",
    "legal_notice": None,
    "privacy": None,
}


def eventually(condition, seconds=10, what=None):
    """Repeats `ask` until the answer is truthy, and returns it; fails when that takes too long."""
    since = time.monotonic()
    while True:
        answer = condition()
        if answer:
            return answer
        waited = time.monotonic() - since
        if waited > seconds:
            raise AssertionError(f"not within {seconds} s: {what or condition}; last answer: {answer!r}")
        time.sleep(0.02 if waited < 2 else 0.1)  # nobody may ask for long as often as that


def is_ready(file, seconds):
    """True when something can be read; not by select(), which knows 1,024 descriptors."""
    waiting = select.poll()
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def clean_environment(**variables):
    """The test's environment without the variables that would configure the hub."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EIGHTBELLS_")}
    return kept | variables


def command(*words, env=None, cwd=None, seconds=START_SECONDS, program=None):
    """Runs the program, or another one, to its end; output as text."""
    return subprocess.run(
        [program or BINARY, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=seconds, check=False,
        env=clean_environment(**(env or {})))


class Answer:
    """An HTTP answer: status, fields, bytes."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class SameServer:
    """A PostgreSQL server on which a second hub has the records of the first."""

    def __init__(self, address):
        self.address = address

    def database(self, *_):
        return self.address


# What a hub writes into its records when it starts for the first time, beside the tables.
OWN_ROWS = {"hub_address", "hub_leases", "hub_members", "hub_news", "programme_rung", "realtime_commits",
            "realtime_keys", "webpush_keys"}


def forget_itself(data):
    """Takes out of a hub's data folder what makes it this hub and no other one."""
    with contextlib.closing(sqlite3.connect(data / RECORDS, isolation_level=None)) as records:
        tables = {name for name, in records.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in OWN_ROWS & tables:
            records.execute(f"DELETE FROM {table}")
        records.execute("VACUUM")


@functools.cache
def empty_tables(kind):
    """The records' file of a hub of this class that has never run: the tables."""
    with tempfile.TemporaryDirectory() as folder:
        hub = kind(pathlib.Path(folder) / "data")
        hub.gets_tables = False
        hub.start().stop()
        forget_itself(hub.data)
        return (hub.data / RECORDS).read_bytes()


@functools.cache
def tables_on(server, kind):
    """The address of a database on a server with the same: the tables, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        hub = kind(pathlib.Path(folder) / "data")
        hub.server, hub.gets_tables, hub.bus = server, False, None
        hub.start().stop()
        address = server.database(hub.data)
        server.ask("".join(f"DELETE FROM {table};" for table in sorted(OWN_ROWS)), address)
        return address


class Hub:
    """A running hub. `start` after `stop` or `kill` takes the same port again."""

    # Another program than the usual one (toy.py).
    program = None
    # Further options of every hub; set by the benchmarks, and in toy.py.
    usual_options = ()
    # Whether a new hub gets its tables as a copy of another one's; set by conftest.py, since tests start thousands of
    # hubs, and making the tables is half of what that costs.
    gets_tables = False
    # The PostgreSQL server (postgres.py) that has the records of every hub; set by `pytest --on-server`.
    server = None
    # The bus (nats.py) of every two hubs that take requests in turn; set by `pytest --on-two-hubs`.
    bus = None

    def __init__(self, folder, demo=False, env=None, certificate=None, options=(), under=(), terminal=False):
        """`certificate` makes it use TLS; `options` are those of `serve`; `under` is a command to run it under, such as
        taskset; with `terminal` its greeting goes to a terminal, and not into a pipe."""
        self.data = pathlib.Path(folder)
        self.demo = demo
        # Calendars in tests come from this machine, and push services are on it.
        self.env = {
            "EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.0/8,::1/128", "EIGHTBELLS_PUSH_NETWORKS": "127.0.0.0/8,::1/128",
            "EIGHTBELLS_SPACE_DIRECTORY": "none"} | (env or {})
        self.certificate = certificate
        self.options = [*self.usual_options, *options]
        self.under = [*under]
        self.terminal = terminal
        self.port = 0
        self.process = None
        # With a bus: another hub with the same records, which gets every other request.
        self.second = None
        self.turns = 0
        self.greeting = ""
        self._log = self.data.parent / f"{self.data.name}.log"

    @property
    def _has_other_tables(self):
        """On a server, or those of other rooms."""
        return not {"--store", "--rooms"}.isdisjoint(map(str, self.options[len(self.usual_options):]))

    # Starting and ending

    def start(self):
        """Starts it and waits for the line with its address."""
        copies = self.gets_tables and not (self.demo or self._has_other_tables)
        if copies and not (self.data.exists() or self.server):
            self.data.mkdir(mode=0o700, parents=True)
            (self.data / RECORDS).touch(0o600)
            (self.data / RECORDS).write_bytes(empty_tables(type(self)))
        words = [*self.under, self.program or BINARY, "serve", "--data", self.data]
        words += ["--listen", f"127.0.0.1:{self.port}", *self.options]
        if self.server:
            like = copies and not isinstance(self.server, SameServer) and tables_on(self.server, type(self))
            words += ["--store", self.server.database(self.data, like)]
        if self.bus:
            blobs = self.data.parent / f"{self.data.name}-blobs"
            blobs.mkdir(parents=True, exist_ok=True)
            words += ["--blobs", blobs, "--bus", self.bus.url, "--drain", "0"]
        if self.certificate:
            words += ["--certificate", self.certificate.certificate, "--key", self.certificate.key]
        ours, theirs = pty.openpty() if self.terminal else (None, subprocess.PIPE)
        with open(self._log, "ab") as log:
            self.process = subprocess.Popen(
                words + (["--demo"] if self.demo else []), stdout=theirs, stderr=log,
                env=clean_environment(**self.env))
        if self.terminal:
            os.close(theirs)
            self.process.stdout = os.fdopen(ours, "rb", buffering=0)
        line = self._first_line()
        if not line.startswith(f"Eightbells listens on {self.scheme}://"):
            self.kill()
            raise AssertionError(f"the hub said {line!r}; its log:\n{self.log}")
        self.port = int(line.rsplit(":", 1)[1])
        if self.bus:
            self._start_second()
        return self

    def _start_second(self):
        """A hub with the same records: its own data folder has nothing but the owner's files."""
        if self.second is None:
            self.second = type(self)(
                self.data.parent / f"{self.data.name}-second", env=self.env, certificate=self.certificate,
                options=self._options_of_second(), under=self.under)
            self.second.server = SameServer(self.server.database(self.data))
            self.second._start_second = lambda: None
        blobs = self.second.data.parent / f"{self.second.data.name}-blobs"
        blobs.unlink(missing_ok=True)
        blobs.symlink_to(self.data.parent / f"{self.data.name}-blobs")
        if (self.data / "eightbells.conf").exists():
            self.second.data.mkdir(exist_ok=True)
            shutil.copy(self.data / "eightbells.conf", self.second.data)
        self.second.program = SECOND or self.program
        self.second.start()

    def _options_of_second(self):
        """Those of the first; where that takes an entry's port, any other one, since both are on one machine. Links
        lead to the first, as they lead to a web server in front of both."""
        options = [f"{str(word).rpartition(':')[0]}:0" if before == "--apns-listen" else word
                   for before, word in zip([None, *self.options], self.options)]
        return options if "--public-url" in options else [*options, "--public-url", self.url]

    def _first_line(self):
        until = time.monotonic() + START_SECONDS
        text = b""
        output = self.process.stdout
        while b"\n" not in text and time.monotonic() < until:
            if not is_ready(output, max(0, until - time.monotonic())):
                break
            read = os.read(output.fileno(), 4096)
            if not read:
                break
            text += read
        # A pipe gets the whole greeting at once, a terminal line by line.
        while self.terminal and is_ready(output, 0.5) and (read := os.read(output.fileno(), 4096)):
            text += read
        self.greeting = text.decode().replace("\r\n", "\n")
        return self.greeting.partition("\n")[0]

    def line(self, beginning):
        """The line of its greeting with this beginning; None without one."""
        return next((line for line in self.greeting.splitlines() if line.startswith(beginning)), None)

    def running(self):
        """The hub, which the test before may have ended."""
        return self if self.process else self.start()

    def stop(self):
        """Stops it and waits; returns its exit status."""
        return self._end(signal.SIGTERM)

    def kill(self):
        """Kills it, as in a power failure."""
        return self._end(signal.SIGKILL)

    def _end(self, how):
        if self.second is not None:
            self.second._end(how)
        if self.process is None:
            return None
        process, self.process = self.process, None
        try:
            if process.poll() is None:
                process.send_signal(how)
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)
            raise AssertionError(f"the hub did not stop within {STOP_SECONDS} s; its log:\n{self.log}") from None
        finally:
            process.stdout.close()

    @property
    def log(self):
        """Its log, of all its runs."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def scheme(self):
        return "https" if self.certificate else "http"

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def socket_url(self):
        scheme = "wss" if self.certificate else "ws"
        return f"{scheme}://127.0.0.1:{self.port}/app/eightbells?protocol=7&client=test&version=1"

    def command(self, *words):
        """Runs a command beside the running hub."""
        return command(*words, "--data", self.data, program=self.program)

    # Tokens

    def token(self, role, name=None):
        """Makes a token with the command beside the running hub."""
        made = self.command("token", "create", "--name", name or f"test {role}", "--role", role)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    @functools.cached_property
    def owner_token(self):
        return self.token("owner")

    @functools.cached_property
    def keykeeper_token(self):
        return self.token("keykeeper")

    # People

    def setup_link(self):
        """The link for the first owner, made by the command beside the hub."""
        made = self.command("link", "--role", "owner")
        assert made.returncode == 0, made.stderr
        return made.stdout.splitlines()[0]

    def link(self, role="owner", name=None):
        """A one-time link, made beside the running hub: its secret and its code."""
        made = self.command("link", "--role", role, "--name", name or f"Test {role}")
        assert made.returncode == 0, made.stderr
        url, code = made.stdout.splitlines()[:2]
        return url.partition("#")[2], code.removeprefix("Code: ")

    def sign_in(self, role="owner", name=None, device="test"):
        """Signs a device in as a person of that role and name, who is made if missing. Returns the header fields of its
        requests, as a browser sends them: they can be used wherever a token can."""
        content = json.dumps({"link": self.link(role, name)[0], "device": device})
        answer = self.request("POST", SESSION, {"Content-Type": "application/json", "Origin": self.url}, content)
        assert answer.status == 200, answer.body
        return {"Cookie": answer.headers["Set-Cookie"].partition(";")[0], "Origin": self.url}

    def sign_in_browser(self, context, role="owner", name=None):
        """The same for all pages of a Playwright context. Returns the header fields too."""
        fields = self.sign_in(role, name, device="browser")
        cookie, _, value = fields["Cookie"].partition("=")
        context.add_cookies([{
            "name": cookie, "value": value, "url": self.url, "httpOnly": True, "sameSite": "Lax",
            "secure": bool(self.certificate)}])
        return fields

    def remove(self, name):
        """Removes a person, if there is one, with all that is theirs: the next of that name begins anew."""
        for one in self.get("/api/v1/people", token=self.owner_token)[1]:
            if one["name"] == name:
                assert self.delete(f"/api/v1/people/{one['id']}", self.owner_token)[0] == 204

    # Requests

    def request(self, method, path, headers=None, body=None):
        """One request on a connection of its own: the whole answer."""
        connection = self.connection()
        if self.second is not None:
            # As a web server in front of both passes it on.
            headers = {"Host": f"127.0.0.1:{self.port}"} | (headers or {})
        try:
            connection.request(method, path, body=body, headers=headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()
            if self.second is not None and method != "GET":
                # Others than this ask the hub itself, and not in turn (parse_client.py).
                time.sleep(A_MOMENT)

    def connection(self):
        """A new connection of Python's own client."""
        if self.second is not None and self.second.process is not None:
            time.sleep(A_MOMENT)
            self.turns += 1
            if self.turns % 2:
                return self.second.connection()
        if self.certificate:
            return http.client.HTTPSConnection(
                "127.0.0.1", self.port, timeout=ANSWER_SECONDS, context=self.certificate.trusted())
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)

    def get(self, path, headers=None, token=None):
        """Status, and the JSON (or the text of what is none)."""
        return self._exchange("GET", path, token, headers=headers)

    def post(self, path, token=None, json=None):
        """`token` is a token, or the header fields of a signed-in device."""
        return self._exchange("POST", path, token, json)

    def put(self, path, token=None, json=None):
        return self._exchange("PUT", path, token, json)

    def patch(self, path, token=None, json=None):
        return self._exchange("PATCH", path, token, json)

    def delete(self, path, token=None):
        return self._exchange("DELETE", path, token)

    def _exchange(self, method, path, token, content=None, headers=None):
        headers = dict(headers or {})
        if isinstance(token, dict):
            headers |= token
        elif token:
            headers["Authorization"] = f"Bearer {token}"
        body = None
        if method not in ("GET", "DELETE"):
            headers["Content-Type"] = "application/json"
            body = json.dumps(content).encode()
        answer = self.request(method, path, headers, body)
        is_json = "json" in answer.headers.get("Content-Type", "")
        return answer.status, answer.json if is_json else answer.body.decode(errors="replace")

    # What tests do most

    def configure(self, **changes):
        """Writes the settings of `SPACE` with some changes."""
        status, answer = self.put(SETTINGS, self.owner_token, SPACE | changes)
        assert status == 200, answer
        return answer

    def turn(self, open, **words):
        """Turns the sign as a keykeeper; returns the hub's answer."""
        status, answer = self.post(STATE, self.keykeeper_token, {"open": open} | words)
        assert status == 200, answer
        return answer

    def state(self):
        status, answer = self.get(STATE)
        assert status == 200, answer
        return answer

    def events(self, first="2026-01-01", last="2027-01-01"):
        """The whole answer about the events of these days."""
        status, answer = self.get(f"{EVENTS}?from={first}&to={last}")
        assert status == 200, answer
        return answer

    def sources(self):
        return self.events()["sources"]
