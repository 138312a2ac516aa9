"""The memory graph's page with 100,000 blocks: how long does it take to open, and how smoothly does it zoom?

In headless Chromium, which draws with the processor alone, as a desktop and as a phone with three pixels to a point.
The wheel turns once a frame over the whole graph, until single blocks have names, and back.
"""

import pathlib
import statistics
import tempfile

from figure import Figure
from measure import spread
from page import DESKTOP, PHONE
from playwright.sync_api import sync_playwright
from victims import Victim, run

BLOCKS = 100_000
ROUNDS = 5
SECONDS = 6
LIMIT = 60_000        # milliseconds
OPENED = 2            # seconds
FRAME = 1000 / 30     # milliseconds

# Until the first picture was painted: the frame after the one that drew it.
PAINTED = """async () => {
  while (!globalThis.memoryGraph?.scene) await new Promise(requestAnimationFrame);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() / 1000;
}"""

ZOOM = """async (seconds) => {
  const canvas = document.getElementById('picture');
  const place = canvas.getBoundingClientRect();
  const frames = [];
  const scales = [];
  let before = await new Promise(requestAnimationFrame);
  const end = before + seconds * 1000;
  for (let number = 0; before < end; number += 1) {
    const deltaY = Math.floor(number / 90) % 2 ? 50 : -50;
    canvas.dispatchEvent(new WheelEvent('wheel', {
      deltaY, clientX: place.x + place.width * 0.35, clientY: place.y + place.height * 0.4, cancelable: true,
    }));
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    scales.push(memoryGraph.camera.scale);
    before = now;
  }
  return { frames, zoomed: Math.max(...scales) / Math.min(...scales) };
}"""


def figures():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = pathlib.Path(folder) / "graph.html"
        with Victim("everything", BLOCKS) as victim:
            told = run("graph", victim.pid, "--html", file)
        assert told.returncode == 1, told.stderr
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        desktop = [look(browser, file, viewport=DESKTOP) for _ in range(ROUNDS)]
        phone = [look(browser, file, viewport=PHONE, device_scale_factor=3) for _ in range(ROUNDS)]
        browser.close()
        size = file.stat().st_size / 1e6
    for name, runs in (("desktop", desktop), ("phone", phone)):
        opened = [opened for opened, _ in runs]
        yield Figure(f"a page of 100,000 blocks opens, {name}", statistics.median(opened), "s", OPENED,
                     f"{spread(opened)} s in {ROUNDS} rounds, until the first picture is painted; {size:.1f} MB")
        yield from told_frames(name, [zoomed for _, zoomed in runs])


def told_frames(name, runs):
    assert all(run["zoomed"] > 20 for run in runs), [run["zoomed"] for run in runs]
    rates = [1000 * len(run["frames"]) / sum(run["frames"]) for run in runs]
    late = [sorted(run["frames"])[int(len(run["frames"]) * 0.99)] for run in runs]
    yield Figure(f"a frame while it zooms, {name}", 1000 / statistics.median(rates), "ms", FRAME,
                 f"{statistics.median(rates):.1f} frames a second ({spread(rates, '{:.1f}')}); of a hundred frames the "
                 f"slowest takes {statistics.median(late):.0f} ms")


def look(browser, file, **options):
    """The seconds until the page was ready, and the times of its frames."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    page.goto(file.as_uri())
    opened = page.evaluate(PAINTED)
    page.click("#whole")
    zoomed = page.evaluate(ZOOM, SECONDS)
    context.close()
    return opened, zoomed
