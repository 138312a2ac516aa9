"""The parts shared by all pages, in a real browser: navigation, colour, hints on the device, and missing pages."""

import json
import re

import pytest

from hub import eventually
from local_server import LocalServer, QuietHandler
from page import DESKTOP, PHONE, SMALL, launch, pages, wait_kept, wait_live, wait_until

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.5 Mobile/15E148 Safari/604.1")
# Widths of windows, and those of the navigation beside the page.
RAILS = [(768, 88), (1024, 88), (1199, 88), (1200, 256), (1280, 256)]


@pytest.fixture
def demo_hub(shared_demo_hub):
    return shared_demo_hub.running()


@pytest.fixture
def visit(browser, demo_hub):
    """Opens a page as somebody: visit(path, role=…, viewport=…, locale=…, color_scheme=…)."""
    with pages(browser) as open_page:
        def visit(path="/", role=None, hub=demo_hub, base=None, before=None, **options):
            page = open_page(**options)
            if before:
                page.add_init_script(before)
            if role:
                hub.sign_in_browser(page.context, role)
            page.goto((base or hub.url) + path)
            page.wait_for_selector("hub-navigation a", state="attached")
            return page

        yield visit


def names(page):
    return texts(page, ".nav .nav-short")


def texts(page, selector):
    return page.eval_on_selector_all(selector, "all => all.map((one) => one.innerText.trim())")


def test_a_page_has_one_connection_for_itself_and_for_what_rings_elsewhere(visit, demo_hub):
    page = visit("/me", "owner")
    page.wait_for_load_state("networkidle")  # its own connection is there
    opened = []
    page.on("websocket", lambda socket: opened.append(socket.url))
    found = {}
    for path in ("/", "/programme", "/bells", "/clock", "/anchor", "/anchor/arm", "/albums", "/portfolio", "/apps",
                 "/me"):
        opened.clear()
        page.goto(demo_hub.url + path, wait_until="networkidle")
        found[path] = len(opened)
    assert found == dict.fromkeys(found, 1)


# Navigation


@pytest.mark.parametrize("role, expected", [
    ("member", ["Space", "Programme", "Bells", "Clock", "Anchor", "Albums", "Portfolio", "More", "Search", "Me"]),
    ("owner", ["Space", "Programme", "Bells", "Clock", "Anchor", "Albums", "Portfolio", "Apps", "More", "Search", "Me",
               "People", "Settings"])])
def test_everyone_is_shown_the_way_to_what_is_theirs(visit, role, expected):
    page = visit("/", role)
    wait_until(page, f"document.querySelectorAll('.nav .nav-link').length === {len(expected)}")
    assert names(page) == expected


def test_who_is_outside_sees_no_rooms_but_the_way_in(visit, demo_hub):
    page = visit()
    for path in ("/", "/programme", "/nowhere", "/me"):
        page.goto(demo_hub.url + path)
        page.wait_for_selector(".outside-head a[href='/join']")
        assert page.locator(".nav").count() == 0
        wait_until(page, "document.querySelector('.outside-head .brand').textContent.includes('Hackerspace Nordlicht')")
        page.wait_for_selector("hub-foot footer:visible")


def test_the_navigation_speaks_german(visit):
    page = visit("/", "owner", locale="de-DE")
    page.wait_for_selector(".nav a[href='/people']", state="attached")
    assert names(page) == [
        "Space", "Programm", "Glocken", "Uhr", "Anker", "Alben", "Portfolio", "Apps", "Mehr", "Suchen", "Ich", "Leute",
        "Einstel\u00adlungen"]


def test_the_page_one_is_on_is_marked(visit):
    page = visit("/settings/place", "owner")
    page.wait_for_selector(".nav [aria-current]")
    assert texts(page, ".nav [aria-current='page'] .nav-short") == ["Settings"]
    page.locator(".nav .nav-link", has_text="Space").click()
    page.wait_for_url("**/")
    page.wait_for_selector(".nav a[aria-current='page']:has-text('Space')")


