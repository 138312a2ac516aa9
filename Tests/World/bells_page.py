"""Somebody who looks at the notification centre."""

from people import own_id

SEND = "/api/v1/notifications"


class Person:
    """Somebody with a browser; `ring` sends to them."""

    def __init__(self, hub, open_page, role="member", name="Ada", **options):
        self.hub = hub
        self.page = open_page(**options)
        hub.sign_in_browser(self.page.context, role, name)
        cookies = self.page.context.cookies(hub.url)
        self.fields = {"Cookie": "; ".join(f"{one['name']}={one['value']}" for one in cookies), "Origin": hub.url}
        self.id = own_id(hub, self.fields)

    def ring(self, title="Hello", **content):
        status, answer = self.hub.post(
            SEND, self.hub.owner_token, {"to": {"person": self.id}, "content": {"title": title} | content})
        assert status == 202, answer
        return answer["id"]

    def bells(self):
        return self.hub.get("/api/v1/bells", token=self.fields)[1]

    def open(self, path="/bells"):
        self.page.goto(self.hub.url + path)
        self.page.wait_for_selector("bells-page h1")
        return self.page
