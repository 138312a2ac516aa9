"""Openers: members ask for one, keykeepers volunteer, and everyone sees who opens for an event."""

import concurrent.futures
import datetime
import threading

import pytest

from bell_device import device_at, make_device
from hub import STATE, eventually
from ics import calendar, event
from live import listening

OPENERS = "/api/v1/space/openers"
PATH = "/calendar.ics"
YEAR = datetime.datetime.now().year + 1
DAYS = f"?from={YEAR}-01-01&to={YEAR + 1}-01-01"


def serve(hub, calendar_server, *events):
    url = calendar_server.serve(PATH, calendar(*events))
    hub.configure(calendars=[{"kind": "ics", "url": url}])
    eventually(lambda: len(told(hub)) == len(events))
    return told(hub)


def told(hub):
    return hub.events(f"{YEAR}-01-01", f"{YEAR + 1}-01-01")["events"]


@pytest.fixture
def evening(hub, calendar_server):
    """The identifier of an event."""
    return serve(hub, calendar_server, event("a", f"{YEAR}0601T180000Z", title="Evening"))[0]["id"]


def openers(hub, who=None, days=DAYS):
    status, answer = hub.get(OPENERS + days, token=who)
    assert status == 200, answer
    return answer["openers"]


def ask(hub, who, id, wanted=True):
    return hub.put(f"{OPENERS}/{id}", who, {"wanted": wanted})


def come(hub, who, id):
    return hub.post(f"{OPENERS}/{id}/me", who)


def test_a_member_asks_and_a_keykeeper_comes_forward(hub, evening):
    member, keykeeper = hub.sign_in("member", "Mira"), hub.sign_in("keykeeper", "Kim")
    assert openers(hub) == []
    assert ask(hub, member, evening) == (200, {"event": evening, "wanted": True, "people": []})
    status, answer = come(hub, keykeeper, evening)
    assert (status, answer["people"]) == (200, [{"name": "Kim", "me": True}])
    for who, me in ((None, False), (member, False), (keykeeper, True)):
        assert openers(hub, who) == [{"event": evening, "wanted": True, "people": [{"name": "Kim", "me": me}]}]
    assert come(hub, keykeeper, evening)[1] == answer, "once is enough"
    assert ask(hub, member, evening, False)[1]["wanted"] is False
    assert hub.delete(f"{OPENERS}/{evening}/me", keykeeper) == (200, {"event": evening, "wanted": False, "people": []})
    assert openers(hub) == []


def test_several_may_open_in_the_order_in_which_they_came(hub, evening):
    for name in ("Kim", "Ada", "Olga"):
        come(hub, hub.sign_in("owner" if name == "Olga" else "keykeeper", name), evening)
    assert [person["name"] for person in openers(hub)[0]["people"]] == ["Kim", "Ada", "Olga"]


