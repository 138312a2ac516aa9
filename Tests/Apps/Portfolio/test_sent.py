"""Pictures sent to clients: what they get by a link, PINs, what comes back, and what is taken back."""

import gzip
import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from hub import eventually
from mailroom import Mailroom, hub_with_mail, link
from portfolio import PORTFOLIOS, add, galleries, photo, sync

CLIENT, OTHER = "x7Qk2m9sVb41nWz8Lc0dTa", "aTd0cL8zWn14bVs9m2kQ7x"
SENT = "/api/v1/sent"


@pytest.fixture
def hub(make_hub):
    return make_hub()


@pytest.fixture
def portfolio(hub, tmp_path, ada):
    for number, name in enumerate(("Coast/Low tide.jpg", "Coast/Slack.jpg", "Fog/Pass.jpg")):
        photo(tmp_path / "Work" / name, number)
    made = add(hub.data, f"folder:{tmp_path / 'Work'}", "--for", "Ada", "--name", "Work")
    sync(hub.data, made)
    return made


@pytest.fixture
def send(hub, portfolio, ada):
    path = f"{PORTFOLIOS}/{portfolio}"
    by_title = {one["title"]: one["id"] for one in hub.get(path, token=ada)[1]["galleries"]}

    def send(*titles, **fields):
        body = {"title": "Two series", "galleries": [by_title[title] for title in titles or ("Coast",)]} | fields
        status, made = hub.post(f"{path}/sent", json=body, token=ada)
        assert status == 201, made
        return made

    send.path, send.galleries = path, by_title
    return send


def mark(id, picture, kind="favourite", at=1_795_000_000, **more):
    return {"id": f"{id}-mark-id", "picture": picture, "kind": kind, "at": at} | more


def test_a_link_shows_what_was_chosen_and_nothing_more(hub, send, ada):
    made = send("Coast", text="Dear you", download="none")
    assert re.fullmatch(rf".*/sent/{made['id']}/", made["link"]) and len(made["id"]) == 22
    status, told = hub.get(f"{SENT}/{made['id']}")
    assert status == 200 and (told["title"], told["text"], told["from"]) == ("Two series", "Dear you", "Ada")
    answer = hub.request("GET", f"{SENT}/{made['id']}", headers={"Accept-Encoding": "gzip"})
    assert json.loads(gzip.decompress(answer.body)) == told and answer.headers["Content-Encoding"] == "gzip"
    same = {"Accept-Encoding": "gzip", "If-None-Match": answer.headers["ETag"]}
    assert hub.request("GET", f"{SENT}/{made['id']}", headers=same).status == 304
    gallery, = told["galleries"]
    assert gallery["title"] == "Coast" and [one["title"] for one in gallery["pictures"]] == ["Low tide", "Slack"]
    assert not {"taken", "place", "private", "original"} & set(gallery["pictures"][0])
    for one in gallery["pictures"]:
        for size in one["sizes"].values():
            answer = hub.request("GET", size["url"])
            assert answer.status == 200 and len(answer.body) == size["bytes"]
            assert "immutable" in answer.headers["Cache-Control"]
    fog = galleries(hub, send.path.rpartition("/")[2], ada)["Fog"][0]["id"]
    for path in (f"/files/{fog}/2048", f"/files/{gallery['pictures'][0]['id']}/original", "/files/x/320"):
        assert hub.request("GET", f"{SENT}/{made['id']}{path}").status == 404
    assert hub.get(f"{SENT}/{'a' * 22}")[0] == 404
    assert hub.get(send.path)[0] == 401 and hub.get(f"{send.path}/sent")[0] == 401


def test_the_page_behind_a_link_is_the_player_and_tells_nobody_the_link(hub, send):
    made = send()
    page = hub.request("GET", f"/sent/{made['id']}/")
    assert page.status == 200 and b"player.js" in page.body
    assert page.headers["Referrer-Policy"] == "same-origin" and "noindex" in page.headers["X-Robots-Tag"]
    assert hub.request("GET", f"/sent/{made['id']}").headers["Location"] == f"/sent/{made['id']}/"
    assert "javascript" in hub.request("GET", f"/sent/{made['id']}/worker.js").headers["Content-Type"]
    manifest = hub.get(f"/sent/{made['id']}/app.webmanifest")[1]
    assert manifest["scope"] == manifest["start_url"] == f"/sent/{made['id']}/" and manifest["name"] == "Two series"
    assert made["id"] not in hub.log
    locked = send(pin="2468")
    assert hub.get(f"/sent/{locked['id']}/app.webmanifest")[1]["name"] == "Portfolio"


