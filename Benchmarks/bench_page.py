"""The page in Chromium: bytes over the network until the front room can be read, with empty caches; and the first paint
of a page from its service worker."""

import pathlib
import statistics
import tempfile

from figure import Figure
from first_view import first_view
from hub import Hub
from playwright.sync_api import sync_playwright

BAR = 60_000
PAINT_BAR = 200  # milliseconds
VISITS = 11
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def figures():
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(pathlib.Path(folder) / "demo", demo=True).start()
        try:
            yield from measure(hub)
        finally:
            hub.stop()


def measure(hub):
    url = hub.url
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        used, count, _ = first_view(context, url)
        paints = sorted(first_paints(context, url))
        hub.put("/api/v1/rooms", hub.owner_token, {"rooms": ["programme", "space"], "front": "programme"})
        fresh = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        events, files, _ = first_view(fresh, url, "programme")
        browser.close()
    yield Figure("first view, until the sign can be read", used, "bytes", BAR, f"{count} files, heads included")
    yield Figure("first view, until an event can be read", events, "bytes", BAR, f"{files} files, Programme in front")
    yield Figure(
        "first paint with an installed service worker", statistics.median(paints), "ms", PAINT_BAR,
        f"median of {VISITS} visits, each a new page; the slowest {paints[-1]:.0f} ms")


def first_paints(context, url):
    """Milliseconds until the first paint, once the service worker has the page."""
    page = context.new_page()
    page.goto(url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_selector("a.event-row", state="attached")
    page.close()
    for _ in range(VISITS):
        page = context.new_page()
        page.goto(url)
        assert page.evaluate("navigator.serviceWorker.controller !== null"), "the service worker has not taken over"
        yield page.evaluate(f"""async () => {{
          while ({PAINTED} === undefined) await new Promise((later) => {{ setTimeout(later, 10); }});
          return {PAINTED};
        }}""")
        page.close()
