"""The settings on an owner's phone, a page for the place and one for each room, with errors beside their fields."""

import re

import pytest
from playwright.sync_api import expect

from hub import SETTINGS
from page import DESKTOP, pages, wait_until
from png import png

CALENDAR = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n"
            "DTSTART:20301120T180000Z\r\nSUMMARY:Soldering\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")


@pytest.fixture
def owner(browser, make_hub):
    """An owner's phone: owner(hub, path) returns the page."""
    with pages(browser) as open_page:
        def visit(hub, path="/settings/place", role="owner", **options):
            page = open_page(**options)
            if role:
                hub.sign_in_browser(page.context, role)
            page.goto(hub.url + path)
            return page

        yield visit


PAGES = {"/settings/place": "Name and place", "/settings/space": "Space", "/settings/programme": "Programme"}


def kept(hub):
    return hub.get(SETTINGS, token=hub.owner_token)[1]


def save(page):
    page.locator(".save-bar button").click()
    page.wait_for_url(lambda url: url.endswith("/") or url.endswith("/#/"))


def test_a_name_is_enough_to_begin_with(owner, hub):
    page = owner(hub)
    page.get_by_label("Name", exact=True).fill("Hackerspace Nordlicht")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/")
    page.wait_for_selector(".sign-name:has-text('Hackerspace Nordlicht')")
    known = kept(hub)
    assert (known["name"], known["timezone"], known["lat"], known["url"]) == (
        "Hackerspace Nordlicht", "Europe/Berlin", None, None)


def test_without_a_name_the_field_says_so_and_has_the_focus(owner, hub):
    page = owner(hub, locale="de-DE")
    page.get_by_role("button", name="Anfangen").click()
    page.wait_for_selector("#field-name[aria-invalid='true']")
    wait_until(page, "document.activeElement.id === 'field-name'")
    assert page.locator("#field-name-error").inner_text().endswith("Der Name fehlt noch.")
    assert "field-name-error" in page.locator("#field-name").get_attribute("aria-describedby")
    assert hub.get(SETTINGS, token=hub.owner_token)[0] == 404


def test_what_has_the_focus_is_not_behind_the_button_that_saves(owner, hub_with_space):
    page = owner(hub_with_space, viewport=DESKTOP)
    page.locator("#field-name").focus()
    passed = 0
    while not page.evaluate("document.querySelector('.save-bar').contains(document.activeElement)"):
        assert page.evaluate("""document.activeElement.getBoundingClientRect().bottom
          <= document.querySelector('.save-bar').getBoundingClientRect().top""")
        page.keyboard.press("Tab")
        passed += 1
    assert passed > 8


def test_everything_can_be_changed(owner, hub_with_space):
    hub = hub_with_space
    before = kept(hub)
    page = owner(hub, viewport=DESKTOP)
    page.get_by_label("Name", exact=True).first.fill("Another name")
    page.locator("#field-address").fill("Street 1\n28195 Bremen")
    page.locator("#field-map-link").fill("https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=18/52/13")
    page.locator("#field-timezone").select_option("Europe/Lisbon")
    save(page)
    known = kept(hub)
    place = ("name", "address", "lat", "lon", "timezone")
    assert [known[one] for one in place] == ["Another name", "Street 1\n28195 Bremen", 52.5, 13.4, "Europe/Lisbon"]
    assert known == before | {one: known[one] for one in place}, "what the page does not show stays"

    page.goto(hub.url + "/settings/space")
    page.locator("#field-url").fill("another.example")
    page.locator("#field-color").evaluate(
        "(input) => { input.value = '#4a3fa3'; input.dispatchEvent(new Event('input', { bubbles: true })); }")
    page.locator("#field-contact-email").fill("")
    page.locator("#field-contact-matrix").fill("#another:example.org")
    page.locator("#field-opening_hours").fill("")
    page.locator(".card summary", has_text="Put it together").click()
    for day in ("Mo", "Tu", "We"):
        page.locator(f".days input[value='{day}']").check()
    page.locator(".times button").click()
    save(page)
    page.goto(hub.url + "/settings/programme")
    page.get_by_role("button", name="By its address").click()
    page.locator("[id$='-address']").last.fill("webcal://calendar.example/a.ics")
    page.locator(".calendar [id$='-name']").fill("Programme")
    assert page.locator("#field-tonight_at").input_value() == "16:00"
    page.locator("#field-tonight_at").fill("18:30")
    page.locator("#field-news_at").fill("")
    save(page)
    known = kept(hub)
    assert (known["name"], known["url"], known["color"]) == ("Another name", "https://another.example", "#4a3fa3")
    assert known["contact"] == {"matrix": "#another:example.org"}
    assert known["opening_hours"] == "Mo-We 18:00-23:00"
    assert known["calendars"] == [{"kind": "ics", "url": "https://calendar.example/a.ics", "name": "Programme"}]
    assert (known["tonight_at"], known["news_at"]) == ("18:30", "off")
    assert known["logo"] == "https://space.example/logo.svg", "what the form does not show stays"


