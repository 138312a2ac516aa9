"""The settings: who may read and write them, the errors for wrong ones, and the files allowed as calendars."""

import html
import json
import os
import re

import pytest

from hub import SETTINGS, SPACE, eventually

CALENDAR = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:one@space.example\r\n"
    "DTSTAMP:20260101T000000Z\r\nDTSTART:20260601T180000Z\r\nDTEND:20260601T200000Z\r\nSUMMARY:From a file\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n")


def calendars(*urls):
    return [{"kind": "ics", "url": url} for url in urls]


def test_there_is_nothing_to_read_before_they_are_set(hub):
    assert hub.get(SETTINGS, token=hub.owner_token)[0] == 404
    status, answer = hub.get("/api/v1/space")
    assert status == 404 and answer["code"] == 40402


def test_settings_are_answered_as_they_were_sent(hub):
    sent = SPACE | {"calendars": calendars("https://calendar.example/a.ics", "file:b.ics")}
    answer = hub.configure(**sent)
    assert answer == sent
    assert hub.get(SETTINGS, token=hub.owner_token) == (200, sent)
    hub.stop()
    hub.start()
    assert hub.get(SETTINGS, token=hub.owner_token) == (200, sent)


def test_the_public_part_leaves_the_calendars_addresses_out(hub):
    """Google's private address of a calendar is a secret."""
    hub.configure(calendars=calendars("https://calendar.example/private-5ecre7/basic.ics"))
    public = hub.request("GET", "/api/v1/space")
    for_owners = ("calendars", "tonight_at", "news_at", "legal_notice", "privacy")
    assert public.json == {name: SPACE[name] for name in SPACE if name not in for_owners} | {"pictures": {}}
    assert public.headers["Access-Control-Allow-Origin"] == "*"
    for path in ("/api/v1/space", "/spaceapi.json", "/api/v1/space/events", "/api/v1/space/state"):
        assert b"5ecre7" not in hub.request("GET", path).body
    eventually(lambda: hub.sources()[0]["problem"], 20)
    assert "5ecre7" not in json.dumps(hub.sources())
    assert "5ecre7" not in hub.log


WRONG = [
    ({"legal_notice": "javascript:alert(1)"}, ["legal_notice:", "http"]), ({"privacy": 7}, ["privacy:", "a number"]),
    ({"name": 7}, ["name:", "a number"]),
    ({"name": "n" * 101}, ["name:", "101", "100"]),
    ({"logo": "data:image/png;base64,AAAA"}, ["logo:"]),
    ({"url": "ftp://space.example"}, ["url:", "ftp"]),
    ({"url": "https://space.example/\"><script>"}, ["url:"]),
    ({"url": "https://space.example/" + "a" * 2000}, ["url:", "2000"]),
    ({"address": ["a"]}, ["address:", "a list"]),
    ({"color": "red"}, ["color:", "red", "#0b5585"]),
    ({"lat": 1e400}, []),
    ({"timezone": "Berlin"}, ["timezone:", "Berlin", "Europe/Berlin"]),
    ({"timezone": "../../../etc/passwd"}, ["timezone:"]),
    ({"contact": "hello@space.example"}, ["contact:", "a string", "an object"]),
    ({"contact": {"mail": "a@b.example"}}, ["contact.mail:", "email"]),
    ({"contact": {"email": "hello@space"}}, ["contact.email:", "hello@space.example"]),
    ({"contact": {"email": "hello at space.example"}}, ["contact.email:", "not an e-mail address"]),
    ({"contact": {"issue_mail": "one@a.example, two@b.example"}}, ["contact.issue_mail:", "not an e-mail address"]),
    ({"contact": {"keymasters": [{"email": "ada@b..example"}]}}, ["contact.keymasters[0].email:"]),
    ({"contact": {"keymasters": [{"name": "Ada"}]}}, ["contact.keymasters[0]:", "email"]),
    ({"contact": {"keymasters": [{"email": "a@b.example", "age": "7"}]}}, ["contact.keymasters[0].age:"]),
    ({"opening_hours": 7}, ["opening_hours:"]),
    ({"calendars": "https://calendar.example/a.ics"}, ["calendars:", "a string", "a list"]),
    ({"calendars": ["https://calendar.example/a.ics"]}, ["calendars[0]:", "a string", "an object"]),
    ({"calendars": [{"url": "https://calendar.example/a.ics"}]}, ["calendars[0].kind:", "missing", "ics"]),
    ({"calendars": [{"kind": "google", "url": "https://a.example"}]}, ["calendars[0].url:", "calendars[0].id:"]),
    ({"calendars": [{"kind": "ics"}]}, ["calendars[0].url:", "missing"]),
    ({"calendars": calendars("webcal://calendar.example/a.ics")}, ["calendars[0].url:", "webcal", "https:"]),
    ({"calendars": [{"kind": "ics", "url": "https://a.example", "names": "A"}]}, ["calendars[0].names:"]),
    ({"calendars": [{"kind": "ics", "url": "https://a.example", "name": "A" * 101}]}, ["calendars[0].name:", "100"]),
    ({"calendars": [{"kind": "ics", "url": "https://a.example", "name": "A\nB"}]}, ["calendars[0].name:", "one line"]),
    ({"calendars": [{"kind": "ics", "url": "https://a.example", "color": "red"}]}, ["calendars[0].color:", "red", "#"]),
    ({"calendars": [{"kind": "upload", "id": "../passwd"}]}, ["calendars[0].id:", "../passwd", "a-z"]),
    ({"calendars": [{"kind": "upload", "id": "a"}] * 2}, ["calendars[1].id:", "twice"]),
    ({"calendars": calendars(*(f"file:{number}.ics" for number in range(21)))}, ["calendars:", "21", "20"]),
    ({"colour": "blue"}, ["colour:", "unknown", "opening_hours"]),
]


