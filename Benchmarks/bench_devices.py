"""The cost of ten thousand signed-in devices while nothing happens: CPU time, wake-ups and memory, beside a hub that
has none. Sessions are rows in the store, without a copy in memory or a timer."""

import contextlib
import hashlib
import http.client
import pathlib
import sqlite3
import tempfile
import time

from figure import Figure
from hub import SESSION, Hub
from measure import own_cpu_seconds, resident_of, settle

DEVICES = 10_000
PEOPLE = 500
SECONDS = 10
ASKED = 1_000
# Differences between runs of the same hub: a page of memory here, a timer there.
MORE_MEMORY = 4.0  # MB
MORE_CPU = 200  # µs/s


def secret(number):
    return f"device-{number:027d}"


def sign_in(data):
    """Writes so many devices directly into a stopped hub's store, since signing them in would take too long."""
    now = time.time()
    with contextlib.closing(sqlite3.connect(data / "eightbells.sqlite")) as database:
        database.executemany(
            "INSERT INTO people (name, role, created_at) VALUES (?, 'member', ?)",
            [(f"Member {number}", now) for number in range(PEOPLE)])
        people = [row[0] for row in database.execute("SELECT id FROM people ORDER BY id")]
        database.executemany(
            "INSERT INTO devices (person, name, digest, created_at, last_seen) VALUES (?, 'phone', ?, ?, ?)",
            [(people[number % PEOPLE], hashlib.sha256(secret(number).encode()).digest(), now, now)
             for number in range(DEVICES)])
        database.commit()


def switches(pid):
    """The number of context switches of its threads."""
    texts = [file.read_text() for file in pathlib.Path(f"/proc/{pid}/task").glob("*/status")]
    return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if "ctxt_switches" in line)


def idle(hub):
    """CPU (µs/s), context switches, and memory (MB) of a hub without requests, and without its programs that look at
    pictures, which begin ten seconds after it."""
    pid = hub.process.pid
    cpu, turns = own_cpu_seconds(pid), switches(pid)
    # Not to wait for something: idle time is measured.
    time.sleep(SECONDS)
    return (own_cpu_seconds(pid) - cpu) / SECONDS * 1e6, switches(pid) - turns, resident_of([pid])[0] / 1024


def figures():
    with tempfile.TemporaryDirectory() as name:
        hubs = [Hub(pathlib.Path(name) / folder).start() for folder in ("none", "many")]
        try:
            hubs[1].stop()
            sign_in(hubs[1].data)
            for hub in hubs:
                hub.stop()
                hub.start()
            for hub in hubs:
                settle(lambda hub=hub: own_cpu_seconds(hub.process.pid))
            none, many = idle(hubs[0]), idle(hubs[1])
            yield Figure(
                f"{DEVICES:,} signed-in devices, idle CPU, more than without", max(0, many[0] - none[0]), "µs/s",
                MORE_CPU, f"{many[0]:.0f} µs/s and {many[1]} switches in {SECONDS} s with them, "
                f"{none[0]:.0f} µs/s and {none[1]} without")
            yield Figure(
                f"{DEVICES:,} signed-in devices, memory, more than without", max(0, many[2] - none[2]), "MB",
                MORE_MEMORY, f"{many[2]:.1f} MB with them, {none[2]:.1f} MB without")
            yield asking(hubs[1])
        finally:
            for hub in hubs:
                hub.stop()


def asking(hub):
    """The time of one request by a cookie, each from another device; and a check that the memory does not grow."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=15)
    connection.request("GET", SESSION)
    connection.getresponse().read()
    before, began = resident_of([hub.process.pid])[0], own_cpu_seconds(hub.process.pid)
    for number in range(0, DEVICES, DEVICES // ASKED):
        connection.request("GET", SESSION, headers={"Cookie": f"eightbells={secret(number)}"})
        answer = connection.getresponse().read()
        assert b'"member"' in answer, answer
    used = own_cpu_seconds(hub.process.pid) - began
    connection.close()
    grown = (resident_of([hub.process.pid])[0] - before) / 1024
    return Figure(
        "who is signed in, by its cookie, CPU", used / ASKED * 1e6, "µs",
        notes=f"{ASKED:,} devices asked, one after the other; {grown:.1f} MB more memory afterwards")