def test_a_pin_is_asked_for_counted_and_locks_the_link(hub, send, ada):
    made = send(pin="2468")
    path = f"{SENT}/{made['id']}"
    assert hub.get(path)[1]["code"] == 40186
    picture = send.galleries and hub.get(f"{send.path}/sent/{made['id']}", token=ada)[1]["pictures"][0]
    assert hub.request("GET", f"{path}/files/{picture}/320").status == 401
    assert hub.post(f"{path}/open", json={"pin": "1111"})[0] == 403
    status, opened = hub.post(f"{path}/open", json={"pin": "2468"})
    assert status == 200 and hub.get(path, {"Sent-Token": opened["token"]})[0] == 200
    for _ in range(9):
        status, answer = hub.post(f"{path}/open", json={"pin": "9999"})
    assert status == 403
    # The right one waits as well, so that a guess tells nothing.
    status, answer = hub.post(f"{path}/open", json={"pin": "2468"})
    assert status == 429 and answer["code"] == 42986
    assert hub.get(path, {"Sent-Token": opened["token"]})[0] == 200, "whoever is in stays"
    assert hub.patch(f"{send.path}/sent/{made['id']}", json={"pin": "13579"}, token=ada)[0] == 200
    assert hub.get(path, {"Sent-Token": opened["token"]})[0] == 401, "another PIN is asked of everybody"
    assert hub.post(f"{path}/open", json={"pin": "13579"})[0] == 200
    assert made["id"] not in hub.log
    assert hub.patch(f"{send.path}/sent/{made['id']}", json={"pin": "12a4"}, token=ada)[0] == 400


def test_marks_come_back_once_and_can_be_taken_back(hub, send, ada):
    made = send(download="original")
    path = f"{SENT}/{made['id']}"
    first, second = (one["id"] for one in hub.get(path)[1]["galleries"][0]["pictures"])
    marks = [mark("a", first), mark("b", second, "remark", text="Lovely <b>"), mark("c", first, "large")]
    for _ in range(2):
        status, answer = hub.post(f"{path}/marks", json={"client": CLIENT, "name": "Ms Okafor", "marks": marks})
        assert status == 200 and len(answer["marks"]) == 3
    hub.post(f"{path}/marks", json={"client": OTHER, "marks": [mark("d", second)]})
    assert len(hub.get(f"{path}?client={CLIENT}")[1]["marks"]) == 3 and hub.get(path)[1]["marks"] == []
    newer = [mark("b", second, "remark", at=1_795_000_009, text="Better"), mark("a", first, gone=True)]
    older = [mark("b", second, "remark", at=1_794_000_000, text="Old")]
    for change in (newer, older):
        answer = hub.post(f"{path}/marks", json={"client": CLIENT, "marks": change})[1]
    assert {one["kind"]: one.get("text") for one in answer["marks"]} == {"remark": "Better", "large": None}
    back = hub.get(f"{send.path}/sent/{made['id']}/marks", token=ada)[1]["marks"]
    assert {(one["kind"], one["name"], one["file"]) for one in back} == {
        ("remark", "Ms Okafor", "Slack.jpg"), ("large", "Ms Okafor", "Low tide.jpg"), ("favourite", None, "Slack.jpg")}
    names = hub.request("GET", f"{send.path}/sent/{made['id']}/names?kind=favourite", ada)
    assert names.body == b"Slack.jpg\n"
    told = hub.get(f"{send.path}/sent", token=ada)[1]["sent"][0]
    assert (told["favourites"], told["remarks"], told["wishes"], told["opened"]) == (1, 1, 1, 0)
    assert hub.post(f"{path}/marks", json={"client": CLIENT, "marks": [{"id": "short"}]})[0] == 400
    # One letter with a thousand accents is no short id.
    long = mark("a" + 1_000 * "\u0301", first)
    assert hub.post(f"{path}/marks", json={"client": CLIENT, "marks": [long]})[0] == 400


