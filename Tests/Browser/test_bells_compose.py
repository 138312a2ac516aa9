"""The page on which owners write a notification: how it will look comes while they type, and it is sent."""

from bell_device import LATER, make_device
from bells_page import SEND, Person
from hub import command, eventually
from page import DESKTOP
from png import png
from uploads import ALBUMS, join


def compose(person):
    person.page.goto(person.hub.url + "/bells/compose")
    person.page.wait_for_selector("bells-compose h1")
    return person.page


def test_an_owner_sees_it_while_typing_and_sends_it(hub, open_page):
    owner = Person(hub, open_page, role="owner", viewport=DESKTOP)
    assert command("topic", "create", "crew", "--name", "The crew", "--data", hub.data).returncode == 0
    owner.open().click("a:has-text('Ring somebody')")
    page = owner.page
    page.wait_for_selector(".empty:has-text('Begin with a title')")
    page.fill("[name=title]", "Who opens?")
    page.click("summary:has-text('Buttons')")
    page.fill("[name=buttons]", "I open, I cannot, Later")
    look = page.locator("[data-platform=desktop]")
    look.locator(".tag:has-text('I cannot')").wait_for()
    assert look.locator(".tag").all_text_contents() == ["I open", "I cannot"]
    assert look.locator("text=On the page alone: Later").is_visible()
    assert " of 3,993 bytes" in look.inner_text()
    assert page.locator("[data-platform=apple] .tag").count() == 0
    page.fill("[name=body]", "x" * 4_000)
    look.locator(".note:has-text('cut at the end')").wait_for()
    page.fill("[name=body]", "At eight")
    look.locator(".bell-body:text-is('At eight')").wait_for()
    page.fill("[name=url]", "javascript:alert(1)")
    page.wait_for_selector("[name=url][aria-invalid=true]")
    assert page.locator("text=Begin with a title").count() == 0
    page.click("button:has-text('Send')")
    page.wait_for_selector("form [role=alert]:has-text('What is marked')")
    page.wait_for_selector("#field-url-error:has-text('a page of the hub with /')")
    page.fill("[name=url]", "/programme")
    page.wait_for_selector("[name=url]:not([aria-invalid])")
    page.select_option("[name=to]", label="Everybody who belongs here")
    page.select_option("[name=level]", "critical")
    page.wait_for_selector("text=It stays until somebody acts.")
    assert hub.get(SEND, token=hub.owner_token)[1]["items"] == []
    page.click("button:has-text('Send')")
    page.wait_for_selector("a:has-text('Where it arrives')")
    assert page.locator("[name=to] option:checked").inner_text() == "Everybody who belongs here"
    page.click("a:has-text('Where it arrives')")
    page.wait_for_selector("h2:has-text('Who opens?')")
    content = owner.bells()["items"][0]["content"]
    assert [one["title"] for one in content.pop("actions")] == ["I open", "I cannot", "Later"]
    assert content == {"title": "Who opens?", "body": "At eight", "url": "/programme", "interruption_level": "critical",
                       "sound": "default"}


def test_one_device_gets_a_file_and_a_payload(hub, open_page):
    make_device(hub, "boat")
    hub.sign_in("member", "Kim")
    make_device(hub, "bell", person="Kim")
    owner = Person(hub, open_page, role="owner", viewport=DESKTOP)
    page = compose(owner)
    page.locator("[name=to] option", has_text="bell · Kim").wait_for(state="attached")
    page.select_option("[name=to]", label="boat")
    page.click("summary:has-text('a file')")
    choose = page.locator("input[type=file]")
    choose.set_input_files({"name": "broken.json", "mimeType": "application/json", "buffer": b"[]"})
    page.wait_for_selector("[role=alert]:has-text('no notification')")
    choose.set_input_files({"name": "payload.json", "mimeType": "application/json",
                            "buffer": b'{"title": "Tea", "body": "At four", "thread": "tea"}'})
    page.locator("[data-platform=desktop] .bell-body:text-is('At four')").wait_for()
    page.fill("[name=body]", "At five")

    def send():
        page.click("button:has-text('Send')")
        page.click("a:has-text('Where it arrives')")
        page.wait_for_selector("h2:has-text('Tea')")
        return hub.get(SEND, token=hub.owner_token)[1]["items"][0]

    sent = send()
    assert sent["content"] == {"title": "Tea", "body": "At five", "thread": "tea"}
    assert [one["name"] for one in hub.get(f"{SEND}/{sent['id']}", token=hub.owner_token)[1]["devices"]] == ["boat"]
    compose(owner)
    page.select_option("[name=to]", label="boat")
    page.click("summary:has-text('a file')")
    page.locator("input[type=file]").set_input_files(
        {"name": "pot.png", "mimeType": "image/png", "buffer": png(40, 30)})
    page.wait_for_selector("text=pot.png")
    page.fill("[name=title]", "Tea")
    [attached] = send()["content"]["attachments"]
    assert attached["type"] == "image/png" and hub.request("GET", attached["url"]).status == 200


