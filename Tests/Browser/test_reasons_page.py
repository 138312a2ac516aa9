"""Errors in German: the hub's reasons come with codes, for which pages have words."""

import json
import re

import pytest

from hub import eventually
from page import LIMIT, PHONE

CALENDARS = "/api/v1/space/calendars"
OTHER = json.dumps({"api_compatibility": ["15"], "space": "Südpol", "contact": {}, "state": {"open": True}})


@pytest.fixture
def visit(browser, make_hub):
    """visit(hub, path, role): a page in German."""
    contexts, troubles = [], []

    def visit(hub, path, role="owner", locale="de-DE", before=None, **options):
        context = browser.new_context(
            viewport=PHONE, locale=locale, timezone_id="Europe/Berlin", **options)
        contexts.append(context)
        if before:
            context.add_init_script(before)
        hub.sign_in_browser(context, role)
        page = context.new_page()
        page.set_default_timeout(LIMIT)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(hub.url + path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert troubles == []


def calendar_with(hub, calendar_server, **page):
    url = calendar_server.serve("/ours.ics", **page)
    hub.configure(calendars=[{"kind": "ics", "url": url, "name": "Ours"}])

    def looked_at():
        one = hub.get(CALENDARS, token=hub.owner_token)[1]["calendars"][0]
        return one if one["looked_at"] else None

    return eventually(looked_at)


def test_why_a_calendar_cannot_be_read(hub, calendar_server, visit):
    one = calendar_with(hub, calendar_server, status=503)
    assert one["problem"] == "the server answered 503"
    assert one["reason"] == {"code": "server-answered", "text": one["problem"], "values": {"status": 503}}
    assert hub.sources()[0]["reason"] == one["reason"]
    page = visit(hub, "/settings/programme")
    page.get_by_text("Er ist nicht zu lesen: Der Server dort antwortete mit 503").wait_for()
    page.goto(hub.url)
    page.get_by_text("nicht zu bekommen: Der Server dort antwortete mit 503").wait_for()
    english = visit(hub, "/settings/programme", locale="en-GB")
    english.get_by_text("It cannot be read: the server answered 503").wait_for()


def test_a_reason_outlives_a_restart(hub, calendar_server):
    reason = calendar_with(hub, calendar_server, status=503)["reason"]
    hub.stop()
    calendar_server.serve("/ours.ics", how="silence")
    hub.start()
    assert hub.sources()[0]["reason"]["code"] in (reason["code"], "answer-broken")
    assert hub.sources()[0]["reason"]["text"]


def test_what_was_left_out_of_a_calendar(hub, calendar_server, visit):
    text = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n"
            "DTSTART:20301120T180000Z\r\nSUMMARY:Löten\r\nRRULE:FREQ=SOMETIMES\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    one = calendar_with(hub, calendar_server, body=text.encode())
    assert [reason["text"] for reason in one["warning_reasons"]] == one["warnings"] != []
    page = visit(hub, "/settings/programme")
    page.get_by_text("„Löten“ (UID 1, Zeile 4): die Regel „FREQ=SOMETIMES“ ist nicht zu lesen; "
                     "die Regel wird weggelassen").wait_for()


def test_what_was_sent_and_not_taken(hub_with_space, visit, tmp_path):
    page = visit(hub_with_space, "/settings/space")
    broken = tmp_path / "logo.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR")
    page.locator(".picture input[type=file]").first.set_input_files(broken)
    main = page.locator("main")
    main.get_by_text("Das Bild wurde nicht angenommen: Das Bild ist nicht in Ordnung. Das Bild bricht ab.").wait_for()
    page.goto(hub_with_space.url + "/settings/programme")
    empty = tmp_path / "empty.ics"
    empty.write_bytes(b" ")
    page.locator("#add-calendar input[type=file]").set_input_files(empty)
    main.get_by_text("Die Datei wurde nicht angenommen: Die Datei ist nicht zu gebrauchen. Der Kalender ist leer."
                     ).wait_for()
    page.get_by_role("button", name="Mit seiner Adresse").click()
    page.get_by_label("Adresse", exact=True).last.fill("file:/etc/passwd")
    page.locator(".save-bar button").click()
    page.get_by_text("Diese Datei darf der Server nicht lesen").wait_for()


