"""Favourites of one's own, a picture and a gallery that others see by their address, and threads of many syncs."""

import re
from pathlib import Path

import pytest
from hub import eventually
from portfolio import PORTFOLIOS, add, numbers, photo, pictures, sync

COUNT = 7


@pytest.fixture
def work(hub, tmp_path):
    """An owner's portfolio of one gallery: its id, its gallery's, its pictures and who may see it."""
    folder = tmp_path / "Work"
    for number in range(COUNT):
        photo(folder / f"Coast <1>/{number}.jpg", number, (300, 200))
    ada = hub.sign_in("owner", "Ada")
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada", "--name", "Ada & Co")
    sync(hub.data, portfolio)
    gallery = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]["galleries"][0]["id"]
    return folder, portfolio, gallery, pictures(hub, portfolio, gallery, ada), ada


def test_favourites_are_a_gallery_of_their_own(hub, work):
    folder, portfolio, gallery, all_pictures, ada = work
    one, two, three = (picture["id"] for picture in all_pictures[:3])
    listed = f"{PORTFOLIOS}/{portfolio}/galleries/favourites"
    assert hub.get(listed, token=ada)[0] == 404
    for picture in (three, one, three):
        assert hub.request("PUT", f"{PORTFOLIOS}/{portfolio}/favourites/{picture}", ada).status == 204
    told = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]["galleries"]
    assert [(row["id"], row["count"], row.get("favourites")) for row in told] == [
        ("favourites", 2, True), (gallery, COUNT, None)]
    assert [picture["id"] for picture in pictures(hub, portfolio, "favourites", ada)] == [three, one]
    assert [picture["id"] for picture in hub.get(f"{listed}?after={three}", token=ada)[1]["pictures"]] == [one]

    # Another file of a favourite is a change of the gallery; one that is gone is gone there too.
    before = told[0]["changed"]
    photo(folder / "Coast <1>/0.jpg", 99, (300, 200))
    sync(hub.data, portfolio)
    assert hub.get(listed, token=ada)[1]["gallery"]["changed"] > before
    (folder / "Coast <1>/2.jpg").unlink()
    sync(hub.data, portfolio)
    assert [picture["id"] for picture in pictures(hub, portfolio, "favourites", ada)] == [one]
    assert hub.request("DELETE", f"{PORTFOLIOS}/{portfolio}/favourites/{one}", ada).status == 204
    assert hub.get(listed, token=ada)[1]["gallery"]["count"] == 0

    ben = hub.sign_in("owner", "Ben")
    assert hub.request("PUT", f"{PORTFOLIOS}/{portfolio}/favourites/{two}", ben).status == 404
    assert hub.request("PUT", f"{PORTFOLIOS}/{portfolio}/favourites/{'x' * 16}", ada).status == 404


