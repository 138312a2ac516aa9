"""A guest's first visit of an album, the way to its page on the home screen, and a visit long afterwards."""

import pytest
from album_page import Album, choose, jpeg, join
from hub import eventually
from page import wait_until

# Safari does so once nobody has visited the page for seven days; cookies of the hub stay.
FORGET = """async () => {
  localStorage.clear();
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  for (const name of await caches.keys()) await caches.delete(name);
  for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
}"""
# The accent of the page when its first button appears.
WATCH = """new MutationObserver(() => {
  if (window.accentAtFirst !== undefined || !document.querySelector('.join button, .take-bar')) return;
  window.accentAtFirst = document.documentElement.style.getPropertyValue('--accent-light');
}).observe(document, { childList: true, subtree: true });"""


@pytest.fixture
def album(shared_hub):
    return Album(shared_hub, "--open")


def test_the_first_that_one_sees_has_the_spaces_own_colour(album, open_page):
    album.hub.configure(color="#0a6b34")
    page = open_page()
    page.add_init_script(WATCH)
    for _ in ("the first visit", "the next one"):
        page.goto(album.url)
        wait_until(page, "window.accentAtFirst !== undefined")
        assert page.evaluate("window.accentAtFirst") == "#0a6b34"


def test_without_the_hubs_manifest_the_page_is_there_all_the_same(album, open_page):
    page = open_page()
    page.route("**/manifest.webmanifest", lambda route: route.abort())
    join(page, album)


def test_an_album_on_the_home_screen_opens_at_its_own_address(album, open_page):
    page = open_page()
    page.goto(album.url)
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert (told["url"], told["manifest"]["startUrl"]) == ("", album.url), "with the secret: there may be no other way"


def test_a_guest_whose_browser_has_forgotten_all_but_the_cookie_takes_a_picture_back(album, open_page):
    page = join(open_page(), album)
    choose(page, [jpeg(1)])
    eventually(lambda: len(album.pictures()) == 1)
    page.evaluate(FORGET)
    page.goto("about:blank")
    album.change(closed=True)  # nobody joins any more
    page.goto(album.url)
    page.locator("album-gallery .cell.is-there").first.click()
    page.click(".viewer-key:has-text('Take back')")
    page.click(".viewer-key:has-text('Delete it at once')")
    eventually(lambda: album.pictures() == [])
