"""A server that answers as Flickr's API, OAuth and host of pictures are documented to (flickr.com/services/api).

Written from the descriptions of its methods and from auth.oauth.html. Signatures are checked by oauthlib. Known:
people with sets, collections and contacts; pictures that are public, private, deleted, or replaced by others; videos.
`fail` makes it answer badly once or for ever; `calls` and `files` count what was asked."""

import collections
import dataclasses
import functools
import html
import io
import itertools
import json
import secrets
import threading
import time
import urllib.parse

from flickr_methods import METHODS, Failure
from local_server import LocalServer, QuietHandler
from oauthlib.oauth1.rfc5849 import signature as oauth
from PIL import Image

KEY = "9a0554259914a86fb9e7eb014e4e5d52"
SECRET = "000005fab4534d05"
# The long sides of the sizes, by their letters in url_X. No picture is made larger than it is.
SIDES = {"sq": 75, "q": 150, "t": 100, "s": 240, "n": 320, "m": 500, "z": 640, "c": 800, "l": 1024, "h": 1600,
         "k": 2048}
LETTERS = {"sq": "_s", "q": "_q", "t": "_t", "s": "_m", "n": "_n", "m": "", "z": "_z", "c": "_c", "l": "_b", "h": "_h",
           "k": "_k"}
GONE = "/pw/images/en-us/photo_unavailable.png"


class Raw(Exception):
    """An answer that is no answer of the API's."""

    def __init__(self, status, body, content_type="text/plain", **headers):
        super().__init__(status)
        self.status, self.body, self.content_type = status, body, content_type
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def too_many():
    return Raw(429, "<html><body><h1>429 Too Many Requests</h1>\nYou have sent too many requests.</body></html>",
               "text/html")


# The words that `fail` knows.
ANSWERS = {
    "429": too_many,
    "500": lambda: Raw(500, "<html><body>Internal Server Error</body></html>", "text/html"),
    "503": lambda: Raw(503, "Service Unavailable"),
    "403": lambda: Raw(403, "Forbidden"),
    "html": lambda: Raw(200, "<!DOCTYPE html><html><body>We'll be back soon</body></html>", "text/html"),
    "105": lambda: Failure(105, "Service currently unavailable"),
    "98": lambda: Failure(98, "Invalid auth token"),
    "1": lambda: Failure(1, "Photoset not found"),
}


@dataclasses.dataclass
class Photo:
    id: str
    owner: str
    title: str
    size: tuple = (3000, 2000)
    public: bool = True
    media: str = "photo"
    description: str = ""
    license: int = 0
    taken: str = "2026-05-01 12:00:00"
    place: tuple = (0, 0)
    deleted: bool = False
    # Letters that Flickr or the photographer withholds.
    withheld: tuple = ()
    video: bytes = b""
    secret: str = dataclasses.field(default_factory=lambda: secrets.token_hex(5))

    def replace(self):
        """Another picture in place of this one: the old addresses are good no more."""
        self.secret = secrets.token_hex(5)

    def sizes(self):
        """The letters of its sizes with their pixels."""
        long = max(self.size)
        made = {letter: tuple(max(1, round(side * part / long)) for part in self.size)
                for letter, side in SIDES.items() if side < long}
        return {letter: size for letter, size in (made | {"o": self.size}).items() if letter not in self.withheld}

    def address(self, letter):
        if letter == "o":
            return f"/65535/{self.id}_{self.secret[::-1]}_o.jpg"
        # From h up, each size has a secret of its own.
        secret = f"{self.secret}{letter}" if letter in "hk" else self.secret
        return f"/65535/{self.id}_{secret}{LETTERS[letter]}.jpg"


@dataclasses.dataclass
class Set:
    id: str
    owner: str
    title: str
    description: str = ""
    photos: list = dataclasses.field(default_factory=list)
    updated: int = 1_795_000_000


