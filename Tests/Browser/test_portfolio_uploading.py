"""A portfolio of one's own uploads, and a permission at Flickr, as somebody gives them on the page."""

import base64
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from flickr import KEY, SECRET, Flickr
from hub import eventually
from page import DESKTOP, PHONE, wait_until
from portfolio_page import paint

# Files that wait, as pages kept them in whose time the database went with the session. They note that they opened it.
OLDER = """([album, gallery, bytes]) => new Promise((resolve) => {
  const file = new Blob([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))]);
  localStorage.setItem('eightbells-mine-portfolio-uploads', '');
  const request = indexedDB.open('eightbells-mine-portfolio-uploads', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('items', { keyPath: 'id' });
    request.result.createObjectStore('parts');
  };
  request.onsuccess = () => {
    const kept = request.result.transaction(['items', 'parts'], 'readwrite');
    const about = { name: 'Older.jpg', type: 'image/jpeg', order: 1, size: file.size, partSize: file.size };
    kept.objectStore('items').put({ id: 'older', album, gallery, ...about });
    kept.objectStore('parts').put(file, ['older', 0]);
    kept.oncomplete = () => { request.result.close(); resolve(); };
  };
})"""
# Keeps a row of a file that waits; the ids of all that do.
WAITING = """(row) => new Promise((resolve) => {
  const request = indexedDB.open('eightbells-portfolio-uploads', 1);
  request.onsuccess = () => {
    const kept = request.result.transaction('items', 'readwrite').objectStore('items');
    if (row) kept.put(row);
    const ids = kept.getAllKeys();
    kept.transaction.oncomplete = () => { request.result.close(); resolve(ids.result); };
  };
})"""
AXE = {"runOnly": ["wcag2a", "wcag2aa"]}


@pytest.fixture
def files(tmp_path):
    """Two pictures, and a video of a second."""
    found = [tmp_path / "Harbour 1.jpg", tmp_path / "Harbour 2.jpg", tmp_path / "Waves.mp4"]
    for number, path in enumerate(found[:2]):
        paint(path, number)
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x360:rate=10:duration=1", "-c:v",
                    "libx264", "-pix_fmt", "yuv420p", found[2]], check=True, timeout=60)
    return found


def orders(page):
    """The last picture is put before the first by the keyboard, and to the end again by a mouse. The second one is the
    cover, which is the first on the wall alone."""
    page.click("[aria-label='Order of Harbour mornings']")
    panel = page.locator(".ordering-panel")
    names = panel.locator(".order-cell")
    panel.locator("text=Choose a picture").wait_for()
    first, last = names.nth(0).get_attribute("title"), names.nth(2).get_attribute("title")
    assert first == "Harbour 1" and Axe().run(page, options=AXE).response["violations"] == []
    names.nth(2).focus()
    page.keyboard.press("Enter")
    panel.locator(f"[role=status]:has-text('{last}, 3 of 3')").wait_for()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    panel.locator(f"li:first-child [title='{last}']:focus").wait_for()
    panel.locator(f"[role=status]:text-is('Moved: {last}, 1 of 3.')").wait_for()
    names.nth(0).drag_to(names.nth(2), target_position={"x": 8, "y": 30})
    panel.locator(f"li:nth-child(2) [title='{last}']").wait_for()
    names.nth(0).drag_to(names.nth(1), target_position={"x": 88, "y": 30})  # the cells are 96 pixels wide, or more
    panel.locator(f"li:nth-child(2) [title='{first}']").wait_for()
    names.nth(0).click()
    panel.locator("button:has-text('To the end')").click()
    panel.locator(f"li:last-child [title='{last}']").wait_for()
    panel.locator("[aria-label='Close']").click()


