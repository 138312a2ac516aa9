"""The load of people and programs on several hubs at once, each piece at any of them: turns of the sign, notifications
and objects of an app. All that was acknowledged is kept, to be compared with what there is at the end."""

import collections
import http.client
import itertools
import json
import os
import pathlib
import random
import secrets
import threading
import time

from hub import STATE

NOTIFICATIONS = "/api/v1/notifications"
TOPIC = "load"
# Seconds between two pieces of each kind, and for which an answer is waited for: a hub may stand still meanwhile.
PAUSE, PATIENCE = 0.12, 20


class LoadOnHubs:
    """Runs in its `with` block."""

    def __init__(self, hubs, app):
        self.hubs, self.app, self.chance = hubs, app, random.Random(1)
        self.token = hubs[0].owner_token
        self.counts, self.failures, self.numbers = collections.Counter(), [], itertools.count(1)
        # What was acknowledged: {turn: message}, {id: title}, numbers.
        self.turned, self.rung, self.objects = {}, {}, set()
        self._ends = threading.Event()
        self._threads = [threading.Thread(target=self._repeat, args=(one,), daemon=True)
                         for one in (self._turn, self._ring, self._create)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        for thread in self._threads:
            thread.join(4 * PATIENCE)
            assert not thread.is_alive(), "a piece of the load hangs"

    def _repeat(self, once):
        try:
            while not self._ends.wait(PAUSE):
                once(next(self.numbers))
        except Exception as error:  # told by the test
            self.failures.append(f"{once.__name__}: {error!r}")

    def _ask(self, path, fields, content):
        """Status and JSON of one attempt at any hub; None if it was told as failed, or not answered."""
        port = self.chance.choice(self.hubs).port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("POST", path, json.dumps(content), {"Content-Type": "application/json"} | fields)
            answer = connection.getresponse()
            status, body = answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.counts["no answer"] += 1
            return None
        finally:
            connection.close()
        if status >= 500:
            self.counts[f"told as failed: {status}"] += 1
            return None
        return status, json.loads(body)

    def _until_acknowledged(self, *words):
        while (answer := self._ask(*words)) is None:
            time.sleep(0.1)
        return answer

    def _turn(self, number):
        said = {"open": number % 2 == 0, "message": f"number {number}"}
        if answer := self._ask(STATE, {"Authorization": f"Bearer {self.token}"}, said):
            status, told = answer
            if status != 200:
                self.failures.append(f"a turn: {status} {told}")
            elif told["turn"] in self.turned:
                self.failures.append(f"two turns have the number {told['turn']}")
            else:
                self.turned[told["turn"]] = said["message"]

    def _ring(self, number):
        title = f"number {number}"
        body = {"to": {"topic": TOPIC}, "content": {"title": title}, "idempotency_key": secrets.token_hex(8)}
        status, told = self._until_acknowledged(NOTIFICATIONS, {"Authorization": f"Bearer {self.token}"}, body)
        if status == 202:
            self.rung[told["id"]] = title
        else:
            self.failures.append(f"a notification: {status} {told}")

    def _create(self, number):
        fields = self.app.headers() | {"X-Parse-Request-Id": secrets.token_hex(8)}
        status, told = self._until_acknowledged("/parse/classes/Turn", fields, {"number": number})
        # Parse's libraries are told so when an answer was lost and the object is there.
        if status == 201 or told.get("code") == 159:
            self.objects.add(number)
        else:
            self.failures.append(f"an object: {status} {told}")


def owner_of(port, processes):
    """The one of the processes that has a connection from this port of the machine; None if it has gone meanwhile."""
    wanted = f":{port:04X}"
    lines = pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    sockets = {f"socket:[{words[9]}]" for words in map(str.split, lines) if words[1].endswith(wanted)}
    for process in processes:
        try:
            for file in os.scandir(f"/proc/{process}/fd"):
                if os.readlink(file) in sockets:
                    return process
        except OSError:
            continue
    return None
