"""Every page of the hub, on the demonstration: pages.json lists the routes that answer with one, and a Swift test
compares it with the hub's own table (Tests/Commands/EightbellsTests/PagesTests.swift)."""

import datetime
import json
import pathlib
import time

from playwright.sync_api import Error

from hub import eventually

LIST = pathlib.Path(__file__).with_name("pages.json")
ROUTES = json.loads(LIST.read_text())
# Those with a page of their own; the others show the same.
PAGES = {route: about for route, about in ROUTES.items() if "open" in about}

LEADING_SECONDS = 15  # for which a page may lead to others

# Resolved once nothing has changed on the page for a moment, with its text.
SETTLED = """async ([quiet, limit]) => {
  const until = performance.now() + limit;
  let last = performance.now();
  const observer = new MutationObserver(() => { last = performance.now(); });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const isBusy = () => document.readyState !== 'complete' || !document.body.innerText.trim()
    || [...document.images].some((one) => !one.complete && one.loading !== 'lazy');
  while (performance.now() < until && (isBusy() || performance.now() - last < quiet)) {
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  observer.disconnect();
  return document.body.innerText.trim();
}"""


def settle(page, quiet=150, limit=4_000):
    """Waits until the page stands still; its text."""
    until = time.monotonic() + LEADING_SECONDS
    while True:
        try:
            return page.evaluate(SETTLED, [quiet, limit])
        except Error as error:  # a page that leads to another one
            if "context was destroyed" not in error.message:
                raise
            assert time.monotonic() < until, f"{page.url} leads on and on"
            page.wait_for_timeout(50)  # until the browser has told where
            page.wait_for_load_state()


class EveryPage:
    """The demonstration with something on every page; `address(route)` opens one."""

    def __init__(self, hub):
        self.hub = hub
        self.owner = hub.sign_in("owner", "Ada")
        self.member = hub.sign_in("member", "Ben")
        hub.sign_in("keykeeper", "Cleo")
        self.values = {
            "album": self._first("/api/v1/albums", "albums")["join_url"].partition("#")[2],
            "app": self._first("/api/v1/apps", "apps")["app_id"],
            "person": next(one["id"] for one in self._get("/api/v1/people") if one["name"] == "Ben"),
            "event": self._event(), "bell": self._ring(), **self._shared()}

    def _get(self, path):
        status, answer = self.hub.get(path, token=self.owner)
        assert status == 200, answer
        return answer

    def _post(self, path, **fields):
        status, answer = self.hub.post(path, self.owner, fields)
        assert status < 300, answer
        return answer

    def _first(self, path, name):
        return self._get(path)[name][0]

    def _event(self):
        today = datetime.date.today()
        days = f"from={today}&to={today + datetime.timedelta(days=14)}"
        return eventually(lambda: self._get(f"/api/v1/space/events?{days}")["events"])[0]["id"]

    def _ring(self):
        for who in ("Ada", "Ben"):
            person = next(one["id"] for one in self._get("/api/v1/people") if one["name"] == who)
            for title, body in (("The soup is ready", "Bring a bowl."), ("Who locks up tonight?", "Cleo asks.")):
                self._post("/api/v1/notifications", to={"person": person}, content={"title": title, "body": body})
        return eventually(lambda: self._get("/api/v1/bells")["items"])[0]["id"]

    def _shared(self):
        path = f"/api/v1/portfolios/{self._first('/api/v1/portfolios', 'portfolios')['id']}"
        galleries = eventually(lambda: [
            one for one in self._get(path)["galleries"] if one["count"]], seconds=30)
        first = galleries[0]["id"]
        picture = eventually(lambda: self._get(f"{path}/galleries/{first}")["pictures"])[0]["id"]
        sent = self._post(f"{path}/sent", title="Two series", text="Dear Ms Okafor", galleries=[first])
        return {
            "sent": sent["link"].rstrip("/").rpartition("/")[2],
            "share": self._post(f"{path}/shares", picture=picture)["id"],
            "embed": self._post(f"{path}/shares", gallery=first)["id"]}

    def wait_whole(self):
        """Waits until all of the demonstration's pictures are there."""
        path = "/api/v1/portfolios"
        eventually(lambda: self._first(path, "portfolios")["sync"]["state"] != "running", seconds=120)

    def address(self, route):
        path = PAGES[route]["open"]
        for name, value in self.values.items():
            path = path.replace(f"{{{name}}}", value)
        return self.hub.url + path

    def sign_in(self, context, role):
        """Makes a browser that of the owner or the member; a stranger has no cookie."""
        if role != "stranger":
            fields = {"owner": self.owner, "member": self.member}[role]
            name, _, value = fields["Cookie"].partition("=")
            context.add_cookies([{"name": name, "value": value, "url": self.hub.url, "httpOnly": True,
                                  "sameSite": "Lax"}])
