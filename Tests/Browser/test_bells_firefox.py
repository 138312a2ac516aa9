"""All of the way in Firefox: the page subscribes at a push service of the tests' own and is closed, the hub rings, a
button is pressed on the desktop, and the answer is at the hub."""

import pathlib

import pytest

from desktop import Desktop
from firefox import FIREFOX, Firefox
from hub import eventually
from push_service import PushService

SEND = "/api/v1/notifications"
HERE = "document.querySelector('[aria-labelledby=here-title]')"


@pytest.fixture
def world(tmp_path):
    """The push service, the desktop and a Firefox that has both."""
    if not pathlib.Path(FIREFOX).exists():
        pytest.fail(f"{FIREFOX} is missing: bin/install test")
    with PushService() as service, Desktop() as desktop:
        browser = Firefox(tmp_path / "profile", preferences=service.preferences, environment=desktop.environment)
        yield service, desktop, browser
        browser.close()


def press(firefox, label):
    firefox.wait(f"[...{HERE}?.querySelectorAll('button') ?? []].some((one) => one.textContent.includes('{label}'))")
    firefox.run(f"[...{HERE}.querySelectorAll('button')].find((one) => one.textContent.includes('{label}')).click();")


@pytest.mark.timeout(180)
def test_a_closed_page_is_rung_and_answers(hub, world):
    _, desktop, firefox = world
    ada = hub.sign_in("member", "Ada")
    me = hub.get("/api/v1/session", token=ada)[1]["person"]["id"]
    name, _, value = ada["Cookie"].partition("=")
    firefox.open(hub.url + "/offline")
    firefox.cookie(hub.url, name, value)
    firefox.open(hub.url + "/bells")
    press(firefox, "Ring me here")
    firefox.wait(f"{HERE}.textContent.includes('It rings here')")

    # The test shows the way with its times.
    press(firefox, "Try it")
    desktop.wait(lambda one: one.title == "It rings")
    firefox.wait(f"{HERE}.textContent.includes('That is the whole way.')")

    firefox.open("about:blank")
    actions = [{"id": "me", "title": "I open"}, {"id": "no", "title": "I cannot"}]
    body = {"to": {"person": me}, "content": {"title": "Nobody opens", "body": "Thursday", "actions": actions}}
    one = hub.post(SEND, hub.owner_token, body)[1]["id"]
    shown = desktop.wait(lambda it: it.title == "Nobody opens")
    assert {"I open", "I cannot"} <= set(shown.actions.values())
    desktop.press(shown, "I open")

    def answered():
        items = hub.get("/api/v1/bells", token=ada)[1]["items"]
        return next((it for it in items if it["id"] == one and it["state"] == "acted"), None)

    item = eventually(answered)
    assert (item["acted"]["action"], item["acted"]["by"]) == ("me", "Ada")
    way, = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"]
    assert [event["what"] for event in way["events"]][-2:] == ["shown", "acted"]

    # What is taken back leaves the screen.
    two = hub.post(SEND, hub.owner_token, {"to": {"person": me}, "content": {"title": "Wrong"}})[1]["id"]
    wrong = desktop.wait(lambda it: it.title == "Wrong")
    eventually(lambda: "shown" in str(hub.get(f"{SEND}/{two}", token=hub.owner_token)[1]["devices"]))
    hub.delete(f"{SEND}/{two}", hub.owner_token)
    eventually(lambda: not wrong.is_open)


@pytest.mark.timeout(180)
def test_a_stranger_is_rung_about_what_is_public(hub_with_space, world):
    service, desktop, firefox = world
    hub = hub_with_space
    firefox.open(hub.url)
    find = "[...document.querySelectorAll('bells-stranger button')].find((one) => one.textContent.includes('{}'))"
    firefox.wait(find.format("Ring me here"))
    firefox.run(find.format("Ring me here") + ".click();")
    firefox.wait("document.querySelector('bells-stranger').textContent.includes('It rings here')")
    firefox.open("about:blank")
    body = {"to": {"topic": "space"}, "content": {"title": "Open", "body": "Come in"}}
    assert hub.post(SEND, hub.owner_token, body)[0] == 202
    desktop.wait(lambda one: one.title == "Open")
    firefox.open(hub.url)
    firefox.wait(find.format("Not any more"))
    firefox.run(find.format("Not any more") + ".click();")
    eventually(lambda: not service.endpoints)
