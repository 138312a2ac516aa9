"""Collections of a CalDAV server, which is Radicale."""

import itertools
import re

import pytest

import caldav
from hub import eventually
from local_server import LocalServer, QuietHandler
from looks import look, overview, told


@pytest.fixture
def ours(tmp_path):
    with caldav.serving(tmp_path) as collection:
        collection.put("lecture", "DTSTART;TZID=Europe/Berlin:20260603T190000", "SUMMARY:Lecture & <tea>")
        collection.put("evening", "DTSTART;TZID=Europe/Berlin:20260602T180000", "RRULE:FREQ=WEEKLY;COUNT=2",
                       "SUMMARY:Open evening")
        yield collection


def source(ours, **changes):
    return {"kind": "caldav", "url": ours.url, "user": "ada", "password": "sesame"} | changes


@pytest.fixture
def hub(make_hub, ours):
    hub = make_hub()
    hub.configure(calendars=[source(ours)])
    eventually(lambda: hub.sources()[0]["as_of"])
    return hub


ALL = [("Open evening", "2026-06-02T18:00"), ("Lecture & <tea>", "2026-06-03T19:00"),
       ("Open evening", "2026-06-09T18:00")]


def test_events_are_told_and_later_only_changes_are_asked_for(hub, ours):
    assert told(hub) == ALL
    assert hub.sources()[0]["name"] == "Ours & yours"
    assert ours.asked == [("PROPFIND", 207), ("REPORT", 207), ("REPORT", 207)]
    ours.asked.clear()
    assert look(hub)["state"] == "good"
    assert ours.asked == [("REPORT", 207)], "nothing has changed"
    ours.put("new", "DTSTART:20260605T100000Z", "SUMMARY:New")
    ours.send("DELETE", "lecture.ics")
    ours.asked.clear()
    look(hub)
    assert ours.asked == [("REPORT", 207), ("PROPFIND", 207), ("REPORT", 207)]
    assert told(hub) == [ALL[0], ("New", "2026-06-05T12:00"), ALL[2]]
    hub.stop()
    hub.start()
    assert told(hub) == [ALL[0], ("New", "2026-06-05T12:00"), ALL[2]], "the copy is kept"


RENAMED = """<?xml version="1.0"?><d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><d:displayname>Workshops
</d:displayname></d:prop></d:set></d:propertyupdate>"""


def test_a_calendar_that_is_renamed_has_its_new_name(hub, ours):
    ours.send("PROPPATCH", body=RENAMED)
    ours.put("new", "DTSTART:20260605T100000Z", "SUMMARY:New")
    look(hub)
    assert hub.sources()[0]["name"] == "Workshops"
    assert len(told(hub)) == 4


RESPONSE = re.compile("<response>(?:(?!<response>).)*lecture[.]ics.*?</response>", re.DOTALL)


def instead(status=None, propstat="200 OK", data=""):
    """What the server says of the lecture: a status, or a file with the status of its properties."""
    told = f"<status>HTTP/1.1 {status}</status>" if status else (
        f"<propstat><prop><getetag>x</getetag><calendar-data xmlns='urn:ietf:params:xml:ns:caldav'>{data}"
        f"</calendar-data></prop><status>HTTP/1.1 {propstat}</status></propstat>")
    return f"<response><href>/ada/ours/lecture.ics</href>{told}</response>"


PAGE = "&lt;html&gt;Error"


@pytest.mark.parametrize("instead", [
    "", instead("503 Service Unavailable"), instead(propstat="401 Unauthorized"),
    instead(data="BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:lec")])
def test_an_event_that_the_server_does_not_send_is_not_gone(hub, ours, instead):
    ours.put("lecture", "DTSTART;TZID=Europe/Berlin:20260603T200000", "SUMMARY:Later lecture")
    ours.altered = lambda body: RESPONSE.sub(instead, body) if "calendar-data" in body else body
    assert look(hub)["reason"]["code"] == "caldav-incomplete"
    assert told(hub) == ALL
    # A path may be spelt in two ways.
    ours.altered = lambda body: body.replace("lecture.ics", "l%65cture.ics") if "calendar-data" in body else body
    assert look(hub)["state"] == "good"
    assert told(hub) == [ALL[0], ("Later lecture", "2026-06-03T20:00"), ALL[2]]


