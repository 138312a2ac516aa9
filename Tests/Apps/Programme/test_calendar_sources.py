"""Calendars on good, bad and silent servers: the last good copy stays, and the problem is shown."""

import datetime

import pytest

from hub import STATE, eventually
from ics import calendar, event
from live import listening

PATH = "/secret-folder/calendar.ics"
GOOD = calendar(event("a", "20260601T180000Z", title="The last good one"), name="Ours")
MODIFIED = "Fri, 02 Jan 2026 10:00:00 GMT"


def configure(hub, *urls):
    hub.configure(calendars=[{"kind": "ics", "url": url} for url in urls])


def look_again(hub):
    """Restarts the hub, which makes it look at every calendar."""
    hub.stop()
    hub.start()


def source(hub):
    return hub.sources()[0]


def titles(hub):
    return [event["title"] for event in hub.events()["events"]]


def instant(text):
    return datetime.datetime.fromisoformat(text)


@pytest.fixture
def good(hub, calendar_server):
    """A hub that has read a good calendar once."""
    configure(hub, calendar_server.serve(PATH, GOOD, etag='"one"', last_modified=MODIFIED))
    eventually(lambda: titles(hub) == ["The last good one"])
    return hub


def test_the_first_look_asks_for_everything_and_says_who_asks(good, calendar_server):
    first = calendar_server.asked(PATH)[0].headers
    assert "if-none-match" not in first and "if-modified-since" not in first
    assert first["user-agent"].startswith("Eightbells/")
    assert "text/calendar" in first["accept"] and "gzip" in first["accept-encoding"]


@pytest.mark.parametrize("etag, modified", [('W/"weak, with comma"', None), (None, MODIFIED), ('"both"', MODIFIED)])
def test_the_next_look_asks_only_for_what_is_new(hub, calendar_server, etag, modified):
    configure(hub, calendar_server.serve(PATH, GOOD, etag=etag, last_modified=modified))
    eventually(lambda: titles(hub) == ["The last good one"])
    before = source(hub)["as_of"]
    look_again(hub)
    asked = calendar_server.wait_for(PATH, 2)[-1].headers
    assert (asked.get("if-none-match"), asked.get("if-modified-since")) == (etag, modified)
    assert titles(hub) == ["The last good one"]
    assert eventually(lambda: source(hub)["as_of"] >= before) and source(hub)["problem"] is None


def test_a_copy_that_is_confirmed_is_as_fresh_as_the_confirmation(good, calendar_server):
    before = instant(source(good)["as_of"])
    eventually(lambda: datetime.datetime.now(datetime.UTC) > before + datetime.timedelta(seconds=1.1))
    look_again(good)
    eventually(lambda: instant(source(good)["as_of"]) > before)


def test_a_new_version_replaces_the_copy_and_is_told_live(good, calendar_server):
    with listening(good) as listener:
        calendar_server.serve(PATH, GOOD.replace("The last good one", "A newer one"), etag='"two"')
        configure(good, calendar_server.url + PATH)
        eventually(lambda: titles(good) == ["A newer one"])
        events = [listener.next()["event"] for _ in range(3)]
    assert sorted(events) == ["programme", "programme", "settings"]
    look_again(good)
    assert calendar_server.wait_for(PATH, 3)[-1].headers["if-none-match"] == '"two"'


def test_a_look_that_finds_nothing_new_is_not_told(good, calendar_server):
    look_again(good)
    calendar_server.wait_for(PATH, 2)
    with listening(good) as listener:
        good.turn(True)
        assert listener.next()["event"] == "state"


