"""CPU that one GET of /spaceapi.json costs: the hub beside nginx, which answers the same bytes from memory."""

import contextlib
import os
import pathlib
import re
import socket
import statistics
import subprocess
import tempfile

from figure import Figure
from hub import Hub, eventually

ROUNDS = 5
SECONDS = 3
CONNECTIONS = 64
PATH = "/spaceapi.json"

NGINX = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  # Without it nginx would close each connection after 1,000 requests; the hub does not.
  keepalive_requests 1000000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    default_type {content_type};
    location = {path} {{ return 200 '{body}'; }}
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def nginx(folder, body, content_type):
    """Runs nginx; gives its address and its process."""
    port = free_port()
    text = body.decode().replace("\\", "\\\\").replace("'", "\\'")
    assert "$" not in text, "nginx would read it as a variable"
    (folder / "nginx.conf").write_text(NGINX.format(
        folder=folder, port=port, path=PATH, body=text, content_type=content_type))
    process = subprocess.Popen(["nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log"])
    try:
        eventually(lambda: can_connect(port), what="nginx to listen")
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait(10)


def can_connect(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def processes(pid):
    """A process and its children, as nginx's worker."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


def cpu_seconds(pid):
    """CPU time of all threads, to the nanosecond."""
    files = [file for one in processes(pid) for file in pathlib.Path(f"/proc/{one}/task").glob("*/schedstat")]
    return sum(int(file.read_text().split()[0]) for file in files) / 1e9


def load(url, pid):
    """One run: requests a second, and CPU microseconds a request."""
    pinned = ["taskset", "-c", str(os.cpu_count() - 1)] if os.cpu_count() > 1 else []
    before = cpu_seconds(pid)
    told = subprocess.run(
        [*pinned, "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", url + PATH], capture_output=True, text=True,
        timeout=60, check=True).stdout
    used = cpu_seconds(pid) - before
    assert "Non-2xx" not in told and "Socket errors" not in told, told
    requests = int(re.search(r"(\d+) requests in", told)[1])
    return float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1]), used / requests * 1e6


def figures():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hub = Hub(folder / "hub").start()
        try:
            hub.configure()
            hub.turn(True, message="Come in", by="Ada")
            answer = hub.request("GET", PATH)
            with nginx(folder, answer.body, answer.headers["Content-Type"]) as (url, pid):
                yield from compare(hub, url, pid, answer.body)
        finally:
            hub.stop()


def compare(hub, url, pid, body):
    import urllib.request

    with urllib.request.urlopen(url + PATH, timeout=10) as answer:
        assert answer.read() == body, "both must answer the same"
    targets = {"hub": (hub.url, hub.process.pid), "nginx": (url, pid)}
    runs = {name: [] for name in targets}
    for number in range(ROUNDS):
        order = list(targets) if number % 2 == 0 else list(targets)[::-1]
        for name in order:
            runs[name].append(load(*targets[name]))
    rate, cpu = ({name: statistics.median(run[index] for run in found) for name, found in runs.items()}
                 for index in (0, 1))
    spread = "; ".join(f"{name} {min(r[1] for r in found):.2f} to {max(r[1] for r in found):.2f} µs, "
                       f"{rate[name]:,.0f} requests/s" for name, found in runs.items())
    yield Figure("GET /spaceapi.json, CPU a request, hub", cpu["hub"], "µs")
    yield Figure("GET /spaceapi.json, CPU a request, nginx", cpu["nginx"], "µs")
    yield Figure("GET /spaceapi.json, CPU a request, hub : nginx", cpu["hub"] / cpu["nginx"], "×", notes=spread)
