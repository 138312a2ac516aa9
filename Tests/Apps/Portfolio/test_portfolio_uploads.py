"""Portfolios of one's own uploads: by an unmodified client of tus and by hand, over lines that are cut and hubs that
are killed; their galleries, originals and shares."""

import hashlib
import io
import os
import subprocess

import pytest
from hub import eventually
from portfolio import PORTFOLIOS, add, galleries, photo, run
from tusclient import client as tus
from tusclient.exceptions import TusCommunicationError, TusUploadFailed
from uploads import PART, CutLine, metadata, some_bytes


class Sender:
    """A member with a portfolio of their own uploads."""

    def __init__(self, hub, who):
        self.hub, self.who = hub, who
        status, made = hub.post(PORTFOLIOS, who, {"source": "uploads:", "name": "Mine"})
        assert status == 201, made
        assert made["source"] == {"kind": "uploads", "of": ""}
        self.id = made["id"]
        self.path = f"{PORTFOLIOS}/{self.id}"

    def gallery(self, title):
        status, made = self.hub.post(f"{self.path}/galleries", self.who, {"title": title})
        assert status == 201, made
        return made["id"]

    def ask(self, method, path, body=None, **fields):
        named = {name.replace("_", "-"): str(value) for name, value in fields.items()}
        return self.hub.request(method, path, self.who | {"Tus-Resumable": "1.0.0"} | named, body)

    def begin(self, count, gallery, **values):
        fields = {"Upload_Length": count, "Upload_Metadata": metadata(gallery=gallery, **values)}
        return self.ask("POST", f"{self.path}/uploads", **fields)

    def add(self, upload, offset, content):
        return self.ask("PATCH", upload, content, Upload_Offset=offset, Content_Type=PART)

    def send(self, content, gallery, name="a.jpg"):
        """Sends all at once: the picture's id."""
        made = self.begin(len(content), gallery, filename=name)
        assert made.status == 201, made.body
        answer = self.add(made.headers["Location"], 0, content)
        assert answer.status == 204, answer.body
        return answer.headers["Eightbells-Picture"]

    def told(self):
        status, answer = self.hub.get(self.path, token=self.who)
        assert status == 200, answer
        return answer

    def galleries(self, count):
        """The galleries with their pictures, once so many are there."""
        eventually(lambda: self.told()["pictures"] == count, 30)
        return galleries(self.hub, self.id, self.who)

    def share(self):
        return self.hub.get(PORTFOLIOS, token=self.who)[1]["share"]


@pytest.fixture
def hub(make_hub):
    """One for each test: what somebody's pictures take is counted."""
    hub = make_hub()
    hub.configure()
    return hub


@pytest.fixture
def ada(hub):
    return Sender(hub, hub.sign_in("member", "Ada"))


@pytest.fixture
def picture(tmp_path):
    return lambda seed=1: photo(tmp_path / f"{seed}.jpg", seed, (2400, 1600)).read_bytes()


def film_of(path, pictures):
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", pictures, "-pix_fmt", "yuv420p", path], check=True,
                   timeout=60)
    return path.read_bytes()


@pytest.fixture
def film(tmp_path):
    return film_of(tmp_path / "film.mp4", "testsrc=size=320x240:rate=10:duration=1")


def test_tuspy_sends_pictures_and_a_video_and_the_originals_stay(hub, ada, picture, film):
    gallery = ada.gallery("Weddings")
    for name, content in (("IMG_1.JPG", picture()), ("../Film.mp4", film)):
        sender = tus.TusClient(f"{hub.url}{ada.path}/uploads", ada.who).uploader(
            file_stream=io.BytesIO(content), chunk_size=65_537, metadata={"filename": name, "gallery": gallery})
        sender.upload()
    moving, one = ada.galleries(2)["Weddings"]
    assert (one["title"], one["kind"], one["width"], one["height"]) == ("IMG_1", "picture", 2400, 1600)
    assert set(one["sizes"]) == {"320", "2048"} and set(moving["sizes"]) == {"320", "2048", "video"}
    assert moving["kind"] == "video" and moving["original"]["name"] == "Film.mp4"
    for told, content in ((one, picture()), (moving, film)):
        original = hub.request("GET", told["original"]["url"], ada.who)
        assert original.body == content and told["original"]["bytes"] == len(content)
        assert "attachment" in original.headers["Content-Disposition"]
    eventually(lambda: ada.told()["sync"]["state"] == "idle", 10)

    ben = Sender(hub, hub.sign_in("member", "Ben"))
    assert hub.request("GET", one["original"]["url"], ben.who).status == 404
    assert ben.begin(10, gallery).status == 404, "a gallery of somebody else"
    assert hub.post(f"{ada.path}/galleries", ben.who, {"title": "Theirs"})[0] == 404
    assert hub.request("DELETE", f"{ada.path}/pictures/{one['id']}", ben.who).status == 404