def test_an_event_that_is_gone_meanwhile_goes_and_a_file_that_never_was_a_calendar_is_named(hub, ours):
    ours.put("lecture", "DTSTART:20260605T100000Z", "SUMMARY:New")
    ours.altered = lambda body: RESPONSE.sub(instead("404 Not Found"), body) if "calendar-data" in body else body
    assert look(hub)["warnings"] == []
    assert told(hub) == [ALL[0], ALL[2]]
    ours.put("lecture", "DTSTART:20260606T100000Z", "SUMMARY:New")
    ours.altered = lambda body: RESPONSE.sub(instead(data=PAGE), body) if "calendar-data" in body else body
    calendar = look(hub)
    assert calendar["state"] == "good" and 'File "lecture.ics" was left out' in calendar["warnings"][0]
    assert told(hub) == [ALL[0], ALL[2]]


@pytest.mark.parametrize("refusal", [instead("403 Forbidden"), instead(propstat="403 Forbidden")])
def test_an_event_that_the_server_refuses_does_not_hold_up_the_others(hub, ours, refusal):
    ours.put("lecture", "DTSTART;TZID=Europe/Berlin:20260603T200000", "SUMMARY:Later lecture")
    ours.put("evening", "DTSTART;TZID=Europe/Berlin:20260602T180000", "SUMMARY:One evening")
    ours.altered = lambda body: RESPONSE.sub(refusal, body) if "calendar-data" in body else body
    calendar = look(hub)
    assert calendar["state"] == "good" and 'File "lecture.ics" is refused' in calendar["warnings"][0]
    assert told(hub) == [("One evening", "2026-06-02T18:00"), ALL[1]]
    # It is asked for again with the next change.
    ours.altered = lambda body: body
    ours.send("DELETE", "evening.ics")
    assert look(hub)["warnings"] == []
    assert told(hub) == [("Later lecture", "2026-06-03T20:00")]


def test_a_calendar_of_which_the_server_refuses_all_events_is_not_empty(make_hub, ours):
    ours.send("DELETE", "evening.ics")
    ours.altered = lambda body: RESPONSE.sub(instead("403 Forbidden"), body) if "calendar-data" in body else body
    hub = make_hub()
    hub.configure(calendars=[source(ours)])
    assert eventually(lambda: hub.sources()[0]["problem"], 15) == "the server answered 403"
    assert hub.sources()[0]["as_of"] is None


def test_a_token_that_the_server_has_forgotten_means_all_anew(hub, ours, tmp_path):
    for kept in tmp_path.glob("collections/collection-root/ada/ours/.Radicale.cache/sync-token/*"):
        kept.unlink()
    ours.send("DELETE", "evening.ics")
    ours.asked.clear()
    assert look(hub)["state"] == "good"
    assert ours.asked[0][1] != 207 and ours.asked[1:] == [("PROPFIND", 207), ("REPORT", 207), ("REPORT", 207)]
    assert told(hub) == [ALL[1]]


def test_what_was_known_of_a_refused_event_stays_also_where_the_server_has_forgotten_the_token(hub, ours, tmp_path):
    ours.put("new", "DTSTART:20260605T100000Z", "SUMMARY:New")
    for kept in tmp_path.glob("collections/collection-root/ada/ours/.Radicale.cache/sync-token/*"):
        kept.unlink()
    ours.altered = lambda body: RESPONSE.sub(instead("403 Forbidden"), body) if "calendar-data" in body else body
    calendar = look(hub)
    assert calendar["state"] == "good" and 'File "lecture.ics" is refused' in calendar["warnings"][0]
    assert told(hub) == [*ALL[:2], ("New", "2026-06-05T12:00"), ALL[2]]