def test_what_a_page_is_for_stands_on_it_alone_and_in_its_title(owner, hub_with_space):
    fields = {"/settings/place": "#field-name, #field-timezone, #field-privacy",
              "/settings/space": "#field-color, #field-url, #field-contact-email, #field-opening_hours, #field-follow",
              "/settings/programme": "#add-calendar"}
    page = owner(hub_with_space)
    for path, name in PAGES.items():
        page.goto(hub_with_space.url + path)
        page.wait_for_selector(fields[path].split(",")[0])
        page.wait_for_selector(".settings-index [aria-current]", state="attached")
        assert page.locator("h1").inner_text() == name
        assert page.title() == f"{name} · Settings · Eightbells"
        for other, selector in fields.items():
            expect(page.locator(selector)).to_have_count(selector.count("#") if other == path else 0)
        assert page.eval_on_selector_all(".settings-index [aria-current]", "all => all.map((one) => one.pathname)"
                                         ) == [path]
    german = owner(hub_with_space, "/settings/programme", locale="de-DE")
    german.wait_for_selector("#add-calendar")
    assert german.title() == "Programm · Einstellungen · Eightbells"
    assert german.locator("h1").inner_text() == "Programm"
    # Programs that show a preview read the head only; a room without a part of the form has no page there.
    site = kept(hub_with_space)["name"]
    for path, language, title in (("/settings/space", "en", "Space · Settings"),
                                  ("/settings/programme", "en", "Programme · Settings"),
                                  ("/settings/programme", "de-AT, en", "Programm · Einstellungen"),
                                  ("/people/1", "de", "Leute")):
        answer = hub_with_space.request("GET", path, {"Accept-Language": language})
        head = answer.body.decode().partition("</head>")[0]
        assert f"<title>{title} · {site}</title>" in head and f'"og:title" content="{title}"' in head
        assert "Accept-Language" in answer.headers.get_all("Vary")
    assert hub_with_space.request("GET", "/settings/nowhere").status == 404


def test_saving_without_a_change_changes_nothing(owner, hub):
    contact = {"email": "a@space.example", "ml": "list@space.example",
               "keymasters": [{"name": "Ada", "irc_nick": "ada", "phone": "1", "email": "a@space.example"}]}
    hub.configure(contact=contact, color="#123456", privacy="https://space.example/privacy",
                  calendars=[{"kind": "ics", "url": "http://127.0.0.1:9/none.ics", "color": "#123456"}])
    before = kept(hub)
    page = owner(hub)
    for path in PAGES:
        page.goto(hub.url + path)
        page.wait_for_selector(".save-bar button")
        save(page)
        assert kept(hub) == before, path


def test_what_is_wrong_stands_beside_its_field(owner, hub_with_space):
    page = owner(hub_with_space)
    before = kept(hub_with_space)
    page.locator("#field-lat").fill("95")
    page.locator("#field-lon").fill("")
    page.locator("#field-privacy").fill("javascript:alert(1)")
    page.locator(".save-bar button").click()
    page.wait_for_selector("#field-lat[aria-invalid='true']")
    assert "−90 to 90" in page.locator("#field-lat-error").inner_text()
    assert "not a web address" in page.locator("#field-privacy-error").inner_text()
    assert "Both numbers" in page.locator("#field-lon-error").inner_text()
    assert "3 fields" in page.locator(".save-bar .form-error").inner_text()
    wait_until(page, "document.activeElement.id === 'field-lat'")
    assert kept(hub_with_space) == before


