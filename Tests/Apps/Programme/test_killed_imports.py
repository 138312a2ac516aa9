"""A calendar that is being read or sent when the hub is killed: what was there before stays whole, nothing is left of
what had come of the new one, and the next look, or the file sent again, takes its place; also over two hubs."""

import http.client
import os
import random
import threading
import time

import pytest

from hub import eventually
from ics import calendar, event
from looks import CALENDARS
from several import holders

PATH = "/calendar.ics"
UPLOAD = [{"kind": "upload", "id": "club"}]
EVENTS = 300


def named(title):
    return calendar(*[event(f"e{number}", "20260601T180000Z", title=title) for number in range(EVENTS)])


OLD, NEW = named("Old"), named("New")


def shown(hub):
    """The title of all events there are."""
    events = hub.events()["events"]
    title, = {one["title"] for one in events}
    assert len(events) == EVENTS
    return title


def send(hub, body, bytes_sent=None):
    """Uploads a file, or only the beginning of it; returns the status."""
    connection = hub.connection()
    connection.putrequest("PUT", f"{CALENDARS}/club")
    connection.putheader("Authorization", f"Bearer {hub.owner_token}")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body.encode()[:bytes_sent])
    if bytes_sent is None:
        return connection.getresponse().status
    return connection


def kept_size(hub):
    file, = hub.get(CALENDARS, token=hub.owner_token)[1]["uploads"]
    return file["size"]


def begin_reading(hub, calendar_server):
    """Has the hub read a newer version, of which only a few bytes come."""
    calendar_server.serve(PATH, NEW, etag='"new"', how="drip")
    before = len(calendar_server.asked(PATH))
    assert hub.post(f"{CALENDARS}/refresh", hub.owner_token, {})[0] == 202
    calendar_server.wait_for(PATH, before + 1)


def test_a_look_that_a_kill_has_ended_is_finished_after_the_start(hub, calendar_server):
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve(PATH, OLD, etag='"old"')}])
    eventually(lambda: hub.events()["events"] and shown(hub) == "Old")
    begin_reading(hub, calendar_server)
    hub.kill()
    hub.start()
    assert shown(hub) == "Old", "while it is being read again"
    hub.kill()
    calendar_server.serve(PATH, NEW, etag='"new"')
    hub.start()
    eventually(lambda: shown(hub) == "New")
    assert hub.sources()[0]["problem"] is None


def test_a_file_of_which_half_had_come_is_as_if_it_was_never_sent(hub):
    assert send(hub, OLD) == 200
    hub.configure(calendars=UPLOAD)
    sending = send(hub, NEW, len(NEW) // 2)
    hub.kill()
    sending.close()
    hub.start()
    assert (shown(hub), kept_size(hub)) == ("Old", len(OLD))
    assert send(hub, NEW) == 200 and shown(hub) == "New"


def test_a_file_is_there_whole_or_not_at_all_whenever_the_hub_is_killed(hub):
    seed = int(os.environ.get("EIGHTBELLS_SEED") or random.randrange(1 << 32))
    print(f"seed {seed}; EIGHTBELLS_SEED={seed} repeats it")
    chance = random.Random(seed)
    assert send(hub, OLD) == 200
    hub.configure(calendars=UPLOAD)
    last = "Old"
    for turn in range(8):
        title, acknowledged = f"Turn {turn}", []

        def sending():
            try:
                acknowledged.append(send(hub, named(title)))
            except (OSError, http.client.HTTPException):
                pass

        thread = threading.Thread(target=sending)
        thread.start()
        time.sleep(chance.uniform(0, 0.06))
        hub.kill()
        thread.join(20)
        hub.start()
        assert shown(hub) in ([title] if acknowledged else [last, title])
        last = shown(hub)
        assert kept_size(hub) == len(named(last))


@pytest.mark.file
def test_of_two_hubs_the_other_finishes_what_a_kill_has_ended(make_two_hubs, postgres, tmp_path, calendar_server):
    hubs = one, other = make_two_hubs()
    store = postgres.database(tmp_path)
    one.configure(calendars=[{"kind": "ics", "url": calendar_server.serve(PATH, OLD, etag='"old"')}])
    for hub in hubs:
        eventually(lambda hub=hub: hub.events()["events"] and shown(hub) == "Old")
    reader = holders(postgres, store)["programme"]
    begin_reading(other, calendar_server)
    one.kill()
    assert shown(other) == "Old"
    calendar_server.serve(PATH, NEW, etag='"new"')
    eventually(lambda: shown(other) == "New", 30)
    assert holders(postgres, store)["programme"] != reader, "the hub that was killed was the one that read"
    one.start()
    eventually(lambda: shown(one) == "New")


@pytest.mark.file
def test_of_two_hubs_the_other_has_nothing_of_a_file_of_which_half_had_come_to_one(make_two_hubs):
    one, other = make_two_hubs()
    assert send(one, OLD) == 200
    one.configure(calendars=UPLOAD)
    sending = send(one, NEW, len(NEW) // 2)
    one.kill()
    sending.close()
    eventually(lambda: other.events()["events"] and shown(other) == "Old")
    assert kept_size(other) == len(OLD)
    assert send(other, NEW) == 200 and shown(other) == "New"
    one.start()
    assert (shown(one), kept_size(one)) == ("New", len(NEW))
