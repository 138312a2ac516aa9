"""Calendars uploaded by the owner, with names and colours; and refusals."""

import concurrent.futures
import datetime
import sqlite3
import threading

import pytest

from hub import EVENTS, SETTINGS, Answer, eventually
from ics import calendar, event

CALENDARS = "/api/v1/space/calendars"
FILE = calendar(event("a", "20260601T180000Z", title="From a file"), name="Written inside")


def upload(hub, id, body):
    answer = hub.request("PUT", f"{CALENDARS}/{id}", {"Authorization": f"Bearer {hub.owner_token}"}, body)
    return answer.status, answer.json


def remove(hub, id):
    return hub.request("DELETE", f"{CALENDARS}/{id}", {"Authorization": f"Bearer {hub.owner_token}"})


def overview(hub):
    status, answer = hub.get(CALENDARS, token=hub.owner_token)
    assert status == 200, answer
    return answer


def titles(hub):
    return [event["title"] for event in hub.events()["events"]]


def configure(hub, **fields):
    hub.configure(calendars=[{"kind": "upload", "id": "club-2026"} | fields])


def test_a_file_is_shown_once_it_is_sent_and_set(hub):
    status, sent = upload(hub, "club-2026", FILE)
    assert (status, sent["id"], sent["size"], sent["events"], sent["warnings"], sent["used"]) == (
        200, "club-2026", len(FILE), 1, [], False)
    configure(hub, name="Our club", color="#AA3311")
    assert titles(hub) == ["From a file"]
    source, = hub.sources()
    assert (source["name"], source["color"], source["problem"]) == ("Our club", "#aa3311", None)
    assert source["calendar"] == hub.events()["events"][0]["calendar"]
    kept, = overview(hub)["uploads"]
    assert kept["used"] and datetime.datetime.fromisoformat(kept["uploaded_at"]).tzinfo
    entry, = overview(hub)["calendars"]
    assert (entry["kind"], entry["id"], entry["state"], entry["bytes"]) == ("upload", "club-2026", "good", len(FILE))


def test_a_calendar_without_a_name_of_ours_has_its_own(hub):
    upload(hub, "club-2026", FILE)
    configure(hub)
    source, = hub.sources()
    assert (source["name"], source["color"]) == ("Written inside", None)


def test_a_newer_file_takes_the_older_one_s_place_and_outlives_a_restart(hub):
    upload(hub, "club-2026", FILE)
    configure(hub)
    before = hub.events()["events"][0]["id"]
    assert upload(hub, "club-2026", FILE.replace("From a file", "Newer"))[0] == 200
    assert titles(hub) == ["Newer"] and hub.events()["events"][0]["id"] == before
    hub.stop()
    hub.start()
    assert titles(hub) == ["Newer"]
    hub.configure(calendars=[])
    configure(hub)
    assert titles(hub) == ["Newer"], "a file is kept though no setting has it"


def test_a_setting_without_a_file_says_so(hub):
    configure(hub)
    problem = eventually(lambda: hub.sources()[0]["problem"])
    assert "no file" in problem
    upload(hub, "club-2026", FILE)
    assert titles(hub) == ["From a file"] and hub.sources()[0]["problem"] is None


def test_a_file_that_is_removed_is_gone_with_its_events(hub):
    upload(hub, "club-2026", FILE)
    configure(hub)
    assert remove(hub, "club-2026").status == 204
    assert titles(hub) == [] and overview(hub)["uploads"] == []
    assert remove(hub, "club-2026").json["code"] == 40460
    hub.stop()
    hub.start()
    assert titles(hub) == []
    assert "no file" in eventually(lambda: hub.sources()[0]["problem"])


@pytest.mark.parametrize("body, said", [
    (b"", "empty"), (b"<html></html>", "a web page"), (bytes(range(256)), "binary"), (FILE.encode()[:-60], "cut off"),
    (b"{}", "JSON")], ids=["nothing", "html", "binary", "cut", "json"])
def test_what_is_no_calendar_is_refused_and_the_file_before_stays(shared_hub, body, said):
    hub = shared_hub
    upload(hub, "club-2026", FILE)
    configure(hub)
    status, answer = upload(hub, "club-2026", body)
    assert (status, answer["code"]) == (415, 41560) and said in answer["error"]
    assert titles(hub) == ["From a file"]
    assert remove(hub, "club-2026").status == 204


def test_a_file_that_is_too_large_is_refused_before_it_has_come(hub):
    connection = hub.connection()
    connection.putrequest("PUT", f"{CALENDARS}/club-2026")
    connection.putheader("Authorization", f"Bearer {hub.owner_token}")
    connection.putheader("Content-Length", "20000001")
    connection.endheaders()
    answer = Answer(connection.getresponse())
    connection.close()
    assert (answer.status, answer.json["code"]) == (413, 41301) and "20000000" in answer.json["help"]
    assert overview(hub)["uploads"] == []


