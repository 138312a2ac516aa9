"""The albums' pages of members and hosts with the real hub: the list, the queue, the gallery, the wall and the card."""

import re
import zipfile

import pytest
from hosts_page import SHOWN, Album
from hub import eventually
from page import DESKTOP, PHONE, PICTURES, SMALL, overflow, wait_until
from readable import axe_in_both
from uploads import Guest, join

USABLE, REQUESTS = 100_000, 15  # bytes over the wire, and requests
AXE = {"runOnly": ["wcag2a", "wcag2aa"]}


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def own_hub(make_hub):
    """For those that look at the list of albums."""
    hub = make_hub()
    hub.configure()
    return hub


def test_a_member_makes_an_album_by_a_name_and_is_its_host(open_page, own_hub):
    hub = own_hub
    page = open_page(viewport=DESKTOP)
    hub.sign_in_browser(page.context, "owner")
    page.clock.install()
    page.goto(f"{hub.url}/albums")
    page.wait_for_selector(".empty:has-text('There is no album yet.')")
    page.fill("#album-name", "Lena and Tom")
    # The list is asked for twice a minute; what is being typed stays.
    with page.expect_response(lambda answer: answer.url.endswith("/api/v1/albums")):
        page.clock.fast_forward(31_000)
    page.wait_for_timeout(300)
    assert page.input_value("#album-name") == "Lena and Tom"
    page.click("button:has-text('Make an album')")
    page.wait_for_selector("h1:has-text('Lena and Tom')")
    assert "/album/host#" in page.url
    page.click(".host-doors a:has-text('Add pictures')")
    page.wait_for_selector("button:has-text('Choose')")  # a host needs not join
    page.go_back()
    page.click(".host-views button:has-text('Options')")
    page.click(".switch:has-text('Look at each one first') input")
    page.fill("#album-name", "Lena, Tom and all")
    page.click("button:has-text('Save')")
    page.wait_for_selector("h1:has-text('Lena, Tom and all')")
    guest = {"secret": page.url.partition("#")[2], "name": "Opa Karl"}
    assert hub.post("/api/v1/albums/join", json=guest)[0] == 201
    page.click(".back:has-text('Albums')")
    page.click(".album-row:has-text('Lena, Tom and all'):has-text('1 wants to come in')")
    page.wait_for_selector("li:has-text('Opa Karl') button:has-text('Let in')")
    page.route("**/api/v1/albums", lambda route: route.fulfill(status=503, json={}))
    page.reload()
    page.wait_for_selector(".host-head")


@pytest.mark.parametrize("path, told", [
    ("", "There is no album at this address any more."), ("session", "This device is signed out.")])
def test_a_hosts_page_shows_no_album_that_was_deleted_nor_any_after_the_sign_out(open_page, own_hub, path, told):
    hub = own_hub
    page = open_page()
    mine = hub.sign_in_browser(page.context, "owner")
    made = hub.post("/api/v1/albums", mine, {"name": "Lena and Tom"})[1]
    page.goto(f"{hub.url}/album/host#{made['join_url'].partition('#')[2]}")
    page.wait_for_selector(".host-head h1:has-text('Lena and Tom')")
    assert hub.delete(f"/api/v1/{path or 'albums/' + made['id']}", mine)[0] in (200, 204)
    page.wait_for_selector(f"text={told}")
    assert page.locator(".host").count() == 0
    if not path:
        page.reload()
        page.wait_for_selector(f"text={told}")