def test_another_space_answers_without_a_reload(hub_with_space, calendar_server, visit):
    good = calendar_server.serve("/good.json", OTHER, content_type="application/json")
    missing = f"{calendar_server.url}/missing.json"
    page = visit(hub_with_space, "/")
    page.get_by_text("Einem weiteren Space folgen").click()
    address = page.get_by_label("Adresse seines SpaceAPI-Dokuments")
    for url, role in ((good, "Für alle"), (missing, "Für alle")):
        address.fill(url)
        page.get_by_role("button", name=role).click()
    page.wait_for_selector('.other[data-kind="open"]:has-text("Südpol")')
    host = calendar_server.url.partition("//")[2]
    row = page.locator(".other", has_text=host)
    row.get_by_text("nicht zu lesen: Der Server dort antwortete mit 404").wait_for()
    settings = visit(hub_with_space, "/settings/space")
    settings.get_by_text("Der Server dort antwortete mit 404").wait_for()
    settings.locator("#field-follow").fill(good + "?again")
    settings.get_by_role("button", name="Folgen", exact=True).click()
    settings.locator("li", has_text="?again").get_by_text("Der Server dort antwortete mit 404").wait_for()


def test_without_the_words_for_what_went_wrong_the_page_has_some(hub_with_space, visit):
    # As over plain HTTP: nothing is stored on the device.
    page = visit(hub_with_space, "/", before="delete Navigator.prototype.serviceWorker")
    page.get_by_text("Einem weiteren Space folgen").click()
    page.get_by_label("Adresse seines SpaceAPI-Dokuments").fill("ftp://space.example/spaceapi.json")
    follow = page.get_by_role("button", name="Für mich")
    error = page.locator("#follow-error")
    page.route("**/errors.js", lambda route: route.abort())
    follow.click()
    error.get_by_text("Der Server hat es nicht angenommen.", exact=True).wait_for()
    page.unroute("**/errors.js")
    follow.click()
    error.get_by_text("Etwas davon geht so nicht.").wait_for()
    hub_with_space.kill()
    follow.click()
    error.get_by_text("Der Server ist nicht erreichbar.").wait_for()


def test_who_may_not_turn_the_sign_any_more_has_no_switch(hub_with_space, visit):
    page = visit(hub_with_space, "/", role="keykeeper")
    page.wait_for_selector("space-switch button")
    page.wait_for_selector('.sign-line[data-line="live"]')
    hub_with_space.patch("/api/v1/people/1", hub_with_space.owner_token, {"role": "member"})
    people = hub_with_space.get("/api/v1/people", token=hub_with_space.owner_token)[1]
    assert [one["role"] for one in people] == ["member"]
    page.get_by_role("button", name="Space öffnen").wait_for(state="hidden")


def test_a_device_without_a_name_is_called_in_the_readers_language(hub, visit):
    agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
    page = visit(hub, "/me", user_agent=agent)
    secret = hub.link("owner", "Test owner")[0]
    answer = hub.request("POST", "/api/v1/session", {"Origin": hub.url, "User-Agent": agent},
                         json.dumps({"link": secret}))
    assert answer.json["device"]["name"] == "Chrome on Linux"
    page.reload()
    page.get_by_text("Chrome unter Linux", exact=True).first.wait_for()
    page.goto(hub.url + "/people")
    page.get_by_text(re.compile("hat ein Gerät angemeldet: Chrome unter Linux")).first.wait_for()
    page.evaluate("""async () => {
      const devices = await (await fetch('/api/v1/devices')).json();
      const { id } = devices.find(({ name }) => name === 'Chrome on Linux');
      const answer = await fetch(`/api/v1/devices/${id}`, {
        method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name: 'Laptop' }) });
      if (!answer.ok) throw new Error(answer.status);
    }""")
    page.reload()
    page.get_by_text("hat ein Gerät umbenannt: Chrome unter Linux → Laptop").wait_for()
