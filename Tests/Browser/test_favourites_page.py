"""Favourites: kept on the device, offline too, merged without loss when somebody signs in, marked when they change."""

import pytest
from hub import eventually
from page import LIMIT, wait_kept, wait_live, wait_until
from visits import coming, fill, whole_days

RECONNECT_LIMIT = 45_000
TITLES = ["Soldering", "Lock picking", "Radio", "Sewing", "Chess"]


def events():
    return [coming(f"e{number}", title, number + 1) for number, title in enumerate(TITLES)]


@pytest.fixture
def space(hub):
    fill(hub, {"events": events()})
    return hub


def heart(page, title):
    return page.locator(f'.weeks .heart[aria-label^="Favourite: {title}, "]')  # the day follows


def press(page, *titles):
    for title in titles:
        before = heart(page, title).get_attribute("aria-pressed")
        heart(page, title).click()
        page.wait_for_selector(
            f'.weeks .heart[aria-label^="Favourite: {title}, "]:not([aria-pressed="{before}"])', state="attached")


def wait_marked(page, titles):
    wanted = [f"Favourite: {title}" for title in titles]
    wait_until(page, f"""JSON.stringify([...document.querySelectorAll('.weeks .heart[aria-pressed="true"]')]
      .map((it) => it.ariaLabel.split(',')[0])) === JSON.stringify({wanted})""")


def wait_heard(page):
    """Waits until the hub has received all changes of this device."""
    page.evaluate("""async () => {
      const { unsent } = (await import('/pages/space-programme-bells-later.js')).$programme_favourites;
      const until = performance.now() + 15000;
      while (unsent.peek() > 0) {
        if (performance.now() > until) throw new Error(`${unsent.peek()} changes were not sent`);
        await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
    }""")


def test_a_favourite_stays_over_a_reload_and_without_a_network(space, visit):
    page = visit(space)
    press(page, "Radio", "Chess")
    wait_kept(page)
    space.stop()
    page.reload()
    page.wait_for_selector(".weeks .heart")
    wait_marked(page, ["Radio", "Chess"])
    press(page, "Radio", "Sewing")
    page.reload()
    page.wait_for_selector(".weeks .heart")
    wait_marked(page, ["Sewing", "Chess"])


def test_the_view_of_favourites_shows_them_alone_and_has_an_address(space, visit):
    page = visit(space)
    page.click('[data-view="favourites"]')
    page.wait_for_selector("text=Nothing marked yet")
    page.click('[data-view="list"]')
    press(page, "Lock picking")
    page.click('[data-view="favourites"]')
    wait_until(page, "document.querySelectorAll('.weeks .event-row').length === 1")
    wait_until(page, "location.search === '?view=favourites'")
    page.reload()
    page.wait_for_selector(".weeks .event-row >> text=Lock picking")
    assert page.locator('[data-view="favourites"]').get_attribute("aria-pressed") == "true"


def test_what_the_disk_refuses_is_kept_by_the_next_page(space, visit):
    page = visit(space)
    page.evaluate("() => { IDBObjectStore.prototype.put = function () { this.transaction.abort(); return {}; }; }")
    press(page, "Radio")
    # Changes of the list come one after the other: when this one is refused, the earlier one was too.
    revised = "import('/shell.js').then(({ $keep }) => $keep.revise('favourites', (all) => all))"
    assert page.evaluate(revised) is None
    noted = "Object.keys(localStorage).filter((key) => key.startsWith('eightbells-favourite ')).length"
    assert page.evaluate(noted) == 1
    page.reload()
    page.wait_for_selector(".weeks .heart")
    wait_marked(page, ["Radio"])
    wait_until(page, f"{noted} === 0")
    page.reload()
    page.wait_for_selector(".weeks .heart")
    wait_marked(page, ["Radio"])


def test_two_tabs_agree(space, visit):
    page = visit(space)
    other = visit(space, context=page.context)
    press(page, "Radio")
    wait_marked(other, ["Radio"])
    press(other, "Radio", "Soldering")
    wait_marked(page, ["Soldering"])


def test_the_heart_in_the_detail_is_the_same_and_works_by_keyboard(space, visit):
    page = visit(space)
    page.click(".weeks .event-row >> text=Radio")
    own = page.locator("space-event .heart")
    own.focus()
    page.keyboard.press("Space")
    page.wait_for_selector('space-event .heart[aria-pressed="true"]')
    page.click("button.back")
    wait_marked(page, ["Radio"])


def test_what_changed_is_told_until_it_was_seen(space, visit):
    page = visit(space)
    press(page, "Soldering", "Lock picking", "Radio", "Sewing")
    later = events()
    later[0] = coming("e0", "Soldering", 1, "200000")
    later[1] = coming("e1", "Lock picking", 2, "190000", 2, "STATUS:CANCELLED")
    later[2] = coming("e2", "Radio", 5, "190000", 2, "LOCATION:Attic")
    del later[3]
    fill(space, {"events": later})
    note = page.locator("li:has(.event-row) .event-change")
    page.wait_for_selector(".event-change:has-text('now 20:00, was 19:00')")
    page.wait_for_selector(".event-change:has-text('cancelled since you marked it')")
    page.wait_for_selector(".event-change:has-text('place: now Attic, was none')")
    assert any(text.startswith("now ") and "19:00, was " in text for text in note.all_inner_texts())
    page.click('[data-view="favourites"]')
    page.wait_for_selector(".gone-row:has-text('Sewing')")
    page.click(".gone-row button")
    page.wait_for_selector(".gone-row", state="detached")
    page.click(".weeks .event-row >> text=Soldering")
    page.wait_for_selector(".changed:has-text('now 20:00, was 19:00')")
    page.click(".changed button")
    page.wait_for_selector(".changed", state="detached")
    page.click("button.back")
    wait_until(page, "![...document.querySelectorAll('.event-change')].some((it) => it.textContent.includes('20:00'))")


