"""An album on several devices at once: two phones, a laptop and a wall; and pictures in all eight orientations, sent by
the page and upright everywhere."""

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


def take(page):
    page.click(".take-bar .primary")
    page.wait_for_selector(".shutter:not([disabled])")
    wait_until(page, "document.querySelector('.camera video').currentTime > 0.3")
    page.click(".shutter")
    page.wait_for_selector(".camera-done img[src]")
    page.click(".camera-done")


def test_a_picture_taken_on_one_is_on_two_phones_a_laptop_and_a_wall(album, host, open_page):
    taker, phone = join(open_page(), album), join(open_page(locale="de-DE"), album)
    laptop = join(open_page(viewport=DESKTOP), album)
    wall = open_page(viewport={"width": 1920, "height": 1080})
    wall.goto(album["join_url"].replace("/album#", "/album/wall#"))
    wall.wait_for_selector(".wall-said")
    viewers = {"taker": taker, "phone": phone, "laptop": laptop, "wall": wall}
    take(taker)
    for name, page in viewers.items():
        # On the wall once its sizes are made, by a program that steps back behind all others.
        shown = ".print img" if name == "wall" else "album-gallery .cell.is-there"
        wait_until(page, f"document.querySelector('{shown}') !== null")
    # One more, by another phone: all have two.
    take(phone)
    for page in (taker, phone, laptop):
        wait_until(page, "document.querySelectorAll('album-gallery .cell:not([hidden])').length === 2")
    assert len(eventually(lambda: len(host.pictures()) == 2 and host.pictures())) == 2
    assert len({one["by"]["id"] for one in host.pictures()}) == 2


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
