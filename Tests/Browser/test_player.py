"""The player: galleries as one file, opened from the disk in Chromium and in Firefox, with and without a passphrase."""

import functools
import pathlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from firefox import Firefox
from page import DESKTOP, PHONE, SMALL, wait_until
from portfolio import add, run, sync
from portfolio_page import paint_folder

AXE = {"runOnly": ["wcag2a", "wcag2aa"]}
SIZES = [SMALL, {"width": 844, "height": 390}, DESKTOP]
GALLERIES = {"Harbour mornings": 4, "North": 3}
PICTURES = sum(GALLERIES.values())
WORDS = "tide harbour lantern"
LARGE = "document.querySelector('.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)')"
SHOWN = f"{LARGE}?.naturalWidth > 0"
COVER = "document.querySelector('.cover-picture img')?.naturalWidth > 0"
# Chromium keeps the storage of all files in one place.
WAITING = """async () => {
  const [{ name }] = (await indexedDB.databases()).filter((one) => one.name.startsWith('eightbells-file-'));
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const db = await done(indexedDB.open(name));
  const found = await done(db.transaction('answers').objectStore('answers').get('waiting'));
  db.close();
  return found;
}"""


@pytest.fixture(scope="module")
def export(shared_hub, tmp_path_factory):
    """export(*words) writes galleries of painted pictures to a file, and gives its address."""
    hub, folder = shared_hub, tmp_path_factory.mktemp("player")
    hub.sign_in("owner", "Ada")
    portfolio = add(hub.data, f"folder:{paint_folder(folder / 'pictures', GALLERIES)}", "--for", "Ada", "--name",
                    "Two series")
    sync(hub.data, portfolio)

    @functools.cache
    def write(*words):
        path = folder / f"file{len(words)}.html"
        done = run(hub.data, "export", portfolio, "--out", str(path), "--text", "Dear Ms Okafor", *words)
        assert done.returncode == 0, done.stderr
        return path.as_uri()

    return write


