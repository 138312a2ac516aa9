"""Private messages on the page: keys that never leave browsers but as a QR code or a link, and what they open."""

import pytest
import seal
from base64url import decoded, encoded
from bell_device import make_device
from hub import eventually
from page import ADDRESS, KNOWS_ADDRESS, wait_until
from png import png
from qr import read_picture

SEND = "/api/v1/notifications"
CARD = ".private-card"


class Device:
    """A browser of somebody; `heard` is all that its pages have sent."""

    def __init__(self, hub, open_page, name="Ada", is_inside=True):
        self.hub, self.page = hub, open_page()
        self.heard = []
        self.page.on("request", lambda one: self.heard.append(f"{one.url} {one.headers} {one.post_data}"))
        if is_inside:
            hub.sign_in_browser(self.page.context, "member", name)
            fields = "; ".join(f"{one['name']}={one['value']}" for one in self.page.context.cookies(hub.url))
            self.person = hub.get("/api/v1/session", token={"Cookie": fields})[1]["person"]["id"]

    def open(self, path="/bells"):
        self.page.goto(self.hub.url + path)
        return self

    def press(self, label, within=CARD):
        self.page.click(f"{within} button:text-is('{label}')")

    def confirm(self, label):
        self.page.click(f"dialog button:text-is('{label}')")

    def make_key(self):
        """Makes a key on the card, and returns its link."""
        self.press("Make a key")
        return self.link()

    def link(self):
        self.press("Show it to another device")
        link = self.page.text_content(f"{CARD} .private-link")
        self.press("Hide it")
        return link

    def sees(self, text):
        self.page.wait_for_selector(f".bell:has-text('{text}')")

    def ring(self, content):
        status, told = self.hub.post(SEND, self.hub.owner_token, {"to": {"person": self.person}, "content": content})
        assert status == 202, told
        return told["id"]


def key_in(link):
    return decoded(link.split("#key=")[1])


@pytest.fixture
def ada(hub, open_page):
    return Device(hub, open_page).open()


def test_a_key_goes_from_device_to_device_and_opens_what_comes(hub, open_page, ada):
    make_device(hub, "bell", person="Ada")  # so that there is a way to look at
    link = ada.make_key()
    assert link.startswith(f"{hub.url}/bells#key=")
    ada.press("Show it to another device")
    ada.page.wait_for_selector(".private-qr")
    picture = ada.page.locator(".private-qr")
    wait_until(ada.page, "document.querySelector('.private-qr').complete")
    assert read_picture(picture.screenshot()) == link
    ada.press("Hide it")
    # A page at localhost gives the address that the hub knows.
    ada.page.evaluate(KNOWS_ADDRESS)
    assert ada.link() == link.replace(hub.url, ADDRESS)
    ada.ring(seal.seal({"title": "The key is under the mat", "body": "The left one"}, key_in(link)))
    ada.sees("The key is under the mat")

    # The other device takes it from the address, in which it does not stay.
    second = Device(hub, open_page).open("/bells#key=" + link.split("#key=")[1])
    second.page.wait_for_selector(f"{CARD} [role=alert]:has-text('{seal.key_id(key_in(link))}')")
    assert "key" not in second.page.url and "key" not in second.page.evaluate("document.URL")
    second.page.wait_for_selector(".bell:has-text('A private message')")
    second.sees("Private: this device does not have the key.")
    second.press("Take this key")
    second.sees("The left one")
    assert second.link() == link
    # It is kept.
    second.open().sees("The left one")

    third = Device(hub, open_page).open()
    third.sees("A private message")
    assert "under the mat" not in third.page.text_content("body")
    # In the whole page of its way, too.
    identifier = ada.page.get_attribute(".bell", "id")
    ada.open(f"/bells/{identifier}").page.wait_for_selector("h2:has-text('The key is under the mat')")
    third.open(f"/bells/{identifier}").page.wait_for_selector("h2:has-text('A private message')")

    # No request had the key, or what it has opened.
    text = link.split("#key=")[1]
    for device in (ada, second, third):
        assert len(device.heard) > 10
        assert not [one for one in device.heard if text in one or "under the mat" in one]


