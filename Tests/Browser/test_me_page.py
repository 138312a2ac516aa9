"""The page about oneself in a real browser: devices, a lost one, and passkeys."""

import pytest

from hub import eventually
from page import SMALL, launch, wait_until
from people_pages import authenticator, owner, people, place, read_qr, who


def test_devices_are_named_added_and_signed_out(hub, owner, place, people):
    owner.goto(f"{place}/me")
    owner.wait_for_selector("me-devices li .tag:has-text('this one')")
    owner.click("me-devices button:has-text('Rename')")
    owner.fill("dialog input", "Ada's laptop")
    owner.click("dialog button:has-text('Save')")
    owner.wait_for_selector("me-devices li:has-text(\"Ada's laptop\")")

    owner.click("button:has-text('Add another device')")
    wait_until(owner, "document.activeElement.matches('me-devices .link-panel')")
    phone = people()
    phone.goto(read_qr(owner))
    phone.wait_for_selector("h1:has-text('Hello Ada')")
    phone.click("button:has-text('Sign this device in')")
    phone.wait_for_selector("h1:has-text('Welcome aboard, Ada')")
    owner.wait_for_selector(".link-end:has-text('Done')")
    owner.wait_for_selector("me-devices li:nth-child(2)")

    # A device that is lost is signed out on the one that it has let in.
    phone.goto(f"{place}/me")
    phone.click("me-devices li:not([data-current]) button:has-text('Sign out')")
    phone.wait_for_selector("dialog:has-text('Signed in through it: Chrome on Linux.')")
    phone.click("dialog button:has-text('Cancel')")

    row = owner.locator("me-devices li:not([data-current])")
    row.locator("button:has-text('Sign out')").click()
    owner.click("dialog button:has-text('Cancel')")
    assert who(phone)["name"] == "Ada"
    # A link that is open ends with the device: nobody was let in by it.
    owner.click(".link-end ~ .row button:has-text('Close')")
    owner.click("button:has-text('Add another device')")
    owner.wait_for_selector(".qr")
    row.locator("button:has-text('Sign out')").click()
    owner.click("dialog button:has-text('Sign out')")
    owner.wait_for_selector("me-devices li:nth-child(2)", state="detached")
    assert who(phone) is None
    owner.wait_for_selector(".link-end:has-text('no longer good')")
    owner.click("button:has-text('Sign this device out')")
    owner.wait_for_selector("dialog:has-text('only device'):has-text('eightbells link')")
    owner.click("dialog button.danger")
    owner.wait_for_selector("text=Nobody is signed in here")
    assert who(owner) is None


def test_a_link_that_could_not_be_taken_back_is_still_shown(owner, place):
    owner.goto(f"{place}/me")
    owner.click("button:has-text('Add another device')")
    owner.wait_for_selector(".qr")
    owner.route("**/api/v1/links/*", lambda route: route.abort())
    owner.click("button:has-text('Withdraw it')")
    owner.wait_for_selector(".link-panel .note:has-text('cannot be reached')")
    owner.unroute("**/api/v1/links/*")
    owner.click("button:has-text('Withdraw it')")
    owner.wait_for_selector(".link-panel", state="detached")


def test_a_link_is_looked_at_once_the_hub_can_be_reached(owner, place, people):
    owner.goto(f"{place}/me")
    owner.click("button:has-text('Add another device')")
    phone = people()
    phone.route("**/links/look", lambda route: route.abort())
    phone.goto(read_qr(owner))
    phone.wait_for_selector(".note[role=alert]:has-text('cannot be reached')")
    phone.unroute("**/links/look")
    phone.wait_for_selector("h1:has-text('Hello Ada')")
    assert phone.locator(".note[role=alert]").count() == 0


