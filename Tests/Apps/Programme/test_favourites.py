"""Favourites stored with the person: merged from any number of devices without loss, with changes of their events."""

import datetime
import random

import icalendar
import pytest

from hub import eventually
from ics import calendar, event

FAVOURITES = "/api/v1/space/favourites"
SUBSCRIPTION = f"{FAVOURITES}/subscription"
PATH = "/calendar.ics"
YEAR = datetime.datetime.now().year + 1
# Marks that were taken away are kept for a year.
LATELY = datetime.date.today() - datetime.timedelta(days=30)


def at(second, thousandth=0):
    return f"{LATELY}T12:{second // 60 % 60:02}:{second % 60:02}.{thousandth:03}Z"


def entry(id, second, kept=True, **seen):
    return {"event": id, "kept": kept, "at": at(second), "seen": seen or None}


def merge(hub, who, *entries):
    status, answer = hub.post(FAVOURITES, who, {"favourites": list(entries)})
    assert status == 200, answer
    return answer["favourites"]


def listed(hub, who):
    status, answer = hub.get(FAVOURITES, token=who)
    assert status == 200, answer
    return answer["favourites"]


def kept(favourites):
    return {one["event"] for one in favourites if one["kept"]}


@pytest.fixture
def programme(hub, calendar_server):
    """Puts events on the server, and makes the hub read them."""
    def serve(*events, path=PATH):
        url = calendar_server.serve(path, calendar(*events))
        hub.configure(calendars=[{"kind": "ics", "url": url}])
        asked = len(calendar_server.asked(path))
        calendar_server.wait_for(path, max(1, asked))
        eventually(lambda: {told["uid"] for told in told_events(hub)} == {lines[1][4:] for lines in events})
        return {told["uid"]: told for told in told_events(hub)}
    return serve


def told_events(hub):
    return hub.events(f"{YEAR}-01-01", f"{YEAR + 1}-01-01")["events"]


def glance(told):
    return {name: told[name] for name in ("title", "start", "end", "location", "status", "all_day")}


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def ada(hub_with_space):
    yield hub_with_space.sign_in("member", "Ada")
    hub_with_space.remove("Ada")


IDS = [f"{number:012x}" for number in range(1, 30)]


def test_the_later_word_counts_and_a_tie_keeps(hub, ada):
    one, two, three = IDS[:3]
    assert listed(hub, ada) == []
    merge(hub, ada, entry(one, 10), entry(two, 10, kept=False), entry(three, 10))
    answer = merge(hub, ada, entry(one, 9, kept=False), entry(two, 10), entry(three, 11, kept=False))
    assert kept(answer) == {one, two}
    assert [(one["event"], one["kept"], one["at"]) for one in answer] == [
        (one, True, at(10)), (two, True, at(10)), (three, False, at(11))]
    assert listed(hub, ada) == answer
    hub.stop()
    hub.start()
    assert listed(hub, ada) == answer


def test_milliseconds_count(hub, ada):
    merge(hub, ada, {"event": IDS[0], "kept": True, "at": at(1, 200)})
    assert kept(merge(hub, ada, {"event": IDS[0], "kept": False, "at": at(1, 199)})) == {IDS[0]}
    assert kept(merge(hub, ada, {"event": IDS[0], "kept": False, "at": f"{LATELY}T13:00:01.201+01:00"})) == set()


def test_any_order_and_repetition_of_merges_ends_in_the_same_list(hub):
    """Devices that were offline come back at any time, and some repeat themselves."""
    seed = random.randrange(1 << 32)
    print("seed", seed)
    rng = random.Random(seed)
    people = [hub.sign_in("member", f"Person {number}") for number in range(4)]
    words = [entry(rng.choice(IDS[:8]), rng.randrange(6), rng.random() < 0.5,
                   **{"title": rng.choice("ab"), "start": "2099-01-01T10:00:00Z", "end": "2099-01-01T11:00:00Z",
                      "location": rng.choice([None, "x"]), "status": "confirmed"},
                   **rng.choice([{}, {"all_day": True}, {"all_day": False}])) for _ in range(60)]
    wanted = {}
    for word in words:
        known = wanted.get(word["event"])
        if known is None or (word["at"], word["kept"]) > (known["at"], known["kept"]):
            wanted[word["event"]] = word
    ends = []
    for who in people:
        rest = words * rng.randrange(1, 3)
        rng.shuffle(rest)
        while rest:
            count = rng.randrange(1, 12)
            merge(hub, who, *rest[:count])
            rest = rest[count:]
        ends.append(listed(hub, who))
    assert all(end == ends[0] for end in ends)
    assert {one["event"]: (one["at"], one["kept"]) for one in ends[0]} == {
        id: (word["at"], word["kept"]) for id, word in wanted.items()}


