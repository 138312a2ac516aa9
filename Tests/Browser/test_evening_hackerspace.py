"""An evening as a hackerspace, as Docs/evening-hackerspace.md tells it: from a package to a phone that rings."""

import json

import ics
import pytest
from evening import Evening
from page import PHONE, launch, pages
from push_browser import Browser
from qr import read_picture
from visits import coming

NAME = "nordlicht.lan"
LAPTOP = {"width": 800, "height": 760}
# The browser allows it, and its push service is one of the test's own; the hub sends there as to any other.
ALLOWS = """
  Object.defineProperty(Notification, 'permission', {{ get: () => sessionStorage.asked ?? 'default' }});
  Notification.requestPermission = async () => {{ sessionStorage.asked = 'granted'; return 'granted'; }};
  const mine = {{
    endpoint: {endpoint}, options: {{ applicationServerKey: new ArrayBuffer(65) }},
    toJSON: () => ({subscription}), unsubscribe: async () => true,
  }};
  PushManager.prototype.getSubscription = async () => (sessionStorage.asked ? mine : null);
  PushManager.prototype.subscribe = async () => mine;
"""


@pytest.fixture
def network(browser):
    """Chromium in a network where the hub has a name, as links to other devices need it."""
    made = launch(browser.browser_type, f"--host-resolver-rules=MAP {NAME} 127.0.0.1")
    yield made
    made.close()


@pytest.mark.timeout(240)
def test_a_hackerspace_from_a_package_to_a_phone_that_rings(network, make_hub, tmp_path, calendar_server):
    evening = Evening("hackerspace", make_hub(start=False), tmp_path)
    hub = evening.hub
    with pages(network) as open_page:
        ada = open_page(viewport=LAPTOP)
        go_on = evening.begin(ada, "Ada", ["A door", "A programme", "Bells"], "Hackerspace Nordlicht", host=NAME)
        evening.keep(ada, "1-rooms")
        go_on()
        ada.wait_for_selector("space-sign :text('Hackerspace Nordlicht')")

        calendar = calendar_server.serve("/nordlicht.ics", ics.calendar(
            coming("open", "Open evening", 1, "180000", 5), coming("radio", "Amateur radio", 2),
            coming("talks", "Lightning talks", 4, "200000"), coming("repair", "Repair café", 6, "140000", 4)))
        evening.press(ada, ".nav a[href='/settings']")
        evening.press(ada, ".settings-index a[href='/settings/programme']")
        evening.press(ada, "button:has-text('By its address')")
        evening.fill(ada, "[id$='-address']", calendar)
        evening.press(ada, "main form button.primary")
        evening.press(ada, ".nav a[href='/']")
        ada.wait_for_selector(".event-row:has-text('Lightning talks')")
        ada.evaluate("scrollTo(0, 0)")
        evening.keep(ada, "2-programme")

        evening.press(ada, ".nav a[href='/people']")
        evening.press(ada, "people-invite input[value=member]")
        evening.fill(ada, "#invite-name", "Lena")
        evening.press(ada, "button:has-text('Make the invitation')")
        ada.wait_for_selector(".link-panel .qr")
        evening.keep(ada, "3-invitation")

        service = Browser()
        lena = open_page(viewport=PHONE)
        lena.add_init_script(ALLOWS.format(
            endpoint=json.dumps(service.subscription["endpoint"]), subscription=json.dumps(service.subscription)))
        # The machine's own address is as safe as HTTPS to a browser.
        lena.goto(read_picture(ada.locator(".qr").screenshot()).replace(NAME, "127.0.0.1"))
        evening.press(lena, "button:has-text('Come aboard')")
        lena.wait_for_selector("h1:has-text('Welcome aboard, Lena')")
        lena.goto(hub.url)
        evening.press(lena, ".nav a[href='/bells']")
        evening.press(lena, "button:has-text('Ring me here')")
        lena.wait_for_selector("text=It rings here, also while this page is closed.")
        evening.press(lena, ".topics label:has-text('The sign at the door')")

        evening.press(ada, ".nav a[href='/']")
        evening.press(ada, "space-switch button[data-to=open]")
        _, push = service.next()
        assert "Ada has opened" in json.dumps(push)
        lena.wait_for_selector(".bell:has-text('Ada has opened')")
        lena.evaluate("scrollTo(0, 0)")
        evening.keep(lena, "4-rings")
    evening.end()
