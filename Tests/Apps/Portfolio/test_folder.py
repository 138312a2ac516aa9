"""Portfolios of folders: what is listed, kept, followed and refused, and what a hub that is killed does."""

import gzip
import hashlib
import json
import os

import pytest
from hub import eventually
from live import opened
from PIL import Image
from portfolio import PORTFOLIOS, add, described, galleries, numbers, photo, pictures, run, sync


@pytest.fixture
def folder(tmp_path):
    """Two galleries, a picture at the top, one that is broken, and what is no gallery."""
    folder = tmp_path / "Work"
    for number, name in enumerate(("Coast/9.jpg", "Coast/10.jpg", "Coast/more/Fog.png", "Ünder/a.jpg", "top.jpg")):
        photo(folder / name, number)
    for name in (".trash", "$RECYCLE.BIN", "lost+found", "__MACOSX"):
        photo(folder / name / "hidden.jpg")
    photo(tmp_path / "elsewhere/secret.jpg")
    os.symlink(tmp_path / "elsewhere", folder / "link")
    os.symlink(tmp_path / "elsewhere/secret.jpg", folder / "Coast/secret.jpg")
    (folder / "Coast/broken.jpg").write_text("no picture")
    (folder / "Coast/notes.txt").write_text("no picture either")
    return folder