def test_on_a_phone_it_stands_at_the_bottom_and_hides_nothing(visit):
    page = visit("/", "owner")
    wait_live(page)
    box = page.locator(".nav").bounding_box()
    assert box["y"] + box["height"] == pytest.approx(PHONE["height"], abs=1)
    assert box["height"] == pytest.approx(61, abs=1)
    # The page may still grow while scrolling.
    wait_until(page, """(scrollTo(0, document.documentElement.scrollHeight),
      document.querySelector('main').getBoundingClientRect().bottom
        <= document.querySelector('.nav').getBoundingClientRect().top + 1)""")
    page.set_viewport_size({"width": 320, "height": 225})  # a desktop's page at 400 %: it stands behind the content
    page.evaluate("scrollTo(0, 0)")
    assert page.locator(".nav").bounding_box()["y"] > 225


def test_where_there_is_room_it_is_a_rail_beside_the_page(visit, shared_hub):
    shared_hub.configure(name="Hackerspace Nordlicht an der Unterweser, Verein für alles Mögliche e. V.")
    page = visit("/", "owner", shared_hub, viewport={"width": 768, "height": 800})
    for path, width, rail in ((path, *one) for path in ("/", "/programme", "/people") for one in RAILS):
        if width == 768:
            page.goto(shared_hub.url + path)
            page.wait_for_selector(".nav a[href='/people']")
        page.set_viewport_size({"width": width, "height": 800})
        box = page.locator(".nav").bounding_box()
        assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, rail, 800), width
        assert page.locator("main").bounding_box()["x"] >= rail
        brand, first = (page.locator(one).bounding_box() for one in (".nav .brand", ".nav .nav-link >> nth=0"))
        assert brand["y"] + brand["height"] <= first["y"] + 1, "a long name pushes the rooms down, and covers none"
        assert page.locator(".nav-name >> nth=0").is_visible() == (rail == 256)


def test_an_owner_sees_all_of_the_rail_on_a_tablet_and_on_a_laptop(visit):
    page = visit("/portfolio", "owner", viewport=DESKTOP, locale="de-DE")
    for width, height in [(1024, 768), (1280, 800), (1366, 650)]:
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator(".nav a[href='/settings']").bounding_box()
        assert box["y"] + box["height"] <= height


def many_rooms(page):
    page.wait_for_selector("#ring-samples button")
    page.locator("#many-rooms").click()


def test_more_rooms_than_a_phone_has_place_for_are_behind_more(visit):
    page = visit("/styleguide", "owner")
    many_rooms(page)
    shown = ".nav .nav-link:visible .nav-short"
    assert [one.inner_text() for one in page.locator(shown).all()] == ["Space", "Programme", "Bells", "Clock", "More"]
    assert page.locator(".nav-more .lamp[data-state=bad]").is_visible(), "one behind it rings"
    page.locator(".nav-more button").click()
    assert [one.inner_text() for one in page.locator("#more .door strong").all()] == [
        "Apps", "Anchor watch", "Albums", "Portfolio"], "what rings comes first"
    page.keyboard.press("Escape")
    page.wait_for_selector("#more", state="hidden")
    page.locator(".nav-more button").click()
    page.mouse.click(200, 60)
    assert not page.locator("#more").is_visible(), "a tap beside it closes it"
    page.set_viewport_size({"width": 768, "height": 900})
    assert page.locator(".nav .nav-link:visible").count() == 11


# The place of alarms


