"""An evening as a family with a feast, as Docs/evening-family.md tells it: from a package to a picture on the wall."""

import pytest
from album_page import scene
from evening import Evening
from hub import eventually
from page import PHONE, pages, wait_until
from qr import read_picture

LAPTOP = {"width": 800, "height": 760}
SCREEN = {"width": 960, "height": 540}
SEEN = "[...document.querySelectorAll('.cell:not([hidden])')].every((one) => one.classList.contains('is-there'))"


@pytest.mark.timeout(240)
def test_a_family_from_a_package_to_a_picture_on_the_wall(browser, make_hub, tmp_path):
    evening = Evening("family", make_hub(start=False), tmp_path)
    with pages(browser) as open_page:
        host = open_page(viewport=LAPTOP)
        evening.begin(host, "Amara", ["Albums"], "The Okafors")()

        host.wait_for_selector("#album-name")
        evening.fill(host, "#album-name", "Grandma’s 80th")
        evening.press(host, "button:has-text('Make an album')")
        host.wait_for_selector("h1:has-text('Grandma’s 80th')")
        evening.press(host, ".host-views button:has-text('Options')")
        evening.press(host, ".host-options input[value=open]")
        evening.press(host, "a:has-text('Print the code')")
        evening.press(host, ":text('Four cards for tables')")
        host.wait_for_selector(".paper-code img >> nth=3")
        evening.keep(host, "1-card")

        guest = open_page(viewport=PHONE)
        guest.goto(read_picture(host.locator(".paper-code img").first.screenshot()))
        guest.wait_for_selector(".join h1:has-text('Grandma’s 80th')")
        evening.keep(guest, "2-join")
        evening.press(guest, ".join button")
        guest.wait_for_selector(".take-bar")
        evening.presses += 1
        guest.locator("input[type=file][multiple]").set_input_files([scene(number) for number in range(5)])
        eventually(lambda: guest.locator(".cell.is-there:not([hidden])").count() == 5, seconds=40)
        guest.wait_for_selector(".queue", state="detached")
        wait_until(guest, SEEN)
        evening.keep(guest, "3-sent")

        host.go_back()
        link = host.wait_for_selector("a:has-text('Live wall')").get_attribute("href")
        wall = open_page(context=host.context)
        wall.set_viewport_size(SCREEN)
        evening.presses += 1
        wall.goto(evening.hub.url + link if link.startswith("/") else link)
        wall.wait_for_selector(".strip img")
        guest.locator("input[type=file][multiple]").set_input_files([scene(7)])
        evening.presses += 1
        wall.wait_for_selector(".qr img")
        wait_until(wall, "/just now/.test(document.querySelector('.arriving')?.innerText)", limit=40_000)
        evening.keep(wall, "4-wall")
    evening.end()
