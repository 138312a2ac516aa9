"""`serve --demo` with the real hub: every room tells of one club, in the language that the terminal speaks."""

import pytest
from page import DESKTOP, PICTURES, pages

PEOPLE = ["Ada Winther", "Jonas Brandt", "Lena Okafor", "Mira Sandvik", "Tjark Petersen"]
FEAST = "7ffd2cad9396"
# What stands on each page, in English and in German.
ROOMS = {
    "space": (["Hackerspace Nordlicht", "Lightning talks"], ["Hackerspace Nordlicht", "Blitzvorträge"]),
    "programme": (["Hackathon", "Electronics for beginners"], ["Hackathon", "Elektronik für Einsteiger"]),
    f"programme/{FEAST}": (["Summer feast", "To the album"], ["Sommerfest", "Zum Album"]),
    "bells": (["The lock is silent", "Tjark Petersen leads", "Bell in the workshop"],
              ["Das Schloss meldet sich nicht", "Tjark Petersen führt", "Glocke in der Werkstatt"]),
    "clock": (["Kitchen"], ["Küche"]),
    "anchor": (["Holding", "Seeschwalbe"], ["Hält", "Seeschwalbe"]),
    "albums": (["Summer feast"], ["Sommerfest"]),
    "portfolio": (["Mira Sandvik", "Dunes"], ["Mira Sandvik", "Dünen"]),
    "apps": (["Word game"], ["Wörterspiel"]),
    "people": (PEOPLE, PEOPLE),
    "history": (["turned the sign", "Lena Okafor asked for somebody to open: Open evening", "dropped the anchor",
                 "Mira Sandvik is on the anchor alarm"],
                ["hat das Schild gedreht", "Lena Okafor sucht jemanden, der aufschließt: Offener Abend",
                 "hat den Anker fallen lassen", "Mira Sandvik kümmert sich um den Ankeralarm"]),
    "search?q=hackathon": (["Hackathon"], ["Hackathon"]),
    "screen": (["On your phone:", "Hackerspace Nordlicht"], ["Auf deinem Telefon:", "Hackerspace Nordlicht"]),
}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_all_rooms_of_the_demonstration_tell_of_one_club(browser, make_hub, language):
    hub = make_hub("demo", demo=True, env={"LC_ALL": f"{language.replace('-', '_')}.UTF-8"})
    with pages(browser) as open_page:
        page = open_page(viewport=DESKTOP, locale=language)
        fields = hub.sign_in_browser(page.context, "owner", "Robin")
        PICTURES.mkdir(parents=True, exist_ok=True)
        for room, words in ROOMS.items():
            page.goto(f"{hub.url}/{room}")
            for text in words[language == "de-DE"]:
                page.wait_for_selector(f"main >> text={text}", state="attached")
            name = room.partition("?")[0].replace("/", "-")
            page.screenshot(path=PICTURES / f"demo-{name}-{language[:2]}.png", animations="disabled", full_page=True)
        past = hub.get("/api/v1/history", token=fields)[1]["entries"]
        assert len(past) > 10 and past == sorted(past, key=lambda one: one["at"], reverse=True)
        album, = hub.get("/api/v1/albums", token=fields)[1]["albums"]
        assert album["pictures"] == 9
        states = [one["state"] for one in hub.get("/api/v1/bells", token=fields)[1]["items"]]
        assert {"new", "seen", "acted", "withdrawn"} <= set(states), states
        app, = hub.get("/api/v1/apps", token=fields)[1]["apps"]
        page.goto(f"{hub.url}/apps/{app['app_id']}")
        page.wait_for_selector("main >> text=Word")
        page.screenshot(path=PICTURES / f"demo-app-{language[:2]}.png", animations="disabled", full_page=True)
