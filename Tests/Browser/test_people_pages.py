"""The pages of people in a real browser: owner, keykeeper, member and stranger, by link, QR code, code and passkey."""

import re

import pytest

from hub import STATE, eventually
from page import SMALL, overflow, tell_updated, wait_kept, wait_until
from people_pages import owner, people, place, read_qr, set_up_link, who
from readable import axe_in_both


def make_invitation(owner, place, role, name=""):
    """Adds a person as an owner does on /people."""
    owner.goto(f"{place}/people")
    owner.check(f"people-invite input[value={role}]")
    owner.fill("#invite-name", name)
    owner.click("button:has-text('Make the invitation')")
    owner.wait_for_selector(".link-panel .qr")


def type_keys(page, keys):
    """One key after the other, as soon as the field is seen: what is not seen yet has no focus."""
    page.click("input[name=code]")
    page.keyboard.type(keys)


def type_code(page, place, code):
    page.goto(f"{place}/join")
    type_keys(page, code)
    page.click("button:has-text('Next')")


def may(page):
    """The rights of a page's person: statuses of turning the sign, of reading people, of adding a device."""
    return page.evaluate("""async () => {
      const ask = async (method, url, body) => (await fetch(url, {
        method, body: body && JSON.stringify(body), headers: body ? { 'Content-Type': 'application/json' } : {},
      })).status;
      return {
        turn: await ask('POST', '/api/v1/space/state', { open: true }),
        people: await ask('GET', '/api/v1/people'),
        invite: await ask('POST', '/api/v1/links', { role: 'owner' }),
        devices: await ask('GET', '/api/v1/devices'),
      };
    }""")


def test_among_many_people_one_is_found_by_name_or_role_and_invites_without_a_long_way(hub, owner, place):
    owner.goto(f"{place}/people")
    owner.wait_for_selector("people-list .name:has-text('Ada')")
    assert owner.locator("#people-find").count() == 0, "few are seen at once"
    for name in ("zoe", "Özlem", "Olga", *(f"P{number}" for number in range(12))):
        hub.sign_in("keykeeper" if name == "Olga" else "member", name)
    owner.reload()
    owner.wait_for_selector("#people-find")
    names = [name.split()[0] for name in owner.locator("people-list .name").all_inner_texts()]
    assert names[:4] == ["Ada", "Olga", "Özlem", "P0"] and names[-2:] == ["P11", "zoe"]
    assert owner.locator("people-list select").count() == 0, "nobody has opened one"
    owner.fill("#people-find", "oezlem")
    wait_until(owner, "document.querySelectorAll('people-list li:not([hidden])').length === 1")
    owner.fill("#people-find", "keykeeper")
    owner.wait_for_selector("people-list [role=status]:has-text('1 of 16')")
    assert owner.locator("people-list .name:visible").inner_text().startswith("Olga")
    owner.click("people-list a:has-text('Invite somebody')")
    wait_until(owner, "document.querySelector('people-invite').getBoundingClientRect().top < innerHeight / 2")