def test_each_subfolder_is_a_gallery_and_a_page_has_all_it_needs(hub, folder, ada):
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    report = sync(hub.data, portfolio)
    assert numbers(report) == {"photos": 5, "new": 5, "changed": 0, "gone": 0}
    assert [(one["title"], one["gallery"]) for one in report["failed"]] == [("broken", "Coast")]
    assert "no picture" in report["failed"][0]["why"]

    found = galleries(hub, portfolio, ada)
    assert {title: [one["title"] for one in all] for title, all in found.items()} == {
        "Work": ["top"], "Coast": ["9", "10", "Fog"], "Ünder": ["a"]}, "links lead nowhere; 9 comes before 10"
    one = found["Coast"][0]
    assert (one["width"], one["height"], one["kind"]) == (900, 600, "picture") and one["placeholder"]
    for name in ("320", "2048"):
        size = one["sizes"][name]
        answer = hub.request("GET", size["url"], ada)
        assert answer.status == 200 and "immutable" in answer.headers["Cache-Control"]
        assert hashlib.sha256(answer.body).hexdigest() == size["sha256"] and len(answer.body) == size["bytes"]
        part = hub.request("GET", size["url"], ada | {"Range": "bytes=0-99"})
        assert part.status == 206 and part.body == answer.body[:100]
    path = one["sizes"]["320"]["url"].partition("?")[0]
    assert "immutable" not in hub.request("GET", path, ada).headers["Cache-Control"], "another version may come"

    told = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]
    assert told["pictures"] == 5 and told["sync"]["state"] == "idle" and told["sync"]["left"] == 0
    assert told["sync"]["failed"][0]["why"]["code"] == "portfolio-not-a-picture"

    listed = f"{PORTFOLIOS}/{portfolio}/galleries/{told['galleries'][0]['id']}"
    packed = hub.request("GET", listed, ada | {"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.body)) == hub.get(listed, token=ada)[1]

    # Nobody else is told that it exists.
    ben = hub.sign_in("owner", "Ben")
    for path in (f"{PORTFOLIOS}/{portfolio}", listed, path):
        assert hub.request("GET", path, ben).status == 404
        assert hub.request("GET", path).status == 401
    assert hub.get(PORTFOLIOS, token=ben)[1]["portfolios"] == []


def test_a_second_sync_makes_nothing_and_changes_are_followed(hub, folder, ada):
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    sync(hub.data, portfolio)
    before = galleries(hub, portfolio, ada)
    assert numbers(sync(hub.data, portfolio)) == {"photos": 5, "new": 0, "changed": 0, "gone": 0}
    assert galleries(hub, portfolio, ada) == before

    photo(folder / "Coast/9.jpg", 99)
    os.utime(folder / "Coast/10.jpg")
    photo(folder / "Coast/broken.jpg", 98)
    photo(folder / "New/b.jpg", 97)
    (folder / "top.jpg").unlink()
    report = sync(hub.data, portfolio)
    assert numbers(report) == {"photos": 6, "new": 2, "changed": 1, "gone": 1} and report["failed"] == []
    after = galleries(hub, portfolio, ada)
    assert list(after) == ["Coast", "New", "Ünder"]
    nine, ten = after["Coast"][0], after["Coast"][1]
    assert nine["id"] == before["Coast"][0]["id"] and nine["version"] != before["Coast"][0]["version"]
    assert ten == before["Coast"][1], "the same bytes at another time are the same picture"
    assert hub.request("GET", before["Work"][0]["sizes"]["320"]["url"], ada).status == 404
    (line,) = [line for line in run(hub.data, "list").stdout.splitlines() if line.startswith(f"{portfolio} ")]
    assert "6 pictures in 3 galleries" in line

    # Pages ask again for a gallery that has another number, also where its last picture went.
    def changed():
        return {one["title"]: one["changed"] for one in hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]["galleries"]}

    then = changed()
    (folder / "Coast/more/Fog.png").unlink()
    assert sync(hub.data, portfolio)["gone"] == 1
    now = changed()
    assert now.pop("Coast") > then.pop("Coast") and now == then


def test_the_day_of_taking_is_the_files_whatever_its_time_says(hub, tmp_path, ada):
    path, exif = photo(tmp_path / "Work/Coast/a.jpg"), Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = "2024:05:06 07:08:09"
    Image.open(path).save(path, exif=exif)
    portfolio = add(hub.data, f"folder:{tmp_path / 'Work'}", "--for", "Ada")

    def taken():
        sync(hub.data, portfolio)
        return galleries(hub, portfolio, ada)["Coast"][0].get("taken")

    assert taken() == "2024-05-06T07:08:09"
    os.utime(path)
    assert taken() == "2024-05-06T07:08:09", "the same bytes"
    photo(path, 1)
    assert taken() is None, "another picture"


def test_titles_and_captions_are_those_in_the_files(hub, tmp_path, ada):
    folder = tmp_path / "Work/Coast"
    described(
        photo(folder / "1.jpg"), "XMP-dc:Title=Fog & <Dew>", "XMP-dc:Description=Über dem Hafen", "IPTC:ObjectName=x")
    described(photo(folder / "2.jpg", 2), "IPTC:ObjectName=Gischt", "IPTC:Caption-Abstract=Am Müllerwehr")
    described(photo(folder / "3.png", 3), "XMP-dc:Title-de=Möwe", "XMP-dc:Description=A gull")
    photo(folder / "4.jpg", 4)
    portfolio = add(hub.data, f"folder:{folder.parent}", "--for", "Ada")

    def words():
        sync(hub.data, portfolio)
        return [(one["title"], one.get("caption", "")) for one in galleries(hub, portfolio, ada)["Coast"]]

    assert words() == [
        ("Fog & <Dew>", "Über dem Hafen"), ("Gischt", "Am Müllerwehr"), ("Möwe", "A gull"), ("4", "")]
    files = [one.get("file") for one in galleries(hub, portfolio, ada)["Coast"]]
    assert files == ["1.jpg", "2.jpg", "3.png", None], "where it is not the title"
    os.utime(folder / "1.jpg")
    described(folder / "2.jpg", "IPTC:all=")
    described(folder / "4.jpg", "XMP-dc:Title=Four")
    assert words() == [("Fog & <Dew>", "Über dem Hafen"), ("2", ""), ("Möwe", "A gull"), ("Four", "")]


def test_a_folder_that_is_away_or_empty_takes_nothing_with_it(hub, folder, ada):
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    sync(hub.data, portfolio)
    folder.rename(folder.parent / "away")
    refused = run(hub.data, "sync", portfolio)
    assert refused.returncode == 1 and "is not there" in refused.stderr
    folder.mkdir()  # where a disk was mounted
    refused = run(hub.data, "sync", portfolio)
    assert refused.returncode == 1 and "6 of 6 pictures" in refused.stderr
    told = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]
    assert told["pictures"] == 5 and told["sync"]["state"] == "failed"
    assert told["sync"]["why"]["code"] == "portfolio-many-gone"
    folder.rmdir()
    (folder.parent / "away").rename(folder)
    assert numbers(sync(hub.data, portfolio)) == {"photos": 5, "new": 0, "changed": 0, "gone": 0}


def test_folders_and_files_that_are_renamed_are_the_pictures_that_they_were(hub, folder, ada):
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    sync(hub.data, portfolio)
    before = galleries(hub, portfolio, ada)
    (folder / "Coast").rename(folder / "Shore")
    (folder / "top.jpg").rename(folder / "above.jpg")
    report = numbers(sync(hub.data, portfolio))
    assert report == {"photos": 5, "new": 0, "changed": 0, "gone": 1}, "only the broken one, which nobody has seen"
    after = galleries(hub, portfolio, ada)
    assert after["Shore"] == before["Coast"] and after["Work"][0]["id"] == before["Work"][0]["id"]
    assert after["Work"][0]["title"] == "above"


