"""The portfolio's wall with 5,000 pictures in 60 galleries, thrown down the page and then across a gallery at 3,000
pixels a second in Chromium at 1280×800 without a GPU: how long frames take, beside a page with as many plain
<img loading="lazy"> in the same strips, in the same run; and both on a processor that is four times slower. Then the
memory of the page over 1,000 swipes from one large picture to the next."""

import bench_wall
from bench_wall import SLOW, chromium, frames, p95, served
from figure import Figure

PICTURES = 5_000
GALLERIES = 60
P95_BAR = 17.0
SLOWER = 4
SLOWER_BAR = 34.0
RATIO_BAR = 1 / 3  # of the slow frames of the plain page
SWIPES = 1_000
BEFORE = 200  # swipes until all that is used again and again is there
MEMORY_BAR = 1.05

_FILL = """
const SHAPES = %(shapes)s;
const EACH = Math.ceil(%(pictures)d / %(galleries)d);
const url = (width, height, id) => `/photo/${width}x${height}/${id}.jpg`;
export const galleries = Array.from({ length: %(galleries)d }, (_, number) => ({ id: `g${number}`,
  title: `Gallery ${number}`, count: EACH }));
const all = new Map(galleries.map(({ id }, number) => [id, Array.from({ length: EACH }, (_, index) => {
  const [width, height] = SHAPES[((number * EACH + index) * 7919) %% SHAPES.length];
  return { id: `p${index}`, width, height, placeholder: '%(hash)s',
    sizes: { 320: { url: url(width, height, `${id}-${index}`) } } };
})]));
export const picturesOf = (id) => all.get(id);
"""
_WALL = """
import { Wall } from '/portfolio/wall/wall.js';
import { galleries, picturesOf } from '/fill.js';
const box = document.querySelector('.strips');
const library = { pictures: (_, id) => picturesOf(id), load() {} };
const wall = new Wall(box, { library, open() {}, labelOf: (_, index) => `Picture ${index}`,
  stripLabel: ({ title }) => title, countOf: ({ count }) => String(count), keptOf: () => '' });
wall.show({ id: 'p' }, galleries);
"""
_VIEW = """
import { signal } from '/ui.js';
import { pictureView } from '/portfolio/view/view.js';
import { galleries, picturesOf } from '/fill.js';
const library = { turn: signal(0), hearts: signal({}), portfolios: signal([{ id: 'p', galleries }]),
  load() {}, portfolio() {},
  pictures: (_, id) => picturesOf(id), gallery: (_, id) => galleries.find((one) => one.id === id) };
const view = pictureView(library, (route) => view.show(route));
document.querySelector('main').append(view.element);
view.show({ portfolio: 'p', gallery: 'g0', picture: 'p0' });
"""
_SWIPE = """(count) => new Promise((resolve) => {
  let left = count;
  const step = () => {
    dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    left -= 1;
    if (left) requestAnimationFrame(step);
    else resolve();
  };
  requestAnimationFrame(step);
})"""
_PLAIN = """
import { aspectOf, measuresFor } from '/portfolio/wall/plan.js';
import { galleries, picturesOf } from '/fill.js';
const box = document.querySelector('.strips');
const { high, gap, head, between } = measuresFor(innerWidth);
const made = (tag, className, ...inside) => {
  const it = Object.assign(document.createElement(tag), { className });
  it.append(...inside);
  return it;
};
for (const { id, title } of galleries) {
  const strip = made('div', 'strip-scroll', ...picturesOf(id).map((one) => {
    const image = made('img', '');
    Object.assign(image, { loading: 'lazy', decoding: 'async', src: one.sizes[320].url });
    image.style.width = `${Math.round(aspectOf(one) * high)}px`;
    return image;
  }));
  Object.assign(strip.style, { display: 'flex', gap: `${gap}px`, height: `${high}px`, marginBottom: `${between}px` });
  const name = made('h3', '', title);
  name.style.height = `${head}px`;
  box.append(made('section', 'plain', name, strip));
}
"""
_PAGE = bench_wall._PAGE.replace("/albums/album/gallery/gallery.css", "/portfolio/portfolio.css").replace(
    "<body><main></main>", '<body class="dark-room"><main><div class="pwall"><div class="strips"></div></div></main>')
