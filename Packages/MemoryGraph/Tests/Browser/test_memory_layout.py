"""The layout of the memory graph's page: no overlaps, the window's proportions, and readable names."""

import pytest

from memory_page import box, boxes, click_box, edges, finding, is_inside, told, wait_still
from page import DESKTOP, PHONE, wait_until

WINDOWS = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
READABLE = 0.7  # a scale at which names of 14 pixels are still read

# Pairs of overlapping boxes, and references' names that overlap a box.
COVERED = """() => {
  const { boxes, edges } = memoryGraph.scene;
  const lies = (a, b) => (
    Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2);
  const names = edges.filter((edge) => edge.label && !edge.isCovered)
    .map((edge) => ({ ...edge.middle, width: edge.labelWidth, height: 13, title: edge.label }));
  const found = [];
  boxes.forEach((box, number) => {
    for (const other of [...boxes.slice(0, number), ...names]) {
      if (lies(box, other)) found.push([box.title, other.title]);
    }
  });
  return found;
}"""


def scale(page):
    wait_still(page)
    return page.evaluate("memoryGraph.camera.scale")


def each_finding(page):
    """Opens one finding after the other, by the keys of the list."""
    for number in range(page.evaluate("memoryGraph.graph.findings.length")):
        page.evaluate("document.body.dataset.panel = 'list'")  # a phone shows the picture as soon as one is chosen
        page.locator("#list").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.evaluate("memoryGraph.shown.finding.number") == number
        yield page.evaluate("memoryGraph.shown.finding.title")


def check(page, where):
    assert page.evaluate(COVERED) == [], where
    assert is_inside(page), where


@WINDOWS
@pytest.mark.parametrize("name", ["everything", "tangled", "pages", "large", "before", "retained", "c"])
def test_no_box_lies_on_another_and_no_name_on_a_box(open_page, name, viewport):
    page = open_page(name, viewport)
    for title in each_finding(page):
        check(page, title)
        assert scale(page) >= READABLE, title
        # Folded nodes are opened, three times; then an object is made the centre.
        for _ in range(3):
            folds = [one for one in boxes(page) if one.get("fold")]
            if not folds:
                break
            click_box(page, folds[-1]["title"])
            check(page, (title, folds[-1]["title"]))
        page.locator("#picture").focus()
        for key in ("Escape", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        check(page, f"around the first of {title}")


@WINDOWS
def test_several_ways_between_two_are_told_apart(open_page, viewport):
    page = open_page("tangled", viewport)
    array, ring = box(page, "Array<AnyObject>"), [one for one in boxes(page) if one.get("inRing")]
    assert [one["title"] for one in ring] == ["Tangled"] * 2
    arrow = next(edge for edge in edges(page) if edge["from"] == array["number"])
    # It begins at the array's border, wherever that is.
    x, y = arrow["line"][:2]
    assert abs(x - array["x"]) <= array["width"] / 2 + 1 and abs(y - array["y"]) <= array["height"] / 2 + 1


@WINDOWS
def test_many_of_a_type_open_some_at_a_time(open_page, viewport):
    page = open_page("pages", viewport)
    assert box(page, "×")["title"] == "299 × Page"
    click_box(page, "299 ×")
    first = {one["node"] for one in boxes(page) if one["title"] == "Page"}
    assert 4 < len(first) <= 13 and scale(page) >= 0.55
    click_box(page, "×")
    second = {one["node"] for one in boxes(page) if one["title"] == "Page"}
    assert len(first & second) == 1  # the ring's own
    before, behind = [one["title"] for one in boxes(page) if "×" in one["title"]]
    assert int(before.split()[0]) == len(first) - 1
    assert int(before.split()[0]) + int(behind.split()[0]) + len(second) == 300
    click_box(page, before)
    assert {one["node"] for one in boxes(page) if one["title"] == "Page"} >= first & second
    page.get_by_role("button", name="Fold").click()
    assert box(page, "×")["title"] == "299 × Page"


def test_names_lose_their_modules_first(open_page):
    page = open_page()
    shorter = page.evaluate("""() => memoryGraph.shorterNames(
      'Dictionary<Swift.String, Foundation.URL.Parts> storage')""")
    assert shorter == [
        "Dictionary<Swift.String, Foundation.URL.Parts> storage", "Dictionary<String, URL.Parts> storage",
        "Dictionary<String, Parts> storage", "Dictionary<…> storage", "Dictionary<…>"]
    names = page.evaluate("""() => ['FoundationEssentials._SwiftURL', 'box of (Victim.Tree<Int>, Swift.Int) -> Bool',
      'Array<Victim.Trial> storage'].map((name) => memoryGraph.shorterNames(name))""")
    assert names == [
        ["FoundationEssentials._SwiftURL", "_SwiftURL"],
        ["box of (Victim.Tree<Int>, Swift.Int) -> Bool", "box of (Tree<Int>, Int) -> Bool",
         "box of (Tree<…>, Int) -> Bool"],
        ["Array<Victim.Trial> storage", "Array<Trial> storage", "Array<…> storage", "Array<…>"]]


def test_a_phone_that_is_turned_draws_the_picture_anew(open_page):
    page = open_page("after", PHONE)
    ring = boxes(page)
    assert max(one["y"] for one in ring) - min(one["y"] for one in ring) > max(one["x"] for one in ring) - min(
        one["x"] for one in ring)
    page.set_viewport_size({"width": 844, "height": 390})
    wait_until(page, """() => {
      const { bounds } = memoryGraph.scene;
      return bounds.width > bounds.height;
    }""")
    check(page, "turned")


def test_a_leaked_object_says_what_it_keeps_alive_and_how_many_it_refers_to(open_page):
    page = open_page("tangled")
    click_box(page, "Tangled")
    assert "Keeps alive" in told(page) and "3 blocks" in told(page)
    counted = [text for text in page.locator("#inspector h3").all_text_contents() if "references" in text]
    assert counted[0] in ("Refers to: 4 references, 2 blocks", "Referred to by: 5 references, 2 blocks"), counted
    page.get_by_role("searchbox").fill("tangled")
    assert finding(page, "Tangled.other").count() == 1
