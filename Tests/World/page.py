"""Shared parts of the tests of pages: pages that report their errors, their sizes, and waiting."""

import contextlib
import os
import pathlib

from hub import ROOT

PICTURES = pathlib.Path(os.environ.get("EIGHTBELLS_PICTURES") or ROOT / ".build/pictures")

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
SMALL = {"width": 320, "height": 640}

LIMIT = 40_000  # milliseconds for everything without a limit of its own; a machine that others use may need them

WHOLE_CHROMIUM = "/usr/bin/chromium"
SMALL_CHROMIUM = "/usr/bin/chromium-headless-shell"  # without notifications; pages cost it half as much

ADDRESS = "http://192.168.1.10:8080"
# Evaluated in a page: its hub knows that address.
KNOWS_ADDRESS = """window.ask = window.fetch;
window.fetch = async (...what) => {
  const answer = await ask(...what);
  return what[0] === '/api/v1/session' ? Response.json({...await answer.json(), address: '%s'}) : answer;
}; null""" % ADDRESS


def launch(chromium, *options, program=SMALL_CHROMIUM):
    """Starts a browser; `chromium` is Playwright's type of it, or that of another one that runs."""
    return chromium.launch(executable_path=program, args=["--no-sandbox", *options])


@contextlib.contextmanager
def pages(browser):
    """Returns open_page(context=…, viewport=…, locale=…, …): an empty page, in a browser of its own if none is given.
    Errors of its scripts and violations of its security policy fail the test at its end."""
    contexts, troubles = [], []

    def open_page(context=None, **options):
        if context is None:
            usual = {"viewport": PHONE, "locale": "en-GB", "timezone_id": "Europe/Berlin"}
            context = browser.new_context(**usual | options)
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LIMIT)
        page.troubles = troubles
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda line: troubles.append(line.text) if "Content Security" in line.text else None)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == [], troubles


def overflow(page):
    """The pixels by which a page is too wide."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def wait_live(page, limit=LIMIT):
    """Waits until the page is subscribed to the hub's events."""
    page.wait_for_selector('.sign-line[data-line="live"]', timeout=limit)


def wait_until(page, condition, limit=LIMIT):
    """Waits for a condition in JavaScript. Playwright's own wait needs eval, which our policy forbids."""
    page.evaluate(f"""async () => {{
      const until = performance.now() + {limit};
      const condition = () => ({condition});
      while (!condition()) {{
        if (performance.now() > until) throw new Error('not within {limit} ms: ' + condition);
        await new Promise((resolve) => {{ setTimeout(resolve, 10); }}); // frames stand still in a tab behind
      }}
    }}""")


def wait_kept(page):
    """Waits until the service worker has stored all files and controls this page. It begins now: a page of the hub lets
    it begin once it has rested for seconds, which test_kept.py waits for."""
    page.evaluate("""async () => {
      const isOfHub = performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/shell.js'));
      if (isOfHub) (await import('/shell.js')).$offline.workerNow();
      await navigator.serviceWorker.ready;
    }""")
    wait_until(page, "navigator.serviceWorker.controller !== null")


def tell_updated(page):
    """A new version of the pages takes over while the reader is in another tab; `isSame` is gone after a reload."""
    page.evaluate("""() => {
      window.isSame = true;
      Object.defineProperty(document, 'hidden', { get: () => true });
      navigator.serviceWorker.dispatchEvent(new Event('controllerchange'));
    }""")


def wait_room_kept(page, room):
    """The same, and this room's files, too."""
    wait_kept(page)
    wait_until(page, "window.there || (caches.keys().then((all) => { "
                     f"window.there = all.some((name) => /room-{room}-[0-9a-f]+$/.test(name)); }}), false)")