def test_who_may_what(hub, evening):
    member, keykeeper = hub.sign_in("member", "Mira"), hub.sign_in("keykeeper", "Kim")
    reader = hub.token("reader")
    assert ask(hub, None, evening)[0] == 401 and come(hub, None, evening)[0] == 401
    assert ask(hub, reader, evening)[0] == 403
    assert come(hub, member, evening)[0] == 403
    status, answer = come(hub, hub.keykeeper_token, evening)
    assert status == 403 and "no person" in answer["error"]
    assert ask(hub, hub.keykeeper_token, evening)[0] == 200, "a program may ask"
    assert come(hub, keykeeper, evening)[0] == 200
    foreign = keykeeper | {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert hub.delete(f"{OPENERS}/{evening}/me", foreign)[0] == 403
    assert len(openers(hub)[0]["people"]) == 1


def test_who_is_no_keykeeper_any_more_opens_nothing(hub, evening):
    owner, keykeeper = hub.sign_in("owner", "Olga"), hub.sign_in("keykeeper", "Kim")
    come(hub, keykeeper, evening)
    ask(hub, owner, evening)
    people = {person["name"]: person["id"] for person in hub.get("/api/v1/people", token=owner)[1]}
    assert hub.patch(f"/api/v1/people/{people['Kim']}", owner, {"role": "member"})[0] == 200
    assert openers(hub)[0]["people"] == []
    assert hub.delete(f"{OPENERS}/{evening}/me", keykeeper)[0] == 200, "one's own name may always go"
    hub.patch(f"/api/v1/people/{people['Kim']}", owner, {"role": "keykeeper"})
    assert openers(hub)[0]["people"] == []
    come(hub, keykeeper, evening)
    assert hub.delete(f"/api/v1/people/{people['Kim']}", owner)[0] == 204
    assert openers(hub)[0]["people"] == []


def test_it_survives_that_the_event_is_moved_and_a_restart(hub, calendar_server):
    series = event("weekly", f"{YEAR}0601T180000Z", "RRULE:FREQ=WEEKLY;COUNT=3", title="Weekly")
    url = calendar_server.serve(PATH, calendar(series))
    hub.configure(calendars=[{"kind": "ics", "url": url}])
    eventually(lambda: len(told(hub)) == 3)
    second = told(hub)[1]
    come(hub, hub.sign_in("keykeeper", "Kim"), second["id"])
    original = second["start"][:10].replace("-", "")
    calendar_server.serve(PATH, calendar(series, event(
        "weekly", f"{YEAR}0801T180000Z", f"RECURRENCE-ID:{original}T180000Z", title="Weekly")))
    hub.configure(calendars=[{"kind": "ics", "url": url}])
    eventually(lambda: told(hub)[-1]["start"].startswith(f"{YEAR}-08-01"))
    hub.stop()
    hub.start()
    assert [one["event"] for one in openers(hub)] == [second["id"]]
    assert openers(hub, days=f"?from={YEAR}-06-01&to={YEAR}-07-01") == []
    assert [one["event"] for one in openers(hub, days=f"?from={YEAR}-08-01&to={YEAR}-08-02")] == [second["id"]]


def test_everyone_hears_of_it_at_once(hub, evening):
    keykeeper = hub.sign_in("keykeeper", "Kim")
    with listening(hub) as listener:
        come(hub, keykeeper, evening)
        news = listener.next()
        assert (news["event"], news["data"]) == ("openers", {"event": evening, "wanted": False, "people": ["Kim"]})
        come(hub, keykeeper, evening)
        ask(hub, keykeeper, evening)
        assert listener.next()["data"]["wanted"] is True, "what changes nothing is not told"


def test_everyone_hears_at_once_that_an_opener_has_another_name_or_opens_no_more(hub, evening):
    owner, keykeeper = hub.sign_in("owner", "Olga"), hub.sign_in("keykeeper", "Kim")
    come(hub, keykeeper, evening)
    kim = next(one["id"] for one in hub.get("/api/v1/people", token=owner)[1] if one["name"] == "Kim")

    def told(listener):
        while (news := listener.next())["event"] != "openers":
            pass
        assert news["data"]["event"] == evening
        return news["data"]["people"]
    with listening(hub) as listener:
        assert hub.patch(f"/api/v1/people/{kim}", keykeeper, {"name": "Paula"})[0] == 200
        assert told(listener) == ["Paula"]
        assert hub.patch(f"/api/v1/people/{kim}", owner, {"role": "member"})[0] == 200
        assert told(listener) == []
        assert hub.patch(f"/api/v1/people/{kim}", owner, {"role": "keykeeper"})[0] == 200
        assert hub.delete(f"/api/v1/people/{kim}", owner)[0] == 204
        assert told(listener) == []


def test_who_hears_that_it_is_closed_hears_that_somebody_opens_before_the_usual_hours(hub, calendar_server):
    start = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=2)
    url = calendar_server.serve(PATH, calendar(event("a", f"{start:%Y%m%dT%H%M%SZ}", title="Soldering")))
    hub.configure(calendars=[{"kind": "ics", "url": url}], opening_hours=None)
    soldering, = eventually(lambda: hub.get("/api/v1/space/events")[1]["events"])
    eventually(lambda: any(one["id"].startswith("programme.") for one in hub.get("/api/v1/bells/topics")[1]))
    kim = hub.sign_in("keykeeper", "Kim")
    come(hub, kim, soldering["id"])
    with device_at(hub, make_device(hub, "bell", "space")["secret"]) as bell:
        def closed():
            hub.turn(True)
            bell.show()
            hub.turn(False)
            return bell.show()["content"]["body"]
        assert "; opens " in closed()
        hub.delete(f"{OPENERS}/{soldering['id']}/me", kim)
        assert "opens" not in closed()


