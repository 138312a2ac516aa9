"""The surroundings of the sign in a real browser: the switch, undo, silence, hours, sensors, other spaces."""

import json
import re

import pytest

from hub import eventually
from page import LIMIT, SMALL, overflow, pages, wait_live
from readable import axe_in_both

HOSTILE = "<img src=x onerror=document.title='stolen'><script>document.title='stolen'</script>"


@pytest.fixture
def demo_hub(shared_demo_hub):
    return shared_demo_hub


@pytest.fixture
def visit(browser, demo_hub):
    """Opens the page as somebody: visit(role="keykeeper", name="Ada", viewport=…, locale=…)."""
    with pages(browser) as open_page:
        def visit(role=None, name=None, path="/", **options):
            page = open_page(**options)
            if role:
                demo_hub.sign_in_browser(page.context, role, name)
            page.goto(demo_hub.url + path)
            wait_live(page)
            page.wait_for_selector("space-hours svg", state="attached")
            return page

        yield visit


def kind(page, kind):
    page.wait_for_selector(f'.sign-board[data-kind="{kind}"]')


def history(hub):
    return hub.get("/api/v1/space/history")[1]["changes"]


def test_a_keykeeper_turns_the_sign_with_one_press_and_takes_it_back(demo_hub, visit):
    demo_hub.turn(False)
    changes = len(history(demo_hub))
    page, stranger = visit("keykeeper", "Ada"), visit()
    page.get_by_role("button", name="Open the space").click()
    for one in (page, stranger):
        kind(one, "open")
    assert demo_hub.state()["by"] == "Ada"
    assert "turned by Ada" in stranger.locator("space-sign").inner_text()
    page.get_by_role("button", name="Undo").click()
    for one in (page, stranger):
        kind(one, "closed")
    page.wait_for_selector('.turner-note:has-text("Taken back.")')
    assert len(history(demo_hub)) == changes
    assert page.get_by_role("button", name="Undo").count() == 0


def test_nobody_else_sees_the_switch(visit):
    page = visit("member", "Mia")
    page.wait_for_selector("space-about dl")
    assert not page.locator("space-switch button").first.is_visible()


def test_undo_keeps_what_was_typed(demo_hub, visit):
    demo_hub.turn(False)
    page = visit("keykeeper", "Ada")
    page.locator(".turner-more summary").click()
    page.fill("#switch-message", "The kettle is on")
    page.get_by_role("button", name="Open the space").click()
    page.wait_for_selector('.sign-board:has-text("The kettle is on")')
    page.get_by_role("button", name="Undo").click()
    kind(page, "closed")
    assert page.input_value("#switch-message") == "The kettle is on"


def test_what_lies_below_the_sign_is_reached_on_a_laptops_screen(visit):
    page = visit("keykeeper", "Ada", viewport={"width": 1024, "height": 640})
    page.locator(".turner-more summary").click()
    page.locator("#switch-until").scroll_into_view_if_needed()
    box = page.locator("#switch-until").bounding_box()
    assert 0 <= box["y"] and box["y"] + box["height"] <= 640
    assert page.evaluate("scrollY") < 100, "not only at the end of the programme"


def test_what_is_said_of_ones_own_turn_goes_when_somebody_else_turns_the_sign(demo_hub, visit):
    demo_hub.turn(False)
    page = visit("keykeeper", "Ada")
    page.get_by_role("button", name="Open the space").click()
    page.get_by_role("button", name="Undo").wait_for()
    demo_hub.turn(True, message="I am here too", by="Bob")
    page.wait_for_selector('.sign-board:has-text("I am here too")')
    page.wait_for_selector(".turner-note", state="hidden")


def test_two_who_open_at_the_same_moment_do_not_close(demo_hub, visit):
    demo_hub.turn(False)
    page = visit("keykeeper", "Ada")
    page.get_by_role("button", name="Open the space").focus()
    page.keyboard.down(" ")
    demo_hub.turn(True, message="The kettle is on", by="Bob")
    page.get_by_role("button", name="Close the space").wait_for()
    with page.expect_response(lambda answer: answer.url.endswith("/space/state") and answer.request.method == "POST"):
        page.keyboard.up(" ")
    assert demo_hub.state()["open"] is True and demo_hub.state()["message"] == "The kettle is on"
    # Some time later the button means what it says.
    page.wait_for_timeout(600)
    page.get_by_role("button", name="Close the space").click()
    kind(page, "closed")


def test_undo_goes_away_by_itself(demo_hub, visit):
    demo_hub.turn(False)
    page = visit("keykeeper", "Ada")
    page.clock.install()
    page.get_by_role("button", name="Open the space").click()
    page.get_by_role("button", name="Undo").wait_for()
    page.clock.run_for(50_000)
    assert page.get_by_role("button", name="Undo").is_visible(), "as long as the hub takes a turn back"
    page.clock.fast_forward(11_000)  # the device slept
    page.get_by_role("button", name="Undo").wait_for(state="hidden")
    assert demo_hub.state()["open"] is True


