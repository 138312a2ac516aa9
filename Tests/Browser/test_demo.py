"""`serve --demo` with the real hub: every room tells of one club, in the language that the terminal speaks."""

import pytest
from page import DESKTOP, pages

PEOPLE = ["Ada Winther", "Jonas Brandt", "Lena Okafor", "Mira Sandvik", "Tjark Petersen"]
FEAST = "7ffd2cad9396"
# The words on each page, in German.
ROOMS = {
    "space": ["Hackerspace Nordlicht", "Blitzvorträge"],
    "programme": ["Hackathon", "Elektronik für Einsteiger"],
    f"programme/{FEAST}": ["Sommerfest", "Zum Album"],
    "bells": ["Das Schloss meldet sich nicht", "Tjark Petersen führt", "Glocke in der Werkstatt"],
    "clock": ["Küche"],
    "anchor": ["Hält", "Seeschwalbe"],
    "albums": ["Sommerfest"],
    "portfolio": ["Mira Sandvik", "Dünen"],
    "apps": ["Wörterspiel"],
    "people": PEOPLE,
    "history": ["hat das Schild gedreht", "Lena Okafor sucht jemanden, der aufschließt: Offener Abend",
                "hat den Anker fallen lassen", "Mira Sandvik kümmert sich um den Ankeralarm"],
    "search?q=hackathon": ["Hackathon"],
    "screen": ["Auf deinem Telefon:", "Hackerspace Nordlicht"],
}


@pytest.mark.timeout(240)
def test_all_rooms_of_the_demonstration_tell_of_one_club(browser, make_hub):
    hub = make_hub("demo", demo=True, env={"LC_ALL": "de_DE.UTF-8"})
    with pages(browser) as open_page:
        page = open_page(viewport=DESKTOP, locale="de-DE")
        fields = hub.sign_in_browser(page.context, "owner", "Robin")
        for room, words in ROOMS.items():
            page.goto(f"{hub.url}/{room}")
            for text in words:
                page.wait_for_selector(f"main >> text={text}", state="attached")
        past = hub.get("/api/v1/history", token=fields)[1]["entries"]
        assert len(past) > 10 and past == sorted(past, key=lambda one: one["at"], reverse=True)
        album, = hub.get("/api/v1/albums", token=fields)[1]["albums"]
        assert album["pictures"] == 9
        states = [one["state"] for one in hub.get("/api/v1/bells", token=fields)[1]["items"]]
        assert {"new", "seen", "acted", "withdrawn"} <= set(states), states
        app, = hub.get("/api/v1/apps", token=fields)[1]["apps"]
        page.goto(f"{hub.url}/apps/{app['app_id']}")
        page.wait_for_selector("main >> text=Word")