@pytest.mark.file
def test_a_mark_can_be_changed_where_no_other_fits(hub, send):
    path = f"{SENT}/{send()['id']}"
    picture = hub.get(path)[1]["galleries"][0]["pictures"][0]["id"]

    def post(*marks):
        return hub.post(f"{path}/marks", json={"client": CLIENT, "marks": marks})

    assert post(mark("first", picture, "remark", text="Good"))[0] == 200
    with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=30) as database:
        database.execute("""
            WITH RECURSIVE counted (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < 5000)
            INSERT INTO portfolio_sent_marks (client, mark, picture, kind, at)
            SELECT client, 'mark-' || n, picture, 'favourite', at FROM portfolio_sent_marks, counted""")
    assert post(mark("first", picture, "remark", at=1_795_000_009, text="Better"))[0] == 200
    status, refused = post(mark("other", picture))
    assert (status, refused["code"]) == (409, 40987)
    gone = mark("first", picture, "remark", at=1_795_000_010, gone=True)
    assert post(gone, mark("other", picture))[0] == 200


@pytest.mark.file
def test_a_link_takes_a_wedding_s_remarks_and_no_library(hub, send):
    path = f"{SENT}/{send()['id']}"
    picture = hub.get(path)[1]["galleries"][0]["pictures"][0]["id"]

    def post(*marks):
        return hub.post(f"{path}/marks", json={"client": CLIENT, "marks": marks})

    assert post(mark("first", picture, "remark", text=2_000 * "a"))[0] == 200
    with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=30) as database:
        database.execute("""
            WITH RECURSIVE counted (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < 250)
            INSERT INTO portfolio_sent_marks (client, mark, picture, kind, text, at)
            SELECT client, 'mark-' || n, picture, kind, text, at FROM portfolio_sent_marks, counted""")
    assert post(mark("heart", picture))[0] == 200
    status, refused = post(mark("other", picture, "remark", text="More"))
    assert (status, refused["code"]) == (409, 40987)
    shorter = mark("first", picture, "remark", at=1_795_000_009, text="Short")
    assert post(shorter, mark("other", picture, "remark", text="More"))[0] == 200


@pytest.mark.file
def test_a_link_that_was_withdrawn_makes_room_for_another(hub, send, ada):
    made = send()
    with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=30) as database:
        database.execute("""
            WITH RECURSIVE counted (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < 500)
            INSERT INTO portfolio_sent (portfolio, address, title, text, download, shows, pin, made_at)
            SELECT portfolio, 'link-' || n, title, text, download, shows, pin, made_at FROM portfolio_sent, counted""")
    wish = {"title": "One more", "galleries": [send.galleries["Coast"]]}
    status, refused = hub.post(f"{send.path}/sent", json=wish, token=ada)
    assert (status, refused["code"]) == (409, 40986)
    assert hub.request("DELETE", f"{send.path}/sent/{made['id']}", ada).status == 204
    assert hub.get(f"{SENT}/{made['id']}")[0] == 410
    assert hub.get(f"{SENT}/{send()['id']}")[0] == 200
    assert hub.get(f"{SENT}/{made['id']}")[0] == 404
    assert hub.post(f"{send.path}/sent", json=wish, token=ada)[0] == 409


def test_an_opening_is_told_by_people_and_not_by_robots(hub, send, ada):
    made = send()
    for address in (f"/sent/{made['id']}/", f"{SENT}/{made['id']}"):
        hub.request("GET", address)
    assert hub.get(f"{send.path}/sent/{made['id']}", token=ada)[1]["opened"] == 0
    for client in (CLIENT, CLIENT, OTHER):
        assert hub.post(f"{SENT}/{made['id']}/opened", json={"client": client})[0] == 204
    assert hub.get(f"{send.path}/sent/{made['id']}", token=ada)[1]["opened"] == 2
    rung = eventually(lambda: [one for one in hub.get("/api/v1/bells", token=ada)[1]["items"]
                               if "was opened" in one["content"]["title"]])
    assert len(rung) == 1


