"""A colour of the space's own that is red, which errors are as well."""

import re

import pytest
from hub import eventually
from page import pages

PROBE = """() => {
  const box = document.createElement('div');
  box.innerHTML = `<a href="#a">a</a><button class="button">b</button><p class="note" data-kind="info">i</p>
    <p class="note" data-kind="bad">e</p><button class="button primary">p</button>`;
  document.querySelector('main').append(box);
  const of = (name, part = null) => getComputedStyle(box.querySelector(name), part);
  const found = {
    link: of('a').color, button: of('button').color, ink: getComputedStyle(document.body).color,
    info: of('[data-kind=info]').backgroundColor, bad: of('[data-kind=bad]').backgroundColor,
    sign: of('[data-kind=bad]', '::before').content, primary: of('.primary').backgroundColor,
  };
  box.remove();
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_red_of_the_spaces_own_does_not_look_like_an_error(hub, browser, scheme):
    hub.configure(color="#c0392b")
    with pages(browser) as open_page:
        page = open_page(color_scheme=scheme)
        page.goto(hub.url)
        page.wait_for_selector("html[data-red]", state="attached")
        found = page.evaluate(PROBE)
        assert found["link"] == found["button"] == found["ink"], "words that one presses are not red"
        assert found["primary"] not in (found["ink"], found["bad"]), "the colour stays where one presses first"
        red, green, blue = map(float, re.findall(r"[\d.]+", found["info"])[-3:])
        assert max(red, green, blue) - min(red, green, blue) < (0.15 if red <= 1 else 38), found["info"]
        assert "\u26a0" in found["sign"], "an error has a sign of its own"
        hub.configure(color="#0b5585")
        page.reload()
        # The page comes with the colour that the device knows, and then with the hub's.
        eventually(lambda: page.evaluate(PROBE)["link"] != found["ink"])