@pytest.mark.parametrize("changes, said", WRONG, ids=lambda value: str(value)[:50] if isinstance(value, dict) else "")
def test_a_wrong_field_is_named_with_what_is_accepted(shared_hub, changes, said):
    hub = shared_hub
    status, answer = hub.put(SETTINGS, hub.owner_token, SPACE | changes)
    assert status == 400, answer
    assert [part for part in said if part not in answer["error"]] == [], answer
    assert hub.get(SETTINGS, token=hub.owner_token)[1] == SPACE


def test_what_is_wrong_is_told_field_by_field(shared_hub):
    sent = SPACE | {"name": "", "lat": 91, "contact": {"fax": "1"}}
    answer = shared_hub.put(SETTINGS, shared_hub.owner_token, sent)[1]
    assert list(answer) == ["code", "error", "help", "fields", "field_reasons"]
    assert list(answer["fields"]) == ["name", "lat", "contact.fax"]
    assert answer["fields"]["lat"] == "91; a number from -90 to 90 is accepted."
    assert answer["field_reasons"]["lat"] == {
        "code": "field-no-number", "text": answer["fields"]["lat"],
        "values": {"seen": "91", "first": -90, "last": 90}}


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'"settings"', b"{", b"\xff\xfe"])
def test_what_is_no_object_is_refused(shared_hub, body):
    headers = {"Authorization": f"Bearer {shared_hub.owner_token}"}
    answer = shared_hub.request("PUT", SETTINGS, headers, body)
    assert answer.status == 400 and list(answer.json) == ["code", "error", "help"]


def test_optional_fields_may_be_left_out(hub):
    needed = ["name", "timezone"]
    status, answer = hub.put(SETTINGS, hub.owner_token, {name: SPACE[name] for name in needed})
    assert status == 200
    assert (answer["address"], answer["opening_hours"], answer["calendars"]) == (None, None, [])
    assert (answer["logo"], answer["url"], answer["color"], answer["lat"], answer["contact"]) == (
        None, None, None, None, {})


def test_a_colour_is_kept_and_told(hub):
    assert hub.configure(color="#AB12cd")["color"] == "#ab12cd"
    assert hub.get("/api/v1/space")[1]["color"] == "#ab12cd"


# Calendars from files


def titles(hub):
    return [event["title"] for event in hub.events()["events"]]


def problem(hub):
    """The problem of the one calendar, after a look at it."""
    return eventually(lambda: hub.sources()[0]["problem"])


def test_a_name_with_a_space_is_escaped(hub):
    (hub.data / "my programme.ics").write_text(CALENDAR, newline="")
    hub.configure(calendars=calendars("file:my%20programme.ics"))
    eventually(lambda: titles(hub) == ["From a file"])


# A whole path is in the folder of one of the hubs; each has its own.
@pytest.mark.parametrize("form", ["file:{name}", *(pytest.param(form, marks=pytest.mark.one_hub) for form in (
    "file:{folder}/{name}", "file://{folder}/{name}", "file://localhost{folder}/{name}"))])
def test_a_calendar_may_be_a_file_in_the_data_folder(hub, form):
    (hub.data / "programme.ics").write_text(CALENDAR, newline="")
    hub.configure(calendars=calendars(form.format(folder=hub.data, name="programme.ics")))
    eventually(lambda: titles(hub) == ["From a file"])
    assert hub.sources()[0]["problem"] is None


@pytest.mark.parametrize("url", [
    "file:../outside.ics", "file:a/../../outside.ics", "file:%2e%2e/outside.ics", "file:{outside}", "file://{outside}",
    "file:///etc/passwd", "file:/proc/self/environ", "file://other.example/a.ics", "file:a%00.ics"])
def test_the_address_of_a_file_outside_is_refused(shared_hub, url):
    outside = shared_hub.data.parent / "outside.ics"
    outside.write_text(CALENDAR, newline="")
    settings = SPACE | {"calendars": calendars(url.format(outside=outside))}
    status, answer = shared_hub.put(SETTINGS, shared_hub.owner_token, settings)
    assert status == 400
    assert "calendars[0].url" in answer["error"] and "calendar_folders" in answer["error"]


