"""What the hub takes while nothing happens: memory with the demo's data, and the program's size."""

import pathlib
import re
import tempfile

from figure import Figure
from hub import BINARY, Hub, eventually


def resident(pid):
    """Resident kilobytes, and those of them that are shared with files."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return tuple(int(re.search(rf"^{name}:\s+(\d+) kB", status, re.M)[1]) for name in ("VmRSS", "RssFile"))


def figures():
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(pathlib.Path(folder) / "demo", demo=True).start()
        try:
            eventually(lambda: hub.sources()[0]["as_of"], what="the demo's programme")
            total, file = resident(hub.process.pid)
        finally:
            hub.stop()
    yield Figure("idle hub, resident memory", total / 1024, "MB", notes=f"{file / 1024:.1f} MB of it are mapped files")
    yield Figure("program", BINARY.stat().st_size / 1e6, "MB")
