"""Several hubs on one PostgreSQL server: what one changes, the others know; what only one may do, one does."""

import contextlib
import os
import signal
import socket
import statistics
import time

import pytest
from websockets.exceptions import ConnectionClosed

from bell_device import device_at, make_device
from hub import SPACE, command, eventually
from live import listening, opened
from png import png
from postgres import standing_still
from several import holders, several
from uploads import PART, TUS, Guest, join, make_album, some_bytes

# Their records are on a server of their own.
pytestmark = pytest.mark.file

WORK = {
    "albums.copies", "albums.derivatives", "anchor", "apps.channels", "apps.leftovers", "apps.mails", "apps.triggers",
    "bells.apple", "bells.webhooks", "bells.webpush", "portfolio.rings", "portfolio.watch", "programme",
    "space.followed"}


@pytest.fixture
def hubs(make_hub, store, nats, tmp_path):
    return several(make_hub, store, nats, tmp_path, "--drain", "0")


def test_what_one_is_told_the_other_answers(hubs):
    one, other = hubs
    eventually(lambda: other.get("/api/v1/space")[1].get("name") == SPACE["name"], what="the other's settings")
    one.turn(True, message="Soup tonight")
    eventually(lambda: other.state()["message"] == "Soup tonight", what="the other's sign")
    other.turn(False)
    eventually(lambda: one.state()["open"] is False, what="the sign that the other has turned")


def test_a_change_never_looks_at_what_was_before_the_others_change(hubs):
    """Each turn stands on the one before, whichever hub it was at, without any wait."""
    one, other = hubs
    turns = [hub.turn(isOpen)["turn"] for _ in range(10) for hub, isOpen in ((one, True), (other, False))]
    assert turns == list(range(turns[0], turns[0] + 20))


def test_an_event_reaches_pages_of_both(hubs):
    one, other = hubs
    with listening(one) as here, listening(other) as there:
        times = []
        for number in range(60):
            hub = (one, other)[number % 2]
            heard = (there, here)[number % 2]
            began = time.monotonic()
            hub.turn(number % 4 < 2)
            for listener in (here, there):
                assert listener.expect("state")["open"] is (number % 4 < 2)
            if listener.commit:
                times.append(time.monotonic() - began)
            assert heard.commit == (here, there)[number % 2].commit
        assert statistics.median(times) < 0.1


def test_without_the_bus_listeners_are_told_to_ask(hubs, nats):
    one, other = hubs
    nats.stop()
    try:
        eventually(lambda: "no connection to NATS" in other.log, what="the other has noticed")
        with listening(other) as there:
            one.turn(True)
            with pytest.raises(ConnectionClosed) as end:
                there.next()
            assert end.value.rcvd.code == 4200, "come back at once"
        assert other.state()["open"] is True
    finally:
        nats.start()
    eventually(lambda: other.log.count("connected to NATS") == 2, 20, "it is back")
    with listening(other) as there:
        one.turn(False)
        assert there.expect("state")["open"] is False


def test_numbers_of_changes_grow_over_both(hubs):
    one, other = hubs
    numbers = []
    for hub in (one, other) * 5:
        hub.turn(hub is one)
        numbers.append(int(hub.request("GET", "/api/v1/space").headers["Eightbells-Commit"]))
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)


def test_who_was_signed_out_listens_at_neither(hubs):
    one, other = hubs
    who = one.sign_in("member", "Kim")
    # The signature comes from one, the socket is at the other.
    with opened(other) as listener:
        socket = listener.expect("pusher:connection_established")["socket_id"]
        answer = one.request(
            "POST", "/api/v1/realtime/auth", who | {"Content-Type": "application/x-www-form-urlencoded"},
            f"socket_id={socket}&channel_name=private-members")
        assert answer.status == 200, answer.body
        listener.send("pusher:subscribe", {"channel": "private-members", "auth": answer.json["auth"]})
        assert listener.next()["event"] == "pusher_internal:subscription_succeeded"
        assert one.delete("/api/v1/session", who)[0] == 200
        eventually(lambda: listener.next()["event"] == "pusher:subscription_error", what="it ends at the other")


def test_each_piece_of_work_is_done_by_one(hubs, postgres, store):
    eventually(lambda: WORK <= set(holders(postgres, store)), what="all work has a holder")
    kept = holders(postgres, store)
    time.sleep(2)
    assert holders(postgres, store) == kept, "and keeps it"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_work_is_taken_over(hubs, postgres, store, how):
    one, other = hubs
    eventually(lambda: WORK <= set(holders(postgres, store)), what="all work has a holder")
    members = postgres.ask("SELECT hub FROM hub_members ORDER BY since", store).splitlines()
    began = time.monotonic()
    one.process.send_signal(how)
    try:
        eventually(
            lambda: {name: hub for name, hub in holders(postgres, store).items() if name in WORK}
            == dict.fromkeys(WORK, members[1]), 10, "the other has all of it")
        assert time.monotonic() - began < 6
    finally:
        one.process.send_signal(signal.SIGCONT)
    assert other.turn(True)["open"] is True