_STYLE = ".plain img { flex: none; height: 100%; object-fit: cover; background: #1a1c1f; }"
# First the page goes down, then the gallery that is seen then goes across.
_SCROLL = """([speed, seconds]) => new Promise((resolve) => {
  const frames = [];
  const half = seconds * 500;
  const begun = performance.now();
  let before = begun;
  let strip = null;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    const passed = now - begun;
    if (passed < half) scrollTo(0, (passed / 1000) * speed);
    else {
      strip ??= document.elementsFromPoint(640, 400).concat(document.elementsFromPoint(640, 560))
        .map((one) => one.closest('.strip-scroll')).find(Boolean);
      strip.scrollLeft = ((passed - half) / 1000) * speed;
    }
    if (passed < seconds * 1000) requestAnimationFrame(step);
    else resolve(frames.slice(2));
  };
  requestAnimationFrame(step);
})"""


class Pages(bench_wall.Pages):
    """The modules as they are, and two pages."""

    room = "Portfolio"
    made = bench_wall.Pages.made | {
        "/wall": _PAGE % "wall", "/plain": _PAGE % "plain", "/plain.css": _STYLE, "/wall.js": _WALL,
        "/plain.js": _PLAIN, "/view": _PAGE % "view", "/view.js": _VIEW, "/fill.js": _FILL % {
            "shapes": [list(one) for one in bench_wall.SHAPES], "pictures": PICTURES, "galleries": GALLERIES,
            "hash": bench_wall.HASH},
    }


def memory(browser, url):
    """The bytes of the page's heap before and after the swipes, without what nobody holds any more."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    errors = []  # Chromium keeps each of them
    page.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108, it wants a function
    page.goto(f"{url}/view")
    page.wait_for_selector(".large.is-there")
    session = page.context.new_cdp_session(page)
    found = []
    for count in (BEFORE, SWIPES):
        page.evaluate(_SWIPE, count)
        page.wait_for_load_state("networkidle")
        session.send("HeapProfiler.collectGarbage")
        found.append(session.send("Runtime.getHeapUsage")["usedSize"])
    page.close()
    assert not errors, errors[0]
    return found


def figures():
    with served(Pages) as url, chromium() as browser:
        found = {(name, slower): frames(browser, f"{url}/{name}", _SCROLL, slower)
                 for slower in (1, SLOWER) for name in ("wall", "plain")}
        before, after = memory(browser, url)
    for slower, bar in ((1, P95_BAR), (SLOWER, SLOWER_BAR)):
        ours, plain = found["wall", slower], found["plain", slower]
        limit = SLOW * slower
        slow, plainly = (sum(one > limit for one in all) for all in (ours, plain))
        said = f"{slow} of {len(ours)} frames over {limit} ms; plain lazy images: {plainly} of {len(plain)}"
        name = "portfolio of 5,000 pictures in 60 galleries" + ("" if slower == 1 else f", processor 1/{slower}")
        yield Figure(f"{name}: frame, p95", p95(ours), "ms", None, f"wanted: {bar}; plain {p95(plain):.1f}; {said}")
        if slower == 1:
            share, peer = slow / len(ours), plainly / len(plain)
            yield Figure("its slow frames beside those of plain lazy images", share / peer if peer else 0, "×",
                         RATIO_BAR, said)
    yield Figure("memory of the page after 1,000 swipes beside that before", after / before, "×", MEMORY_BAR,
                 f"{before / 1e6:.2f} MB, then {after / 1e6:.2f} MB")
