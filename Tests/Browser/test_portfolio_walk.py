"""A walk with the real hub, whose pictures stand in Docs/portfolio.md: a photographer adds a folder on the page, sends
some of it, and a client in a cellar without a network marks what they like."""

import pytest
from album_page import scene
from hub import eventually
from page import DESKTOP, PHONE, PICTURES, pages, wait_kept, wait_until

WORK = {"Evening": [(1800, 1200), (1200, 1800), (1800, 1200), (1600, 1600)], "Out at sea": [(2000, 1000), (1800, 1200)],
        "Before the storm": [(1200, 1800), (1800, 1200), (1800, 1100)]}
IMAGES = "[...document.querySelectorAll('{} img')]"
KEPT = "document.querySelector('.cover-go')?.innerText.includes('5 pictures, kept on this device')"
SHOWN = """document.querySelector('.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)')
  ?.naturalWidth > 0"""


def keep(page, name):
    """A picture of the walk, on which nothing is too wide."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{name} is {wide} px too wide"
    PICTURES.mkdir(parents=True, exist_ok=True)
    # In the page's own text node, which it goes on with.
    page.evaluate("""for (const of of document.querySelectorAll('.portfolio-head .of')) {
      for (const one of of.childNodes) if (one.nodeType === Node.TEXT_NODE) one.data = '/srv/photos';
    }""")
    page.screenshot(path=PICTURES / f"portfolio-{name}.png", animations="disabled")


@pytest.mark.timeout(240)
def test_a_photographer_and_a_client_walk_through_a_portfolio(browser, hub_with_space, tmp_path):
    hub, number = hub_with_space, 0
    for gallery, sizes in WORK.items():
        for size in sizes:
            number += 1
            (tmp_path / "Work" / gallery).mkdir(parents=True, exist_ok=True)
            (tmp_path / "Work" / gallery / f"{gallery} {number}.jpg").write_bytes(scene(number, size)["buffer"])
    with pages(browser) as open_page:
        photographer = open_page(viewport=DESKTOP)
        hub.sign_in_browser(photographer.context, "owner", "Mira Sandvik")
        photographer.goto(f"{hub.url}/portfolio")
        photographer.click(".portfolio-none >> text=A folder on the hub")
        photographer.fill(".portfolio-none #portfolio-of", str(tmp_path / "Work"))
        photographer.fill(".portfolio-none #portfolio-name", "Mira Sandvik")
        photographer.click(".portfolio-none .adding .button.primary")
        eventually(lambda: photographer.locator(".cell.is-there:not([hidden])").count() == number, seconds=60)
        photographer.wait_for_selector("text=Kept on this device", timeout=30_000)
        photographer.evaluate("scrollTo(0, 0)")
        keep(photographer, "1-wall")
        photographer.locator(".cell.is-there:not([hidden])").nth(1).click()
        photographer.wait_for_selector(".large.is-there")
        keep(photographer, "2-picture")

        photographer.click("[aria-label='Back to the wall']")
        photographer.click("button[title='Send to a client']")
        photographer.click("text=Send pictures")
        photographer.check(".send-pick:has-text('Evening') input")
        photographer.check(".send-pick:has-text('Out at sea') input")
        photographer.click(".send-pick:has-text('Evening') >> text=4 pictures")
        photographer.uncheck(".send-one >> nth=2 >> input")
        photographer.fill("#send-title", "For your hall")
        photographer.fill("#send-text", "Dear Ms Okafor, these would hang well beside the window. Tell me which.")
        photographer.fill("#send-pin", "2468")
        photographer.evaluate("document.querySelector('.sending-panel').scrollTo(0, 0)")
        keep(photographer, "3-send")
        photographer.click("text=Make the link")
        link = photographer.wait_for_selector("#send-link").input_value()

        client = open_page(viewport=PHONE, has_touch=True)
        client.goto(link)
        client.fill("#gate-word", "2468")
        client.keyboard.press("Enter")
        client.wait_for_selector(".cover >> text=For your hall")
        wait_until(client, KEPT, 30_000)
        wait_kept(client)
        client.context.set_offline(True)
        client.reload()
        client.wait_for_selector(".cover-picture img")
        wait_until(client, f"{IMAGES.format('.cover-picture')}.every((one) => getComputedStyle(one).opacity === '1')")
        keep(client, "4-cover")
        client.tap("text=See the pictures")
        wait_until(client, f"{IMAGES.format('.justified .thumb')}.every((one) => one.naturalWidth > 0)")
        keep(client, "5-all")
        client.locator(".justified .thumb").nth(0).tap()
        wait_until(client, SHOWN)
        client.click("[aria-label=Favourite]")
        keep(client, "6-picture")
        client.context.set_offline(False)
        photographer.wait_for_selector(".send-mark:has-text('Favourite') img", timeout=60_000)
        photographer.locator(".send-mark >> text=Favourite").evaluate("(one) => one.scrollIntoView()")
        keep(photographer, "7-back")
