"""A guest's page of an album: the album with its host, pictures of a chooser, joining and choosing."""

import hashlib
import io
import json

from PIL import Image, ImageDraw

NOISE = Image.effect_noise((1024, 768), 60)


class Album:
    """An album, and what its host is told of it."""

    def __init__(self, hub, *options, name="Lena and Tom"):
        made = hub.command("album", "create", "--name", name, *options)
        assert made.returncode == 0, made.stderr
        self.hub = hub
        told = json.loads(made.stdout)
        self.id, self.host = told["id"], told["host_token"]
        self.url = f"{hub.url}/album#{told['join_url'].partition('#')[2]}"
        self.path = f"/api/v1/albums/{self.id}"

    def pictures(self):
        return self.hub.get(f"{self.path}/pictures?limit=500", token=self.host)[1]["pictures"]

    def hashes(self):
        """The hashes of all originals."""
        headers = {"Authorization": f"Bearer {self.host}"}
        return sorted(hashlib.sha256(self.hub.request("GET", one["original"], headers).body).hexdigest()
                      for one in self.pictures())

    def change(self, **fields):
        assert self.hub.patch(self.path, self.host, fields)[0] == 200


def jpeg(number, size=(1024, 768), quality=95):
    """A file as a browser's chooser hands it over: a real JPEG, no two alike."""
    picture = NOISE.resize(size).convert("RGB")
    ImageDraw.Draw(picture).ellipse((100, 100, 700, 700), fill=(number * 47 % 255, 190, number * 91 % 255))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality)
    return {"name": f"IMG_{number:04}.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


def join(page, album):
    page.goto(album.url)
    page.click(".join button")
    page.wait_for_selector(".take-bar")
    return page


def choose(page, files):
    page.locator("input[type=file][multiple]").set_input_files(files)


def scene(number, size=(1600, 1200)):
    """An evening at sea, no two alike: for pictures that people look at."""
    wide, high = size
    top, low = [(38, 70, 120), (94, 60, 110), (30, 92, 112)][number % 3], [(250, 176, 110), (244, 140, 120)][number % 2]
    picture = Image.new("RGB", size)
    draw = ImageDraw.Draw(picture)
    sea = int(high * (0.55 + number * 7 % 20 / 100))
    for y in range(high):
        share = min(1, y / sea)
        sky = tuple(round(one + (other - one) * share) for one, other in zip(top, low))
        draw.line((0, y, wide, y), fill=sky if y < sea else tuple(round(one * (1.5 - y / high) * 0.6) for one in top))
    sun = int(wide * (0.2 + number * 37 % 60 / 100))
    draw.ellipse((sun - 90, sea - 150, sun + 90, sea + 30), fill=(255, 226, 170))
    draw.rectangle((0, sea, wide, sea + 40), fill=tuple(round(one * 0.6) for one in top))
    for boat in range(1 + number % 3):
        x, y = int(wide * (0.15 + (number * 29 + boat * 31) % 70 / 100)), sea + 60 + boat * 70
        tall = 220 + boat * 90
        draw.polygon([(x, y - tall), (x, y), (x + tall // 2, y)], fill=(250, 246, 236))
        draw.polygon([(x - 12, y - tall + 50), (x - 12, y), (x - tall // 3, y)], fill=(226, 214, 196))
        draw.polygon([(x - tall // 2, y + 8), (x + tall * 2 // 3, y + 8), (x + tall // 3, y + 50),
                      (x - tall // 3, y + 50)], fill=(60, 42, 40))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=85)
    return {"name": f"IMG_{number:04}.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}
