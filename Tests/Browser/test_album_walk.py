"""Two walks through an album with the real hub, whose pictures stand in Docs/albums.md: a host's, and a guest's of
seventy with large letters, who has never seen such a page."""

import zipfile

import pytest
from album_page import scene
from hub import eventually
from page import DESKTOP, PICTURES, launch, pages, wait_until
from uploads import Guest, join

LETTERS = "document.documentElement.style.fontSize = '200%'"  # as browsers' settings do
WIDEST = """[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => one.outerHTML.slice(0, 100)).slice(0, 8)"""
NAMES = ["Ada", "Ben", "Cleo"]


@pytest.fixture(scope="module")
def camera(browser, tmp_path_factory):
    """Chromium with a camera that looks at the sea."""
    seen = tmp_path_factory.mktemp("camera") / "sea.mjpeg"
    seen.write_bytes(scene(5)["buffer"])
    made = launch(browser.browser_type, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                  f"--use-file-for-fake-video-capture={seen}")
    yield made
    made.close()


def keep(page, name):
    """A picture of the walk, on which nothing is too wide."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, (f"{name} is {wide} px too wide", page.evaluate(WIDEST))
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"album-{name}.png", animations="disabled")


def send(hub, made, count):
    """Pictures of three guests."""
    for number in range(count):
        size = [(1600, 1200), (1200, 1600), (1600, 1000)][number % 3]
        guest = Guest(hub, made, made["tokens"][number % len(NAMES)])
        guest.send(scene(number, size)["buffer"], filename=f"IMG_{number}.jpg")


def waiting(page, made):
    """The pictures that wait for a host, as the page's own session asks."""
    return page.evaluate(f"""fetch('/api/v1/albums/{made["id"]}/pictures?state=waiting').then((one) => one.json())
      .then(({{ pictures }}) => pictures)""")


@pytest.mark.timeout(240)
def test_a_host_and_a_guest_of_seventy_walk_through_an_album(hub_with_space, camera):
    hub = hub_with_space
    with pages(camera) as open_page:
        host = open_page(viewport=DESKTOP)
        hub.sign_in_browser(host.context, "owner")
        host.goto(f"{hub.url}/albums")
        host.fill("#album-name", "Grandma’s 80th")
        host.click("button:has-text('Make an album')")
        host.wait_for_selector("h1:has-text('Grandma’s 80th')")
        secret = host.url.partition("#")[2]
        link = f"{hub.url}/album#{secret}"
        host.click(".host-views button:has-text('Options')")
        host.click(".host-options input[value=open]")
        keep(host, "host-options")
        host.click("a:has-text('Print the code')")
        host.wait_for_selector(".paper-code img")
        keep(host, "card")

        guest = open_page()
        guest.goto(link)
        guest.evaluate(LETTERS)
        guest.wait_for_selector(".join h1:has-text('Grandma’s 80th')")
        assert guest.evaluate("document.querySelector('.join button').getBoundingClientRect().bottom <= innerHeight"), (
            "the one button is seen without scrolling")
        keep(guest, "guest-1-join")
        guest.click(".join button")
        guest.wait_for_selector(".album-empty img")
        keep(guest, "guest-2-empty")
        made = {"id": guest.evaluate("JSON.parse(localStorage.albums)[0].id"), "join_url": link}
        made["tokens"] = [join(hub, made, name) for name in NAMES]
        send(hub, made, 9)
        ada = Guest(hub, made, made["tokens"][0])
        eventually(lambda: all("1600" in one["sizes"] for one in ada.pictures()), seconds=30)
        wall = open_page(context=host.context, viewport=DESKTOP)
        wall.goto(f"{hub.url}/album/wall#{secret}")
        wall.wait_for_selector(".strip:nth-child(3) img")
        guest.click(".take-bar .primary")
        guest.wait_for_selector(".shutter:not([disabled])")
        keep(guest, "guest-3-camera")
        guest.click(".shutter")
        guest.wait_for_selector(".camera-done img")
        guest.click(".camera-done")
        guest.wait_for_selector(".queue-cells li[data-state=sent]")
        guest.wait_for_selector(".cell.is-there")
        keep(guest, "guest-4-sent")
        wait_until(wall, "/A guest\\s+just now/.test(document.querySelector('.arriving')?.innerText)", limit=40_000)
        keep(wall, "wall")
        guest.wait_for_selector(".queue", state="detached")
        wait_until(guest, "[...document.querySelectorAll('.cell:not([hidden])')].every((one) => "
                          "one.classList.contains('is-there'))")
        keep(guest, "guest-5-gallery")
        guest.click(".cell[aria-posinset='1']")
        guest.wait_for_selector(".pswp--open .viewer-who:has-text('yours')")
        wait_until(guest, "document.querySelector('.pswp__img:not(.pswp__img--placeholder)')?.complete")
        keep(guest, "guest-6-viewer")

        host.goto(f"{hub.url}/album/host#{secret}")
        host.click(".host-views button:has-text('Options')")
        host.click(".switch:has-text('Look at each one first') input")
        guest_two = Guest(hub, made, made["tokens"][1])
        for number in (20, 21, 22):
            guest_two.send(scene(number)["buffer"], filename=f"IMG_{number}.jpg")
        host.click(".host-views button:has-text('Waiting')")
        host.wait_for_selector(".host-views b:has-text('3')")
        wait_until(host, "document.querySelector('.review-one img')?.complete")
        keep(host, "host-review")
        for number in (2, 1, 0):
            host.click(".host-main button:has-text('Show')")
            eventually(lambda number=number: len(waiting(host, made)) == number)
        host.click(".host-views button:has-text('Shown')")
        wait_until(host, "document.querySelectorAll('.cell.is-there').length >= 6")
        keep(host, "host-shown")
        with host.expect_download() as download:
            host.click("a:has-text('Download all')")
        with zipfile.ZipFile(download.value.path()) as files:
            assert len(files.namelist()) == 13
        host.goto(f"{hub.url}/albums")
        host.wait_for_selector(".album-row:has-text('Grandma’s 80th') img")
        keep(host, "list")
