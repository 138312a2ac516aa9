"""The menu of a block: definition, allocation, centre, why it is alive, copy."""

import re

import pytest

from memory_page import at, box, boxes, click_box, finding, told
from page import PHONE, wait_until
from victims import PACKAGE

SOURCES = PACKAGE / "Tests/Victim"


def line_of(text):
    """Where a text stands in the victim's sources, as file:line."""
    for file in sorted(SOURCES.glob("*.swift")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if text in line:
                return f"{file.name}:{number}"
    raise AssertionError(text)


def items(page):
    return page.get_by_role("menuitem").all_text_contents()


def show_worker(page):
    page.get_by_role("searchbox").fill("boss")
    finding(page, "Boss.worker").click()
    one = box(page, "Worker")
    return at(page, one["x"], one["y"])


def test_a_right_click_offers_what_can_be_done_with_a_block(open_page):
    page = open_page()
    place = show_worker(page)
    page.mouse.click(*place, button="right")
    assert items(page) == [
        f"Definition: {line_of('final class Worker')}", "Allocation: not known", "Make it the centre",
        "Why has it leaked?", "Copy address"]
    page.get_by_role("menuitem", name="Make it the centre").click()
    assert page.locator("#shown").text_content() == "Around Worker" and not items(page)
    # Where nothing is, there is none.
    page.mouse.click(place[0], 790, button="right")
    assert not items(page)


def test_the_way_of_what_lives_is_told_from_its_root(open_page):
    page = open_page("before")
    click_box(page, "DummyObject")
    page.keyboard.press("ContextMenu")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "menuitem"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.textContent") == "Why is it alive?"
    page.keyboard.press("Enter")
    assert "Victim.controller, global variable of victim" in told(page)
    assert re.search(r"ViewController.*\.listOfObjects →", told(page)), told(page)
    page.locator("#picture").focus()
    page.keyboard.press("Shift+F10")
    assert len(items(page)) == 5
    page.keyboard.press("Escape")
    assert not items(page) and page.evaluate("document.activeElement.id") == "picture"


def test_a_long_press_opens_it_on_a_phone(open_page):
    page = open_page("after", PHONE, has_touch=True, is_mobile=True)
    one = next(one for one in boxes(page) if one["title"] == "DummyObject")
    x, y = at(page, one["x"], one["y"])
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    wait_until(page, "!document.getElementById('menu').hidden")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert items(page)[0] == f"Definition: {line_of('final class DummyObject')}"
    frame = page.locator("#menu").bounding_box()
    assert 0 <= frame["x"] and frame["x"] + frame["width"] <= PHONE["width"]


@pytest.mark.parametrize("locale, first", [("de-DE", "Definition: "), ("en-GB", "Definition: ")])
def test_the_inspector_says_where_a_class_is_defined_and_the_line_that_allocated_is_offered(open_page, locale, first):
    page = open_page("line", locale=locale)
    click_box(page, "DummyObject")
    assert line_of("final class DummyObject") in told(page)
    assert ("Definiert in" if locale == "de-DE" else "Defined in") in told(page)
    one = box(page, "DummyObject")
    page.mouse.click(*at(page, one["x"], one["y"]), button="right")
    definition, allocation, *_ = items(page)
    assert definition.startswith(first) and "Trials.swift:" in allocation, allocation
