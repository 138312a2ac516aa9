"""The cost of an idle agent, connected over TLS after it has shown some notifications: memory and CPU."""

import pathlib
import ssl
import tempfile
import time

from agent import AGENT, SECRET, Agent
from certificates import make_certificate
from figure import Figure
from gateway import Gateway
from measure import cpu_seconds

SHOWN = 300
SECONDS = 60
# What a small computer has to spare, and a thousandth of its core.
WISHED_MEMORY, WISHED_CPU = 12, 1_000


def figures():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        certificate = make_certificate(folder / "tls")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*certificate.paths)
        variables = {"SSL_CERT_FILE": str(certificate.certificate)}
        with Gateway(SECRET, tls=context) as gateway, Agent(folder, gateway.url, env=variables) as agent:
            gateway.wait_connected()
            for number in range(SHOWN):
                last = gateway.show(f"number {number}", body="x" * 500)
            gateway.wait_acknowledged(last)
            before = cpu_seconds(agent.process.pid)
            # Not to wait for something: idle time is measured.
            time.sleep(SECONDS)
            used = cpu_seconds(agent.process.pid) - before
            yield Figure("idle agent, memory (Pss)", proportional(agent.process.pid), "MB",
                         notes=f"{WISHED_MEMORY} MB are wished for")
            yield Figure("idle agent, CPU", used / SECONDS * 1e6, "µs/s", notes=f"{WISHED_CPU} µs/s are wished for")
    yield Figure("agent, program", AGENT.stat().st_size / 1e6, "MB")


def proportional(process):
    """Megabytes of a process, with its share of what others use too."""
    lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6