def test_what_only_the_hub_finds_wrong_stands_beside_its_field_too(owner, hub_with_space):
    page = owner(hub_with_space, "/settings/programme")
    page.get_by_role("button", name="By its address").click()
    page.locator(".calendar [id$='-address']").fill("file:/etc/passwd")
    page.locator(".save-bar button").click()
    error = page.locator(".calendar .field .error", has_text="data folder")
    error.wait_for()
    wait_until(page, "document.activeElement.matches(\".calendar [id$='-address']\")")
    assert kept(hub_with_space)["calendars"] == []


def test_what_is_wrong_on_another_page_leads_there(owner, hub_with_space, tmp_path):
    hub = hub_with_space
    (tmp_path / "club").mkdir()
    hub.stop()
    hub.options = ["--calendar-folders", str(tmp_path / "club")]
    hub.start()
    hub.configure(calendars=[{"kind": "ics", "url": f"file:{tmp_path}/club/a.ics"}])
    hub.stop()
    hub.options = []  # now the calendar that is kept would be refused
    hub.start()
    page = owner(hub)
    page.get_by_label("Name", exact=True).fill("Another name")
    page.locator(".save-bar button").click()
    error = page.locator(".save-bar .form-error", has_text="data folder")
    error.wait_for()
    assert error.inner_text().startswith("Programme, Calendars: ")
    assert "One field" in page.locator(".save-bar [aria-live=assertive]").inner_text()
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    error.locator("a").click()
    page.wait_for_url("**/settings/programme#*")
    page.locator(".calendar [id$='-address']").wait_for()
    assert asked == ["beforeunload"], "the name is not saved"


def test_leaving_with_something_unsaved_is_asked_about(owner, hub):
    hub.configure(calendars=[{"kind": "ics", "url": "http://127.0.0.1:9/none.ics"}])
    page = owner(hub, "/settings/programme")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.locator(".calendar").wait_for()
    page.click(".settings-back")
    page.wait_for_url("**/settings")
    assert asked == [], "nothing was changed"
    page.go_back()
    page.get_by_role("button", name="Remove this calendar").click()
    page.click(".settings-back")
    page.wait_for_url("**/settings")
    assert asked == ["beforeunload"] and len(kept(hub)["calendars"]) == 1


def test_a_place_that_is_none_is_said_to_be(owner, hub_with_space):
    page = owner(hub_with_space)
    told = page.locator("#field-map-link-told")
    page.locator("#field-map-link").fill("https://maps.app.goo.gl/AbCdEf")
    wait_until(page, "document.getElementById('field-map-link-told').innerText.includes('short link')")
    page.locator("#field-map-link").fill("Bremen")
    wait_until(page, "document.getElementById('field-map-link-told').innerText.includes('no place')")
    page.locator("#field-map-link").fill("53.1, 8.9")
    wait_until(page, "document.getElementById('field-lat').value === '53.1'")
    assert told.inner_text() == "Found."
    # A beginning of what is typed is no place yet.
    page.locator("#field-map-link").press_sequentially("53.0838, 8.7922")
    assert page.input_value("#field-map-link") == "53.0838, 8.7922"
    page.locator("#field-map-link").press("Tab")
    wait_until(page, "document.getElementById('field-lat').value === '53.0838'")
    assert page.input_value("#field-lon") == "8.7922" and page.input_value("#field-map-link") == ""


def test_the_place_can_come_from_the_device(owner, hub_with_space):
    page = owner(hub_with_space, geolocation={"latitude": 48.137154, "longitude": 11.576124, "accuracy": 12},
                 permissions=["geolocation"])
    page.get_by_role("button", name="Where this device is").click()
    wait_until(page, "document.getElementById('field-lat').value === '48.13715'")
    save(page)
    assert (kept(hub_with_space)["lat"], kept(hub_with_space)["lon"]) == (48.13715, 11.57612)