def test_owner_by_link_keykeeper_by_qr_another_by_code_a_member_and_a_stranger(hub, owner, place, people):
    hub.configure()
    make_invitation(owner, place, "keykeeper", "Grace")
    link = read_qr(owner)
    assert link == owner.locator(".link-panel a").get_attribute("href") and link.startswith(f"{place}/join#")

    grace = people()
    grace.goto(link)
    grace.wait_for_selector("text=This invitation is for Grace.")
    grace.click("button:has-text('Come aboard')")
    grace.wait_for_selector("h1:has-text('Welcome aboard, Grace')")
    # The owner's page shows it at once.
    owner.wait_for_selector(".link-end:has-text('Done')")
    owner.wait_for_selector("people-list .name:has-text('Grace')")

    make_invitation(owner, place, "keykeeper", "Edith")
    wait_until(owner, "document.activeElement.matches('people-invite .link-panel')")
    shown, left = owner.query_selector("output.code"), owner.inner_text(".link-left")
    wait_until(owner, f"document.querySelector('.link-left').innerText !== '{left}'")
    assert shown.evaluate("code => code.isConnected"), "who is selecting the code keeps it"
    edith = people(locale="de-DE")
    code = owner.locator("output.code").inner_text()
    edith.goto(f"{place}/join")
    type_keys(edith, code.replace("-", "").lower())
    assert edith.locator("input[name=code]").input_value() == code, "it takes its shape while one types"
    edith.click("button:has-text('Weiter')")
    edith.click("button:has-text('An Bord kommen')")
    edith.wait_for_selector("h1:has-text('Willkommen an Bord, Edith')")
    wait_until(edith, "document.activeElement.matches('main h1')")

    make_invitation(owner, place, "member")
    marie = people()
    marie.goto(read_qr(owner))
    marie.fill("input[name=name]", "Marie")
    marie.click("button:has-text('Come aboard')")
    marie.wait_for_selector("h1:has-text('Welcome aboard, Marie')")

    stranger = people()
    stranger.goto(f"{place}/me")
    stranger.wait_for_selector("text=Nobody is signed in here")

    everything = {"turn": 200, "people": 200, "invite": 200, "devices": 200}
    keykeeper = {"turn": 200, "people": 403, "invite": 403, "devices": 200}
    assert may(owner) == everything
    assert may(grace) == may(edith) == keykeeper
    assert may(marie) == keykeeper | {"turn": 403}
    assert may(stranger) == {"turn": 401, "people": 401, "invite": 401, "devices": 401}
    for page, name, role in ((grace, "Grace", "keykeeper"), (edith, "Edith", "keykeeper"), (marie, "Marie", "member")):
        assert (who(page)["name"], who(page)["role"]) == (name, role)
        page.goto(f"{place}/people")
        page.wait_for_selector("h1:has-text('for owners'), h1:has-text('für die Leitung')")
        assert name in page.inner_text("hub-owners-only p"), "it says who is signed in"
        assert page.locator("people-list *, people-tokens *, people-audit *").count() == 0
    owner.goto(f"{place}/people")
    owner.wait_for_selector("people-list li:nth-child(4)")
    names = owner.locator("people-list .name > a").all_inner_texts()
    assert names == ["Ada", "Edith", "Grace", "Marie"]


def test_a_preview_robot_does_not_use_a_link_up(hub, place, people):
    link = set_up_link(hub, place)
    for _ in range(3):
        robot = people()
        robot.goto(link)
        robot.wait_for_selector("button:has-text('Make me the owner')")
        assert who(robot) is None
    page = people()
    page.goto(link)
    page.click("button:has-text('Make me the owner')")
    page.wait_for_selector(".note:has-text('Your name is missing')")
    page.fill("input[name=name]", "Ada")
    page.click("button:has-text('Make me the owner')")
    page.wait_for_selector("h1:has-text('Welcome aboard')")
    assert page.title() == "Welcome aboard, Ada. · Eightbells"
    late = people()
    late.goto(link)
    note = late.locator(".note[role=alert]")
    note.wait_for()
    assert "used already" in note.inner_text()
    assert late.locator("input[name=code]").is_visible(), "there is another way to try"


def test_errors_help(hub, place, people):
    page = people()
    type_code(page, place, "AAAA")
    page.wait_for_selector(".note:has-text('eight letters and digits, such as')")
    type_code(page, place, "AAAA-AAAA")
    page.wait_for_selector(".note:has-text('not known, or no longer good')")
    wait_until(page, "document.activeElement.getAttribute('role') === 'alert'")
    german = people(locale="de-AT")
    german.goto(f"{place}/join#{'x' * 32}")
    german.wait_for_selector(".note:has-text('gibt es nicht')")
    hub.stop()
    page.click("button:has-text('Next')")
    page.wait_for_selector(".note:has-text('cannot be reached')")


