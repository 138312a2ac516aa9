"""Bytes over the wire until the sign can be read, in Chromium with nothing kept from an earlier visit."""

import pathlib
import tempfile

from figure import Figure
from first_view import first_view
from hub import Hub
from playwright.sync_api import sync_playwright

BAR = 60_000


def figures():
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(pathlib.Path(folder) / "demo", demo=True).start()
        try:
            yield from measure(hub.url)
        finally:
            hub.stop()


def measure(url):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        used, count, _ = first_view(context, url)
        browser.close()
    yield Figure("first view, until the sign can be read", used, "bytes", BAR, f"{count} files, heads included")