def test_the_link_that_the_command_prints_makes_a_device_the_host(open_page, hub):
    album = Album(hub)
    album.send_all(2)
    printed = hub.command("album", "host", album.made["id"]).stderr
    page = open_page(viewport=DESKTOP)
    link = next(word for word in printed.split() if "/album/host#" in word)
    page.goto(link)
    page.click("dialog:has-text('Become a host of “Lena and Tom”?') button:has-text('Cancel')")
    page.wait_for_selector("text=This page is for the album’s hosts.")
    assert page.evaluate("localStorage.albums ?? '[]'") == "[]", "any page can lead here"
    assert page.context.cookies(f"{hub.url}/api/v1/albums/{album.made['id']}") == []
    page.goto("about:blank")
    page.goto(link)
    page.click("dialog button:has-text('Become a host')")
    page.wait_for_selector(".host-head h1:has-text('Lena and Tom')")
    assert page.url == f"{hub.url}/album/host#{album.secret}", "the token leaves the address"
    page.wait_for_selector(".cell img")
    wait_until(page, "[...document.querySelectorAll('.cell img')].some((one) => one.naturalWidth > 0)")
    page.select_option("select[name=order]", "taken")
    page.wait_for_selector(".gallery-box :text('Nobody knows when')")
    page.reload()
    page.wait_for_selector(".host-head h1:has-text('Lena and Tom')")
    page.goto("about:blank")
    page.goto(f"{hub.url}/album/host#id={album.made['id']}&token=album_{'x' * 32}")
    page.wait_for_selector("text=This page is for the album’s hosts.")


def test_a_member_who_is_a_guest_comes_to_the_album_from_the_list(open_page, own_hub):
    hub = own_hub
    album = Album(hub)
    album.send_all(1)
    page = open_page(viewport=PHONE)
    ben = hub.sign_in_browser(page.context, "member", "Ben")
    assert hub.post("/api/v1/albums/join", ben, {"secret": album.secret})[0] == 201
    page.goto(f"{hub.url}/albums")
    page.click(".album-row:has-text('Lena and Tom')")
    page.wait_for_selector("album-gallery .cell img")
    assert page.url == f"{hub.url}/album#id={album.made['id']}"


def test_on_a_phone_a_long_name_has_the_line_and_what_waits_stands_below(open_page, own_hub):
    hub = own_hub
    page = open_page(viewport=PHONE)
    made = hub.post("/api/v1/albums", hub.sign_in_browser(page.context, "owner"),
                    {"name": "Golden wedding of Annemarie and Karl-Heinz Müller-Lüdenscheidt"})[1]
    assert hub.post("/api/v1/albums/join", json={"secret": made["join_url"].partition("#")[2], "name": "Opa"})[0] == 201
    page.goto(f"{hub.url}/albums")
    page.wait_for_selector(".album-row .tag:has-text('1 wants to come in')")
    name, tag = (page.locator(f".album-row {one}").bounding_box() for one in ("strong", ".tag"))
    assert name["width"] > 190 and tag["y"] >= name["y"] + name["height"] and tag["x"] == name["x"]


def test_the_list_shows_nothing_of_a_member_whom_another_one_follows(open_page, own_hub):
    hub = own_hub
    page = open_page(viewport=PHONE)
    ada = hub.sign_in_browser(page.context, "owner", "Ada")
    other = hub.sign_in("owner", "Ada", device="other")
    assert hub.post("/api/v1/albums", ada, {"name": "Lena and Tom"})[0] == 201
    page.goto(f"{hub.url}/albums")
    page.wait_for_selector(".album-row:has-text('Lena and Tom')")
    page.route("**/api/v1/albums", lambda route: route.fulfill(status=503, json={}))
    hub.sign_in_browser(page.context, "owner", "Ben")  # in another tab
    device = hub.get("/api/v1/session", token=ada)[1]["device"]["id"]
    assert hub.delete(f"/api/v1/devices/{device}", other)[0] == 204
    wait_until(page, "!document.querySelector('.album-row')")


