"""Guests who send too much, too large, too long, or something that is not what it says: each gets a clear answer, and
others notice nothing."""

import concurrent.futures
import contextlib
import hashlib
import io
import re
import sqlite3
import subprocess
import time
import zipfile

import pytest
from PIL import Image

from hub import eventually
from planted import corners, photo
from trials import IS_WHOLE, some
from uploads import PART, Guest, join, make_album, metadata

MAKING_SECONDS = 60
MOST = 10_000  # AlbumLimits.picturesOfGuest
SENDERS = 4


def jpeg(picture, **options):
    content = io.BytesIO()
    picture.save(content, "JPEG", **options)
    return content.getvalue()


def told(guest, picture):
    return guest.hub.get(f"{guest.path}/pictures/{picture}", token=guest.token)[1]


def outcome(guest, picture, seconds=MAKING_SECONDS):
    """A picture once it is decided what becomes of it."""
    return eventually(lambda: (one := told(guest, picture))["state"] != "making" and one, seconds, what=picture)


def resident(hub):
    with open(f"/proc/{hub.process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) >> 10


# Too many


@pytest.mark.file
@pytest.mark.waits
@pytest.mark.timeout(1200 if IS_WHOLE else 120)
def test_a_guest_sends_10_000_pictures_and_no_more(make_hub):
    """A tenth of them in bin/test; then the hub is told that the rest has come."""
    hub = make_hub(options=["--rate-limits", "off", "--log-level", "warning"])
    album = make_album(hub)
    host, ada, ben = (Guest(hub, album, token) for token in (
        album["host_token"], join(hub, album, "Ada"), join(hub, album, "Ben")))
    small = jpeg(Image.new("RGB", (8, 8)))
    count = some(MOST)

    def send(number):
        content = small + f"{number:08}".encode()
        answer = ada.ask("POST", f"{ada.path}/uploads", content, Upload_Length=len(content), Content_Type=PART)
        assert answer.status == 201, answer.body
        return answer.headers["Eightbells-Picture"]

    with concurrent.futures.ThreadPoolExecutor(SENDERS) as pool:
        sent = set(pool.map(send, range(count)))
    assert len(sent) == count
    # Somebody else does not wait behind her for long: the newest are made first.
    since = time.monotonic()
    his = ben.send(jpeg(photo(600, 400)))
    assert outcome(host, his)["state"] == "shown"
    print(f"{count} pictures; the hub has {resident(hub)} MB; another's took {time.monotonic() - since:.2f} s")
    assert resident(hub) < 200
    listed = set()
    after = ""
    while True:
        since = time.monotonic()
        answer = hub.get(f"{ben.path}/pictures?limit=500{after}", token=ben.token)[1]
        assert time.monotonic() - since < 2
        listed |= {one["id"] for one in answer["pictures"]}
        if "next" not in answer:
            break
        after = f"&after={answer['next']}"
    assert listed == sent | {his}
    if count < MOST:
        with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite", timeout=10)) as database:
            database.execute(f"UPDATE albums_guests SET pictures = {MOST} WHERE name = 'Ada'")
            database.commit()
        time.sleep(1.1)  # a caller is remembered for a second
    refused = ada.ask("POST", f"{ada.path}/uploads", Upload_Length=100)
    assert refused.status in (409, 413) and "10000" in refused.json["error"] + refused.json["help"], refused.body
    assert ben.send(jpeg(photo(300, 200)))


# Too large, and too long


def test_a_picture_of_65_535_squared_is_told_to_be_too_large(ada, host):
    content = bytearray(jpeg(photo(64, 64)))
    place = content.index(b"\xff\xc0") + 5
    content[place:place + 4] = b"\xff\xff\xff\xff"
    picture = ada.send(bytes(content))
    assert outcome(ada, picture)["reason"] == "too-large"
    assert host.original(picture).body == content
    # The program is still there.
    assert outcome(ada, ada.send(jpeg(photo(300, 200))))["state"] == "shown"


@pytest.mark.file
@pytest.mark.timeout(180)
def test_of_a_video_of_ten_hours_there_is_a_picture_and_the_original(ada, host, tmp_path):
    path = tmp_path / "long.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=c=red:size=64x64:rate=1/20:duration=36000",
                    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path], timeout=60, check=True)
    content = path.read_bytes()
    picture = ada.send(content)
    shown = outcome(ada, picture)
    assert (shown["state"], shown["kind"]) == ("shown", "video") and 35_000 < shown["seconds"] < 37_000
    eventually(lambda: {"320", "1600"} <= told(ada, picture)["sizes"].keys(), MAKING_SECONDS)
    assert hashlib.sha256(host.original(picture).body).digest() == hashlib.sha256(content).digest()

    def is_given_up():
        with contextlib.closing(sqlite3.connect(ada.hub.data / "eightbells.sqlite", timeout=10)) as database:
            return database.execute("SELECT count(*) FROM albums_pictures WHERE stage > 0").fetchone() == (0,)

    eventually(is_given_up, MAKING_SECONDS, what="no try to convert it")
    assert "video" not in told(ada, picture) and told(ada, picture)["unplayable"] is True


