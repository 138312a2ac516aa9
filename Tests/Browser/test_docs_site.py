"""The documents at /docs. That no link leads nowhere is seen when they are packed (bin/packing/docs.py)."""

import pytest
from playwright.sync_api import expect

from page import PHONE, SMALL, wait_kept
from readable import across, axe

BROKEN = "() => [...document.images].filter((one) => one.complete && !one.naturalWidth).map((one) => one.src)"


@pytest.fixture
def site(hub):
    return hub.url + "/docs"


def test_every_document_can_be_read_on_a_phone(open_page, site):
    page = open_page(viewport=PHONE)
    page.goto(site)
    addresses = page.eval_on_selector_all("nav li a", "all => all.map((one) => one.href)")
    assert len(addresses) > 40 and len(set(addresses)) == len(addresses)
    wrong = [f"/docs: {one}" for one in axe(page)]
    for address in addresses:
        assert page.goto(address).status == 200
        found = page.evaluate(BROKEN) + across(page, SMALL)
        if page.locator("h1").count() != 1:
            found.append("not one h1")
        if page.locator("nav [aria-current=page]").count() != 1:
            found.append("where is one?")
        wrong += [f"{address}: {one}" for one in found]
    assert wrong == [], "\n".join(wrong)


def test_a_document_with_tables_and_code_is_clean_in_light_and_dark(open_page, site):
    page = open_page()
    for name in ("install", "how-a-notification-travels"):
        page.goto(f"{site}/{name}")
        assert axe(page) == []
        page.emulate_media(color_scheme="dark")
        assert axe(page, runOnly=["color-contrast"]) == []
        page.emulate_media(color_scheme="light")


def test_one_sees_on_a_phone_what_each_setting_means(open_page, site):
    page = open_page(viewport=PHONE)
    page.goto(f"{site}/configuration")
    table = page.locator(".wide", has_text="--connections-per-address")
    assert table.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0


def test_what_was_read_can_be_read_without_the_hub(open_page, hub, site):
    page = open_page()
    page.goto(hub.url)
    wait_kept(page)
    page.goto(f"{site}/members")
    heading = page.inner_text("h1")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    style = "[...document.styleSheets].find(({ href }) => href.endsWith('/docs/docs.css')).cssRules.length"
    assert page.evaluate(style) > 0, "its style sheet is kept with it"
    page.goto(f"{site}/install")
    expect(page.get_by_role("heading", name="Not without the hub")).to_be_visible()


def test_one_finds_the_way_about(open_page, site):
    page = open_page()
    page.goto(f"{site}/readme")
    page.get_by_role("link", name="Four evenings").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Evenings of an owner")
    page.get_by_role("link", name="Contents").click(force=True)
    page.get_by_role("link", name="Eightbells, explained").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Eightbells, explained")


def test_a_german_member_finds_the_manual_in_german(open_page, hub, site):
    page = open_page(locale="de-DE", viewport=PHONE)
    hub.sign_in_browser(page.context, "member", "Ben")
    page.goto(f"{hub.url}/me")
    page.get_by_role("link", name="Handbuch").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Für Mitglieder, kurz und auf Deutsch")
    assert page.get_attribute("html", "lang") == "de" and axe(page) == []
    page.get_by_role("main").get_by_role("link", name="In English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("For members, in short")
    page.goto(site)
    page.get_by_role("link", name="das Wichtigste für Mitglieder").click()
    expect(page).to_have_url(f"{site}/mitglieder")