def test_people_have_lists_of_their_own(hub, ada):
    ben = hub.sign_in("member", "Ben")
    merge(hub, ada, entry(IDS[0], 1))
    assert listed(hub, ben) == [] and kept(listed(hub, ada)) == {IDS[0]}


def test_the_future_is_cut_to_now(hub, ada):
    answer = merge(hub, ada, {"event": IDS[0], "kept": True, "at": "2999-01-01T00:00:00Z"})
    told = datetime.datetime.fromisoformat(answer[0]["at"])
    assert abs(told - datetime.datetime.now(datetime.UTC)) < datetime.timedelta(seconds=60)


def test_what_was_seen_and_what_is_now_stand_side_by_side(hub, ada, programme):
    told = programme(
        event("same", f"{YEAR}0601T180000Z", title="Same"), event("moved", f"{YEAR}0602T180000Z", title="Moved"),
        event("off", f"{YEAR}0603T180000Z", title="Off"), event("away", f"{YEAR}0604T180000Z", title="Away"))
    ids = {uid: one["id"] for uid, one in told.items()}
    answer = merge(hub, ada, *(entry(one["id"], 1, **glance(one)) for one in told.values()))
    assert all(one["now"] == one["seen"] and not (one["changed"] or one["cancelled"] or one["gone"]) for one in answer)
    programme(
        event("same", f"{YEAR}0601T180000Z", title="Same"),
        event("moved", f"{YEAR}0602T190000Z", "LOCATION:Cellar", title="Moved on"),
        event("off", f"{YEAR}0603T180000Z", "STATUS:CANCELLED", title="Off"))
    now = {one["event"]: one for one in listed(hub, ada)}
    assert now[ids["same"]]["changed"] == []
    moved = now[ids["moved"]]
    assert set(moved["changed"]) == {"title", "start", "end", "location"}
    assert (moved["now"]["title"], moved["seen"]["title"]) == ("Moved on", "Moved")
    assert now[ids["off"]]["cancelled"] and now[ids["off"]]["changed"] == ["status"]
    assert (now[ids["away"]]["gone"], now[ids["away"]]["now"]) == (True, None)
    # The person has now seen the change.
    answer = merge(hub, ada, entry(ids["moved"], 2, **moved["now"]))
    assert next(one for one in answer if one["event"] == ids["moved"])["changed"] == []


def test_what_took_whole_days_is_remembered_so(hub, ada, programme):
    fair = programme(event("fair", f"{YEAR}0601", title="Fair"))["fair"]
    before = {name: value for name, value in glance(fair).items() if name != "all_day"}
    answer = merge(hub, ada, entry(fair["id"], 1, **before))
    assert answer[0]["seen"] == before, "an older version's page remembers less"
    assert answer[0]["changed"] == [] and answer[0]["now"]["all_day"] is True
    answer = merge(hub, ada, entry(fair["id"], 2, **glance(fair)))
    assert answer[0]["seen"] == glance(fair)
    programme(event("fair", f"{YEAR}0601T180000Z", title="Fair"))
    changed = eventually(lambda: next((one for one in listed(hub, ada) if one["changed"]), None))
    assert changed["seen"]["all_day"] is True and {"all_day", "start"} <= set(changed["changed"])


def test_one_occurrence_of_a_series_that_is_moved_is_still_known(hub, ada, programme):
    series = event("weekly", f"{YEAR}0601T180000Z", "RRULE:FREQ=WEEKLY;COUNT=3", title="Weekly")
    programme(series)
    second = told_events(hub)[1]
    merge(hub, ada, entry(second["id"], 1, **glance(second)))
    programme(series, event("weekly", f"{YEAR}0609T200000Z", f"RECURRENCE-ID:{second['start'][:10].replace('-', '')}"
                                                            "T180000Z", title="Weekly"))
    eventually(lambda: listed(hub, ada)[0]["changed"] == ["start", "end"])