def test_whoever_heard_no_answer_is_signed_in_by_the_same_link_once_more(hub, place, people):
    def lose(route):
        asked = route.request
        if asked.method != "POST":
            return route.continue_()
        fields = {"Content-Type": "application/json", "Idempotency-Key": asked.headers["idempotency-key"]}
        answer = hub.request("POST", "/api/v1/session", fields, asked.post_data)
        assert answer.status == 200, answer.body
        return route.abort()

    phone = people()
    phone.goto(f"{place}/join#{hub.link('keykeeper', 'Kim')[0]}")
    phone.route("**/api/v1/session", lose)
    phone.click("button:has-text('Come aboard')")
    phone.wait_for_selector(".note[role=alert]:has-text('cannot be reached')")
    assert who(phone) is None
    phone.unroute("**/api/v1/session")
    phone.click("button:has-text('Come aboard')")
    phone.wait_for_selector("h1:has-text('Welcome aboard, Kim')")
    assert who(phone)["name"] == "Kim"


def test_what_tells_of_alarms_is_asked_for_until_it_comes(hub, people):
    page = people()
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # as over plain HTTP
    hub.sign_in_browser(page.context, "member", "Ben")
    page.route("**/elsewhere.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(f"{hub.url}/me")
    page.unroute("**/elsewhere.js")
    wait_until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/v1/bells'))")


def test_the_way_back_and_a_reload_lead_to_where_one_was(owner, place):
    owner.set_viewport_size(SMALL)
    owner.goto(f"{place}/me")
    wait_until(owner, "(scrollTo(0, 300), history.state?.y === 300)")
    owner.goto(f"{place}/search")
    owner.go_back()
    wait_until(owner, "location.pathname === '/me' && scrollY === 300")
    owner.reload()
    wait_until(owner, "scrollY === 300")


def test_on_a_clock_an_hour_ahead_a_link_is_good_and_a_tab_of_before_learns_who_signed_in(owner, place, people):
    owner.add_init_script("(() => { const now = Date.now; Date.now = () => now() + 3_600_000; })();")
    owner.goto(f"{place}/me")
    owner.click("button:has-text('Add another device')")
    owner.wait_for_selector(".link-left:has-text('good for 9:')")
    tab = people()
    tab.goto(f"{place}/me")
    tab.wait_for_selector("text=Nobody is signed in here")
    other = tab.context.new_page()
    other.goto(read_qr(owner))
    other.click("button:has-text('Sign this device in')")
    tab.wait_for_selector("me-devices li .tag:has-text('this one')")


KEPT = """(only) => new Promise((resolve) => {
  indexedDB.open('eightbells').onsuccess = ({ target: { result: database } }) => {
    const names = only ? [only] : Array.from(database.objectStoreNames);
    const transaction = database.transaction(names);
    const found = names.map((name) => transaction.objectStore(name).getAll());
    transaction.oncomplete = () => {
      database.close();
      resolve(JSON.stringify(found.map((request) => request.result)));
    };
  };
})"""


def test_who_is_signed_in_is_kept_for_them_alone_from_the_first_moment(owner):
    owner.wait_for_selector(".nav a[href='/me']")
    eventually(lambda: "Ada" in owner.evaluate(KEPT, "mine"))
    assert "Ada" not in owner.evaluate(KEPT, "answers")


@pytest.mark.parametrize("how", ["here", "elsewhere"])
def test_what_was_kept_for_somebody_goes_when_they_sign_out(hub, owner, place, how):
    hub.configure(name="Everybody's space")
    follow = """(url) => fetch('/api/v1/space/followed', { method: 'POST', body: JSON.stringify({ url, for: 'me' }) })
      .then((answer) => answer.ok)"""
    assert owner.evaluate(follow, "https://secret-friend.example/spaceapi.json")
    owner.goto(f"{place}/")
    eventually(lambda: "secret-friend" in owner.evaluate(KEPT))
    if how == "elsewhere":
        mine = hub.sign_in("owner", "Ada")
        lost = next(one for one in hub.get("/api/v1/devices", mine)[1] if not one["current"])
        assert hub.delete(f"/api/v1/devices/{lost['id']}", mine)[0] == 204
        owner.goto(f"{place}/me")
    else:
        owner.goto(f"{place}/me")
        owner.click("button:has-text('Sign this device out')")
        owner.click("dialog button.danger")
    owner.wait_for_selector("text=Nobody is signed in here")
    eventually(lambda: "secret-friend" not in owner.evaluate(KEPT))
    assert "Ada" not in owner.evaluate(KEPT)
    owner.goto(f"{place}/")
    eventually(lambda: "Everybody's space" in owner.evaluate(KEPT))
    assert "secret-friend" not in owner.evaluate(KEPT)


def test_somebody_leaves_for_good(hub, owner, place):
    hub.sign_in("owner", "Olga")
    owner.goto(f"{place}/me")
    owner.click("button:has-text('Leave for good')")
    assert "passkeys" in owner.inner_text("dialog[open]")
    owner.click("dialog button.danger")
    owner.wait_for_selector("text=Nobody is signed in here")


def test_a_lost_device_is_signed_out_with_what_was_made_on_it(hub, owner, place, people):
    owner.goto(f"{place}/me")
    owner.click("button:has-text('Add another device')")
    phone = people()
    phone.goto(read_qr(owner))
    phone.click("button:has-text('Sign this device in')")
    phone.wait_for_selector("h1:has-text('Welcome aboard, Ada')")
    phone.evaluate("""async () => {
      const post = (url, body) => fetch(url, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      await post('/api/v1/tokens', { name: 'door contact', role: 'sensor' });
      await post('/api/v1/links', { role: 'member', name: 'Kim', valid_s: 86400 });
    }""")
    owner.reload()
    row = owner.locator("me-devices li:not([data-current])")
    row.locator("button:has-text('Sign out')").click()
    said = owner.locator("dialog[open]").inner_text()
    assert "Made on it: the token “door contact”, an open link for Kim." in said
    box = owner.get_by_label("End these, too")
    assert box.is_checked()
    box.uncheck()
    owner.click("dialog button:has-text('Cancel')")
    row.locator("button:has-text('Sign out')").click()
    assert box.is_checked()
    owner.click("dialog button.danger")
    row.wait_for(state="detached")
    owner.goto(f"{place}/people")
    owner.wait_for_selector("people-audit .log li:has-text('Ada signed a device out')")
    owner.wait_for_selector("people-audit .log li:has-text('Ada revoked a token: door contact')")
    owner.wait_for_selector("people-audit .log li:has-text('Ada withdrew a link for Kim')")
    assert owner.locator("people-tokens li").count() == 0

    # A device that is given away, not lost, keeps what was made on it.
    owner.fill("#token-name", "script")
    owner.click("button:has-text('Make a token')")
    owner.wait_for_selector("people-tokens li:has-text('script')")
    laptop = people()
    laptop.goto(f"{place}/join#{hub.link('owner', 'Ada')[0]}")
    laptop.click("button.primary")
    laptop.wait_for_selector("h1:has-text('Welcome aboard, Ada')")
    laptop.goto(f"{place}/me")
    laptop.locator("me-devices li:not([data-current]) button:has-text('Sign out')").click()
    laptop.wait_for_selector("dialog:has-text('the token “script”')")
    laptop.get_by_label("End these, too").uncheck()
    laptop.click("dialog button.danger")
    laptop.locator("me-devices li:not([data-current])").wait_for(state="detached")
    assert who(owner) is None
    laptop.goto(f"{place}/people")
    laptop.wait_for_selector("people-tokens li:has-text('script')")


def test_the_page_about_oneself_follows_what_other_devices_do(hub, owner, place, people):
    """No part of the page polls: the hub sends events on the person's channel."""
    owner.goto(f"{place}/me")
    owner.wait_for_selector("me-devices li")
    owner.evaluate("document.querySelector('me-devices li').dataset.stays = true")
    phone = people()
    phone.goto(f"{place}/join#{hub.link('owner', 'Ada')[0]}")
    phone.click("button.primary")
    phone.wait_for_selector("h1:has-text('Welcome aboard, Ada')")
    owner.wait_for_selector("me-devices li:nth-child(2)")
    assert owner.locator("me-devices li[data-stays]").count() == 1, "a row that is the same stays"
    phone.goto(f"{place}/me")
    phone.locator("me-devices li[data-current] button:has-text('Rename')").click()
    phone.fill("dialog input", "Ada's phone")
    phone.click("dialog button:has-text('Save')")
    owner.wait_for_selector("me-devices li:has-text(\"Ada's phone\")")
    phone.click("me-card button:has-text('Rename')")
    phone.fill("dialog input", "Ada Lovelace")
    phone.click("dialog button:has-text('Save')")
    owner.wait_for_selector("h1:has-text('Ada Lovelace')")
    owner.locator("me-devices li:has-text(\"Ada's phone\") button:has-text('Sign out')").click()
    owner.click("dialog button.danger")
    phone.wait_for_selector("text=Nobody is signed in here")
    # After reconnecting, the page catches up with the changes meanwhile.
    hub.stop()
    hub.start()
    hub.sign_in("owner", "Ada Lovelace", device="tablet")
    owner.wait_for_selector("me-devices li:has-text('tablet')", timeout=60_000)


def test_a_passkey_lets_in_when_all_links_and_devices_are_lost(hub, owner, place):
    session, device = authenticator(owner)
    owner.goto(f"{place}/me")
    owner.wait_for_selector("text=You have none yet.")
    owner.click("button:has-text('Make a passkey')")
    owner.wait_for_selector("text=The passkey is made.")
    (credential,) = session.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    assert credential["isResidentCredential"] and credential["rpId"] == "localhost"
    # A second one on the same authenticator would be useless.
    owner.click("button:has-text('Make a passkey')")
    owner.wait_for_selector(".note:has-text('holds one of your passkeys already')")

    owner.click("me-passkeys button:has-text('Rename')")
    owner.fill("dialog input", "Ada's thumb")
    owner.click("dialog button:has-text('Save')")
    owner.wait_for_selector("me-passkeys li:has-text(\"Ada's thumb\")")

    owner.context.clear_cookies()  # the browser has lost everything
    for _ in range(2):
        owner.goto(f"{place}/me")
        owner.click("button:has-text('Sign in with a passkey')")
        owner.wait_for_selector("h1:has-text('Ada')")
        assert who(owner)["role"] == "owner"
        owner.wait_for_selector("me-passkeys li:has-text('last used just now')")
        owner.click("button:has-text('Sign this device out')")
        owner.click("dialog button.danger")
        owner.wait_for_selector("text=Nobody is signed in here")
    # Browsers without conditional mediation have the button.
    owner.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    owner.goto(f"{place}/join")
    owner.click("button:has-text('Sign in with a passkey')")
    owner.wait_for_selector("h1:has-text('Welcome aboard, Ada')")

    owner.goto(f"{place}/me")
    owner.click("me-passkeys button:has-text('Remove')")
    owner.click("dialog button.danger")
    owner.wait_for_selector("text=You have none yet.")
    owner.context.clear_cookies()
    owner.goto(f"{place}/join")
    owner.click("button:has-text('Sign in with a passkey')")
    owner.wait_for_selector(".note:has-text('does not know the passkey')")
    assert who(owner) is None


def test_a_passkey_is_offered_to_who_came_by_a_link_and_has_none(hub, owner, place, people):
    def link():
        return f"{place}/join#{hub.link('member', 'Mia')[0]}"

    page = people()
    authenticator(page)
    page.goto(link())
    page.click("button.primary")
    page.wait_for_selector("h1:has-text('Welcome aboard, Mia')")
    page.click(".offer button:has-text('Make a passkey')")
    page.wait_for_selector("[role=status]:has-text('The passkey is made.')")
    assert page.locator(".offer").count() == 0
    # Whoever has one is not asked again, neither after a link nor after the passkey itself.
    page.goto(link())
    page.click("button.primary")
    page.wait_for_selector("h1:has-text('Welcome aboard, Mia')")
    page.wait_for_timeout(1_500)  # in which it would come
    assert page.locator(".offer").count() == 0


def test_a_passkey_is_offered_in_the_field_right_away(owner, place):
    session, device = authenticator(owner)
    owner.goto(f"{place}/me")
    owner.click("button:has-text('Make a passkey')")
    owner.wait_for_selector("text=The passkey is made.")
    owner.context.clear_cookies()
    owner.goto(f"{place}/join")
    # The browser consents at once: the test's authenticator is always touched.
    owner.wait_for_selector("h1:has-text('Welcome aboard, Ada')")
    assert who(owner)["name"] == "Ada"
    # A passkey that the hub has deleted meanwhile is offered all the same; the failure is explained.
    owner.goto(f"{place}/me")
    owner.click("me-passkeys button:has-text('Remove')")
    owner.click("dialog button.danger")
    owner.wait_for_selector("text=You have none yet.")
    owner.context.clear_cookies()
    owner.goto(f"{place}/join")
    owner.wait_for_selector(".note:has-text('does not know the passkey')")
    assert who(owner) is None and owner.locator("input[name=code]").is_visible()


def test_who_has_no_passkey_to_choose_is_told_where_one_comes_from(owner, place):
    authenticator(owner)  # it holds no passkey
    owner.goto(f"{place}/join")
    owner.click("button:has-text('Sign in with a passkey')")
    owner.wait_for_selector(".note:has-text('Nothing was chosen')")


def test_the_offer_in_the_field_comes_back_when_the_button_led_to_nothing(owner, place):
    authenticator(owner)  # it holds no passkey
    owner.add_init_script("""
      window.asked = [];
      const { get } = CredentialsContainer.prototype;
      CredentialsContainer.prototype.get = function (options) {
        asked.push(options);
        return get.call(this, options);
      };""")
    owner.goto(f"{place}/join")
    wait_until(owner, "asked.at(-1)?.mediation === 'conditional'")
    owner.click("button:has-text('Sign in with a passkey')")
    owner.wait_for_selector(".note:has-text('Nothing was chosen')")
    wait_until(owner, "asked.length === 3 && asked[2].mediation === 'conditional' && !asked[2].signal.aborted")
    assert owner.evaluate("asked[0].signal.aborted && asked[1].mediation === undefined")


def test_at_a_number_the_page_says_why_there_are_no_passkeys(hub, people):
    page = people()
    hub.sign_in_browser(page.context, "member", "Ada")
    page.goto(f"{hub.url}/me")
    page.wait_for_selector("me-passkeys .note:has-text('This address is a number, for which')")
    assert page.locator("button:has-text('passkey')").count() == 0


def test_over_plain_http_the_page_says_which_condition_of_passkeys_is_not_met(browser, hub_with_space):
    hub, host = hub_with_space, "hub.example"
    elsewhere = launch(browser.browser_type, f"--host-resolver-rules=MAP {host} 127.0.0.1")
    try:
        context = elsewhere.new_context(locale="en-GB")
        page = context.new_page()
        complaints = []
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        base = f"http://{host}:{hub.port}"
        name, _, value = hub.sign_in("member", "Ada")["Cookie"].partition("=")
        context.add_cookies([{"name": name, "value": value, "url": base, "httpOnly": True, "sameSite": "Lax"}])
        page.goto(f"{base}/me")
        page.wait_for_selector("me-passkeys .note:has-text('This address has a name, but no HTTPS')")
        assert "Passkeys need HTTPS and a host name." in page.inner_text("me-passkeys .note")
        assert complaints == [], "the browser heeds every header that it gets"
    finally:
        elsewhere.close()