def test_many_pictures_go_after_a_word_of_their_owner_alone(hub, tmp_path, ada):
    folder = tmp_path / "Many"
    for number in range(50):
        photo(folder / f"set/{number}.jpg", number, (64, 48))
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    assert sync(hub.data, portfolio)["new"] == 50
    for number in range(14):
        (folder / f"set/{number}.jpg").unlink()
    assert sync(hub.data, portfolio)["gone"] == 14, "less than half"
    for number in range(14, 44):
        (folder / f"set/{number}.jpg").unlink()
    refused = run(hub.data, "sync", portfolio)
    assert refused.returncode == 1 and "30 of 36 pictures" in refused.stderr
    status, told = hub.post(f"{PORTFOLIOS}/{portfolio}/sync", token=ada, json={"may_lose": True})
    assert status == 202, told
    eventually(lambda: hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]["pictures"] == 6, 30)


def test_a_hub_that_is_killed_goes_on_where_it_was(hub, tmp_path, ada):
    folder = tmp_path / "Work"
    for number in range(24):
        photo(folder / f"set/{number}.jpg", number, (2400, 1600))
    status, told = hub.post(PORTFOLIOS, token=ada, json={"source": f"folder:{folder}"})
    assert status == 201 and told["name"] == "Work", told
    path = f"{PORTFOLIOS}/{told['id']}"
    before = 0
    for _ in range(2):
        eventually(lambda: hub.get(path, token=ada)[1]["pictures"] > before + 3, 60)
        hub.kill()
        hub.start()
        before = hub.get(path, token=ada)[1]["pictures"]
    assert before > 6, "what was made stays"
    eventually(lambda: hub.get(path, token=ada)[1]["pictures"] == 24, 120)
    told = eventually(lambda: (told := hub.get(path, token=ada)[1])["sync"]["state"] == "idle" and told, 20)
    all = pictures(hub, told["id"], told["galleries"][0]["id"], ada)
    assert [one["title"] for one in all] == [str(number) for number in range(24)]
    for one in all:
        assert hub.request("GET", one["sizes"]["2048"]["url"], ada).status == 200
    assert hub.command("store", "verify").returncode == 0


def test_progress_is_told_live_to_the_owner_alone(hub, folder, ada):
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    channel = f"private-portfolio-{portfolio}"
    with opened(hub) as listener:
        socket = listener.expect("pusher:connection_established")["socket_id"]

        def sign(who):
            body = f"socket_id={socket}&channel_name={channel}"
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            return hub.request("POST", "/api/v1/realtime/auth", who | form, body)

        assert sign(hub.sign_in("member", "Ben")).status == 403
        listener.send("pusher:subscribe", {"channel": channel, "auth": sign(ada).json["auth"]})
        assert listener.next()["event"] == "pusher_internal:subscription_succeeded"
        hub.post(f"{PORTFOLIOS}/{portfolio}/sync", token=ada, json={})
        seen, state = set(), None
        while state != "idle" or len(seen) < 3:
            message = listener.next(60)
            data = message["data"] if isinstance(message["data"], dict) else json.loads(message["data"])
            if message["event"] == "portfolio":
                state = data["sync"]["state"]
            else:
                seen.add(data["title"])
        assert seen == {"Work", "Coast", "Ünder"}


def test_owners_choose_covers_and_members_make_no_portfolio_of_the_hubs_folders(make_hub, folder):
    hub = make_hub()
    ada = hub.sign_in("owner", "Ada")
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    sync(hub.data, portfolio)
    coast = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]["galleries"][1]
    path = f"{PORTFOLIOS}/{portfolio}/galleries/{coast['id']}"
    last = pictures(hub, portfolio, coast["id"], ada)[-1]
    assert coast["cover"]["title"] == "9"
    assert hub.patch(path, token=ada, json={"cover": last["id"], "hidden": True})[1]["gallery"]["cover"] == last
    assert hub.patch(path, token=ada, json={"cover": "nonsense"})[0] == 400
    assert hub.patch(path, token=ada, json={"cover": None})[1]["gallery"]["cover"]["title"] == "9"
    told = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]
    assert told["galleries_count"] == 2 and told["galleries"][1]["hidden"] is True

    ben = hub.sign_in("member", "Ben")
    assert hub.post(PORTFOLIOS, token=ben, json={"source": f"folder:{folder}"})[1]["code"] == 40385
    for source in ("folder:/nowhere", "folder:relative", "ftp:x", "demo:", "webdav:http://192.168.1.1/", "webdav:",
                   "webdav:https://ada:secret@cloud.example/", "webdav:file:///etc"):
        status, answer = hub.post(PORTFOLIOS, token=ada, json={"source": source})
        assert (status, answer["code"]) == (400, 40085), source
        assert (answer.get("reason") or {}).get("code") == (
            "portfolio-folder-unseen" if source.startswith("folder:") else None), source
    assert hub.delete(f"{PORTFOLIOS}/{portfolio}", token=ben)[0] == 404
    assert hub.delete(f"{PORTFOLIOS}/{portfolio}", token=ada)[0] == 204
    assert hub.get(PORTFOLIOS, token=ada)[1]["portfolios"] == []
    assert hub.request("GET", last["sizes"]["320"]["url"], ada).status == 404
