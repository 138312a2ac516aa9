"""A phone ends the page that watches: it is locked, another app or another tab lies on top. The hub misses its beat and
rings this very phone; the page that comes back watches on by itself, and says for how long nobody looked."""

import os
import pathlib
import re
import signal
import time

import pytest
from hub import eventually
from push_browser import Browser
from tabs import Tabs

ANCHOR = "/api/v1/anchor"
PLACE = (54.43, 10.17)
# The least that may be set: a beat of 10 s is missed after 35.
QUICK = {"grace_s": 1, "gap_s": 10, "lost_s": 10, "beat_s": 10}
RINGS = 90  # seconds within which it rings on a busy machine, too
SWITCH = "document.querySelector('.page-watch input')"
TAG = "document.querySelector('.page-watch .tag')?.innerText"
NOTE = "document.querySelector('.watch-top .note')?.innerText ?? ''"
# The sentinels of the wake lock, as the browser gives them.
LOCKS = """{
  window.locks = [];
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (kind) {
    const sentinel = await request.call(this, kind);
    window.locks.push(sentinel);
    return sentinel;
  };
}"""


class Phone:
    """A browser on board with the page that watches; its receiver moves as long as the phone is awake."""

    def __init__(self, tabs, hub, cookie):
        self.tabs, self.moved = tabs, 0
        tabs("Browser.grantPermissions", origin=hub.url, permissions=["geolocation", "wakeLockScreen"])
        self.page = tabs.open()
        self.page.before_scripts(LOCKS)
        name, _, value = cookie.partition("=")
        self.page("Network.setCookie", name=name, value=value, url=hub.url)
        self.move()
        self.page.go(hub.url + "/anchor")
        eventually(lambda: self.page.run(f"Boolean({SWITCH})"), 30, what="the page")
        self.page.run(f"{SWITCH}.click()")

    def move(self):
        if time.monotonic() < self.moved + 0.3:
            return True
        self.moved = time.monotonic()
        north = 20 + self.moved % 1
        self.page("Emulation.setGeolocationOverride", latitude=PLACE[0] - north / 111_195, longitude=PLACE[1],
                  accuracy=3)
        return True

    def until(self, condition, what):
        """Moves on until the page, or a function, says so."""
        if isinstance(condition, str):
            return eventually(lambda: self.move() and self.page.run(condition), 30, what=what)
        return eventually(lambda: self.move() and condition(), 30, what=what)

    def pages_processes(self, how):
        """Stops, or continues, all that runs pages, as a phone does that is locked."""
        processes, found = {}, [self.tabs.process.pid]
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                number, _, rest = stat.read_text().partition(" (")
                processes.setdefault(int(rest.rpartition(")")[2].split()[1]), []).append(int(number))
            except OSError:
                continue  # it has just ended
        for one in found:
            found += processes.get(one, [])
        for one in found[1:]:  # the first one answers to this test
            os.kill(one, how)

    def leave(self, way):
        if way == "locked":
            return self.pages_processes(signal.SIGSTOP)
        self.tabs.open().show()
        eventually(lambda: self.page.run("document.visibilityState") == "hidden", 10)
        if way == "another app":
            self.page("Page.setWebLifecycleState", state="frozen")
        return None

    def come_back(self, way):
        if way == "locked":
            return self.pages_processes(signal.SIGCONT)
        if way == "another app":
            self.page("Page.setWebLifecycleState", state="active")
        return self.page.show()


def until_title(service, *titles):
    """The next push with one of the titles."""
    while True:
        eventually(lambda: service.pushes, RINGS, what=titles)
        content = service.next()[1]["content"]
        if content["title"] in titles:
            return content


@pytest.mark.waits
@pytest.mark.timeout(480)
@pytest.mark.parametrize("way, title, again, least", [
    ("locked", "Nothing heard from the boat", "The boat is heard again", 30),
    ("another app", "Nothing heard from the boat", "The boat is heard again", 30),
    # A hidden page runs on, but its browser tells it no position any more.
    ("another tab", "No position any more", "There is a position again", 10),
])
def test_a_page_that_is_ended_rings_that_phone_and_watches_on_when_it_is_back(hub, tmp_path, way, title, again, least):
    ada = hub.sign_in("owner", "Ada", device="Ada's phone")
    service = Browser()
    assert hub.put("/api/v1/bells/webpush", ada, {"subscription": service.subscription})[0] == 200
    assert hub.post(f"{ANCHOR}/drop", ada, {"lat": PLACE[0], "lon": PLACE[1]})[0] == 200
    assert hub.patch(ANCHOR, ada, QUICK)[0] == 200
    assert hub.post(f"{ANCHOR}/arm", ada, {})[0] == 200

    def state():
        return hub.get(ANCHOR, token=ada)[1]["state"]

    with Tabs(tmp_path / "profile") as tabs:
        phone = Phone(tabs, hub, ada["Cookie"])
        phone.until(lambda: state() == "holding", "the hub hears the page")
        phone.until("window.locks.length && !window.locks.at(-1).released", "the screen stays on")
        source, = hub.get(ANCHOR, token=ada)[1]["sources"]
        assert (source["name"], source["kind"], source["interval_s"]) == ("Ada, Ada's phone", "page", 10)

        phone.leave(way)
        left = time.monotonic()
        rung = until_title(service, title)
        print(f"{way}: this phone is rung {time.monotonic() - left:.1f} s after the page was left")
        assert rung["interruption_level"] == "critical" and state() == "lost"

        phone.come_back(way)
        phone.until(f"/Nobody watched for/.test({NOTE})", "it says how long nobody looked")
        away = time.monotonic() - left
        told = int(re.search(r"watched for (\d+) s", phone.page.run(NOTE)).group(1))
        assert least <= told <= away + 2, (told, away)
        phone.until(f"{TAG} === 'watches' && document.querySelector('.board-word')?.innerText.trim() === 'Holding'",
                    "it watches on")
        phone.until("Boolean(document.querySelector('.trail-gap'))", "the gap is drawn")
        phone.until("!window.locks.at(-1).released", "the screen stays on again")
        assert phone.page.run("window.locks.length") == (1 if way == "locked" else 2)
        phone.until(lambda: state() == "holding", "the hub hears it again")
        until_title(service, again)
    service.server.close()