def test_there_is_an_end_to_files(hub):
    for number in range(20):
        assert upload(hub, f"file-{number}", FILE)[0] == 200
    status, answer = upload(hub, "one-more", FILE)
    assert (status, answer["code"]) == (409, 40960)
    assert upload(hub, "file-7", FILE)[0] == 200, "an old one may be replaced"
    assert remove(hub, "file-3").status == 204 and upload(hub, "one-more", FILE)[0] == 200


def test_a_name_leads_nowhere_else(shared_hub):
    hub = shared_hub
    before = sorted(hub.data.parent.rglob("*"))
    for id in ("..", "..%2F..%2Feightbells.db", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "a%00b", "UPPER", "a" * 41, "%C3%A4",
               "a.ics", "a%2Fb", "..%5c..%5cx", "%0d%0aX-Evil:1"):
        answer = hub.request("PUT", f"{CALENDARS}/{id}", {"Authorization": f"Bearer {hub.owner_token}"}, FILE)
        assert answer.status in (400, 404), answer.body
        assert "X-Evil" not in answer.headers
    assert {path.name for path in hub.data.parent.rglob("*")} - {path.name for path in before} <= {
        "eightbells.db-wal", "eightbells.db-shm"}
    assert overview(hub)["uploads"] == []


def test_scripts_in_names_and_texts_stay_texts(hub):
    """Pages get JSON, with HTML only where it was sanitised."""
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    upload(hub, "club-2026", calendar(
        event("a", "20260601T180000Z", f"LOCATION:{evil}", f"DESCRIPTION:{evil}Hello", "URL:javascript:alert(3)",
              title=evil), name=evil))
    configure(hub)
    answer = hub.request("GET", f"{EVENTS}?from=2026-01-01&to=2027-01-01")
    assert answer.headers["Content-Type"] == "application/json"
    told = answer.json["events"][0]
    assert (told["title"], told["location"], told["url"]) == (evil, evil, None)
    assert "Hello" in told["description_html"]
    assert "<script" not in told["description_html"] and "onerror" not in told["description_html"]
    assert hub.sources()[0]["name"] == evil
    configure(hub, name=evil)
    assert hub.sources()[0]["name"] == evil


def test_several_calendars_stand_side_by_side(hub, calendar_server):
    upload(hub, "club-2026", FILE)
    other = calendar_server.serve("/other.ics", calendar(event("a", "20260602T180000Z", title="From the web")))
    hub.configure(calendars=[
        {"kind": "upload", "id": "club-2026", "color": "#112233"},
        {"kind": "ics", "url": other, "name": "Elsewhere", "color": "#445566"}])
    eventually(lambda: titles(hub) == ["From a file", "From the web"])
    assert [(source["name"], source["color"]) for source in hub.sources()] == [
        ("Written inside", "#112233"), ("Elsewhere", "#445566")]
    assert [event["calendar"] for event in hub.events()["events"]] == [one["calendar"] for one in hub.sources()]


@pytest.mark.file
def test_of_files_sent_at_the_same_time_the_one_that_is_kept_is_shown(hub):
    configure(hub)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for turn in range(60):
            begin = threading.Barrier(6)

            def send(number):
                begin.wait()
                return upload(hub, "club-2026", calendar(event("a", "20260601T180000Z", title=f"{turn} {number}")))[0]

            assert set(pool.map(send, range(6))) == {200}
            with sqlite3.connect(hub.data / "eightbells.sqlite") as database:
                body, = database.execute(
                    "SELECT body FROM programme_calendars WHERE url = 'upload:club-2026'").fetchone()
            assert titles(hub)[0].encode() in body


def test_a_file_is_shown_that_is_sent_while_the_settings_are_saved(hub):
    configure(hub)
    settings = hub.get(SETTINGS, token=hub.owner_token)[1]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for turn in range(100):
            begin = threading.Barrier(4)

            def save(number):
                begin.wait()
                return hub.put(SETTINGS, hub.owner_token, settings | {"name": f"{turn} {number}"})[0]

            def send():
                begin.wait()
                return upload(hub, "club-2026", calendar(event("a", "20260601T180000Z", title=f"Turn {turn}")))[0]

            calls = [pool.submit(send), *(pool.submit(save, number) for number in range(3))]
            assert {call.result() for call in calls} == {200}
            eventually(lambda: titles(hub) == [f"Turn {turn}"], seconds=3)


def test_a_look_at_a_calendar_that_is_misspelt_is_none_at_all_of_them(hub):
    for body, code in (({"calender": "club-2026"}, 40003), ([], 40003), ({"calendar": 7}, 40003)):
        assert hub.post(f"{CALENDARS}/refresh", hub.owner_token, body)[1]["code"] == code, body
