"""References on the memory graph's page: the kinds, how to select one, and the names of types."""

import pytest

from memory_page import at, box, boxes, click_box, edges, finding, told, wait_still
from page import DESKTOP, PHONE, wait_until

KINDS = ["strong", "weak", "unowned", "unmanaged", "conservative"]
LABELS = ["strongly, also", "weakly", "unownedly", "unmanaged", "chart"]  # one line of each kind, in their order

# The dashes of the lines that a frame draws: for each the pixels of its parts, joined.
DASHES = """async () => {
  const context = document.getElementById('picture').getContext('2d');
  const { scale } = memoryGraph.camera;
  const seen = new Set();
  const { stroke } = context;
  let isBox = false;
  const { roundRect, moveTo } = context;
  context.roundRect = (...place) => { isBox = true; roundRect.call(context, ...place); };
  context.moveTo = (...place) => { isBox = false; moveTo.call(context, ...place); };
  context.stroke = () => {
    if (!isBox) seen.add(context.getLineDash().map((part) => Math.round(part * scale)).join(' '));
    stroke.call(context);
  };
  memoryGraph.camera.move({ ...memoryGraph.camera }, 0);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const name of ['stroke', 'roundRect', 'moveTo']) delete context[name];
  return [...seen];
}"""


def show_list(page):
    button = page.locator("#panels [data-panel=list]")
    if button.is_visible():
        button.click()


def open_harbour(page):
    """Opens the page with the harbour in the middle, and its pilots."""
    show_list(page)
    page.get_by_role("searchbox").fill("Victim.Harbour")
    page.locator(".row.type").first.click()
    page.locator(".row.node").first.click()
    wait_still(page)
    page.keyboard.press("Enter")
    page.locator("#picture").focus()
    page.keyboard.press("Enter")
    wait_until(page, "memoryGraph.shown.around !== undefined")
    wait_still(page)


def edge(page, label):
    return next(one for one in edges(page) if one["label"] == label)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_each_kind_of_reference_has_a_line_of_its_own_which_the_legend_names(open_page, viewport):
    page = open_page("kinds", viewport)
    open_harbour(page)
    assert [edge(page, label)["kind"] for label in LABELS] == [0, 1, 2, 3, 4]
    dashes = page.evaluate(DASHES)
    assert len(dashes) == 5 and "" in dashes, dashes
    legend = page.locator("#lines li")
    assert legend.all_text_contents() == KINDS
    # The same dashes as in the picture; a dash of one number is as long as its gap.
    drawn = {" ".join(one.split()) for one in dashes}
    assert {one.get_attribute("stroke-dasharray") for one in legend.locator("line").all()} == drawn
    # It covers nothing that is drawn.
    legend, frame = page.locator("#lines").bounding_box(), page.locator("#picture").bounding_box()
    for one in boxes(page):
        assert one["bottom"] + frame["y"] < legend["y"] or one["top"] + frame["y"] > legend["y"] + legend["height"]
    page.keyboard.press("?")
    assert all(kind in page.get_by_role("dialog").text_content() for kind in KINDS)


def test_a_picture_of_strong_references_alone_needs_no_legend_of_lines(open_page):
    page = open_page("after")
    assert page.locator("#lines").is_hidden()


@pytest.mark.parametrize(("language", "last"), [("en-GB", "conservative"), ("de-DE", "konservativ")])
def test_a_reference_says_what_it_is_to_the_mouse_and_to_the_keys(open_page, language, last):
    page = open_page("kinds", locale=language)
    open_harbour(page)
    kinds = [*KINDS[:4], last]
    for label, kind in zip(LABELS[1:], kinds[1:], strict=True):
        place = edge(page, label)["middle"]
        page.mouse.move(*at(page, place["x"], place["y"]))
        assert page.locator("#picture").get_attribute("title").endswith(f": {kind}")
        page.mouse.click(*at(page, place["x"], place["y"]))
        assert "Victim.Harbour" in told(page) and kind in told(page) and label in told(page)
    # Several between two objects, each with its kind.
    place = edge(page, LABELS[0])["middle"]
    page.mouse.click(*at(page, place["x"], place["y"]))
    fields = page.locator("#inspector dl").last.locator("dd").all_text_contents()
    assert [text.split()[0] for text in fields[::2]] == ["strongly", "also"]
    assert fields[1].startswith("strong") and fields[3].startswith("unowned")
    # The keys go from one to the next, and back to the object.
    page.keyboard.press("Escape")
    page.locator("#picture").focus()
    page.keyboard.press("Escape")
    click_box(page, "Harbour")
    asked = []
    for _ in range(len(LABELS) + 1):
        page.keyboard.press("e")
        asked.append(page.evaluate("memoryGraph.chosen.edge.label"))
        assert page.locator("#said").text_content().count("→") == asked[-1].count(",") + 1
    assert sorted(asked) == sorted([*LABELS, "[0]"])
    page.keyboard.press("e")
    assert page.evaluate("memoryGraph.chosen.edge.label") == asked[0]
    page.keyboard.press("Escape")
    assert page.locator("#inspector h2").text_content() == "Victim.Harbour"
    page.keyboard.press("Escape")
    assert page.evaluate("memoryGraph.chosen.node") is None