def sample(page, name):
    page.wait_for_selector("#ring-samples button")
    page.locator("#ring-samples button", has_text=name).click()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_what_rings_moves_the_page_down_and_takes_no_focus(visit, size):
    page = visit("/styleguide", "owner", viewport=size)
    page.wait_for_selector("#ring-samples button")
    before = page.locator("h1").bounding_box()["y"]
    page.locator("#try-color").focus()
    page.evaluate("document.querySelector('#ring-samples button').click()")
    page.wait_for_selector(".ringing")
    wait_until(page, f"document.querySelector('h1').getBoundingClientRect().top > {before} + 100")
    assert page.evaluate("document.activeElement.id") == "try-color", "whoever types answers nothing"
    page.keyboard.press("Escape")
    page.mouse.click(size["width"] / 2, size["height"] - 120)
    assert page.locator(".ring[data-level=alarm]").is_visible(), "it goes by its answer alone"
    board = page.locator(".ringing").bounding_box()
    assert board["y"] == 0 and board["height"] <= 230
    page.evaluate("scrollTo(0, 600)")
    assert page.locator(".ringing").bounding_box()["y"] == 0, "it stays while one scrolls"
    # A long word, as in German, leaves the time its room.
    page.evaluate("document.querySelector('.ring-word span').textContent = 'Wassertiefe außerhalb der Grenzen'")
    since, take = (page.locator(one).bounding_box() for one in (".ring-since", ".ring .take"))
    assert since["x"] + since["width"] <= take["x"] or since["y"] + since["height"] <= take["y"]
    page.keyboard.press("Alt+Shift+N")
    assert page.evaluate("document.activeElement.textContent").startswith("I’m on it")
    assert page.locator(".ring[data-level=alarm]").is_visible(), "the keys lead to the answer, and do not give it"
    page.keyboard.press("Enter")
    page.wait_for_selector(".ring[data-level=answered]")


def test_a_status_that_comes_with_its_text_is_read_aloud_once_also_over_a_dialog(visit):
    page = visit("/me", "owner")
    said = page.locator("body > [aria-live=polite]")
    said.wait_for(state="attached")
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<div id=probe></div>')")
    put = "(text) => { document.getElementById('probe').innerHTML = `<p role=status>${text}</p>`; }"
    page.evaluate(put, "Taken")
    said.filter(has_text="Taken.").wait_for()
    assert page.locator("#probe > p").get_attribute("aria-live") == "off", "heard twice"
    said.evaluate("(one) => { one.textContent = ''; }")
    page.evaluate(put, "Taken")  # drawn anew
    page.wait_for_timeout(1_000)
    assert said.inner_text() == ""
    page.evaluate("document.querySelector('#probe > p').textContent = 'Sent'")
    said.filter(has_text="Sent.").wait_for()
    page.evaluate("""() => {
      document.getElementById('probe').innerHTML = '<dialog><div></div></dialog>';
      document.querySelector('#probe dialog').showModal();
      document.querySelector('#probe dialog > div').innerHTML = '<p role=status>Within</p>';
    }""")
    page.wait_for_selector("#probe dialog > [aria-live=polite]:has-text('Within.')")


def test_two_alarms_stand_above_each_other_and_calls_wait(visit):
    page = visit("/styleguide", "owner")
    sample(page, "Two alarms")
    page.wait_for_selector(".ring[data-slim]")
    assert page.locator(".ring").count() == 2 and page.locator(".ring[data-level=call]").count() == 0
    said = page.locator("hub-ringing > [aria-live=assertive]")
    said.filter(has_text="drags").filter(has_text="nothing heard").wait_for()
    assert "a call" not in said.inner_text().lower()
    sample(page, "A call")
    page.wait_for_selector(".ring[data-level=call]")
    page.wait_for_selector("hub-ringing > [aria-live=polite]:has-text('A call')")
    sample(page, "None")
    page.wait_for_selector(".ringing", state="detached")


