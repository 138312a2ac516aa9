"""The logo and the pictures of the sign: uploaded in pieces, stored as blobs, served by name."""

import hashlib
import http.client
import io
import os
import struct
import subprocess
import threading

import pytest
from PIL import Image

from hub import eventually
from png import chunk, png

SVG = b"""<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>"""
UPLOAD = "/api/v1/space/pictures"
SHOWN = "/space/pictures"
MEGABYTE = 1_000_000


def send(hub, name, body, token=None, **headers):
    headers["Authorization"] = f"Bearer {token or hub.owner_token}"
    return hub.request("PUT", f"{UPLOAD}/{name}", headers, body)


def large_files(hub):
    """The blob files of pictures, complete or incoming."""
    return [file for file in (hub.data / "blobs").rglob("*") if file.is_file() and file.stat().st_size > 1000]


def memory(hub):
    """The hub's peak memory in bytes."""
    with open(f"/proc/{hub.process.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def large_png(size):
    """A grey picture of so many pixels, of noise or of one colour."""
    return png(2_000, size // 2_000, seed=os.urandom(8)) if size else png(1, 1)


@pytest.mark.parametrize("size", [0, 131_000, 1_000_000])
def test_a_picture_comes_back_as_it_was_sent(shared_hub, size):
    hub = shared_hub
    picture = large_png(size)
    answer = send(hub, "logo", picture)
    assert (answer.status, answer.json["type"]) == (200, "image/png")
    assert answer.json["sha256"] == hashlib.sha256(picture).hexdigest()
    shown = hub.request("GET", answer.json["url"])
    assert (shown.status, shown.body, shown.headers["Content-Type"]) == (200, picture, "image/png")
    etag = shown.headers["ETag"]
    assert hub.request("GET", f"{SHOWN}/logo", {"If-None-Match": etag}).status == 304
    part = hub.request("GET", f"{SHOWN}/logo", {"Range": "bytes=5-20", "If-Range": etag})
    assert (part.status, part.body) == (206, picture[5:21])
    assert part.headers["Content-Range"] == f"bytes 5-20/{len(picture)}"
    old = hub.request("GET", f"{SHOWN}/logo", {"Range": "bytes=5-20", "If-Range": '"other"'})
    assert (old.status, old.body) == (200, picture)
    beyond = hub.request("GET", f"{SHOWN}/logo", {"Range": f"bytes={len(picture)}-"})
    assert (beyond.status, beyond.headers["Content-Range"]) == (416, f"bytes */{len(picture)}")
    assert hub.get("/api/v1/space")[1]["logo"] == answer.json["url"]


def test_a_picture_survives_a_kill_and_can_be_taken_away(hub_with_space):
    hub = hub_with_space
    picture = large_png(200_000)
    address = send(hub, "open", picture).json["url"]
    hub.kill()
    hub.start()
    assert hub.request("GET", address).body == picture
    assert hub.get("/api/v1/space")[1]["pictures"] == {"open": address}
    removed = hub.request("DELETE", f"{UPLOAD}/open", {"Authorization": f"Bearer {hub.owner_token}"})
    assert (removed.status, removed.body) == (204, b"")
    assert hub.request("GET", address).status == 404
    assert hub.get("/api/v1/space")[1]["pictures"] == {}
    eventually(lambda: not large_files(hub), what="the file of a picture that nothing names to be removed")


def test_a_drawing_is_shown_and_runs_nothing(hub_with_space):
    assert send(hub_with_space, "closed", SVG).json["type"] == "image/svg+xml"
    shown = hub_with_space.request("GET", f"{SHOWN}/closed")
    assert shown.headers["Content-Type"] == "image/svg+xml"
    assert "sandbox" in shown.headers["Content-Security-Policy"]
    assert shown.headers["X-Content-Type-Options"] == "nosniff"


def test_what_is_no_picture_is_refused_and_not_kept(shared_hub):
    for body in b"", b"\n" * 100_000 + png(3, 3) * 1000, b"<html><script>alert(1)</script></html>", b"GIF88a":
        answer = send(shared_hub, "open", body)
        assert answer.status == 415 and "image/png" in answer.json["help"], body[:10]
    assert shared_hub.request("GET", f"{SHOWN}/open").status == 404


def painted(kind, **options):
    """A picture as a peer writes it: some pixels of many colours."""
    image = Image.effect_noise((91, 67), 80).convert("RGB")
    if options.pop("moves", False):
        options |= {"save_all": True, "append_images": [image.rotate(90 * turn) for turn in range(1, 4)]}
    if options.pop("has_alpha", False):
        image.putalpha(Image.linear_gradient("L").resize(image.size))
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


PAINTED = {
    "png": painted("PNG"),
    "interlaced colours": painted("PNG", bits=4, optimize=True, has_alpha=True),
    "jpeg": painted("JPEG"),
    "progressive jpeg": painted("JPEG", progressive=True, quality=95, icc_profile=b"colours" * 600),
    "jpeg with marks": painted("JPEG", restart_marker_blocks=1),
    "gif": painted("GIF"),
    "moving gif": painted("GIF", moves=True),
    "webp": painted("WEBP"),
    "lossless webp": painted("WEBP", lossless=True),
    "moving webp": painted("WEBP", moves=True),
    "webp with alpha": painted("WEBP", has_alpha=True),
}


@pytest.mark.parametrize("name", PAINTED)
def test_whole_pictures_are_kept_and_broken_off_ones_are_not(shared_hub, name):
    whole = PAINTED[name]
    assert send(shared_hub, "logo", whole).status == 200
    # RIFF may end with a padding byte.
    for count in {16, 40, len(whole) // 2, len(whole) - 2} | set(range(100, len(whole) - 2, len(whole) // 7)):
        answer = send(shared_hub, "logo", whole[:count])
        assert (answer.status, answer.json["code"]) == (415, 41502), count
        assert "breaks off" in answer.json["error"] or "header" in answer.json["error"]
    # The previous picture is still there.
    assert shared_hub.request("GET", f"{SHOWN}/logo").body == whole


def wall(width, height):
    """A small file that decompresses to many pixels."""
    picture = png(1, 1)
    header = struct.pack("!IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return picture[:8] + chunk(b"IHDR", header) + picture[33:]


@pytest.mark.parametrize("body", [
    wall(30_000, 30_000), wall(1, 2**31 - 1), wall(0, 5), painted("GIF")[:6] + b"\xff" * 4 + painted("GIF")[10:],
    painted("JPEG").replace(b"\xff\xdb", b"\x00\xdb", 1),
])
def test_pictures_that_do_harm_are_refused(shared_hub, body):
    answer = send(shared_hub, "open", body)
    assert (answer.status, answer.json["code"]) == (415, 41502)
    assert shared_hub.request("GET", f"{SHOWN}/open").status == 404


def test_only_owners_send_pictures_and_only_those_there_are(hub_with_space):
    hub = hub_with_space
    assert send(hub, "logo", png(1, 1), token=hub.keykeeper_token).status == 403
    assert hub.request("PUT", f"{UPLOAD}/logo", body=png(1, 1)).status == 401
    assert send(hub, "nothing", png(1, 1)).status == 404
    assert hub.request("GET", f"{SHOWN}/nothing").status == 404


def test_a_picture_that_is_too_large_is_refused_before_it_is_sent(hub_with_space):
    connection = http.client.HTTPConnection("127.0.0.1", hub_with_space.port, timeout=10)
    connection.putrequest("PUT", f"{UPLOAD}/logo")
    connection.putheader("Authorization", f"Bearer {hub_with_space.owner_token}")
    connection.putheader("Content-Length", str(65 << 20))
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    connection.close()


def test_an_upload_that_breaks_off_leaves_nothing(hub_with_space):
    hub = hub_with_space
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=10)
    connection.putrequest("PUT", f"{UPLOAD}/logo")
    connection.putheader("Authorization", f"Bearer {hub.owner_token}")
    connection.putheader("Content-Length", str(5 * MEGABYTE))
    connection.endheaders(large_png(3 * MEGABYTE))
    eventually(lambda: large_files(hub), what="a part of the upload to be on the disk")
    connection.close()
    eventually(lambda: not large_files(hub), what="the part to be gone")
    assert hub.request("GET", f"{SHOWN}/logo").status == 404


def upload_with_curl(hub, name, file):
    told = subprocess.run(
        ["curl", "-sS", "--max-time", "120", "-T", file, "-H", f"Authorization: Bearer {hub.owner_token}",
         f"{hub.url}{UPLOAD}/{name}", "-w", "%{http_code}", "-o", "/dev/null"],
        capture_output=True, text=True, timeout=130, check=True)
    return told.stdout


def test_sixteen_uploads_of_20_megabytes_need_little_memory(hub_with_space, tmp_path):
    """The growth of the hub's peak memory, without the program's own pages."""
    hub = hub_with_space
    file = tmp_path / "large.png"
    file.write_bytes(large_png(20 * MEGABYTE))
    send(hub, "logo", png(1, 1))
    before = memory(hub)
    statuses = []
    threads = [
        threading.Thread(target=lambda: statuses.append(upload_with_curl(hub, "logo", file))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == ["200"] * 16
    grown = (memory(hub) - before) / MEGABYTE
    print(f"16 uploads of 20 MB at once: {grown:.1f} MB more than before, {memory(hub) / MEGABYTE:.1f} in all")
    assert grown < 40
    shown = hub.request("GET", f"{SHOWN}/logo")
    assert hashlib.sha256(shown.body).digest() == hashlib.sha256(file.read_bytes()).digest()