def test_a_host_shows_hides_and_takes_it_back_by_keys(open_page, hub):
    album = Album(hub, review=True)
    for number in range(3):
        album.send(number)
    page = album.open(open_page(viewport=DESKTOP), "/host")
    page.wait_for_selector(".host-views b:has-text('3')")
    first, second, third = (one["id"] for one in album.pictures("waiting"))
    page.keyboard.press("h")
    page.wait_for_selector(".review-undo:has-text('Hidden: by Ada.')")
    eventually(lambda: [one["id"] for one in album.pictures("hidden")] == [first])
    page.keyboard.press("u")
    eventually(lambda: [one["id"] for one in album.pictures("waiting")] == [first, second, third])
    page.wait_for_selector(".host-views b:has-text('3')")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")  # which is meant for nothing, and shows nobody a picture
    page.click(".host-views button:has-text('Waiting')")  # which gives its view the focus
    wait_until(page, "document.activeElement.matches('.review')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".review-undo:has-text('Shown: by Ada.')")
    page.wait_for_selector(".host-views b:has-text('2')")
    page.keyboard.press("h")
    eventually(lambda: [[one["id"] for one in album.pictures(state)] for state in ("hidden", "waiting")]
               == [[second], [third]])
    page.click(".host-views button:has-text('Hidden')")
    page.click(".hidden-list button:has-text('Remove')")
    page.wait_for_selector(".hidden-list li:has-text('gone for good on')")
    page.click("button:has-text('Restore')")
    eventually(lambda: album.pictures("removed") == [])
    page.click(".hidden-list button:has-text('Remove')")
    page.click(".hidden-list button:has-text('Delete for good')")
    page.click(".hidden-list li:has-text('nothing brings it back') button:has-text('Delete for good')")
    eventually(lambda: [album.pictures(state) for state in ("hidden", "removed")] == [[], []])


def test_a_new_link_ends_the_old_one_and_whoever_is_in_goes_on_by_it(open_page, hub):
    album = Album(hub)
    page = album.open(open_page(viewport=DESKTOP), "/host")
    guest = open_page(viewport=PHONE)
    guest.goto(f"{hub.url}/album#{album.secret}")
    guest.click(".join button")
    guest.wait_for_selector(".album-head:has-text('3 people')")
    page.click(".host-views button:has-text('Options')")
    page.click("button:has-text('New link')")
    page.click("button:has-text('Make a new one')")
    page.wait_for_selector("text=There is a new link.")
    secret = page.url.partition("#")[2]
    assert secret != album.secret and secret in page.get_attribute(".host-doors a:has-text('Print')", "href")
    page.reload()
    page.wait_for_selector(".host-head h1:has-text('Lena and Tom')")
    guest.goto(f"{hub.url}/album#{secret}")
    guest.wait_for_selector(".album-head:has-text('3 people')")
    assert guest.locator("button:has-text('other album')").count() == 0
    assert hub.post("/api/v1/albums/look", None, {"secret": album.secret})[0] == 404
    guest.goto("about:blank")
    guest.goto(f"{hub.url}/album#{album.secret}")  # as in a chat
    guest.wait_for_selector(".album-head:has-text('3 people')")
    assert guest.url.endswith(secret)


def test_storage_and_the_zip_are_told_before_they_start(open_page, hub):
    album = Album(hub)
    album.send_all(2)
    page = album.open(open_page(viewport=DESKTOP), "/host")
    page.wait_for_selector(".card:has-text('One zip of 2 files')")
    with page.expect_download() as download:
        page.click("a:has-text('Download all')")
    with zipfile.ZipFile(download.value.path()) as files:
        assert sorted(len(files.read(name)) for name in files.namelist()) == sorted(
            one["bytes"] for one in album.pictures())
    page.click("button:has-text('Choose')")
    page.wait_for_selector(".is-picking .cell.is-there")
    page.locator(".cell.is-there").first.click()
    page.wait_for_selector(".host-chosen:has-text('1 chosen')")
    with page.expect_download() as download:
        page.click("a:has-text('Download these')")
    with zipfile.ZipFile(download.value.path()) as files:
        assert len(files.namelist()) == 1
    page.click(".host-chosen button:has-text('Choose all 2')")
    page.wait_for_selector(".host-chosen:has-text('2 chosen')")
    assert page.locator("button:has-text('Choose all')").count() == 0


def test_on_a_phone_a_host_finds_the_zip_and_hides_what_is_chosen(open_page, hub):
    album = Album(hub)
    album.send_all(3)
    page = album.open(open_page(viewport=PHONE), "/host")
    page.wait_for_selector(".cell.is-there")
    assert not page.is_visible("text=Download all")
    page.click(".host-views button:has-text('Originals')")
    page.click("button:has-text('Choose')")
    for number in (0, 1):
        page.locator(".is-picking .cell.is-there").nth(number).click()
    page.wait_for_selector(".host-chosen:has-text('2 chosen')")
    page.click(".host-chosen button:has-text('Hide')")
    page.wait_for_selector(".host-chosen:has-text('2 hidden.')")
    eventually(lambda: len(album.pictures()) == 1)
    page.click(".host-chosen button:has-text('Undo')")
    eventually(lambda: len(album.pictures()) == 3)
    page.click(".host-chosen button:has-text('Done')")
    page.wait_for_selector(".host-chosen", state="detached")
    page.click(".host-views button:has-text('Originals')")
    page.set_viewport_size(DESKTOP)  # where the originals are beside the other views
    page.wait_for_selector(".host-main .cell.is-there")


def test_a_host_sees_a_file_that_cannot_be_shown_with_its_reason(open_page, hub):
    album = Album(hub)
    album.send_all(1)
    page = album.open(open_page(viewport=DESKTOP), "/host")
    page.wait_for_selector(".cell.is-there")
    album.ada.send(b"\xff\xd8\xff\xe0 this is no picture" * 40, filename="broken.jpg")
    page.click(".cell:has-text('broken.jpg')")
    page.wait_for_selector(".viewer-none:has-text('It is not a picture or video that can be read here.')")
    page.wait_for_selector(".host-views button:has-text('Shown 2')", state="attached")


def test_the_gallery_is_gone_through_by_keys(open_page, hub):
    album = Album(hub)
    album.send_all(5)
    page = album.open(open_page(viewport=DESKTOP, reduced_motion="reduce"), "/host")
    page.click(".host-views button:has-text('Shown')")
    wait_until(page, f"{SHOWN}.length === 5")
    assert page.evaluate("document.querySelectorAll('album-gallery [tabindex=\"0\"]').length") == 1
    newest = album.pictures()[-1]
    page.focus(".cells")
    page.keyboard.press("ArrowRight")
    active = "document.getElementById(document.querySelector('.cells').getAttribute('aria-activedescendant'))"
    assert page.evaluate(f"{active}.ariaPosInSet") == "2"
    assert page.evaluate(f"{active}.ariaSetSize") == "5"
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_selector(".pswp--open album-viewer-bar .viewer-who:has-text('Ada')")
    page.keyboard.press("h")
    eventually(lambda: album.pictures()[-1]["hearts"] == 1)
    page.wait_for_selector(".viewer-key.heart[aria-pressed=true]")
    slider = ".pswp [role=slider]:focus"
    assert page.get_attribute(slider, "aria-valuetext").startswith("1 of 5: Picture by Ada")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".viewer-key.heart[aria-pressed=false]")
    assert page.get_attribute(slider, "aria-valuetext").startswith("2 of 5: ")
    page.locator(".pswp__button--arrow--next").press("Enter")
    page.wait_for_selector(".pswp > [role=status]:has-text('3 of 5: ')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".pswp > [role=status]:has-text('2 of 5: ')")
    page.click(".viewer-key:has-text('Remove')")
    page.wait_for_selector(".viewer-ask button:focus:has-text('Keep it')")
    page.keyboard.press("Escape")
    page.wait_for_selector(".viewer-keys")
    page.click(".viewer-key:has-text('Remove')")
    page.click(".viewer-key:has-text('Take it out')")
    page.wait_for_selector(".pswp", state="detached")
    wait_until(page, "document.activeElement.matches('.cells[role=listbox]')")
    eventually(lambda: len(album.pictures()) == 4)
    wait_until(page, f"{SHOWN}.length === 4")
    page.click(".views button:has-text('Hearts')")
    wait_until(page, f"{SHOWN}.length === 1")
    assert newest["id"] in page.evaluate(f"{SHOWN}[0].querySelector('img').src")


def test_a_choice_that_was_not_saved_is_not_shown(open_page, hub):
    album = Album(hub)
    page = album.open(open_page(viewport=DESKTOP), "/host")
    page.click(".host-views button:has-text('Options')")
    page.route(f"**{album.path}", lambda route: route.abort() if route.request.method == "PATCH" else route.fallback())
    page.click("label:has(input[name=mode][value=family])")
    page.wait_for_selector(".host-options .note[role=alert]")
    assert page.is_checked("input[name=mode][value=open]")


def test_a_new_picture_says_so_and_does_not_move_what_one_reads(open_page, hub):
    album = Album(hub)
    album.send_all(14)
    page = album.open(open_page(viewport=SMALL), "/host")
    page.click(".host-views button:has-text('Shown')")
    wait_until(page, f"{SHOWN}.length > 3")
    page.evaluate("scrollTo(0, scrollY + document.querySelector('.gallery-box').getBoundingClientRect().top + 400)")
    middle = f"{SHOWN}.find((one) => one.getBoundingClientRect().top > 40 && one.getBoundingClientRect().top < 400)"
    wait_until(page, middle)
    before = page.evaluate(f"(window.read = {middle}, window.read.getBoundingClientRect().top)")
    album.send(77)
    page.wait_for_selector(".gallery-new button:has-text('1 new picture')")
    wait_until(page, f"Math.abs(window.read.getBoundingClientRect().top - {before}) <= 1")
    page.click(".gallery-new button")
    page.wait_for_selector(".cell[data-kind=new] .stamp:has-text('just now')")
    page.evaluate("scrollTo(0, scrollY + document.querySelector('.gallery-box').getBoundingClientRect().top + 600)")
    album.send(78)
    page.wait_for_selector(".gallery-new button:has-text('1 new picture')")
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_selector(".gallery-new button", state="hidden")


def test_in_german_on_a_phone_one_reads_how_the_pictures_are_sorted(open_page, hub):
    album = Album(hub)
    for number in range(12):
        album.send(number)
    album.ada = Guest(hub, album.made, join(hub, album.made, "Ben"))
    album.send(12)
    page = album.open(open_page(locale="de-DE"), "/host")
    page.click(".host-views button:has-text('Gezeigt')")
    page.wait_for_selector(".gallery-by:has-text('Von')")
    assert page.locator("select[name=order]").bounding_box()["width"] > 110, "wide enough for »Aufnahmezeit«"
    assert overflow(page) == 0


def test_the_wall_shows_a_new_picture_and_gives_it_a_place(open_page, hub):
    album = Album(hub)
    album.send_all(2)
    page = album.open(open_page(viewport=DESKTOP, reduced_motion="reduce"), "/wall")
    page.wait_for_selector(".wall-foot h1:has-text('Lena and Tom')")
    page.wait_for_selector(".wall .qr img")
    assert page.evaluate("getComputedStyle(document.body).cursor") == "none"
    wait_until(page, "document.querySelectorAll('.strip figure').length === 2")
    album.send(9)
    eventually(lambda: all("320" in one["sizes"] for one in album.pictures()))
    page.wait_for_selector(".arriving:has-text('just now')", timeout=30_000)
    newest = album.pictures()[-1]["id"]
    assert newest in page.evaluate("document.querySelector('.arriving img').src")
    page.wait_for_selector(f".strip img[src*='{newest}']", state="attached", timeout=30_000)
    assert hub.patch(album.path, album.host, {"closed": True})[0] == 200
    page.wait_for_selector(".wall .qr", state="detached")
    page.wait_for_selector(".wall-foot:has-text('This album is closed.')")
    other = open_page(viewport=DESKTOP)
    other.goto(f"{hub.url}/album/wall#{album.secret}")
    other.wait_for_selector(".wall-said:has-text('This album is closed.')")
    assert other.locator(".wall-code").count() == 0, "it leads to an album that lets nobody in"
    other.goto(f"{hub.url}/album/wall")
    other.wait_for_selector(".wall-said:has-text('No album has this address.')")
    assert hub.delete(album.path, album.host)[0] == 204
    page.wait_for_selector(".wall-said:has-text('No album has this address.')")
    wait_until(page, "!document.querySelector('.strip figure, .arriving')")


def test_on_a_tall_wall_a_long_name_covers_no_picture_and_the_code_is_for_the_room(open_page, hub):
    album = Album(hub)
    album.send_all(2)
    name = "Golden wedding of Annemarie and Karl-Heinz Müller-Lüdenscheidt"
    assert hub.patch(album.path, album.host, {"name": name})[0] == 200
    page = album.open(open_page(reduced_motion="reduce"), "/wall")
    page.wait_for_selector(".wall .qr img")
    for width, height in [(1080, 1920), (2160, 3840)]:
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, "document.querySelector('.arriving')?.getBoundingClientRect().bottom"
                         " < document.querySelector('.wall-foot h1').getBoundingClientRect().top")
        assert page.evaluate("document.querySelector('.wall .qr').offsetWidth / innerWidth") > 0.165
    # The sender's name ends in dots: in more lines it would push the picture up.
    wait_until(page, "getComputedStyle(document.querySelector('.arriving strong') ?? document.body)"
                     ".whiteSpace === 'nowrap'")


