"""Makes the state of an agent of a version for the upgrade tests of later ones: python3 upgrade_agent.py AGENT VERSION.

It has shown a notification, and has been told its clock and the anchor's watch.
"""

import gzip
import json
import os
import pathlib
import sys
import tarfile
import tempfile

FILE = "agent.tar.gz"
# Nobody answers there: it waits for positions, and keeps the watch.
SOURCE = ["--gpsd", "127.0.0.1:1"]
CLOCK = {
    "version": 7, "settings": {
        "every": 30, "hours": 12, "language": "en", "quarters": "past", "strokes": "one", "oclock": False,
        "style": "speech", "quiet": None, "voice": "english", "zone": "device"},
    "voice": {"id": "english", "version": "built-in"}, "volume": 60, "on": True, "muted_until": 0}
WATCH = {
    "version": 5, "armed": True, "acknowledged": False,
    "settings": {"anchor": {"lat": 54.1, "lon": 10.2}, "zone": {"shape": "circle", "radius_m": 55}, "grace_s": 30}}


def use(gateway, agent):
    """Has an agent show and keep all of it."""
    from hub import eventually

    gateway.wait_connected()
    gateway.wait_acknowledged(gateway.show("First"))
    for told in ({"clock": CLOCK}, {"anchor": WATCH}):
        gateway.wait_acknowledged(gateway.show("", silent=True, user_info=told))
    eventually(lambda: agent.told("shown", id="1"), what="the first notification")


def keep(state, file):
    """Packs what lasts of a state: no sockets and no locks."""
    with gzip.GzipFile(file, "wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sorted(state.rglob("*")):
            if path.is_file() and path.stat().st_size and not path.name.endswith(".lock"):
                archive.add(path, path.relative_to(state))


def form(version):
    """What an agent of that version keeps: the names of its files, and those of the members of each that is JSON."""
    from upgrade import FOLDERS

    with tarfile.open(FOLDERS / version / FILE) as archive:
        return {file.name: sorted(json.load(archive.extractfile(file))) if file.name.endswith(".json") else None
                for file in archive}


def unpack(version, state):
    """Puts a version's state where an agent goes on with it."""
    from upgrade import FOLDERS

    with tarfile.open(FOLDERS / version / FILE) as archive:
        archive.extractall(state, filter="data")


def main():
    binary, version = sys.argv[1:]
    os.environ["EIGHTBELLS_AGENT_BINARY"] = binary
    from agent import SECRET, Agent
    from gateway import Gateway
    from upgrade import FOLDERS

    with tempfile.TemporaryDirectory() as name, Gateway(SECRET) as gateway:
        with Agent(name, gateway.url, *SOURCE) as agent:
            use(gateway, agent)
            agent.end()
        keep(pathlib.Path(name) / "state", FOLDERS / version / FILE)


if __name__ == "__main__":
    main()
