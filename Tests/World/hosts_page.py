"""An album as its hosts' pages are tested with it: pictures of a guest, and a device that is a host's."""

import io

from hub import eventually
from PIL import Image, ImageDraw
from uploads import Guest, join, make_album

SHOWN = "[...document.querySelectorAll('.cell')].filter((one) => !one.hidden)"


def jpeg(number, size=(1200, 800)):
    """A picture of its own, small enough to be made at once."""
    picture = Image.new("RGB", size, (number * 53 % 200, 90, 255 - number * 31 % 200))
    ImageDraw.Draw(picture).ellipse((100 + number % 10 * 40, 100, 700, 700), fill=(250, number * 67 % 255, 90))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=80)
    return out.getvalue()


class Album:
    """An album with a guest, Ada, who sends pictures."""

    def __init__(self, hub, **options):
        self.hub = hub
        self.made = make_album(hub, "Lena and Tom")
        self.secret = self.made["join_url"].partition("#")[2]
        self.path = f"/api/v1/albums/{self.made['id']}"
        self.host = self.made["host_token"]
        if options:
            self.change(**options)
        self.ada = Guest(hub, self.made, join(hub, self.made, "Ada"))

    def change(self, **options):
        assert self.hub.patch(self.path, self.host, options)[0] == 200

    def send(self, number, size=(1200, 800)):
        body = jpeg(number, size)
        answer = self.ada.ask("POST", f"{self.path}/uploads", body, Upload_Length=len(body),
                              Content_Type="application/offset+octet-stream")
        assert answer.status == 201, answer.body

    def send_all(self, count):
        for number in range(count):
            self.send(number, [(1200, 800), (800, 1200), (1200, 1200)][number % 3])
        eventually(lambda: all("320" in one["sizes"] for one in self.pictures()) and len(self.pictures()) == count,
                   seconds=30)

    def pictures(self, state="shown"):
        return self.hub.get(f"{self.path}/pictures?limit=500&state={state}", token=self.host)[1]["pictures"]

    def enter(self, page):
        """Makes this device a host's, who has joined without an account."""
        page.goto(f"{self.hub.url}/api/v1/rooms")
        page.evaluate("(entry) => localStorage.setItem('albums', JSON.stringify([entry]))", {
            "id": self.made["id"], "name": "Lena and Tom", "token": self.host, "secret": self.secret, "role": "host"})
        # As the hub sets it, whose own replaces it then.
        page.context.add_cookies([{"name": "album", "value": self.host, "domain": "127.0.0.1", "path": self.path}])

    def open(self, page, where=""):
        """The page as such a host sees it."""
        self.enter(page)
        page.goto(f"{self.hub.url}/album{where}#{self.secret}")
        return page
