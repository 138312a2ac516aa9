"""The pages of people in Chromium: browsers of several people, the first owner, and a phone's camera."""

import pytest

from page import DESKTOP, pages
from qr import read_picture


@pytest.fixture
def place(hub):
    """The hub's address by name, since passkeys belong to a name."""
    return f"http://localhost:{hub.port}"


@pytest.fixture
def people(browser):
    """Makes a person's browser: people(viewport=…, locale=…, color_scheme=…) returns its page."""
    with pages(browser) as open_page:
        yield open_page


def set_up_link(hub, place):
    return hub.setup_link().replace(hub.url, place)


@pytest.fixture
def owner(hub, place, people):
    """Ada, who opened the printed link and pressed the button."""
    page = people(viewport=DESKTOP)
    page.goto(set_up_link(hub, place))
    page.fill("input[name=name]", "Ada")
    page.click("button:has-text('Make me the owner')")
    page.wait_for_selector("h1:has-text('Welcome aboard, Ada')")
    assert "#" not in page.url, "the used secret does not stay in the history"
    return page


def authenticator(page, **options):
    """Gives a page's browser an authenticator like a phone's own."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable", {"enableUI": False})
    answer = session.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True} | options})
    return session, answer["authenticatorId"]


def read_qr(page):
    """The text of the QR code on the screen."""
    return read_picture(page.locator(".qr").screenshot())


def who(page):
    return page.evaluate("async () => (await (await fetch('/api/v1/session')).json()).person")
