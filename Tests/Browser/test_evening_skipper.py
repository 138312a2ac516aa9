"""An evening as a skipper, as Docs/evening-skipper.md tells it: from two packages to a watch that was tried."""

import shlex

import pytest
from agent import Agent
from evening import Evening
from gpsd import Gpsd, Ticking
from hub import eventually
from page import pages, wait_until

HOLDING = "document.querySelector('.board-word')?.innerText.trim() === 'Holding'"


@pytest.mark.timeout(300)
def test_a_skipper_from_two_packages_to_a_watch_that_was_tried(browser, make_hub, tmp_path):
    boat = {"at": (0.0, 0.0)}
    with Gpsd() as gpsd, Ticking(gpsd, lambda: boat["at"], 0.5), pages(browser) as open_page:
        evening = Evening(
            "skipper", make_hub(start=False), tmp_path,
            {"--gpsd localhost": f"--gpsd {gpsd.address}", "/var/lib/eightbells-agent": str(tmp_path / "boat/state")})
        tjark = open_page(viewport={"width": 390, "height": 900})
        evening.begin(tjark, "Tjark", ["An anchor watch", "Bells"], "Seeschwalbe")()
        tjark.wait_for_selector("button.drop")

        evening.next()
        with service(evening):
            tjark.wait_for_selector("text=Cabin", timeout=30_000)
            wait_until(tjark, "!document.querySelector('.board')?.innerText.includes('no position yet')", 30_000)
            evening.press(tjark, "button.drop")
            tjark.wait_for_selector(".board-word:has-text('Not watched yet')")
            boat["at"] = (0.0, -18.0)
            evening.keep(tjark, "1-dropped")

            evening.press(tjark, "a:has-text('Before the night')")
            tjark.wait_for_selector(".rode-view")
            evening.fill(tjark, "label:has-text('Alarm') + .with-unit input", "40")
            tjark.keyboard.press("Enter")
            evening.press(tjark, "button:has-text('Ring all')")
            tjark.wait_for_selector(".drill li:has-text('Cabin') .tag[data-kind=good]", timeout=30_000)
            evening.press(tjark, "button:has-text('I hear it')")
            tjark.wait_for_selector("text=Answer only then", state="hidden")
            tjark.locator(".drill").evaluate("it => it.scrollIntoView({ block: 'center' })")
            evening.keep(tjark, "2-drill")
            evening.press(tjark, "button:has-text('Start the watch')")
            tjark.wait_for_url("**/anchor")
            wait_until(tjark, HOLDING, 40_000)
            evening.keep(tjark, "3-holding")
            # The agent has the watch a moment after the page.
            eventually(lambda: "18 m" in evening.tried(), seconds=20)
            assert "18 m" in evening.next()
    evening.end()


def service(evening):
    """The agent as its unit starts it: with the settings that the document's commands wrote."""
    lines = (evening.folder / "agent.conf").read_text().splitlines()
    settings = dict(line.split("=", 1) for line in lines if line)
    assert settings["EIGHTBELLS_HUB"] == evening.hub.url, settings
    (evening.folder / "boat").mkdir()
    words = [*shlex.split(settings["OPTIONS"]), "--audio", f"file:{evening.folder}/heard.wav"]
    return Agent(evening.folder / "boat", settings["EIGHTBELLS_HUB"], *words,
                 secret=settings["EIGHTBELLS_TOKEN"])