def watched(page):
    """All requests that the page makes."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def elsewhere(asked):
    return [url for url in asked if not url.startswith(("file:", "blob:", "data:"))]


def test_a_file_opens_from_the_disk_and_asks_nobody(open_page, export):
    page = open_page(viewport=PHONE, has_touch=True)
    asked = watched(page)
    page.goto(export())
    wait_until(page, COVER)
    assert page.title() == "Two series" and page.inner_text("h1") == "Two series"
    assert "Ada" in page.inner_text(".cover-text") and f"{PICTURES} pictures in this file" in page.inner_text(".cover")
    page.click("text=See the pictures")
    wait_until(page, "document.activeElement.id === 'overview-title'")
    wait_until(page, f"document.querySelectorAll('.justified img[src]').length === {PICTURES}")
    assert page.locator(".galleries h2").all_inner_texts() == ["Harbour mornings 4", "North 3"]
    page.locator(".justified .thumb").nth(1).tap()
    wait_until(page, SHOWN)
    assert page.inner_text(".plate-text h2") == "Harbour 02" and page.inner_text(".plate-count") == "2 of 7"

    # One mark of each kind; nobody takes them from a file, so they stay here and can be taken along.
    page.click("[aria-label=Favourite]")
    page.click("[aria-label=Remark]")
    page.fill("#say", "For the lobby")
    page.check(".check input")
    page.click(".remark .plate-button")
    assert page.evaluate("document.activeElement.ariaLabel") == "Remark"
    wait_until(page, "document.querySelector('.offline-line').innerText.includes('1 favourite, 1 remark and 1 wish')")
    page.tap(".stage")
    page.wait_for_selector(".viewer.is-bare")
    page.wait_for_timeout(400)  # two taps would be one for zooming
    page.tap(".stage")
    page.wait_for_selector(".viewer:not(.is-bare)")
    page.keyboard.press("ArrowRight")
    wait_until(page, "document.querySelector('.plate-count').innerText === '3 of 7'")
    wait_until(page, SHOWN)
    page.locator(".filmstrip .thumb").nth(6).tap()
    wait_until(page, "document.querySelector('.plate-count').innerText === '7 of 7'")
    wait_until(page, SHOWN)
    page.keyboard.press("Escape")
    page.wait_for_selector(".overview")
    with page.expect_download() as saved:
        page.click("text=Save my marks as a list")
    assert pathlib.Path(saved.value.path()).read_text() == (
        "Two series\n\nHarbour 02\n  Favourite\n  Remark: For the lobby\n  This one, large, please\n")
    page.reload()
    page.wait_for_selector(".thumb .signs")
    assert len(page.evaluate(WAITING)) == 3
    assert elsewhere(asked) == []


def test_a_locked_file_opens_with_its_passphrase(open_page, export):
    page = open_page(viewport=PHONE)
    asked = watched(page)
    page.goto(export("--passphrase", WORDS))
    page.wait_for_selector("h1:has-text('This file is locked')")
    assert page.title() == "Portfolio"
    assert Axe().run(page, options=AXE).response["violations"] == []
    page.fill("#gate-word", "tide harbour lanterns")
    page.keyboard.press("Enter")
    page.wait_for_selector(".gate-told:has-text('That is not it.')")
    page.fill("#gate-word", f" {WORDS} ")
    page.keyboard.press("Enter")
    wait_until(page, COVER)
    page.click("text=See the pictures")
    page.locator(".justified .thumb").nth(4).click()
    wait_until(page, SHOWN)
    assert page.inner_text(".plate-text h2") == "North 01" and page.title() == "Two series"
    assert elsewhere(asked) == []


def test_every_screen_fits_and_axe_finds_nothing(open_page, export):
    address = export()
    page = open_page(locale="de-DE")
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto("about:blank")
        page.goto(address)
        wait_until(page, COVER)
        for view in ("cover", "overview", "viewer"):
            if view == "overview":
                page.click("text=Bilder ansehen")
            elif view == "viewer":
                page.locator(".justified .thumb").nth(2).click()
                wait_until(page, SHOWN)
                page.click("[aria-label=Anmerkung]")
            page.wait_for_selector(f".{view}")
            across = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert across <= 0, f"{view} at {size}"
            if size != SIZES[1]:
                assert Axe().run(page, options=AXE).response["violations"] == [], view
        # The large picture keeps room, whatever stands beneath it.
        box = page.locator(".stage").bounding_box()
        assert box["height"] > size["height"] * 0.25 and box["width"] > size["width"] * 0.5, size


def test_turning_the_phone_keeps_the_picture(open_page, export):
    page = open_page(viewport=PHONE, has_touch=True)
    page.goto(export())
    page.click("text=See the pictures")
    page.locator(".justified .thumb").nth(3).tap()
    wait_until(page, SHOWN)
    page.set_viewport_size({"width": 844, "height": 390})
    wait_until(page, f"{LARGE}.getBoundingClientRect().height > 300")
    assert page.inner_text(".plate-count") == "4 of 7"
    wide = page.evaluate(f"{LARGE}.getBoundingClientRect().right")
    assert wide <= page.locator(".stage").bounding_box()["width"] + 1


@pytest.mark.timeout(240)
def test_a_file_opens_in_firefox_with_and_without_a_passphrase(export, tmp_path):
    plain, locked = export(), export("--passphrase", WORDS)
    with Firefox(tmp_path / "firefox") as browser:
        browser.open(plain)
        browser.wait(COVER)
        browser.run("document.querySelector('.plate-button').click();")
        browser.wait(f"document.querySelectorAll('.justified img[src]').length === {PICTURES}")
        browser.run("document.querySelectorAll('.justified .thumb')[5].click();")
        browser.wait(SHOWN)
        browser.run("document.querySelector('[aria-label=Favourite]').click();")
        browser.wait("document.querySelector('.filmstrip .thumb:nth-child(6) .signs')")
        browser.open(locked)
        browser.wait("document.querySelector('#gate-word')")
        browser.run(f"""document.querySelector('#gate-word').value = '{WORDS}';
          document.querySelector('.gate .plate-button').click();""")
        browser.wait(COVER)
        assert browser.run("return document.title;") == "Two series"
        assert browser.console("file:") == []
