"""Reading a picture of 10 MB: the hub beside nginx's sendfile, over plain HTTP, eight readers at once.

Each server has one core and the readers the other. The file is in the page cache of both, and both use Debian's
congestion control.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile

from figure import Figure
from hub import LOGO, LOGO_UPLOAD, Hub
from measure import ON_LOAD_CORE, ON_SERVER_CORE, cpu_seconds, in_turns, median_ratio, needed, spread
from nginx import nginx
from own_network import own_network
from png import png

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 9
SECONDS = 2
READERS = 8
# At least 0.9 times nginx's throughput.
BAR = 1 / 0.9


def load(target):
    """One run: bytes a second, CPU seconds for each gigabyte, and the load of the servers' and the readers' cores."""
    port, pid = target
    before = cpu_seconds(pid)
    told = subprocess.run(
        [*ON_LOAD_CORE, sys.executable, HERE / "read_blobs.py", str(port), LOGO, str(READERS), str(SECONDS)],
        capture_output=True, text=True, timeout=60, check=True).stdout
    used = cpu_seconds(pid) - before
    found = {name: float(value) for name, value in (line.split() for line in told.splitlines())}
    return {
        "rate": found["bytes"] / found["seconds"], "cpu": used / found["bytes"] * 1e9,
        "busy": used / found["seconds"], "readers": found["cpu"] / found["seconds"]}


def upload(hub, picture):
    answer = hub.request("PUT", LOGO_UPLOAD, {
        "Authorization": f"Bearer {hub.owner_token}", "Content-Type": "image/png"}, picture)
    assert 200 <= answer.status < 300, answer.body


def figures():
    needed("curl", "ip")
    # 3,200 × 3,200 grey pixels of noise: 10.2 MB.
    picture = png(3_200, 3_200)
    with own_network() as control, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hub = Hub(folder / "hub", under=ON_SERVER_CORE).start()
        try:
            hub.configure()
            upload(hub, picture)
            # The very same file, since its layout in the page cache depends on how it was written.
            blob = next(file for file in (hub.data / "blobs").rglob("*") if file.stat().st_size == len(picture))
            served = f"default_type image/png; location = {LOGO} {{ alias {blob}; }}"
            with nginx(folder / "nginx", served) as (port, pid):
                targets = {"hub": (hub.port, hub.process.pid), "nginx": (port, pid)}
                yield from compare(targets, picture, control)
        finally:
            hub.stop()


def compare(targets, picture, control):
    for port, _ in targets.values():
        read = subprocess.run(
            ["curl", "-sSf", f"http://127.0.0.1:{port}{LOGO}"], capture_output=True, timeout=30, check=True).stdout
        assert read == picture, "both must answer the same"
    runs = in_turns(targets, load, ROUNDS)
    of = {name: {key: [run[key] for run in found] for key in found[0]} for name, found in runs.items()}
    notes = "; ".join(
        f"{name} {spread([rate / 1e9 for rate in found['rate']])} GB/s, {statistics.median(found['busy']):.0%} of its "
        f"core, its readers {statistics.median(found['readers']):.0%} of theirs"
        for name, found in of.items()) + f"; congestion control {control}"
    for name, found in of.items():
        yield Figure("a picture of 10 MB, throughput, " + name, statistics.median(found["rate"]) / 1e9, "GB/s")
        yield Figure("a picture of 10 MB, CPU, " + name, statistics.median(found["cpu"]), "s/GB")
    cpu = median_ratio(of["hub"]["cpu"], of["nginx"]["cpu"])
    yield Figure("a picture of 10 MB, CPU, hub : nginx", cpu, "×")
    ratio = median_ratio(of["nginx"]["rate"], of["hub"]["rate"])
    yield Figure("a picture of 10 MB, throughput, nginx : hub", ratio, "×", BAR, notes)