def test_pictures_and_a_video_are_uploaded_shown_and_taken_out(open_page, hub_with_space, files):
    hub = hub_with_space
    page = open_page(viewport=DESKTOP)
    hub.sign_in_browser(page.context, "owner")
    page.goto(f"{hub.url}/portfolio")
    page.click(".portfolio-none label:has-text('This device')")
    page.fill(".portfolio-none #portfolio-name", "My work")
    page.click(".portfolio-none .primary")
    panel = page.locator(".uploading-panel")
    panel.locator("h2:has-text('My work')").wait_for()
    page.fill("#uploading-new", "Harbour")
    page.click(".uploading-panel button:has-text('Make it')")
    panel.locator("input[aria-label='Name of Harbour']").wait_for()
    assert Axe().run(page, options=AXE).response["violations"] == []
    notes = files[0].with_name("notes.txt")
    notes.write_text("to be left out")
    page.locator(".uploading-panel input[type=file]").set_input_files([files[0], notes])
    panel.locator(".note:has-text('notes.txt is neither')").wait_for()
    panel.locator("strong >> text=1 file is on the hub.").wait_for()
    # What a page that was closed has left is sent by the next one.
    page.route("**/uploads**", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator(".uploading-panel input[type=file]").set_input_files(files[1:])
    panel.locator(".quiet >> text=No connection").wait_for()
    page.unroute("**/uploads**")
    page.reload()
    page.wait_for_selector(".gallery:has-text('Harbour') small:text-is('3')")

    page.click("button:has-text('Add pictures')")
    field = panel.locator("input[aria-label='Name of Harbour']")
    field.fill("Harbour mornings")
    field.press("Enter")
    page.wait_for_selector(".gallery-name:has-text('Harbour mornings')")
    owner = hub.sign_in("owner")
    made = hub.get("/api/v1/portfolios", token=owner)[1]["portfolios"][0]["id"]
    gallery = hub.get(f"/api/v1/portfolios/{made}", token=owner)[1]["galleries"][0]["id"]
    at = f"/api/v1/portfolios/{made}/galleries/{gallery}"
    second = hub.get(at, token=owner)[1]["pictures"][1]["id"]
    assert hub.patch(at, owner, {"cover": second})[0] == 200
    orders(page)
    page.click(".uploading-panel [aria-label='Close']")

    page.locator(".gallery .cell.is-there:not([hidden])").nth(0).click()
    page.wait_for_selector(".plate-count:has-text('of 3')")
    for _ in range(3):  # the video is one of them
        if page.is_visible(".stage-film"):
            break
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)
    wait_until(page, "document.querySelector('.stage-film').readyState >= 1")
    assert page.evaluate("document.querySelector('.stage-film').duration") > 0.5
    assert not page.is_visible(".stage-frame")
    sees_the_film_and_saves_an_original(open_page, hub, owner, files)
    page.click(".plate-keys [aria-label='Remove from this gallery']")
    page.click("button:has-text('Remove it')")
    page.wait_for_selector(".plate-count:has-text('of 2')")
    page.wait_for_selector(".stage-frame")
    page.click("[aria-label='Favourite']")
    page.click("[aria-label='Back to the wall']")
    page.locator(".gallery:has-text('Favourites') .cell.is-there").first.click()
    page.wait_for_selector(".plate-count:text-is('1 of 1')")
    assert page.locator("[aria-label='Remove from this gallery']").count() == 0, "the heart takes it out"


def sees_the_film_and_saves_an_original(open_page, hub, owner, files):
    """A client does."""
    portfolio = hub.get("/api/v1/portfolios", token=owner)[1]["portfolios"][0]
    galleries = hub.get(f"/api/v1/portfolios/{portfolio['id']}", token=owner)[1]["galleries"]
    wish = {"title": "All", "galleries": [galleries[0]["id"]], "download": "original"}
    sent = hub.post(f"/api/v1/portfolios/{portfolio['id']}/sent", owner, wish)[1]
    page = open_page(viewport=PHONE)
    page.goto(sent["link"] + "#/all")
    page.locator(".justified .thumb").nth(0).click()
    for _ in range(3):
        if page.locator(".pswp__item[aria-hidden=false] .film-start").count():
            break
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)
    assert Axe().run(page, options=AXE).response["violations"] == []
    page.click(".pswp__item[aria-hidden=false] [aria-label='Play the video']")
    wait_until(page, "document.querySelector('.pswp__item[aria-hidden=false] video').currentTime > 0")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)")
    page.route("**/original?*", lambda route: route.abort())
    page.click("[aria-label='Save the original']")
    page.wait_for_selector("text=It could not be fetched.")
    page.unroute("**/original?*")
    with page.expect_download() as download:
        page.click("[aria-label='Save the original']")
    assert not page.is_visible("text=It could not be fetched.")
    assert open(download.value.path(), "rb").read() in [path.read_bytes() for path in files[:2]]


