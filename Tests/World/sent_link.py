"""A link by which all of a portfolio was sent, and what its photographer sees of it."""

import sqlite3

PORTFOLIOS = "/api/v1/portfolios"


class SentLink:
    """`fields` are those of a request of the portfolio's owner."""

    def __init__(self, hub, portfolio, fields):
        self.hub, self.fields = hub, fields
        path = f"{PORTFOLIOS}/{portfolio}"
        galleries = [one["id"] for one in hub.get(path, fields)[1]["galleries"]]
        wish = {"title": "Two series", "text": "Dear Ms Okafor", "galleries": galleries}
        status, made = hub.post(f"{path}/sent", json=wish, token=fields)
        assert status == 201, made
        self.own = f"{path}/sent/{made['id']}"
        # Browsers trust this name without HTTPS.
        self.url = made["link"].replace("127.0.0.1", "localhost")
        told = hub.get(f"/api/v1/sent/{made['id']}")[1]
        self.pictures = [one for gallery in told["galleries"] for one in gallery["pictures"]]

    def set_pin(self, pin):
        assert self.hub.patch(self.own, json={"pin": pin}, token=self.fields)[0] == 200

    def withdraw(self):
        assert self.hub.request("DELETE", self.own, self.fields).status == 204

    def make_private(self, pictures):
        """As a sync does when their owner has hidden them at the source."""
        with sqlite3.connect(self.hub.data / "eightbells.sqlite", timeout=30) as database:
            database.executemany(
                "UPDATE portfolio_pictures SET is_private = 1 WHERE address = ?", [(one["id"],) for one in pictures])

    @property
    def marks(self):
        """By their ids."""
        return {one["id"]: one for one in self.hub.get(f"{self.own}/marks", self.fields)[1]["marks"]}

    @property
    def opened(self):
        """How many clients have opened it."""
        return self.hub.get(self.own, self.fields)[1]["opened"]
