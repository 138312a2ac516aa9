"""Uploads to albums: tus 1.0.0 by an unmodified client and by hand, over lines that are cut; what guests get of it."""

import contextlib
import hashlib
import io
import os
import re
import sqlite3
import threading

import pytest
from tusclient import client as tus
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

from hub import command, eventually
from planted import photo, planted, save
from uploads import CutLine, Guest, checksum, join, make_album, metadata, some_bytes


@pytest.fixture
def guest(ada):
    return ada


@pytest.fixture
def other(ben):
    return ben


def uploader(guest, content, url=None, chunk=None, upload=None, **options):
    client = tus.TusClient(f"{url or guest.hub.url}{guest.path}/uploads", {"Authorization": f"Bearer {guest.token}"})
    made = client.uploader(
        file_stream=io.BytesIO(content), chunk_size=chunk or len(content), metadata={"filename": "a.jpg"},
        **({"url": upload} if upload else {}), **options)
    return made


# Unmodified tuspy


@pytest.mark.parametrize("chunk", [None, 65_537])
def test_tuspy_uploads(guest, host, chunk):
    content = some_bytes(1_000_000)
    uploader(guest, content, chunk=chunk, upload_checksum=chunk is not None).upload()
    listed, = guest.pictures()
    assert listed["mine"] and listed["name"] == "a.jpg" and listed["bytes"] == len(content)
    assert host.original(listed["id"]).body == content


def test_tuspy_goes_on_where_its_line_was_cut_50_times(guest, host):
    content = some_bytes(5_200_000)
    # Each line carries some 100 KB, of which the head of the request is a part.
    line = CutLine(guest.hub.port, cuts=[60_000 + 1_237 * number for number in range(50)])
    upload = None
    while True:
        # A client that starts anew each time, as a page that was closed does.
        sender = uploader(guest, content, url=line.url, upload=upload, retries=0)
        try:
            if upload is None:
                sender.set_url(sender.create_url())
                upload = sender.url
            sender.offset = sender.get_offset()
            sender.upload()
            break
        except (TusUploadFailed, TusCommunicationError):
            continue
    assert line.cut_count == 50
    listed, = guest.pictures()
    assert hashlib.sha256(host.original(listed["id"]).body).digest() == hashlib.sha256(content).digest()
    line.close()


def test_tuspy_hears_that_an_upload_is_gone(guest):
    upload = guest.begin(100)
    assert guest.ask("DELETE", upload).status == 204
    with pytest.raises(TusCommunicationError) as told:
        uploader(guest, b"x" * 100, upload=guest.hub.url + upload).get_offset()
    assert told.value.status_code == 404


# By hand


def test_options_tell_what_is_offered(guest):
    answer = guest.hub.request("OPTIONS", f"{guest.path}/uploads")
    assert answer.status == 204
    assert answer.headers["Tus-Version"] == "1.0.0"
    assert set(answer.headers["Tus-Extension"].split(",")) == {
        "creation", "creation-with-upload", "checksum", "expiration", "termination"}
    assert answer.headers["Tus-Checksum-Algorithm"] == "sha1,sha256"


def test_an_upload_in_parts_is_told_by_head_and_ends_as_a_picture(guest):
    content = some_bytes(200_000)
    upload = guest.begin(len(content), filename="b.jpg")
    assert guest.offset(upload) == 0
    answer = guest.add(upload, 0, content[:70_000])
    assert answer.status == 204 and answer.headers["Upload-Offset"] == "70000" and "Upload-Expires" in answer.headers
    head = guest.ask("HEAD", upload)
    assert head.headers["Upload-Length"] == "200000" and head.headers["Cache-Control"] == "no-store"
    assert head.headers["Upload-Metadata"] == metadata(filename="b.jpg")
    assert guest.pictures() == []
    answer = guest.add(upload, 70_000, content[70_000:])
    picture = answer.headers["Eightbells-Picture"]
    assert [each["id"] for each in guest.pictures()] == [picture]
    # The last answer may be lost: the outcome is told again.
    head = guest.ask("HEAD", upload)
    assert head.headers["Upload-Offset"] == "200000" and head.headers["Eightbells-Picture"] == picture
    assert guest.add(upload, 200_000, b"").headers["Eightbells-Picture"] == picture
    assert len(guest.pictures()) == 1


