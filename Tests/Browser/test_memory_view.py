"""The memory graph's page: one file, opened as a file, without a network."""

import base64
import json
import re
import shutil
import struct
import time

import pytest

from page import DESKTOP, PHONE, PICTURES, pages, wait_until
from png import png
from victims import VICTIM, Victim, ring_of_c, run

# Valid as a file's name; the second makes a browser read a script as text, if it stands in one as it is.
HOSTILE = "<img src=x onerror=hacked()><!--<script>"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Pages of real processes: with a finding of every kind, a large one, a ring before and after it is lost."""
    folder = tmp_path_factory.mktemp("report")

    def draw(name, case, count, drop=False, **options):
        with Victim(case, count, **options) as victim:
            if drop:
                victim.drop()
            assert run("graph", victim.pid, "--html", folder / f"{name}.html").returncode in (0, 1)

    draw("everything", "everything", 2000)
    draw("large", "ring", 5000, drop=True)
    draw("before", "ring", 10)
    draw("after", "ring", 10, drop=True)
    shutil.copy(VICTIM, folder / HOSTILE)
    draw("values", "values", 1)
    draw("heap", "heap", 100_000)
    draw("malloc", "malloc", 3)
    draw("retained", "retained", 4)
    draw("hostile", "ring", 10, program=folder / HOSTILE)
    with ring_of_c(folder) as process:
        assert run("graph", process, "--html", folder / "c.html").returncode == 1
    enrich(folder / "after.html", folder / "rich.html")
    return folder


def enrich(source, target):
    """A page whose first object has all that can be known of one: as a process tells it that was started with --stacks,
    and whose strings and images were read."""
    text = source.read_text()
    found = re.search(r'(?<=<script type="application/json" id="graph">).*?(?=</script>)', text, re.DOTALL)
    data = json.loads(found[0])
    node, count = data["findings"][0]["head"], data["count"]

    def column(width, form, values):
        return {"width": width, "data": base64.b64encode(struct.pack(f"<{count}{form}", *values)).decode()}

    data["allocatedAt"] = column(1, "B", [int(number == node) for number in range(count)])
    data["retained"] = column(8, "d", [123_456.0] * count)
    data["stacks"], data["suspended"] = [[0, 1]], []
    data["frames"] = [
        ["swift_allocObject", "libswiftCore.so", 0],
        ["ViewController.<b>build</b>()", "victim", 1, "/home/me/My Sources/Ring.swift", 77]]
    image = base64.b64encode(png(24, 16)).decode()
    drawing = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg" onload="hacked()"/>').decode()
    data["values"] = {str(node): [
        ["name", "text", "Grüße <b onclick=hacked()>"], ["count", "number", "42"], ["icon", "image", "", image],
        ["drawing", "image", "svg", drawing]]}
    told = json.dumps(data).replace("<", "\\u003c")
    target.write_text(text[:found.start()] + told + text[found.end():])


@pytest.fixture
def open_page(browser, report):
    """Opens a report; anything the page complains about, or asks a network for, fails the test."""
    with pages(browser) as empty_page:
        def open_page(name="everything", viewport=DESKTOP, **options):
            page = empty_page(viewport=viewport, **options)
            page.on("console", lambda message: page.troubles.append(message.text))
            page.on("request", lambda asked: asked.url.startswith(("file:", "data:"))
                    or page.troubles.append(asked.url))
            page.goto((report / f"{name}.html").as_uri())
            return page

        yield open_page


def boxes(page):
    """What is drawn: for each box its place on the screen and what it says."""
    return page.evaluate("""() => memoryGraph.scene.boxes.map((one) => {
      const { camera } = memoryGraph;
      const [left, top] = camera.toScreen(one.x - one.width / 2, one.y - one.height / 2);
      const [right, bottom] = camera.toScreen(one.x + one.width / 2, one.y + one.height / 2);
      return { ...one, left, top, right, bottom };
    })""")


def edges(page):
    return page.evaluate("memoryGraph.scene.edges")


def is_inside(page):
    wait_still(page)
    width, height = page.evaluate("[memoryGraph.camera.width, memoryGraph.camera.height]")
    return all(one["left"] >= -1 and one["top"] >= -1 and one["right"] <= width + 1 and one["bottom"] <= height + 1
               for one in boxes(page))


def at(page, x, y):
    """A place of the world, on the screen."""
    wait_still(page)
    frame = page.locator("#picture").bounding_box()
    left, top = page.evaluate("([x, y]) => memoryGraph.camera.toScreen(x, y)", [x, y])
    return frame["x"] + left, frame["y"] + top


def wait_still(page):
    wait_until(page, "!memoryGraph.camera.isMoving")


def box(page, title):
    return next(one for one in boxes(page) if title in one["title"])


def click_box(page, title, double=False):
    one = box(page, title)
    (page.mouse.dblclick if double else page.mouse.click)(*at(page, one["x"], one["y"]))


def told(page):
    return page.locator("#inspector").text_content()


def finding(page, text):
    return page.locator(".row.finding", has_text=text)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_ring_is_drawn_in_its_order_and_fits_the_window(open_page, viewport):
    page = open_page("after", viewport)
    ring = boxes(page)
    assert len(ring) == 10 and all(one["inRing"] for one in ring)
    assert [edge["label"] for edge in edges(page) if edge["inRing"]] == ["next"] * 10
    assert is_inside(page)
    # Round, one behind the other: each step turns the same way.
    turns = {a["x"] * b["y"] - a["y"] * b["x"] > 0 for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}
    assert len(turns) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_large_ring_is_folded_closes_and_unfolds(open_page):
    page = open_page("large")
    assert len(boxes(page)) == sum(edge["inRing"] for edge in edges(page)) == 15
    assert box(page, "more")["title"] == "… 4,986 more"
    assert "5,000 times" in finding(page, "DummyObject").text_content()
    assert is_inside(page) and page.locator("#hidden").is_hidden()
    click_box(page, "more")
    # As many as the file names, and one box for those it does not.
    assert len(boxes(page)) == sum(edge["inRing"] for edge in edges(page)) == 1001
    assert box(page, "more")["title"] == "… 4,000 more"
    wait_still(page)
    assert is_inside(page)
    page.get_by_role("button", name="Fold").click()
    assert len(boxes(page)) == 15


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
    assert sum(one["title"] == "Controls.Node" for one in boxes(page)) >= 48
    assert box(page, "× Controls.Node")["title"] == f"{count - 48} × Controls.Node"
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
    # What was under the pointer is there still.
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


def test_the_whole_graph_shows_every_block_once_at_its_place(open_page):
    page = open_page()
    page.get_by_role("button", name="Whole graph").click()
    wrong = page.evaluate("""() => {
      const { map, graph } = memoryGraph;
      const all = new Set();
      for (let node = 0; node < graph.count; node += 1) {
        const [x, y] = map.placeOf(node);
        all.add(`${x} ${y}`);
        if (map.at(x, y)?.node !== node) return `${node}: ${map.at(x, y)?.node}`;
      }
      return all.size === graph.count ? '' : `${all.size} places`;
    }""")
    assert wrong == ""
    # A leaked block is red, on the screen too.
    x, y = page.evaluate("""() => {
      const { map, graph } = memoryGraph;
      const { head } = graph.findings[0];
      const [x, y] = map.placeOf(head);
      return [x - map.cellOf(head) * 0.3, y - map.cellOf(head) * 0.3]; // in its middle stands a sign
    }""")
    left, top = page.evaluate("([x, y]) => memoryGraph.camera.toScreen(x, y)", [x, y])
    colour = page.evaluate("""([x, y]) => [
      ...document.getElementById('picture').getContext('2d').getImageData(x, y, 1, 1).data]""", [left, top])
    assert colour[:3] == [0xA3, 0x30, 0x2A]
    # A click upon a type's name tells of the type, a double click makes it large.
    one = page.evaluate("""() => {
      const { x, y, cell } = memoryGraph.map.districtOf(
        memoryGraph.graph.types.findIndex((type) => type.short === 'Controls.Node'));
      return [x + cell, y + cell / 4];
    }""")
    page.mouse.click(*at(page, one[0], one[1]))
    assert "Victim.Controls.Node" in told(page) and "Referred to by" in told(page)
    before = page.evaluate("memoryGraph.camera.scale")
    page.mouse.dblclick(*at(page, one[0], one[1]))
    wait_still(page)
    assert page.evaluate("memoryGraph.camera.scale") > before * 1.5


def test_values_stacks_and_what_is_kept_alive_are_shown_as_what_they_are(open_page):
    page = open_page("rich")
    page.locator("#picture").focus()
    page.keyboard.press("ArrowRight")
    assert "123.5 KB" in told(page) and "“" not in told(page)  # quotes are the style's
    assert page.locator("#inspector q").text_content() == "Grüße <b onclick=hacked()>"
    image = page.locator("#inspector img")
    assert image.count() == 1  # what is no image of a known kind is not given to the browser
    wait_until(page, "document.querySelector('#inspector img').naturalWidth === 24")
    assert page.locator(".stack .system").text_content() == "swift_allocObject"
    own = page.locator(".stack .own")
    assert "ViewController.<b>build</b>()" in own.text_content() and "Ring.swift:77" in own.text_content()
    assert own.locator("a").count() == 0
    page.locator(".editor select").select_option("vscode")
    assert page.locator(".stack a").get_attribute("href") == "vscode://file/home/me/My%20Sources/Ring.swift:77"
    page.locator(".editor select").select_option("other")
    page.locator(".editor input").fill("javascript:hacked('{file}')")
    page.locator(".editor input").press("Tab")
    assert page.locator(".stack a").count() == 0
    # A value is found by its words.
    page.get_by_role("searchbox").fill("grüße")
    assert page.locator(".row.node").count() == 1


def test_what_objects_of_a_real_process_hold_is_found_and_named(open_page):
    page = open_page("values")
    page.get_by_role("searchbox").fill("Ada")
    row = page.locator(".row.node", has_text="Ada")
    assert row.count() == 1
    assert row.locator(".value").text_content() == "mate = Ada" and row.locator(".amount").text_content() == "200 B"
    row.click()
    assert "Victim.Logbook" in told(page) and "Grace Hopper" in told(page) and "-5" in told(page)
    page.get_by_role("searchbox").fill("bremen")
    assert "= Bremen" in page.locator(".row.node").first.text_content()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_page_says_when_it_was_looked_at(open_page, language):
    page = open_page("values", locale=language)
    seconds = page.evaluate("memoryGraph.graph.takenAt")
    assert abs(time.time() - seconds) < 3600
    year = time.strftime("%Y", time.localtime(seconds))
    assert year in page.locator("#facts").text_content()
    page.locator("#title").click()
    assert ("Aufgenommen" if language == "de-DE" else "Looked at") in told(page) and year in told(page)


def test_every_word_of_a_finding_is_german_for_who_reads_german(open_page):
    page = open_page("malloc", locale="de-DE")
    assert "Block ohne Typ von" in finding(page, "Herrenlos").first.text_content()
    assert "auf den nichts verweist" in told(page)
    page = open_page("retained", locale="de-DE")
    assert "öfter festgehalten, als darauf verwiesen wird" in finding(page, "Zu oft festgehalten").text_content()
    page = open_page("everything", locale="de-DE")
    left = page.evaluate("""() => [...document.querySelectorAll('.row, #facts, #legend, #inspector')]
      .map((one) => one.textContent)
      .filter((text) => /untyped|nothing refers|retained more|reachable|leaked/.test(text))""")
    assert left == []


@pytest.mark.parametrize(("language", "words"), [("en-GB", "none but its own blocks refer to it"),
                                                 ("de-DE", "nur seine eigenen Blöcke verweisen aufeinander")])
def test_a_ring_of_blocks_without_counts_is_not_said_to_have_no_references(open_page, language, words):
    assert words in told(open_page("c", locale=language))


def test_few_leaked_among_very_many_are_seen_in_the_whole_graph(open_page):
    page = open_page("heap")
    page.get_by_role("button", name="Whole graph").click()
    wait_still(page)
    colours = page.evaluate("""() => {
      const { map, camera, graph } = memoryGraph;
      const { canvas } = document.getElementById('picture').getContext('2d');
      const [x, y] = camera.toScreen(...map.placeOf(graph.findings[0].head));
      const ratio = canvas.width / camera.width;
      const seen = canvas.getContext('2d').getImageData((x - 3) * ratio, (y - 3) * ratio, 12 * ratio, 8 * ratio).data;
      const found = [];
      for (let place = 0; place < seen.length; place += 4) found.push([...seen.slice(place, place + 3)].join(' '));
      return found;
    }""")
    assert colours.count("163 48 42") >= 24


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_colours_of_the_whole_graph_are_explained(open_page, viewport):
    page = open_page("everything", viewport)
    assert page.locator("#legend").is_hidden()
    page.get_by_role("button", name="Whole graph").click()
    legend = page.locator("#legend")
    assert [one.strip() for one in legend.locator("li").all_text_contents()] == [
        "✗ leaked", "○ in a retain cycle, still reachable", "the program’s own", "the system’s, or untyped"]
    # It covers none of the cells.
    wait_still(page)
    place, frame = legend.bounding_box(), page.locator("#picture").bounding_box()
    top, bottom = page.evaluate("""() => {
      const { map, camera } = memoryGraph;
      return [camera.toScreen(0, 0)[1], camera.toScreen(0, map.height)[1]];
    }""")
    assert place["y"] > frame["y"] + bottom or place["y"] + place["height"] < frame["y"] + top
    page.keyboard.press("?")
    assert "✗ leaked" in page.get_by_role("dialog").text_content()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_names_in_the_whole_graph_stay_in_their_districts(open_page, viewport):
    page = open_page("everything", viewport)
    page.get_by_role("button", name="Whole graph").click()
    page.evaluate("""() => {
      const { map, camera } = memoryGraph;
      const context = document.getElementById('picture').getContext('2d');
      globalThis.names = { all: 0, outside: [] };
      const draw = context.fillText;
      context.fillText = (text, x, y, ...more) => {
        draw.call(context, text, x, y, ...more);
        if (context.textAlign !== 'left') return;
        const district = map.order.find((one) => {
          const [left, top] = camera.toScreen(one.x, one.y);
          return x >= left && x < left + one.width * camera.scale && y >= top && y < top + one.height * camera.scale;
        });
        const right = district ? camera.toScreen(district.x + district.width, 0)[0] : 0;
        names.all += 1;
        if (x + context.measureText(text).width > Math.min(right, camera.width)) names.outside.push(text);
      };
    }""")
    page.locator("#picture").focus()
    page.keyboard.press("+")
    page.keyboard.press("0")
    wait_until(page, "names.all > 4")
    wait_still(page)
    assert page.evaluate("names.outside") == []


def test_what_is_around_an_object_is_drawn_so_that_it_can_be_read(open_page):
    page = open_page("everything")
    page.get_by_role("searchbox").fill("download")
    finding(page, "Download").first.click()
    click_box(page, "Download", double=True)
    page.locator("#picture").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert is_inside(page)
    assert page.evaluate("memoryGraph.camera.scale") >= 0.62
    centres = boxes(page)
    assert {one["level"] for one in centres} & {-1, 1}
    for edge in edges(page):
        if edge.get("isCovered") or not edge["label"]:
            continue
        middle, half = edge["middle"], edge["labelWidth"] / 2
        for one in centres:
            assert (abs(middle["x"] - one["x"]) > one["width"] / 2 + half - 1
                    or abs(middle["y"] - one["y"]) > one["height"] / 2), (edge["label"], one["title"])


def test_nothing_matches_stands_under_the_search_field(open_page):
    page = open_page("after")
    page.get_by_role("searchbox").fill("no such thing")
    words, tools = page.locator("#nothing").bounding_box(), page.locator(".tools").bounding_box()
    assert abs(words["y"] - (tools["y"] + tools["height"])) < 8


def test_what_a_hostile_process_is_called_stays_text(open_page):
    page = open_page("hostile")
    assert page.evaluate("document.querySelectorAll('img, main script, aside script').length") == 0
    assert "<img" in page.locator("#title").text_content()
    assert "<img src=x" in told(page) and HOSTILE in box(page, "global variable")["title"]


def test_a_script_that_got_in_would_not_run(open_page):
    page = open_page("after")
    with page.expect_event("console", predicate=lambda line: "Content Security Policy" in line.text):
        page.evaluate("""() => {
          const script = document.createElement('script');
          script.textContent = 'globalThis.hacked = true';
          document.body.append(script);
        }""")
    assert page.evaluate("globalThis.hacked") is None
    page.troubles.clear()


def test_german_for_who_reads_german(open_page):
    page = open_page("before", locale="de-DE")
    text = finding(page, "DummyObject").text_content()
    assert "Retain-Zyklus, noch erreichbar" in text and "DummyObject.next (10-mal) → zurück zum ersten" in text
    assert "globale Variable von victim" in box(page, "Variable")["title"]
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_phone_shows_list_graph_and_details_by_turns(open_page):
    page = open_page("everything", PHONE, has_touch=True, is_mobile=True)
    one = boxes(page)[0]
    page.touchscreen.tap(*at(page, one["x"], one["y"]))
    page.locator("#peek").click()
    assert page.locator("#inspector").is_visible() and "Victim." in told(page)
    page.get_by_role("button", name="List", exact=True).click()
    finding(page, "Document.pages").click()
    assert page.locator("#picture").is_visible() and box(page, "Document") and is_inside(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_who_wants_less_motion_sees_no_flight(open_page, motion):
    page = open_page("after", reduced_motion=motion)
    scale, is_moving = page.evaluate("""() => {
      const before = memoryGraph.camera.scale;
      document.getElementById('in').click();
      return [memoryGraph.camera.scale / before, memoryGraph.camera.isMoving];
    }""")
    assert (scale, is_moving) == ((pytest.approx(1.4), False) if motion == "reduce" else (1, True))


def test_everything_that_can_be_used_has_a_name(open_page):
    page = open_page("rich")
    page.locator("#picture").focus()
    page.keyboard.press("ArrowRight")
    nameless = page.evaluate("""() => [...document.querySelectorAll('button, input, select, canvas, img, [role=tree]')]
      .filter((one) => one.checkVisibility() && !(one.textContent || one.ariaLabel || one.alt || one.labels?.length))
      .map((one) => one.outerHTML)""")
    assert nameless == []


def test_pictures_for_the_tutorial(open_page):
    PICTURES.mkdir(parents=True, exist_ok=True)

    def shoot(page, name):
        wait_still(page)
        page.screenshot(path=PICTURES / f"memory-{name}.png")

    for name in ("before", "after"):
        shoot(open_page(name, {"width": 1200, "height": 700}), name)
    page = open_page("everything", {"width": 1200, "height": 700})
    page.get_by_role("button", name="Whole graph").click()
    shoot(page, "whole")
    shoot(open_page("after", PHONE, color_scheme="dark"), "phone")