def test_a_picture_has_a_page_for_others_until_it_is_taken_back(hub, work):
    _, portfolio, _, all_pictures, ada = work
    picture, other = all_pictures[:2]
    shares = f"{PORTFOLIOS}/{portfolio}/shares"
    status, made = hub.post(shares, token=ada, json={"picture": picture["id"]})
    assert status == 201 and made["picture"] == picture["id"]
    assert hub.post(shares, token=ada, json={"picture": picture["id"]})[1] == made, "the same address"
    assert re.fullmatch(r"/portfolio/shared/[\w-]{22}", made["link"].removeprefix(hub.url))
    path = made["link"].removeprefix(hub.url)
    page = hub.request("GET", path)
    text = page.body.decode()
    assert page.status == 200 and 'property="og:image" content="' + hub.url in text and "Ada &amp; Co" in text
    assert page.headers["X-Robots-Tag"] == "noindex" and "frame-ancestors 'none'" in page.headers[
        "Content-Security-Policy"] and "<script" not in text
    image = hub.request("GET", re.search('img src="([^"]+)"', text)[1])
    assert image.status == 200 and image.body[:2] == b"\xff\xd8"
    assert hub.request("GET", f"{path}/{other['id']}/320").status == 404, "no other picture"
    assert hub.request("GET", path.replace("shared", "embed")).status == 404
    assert hub.get(shares, token=ada)[1] == {"shares": [made]}

    ben = hub.sign_in("owner", "Ben")
    assert hub.request("DELETE", f"{shares}/{made['id']}", ben).status == 404
    assert hub.post(shares, token=ben, json={"picture": picture["id"]})[0] == 404
    assert hub.post(shares, token=ada, json={})[0] == 400
    assert hub.request("DELETE", f"{shares}/{made['id']}", ada).status == 204
    assert hub.request("GET", f"{path}/{picture['id']}/320").status == 404
    gone = hub.request("GET", path)
    assert gone.status == 404 and gone.json["code"] == 40494, "programs get JSON"
    for address, words in ((path, "Hier ist nichts geteilt"), (path.replace("shared", "embed"), "Frag, wer")):
        gone = hub.request("GET", address, {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"})
        assert gone.status == 404 and gone.headers["Content-Type"].startswith("text/html")
        assert words in gone.body.decode() and "Ada" not in gone.body.decode()


def test_a_gallery_is_in_a_frame_and_turned(hub, work):
    folder, portfolio, gallery, all_pictures, ada = work
    status, made = hub.post(f"{PORTFOLIOS}/{portfolio}/shares", token=ada, json={"gallery": gallery})
    assert status == 201
    path = made["link"].removeprefix(hub.url)

    def shown(query):
        page = hub.request("GET", f"{path}?{query}")
        assert page.status == 200
        return page, re.findall(r'<img src="[^"]*/(\w{16})/(320|2048)"', page.body.decode())

    page, first = shown("num=3&size=large&lang=de")
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"] and b"<script" not in page.body
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert [one[1] for one in first] == ["2048"] * 3
    assert "Coast &lt;1&gt;" in page.body.decode() and ">Mehr<" in page.body.decode()
    turned = [one for number in (1, 2, 3) for one, _ in shown(f"num=3&page={number}")[1]]
    assert turned == [picture["id"] for picture in all_pictures]
    assert shown("num=3&page=4")[1] == [] and len(shown("num=junk&size=huge&page=-3")[1]) == COUNT
    assert hub.request("GET", f"{path.replace('embed', 'shared')}/{turned[0]}/320").status == 200

    # Never more than 30 on a page, whoever asks.
    for number in range(40):
        photo(folder / f"Coast <1>/more{number}.jpg", number, (60, 40))
    sync(hub.data, portfolio)
    assert len(shown("num=1000")[1]) == 30

    assert hub.request("DELETE", f"{PORTFOLIOS}/{portfolio}", ada).status == 204
    assert hub.request("GET", path).status == 404


def test_many_syncs_leave_no_threads_behind(hub, tmp_path):
    folder = tmp_path / "Threads"
    photo(folder / "a/1.jpg", 1, (60, 40))
    ada = hub.sign_in("owner", "Ada")
    portfolio = add(hub.data, f"folder:{folder}", "--for", "Ada")
    status = Path(f"/proc/{hub.process.pid}/status")

    def threads():
        return int(re.search(r"^Threads:\s+(\d+)", status.read_text(), re.M)[1])

    def told():
        answer = hub.get(f"{PORTFOLIOS}/{portfolio}", token=ada)[1]
        cover = answer["galleries"][0].get("cover") if answer["galleries"] else None
        return answer["sync"]["state"] == "idle" and cover and cover["version"]

    def look(number):
        before = told()
        photo(folder / "a/1.jpg", number, (60, 40))
        assert hub.post(f"{PORTFOLIOS}/{portfolio}/sync", token=ada, json={})[0] == 202
        eventually(lambda: told() not in (False, None, before), 20)

    look(2)
    before = threads()
    for number in range(8):
        look(number + 3)
    assert threads() <= before + 1
    assert numbers(sync(hub.data, portfolio))["photos"] == 1
