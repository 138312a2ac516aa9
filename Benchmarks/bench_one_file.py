"""A portfolio of 200 pictures of 2,048 pixels as one file, opened from the disk in Chromium at 1280×800: how long
until its cover is seen and can be used, while the browser still reads the rest; until all of it is read; and how long a
picture takes from a tap to the screen. The same of a file that is locked, from the passphrase on. Before that, how long
writing takes, and the memory of the command, which does not grow with the file."""

import json
import pathlib
import random
import subprocess
import tempfile

from bench_wall import chromium
from figure import Figure
from hub import BINARY, Hub, clean_environment, command
from PIL import Image
from victims import measured

PICTURES = 200
FIRST_BAR = 2.0  # seconds
MEMORY_BAR = 200  # MB
SHOWN_BAR = 0.5  # seconds from a tap to the picture
WORDS = "tide harbour lantern"
SEED = 20261123
COVER = "document.querySelector('.cover-picture img.is-there') !== null"
SHOWN = """document.querySelector('.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)')
  ?.naturalWidth > 0"""
# A frame has been painted since the condition holds.
_WAIT = """() => new Promise((resolve) => {
  const step = () => (%s ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(step));
  step();
})"""
_GATE = "document.querySelector('#gate-word') !== null"


def paint(folder):
    """Pictures with as much detail as photographs: about 600 KB each at 2,048 pixels."""
    chance = random.Random(SEED)
    for number in range(PICTURES):
        small = Image.frombytes("RGB", (420, 280), chance.randbytes(420 * 280 * 3))
        picture = small.resize((2048, 1365), Image.Resampling.BICUBIC)
        path = folder / f"Series {number // 50 + 1}" / f"{number:03}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path, quality=88)


def made(folder):
    """A hub's data with the portfolio, and the portfolio's id."""
    paint(folder / "pictures")
    hub = Hub(folder / "data").start()
    hub.stop()
    add = command("portfolio", "add", "--source", f"folder:{folder / 'pictures'}", "--data", hub.data)
    portfolio = json.loads(add.stdout)["id"]
    done = command("portfolio", "sync", portfolio, "--data", hub.data, seconds=1200)
    assert done.returncode == 0, done.stderr
    return hub.data, portfolio


def export(data, portfolio, path, *words):
    """(seconds, megabytes of memory) of writing a file."""
    cost = measured("portfolio", "export", portfolio, "--out", path, "--data", data, *words, program=BINARY,
                    env=clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    assert cost.status == 0, cost.status
    return cost.seconds, cost.megabytes


def opened(browser, address, words=None):
    """Seconds until the cover is there, until all is read, and from a tap to another picture. Of a locked file the
    first counts from the passphrase on."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address, wait_until="commit")
    begun = 0
    if words:
        page.evaluate(_WAIT % _GATE)
        page.fill("#gate-word", words)
        begun = page.evaluate("performance.now()")
        page.keyboard.press("Enter")
    first = page.evaluate(_WAIT % COVER) - begun
    page.wait_for_load_state("load")
    whole = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    page.click(".plate-button")
    page.locator(".justified .thumb").nth(150).click()
    page.evaluate(_WAIT % SHOWN)
    page.wait_for_timeout(1_500)  # the neighbours are fetched
    # Far enough that nothing is ready.
    times = []
    for place in (20, 60, 100, 180):
        start = page.evaluate(f"""() => {{
          const now = performance.now();
          document.querySelectorAll('.filmstrip .thumb')[{place}].click();
          return now;
        }}""")
        page.evaluate(_WAIT % f"document.querySelector('.plate-count').innerText.startsWith('{place + 1} ')")
        times.append(page.evaluate(_WAIT % SHOWN) - start)
    page.close()
    return first / 1000, whole / 1000, sorted(times)[len(times) // 2] / 1000


def figures():
    with tempfile.TemporaryDirectory() as temporary, chromium() as browser:
        folder = pathlib.Path(temporary)
        data, portfolio = made(folder)
        for name, words in (("", ()), ("locked: ", ("--passphrase", WORDS))):
            path = folder / f"file{len(words)}.html"
            seconds, memory = export(data, portfolio, path, *words)
            size = path.stat().st_size / 1e6
            said = f"{PICTURES} pictures, {size:.0f} MB"
            yield Figure(f"one file, {name}writing it", seconds, "s", None, said)
            yield Figure(f"one file, {name}memory of the command", memory, "MB", MEMORY_BAR)
            first, whole, shown = opened(browser, path.as_uri(), words[1] if words else None)
            yield Figure(f"one file, {name}first picture", first, "s", FIRST_BAR, f"all is read after {whole:.2f} s")
            yield Figure(f"one file, {name}a picture that is asked for", shown, "s", SHOWN_BAR)
