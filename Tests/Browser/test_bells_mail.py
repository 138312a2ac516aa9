"""Mail about what was not seen, chosen on the page."""

from hub import eventually
from mailroom import Mailroom, hub_with_mail, link
from page import pages


def test_an_address_is_typed_confirmed_changed_and_forgotten(browser, make_hub):
    with Mailroom() as room, pages(browser) as open_page:
        hub = hub_with_mail(make_hub, room.port)
        page = open_page(locale="de-DE")
        hub.sign_in_browser(page.context, "member", "Ada")
        page.goto(hub.url + "/bells")
        card = page.locator("section:has(> #mail-title)")
        card.get_by_label("E-Mail-Adresse").fill("ada@example.org")
        card.get_by_label("Minuten").fill("20")
        card.get_by_role("button", name="Schick mir E-Mails").click()
        card.get_by_text("ada@example.org gilt, sobald du den Link").wait_for()
        path = link(room.wait(1)[0], hub)
        assert hub.request("POST", path).status == 200
        # The page hears of it by itself.
        card.get_by_text("Was du nach 20 Minuten nirgends gesehen hast, geht an ada@example.org.").wait_for()

        card.get_by_role("button", name="Ändern").click()
        card.get_by_label("Minuten").fill("0")
        card.get_by_role("button", name="Schick mir E-Mails").click()
        card.get_by_text("kommt auch per E-Mail an ada@example.org").wait_for()
        assert len(room.mails) == 1, "the address is the same"

        # An address that the mail server does not take is kept, the page says what happened, and the other one stays.
        room.refusal = "554 no such mailbox"
        card.get_by_role("button", name="Ändern").click()
        card.get_by_label("E-Mail-Adresse").fill("nobody@example.org")
        card.get_by_role("button", name="Schick mir E-Mails").click()
        card.get_by_role("alert").wait_for()
        card.get_by_text("nobody@example.org gilt, sobald").wait_for()
        card.get_by_text("kommt auch per E-Mail an ada@example.org").wait_for()
        room.refusal = None
        card.get_by_role("button", name="noch einmal").click()
        room.wait(2)
        card.get_by_role("alert").wait_for(state="detached")

        card.get_by_role("button", name="Keine E-Mails mehr").click()
        eventually(lambda: card.get_by_label("E-Mail-Adresse").input_value() == "")


def test_nothing_is_offered_where_the_hub_sends_no_mail(hub, browser):
    with pages(browser) as open_page:
        page = open_page()
        hub.sign_in_browser(page.context, "member", "Ada")
        page.goto(hub.url + "/bells")
        page.get_by_role("heading", name="What rings you").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.locator("#mail-title").count() == 0