def test_lists_that_come_later_take_away_why_they_did_not_come(owner, place):
    api = "**/api/v1/*"
    owner.route(api, lambda route: route.continue_() if "session" in route.request.url else route.abort())
    notes = owner.locator(".note:has-text('cannot be reached')")
    owner.goto(f"{place}/people")
    eventually(lambda: notes.count() == 4)
    owner.unroute(api)
    owner.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    owner.wait_for_selector("people-list .name:has-text('Ada')")
    eventually(lambda: notes.count() == 0)


def test_the_invitation_comes_after_the_list_above_it(owner, place):
    held = []
    owner.route("**/api/v1/people", lambda route: held.append(route))
    with owner.expect_request("**/api/v1/people"):
        owner.goto(f"{place}/people")
    owner.wait_for_selector("people-list h2")
    assert not owner.locator("#invite-name").is_visible()
    for one in held:
        one.continue_()
    owner.wait_for_selector("#invite-name")


def test_a_pasted_link_is_as_good_as_a_code(hub, place, people):
    page = people()
    page.goto(f"{place}/join")
    page.fill("input[name=code]", set_up_link(hub, place))
    page.click("button:has-text('Next')")
    page.wait_for_selector("h1:has-text('This hub is yours')")


def test_a_device_that_is_somebody_elses_says_so(hub, owner, place):
    secret, _ = hub.link("member", "Bob")
    owner.goto(f"{place}/join#{secret}")
    owner.wait_for_selector(".note:has-text('signed in as Ada')")
    owner.click("button.primary")
    owner.wait_for_selector("h1:has-text('Welcome aboard, Bob')")
    eventually(lambda: (who(owner) or {}).get("name") == "Bob")


def test_whoever_comes_first_to_such_a_page_has_it_offline_later(hub, place, people):
    opened = {path: people() for path in ("/join", "/me", "/people")}
    for path, page in opened.items():
        page.goto(place + path)
        wait_kept(page)
    hub.stop()
    for path, page in opened.items():
        page.goto(f"{place}/")
        page.wait_for_selector("space-sign")
        page.goto(place + path)
        page.wait_for_selector("h1")


def test_an_owner_changes_roles_removes_people_and_lets_back_in(hub, owner, place, people):
    bob = people()
    bob_link, _ = hub.link("member", "Bob")
    bob.goto(f"{place}/join#{bob_link}")
    bob.click("button.primary")
    bob.wait_for_selector("h1:has-text('Welcome aboard, Bob')")
    owner.goto(f"{place}/people")
    row = owner.locator("people-list li:has-text('Bob')")
    row.locator("summary").click()
    row.locator("select").select_option("owner")
    owner.click("dialog:has-text('Change Bob’s role to Owner?') button:has-text('Cancel')")
    eventually(lambda: row.locator("select").input_value() == "member", what="nobody is sure")
    assert who(bob)["role"] == "member"
    owner.route("**/api/v1/people/*", lambda route: route.abort())
    row.locator("select").select_option("keykeeper")
    owner.click("dialog button:has-text('Change the role')")
    owner.wait_for_selector("people-list .note[role=alert]")
    wait_until(owner, "document.querySelector('people-list select[id^=role-]:not(:disabled)').value === 'member'")
    owner.unroute("**/api/v1/people/*")
    row.locator("select").select_option("keykeeper")
    owner.click("dialog button:has-text('Change the role')")
    owner.wait_for_selector("people-list li:has-text('Bob') .tag[data-role=keykeeper]")
    assert who(bob)["role"] == "keykeeper"

    bob.context.clear_cookies()  # lost
    row.locator("summary").click()
    row.locator("button:has-text('New device')").click()
    bob.goto(read_qr(owner))
    bob.wait_for_selector("h1:has-text('Hello Bob')")
    bob.click("button.primary")
    bob.wait_for_selector("h1:has-text('Welcome aboard, Bob')")

    owner.goto(f"{place}/people")
    mine = owner.locator("people-list li:has-text('Ada')")
    mine.locator("summary").click()
    assert mine.locator("select").is_disabled() and mine.locator("button:has-text('Remove')").count() == 0
    row.locator("summary").click()
    row.locator("button:has-text('Remove')").click()
    assert "tokens" not in owner.locator("dialog[open]").inner_text(), "only owners make some"
    owner.click("dialog button.danger")
    owner.wait_for_selector("people-list li:has-text('Bob')", state="detached")
    assert who(bob) is None
    # With an owner goes what they have made, which the page says.
    hub.sign_in("owner", "Zoe")
    owner.reload()
    zoe = owner.locator("people-list li:has-text('Zoe')")
    zoe.locator("summary").click()
    for act in (lambda: zoe.locator("select").select_option("member"),
                lambda: zoe.locator("button:has-text('Remove')").click()):
        act()
        owner.wait_for_selector("dialog:has-text('The tokens and invitations they have made end')")
        owner.click("dialog button:has-text('Cancel')")
    owner.reload()
    said = owner.locator("people-audit .log")
    said.locator("text=Ada removed Bob").wait_for()
    assert "Ada changed a role: Bob: Member → Keykeeper" in said.inner_text()
    assert "Bob joined as Member" in said.inner_text()