def test_words_are_added_quietly(demo_hub, visit):
    demo_hub.turn(False)
    page = visit("keykeeper", "Ada")
    assert not page.get_by_label("Message").is_visible()
    page.get_by_text("Add a message, a time or a name").click()
    page.get_by_label("Message").fill("Soup " + HOSTILE)
    page.get_by_label("Until").fill("23:00")
    page.get_by_label("Your name on the sign").fill("")
    page.get_by_role("button", name="Open the space").click()
    kind(page, "open")
    state = demo_hub.state()
    assert (state["message"], state["by"]) == ("Soup " + HOSTILE, None) and "T23:00" in state["until"]
    page.get_by_label("Message").fill("Cake")
    page.get_by_role("button", name="Change the words only").click()
    page.wait_for_selector('.sign-message:has-text("Cake")')
    after = demo_hub.state()
    assert (after["lastchange"], after["until"]) == (state["lastchange"], state["until"])
    # The open sign's message is not kept for the closed one.
    page.get_by_role("button", name="Close the space").click()
    kind(page, "closed")
    assert (demo_hub.state()["message"], demo_hub.state()["until"]) == (None, None)
    assert "stolen" not in page.title()


def test_other_words_leave_a_time_that_has_passed(demo_hub, visit):
    passed = demo_hub.turn(True, until="2026-01-01T23:00:00Z")["until"]
    page = visit("keykeeper", "Ada")
    page.get_by_text("Add a message, a time or a name").click()
    page.get_by_label("Message").fill("Cake")
    page.get_by_role("button", name="Change the words only").click()
    page.wait_for_selector('.sign-message:has-text("Cake")')
    assert demo_hub.state()["until"] == passed


def test_the_sign_goes_unknown_when_the_contact_dies(demo_hub, visit):
    token = demo_hub.token("sensor")
    report = {"open": True, "heartbeat_s": 1}
    # In the evening somebody of the demonstration has opened already.
    for is_open in (False, True):
        assert demo_hub.put("/api/v1/space/switch", token, {"open": is_open, "heartbeat_s": 30})[0] == 200
    page, german = visit("keykeeper", "Ada"), visit(locale="de-DE", color_scheme="dark")
    kind(page, "open")
    page.wait_for_selector("space-sign >> text=reported by the contact on the door")
    demo_hub.put("/api/v1/space/switch", token, report)
    for one in (page, german):
        kind(one, "unknown")
    assert "The contact on the door does not report" in page.locator("space-sign").inner_text()
    assert re.search(r"seit \d\d:\d\d Uhr", german.locator("space-sign").inner_text())
    page.get_by_role("button", name="It is closed").click()
    kind(page, "closed")


def test_when_it_is_usually_open_is_said_drawn_and_listed(visit):
    page, german = visit(), visit(locale="de-DE")
    assert "Usually open on Tuesdays and Thursdays from 18:00" in page.locator("space-hours").inner_text()
    assert "Dienstags und donnerstags meist ab 18:00 Uhr offen" in german.locator("space-hours").inner_text()
    picture = page.get_by_role("img", name=re.compile("How often the space was open"))
    assert picture.locator("rect.cell").count() == 7 * 24
    assert picture.locator("rect.declared").count() == 2
    page.get_by_text("As a list").click()
    assert "Tuesday, 18:00 to 23:00" in page.locator(".hours-list").inner_text()


@pytest.mark.waits
def test_sensors_have_an_age_and_old_ones_say_so(demo_hub, visit):
    token = demo_hub.token("sensor")
    path = "/api/v1/space/sensors/temperature/here"
    page = visit()
    demo_hub.put(path, token, {"value": 19.5, "unit": "°C", "location": HOSTILE, "heartbeat_s": 600})
    page.wait_for_selector('.sensor:has-text("19.5 °C")')
    assert "reported just now" in page.locator('.sensor:has-text("19.5")').inner_text()
    demo_hub.put(path, token, {"value": 19.5, "unit": "°C", "location": HOSTILE, "heartbeat_s": 1})
    page.wait_for_selector('.sensor[data-old]:has-text("19.5")', timeout=20_000)
    assert "old: last reported" in page.locator('.sensor:has-text("19.5")').inner_text()
    assert "stolen" not in page.title()


