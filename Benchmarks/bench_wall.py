"""The gallery of an album with 10,000 photos, thrown through at 3,000 pixels a second in Chromium at 1280×800 without
a GPU, and on a phone whose processor is four times as slow: how long frames take, beside a page with as many plain
<img loading="lazy"> in the same rows, in the same run. Then the live wall, and a phone's first pictures."""

import base64
import contextlib
import http.server
import io
import pathlib
import random
import statistics
import threading

import album_pages
from figure import Figure
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
PHOTOS = 10_000
SPEED = 3_000  # pixels a second
SECONDS = 6
PATIENCE = 120_000  # milliseconds until a page has loaded all that it loads by itself
# Each device: its screen, how many times slower its processor is, the milliseconds of a frame that one sees, and the
# p95 that is wanted.
SLOW = 20
DESKTOP = {"width": 1280, "height": 800}
DEVICES = [("1280×800", DESKTOP, 1, SLOW, 17.0),
           ("a phone, processor / 4", {"width": 390, "height": 844}, 4, 40, 34.0)]
SHARE_BAR = 0.02
RATIO_BAR = 1 / 3  # of the slow frames of the plain page
SEED = 20261121
HASH = base64.b64encode(bytes.fromhex("62060a3c9ab066877087787a8682")).decode()
SHAPES = [(1200, 800), (800, 1200), (1600, 1200), (1080, 1080), (1920, 1080)]

