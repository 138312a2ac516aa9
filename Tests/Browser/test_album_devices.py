"""Pictures in all eight orientations, sent by the page of one device and upright on another."""

import io
import random

import pytest
from PIL import ImageDraw

from hub import eventually
from page import DESKTOP, pages, wait_until
from planted import TURNS, corners, photo, turned
from trials import some
from uploads import Guest, make_album

MAKING_SECONDS = 120


@pytest.fixture
def open_page(camera):
    with pages(camera) as open_page:
        yield open_page


@pytest.fixture
def album(hub):
    return make_album(hub, "Lena and Tom")


@pytest.fixture
def host(hub, album):
    return Guest(hub, album, album["host_token"])


def join(page, album):
    page.goto(album["join_url"])
    page.click(".join button")
    page.wait_for_selector(".take-bar")
    return page


def files(count):
    """JPEGs whose four quarters have a colour each, stored in all eight orientations; no two alike."""
    chance = random.Random(8)
    made = []
    for number in range(count):
        size = chance.choice([(800, 600), (600, 800), (1200, 675)])
        picture = photo(*size)
        draw = ImageDraw.Draw(picture)
        draw.rectangle((size[0] // 2 - 40, size[1] // 2 - 40, size[0] // 2 + 40, size[1] // 2 + 40),
                       fill=(number % 256, number // 256, 99))
        stored, exif = turned(picture, list(TURNS)[number % 8])
        content = io.BytesIO()
        stored.save(content, "JPEG", exif=exif, quality=90)
        made.append(({"name": f"IMG_{number:04}.jpg", "mimeType": "image/jpeg", "buffer": content.getvalue()}, size))
    return made


@pytest.mark.timeout(600 if some(200) == 200 else 300)
def test_pictures_in_all_eight_orientations_arrive_upright(hub, album, host, open_page):
    """200 in bin/trial Tests/Browser/test_album_devices.py, 20 in bin/test."""
    made = files(some(200))
    page, other = join(open_page(), album), join(open_page(viewport=DESKTOP), album)
    page.locator("input[type=file][multiple]").set_input_files([file for file, _ in made])

    def arrived():
        found = {one["name"]: one for one in host.pictures()}
        return len(found) == len(made) and all("320" in one["sizes"] for one in found.values()) and found

    found = eventually(arrived, MAKING_SECONDS, what=f"{len(made)} pictures")
    for file, size in made:
        one = found[file["name"]]
        assert (one["width"], one["height"]) == size, file["name"]
        assert corners(host.ask("GET", one["sizes"]["320"]).body) == [0, 1, 2, 3], file["name"]
        assert host.original(one["id"]).body == file["buffer"], "the original is as it was"
    # And so does a browser show them.
    wait_until(other, "[...document.querySelectorAll('album-gallery .cell img')].filter((one) => one.complete"
               " && one.naturalWidth).length >= 8")
    shots = other.locator("album-gallery .cell").all()[:8]
    for shot in shots:
        assert corners(shot.locator("img").first.screenshot(type="jpeg", quality=95)) == [0, 1, 2, 3]
