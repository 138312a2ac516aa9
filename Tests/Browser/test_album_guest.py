"""A guest's page of an album with the real hub: joining, taking, choosing, cuts, reloads, and who sees it."""

import hashlib

import pytest
from album_page import Album, choose, jpeg, join
from hub import eventually
from page import PHONE, SMALL, launch, pages, wait_kept, wait_until
from readable import axe_in_both

PLAIN = "boat.example"  # a name that browsers do not trust without HTTPS
READABLE_BYTES = 60_000
REQUESTS = 15
WITHIN = 1.0  # seconds until another device shows a picture that has arrived
ROWS = """new Promise((done) => {
  indexedDB.open('eightbells-albums').onsuccess = ({ target: { result } }) => {
    result.transaction('items').objectStore('items').count().onsuccess = (event) => done(event.target.result);
  };
})"""
SLOW = {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": 300_000}


@pytest.fixture(scope="module")
def camera(browser):
    """Chromium with a camera that shows a made-up picture, and allows pages to use it."""
    made = launch(browser.browser_type, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                  f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1")
    yield made
    made.close()


@pytest.fixture
def open_page(camera):
    with pages(camera) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def album(hub):
    return Album(hub, "--open")


def slow_down(page):
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    return session


def digest(files):
    return sorted(hashlib.sha256(one["buffer"]).hexdigest() for one in files)


def heading(text):
    return f".queue h2:has-text('{text}')"


def test_one_button_joins_and_a_name_can_wait(album, open_page):
    page = open_page()
    page.goto(album.url)
    page.wait_for_selector(".join button")
    assert page.locator("input:visible").count() == 0, "no field before one is in"
    with page.expect_request("**/focus.js"):
        page.focus(".join button")
    page.keyboard.press("Enter")
    page.wait_for_selector(".album-empty img.code-picture")
    page.wait_for_selector("h1:focus")  # whoever has it read aloud goes on from there
    page.click(".me-chip")
    page.fill("#me-name", "Ada")
    page.click(".me-dialog button.primary")
    page.wait_for_selector(".me-chip:has-text('Ada')")
    page.reload()
    page.wait_for_selector(".me-chip:has-text('Ada')")
    people = album.hub.get(f"{album.path}/people", token=album.host)[1]["people"]
    assert len([one for one in people if one["role"] == "guest"]) == 1, "a reload joins no second time"


def test_the_network_dies_the_page_is_reloaded_and_all_arrive_once(album, open_page):
    page = join(open_page(), album)
    files = [jpeg(number) for number in range(5)]
    slow = slow_down(page)
    choose(page, files)
    page.wait_for_selector(heading("of 5"))
    page.wait_for_selector("[role=status]:text-is('Sending pictures.')")  # and not each of them
    words = "[...document.querySelectorAll('.queue-cells small')].map((one) => one.innerText)"
    wait_until(page, f"{words}.some((one) => /[3-9].%/.test(one))")
    slow.send("Network.emulateNetworkConditions", SLOW | {"offline": True})
    page.wait_for_selector(".queue p:has-text('go on by themselves')")
    page.wait_for_selector(heading("wait"))
    assert len(album.pictures()) < 5
    slow.detach()
    page.reload()
    page.wait_for_selector(".queue .thumb img")
    eventually(lambda: len(album.pictures()) == 5, seconds=20)
    page.wait_for_selector(".queue", state="detached")
    assert album.hashes() == digest(files)
    databases = page.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))")
    assert databases.count("eightbells-albums") == 1
    choose(page, files[:2])
    page.wait_for_selector(".queue-cells li[data-state=known]")
    assert len(album.pictures()) == 5, "what is there is not sent again"


def test_whoever_leaves_is_told_what_was_not_sent_and_it_goes(album, open_page):
    page = join(open_page(), album)
    page.route("**/uploads", lambda route: route.abort())
    choose(page, [jpeg(1), jpeg(2)])
    page.wait_for_selector(heading("wait"))
    page.click(".me-chip")
    page.click(".me-dialog button:has-text('Leave this album')")
    page.wait_for_selector(".leaving:has-text('2 pictures were not sent')")
    page.click(".leaving .danger")
    page.wait_for_selector(".join button")
    eventually(lambda: page.evaluate(ROWS) == 0)