# Something else than it says


def test_a_polyglot_of_html_and_gif_is_a_picture_to_all_and_a_file_to_hosts(ada, ben, host):
    gif = io.BytesIO()
    photo(400, 300).save(gif, "GIF", comment=b"*/=1;alert(1)/*<script>alert(1)</script>")
    content = gif.getvalue() + b"<html><script>alert(document.domain)</script></html>"
    picture = ada.send(content, filename="holiday.html", filetype="text/html")
    shown = outcome(ben, picture)
    for url in shown["sizes"].values():
        answer = ben.ask("GET", url)
        assert answer.headers["Content-Type"] == "image/jpeg" and b"script" not in answer.body
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert corners(ben.ask("GET", shown["sizes"]["320"]).body) == [0, 1, 2, 3]
    for guest in (ada, host):
        answer = guest.original(picture)
        assert answer.body == content and answer.headers["Content-Type"] == "image/gif"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Disposition"].startswith("attachment") and (
            "html" not in answer.headers["Content-Disposition"])
        policy = answer.headers["Content-Security-Policy"]
        assert "sandbox" in policy and "default-src 'none'" in policy
    # No other address serves it: what stands behind its id is not a path.
    for path in (f"{picture}/original/x.html", f"{picture}/original.html", f"{picture}/html", f"../{picture}"):
        assert host.ask("GET", f"{host.path}/pictures/{path}").status in (400, 404)


def test_names_lead_nowhere(make_hub, tmp_path):
    folder = tmp_path / "copies"
    hub = make_hub(options=["--albums-folder", str(folder)])
    album = make_album(hub, "../../x")
    host, guest = Guest(hub, album, album["host_token"]), Guest(hub, album, join(hub, album, "../Ada/.."))
    sent = []
    for number, name in enumerate(["../../x", "/etc/passwd", "..\\..\\x.jpg", "x\0.html", "con.jpg", "\u202egpj.exe"]):
        content = jpeg(photo(64 + number, 64))
        upload = guest.ask("POST", f"{guest.path}/uploads", Upload_Length=len(content),
                           Upload_Metadata=metadata(filename=name))
        if upload.status == 400:
            assert upload.json["help"]
        else:
            sent.append(guest.add(upload.headers["Location"], 0, content).headers["Eightbells-Picture"])
    answer = host.ask("GET", f"{host.path}/zip")
    inside = zipfile.ZipFile(io.BytesIO(answer.body)).namelist()
    assert len(inside) == len(sent) >= 4
    offered = [host.original(picture).headers["Content-Disposition"] for picture in sent]
    offered.append(answer.headers["Content-Disposition"])
    for said in (*inside, *(re.search('filename="(.*?)"', one)[1] for one in offered)):
        assert not set("/\\\0") & set(said) and not said.startswith(".") and "etc" not in said, said
        assert said.endswith((".jpg", ".zip"))

    def copied():
        return [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix == ".jpg"]

    copies = eventually(lambda: (found := copied())[len(sent) - 1:] and found)
    assert all(folder in path.parents for path in copies), copies
    assert hub.get(f"{host.path}/storage", token=host.token)[0] == 200


@pytest.mark.parametrize("taken", ["2099-12-31T23:59:59", "yesterday"])
def test_a_phone_whose_clock_is_off_by_years_changes_no_order(ada, ben, host, taken):
    first = ada.send(jpeg(photo(64, 64)), taken="2026-11-21T18:00:00")
    second = ada.send(jpeg(photo(66, 64)), taken=taken)
    third = ada.send(jpeg(photo(68, 64)), taken="2026-11-21T18:05:00")
    assert [one["id"] for one in ben.pictures()] == [first, second, third]
    assert all("taken" not in one for one in ben.pictures())
    # Whoever orders by the picture is told the time that the phone says.
    assert [one.get("taken") for one in host.pictures()][::2] == ["2026-11-21T18:00:00", "2026-11-21T18:05:00"]
    archive = zipfile.ZipFile(io.BytesIO(host.ask("GET", f"{host.path}/zip").body))
    assert len(archive.namelist()) == 3 and archive.testzip() is None