def test_what_belongs_to_an_event_stays_when_its_calendar_has_another_address(hub, ada, programme):
    weekly = event("weekly", f"{YEAR}0602T180000Z", "RRULE:FREQ=WEEKLY;COUNT=3", title="Weekly")
    programme(event("one", f"{YEAR}0601T180000Z", title="One"), weekly)
    one, second = (told_events(hub)[number] for number in (0, 2))

    def album(id):
        return hub.get(f"/api/v1/space/events/{id}/album", token=ada)[1]["album"]

    assert hub.put(f"/api/v1/space/events/{one['id']}/album", ada, {"mode": "open"})[0] == 200
    made = album(one["id"])["join_url"]
    # The album has the new name once the hub has compared this calendar with what it knew.
    programme(event("one", f"{YEAR}0601T180000Z", title="First"), weekly)
    eventually(lambda: album(one["id"])["name"] == "First")
    one, second = (told_events(hub)[number] for number in (0, 2))
    merge(hub, ada, *(entry(told["id"], 1, **glance(told)) for told in (one, second)))
    openers = "/api/v1/space/openers"
    status, answer = hub.post(f"{openers}/{one['id']}/me", hub.sign_in("keykeeper", "Kim"))
    assert status == 200, answer
    hub.configure(calendars=[])
    eventually(lambda: not told_events(hub))
    assert kept(listed(hub, ada)) == {one["id"], second["id"]}
    programme(event("one", f"{YEAR}0601T180000Z", title="First"), weekly, path="/new-place.ics")
    now = {told["id"]: told["start"] for told in told_events(hub)}
    assert not now.keys() & {one["id"], second["id"]}
    eventually(lambda: kept(listed(hub, ada)) <= now.keys())
    favourites = [told for told in listed(hub, ada) if told["kept"]]
    assert {now[told["event"]] for told in favourites} == {one["start"], second["start"]}
    assert not any(told["gone"] or told["cancelled"] or told["changed"] for told in favourites)
    opened, = hub.get(f"{openers}?from={YEAR}-01-01&to={YEAR + 1}-01-01")[1]["openers"]
    assert now[opened["event"]] == one["start"] and opened["people"] == [{"name": "Kim", "me": False}]
    there = album(opened["event"])
    assert (there["join_url"], there["state"]) == (made, "open")


def test_what_nobody_has_read_is_not_gone(hub, ada, calendar_server):
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve(PATH, status=500)}])
    eventually(lambda: hub.sources()[0]["problem"])
    told, = merge(hub, ada, entry(IDS[0], 1))
    assert (told["gone"], told["now"]) == (False, None)


def test_what_is_over_is_not_missed(hub, ada):
    past = {"title": "Old", "start": "2020-01-01T10:00:00Z", "end": "2020-01-01T12:00:00Z", "location": None,
            "status": "confirmed"}
    told, = merge(hub, ada, entry(IDS[0], 1, **past))
    assert told["kept"] and not told["gone"]


def test_a_removed_favourite_is_forgotten_a_year_after_the_event(hub, ada):
    old = {"title": "Old", "start": "2020-01-01T10:00:00Z", "end": "2020-01-01T12:00:00Z", "location": None,
           "status": "confirmed"}
    new = old | {"start": f"{YEAR}-01-01T10:00:00Z", "end": f"{YEAR}-01-01T12:00:00Z"}
    merge(hub, ada, entry(IDS[0], 1, **old), entry(IDS[1], 1, **new))
    answer = merge(hub, ada, entry(IDS[0], 2, kept=False, **old), entry(IDS[1], 2, kept=False, **new))
    assert [(one["event"], one["kept"]) for one in answer] == [(IDS[1], False)]