def test_whoever_leaves_takes_all_of_theirs_back_and_one_picture_is_deleted_at_once(album, open_page):
    page = join(open_page(), album)
    choose(page, [jpeg(number) for number in range(3)])
    page.wait_for_selector(heading("All 3 are there"))
    page.locator("album-gallery .cell.is-there").first.click()
    page.click(".viewer-key:has-text('Take back')")
    page.click(".viewer-key:has-text('Delete it at once')")
    page.wait_for_selector(".pswp", state="detached")
    eventually(lambda: len(album.pictures()) == 2)
    page.click(".me-chip")
    page.click(".me-dialog button:has-text('Leave this album')")
    page.click(".leaving label:has-text('Take all my 2 pictures back first')")
    page.click(".leaving .danger")
    page.wait_for_selector(".join button")
    assert album.pictures() == []


def test_three_in_a_row_with_the_camera(album, open_page):
    page = join(open_page(), album)
    page.click(".take-bar .primary")
    page.wait_for_selector(".shutter:not([disabled])")
    page.evaluate("""() => {
      delete window.ImageCapture;
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (done) {
        HTMLCanvasElement.prototype.toBlob = toBlob;
        done(null); // as on a phone without memory for it
      };
    }""")
    page.click(".shutter")
    page.wait_for_selector(".camera-view .note:has-text('That was not taken.')")
    view = "document.querySelector('.camera video')"
    last = "(document.querySelector('.camera-done img')?.src ?? '')"
    for _ in range(3):
        at = page.evaluate(f"{view}.currentTime")
        wait_until(page, f"{view}.currentTime > {at + 0.3}")  # the made-up camera shows another picture: no two are one
        before = page.evaluate(last)
        page.click(".shutter")
        wait_until(page, f"{last} !== '{before}'")
    page.wait_for_selector(".camera-count:has-text('3 pictures')")
    page.click(".camera-done")
    page.wait_for_selector("album-camera", state="detached")
    eventually(lambda: len(album.pictures()) == 3)
    assert len(set(album.hashes())) == 3


def test_without_https_the_phones_own_camera_and_the_queue_work(album, open_page):
    page = open_page()
    page.goto(album.url.replace("127.0.0.1", PLAIN))
    assert not page.evaluate("isSecureContext")
    page.click(".join button")
    page.wait_for_selector(".album-empty")
    with page.expect_file_chooser() as chooser:
        page.click(".take-bar .primary")
    assert chooser.value.element.get_attribute("capture") == "environment"
    files = [jpeg(1), jpeg(2)]
    chooser.value.set_files(files[0])
    choose(page, files[1:])
    eventually(lambda: len(album.pictures()) == 2)
    assert album.hashes() == digest(files)


def test_what_did_not_come_over_a_bad_line_is_asked_for_again(album, open_page):
    page = open_page()
    for part in ("inside.js", "gallery/gallery.js"):
        page.route(f"**/albums/album/{part}", lambda route: route.abort(), times=1)
    page.goto(album.url)
    page.click(".join button")
    page.wait_for_selector(".note:has-text('No connection')")
    page.wait_for_selector(".take-bar")
    choose(page, [jpeg(1)])
    page.wait_for_selector("album-gallery .cell")


def test_without_a_network_the_page_opens_keeps_what_is_chosen_and_sends_it_later(album, open_page):
    page = join(open_page(), album)
    choose(page, [jpeg(1)])
    eventually(lambda: len(album.pictures()) == 1)
    page.wait_for_selector("album-gallery .cell")
    wait_kept(page)
    page.reload()  # this time the page comes from the device
    page.wait_for_selector("album-gallery .cell")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("h1:has-text('Lena and Tom')")
    page.wait_for_selector(".note:has-text('No connection')")
    choose(page, [jpeg(2)])
    page.wait_for_selector(heading("1 picture waits"))
    page.reload()
    page.wait_for_selector(heading("1 picture waits"))
    page.context.set_offline(False)
    eventually(lambda: len(album.pictures()) == 2)


