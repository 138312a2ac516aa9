"""A programme of 5,000 occurrences on the page: does it scroll at 60 frames a second, and how long does a search take?

In headless Chromium, as wide as a phone. The list is scrolled by script, once a frame, which is harder than a finger:
every frame waits for the page's own thread. Its peer is a page of the same height with nothing in it.
"""

import datetime as dt
import json
import pathlib
import random
import statistics
import tempfile

import ics
from figure import Figure
from hub import Hub, eventually
from measure import spread
from page import wait_until
from playwright.sync_api import sync_playwright

OCCURRENCES = 5_000
DAYS = 390
ROUNDS = 5
SECONDS = 6
PIXELS = 60  # per frame: 3,600 a second, as after a strong flick
FRAME = 1000 / 60
LATE = 1.5 * FRAME  # a longer frame is visibly dropped
QUESTION = "löten loeten workshop evening 4999 nothing"
LIMIT = 60_000        # milliseconds
WORDS = ("Bring tools and patience, tea is there. Löten, Nähen, Funken und Reden for beginners and others in the "
         "workshop, library or attic; see the page of the evening for what is needed").split()

SCROLL = """async ({ pixels, seconds }) => {
  const frames = [], tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((it) => it.duration)));
  observer.observe({ type: 'longtask' });
  let before = await new Promise(requestAnimationFrame);
  const end = before + seconds * 1000;
  while (before < end) {
    scrollBy(0, pixels);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  observer.disconnect();
  return { frames, tasks, y: scrollY };
}"""

SEARCH = """async (question) => {
  const field = document.getElementById('programme-search');
  const times = [];
  for (let length = 1; length <= question.length; length += 1) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    field.value = question.slice(0, length);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await null;
    await null;
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return { times, found: document.querySelectorAll('.weeks .event-row').length };
}"""


def calendar():
    rng = random.Random(4)
    today = dt.date.today()
    events = []
    for number in range(OCCURRENCES):
        day = today + dt.timedelta(days=1 + number * DAYS // OCCURRENCES)
        start = dt.datetime.combine(day, dt.time(8 + number % 14))
        text = " ".join(rng.choices(WORDS, k=40))
        events.append(ics.event(
            f"event-{number}", f"{start:%Y%m%dT%H%M%S}", *ics.folded(f"DESCRIPTION:{text}".replace(",", "\\,")),
            f"LOCATION:{rng.choice(['Workshop', 'Library', 'Attic'])}", title=f"Evening {number}",
            end=f"{start + dt.timedelta(hours=2):%Y%m%dT%H%M%S}", zone="Europe/Berlin"))
    return ics.calendar(*events, name="Everything")


def figures():
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(pathlib.Path(folder) / "data").start()
        try:
            (hub.data / "everything.ics").write_text(calendar(), newline="")
            hub.configure(calendars=[{"kind": "ics", "url": "file:everything.ics"}])
            today = dt.date.today()
            eventually(
                lambda: len(hub.events(str(today), str(today + dt.timedelta(days=400)))["events"]) == OCCURRENCES,
                seconds=60, what="the programme")
            yield from measure(hub.url)
        finally:
            hub.stop()


def open_page(browser, url):
    page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
    page.set_default_timeout(LIMIT)
    page.goto(url)
    return page


def scroll(page):
    page.evaluate("scrollTo(0, 0)")
    return page.evaluate(SCROLL, {"pixels": PIXELS, "seconds": SECONDS})


def measure(url):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        ours, peers = [], []
        for number in range(ROUNDS):
            page = open_page(browser, url)
            page.click("space-programme button.button")
            wait_until(page, "document.querySelectorAll('.week').length > 50", LIMIT)
            ours.append(scroll(page))
            height = page.evaluate("document.documentElement.scrollHeight")
            if number == 0:
                searches = [page.evaluate(SEARCH, QUESTION) for _ in range(ROUNDS)]
            page.context.close()
            page = open_page(browser, "about:blank")
            page.evaluate(f"document.body.style.height = '{height}px'")
            peers.append(scroll(page))
            page.context.close()
        browser.close()
    yield from told(ours, peers, searches)


def told(ours, peers, searches):
    assert all(run["y"] > PIXELS * 30 for run in ours), json.dumps([run["y"] for run in ours])

    def late(run):
        return 100 * sum(frame > LATE for frame in run["frames"]) / len(run["frames"])

    rates = [1000 * len(run["frames"]) / sum(run["frames"]) for run in ours]
    peer_rates = [1000 * len(run["frames"]) / sum(run["frames"]) for run in peers]
    tasks = [task for run in ours for task in run["tasks"]]
    yield Figure(
        "scrolling 5,000 occurrences, a frame beside an empty page", statistics.median(peer_rates) / statistics.median(
            rates), "x", 1.05, f"{statistics.median(rates):.1f} frames a second ({spread(rates, '{:.1f}')}), an empty "
        f"page {statistics.median(peer_rates):.1f}; medians of {ROUNDS} runs of {SECONDS} s")
    yield Figure(
        "frames that came late", statistics.median(map(late, ours)), "%", None,
        f"an empty page {statistics.median(map(late, peers)):.1f} %; {len(tasks)} tasks over 50 ms in all runs"
        + (f", the longest {max(tasks):.0f} ms" if tasks else ""))
    times = [time for run in searches for time in run["times"]]
    yield Figure(
        "search in 5,000 occurrences, from a letter to the laid out answer", statistics.median(times), "ms", 50,
        f"the slowest of {len(times)} letters {max(times):.0f} ms, the first {searches[0]['times'][0]:.0f} ms")
