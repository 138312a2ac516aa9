"""Pages of an album with a real hub: how long frames of the live wall take while pictures arrive, and how soon a
guest's phone with a slow processor and a slow line shows the first pictures."""

import contextlib
import io
import pathlib
import statistics
import tempfile
import threading
import time

from figure import Figure
from hub import Hub, eventually
from PIL import Image
from uploads import Guest, join, make_album

PICTURES = 120
WALL = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
WALL_SECONDS, ARRIVING_SECONDS = 20, 2
SLOW, P95_BAR, SHARE_BAR = 20, 17.0, 0.02
# A phone of the middle class on a mobile network of today: processor, milliseconds there and back, bytes a second.
CPU_RATE, LATENCY, DOWN, UP = 4, 60, 9_000_000 / 8, 1_500_000 / 8
FIRST, FIRST_BAR = 4, 1_000  # cells with a picture in them, and milliseconds
TURNS = 5

_FRAMES = """(seconds) => new Promise((resolve) => {
  const frames = [];
  const begun = performance.now();
  let before = begun;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    if (now - begun < seconds * 1000) requestAnimationFrame(step);
    else resolve(frames.slice(2));
  };
  requestAnimationFrame(step);
})"""
_NOTE = """(() => {
  const look = () => {
    const found = document.querySelectorAll('album-gallery .cell.is-there').length;
    if (found >= %d) window.firstAt = performance.now();
    else setTimeout(look, 5);
  };
  look();
})();""" % FIRST


def photo(number):
    picture = Image.effect_noise((1600, 1200), 30 + number % 7).convert("RGB")
    picture.paste((number * 47 % 256, 150, number * 91 % 256), (number * 5, 100, number * 5 + 700, 900))
    made = io.BytesIO()
    picture.save(made, "JPEG", quality=80)
    return made.getvalue()


@contextlib.contextmanager
def filled():
    """A hub with an album of some pictures, all of whose sizes are made."""
    with tempfile.TemporaryDirectory() as name:
        hub = Hub(pathlib.Path(name) / "hub").start()
        try:
            album = make_album(hub)
            guest = Guest(hub, album, join(hub, album, "Ada"))
            for number in range(PICTURES):
                guest.send(photo(number))
            eventually(lambda: all("1600" in one["sizes"] for one in guest.pictures()), 300)
            yield album, guest
        finally:
            hub.stop()


def p95(numbers):
    return statistics.quantiles(numbers, n=20)[-1]


def figures(browser):
    with filled() as (album, guest):
        yield from wall(browser, album, guest)
        yield from phone(browser, album)


def wall(browser, album, guest):
    page = browser.new_page(viewport=WALL)
    page.goto(album["join_url"].replace("/album#", "/album/wall#"))
    page.wait_for_selector(".print img")
    ended = threading.Event()

    def arrive():
        number = PICTURES
        while not ended.wait(ARRIVING_SECONDS):
            guest.send(photo(number))
            number += 1

    sender = threading.Thread(target=arrive)
    sender.start()
    try:
        frames = page.evaluate(_FRAMES, WALL_SECONDS)
    finally:
        ended.set()
        sender.join()
    page.close()
    share = sum(one > SLOW for one in frames) / len(frames)
    said = f"{len(frames)} frames, the longest {max(frames):.0f} ms; a picture every {ARRIVING_SECONDS} s"
    yield Figure("live wall, 1280×800: frame, p95", p95(frames), "ms", None, f"wanted: {P95_BAR}; {said}")
    yield Figure("its share of frames over 20 ms", share, "", None, f"wanted: {SHARE_BAR}")


def phone(browser, album):
    """The page of a guest who has joined, opened again: without anything kept, and as the device has kept it."""
    for label, keeps in (("nothing kept on the device", False), ("opened again", True)):
        took = []
        context = browser.new_context(
            viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True, service_workers="block")
        page = context.new_page()
        page.goto(album["join_url"])
        page.click(".join button")
        page.wait_for_selector("album-gallery .cell.is-there")
        for _ in range(TURNS):
            page.close()
            page = context.new_page()
            session = context.new_cdp_session(page)
            session.send("Network.enable")
            if not keeps:
                session.send("Network.clearBrowserCache")
            session.send("Network.emulateNetworkConditions", {
                "offline": False, "latency": LATENCY, "downloadThroughput": DOWN, "uploadThroughput": UP})
            session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_RATE})
            page.add_init_script(_NOTE)
            page.goto(album["join_url"], wait_until="commit")
            until = time.monotonic() + 30
            while page.evaluate("window.firstAt ?? 0") == 0 and time.monotonic() < until:
                time.sleep(0.05)
            took.append(page.evaluate("window.firstAt ?? Infinity"))
        context.close()
        yield Figure(f"a guest's phone, {label}: first pictures", statistics.median(took), "ms", None,
                     f"wanted: {FIRST_BAR}; {min(took):.0f} to {max(took):.0f}; processor / {CPU_RATE}, {LATENCY} ms, "
                     f"{DOWN * 8 / 1e6:.0f} Mbit/s")