def test_a_mail_has_pictures_and_the_link_and_no_pin(make_hub, tmp_path):
    with Mailroom() as room:
        hub = hub_with_mail(make_hub, room.port)
        ada = hub.sign_in("owner", "Ada")
        assert hub.put("/api/v1/bells/mail", json={"address": "ada@example.org"}, token=ada)[0] == 200
        confirmation = room.wait(1)[0]
        room.mails.clear()
        for number in range(4):
            photo(tmp_path / f"Work/Coast/{number}.jpg", number)
        portfolio = add(hub.data, f"folder:{tmp_path / 'Work'}", "--for", "Ada")
        sync(hub.data, portfolio)
        path = f"{PORTFOLIOS}/{portfolio}"
        coast = hub.get(path, token=ada)[1]["galleries"][0]["id"]
        fields = {"title": "Coast & <sea>", "text": "Dear you,\nsee below", "galleries": [coast], "pin": "246813"}
        made = hub.post(f"{path}/sent", json=fields, token=ada)[1]
        to = {"to": ["client@example.org", "other@example.org"], "language": "de"}

        def ask():
            return hub._exchange("POST", f"{path}/sent/{made['id']}/mail", ada, to, {"Idempotency-Key": "a-1"})
        # A refusal in the middle: whoever has a mail does not get it again with the rest.
        room.refusal = {"other@example.org": "450 later"}
        status, refused = ask()
        assert status == 503 and len(room.mails) == 1, refused
        room.refusal = None
        room.busy = True
        with ThreadPoolExecutor() as pool:
            # A page that hears nothing for a while asks again, though the mail server is still at it.
            asked = [pool.submit(ask), pool.submit(ask)]
            eventually(lambda: room.waiting, what="a mail on its way")
            assert not wait(asked, timeout=0.5).done
            room.busy = False
            assert [one.result() for one in asked] == [(204, "")] * 2
        assert ask() == (204, "")
        mails = room.wait(2)
        assert [one["To"] for one in mails] == ["client@example.org", "other@example.org"]
        mail = mails[0]
        assert mail["Subject"] == "Coast & <sea> – Ada" and "246813" not in mail.as_string()
        assert mail["Reply-To"] is None, "the address has not been confirmed"
        assert mail.get_content_type() == "multipart/related"
        plain, html = (mail.get_body((kind,)).get_content() for kind in ("plain", "html"))
        assert made["link"] in plain and "see below" in plain and "/bells" not in plain
        assert made["link"] in html and "4 Bilder ansehen" in html and "Coast &amp; &lt;sea&gt;" in html
        shown = re.findall(r'src="cid:(\w+)"', html)
        inside = {part["Content-ID"].strip("<>"): part for part in mail.walk() if part["Content-ID"]}
        assert len(shown) == 3 and set(shown) == set(inside)
        assert all(part.get_content()[:2] == b"\xff\xd8" for part in inside.values())
        assert hub.post(f"{path}/sent/{made['id']}/mail", json={"to": ["nobody"]}, token=ada)[0] == 400
        assert len(room.mails) == 2
        assert hub.request("POST", link(confirmation, hub)).status == 200
        assert hub.post(f"{path}/sent/{made['id']}/mail", json={"to": ["client@example.org"]}, token=ada)[0] == 204
        assert room.wait(3)[2]["Reply-To"] == "ada@example.org"
        # Each address counts: nobody mails twenty strangers with each of twenty requests.
        many = {"to": [f"guest-{number}@example.org" for number in range(20)]}
        hub.post(f"{path}/sent/{made['id']}/mail", json=many, token=ada)
        status, refused = hub.post(f"{path}/sent/{made['id']}/mail", json=many, token=ada)
        assert status == 429 and "mails" in refused["error"], refused


def test_what_was_sent_is_changed_withdrawn_and_ends(hub, send, ada):
    made = send()
    path, own = f"{SENT}/{made['id']}", f"{send.path}/sent/{made['id']}"
    changed = {"title": "Three", "galleries": list(send.galleries.values()), "until": None, "shows": []}
    assert hub.patch(own, json=changed, token=ada)[0] == 200
    told = hub.get(path)[1]
    assert told["title"] == "Three" and [one["title"] for one in told["galleries"]] == ["Coast", "Fog"]
    assert "title" not in told["galleries"][0]["pictures"][0]
    file = told["galleries"][0]["pictures"][0]["sizes"]["320"]["url"]
    stranger = hub.sign_in("member", "Ben")
    assert hub.request("DELETE", own, stranger).status == 404
    assert hub.request("DELETE", own, ada).status == 204
    assert hub.get(path)[1]["code"] == 41086 and hub.request("GET", file).status == 410
    assert hub.post(f"{path}/marks", json={"client": CLIENT, "marks": []})[0] == 410
    assert hub.get(f"{send.path}/sent", token=ada)[1]["sent"][0]["state"] == "withdrawn"


