"""The portfolio's viewer gives: favourites, a saved file, a link for others, and a frame for one's own page."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from local_server import FolderServer
from page import DESKTOP, pages, wait_kept
from portfolio_page import add_portfolio, paint_folder

AXE = {"runOnly": ["wcag2a", "wcag2aa"]}


@pytest.fixture
def viewer(browser, hub_with_space, tmp_path):
    """A page with the second picture of a gallery of three large."""
    hub = hub_with_space
    add_portfolio(hub, hub.sign_in("owner"), paint_folder(tmp_path / "pictures", {"Harbour": 3}))
    with pages(browser) as open_page:
        page = open_page(viewport=DESKTOP)
        hub.sign_in_browser(page.context, "owner")
        page.goto(f"{hub.url}/portfolio")
        page.locator(".cell.is-there:not([hidden])").nth(1).click()
        page.wait_for_selector(".large.is-there")
        page.hub = hub
        yield page


def test_a_heart_makes_a_gallery_of_favourites_and_a_picture_is_saved(viewer):
    page = viewer
    held = []
    page.route("**/favourites/*", lambda route: held.append(route))
    page.click("[aria-label='Favourite']")
    page.wait_for_selector("[aria-label='Favourite'][aria-pressed=true]")
    # A heart that is still on its way keeps no other button waiting.
    with page.expect_download() as download:
        page.click("[aria-label='Save it']")
    assert download.value.suggested_filename.endswith(".jpg")
    held[0].continue_()
    page.unroute("**/favourites/*")
    # The next one is given without a network, and survives a new page.
    page.click("[aria-label='Next picture']")
    page.wait_for_selector("[aria-label='Favourite'][aria-pressed=false]")
    wait_kept(page)
    page.context.set_offline(True)
    page.click("[aria-label='Favourite']")
    page.wait_for_selector("[aria-label='Favourite'][aria-pressed=true]")
    page.reload()
    page.wait_for_selector("[aria-label='Favourite'][aria-pressed=true]")
    page.context.set_offline(False)
    page.click("[aria-label='Back to the wall']")
    page.wait_for_selector(".gallery:has-text('Favourites') small:text-is('2')")
    page.locator(".gallery:has-text('Favourites') .cell.is-there").first.click()
    page.wait_for_selector(".plate-count:text-is('1 of 2')")
    assert page.locator("[aria-label='Cover']").count() == 0


def test_a_picture_and_a_gallery_are_shared_and_taken_back(viewer, tmp_path, request):
    page, address = viewer, viewer.url
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[aria-label='Share']")
    page.click(".share-sheet button:has-text('As a page on this hub')")
    page.wait_for_selector(".share-text:focus")  # whoever listens hears that it is there
    link = page.input_value(".share-text")
    assert page.hub.request("GET", link.removeprefix(page.hub.url)).status == 200
    assert Axe().run(page, options=AXE).response["violations"] == []
    other = page.context.new_page()
    other.goto(link)
    assert other.evaluate("document.querySelector('img').naturalWidth") > 300
    assert Axe().run(other, options=AXE).response["violations"] == []
    page.keyboard.press("Escape")  # closes the sheet alone
    page.click("[aria-label='Back to the wall']")
    page.click("button[title='Send to a client']")
    page.wait_for_selector(".sending-panel .send-shared small:text-is('Picture')")
    page.click(".sending-panel [aria-label=Close]")
    page.goto(address)
    page.wait_for_selector(".large.is-there")
    page.click("[aria-label='Share']")
    page.click(".share-sheet button:has-text('As a page on this hub')")
    page.click(".share-sheet button:has-text('Take it back')")
    page.wait_for_selector(".share-text", state="detached")
    page.wait_for_selector(".share-sheet [role=status]:has-text('Taken back.')")
    assert page.hub.request("GET", link.removeprefix(page.hub.url)).status == 404

    page.click(".share-sheet button:has-text('This gallery on your web page')")
    page.fill(".share-sheet input[type=number]", "2")
    page.click(".share-sheet button:has-text('Copy')")
    page.wait_for_selector("text=Copied.")
    frame = page.input_value(".share-text")
    assert "num=2&amp;size=medium" in frame
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/index.html").write_text(f"<!doctype html><title>Mine</title>{frame}")
    site = FolderServer(tmp_path / "elsewhere").start()
    request.addfinalizer(site.close)
    other.goto(site.url)
    inside = other.frame_locator("iframe")
    inside.locator("main img").nth(1).wait_for(timeout=8_000)
    assert inside.locator("main img").count() == 2
    inside.locator("a:has-text('More')").click()
    inside.locator("footer span:text-is('2/2')").wait_for()
    assert inside.locator("main img").count() == 1
    box = inside.locator("main img").bounding_box()
    shape = inside.locator("main img").evaluate("it => it.getAttribute('width') / it.getAttribute('height')")
    assert abs(box["width"] / box["height"] / shape - 1) < 0.03, "the last one is not stretched over the row"