_FILL = """
import { signal } from '/ui.js';
const SHAPES = %(shapes)s;
export const pictures = (count) => Array.from({ length: count }, (_, index) => {
  const [width, height] = SHAPES[(index * 7919) %% SHAPES.length];
  return { id: `p${index}`, kind: 'photo', width, height, state: 'shown', hearts: 0, mine: false,
    by: { id: `g${index %% 50}`, name: `Guest ${index %% 50}` }, at: 1_795_000_000 + index * 8,
    placeholder: '%(hash)s', sizes: { 320: `/photo/${width}x${height}/${index}.jpg` } };
});
export const album = (count) => ({ pictures: signal(new Map(pictures(count).map((one) => [one.id, one]))),
  isWhole: signal(true), details: signal({ me: { role: 'guest' } }), on: () => () => {} });
"""
_GALLERY = """
import '/albums/album/gallery/gallery.js';
import { album } from '/fill.js';
const gallery = document.createElement('album-gallery');
gallery.album = album(%(count)d);
document.querySelector('main').append(gallery);
"""
_PLAIN = """
import { pictures } from '/fill.js';
import { aspectOf, layout } from '/albums/album/gallery/layout.js';
const all = pictures(%(count)d).reverse();
const box = document.querySelector('main');
const plan = layout(all.map(aspectOf), [{ first: 0, count: all.length }], box.clientWidth);
box.style.position = 'relative';
box.style.height = `${plan.height}px`;
box.append(...all.map((one, index) => {
  const figure = document.createElement('figure');
  const image = document.createElement('img');
  Object.assign(image, { loading: 'lazy', decoding: 'async', src: one.sizes[320] });
  for (const [name, value] of Object.entries({ left: plan.x[index], top: plan.y[index], width: plan.w[index],
    height: plan.h[index] })) figure.style[name] = `${value}px`;
  figure.append(image);
  return figure;
}));
"""
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="/shell.css">
<link rel="stylesheet" href="/albums/album/gallery/gallery.css"><link rel="stylesheet" href="/plain.css"></head>
<body><main></main><script type="module" src="/%s.js"></script></body></html>"""
_STYLE = """main { padding: 0 32px; } figure { position: absolute; margin: 0; overflow: hidden; border-radius: 4px;
background: #ece7dc; } figure img { width: 100%; height: 100%; object-fit: cover; }"""
_SCROLL = """([speed, seconds]) => new Promise((resolve) => {
  const frames = [];
  const begun = performance.now();
  let before = begun;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    scrollTo(0, ((now - begun) / 1000) * speed);
    if (now - begun < seconds * 1000) requestAnimationFrame(step);
    else resolve(frames.slice(2));
  };
  requestAnimationFrame(step);
})"""


def photo(width, height):
    """A photo of 320 pixels with as much in it as one has."""
    chance = random.Random(SEED)
    scale = 320 / max(width, height)
    picture = Image.new("RGB", (24, 24))
    picture.putdata([tuple(chance.randrange(256) for _ in range(3)) for _ in range(24 * 24)])
    made = io.BytesIO()
    picture.resize((round(width * scale), round(height * scale)), Image.BICUBIC).save(made, "JPEG", quality=80)
    return made.getvalue()


class Pages(http.server.BaseHTTPRequestHandler):
    """The modules as they are, two pages, and each photo at an address of its own."""

    protocol_version = "HTTP/1.1"
    room = "Albums"
    photos = {f"{width}x{height}": photo(width, height) for width, height in SHAPES}
    made = {
        "/gallery": _PAGE % "gallery", "/plain": _PAGE % "plain", "/plain.css": _STYLE,
        "/gallery.js": _GALLERY % {"count": PHOTOS}, "/plain.js": _PLAIN % {"count": PHOTOS},
        "/fill.js": _FILL % {"shapes": [list(one) for one in SHAPES],
                             "hash": HASH},
        "/rooms-list.js": "export const list = [];", "/rooms-parts.js": "export const parts = [];",
    }

    def do_GET(self):
        kind, body = self.found()
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def found(self):
        path = self.path.split("?")[0]
        if path.startswith("/photo/"):
            return "image/jpeg", self.photos[path.split("/")[2]]
        kind = {".js": "text/javascript", ".css": "text/css"}.get(pathlib.PurePath(path).suffix, "text/html")
        if path in self.made:
            return kind, self.made[path].encode()
        room = path.startswith(f"/{self.room.lower()}/")
        folder, rest = (f"Apps/{self.room}", path[len(self.room) + 1:]) if room else ("Hub", path)
        file = ROOT / f"Sources/{folder}/Web{rest}"
        return kind, file.read_bytes() if file.is_file() else None

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A page that is closed leaves its connections."""


@contextlib.contextmanager
def served(pages=Pages):
    with Server(("127.0.0.1", 0), pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def frames(browser, url, scroll=_SCROLL, slower=1, viewport=DESKTOP):
    """The milliseconds of each frame while the page is scrolled, on a processor so many times slower."""
    page = browser.new_page(viewport=viewport)
    page.goto(url)
    page.wait_for_selector("main img[src]", state="attached")
    page.wait_for_load_state("networkidle", timeout=PATIENCE)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    found = page.evaluate(scroll, [SPEED, SECONDS])
    page.close()
    return found


def p95(numbers):
    return statistics.quantiles(numbers, n=20)[-1]


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def figures():
    with chromium() as browser:
        with served() as url:
            for device in DEVICES:
                yield from scrolled(browser, url, *device)
        yield from album_pages.figures(browser)


def scrolled(browser, url, name, viewport, slower, slow_at, wanted):
    ours, plain = (frames(browser, f"{url}/{page}", slower=slower, viewport=viewport) for page in ("gallery", "plain"))
    slow, plainly = (sum(one > slow_at for one in all) for all in (ours, plain))
    said = f"{len(ours)} frames, {slow} of them over {slow_at} ms; plain lazy images: {plainly} of {len(plain)}"
    share, peer = slow / len(ours), plainly / len(plain)
    yield Figure(f"album of 10,000 photos at 3,000 px/s, {name}: frame, p95", p95(ours), "ms", None,
                 f"wanted: {wanted}; plain lazy images {p95(plain):.1f}")
    yield Figure(f"its share of frames over {slow_at} ms", share, "", None, f"wanted: {SHARE_BAR}; {said}")
    # Slowed down, plain images make so few frames that a share of them says little.
    yield Figure("its slow frames beside those of plain lazy images", share / peer if peer else 0, "×",
                 RATIO_BAR if slower == 1 else None, said)
