"""Every page (Tests/World/pages.json) as owner, member and stranger: what axe finds in light and dark, widths down to
320 pixels and at a zoom of 200 %, headings and landmarks in their order, reduced motion, the keyboard, and what is shown
without a network and on a slow one. `bin/trial pages` tries them in both languages, each as everybody."""

import os
import pathlib

import axe_playwright_python
import pytest

from every_page import EveryPage, PAGES, settle
from page import DESKTOP, SMALL, pages, wait_kept

WHOLE = os.environ.get("EIGHTBELLS_TRIAL") == "whole"
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
ROLES = ["owner", "member", "stranger"]
ZOOMED = {"width": 640, "height": 400}  # what 200 % leave of a small desktop

# Pictures alone, in a frame of others' pages or on a wall: what one sees is no text.
BARE = ["/portfolio/embed/{share}", "/space/embed", "/album/wall", "/portfolio/screen"]

# The hub's answers about the page: everything that is wrong with it, as text.
STRUCTURE = """() => {
  const wrong = [];
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
  const heads = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(isSeen);
  const firsts = heads.filter((one) => one.localName === 'h1');
  if (firsts.length !== 1) wrong.push(`${firsts.length} h1: ${firsts.map((one) => one.textContent.trim())}`);
  let depth = 0;
  for (const one of heads) {
    const here = Number(one.localName[1]);
    if (here > depth + 1) wrong.push(`${one.localName} “${one.textContent.trim()}” behind h${depth}`);
    depth = here;
  }
  if (document.querySelectorAll('main').length !== 1) wrong.push('not one main');
  if (!document.title.trim()) wrong.push('no title');
  const language = document.documentElement.lang;
  if (language !== navigator.language.slice(0, 2)) wrong.push(`said to be ${language}`);
  return wrong;
}"""

MOVING = """() => document.getAnimations().filter((one) => one.playState === 'running'
  && (one.effect?.getComputedTiming().activeDuration ?? 0) > 20)
  .map((one) => `${one.animationName ?? one.transitionProperty} of ${one.effect?.target?.className}`)"""

# What can be pressed and is in the order of Tab, but that a group (radios, toolbars) is one stop.
STOPS = """() => {
  const all = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';
  const seen = [...document.querySelectorAll(all)].filter((one) => !one.disabled && !one.inert
    && !one.closest('[inert]') && one.checkVisibility({ visibilityProperty: true, opacityProperty: false }));
  const groups = new Set();
  const stops = seen.filter((one) => {
    if (one.tabIndex < 0) return false;
    if (one.type === 'radio' && one.name) {
      const group = `${one.name}`;
      if (groups.has(group)) return false;
      groups.add(group);
    }
    return true;
  });
  const isPressed = (one) => one.matches('button, a[href], summary');
  const lost = seen.filter((one) => isPressed(one) && one.tabIndex < 0
    && !one.closest('[role=tablist], [role=toolbar], [role=radiogroup], [role=grid], [role=listbox], [role=menu]'));
  return { count: stops.length, lost: lost.map((one) => one.outerHTML.slice(0, 120)) };
}"""

FOCUSED = """() => {
  let one = document.activeElement;
  if (!one || one === document.body) return null;
  const style = getComputedStyle(one);
  const label = one.closest('label') ?? (one.id ? document.querySelector(`label[for="${CSS.escape(one.id)}"]`) : null);
  const marks = [one, one.nextElementSibling, one.parentElement, label].filter(Boolean).map((it) => getComputedStyle(it));
  const rect = one.getBoundingClientRect();
  return {
    isMarked: marks.some((it) => (it.outlineStyle !== 'none' && parseFloat(it.outlineWidth) > 0) || it.boxShadow !== 'none'),
    html: one.outerHTML.slice(0, 120), order: [...document.querySelectorAll('*')].indexOf(one),
    isOff: rect.width > 0 && (rect.right <= 0 || rect.left >= innerWidth),
    outline: style.outline,
  };
}"""


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    from hub import Hub

    hub = Hub(tmp_path_factory.mktemp("pages") / "demo", demo=True).start()
    yield EveryPage(hub)
    hub.kill()


