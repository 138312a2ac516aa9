"""The own tests of the Parse PHP SDK against a hub: parse_php.py DIR, a clone of
https://github.com/parse-community/parse-php-sdk at 081690d. Its tests are taken from that commit, unmodified.

They have their addresses and keys in their sources, so the hub listens on port 1337, a relay with their certificate on
1338, and the app gets their keys. What their cloud code defines is defined by webhooks, as the hub knows it. Three
tests read https://example.org; for root, a page of ours stands in for it, so that no Internet is needed. Prints sums
and what did not pass; exits with 1 if fewer passed than are promised, or if one failed that is not known to.
"""

import argparse
import collections
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "World"), str(HERE.parents[1])]

from certificates import make_certificate
from hub import Hub
from mailroom import Mailroom
from parse_app import ParseApp
from tally import from_junit

COMMIT, TESTS, PROMISED = "081690d", 604, 570
KEYS = "app-id-here", "rest-api-key-here", "master-key-here"
HTTP_PORT, TLS_PORT, STAND_IN = 1337, 1338, "127.0.0.2"
# Composer, which is not needed for anything else, would write this.
AUTOLOAD = """<?php
spl_autoload_register(function ($class) {
    foreach (['Parse\\\\Test\\\\' => '/../tests/Parse/', 'Parse\\\\' => '/../src/Parse/'] as $prefix => $folder) {
        $file = __DIR__ . $folder . str_replace('\\\\', '/', substr($class, strlen($prefix))) . '.php';
        if (str_starts_with($class, $prefix) && file_exists($file)) { require $file; return; }
    }
});
"""
# The files whose tests call functions of tests/cloud-code.js; others expect that there is none.
WITH_FUNCTIONS = ("ParseCloudTest", "ParseUserTest")
# Tests that cannot pass, by why. A name without a test stands for all of its class.
CANNOT = {
    "$relativeTime is not supported, and answered with an error": ["ParseQueryRelativeTimeTest"],
    "$text is not supported, and answered with an error": ["ParseQueryFullTextTest"],
    "$geoIntersects is not supported, and answered with an error": ["ParsePolygonTest::testPolygonContains"],
    "Cloud code's jobs run in Parse Server itself; the hub has triggers and functions by webhooks": [
        *(f"ParseCloudTest::test{name}" for name in ("GetJobsData", "RunJob", "LongJob", "FailingJob")),
        "ParseServerInfoTest::testCloudCodeFeatures"],
    "There is no POST /push: objects ring the hub's topics": [
        *(f"ParsePushTest::test{name}" for name in (
            "BasicPush", "PushToQuery", "PushToQueryWithoutWhere", "PushDates", "PushHasHeaders",
            "GettingPushStatus")),
        "ParseAudienceTest::testPushWithAudience"],
    "The hub's webhooks go over https, but to addresses on one's own network": ["ParseHooksTest::testFetchFunctions"],
    "The hub keeps no log of requests that could be asked for": ["ParseLogsTest"],
}
REASONS = {test: reason for reason, tests in CANNOT.items() for test in tests}


# The functions and triggers of tests/cloud-code.js, as webhooks.


def bar(parameters, _):
    assert parameters.get("key2") == "value1", "bad stuff happened"
    return "Foo"


def foo(parameters, _):
    assert parameters.get("key1") == "value1", "invalid!"
    if parameters.get("key2") != [1, 2, 3]:
        return {"a": 2}
    related = {"__type": "Object", "className": "Bar", "objectId": "2", "x": 3}
    thing = {"__type": "Object", "className": "Foo", "objectId": "1", "x": 2, "relation": related}
    return {"object": thing, "array": [{"__type": "Object", "className": "Bar", "objectId": "10", "x": 2}]}


def create_test_user(_, app):
    app.ask("POST", "users", {"username": "harry", "password": "potter"})
    return app.ask("GET", "login?username=harry&password=potter")[1]["sessionToken"]


FUNCTIONS = {"bar": bar, "foo": foo, "createTestUser": create_test_user}


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer("text/html", b"<title>Example Domain</title>")

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def functions(app):
    """The functions, defined at the hub for a while."""

    class Handler(Page):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                told = {"success": FUNCTIONS[self.path[1:]](asked.get("params") or {}, app)}
            except AssertionError as error:
                told = {"error": {"code": 141, "error": str(error)}}
            self.answer("application/json", json.dumps(told).encode())

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in FUNCTIONS:
        told = {"functionName": name, "url": f"http://127.0.0.1:{server.server_port}/{name}"}
        answer = app.ask("POST", "hooks/functions", told, master=True)
        if answer[0] not in (200, 201):
            print(f"The function {name} is not there: {answer}")
    try:
        yield
    finally:
        for name in FUNCTIONS:
            app.ask("PUT", f"hooks/functions/{name}", {"__op": "Delete"}, master=True)
        server.shutdown()


