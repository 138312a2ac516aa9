"""Openers of an event: shown to all, requested by members, offered by keykeepers; and a door that is still closed."""

import datetime as dt

from hub import eventually
from page import wait_live
from visits import coming, fill
import ics


def soon(minutes, title="Soldering"):
    start = dt.datetime.now(dt.UTC) + dt.timedelta(minutes=minutes)
    stamp = "%Y%m%dT%H%M%SZ"
    return ics.event(
        "soon", start.strftime(stamp), title=title, end=(start + dt.timedelta(hours=2)).strftime(stamp))


def open_event(page):
    page.click(".event-row >> text=Soldering")
    page.wait_for_selector("space-event dl")


def visit_as(visit, hub, role, name):
    page = visit(hub)
    hub.sign_in_browser(page.context, role=role, name=name)
    page.reload()
    wait_live(page)
    return page


def test_a_member_asks_and_a_keykeeper_answers_and_everyone_sees_it(hub, visit):
    fill(hub, {"events": [coming("a", "Soldering", 1)]})
    stranger = visit(hub)
    member = visit_as(visit, hub, "member", "Mira")
    keykeeper = visit_as(visit, hub, "keykeeper", "Ada")
    open_event(stranger)
    assert stranger.locator(".openers").count() == 0
    open_event(member)
    assert member.locator("text=I open").count() == 0
    member.click("text=Ask for somebody who opens")
    stranger.wait_for_selector(".openers:has-text('Nobody has said yet'):has-text('in the programme')")
    keykeeper.wait_for_selector(".chip:has-text('nobody opens yet')")
    open_event(keykeeper)
    keykeeper.click(".openers button:has-text('I open')")
    keykeeper.wait_for_selector(".openers:has-text('You open.')")
    for page in (stranger, member):
        page.wait_for_selector(".openers:has-text('Ada opens.')")
    keykeeper.click("button.back")
    keykeeper.wait_for_selector(".event-row")
    assert keykeeper.locator(".chip:has-text('nobody opens yet')").count() == 0
    open_event(keykeeper)
    keykeeper.click("text=I cannot after all")
    stranger.wait_for_selector(".openers:has-text('Nobody has said yet')")
    member.click("text=Ask no more")
    stranger.wait_for_selector(".openers", state="detached")


def test_a_row_marks_nothing_for_who_may_not_open(hub, visit):
    fill(hub, {"events": [coming("a", "Soldering", 1)]})
    member = visit_as(visit, hub, "member", "Mira")
    open_event(member)
    member.click("text=Ask for somebody who opens")
    member.wait_for_selector(".openers:has-text('Nobody has said yet')")
    member.click("button.back")
    member.wait_for_selector(".event-row")
    assert member.locator(".chip:has-text('nobody opens yet')").count() == 0


def test_an_event_that_begins_while_the_space_is_closed_says_so(hub, visit):
    fill(hub, {"events": [soon(30)]})
    page = visit(hub)
    open_event(page)
    page.wait_for_selector(".door")  # nobody has turned the sign, so its state is unknown
    assert page.locator(".door").inner_text().startswith("Nobody knows")
    hub.turn(open=False)
    page.wait_for_selector(".door:has-text('The space is closed. This begins in')")
    hub.turn(open=True)
    page.wait_for_selector(".door", state="detached")
    hub.turn(open=False)
    fill(hub, {"events": [soon(-10)]})
    page.wait_for_selector(".door:has-text('This should have begun at')")


def test_an_event_that_is_far_away_says_nothing_of_the_door(hub, visit):
    fill(hub, {"events": [soon(120)]})
    hub.turn(open=False)
    page = visit(hub)
    open_event(page)
    assert page.locator(".door").count() == 0


def asked_soon(visit, hub):
    """The page of Kim, a keykeeper: an event begins within seconds, and the space is closed."""
    fill(hub, {"events": [coming("a", "Sewing", 1)]})
    hub.turn(False)
    page = visit_as(visit, hub, "keykeeper", "Kim")
    fill(hub, {"events": [soon(0.05)]})
    return page


def test_a_keykeeper_is_asked_on_top_of_the_front_room_and_says_that_they_open(hub, visit):
    page = asked_soon(visit, hub)
    board = page.locator(".ring[data-level=call]:has-text('Soldering begins, the space is closed')")
    board.wait_for(timeout=30_000)
    answers = board.locator(".ring-answers button").all_text_contents()
    assert [one.partition(":")[0].strip() for one in answers] == ["I am opening", "Not today"]
    assert board.bounding_box()["y"] < page.locator("main").bounding_box()["y"]
    board.locator("button:has-text('I am opening')").click()
    board.wait_for(state="detached")
    openers = eventually(lambda: hub.get("/api/v1/space/openers?days=2")[1]["openers"])
    assert [one["name"] for one in openers[0]["people"]] == ["Kim"]


def test_the_question_who_opens_leaves_the_page_once_the_space_is_open(hub, visit):
    page = asked_soon(visit, hub)
    board = page.locator(".ring[data-level=call]:has-text('Soldering begins')")
    board.wait_for(timeout=30_000)
    hub.turn(True)
    board.wait_for(state="detached")