def test_a_token_is_shown_once(hub, owner, place):
    hub.configure()
    owner.goto(f"{place}/people")
    owner.fill("#token-name", "door contact")
    owner.select_option("#token-role", "keykeeper")
    owner.click("button:has-text('Make a token')")
    token = owner.locator("people-tokens output.code").inner_text()
    assert hub.post(STATE, token, {"open": True})[0] == 200
    owner.reload()
    row = owner.locator("people-tokens li:has-text('door contact')")
    row.wait_for()
    assert token not in owner.content() and "made by Ada" in row.inner_text()
    row.locator("button:has-text('Revoke')").click()
    assert owner.evaluate("document.activeElement.textContent") == "Cancel", "Enter twice revokes nothing"
    owner.click("dialog button.danger")
    row.wait_for(state="detached")
    wait_until(owner, "document.activeElement !== document.body")
    assert hub.post(STATE, token, {"open": True})[0] == 401


def make_token(page):
    page.fill("#token-name", "door contact")
    page.click("button:has-text('Make a token')")
    page.wait_for_selector("people-tokens output.code")


def type_name(page, name="Grace"):
    page.fill("#invite-name", name)
    page.locator("#invite-name").blur()


@pytest.mark.parametrize("path, begin, finish", [
    ("/people", make_token, lambda page: page.click("people-tokens .link-panel button:has-text('Close')")),
    ("/people", type_name, lambda page: type_name(page, "")),
    ("/people", lambda page: page.click("#invite-name"), lambda page: page.locator("#invite-name").blur()),
    ("/me", lambda page: page.click("me-card button:has-text('Rename')"),
     lambda page: page.click("dialog button:has-text('Cancel')")),
], ids=["token", "typed", "focused", "dialog"])
def test_an_update_waits_for_what_a_reload_would_take_away(owner, place, path, begin, finish):
    wait_kept(owner)
    owner.clock.install()
    owner.goto(place + path)
    begin(owner)
    tell_updated(owner)
    owner.clock.fast_forward(180_000)
    owner.evaluate("fetch('/api/v1/session').then((answer) => answer.text())")  # a reload would have come before it
    assert owner.evaluate("window.isSame") is True
    with owner.expect_event("framenavigated"):
        finish(owner)
        owner.clock.fast_forward(10_000)


def test_ages_and_ends_go_on_while_the_page_stays_open(hub, owner, place):
    hub.sign_in("member", "Zoe")
    owner.evaluate("""fetch('/api/v1/links', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ role: 'member', name: 'Yan' }) })""")
    owner.clock.install()
    owner.goto(f"{place}/people")
    owner.wait_for_selector("people-list li:has-text('Zoe'):has-text('just now')")
    owner.context.set_offline(True)  # or the hub's clock would count
    owner.clock.fast_forward(3_600_000)
    owner.wait_for_selector("people-list li:has-text('Zoe'):has-text('1 hour ago')")
    owner.clock.fast_forward(86_400_000)
    owner.wait_for_selector("people-invite li:has-text('Yan'):has-text('good until yesterday')")
    owner.context.set_offline(False)