def test_who_stands_still_in_the_middle_of_a_change_holds_up_nobody_for_long(hubs, postgres, store):
    one, other = hubs
    with standing_still(postgres, store):
        began = time.monotonic()
        assert one.turn(True)["open"] is True and other.turn(False)["open"] is False
        assert time.monotonic() - began < 8
    eventually(lambda: "was put out" in one.log + other.log, what="the log tells of it")
    eventually(lambda: WORK <= set(holders(postgres, store)), what="all work has a holder again")


def test_a_notification_reaches_a_device_at_the_other(hubs):
    one, other = hubs
    device = make_device(one)
    with device_at(other, device["secret"]) as connection:
        status, sent = one.post(
            "/api/v1/notifications", one.owner_token, {"to": {"device": device["id"]}, "content": {"title": "Hello"}})
        assert status == 202, sent
        began = time.monotonic()
        assert connection.show()["id"] == sent["id"]
        assert time.monotonic() - began < 5


def test_a_large_picture_is_at_both(hubs):
    one, other = hubs
    picture = png(600, 600)
    assert len(picture) > 64 << 10
    answer = one.request(
        "PUT", "/api/v1/space/pictures/logo", {"Authorization": f"Bearer {one.owner_token}"}, picture)
    assert answer.status in (200, 201), answer.body
    eventually(lambda: other.request("GET", "/space/pictures/logo").status == 200, what="the other shows it")
    shown = [hub.request("GET", "/space/pictures/logo").body for hub in hubs]
    assert shown[0] == shown[1]


def kept_by(hub):
    """The bytes of each file of an unfinished upload that the hub has open."""
    sizes = []
    for file in os.scandir(f"/proc/{hub.process.pid}/fd"):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            if ".kept" in os.readlink(file):
                sizes.append(os.stat(file.path).st_size)
    return sizes


def test_a_hub_that_stood_still_writes_into_no_picture_that_has_come_to_the_other(hubs):
    one, other = hubs
    album = make_album(one)
    here = Guest(one, album, join(one, album, "Ada"))
    there, content = Guest(other, album, here.token), some_bytes(6_000_000)
    upload = here.begin(len(content))
    assert here.add(upload, 0, content[:1_000_000]).status == 204
    fields = TUS | {"Host": "a", "Authorization": f"Bearer {here.token}", "Upload-Offset": 1_000_000,
                    "Content-Type": PART, "Content-Length": 5_000_000}
    head = f"PATCH {upload} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    with socket.create_connection(("127.0.0.1", one.port), timeout=20) as line:
        line.sendall(f"{head}\r\n".encode() + content[1_000_000:2_000_000])
        eventually(lambda: kept_by(one) == [2_000_000], what="it has come")
        one.process.send_signal(signal.SIGSTOP)
        line.setblocking(False)
        assert line.send(content[2_000_000:3_000_000]) > 0  # the system takes it, as much as it can
    try:
        assert there.offset(upload) == 1_000_000
        done = there.add(upload, 1_000_000, content[1_000_000:])
        assert done.status == 204
    finally:
        one.process.send_signal(signal.SIGCONT)
    eventually(lambda: kept_by(one) == [], what="it has read what lay there, and the end of the line")
    for guest in (here, there):
        assert guest.original(done.headers["Eightbells-Picture"]).body == content


def test_a_hub_with_another_folder_of_blobs_does_not_start(hubs, store, tmp_path):
    one, _ = hubs
    album = make_album(one)
    guest, content = Guest(one, album, join(one, album, "Ada")), some_bytes(200_000)
    upload = guest.begin(len(content), filename="b.jpg")
    assert guest.add(upload, 0, content[:100_000]).status == 204
    answer = command("serve", "--data", tmp_path / "third", "--listen", "127.0.0.1:0", "--store", store)
    assert answer.returncode == 1
    assert "keeps large blobs elsewhere" in answer.stderr and "--blobs" in answer.stderr
    # What others are uploading is not in its folder, and that is no reason to give it up.
    assert guest.offset(upload) == 100_000
    done = guest.add(upload, 100_000, content[100_000:])
    assert done.status == 204 and guest.original(done.headers["Eightbells-Picture"]).body == content