def roles_of(route):
    role = PAGES[route].get("as", "owner")
    return ROLES if WHOLE and role != "stranger" else [role]


def visits(every, open_page, roles, locale="en-GB", **options):
    """Each page in one tab of each role: (route, role, page)."""
    for role in roles:
        page = None
        for route in PAGES:
            if role not in roles_of(route):
                continue
            if page is None:
                page = open_page(locale=locale, reduced_motion="reduce", **options)
                every.sign_in(page.context, role)
            page.goto(every.address(route))
            settle(page)
            yield route, role, page


def axe(page, **options):
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
    found = page.evaluate("(options) => axe.run(document, { resultTypes: ['violations'], ...options })", options)
    return [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found["violations"]
            if one["impact"] in ("serious", "critical")]


def across(page, size):
    page.set_viewport_size(size)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"{wide} pixels too wide at {size['width']}"] if wide > 0 else []


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"] if WHOLE else ["de-DE"])
def test_every_page_can_be_read_by_everybody(browser, every, locale):
    found = []
    with pages(browser) as open_page:
        for route, role, page in visits(every, open_page, ROLES, locale, viewport=DESKTOP):
            wrong = [f"axe, light: {one}" for one in axe(page)]
            page.emulate_media(color_scheme="dark")
            wrong += [f"axe, dark: {one}" for one in axe(page, runOnly=["color-contrast"])]
            page.emulate_media(color_scheme="light")
            if route not in BARE:
                wrong += page.evaluate(STRUCTURE)
            wrong += [f"moves: {one}" for one in page.evaluate(MOVING)]
            wrong += across(page, ZOOMED) + across(page, SMALL)
            page.set_viewport_size(DESKTOP)
            found += [f"{route} as {role}: {one}" for one in wrong]
    assert found == [], "\n".join(found)


def tabbed(page):
    """What is wrong with walking through the page by Tab."""
    stops = page.evaluate(STOPS)
    wrong = [f"not in the order of Tab: {one}" for one in stops["lost"]]
    reached, last = [], None
    for _ in range(stops["count"] + 3):
        page.keyboard.press("Tab")
        now = page.evaluate(FOCUSED)
        if now is None or (reached and now["order"] == reached[0]):
            break
        reached.append(now["order"])
        if not now["isMarked"]:
            wrong.append(f"the focus is not seen: {now['html']} {now['outline']}")
        if now["isOff"] and "skip" not in now["html"]:
            wrong.append(f"the focus is outside: {now['html']}")
        last = now
    if len(reached) < stops["count"]:
        wrong.append(f"Tab reaches {len(reached)} of {stops['count']}, the last {last and last['html']}")
    return wrong


def test_every_page_can_be_used_by_keyboard(browser, every):
    found = []
    with pages(browser) as open_page:
        for route, role, page in visits(every, open_page, ROLES, viewport=DESKTOP):
            if route != "/styleguide":
                found += [f"{route} as {role}: {one}" for one in tabbed(page)]
    assert found == [], "\n".join(found)


def test_every_page_opens_without_a_network_with_what_it_showed_or_a_sentence(browser, every):
    found = []
    with pages(browser) as open_page:
        page = open_page()
        every.sign_in(page.context, "owner")
        page.goto(every.hub.url)
        wait_kept(page)
        mine = [route for route in PAGES if PAGES[route].get("as", "owner") == "owner"]
        for route in mine:
            page.goto(every.address(route))
            settle(page)
        page.wait_for_timeout(500)  # the last room's files
        page.context.set_offline(True)
        for route in mine:
            try:
                page.goto(every.address(route))
            except Exception as error:  # the browser's own page
                found.append(f"{route}: {str(error).splitlines()[0]}")
                continue
            text = settle(page, limit=2_500)
            if route not in BARE and not page.locator("h1:visible").count():
                found.append(f"{route}: no heading: {text[:80]!r}")
    assert found == [], "\n".join(found)