def test_the_audit_has_pages(hub, owner, place):
    owner.evaluate("""async () => {
      for (let number = 0; number < 70; number += 1) {
        const body = JSON.stringify({ role: 'member', name: `Number ${number}` });
        await fetch('/api/v1/links', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      }
    }""")
    hub.link("member", "Link 70")
    owner.goto(f"{place}/people")
    entries = owner.locator("people-audit .log li")
    entries.first.wait_for()
    assert "The command line invited Link 70: Member" in entries.first.inner_text()
    before = entries.count()
    while owner.locator("button:has-text('Show older entries')").count():
        owner.click("button:has-text('Show older entries')")
        eventually(lambda: entries.count() > before)
        before = entries.count()
    # The first entry is the command that made the first owner's link.
    assert "The command line invited" in entries.last.inner_text()
    assert "Ada joined as Owner" in entries.nth(before - 2).inner_text()


HARMFUL = "<img src=x onerror=alert(1)>\"'"


def test_names_are_text_wherever_they_stand(hub, owner, place, people):
    owner.on("dialog", lambda dialog: owner.troubles.append("a script ran"))
    page = people()
    secret, _ = hub.link("keykeeper", HARMFUL)
    page.goto(f"{place}/join#{secret}")
    page.wait_for_selector(".card >> text=<img")
    page.click("button.primary")
    page.wait_for_selector("h1 >> text=<img")
    page.goto(f"{place}/me")
    page.click("me-devices button:has-text('Rename')")
    page.fill("dialog input", HARMFUL)
    page.click("dialog button:has-text('Save')")
    page.wait_for_selector("me-devices li >> text=<img")
    owner.goto(f"{place}/people")
    owner.wait_for_selector("people-list li >> text=<img")
    owner.wait_for_selector("people-audit li >> text=<img")
    assert owner.locator("main img[src=x]").count() == page.locator("main img[src=x]").count() == 0


def test_axe_finds_nothing(hub, place, people):
    page = people()
    found = []

    def check(view):
        found.extend((view, *one) for one in axe_in_both(page))

    page.goto(f"{place}/join#unknown-secret-unknown")
    page.wait_for_selector(".note[role=alert]")
    check("join, an error")
    page.goto(f"{place}/me")
    page.wait_for_selector("text=Nobody is signed in here")
    check("me, signed out")
    page.goto(set_up_link(hub, place))
    page.wait_for_selector("input[name=name]")
    check("join, a link")
    page.fill("input[name=name]", "Ada")
    page.click("button.primary")
    page.wait_for_selector("h1:has-text('Welcome')")
    check("join, done")
    page.goto(f"{place}/me")
    page.click("button:has-text('Add another device')")
    page.wait_for_selector(".qr")
    check("me")
    page.click("me-devices button:has-text('Rename')")
    check("me, a question")
    page.goto(f"{place}/people")
    page.fill("#token-name", "door")
    page.click("button:has-text('Make a token')")
    page.wait_for_selector("people-tokens output.code")
    page.click("people-list summary")
    page.click("button:has-text('Make the invitation')")
    page.wait_for_selector(".qr")
    check("people")
    assert found == []


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_nothing_is_wider_than_320_pixels_and_all_can_be_hit(hub, place, people, locale):
    page = people(viewport=SMALL, locale=locale)
    small = """all => all.filter((it) => it.offsetParent && !it.closest('p:not(.row), .visually-hidden'))
      .map((it) => [it.outerHTML.slice(0, 80), Math.max(it.getBoundingClientRect().height,
        it.closest('label')?.getBoundingClientRect().height ?? 0)])
      .filter(([, height]) => height < 44)"""

    def check():
        assert overflow(page) <= 0
        assert page.eval_on_selector_all("main a, main button, main input, main select, main summary", small) == []

    page.goto(f"{place}/join")
    page.wait_for_selector("input[name=code]")
    check()
    page.goto(set_up_link(hub, place))
    page.fill("input[name=name]", "Donaudampfschifffahrtsgesellschaftskapitän")
    check()
    page.click("button.primary")
    page.wait_for_selector("a[href='/me'].button")
    check()
    page.goto(f"{place}/me")
    page.click("me-devices button.primary")
    page.wait_for_selector(".qr")
    check()
    page.goto(f"{place}/people")
    page.click("people-list summary")
    page.click("people-invite form button.primary")
    page.wait_for_selector("people-invite .qr")
    check()
    # The link is never cut: all of it stands on the page.
    link = page.locator("people-invite .link-panel a[href*='#']")
    assert link.inner_text() == link.get_attribute("href")
    assert link.evaluate("""it => [...it.getClientRects()].every(({ left, right }) => left >= 0 && right <= innerWidth)
      && [it, it.parentElement].every((one) => one.scrollWidth <= one.clientWidth + 1 || !one.clientWidth)
      && [it, it.parentElement].every((one) => getComputedStyle(one).textOverflow === 'clip')""")
    # For the next person; the link is below.
    page.locator("people-invite .link-panel button", has_text=re.compile("stays good|gilt weiter")).click()
    page.wait_for_selector("people-invite form")
    page.wait_for_selector("people-invite .list li")


