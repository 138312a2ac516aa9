"""The owner's form where a room is switched off, and at the address that it had as a page of Space."""

import pytest

from hub import SETTINGS
from ics import calendar, event
from page import pages, wait_until


@pytest.fixture
def owner(browser, make_hub):
    """An owner's phone: owner(hub, path) returns the page. It is closed before its hubs end."""
    with pages(browser) as open_page:
        def visit(hub, path):
            page = open_page()
            hub.sign_in_browser(page.context, "owner")
            page.goto(hub.url + path)
            return page

        yield visit


def kept(hub):
    return hub.get(SETTINGS, token=hub.owner_token)[1]


def save(page):
    page.locator(".save-bar button").click()
    page.wait_for_url(lambda url: url.endswith("/"))


def test_with_the_programme_alone_an_owner_says_whose_it_is_and_adds_a_calendar(owner, make_hub):
    hub = make_hub(options=["--rooms", "programme"])
    (hub.data / "club.ics").write_text(calendar(event("one", "20301120T180000Z", title="Soup")), newline="")
    page = owner(hub, "/")
    page.locator("hub-checklist a", has_text="Say whose this is").click()
    page.wait_for_url("**/settings/place")
    page.locator("#field-name").fill("Nordlicht")
    page.locator("summary", has_text="More").click()
    page.locator("#field-timezone").select_option("Europe/Lisbon")
    save(page)
    known = kept(hub)
    assert (known["name"], known["timezone"], known["calendars"]) == ("Nordlicht", "Europe/Lisbon", [])

    page.locator("a[href='/settings/programme#add-calendar']:visible").first.click()
    page.wait_for_url("**/settings/programme#add-calendar")
    page.get_by_role("button", name="By its address").click()
    assert page.locator("h1").inner_text() == "Programme"
    page.locator(".calendar [id$='-address']").fill("file:club.ics")
    save(page)
    page.goto(hub.url + "/settings/place")
    page.locator("#field-privacy").fill("nordlicht.example/privacy")
    assert page.locator("#field-url, #field-color, #field-contact-email, #field-opening_hours").count() == 0
    save(page)
    assert hub.request("GET", "/settings/space").status == 404
    known = kept(hub)
    assert known["calendars"] == [{"kind": "ics", "url": "file:club.ics"}]
    assert (known["name"], known["privacy"]) == ("Nordlicht", "https://nordlicht.example/privacy")

    page.goto(hub.url + "/settings")
    page.wait_for_selector(".settings-index strong:has-text('My devices')")
    assert page.locator(".settings-index strong").all_inner_texts() == [
        "Programme", "Show or hide rooms", "Name and place", "People", "Screen in the room", "Manual", "My devices"]
    page.locator(".settings-index a", has_text="Name and place").click()
    page.wait_for_selector("#field-name")
    assert page.locator("#field-name").input_value() == "Nordlicht"


def test_with_the_sign_alone_the_form_has_no_calendars(owner, make_hub):
    hub = make_hub(options=["--rooms", "space"])
    assert hub.put(SETTINGS, hub.owner_token, {"name": "South", "timezone": "Europe/Berlin"})[0] == 200
    page = owner(hub, "/settings/place")
    page.locator("#field-name").fill("Nordlicht")
    assert page.locator("h1").inner_text() == "Name and place"
    save(page)
    assert kept(hub)["name"] == "Nordlicht" and "calendars" not in kept(hub)
    page.goto(hub.url + "/settings/space")
    page.locator("#field-url").fill("nordlicht.example")
    assert page.locator("h1").inner_text() == "Space" and page.locator("#add-calendar").count() == 0
    save(page)
    assert kept(hub)["url"] == "https://nordlicht.example"
    assert hub.request("GET", "/settings/programme").status == 404


def test_the_addresses_that_people_have_lead_to_the_form(owner, hub_with_space):
    page = owner(hub_with_space, "/space/settings")
    page.wait_for_selector("#field-color")
    assert page.url == hub_with_space.url + "/settings/space"
    page.goto(hub_with_space.url + "/settings/place#add-calendar")
    page.wait_for_url("**/settings/programme#add-calendar")
    page.goto(hub_with_space.url + "/space/settings#add-calendar")
    page.wait_for_url("**/settings/programme#add-calendar")
    page.wait_for_selector("#add-calendar")
    wait_until(page, "document.getElementById('add-calendar').getBoundingClientRect().top < innerHeight")