def test_galleries_get_an_order_of_ones_own(open_page, hub_with_space):
    hub = hub_with_space
    page = open_page(viewport=PHONE)
    owner = hub.sign_in_browser(page.context, "owner")
    made = hub.post("/api/v1/portfolios", owner, {"source": "uploads:", "name": "Mine"})[1]
    for title in ("One", "Three", "Two"):
        hub.post(f"/api/v1/portfolios/{made['id']}/galleries", owner, {"title": title})
    page.goto(f"{hub.url}/portfolio")
    page.wait_for_selector(".gallery-name:has-text('Two')")
    page.click("[aria-label='Options: Mine']")
    # Twice in a row: what is pressed while the first change is under way counts too.
    page.wait_for_selector("[aria-label='Two further up']")
    page.eval_on_selector("[aria-label='Two further up']", "(key) => { key.click(); key.click(); }")
    wait_until(page, "document.querySelector('dialog[open] .list li').innerText.includes('Two')")
    page.wait_for_selector("dialog[open] [role=status]:has-text('Two, place 1 of 3')", state="attached")
    page.wait_for_selector("[aria-label='Two further up'][aria-disabled=true]")
    assert Axe().run(page, options=AXE).response["violations"] == []

    def galleries():
        return hub.get(f"/api/v1/portfolios/{made['id']}", token=owner)[1]["galleries"]

    assert [one["title"] for one in galleries()] == ["Two", "One", "Three"]
    wait_until(page, "document.querySelector('.gallery:not([hidden]) .gallery-name').textContent === 'Two'")
    page.eval_on_selector_all("dialog[open] .list [role=switch]", "(all) => all.forEach((one) => one.click())")
    eventually(lambda: all(one.get("hidden") for one in galleries()))
    page.context.set_offline(True)
    page.locator("dialog[open] .list [role=switch]").first.click()
    page.wait_for_selector("dialog[open] .note[role=alert]")
    assert not page.locator("dialog[open] .list [role=switch]").first.is_checked(), "the gallery is still hidden"


def test_strips_are_read_from_top_to_bottom_wherever_the_wall_is(open_page, hub_with_space):
    hub = hub_with_space
    page = open_page(viewport=PHONE)
    owner = hub.sign_in_browser(page.context, "owner")
    made = hub.post("/api/v1/portfolios", owner, {"source": "uploads:", "name": "Mine"})[1]
    for number in range(15):
        hub.post(f"/api/v1/portfolios/{made['id']}/galleries", owner, {"title": f"Gallery {number + 1:02}"})
    page.goto(f"{hub.url}/portfolio")
    page.wait_for_selector(".gallery-name:has-text('Gallery 03')")
    for y in (2_000, 700, 9_000, 0):
        page.evaluate(f"scrollTo(0, {y})")
        page.wait_for_timeout(200)
        names = page.locator(".gallery:not([hidden]) .gallery-name").all_inner_texts()
        assert len(names) > 2 and names == sorted(names)


