"""The hub is killed, or its disk is full, at chosen calls during uploads: nothing acknowledged is lost, no file stays
that nobody needs, no picture is there twice or in part, and each gets its sizes. `bin/trial uploads` tries 200 points,
bin/test 20."""

import hashlib
import http.client
import io
import os
import random

import pytest
from PIL import Image

from faults import preloaded
from hub import command, eventually
from trials import some
from uploads import Guest, checksum, join, make_album

ROUNDS = some(200)
MAKING_SECONDS = 60  # beside other tests


def noise(width, height):
    """A JPEG as hard to compress as a photo's."""
    content = io.BytesIO()
    Image.effect_noise((width, height), 90).convert("RGB").save(content, "JPEG", quality=90)
    return content.getvalue()


CONTENT, SMALL = noise(800, 600), noise(100, 80)
CUTS = [0, 90_000, 180_000, len(CONTENT)]


class Sending:
    """The bytes that were acknowledged while a guest sent two files."""

    def __init__(self, guest):
        self.guest = guest
        self.uploads = {}
        self.pictures = set()
        self.statuses = []

    def run(self):
        for name, content, cuts in (("large", CONTENT, CUTS), ("small", SMALL, [0, len(SMALL)])):
            upload = self.guest.begin(len(content), filename=name)
            self.uploads[name] = [upload, 0]
            for start, end in zip(cuts, cuts[1:]):
                part = content[start:end]
                answer = self.guest.add(upload, start, part, Upload_Checksum=checksum("sha1", part))
                self.statuses.append(answer.status)
                if answer.status != 204:
                    return
                self.uploads[name][1] = end
                if end == len(content):
                    self.pictures.add(answer.headers["Eightbells-Picture"])


def finish(guest, sending):
    """Sends the rest, as a page does that is opened again; the pictures that are there at the end."""
    for name, content in (("large", CONTENT), ("small", SMALL)):
        upload, acknowledged = sending.uploads.get(name) or [guest.begin(len(content)), 0]
        offset = guest.offset(upload)
        assert offset >= acknowledged, f"{name}: {acknowledged} bytes were acknowledged, {offset} are there"
        answer = guest.add(upload, offset, content[offset:])
        assert answer.status == 204, answer.body
        sending.pictures.add(answer.headers["Eightbells-Picture"])


def is_made(guest, picture):
    told = guest.hub.get(f"{guest.path}/pictures/{picture}", token=guest.token)[1]
    return told["state"] == "shown" and {"320", "1600"} <= told["sizes"].keys() and told


def check(hub, guest, host, sending):
    listed = {each["id"] for each in guest.pictures()}
    assert listed == sending.pictures and len(listed) == 2
    digests = {hashlib.sha256(host.original(each).body).digest() for each in listed}
    assert digests == {hashlib.sha256(each).digest() for each in (CONTENT, SMALL)}
    for each in listed:
        made = eventually(lambda each=each: is_made(guest, each), MAKING_SECONDS, what=f"sizes of {each}")
        for url in made["sizes"].values():
            Image.open(io.BytesIO(guest.ask("GET", url).body)).load()
    # Not at once: names that are not needed any more are removed behind the answers.
    eventually(lambda: [*hub.data.glob("blobs/incoming/*")] == [], what="no file to stay")
    assert hub.stop() == 0
    told = command("store", "verify", "--data", hub.data)
    assert told.returncode == 0, told.stdout + told.stderr


def prepared(make_hub, name):
    hub = make_hub(name)
    album = make_album(hub)
    return hub, Guest(hub, album, join(hub, album, "Ada")), Guest(hub, album, album["host_token"])


def attempt(hub, guest, at, kind):
    """One run until the fault."""
    sending = Sending(guest)
    clean = hub.env
    hub.env = clean | preloaded(hub.data, at=at, kind=kind)
    try:
        hub.start()
        sending.run()
    except (AssertionError, OSError, http.client.HTTPException):
        pass
    hub.kill()
    hub.env = clean
    return sending


def count_calls(make_hub, tmp_path):
    """The calls of a start alone, and with both uploads."""
    hub, guest, _ = prepared(make_hub, "counted")
    counts = []
    for sends in (False, True):
        assert hub.stop() == 0
        report = tmp_path / f"calls-{sends}"
        clean, hub.env = hub.env, hub.env | preloaded(hub.data, report=report)
        hub.start()
        if sends:
            Sending(guest).run()
        assert hub.stop() == 0
        counts.append(int(report.read_text()))
        hub.env = clean
        hub.start()
    hub.stop()
    return counts


@pytest.mark.timeout(3600 if ROUNDS == 200 else 600)
def test_nothing_acknowledged_is_lost_whenever_the_hub_dies(make_hub, tmp_path):
    seed = int(os.environ.get("EIGHTBELLS_SEED") or random.randrange(1 << 32))
    print(f"seed {seed}; EIGHTBELLS_SEED={seed} repeats it")
    dice = random.Random(seed)
    idle, all_calls = count_calls(make_hub, tmp_path)
    # A start and an end have calls too; those in the middle belong to the uploads.
    first, last = max(1, idle // 2), all_calls
    hub, guest, host = prepared(make_hub, "dying")
    hub.stop()
    outcomes = []
    for round in range(ROUNDS):
        kind = ["kill", "half", "full"][round % 3]
        at = dice.randint(first, last)
        sending = attempt(hub, guest, at, kind)
        outcomes.append(len(sending.statuses))
        hub.start()
        try:
            finish(guest, sending)
            check(hub, guest, host, sending)
        except AssertionError as error:
            raise AssertionError(f"{kind} at call {at} ({first}…{last}), round {round}: {error}") from error
        # The next round begins with an empty album.
        hub.start()
        album = make_album(hub)
        guest = Guest(hub, album, join(hub, album, "Ada"))
        host = Guest(hub, album, album["host_token"])
        hub.stop()
    # It died at different places.
    assert len(set(outcomes)) > 2, outcomes


def test_a_full_disk_is_told_and_takes_nothing_that_was_acknowledged(make_hub, tmp_path):
    hub, guest, host = prepared(make_hub, "full")
    hub.stop()
    mark = tmp_path / "is-full"
    hub.env = hub.env | preloaded(hub.data, **{"while": mark})
    hub.start()
    upload = guest.begin(len(CONTENT))
    assert guest.add(upload, 0, CONTENT[:90_000]).status == 204
    mark.touch()
    refused = guest.add(upload, 90_000, CONTENT[90_000:])
    assert refused.status == 507 and refused.json["help"]
    assert guest.offset(upload) == 90_000
    mark.unlink()
    assert guest.add(upload, 90_000, CONTENT[90_000:]).status == 204
    assert host.original(guest.pictures()[0]["id"]).body == CONTENT
