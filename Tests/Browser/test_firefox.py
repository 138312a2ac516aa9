"""Every page in Firefox: it has content, and the console has no errors."""

import pytest

from firefox import Firefox

# The element that shows that a page is complete.
PAGES = {
    "/bells": ".bells-list h1",
    "/": ".sign-board[data-kind='closed'] .sign-word, .sign-board[data-kind='open'] .sign-word, a.event-row",
    "/join": "main h1", "/me": "main h2, main h1", "/people": "main h2, main h1",
    "/settings/place": "#field-name", "/settings/space": "#field-color", "/settings/programme": "#add-calendar",
    "/styleguide": "#signs p", "/offline": "main section:not([hidden]) h1",
    "/nowhere": "main section:not([hidden]) h1",
}


@pytest.mark.timeout(600)
def test_every_page_is_shown_in_firefox_without_an_error(firefox, demo_hub):
    fields = demo_hub.sign_in("owner")
    firefox.open(demo_hub.url + "/offline")
    name, _, value = fields["Cookie"].partition("=")
    firefox.cookie(name, value)
    for path, wanted in PAGES.items():
        firefox.open(demo_hub.url + path)
        firefox.wait(f"document.querySelector({wanted!r})?.getBoundingClientRect().height > 0")
        firefox.wait("document.querySelectorAll('.nav a').length >= 4")
        assert firefox.run("return document.documentElement.scrollWidth <= innerWidth;"), f"{path} is too wide"
        # Firefox logs these about requests under way when the previous page was left.
        left = ("A ServiceWorker intercepted the request", "error loading dynamically imported module")
        assert [line for line in firefox.console(demo_hub.url) if not any(one in line for one in left)] == [], path


@pytest.mark.timeout(600)
def test_with_larger_letters_the_word_stays_on_the_sign(firefox, demo_hub):
    """Firefox makes all letters larger, also those that are measured by the board."""
    firefox.open(demo_hub.url + "/")
    firefox.wait(f"document.querySelector({PAGES['/']!r})")
    before = firefox("WebDriver:GetWindowRect")
    try:
        firefox("WebDriver:SetWindowRect", width=500, height=900)
        firefox.letters(2)
        firefox.wait("parseFloat(getComputedStyle(document.documentElement).fontSize) > 30")
        assert firefox.run("""
          const { right } = document.querySelector('.sign-board').getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(document.querySelector('.sign-word'));
          return range.getBoundingClientRect().right < right;""")
    finally:
        firefox.letters(1)
        firefox("WebDriver:SetWindowRect", **before)


@pytest.mark.timeout(600)
def test_the_sign_turns_in_firefox_while_one_looks_at_it(firefox, demo_hub):
    firefox.open(demo_hub.url + "/")
    firefox.wait("document.querySelector('.sign-line[data-line=live]')")
    for open_, kind in ((True, "open"), (False, "closed")):
        demo_hub.turn(open_)
        firefox.wait(f"document.querySelector('.sign-board[data-kind={kind}]')")
    assert firefox.console(demo_hub.url) == []


@pytest.mark.timeout(600)
def test_with_cookies_blocked_pages_are_whole_and_a_link_is_not_used_up(demo_hub, tmp_path):
    link = demo_hub.post("/api/v1/links", demo_hub.sign_in("owner"), {"role": "member"})[1]["url"]
    with Firefox(tmp_path / "profile", {"network.cookie.cookieBehavior": 2}) as firefox:
        firefox.open(demo_hub.url + "/programme")
        firefox.wait("document.querySelector('body[data-whole] main button.heart')")
        firefox.run("document.querySelector('main button.heart').click();")
        firefox.wait("document.querySelector('main button.heart[aria-pressed=true]')")
        firefox.run("document.querySelector('[data-view=favourites]').click();")
        firefox.wait("document.querySelector('space-favourites').textContent.includes('until the page is closed')")
        firefox.open(demo_hub.url + "/albums")
        firefox.wait("document.querySelector('albums-page a[href=\"/join\"]')")
        firefox.open(link)
        firefox.wait("document.querySelector('main [role=alert]')?.textContent.includes('blocks cookies')")
    assert demo_hub.post("/api/v1/links/look", None, {"link": link.partition("#")[2]})[0] == 200