def test_what_was_on_its_way_to_a_deleted_gallery_is_left_out_and_the_rest_goes_on(
        open_page, hub_with_space, files, tmp_path):
    hub = hub_with_space
    page = open_page(viewport=PHONE)
    owner = hub.sign_in_browser(page.context, "owner")
    made = hub.post("/api/v1/portfolios", owner, {"source": "uploads:", "name": "Mine"})[1]
    for title in ("Boats", "Coast"):
        hub.post(f"/api/v1/portfolios/{made['id']}/galleries", owner, {"title": title})
    page.goto(f"{hub.url}/portfolio")
    page.click("button:has-text('Add pictures')")
    panel = page.locator(".uploading-panel")
    panel.locator("[aria-label='Delete Boats']").wait_for()
    # At once: the panel is where it is going to be once all of it is there.
    boxes = panel.evaluate("""(panel) => ['Into', 'Delete'].map((name) =>
      panel.querySelector(`[aria-label='${name} Boats']`).getBoundingClientRect().toJSON())""")
    assert abs(boxes[0]["y"] + boxes[0]["height"] / 2 - boxes[1]["y"] - boxes[1]["height"] / 2) < 8, "in one line"
    assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector("
                         "'.uploading-panel'))")
    page.route("**/uploads**", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator(".uploading-panel input[type=file]").set_input_files(files[:2])
    panel.locator(".quiet >> text=No connection").wait_for()
    page.click("[aria-label='Delete Boats']")
    panel.locator("text=Delete Boats? 2 files are still on the way there and will not arrive.").wait_for()
    page.click("button:has-text('Delete it')")
    panel.locator("[aria-label='Into Coast']").check()
    empty = tmp_path / "Empty.jpg"
    empty.write_bytes(b"")
    page.unroute("**/uploads**")
    page.locator(".uploading-panel input[type=file]").set_input_files([files[2], empty])
    panel.locator("strong >> text=1 file is on the hub.").wait_for()
    assert panel.locator(".note[data-kind=bad]").count() == 0
    assert panel.locator(".upload-progress .list li").count() == 1, "nothing is refused for a gallery that is gone"
    assert panel.locator("text=This file is empty").count() == 1
    panel.locator("button:has-text('Leave it out')").click()
    wait_until(page, "document.querySelectorAll('.upload-progress .list li').length === 0")
    page.wait_for_selector(".gallery:has-text('Coast') small:text-is('1')")
    galleries = hub.get(f"/api/v1/portfolios/{made['id']}", token=owner)[1]["galleries"]
    assert [one["title"] for one in galleries] == ["Coast"]


def test_what_was_on_its_way_when_the_session_ended_is_sent_after_the_next_sign_in(open_page, hub_with_space, files):
    hub = hub_with_space
    page = open_page(viewport=PHONE)
    owner = hub.sign_in_browser(page.context, "owner", "Ada")
    other = hub.sign_in("owner", "Ada", device="other")
    made = hub.post("/api/v1/portfolios", owner, {"source": "uploads:", "name": "Mine"})[1]
    gallery = hub.post(f"/api/v1/portfolios/{made['id']}/galleries", owner, {"title": "Boats"})[1]
    page.goto(f"{hub.url}/portfolio")
    page.click("button:has-text('Add pictures')")
    page.route("**/uploads**", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator(".uploading-panel input[type=file]").set_input_files(files[:2])
    page.wait_for_selector(".uploading-panel >> text=No connection")
    device = hub.get("/api/v1/session", token=owner)[1]["device"]["id"]
    assert hub.delete(f"/api/v1/devices/{device}", other)[0] == 204
    page.wait_for_selector("text=Portfolios are for members.")
    wait_until(page, "!document.querySelector('.gallery, dialog[open]')")
    page.unroute("**/uploads**")
    hub.sign_in_browser(page.context, "owner", "Ben")
    page.goto(f"{hub.url}/portfolio")
    page.wait_for_selector(".portfolio-none")
    hub.sign_in_browser(page.context, "owner", "Ada")
    page.goto(f"{hub.url}/portfolio")
    page.wait_for_selector(".gallery:has-text('Boats') small:text-is('2')")
    third = files[0].with_name("Third.jpg")
    paint(third, 2)
    page.evaluate(OLDER, [made["id"], gallery["id"], base64.b64encode(third.read_bytes()).decode()])
    for id, chosen in (("old", 1), ("new", 4e12)):  # of a member who does not come back
        page.evaluate(WAITING, {"id": id, "person": "0", "album": "theirs", "order": chosen})
    page.reload()
    page.wait_for_selector(".gallery:has-text('Boats') small:text-is('3')")
    eventually(lambda: "old" not in page.evaluate(WAITING))
    assert "new" in page.evaluate(WAITING)


def test_flickr_is_allowed_on_the_page_and_a_contact_is_chosen(open_page, make_hub, tmp_path):
    with Flickr() as flickr:
        (tmp_path / "secret").write_text(f"{SECRET}\n")
        hub = make_hub(options=["--flickr-key", KEY, "--flickr-secret-file", str(tmp_path / "secret"),
                                "--flickr-base", flickr.base])
        hub.configure()
        flickr.visitor = ada = flickr.person("ada")
        flickr.set(ada, "Lofoten", 2)
        ada.collections = [("Travel", [ada.sets[0]])]
        ben = flickr.person("ben")
        flickr.set(ben, "Boats", 1)
        ada.contacts.append(ben.id)
        page = open_page(viewport=PHONE)
        hub.sign_in_browser(page.context, "owner")
        page.goto(f"{hub.url}/portfolio")
        page.click(".portfolio-none label:has-text('Flickr')")
        page.click(".portfolio-none button:has-text('Allow it at Flickr')")
        page.wait_for_selector(".contacts-panel[open] >> text=Ada is added")
        assert page.url == f"{hub.url}/portfolio", "the verifier stands in no address any more"
        page.wait_for_selector("button[aria-label='Add ben']")
        assert Axe().run(page, options=AXE).response["violations"] == []
        page.click("button[aria-label='Add ben']")
        page.wait_for_selector(".contacts-panel small:has-text('added')")
        page.click(".contacts-panel [aria-label='Close']")
        page.wait_for_selector(".gallery:has-text('Lofoten') .gallery-group:has-text('Travel')")
        page.wait_for_selector(".gallery:has-text('Boats') .cell.is-there")