def test_a_logo_is_kept_at_once_and_becomes_the_icon(owner, hub_with_space, tmp_path):
    picture = tmp_path / "logo.png"
    picture.write_bytes(png(256, 256))
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    page = owner(hub_with_space, "/settings/space")
    chooser = page.locator(".picture input[type=file]").first
    chooser.set_input_files(picture)
    page.wait_for_selector(".picture-frame img[src^='/space/pictures/logo']")
    assert hub_with_space.get("/api/v1/space")[1]["logo"].startswith("/space/pictures/logo")
    chooser.set_input_files(broken)
    page.locator(".picture .form-error", has_text="The picture was not taken").wait_for()
    page.wait_for_selector(".picture-frame img[src^='/space/pictures/logo']")
    page.get_by_role("button", name="Logo: Remove").click()
    page.wait_for_selector(".picture-frame:has-text('none yet')")
    assert hub_with_space.request("GET", "/space/pictures/logo").status == 404


def test_a_calendar_file_is_uploaded_and_its_state_is_shown(owner, hub_with_space, tmp_path):
    file = tmp_path / "Our programme.ics"
    file.write_text(CALENDAR, newline="")
    page = owner(hub_with_space, "/settings/programme")
    page.wait_for_selector("#add-calendar")
    page.locator("#add-calendar input[type=file]").set_input_files(file)
    page.locator(".calendar-head", has_text="our-programme").wait_for()
    page.locator("#add-calendar", has_text="as soon as you save").wait_for()
    save(page)
    assert kept(hub_with_space)["calendars"] == [{"kind": "upload", "id": "our-programme"}]
    page.goto(hub_with_space.url + "/settings/programme")
    page.locator(".calendar-state[data-state='good']").wait_for()
    assert "1 event" in page.locator(".calendar-state").inner_text()
    # Until it is saved that it was removed, another file of its name does not take its place.
    page.locator(".calendar-head button").click()
    page.locator("#add-calendar input[type=file]").set_input_files(file)
    page.locator(".calendar .tag", has_text="File").wait_for()
    save(page)
    assert kept(hub_with_space)["calendars"] == [{"kind": "upload", "id": "our-programme-2"}]


def test_the_owner_sees_why_a_calendar_cannot_be_read(owner, hub):
    hub.configure(calendars=[{"kind": "ics", "url": "http://127.0.0.1:9/none.ics"}])
    page = owner(hub, "/settings/programme")
    page.locator(".calendar-state[data-state='failing']").wait_for()
    assert "cannot be read" in page.locator(".calendar-state").inner_text()
    page.route("**/calendars/refresh", lambda route: route.abort())
    page.get_by_role("button", name="Look now").click()
    page.locator(".note", has_text="The hub cannot be reached.").wait_for()
    page.unroute("**/calendars/refresh")
    page.get_by_role("button", name="Look now").click()
    page.locator(".note").wait_for(state="detached")


def test_the_owner_sees_all_that_was_left_out_of_a_calendar(owner, hub):
    def bad(uid):
        return f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:tomorrow\r\nSUMMARY:{uid}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

    (hub.data / "ours.ics").write_text(CALENDAR.replace("END:VCALENDAR\r\n", bad("Tea")), newline="")
    hub.configure(calendars=[{"kind": "ics", "url": "file:ours.ics"}])
    page = owner(hub, "/settings/programme")
    page.locator(".calendar-state p.quiet", has_text="\"Tea\"").wait_for()
    assert page.locator(".calendar-state details").count() == 0, "one is as it is"
    with (hub.data / "ours.ics").open("a", newline="") as file:
        file.write("BEGIN:VCALENDAR\r\n" + bad("Cake"))
    page.get_by_role("button", name="Look now").click()
    page.locator(".calendar-state summary", has_text="2 notes").click()
    expect(page.locator(".calendar-state li")).to_have_text([re.compile("\"Tea\""), re.compile("\"Cake\"")])
    german = owner(hub, "/settings/programme", locale="de-DE")
    german.locator(".calendar-state summary", has_text="2 Hinweise").click()
    expect(german.locator(".calendar-state li")).to_have_text([re.compile("„Tea“.*wegg"), re.compile("„Cake“.*wegg")])


