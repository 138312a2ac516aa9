"""/spaceapi.json against the official schemas, and against the most common mistakes in public directories."""

import ics
import jsonschema
import pytest

from hub import SPACE
from spaceapi import PATH, check, document

FULL_CONTACT = {
    "phone": "+49 421 1", "sip": "sip:s@space.example", "irc": "ircs://irc.example/#space", "twitter": "@space",
    "mastodon": "@space@social.example", "facebook": "https://facebook.example/space", "identica": "space",
    "foursquare": "4b", "email": "hello@space.example", "ml": "list@space.example", "xmpp": "space@muc.example",
    "issue_mail": "issues@space.example", "gopher": "gopher://space.example", "matrix": "#space:example.org",
    "mumble": "mumble://space.example",
    "keymasters": [{"name": "Ada", "irc_nick": "ada", "phone": "1", "email": "a@space.example", "twitter": "@ada",
                    "xmpp": "ada@space.example", "mastodon": "@ada@social.example", "matrix": "@ada:example.org"}],
}


def test_the_check_finds_what_it_should():
    """Checks that the validator does not accept everything."""
    right = {"api_compatibility": ["14", "15"], "space": "a", "logo": "https://a.example/l.svg",
             "url": "https://a.example", "location": {"lat": 1, "lon": 2}, "contact": {"email": "a@a.example"}}
    check(right)
    for wrong in ({"state": {"open": "true"}}, {"api_compatibility": ["14"]}, {"location": {"lat": 1}},
                  {"state": {"lastchange": "1"}}, {"contact": "a@a.example"}):
        with pytest.raises((jsonschema.ValidationError, AssertionError)):
            check(right | wrong)


def test_there_is_no_document_before_there_are_settings(hub):
    answer = hub.request("GET", PATH)
    assert answer.status == 404
    assert list(answer.json) == ["code", "error", "help"] and "PUT /api/v1/space/settings" in answer.json["help"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_its_tag_changes_with_what_it_stands_for(hub_with_space):
    hub = hub_with_space
    before = hub.request("GET", PATH).headers["ETag"]
    assert hub.request("GET", PATH, {"If-None-Match": before}).status == 304
    hub.turn(True)
    after = hub.request("GET", PATH, {"If-None-Match": before})
    assert after.status == 200 and after.headers["ETag"] != before


def test_the_document_says_what_the_settings_say(hub_with_space):
    found = document(hub_with_space)
    check(found)
    assert found["api_compatibility"] == ["14", "15"]
    assert (found["space"], found["logo"], found["url"]) == (SPACE["name"], SPACE["logo"], SPACE["url"])
    assert found["location"] == {
        "address": SPACE["address"], "lat": 53.0838, "lon": 8.7922, "timezone": "Europe/Berlin"}
    assert found["contact"] == SPACE["contact"]


@pytest.mark.parametrize("changes", [
    {}, {"address": None}, {"contact": {}}, {"contact": FULL_CONTACT}, {"lat": -90, "lon": 180}, {"lat": 0, "lon": 0},
    {"name": "Raum „Nord“ \"⚓\" \\ / \u2028", "logo": "http://space.example/l.png?a=1&b=2"}, {"timezone": "UTC"},
    {"logo": None, "url": None}, {"lat": None, "lon": None}, {"lat": None, "lon": None, "address": None}])
def test_the_document_is_valid_for_all_settings_that_are_taken(hub, changes):
    hub.configure(**changes)
    for turn in (None, True, False):
        if turn is not None:
            hub.turn(turn, message="m" * 500, until="23:00", by="b" * 100)
        check(document(hub))


def test_what_is_not_set_is_the_hubs_own(hub):
    hub.configure(logo=None, url=None, lat=None, lon=None)
    found = document(hub)
    check(found)
    assert found["api_compatibility"] == ["15"]  # version 14 requires a place
    assert found["url"] == hub.url and found["logo"] == f"{hub.url}/icon-512.png"
    assert hub.request("GET", found["logo"].removeprefix(hub.url)).headers["Content-Type"] == "image/png"
    other = hub.request("GET", PATH, {"Host": "hub.example:8443"}).json
    assert other["url"] == "http://hub.example:8443"


def test_the_document_can_be_read_by_other_sites_pages(hub_with_space):
    answer = hub_with_space.request("GET", PATH, {"Origin": "https://directory.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Content-Type"].startswith("application/json")
    answer.body.decode()


def test_an_unknown_state_is_absent_and_never_guessed(hub_with_space):
    state = document(hub_with_space)["state"]
    assert "open" not in state and "lastchange" not in state


def test_every_turn_is_told_at_once_and_rightly(hub_with_space):
    hub = hub_with_space
    for open, words in ((True, {"message": "Come in", "by": "Ada"}), (False, {}), (True, {"by": "Bob"}), (True, {})):
        turned = hub.turn(open, **words)
        found = document(hub)
        check(found)
        state = found["state"]
        assert state["open"] is open
        assert type(state["lastchange"]) is int and state["lastchange"] == turned["lastchange"]
        assert state.get("message") == words.get("message")
        assert state.get("trigger_person") == words.get("by")


def test_past_changes_are_told_newest_first_and_only_ten(hub_with_space):
    hub = hub_with_space
    for number in range(12):
        hub.turn(number % 2 == 0, by=f"person {number}")
    hub.turn(False, message="words only")
    events = document(hub)["events"]
    check(document(hub))
    assert {event["name"] for event in events} == {"Test space"}, "who it was is nobody's business"
    assert [event["type"] for event in events] == ["closed", "opened"] * 5
    assert {type(event["timestamp"]) for event in events} == {int}


def test_the_document_is_the_same_after_a_restart(hub_with_space):
    hub = hub_with_space
    hub.turn(True, message="Come in", by="Ada")
    before = document(hub)
    hub.stop()
    hub.start()
    assert document(hub) == before


def test_the_demo_is_valid(demo_hub):
    check(document(demo_hub))


def test_a_programme_can_be_subscribed_to(hub, calendar_server):
    hub.configure()
    assert "feeds" not in document(hub)
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve("/a.ics", ics.calendar())}])
    found = document(hub)
    check(found)
    assert found["feeds"] == {"calendar": {"type": "ical", "url": f"{hub.url}/space/calendar.ics"}}
    assert hub.request("GET", "/space/calendar.ics").status == 200