def test_pictures_stand_in_the_order_of_their_names_however_they_ended(ada, picture):
    gallery = ada.gallery("One")
    for number in (10, 2, 1, 9):
        ada.send(picture(number), gallery, f"Bild_{number}.jpg")
    assert [one["title"] for one in ada.galleries(4)["One"]] == ["Bild_1", "Bild_2", "Bild_9", "Bild_10"]


def test_pictures_are_put_into_another_order_by_hand(hub, ada, picture):
    gallery, other = ada.gallery("One"), ada.gallery("Two")
    one, two, three = (ada.send(picture(number), gallery, f"{number}.jpg") for number in (1, 2, 3))
    elsewhere = ada.send(picture(4), other, "4.jpg")
    ada.galleries(4)
    at = f"{ada.path}/galleries/{gallery}/pictures"

    def move(which, before):
        return hub.patch(f"{at}/{which}", ada.who, {"before": before})[0]

    def order():
        return [one["title"] for one in galleries(hub, ada.id, ada.who)["One"]]

    assert move(three, one) == 204 and order() == ["3", "1", "2"]
    assert move(three, two) == 204 and order() == ["1", "3", "2"]
    assert move(one, None) == 204 and order() == ["3", "2", "1"]
    assert move(two, two) == 204 and order() == ["3", "2", "1"]
    assert [move(one, elsewhere), move(elsewhere, one), move("none", one)] == [404] * 3
    assert hub.patch(f"{at}/{one}", ada.who, {})[0] == 400
    later = [ada.send(picture(number), gallery, name)
             for number, name in ((5, "0.jpg"), (6, "10.jpg"), (7, "9.jpg"), (8, "2b.jpg"))]
    ada.galleries(8)
    assert order() == ["3", "2", "1", "0", "2b", "9", "10"], "it has an order of its own: new ones come last, by name"
    assert move(later[-1], None) == 204
    ada.send(picture(9), gallery, "2a.jpg")
    ada.galleries(9)
    assert order()[3:] == ["0", "9", "10", "2b", "2a"], "what was moved is where it was put"
    assert hub.patch(f"{at}/{one}", Sender(hub, hub.sign_in("owner", "Ben")).who, {"before": two})[0] == 404


def test_galleries_are_named_ordered_and_emptied(hub, ada, picture):
    first, second = ada.gallery("One"), ada.gallery("Two")
    sent = ada.send(picture(1), first)
    other = ada.send(picture(2), first, "b.jpg")
    assert ada.send(picture(1), second) == sent, "the same bytes are one picture, in both"
    found = ada.galleries(2)
    assert [len(all) for all in found.values()] == [2, 1]
    used = ada.share()["bytes"]
    assert used > len(picture(1)) + len(picture(2)) and ada.share()["limit"] == 50_000_000_000

    at = f"{ada.path}/galleries/{first}"
    assert hub.patch(at, ada.who, {"title": "Uno", "cover": other})[1]["gallery"]["cover"]["id"] == other
    assert hub.patch(ada.path, ada.who, {"galleries": [second, first]})[0] == 200
    assert list(galleries(hub, ada.id, ada.who)) == ["Two", "Uno"]
    ada.gallery("Later")
    assert list(galleries(hub, ada.id, ada.who)) == ["Two", "Uno", "Later"], "new ones are behind"
    assert hub.patch(ada.path, ada.who, {"galleries": None})[0] == 200
    assert list(galleries(hub, ada.id, ada.who)) == ["Uno", "Two", "Later"]

    assert hub.request("DELETE", f"{at}/pictures/{sent}", ada.who).status == 204
    assert [one["id"] for one in galleries(hub, ada.id, ada.who)["Two"]] == [sent], "it is in another one"
    assert hub.request("DELETE", f"{at}/pictures/{sent}", ada.who).status == 404
    assert hub.request("DELETE", at, ada.who).status == 204
    assert ada.told()["pictures"] == 1 and ada.share()["bytes"] < used
    assert hub.request("DELETE", f"{ada.path}/pictures/{sent}", ada.who).status == 204
    assert ada.share()["bytes"] == 0 and ada.told()["pictures"] == 0