def test_a_film_that_browsers_know_no_type_of_is_sent_and_what_is_left_out_is_named(album, open_page):
    page = join(open_page(), album)
    choose(page, {"name": "notes.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4"})
    page.wait_for_selector(".note:has-text('notes.pdf is neither')")
    film = {"name": "IMG_1.MOV", "mimeType": "", "buffer": b"\0\0\0\x14ftypqt  "}
    choose(page, [film, {"name": "README", "mimeType": "", "buffer": b"x"}])
    page.wait_for_selector(".note:has-text('README is neither')")
    eventually(lambda: album.hashes() == digest([film]))


def test_another_device_sees_a_picture_within_a_second(album, open_page, camera):
    sender, other = join(open_page(), album), join(open_page(), album)
    wait_until(other, "document.querySelector('album-page') && document.querySelector('.album-empty')")
    for page, what in ((sender, ".queue-cells li[data-state=sent]"), (other, "album-gallery .cell")):
        page.evaluate(f"""() => {{
          const look = () => {{
            if (document.querySelector('{what}')) window.seenAt = Date.now();
            else setTimeout(look, 5);
          }};
          look();
        }}""")
    choose(sender, [jpeg(1)])
    wait_until(sender, "window.seenAt !== undefined")
    wait_until(other, "window.seenAt !== undefined")
    assert (other.evaluate("window.seenAt") - sender.evaluate("window.seenAt")) / 1000 < WITHIN


def test_a_family_album_waits_for_a_hosts_yes_and_turns_by_itself(hub, open_page):
    album = Album(hub, "--family")
    page = open_page(locale="de-DE")
    page.goto(album.url)
    page.click(".join button")
    page.wait_for_selector("h1:has-text('Gleich lässt dich jemand herein')")
    page.fill("#asked-name", "Tante Grete")
    page.click("button:has-text('Namen schicken')")
    page.wait_for_selector(".hint:has-text('Tante Grete')")
    asked = [one for one in hub.get(f"{album.path}/people", token=album.host)[1]["people"] if one["state"] == "asked"]
    assert [one["name"] for one in asked] == ["Tante Grete"]
    assert hub.patch(f"{album.path}/people/{asked[0]['id']}", album.host, {"state": "in"})[0] == 200
    page.wait_for_selector(".take-bar")
    hub.patch(f"{album.path}/people/{asked[0]['id']}", album.host, {"state": "removed"})
    page.wait_for_selector("h1:has-text('nicht mehr in diesem Album')", timeout=25_000)


def test_back_closes_the_picture_and_only_then_leaves_the_album(album, open_page):
    page = open_page()
    page.goto(album.hub.url + "/join")
    join(page, album)
    choose(page, [jpeg(1)])
    page.click("album-gallery .cell.is-there")
    page.wait_for_selector(".pswp--open .viewer-who")
    page.go_back()  # also while it opens
    page.wait_for_selector(".pswp", state="detached")
    assert page.url == album.url
    page.emulate_media(reduced_motion="reduce")  # it opens at once, and listens to keys
    page.click("album-gallery .cell.is-there")
    page.wait_for_selector(".pswp--open .viewer-who")
    page.keyboard.press("Escape")
    page.wait_for_selector(".pswp", state="detached")
    page.go_back()
    page.wait_for_url("**/join")


def test_a_guest_sees_what_waits_for_a_host_and_what_a_host_has_hidden(album, open_page):
    album.change(review=True)
    page = join(open_page(), album)
    choose(page, [jpeg(1)])
    page.wait_for_selector(".cell .stamp:has-text('waits for a host')")
    page.wait_for_selector(".views button:has-text('Mine, 1')")
    sent, = album.hub.get(f"{album.path}/pictures?state=waiting", token=album.host)[1]["pictures"]
    for state, said in (("hidden", "hidden by a host"), ("shown", ""), ("hidden", "hidden by a host")):
        assert album.hub.patch(f"{album.path}/pictures/{sent['id']}", album.host, {"state": state})[0] == 200
        page.wait_for_selector(f".cell .stamp:has-text('{said}')" if said
                               else ".cell:not(:has(.stamp:has-text('hidden')))")


