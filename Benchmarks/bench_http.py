"""CPU that one GET of /spaceapi.json costs: the hub beside nginx, which answers the same bytes from memory.

Each server has one core and the load the other. CPU time decides, since it is steadier than the clock.
"""

import pathlib
import re
import statistics
import subprocess
import tempfile

from figure import Figure
from hub import Hub
from measure import ON_LOAD_CORE, ON_SERVER_CORE, cpu_seconds, in_turns, median_ratio, needed, spread
from nginx import nginx, returning

# Many short rounds rather than a few long ones: a burst of other load affects one pair, and the median ignores it.
ROUNDS = 21
SECONDS = 1
CONNECTIONS = 64
PATH = "/spaceapi.json"
BAR = 1.0


def load(target):
    """One run: CPU microseconds, bytes and answers a second."""
    url, pid = target
    before = cpu_seconds(pid)
    told = subprocess.run(
        [*ON_LOAD_CORE, "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", url + PATH], capture_output=True, text=True,
        timeout=60, check=True).stdout
    used = cpu_seconds(pid) - before
    assert "Non-2xx" not in told and "Socket errors" not in told, told
    requests = int(re.search(r"(\d+) requests in", told)[1])
    return {"cpu": used / requests * 1e6, "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1])}


def figures():
    needed("wrk")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hub = Hub(folder / "hub", under=ON_SERVER_CORE).start()
        try:
            hub.configure()
            hub.turn(True, message="Come in", by="Ada")
            answer = hub.request("GET", PATH)
            with nginx(folder / "nginx", returning(PATH, answer)) as (port, pid):
                targets = {"hub": (hub.url, hub.process.pid), "nginx": (f"http://127.0.0.1:{port}", pid)}
                sizes = {name: answered_bytes(url, answer.body) for name, (url, _) in targets.items()}
                yield from compare(in_turns(targets, load, ROUNDS), sizes)
        finally:
            hub.stop()


def answered_bytes(url, body):
    """The length of an answer with its head; its body must be this one."""
    told = subprocess.run(
        ["curl", "-sSi", url + PATH], capture_output=True, timeout=10, check=True).stdout
    assert told.endswith(b"\r\n\r\n" + body), "both must answer the same"
    return len(told)


def compare(runs, sizes):
    cpu = {name: [run["cpu"] for run in found] for name, found in runs.items()}
    notes = "; ".join(
        f"{name} {spread(cpu[name])} µs, {statistics.median(run['rate'] for run in found):,.0f} answers/s "
        f"of {sizes[name]} bytes" for name, found in runs.items())
    for name, found in cpu.items():
        yield Figure(f"GET {PATH}, CPU a request, {name}", statistics.median(found), "µs")
    yield Figure(f"GET {PATH}, CPU a request, hub : nginx", median_ratio(cpu["hub"], cpu["nginx"]), "×", BAR, notes)
