"""A right that is lost between the request and the write: the request is refused."""

import concurrent.futures
import contextlib
import json
import re
import sqlite3

import pytest

from hub import LOGO_UPLOAD, SETTINGS, STATE, eventually
from ics import calendar, event
from png import png

pytestmark = pytest.mark.file

TURNS = 4
WAITING = re.compile(rb"^eightbells_store_writes_waiting (\d+)", re.MULTILINE)


@contextlib.contextmanager
def held_back(hub, change):
    """Blocks all other writers; makes `change` at the end, so that the hub's waiting writes come after it."""
    store = sqlite3.connect(hub.data / "eightbells.sqlite", isolation_level=None)
    try:
        store.execute("BEGIN IMMEDIATE")
        yield
        assert store.execute(change).rowcount == 1
        store.execute("COMMIT")
    finally:
        store.close()


def at_this_moment(hub, owner, change, ask):
    """The answers to several equal requests whose caller's right ends after it was checked."""
    with concurrent.futures.ThreadPoolExecutor(TURNS) as pool:
        with held_back(hub, change):
            asked = [pool.submit(ask) for _ in range(TURNS)]

            def all_wait():
                found = WAITING.search(hub.request("GET", "/metrics", {"Authorization": f"Bearer {owner}"}).body)
                return int(found[1]) >= TURNS

            eventually(all_wait)
        return [one.result() for one in asked]


def changed(hub):
    answers = [hub.get(path, token=hub.owner_token) for path in (
        "/api/v1/space", STATE, "/api/v1/space/calendars", "/api/v1/space/sensors", "/api/v1/space/followed",
        "/api/v1/space/openers?from=2027-01-01&to=2028-01-01")]
    answers[1][1].pop("as_of")
    return answers


EVENT = event("a", "20270601T180000Z", title="Opening")
JSON = {"Content-Type": "application/json"}
QUESTIONS = {
    "turn": ("keykeeper", "POST", STATE, b'{"open": true}'),
    "undo": ("keykeeper", "POST", f"{STATE}/undo", b'{"turn": 1}'),
    "contact": ("keykeeper", "PUT", "/api/v1/space/switch", b'{"open": true, "heartbeat_s": 60}'),
    "sensor": ("keykeeper", "PUT", "/api/v1/space/sensors/temperature/kitchen",
               b'{"value": 20, "unit": "\xc2\xb0C", "location": "Kitchen"}'),
    "volunteer": ("keykeeper", "POST", "/api/v1/space/openers/{event}/me", b""),
    "settings": ("owner", "PUT", SETTINGS, None),
    "picture": ("owner", "PUT", LOGO_UPLOAD, png(8, 8)),
    "calendar": ("owner", "PUT", "/api/v1/space/calendars/ours", calendar(EVENT).encode()),
    "follow": ("owner", "POST", "/api/v1/space/followed", b'{"url": "http://127.0.0.1:9/spaceapi.json"}'),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_whoever_is_demoted_at_this_moment_changes_nothing(hub, calendar_server, name):
    role, method, path, body = QUESTIONS[name]
    url = calendar_server.serve("/a.ics", calendar(EVENT))
    settings = hub.configure(calendars=[{"kind": "ics", "url": url}])
    hub.turn(False)
    eventually(lambda: hub.events("2027-01-01", "2028-01-01")["events"])
    path = path.format(event=hub.events("2027-01-01", "2028-01-01")["events"][0]["id"])
    if name == "settings":
        body = json.dumps(settings | {"name": "Taken over"}).encode()
    kim = hub.sign_in(role, "Kim")
    before = changed(hub)
    answers = at_this_moment(
        hub, hub.owner_token, "UPDATE people SET role = 'member' WHERE name = 'Kim'",
        lambda: hub.request(method, path, kim | JSON, body))
    assert [(answer.status, answer.json["code"]) for answer in answers] == [(403, 40301)] * TURNS
    assert "just now" in answers[0].json["error"]
    assert changed(hub) == before


def test_a_token_that_is_revoked_at_this_moment_turns_nothing(hub):
    token = hub.token("keykeeper", "door")
    answers = at_this_moment(
        hub, hub.owner_token, "DELETE FROM tokens WHERE name = 'door'",
        lambda: hub.request("POST", STATE, {"Authorization": f"Bearer {token}"}, b'{"open": true}'))
    assert {answer.status for answer in answers} == {401} and hub.state()["open"] is None