def test_the_first_bytes_may_come_along(guest):
    content = some_bytes(70_000)
    answer = guest.ask(
        "POST", f"{guest.path}/uploads", content[:100], Upload_Length=len(content),
        Content_Type="application/offset+octet-stream")
    assert answer.status == 201 and answer.headers["Upload-Offset"] == "100"
    assert guest.add(answer.headers["Location"], 100, content[100:]).status == 204
    answer = guest.ask(
        "POST", f"{guest.path}/uploads", b"\xff\xd8\xffsmall", Upload_Length=8,
        Content_Type="application/offset+octet-stream")
    assert answer.status == 201 and answer.headers["Eightbells-Picture"]
    assert len(guest.pictures()) == 2


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_bytes_that_do_not_match_their_checksum_are_dropped(guest, kind):
    content = some_bytes(150_000)
    upload = guest.begin(len(content))
    good = content[:80_000]
    assert guest.add(upload, 0, good, Upload_Checksum=checksum(kind, good)).status == 204
    refused = guest.add(upload, 80_000, content[80_000:], Upload_Checksum=checksum(kind, b"others"))
    assert refused.status == 460 and refused.json["code"] // 100 == 460
    assert guest.offset(upload) == 80_000
    answer = guest.add(upload, 80_000, content[80_000:], Upload_Checksum=checksum(kind, content[80_000:]))
    assert guest.original(answer.headers["Eightbells-Picture"]).body == content


def test_a_file_that_is_not_the_announced_one_is_dropped(guest):
    content = some_bytes(100_000)
    upload = guest.begin(len(content), sha256=hashlib.sha256(b"another").hexdigest())
    assert guest.add(upload, 0, content).status == 460
    assert guest.offset(upload) == -404
    assert guest.pictures() == []
    assert guest.send(content, sha256=hashlib.sha256(content).hexdigest())


def test_wrong_requests_are_told_what_is_right(guest):
    upload = guest.begin(1_000)
    cases = [
        (409, "PATCH", upload, b"x", {"Upload_Offset": 5}),
        (413, "PATCH", upload, b"x" * 1_001, {"Upload_Offset": 0}),
        (415, "PATCH", upload, b"x", {"Upload_Offset": 0, "Content_Type": "image/jpeg"}),
        (400, "PATCH", upload, b"x", {"Upload_Offset": "-1"}),
        (400, "PATCH", upload, b"x", {"Upload_Offset": 0, "Upload_Checksum": "md5 AAAA"}),
        (412, "PATCH", upload, b"x", {"Upload_Offset": 0, "Tus_Resumable": "0.2.2"}),
        (404, "PATCH", upload[:-1] + "_", b"x", {"Upload_Offset": 0}),
        (413, "POST", f"{guest.path}/uploads", None, {"Upload_Length": 1 << 40}),
        (400, "POST", f"{guest.path}/uploads", None, {"Upload_Defer_Length": 1}),
        (400, "POST", f"{guest.path}/uploads", None, {"Upload_Length": 0}),
    ]
    for status, method, path, body, fields in cases:
        typed = {"Content_Type": "application/offset+octet-stream"} if body else {}
        answer = guest.ask(method, path, body, **typed | fields)
        assert answer.status == status, (method, fields, answer.body)
        assert answer.json["help"]
    assert guest.offset(upload) == 0


def test_an_upload_is_its_guests_alone(guest, other, host):
    upload = guest.begin(100)
    for stranger in (other, host):
        assert stranger.offset(upload) == -404
        assert stranger.add(upload, 0, b"x" * 100).status == 404
        assert stranger.ask("DELETE", upload).status == 404
    assert guest.hub.request("POST", f"{guest.path}/uploads", {"Tus-Resumable": "1.0.0"}).status == 401
    assert guest.offset(upload) == 0


