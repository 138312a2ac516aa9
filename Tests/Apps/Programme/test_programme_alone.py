"""A hub with the programme and nothing else: `--rooms programme`."""

import json

import pytest

from hub import EVENTS, SETTINGS, STATE, eventually
from ics import calendar, event

MINE = {"name": "Nordlicht", "timezone": "Europe/Berlin"}


@pytest.fixture
def alone(make_hub):
    hub = make_hub(options=["--rooms", "programme"])
    (hub.data / "club.ics").write_text(calendar(event("one", "20260601T180000Z", title="Soup")))
    return hub


def test_its_settings_are_the_place_and_the_calendars(alone):
    assert alone.get(SETTINGS, token=alone.owner_token)[0] == 404
    sent = MINE | {"calendars": [{"kind": "ics", "url": "file:club.ics"}], "privacy": "https://a.example/privacy"}
    status, kept = alone.put(SETTINGS, alone.owner_token, sent)
    assert status == 200 and kept["privacy"] == "https://a.example/privacy"
    assert list(kept) == ["name", "address", "lat", "lon", "timezone", "calendars", "tonight_at", "news_at",
                          "legal_notice", "privacy"]
    assert (kept["tonight_at"], kept["news_at"]) == ("16:00", "10:00"), "as the hub's options say"
    assert alone.get(SETTINGS, token=alone.owner_token) == (200, kept)
    assert alone.get("/manifest.webmanifest")[1]["name"] == "Nordlicht"
    assert alone.get("/api/v1/place")[1]["timezone"] == "Europe/Berlin"
    status, told = alone.put(SETTINGS, alone.owner_token, sent | {"color": "#4a3fa3"})
    assert (status, told["code"]) == (400, 40003) and "color: unknown" in told["error"]
    old = {"Authorization": f"Bearer {alone.owner_token}", "If-Match": '"another"'}
    assert alone.request("PUT", SETTINGS, old, json.dumps(MINE).encode()).status == 412
    assert alone.get(SETTINGS, token=alone.owner_token) == (200, kept)


def test_when_it_rings_is_chosen_in_the_settings(alone):
    sent = MINE | {"tonight_at": "18:30", "news_at": "off"}
    status, kept = alone.put(SETTINGS, alone.owner_token, sent)
    assert status == 200 and (kept["tonight_at"], kept["news_at"]) == ("18:30", "off")
    for wrong in ("24:00", "7", "", 7):
        status, told = alone.put(SETTINGS, alone.owner_token, MINE | {"tonight_at": wrong})
        assert (status, told["code"]) == (400, 40003) and "tonight_at: " in told["error"], told
    alone.kill()
    alone.start()
    kept = alone.get(SETTINGS, token=alone.owner_token)[1]
    assert (kept["tonight_at"], kept["news_at"]) == ("18:30", "off")
    assert alone.put(SETTINGS, alone.owner_token, MINE)[1]["tonight_at"] == "16:00"


def test_it_tells_what_is_on_without_a_space(alone):
    alone.put(SETTINGS, alone.owner_token, MINE | {"calendars": [{"kind": "ics", "url": "file:club.ics"}]})
    eventually(lambda: [one["title"] for one in alone.events()["events"]] == ["Soup"])
    assert alone.events()["events"][0]["start"] == "2026-06-01T20:00:00+02:00"
    feed = alone.request("GET", "/space/calendar.ics")
    assert feed.status == 200 and b"X-WR-CALNAME:Nordlicht" in feed.body
    assert alone.get("/api/v1/space/openers")[0] == 200
    for path in (STATE, "/api/v1/space", "/spaceapi.json", "/api/v1/space/hours", "/api/v1/space/sensors"):
        assert alone.get(path)[0] == 404, path
    assert alone.get("/api/v1/rooms")[1]["rooms"] == ["programme"]
    assert alone.request("GET", "/programme").status == 200 and alone.request("GET", "/space").status == 404


def test_its_demo_stands_alone(make_hub):
    hub = make_hub(demo=True, options=["--rooms", "programme"])
    assert hub.get("/manifest.webmanifest")[1]["name"] == "Hackerspace Nordlicht"
    eventually(lambda: len(hub.get(EVENTS)[1]["events"]) > 10)
