"""Pushes a second through the entry for APNs senders, each on the disk before its answer: nghttp2's h2load with 128
streams on one connection, and aioapns, whose own work is most of the time."""

import asyncio
import json
import pathlib
import re
import ssl
import statistics
import subprocess
import tempfile
import time

import aioapns
import aioapns.connection

from apns import APP, TEAM, Entry
from figure import Figure
from hub import Hub
from measure import needed

ROUNDS = 3
# So many devices that the queue of none is full, in which each push would have to make room.
DEVICES, STREAMS = 200, 128
PUSHES, PUSHES_OF_AIOAPNS = 40_000, 5_000
# 10,000 a second, 99 of 100 within 20 ms.
TIME_BAR, LATE_BAR = 100, 20
PAYLOAD = {"aps": {"alert": {"title": "Open", "body": "Ada has opened. There is tea."}, "sound": "default"}}


def figures():
    needed("h2load")
    with tempfile.TemporaryDirectory() as name:
        folder, hubs = pathlib.Path(name), []

        # There is no peer to be compared with, so the hub has what the sender, one thread, leaves of the machine.
        def make(**options):
            hubs.append(Hub(folder / "hub", **options))
            return hubs[-1].start()

        try:
            entry = Entry(make)
            tokens = [device(entry.hub, number) for number in range(DEVICES)]
            (folder / "body").write_text(json.dumps(PAYLOAD))
            (folder / "addresses").write_text(
                "".join(f"https://127.0.0.1:{entry.port}/3/device/{token}\n" for token in tokens))
            runs = [by_h2load(entry, folder) for _ in range(ROUNDS)]
            rate = statistics.median(rate for rate, _ in runs)
            yield Figure("APNs entry, time a push, h2load", 1e6 / rate, "µs", TIME_BAR, f"{rate:,.0f} a second")
            yield Figure(
                "APNs entry, p99 of a push, h2load", statistics.median(late for _, late in runs), "ms", LATE_BAR)
            runs = [by_aioapns(entry, tokens) for _ in range(ROUNDS)]
            yield Figure("APNs entry, pushes a second, aioapns", statistics.median(runs), "1/s")
        finally:
            for hub in hubs:
                hub.stop()


def device(hub, number):
    status, made = hub.post("/api/v1/bells/devices", hub.owner_token, {"name": f"device {number}"})
    assert status == 201, made
    return made["device_token"]


def by_h2load(entry, folder):
    """One run: pushes a second, and the milliseconds within which 99 of 100 were answered."""
    log = folder / "log"
    log.unlink(missing_ok=True)
    told = subprocess.run(
        ["h2load", "-t1", "-c1", f"-m{STREAMS}", f"-n{PUSHES}", "-d", folder / "body", "-i",
         folder / "addresses", f"--log-file={log}", "-H", f"authorization: bearer {entry.token()}", "-H",
         f"apns-topic: {APP}", "-H", "apns-push-type: alert"],
        capture_output=True, text=True, timeout=120, check=True).stdout
    assert f"{PUSHES} 2xx, 0 3xx, 0 4xx, 0 5xx" in told, told
    times = sorted(int(line.split()[2]) for line in log.read_text().splitlines())
    rate = float(re.search(r"finished in [^,]+, ([\d.]+) req/s", told)[1])
    return rate, times[len(times) * 99 // 100] / 1000


def by_aioapns(entry, tokens):
    """One run: pushes a second."""
    host = aioapns.connection.APNsProductionClientProtocol
    host.APNS_SERVER, host.APNS_PORT = "localhost", entry.port

    async def send():
        sender = aioapns.APNs(
            key=pathlib.Path(entry.provider["p8"]).read_text(), key_id=entry.provider["key_id"], team_id=TEAM,
            topic=APP, max_connections=1, ssl_context=ssl.create_default_context(cafile=entry.authority))
        turns = asyncio.Semaphore(STREAMS)

        async def push(number):
            async with turns:
                return await sender.send_notification(
                    aioapns.NotificationRequest(tokens[number % DEVICES], PAYLOAD))

        since = time.monotonic()
        answers = await asyncio.gather(*(push(number) for number in range(PUSHES_OF_AIOAPNS)))
        seconds = time.monotonic() - since
        sender.pool.close()
        assert {answer.status for answer in answers} == {"200"}
        return PUSHES_OF_AIOAPNS / seconds

    return asyncio.run(send())
