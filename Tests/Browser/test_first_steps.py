"""The README's first steps, from nothing to a sign turned on a second device, with its pictures."""

import time

import pytest

from page import LIMIT, PICTURES, launch
from qr import read_picture


LAPTOP = {"width": 800, "height": 760}
PHONE = {"width": 390, "height": 760}
# A person reads, opens the camera and types: ten times the test's time.
AS_A_PERSON = 10


NAME = "hub.local"  # the name that devices of one network use for the hub


@pytest.fixture
def device(browser):
    """Makes a device with a browser of its own: device(viewport) returns its page."""
    network = launch(browser.browser_type, f"--host-resolver-rules=MAP {NAME} 127.0.0.1")

    def device(viewport):
        page = network.new_page(viewport=viewport, locale="en-GB", timezone_id="Europe/Berlin")
        page.set_default_timeout(LIMIT)
        return page

    yield device
    network.close()


def picture(page, name):
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.evaluate("document.activeElement.blur()")
    page.screenshot(path=PICTURES / f"first-{name}.png", animations="disabled")


def test_a_new_hub_has_its_sign_turned_on_a_second_device_within_three_minutes(make_hub, device):
    began = time.monotonic()
    hub = make_hub()
    link = hub.setup_link().replace("127.0.0.1", NAME)

    laptop = device(LAPTOP)
    laptop.goto(link)
    laptop.fill("input[name=name]", "Ada")
    picture(laptop, "1-owner")
    laptop.click("button:has-text('Make me the owner')")
    laptop.click("a:has-text('Set the hub up')")
    laptop.wait_for_selector("h1:has-text('What shall I watch over?')")
    picture(laptop, "2-rooms")
    laptop.click("main form button.primary")

    laptop.fill("#field-name", "Hackerspace Nordlicht")
    picture(laptop, "3-space")
    laptop.click("main form button.primary")
    laptop.wait_for_selector("space-sign :text('Hackerspace Nordlicht')")

    laptop.click(".nav a[href='/me']")
    laptop.click("button:has-text('Add another device')")
    laptop.wait_for_selector(".qr")
    laptop.locator(".link-panel").evaluate("it => it.scrollIntoView({ block: 'end' })")
    picture(laptop, "4-device")

    phone = device(PHONE)
    phone.goto(read_picture(laptop.locator(".qr").screenshot()))
    phone.wait_for_selector("h1:has-text('Hello Ada')")
    assert phone.locator(".note").count() == 0
    picture(phone, "5-phone")
    phone.click("button:has-text('Sign this device in')")
    phone.click("a:has-text('Have a look')")

    laptop.wait_for_selector(".link-end:has-text('Done')")
    laptop.goto(hub.url.replace("127.0.0.1", NAME))
    laptop.wait_for_selector('.sign-board')
    phone.click("space-switch button[data-to=open]")
    phone.wait_for_selector('.sign-board[data-kind="open"]')
    laptop.wait_for_selector('.sign-board[data-kind="open"]')
    took = time.monotonic() - began
    picture(phone, "6-open")
    print(f"{took:.1f} s from the start to the turned sign")
    assert took * AS_A_PERSON < 180
