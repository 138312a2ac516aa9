"""A portfolio of 2,000 photos of a Flickr that is a double of ours: how often the hub asks it, and how long the sync
takes; and the next one, when nothing has changed."""

import json
import pathlib
import subprocess
import tempfile
import time

from figure import Figure
from flickr import KEY, SECRET, Flickr
from hub import BINARY, Hub, clean_environment

SETS, EACH = 4, 500
SECONDS = 900


def figures():
    with tempfile.TemporaryDirectory() as name, Flickr() as flickr:
        folder = pathlib.Path(name)
        (folder / "secret").write_text(f"{SECRET}\n")
        options = ["--flickr-key", KEY, "--flickr-secret-file", str(folder / "secret"), "--flickr-base", flickr.base]
        ada = flickr.person("ada")
        for number in range(SETS):
            flickr.set(ada, f"Set {number}", EACH)
        hub = Hub(folder / "hub", options=options).start()
        try:
            made = portfolio(hub, options, "add", "--source", "flickr:ada")
            # The command that syncs has it to itself.
            first, seconds = timed(hub, options, made["id"])
            assert (first["photos"], first["failed"]) == (SETS * EACH, []), first
            yield Figure("sync of 2,000 photos: calls for each 500 of a set", flickr.calls["flickr.photosets.getPhotos"]
                         / SETS, "", 1, f"{sum(flickr.calls.values())} calls in all")
            yield Figure("sync of 2,000 photos: requests for each file", max(flickr.files.values()), "", 1)
            yield Figure("sync of 2,000 photos", seconds, "s", None, f"{SETS * EACH / seconds:,.0f} photos a second")
            flickr.calls.clear()
            flickr.files.clear()
            again, seconds = timed(hub, options, made["id"])
            assert again["new"] == again["changed"] == again["gone"] == 0, again
            yield Figure("sync without changes: calls for each set", flickr.calls["flickr.photosets.getPhotos"] / SETS,
                         "", 1, f"{sum(flickr.calls.values())} calls in all, {seconds:.2f} s")
            yield Figure("sync without changes: files", sum(flickr.files.values()), "", 0)
        finally:
            hub.stop()


def timed(hub, options, id):
    since = time.monotonic()
    return portfolio(hub, options, "sync", id, "--json"), time.monotonic() - since


def portfolio(hub, options, *words):
    done = subprocess.run([BINARY, "portfolio", *words, "--data", hub.data, *options], capture_output=True, text=True,
                          timeout=SECONDS, check=True, env=clean_environment())
    return json.loads(done.stdout)