def test_a_whole_day_that_is_gone_or_gets_a_time_is_told_as_one(space, visit):
    fill(space, {"events": [*events(), whole_days("fair", "Fair", 6, 1), whole_days("camp", "Camp", 7, 1)]})
    page = visit(space)
    press(page, "Fair", "Camp")
    fill(space, {"events": [*events(), coming("camp", "Camp", 7)]})
    page.wait_for_selector(".event-change:has-text('now 19:00, was all day')")
    page.click('[data-view="favourites"]')
    page.wait_for_selector(".gone-row:has-text('Fair'):has-text(', all day')")


def test_favourites_made_offline_on_two_devices_are_merged_and_none_is_lost(space, visit):
    phone = visit(space)
    press(phone, "Chess")  # before anybody has signed in
    space.sign_in_browser(phone.context, role="member", name="Ada")
    laptop = visit(space)
    owner = phone.evaluate("fetch('/api/v1/session').then((it) => it.json()).then((it) => it.person)")
    status, link = space.post("/api/v1/links", space.owner_token, {"person": owner["id"]})
    assert status in (200, 201), link
    laptop.evaluate(
        """(secret) => fetch('/api/v1/session', { method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ link: secret }) }).then((it) => { if (!it.ok) throw new Error(it.status); })""",
        link["url"].split("#")[1])
    for page in (phone, laptop):
        page.reload()
        wait_live(page)
        wait_kept(page)
    wait_marked(phone, ["Chess"])
    wait_heard(phone)
    laptop.reload()
    wait_marked(laptop, ["Chess"])
    space.stop()
    for page in (phone, laptop):
        page.wait_for_selector('.note[data-kind="lost"]')
    press(phone, "Soldering", "Radio")
    press(laptop, "Lock picking", "Radio", "Chess")
    press(laptop, "Radio")  # unmarked again, after the phone has marked it
    phone.reload()  # changes waiting for the hub survive closing the page
    phone.wait_for_selector(".weeks .heart")
    wait_marked(phone, ["Soldering", "Radio", "Chess"])
    space.start()
    for page in (phone, laptop):
        wait_live(page, RECONNECT_LIMIT)
    for page in (phone, laptop, phone):
        wait_heard(page)
        page.reload()
        page.wait_for_selector(".weeks .heart")
    for page in (phone, laptop):
        wait_marked(page, ["Soldering", "Lock picking"])


def test_a_new_device_does_not_say_that_nothing_is_marked_before_the_hub_has_said_so(space, visit):
    page = visit(space)
    page.click('[data-view="favourites"]')
    wait_until(page, "location.search === '?view=favourites'")
    asked = []
    page.context.route("**/api/v1/space/favourites", lambda route: asked.append(route.request.method) or route.abort())
    space.sign_in_browser(page.context, role="member", name="Ada")
    page.reload()
    page.wait_for_selector("label:has-text('Remind me')")  # she is known, and the view is drawn
    eventually(lambda: page.wait_for_timeout(50) or "POST" in asked)
    assert page.locator(".nothing-marked").count() == 0
    page.context.unroute("**/api/v1/space/favourites")
    page.reload()
    page.wait_for_selector("text=Nothing marked yet")


def test_on_a_shared_device_favourites_stay_only_if_their_owner_says_so(space, visit):
    page = visit(space)
    ada = space.sign_in_browser(page.context, role="member", name="Ada")
    page.reload()
    wait_live(page)
    press(page, "Radio")
    wait_heard(page)
    # By the keyboard one goes through several reminders: the last one counts, and the list stays meanwhile.
    page.click('[data-view="favourites"]')
    select = page.wait_for_selector("label:has-text('Remind me') select")
    select.evaluate("""(select) => ['15', '60', '180'].forEach((one) => {
      select.value = one;
      select.dispatchEvent(new Event('change'));
    })""")
    eventually(lambda: space.get("/api/v1/space/favourites/reminder", token=ada)[1]["minutes"] == 180)
    assert select.evaluate("(select) => select.isConnected && select.value") == "180"
    page.click('[data-view="list"]')
    wait_until(page, "location.search === ''")  # it follows after a moment, and a reload goes by it

    def sign_out():
        page.evaluate("fetch('/api/v1/session', { method: 'DELETE' })")
        page.reload()
        page.wait_for_selector("text=You are signed out.")
        wait_marked(page, [])

    sign_out()
    page.click("text=Keep them here")
    wait_marked(page, ["Radio"])
    page.wait_for_selector("text=You are signed out.", state="detached")
    press(page, "Chess")
    space.sign_in_browser(page.context, role="member", name="Grace")  # takes the device's favourites along
    page.reload()
    wait_live(page)
    wait_marked(page, ["Radio", "Chess"])
    wait_heard(page)
    sign_out()
    page.click(".question >> text=Remove them")
    page.wait_for_selector("text=You are signed out.", state="detached")
    page.reload()
    page.wait_for_selector(".weeks .heart", timeout=LIMIT)
    wait_marked(page, [])