def test_the_link_of_an_album_in_which_guests_send_only_says_so(album, open_page):
    album.change(upload_only=True)
    page = open_page(locale="de-DE")
    page.goto(album.url)
    page.wait_for_selector(".join p:has-text('Nur die Gastgeber sehen deine Bilder')")
    assert page.locator(".join p:has-text('Die anderen hier')").count() == 0


def test_take_and_choose_fit_their_buttons_with_large_letters(album, open_page):
    page = join(open_page(viewport=PHONE, locale="de-DE"), album)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    wide = "[...document.querySelectorAll('.take-bar .button')].map((one) => one.scrollWidth - one.clientWidth)"
    assert page.evaluate(wide) == [0, 0]


def test_a_picture_is_taken_back_before_and_after(album, open_page):
    page = join(open_page(), album)
    slow_down(page)
    choose(page, [jpeg(number) for number in range(3)])
    page.wait_for_selector(".queue-cells li:nth-child(3)[data-state=waits]")
    page.click(".queue-cells li:nth-child(3) button")
    with page.expect_download() as saved:
        page.click(".queue-sheet button:has-text('Save to this device')")
    assert saved.value.path().read_bytes() == jpeg(2)["buffer"]
    page.click(".queue-sheet button:has-text('Take it back')")
    page.wait_for_selector(".queue-sheet button:focus:has-text('Keep it')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".queue-sheet button:focus:has-text('Take it back')")
    page.keyboard.press("Enter")
    page.click(".queue-sheet button:has-text('Put it away for good')")
    page.wait_for_selector(heading("All 2 are there"))
    page.click(".queue-cells li:nth-child(1) button")
    page.click(".queue-sheet .danger")
    eventually(lambda: len(album.pictures()) == 1)


def test_several_albums_on_one_phone(hub, open_page):
    first, second = Album(hub, "--open"), Album(hub, "--open", name="Regatta")
    page = join(open_page(), first)
    join(page, second)
    page.wait_for_selector("h1:has-text('Regatta')")
    page.click("button:has-text('1 other album')")
    page.click("dialog a:has-text('Lena and Tom')")
    page.wait_for_selector("h1:has-text('Lena and Tom')")
    page.goto(hub.url + "/album")
    page.wait_for_selector("h1:has-text('Lena and Tom')")


def test_a_passphrase_is_asked_for_only_then(album, open_page):
    album.change(passphrase="calm sea")
    page = open_page()
    page.goto(album.url)
    page.click(".join button")
    page.fill("#passphrase", "rough sea")
    page.click(".join button")
    page.wait_for_selector(".note[role=alert]")
    page.fill("#passphrase", "calm sea")
    page.click(".join button")
    page.wait_for_selector(".take-bar")


def test_a_deleted_album_is_told_and_what_was_not_sent_can_be_saved_and_removed(album, open_page):
    page = join(open_page(), album)
    page.context.set_offline(True)
    choose(page, [jpeg(1)])
    page.wait_for_selector(heading("1 picture waits"))
    assert album.hub.delete(album.path, token=album.host)[0] == 204
    page.context.set_offline(False)
    page.wait_for_selector("h1:has-text('This album is not here any more')", timeout=25_000)
    page.wait_for_selector(".note:has-text('1 picture of yours is still on this device')")
    # As on a phone that took longer to read the file than a tap counts.
    tapped = "Object.defineProperty(navigator, 'userActivation', {{ value: {{ isActive: {} }}, configurable: true }})"
    page.evaluate(tapped.format("false"))
    page.click("button:has-text('Save to this device')")
    page.wait_for_selector("button:has-text('Ready: save now')")
    page.evaluate(tapped.format("true"))
    with page.expect_download() as saved:
        page.click("button:has-text('Ready: save now')")
    assert saved.value.path().read_bytes() == jpeg(1)["buffer"]
    page.click("button:has-text('Remove it from this device')")
    page.click("button:has-text('Remove all of it')")
    page.wait_for_selector("h1:has-text('Which album?')")
    page.goto(album.url)
    page.wait_for_selector("h1:has-text('This link leads to no album')")
    assert page.locator(".note").count() == 0


def test_what_waits_is_sent_when_a_host_opens_the_album_again(album, open_page):
    page = join(open_page(), album)
    page.context.set_offline(True)
    choose(page, [jpeg(1)])
    page.wait_for_selector(heading("1 picture waits"))
    album.change(closed=True)
    page.context.set_offline(False)
    page.wait_for_selector(".queue p:has-text('accepts nothing just now')", timeout=25_000)
    page.wait_for_selector(".note:has-text('This album is closed')")
    album.change(closed=False)
    eventually(lambda: len(album.pictures()) == 1)


def test_closed_and_unknown_albums_are_told_in_friendly_words(album, open_page):
    page = join(open_page(), album)
    album.change(closed=True)
    page.wait_for_selector(".note:has-text('This album is closed')")
    assert page.locator(".take-bar").count() == 0
    other = open_page()
    other.goto(album.url)
    other.wait_for_selector("h1:has-text('This album is closed')")
    album.change(closed=False)
    other.click("button:has-text('Try the link again')")
    other.wait_for_selector(".join button:has-text('Join')")
    other.goto(album.hub.url + "/album#" + "x" * 32)
    other.wait_for_selector("h1:has-text('This link leads to no album')")


def test_when_the_last_picture_goes_the_keys_are_at_the_heading(album, open_page):
    page = join(open_page(), album)
    choose(page, [jpeg(1)])
    page.wait_for_selector(".cells .is-there")
    page.focus(".cells")
    (one,) = album.pictures()
    assert album.hub.delete(f"{album.path}/pictures/{one['id']}", album.host)[0] in (200, 204)
    page.wait_for_selector("h1:focus")


def test_the_first_load_is_small(album, open_page):
    page = open_page()
    session = page.context.new_cdp_session(page)
    sizes, asked = [], []
    session.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    page.goto(album.url)
    page.wait_for_selector(".join button")
    print(f"joinable after {sum(sizes)} bytes, {len(asked)} requests")
    assert sum(sizes) <= READABLE_BYTES and len(asked) <= REQUESTS, asked


def test_axe_finds_nothing(album, open_page):
    found = []

    def check(page, view):
        found.extend((view, *one) for one in axe_in_both(page))

    page = open_page(reduced_motion="reduce")
    page.goto(album.url)
    page.wait_for_selector(".join button")
    check(page, "join")
    page.click(".join button")
    page.wait_for_selector(".album-empty img")
    check(page, "empty")
    slow_down(page)
    choose(page, [jpeg(number) for number in range(4)])
    page.wait_for_selector(".queue-cells li[data-state=sent]")
    check(page, "queue")
    page.click(".queue-cells li button")
    check(page, "one picture")
    page.keyboard.press("Escape")
    page.click(".me-chip")
    check(page, "name")
    page.keyboard.press("Escape")
    page.click("album-gallery .cell.is-there")
    page.wait_for_selector(".pswp--open .viewer-who")
    check(page, "viewer")
    page.click(".viewer-key:has-text('Add a sound')")
    check(page, "sound")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_selector(".pswp", state="detached")
    page.click(".take-bar .primary")
    page.wait_for_selector(".shutter:not([disabled])")
    check(page, "camera")
    assert found == []


def test_it_fits_small_phones_and_tablets(album, open_page):
    page = open_page(locale="de-DE")

    def look(view):
        for size in (SMALL, {"width": 768, "height": 1024}):
            page.set_viewport_size(size)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{view} is {wide} px too wide"

    page.goto(album.url)
    page.click(".join button")
    page.wait_for_selector(".album-empty img")
    look("empty")
    choose(page, [jpeg(number, quality=60) for number in range(6)])
    eventually(lambda: len(album.pictures()) == 6, seconds=20)
    slow_down(page)
    choose(page, [jpeg(number) for number in range(10, 14)])
    page.wait_for_selector(".queue-cells li[data-state=sending]")
    look("queue")
