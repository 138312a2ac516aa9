"""The memory graph's page: one file, opened as a file, without a network."""

import pytest

from page import DESKTOP, PHONE, PICTURES, pages, wait_until
from victims import Victim, run


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A page with a finding of every kind."""
    folder = tmp_path_factory.mktemp("report")
    with Victim("everything", 10) as victim:
        assert run("graph", victim.pid, "--html", folder / "everything.html").returncode == 1
    with Victim("ring", 5000) as victim:
        victim.drop()
        assert run("graph", victim.pid, "--html", folder / "large.html").returncode == 1
    with Victim("ring", 10) as victim:
        assert run("graph", victim.pid, "--html", folder / "before.html").returncode == 0
        victim.drop()
        assert run("graph", victim.pid, "--html", folder / "after.html").returncode == 1
    return folder


@pytest.fixture
def open_page(browser, report):
    """Opens a report; anything the page complains about, or asks a network for, fails the test."""
    with pages(browser) as empty_page:
        def open_page(name="everything", viewport=DESKTOP, **options):
            page = empty_page(viewport=viewport, **options)
            page.on("console", lambda message: page.troubles.append(message.text))
            page.on("request", lambda asked: asked.url.startswith("file:") or page.troubles.append(asked.url))
            page.goto((report / f"{name}.html").as_uri())
            return page

        yield open_page


def inside(page, selector):
    """Whether all that matches stands within the picture."""
    return page.evaluate("""(selector) => {
      const frame = document.getElementById('picture').getBoundingClientRect();
      return [...document.querySelectorAll(selector)].every((one) => {
        const box = one.getBoundingClientRect();
        return box.left >= frame.left - 1 && box.right <= frame.right + 1
          && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      });
    }""", selector)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_ring_is_drawn_in_its_order_and_fits_the_window(open_page, viewport):
    page = open_page("after", viewport)
    assert page.locator(".node.ring").count() == 10
    assert page.locator(".edge.ring text").all_text_contents() == ["next"] * 10
    assert inside(page, ".node")
    # Round, one behind the other: each step turns the same way.
    turns = page.evaluate("""() => {
      const places = [...document.querySelectorAll('.node')].map((one) => one.transform.baseVal[0].matrix);
      return places.map((a, i) => {
        const b = places[(i + 1) % places.length];
        return a.e * b.f - a.f * b.e > 0;
      });
    }""")
    assert len(set(turns)) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_large_ring_is_folded_and_still_closes(open_page):
    page = open_page("large")
    assert page.locator(".node.ring").count() == page.locator(".edge.ring").count() == 21
    assert page.locator(".node.folded").text_content() == "… 4,980 more"
    assert "5000 times" in page.locator("#findings").text_content()
    assert inside(page, ".node") and page.locator("#hidden").is_hidden()


def test_a_ring_that_is_held_shows_who_holds_it(open_page):
    page = open_page("before")
    assert "controller" in page.locator(".node.root").text_content()
    assert "ViewController" in page.locator("#picture").text_content()
    assert inside(page, ".node")
    assert "still reachable" in page.locator("#findings").text_content()


def test_the_list_is_filtered_by_words_and_by_kind(open_page):
    page = open_page()
    everything = page.locator("#findings button").count()
    assert everything > 5
    page.get_by_role("button", name="Cycles").click()
    assert page.locator("#findings button").count() == 1
    page.get_by_role("button", name="Leaks").click()
    assert page.locator("#findings button").count() == everything - 1
    page.get_by_role("searchbox").fill("ticker")
    assert page.locator("#findings button").all_text_contents()[0].count("Ticker.onTick") == 1
    page.get_by_role("searchbox").fill("no such thing")
    assert page.get_by_text("No finding matches.").is_visible()


def test_every_finding_can_be_drawn_and_blocks_and_references_say_what_they_are(open_page):
    page = open_page()
    for button in page.locator("#findings button").all():
        button.click()
        assert page.locator(".node").count() > 0 and inside(page, ".node")
    page.locator("#findings button", has_text="Boss.worker").click()
    page.locator(".node", has_text="Boss").click()
    told = page.locator("#inspector").text_content()
    assert "Victim.Boss" in told and "Swift" in told and "1 strong" in told
    page.locator(".edge text", has_text="delegate").click()
    told = page.locator("#inspector").text_content()
    assert "Victim.Worker" in told and "strong" in told and "delegate" in told


def test_the_picture_is_zoomed_and_moved_with_wheel_mouse_and_keys(open_page):
    page = open_page("after")

    def view():
        return [float(part) for part in page.locator("#picture").get_attribute("viewBox").split()]

    before = view()
    page.mouse.move(700, 420)
    page.mouse.wheel(0, -400)
    wait_until(page, f"document.getElementById('picture').viewBox.baseVal.width < {before[2] * 0.9}")
    zoomed = view()
    page.mouse.down()
    page.mouse.move(760, 470, steps=4)
    page.mouse.up()
    assert view()[0] < zoomed[0] and view()[1] < zoomed[1]
    page.get_by_role("button", name="Fit").click()
    assert view() == pytest.approx(before, abs=1)
    page.locator("#picture").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    assert view()[0] > before[0] and view()[2] < before[2]


def test_german_for_who_reads_german(open_page):
    page = open_page("after", locale="de-DE")
    assert "Retain-Zyklus, verloren" in page.locator("#findings").text_content()


def test_pictures_for_the_tutorial(open_page):
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in ("before", "after"):
        page = open_page(name, {"width": 1000, "height": 640})
        page.wait_for_selector(".node")
        page.screenshot(path=PICTURES / f"memory-{name}.png")
    page = open_page("after", PHONE, color_scheme="dark")
    page.wait_for_selector(".node")
    page.screenshot(path=PICTURES / "memory-phone.png")