def test_what_is_under_way_is_listed_and_taken_back(hub, open_page):
    owner = Person(hub, open_page, role="owner", viewport=DESKTOP)
    later = hub.post(SEND, hub.owner_token, {
        "to": {"role": "owner"}, "content": {"title": "Breakfast"}, "at": {"local": "07:30", "date": f"{LATER}"}})
    assert later[0] == 202
    page = compose(owner)
    rows = page.locator("section[aria-labelledby=under-way] li")
    planned = rows.filter(has_text="at 07:30 by each device’s clock").filter(has_text="planned")
    planned.locator("a").click()
    page.wait_for_selector(".empty:has-text('has not rung yet')")
    assert page.locator("dt:text-is('Rang')").count() == 0
    page = compose(owner)
    planned.wait_for()
    page.fill("[name=title]", "Who opens?")
    page.select_option("[name=to]", "role:owner")
    page.click("button:has-text('Send')")
    sent = rows.filter(has_text="Who opens?")
    sent.wait_for()
    for row, name in ((sent, "Who opens?"), (rows.filter(has_text="Breakfast"), "Breakfast")):
        row.locator("button:has-text('Take back')").click()
        page.wait_for_selector(f"dialog :text-is('Take back “{name}”?')")
        page.click("dialog button:has-text('Take back')")
        row.filter(has_text="taken back").wait_for()
        assert row.locator("button").count() == 0
    assert hub.get(f"{SEND}?scheduled=1", token=hub.owner_token)[1]["items"] == []
    sent.locator("a").click()
    page.wait_for_selector("dd:has-text('taken back')")


def test_what_a_room_has_sent_is_told_in_the_readers_language(hub, open_page):
    owner = Person(hub, open_page, role="owner", name="Mo", locale="de-DE")
    status, album = hub.post(ALBUMS, owner.fields, {"name": "Fest", "mode": "family"})
    assert status == 201
    join(hub, album, "Ada")
    eventually(lambda: owner.bells()["items"])
    row = compose(owner).locator("section[aria-labelledby=under-way] li", has_text="Ada möchte ins Album „Fest“")
    row.wait_for()
    assert row.locator("small").inner_text().endswith(" · verschickt · Alben")
    row.locator("a").click()
    owner.page.wait_for_selector("dd:text-is('Alben')")


def test_what_is_typed_stays_when_the_role_or_the_session_ends(hub, open_page):
    owner = Person(hub, open_page, role="owner", viewport=DESKTOP)
    other = hub.sign_in("owner", "Olga")
    page = compose(owner)
    page.fill("[name=title]", "Who opens?")

    def refused(why):
        page.click("button:has-text('Send')")
        page.wait_for_selector(f"form [role=alert]:has-text('{why}')")
        assert page.input_value("[name=title]") == "Who opens?"

    assert hub.patch(f"/api/v1/people/{owner.id}", other, {"role": "keykeeper"})[0] in (200, 204)
    refused("You may not send to role:owner.")
    device = hub.get("/api/v1/session", token=owner.fields)[1]["device"]["id"]
    assert hub.delete(f"/api/v1/devices/{device}", owner.fields)[0] == 204
    refused("Nobody is signed in here any more.")


def test_what_only_the_one_before_was_told_goes_with_the_session(hub, open_page):
    make_device(hub, "boat")
    owner = Person(hub, open_page, role="owner", viewport=DESKTOP)
    owner.ring("Kept to owners")
    page = compose(owner)
    rows = page.locator("section[aria-labelledby=under-way] li", has_text="Kept to owners")
    rows.wait_for()
    page.locator("[name=to] option", has_text="boat").wait_for(state="attached")
    page.select_option("[name=to]", label="boat")
    page.fill("[name=title]", "Who opens?")
    device = hub.get("/api/v1/session", token=owner.fields)[1]["device"]["id"]
    assert hub.delete(f"/api/v1/devices/{device}", owner.fields)[0] == 204
    rows.wait_for(state="detached")
    page.locator("[name=to] option", has_text="boat").wait_for(state="detached")
    assert page.input_value("[name=to]") == "", "it goes to nobody else instead"
    assert page.input_value("[name=title]") == "Who opens?"


def test_how_it_looks_is_asked_once_more_when_the_hub_is_there_again(hub, open_page):
    page = compose(Person(hub, open_page, role="owner", viewport=DESKTOP))
    hub.stop()
    page.fill("[name=title]", "Who opens?")
    page.wait_for_selector("section [role=alert]")
    hub.start()
    page.locator("[data-platform=desktop] .bell-title:text-is('Who opens?')").wait_for()
    assert page.locator("section [role=alert]").count() == 0


def test_in_german_and_only_for_owners(hub, open_page):
    member = Person(hub, open_page)
    compose(member).wait_for_selector("text=they may ring everybody.")
    assert member.page.locator("form").count() == 0
    member.open()
    assert member.page.locator("a[href='/bells/compose']").count() == 0
    owner = Person(hub, open_page, role="owner", name="Mo", locale="de-DE")
    page = compose(owner)
    page.fill("[name=title]", "Hallo")
    page.wait_for_selector("[data-platform=list]:has-text('Die Seite der Glocken')")
    page.wait_for_selector("text=Sie läutet.")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.click("a.back")
    eventually(lambda: page.title() and asked == ["beforeunload"])  # a word with the page lets its events in
    assert page.input_value("[name=title]") == "Hallo", "it is not lost without a word"
    page.wait_for_selector("h2:has-text('Unterwegs')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