def test_only_owners_get_the_form(owner, hub_with_space):
    page = owner(hub_with_space, role="keykeeper")
    card = page.locator("hub-owners-only")
    card.locator("h1", has_text="This page is for owners.").wait_for()
    assert "You are signed in as Test keykeeper, Keykeeper." in card.inner_text()
    assert card.locator("a").get_attribute("href") == "/join"
    assert page.locator("form").count() == 0
    # A stranger is refused as on /people, with a link to sign in.
    page = owner(hub_with_space, role=None)
    card = page.locator("hub-owners-only")
    card.locator("a", has_text="Sign in").wait_for()
    said = card.inner_text()
    assert page.locator("form").count() == 0
    page.goto(hub_with_space.url + "/people")
    card.locator("a", has_text="Sign in").wait_for()
    assert card.inner_text() == said


def test_a_hub_that_is_gone_loses_nothing_that_was_typed(owner, hub_with_space):
    page = owner(hub_with_space)
    page.get_by_label("Name", exact=True).first.fill("Typed for long")
    hub_with_space.kill()
    page.locator(".save-bar button").click()
    page.locator(".save-bar .form-error", has_text="Nothing is lost").wait_for()
    assert page.locator("#field-name").input_value() == "Typed for long"
    hub_with_space.start()
    save(page)
    assert kept(hub_with_space)["name"] == "Typed for long"


def test_script_in_every_text_field_stays_text(owner, hub):
    evil = "<img src=x onerror=\"document.title='stolen'\"><script>alert(1)</script>"
    hub.configure(name=evil, address=evil, opening_hours=evil, contact={"irc": evil, "matrix": evil})
    page = owner(hub)
    page.wait_for_selector("#field-name")
    assert page.locator("#field-name").input_value() == evil
    page.goto(hub.url + "/settings/space")
    page.wait_for_selector("#field-opening_hours")
    assert page.locator("#field-opening_hours").input_value() == evil
    page.goto(hub.url + "/")
    page.wait_for_selector("hub-navigation a")
    assert page.evaluate("document.querySelectorAll('img[src=x]').length") == 0
    assert "stolen" not in page.title() or "<img" in page.title()


def test_other_spaces_are_followed_for_everybody(owner, hub_with_space):
    page = owner(hub_with_space, "/settings/space")
    page.locator("#field-follow").fill("not an address")
    page.keyboard.press("Enter")
    page.locator("#field-follow-error:not(:empty)").wait_for()
    page.locator("#field-follow").fill("https://space.invalid/spaceapi.json")
    page.get_by_role("button", name="Follow", exact=True).click()
    page.locator("small", has_text="https://space.invalid/spaceapi.json").wait_for()
    followed = hub_with_space.get("/api/v1/space/followed")[1]["followed"]
    assert [one["url"] for one in followed] == ["https://space.invalid/spaceapi.json"]
    page.get_by_role("button", name="Do not follow").click()
    wait_until(page, "document.querySelectorAll('.card .list li').length === 0")
    assert hub_with_space.get("/api/v1/space/followed")[1]["followed"] == []


def test_two_who_save_at_once_lose_nothing(owner, hub_with_space):
    mine = owner(hub_with_space)
    mine.wait_for_selector("#field-name")
    mine.fill("#field-name", "A name")
    mine.fill("#field-address", "Mine 1")
    known = kept(hub_with_space)
    hub_with_space.configure(**known | {"address": "Theirs 2", "opening_hours": "Mo 10:00-12:00"})
    # The settings that the other has saved cannot be asked for just then.
    mine.route(f"**{SETTINGS}", lambda route: route.abort() if route.request.method == "GET" else route.continue_())
    mine.click("main form button.primary")
    wait_until(mine, "document.querySelector('.save-bar .form-error').textContent !== ''")
    wait_until(mine, "!document.querySelector('.save-bar button').hasAttribute('aria-busy')")
    mine.unroute(f"**{SETTINGS}")
    mine.click("main form button.primary")
    mine.wait_for_selector(".versions-note")
    assert [one.inner_text() for one in mine.locator(".version p").all()] == ["Mine 1", "Theirs 2"]
    assert kept(hub_with_space)["address"] == "Theirs 2", "nothing is saved before somebody has chosen"
    assert mine.input_value("#field-name") == "A name"
    mine.fill("#field-name", "The name I chose")
    assert mine.locator("main form button.primary").is_disabled()
    mine.click("button:has-text('Use theirs')")
    mine.wait_for_selector(".versions-note:has-text('Look it over')")
    assert mine.input_value("#field-name") == "The name I chose", "what was written after the note stays"
    mine.click("main form button.primary")
    mine.wait_for_url("**/")
    now = kept(hub_with_space)
    assert (now["name"], now["address"], now["opening_hours"]) == ("The name I chose", "Theirs 2", "Mo 10:00-12:00")