def test_the_card_is_printed_in_both_languages(open_page, hub):
    album = Album(hub)
    page = album.open(open_page(viewport=DESKTOP), "/card")
    page.wait_for_selector(".paper-code img")
    page.wait_for_selector(".paper h2:has-text('Lena and Tom')")
    said = page.locator(".paper-words").inner_text()
    assert "Your pictures, too" in said and "Deine Bilder auch" in said
    for mode, how in (("family", "a host will let you in"), ("open", "Scan, join, done")):
        album.change(mode=mode)
        page.reload()
        page.wait_for_selector(f".paper-words:has-text('{how}')")
    page.wait_for_selector(f".paper-address:has-text('{album.secret}')")
    page.click("button:has-text('Four cards')")
    wait_until(page, "document.querySelectorAll('.paper').length === 4")
    page.emulate_media(media="print")
    assert page.locator(".card-tools").is_hidden()
    page.locator(".paper h2").evaluate_all(
        "(all) => all.forEach((one) => { one.textContent = 'Golden wedding of Annemarie and Karl-Heinz'; })")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, "three lines of a name fit the sheet, too"


@pytest.mark.parametrize("where, there", [
    ("/host", ".host-views"), ("/wall", ".wall-foot h1"), ("/card", ".paper h2")])
def test_the_first_load_is_small(open_page, hub, where, there):
    album = Album(hub)
    page = open_page(viewport=DESKTOP)
    album.enter(page)
    session = page.context.new_cdp_session(page)
    sizes, asked = [], []
    session.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Network.setBypassServiceWorker", {"bypass": True})
    page.goto(f"{hub.url}/album{where}#{album.secret}", wait_until="commit")
    page.wait_for_selector(there)
    asked = [url for url in asked if not url.startswith("data:")]
    print(f"{where} usable after {sum(sizes)} bytes, {len(asked)} requests")
    assert sum(sizes) <= USABLE and len(asked) <= REQUESTS, asked


