"""Every page (Tests/World/pages.json): what axe finds in light and dark, widths down to 320 pixels and at a zoom of
200 %, headings, landmarks and texts in their order, reduced motion, the keyboard, and what is shown on a slow network
and without one. `bin/trial pages` tries them in both languages, and each as owner, member and stranger."""

import os
import shutil

import pytest

from every_page import EveryPage, PAGES, settle
from playwright.sync_api import Error, TimeoutError
from hub import Hub, SETTINGS
from page import DESKTOP, SMALL, pages, wait_kept, wait_room_kept
from readable import across, axe

WHOLE = os.environ.get("EIGHTBELLS_TRIAL") == "whole"
ROLES = ["owner", "member", "stranger"]
ZOOMED = {"width": 640, "height": 400}  # what 200 % leave of a small desktop
# Between a phone and a desktop: where the navigation and the settings get a place beside the page, and others.
MIDDLE = [600, 768, 820, 900, 1024] if WHOLE else [768, 1024]

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
  const { lang } = document.documentElement;
  const isEnglish = ['/styleguide', '/docs'].includes(location.pathname);
  if (lang !== navigator.language.slice(0, 2) && !isEnglish) wrong.push(`said to be ${lang}`);
  return wrong;
}"""

# Texts that are cut off at the side without a sign of it, reach out of the window, or lie below the navigation.
OUTSIDE = """() => {
  const nav = document.querySelector('nav.nav')?.getBoundingClientRect();
  const rail = nav && nav.height > nav.width ? nav.right : 0;
  const cuts = (one) => ['hidden', 'clip'].includes(getComputedStyle(one).overflowX);
  const isApart = (one) => one.closest('.visually-hidden, .skip, nav, svg, .leaflet-container, dialog, [aria-hidden]');
  const texts = [...document.querySelectorAll('h1, h2, h3, p, li, label, button, a, span, strong, small, dt, dd')]
    .filter((one) => !isApart(one) && one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const scrolls = (one) => {
    for (let it = one.parentElement; it; it = it.parentElement) {
      if (getComputedStyle(it).overflowX !== 'visible') return true;
    }
    return false;
  };
  return texts.flatMap((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    const said = `${one.localName}.${one.className} “${one.innerText.trim().slice(0, 40)}”`;
    if (width < 2 || getComputedStyle(one).clipPath !== 'none') return [];
    if (cuts(one) && getComputedStyle(one).textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1) {
      return [`${said} is cut off`];
    }
    return (right > innerWidth + 1 || left < rail - 1) && !scrolls(one) ? [`${said} is outside`] : [];
  });
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

# These mark a part inside when they have the focus: a day's field, the cell of a list, the round of a handle.
INSIDE = "input[type=date], input[type=time], [role=listbox], svg [role=slider]"
FOCUSED = """(inside) => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const label = one.closest('label') ?? (one.id ? document.querySelector(`label[for="${CSS.escape(one.id)}"]`) : null);
  const marks = [one, one.nextElementSibling, one.parentElement, label].filter(Boolean);
  const isMarked = (it) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  const { width, left, right } = one.getBoundingClientRect();
  return {
    isMarked: one.matches(inside) || marks.some(isMarked), html: one.outerHTML.slice(0, 120),
    order: [...document.querySelectorAll('*')].indexOf(one), isOff: width > 0 && (right <= 0 || left >= innerWidth),
  };
}"""


# The order of reading: what a screen reader says next stands below, or in the next column, and never further up in the
# same one. Places that are fixed, and pictures with parts of their own, have no order of this kind.
READING = """() => {
  const texts = 'h1, h2, h3, h4, p, li, dt, dd, th, label, summary, button, a, input, select, textarea';
  const isFixed = (one) => {
    for (let it = one; it; it = it.parentElement) {
      if (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(it).position)) return true;
    }
    return false;
  };
  const apart = 'svg, nav, [role=grid], [role=toolbar], table, .leaflet-container, dialog, [hidden]';
  const all = [...document.querySelectorAll(texts)].filter((one) => !one.closest(apart)
    && one.checkVisibility({ visibilityProperty: true }) && !one.querySelector(texts) && !isFixed(one))
    .map((one) => [one, one.getBoundingClientRect()]).filter(([, { width, height }]) => width > 2 && height > 2);
  const said = (one) => `${one.localName} “${(one.innerText || one.value || one.name || '').trim().slice(0, 40)}”`;
  return all.slice(1).map(([one, box], index) => [one, box, ...all[index]])
    .filter(([, box, , before]) => box.bottom <= before.top + 4 && box.left < before.right && box.right > before.left)
    .map(([one, , other]) => `${said(one)} is read after ${said(other)}, and stands above it`);
}"""


class Tabs:
    """One tab of each role, in a language: pages come out of its service worker after the first visit."""

    def __init__(self, every, open_page):
        self.every, self.open_page = every, open_page
        self.tabs, self.visited = {}, set()

    def tab(self, role, locale):
        if (role, locale) not in self.tabs:
            page = self.open_page(locale=locale, reduced_motion="reduce", viewport=DESKTOP)
            self.every.sign_in(page.context, role)
            if role == "owner":
                page.goto(self.every.hub.url)
                wait_kept(page)
            self.tabs[role, locale] = page
        return self.tabs[role, locale]

    def visits(self, roles=ROLES, locale="de-DE"):
        """Opens each page: (route, role, page)."""
        for role in roles:
            for route in PAGES:
                if role in roles_of(route):
                    page = self.tab(role, locale)
                    page.goto(self.every.address(route))
                    settle(page, quiet=100)
                    self.visited.add(route)
                    yield route, role, page


# At the foot of each page that strangers see, but for the documents and for what stands in a frame of others' pages.
LEGAL = {"legal_notice": "https://nordlicht.example/legal", "privacy": "https://nordlicht.example/privacy"}
FOOTED = [
    "/", "/programme", "/album", "/album/wall", "/album/card", "/join", "/missing", "/offline", "/screen",
    "/sent/{sent}/", "/portfolio/shared/{share}", "/bells/mail/{token}", "/apps/account/{token}"]


@pytest.fixture(scope="module")
def every(tmp_path_factory, demonstration):
    hub = Hub(shutil.copytree(demonstration, tmp_path_factory.mktemp("pages") / "demo"), demo=True).start()
    every = EveryPage(hub)
    kept = hub.get(SETTINGS, token=every.owner)[1]
    status, answer = hub.put(SETTINGS, every.owner, kept | LEGAL)
    assert status == 200, answer
    yield every
    hub.kill()


def test_a_tablet_on_end_shows_the_clock_and_the_code_of_the_screen_in_the_room(every, browser):
    with pages(browser) as open_page:
        page = open_page(viewport={"width": 768, "height": 1024})
        page.goto(f"{every.hub.url}/screen")
        page.locator(".screen-events li").nth(3).wait_for(state="attached")
        page.wait_for_selector(".screen-code img")
        for part in (".screen-clock", ".screen-code"):
            box = page.locator(part).bounding_box()
            assert box["y"] + box["height"] <= 1024, part


def roles_of(route):
    role = PAGES[route].get("as", "owner")
    return ROLES if WHOLE and role != "stranger" else [role]


@pytest.fixture(scope="module")
def tabs(browser, every):
    with pages(browser) as open_page:
        yield Tabs(every, open_page)


def tabbed(page):
    """What is wrong with walking through the page by Tab."""
    stops = page.evaluate(STOPS)
    wrong = [f"not in the order of Tab: {one}" for one in stops["lost"]]
    reached, last = [], None
    for _ in range(stops["count"] + 3):
        page.keyboard.press("Tab")
        now = page.evaluate(FOCUSED, INSIDE)
        if now is None or (reached and now["order"] == reached[0]):
            break
        if not now["isMarked"]:
            wrong.append(f"the focus is not seen: {now['html']}")
        if now["isOff"] and "skip" not in now["html"]:
            wrong.append(f"the focus is outside: {now['html']}")
        reached.append(now["order"])
        last = now
    if len(reached) < stops["count"]:
        wrong.append(f"Tab reaches {len(reached)} of {stops['count']}, the last {last and last['html']}")
    return wrong


LANGUAGES = ["en-GB", "de-DE"] if WHOLE else ["de-DE"]  # the longer words


@pytest.mark.timeout(1_200 if WHOLE else 480)
@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_page_can_be_read_and_used_by_everybody(tabs, locale):
    found = []
    for route, role, page in tabs.visits(locale=locale):
        wrong = [f"axe, light: {one}" for one in axe(page)]
        page.emulate_media(color_scheme="dark")
        wrong += [f"axe, dark: {one}" for one in axe(page, runOnly=["color-contrast"])]
        page.emulate_media(color_scheme="light")
        if route not in BARE:
            wrong += page.evaluate(STRUCTURE)
        wrong += [f"moves: {one}" for one in page.evaluate(MOVING)]
        wrong += across(page, ZOOMED)
        for width in MIDDLE:
            wrong += across(page, {"width": width, "height": 900})
            wrong += [f"at {width}: {one}" for one in page.evaluate(OUTSIDE)]
        wrong += across(page, SMALL)
        wrong += [f"on a phone: {one}" for one in page.evaluate(READING)]
        page.set_viewport_size(DESKTOP)
        wrong += page.evaluate(READING)
        if route != "/styleguide":
            wrong += tabbed(page)
        found += [f"{route} as {role}: {one}" for one in wrong]
    assert found == [], "\n".join(found)


def shown_of(context, every, routes):
    """What is wrong with pages as they open now. What does not wait for the hub is there at once; a busy machine may
    need seconds for it, but fewer than ten: then a page gives a request up, and has a heading because of that."""
    found = []
    for route in routes:
        page = context.new_page()  # nothing of the last one leads on
        try:
            page.goto(every.address(route), wait_until="commit")
            if route in BARE:  # a page that is closed while it still comes may never be told to be closed
                page.wait_for_load_state("domcontentloaded")
            else:
                page.locator("h1").filter(visible=True).first.wait_for(timeout=9_000)
        except TimeoutError:
            found.append(f"{route}: no heading, but {page.inner_text('body')[-80:]!r}")
        except Error as error:  # the browser's own page
            found.append(f"{route}: {error.message.splitlines()[0]}")
        finally:
            page.close()
    return found


# Without an answer there is nothing to show: the album's or the pictures' own name.
NAMELESS = ["/sent/{sent}/"]


@pytest.mark.timeout(360)
@pytest.mark.parametrize("role", ["owner", "stranger"])
def test_every_page_says_where_one_is_on_a_slow_network_and_without_one(tabs, role):
    """What the hub answers takes long, and then there is no hub; the pages themselves were opened before. The slow
    network of strangers is that of the first visit, in the next test."""
    tab = tabs.tab(role, "de-DE")
    tab.goto(tabs.every.hub.url)
    wait_kept(tab)
    if role == "stranger" or not tabs.visited:  # whose worker has kept nothing of its first visits
        assert all(route for route, _, _ in tabs.visits([role]))
    tab.wait_for_timeout(500)  # the last room's files
    routes = [route for route in PAGES if PAGES[route].get("as", "owner") == role]
    slow = []
    if role == "owner":
        tab.context.route("**/api/**", lambda route: None)  # no answer, yet
        slow = shown_of(tab.context, tabs.every, [route for route in routes if route not in NAMELESS])
        tab.context.unroute("**/api/**")
    tab.context.set_offline(True)
    off = shown_of(tab.context, tabs.every, routes)
    tab.context.set_offline(False)
    assert slow + off == [], "\n".join(["slow:", *slow, "without a network:", *off])


@pytest.mark.timeout(240)
def test_so_does_every_page_to_whoever_is_here_for_the_first_time(every, tabs):
    context = tabs.open_page(locale="de-DE").context
    context.route("**/api/**", lambda route: None)
    found = shown_of(context, every, [route for route in PAGES if route not in NAMELESS])
    context.close()
    assert found == [], "\n".join(found)


def test_a_dead_link_in_a_mail_says_whose_hub_it_is_and_leads_on(every, tabs):
    page = tabs.tab("stranger", "de-DE")
    name = every.hub.get(SETTINGS, token=every.owner)[1]["name"]
    for room, route in ("bells", "/bells/mail/{token}"), ("apps", "/apps/account/{token}"):
        # Of a room that this browser keeps the pages of, too: the link is no page of it.
        page.goto(f"{every.hub.url}/{room}")
        wait_room_kept(page, room)
        page.goto(every.address(route))
        assert page.get_by_role("banner").inner_text().split("\n")[0] == name  # it may offer to sign in
        page.locator(".button:text-is('Zur Startseite')").click()
        page.wait_for_url(f"{every.hub.url}/")


def test_what_strangers_see_says_who_answers_for_it(every, tabs):
    page = tabs.tab("stranger", "de-DE")
    for route in FOOTED:
        page.goto(every.address(route))
        links = page.locator("a[href^='https://nordlicht.example/']:visible")
        links.nth(1).wait_for()
        assert {one.inner_text(): one.get_attribute("href") for one in links.all()} == {
            "Impressum": LEGAL["legal_notice"], "Datenschutz": LEGAL["privacy"]}, route
