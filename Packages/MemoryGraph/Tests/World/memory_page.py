"""The memory graph's page, of real programs, and the boxes drawn on it."""

import base64
import json
import re
import shutil
import struct

import pytest

from page import DESKTOP, pages, wait_until
from png import png
from victims import VICTIM, Victim, follow, ring_of_c, run

# Valid as a file's name; unescaped in a script, the second part makes a browser read the rest as text.
HOSTILE = "<img src=x onerror=hacked()><!--<script>"


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """Pages of real processes: with a finding of every kind, a large one, a ring before and after it leaks."""
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
    draw("tangled", "tangled", 1)
    draw("pages", "array", 300)
    draw("values", "values", 1)
    draw("kinds", "kinds", 1)
    draw("heap", "heap", 100_000)
    draw("malloc", "malloc", 3)
    draw("retained", "retained", 4)
    draw("hostile", "ring", 10, program=folder / HOSTILE)
    words = ("run", "--stacks", "--html", folder / "line.html", "--", VICTIM, "ring", 10)
    assert follow(*words, told="drop\n").returncode == 1
    with ring_of_c(folder) as process:
        assert run("graph", process, "--html", folder / "c.html").returncode == 1
    change(folder / "after.html", folder / "rich.html", enrich)
    change(folder / "after.html", folder / "namesakes.html", make_namesakes)
    change(folder / "values.html", folder / "damaged.html", damage)
    return folder


def change(source, target, changed):
    """A page of the same graph with some parts changed."""
    text = source.read_text()
    found = re.search(r'(?<=<script type="application/json" id="graph">).*?(?=</script>)', text, re.DOTALL)
    data = json.loads(found[0])
    changed(data)
    told = json.dumps(data).replace("<", "\\u003c")
    target.write_text(text[:found.start()] + told + text[found.end():])


def make_namesakes(data):
    """A page on which two modules have a type of the same name."""
    other = next(kind for kind in data["types"] if kind["name"] == "Victim.ViewController")
    other["name"] = "Harbour.DummyObject"


def damage(data):
    """A page of a heap in which something has written past the end of a block."""
    data["damage"] = [
        "The heap is corrupted at 0x10: a chunk of 7 bytes. From there on 5000 of the heap's 9000 bytes were not read: "
        "the blocks in them are not shown, and leaks among them are missed."]
    data["remarks"] += data["damage"]


def enrich(data):
    """The first object has all possible details, as in a process that was started with --stacks and whose strings and
    images were read."""
    node, count = data["findings"][0]["head"], data["count"]

    def column(width, form, values):
        return {"width": width, "data": base64.b64encode(struct.pack(f"<{count}{form}", *values)).decode()}

    data["allocatedAt"] = column(1, "B", [int(number == node) for number in range(count)])
    data["retained"], data["retainedBlocks"] = column(8, "d", [123_456.0] * count), column(1, "B", [7] * count)
    data["stacks"], data["suspended"] = [[0, 1]], []
    data["frames"] = [
        ["swift_allocObject", "libswiftCore.so", 0],
        ["ViewController.<b>build</b>()", "victim", 1, "/home/me/My Sources/Ring.swift", 77]]
    image = base64.b64encode(png(24, 16)).decode()
    drawing = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg" onload="hacked()"/>').decode()
    data["values"] = {str(node): [
        ["name", "text", "Grüße <b onclick=hacked()>"], ["count", "number", "42"], ["icon", "image", "", image],
        ["drawing", "image", "svg", drawing]]}


@pytest.fixture
def open_page(browser, report):
    """Opens a report; any complaint of the page, or access to a network, fails the test."""
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
    """The boxes drawn: the place on the screen and the text of each."""
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
    """The place on the screen of a point of the world."""
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


def tap(page, x, y):
    """A finger's short tap. Playwright's own lasts until the test has heard of its beginning, and half a second is
    a long press, which opens the menu."""
    session = page.context.new_cdp_session(page)
    session.send("Input.synthesizeTapGesture", {"x": round(x), "y": round(y), "gestureSourceType": "touch"})
    session.detach()


def told(page):
    return page.locator("#inspector").text_content()


def finding(page, text):
    return page.locator(".row.finding", has_text=text)