def test_an_alarm_whose_code_could_not_be_loaded_is_shown_as_soon_as_it_can(visit):
    # As over plain HTTP: nothing is stored on the device.
    page = visit("/styleguide", "owner", before="delete Navigator.prototype.serviceWorker")
    page.route("**/ringing.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        sample(page, "Two alarms")
    page.unroute("**/ringing.js")
    page.wait_for_selector(".ring")  # nothing else happens


def test_every_name_fits_on_a_small_phone(visit):
    page = visit("/", "owner", viewport=SMALL, locale="de-DE")
    page.wait_for_selector(".nav a[href='/people']", state="attached")
    wide = page.eval_on_selector_all(
        ".nav a", "all => all.filter((a) => a.scrollWidth > a.clientWidth + 1).length")
    assert wide == 0, "a name does not fit"


def test_the_skip_link_leads_to_the_content(visit):
    page = visit("/settings/place", "owner", viewport=DESKTOP)
    page.wait_for_selector("hub-place-settings form")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "MAIN"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.settings-index') !== null"), "its list stands first"


# Colour


def contrast(page, one, other):
    return page.evaluate(f"import('/accent.js').then(({{ $accent: {{ contrast }} }}) => contrast('{one}', '{other}'))")


def test_the_spaces_own_colour_can_be_read(visit, shared_hub):
    shared_hub.configure(color="#ffee00")
    page = visit("/nowhere", hub=shared_hub)
    for scheme, paper in [("light", "#f4f1ea"), ("dark", "#0b1722")]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        wait_until(page, f"document.documentElement.style.getPropertyValue('--accent-{scheme}') !== ''")
        shown = page.evaluate(f"document.documentElement.style.getPropertyValue('--accent-{scheme}')")
        assert contrast(page, shown, paper) >= 4.5
        rgb = page.evaluate("getComputedStyle(document.querySelector('.button.primary')).backgroundColor")
        assert "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", rgb)[:3]) == shown


def test_a_new_colour_comes_to_pages_that_are_open(visit, shared_hub):
    page = visit("/", hub=shared_hub)
    wait_live(page)
    shared_hub.configure(color="#0a6b34")
    wait_until(page, "document.documentElement.style.getPropertyValue('--accent-light') === '#0a6b34'")


# The manifest


def test_chromium_finds_nothing_wrong_with_the_manifest(visit):
    page = visit("/")
    wait_kept(page)
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == [] and json.loads(found["data"])["name"] == "Hackerspace Nordlicht"
    assert [one["errorId"] for one in session.send("Page.getInstallabilityErrors")["installabilityErrors"]
            if one["errorId"] not in ("in-incognito",)] == []


# Hints about the device


def hint(page):
    page.wait_for_selector("hub-hints", state="attached")
    return page.locator("hub-hints details")


def test_over_plain_http_the_page_says_what_does_not_work_and_how_to_get_https(browser, demo_hub, visit):
    base = f"http://hub.example:{demo_hub.port}"
    with_name = launch(browser.browser_type, "--host-resolver-rules=MAP hub.example 127.0.0.1")
    stranger = with_name.new_page(locale="en-GB", viewport=PHONE)
    stranger.goto(base)
    stranger.wait_for_selector("space-way h2")
    assert hint(stranger).count() == 0, "they cannot mend it"
    page = with_name.new_page(locale="en-GB", viewport=PHONE)
    page.goto(f"{base}/join#{demo_hub.link('owner', 'Ada')[0]}")
    page.click("button.primary")
    page.wait_for_selector("h1:has-text('Welcome aboard')")
    page.goto(base)
    hint(page).wait_for()
    assert hint(page).get_attribute("data-kind") == "insecure"
    assert hint(page).get_attribute("open") is None
    page.locator("hub-hints summary").click()
    text = hint(page).inner_text()
    for word in ("passkey", "without a network", "home screen", "Caddy", "/docs/https"):
        assert word in text
    page.locator("hub-hints button", has_text="Not now").click()
    hint(page).wait_for(state="detached")
    page.reload()
    page.wait_for_selector("hub-navigation a", state="attached")
    page.wait_for_timeout(500)
    assert hint(page).count() == 0, "it stays away"
    with_name.close()


def test_an_iphone_is_shown_the_way_to_the_home_screen(visit):
    page = visit("/", user_agent=IPHONE)
    page.locator("hub-hints summary").click()
    assert "Add to Home Screen" in hint(page).inner_text()
    assert "Hackerspace Nordlicht" in page.locator("hub-hints summary").inner_text()


def test_who_may_install_is_offered_a_button(visit):
    page = visit("/")
    wait_live(page)
    page.evaluate("""async () => {
      await customElements.whenDefined('hub-hints');
      const event = new Event('beforeinstallprompt', { cancelable: true });
      event.prompt = async () => { window.prompted = true; };
      event.userChoice = Promise.resolve({ outcome: 'accepted' });
      dispatchEvent(event);
    }""")
    page.locator("hub-hints summary").click()
    page.locator("hub-hints button", has_text="Install").click()
    hint(page).wait_for(state="detached")
    assert page.evaluate("window.prompted") is True


