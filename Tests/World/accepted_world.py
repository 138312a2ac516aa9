"""Asks a hub for what it accepts (accepted.py), with what has to be around it: a mail server, a server elsewhere, and
things that the owner, the album's host and the app have."""

import contextlib
import functools
import json
import pathlib
import re
import tempfile
import urllib.parse

import requests

import accepted_apps
import accepted_pictures
from accepted import ROUTES, numbers
from asker import Asker, prepared
from bell_device import make_device
from clock_page import tone, wav
from flickr import KEY, SECRET, Flickr
from hub import eventually
from local_server import LocalServer, QuietHandler
from mailroom import Mailroom
from planted import sound, video
from png import png
from push_browser import Browser
from uploads import PART, TUS, metadata

assert accepted_apps and accepted_pictures, "they add to ROUTES"


class Elsewhere(QuietHandler):
    """A picture at every address; whoever posts a question gets an answer."""

    def do_GET(self):
        self.reply(200, png(16, 16), {"Content-Type": "image/png"})

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.reply(200, b'{"success": {}}', {"Content-Type": "application/json"})


class AcceptedAsker(Asker):
    """Its `status` is that of a request which whoever may make is not refused."""

    def __init__(self, hub, who, room, elsewhere):
        super().__init__(hub, who)
        self.room, self.elsewhere = room, elsewhere
        self.kept = {}  # things that are made anew only when a caller has removed them
        self.callers["app"] = {name: value for name, value in self.callers["user"].items() if "Session" not in name}
        self.must("owner", "PATCH", f"/api/v1/apps/{self._app(self.callers['owner'])}", {
            "verify_emails": True, "user_channels": True})

    def status(self, caller, route):
        make = ROUTES.get(route)
        if make is None:
            return super().status(caller, route)
        wish = make(self, caller)
        return str(self.answer(caller, route, wish.fields, wish.body, False, wish.known, wish.query)[0])

    def ask(self, who, method, path, content=None, fields=None):
        """The status, the fields and the body of a request that has to go well."""
        status, told, body = self._asked(who, method, path, content, fields)
        assert status < 300, (who, method, path, status, body)
        return told, body

    def _asked(self, who, method, path, content=None, fields=None):
        fields = self.callers[who] | (fields or {})
        if content is not None and not isinstance(content, bytes):
            content, fields = json.dumps(content).encode(), fields | {"Content-Type": "application/json"}
        return self._exchange(method, path, fields, content)

    def status_of(self, *request):
        """The status of a request that may go well or not."""
        return self._asked(*request)[0]

    def must(self, *request):
        """The JSON of its answer."""
        body = self.ask(*request)[1]
        return json.loads(body) if body else None

    def linked_in_mail(self, path, word):
        """The last part of the link that begins so, in the mail with a word: of its title, or to whom it is."""
        def found():
            texts = [mail.get_body(("plain",)).get_content() for mail in self.room.mails
                     if word in f"{mail['To']} {mail['Subject']}"]
            return re.search(rf"http://\S+{path}([\w-]+)", "\n".join(texts))
        return eventually(found, what=f"a mail with {word}")[1]

    # What the owner has

    @functools.cached_property
    def person(self):
        return self.must("owner", "GET", "/api/v1/session")["person"]["id"]

    @functools.cached_property
    def browser(self):
        browser = Browser()
        self.must("owner", "PUT", "/api/v1/bells/webpush", {"subscription": browser.subscription})
        return browser

    def ring(self, **content):
        """The id of a notification for the owner."""
        said = {"to": {"person": self.person}, "content": {"title": "Hello"} | content}
        return self.must("owner", "POST", "/api/v1/notifications", said)["id"]

    def rung(self):
        """What came with a push to the owner's browser."""
        browser = self.browser
        one = self.ring()
        while (push := browser.next()[1]).get("id") != one:
            pass
        return push

    @functools.cached_property
    def gets_mail(self):
        """The owner gets mails about notifications at once."""
        self.must("owner", "PUT", "/api/v1/bells/mail", {"address": "ada@example.org", "after_minutes": 0})
        self.ask("stranger", "POST", f"/bells/mail/{self.linked_in_mail('/bells/mail/', 'ada@')}")
        return True

    @functools.cached_property
    def box(self):
        """The id of a device of the owner's that speaks the time."""
        device = make_device(self.hub, "Box of Ada", person="Ada")["id"]
        self.must("owner", "PUT", f"/api/v1/clock/devices/{device}", {"on": True, "volume": 60})
        return device

    @functools.cached_property
    def sound(self):
        return wav(tone(0.2))

    # Pictures

    @functools.cached_property
    def album(self):
        return f"/api/v1/albums/{self.who['album']['id']}"

    @functools.cached_property
    def join_secret(self):
        """Of another album, which anybody may join."""
        made = self.must("owner", "POST", "/api/v1/albums", {"name": "Regatta", "mode": "open"})
        return made["join_url"].rpartition("#")[2]

    @functools.cached_property
    def film(self):
        """The id of a film in the album that can be looked at, with a sound beside it."""
        with tempfile.TemporaryDirectory() as folder:
            said = sound(pathlib.Path(folder) / "said.m4a").read_bytes()
        made = self.send("host", self.film_bytes)
        self.send("host", said, sound_of=made)
        for part in ("video", "sound"):
            path = f"{self.album}/pictures/{made}/{part}"
            eventually(lambda: self.status_of("host", "GET", path) == 200, 60, f"the film's {part}")
        return made

    @functools.cached_property
    def film_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            return video(pathlib.Path(folder) / "film.mp4", seconds=1).read_bytes()

    @functools.cached_property
    def portfolio_film(self):
        """The id of a film in the portfolio of uploads."""
        path = f"/api/v1/portfolios/{self.who['portfolio']['own']}"
        gallery = self.must("owner", "POST", f"{path}/galleries", {"title": "Films"})["id"]
        fields = TUS | {"Upload-Length": str(len(self.film_bytes)),
                        "Upload-Metadata": metadata(gallery=gallery, filename="film.mp4")}
        begun = self.ask("owner", "POST", f"{path}/uploads", None, fields)[0]["Location"]
        made = self.ask("owner", "PATCH", begun, self.film_bytes, TUS | {
            "Upload-Offset": "0", "Content-Type": PART})[0]["Eightbells-Picture"]
        eventually(lambda: self.status_of("owner", "GET", f"{path}/files/{made}/video") == 200, 60, "the film")
        return made

    def consent(self):
        """The token of a consent that the owner has asked for, and the word with which Flickr answers it."""
        begun = self.must("owner", "POST", "/api/v1/portfolios/flickr/consents", {})
        led = requests.get(begun["address"], timeout=10, allow_redirects=False).headers["Location"]
        return begun["token"], dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(led).query))["oauth_verifier"]

    @functools.cached_property
    def at_flickr(self):
        """The id of a portfolio from there."""
        token, verifier = self.consent()
        path = f"/api/v1/portfolios/flickr/consents/{token}"
        return self.must("owner", "POST", path, {"verifier": verifier, "name": "From there"})["id"]

    @functools.cached_property
    def sent_film(self):
        """The id of a link with a PIN by which that film was sent, and what its PIN opens it with."""
        wish = {"title": "A film", "pictures": [self.portfolio_film], "pin": "2468", "download": "original"}
        path = f"/api/v1/portfolios/{self.who['portfolio']['own']}/sent"
        sent = self.must("owner", "POST", path, wish)["id"]
        return sent, self.must("stranger", "POST", f"/api/v1/sent/{sent}/open", {"pin": "2468"})["token"]

    def begin(self, who, count, **values):
        """The address of an upload to the album that somebody begins."""
        fields = TUS | {"Upload-Length": str(count), "Upload-Metadata": metadata(**values)}
        return self.ask(who, "POST", f"{self.album}/uploads", None, fields)[0]["Location"]

    def upload(self, who, count):
        """The same, once for as long as it is not finished or ended."""
        return self.unfinished(who, f"upload of {who}", lambda: self.begin(who, count))

    def unfinished(self, who, name, begin):
        """The address of an upload of which nothing has come; `begin` makes one when it is not there any more."""
        kept = self.kept.get(name)
        if kept is None or self._asked(who, "HEAD", kept, None, TUS)[1].get("Upload-Offset") != "0":
            kept = self.kept[name] = begin()
        return kept

    def send(self, who, content, **values):
        """The id of a picture that somebody sends to the album."""
        begun = self.begin(who, len(content), **values)
        fields = TUS | {"Upload-Offset": "0", "Content-Type": PART}
        return self.ask(who, "PATCH", begun, content, fields)[0]["Eightbells-Picture"]

    @functools.cached_property
    def event(self):
        """The id of an event of the programme."""
        return next(values for start, values in self.parts if start == "/api/v1/space/events")["id"]

    @functools.cached_property
    def shown(self):
        """The gallery and the picture of the portfolio that are asked about."""
        return next(values for start, values in self.parts if start == "/api/v1/portfolios")

    # Apps

    def other_class(self):
        """The name of a new class of the app."""
        name = f"Other{next(numbers)}"
        self.must("master", "POST", f"/parse/schemas/{name}", {"fields": {"title": {"type": "String"}}})
        return name


@contextlib.contextmanager
def accepting(make):
    """Asks a hub that `make` makes."""
    with (Mailroom() as room, LocalServer(Elsewhere) as elsewhere, Flickr() as flickr,
          tempfile.NamedTemporaryFile("w", suffix=".txt") as secret):
        flickr.visitor = flickr.person("ada")
        secret.write(SECRET)
        secret.flush()
        options = ["--smtp", f"smtp://127.0.0.1:{room.port}", "--mail-from", "bells@hub.example", "--flickr-key", KEY,
                   "--flickr-secret-file", secret.name, "--flickr-base", flickr.base]
        env = {"EIGHTBELLS_ANCHOR_TILES": f"{elsewhere.url}/map,{elsewhere.url}/sea"}
        hub, who = prepared(lambda **more: make(options=options, **more | {"env": more["env"] | env}))
        try:
            yield AcceptedAsker(hub, who, room, elsewhere.url)
        finally:
            hub.stop()
