"""The memory graph's page: one file, opened as a file, without a network."""

import pytest

from memory_page import at, box, boxes, click_box, edges, finding, is_inside, told, wait_still
from page import DESKTOP, PHONE, wait_until


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_ring_is_drawn_in_its_order_and_fits_the_window(open_page, viewport):
    page = open_page("after", viewport)
    ring = boxes(page)
    assert len(ring) == 10 and all(one["inRing"] for one in ring)
    assert [edge["label"] for edge in edges(page) if edge["inRing"]] == ["next"] * 10
    assert is_inside(page)
    # In a circle: each step turns the same way.
    turns = {a["x"] * b["y"] - a["y"] * b["x"] > 0 for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}
    assert len(turns) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_large_ring_is_folded_closes_and_unfolds_some_at_a_time(open_page):
    page = open_page("large")

    def shown():
        """The number of the ring's boxes, which form a circle, and of the members they stand for."""
        ring = boxes(page)
        assert len(ring) == sum(edge["inRing"] for edge in edges(page)) <= 20
        titles = [one["title"] for one in ring]
        numbers = [int(title.split(" ")[1].replace(",", "")) for title in titles if "more" in title]
        assert titles.count("DummyObject") + sum(numbers) == 5000
        return numbers

    [folded] = shown()
    assert "5,000 times" in finding(page, "DummyObject").text_content()
    assert is_inside(page) and page.locator("#hidden").is_hidden()
    click_box(page, "more")
    before, behind = shown()
    assert before > 0 and behind < folded
    click_box(page, f"{behind:,} more")
    assert shown()[0] > before and shown()[1] < behind and is_inside(page)
    click_box(page, "more")  # the first of them: back to what was shown before
    assert shown() == [before, behind]
    page.get_by_role("button", name="Fold").click()
    assert shown() == [folded]


def test_a_ring_that_is_held_shows_who_holds_it(open_page):
    page = open_page("before")
    assert "controller" in box(page, "global variable")["title"]
    holder = box(page, "ViewController")
    assert holder["y"] < min(one["y"] for one in boxes(page) if one.get("inRing"))
    assert is_inside(page)
    assert "still reachable" in finding(page, "DummyObject").text_content()
    assert "listOfObjects" in [edge["label"] for edge in edges(page)]


def test_the_list_is_filtered_by_words_leaks_own_code_and_addresses(open_page):
    page = open_page()
    page.get_by_role("searchbox").fill("ticker")
    assert finding(page, "Ticker.onTick").count() == 1 and finding(page, "DummyObject").count() == 0
    assert page.locator(".row.type").all_text_contents()[0].startswith("▸Ticker")
    page.get_by_role("searchbox").fill("no such thing")
    assert page.get_by_text("Nothing matches.").is_visible()
    page.get_by_role("searchbox").fill("other")
    assert finding(page, "still reachable").count() == 1
    page.get_by_role("button", name="Only leaks").click()
    assert finding(page, "still reachable").count() == 0
    page.get_by_role("searchbox").fill("untyped block")
    assert page.locator(".row.type").count() == 1
    page.get_by_role("button", name="Only own code").click()
    assert page.locator(".row.type").count() == 0
    address = next(one["subtitle"] for one in boxes(page) if one.get("own"))
    page.get_by_role("searchbox").fill(address)
    assert page.locator(".row.node").all_text_contents()[0].startswith(f"✗ {address}")


def test_a_type_unfolds_to_thousands_of_objects_of_which_only_the_seen_rows_are_there(open_page):
    page = open_page()
    page.get_by_role("searchbox").fill("DummyObject")
    page.locator(".row.type").first.click()
    assert page.locator(".row.node").first.text_content().startswith("✗ 0x")  # the leaked ones come first
    assert 5 < page.locator(".row").count() < 100
    assert page.evaluate("document.getElementById('list').scrollHeight") > 2000 * 28
    page.evaluate("document.getElementById('list').scrollTop = 30000")
    wait_until(page, "document.querySelector('.row.node').getBoundingClientRect().top > -300")
    last = page.locator(".row.node .name").last.text_content()
    page.locator(".row.node", has_text=last).click()
    assert "Victim.DummyObject" in told(page) and last in told(page)
    assert page.evaluate("memoryGraph.shown.around") == page.evaluate("memoryGraph.chosen.node")