def test_on_this_machine_and_without_an_offer_nothing_is_said(visit):
    page = visit("/")
    wait_kept(page)
    assert hint(page).count() == 0


# Missing pages


def test_a_browser_is_told_in_a_page_that_there_is_nothing(visit, demo_hub):
    fields = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer = demo_hub.request("GET", "/nowhere/at/all", fields)
    assert answer.status == 404 and answer.headers["Content-Type"].startswith("text/html")
    assert "Content-Security-Policy" in answer.headers and "ETag" not in answer.headers
    for accept, path in (("*/*", "/nowhere"), ("application/json", "/nowhere"), ("text/html", "/api/v1/nowhere")):
        answer = demo_hub.request("GET", path, {"Accept": accept})
        assert (answer.status, answer.json["code"]) == (404, 40401)
    assert demo_hub.request("POST", "/nowhere/at/all", fields).json["code"] == 40401
    assert demo_hub.request("HEAD", "/nowhere", fields).status == 404
    page = visit("/nowhere", locale="de-DE")
    assert page.locator("h1:visible").all_inner_texts() == ["Hier ist nichts"]
    page.locator("main a.button:visible").click()
    page.wait_for_url("**/")


def test_a_slash_too_many_leads_to_the_page(visit, demo_hub):
    assert visit("/programme/").url == demo_hub.url + "/programme"
    fields = {"Accept": "text/html"}
    answer = demo_hub.request("GET", "/programme/?day=1", fields)
    assert (answer.status, answer.headers["Location"]) == (308, "/programme?day=1")
    # Another server's address is none of ours.
    for path in ("//example.org/", "/programme//", "/\\example.org/"):
        assert demo_hub.request("GET", path, fields).status in (400, 404), path
    assert demo_hub.request("GET", "/programme/", {"Accept": "*/*"}).status == 404


def test_the_page_for_what_is_not_there_can_be_read_without_a_script(browser, demo_hub):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    assert page.goto(demo_hub.url + "/nowhere").status == 404
    assert page.locator("h1:visible").all_inner_texts() == ["There is nothing here", "Hier ist nichts"]
    context.close()


def test_without_a_network_every_page_of_the_shell_opens_and_others_say_why_not(visit, demo_hub):
    page = visit("/", "owner")
    wait_kept(page)
    named = "document.querySelector('.nav .brand')?.textContent.includes('Hackerspace Nordlicht')"
    wait_until(page, named)
    demo_hub.kill()
    for path, heading in (("/", "Closed"), ("/settings/place", "Name and place"), ("/settings/programme", "Programme"),
                          ("/settings/nowhere", "Not without the hub"), ("/nowhere", "Not without the hub")):
        page.goto(demo_hub.url + path)
        page.wait_for_selector(f"h1:visible:has-text('{heading}')" if path != "/" else ".sign-word")
        page.wait_for_selector(".nav .nav-link >> nth=1")  # after the sign, on a busy machine a moment later
    asked = []

    class Before(QuietHandler):
        """A web server that answers for a hub that starts."""

        def do_GET(self):
            self.reply(404, b"404 page not found\n")

        def do_HEAD(self):
            self.reply(404)
            asked.append(self.path)

    with LocalServer(Before, port=demo_hub.port):
        page.evaluate("dispatchEvent(new Event('online'))")
        eventually(lambda: "/sw.js" in asked, 10, what="a look whether the hub is back")
        page.wait_for_timeout(500)
        assert page.locator("h1:visible:has-text('Not without the hub')").count() == 1
    page.goto(demo_hub.url + "/")
    page.wait_for_selector("hub-navigation a", state="attached")
    wait_until(page, named)


def test_the_style_guide_is_for_the_demonstration(hub_with_space, demo_hub):
    for path in ("/styleguide", "/styleguide/styleguide.js"):
        assert hub_with_space.request("GET", path).status == 404
        assert demo_hub.request("GET", path).status == 200