def test_axe_finds_nothing(open_page, hub):
    album = Album(hub, review=True)
    album.send(1)
    hub.patch(album.path, album.host, {"review": False})
    album.send(2)
    page = album.open(open_page(viewport=DESKTOP), "/host")
    for view, there in (("Waiting", ".review-one"), ("Shown", ".cell"), ("Hidden", ".host-hidden"),
                        ("People", ".host-people li"), ("Options", ".host-options form")):
        page.click(f".host-views button:has-text('{view}')")
        page.wait_for_selector(there)
        assert axe_in_both(page, **AXE) == [], view


LOOKS = {
    "de-DE": [(SMALL, "light"), (PHONE, "dark"), ({"width": 768, "height": 1024}, "light")],
    "en-GB": [({"width": 1024, "height": 768}, "dark"), (DESKTOP, "light")]}


def test_pages_fit_and_can_be_looked_at(open_page, hub):
    album = Album(hub)
    album.send_all(4)
    for locale, looks in LOOKS.items():
        page = album.open(open_page(locale=locale), "/host")
        page.wait_for_selector(".cell.is-there")
        for size, scheme in looks:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            beside = size["width"] >= 1152  # the originals are beside the pictures there
            for view in ("waiting", "shown", "hidden", *([] if beside else ["originals"]), "people", "options"):
                page.click(f".host-views [data-view={view}]")
                page.wait_for_selector(f".host-views [data-view={view}][aria-pressed=true]")
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= size["width"], f"{view}: {wide}"
                name = f"album-host-{view}-{size['width']}-{scheme}-{locale[:2]}.png"
                page.screenshot(path=PICTURES / name)