@pytest.mark.parametrize("url", ["file:link.ics", "file:folder-link/outside.ics"])
def test_a_link_that_leads_outside_is_a_problem_of_its_source_and_is_never_read(hub, url):
    outside = hub.data.parent / "outside.ics"
    outside.write_text(CALENDAR, newline="")
    (hub.data / "link.ics").symlink_to(outside)
    (hub.data / "folder-link").symlink_to(hub.data.parent)
    hub.configure(calendars=calendars(url))
    assert problem(hub)
    assert titles(hub) == []
    source = hub.sources()[0]
    assert source["as_of"] is None and source["since"]
    assert "root:" not in json.dumps(source)


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "device", "database"])
def test_what_is_no_calendar_file_is_a_problem_of_its_source(hub, kind):
    path = hub.data / "programme.ics"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "database":
        path.symlink_to(hub.data / "eightbells.sqlite")
    hub.configure(calendars=calendars("file:programme.ics"))
    assert problem(hub)
    assert hub.get("/api/v1/space/state")[0] == 200


@pytest.mark.parametrize("how", ["variable", "file"])
def test_the_configuration_opens_other_folders(make_hub, tmp_path, how):
    folder, other = tmp_path / "calendars", tmp_path / "other"
    for place in (folder, other):
        place.mkdir()
        (place / "programme.ics").write_text(CALENDAR, newline="")
    if how == "variable":
        hub = make_hub(env={"EIGHTBELLS_CALENDAR_FOLDERS": f"/nowhere:{folder}"})
    else:
        hub = make_hub(start=False)
        hub.data.mkdir()
        (hub.data / "eightbells.conf").write_text(f"calendar_folders = /nowhere:{folder}\n")
        hub.start()
    hub.configure(calendars=calendars(f"file:{folder}/programme.ics"))
    eventually(lambda: titles(hub) == ["From a file"])
    assert hub.sources()[0]["problem"] is None
    settings = SPACE | {"calendars": calendars(f"file:{other}/programme.ics")}
    assert hub.put(SETTINGS, hub.owner_token, settings)[0] == 400


def test_a_changed_file_is_read_again(hub):
    path = hub.data / "programme.ics"
    path.write_text(CALENDAR, newline="")
    hub.configure(calendars=calendars("file:programme.ics"))
    eventually(lambda: titles(hub) == ["From a file"])
    path.write_text(CALENDAR.replace("From a file", "Changed later"), newline="")
    hub.configure(calendars=calendars("file:programme.ics"))
    eventually(lambda: titles(hub) == ["Changed later"])


def test_a_calendar_that_is_taken_out_takes_its_events_along(hub):
    (hub.data / "programme.ics").write_text(CALENDAR, newline="")
    hub.configure(calendars=calendars("file:programme.ics"))
    eventually(lambda: titles(hub) == ["From a file"])
    hub.configure(calendars=[])
    answer = hub.events()
    assert (answer["events"], answer["sources"]) == ([], [])


def test_settings_saved_by_two_at_once_are_refused_to_the_second(hub_with_space):
    hub = hub_with_space
    fields = {"Authorization": f"Bearer {hub.owner_token}", "Content-Type": "application/json"}
    first = hub.request("GET", SETTINGS, fields)
    tag, known = first.headers["ETag"], first.json

    def put(changes, **conditions):
        return hub.request("PUT", SETTINGS, fields | conditions, json.dumps(known | changes).encode())

    saved = put({"address": "One"}, **{"If-Match": tag})
    assert saved.status == 200 and saved.headers["ETag"] not in (None, tag)
    refused = put({"address": "Two"}, **{"If-Match": tag})
    assert (refused.status, refused.json["code"]) == (412, 41201)
    assert hub.request("GET", SETTINGS, fields).json["address"] == "One"
    assert hub.request("GET", SETTINGS, fields).headers["ETag"] == saved.headers["ETag"]
    assert put({"address": "Two"}, **{"If-Match": saved.headers["ETag"]}).status == 200
    assert put({"address": "Three"}).status == 200, "who names no version is taken at their word"


def test_an_events_own_address_says_what_it_is(demo_hub):
    event = demo_hub.get("/api/v1/space/events")[1]["events"][0]
    page = demo_hub.request("GET", f"/programme/{event['id']}")
    # The first event of the demonstration depends on the day, and one has an apostrophe.
    text = html.unescape(page.body.decode())
    assert page.status == 200 and page.headers["Content-Type"].startswith("text/html")
    assert f'<meta property="og:title" content="{event["title"]}">' in text
    assert f"<title>{event['title']} · Hackerspace Nordlicht</title>" in text
    assert event["start"][:10] in re.search('og:description" content="([^"]*)"', text)[1]
    assert "Content-Security-Policy" in page.headers and text.count("<title>") == 1
    again = demo_hub.request("GET", f"/programme/{event['id']}", {"If-None-Match": page.headers["ETag"]})
    assert again.status == 304
    plain = demo_hub.request("GET", "/programme/nothing")
    assert plain.status == 200 and event["title"] not in plain.body.decode()
    assert "Hackerspace Nordlicht" not in plain.body.decode(), "it is the page as it is at its own address"
