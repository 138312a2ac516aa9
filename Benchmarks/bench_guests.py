"""A party: 50 guests send 20 photos of 12 megapixels each over five minutes, while all of them and the wall watch over
their sockets and fetch what they are told of; then all 1,000 are sent at the same moment. With the hub's usual limits,
every guest from an address of their own. `bin/bench guests --minutes 1 --each 5` is for trying."""

import argparse
import asyncio
import io
import pathlib
import random
import statistics
import sys
import tempfile
import time

from PIL import Image

from bench_pictures import photo
from figure import Figure
from hub import Hub
from measure import processes
from party import Line, Sights, Viewer, send_photo
from uploads import join, make_album

GUESTS, EACH, MINUTES = 50, 20, 5.0
BASES = 20  # photos that are made; each is sent many times, with other bytes in a comment
# Milliseconds after a photo's last byte; and megabytes.
SEEN_BAR, SMALL_BAR = 1_000, 5_000
HUB_BAR, HELPER_BAR = 200, 250
MADE_SECONDS = 900  # until all sizes of a thousand photos must be there
SEED = 20261123


class PartyHub(Hub):
    """With the limits that every hub has."""

    usual_options = ()


class Photos:
    """12 megapixels of 3 to 5 MB each, with the previews that a page makes of them."""

    def __init__(self, folder):
        self.all = []
        for number in range(BASES):
            path = photo(folder / "photo.jpg", 4032, 3024, number)
            small = Image.open(path)
            small.draft("RGB", (640, 480))
            noise = Image.effect_noise((640, 480), 40).convert("RGB")
            self.all.append((path.read_bytes(), self.preview(Image.blend(small.resize((640, 480)), noise, 0.25))))

    @staticmethod
    def preview(picture):
        """At most 40 KB, as preview.js makes it."""
        for quality in (70, 50, 30):
            made = io.BytesIO()
            picture.save(made, "JPEG", quality=quality)
            if len(made.getvalue()) <= 40 << 10:
                return made.getvalue()
        raise AssertionError("no preview is small enough")

    def one(self, number):
        """A photo that nobody has sent before, in pieces: a thousand at once must not be copied; and its preview."""
        content, preview = self.all[number % BASES]
        note = f"photo {number}".encode()
        return (content[:2] + b"\xff\xfe" + (len(note) + 2).to_bytes(2) + note, memoryview(content)[2:]), preview

    def __str__(self):
        sizes = [len(content) / 1e6 for content, _ in self.all]
        small = max(len(preview) for _, preview in self.all) >> 10
        return f"photos of {min(sizes):.1f} to {max(sizes):.1f} MB, previews of up to {small} KB"


class Party:
    def __init__(self, hub, photos, guests, each):
        self.hub, self.photos, self.guests, self.each = hub, photos, guests, each
        self.album = make_album(hub)
        self.sent = {}
        self.places = []

    async def run(self, seconds, first):
        """Sends all photos within so many seconds, from number `first` on: their sights. 0: all at once."""
        self.sent, self.places = {}, []
        sights = None
        async with Watching(self) as sights:
            chance = random.Random(SEED)
            waits = [(viewer, first + number * self.each + turn, chance.uniform(0, seconds))
                     for number, viewer in enumerate(sights.viewers[1:]) for turn in range(self.each)]
            await asyncio.gather(*(self.send(viewer, sights, number, wait) for viewer, number, wait in waits))
            self.all_sent = time.perf_counter()
            until = self.all_sent + MADE_SECONDS
            while len(sights.made) < len(self.sent) and time.perf_counter() < until:
                await asyncio.sleep(0.2)
            self.all_made = max(sights.made.values(), default=until)
            # The last ones are still being fetched.
            until = time.perf_counter() + 30
            while len(sights.whole("320", self.guests + 1)) < len(self.sent) and time.perf_counter() < until:
                await asyncio.sleep(0.2)
        return sights

    async def send(self, viewer, sights, number, wait):
        await asyncio.sleep(wait)
        line = viewer.line()
        outcome = await send_photo(line, viewer.path, *self.photos.one(number), sights.refused)
        if outcome:
            self.sent[outcome[0]] = outcome[1]
            told = await line.json("GET", f"{viewer.path}/pictures/{outcome[0]}")
            if told["state"] == "making":
                self.places.append(told.get("ahead"))
        line.close()