def test_a_picture_is_opened_on_the_page(hub, ada):
    key = key_in(ada.make_key())
    own = bytes(range(32))
    file = seal.seal_file(png(40, 30), own)
    answer = hub.request("POST", "/api/v1/bells/attachments", {"Authorization": f"Bearer {hub.owner_token}"}, file)
    assert answer.status == 201 and answer.json["type"] == "application/vnd.eightbells.sealed", answer.json
    entry = {"id": "file-1", "url": answer.json["url"], "type": "image/png", "size": len(png(40, 30))}
    ada.ring(seal.seal({"title": "Look", "attachments": [entry | {"key": encoded(own)}]}, key))
    ada.page.wait_for_selector(".bell img.photo[src^='blob:']")
    wait_until(ada.page, "document.querySelector('.bell img.photo').naturalWidth === 40")
    ada.ring(seal.seal({"title": "Broken", "attachments": [entry | {"key": encoded(bytes(32))}]}, key))
    ada.page.wait_for_selector(".bell:has-text('Broken') :text('The file could not be opened.')")
    # Bytes that could be a page with a script are not shown at all.
    ada.ring(seal.seal({"title": "Odd", "attachments": [entry | {"key": encoded(own), "type": "text/html"}]}, key))
    ada.sees("Odd")
    assert ada.page.locator(".bell:has-text('Odd') :is(img, iframe, audio, video, [href^=blob])").count() == 0


def test_keys_are_replaced_forgotten_and_revoked(hub, ada):
    first = key_in(ada.make_key())
    ada.ring(seal.seal({"title": "With the first"}, first))
    ada.sees("With the first")
    ada.press("New key")
    ada.confirm("New key")
    ada.page.wait_for_selector(f"{CARD} li:has-text('{seal.key_id(first)}')")
    second = key_in(ada.link())
    assert second != first
    ada.ring(seal.seal({"title": "With the second"}, second))
    ada.sees("With the second")
    ada.sees("With the first")
    ada.ring(seal.seal({"title": "With the older one"}, first))
    ada.sees("With the older one")
    ada.page.click(f"{CARD} button:has-text('Forget {seal.key_id(first)}')")
    ada.confirm("Forget")
    ada.sees("A private message")
    assert "With the first" not in ada.page.text_content(".bells-list")
    ada.sees("With the second")
    ada.press("Revoke")
    ada.confirm("Revoke")
    ada.page.wait_for_selector(f"{CARD} :text('Make a key')")
    status, told = hub.post(SEND, hub.owner_token, {
        "to": {"person": ada.person}, "content": seal.seal({"title": "Too late"}, second)})
    assert (status, told["code"]) == (409, 40914)
    eventually(lambda: "With the second" not in ada.page.text_content(".bells-list"))
    # It does not come back by its link.
    ada.page.evaluate(f"location.hash = '#key={encoded(second)}'")
    ada.press("Take this key")
    ada.page.wait_for_selector(f"{CARD} [role=alert]:has-text('This key was revoked.')")


def test_links_without_a_key_and_strangers_are_told_so(hub, open_page, ada):
    ada.page.evaluate("location.hash = '#key=abc'")
    ada.page.wait_for_selector(f"{CARD} [role=alert]:has-text('This link holds no key')")
    wait_until(ada.page, "location.hash === ''")
    ada.page.evaluate(f"location.hash = '#key={encoded(bytes(32))}'")
    ada.press("No, thanks")
    ada.page.wait_for_selector(f"{CARD} button:text-is('Make a key')")
    stranger = Device(hub, open_page, is_inside=False).open("/bells#key=" + encoded(bytes(32)))
    stranger.page.wait_for_selector("p:has-text('Sign in first')")
    wait_until(stranger.page, "location.hash === ''")


def test_signing_out_forgets_the_keys(hub, ada):
    ada.make_key()
    ada.open().page.wait_for_selector(f"{CARD} :text('This device has the key')")
    ada.page.context.clear_cookies()
    ada.open().page.wait_for_selector("a.button:has-text('Sign in')")
    hub.sign_in_browser(ada.page.context, "member", "Grace")
    ada.open().page.wait_for_selector(f"{CARD} button:text-is('Make a key')")
