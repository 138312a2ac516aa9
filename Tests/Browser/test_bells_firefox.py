"""All of the way in Firefox: the page subscribes at a push service of the tests' own and is closed, the hub rings, a
button is pressed on the desktop, and the answer is at the hub. The last test makes the README's second picture."""

import html
import json

import pytest

from agent import Agent
from bell_device import make_device
from desktop import Desktop
from firefox import Firefox
from hub import ROOT, command, eventually
from page import PICTURES
from people import own_id
from push_service import PushService

SEND = "/api/v1/notifications"
STRANGER = "[...document.querySelectorAll('bells-stranger button')].find((one) => one.textContent.includes('{}'))"
HERE = "document.querySelector('[aria-labelledby=here-title]')"


@pytest.fixture
def world(tmp_path):
    """The push service, the desktop and a Firefox that has both."""
    with PushService() as service, Desktop() as desktop, \
            Firefox(tmp_path / "profile", preferences=service.preferences, environment=desktop.environment) as browser:
        yield service, desktop, browser


def press(firefox, label):
    firefox.wait(f"[...{HERE}?.querySelectorAll('button') ?? []].some((one) => one.textContent.includes('{label}'))")
    firefox.run(f"[...{HERE}.querySelectorAll('button')].find((one) => one.textContent.includes('{label}')).click();")


def subscribe(firefox, hub):
    """Subscribes as somebody who has not signed in, and closes the page."""
    firefox.open(hub.url)
    firefox.wait(STRANGER.format("Ring me here"))
    firefox.run(STRANGER.format("Ring me here") + ".click();")
    firefox.wait("document.querySelector('bells-stranger').textContent.includes('It rings here')")
    firefox.open("about:blank")


@pytest.mark.timeout(360)
def test_a_closed_page_is_rung_and_answers(hub, world):
    _, desktop, firefox = world
    ada = hub.sign_in("member", "Ada")
    me = own_id(hub, ada)
    name, _, value = ada["Cookie"].partition("=")
    firefox.open(hub.url + "/offline")
    firefox.cookie(name, value)
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

    def last_events():
        way, = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"]
        return {event["what"] for event in way["events"][-2:]}

    # Two requests tell of them: a quick finger's answer may overtake the word that it was shown.
    eventually(lambda: last_events() == {"shown", "acted"})

    # A notification that is taken back leaves the screen.
    two = hub.post(SEND, hub.owner_token, {"to": {"person": me}, "content": {"title": "Wrong"}})[1]["id"]
    wrong = desktop.wait(lambda it: it.title == "Wrong")
    eventually(lambda: "shown" in str(hub.get(f"{SEND}/{two}", token=hub.owner_token)[1]["devices"]))
    hub.delete(f"{SEND}/{two}", hub.owner_token)
    eventually(lambda: not wrong.is_open)


# The outcome of the command, as a terminal and a desktop show it.
SCENE = """<!doctype html><meta charset="utf-8"><style>
  body {{ margin: 0; padding: 28px; width: 744px; display: grid; gap: 18px; font: 15px/1.5 system-ui, sans-serif;
    color: #1b2730; background: linear-gradient(150deg, #dfe8ee, #c3d3dd); }}
  pre {{ margin: 0; padding: 14px 18px; border-radius: 10px; white-space: pre-wrap; overflow-wrap: anywhere;
    font: 14px/1.55 ui-monospace, monospace; color: #d8e4ea; background: #17222a; }}
  pre b {{ color: #8fd7a8; font-weight: 600; }}
  pre i {{ color: #87a0ae; font-style: normal; }}
  article {{ justify-self: end; width: 350px; box-sizing: border-box; padding: 14px 18px; border-radius: 14px;
    background: #fff; box-shadow: 0 6px 24px #1b273040; }}
  article small {{ color: #5a6b76; }}
  h1 {{ margin: 2px 0 0; font-size: 17px; }}
  p {{ margin: 0; }}
</style>
<pre><i># on the machine at the door</i>
<b>$</b> {command}
{answer}</pre>
<article><small>Firefox · its page is closed</small><h1>{title}</h1><p>{body}</p></article>
<pre><i># on another machine</i>
<b>$</b> eightbells agent --hub {url} --token … --json
{line}</pre>"""


@pytest.mark.timeout(360)
def test_the_turned_sign_rings_a_closed_firefox_and_an_agent(hub_with_space, world, tmp_path, browser):
    service, desktop, firefox = world
    hub = hub_with_space
    subscribe(firefox, hub)
    with Agent(tmp_path, hub.url, secret=make_device(hub, "Bell in the kitchen", "space")["secret"]) as agent:
        eventually(lambda: agent.told("connected"))
        made = command("token", "create", "--data", hub.data, "--name", "door", "--role", "keykeeper")
        words = ["space", "open", "--by", "Ada", "--message", "Come in"]
        turned = command(*words, "--hub", hub.url, "--token", made.stdout.strip())
        assert turned.returncode == 0, turned.stderr
        shown = desktop.wait(lambda one: one.title == "Open")
        assert shown.body == "Ada has opened: Come in"
        line, = eventually(lambda: agent.told("shown"))
        assert line["content"]["body"] == shown.body and not line["repeat"]
    firefox.open(hub.url)
    firefox.wait(STRANGER.format("Not any more"))
    firefox.run(STRANGER.format("Not any more") + ".click();")
    eventually(lambda: not service.endpoints)

    line["content"] = {name: line["content"][name] for name in ("title", "body")}
    page = browser.new_page(viewport={"width": 800, "height": 400}, locale="en-GB")
    spoken = 'eightbells space open --by Ada --message "Come in"'
    page.set_content(SCENE.format(
        command=spoken, answer=html.escape(turned.stdout.strip()), title=html.escape(shown.title),
        body=html.escape(shown.body), url="https://hub.example.org", line=html.escape(json.dumps(line))))
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / "door-rings.png", full_page=True)
    page.close()


@pytest.mark.timeout(360)
def test_a_view_stands_in_a_frame_and_the_star_appears(hub, tmp_path):
    star = ROOT / "Docs/examples/star.html"
    made = command("view", "add", "--data", hub.data, "--name", "star", "--category", "like", "--file", star)
    assert made.returncode == 0, made.stderr
    ada = hub.sign_in("member", "Ada")
    me = own_id(hub, ada)
    content = {"title": "Hello", "body": "x", "category": "like", "actions": [{"id": "like", "title": "Like"}]}
    hub.post(SEND, hub.owner_token, {"to": {"person": me}, "content": content})
    with Firefox(tmp_path / "profile") as firefox:
        firefox.open(hub.url + "/offline")
        firefox.cookie(*ada["Cookie"].split("=", 1))
        firefox.open(hub.url + "/bells")
        firefox.wait("document.querySelector('.own-view[data-state=shown]')")
        height = "document.querySelector('.own-view').clientHeight"
        firefox.wait(f"{height} >= 40 && {height} <= 480")
        firefox.run("document.querySelector('[data-action=like]').click();")
        firefox.wait("document.querySelector('.bell-said')")
        firefox.wait("document.querySelector('.own-view[data-state=shown]')")