def test_of_those_who_come_at_the_same_time_nobody_is_forgotten(hub, evening):
    keykeepers = [hub.sign_in("keykeeper", f"Kim {number}") for number in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool, listening(hub) as listener:
        for turn in range(60):
            begin = threading.Barrier(4)

            def change(who):
                begin.wait()
                return (hub.delete if turn % 2 else hub.post)(f"{OPENERS}/{evening}/me", who)[0]

            assert set(pool.map(change, keykeepers)) == {200}
            # The event of a turn comes after the others, so they are complete before it.
            hub.post(STATE, hub.owner_token, {"open": True})
            last = None
            while (news := listener.next())["event"] == "openers":
                last = news["data"]["people"]
            assert sorted(last) == ([] if turn % 2 else [f"Kim {number}" for number in range(4)])


def test_it_is_written_down_who_did_what(hub, evening):
    owner, keykeeper = hub.sign_in("owner", "Olga"), hub.sign_in("keykeeper", "Kim")
    come(hub, keykeeper, evening)
    ask(hub, owner, evening)
    hub.delete(f"{OPENERS}/{evening}/me", keykeeper)
    entries = hub.get("/api/v1/audit", token=owner)[1]["entries"]
    found = [(entry["who"], entry["what"]) for entry in entries if entry["what"].startswith("opener.")]
    assert found == [("Kim", "opener.withdrew"), ("Olga", "opener.wanted"), ("Kim", "opener.volunteered")]
    assert all("Evening" in entry["about"] for entry in entries if entry["what"].startswith("opener."))


@pytest.mark.parametrize("id", ["nothing", "0123456789ab-20260601"])
def test_an_unknown_event_is_404(hub, evening, id):
    who = hub.sign_in("keykeeper", "Kim")
    assert ask(hub, who, id)[0] == 404 and come(hub, who, id)[0] == 404


def test_what_is_over_cannot_be_opened(hub, calendar_server):
    url = calendar_server.serve(PATH, calendar(event("a", "20200601T180000Z", title="Long ago")))
    hub.configure(calendars=[{"kind": "ics", "url": url}])
    old, = eventually(lambda: hub.events("2020-01-01", "2021-01-01")["events"])
    status, answer = come(hub, hub.sign_in("keykeeper", "Kim"), old["id"])
    assert (status, answer["code"]) == (409, 40963) and "Long ago" in answer["error"]


def test_who_opened_for_what_is_over_is_not_for_strangers(hub, calendar_server, evening):
    kim = hub.sign_in("keykeeper", "Kim")
    assert come(hub, kim, evening)[0] == 200 and openers(hub)
    # It was another day.
    url = calendar_server.serve(PATH, calendar(event("a", "20250601T180000Z", title="Evening")))
    hub.configure(calendars=[{"kind": "ics", "url": url}])
    eventually(lambda: hub.events("2025-01-01", "2026-01-01")["events"])
    past = "?from=2025-01-01&to=2026-01-01"
    for who in (kim, hub.token("reader")):
        assert [one["event"] for one in openers(hub, who, past)] == [evening]
    for who in (None, hub.token("sensor")):
        assert openers(hub, who, past) == []


@pytest.mark.parametrize("body", [{}, {"wanted": "yes"}, {"wanted": 1}, [], "x", {"wanted": True, "more": 1}], ids=str)
def test_a_wrong_wish_is_refused(hub, evening, body):
    status, answer = hub.put(f"{OPENERS}/{evening}", hub.owner_token, body)
    assert (status, answer["code"]) == (400, 40003) and openers(hub) == []


SHARE = 100


def evenings(hub, calendar_server, count):
    """The identifiers of so many events."""
    events = [event(f"e{number}", f"{YEAR}{1 + number // 28:02}{1 + number % 28:02}T180000Z", title=f"Evening {number}")
              for number in range(count)]
    return [one["id"] for one in serve(hub, calendar_server, *events)]


def test_one_person_takes_no_more_than_a_share_of_the_places(hub, calendar_server):
    """2,000 events may have requests or openers; one person must not take all of these places."""
    ids = evenings(hub, calendar_server, SHARE + 20)
    mira, kim = hub.sign_in("member", "Mira"), hub.sign_in("keykeeper", "Kim")
    answers = [ask(hub, mira, id) for id in ids]
    taken = [status for status, _ in answers].count(200)
    print(f"{len(ids)} asked for: {taken} taken")
    assert taken == SHARE and answers[-1][0] == 409 and answers[-1][1]["code"] == 40962
    assert ask(hub, mira, ids[0])[0] == 200, "what is so already is no place more"
    # Others have their own share, and withdrawing frees a place.
    assert come(hub, kim, ids[-1])[0] == 200 and ask(hub, kim, ids[-2])[0] == 200
    assert ask(hub, mira, ids[0], False)[0] == 200 and ask(hub, mira, ids[-1])[0] == 200
    assert ask(hub, mira, ids[0])[0] == 409
    token = hub.token("member", "a program")
    assert ask(hub, token, ids[0])[0] == 200


def test_opening_counts_as_well_as_asking(hub, calendar_server):
    ids = evenings(hub, calendar_server, SHARE + 1)
    kim = hub.sign_in("keykeeper", "Kim")
    for id in ids[:SHARE // 2]:
        assert come(hub, kim, id)[0] == 200 and ask(hub, kim, id)[0] == 200
    for id in ids[SHARE // 2:SHARE]:
        assert ask(hub, kim, id)[0] == 200
    assert come(hub, kim, ids[-1])[0] == 409 and ask(hub, kim, ids[-1])[0] == 409
    assert come(hub, kim, ids[-2])[0] == 200, "an event that is among them already is no place more"