class Endless(QuietHandler):
    """A server that always has more to tell, after 19 MB of nothing."""
    tokens = itertools.count()

    def do_PROPFIND(self):
        self.answer("<d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype></d:prop>"
                    "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")

    def do_REPORT(self):
        self.answer("<d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>"
                    f"<d:sync-token>{next(self.tokens)}</d:sync-token>", "\n" * 19_000_000)

    def answer(self, says, nothing=""):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = ('<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>'
                f"<d:href>/dav/</d:href>{says}</d:multistatus>{nothing}").encode()
        self.reply(207, body)


def test_a_server_that_never_comes_to_its_end_is_given_up(hub):
    with LocalServer(Endless) as server:
        hub.configure(calendars=[{"kind": "caldav", "url": f"{server.url}/dav/"}])
        def reason():
            return (hub.sources()[0].get("reason") or {}).get("code")
        assert eventually(reason, 60) == "google-too-large"


@pytest.mark.parametrize(("change", "reason"), [
    ({"password": "other"}, "caldav-denied"), ({"at": "nowhere/"}, "caldav-no-calendar"),
    ({"at": "lecture.ics"}, "caldav-no-calendar"), ({"at": "?x"}, "caldav-unusable")])
def test_what_is_wrong_is_said_and_names_no_password(make_hub, ours, change, reason):
    hub = make_hub()
    at = change.pop("at", "")
    hub.configure(calendars=[source(ours, url=ours.url + at, **change)])
    def failing():
        calendar = overview(hub)[0]
        return calendar if calendar["state"] == "failing" else None
    calendar = eventually(failing, 15)
    assert calendar["reason"]["code"] == reason, calendar
    assert "sesame" not in str(calendar)


def test_a_server_that_wants_passwords_in_another_way_does_not_call_them_wrong(make_hub, ours):
    ours.scheme = "Digest"
    hub = make_hub()
    hub.configure(calendars=[source(ours, password="other")])
    eventually(lambda: "by Digest, and the hub sends it by Basic alone" in str(hub.sources()[0]["problem"]), 15)


def test_a_password_goes_nowhere_without_tls_but_to_networks_of_the_owners(hub, ours):
    hub.configure(calendars=[source(ours, url=ours.url.replace("127.0.0.1", "localhost"))])
    eventually(lambda: "by https: alone" in str(hub.sources()[0]["problem"]))
    hub.configure(calendars=[source(ours, url=ours.url.replace("127.0.0.1", "localhost"), user=None, password=None)])
    eventually(lambda: "does not accept" in str(hub.sources()[0]["problem"]))


def test_an_address_may_be_written_otherwise_than_the_server_writes_it(make_hub, ours):
    folder = ours.url.removesuffix("ours/")
    written = ["cal+a", "a(b)", "a&b", "x!y", "a%2bb", "%4Fne"]
    for name in written:
        collection = caldav.Collection("", [])
        collection.url = f"{folder}{name}/"
        collection.send("MKCOL", body=caldav.PROPERTIES.format(name="Any"))
        collection.put("only", "DTSTART:20260605T100000Z", f"SUMMARY:{name}")
    hub = make_hub()
    hub.configure(calendars=[source(ours, url=f"{folder}{name}/") for name in written])
    eventually(lambda: all(one["as_of"] for one in hub.sources()), 15)
    assert sorted(title for title, _ in told(hub)) == sorted(written)


def test_files_may_mean_different_zones_by_one_name(hub, ours):
    def zone(offset):
        return ["BEGIN:VTIMEZONE", "TZID:Customized Time Zone", "BEGIN:STANDARD", "DTSTART:16010101T000000",
                f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}", "END:STANDARD", "END:VTIMEZONE"]

    at = "DTSTART;TZID=Customized Time Zone:2026060"
    ours.put("lecture", f"{at}1T120000", "SUMMARY:East", before=zone("+0100"))
    ours.put("evening", f"{at}2T120000", "SUMMARY:West", before=zone("-0500"))
    ours.put("third", f"{at}3T120000", "SUMMARY:East again", before=zone("+0100"))
    assert look(hub)["warnings"] == []
    assert told(hub) == [
        ("East", "2026-06-01T13:00"), ("West", "2026-06-02T19:00"), ("East again", "2026-06-03T13:00")]
