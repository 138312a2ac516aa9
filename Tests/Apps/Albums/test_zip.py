"""All originals of an album as one zip: of known length, in parts, read by others."""

import io
import zipfile

import pytest

from uploads import Guest, join, make_album, some_bytes


@pytest.fixture
def album(hub):
    return make_album(hub, "Fest: Ada & Zoë")


@pytest.fixture
def guests(hub, album):
    return [Guest(hub, album, join(hub, album, name)) for name in ("Zoë", "Ben")]


def fetch(guest, query="", **fields):
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return guest.hub.request("GET", f"{guest.path}/zip{query}", {"Authorization": f"Bearer {guest.token}"} | named)


def test_hosts_get_all_originals_and_guests_none(host, guests):
    contents = [some_bytes(300_000, seed=3), b"\xff\xd8\xff tiny"]
    taken = "2026-11-21T18:04:00"
    ids = [guest.send(content, taken=taken) for guest, content in zip(guests, contents)]
    guests[0].send(some_bytes(90_000, seed=4), taken=taken)
    assert fetch(guests[0]).status == 403
    answer = fetch(host)
    assert answer.status == 200 and int(answer.headers["Content-Length"]) == len(answer.body)
    assert "Fest_%20Ada%20%26%20Zo%C3%AB.zip" in answer.headers["Content-Disposition"]
    archive = zipfile.ZipFile(io.BytesIO(answer.body))
    assert archive.testzip() is None
    names = ["2026-11-21 18.04.00 Zoë.jpg", "2026-11-21 18.04.00 Ben.jpg", "2026-11-21 18.04.00 Zoë-2.jpg"]
    assert archive.namelist() == names
    assert {each.date_time for each in archive.infolist()} == {(2026, 11, 21, 18, 4, 0)}
    assert [archive.read(name) for name in names[:2]] == contents
    chosen = zipfile.ZipFile(io.BytesIO(fetch(host, f"?pictures={ids[1]}").body))
    assert chosen.namelist() == names[1:2]
    host.hub.delete(f"{host.path}/pictures/{ids[0]}", token=host.token)
    chosen = zipfile.ZipFile(io.BytesIO(fetch(host, f"?pictures={','.join(ids)}").body))
    assert chosen.namelist() == names[1:2], "one was removed since"
    assert fetch(host, f"?pictures={ids[0]}").status == 404
    assert fetch(host, "?pictures=abcdefghijklmnop").status == 404
    assert fetch(host, "?pictures=x").status == 400


def test_hosts_are_told_what_the_zip_has_and_what_it_leaves_out(host, guests):
    ids = [guests[0].send(some_bytes(10_000, seed=number)) for number in range(4)]
    host.hub.patch(f"{host.path}/pictures/{ids[0]}", json={"state": "hidden"}, token=host.token)
    host.hub.delete(f"{host.path}/pictures/{ids[1]}", token=host.token)
    told = host.hub.get(f"{host.path}/storage", token=host.token)[1]["zip"]
    assert told == {"files": 2, "bytes": 20_000, "hidden": 1, "last": ids[3]}
    assert len(zipfile.ZipFile(io.BytesIO(fetch(host).body)).namelist()) == told["files"]


def test_a_zip_goes_on_where_it_was_cut_if_it_is_the_same(host, guests):
    for number in range(3):
        guests[0].send(some_bytes(200_000, seed=number))
    whole = fetch(host)
    tag = whole.headers["ETag"]
    count = len(whole.body)
    for start, end in [(0, 10), (5, 200_100), (199_990, 600_000), (400_000, count), (count - 5, None)]:
        part = fetch(host, Range=f"bytes={start}-{'' if end is None else end - 1}", If_Range=tag)
        assert part.status == 206 and part.body == whole.body[start:end]
    assert fetch(host, Range=f"bytes={len(whole.body)}-").status == 416
    last = guests[0].pictures()[-1]["id"]
    guests[1].send(some_bytes(100_000, seed=9))
    other = fetch(host, Range="bytes=5-", If_Range=tag)
    assert other.status == 200 and other.headers["ETag"] != tag
    assert fetch(host, f"?until={last}", Range="bytes=5-", If_Range=tag).body == whole.body[5:]