def test_the_same_bytes_of_a_guest_are_one_picture_and_those_of_two_are_two(guest, other):
    content = some_bytes(300_000)
    found = {}

    def send(name, sender):
        found[name] = sender.send(content)

    threads = [threading.Thread(target=send, args=pair) for pair in [("a", guest), ("b", other)]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(set(found.values())) == 2
    assert guest.send(content) == found["a"]
    # Kept once.
    assert len([path for path in guest.hub.data.glob("blobs/??/*") if path.stat().st_size == len(content)]) == 1
    digest = hashlib.sha256(content).hexdigest()
    known = guest.hub.post(f"{guest.path}/known", guest.token, {"sha256": [digest]})[1]
    assert known == {"known": {digest: found["a"]}}


def test_what_a_host_has_removed_is_refused_before_its_bytes_come(guest, host):
    content = some_bytes(1_000)
    digest = hashlib.sha256(content).hexdigest()
    assert host.ask("DELETE", f"{host.path}/pictures/{guest.send(content)}").status == 204
    answer = guest.ask("POST", f"{guest.path}/uploads", Upload_Length=1_000, Upload_Metadata=metadata(sha256=digest))
    assert (answer.status, answer.json["code"]) == (409, 40976)
    # Without its digest it is known at its end only, and nothing of it is left.
    upload = guest.begin(1_000)
    answer = guest.add(upload, 0, content)
    assert (answer.status, answer.json["code"]) == (409, 40976)
    assert guest.offset(upload) in (-404, -410)


def test_who_asks_how_much_came_takes_the_place_of_a_line_that_died_silently(guest):
    content = some_bytes(3_000_000)
    line = CutLine(guest.hub.port, cuts=[1_500_000], is_silent=True)
    sender = uploader(guest, content, url=line.url)
    with pytest.raises((TusUploadFailed, TusCommunicationError)):
        sender.upload()
    upload = sender.url.removeprefix(line.url)
    def has_come():
        return max((path.stat().st_size for path in guest.hub.data.glob("blobs/incoming/*.kept")), default=0)

    eventually(lambda: has_come() > 500_000, what="the bytes of the line")
    # The hub still waits for that line, for half a minute: it lets go because somebody asks.
    offset = guest.offset(upload)
    assert 0 < offset < 1_500_000
    assert guest.add(upload, offset, content[offset:]).status == 204
    line.close()


def test_uploads_go_on_after_the_hub_was_killed(guest, host):
    content = some_bytes(400_000)
    upload = guest.begin(len(content))
    assert guest.add(upload, 0, content[:150_000]).status == 204
    guest.hub.kill()
    guest.hub.start()
    assert guest.offset(upload) == 150_000
    picture = guest.add(upload, 150_000, content[150_000:]).headers["Eightbells-Picture"]
    assert host.original(picture).body == content
    # Behind the answer.
    eventually(lambda: [*guest.hub.data.glob("blobs/incoming/*")] == [], what="nothing to stay")


# What others get of it


def test_an_original_is_for_hosts_and_its_own_guest(guest, other, host):
    content = some_bytes(100_000)
    picture = guest.send(content, filename="Straße 1.html", taken="2026-11-21T18:04:00")
    assert other.original(picture).status in (403, 404)
    for allowed in (guest, host):
        answer = allowed.original(picture)
        assert answer.status == 200 and answer.body == content
        fields = answer.headers
        assert fields["Content-Type"] == "image/jpeg" and fields["X-Content-Type-Options"] == "nosniff"
        assert "private" in fields["Cache-Control"] and "sandbox" in fields["Content-Security-Policy"]
        assert fields["Content-Disposition"].startswith('attachment; filename="2026-11-21 18.04.00')
        assert '.jpg"; ' in fields["Content-Disposition"] and "html" not in fields["Content-Disposition"]
        # It tells nothing of the content.
        assert hashlib.sha256(content).hexdigest()[:8] not in fields["ETag"]
    part = host.original(picture, Range="bytes=1000-1999")
    assert part.status == 206 and part.body == content[1_000:2_000]
    tag = part.headers["ETag"]
    assert host.original(picture, Range="bytes=0-9", If_Range=tag).status == 206
    assert host.original(picture, Range="bytes=0-9", If_Range='"other"').status == 200
    assert host.original(picture, If_None_Match=tag).status == 304
    seen = other.pictures()
    assert all("name" not in each and "original" not in each for each in seen)


def test_two_guests_with_the_same_file_get_different_tags(guest, other):
    content = some_bytes(80_000)
    first, second = guest.original(guest.send(content)), other.original(other.send(content))
    assert first.headers["ETag"] != second.headers["ETag"]


def test_a_page_that_calls_itself_a_picture_is_no_page(guest, host):
    picture = guest.send(b"<html><script>alert(1)</script>" + b"x" * 100, filename="../../x.html", filetype="text/html")
    answer = host.original(picture)
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert "/" not in answer.headers["Content-Disposition"] and "html" not in answer.headers["Content-Disposition"]


def test_a_sound_goes_with_its_picture(guest, other):
    picture = guest.send(some_bytes(70_000))
    sound = b"OggS" + bytes(5_000)
    assert guest.send(sound, sound_of=picture) == picture
    # Nobody hears it as it was sent: it may hold names and places.
    answer = guest.hub.request(
        "GET", f"{guest.path}/pictures/{picture}/sound", {"Authorization": f"Bearer {guest.token}"})
    assert answer.status == 404
    refused = other.ask("POST", f"{other.path}/uploads", Upload_Length=9, Upload_Metadata=metadata(sound_of=picture))
    assert refused.status == 404
    assert guest.add(guest.begin(9, sound_of=picture), 0, b"<html>yes").status == 400


# Bounds


@pytest.mark.file
def test_an_upload_that_nobody_continued_is_gone(guest):
    upload = guest.begin(1_000)
    assert guest.add(upload, 0, b"\xff\xd8\xff").status == 204
    with contextlib.closing(sqlite3.connect(guest.hub.data / "eightbells.sqlite", timeout=10)) as database:
        database.execute("UPDATE blob_parts SET expires = 1")
        database.commit()
    assert guest.offset(upload) == -410
    refused = guest.add(upload, 3, b"x")
    assert refused.status == 410 and refused.json["help"]
    # The next look ends it.
    assert guest.hub.stop() == 0
    guest.hub.start()
    eventually(lambda: [*guest.hub.data.glob("blobs/incoming/*")] == [], what="its file to go")
    assert guest.offset(upload) == -410


def test_unfinished_uploads_of_a_guest_are_bounded(guest, other):
    statuses = {guest.ask("POST", f"{guest.path}/uploads", Upload_Length=10).status for _ in range(251)}
    assert statuses == {201, 429}
    assert other.ask("POST", f"{other.path}/uploads", Upload_Length=10).status == 201


def test_what_does_not_fit_is_refused_before_its_bytes_come(make_hub):
    hub = make_hub(options=["--albums-guest-gigabytes", "0.001"])
    album = make_album(hub)
    guest = Guest(hub, album, join(hub, album))
    assert guest.ask("POST", f"{guest.path}/uploads", Upload_Length=1_000_001).status == 413
    # What was announced counts, though it has not come.
    assert guest.begin(600_000)
    assert guest.ask("POST", f"{guest.path}/uploads", Upload_Length=600_000).status == 413


@pytest.mark.parametrize("parts", [1, 2])
def test_what_is_refused_at_its_end_goes_on_behind_what_was_acknowledged(make_hub, parts):
    # The pages' tests have a hub that does the same (Tests/Web/albums-uploads.mjs).
    hub = make_hub(options=["--albums-gigabytes", "0.001"])
    album = make_album(hub)
    host, ada, ben = (Guest(hub, album, token) for token in (
        album["host_token"], join(hub, album, "Ada"), join(hub, album, "Ben")))
    content = some_bytes(600_000)
    upload = ada.begin(len(content))
    acknowledged = 0 if parts == 1 else 100_000
    if acknowledged:
        assert ada.add(upload, 0, content[:acknowledged]).status == 204
    # What has not come of an upload takes no room from others.
    taken = ben.send(some_bytes(500_000))
    for _ in range(2):
        refused = ada.add(upload, acknowledged, content[acknowledged:])
        assert (refused.status, refused.json["code"]) == (413, 41365)
        assert ada.offset(upload) == acknowledged
    # The second time it is deleted for good, which frees its room.
    for _ in range(2):
        assert host.ask("DELETE", f"{host.path}/pictures/{taken}").status == 204
    assert ada.add(upload, acknowledged, content[acknowledged:]).headers["Eightbells-Picture"]


def test_a_folder_has_all_originals_as_plain_files(make_hub, tmp_path):
    folder = tmp_path / "copies"
    hub = make_hub(options=["--albums-folder", str(folder)])
    album = make_album(hub, "Ada & Ben / 2026")
    guest = Guest(hub, album, join(hub, album, "Ada"))
    content = some_bytes(200_000)
    picture = guest.send(content, taken="2026-11-21T18:04:00")
    small = guest.send(b"\xff\xd8\xff tiny")
    place = folder / "Ada & Ben _ 2026"
    eventually(lambda: place.exists() and len([*place.glob("2*")]) == 2, what="two copies")
    copy = place / f"2026-11-21 18.04.00 Ada {picture[:6]}.jpg"
    assert copy.read_bytes() == content
    told = hub.get(f"{guest.path}/storage", token=album["host_token"])[1]
    assert told["copied_to"] == str(folder)
    # What was copied is not copied again after a restart, and what is new is.
    os.unlink(copy)
    assert hub.stop() == 0
    hub.start()
    third = guest.send(some_bytes(100_000, seed=2))
    eventually(lambda: [*place.glob(f"*{third[:6]}*")], what="the third copy")
    assert not copy.exists() and [*place.glob(f"*{small[:6]}*")]
    # An album with another name goes on in its folder, and another one of the former name has one of its own.
    assert hub.patch(guest.path, album["host_token"], {"name": "Later"})[0] == 200
    guest.send(some_bytes(1_000, seed=3))
    other = make_album(hub, "Ada & Ben / 2026")
    ben = Guest(hub, other, join(hub, other, "Ben"))
    sent = ben.send(content)
    own = folder / f"Ada & Ben _ 2026 {other['id'][:6]}"
    eventually(lambda: own.exists() and len([*own.glob("2*")]) == 1 and len([*place.glob("2*")]) == 3,
               what="copies in two folders")
    assert {one.name for one in folder.iterdir()} == {place.name, own.name}
    # The next picture may get the key of one that is gone for good.
    for _ in range(2):
        assert ben.ask("DELETE", f"{ben.path}/pictures/{sent}").status == 204
    fourth = ben.send(some_bytes(1_000, seed=4))
    eventually(lambda: [*own.glob(f"*{fourth[:6]}*")], what="the fourth copy")


def test_a_copy_is_named_by_when_its_picture_was_taken(make_hub, tmp_path):
    folder = tmp_path / "copies"
    hub = make_hub(options=["--albums-folder", str(folder)])
    album = make_album(hub, "Party")
    guest = Guest(hub, album, join(hub, album, "Ada"))
    picture = guest.send(planted(save(photo(), tmp_path / "a.jpg"), tmp_path).read_bytes())
    copy = eventually(lambda: [*(folder / "Party").glob("2*")], 30, what="a copy")[0]
    assert copy.name == f"2026-11-21 18.04.00 Ada {picture[:6]}.jpg", "not by when it came"


def test_the_doctor_looks_at_the_folder_for_copies(hub, tmp_path):
    def verdict(folder):
        words = ["--data", hub.data, "--listen", f"127.0.0.1:{hub.port}", "--albums-folder", folder]
        return re.search(r"(\w+) +album copies ", command("doctor", *words).stdout)[1]

    (tmp_path / "file").touch()
    assert verdict(tmp_path) == "ok" and verdict(tmp_path / "later") == "warning"
    assert verdict(tmp_path / "file") == "problem"