def cut_power(hub):
    hub.kill()

    def starts():
        try:
            hub.start()
        except AssertionError:  # a helper that was just being started has the folder's lock for a moment
            hub.kill()
            return False
        return True

    eventually(starts, 20)


def test_it_goes_on_where_the_line_was_cut_and_after_the_hub_was_killed(make_hub, picture):
    hub = make_hub()
    ada = Sender(hub, hub.sign_in("owner", "Ada"))
    content = picture() + some_bytes(3_000_000)  # what follows a JPEG's end does not matter
    gallery = ada.gallery("Cut")
    digest = hashlib.sha256(content).hexdigest()
    upload = ada.begin(len(content), gallery, filename="a.jpg", sha256=digest).headers["Location"]
    assert ada.add(upload, 0, content[:1_000_000]).status == 204
    line = CutLine(hub.port, cuts=[len(content) // 2])
    who = ada.who | {"Origin": line.url}
    sender = tus.TusClient(f"{line.url}{ada.path}/uploads", who).uploader(
        file_stream=io.BytesIO(content), url=f"{line.url}{upload}", chunk_size=len(content), retries=0)
    with pytest.raises((TusUploadFailed, TusCommunicationError)):
        sender.upload()
    line.close()
    had = int(ada.ask("HEAD", upload).headers["Upload-Offset"])
    assert 1_000_000 <= had < len(content)
    cut_power(hub)
    assert int(ada.ask("HEAD", upload).headers["Upload-Offset"]) == had
    assert ada.add(upload, had, content[had:]).status == 204
    cut_power(hub)  # before its sizes are made, most likely
    one, = ada.galleries(1)["Cut"]
    assert hub.request("GET", one["original"]["url"], ada.who).body == content
    told = ada.ask("HEAD", upload)
    assert told.headers["Eightbells-Picture"] == one["id"], "the last answer may have been lost"


def test_what_is_no_picture_or_is_not_for_uploads_is_refused(hub, ada, tmp_path):
    gallery = ada.gallery("Odd")
    content = b"<html>no picture</html>"
    upload = ada.begin(len(content), gallery).headers["Location"]
    refused = ada.add(upload, 0, content)
    assert (refused.status, refused.json["code"]) == (400, 40092)
    assert ada.ask("HEAD", upload).status == 404, "nothing of it is kept"
    assert ada.begin(10, "nowhere").json["code"] == 40486
    assert ada.ask("POST", f"{ada.path}/uploads", Upload_Length=10).json["code"] == 40091
    assert ada.begin(5 << 30, gallery).json["code"] == 41391

    # It looks like a picture, and cannot be read: it is named, and can be removed.
    broken = ada.send(some_bytes(50_000), gallery, "broken.jpg")
    eventually(lambda: ada.told()["sync"]["failed"], 30)
    failed, = ada.told()["sync"]["failed"]
    assert failed["picture"] == broken and failed["why"]["code"] == "portfolio-not-a-picture"
    assert hub.request("DELETE", f"{ada.path}/pictures/{broken}", ada.who).status == 204
    assert ada.told()["sync"]["failed"] == [] and ada.share()["bytes"] == 0
    # So is a film that is too long, of which pixels are not the fault.
    long = ada.send(film_of(tmp_path / "long.mp4", "color=size=64x64:rate=1/20:duration=4000"), gallery, "long.mp4")
    eventually(lambda: ada.told()["sync"]["failed"], 60)
    failed, = ada.told()["sync"]["failed"]
    assert failed["picture"] == long and "lasts for more than an hour" in failed["why"]["text"], failed
    assert hub.request("DELETE", f"{ada.path}/pictures/{long}", ada.who).status == 204

    photo(tmp_path / "Work/Coast/a.jpg")
    folder = f"{PORTFOLIOS}/{add(hub.data, f'folder:{tmp_path}/Work', '--for', 'Ada')}"
    assert hub.post(f"{folder}/galleries", ada.who, {"title": "x"})[1]["code"] == 40992
    assert ada.ask("POST", f"{folder}/uploads", Upload_Length=10).json["code"] == 40992
    assert hub.post(PORTFOLIOS, ada.who, {"source": "uploads:x"})[1]["code"] == 40085
    for _ in range(49):
        assert ada.begin(10, gallery).status == 201
    assert ada.begin(10, gallery).status == 201
    assert ada.begin(10, gallery).json["code"] == 42991
    assert hub.request("DELETE", f"{ada.path}/galleries/{gallery}", ada.who).status == 204
    assert ada.begin(10, ada.gallery("New")).status == 201, "with a gallery its uploads end"


def test_each_person_has_a_share_of_the_disk(make_hub, picture, tmp_path):
    hub = make_hub(options=["--portfolio-gigabytes", "0.0001"])
    ada = Sender(hub, hub.sign_in("owner", "Ada"))
    gallery = ada.gallery("Full")
    refused = ada.begin(120_000, gallery)
    assert (refused.status, refused.json["code"]) == (413, 41392) and "portfolio_gigabytes" in refused.json["help"]
    assert ada.begin(60_000, gallery).status == 201
    assert ada.begin(60_000, gallery).json["code"] == 41392, "what is announced counts"

    for number in range(12):
        photo(tmp_path / f"Work/Many/{number:02}.jpg", number, (1600, 1200))
    portfolio = add(hub.data, f"folder:{tmp_path}/Work", "--for", "Ada")
    done = run(hub.data, "sync", portfolio, env={"EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.0/8",
                                                "EIGHTBELLS_PORTFOLIO_GIGABYTES": "0.0001"})
    assert done.returncode == 1 and "more room" in done.stderr, done.stdout
    told = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada.who)[1]
    assert told["sync"]["why"]["code"] == "portfolio-share-full" and 0 < told["pictures"] < 12
    assert ada.share()["bytes"] < 200_000 and ada.share()["limit"] == 100_000
    ben = Sender(hub, hub.sign_in("member", "Ben"))
    assert ben.share()["bytes"] == 0 and ben.begin(80_000, ben.gallery("Mine")).status == 201


def test_names_that_are_not_in_utf_8_are_told_and_others_with_an_at_sign_are_pictures(hub, tmp_path):
    who = hub.sign_in("owner", "Ada")
    for name in ("@Anna/@home.jpg", "@Anna/@eaDir/small.jpg", "#recycle/deleted.jpg"):
        photo(tmp_path / "Work" / name)
    bad = os.fsencode(photo(tmp_path / "Work/@Anna/a.jpg"))
    os.rename(bad, bad.replace(b"a.jpg", b"latin1-\xe4.jpg"))
    portfolio = add(hub.data, f"folder:{tmp_path}/Work", "--for", "Ada")
    assert run(hub.data, "sync", portfolio).returncode == 0
    gallery, = hub.get(f"{PORTFOLIOS}/{portfolio}", token=who)[1]["galleries"]
    assert (gallery["title"], gallery["count"]) == ("@Anna", 1)
    assert (gallery["notice"]["code"], gallery["notice"]["values"]) == ("portfolio-unnamed", {"count": 1})


def test_folders_that_lie_too_deep_are_told(hub, tmp_path):
    who = hub.sign_in("owner", "Ada")
    photo(tmp_path / "Work/Deep/1/2/3/4/5/6/7/seen.jpg")
    photo(tmp_path / "Work/Deep/1/2/3/4/5/6/7/8/unseen.jpg")
    photo(tmp_path / "Work/Flat/a.jpg")
    portfolio = add(hub.data, f"folder:{tmp_path}/Work", "--for", "Ada")
    assert run(hub.data, "sync", portfolio).returncode == 0
    told = hub.get(f"{PORTFOLIOS}/{portfolio}", token=who)[1]
    deep, flat = told["galleries"]
    assert deep["notice"]["code"] == "portfolio-too-deep" and deep["notice"]["values"]["count"] == 1
    assert deep["count"] == 1 and "notice" not in flat
    (tmp_path / "Work/Deep/1/2/3/4/5/6/7/8/unseen.jpg").unlink()
    (tmp_path / "Work/Deep/1/2/3/4/5/6/7/8").rmdir()
    assert run(hub.data, "sync", portfolio).returncode == 0
    assert "notice" not in hub.get(f"{PORTFOLIOS}/{portfolio}", token=who)[1]["galleries"][0]