@pytest.mark.parametrize("locale, words", [
    ("de-AT", ["Anmelden", "Hier ist niemand angemeldet", "Diese Seite ist für die Leitung."]),
    ("fr-FR", ["Sign in", "Nobody is signed in here", "This page is for owners."]),
])
def test_the_pages_speak_the_readers_language(place, people, locale, words):
    page = people(locale=locale)
    for path, text in zip(("/join", "/me", "/people"), words):
        page.goto(place + path)
        page.wait_for_selector(f"h1:has-text('{text}')")
        assert page.locator("html").get_attribute("lang") == locale[:2].replace("fr", "en")


def test_a_person_has_an_address_of_their_own(hub, owner, place, people):
    hub.configure(name="Nordlicht")
    hub.sign_in("member", "Kim")
    owner.goto(f"{place}/people")
    owner.click("people-list a:has-text('Kim')")
    owner.wait_for_selector("h1:has-text('Kim')")
    wait_until(owner, "document.title === 'Kim · Eightbells'")
    assert owner.locator("people-list li").count() == 1
    assert owner.locator("people-list button:has-text('Rename')").is_visible()
    assert owner.locator(".nav a[aria-current='page'] .nav-short").inner_text() == "People"
    address = owner.url
    # Others change something meanwhile.
    person = address.rpartition("/")[2]
    assert hub.patch(f"/api/v1/people/{person}", hub.sign_in("owner", "Zoe"), {"role": "keykeeper"})[0] in (200, 204)
    owner.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    owner.wait_for_selector("people-list li:has-text('Kim') .tag[data-role=keykeeper]")
    owner.go_back()
    owner.wait_for_selector("people-list li:nth-child(2)")
    hub.sign_in("member", "Lena")
    owner.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # she comes back to the page
    owner.wait_for_selector("people-list li:has-text('Lena')")
    stranger = people()
    stranger.goto(address)
    stranger.wait_for_selector("h1:has-text('This page is for owners')")
    assert "Kim" not in hub.request("GET", address.removeprefix(place)).body.decode()
    assert stranger.locator("meta[property='og:title']").get_attribute("content") == "People"
    assert stranger.locator("meta[property='og:site_name']").get_attribute("content") == "Nordlicht"
    owner.goto(f"{place}/people/999")
    owner.wait_for_selector("h1:has-text('Nobody is kept here')")
