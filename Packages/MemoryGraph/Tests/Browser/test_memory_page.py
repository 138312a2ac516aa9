"""The whole graph, objects' values, languages and safety of the memory graph's page."""

import re
import time

import pytest

from memory_page import HOSTILE, at, box, boxes, click_box, finding, is_inside, tap, told, wait_still
from page import DESKTOP, PHONE, PICTURES, wait_until
from readable import axe


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
    # A leaked block is red, on the screen too, but where its sign or a line that passes is drawn on it.
    colour = page.evaluate("""() => {
      const { map, graph, camera } = memoryGraph;
      const { head } = graph.findings[0];
      const [x, y] = camera.toScreen(...map.placeOf(head));
      const half = Math.max(1, Math.floor(map.cellOf(head) * camera.scale * 0.35));
      const { data } = document.getElementById('picture').getContext('2d')
        .getImageData(x - half, y - half, 2 * half, 2 * half);
      const counts = new Map();
      for (let at = 0; at < data.length; at += 4) {
        const one = data.slice(at, at + 3).join(' ');
        counts.set(one, (counts.get(one) ?? 0) + 1);
      }
      return [...counts].sort((a, b) => b[1] - a[1])[0][0];
    }""")
    assert colour == "163 48 42"
    # A click on a type's name describes the type, a double click enlarges it.
    one = page.evaluate("""() => {
      const { x, y, cell } = memoryGraph.map.districtOf(
        memoryGraph.graph.types.findIndex((type) => type.name === 'Victim.Controls.Node'));
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
    assert page.locator(".row.holder").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing(open_page, viewport, scheme):
    page = open_page("rich", viewport, color_scheme=scheme)
    page.locator("#picture").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#inspector q", state="attached")  # a phone has it below the picture
    assert axe(page) == []


def test_what_objects_of_a_real_process_hold_is_found_and_named(open_page):
    page = open_page("values")
    page.get_by_role("searchbox").fill("Ada")
    row = page.locator(".row.holder", has_text="Ada")
    assert row.count() == 1
    # Its owner, and the words that were searched for.
    assert row.locator(".name").text_content() == "Logbook" and row.locator("mark").text_content() == "Ada"
    assert row.locator(".value").text_content() == "mate = Ada" and row.locator(".amount").text_content() == "200 B"
    row.click()
    assert "Victim.Logbook" in told(page) and "Grace Hopper" in told(page) and "-5" in told(page)
    page.get_by_role("searchbox").fill("bremen")
    row = page.locator(".row.holder").first
    assert "= Bremen" in row.text_content() and row.locator(".name").text_content().startswith("Dictionary<")
    # Of a long text the part with the words is shown.
    page.get_by_role("searchbox").fill("Hopper")
    row = page.locator(".row.holder").first
    word, frame = row.locator("mark").bounding_box(), row.bounding_box()
    assert word["x"] + word["width"] <= frame["x"] + frame["width"]


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_page_says_when_it_was_looked_at(open_page, language):
    page = open_page("values", locale=language)
    seconds = page.evaluate("memoryGraph.graph.takenAt")
    assert abs(time.time() - seconds) < 3600
    year = time.strftime("%Y", time.localtime(seconds))
    assert year in page.locator("#facts").text_content()
    page.locator("#title").click()
    assert ("Aufgenommen" if language == "de-DE" else "Looked at") in told(page) and year in told(page)


def test_a_damaged_heap_is_told_above_all_else_and_nothing_has_a_tick(open_page):
    page = open_page("damaged", locale="de-DE")
    assert page.locator(".row").first.text_content() == "! Der Heap ist zerstört."
    page.locator("#title").click()
    assert "○ In dem, was zu lesen war" in told(page) and "✓" not in told(page)
    page.locator(".row.type").first.click()
    said = "! Der Heap ist bei 0x10 zerstört: ein Stück von 7 Bytes. Von da an wurden 5000 der 9000 Bytes"
    assert told(page).startswith(said) and told(page).count("0x10") == 1


def test_every_word_of_a_finding_is_german_for_who_reads_german(open_page):
    page = open_page("malloc", locale="de-DE")
    assert "Block ohne Typ von" in finding(page, "Herrenlos").first.text_content()
    assert "auf den nichts verweist" in told(page) and "--stacks sagt" in told(page)
    page = open_page("retained", locale="de-DE")
    assert "öfter festgehalten, als darauf verwiesen wird" in finding(page, "Zu oft festgehalten").text_content()
    page = open_page("c", locale="de-DE")
    row = page.locator(".row.finding").first.text_content()
    assert "Block" in row and "block" not in row
    assert "lang still" in page.locator("#facts").text_content()
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
    assert {one["level"] for one in boxes(page)} & {-1, 1}


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
    tap(page, *at(page, one["x"], one["y"]))
    assert page.locator("#menu").is_hidden()
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
        page.screenshot(path=PICTURES / f"memory-{name}.png", animations="disabled")

    for name in ("before", "after"):
        shoot(open_page(name, {"width": 1200, "height": 700}), name)
    page = open_page("line", {"width": 1200, "height": 700})
    click_box(page, "DummyObject")
    page.locator(".editor select").select_option("vscode")
    line = page.locator(".stack a", has_text="Trials.swift").first
    assert re.fullmatch(r"vscode://file/.*/Tests/Victim/Trials\.swift:\d+", line.get_attribute("href"))
    page.locator("#inspector h3", has_text="Allocated at").scroll_into_view_if_needed()
    shoot(page, "line")
    page = open_page("everything", {"width": 1200, "height": 700})
    page.get_by_role("button", name="Whole graph").click()
    shoot(page, "whole")
    shoot(open_page("after", PHONE, color_scheme="dark"), "phone")
