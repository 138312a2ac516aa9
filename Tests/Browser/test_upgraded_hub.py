"""A page that is opened while the service worker of an older version is still there: a server in front of the hub gives
pages of the next version from some moment on."""

import re

import pytest
from every_page import settle
from hub import eventually
from local_server import LocalServer, QuietHandler
from page import wait_kept, wait_until

NEWER = {
    # All files of the shell and of the clock have changed.
    "/sw.js": lambda text: re.sub(r"(eightbells-(?:pages|room-clock)-)\w+", r"\g<1>0123456789abcdef", text),
    "/shell.js": lambda text: text + "\nexport const later = 1;\n",
    "/clock/clock.js": lambda text: f"import {{ later }} from '/shell.js';\nwindow.later = later;\n{text}",
}


class Upgrading(LocalServer):
    """In front of a hub; of the next version once `is_upgraded` is set."""
    is_upgraded = False

    def __init__(self, hub):
        upgrading = self

        class Passing(QuietHandler):
            def do_GET(self):
                answer = hub.request("GET", self.path, {"Host": self.headers["Host"]})
                body = answer.body
                if upgrading.is_upgraded and self.path in NEWER:
                    body = NEWER[self.path](body.decode()).encode()
                kept = ("Content-Type", "Content-Security-Policy", "Cache-Control", "Location")
                self.reply(answer.status, body, {name: answer.headers[name] for name in kept if name in answer.headers})

        super().__init__(Passing)


@pytest.fixture
def upgrading(demo_hub):
    with Upgrading(demo_hub) as server:
        yield server


def test_a_room_that_is_new_here_is_not_mixed_with_the_shell_of_before(open_page, upgrading):
    page = open_page()
    page.goto(upgrading.url)
    wait_kept(page)
    shells = {name for name in page.evaluate("caches.keys()") if "-pages-" in name}
    upgrading.is_upgraded = True
    page.goto(f"{upgrading.url}/clock")
    assert "Next" in settle(page), "the page is blank"
    assert page.evaluate("window.later") == 1
    room = [name for name in page.evaluate("caches.keys()") if "room-clock" in name]
    assert all("0123456789abcdef" in name for name in room), "nothing of the next version is kept as the one before"
    # The worker of the next version comes, and takes over once nobody touches the page.
    wait_until(page, "navigator.serviceWorker.getRegistration().then((it) => { window.waiting = it.waiting; }), "
                     "window.waiting")
    page.evaluate("window.waiting.postMessage('take over')")
    eventually(lambda: not shells & set(page.evaluate("caches.keys()")), what="the shell of before is gone")


def test_a_room_that_is_kept_goes_on_with_the_shell_of_before(open_page, upgrading):
    page = open_page()
    page.goto(f"{upgrading.url}/clock")
    wait_kept(page)
    wait_until(page, "caches.keys().then((all) => { window.names = all; }), "
                     "window.names?.some((name) => name.startsWith('eightbells-room-clock'))")
    upgrading.is_upgraded = True
    page.goto(f"{upgrading.url}/clock")
    assert "Next" in settle(page) and page.evaluate("window.later ?? 0") == 0