class Watching:
    """All guests and the wall, who see what comes."""

    def __init__(self, party):
        self.party = party

    async def __aenter__(self):
        party, hub = self.party, self.party.hub
        sights = Sights()
        tokens = [party.album["host_token"]]
        tokens += [await asyncio.to_thread(join, hub, party.album, f"Guest {number}") for number in range(party.guests)]
        sights.viewers = [Viewer(hub.port, number, party.album["id"], token, sights)
                          for number, token in enumerate(tokens)]
        self.viewers = sights.viewers
        await asyncio.gather(*(viewer.start() for viewer in self.viewers))
        return sights

    async def __aexit__(self, *_):
        await asyncio.gather(*(viewer.end() for viewer in self.viewers))


def peak(pid):
    """The most resident megabytes that a process has had."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024


def p95(numbers):
    return statistics.quantiles(numbers, n=20)[-1] if len(numbers) > 1 else float("inf")


def after_last_byte(party, sights, size):
    """Milliseconds from each photo's last byte until the last viewer has it."""
    seen = sights.whole(size, party.guests + 1)
    return [max(0.0, seen[picture] - at) * 1000 if picture in seen else float("inf")
            for picture, at in party.sent.items()]


async def listed(party):
    """The ids of all pictures of the album, as its host is told."""
    line = Line(party.hub.port, "127.0.0.1", party.album["host_token"])
    found, after = [], ""
    while True:
        told = await line.json("GET", f"/api/v1/albums/{party.album['id']}/pictures?limit=500{after}")
        found += [one["id"] for one in told["pictures"]]
        if "next" not in told:
            line.close()
            return found
        after = f"&after={told['next']}"


def figures(arguments=None):
    parser = argparse.ArgumentParser(prog="bin/bench guests")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--guests", type=int, default=GUESTS)
    words = parser.parse_args(arguments or [])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        photos = Photos(folder)
        for seconds, label in ((words.minutes * 60, "over the time"), (0, "at the same moment")):
            if not words.minutes and label == "over the time":
                continue
            hub = PartyHub(folder / f"hub-{seconds:.0f}").start()
            try:
                yield from one(Party(hub, photos, words.guests, words.each), seconds, label)
            finally:
                hub.stop()


def one(party, seconds, label):
    began = time.process_time()
    sights = asyncio.run(party.run(seconds, 0))
    load = (time.process_time() - began) / (party.all_made - min(party.sent.values()))
    count = party.guests * party.each
    name = f"{count:,} photos, {label}"
    everywhere, small = (after_last_byte(party, sights, size) for size in ("preview", "320"))
    is_all_at_once = not seconds
    said = (f"{party.photos}; {party.guests} guests and the wall; the load took {load:.0%} of a core; p50 "
            f"{statistics.median(everywhere):.0f} ms, longest {max(everywhere):.0f} ms")
    yield Figure(f"{name}: seen everywhere, p95", p95(everywhere), "ms", None if is_all_at_once else SEEN_BAR, said)
    yield Figure(f"{name}: our own 320 px everywhere, p95", p95(small), "ms", None if is_all_at_once else SMALL_BAR,
                 f"p50 {statistics.median(small):.0f} ms, longest {max(small):.0f} ms")
    yield Figure(f"{name}: all sizes made, after the last byte", party.all_made - party.all_sent, "s")
    there = asyncio.run(listed(party))
    lost = abs(count - len(there)) + len(there) - len(set(there)) + len(set(party.sent) ^ set(there))
    yield Figure(f"{name}: not there exactly once", lost, "", 0)
    yield Figure(f"{name}: refused", sum(sights.refused.values()), "", 0, f"{dict(sights.refused)}"[:400])
    untold = party.places.count(None)
    yield Figure(f"{name}: places in the queue not told", untold, "", 0,
                 f"{len(party.places)} asked, the farthest {max((one or 0 for one in party.places), default=0)}")
    pids = processes(party.hub.process.pid)
    yield Figure(f"{name}: hub, most memory", peak(pids[0]), "MB", HUB_BAR)
    helpers = [peak(pid) for pid in pids[1:]]
    yield Figure(f"{name}: helpers, most memory of one", max(helpers, default=0), "MB", HELPER_BAR, f"{len(helpers)}")


if __name__ == "__main__":
    for figure in figures(sys.argv[1:]):
        print(figure, flush=True)
