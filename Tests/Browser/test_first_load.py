"""The cost of each front room's first load until it can be read and until it can be used, and its layout shifts, over a
slow network. Files that the service worker stores for later are fetched in parallel and not counted."""

import shutil

import pytest
from first_view import watch_first_view
from hub import Hub, eventually
from page import DESKTOP, PHONE, pages, wait_until

REQUESTS = 15
USABLE = 100_000  # bytes over the wire
READABLE_BYTES = 60_000
ROOMS = ["space", "programme"]
# These ask strangers to sign in, but for the clock, whose face is for everybody.
BEHIND = ["bells", "clock", "anchor", "albums", "portfolio", "apps"]
# Besides what is read first, the navigation and a first control, one can use what comes behind: an event opens and the
# sign is live.
USABLE_TOO = ("document.querySelector('a.event-row') && document.querySelector('.sign-line[data-line=live]')"
              "&& customElements.get('space-event')")
SHIFT = 0.05
# Beside other tests, more comes before what is measured.
pytestmark = pytest.mark.serial
QUIET = 250  # milliseconds without a request after which a loaded page loads nothing more

# A slow phone connection: latency in milliseconds, bytes a second.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}

_WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) {
    window.shifts.push({ value: one.value, nodes: one.sources.map(({ node, previousRect: a, currentRect: b }) =>
      `${node?.nodeName}.${node?.className} ${Math.round(a.y)}+${Math.round(a.height)} > `
      + `${Math.round(b.y)}+${Math.round(b.height)} x ${Math.round(a.x)} > ${Math.round(b.x)}`) });
  }
}).observe({ type: 'layout-shift', buffered: true });
const look = () => {
  if (window.readAt && document.querySelector('main :is(a[href], button, input)')
    && document.querySelector('hub-navigation a') && (USABLE_TOO)) window.usableAt = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


class Load:
    """One load of a page in a fresh browser: requests and bytes until it could be read and used, and layout shifts. It
    has begun, and `end` waits until it is complete."""

    def __init__(self, page, url, room):
        self._page, self._room = page, room
        watch_first_view(page, room)
        page.add_init_script(_WATCH.replace("USABLE_TOO", USABLE_TOO if room in ROOMS else "true"))
        self._session = session = page.context.new_cdp_session(page)
        self._begun, self._done = begun, done = {}, []
        session.on("Network.requestWillBeSent", lambda event: begun.setdefault(
            event["requestId"], (event["timestamp"], event["request"]["url"])))
        session.on("Network.webSocketCreated", lambda event: begun.setdefault(
            event["requestId"], (0, event["url"])))
        session.on("Network.loadingFinished", lambda event: done.append(
            (event["timestamp"], event["encodedDataLength"])))
        session.send("Network.enable")
        session.send("Performance.enable")
        session.send("Network.emulateNetworkConditions", SLOW)
        page.goto(url, wait_until="commit")

    def end(self):
        page, room, session, begun, done = self._page, self._room, self._session, self._begun, self._done
        wait_until(page, "window.usableAt !== undefined", 30_000)
        # Late content can shift the layout, too: the checklist comes last, and then its answers.
        if room in ROOMS:
            wait_until(page, "customElements.get('hub-checklist')")
        count = None
        while count != (count := len(begun)):
            page.wait_for_timeout(QUIET)
        marks = page.evaluate("({ read: window.readAt, used: window.usableAt, shifts: window.shifts })")
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        read, used = (metrics["NavigationStart"] + marks[name] / 1000 for name in ("read", "used"))
        self.addresses = [url for at, url in begun.values() if at <= used and not url.startswith("data:")]
        self.all = [url for _, url in begun.values()]
        self.read_bytes = sum(size for at, size in done if at <= read)
        self.used_bytes = sum(size for at, size in done if at <= used)
        self.shifts = marks["shifts"]
        self.shift = sum(one["value"] for one in self.shifts)
        self.seconds = (marks["read"] / 1000, marks["used"] / 1000)

    def __str__(self):
        return (f"read after {self.read_bytes} bytes, {self.seconds[0]:.1f} s; used after {len(self.addresses)} "
                f"requests, {self.used_bytes} bytes, {self.seconds[1]:.1f} s; shift {self.shift:.3f}")


@pytest.fixture(scope="module")
def demo_hub(tmp_path_factory, demonstration):
    """One hub for all loads: they change nothing but its front room."""
    hub = Hub(shutil.copytree(demonstration, tmp_path_factory.mktemp("first-load") / "demo"), demo=True).start()
    yield hub
    hub.stop()


@pytest.fixture
def load(browser, demo_hub):
    with pages(browser) as open_page:
        def load(front, path, roles, size):
            """Loads a page as everybody of these roles at once: most of the time each waits for the slow network."""
            others = [one for one in [*ROOMS, *BEHIND] if one != front]
            choice = {"rooms": [front, *others], "front": front}
            assert demo_hub.put("/api/v1/rooms", demo_hub.owner_token, choice)[0] == 200
            opened = {role: open_page(viewport=size) for role in roles}
            for role in filter(None, roles):
                demo_hub.sign_in_browser(opened[role].context, role)
            loads = {role: Load(page, demo_hub.url + path, path.strip("/") or front) for role, page in opened.items()}
            for role, found in loads.items():
                found.end()
                check(found, front, f"{front} at {path} as {role or 'a stranger'} at {size['width']}: {found}")

        def check(found, front, told):
            print(told)
            assert found.read_bytes <= READABLE_BYTES
            assert found.used_bytes <= USABLE
            assert len(found.addresses) <= REQUESTS, found.addresses
            loaded = found.addresses if front == "bells" else found.all
            assert not any(one.endswith("/notifications.wasm") for one in loaded), "for what rings, or behind the list"
            assert found.shift <= SHIFT, found.shifts

        yield load


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("front", ROOMS)
def test_a_front_room_needs_little_and_keeps_still(load, front, size):
    load(front, "/", [None, "owner"], size)


def test_so_does_a_room_beside_it(load):
    load("space", "/programme", [None], PHONE)


@pytest.mark.parametrize("front", BEHIND)
def test_so_does_a_front_room_for_those_who_belong_here(load, front):
    load(front, "/", ["owner"], PHONE)


def test_every_room_is_tried(demo_hub):
    assert sorted(demo_hub.get("/api/v1/rooms")[1]["rooms"]) == sorted([*ROOMS, *BEHIND])


def test_its_portfolio_was_sent_to_a_client(demo_hub):
    """Here, and not beside the other tests of portfolios, since painting the pictures takes half a minute."""
    path = next(line.strip() for line in demo_hub.greeting.splitlines() if "/sent/" in line).removeprefix(demo_hub.url)
    link = f"/api/v1{path.rstrip('/')}"
    told = eventually(lambda: (answer := demo_hub.get(link)[1])["galleries"] and answer, seconds=60)
    assert len(told["galleries"]) == 3 and sum(len(one["pictures"]) for one in told["galleries"]) > 20
    first = told["galleries"][0]["pictures"][0]["sizes"]["2048"]
    assert len(demo_hub.request("GET", first["url"]).body) == first["bytes"]
