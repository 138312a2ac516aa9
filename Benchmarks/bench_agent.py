"""The cost of an idle agent, connected over TLS after it has shown some notifications: memory and CPU. For itself it
exits with 1 when a bar is missed: python3 bench_agent.py [--minutes 10]"""

import argparse
import pathlib
import ssl
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/World"))

from agent import AGENT, SECRET, Agent
from certificates import make_certificate
from figure import Figure
from gateway import Gateway
from measure import cpu_seconds, proportional

SHOWN = 300
SECONDS = 60
# The memory (MB) that a small computer can spare, and the processor time (µs a second): a thousandth of its core.
MEMORY_BAR, CPU_BAR = 12, 1_000


def figures(seconds=SECONDS):
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
            time.sleep(seconds)
            used = cpu_seconds(agent.process.pid) - before
            pings = len(gateway.heard("ping"))
            yield Figure(
                f"agent, idle for {seconds:.0f} s, memory (Pss)", proportional(agent.process.pid) / 1e6, "MB",
                MEMORY_BAR)
            yield Figure("… CPU", used / seconds * 1e6, "µs/s", CPU_BAR, f"{pings} pings of its heartbeat")
    yield Figure("agent, program", AGENT.stat().st_size / 1e6, "MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    found = list(figures(parser.parse_args().minutes * 60))
    print(*found, sep="\n")
    sys.exit(any(figure.is_missed for figure in found))


if __name__ == "__main__":
    main()
