"""Publishing with wrk: each of so many connections sends the next one when the last was answered."""

import dataclasses
import os
import pathlib
import re
import subprocess

from measure import ON_LOAD_CORE

SCRIPT = pathlib.Path(__file__).resolve().with_name("publish.lua")
MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1000}


@dataclasses.dataclass
class Target:
    """A server, and what it is sent: a text with two "%d", for the number of a device and that of the request."""

    pid: int
    url: str
    path: str
    body: str
    token: str | None = None

    @staticmethod
    def hub(hub):
        return Target(
            hub.process.pid, hub.url, "/api/v1/notifications",
            '{"to": {"device": "%d"}, "content": {"title": "Open", "body": "Ada has opened, number %d"}}',
            hub.owner_token)


def publish(target, connections, seconds, devices, under=ON_LOAD_CORE):
    """One run: answers a second, and the milliseconds that the slowest hundredth takes at least."""
    variables = {"WHERE": target.path, "BODY": target.body, "DEVICES": str(devices)}
    if target.token:
        variables["TOKEN"] = target.token
    told = subprocess.run(
        [*under, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", SCRIPT, target.url],
        capture_output=True, text=True, timeout=60, check=True, env=os.environ | variables).stdout
    assert "Non-2xx" not in told and "Socket errors" not in told, told
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", told).groups()
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1]), "p99": float(value) * MILLISECONDS[unit],
        "count": int(re.search(r"(\d+) requests in", told)[1])}
