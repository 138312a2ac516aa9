"""The player at a link: kept on the device, without a network, marks that come back, what is taken back, the end."""

import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from firefox import Firefox
from hub import eventually
from page import PHONE, wait_kept, wait_until
from portfolio import add, sync
from portfolio_page import INSIDE as INSIDE_PORTFOLIO
from portfolio_page import paint_folder
from sent_link import SentLink

AXE = {"runOnly": ["wcag2a", "wcag2aa"]}
GALLERIES = {"Harbour mornings": 4, "North": 3}
PICTURES = sum(GALLERIES.values())
PIN = "4711"
SHOWN = """document.querySelector('.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)')
  ?.naturalWidth > 0"""
# The same of the player's own database.
INSIDE = INSIDE_PORTFOLIO.replace("'eightbells-mine-portfolio'", "`eightbells-sent-${location.pathname.split('/')[2]}`")
WAITING = """async () => {
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const db = await done(indexedDB.open(`eightbells-sent-${location.pathname.split('/')[2]}`));
  const waiting = await done(db.transaction('answers').objectStore('answers').get('waiting'));
  db.close();
  return waiting.length;
}"""
KEPT = f"document.querySelector('.cover-go')?.innerText.includes('{PICTURES} pictures, kept on this device')"


@pytest.fixture
def link(hub, tmp_path):
    owner = hub.sign_in("owner", "Ada")
    portfolio = add(hub.data, f"folder:{paint_folder(tmp_path / 'pictures', GALLERIES)}", "--for", "Ada")
    sync(hub.data, portfolio)
    return SentLink(hub, portfolio, owner)


def test_a_client_marks_without_a_network_and_the_marks_come_back(open_page, link):
    page = open_page(viewport=PHONE, has_touch=True)
    page.goto(link.url)
    wait_until(page, KEPT)
    wait_kept(page)
    assert page.evaluate(INSIDE) == [PICTURES, PICTURES, 2 * PICTURES]
    assert link.opened == 0, "a robot that only loads the page has not looked"
    page.tap("text=See the pictures")
    eventually(lambda: link.opened == 1)

    page.context.set_offline(True)
    page.reload()
    page.locator(".justified .thumb").nth(2).tap()
    wait_until(page, SHOWN)
    page.click("[aria-label=Favourite]")
    page.wait_for_selector(".offline-line:text-is('No network. 1 favourite waits here and goes to Ada by itself.')")
    page.click("[aria-label=Remark]")
    page.fill("#say", "For the lobby")
    page.check(".check input")
    page.click(".remark .plate-button")
    eventually(lambda: page.evaluate(WAITING) == 3)
    page.reload()
    wait_until(page, SHOWN)
    assert link.marks == {}
    page.context.set_offline(False)
    eventually(lambda: len(link.marks) == 3)
    marked = {one["kind"]: one for one in link.marks.values()}
    assert marked["remark"]["text"] == "For the lobby"
    assert {one["picture"] for one in link.marks.values()} == {link.pictures[2]["id"]}
    page.click("[aria-label=Favourite]")
    eventually(lambda: len(link.marks) == 2)
    page.keyboard.press("Escape")
    page.wait_for_selector(".marks-panel:has-text('1 remark and 1 wish for a large one: received by Ada.')")
    page.click("button:text-is('Only my marks (1)')")
    assert page.locator(".justified .thumb:visible").count() == 1 and page.locator(".galleries h2:visible").count() == 1
    page.click("button:text-is('Only my marks (1)')")
    assert link.opened == 1


def test_pictures_that_did_not_come_are_asked_for_again(open_page, link):
    page = open_page(viewport=PHONE, service_workers="block")
    page.route("**/files/**", lambda route: route.abort())
    page.goto(link.url)
    page.click("text=See the pictures")
    page.locator(".justified .thumb").nth(0).click()
    page.wait_for_selector(".pswp__error-msg")
    page.unroute("**/files/**")
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_until(page, SHOWN)
    page.keyboard.press("Escape")
    wait_until(page, "document.querySelectorAll('.justified .thumb img[src]').length > 0")