@dataclasses.dataclass
class Person:
    id: str
    username: str
    alias: str
    sets: list = dataclasses.field(default_factory=list)
    # (title, [ids of sets or further such tuples])
    collections: list = dataclasses.field(default_factory=list)
    contacts: list = dataclasses.field(default_factory=list)


@functools.cache
def jpeg(width, height, shade):
    picture = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    tint = Image.new("RGB", (width, height), ((shade * 47) % 256, (shade * 91) % 256, (shade * 137) % 256))
    output = io.BytesIO()
    Image.blend(picture, tint, 0.5).save(output, "JPEG", quality=70)
    return output.getvalue()


class Flickr(LocalServer):
    """Serves until it leaves its `with` block."""

    def __init__(self):
        self.people, self.photos, self.sets = {}, {}, {}
        # Counts by method, by picture, and all questions in their order.
        self.calls, self.files, self.asked = collections.Counter(), collections.Counter(), []
        # Calls that are allowed before 429; None for no limit.
        self.hourly = None
        # Numbers as texts, texts of lists as objects, answers within jsonFlickrApi(...), empty lists left out.
        self.odd = False
        # The person who is signed in at its pages.
        self.visitor = None
        self.tokens, self.requests = {}, {}
        self._nonces, self._faults = set(), []
        self._ids = itertools.count(54_000_000_001)
        self._lock = threading.RLock()
        super().__init__(handler(self))
        self.base = self.url

    # People, sets and photos

    def person(self, username="ada", id=None):
        person = Person(id or f"{next(self._ids)}@N01", username, username)
        self.people[person.id] = person
        return person

    def photo(self, owner, title="", **fields):
        id = str(next(self._ids))
        self.photos[id] = Photo(id, owner.id, title or f"Picture {id[-4:]}", **fields)
        return self.photos[id]

    def set(self, owner, title, count=0, **fields):
        made = Set(f"721{next(self._ids)}", owner.id, title, **fields)
        made.photos += [self.photo(owner, f"{title} {number}").id for number in range(1, count + 1)]
        self.sets[made.id] = made
        owner.sets.append(made.id)
        return made

    def delete(self, photo):
        photo.deleted = True
        for each in self.sets.values():
            if photo.id in each.photos:
                each.photos.remove(photo.id)
                each.updated += 1

    def token(self, person):
        """A token of a person's, without their consent: (token, secret)."""
        token, secret = secrets.token_hex(17), secrets.token_hex(8)
        self.tokens[token] = (secret, person.id)
        return token, secret

    def revoke(self, person):
        self.tokens = {token: value for token, value in self.tokens.items() if value[1] != person.id}

    def fail(self, how, times=1, **asked):
        """The next `times` requests with these values (`method`, `file`, or a parameter) are answered badly: `how` is a
        word of ANSWERS, "half", "redirect:URL", or a function that changes an answer."""
        self._faults.append([how, times, {name: str(value) for name, value in asked.items()}])

    def fault(self, asked):
        for fault in self._faults:
            if fault[1] > 0 and all(asked.get(name) == value for name, value in fault[2].items()):
                fault[1] -= 1
                return fault[0]
        return None

    # Answers

    def visible(self, photo, viewer):
        return not photo.deleted and (photo.public or photo.owner == viewer)

    def visible_photos(self, of, viewer):
        return [self.photos[id] for id in of.photos if self.visible(self.photos[id], viewer)]

    def rest(self, query, viewer):
        name = query.get("method", "")
        with self._lock:
            self.calls[name] += 1
            self.asked.append(query)
            if self.hourly is not None and sum(self.calls.values()) > self.hourly:
                raise too_many()
            how = self.fault(query)
            if isinstance(how, str):
                raise ANSWERS[how]()
            if name not in METHODS:
                raise Failure(112, f'Method "{name}" not found')
            answer = METHODS[name](self, query, viewer)
            return how(answer) if how else answer

    def user(self, id, code=1):
        if id not in self.people:
            raise Failure(code, "User not found")
        return self.people[id]

    # OAuth

    def request_token(self, values):
        token, secret = secrets.token_hex(17), secrets.token_hex(8)
        self.requests[token] = {"secret": secret, "callback": values["oauth_callback"], "verifier": None, "user": None}
        return {"oauth_callback_confirmed": "true", "oauth_token": token, "oauth_token_secret": secret}

    def consent(self, token, perms):
        """The visitor says yes. The code, or the address that the browser is sent to."""
        if perms not in ("read", "write", "delete"):
            raise Raw(200, "Oops! Flickr doesn't recognise the permission set.", "text/html")
        request = self.requests[token]
        code = secrets.randbelow(10**9)
        digits = f"{code:09}"
        request["user"] = self.visitor.id
        if request["callback"] == "oob":
            request["verifier"] = "-".join((digits[:3], digits[3:6], digits[6:]))
            return request["verifier"]
        request["verifier"] = secrets.token_hex(8)
        values = urllib.parse.urlencode({"oauth_token": token, "oauth_verifier": request["verifier"]})
        return f"{request['callback']}{'&' if '?' in request['callback'] else '?'}{values}"

    def access_token(self, values):
        request = self.requests.get(values["oauth_token"])
        if request is None or request["verifier"] is None or values.get("oauth_verifier") != request["verifier"]:
            raise Raw(401, "oauth_problem=token_rejected")
        del self.requests[values["oauth_token"]]
        person = self.people[request["user"]]
        token, secret = self.token(person)
        return {"fullname": "", "oauth_token": token, "oauth_token_secret": secret, "user_nsid": person.id,
                "username": person.username}

    def signed(self, method, url, body, headers):
        """The parameters of a request, checked; the id of the person whose token it has, or None."""
        address = urllib.parse.urlsplit(url)
        values = oauth.collect_parameters(address.query, body, headers, exclude_oauth_signature=False)
        query = dict(values)
        if "oauth_signature" not in query:
            if query.get("api_key") != KEY:
                raise Failure(100, "Invalid API Key (Key has invalid format)")
            return query, None
        if query.get("oauth_consumer_key") != KEY:
            raise Raw(401, "oauth_problem=consumer_key_unknown")
        if abs(int(query["oauth_timestamp"]) - time.time()) > 300:
            raise Raw(401, "oauth_problem=timestamp_refused")
        nonce = (query["oauth_timestamp"], query["oauth_nonce"])
        with self._lock:
            if nonce in self._nonces:
                raise Raw(401, "oauth_problem=nonce_used")
            self._nonces.add(nonce)
        token, person = query.get("oauth_token"), None
        if token in self.tokens:
            token_secret, person = self.tokens[token]
        elif token in self.requests:
            token_secret = self.requests[token]["secret"]
        elif token:
            if address.path.startswith("/services/rest"):
                raise Failure(98, "Invalid auth token")
            raise Raw(401, "oauth_problem=token_rejected")
        else:
            token_secret = ""
        request = Signed(method, url, [pair for pair in values if pair[0] != "oauth_signature"],
                         query["oauth_signature"])
        if not oauth.verify_hmac_sha1(request, SECRET, token_secret):
            raise Raw(401, f"oauth_problem=signature_invalid&debug_sbs={urllib.parse.quote(method)}")
        return query, person

    # HTTP

    def respond(self, method, url, body, headers):
        """(status, content type, bytes, further headers)"""
        path = urllib.parse.urlsplit(url).path
        if path == "/services/oauth/authorize":
            query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
            said = self.consent(query["oauth_token"], query.get("perms"))
            if said.startswith("http"):
                raise Raw(302, "", Location=said)
            return 200, "text/html", f"<p>Your code: <b>{html.escape(said)}</b></p>".encode(), {}
        if path.startswith("/services/oauth/"):
            query, _ = self.signed(method, url, body, headers)
            if path.endswith("/request_token"):
                if "oauth_callback" not in query:
                    raise Raw(400, "oauth_problem=parameter_absent&oauth_parameters_absent=oauth_callback")
                return 200, "text/plain", urllib.parse.urlencode(self.request_token(query)).encode(), {}
            return 200, "text/plain", urllib.parse.urlencode(self.access_token(query)).encode(), {}
        if path.rstrip("/") == "/services/rest":
            return self.rest_response(method, url, body, headers)
        return self.file(path, headers)

    def rest_response(self, method, url, body, headers):
        # The format of the answer, also when all else is wrong.
        query = dict(urllib.parse.parse_qsl(f"{urllib.parse.urlsplit(url).query}&{body or ''}"))
        try:
            query, viewer = self.signed(method, url, body, headers)
            answer = self.rest(query, viewer) | {"stat": "ok"}
        except Failure as failure:
            answer = {"stat": "fail", "code": failure.code, "message": failure.message}
        if query.get("format") not in (None, "json"):
            raise Raw(200, '<?xml version="1.0" encoding="utf-8" ?><rsp stat="fail"><err code="111" '
                      'msg="Format not found"/></rsp>', "text/xml")
        text = json.dumps(texts(answer) if self.odd else answer)
        if query.get("nojsoncallback") != "1" or self.odd:
            text = f"jsonFlickrApi({text})"
        return 200, "application/json", text.encode(), {}

    def file(self, path, headers):
        if path == GONE:
            output = io.BytesIO()
            Image.new("RGB", (500, 374), "white").save(output, "PNG")
            return 200, "image/png", output.getvalue(), {}
        id = path.rsplit("/", 1)[-1].partition("_")[0]
        photo = self.photos.get(id)
        with self._lock:
            self.files[id] += 1
            how = self.fault({"file": id})
        if isinstance(how, str) and how.startswith("redirect:"):
            raise Raw(302, "", Location=how.removeprefix("redirect:"))
        if isinstance(how, str) and how in ANSWERS:
            raise ANSWERS[how]()
        if photo and not photo.deleted and path.endswith(".mp4"):
            return part(photo.video, headers.get("Range"))
        letters = {photo.address(letter): letter for letter in photo.sizes()} if photo and not photo.deleted else {}
        if path not in letters:
            raise Raw(302, "", Location=GONE)
        data = jpeg(*photo.sizes()[letters[path]], int(id) % 8)
        # Each picture is another file: its id is a comment in it.
        comment = f"{id} {photo.secret}".encode()
        data = data[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + data[2:]
        return 200, "image/jpeg", data[:len(data) // 2] if how == "half" else data, {}


@dataclasses.dataclass
class Signed:
    """A request as oauthlib wants it."""

    http_method: str
    uri: str
    params: list
    signature: str


def texts(value):
    """The same answer as Flickr writes it, too: numbers as texts, and lists without elements left out."""
    if isinstance(value, dict):
        return {name: texts(each) for name, each in value.items() if each != []}
    if isinstance(value, list):
        return [texts(each) for each in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def part(data, wanted):
    """A file, or the range of it that is wanted."""
    if not wanted:
        return 200, "video/mp4", data, {}
    first, _, last = wanted.removeprefix("bytes=").partition("-")
    end = min(int(last or len(data)), len(data) - 1)
    field = {"Content-Range": f"bytes {first}-{end}/{len(data)}"}
    return 206, "video/mp4", data[int(first):end + 1], field


def handler(flickr):
    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        timeout = 60

        def answer(self):
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(size).decode()
            form = body if "urlencoded" in self.headers.get("Content-Type", "") else None
            try:
                status, kind, data, fields = flickr.respond(self.command, flickr.base + self.path, form, self.headers)
            except Raw as raw:
                status, kind, data, fields = raw.status, raw.content_type, raw.body.encode(), raw.headers
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **fields}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = answer

    return Handler
