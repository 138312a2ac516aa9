"""Requests a CPU second over HTTP/2 and TLS 1.3: the hub beside nginx, with one certificate and the same bytes.

h2load keeps 16 requests under way on each of 32 connections. A run is long enough that its 32 handshakes are less than
a hundredth of it.
"""

import pathlib
import re
import statistics
import subprocess
import tempfile

from bench_http import PATH
from certificates import make_certificate
from figure import Figure
from hub import Hub
from measure import ON_LOAD_CORE, ON_SERVER_CORE, cpu_seconds, in_turns, median_ratio, needed, spread
from nginx import nginx, returning

ROUNDS = 9
CLIENTS, STREAMS = 32, 16
REQUESTS = 200_000
# The cipher that every server has (RFC 8446 section 9.1); by default servers choose different ones, at different costs.
CIPHER = "TLS_AES_128_GCM_SHA256"
# At least 1.5 times nginx's requests a CPU second.
BAR = 1 / 1.5

TLS = """
ssl_certificate {certificate.certificate};
ssl_certificate_key {certificate.key};
ssl_protocols TLSv1.3;
http2_max_concurrent_streams 128;
"""


def load(target):
    """One run: CPU microseconds a request, requests a second, the protocol in use, and an answer's bytes."""
    url, pid = target
    before = cpu_seconds(pid)
    told = subprocess.run(
        [*ON_LOAD_CORE, "h2load", "-t1", f"-c{CLIENTS}", f"-m{STREAMS}", f"-n{REQUESTS}", f"--tls13-ciphers={CIPHER}",
         url + PATH],
        capture_output=True, text=True, timeout=120, check=True).stdout
    used = cpu_seconds(pid) - before
    assert f"{REQUESTS} succeeded, 0 failed, 0 errored, 0 timeout" in told, told
    assert f"{REQUESTS} 2xx, 0 3xx, 0 4xx, 0 5xx" in told and "Application protocol: h2" in told, told
    spoken = re.search(r"TLS Protocol: (\S+)\nCipher: (\S+)", told)
    traffic = re.search(r"traffic: .*\((\d+)\) total, .*\((\d+)\) headers.*\((\d+)\) data", told)
    return {
        "cpu": used / REQUESTS * 1e6, "rate": float(re.search(r"finished in [^,]+, ([\d.]+) req/s", told)[1]),
        "spoken": f"{spoken[1]} with {spoken[2]}", "data": int(traffic[3]) // REQUESTS,
        "bytes": int(traffic[1]) / REQUESTS}


def figures():
    needed("h2load", "openssl")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        certificate = make_certificate(folder / "certificate")
        hub = Hub(folder / "hub", certificate=certificate, under=ON_SERVER_CORE).start()
        try:
            hub.configure()
            hub.turn(True, message="Come in", by="Ada")
            peer = TLS.format(certificate=certificate) + returning(PATH, hub.request("GET", PATH))
            with nginx(folder / "nginx", peer, listen="ssl http2") as (port, pid):
                targets = {"hub": (hub.url, hub.process.pid), "nginx": (f"https://127.0.0.1:{port}", pid)}
                yield from compare(in_turns(targets, load, ROUNDS))
        finally:
            hub.stop()


def compare(runs):
    spoken = {run["spoken"] for found in runs.values() for run in found}
    sizes = {run["data"] for found in runs.values() for run in found}
    assert len(spoken) == len(sizes) == 1, f"both must speak and send the same: {spoken}, {sizes}"
    assert spoken.pop().startswith("TLSv1.3")
    cpu = {name: [run["cpu"] for run in found] for name, found in runs.items()}
    notes = "; ".join(
        f"{name} {spread(cpu[name])} µs, {statistics.median(run['rate'] for run in found):,.0f} answers/s "
        f"of {found[0]['bytes']:.0f} bytes" for name, found in runs.items())
    for name, found in cpu.items():
        yield Figure(f"HTTP/2 over TLS, requests a CPU second, {name}", 1e6 / statistics.median(found), "1/s")
    ratio = median_ratio(cpu["hub"], cpu["nginx"])
    yield Figure("HTTP/2 over TLS, CPU a request, hub : nginx", ratio, "×", BAR, notes)
