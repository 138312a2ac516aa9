"""An evening as a photographer, as Docs/evening-photographer.md tells it: from a package to what a client likes."""

import pytest
from album_page import scene
from evening import Evening
from hub import eventually
from page import PHONE, pages, wait_until

LAPTOP = {"width": 900, "height": 640}
WORK = {"Harbour": 4, "Out at sea": 3}
# The page says the folder by its name in the document.
NAMED = """.portfolio-head .of { font-size: 0 }
  .portfolio-head .of::after { content: '/srv/photos'; font-size: 15px }"""
SHOWN = """document.querySelector('.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)')
  ?.naturalWidth > 0"""


@pytest.mark.timeout(240)
def test_a_photographer_from_a_package_to_what_a_client_likes(browser, make_hub, tmp_path):
    (tmp_path / "srv").mkdir()
    evening = Evening("photographer", make_hub(start=False), tmp_path, {"/srv/photos": str(tmp_path / "srv/photos")})
    number = 0
    for gallery, count in WORK.items():
        (tmp_path / "Pictures" / gallery).mkdir(parents=True)
        for _ in range(count):
            number += 1
            size = (1200, 800) if number % 3 else (800, 1200)
            (tmp_path / "Pictures" / gallery / f"{number}.jpg").write_bytes(scene(number, size)["buffer"])
    (tmp_path / "Evening.jpg").write_bytes(scene(9, (1200, 800))["buffer"])
    with pages(browser) as open_page:
        mira = open_page(viewport=LAPTOP)
        evening.begin(mira, "Mira Sandvik", ["Portfolio"], "Mira Sandvik")()

        evening.press(mira, ".portfolio-none >> text=A folder on the hub")
        evening.fill(mira, ".portfolio-none #portfolio-of", str(tmp_path / "srv/photos"))
        evening.fill(mira, ".portfolio-none #portfolio-name", "Work")
        evening.press(mira, ".portfolio-none .adding .button.primary")
        there = mira.locator(".cell.is-there:not([hidden])")
        eventually(lambda: there.count() == number, seconds=40)
        mira.evaluate("scrollTo(0, 0)")
        evening.keep(mira, "1-wall", style=NAMED)

        evening.next()
        evening.press(mira, "button[title='Options']")
        evening.press(mira, "dialog button:has-text('Look for new pictures')")
        eventually(lambda: there.count() == number + 1, seconds=40)
        evening.press(mira, "dialog[open] [aria-label=Close]")

        evening.press(mira, "button[title='Send to a client']")
        evening.press(mira, "text=Send pictures")
        for gallery in WORK:
            evening.press(mira, f".send-pick:has-text('{gallery}') input")
        evening.fill(mira, "#send-title", "For your hall")
        evening.fill(mira, "#send-text", "Dear Ms Okafor, these would hang well beside the window. Tell me which.")
        evening.fill(mira, "#send-pin", "2468")
        mira.evaluate("document.querySelector('.sending-panel').scrollTo(0, 0)")
        evening.keep(mira, "2-send")
        evening.press(mira, "text=Make the link")
        link = mira.wait_for_selector("#send-link").input_value()

        client = open_page(viewport=PHONE, has_touch=True)
        client.goto(link)
        evening.fill(client, "#gate-word", "2468")
        client.keyboard.press("Enter")
        evening.press(client, "text=See the pictures")
        evening.press(client, ".justified .thumb >> nth=1")
        wait_until(client, SHOWN)
        evening.press(client, "[aria-label=Favourite]")
        evening.keep(client, "3-client")
        mira.wait_for_selector(".send-mark:has-text('Favourite') img", timeout=60_000)
        mira.locator(".send-mark >> text=Favourite").scroll_into_view_if_needed()
        evening.keep(mira, "4-back")
    evening.end()
