"""Objects on hard days: kills under load, strangers, and apps that know nothing of each other."""

import contextlib
import http.client
import json
import re
import threading

from hub import eventually
from parse_app import ParseApp
from wire import Wire
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

WRITERS = 8


class Writers:
    """Threads that create numbered objects, each on a connection of its own, until the hub is gone."""

    def __init__(self, app):
        self.app, self.acknowledged, self.lock = app, {}, threading.Lock()
        self.threads = [threading.Thread(target=self.write, args=(number,)) for number in range(WRITERS)]
        for thread in self.threads:
            thread.start()

    def write(self, writer):
        connection = http.client.HTTPConnection("127.0.0.1", self.app.hub.port, timeout=15)
        number = 0
        try:
            while True:
                name = f"{writer}-{number}"
                connection.request("POST", "/parse/classes/Word", json.dumps({"name": name}), self.app.headers())
                answer = connection.getresponse()
                told = json.loads(answer.read())
                assert answer.status == 201, told
                with self.lock:
                    self.acknowledged[told["objectId"]] = name
                number += 1
        except (OSError, http.client.HTTPException):
            pass

    def end(self):
        for thread in self.threads:
            thread.join(30)
            assert not thread.is_alive()


def test_after_a_kill_under_load_all_that_was_acknowledged_is_there_once_and_every_event_is_of_an_object(make_hub):
    hub = make_hub(options=("--rate-limits", "off"))
    app = ParseApp(hub)
    assert app.ask("POST", "classes/Word", {"name": "first"})[0] == 201
    heard = []
    with connect(f"ws://127.0.0.1:{hub.port}/parse", compression=None) as listener:
        listener.send(json.dumps({"op": "connect", "applicationId": app.application_id, "clientKey": app.rest_key}))
        assert json.loads(listener.recv(15))["op"] == "connected"
        listener.send(json.dumps({"op": "subscribe", "requestId": 1, "query": {"className": "Word", "where": {}}}))
        assert json.loads(listener.recv(15))["op"] == "subscribed"
        writers = Writers(app)
        eventually(lambda: len(writers.acknowledged) > 200, 30, "200 objects")
        # On a busy machine events come later than the answers to those who write.
        heard += [json.loads(listener.recv(15))["object"]["objectId"] for _ in range(101)]
        hub.kill()
        writers.end()
        try:
            while True:
                heard.append(json.loads(listener.recv(15))["object"]["objectId"])
        except ConnectionClosed:
            pass
    hub.start()
    found = []
    while True:
        status, answer = app.ask("GET", f"classes/Word?order=objectId&limit=1000&skip={len(found)}", master=True)
        assert status == 200
        found += [(one["objectId"], one["name"]) for one in answer["results"]]
        if len(answer["results"]) < 1000:
            break
    assert len(found) == len(set(found)) == len({name for _, name in found}), "none is there twice"
    assert writers.acknowledged.items() <= dict(found).items(), "what was acknowledged is kept"
    assert len(heard) == len(set(heard)) and len(heard) > 100, "none was told twice"
    assert set(heard) <= dict(found).keys(), "no event without its object"


def test_apps_know_nothing_of_each_other(hub):
    one, other = ParseApp(hub, "One"), ParseApp(hub, "Other")
    status, made = one.ask("POST", "classes/Word", {"name": "mine"})
    assert status == 201
    assert other.ask("GET", f"classes/Word/{made['objectId']}", master=True)[1]["code"] == 101
    assert other.ask("GET", "classes/Word", master=True) == (200, {"results": []})
    assert [kind for kind in other.ask("GET", "schemas", master=True)[1]["results"]
            if kind["className"] == "Word"] == []
    assert one.ask("POST", "users", {"username": "ada", "password": "lovelace"})[0] == 201
    assert other.ask("GET", "login?username=ada&password=lovelace")[0] == 404
    assert other.ask("POST", "users", {"username": "ada", "password": "byron"})[0] == 201
    refusal = (403, {"error": "unauthorized"})
    own, other.rest_key = other.rest_key, one.rest_key
    assert other.ask("GET", "classes/Word") == refusal, "another app's key"
    other.rest_key = own
    assert hub.command("app", "delete", one.told["app_id"]).returncode == 0
    eventually(lambda: one.ask("GET", "classes/Word") == refusal, 10, "the hub to notice what the command removed")
    assert other.ask("GET", "classes/Word")[0] == 200


def test_bodies_of_pages_count_for_their_address_and_take_nothing_of_what_the_known_share(hub, app):
    """A page has its key in the body, and whoever reads the page has the key."""
    def held(name):
        text = hub.get("/metrics", token=hub.owner_token)[1]
        return float(re.search(rf"^eightbells_{name}_bytes (\S+)$", text, re.M)[1])

    def begin(fields):
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        opened.enter_context(Wire(hub)).send(
            f"POST /parse/classes/Word HTTP/1.1\r\nHost: hub\r\n{lines}Content-Length: {1 << 20}\r\n\r\n",
            bytes(500_000))

    with contextlib.ExitStack() as opened:
        begin({"Content-Type": "text/plain"})
        begin(app.headers())
        eventually(lambda: held("unread") >= 1_000_000)
        assert held("body") == 0
        begin(app.headers(master=True))
        eventually(lambda: held("body") >= 500_000)


def test_an_app_over_its_bytes_of_files_is_refused_and_deletion_frees(app):
    app.set(file_megabytes=1, public_files=True)

    def send(size):
        fields = app.headers() | {"Content-Type": "application/octet-stream"}
        return app.hub.request("POST", "/parse/files/a.bin", fields, b"x" * size)

    first = send((1 << 20) - 10)
    assert first.status == 201
    assert (send(11).status, send(11).json["code"]) == (400, 140)
    assert send(10).status == 201
    kept = app.kept()
    assert (kept["files"], kept["file_bytes"], kept["full"]) == (2, 1 << 20, True)
    app.client(master=True).ask("DELETE", f"files/{first.json['name']}")
    assert send(11).status == 201