def test_other_spaces_stand_beside_ones_own(demo_hub, visit, calendar_server):
    document = {"api_compatibility": ["15"], "space": "Südpol " + HOSTILE, "url": "javascript:document.title='stolen'",
                "logo": "https://x.example/l.svg", "state": {"open": True, "message": HOSTILE}, "contact": {}}
    url = calendar_server.serve("/spaceapi.json", json.dumps(document))
    stranger, member, owner = visit(), visit("member", "Mia"), visit("owner", "Olga")
    member.get_by_text("Follow another space").click()
    member.get_by_label("Address of its SpaceAPI document").fill(url)
    assert member.get_by_role("button", name="For everybody").count() == 0
    member.get_by_role("button", name="For me").click()
    # The document is on this machine: addresses that members follow have to be on the public Internet.
    member.wait_for_selector(f'.other:has-text("{calendar_server.url.partition("//")[2]}")')
    assert stranger.locator(".other:has-text('Südpol')").count() == 0
    owner.get_by_text("Follow another space").click()
    owner.get_by_label("Address of its SpaceAPI document").fill(url)
    owner.get_by_role("button", name="For everybody").click()
    stranger.wait_for_selector('.other[data-kind="open"]:has-text("Südpol")')
    other = stranger.locator(".other:has-text('Südpol')")
    assert "as of just now" in other.inner_text() and HOSTILE in other.inner_text()
    assert other.locator("a, img, script").count() == 0
    for page in (stranger, member, owner):
        assert "stolen" not in page.title()
    owner.get_by_role("button", name=re.compile("Do not follow Südpol")).click()
    eventually(lambda: stranger.locator(".other:has-text('Südpol')").count() == 0)


def test_a_space_is_followed_by_name_out_of_the_directory(make_hub, browser, calendar_server):
    there = calendar_server.serve("/spaceapi.json", json.dumps({
        "api_compatibility": ["15"], "space": "Südpol", "url": "https://suedpol.example",
        "state": {"open": True}, "contact": {}}))
    names = calendar_server.serve("/names", json.dumps({"Südpol": there, "Nordpol": "https://n.example/s.json"}))
    hub = make_hub(env={"EIGHTBELLS_SPACE_DIRECTORY": names})
    hub.configure()
    with pages(browser) as open_page:
        page = open_page()
        hub.sign_in_browser(page.context, "owner", "Olga")
        page.goto(hub.url)
        page.get_by_text("Follow another space").click()
        field = page.get_by_label("Its name, or the address of its SpaceAPI document")
        field.wait_for()
        assert page.locator("#follow-names option").evaluate_all("all => all.map((it) => it.value)") == [
            "Nordpol", "Südpol"]
        field.fill("südpol ")
        page.get_by_role("button", name="For everybody").click()
        page.wait_for_selector('.other[data-kind="open"]:has-text("Südpol")')
        field.fill("Ostpol")
        page.get_by_role("button", name="For everybody").click()
        page.wait_for_selector("#follow-error:has-text('Ostpol')")
        # Why one could not be removed stands below the list, not in the form, which may be closed.
        page.get_by_text("Follow another space").click()
        page.route("**/api/v1/space/followed/*", lambda route: route.abort())
        page.click(".other-remove")
        page.wait_for_selector("space-followed .note[role=alert]")


def test_a_closed_sign_says_when_it_opens(demo_hub, visit):
    demo_hub.configure(opening_hours="Mo-Su 00:00-23:59", name="Nordlicht")
    demo_hub.turn(False)
    page = visit()
    page.wait_for_selector(".sign-opens:has-text('opens ')")
    demo_hub.turn(True)
    page.wait_for_selector(".sign-opens:empty", state="attached")


def test_another_page_can_frame_the_sign_and_nothing_else(demo_hub, browser, calendar_server):
    demo_hub.turn(True)
    frame = f'<iframe src="{demo_hub.url}/space/embed" title="sign"></iframe>'
    framed = f'<iframe src="{demo_hub.url}/" title="page"></iframe>'
    url = calendar_server.serve("/site.html", f"<!doctype html><title>a</title>{frame}{framed}",
                                content_type="text/html")
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(url)
    sign = page.frame_locator('iframe[title="sign"]')
    sign.locator('.sign[data-kind="open"]').wait_for(timeout=LIMIT)
    demo_hub.turn(False)
    sign.locator('.sign[data-kind="closed"]:has-text("closed")').wait_for(timeout=LIMIT)
    assert page.frame_locator('iframe[title="page"]').locator("space-sign").count() == 0
    context.close()


def test_the_page_is_for_everyone(demo_hub, visit):
    token = demo_hub.token("sensor")
    demo_hub.put("/api/v1/space/sensors/temperature/x", token, {"value": 20, "unit": "°C", "location": "Küche"})
    page = visit("owner", "Olga", viewport=SMALL, locale="de-DE", reduced_motion="reduce")
    page.locator("space-switch details summary").click()
    page.wait_for_selector(".sensor")
    assert axe_in_both(page) == []
    assert overflow(page) <= 0
