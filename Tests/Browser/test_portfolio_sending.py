"""Sending pictures with the real hub: a photographer makes a link, a client opens it in the player, and what they like
comes back."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from page import DESKTOP, PHONE, wait_until
from portfolio_page import add_portfolio, paint_folder

AXE = {"runOnly": ["wcag2a", "wcag2aa"]}
SEEN = """(() => {
  const { left, top, height } = document.querySelector('.sending-panel .note[role=alert]').getBoundingClientRect();
  return top >= 0 && document.elementFromPoint(left + 20, top + height / 2)?.closest('.note') !== null;
})()"""
GALLERIES = {"Harbour mornings": 3, "North of everything": 2}


@pytest.fixture
def photographer(hub_with_space, tmp_path, open_page):
    """The panel of what was sent, which is empty."""
    owner = hub_with_space.sign_in("owner")
    add_portfolio(hub_with_space, owner, paint_folder(tmp_path / "pictures", GALLERIES))
    page = open_page(viewport=DESKTOP, permissions=["clipboard-read", "clipboard-write"])
    hub_with_space.sign_in_browser(page.context, "owner")
    page.goto(f"{hub_with_space.url}/portfolio")
    page.wait_for_selector(".strip-scroll .cell.is-there")
    page.click("button[title='Send to a client']")
    page.wait_for_selector(".sending-panel[open] >> text=Nothing was sent")
    return page


def test_a_client_opens_what_was_sent_and_their_favourite_comes_back(photographer, open_page):
    photographer.click("text=Send pictures")
    photographer.wait_for_selector(".send-pick >> nth=1")
    assert photographer.locator(".send-pick").count() == 2
    photographer.click("text=Make the link")
    photographer.wait_for_selector(".send-form .note:has-text('Choose a gallery')")
    photographer.check(".send-pick:has-text('Harbour') input")
    photographer.click(".send-pick:has-text('Harbour') >> text=3 pictures")
    photographer.uncheck(".send-one >> nth=1 >> input")
    photographer.wait_for_selector("text=2 of 3 pictures")
    photographer.fill("#send-title", "Two mornings")
    photographer.fill("#send-text", "Dear Ms Okafor")
    photographer.fill("#send-pin", "2468")
    assert Axe().run(photographer, options=AXE).response["violations"] == []
    photographer.click("text=Make the link")
    link = photographer.wait_for_selector("#send-link").input_value()
    assert "/sent/" in link and photographer.locator("text=Not opened yet").count() == 1
    photographer.click("text=Copy link")
    wait_until(photographer, "document.querySelector('.send-told').textContent === 'Copied.'")
    assert photographer.evaluate("navigator.clipboard.readText()") == link

    # Over plain HTTP pages have no clipboard.
    photographer.evaluate("""async () => {
      window.clipboard = navigator.clipboard;
      await window.clipboard.writeText('else');
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    }""")
    photographer.click("text=Copy link")
    wait_until(photographer, f"window.clipboard.readText().then((text) => text === '{link}')")
    assert photographer.evaluate("document.activeElement.textContent.trim()") == "Copy link"
    assert Axe().run(photographer, options=AXE).response["violations"] == []

    mails = []

    def take(route):
        mails.append(route.request.post_data_json["to"])
        route.fulfill(json={})

    photographer.route("**/mail", take)
    photographer.fill("#send-to", "client@example.org")
    photographer.dblclick("text=Send the e-mail")
    photographer.wait_for_selector(".send-told:has-text('The e-mail is on its way')")
    photographer.click("text=Send the e-mail")
    photographer.unroute("**/mail")
    photographer.wait_for_timeout(300)
    assert mails == [["client@example.org"]]
    assert photographer.locator(".send-told").inner_text() == "The e-mail is on its way."

    photographer.set_viewport_size({"width": 390, "height": 480})  # of a phone above its keyboard
    photographer.fill("#send-to", "client@example.org")
    photographer.click("text=Send the e-mail")
    photographer.wait_for_selector(".sending-panel .note[role=alert]:has-text('no e-mail')")
    assert photographer.evaluate(SEEN), "the answer is where one looks"
    photographer.set_viewport_size(DESKTOP)

    client = open_page(viewport=PHONE, has_touch=True)
    client.goto(link)
    client.fill("#gate-word", "2468")
    client.keyboard.press("Enter")
    client.wait_for_selector(".cover >> text=Two mornings")
    assert client.locator(".cover-letter").inner_text() == "Dear Ms Okafor"
    client.tap("text=See the pictures")
    assert client.locator(".justified .thumb").count() == 2
    client.locator(".justified .thumb").nth(0).tap()
    client.click("[aria-label=Favourite]")
    photographer.wait_for_selector("text=Opened by 1 client · 1 favourite")
    photographer.wait_for_selector(".send-mark:has-text('Favourite') img")
    photographer.route("**/names", lambda route: route.fulfill(status=503, json={"error": "Later", "code": 50300}))
    photographer.click("text=Copy file names")
    photographer.wait_for_selector(".sending-panel > .note[data-kind=bad]")
    assert photographer.locator(".send-told").inner_text() == "", "an error is nobody's list"
    photographer.unroute("**/names")
    photographer.click("text=Copy file names")
    photographer.wait_for_selector(".send-told:has-text('The names of the files are copied')")

    photographer.click("text=As one file")
    photographer.fill("#file-words", "too short")
    photographer.click("text=Make the file")
    assert photographer.evaluate("document.querySelector('#file-words').validity.tooShort")
    photographer.fill("#file-words", "tide harbour lantern")
    assert Axe().run(photographer, options=AXE).response["violations"] == []
    with photographer.expect_download() as download:
        photographer.click("text=Make the file")
    assert download.value.suggested_filename == "Two mornings.html"
    assert b"Dear Ms Okafor" not in open(download.value.path(), "rb").read()

    photographer.click("text=Change")
    photographer.wait_for_selector("text=2 of 3 pictures")
    photographer.click(".send-form >> text=Back")
    photographer.click(".sending-panel >> text=Withdraw")
    photographer.click(".sending-panel .button.danger:text-is('Withdraw') >> nth=1")
    photographer.wait_for_selector(".sending-panel >> text=Withdrawn")
    client.reload()
    client.wait_for_selector("h1:text-is('These pictures are no longer here')")
