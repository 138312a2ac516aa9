"""Albums of events: who opens one, and who finds the way to it."""

import datetime

import pytest

from hub import eventually
from ics import calendar, event
from live import listening
from uploads import ALBUMS

YEAR = datetime.datetime.now().year + 1
OPEN = {"mode": "open"}


@pytest.fixture
def evening(hub):
    """The identifier of an event."""
    (hub.data / "club.ics").write_text(calendar(event("a", f"{YEAR}0601T180000Z", title="Evening")), newline="")
    hub.configure(calendars=[{"kind": "ics", "url": "file:club.ics"}])
    return eventually(lambda: hub.events(f"{YEAR}-01-01", f"{YEAR + 1}-01-01")["events"])[0]["id"]


def path(event):
    return f"/api/v1/space/events/{event}/album"


def look(hub, event, who=None):
    status, answer = hub.get(path(event), token=who)
    assert status == 200, answer
    return answer


def secret(album):
    return album["join_url"].partition("#")[2]


def test_a_member_opens_an_album_and_whoever_sees_the_event_is_in(hub, evening):
    ada = hub.sign_in("member", "Ada")
    assert look(hub, evening) == {"album": None, "may_make": False}
    assert look(hub, evening, ada) == {"album": None, "may_make": True}
    with listening(hub) as listener:
        assert hub.put(path(evening), ada, OPEN)[0] == 200
        assert listener.next()["data"] == {"event": evening}
    album = look(hub, evening)["album"]
    assert album["name"] == "Evening" and album["state"] == "open" and not album["every_time"]
    assert album["closes_at"] == f"{YEAR}-06-02T18:00:00Z", "a day after its end"
    assert album["host_url"] is None and album["card_url"] == album["join_url"].replace("/album#", "/album/card#")
    assert album["wall_url"] == album["join_url"].replace("/album#", "/album/wall#")
    assert look(hub, evening, ada)["album"]["host_url"].endswith("/album/host#" + secret(album))
    assert hub.post(f"{ALBUMS}/look", json={"secret": secret(album)})[1]["name"] == "Evening"
    assert hub.post(f"{ALBUMS}/join", json={"secret": secret(album)})[1]["state"] == "in"
    mine = hub.get(ALBUMS, token=ada)[1]["albums"]
    assert [(one["name"], one["role"]) for one in mine] == [("Evening", "host")]
    assert hub.post(ALBUMS, ada, {"name": "Ada's own"})[0] == 201
    told = hub.get("/api/v1/history?room=albums", token=hub.sign_in("member", "Ben"))[1]["entries"]
    assert [(one["who"], one["what"], one["about"]) for one in told] == [("Ada", "albums.made-for-event", "Evening")]


def test_whoever_shows_an_events_album_hears_of_a_new_link_and_of_its_end(hub, evening):
    ada = hub.sign_in("member", "Ada")
    assert hub.put(path(evening), ada, OPEN)[0] == 200
    before = secret(look(hub, evening)["album"])
    album = f"{ALBUMS}/{hub.get(ALBUMS, token=ada)[1]['albums'][0]['id']}"
    with listening(hub) as listener:
        for changed in ({"new_link": True}, {"closed": True}):
            assert hub.patch(album, ada, changed)[0] == 200
            assert listener.next()["data"] == {"event": evening}
        told = look(hub, evening)["album"]
        assert secret(told) != before and told["state"] == "closed"
        assert hub.delete(album, ada)[0] == 204
        assert listener.next()["data"] == {"event": evening}
    assert look(hub, evening)["album"] is None


def test_the_link_of_a_family_album_is_for_members(hub, evening):
    ada, ben = hub.sign_in("member", "Ada"), hub.sign_in("member", "Ben")
    assert hub.put(path(evening), ada, {"mode": "family"})[1]["album"]["mode"] == "family"
    assert look(hub, evening)["album"] is None
    album = look(hub, evening, ben)["album"]
    assert album["host_url"] is None
    assert hub.post(f"{ALBUMS}/join", json={"secret": secret(album)})[1]["state"] == "asked"


def test_an_event_has_one_album_which_its_host_or_an_owner_takes_off(hub, evening):
    ada, ben, olga = hub.sign_in("member", "Ada"), hub.sign_in("member", "Ben"), hub.sign_in("owner", "Olga")
    hub.put(path(evening), ada, OPEN)
    status, answer = hub.put(path(evening), ben, OPEN)
    assert (status, answer["code"]) == (409, 40964)
    assert hub.delete(path(evening), ben)[1]["code"] == 40368
    assert hub.delete(path(evening), olga) == (200, {"album": None, "may_make": True})
    assert hub.delete(path(evening), ada)[1]["code"] == 40465
    assert len(hub.get(ALBUMS, token=ada)[1]["albums"]) == 1, "the album itself stays with its host"
    assert hub.put(path(evening), ben, OPEN)[0] == 200


def test_who_may_not(hub, evening):
    assert hub.put(path(evening), None, OPEN)[0] == 401
    assert hub.put(path(evening), hub.token("reader"), OPEN)[0] == 403
    member = hub.sign_in("member", "Mira")
    assert hub.put(path("0123456789ab"), member, OPEN)[1]["code"] == 40403
    assert hub.get(path("nothing"))[1]["code"] == 40403
    status, answer = hub.put(path(evening), member, {"mode": "wide"})
    assert status == 400 and "mode" in answer["error"]
    foreign = member | {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert hub.put(path(evening), foreign, OPEN)[0] == 403
    assert look(hub, evening)["album"] is None


def test_without_the_room_of_albums_nothing_of_it_is_there(make_hub):
    hub = make_hub(options=["--rooms", "space,programme"])
    (hub.data / "club.ics").write_text(calendar(event("a", f"{YEAR}0601T180000Z", title="Evening")), newline="")
    hub.configure(calendars=[{"kind": "ics", "url": "file:club.ics"}])
    evening = eventually(lambda: hub.events(f"{YEAR}-01-01", f"{YEAR + 1}-01-01")["events"])[0]["id"]
    ada = hub.sign_in("member", "Ada")
    assert look(hub, evening, ada) == {"album": None, "may_make": False}
    assert hub.put(path(evening), ada, OPEN)[1]["code"] == 40461