def test_a_film_that_did_not_come_is_asked_for_again(open_page, link):
    def with_a_film(route):
        told = route.fetch().json()
        first = told["galleries"][0]["pictures"][0]
        first["kind"], first["sizes"]["video"] = "video", first["sizes"]["2048"]
        route.fulfill(json=told)

    page = open_page(viewport=PHONE, service_workers="block")
    page.route("**/api/v1/sent/*?client=*", with_a_film)
    page.route("**/files/*/video?*", lambda route: route.abort())
    page.goto(link.url)
    page.click("text=See the pictures")
    page.locator(".justified .thumb").nth(0).click()
    page.click(".film-start")
    page.wait_for_selector(".film-told:text-is('It could not be fetched. Try again.')")
    page.unroute("**/files/*/video?*")
    page.route("**/files/*/video?*", lambda route: route.fulfill(body=b"film", content_type="video/mp4"))
    # As in Safari, where it took longer than the press counts.
    page.evaluate("""() => {
      HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    }""")
    page.click(".film-start:enabled")
    page.wait_for_selector(".viewer-video video[controls]")


def test_what_is_taken_back_goes_from_the_device_and_the_end_leaves_the_marks(open_page, link):
    page = open_page(viewport=PHONE)
    page.goto(link.url)
    wait_until(page, KEPT)
    page.click("text=See the pictures")
    page.locator(".justified .thumb").nth(0).click()
    page.click("[aria-label=Favourite]")
    eventually(lambda: len(link.marks) == 1)
    page.click("[aria-label=Remark]")
    page.fill("#say", "For the lobby")
    page.locator(".filmstrip .thumb").nth(1).click()
    wait_until(page, "document.querySelector('#remark').hidden && document.querySelector('#say').value === ''")
    page.locator(".filmstrip .thumb").nth(0).click()
    wait_until(page, "!document.querySelector('#remark').hidden && document.querySelector('#say').value !== ''")
    assert page.input_value("#say") == "For the lobby", "what was typed stays with its picture"
    link.make_private(link.pictures[4:6])
    page.reload()
    page.wait_for_selector(".viewer")
    page.keyboard.press("Escape")
    page.wait_for_selector(".overview .told:text-is('2 pictures were taken back by Ada and removed from this device.')")
    assert page.evaluate(INSIDE) == [PICTURES - 2, PICTURES - 2, 2 * PICTURES - 4]
    assert page.locator(".justified .thumb").count() == PICTURES - 2

    page.locator(".justified .thumb").nth(1).click()
    link.withdraw()
    page.click("[aria-label=Favourite]")
    eventually(lambda: page.evaluate(WAITING) == 1)
    page.reload()
    page.wait_for_selector("h1:text-is('These pictures are no longer here')")
    wait_until(page, "document.querySelector('.gate')?.innerText.includes('2 favourites on this device. Save them')")
    assert "by itself" not in page.inner_text(".gate"), "nobody takes the second one any more"
    eventually(lambda: page.evaluate(INSIDE) == [0, 0, 0])
    with page.expect_download() as saved:
        page.click("text=Save my marks as a list")
    assert "Harbour 01\n  Favourite" in pathlib.Path(saved.value.path()).read_text()
    assert Axe().run(page, options=AXE).response["violations"] == []


def test_a_link_with_a_pin_opens_with_it_and_then_without_a_network(open_page, link):
    link.set_pin(PIN)
    page = open_page(viewport=PHONE, locale="de-DE")
    page.goto(link.url)
    page.wait_for_selector("h1:text-is('Dieser Link fragt nach einer PIN')")
    assert Axe().run(page, options=AXE).response["violations"] == []
    for pin in ("0000", PIN):
        page.fill("#gate-word", pin)
        page.keyboard.press("Enter")
        page.wait_for_selector(".gate-told:text-is('Das stimmt nicht.')" if pin != PIN else ".cover")
    wait_until(page, f"document.querySelector('.cover-go')?.innerText.includes('{PICTURES} Bilder, auf diesem Gerät')")
    wait_kept(page)
    page.context.set_offline(True)
    page.reload()
    wait_until(page, "document.querySelector('.cover-picture img')?.naturalWidth > 0")


@pytest.mark.timeout(240)
def test_firefox_keeps_what_was_sent(link, tmp_path):
    with Firefox(tmp_path / "firefox") as browser:
        browser.open(link.url)
        browser.wait(KEPT)
        assert browser.run(f"return ({INSIDE})();") == [PICTURES, PICTURES, 2 * PICTURES]
        browser.wait("navigator.serviceWorker.controller")
        link.hub.stop()
        browser.open(link.url)
        browser.wait("document.querySelector('.cover-picture img')?.naturalWidth > 0")
        browser.run("document.querySelector('.plate-button').click();")
        browser.wait("document.querySelectorAll('.justified .thumb').length === 7")
        browser.run("document.querySelectorAll('.justified .thumb')[5].click();")
        browser.wait(SHOWN)
