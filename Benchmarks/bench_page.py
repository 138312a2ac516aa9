"""Bytes over the wire until the sign can be read, in Chromium with nothing kept from an earlier visit."""

import pathlib
import tempfile

from figure import Figure
from hub import Hub
from playwright.sync_api import sync_playwright

BAR = 60_000
READABLE = ":is([data-kind=open], [data-kind=closed], [data-kind=unknown]) .sign-word"


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
        page = context.new_page()
        session = context.new_cdp_session(page)
        sizes = []
        session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        session.send("Network.enable")
        page.goto(url, wait_until="commit")
        page.wait_for_selector(READABLE, timeout=15_000)
        used, count = sum(sizes), len(sizes)
        browser.close()
    yield Figure("first view, until the sign can be read", used, "bytes", BAR, f"{count} files, heads included")