@contextlib.contextmanager
def tls(keys):
    """A relay to the hub on the port where the tests look for their own certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(keys / "localhost.crt", keys / "localhost.key")
    listener = socket.create_server(("127.0.0.1", TLS_PORT))

    def pass_on(one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_WR)

    def serve(near):
        with contextlib.suppress(OSError), context.wrap_socket(near, server_side=True) as one:
            with socket.create_connection(("127.0.0.1", HTTP_PORT)) as other:
                threading.Thread(target=pass_on, args=(other, one), daemon=True).start()
                pass_on(one, other)

    def accept():
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield
    finally:
        listener.close()


@contextlib.contextmanager
def example_org(folder):
    """Serves its page; yields the words with which phpunit finds and believes it, none for others than root."""
    if os.geteuid() != 0:
        yield ["phpunit"]
        return
    made = make_certificate(folder, hosts=["example.org"], rsa=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*made.paths)
    server = http.server.ThreadingHTTPServer((STAND_IN, 443), Page)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hosts = folder / "hosts"
    hosts.write_text(pathlib.Path("/etc/hosts").read_text() + f"\n{STAND_IN} example.org\n")
    try:
        yield ["unshare", "--mount", "sh", "-c", f'mount --bind {hosts} /etc/hosts && exec "$@"', "php",
               "php", "-d", f"curl.cainfo={made.certificate}", "-d", f"openssl.cafile={made.certificate}",
               shutil.which("phpunit")]
    finally:
        server.shutdown()


@contextlib.contextmanager
def hub_for_them(folder):
    """A hub with an app that has their keys, and mail."""
    with Mailroom() as room:
        hub = Hub(folder / "hub", options=[
            "--rate-limits", "off", "--smtp", f"smtp://127.0.0.1:{room.port}", "--mail-from", "bells@hub.example"])
        hub.start()
        try:
            app = ParseApp(hub, "Parse PHP SDK")
            hub.stop()
            app.choose_keys(*KEYS)
            hub.port = HTTP_PORT
            hub.start()
            # Its tests send files without signing in.
            hub.patch(f"/api/v1/apps/{app.told['app_id']}", hub.owner_token, {"public_files": True})
            yield hub, app
        finally:
            hub.kill()


def checked_out(clone, folder):
    """The commit's files in a folder, and the words that name it."""
    git = ["git", "-C", str(clone)]
    packed = folder / "sdk.tar"
    subprocess.run([*git, "archive", f"--output={packed}", COMMIT], check=True)
    subprocess.run(["tar", "-x", "-C", folder, "-f", packed], check=True)
    (folder / "vendor").mkdir()
    (folder / "vendor/autoload.php").write_text(AUTOLOAD)
    return subprocess.run(
        [*git, "log", "-1", "--format=%H of %cs", COMMIT], check=True, capture_output=True, text=True).stdout.strip()


def run_file(phpunit, folder, file, report):
    """All tests of a file: passed, failures, skipped. PHP makes no sessions once something was printed, so phpunit
    writes to the other stream."""
    ran = subprocess.run(
        [*phpunit, "--stderr", "--no-configuration", "--bootstrap", "tests/bootstrap.php", "--log-junit", report, file],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    try:
        return from_junit(report)
    except (OSError, SyntaxError):
        return 0, [(file.stem, (ran.stdout + ran.stderr)[-2000:])], []


def plain(test):
    """"Parse.Test.ParseUserTest.testLogin" as ParseUserTest::testLogin."""
    return "::".join(test.split(".")[-2:])


def known(test):
    return REASONS.get(test) or REASONS.get(test.partition("::")[0])


def main():
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("dir", type=pathlib.Path)
    reading.add_argument("only", nargs="*", help="names of test classes, such as ParseUserTest; all without")
    arguments = reading.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "sdk"
        folder.mkdir()
        commit = checked_out(arguments.dir, folder)
        files = sorted((folder / "tests/Parse").glob("*Test.php"))
        if arguments.only:
            files = [file for file in files if file.stem in arguments.only]
        pages = example_org(pathlib.Path(name))
        with hub_for_them(pathlib.Path(name)) as (hub, app), tls(folder / "tests/keys"), pages as phpunit:
            since = time.monotonic()
            results = {}
            for file in files:
                with functions(app) if file.stem in WITH_FUNCTIONS else contextlib.nullcontext():
                    results[file.stem] = run_file(phpunit, folder, file, pathlib.Path(name) / f"{file.stem}.xml")
                print(f"{file.stem:<36} {results[file.stem][0]:>4} passed", flush=True)
            seconds = time.monotonic() - since
            if os.environ.get("EIGHTBELLS_TRIAL_LOG"):
                print(hub.log[-20000:])
    return told(results, commit, seconds, bool(arguments.only))


def told(results, commit, seconds, is_part):
    """Prints it all; the exit status."""
    passed = sum(result[0] for result in results.values())
    failed = {plain(test): why for result in results.values() for test, why in result[1]}
    skipped = {plain(test): why for result in results.values() for test, why in result[2]}
    surprising = {test: why for test, why in failed.items() if not known(test)}
    reasons = collections.defaultdict(list)
    for test in sorted(failed.keys() - surprising.keys()):
        reasons[known(test)].append(test)
    print(f"\nParse PHP SDK, commit {commit}: {passed} passed, {len(failed)} failed, {len(skipped)} skipped "
          f"in {seconds:.0f} s; at least {PROMISED} of {TESTS} are promised.")
    for reason, tests in reasons.items():
        print(f"\n{reason}", *(f"  {test}" for test in tests), sep="\n")
    if skipped:
        print("\nSkipped by the suite itself", *(f"  {test}: {why}" for test, why in skipped.items()), sep="\n")
    if surprising:
        print("\nNot known to fail")
    for test, why in sorted(surprising.items()):
        print(f"  {test}", *(f"      {line}" for line in why.splitlines()[:4]), sep="\n")
    enough = is_part or passed >= PROMISED and passed + len(failed) + len(skipped) == TESTS
    return 0 if enough and not surprising else 1


if __name__ == "__main__":
    sys.exit(main())