@pytest.mark.file
def test_what_became_private_or_is_gone_leaves_each_link(hub, send, ada, tmp_path):
    made = send("Coast", "Fog")
    path = f"{SENT}/{made['id']}"
    one = hub.get(path)[1]["galleries"][1]["pictures"][0]
    hub.post(f"{path}/marks", json={"client": CLIENT, "marks": [mark("a", one["id"])]})
    with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=30) as database:
        database.execute("UPDATE portfolio_pictures SET page = 'https://source.example/' || address")
        database.execute("UPDATE portfolio_pictures SET is_private = 1 WHERE address = ?", (one["id"],))
    assert [gallery["title"] for gallery in hub.get(path)[1]["galleries"]] == ["Coast"]
    assert hub.request("GET", one["sizes"]["2048"]["url"]).status == 404
    fog = [send.galleries["Fog"]]
    refused = hub.post(f"{send.path}/sent", json={"title": "A", "galleries": fog}, token=ada)
    assert refused[0] == 400 and refused[1]["code"] == 40087
    allowed = hub.post(f"{send.path}/sent", json={"title": "A", "galleries": fog, "private": True}, token=ada)[1]
    shown, = hub.get(f"{SENT}/{allowed['id']}")[1]["galleries"][0]["pictures"]
    # Of a private picture it is not told where it came from, neither at the link nor in its file.
    assert shown["id"] == one["id"] and "page" not in shown
    file = hub.request("POST", f"{send.path}/sent/{allowed['id']}/file", ada, body=b"{}").body
    assert one["id"].encode() in file and b"source.example" not in file
    assert hub.get(path)[1]["galleries"][0]["pictures"][0]["page"].startswith("https://source.example/")
    file = hub.request("POST", f"{send.path}/sent/{made['id']}/file", ada, body=b"{}").body
    assert b"source.example" in file
    (tmp_path / "Work/Coast/Slack.jpg").unlink()
    sync(hub.data, send.path.rpartition("/")[2])
    assert [each["title"] for each in hub.get(path)[1]["galleries"][0]["pictures"]] == ["Low tide"]


def test_a_link_is_one_file_too_and_a_pin_is_not_enough_for_it(hub, send, ada):
    whole = hub.get(f"{send.path}/galleries/{send.galleries['Coast']}", token=ada)[1]["pictures"]
    made = send("Fog", pictures=[whole[1]["id"]], title="One / two", text="Dear you")
    assert made["count"] == 2 and made["file_bytes"]["1280"] < made["file_bytes"]["2048"]
    file = f"{send.path}/sent/{made['id']}/file"
    answer = hub.request("POST", file, ada, body=b"{}")
    assert answer.status == 200 and answer.headers["Content-Disposition"].startswith("attachment")
    text = answer.body.decode()
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>") and "Dear you" in text
    assert '"download":"2048"' in text
    assert abs(len(text) - made["file_bytes"]["2048"]) < 200_000, "the player, and what was foretold"
    ids = re.findall(r'id="file/(\w+)/2048"', text)
    assert set(ids) == {whole[1]["id"], *(one for one in made["pictures"])} and len(ids) == 2
    assert hub.request("PATCH", f"{send.path}/sent/{made['id']}", ada, body=b'{"download": "none"}').status == 200
    small = hub.request("POST", file, ada, body=b'{"size": 640}')
    assert b'"download":"none"' in small.body, "nothing is offered to be saved"
    assert small.status == 200 and len(small.body) < len(answer.body)

    assert hub.request("PATCH", f"{send.path}/sent/{made['id']}", ada, body=b'{"pin": "2468"}').status == 200
    refused = hub.request("POST", file, ada, body=b"{}")
    assert refused.status == 400 and b"nobody counts" in refused.body
    refused = hub.request("POST", file, ada, body=b'{"passphrase": "too short"}')
    assert refused.status == 400 and b"12 characters or more" in refused.body
    locked = hub.request("POST", file, ada, body=b'{"passphrase": "tide harbour lantern"}')
    assert locked.status == 200 and b"Dear you" not in locked.body and b'"iterations":600000' in locked.body
    assert hub.request("POST", file, body=b"{}").status == 401
    assert hub.request("POST", file, hub.sign_in("owner", "Ben"), body=b"{}").status == 404
    assert hub.request("DELETE", f"{send.path}/sent/{made['id']}", ada).status == 204
    assert hub.request("POST", file, ada, body=b"{}").status in (410, 429)


def test_wrong_words_are_refused_and_nothing_is_sent(hub, send, ada):
    for fields in ({"galleries": ["nothing"]}, {"galleries": []}, {"download": "all"}, {"pin": "123"}, {"until": 5},
                   {"shows": ["face"]}, {"title": "x" * 101}):
        body = {"title": "A", "galleries": [send.galleries["Coast"]]} | fields
        status, answer = hub.post(f"{send.path}/sent", json=body, token=ada)
        assert status == 400, answer
    assert hub.get(f"{send.path}/sent", token=ada)[1]["sent"] == []