FAULTS = {
    "an error": ({"status": 500, "body": "sorry"}, "500"),
    "a web page": ({"body": "<!DOCTYPE html><html><body>Please log in</body></html>",
                    "content_type": "text/html"}, None),
    "half a calendar": ({"body": GOOD[: len(GOOD) // 2]}, None),
    "a promise that is not kept": ({"body": GOOD, "how": "cut"}, None),
    "no answer": ({"how": "silence"}, None),
    "too much": ({"body": "X-A:" + "a" * 1000 + "\r\n", "how": "endless"}, "20 MB"),
    "a redirect to a file": ({"status": 302, "location": "file:///etc/passwd"}, None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_leaves_the_last_good_copy_and_is_told(good, calendar_server, name):
    page, said = FAULTS[name]
    before = source(good)
    calendar_server.serve(PATH, **page)
    look_again(good)
    problem = eventually(lambda: source(good)["problem"], 20)
    assert said is None or said in problem
    assert "secret-folder" not in problem and "root:" not in problem
    now = source(good)
    assert titles(good) == ["The last good one"]
    assert (now["as_of"], now["name"]) == (before["as_of"], "Ours")
    assert instant(now["since"]) >= instant(before["as_of"])
    assert good.get(STATE)[0] == 200


def test_a_304_to_somebody_who_has_nothing_is_a_fault(hub, calendar_server):
    configure(hub, calendar_server.serve(PATH, status=304))
    assert "304" in eventually(lambda: source(hub)["problem"])


def test_a_fault_that_lasts_is_told_since_its_beginning_and_then_forgotten(good, calendar_server):
    calendar_server.serve(PATH, status=500)
    look_again(good)
    since = eventually(lambda: source(good)["since"])
    eventually(lambda: datetime.datetime.now(datetime.UTC) > instant(since) + datetime.timedelta(seconds=1.1))
    calendar_server.serve(PATH, status=502)
    look_again(good)
    eventually(lambda: "502" in (source(good)["problem"] or ""))
    assert source(good)["since"] == since
    calendar_server.serve(PATH, GOOD)
    look_again(good)
    eventually(lambda: source(good)["problem"] is None)
    assert source(good)["since"] is None


def test_a_calendar_that_was_never_read_is_a_problem_without_a_copy(hub, calendar_server):
    working = calendar_server.serve("/good.ics", GOOD)
    configure(hub, working, calendar_server.serve(PATH, status=500))
    eventually(lambda: [bool(one["as_of"] or one["problem"]) for one in hub.sources()] == [True, True])
    answer = hub.events()
    assert titles(hub) == ["The last good one"], "one source's fault is not another's"
    assert answer["as_of"] is None, "the whole was never known"
    assert [source["problem"] is None for source in answer["sources"]] == [True, False]
    assert answer["sources"][1]["as_of"] is None


def test_a_server_that_is_gone_is_a_problem(good, calendar_server):
    calendar_server.__exit__()
    look_again(good)
    problem = eventually(lambda: source(good)["problem"])
    assert "secret-folder" not in problem
    assert titles(good) == ["The last good one"]


@pytest.mark.waits
def test_servers_that_never_answer_or_only_drip_are_given_up_and_hold_nobody_up(good, calendar_server):
    calendar_server.serve(PATH, how="never")
    dripping = calendar_server.serve("/drips.ics", GOOD, how="drip")
    look_again(good)
    calendar_server.wait_for(PATH, 2)
    assert titles(good) == ["The last good one"]
    good.turn(True)
    good.configure(name="Still configurable", calendars=[
        {"kind": "ics", "url": calendar_server.url + PATH}, {"kind": "ics", "url": dripping}])
    # Both in parallel, since their timeouts are real.
    problems = eventually(lambda: all(known := [one["problem"] for one in good.sources()]) and known, 50)
    assert all("30 s" in problem for problem in problems), problems
    assert titles(good) == ["The last good one"]


def test_a_hub_stops_at_once_though_a_server_keeps_it_waiting(good, calendar_server):
    calendar_server.serve(PATH, how="never")
    look_again(good)
    calendar_server.wait_for(PATH, 2)
    before = datetime.datetime.now()
    assert good.stop() == 0
    # Otherwise it would wait for 30 s.
    assert datetime.datetime.now() - before < datetime.timedelta(seconds=15)


@pytest.mark.parametrize("status", [301, 307])
def test_a_redirect_is_followed(hub, calendar_server, status):
    target = calendar_server.serve("/target.ics", GOOD, etag='"target"')
    configure(hub, calendar_server.serve(PATH, status=status, location=target))
    eventually(lambda: titles(hub) == ["The last good one"])
    look_again(hub)
    assert calendar_server.wait_for("/target.ics", 2)[-1].headers["if-none-match"] == '"target"'


def test_a_compressed_calendar_is_read(hub, calendar_server):
    configure(hub, calendar_server.serve(PATH, GOOD, gzipped=True))
    eventually(lambda: titles(hub) == ["The last good one"])


def test_a_calendar_that_unpacks_beyond_all_measure_is_refused(hub, calendar_server):
    bomb = calendar(["X-A:" + "a" * 60] * 400_000)
    configure(hub, calendar_server.serve(PATH, bomb, gzipped=True))
    problem = eventually(lambda: source(hub)["problem"], 20)
    assert "20 MB" in problem


@pytest.mark.parametrize("named", ['"windows-1252"', None])
def test_a_calendar_is_in_the_character_set_that_its_server_names(hub, calendar_server, named):
    text = calendar(event("a", "20260601T180000Z", title="Größe, Maß")).encode("latin-1")
    kind = f"text/calendar; charset={named}" if named else "text/calendar"
    configure(hub, calendar_server.serve(PATH, text, content_type=kind))
    eventually(lambda: titles(hub) == ["Größe, Maß"])
    assert any("Windows-1252" in warning for warning in source(hub)["warnings"]) == (named is None)


def test_a_server_that_names_another_set_than_utf_8_for_it_is_not_believed(hub, calendar_server):
    text = calendar(event("a", "20260601T180000Z", title="Größe"))
    configure(hub, calendar_server.serve(PATH, text, content_type="text/calendar; charset=iso-8859-1"))
    eventually(lambda: titles(hub) == ["Größe"])
