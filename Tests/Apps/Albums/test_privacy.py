"""Everything that a guest can reach of others' pictures, looked through with exiftool: no place, camera, name or time
of taking by any file, header, tag, list or event. Hosts' originals have all of it."""

import hashlib
import json
import re
import zlib

import pytest

from hub import eventually
from live import opened
from planted import (SECRETS, assert_only_played, assert_plain, heic, live_photo, photo, planted, save, sound,
                     told, video)
from uploads import Guest, join, make_album

MAKING_SECONDS = 90
NAME = "IMG_Secret-Name.JPG"
# In the sender's own words, and in the files.
WORDS = [*SECRETS[:5], "Secret-Make", "Secret-Name", "52.51", "2026-11-21T18:04", "2026:11:21 18:04", "exif",
         "Apple iOS"]


def pages(guest):
    """Every path that the pages of a guest ask for, with its answer."""
    found = {}
    for path in ("", "/pictures", "/pictures?mine=1", "/pictures?state=removed", "/me"):
        answer = guest.hub.request("GET", f"{guest.path}{path}", {"Authorization": f"Bearer {guest.token}"})
        found[f"{guest.path}{path}"] = answer
    for one in guest.pictures():
        path = f"{guest.path}/pictures/{one['id']}"
        found[path] = guest.hub.request("GET", path, {"Authorization": f"Bearer {guest.token}"})
    return found


def urls(value):
    """All addresses in an answer."""
    if isinstance(value, dict):
        return {url for one in value.values() for url in urls(one)}
    if isinstance(value, list):
        return {url for one in value for url in urls(one)}
    return {value} if isinstance(value, str) and value.startswith("/") else set()


def all_of(listener):
    """The texts of all messages until there are none for a moment."""
    found = []
    while True:
        try:
            found.append(listener.socket.recv(0.5))
        except TimeoutError:
            return found


@pytest.mark.timeout(240)
def test_nothing_that_a_guest_can_reach_tells_of_place_camera_name_or_time(make_hub, tmp_path):
    hub = make_hub(options=["--rate-limits", "off"])
    album = make_album(hub)
    host, ada, ben = (Guest(hub, album, token) for token in (
        album["host_token"], join(hub, album, "Ada"), join(hub, album, "Ben")))
    still, clip, pair = live_photo(tmp_path)
    files = {"still": still, "clip": clip, "film": video(tmp_path / "film.mp4")}
    for kind in ("png", "webp", "tiff", "heic"):
        path = tmp_path / f"{kind}.{kind}"
        heic(photo(900, 600), path) if kind == "heic" else save(photo(900, 600), path)
        files[kind] = planted(path, tmp_path)
    contents = {name: path.read_bytes() for name, path in files.items()}
    # The test is worth something only if it is there before.
    for name, content in contents.items():
        lines = "\n".join(told(content, tmp_path / "before"))
        assert "GPSLatitude" in lines and "Secret" in lines, (name, lines)
    assert pair in "\n".join(told(contents["clip"], tmp_path / "before")) and pair.encode() in contents["still"]

    with opened(hub) as listener:
        socket = listener.expect("pusher:connection_established")["socket_id"]
        channel = f"private-albums-{album['id']}"
        _, signed = hub.post(f"{ben.path}/realtime/auth", ben.token, {"socket_id": socket, "channel_name": channel})
        listener.send("pusher:subscribe", {"channel": channel, "auth": signed["auth"]})
        ids = {}
        for name, content in contents.items():
            upload = ada.begin(len(content), filename=NAME, taken="2026-11-21T18:04:00", pair=pair)
            if name == "still":
                preview = planted(save(photo(480, 320), tmp_path / "preview.jpg"), tmp_path)
                kept = ada.ask("PUT", f"{upload}/preview", preview.read_bytes(), Content_Type="image/jpeg")
                assert kept.status == 204, kept.body
                made = ada.add(upload, 0, content)
                seen = {one["id"]: one for one in ben.pictures()}[made.headers["Eightbells-Picture"]]
                if "preview" in seen["sizes"]:
                    answer = ben.ask("GET", seen["sizes"]["preview"])
                    assert answer.status in (200, 404)
                    if answer.status == 200:
                        assert_plain(answer.body, tmp_path)
            else:
                made = ada.add(upload, 0, content)
            ids[name] = made.headers["Eightbells-Picture"]
        ada.send(sound(tmp_path / "said.m4a").read_bytes(), sound_of=ids["png"])

        def is_made():
            all_ = {one["id"]: one for one in ben.pictures()}
            has_sizes = all({"320", "1600"} <= one["sizes"].keys() for one in all_.values())
            has_videos = len(all_) == len(ids) and all("video" in all_[ids[name]] for name in ("clip", "film"))
            return has_sizes and has_videos and "sound" in all_[ids["png"]]

        eventually(is_made, MAKING_SECONDS, what="all sizes, videos and the sound")
        events = all_of(listener)

    assert len(events) > len(ids)
    answers = pages(ben)
    reached = set().union(*(urls(answer.json) for answer in answers.values() if answer.status == 200))
    media = sorted(url for url in reached if "/pictures/" in url)
    assert len(media) == 2 * len(ids) + 3
    digests = {digest for content in contents.values() for digest in (
        hashlib.sha256(content).hexdigest(), hashlib.sha1(content).hexdigest(), hashlib.md5(content).hexdigest(),
        f"{zlib.crc32(content):08x}")}
    for url in media:
        for fields in ({}, {"Range": "bytes=0-99"}, {"Accept-Encoding": "gzip"}):
            answer = hub.request("GET", url, {"Authorization": f"Bearer {ben.token}"} | fields)
            assert answer.status in (200, 206), url
            answers[f"{url} {fields}"] = answer
        whole = answers[f"{url} {{}}"]
        if whole.headers["Content-Type"] == "image/jpeg":
            assert_plain(whole.body, tmp_path)
        else:
            assert_only_played(whole.body, tmp_path / "played.mp4")
        assert "Content-Disposition" not in whole.headers and "Last-Modified" not in whole.headers
    # Neither words nor headers of anything.
    for url, answer in answers.items():
        said = str(answer.headers) + ("" if " " in url else answer.body.decode())
        for secret in (*WORDS, pair, pair.lower(), *(digest[:8] for digest in digests)):
            assert secret.lower() not in said.lower(), (url, secret)
    for event in events:
        for secret in (*WORDS, pair, *(digest[:8] for digest in digests)):
            assert secret.lower() not in event.lower(), (secret, event)
    tags = {re.sub(r"-\w+$", "", answer.headers["ETag"].strip('W/"')) for url, answer in answers.items() if " " in url}
    assert len(tags) == len(ids), "a tag of its own for each picture"

    # Others' originals they do not get; whoever has sent one, and hosts, get it as it was.
    for name, picture in ids.items():
        assert ben.original(picture).status == 403
        assert host.original(picture).body == ada.original(picture).body == contents[name]
    assert ben.ask("GET", f"{ben.path}/zip").status == 403
    assert {json.loads(one)["event"] for one in events if "pusher" not in one} <= {"picture", "changed", "people"}