def test_two_who_begin_at_once_lose_nothing(owner, hub):
    late = owner(hub)
    late.fill("#field-name", "Late")
    hub.configure(name="First", address="Theirs 2")
    late.get_by_role("button", name="Begin").click()
    late.wait_for_selector(".versions-note")
    assert [one.inner_text() for one in late.locator(".version p").all()] == ["Late", "First"]
    late.click("button:has-text('Use mine')")
    late.wait_for_selector(".versions-note:has-text('Look it over')")
    late.click("main form button.primary")
    late.wait_for_url("**/")
    assert (kept(hub)["name"], kept(hub)["address"]) == ("Late", "Theirs 2")


def test_two_who_save_different_pages_at_once_lose_nothing(owner, hub_with_space):
    mine = owner(hub_with_space, "/settings/space")
    mine.fill("#field-opening_hours", "Mo 10:00-12:00")
    hub_with_space.configure(**kept(hub_with_space) | {"name": "Theirs"})
    mine.click("main form button.primary")
    mine.wait_for_selector(".versions-note:has-text('Look it over')")
    assert mine.locator(".version").count() == 0 and mine.locator("#field-name").count() == 0
    mine.click("main form button.primary")
    mine.wait_for_url("**/")
    assert (kept(hub_with_space)["name"], kept(hub_with_space)["opening_hours"]) == ("Theirs", "Mo 10:00-12:00")


def test_a_rooms_page_of_a_hub_without_a_name_asks_for_it_too(owner, hub):
    page = owner(hub, "/settings/programme#add-calendar")
    page.get_by_role("button", name="By its address").click()
    page.locator(".calendar [id$='-address']").fill("http://127.0.0.1:9/none.ics")
    page.get_by_role("button", name="Save").click()
    wait_until(page, "document.activeElement.id === 'field-name'")
    assert page.locator("h1").inner_text() == "Programme" and page.locator("#field-color").count() == 0
    assert page.locator("a.back").get_attribute("href") == "/settings"
    page.fill("#field-name", "Nordlicht")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/")
    known = kept(hub)
    assert known["name"] == "Nordlicht" and known["calendars"][0]["url"] == "http://127.0.0.1:9/none.ics"


@pytest.mark.parametrize("width", [390, 1280])
def test_settings_are_one_place_and_back_leads_back(owner, hub_with_space, width):
    page = owner(hub_with_space)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(hub_with_space.url + "/")
    if width < 768:
        page.click(".nav-more button")
    page.click(f"{'.sheet' if width < 768 else '.nav'} a[href='/settings']")
    if width < 1024:
        page.wait_for_url("**/settings")
        page.click(".settings-index a[href='/settings/space']")
    page.wait_for_url("**/settings/space")
    page.wait_for_selector("#field-color")
    assert page.locator("main > hub-settings-list").is_visible() == (width >= 1024)
    if width >= 1024:
        page.click(".settings-index a[href='/settings/programme']")
        page.wait_for_selector("#add-calendar")
        page.go_back()
        page.wait_for_selector("#field-color")
    page.go_back()
    page.wait_for_url("**/settings" if width < 1024 else "**/")


def test_the_addresses_for_strangers_stand_at_the_foot(owner, hub_with_space):
    page = owner(hub_with_space)
    page.fill("#field-legal_notice", "https://nordlicht.example/impressum")
    page.fill("#field-privacy", "nordlicht.example/privacy")
    save(page)
    known = kept(hub_with_space)
    legal = [known["legal_notice"], known["privacy"]]
    assert legal == ["https://nordlicht.example/impressum", "https://nordlicht.example/privacy"]
    stranger = owner(hub_with_space, "/join", role=None)
    stranger.wait_for_selector(".outside-foot a:has-text('Legal notice')")
    assert stranger.eval_on_selector_all(".outside-foot a", "all => all.map((one) => one.href)") == legal
