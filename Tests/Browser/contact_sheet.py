"""The contact sheet: a picture of every page on a phone and a desktop, light and dark, in English and German, on the
demonstration, page beside page in .build/contact-sheet/index.html and phone.png and desktop.png.

    python Tests/Browser/contact_sheet.py [--screenshots] [ROUTE]…

A page without a picture fails: the list of pages is that of the hub's routes (Tests/World/pages.json), and the pictures
of an earlier run do not count. With --screenshots it writes the manifest's pictures
(Sources/Apps/ROOM/Web/screenshots) instead.
"""

import html
import io
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "World"))

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from every_page import EveryPage, PAGES, ROUTES, settle
from hub import Hub, ROOT
from page import DESKTOP, launch, PHONE

OUT = ROOT / ".build/contact-sheet"
SIZES = {"phone": PHONE, "desktop": DESKTOP}
LOOKS = [(scheme, locale) for locale in ("en-GB", "de-DE") for scheme in ("light", "dark")]
THUMB = {"phone": 260, "desktop": 520}  # pixels across, in the PNG
PER_ROW = {"phone": 8, "desktop": 4}
LINE = 18
# The manifest's pictures: their name, route, size and density of pixels.
SCREENSHOTS = [("Space", "narrow", "/", PHONE, 1.5), ("Anchor", "narrow", "/anchor", PHONE, 1.5),
               ("Albums", "narrow", "/album/host", PHONE, 1.5), ("Portfolio", "narrow", "/portfolio", PHONE, 1.5),
               ("Space", "wide", "/", DESKTOP, 1)]


def name_of(route):
    """The beginning of its pictures' names."""
    return route.strip("/").replace("/", "_").replace("{", "").replace("}", "") or "front"


def take(browser, every, size, scheme, locale, routes, act, scale=1):
    """Calls `act(route, page)` for each page that stands still."""
    contexts = {}
    for route in routes:
        role = PAGES[route].get("as", "owner")
        if role not in contexts:
            contexts[role] = browser.new_context(
                viewport=size, color_scheme=scheme, locale=locale, timezone_id="Europe/Berlin",
                device_scale_factor=scale, reduced_motion="reduce")
            every.sign_in(contexts[role], role)
            first = contexts[role].new_page()  # which keeps the hub's name and colour for all others
            first.goto(every.hub.url)
            settle(first, quiet=1_500)
            first.close()
        page = contexts[role].new_page()
        page.goto(every.address(route))
        settle(page, quiet=300)
        act(route, page)
        page.close()
    for context in contexts.values():
        context.close()


def pictures(route, kind):
    return [OUT / kind / f"{name_of(route)}-{locale[:2]}-{scheme}.png" for scheme, locale in LOOKS]


def without_picture(routes):
    """The routes of pages that lack a picture, and those that are said to show the same as a page that there is not."""
    lost = [route for route in routes if not all(one.exists() for kind in SIZES for one in pictures(route, kind))]
    return lost + [route for route, about in ROUTES.items() if route not in PAGES and about.get("same") not in PAGES]


def sheet(kind, routes):
    """One PNG of all pages of a size: a row for each two, a column for each look."""
    wide = THUMB[kind]
    view = SIZES[kind]
    high = wide * view["height"] // view["width"]
    rows = -(-len(routes) * len(LOOKS) // PER_ROW[kind])
    whole = Image.new("RGB", (PER_ROW[kind] * (wide + 8), rows * (high + LINE + 8)), "#888")
    pen = ImageDraw.Draw(whole)
    looks = [(route, *look, file) for route in routes for look, file in zip(LOOKS, pictures(route, kind))]
    for index, (route, scheme, locale, file) in enumerate(looks):
        x, y = index % PER_ROW[kind] * (wide + 8), index // PER_ROW[kind] * (high + LINE + 8)
        pen.text((x + 4, y + 3), f"{route}  {scheme} {locale[:2]}", fill="white")
        with Image.open(file) as one:
            whole.paste(one.convert("RGB").resize((wide, high)), (x, y + LINE))
    whole.save(OUT / f"{kind}.png")


def write_page(routes):
    rows = []
    for route in routes:
        rows.append(f"<h2>{html.escape(route)}</h2>")
        for kind in SIZES:
            files = [f"{kind}/{one.name}" for one in pictures(route, kind)]
            rows.append("<p>" + "".join(f'<a href="{one}"><img loading="lazy" src="{one}" alt="{one}"></a>'
                                        for one in files) + "</p>")
    style = "body { background: #777; font: 16px sans-serif } img { width: 24%; margin-right: 0.5% }"
    (OUT / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>{style}</style>{"".join(rows)}')


def compose(browser, every, routes):
    for kind, size in SIZES.items():
        (OUT / kind).mkdir(parents=True, exist_ok=True)
        for scheme, locale in LOOKS:
            def shot(route, page):
                page.screenshot(path=OUT / kind / f"{name_of(route)}-{locale[:2]}-{scheme}.png")
            take(browser, every, size, scheme, locale, routes, shot)
    lost = without_picture(routes)
    if lost:
        raise SystemExit(f"without a picture: {', '.join(lost)}")
    for kind in SIZES:
        sheet(kind, routes)
    write_page(routes)
    print(f"{len(routes)} pages: {OUT}/index.html")


def compose_screenshots(browser, every, routes):
    every.hub.turn(True)
    for room, form, route, size, scale in SCREENSHOTS:
        if route not in routes:
            continue
        folder = ROOT / f"Sources/Apps/{room}/Web/screenshots"
        folder.mkdir(exist_ok=True)
        for locale in ("en-GB", "de-DE"):
            def shot(_, page):
                Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(
                    folder / f"{form}-{locale[:2]}.webp", quality=50, method=6)
            take(browser, every, size, "light", locale, [route], shot, scale)


def main(words):
    routes = [one for one in words if one in PAGES] or list(PAGES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        hub = Hub(pathlib.Path(folder) / "demo", demo=True).start()
        browser = launch(playwright.chromium)
        try:
            every = EveryPage(hub)
            every.wait_whole()
            if "--screenshots" in words:
                compose_screenshots(browser, every, routes)
            else:
                shutil.rmtree(OUT, ignore_errors=True)
                compose(browser, every, routes)
        finally:
            browser.close()
            hub.kill()


if __name__ == "__main__":
    main(sys.argv[1:])
