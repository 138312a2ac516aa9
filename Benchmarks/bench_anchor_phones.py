"""The cost of ten thousand phones that report once a minute each: with their secret, their position, and five
notifications that wait for places. In pockets, since a boat has few."""

import base64
import contextlib
import hashlib
import http.client
import json
import pathlib
import sqlite3
import tempfile
import time

from figure import Figure
from hub import Hub
from measure import cpu_seconds

PHONES = 10_000
PEOPLE = 2_000
SECONDS = 20
PLACES = 5
# Requests on one connection; a phone whose connection is kept open for a minute costs no more.
ON_ONE = 100
SHARE = 5.0  # % of a core


def secret(number):
    return f"ebd_phone-{number:026d}"


def add_phones(data):
    """Writes so many phones directly into a stopped hub's store."""
    now = time.time()
    with contextlib.closing(sqlite3.connect(data / "eightbells.sqlite")) as database:
        database.executemany(
            "INSERT INTO people (name, role, created_at) VALUES (?, 'member', ?)",
            [(f"Member {number}", now) for number in range(PEOPLE)])
        people = [row[0] for row in database.execute("SELECT id FROM people ORDER BY id")]
        database.executemany(
            "INSERT INTO anchor_phones (name, app, person, aboard, secret, created_at, last) VALUES "
            "(?, 'owntracks', ?, 0, ?, ?, ?)",
            [(f"Phone {number}", people[number % len(people)], hashlib.sha256(secret(number).encode()).digest(), now,
              now) for number in range(PHONES)])
        database.commit()


def wait_at_places(hub):
    for number in range(PLACES):
        status, answer = hub.post("/api/v1/notifications", hub.owner_token, {
            "to": {"role": "member"}, "content": {"title": "Near"}, "trigger": {
                "type": "location", "latitude": 54 + number, "longitude": 10, "radius": 500, "on": "enter",
                "repeats": True}})
        assert status == 202, answer


def report(connection, number):
    basic = base64.b64encode(f"phone:{secret(number)}".encode()).decode()
    body = json.dumps({
        "_type": "location", "lat": 48 + number / 10_000, "lon": 11.5, "acc": 8, "tst": int(time.time()), "batt": 70,
        "bs": 1, "m": 1, "tid": "AB", "conn": "m"})
    connection.request("POST", "/api/v1/anchor/owntracks", body, {
        "Authorization": f"Basic {basic}", "Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 200 and answer.read() == b"[]", answer.status


def figures():
    with tempfile.TemporaryDirectory() as name:
        hub = Hub(pathlib.Path(name) / "hub").start()
        try:
            hub.stop()
            add_phones(hub.data)
            hub.start()
            wait_at_places(hub)
            pid = hub.process.pid
            time.sleep(2)  # not to wait for something: the start is not measured
            idle = cpu_seconds(pid)
            time.sleep(5)
            idle = (cpu_seconds(pid) - idle) / 5
            began, used, sent = time.monotonic(), cpu_seconds(pid), 0
            due = PHONES / 60
            connection = None
            while (passed := time.monotonic() - began) < SECONDS:
                while sent < passed * due:
                    if sent % ON_ONE == 0:
                        if connection:
                            connection.close()
                        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=15)
                    report(connection, sent % PHONES)
                    sent += 1
                time.sleep(0.02)
            used = (cpu_seconds(pid) - used) / (time.monotonic() - began)
            yield Figure(
                f"{PHONES:,} phones that report once a minute, CPU", used * 100, "% of a core", SHARE,
                f"{sent:,} reports in {SECONDS} s, {PLACES} places waited for; {idle * 100:.1f} % without reports")
        finally:
            hub.stop()