def test_the_details_name_every_kind_that_is_not_strong(open_page):
    page = open_page("kinds")
    open_harbour(page)
    steps = page.locator("#inspector .steps").first.locator("li").all_text_contents()
    assert [text.split()[-1] for text in steps] == [
        "Pilot", "unowned", "weak", "unowned", "unmanaged", "conservative"]


def test_references_of_the_chosen_one_have_their_lines_in_the_whole_graph_too(open_page):
    page = open_page("kinds")
    assert page.locator("#lines").is_hidden()
    page.get_by_role("searchbox").fill("Victim.Harbour")
    page.locator(".row.type").first.click()
    page.locator(".row.node").first.click()
    wait_still(page)
    assert page.evaluate("memoryGraph.shown.whole")
    assert page.locator("#lines li").all_text_contents() == KINDS
    page.locator("#picture").focus()
    page.keyboard.press("Escape")
    assert page.locator("#lines").is_hidden()


def test_a_phone_shows_the_object_that_was_chosen_in_its_list(open_page):
    page = open_page("kinds", PHONE)
    show_list(page)
    page.locator(".row.type").first.click()
    page.locator(".row.node").first.click()
    assert page.locator("#picture").is_visible() and page.locator("#list").is_hidden()


def test_types_have_one_name_in_the_list_in_the_picture_and_in_titles(open_page):
    page = open_page()
    page.get_by_role("searchbox").fill("Handle")
    row = finding(page, "Handle that nothing refers to").locator(".name")
    assert row.text_content() == "Handle that nothing refers to"
    assert row.get_attribute("title") == "Victim.Handle that nothing refers to"
    row.click()
    assert box(page, "Handle")["title"] == "Handle"
    assert page.locator("#shown").text_content() == "Handle that nothing refers to"
    assert page.locator("#inspector h2").text_content() == "Victim.Handle that nothing refers to"
    place = box(page, "Handle")
    page.mouse.move(*at(page, place["x"], place["y"]))
    assert page.locator("#picture").get_attribute("title").startswith("Victim.Handle 0x")
    # Generic arguments are found, too.
    page.get_by_role("searchbox").fill("Array<Victim.Trial>")
    name = page.locator(".row.type .name").first
    assert name.text_content() == "Array<Trial> storage"
    assert name.get_attribute("title") == "Array<Victim.Trial> storage"
    page.locator(".row.type").first.click()
    page.locator(".row.node").first.click()
    assert box(page, "Array")["label"] == "Array<Trial> storage"
    assert page.locator("#inspector h2").text_content() == "Array<Victim.Trial> storage"


def test_types_of_two_modules_with_one_name_keep_their_modules(open_page):
    page = open_page("namesakes", PHONE)  # whose list is wider
    show_list(page)
    for name in ("Victim.DummyObject", "Harbour.DummyObject"):
        page.locator(".row.type").get_by_text(name, exact=True).wait_for()
    assert {one["title"] for one in boxes(page) if one.get("node") is not None} == {"Victim.DummyObject"}
    assert page.locator("#shown").text_content().startswith("Victim.DummyObject.next")


def test_the_keys_alone_reach_the_list_an_object_its_surroundings_and_a_reference(open_page):
    page = open_page()

    def focus(name):
        for _ in range(12):
            if page.evaluate("document.activeElement.id") == name:
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"no way to {name}")

    focus("list")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.evaluate("memoryGraph.shown.finding.number") == 1
    focus("picture")
    page.keyboard.press("ArrowRight")
    node = page.evaluate("memoryGraph.chosen.node")
    page.keyboard.press("Enter")
    assert page.evaluate("memoryGraph.shown.around") == node
    page.keyboard.press("e")
    ends = page.evaluate("[memoryGraph.chosen.edge.from, memoryGraph.chosen.edge.to]")
    assert any(boxes(page)[number].get("node") == node for number in ends)
    assert page.locator("#said").text_content().endswith(": strong")
    page.keyboard.press("ArrowRight")  # on from the object that was asked
    assert page.evaluate("memoryGraph.chosen.edge") is None
    page.keyboard.press("Backspace")
    assert page.evaluate("memoryGraph.shown.finding.number") == 1
    page.keyboard.press("Escape")
    assert page.evaluate("memoryGraph.chosen.node") is None


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_keys_are_told_from_the_first_on(open_page, viewport):
    page = open_page("after", viewport)
    page.locator("#picture").focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    assert dialog.evaluate("(one) => one.scrollTop") == 0
    top, frame = dialog.locator("h2").first.bounding_box(), dialog.bounding_box()
    assert frame["y"] <= top["y"] < frame["y"] + frame["height"] and frame["y"] >= 0
    page.keyboard.press("Escape")
    assert dialog.is_hidden()