def test_every_finding_can_be_drawn_and_blocks_and_references_say_what_they_are(open_page):
    page = open_page()
    page.locator("#list").focus()
    for number in range(page.evaluate("memoryGraph.graph.findings.length")):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.evaluate("memoryGraph.shown.finding.number") == number
        assert boxes(page) and is_inside(page)
    page.get_by_role("searchbox").fill("boss")
    finding(page, "Boss.worker").click()
    click_box(page, "Boss")
    assert all(word in told(page) for word in ("Victim.Boss", "Swift", "1 strong", "leaked"))
    edge = next(one for one in edges(page) if one["label"] == "delegate")
    page.mouse.click(*at(page, edge["middle"]["x"], edge["middle"]["y"]))
    assert all(word in told(page) for word in ("Victim.Worker", "Victim.Boss", "strong", "delegate"))


def test_a_double_click_makes_an_object_the_centre_and_back_leads_back(open_page):
    page = open_page()
    page.get_by_role("searchbox").fill("document")
    finding(page, "Document.pages").click()
    click_box(page, "Array", double=True)
    assert page.locator("#shown").text_content() == "Around Array<AnyObject> storage"
    centre, document = box(page, "Array"), box(page, "Document")
    assert document["x"] < centre["x"] < min(one["x"] for one in boxes(page) if one["title"] == "Page")
    assert is_inside(page)
    page.get_by_role("button", name="Back").click()
    assert page.locator("#shown").text_content().startswith("Document.pages")


def test_neighbours_of_one_type_are_folded_and_unfold(open_page):
    page = open_page()
    page.get_by_role("searchbox").fill("Array<AnyObject>")
    page.locator(".row.type").first.click()
    # The largest of them holds the controls.
    page.evaluate("""() => {
      const { graph } = memoryGraph;
      const rows = [...document.querySelectorAll('.row.node')];
      const address = (row) => parseInt(row.querySelector('.name').textContent.match(/0x.*/)[0], 16);
      const size = (row) => graph.words[graph.address.indexOf(address(row))];
      rows.sort((a, b) => size(b) - size(a))[0].click();
    }""")
    fold = box(page, "Controls.Node")
    count = int(fold["title"].split(" ")[0])
    assert count > 6 and "×" in fold["title"]
    click_box(page, "× Controls.Node")
    shown = sum(one["title"] == "Controls.Node" for one in boxes(page))
    assert 4 <= shown < 20
    assert box(page, "× Controls.Node")["title"] == f"{count - shown} × Controls.Node"
    assert "Array<AnyObject> storage" in told(page)
    wait_still(page)
    assert is_inside(page)


def test_the_picture_is_zoomed_and_moved_with_wheel_mouse_and_keys(open_page):
    page = open_page("after")

    def view():
        wait_still(page)
        return page.evaluate("[memoryGraph.camera.x, memoryGraph.camera.y, memoryGraph.camera.scale]")

    before = view()
    page.mouse.move(700, 420)
    under = page.evaluate("memoryGraph.camera.toWorld(700 - 320, 420 - 54)")
    page.mouse.wheel(0, -400)
    wait_until(page, "memoryGraph.camera.isMoving || memoryGraph.camera.scale > 1")
    zoomed = view()
    assert zoomed[2] > before[2] * 1.5
    # The point under the pointer has not moved.
    assert page.evaluate("memoryGraph.camera.toWorld(700 - 320, 420 - 54)") == pytest.approx(under, abs=2)
    page.mouse.down()
    page.mouse.move(760, 470, steps=4)
    page.mouse.up()
    moved = view()
    assert moved[0] < zoomed[0] and moved[1] < zoomed[1]
    page.get_by_role("button", name="Fit").click()
    assert view() == pytest.approx(before, abs=1)
    page.locator("#picture").focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("+")
    after = view()
    assert after[0] > before[0] and after[2] > before[2]
    page.keyboard.press("0")
    assert view() == pytest.approx(before, abs=1)


def test_keys_go_around_the_ring_to_its_centre_and_back(open_page):
    page = open_page("after")
    page.locator("#picture").focus()
    page.keyboard.press("ArrowRight")
    seen = [page.evaluate("memoryGraph.chosen.node")]
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        seen.append(page.evaluate("memoryGraph.chosen.node"))
    assert seen == page.evaluate("memoryGraph.graph.findings[0].ring.slice(0, 6)")
    page.keyboard.press("Enter")
    assert page.evaluate("memoryGraph.shown.around") == seen[-1]
    page.keyboard.press("Backspace")
    assert page.evaluate("memoryGraph.shown.finding.id") == "leak-1"
    page.keyboard.press("Escape")
    assert "The ring" in told(page)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "filter"
    page.keyboard.type("dummy")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")  # unfolds the type
    assert page.locator(".row.node", has_text="✗").count() == 10  # others hold the word
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    assert page.evaluate("memoryGraph.shown.whole")
