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

    page.locator("a[href='/settings/place#add-calendar']:visible").first.click()
    page.wait_for_url("**/settings/place#add-calendar")
    page.get_by_role("button", name="By its address").click()
    assert page.locator("h1").inner_text() == "Name and place"
    assert page.locator("#field-url, #field-color, #field-contact-email, #field-opening_hours").count() == 0
    page.locator(".calendar [id$='-address']").fill("file:club.ics")
    page.locator("#field-privacy").fill("nordlicht.example/privacy")
    save(page)
    known = kept(hub)
    assert known["calendars"] == [{"kind": "ics", "url": "file:club.ics"}]
    assert (known["name"], known["privacy"]) == ("Nordlicht", "https://nordlicht.example/privacy")

    page.goto(hub.url + "/settings")
    assert page.locator(".settings-index strong").all_inner_texts() == [
        "Programme", "Show or hide rooms", "Name and place", "People", "My devices"]
    page.locator(".settings-index a", has_text="Name and place").click()
    page.wait_for_selector("#field-name")
    assert page.locator("#field-name").input_value() == "Nordlicht"


def test_with_the_sign_alone_the_form_has_no_calendars(owner, make_hub):
    hub = make_hub(options=["--rooms", "space"])
    assert hub.put(SETTINGS, hub.owner_token, {"name": "South", "timezone": "Europe/Berlin"})[0] == 200
    page = owner(hub, "/settings/place")
    page.locator("#field-name").fill("Nordlicht")
    assert page.locator("#add-calendar").count() == 0
    assert page.locator("h1").inner_text() == "Space"
    save(page)
    assert kept(hub)["name"] == "Nordlicht" and "calendars" not in kept(hub)


def test_the_address_that_people_have_leads_to_the_form(owner, hub_with_space):
    page = owner(hub_with_space, "/space/settings#add-calendar")
    page.wait_for_selector("#add-calendar")
    assert page.url == hub_with_space.url + "/settings/place#add-calendar"
    wait_until(page, "document.getElementById('add-calendar').getBoundingClientRect().top < innerHeight")
