"""A hub with the sign and nothing else: `--rooms space`."""

import pytest

from hub import EVENTS, SETTINGS, SPACE, STATE

OF_PROGRAMME = ("calendars", "tonight_at", "news_at")
MINE = {name: value for name, value in SPACE.items() if name not in OF_PROGRAMME}


@pytest.fixture
def alone(make_hub):
    hub = make_hub(options=["--rooms", "space"])
    status, hub.kept = hub.put(SETTINGS, hub.owner_token, MINE)
    assert status == 200, hub.kept
    return hub


def test_its_settings_are_the_place_and_the_space(alone):
    assert "calendars" not in alone.kept and alone.kept["name"] == SPACE["name"]
    status, told = alone.put(SETTINGS, alone.owner_token, MINE | {"calendars": []})
    assert (status, told["code"]) == (400, 40003) and "calendars: unknown" in told["error"]


def test_it_works_without_a_programme(alone):
    alone.turn(True)
    assert alone.get(STATE)[1]["open"] is True
    assert alone.get("/api/v1/space")[1]["name"] == SPACE["name"]
    document = alone.get("/spaceapi.json")[1]
    assert document["state"]["open"] is True and "feeds" not in document
    status, hours = alone.get("/api/v1/space/hours")
    assert status == 200 and hours["programme"] == []
    for path in (EVENTS, "/api/v1/space/calendars", "/space/calendar.ics", "/api/v1/space/favourites", "/programme"):
        assert alone.request("GET", path).status == 404, path
    assert alone.get("/api/v1/rooms")[1]["rooms"] == ["space"]


def test_what_the_programme_kept_is_there_when_it_comes_back(make_hub):
    hub = make_hub()
    hub.configure(calendars=[{"kind": "ics", "url": "file:club.ics"}])
    before = hub.get(SETTINGS, token=hub.owner_token)[1]
    hub.stop()
    alone = make_hub(options=["--rooms", "space"])
    told = alone.get(SETTINGS, token=hub.owner_token)[1]
    assert told == {name: value for name, value in before.items() if name not in OF_PROGRAMME}
    assert alone.put(SETTINGS, hub.owner_token, told | {"name": "Südlicht"})[0] == 200
    alone.stop()
    assert make_hub().get(SETTINGS, token=hub.owner_token)[1] == before | {"name": "Südlicht"}
