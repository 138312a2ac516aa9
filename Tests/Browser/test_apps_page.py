"""The apps' pages with the real hub: an app is made, its page shows what passes, and sends."""

import json
import time

import pytest
from axe_playwright_python.sync_playwright import Axe

from live import connected, Listener
from page import DESKTOP, PHONE, SMALL, wait_until
from parse_client import Parse

AXE = {"runOnly": ["wcag2a", "wcag2aa"]}


def test_an_app_is_made_on_the_page_and_what_passes_in_it_is_seen_there(open_page, hub_with_space):
    hub = hub_with_space
    page = open_page(viewport=DESKTOP)
    hub.sign_in_browser(page.context, "owner")
    page.goto(f"{hub.url}/apps")
    page.wait_for_selector(".empty:has-text('There is no app yet.')")
    assert not page.locator("#app-name:invalid").count(), "Firefox would say so before anything is typed"
    # Also without a focus, after a moment.
    wait_until(page, "performance.getEntriesByName(`${location.origin}/focus.js`).length === 1")
    page.wait_for_timeout(200)
    page.click("button:has-text('Make an app')")
    page.wait_for_selector("#app-name:invalid:focus")
    page.fill("#app-name", "Word game")
    page.click("button:has-text('Make an app')")
    shown = page.locator(".once output")
    shown.nth(2).wait_for()
    key, secret, _ = shown.all_inner_texts()
    page.click(".app-row:has-text('Word game')")
    page.wait_for_selector("h1:has-text('Word game')")
    assert key in page.locator(".channels .lines").inner_text() and secret not in page.content()
    page.wait_for_selector(".log-state:has-text('live')")
    app = page.url.rsplit("/", 1)[1]
    # The console is watched from the moment at which the page's channel is there.
    with page.expect_response(lambda answer: answer.url.endswith(f"/{app}/console") and answer.status == 204):
        page.reload()
    with connected(hub.socket_url.replace("/app/eightbells", f"/app/{key}")) as socket:
        listener = Listener(socket)
        listener.expect("pusher:connection_established")
        listener.subscribe("lobby")
        page.wait_for_selector(".logbook li:has-text('subscribed'):has-text('lobby')")
        page.click(".channels button:has-text('lobby')")
        page.fill("[name=name]", "hello")
        page.fill("[name=data]", '{"text": "Ahoy"}')
        page.click(".send-event button")
        assert listener.expect("hello") == {"text": "Ahoy"}
        entry = page.locator(".logbook li", has_text="hello")
        entry.wait_for()
        assert json.loads(entry.locator("code").inner_text()) == {"text": "Ahoy"}
        page.click("button:has-text('Hold')")
        page.fill("[name=data]", "7")
        page.click(".send-event button")
        assert listener.expect("hello") == 7
        page.wait_for_selector(".log-state:has-text('held, 1 new')")
        assert page.locator(".logbook li", has_text="hello").count() == 1
        page.click("button:has-text('Go on')")
        wait_until(page, "[...document.querySelectorAll('.logbook b')].filter((b) => b.innerText === 'hello')[1]")
        listener.send("pusher:subscribe", {"channel": "private-a", "auth": f"{key}:00"})
        page.wait_for_selector(".logbook li[data-kind=refused]:has-text('private-a')")