WRONG = {
    "no list": {}, "text": {"favourites": "all"}, "entry": {"favourites": [1]},
    "event": {"favourites": [{"event": "../x", "kept": True, "at": at(1)}]},
    "script": {"favourites": [{"event": "<script>", "kept": True, "at": at(1)}]},
    "kept": {"favourites": [{"event": IDS[0], "kept": 1, "at": at(1)}]},
    "at": {"favourites": [{"event": IDS[0], "kept": True, "at": 5}]},
    "time": {"favourites": [{"event": IDS[0], "kept": True, "at": "yesterday"}]},
    "seen": {"favourites": [{"event": IDS[0], "kept": True, "at": at(1), "seen": "x"}]},
    "title": {"favourites": [{"event": IDS[0], "kept": True, "at": at(1), "seen": {
        "title": "x" * 4001, "start": at(1), "end": at(1), "status": "confirmed"}}]},
    "status": {"favourites": [{"event": IDS[0], "kept": True, "at": at(1), "seen": {
        "title": "x", "start": at(1), "end": at(1), "status": "maybe"}}]},
    "start": {"favourites": [{"event": IDS[0], "kept": True, "at": at(1), "seen": {
        "title": "x", "start": "now", "end": at(1), "status": "confirmed"}}]},
    "all_day": {"favourites": [{"event": IDS[0], "kept": True, "at": at(1), "seen": {
        "title": "x", "start": at(1), "end": at(1), "status": "confirmed", "all_day": "no"}}]},
    "many": {"favourites": [{"event": f"{number:012x}", "kept": True, "at": at(1)} for number in range(2001)]},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_entry_is_refused_and_nothing_is_taken(hub, ada, name):
    body = WRONG[name]
    if isinstance(body.get("favourites"), list):
        body = {"favourites": [{"event": IDS[5], "kept": True, "at": at(1)}, *body["favourites"]]}
    status, answer = hub.post(FAVOURITES, ada, body)
    assert (status, answer["code"]) == (400, 40003) and answer["help"]
    assert listed(hub, ada) == []


def test_there_is_an_end_to_favourites_and_nothing_is_lost_at_it(hub, ada):
    def some(first, count, second, keep=True):
        return [{"event": f"{number:012x}", "kept": keep, "at": at(second)} for number in range(first, first + count)]

    merge(hub, ada, *some(0, 2000, 1))
    status, answer = hub.post(FAVOURITES, ada, {"favourites": some(1999, 2, 2)})
    assert (status, answer["code"]) == (409, 40961)
    assert len(kept(listed(hub, ada))) == 2000
    assert len(kept(merge(hub, ada, *some(0, 10, 3, False)))) == 1990


def test_only_people_have_favourites(hub, ada):
    assert hub.get(FAVOURITES)[0] == 401
    for method in (hub.get, lambda path, token: hub.post(path, token, {"favourites": []})):
        status, answer = method(FAVOURITES, token=hub.keykeeper_token)
        assert status == 403 and "no person" in answer["error"]
    answer = hub.request("GET", FAVOURITES, ada)
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_person_who_leaves_takes_their_favourites_along(hub, ada):
    owner = hub.sign_in("owner", "Olga")
    merge(hub, ada, entry(IDS[0], 1))
    address = hub.post(SUBSCRIPTION, ada)[1]["url"]
    person = next(one for one in hub.get("/api/v1/people", token=owner)[1] if one["name"] == "Ada")
    assert hub.delete(f"/api/v1/people/{person['id']}", owner)[0] == 204
    assert hub.get(FAVOURITES, token=ada)[0] == 401
    assert hub.get(address.removeprefix(hub.url))[0] == 404


# The subscription


def test_favourites_can_be_subscribed_to_under_an_address_that_can_be_ended(hub, ada, programme):
    told = programme(
        event("one", f"{YEAR}0601T180000Z", title="One"), event("off", f"{YEAR}0603T180000Z", title="Off"),
        event("other", f"{YEAR}0604T180000Z", title="Other"), event("not", f"{YEAR}0605", title="Not"))
    merge(hub, ada, entry(told["one"]["id"], 1), entry(told["off"]["id"], 1), entry(told["not"]["id"], 1, kept=False))
    assert hub.get(SUBSCRIPTION, token=ada) == (200, {"url": None, "webcal": None})
    status, made = hub.post(SUBSCRIPTION, ada)
    assert status == 200 and made["url"].startswith(f"{hub.url}/space/favourites/") and made["url"].endswith(".ics")
    assert made["webcal"] == made["url"].replace("http://", "webcal://")
    assert hub.get(SUBSCRIPTION, token=ada)[1] == made
    path = made["url"].removeprefix(hub.url)
    got = hub.request("GET", path)
    assert (got.status, got.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert {str(one["SUMMARY"]) for one in icalendar.Calendar.from_ical(got.body).walk("VEVENT")} == {"One", "Off"}
    assert path.split("/")[-1][:-4] not in got.body.decode(), "the file may be passed on, the address not"
    again = hub.request("GET", path, {"If-None-Match": got.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    programme(event("one", f"{YEAR}0601T180000Z", title="One"),
              event("off", f"{YEAR}0603T180000Z", "STATUS:CANCELLED", title="Off"))
    found = {str(one["SUMMARY"]): str(one["STATUS"])
             for one in icalendar.Calendar.from_ical(hub.request("GET", path).body).walk("VEVENT")}
    assert found == {"One": "CONFIRMED", "Off": "CANCELLED"}
    # A new address ends the old one.
    newer = hub.post(SUBSCRIPTION, ada)[1]["url"].removeprefix(hub.url)
    assert newer != path and hub.get(path)[0] == 404 and hub.get(newer)[0] == 200
    assert hub.delete(SUBSCRIPTION, ada)[0] == 204
    assert hub.get(newer)[0] == 404 and hub.get(SUBSCRIPTION, token=ada)[1]["url"] is None
    assert path not in hub.log


def device(hub, who, name):
    return next(one for one in hub.get("/api/v1/devices", token=who)[1] if one["name"] == name)


@pytest.mark.parametrize("how", ["made", "shown"])
def test_the_address_that_a_lost_device_knows_ends_with_it(hub, ada, how):
    """Whoever has the device could read the address there, and use it for ever."""
    lost = hub.sign_in("member", "Ada", device="lost")
    address = hub.post(SUBSCRIPTION, lost if how == "made" else ada)[1]["url"].removeprefix(hub.url)
    if how == "shown":
        assert device(hub, ada, "lost")["made"]["addresses"] == []
        assert hub.get(SUBSCRIPTION, token=lost)[1]["url"].endswith(address)
    assert device(hub, ada, "lost")["made"]["addresses"] == ["favourites"]
    assert hub.get(address)[0] == 200
    assert hub.delete(f"/api/v1/devices/{device(hub, ada, 'lost')['id']}", ada)[0] == 204
    assert hub.get(address)[0] == 404 and hub.get(SUBSCRIPTION, token=ada)[1]["url"] is None
    done = [entry["what"] for entry in hub.get("/api/v1/audit", token=hub.sign_in("owner", "Olga"))[1]["entries"]]
    assert done.index("device.removed") < done.index("favourites.unsubscribed")


def test_the_address_stays_where_the_device_is_not_lost_or_never_knew_it(hub, ada):
    laptop = hub.sign_in("member", "Ada", device="laptop")
    tablet, old = (hub.sign_in("member", "Ada", device=name) for name in ("tablet", "old"))
    address = hub.post(SUBSCRIPTION, laptop)[1]["url"].removeprefix(hub.url)
    assert hub.get(SUBSCRIPTION, token=tablet)[1]["url"]
    assert hub.delete(f"/api/v1/devices/{device(hub, ada, 'old')['id']}", ada)[0] == 204
    assert hub.delete(f"/api/v1/devices/{device(hub, ada, 'tablet')['id']}?made=keep", ada)[0] == 204
    assert hub.delete("/api/v1/session", laptop)[0] == 200, "signed out, and not lost"
    assert hub.get(address)[0] == 200
    # An address newer than those that the lost device knew stays valid.
    assert hub.get(SUBSCRIPTION, token=ada)[1]["url"]
    phone = hub.sign_in("member", "Ada", device="phone")
    newer = hub.post(SUBSCRIPTION, phone)[1]["url"].removeprefix(hub.url)
    assert device(hub, phone, "test")["made"]["addresses"] == []
    assert hub.delete(f"/api/v1/devices/{device(hub, phone, 'test')['id']}", phone)[0] == 204
    assert hub.get(newer)[0] == 200


def test_a_guessed_address_finds_nothing(hub, ada):
    hub.post(SUBSCRIPTION, ada)
    for secret in ("x", "..", "%2e%2e%2f", "'%20OR%201=1", "a" * 32, "%00"):
        assert hub.get(f"/space/favourites/{secret}.ics")[0] == 404