def test_options_act_at_once_and_an_app_is_removed_after_one_question(open_page, hub_with_space):
    hub = hub_with_space
    made = json.loads(hub.command("app", "create", "--name", "Word game").stdout)
    page = open_page(viewport=DESKTOP)
    hub.sign_in_browser(page.context, "owner")
    page.goto(f"{hub.url}/apps/{made['app_id']}")
    page.click("label.switch:has-text('Who comes back')")
    page.wait_for_selector(".saved:has-text('Saved')")
    options = hub.get(f"/api/v1/apps/{made['app_id']}", token=hub.owner_token)[1]["options"]
    assert (options["history_seconds"], options["history_events"]) == (120, 100)
    page.fill("#master-networks", "foo")
    page.keyboard.press("Tab")
    page.wait_for_selector("#master-networks[aria-invalid=true]")
    assert page.inner_text("#master-networks-error").startswith("Not a range of addresses: foo;")
    page.fill("#master-networks", "10.0.0.0/8")
    page.keyboard.press("Tab")
    page.wait_for_selector("label[for=master-networks] .saved:has-text('Saved')")
    page.wait_for_selector("#master-networks:not([aria-invalid])")
    # A switch whose change could not be saved does not stay turned.
    enabled = page.locator("label.switch:has-text('The app is on')")
    page.route(f"**/api/v1/apps/{made['app_id']}", lambda route: route.abort() if route.request.method == "PATCH"
               else route.continue_())
    enabled.click()
    page.wait_for_selector(".options .note")
    assert enabled.get_by_role("switch").is_checked()
    page.unroute_all()
    assert str(time.localtime().tm_year) in page.locator(".keys small").first.inner_text()
    page.click("button:has-text('New secret')")
    page.wait_for_selector("dialog button:has-text('Not now'):focus")  # Enter pressed twice makes none
    page.click("dialog button:has-text('Make it')")
    assert page.locator(".keys .once output").nth(1).inner_text() != made["secret"]
    page.wait_for_selector(".keys .once:focus")
    page.click("button:has-text('Delete this app')")
    page.click("dialog button:has-text('Delete it')")
    page.wait_for_url(f"{hub.url}/apps")
    page.wait_for_selector(".empty")
    page.goto(f"{hub.url}/apps/{made['app_id']}")
    page.wait_for_selector("h1:has-text('There is no such app.')")


def test_a_full_app_says_so_on_its_page_until_its_owner_raises_the_limit(open_page, hub_with_space):
    hub = hub_with_space
    made = json.loads(hub.command("app", "create", "--name", "Word game").stdout)
    client = Parse(hub.port, made)
    client.create("Note", text="Ahoy")
    page = open_page(viewport=DESKTOP)
    hub.sign_in_browser(page.context, "owner")
    page.goto(f"{hub.url}/apps/{made['app_id']}")
    page.wait_for_selector(".usage dd:has-text('1 of 10,000,000')")
    assert page.locator(".console-head .tag").count() == 0
    limit = page.locator(".options label.field", has_text="Objects").first.locator("input")
    limit.fill("1")
    limit.press("Enter")
    page.wait_for_selector(".console-head .tag:has-text('full')")
    page.wait_for_selector(".usage p:has-text('The app is full')")
    assert client.code("POST", "classes/Note", {}) == 140
    limit.fill("2")
    limit.press("Enter")
    page.wait_for_selector(".usage dd:has-text('1 of 2')")
    assert page.locator(".console-head .tag").count() == 0
    client.create("Note", text="Ahoy")


def test_a_member_is_not_shown_the_way_and_told_whose_page_it_is(open_page, demo_hub):
    page = open_page()
    demo_hub.sign_in_browser(page.context, "member")
    page.goto(f"{demo_hub.url}/apps")
    page.wait_for_selector("h1:has-text('This page is for owners.')")
    assert page.locator(".nav a[href='/apps']").count() == 0


@pytest.mark.parametrize("locale, scheme", [("en-GB", "light"), ("de-DE", "dark")])
def test_every_width_is_laid_out_and_read_by_everybody(open_page, demo_hub, locale, scheme):
    page = open_page(viewport=SMALL, locale=locale, color_scheme=scheme)
    demo_hub.sign_in_browser(page.context, "owner")
    page.goto(f"{demo_hub.url}/apps")
    page.click(".app-row")
    page.wait_for_selector(".usage-bars", state="attached")
    for viewport in (SMALL, PHONE, {"width": 768, "height": 1024}, {"width": 1024, "height": 768}, DESKTOP):
        page.set_viewport_size(viewport)
        for part in range(5 if viewport["width"] < 768 else 1):
            if viewport["width"] < 768:
                page.locator(".views button").nth(part).click()
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], (viewport, part)
    found = Axe().run(page, options=AXE).response["violations"]
    assert found == [], [(one["id"], one["nodes"][0]["html"]) for one in found]
