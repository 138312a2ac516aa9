"""Albums over real sockets: joining, roles, what is told live, and the queue of what is made of pictures."""

import contextlib
import io
import json
import re

import pytest
from PIL import Image

from hub import SESSION, eventually
from live import opened
from uploads import ALBUMS, Guest, join, make_album

MAKING_SECONDS = 60


def photo(number=0, width=800, height=600):
    """The bytes of a small JPEG; another number, another picture."""
    content = io.BytesIO()
    Image.new("RGB", (width, height), (number * 37 % 256, number * 91 % 256, 128)).save(content, "JPEG")
    return content.getvalue()


def status(guest, method, path, body=None, token=None):
    """The status of a request below the album's path, and its answer."""
    request = {"GET": guest.hub.get, "POST": guest.hub.post, "PATCH": guest.hub.patch, "PUT": guest.hub.put,
               "DELETE": guest.hub.delete}[method]
    more = {} if method in ("GET", "DELETE") or body is None else {"json": body}
    return request(f"{guest.path}{path}", token=guest.token if token is None else token, **more)


def sign(guest, socket, channel):
    return guest.hub.post(
        f"{guest.path}/realtime/auth", json={"socket_id": socket, "channel_name": channel}, token=guest.token)


@contextlib.contextmanager
def watching(guest):
    """A listener of the album's channel, as its page is one."""
    with opened(guest.hub) as listener:
        socket = listener.expect("pusher:connection_established")["socket_id"]
        channel = f"private-albums-{guest.path.rpartition('/')[2]}"
        code, answer = sign(guest, socket, channel)
        assert code == 200, answer
        listener.send("pusher:subscribe", {"channel": channel, "auth": answer["auth"]})
        assert listener.next()["event"] == "pusher_internal:subscription_succeeded"
        yield listener


def until(listener, event):
    """The data of the next message of this event; others before it are passed over."""
    while True:
        message = listener.next(MAKING_SECONDS)
        if message["event"] == event:
            return message["data"]


# Hosts

def test_the_command_prints_three_keys_for_programs_and_its_hosts_page_for_people(hub):
    made = hub.command("album", "create", "--name", "Party", "--open")
    album = json.loads(made.stdout)
    assert list(album) == ["id", "join_url", "host_token"]
    assert f"/album/host#id={album['id']}&token={album['host_token']}" in made.stderr
    other = hub.command("album", "host", album["id"])
    assert list(json.loads(other.stdout)) == ["id", "join_url", "host_token"] and "/album/host#id=" in other.stderr


def test_a_page_that_was_given_a_token_gets_the_cookie_that_joining_sets(hub, album, host, ada):
    path = f"{host.path}/me/cookie"
    answer = hub.request("POST", path, {"Authorization": f"Bearer {host.token}"})
    assert answer.status == 204
    said = answer.headers["Set-Cookie"]
    assert said.startswith(f"album={host.token}; ") and "HttpOnly" in said
    cookie = {"Cookie": said.partition(";")[0]}
    again = hub.request("GET", host.path, {"Authorization": f"Bearer {host.token}"})
    assert again.headers["Set-Cookie"] == said, "it lasts for 400 days from the last visit on"
    answer = hub.request("GET", host.path, cookie)
    assert answer.status == 200 and "Set-Cookie" not in answer.headers
    assert hub.request("POST", path, cookie).status == 401, "a cookie counts for GET alone"
    assert hub.request("POST", path).status == 401
    assert hub.request("POST", f"{ALBUMS}/{make_album(hub)['id']}/me/cookie", {
        "Authorization": f"Bearer {host.token}"}).status == 404


@pytest.mark.parametrize("how", ["as lost", "to be given away", "by itself"])
def test_a_members_device_that_is_signed_out_is_in_no_album_any_more(hub, album, ada, how):
    mine, lost = hub.sign_in("member", "Mo"), hub.sign_in("member", "Mo", device="lost")
    secret = {"secret": album["join_url"].partition("#")[2]}
    code, made = hub.post(ALBUMS, lost, {"name": "Mo's"})
    assert code == 201, made
    keys = {f"{ALBUMS}/{made['id']}": made["host_token"]}
    code, joined = hub.post(f"{ALBUMS}/join", lost, secret)
    assert code == 201, joined
    keys[ada.path] = joined["token"]
    kept = hub.post(f"{ALBUMS}/join", mine, secret)[1]["token"]

    def answers(path, token):
        return hub.get(path, token=token)[0], hub.get(path, {"Cookie": f"album={token}"})[0]

    assert [answers(*key) for key in keys.items()] == [(200, 200)] * 2
    if how == "by itself":
        assert hub.delete(SESSION, lost)[0] == 200
    else:
        device = next(one["id"] for one in hub.get("/api/v1/devices", mine)[1] if one["name"] == "lost")
        query = "?made=keep" if how == "to be given away" else ""
        assert hub.delete(f"/api/v1/devices/{device}{query}", mine)[0] == 204
    assert [answers(*key) for key in keys.items()] == [(401, 401)] * 2
    assert answers(ada.path, kept) == answers(ada.path, ada.token) == (200, 200)
    assert [hub.get(path, mine)[0] for path in keys] == [200, 200], "the member is still in, on other devices"


def test_in_the_demonstration_each_owner_is_a_host_of_its_album(demo_hub):
    owner, member = demo_hub.sign_in("owner", "Olga"), demo_hub.sign_in("member", "Mira")
    mine = demo_hub.get(ALBUMS, token=owner)[1]["albums"]
    # In winter the feast has another name.
    assert [(one["name"].startswith("Summer feast"), one["role"]) for one in mine] == [(True, "host")]
    assert demo_hub.get(ALBUMS, token=member)[1]["albums"] == []


# Joining


def test_a_family_album_waits_for_a_yes(hub):
    album = make_album(hub, "Family", "--family")
    host, ada = Guest(hub, album, album["host_token"]), Guest(hub, album, join(hub, album, "Ada"))
    assert status(ada, "GET", "/pictures")[0] == 403
    assert status(ada, "GET", "")[1]["me"]["state"] == "asked"
    people = {one["name"]: one for one in status(host, "GET", "/people")[1]["people"]}
    assert status(host, "PATCH", f"/people/{people['Ada']['id']}", {"state": "in"})[0] == 200
    assert status(ada, "GET", "/pictures")[0] == 200


def test_hosts_are_not_asked_any_more_once_nobody_waits(hub):
    mira = hub.sign_in("member", "Mira")
    status_code, album = hub.post(ALBUMS, mira, {"name": "Family"})
    assert status_code == 201, album

    def asked():
        return [(one["content"]["title"], one["over"]) for one in hub.get("/api/v1/bells", mira)[1]["items"]]

    host, *guests = (Guest(hub, album, token) for token in (
        album["host_token"], join(hub, album, "Ada"), join(hub, album, "Ben")))
    eventually(lambda: asked() == [("Ada wants to join “Family”", None)], 10, what="she is asked")
    people = {one["name"]: one["id"] for one in status(host, "GET", "/people")[1]["people"]}
    assert status(host, "PATCH", f"/people/{people['Ada']}", {"state": "in"})[0] == 200
    assert status(guests[1], "DELETE", "/me")[0] == 204
    eventually(lambda: asked() == [("Ada wants to join “Family”", "taken_back")], 10, what="it is taken back")


def test_the_command_makes_lists_and_deletes(make_hub):
    hub = make_hub()
    assert hub.command("album", "list").stdout == "There is no album yet.\n"
    album = make_album(hub, "Wedding")
    assert re.fullmatch(rf"{re.escape(hub.url)}/album#[A-Za-z0-9_-]{{32}}", album["join_url"])
    listed, = json.loads(hub.command("album", "list", "--json").stdout)
    assert listed["id"] == album["id"] and listed["join_url"] == album["join_url"] and listed["state"] == "open"
    guest = Guest(hub, album, join(hub, album))
    assert hub.command("album", "delete", album["id"]).returncode == 0
    eventually(lambda: status(guest, "GET", "")[0] in (401, 404), what="the album is gone")
    assert hub.command("album", "delete", album["id"]).returncode != 0


def test_ids_and_secrets_count_nothing(hub):
    made = [make_album(hub, f"Album {number}") for number in range(3)]
    for key in ("id", "host_token", "join_url"):
        assert len({one[key] for one in made}) == 3
    for one in made:
        assert re.fullmatch(r"[A-Za-z0-9]{16}", one["id"])
        # 128 bits and more.
        assert len(one["host_token"]) >= len("album_") + 22 and len(one["join_url"].partition("#")[2]) >= 22


MATRIX = [
    # method, path, body: for a stranger, a guest, a host, a guest of another album
    ("GET", "", None, 401, 200, 200, 404),
    ("PATCH", "", {"name": "New"}, 401, 403, 200, 404),
    ("GET", "/pictures", None, 401, 200, 200, 404),
    ("GET", "/pictures?state=waiting", None, 401, 403, 200, 404),
    ("GET", "/pictures?state=hidden", None, 401, 403, 200, 404),
    ("GET", "/people", None, 401, 403, 200, 404),
    ("GET", "/storage", None, 401, 403, 200, 404),
    ("POST", "/known", {"sha256": []}, 401, 200, 200, 404),
    ("GET", "/pictures/{picture}", None, 401, 200, 200, 404),
    ("PATCH", "/pictures/{picture}", {"state": "shown"}, 401, 403, 200, 404),
    ("PUT", "/pictures/{picture}/heart", {}, 401, 200, 200, 404),
    ("GET", "/pictures/{picture}/original", None, 401, 403, None, 404),
    ("DELETE", "/pictures/{picture}", None, 401, 403, 204, 404),
    ("POST", "/pictures/{picture}/restore", {}, 401, 404, 200, 404),
    ("PATCH", "/me", {"name": "Other"}, 401, 200, 200, 404),
    ("DELETE", "", None, 401, 403, 204, 404),
]


def test_who_may_do_which(hub, album, host, ada, ben):
    """In the order of the matrix: the host's turn comes last, since it changes things."""
    picture = ada.send(photo())
    outsider = join(hub, make_album(hub, "Other"))
    for method, path, body, *codes in MATRIX:
        path = path.format(picture=picture)
        tokens = ["", ben.token, host.token, outsider]
        for place in (0, 1, 3, 2):
            if codes[place] is None:
                continue
            code = raw(hub, method, f"{ALBUMS}/{album['id']}{path}", tokens[place], body)
            assert code == codes[place], (method, path, place, code)


def raw(hub, method, path, token, body):
    """The status of a request."""
    fields = ({"Authorization": f"Bearer {token}"} if token else {}) | {"Content-Type": "application/json"}
    return hub.request(method, path, fields, json.dumps(body).encode() if body is not None else None).status


def test_the_cookie_counts_for_reading_alone(hub, album):
    answer = hub.request("POST", f"{ALBUMS}/join", {"Content-Type": "application/json"},
                         b'{"secret": "%s"}' % album["join_url"].partition("#")[2].encode())
    cookie = answer.headers["Set-Cookie"]
    assert answer.status == 201 and f"Path={ALBUMS}/{album['id']};" in cookie
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    fields = {"Cookie": cookie.partition(";")[0], "Content-Type": "application/json"}
    path = f"{ALBUMS}/{album['id']}"
    assert hub.request("GET", f"{path}/pictures", fields).status == 200
    assert hub.request("PATCH", f"{path}/me", fields, b'{"name": "Eve"}').status == 401


def test_a_browser_that_has_only_the_cookie_left_gets_the_guests_token_again(hub, album, host, ada, ben):
    path = f"{ada.path}/me/token"

    def told(token, of=path):
        answer = hub.request("GET", of, {"Cookie": f"album={token}"} if token else {})
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.json if answer.status == 200 else answer.status

    of_album = {"id": album["id"], "name": hub.get(ada.path, token=ada.token)[1]["name"]}
    assert told(ada.token) == {"token": ada.token, "album": of_album, "state": "in", "role": "guest"}
    assert told(None) == told("album_unknown") == 204
    assert told(ada.token, f"{ALBUMS}/{make_album(hub)['id']}/me/token") == 204, "of this album alone"
    assert hub.request("GET", path, {"Authorization": f"Bearer {ada.token}"}).status == 204
    site = {"Cookie": f"album={ada.token}", "Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    answer = hub.request("GET", path, site)
    assert not [name for name in answer.headers if name.lower().startswith("access-control-")], "no page reads it"
    member = hub.sign_in("member", "Mo")
    joined = hub.post(f"{ALBUMS}/join", member, {"secret": album["join_url"].partition("#")[2]})[1]["token"]
    assert hub.get(path, {"Cookie": f"album={joined}"})[0] == 204, "a member has a session"
    assert hub.delete(f"{ben.path}/me", ben.token)[0] == 204
    assert told(ben.token) == 204, "whoever has left does not come back so"
    assert hub.patch(host.path, host.token, {"closed": True})[0] == 200
    assert told(ada.token)["token"] == ada.token, "nobody joins any more; whoever is in is"


@pytest.mark.parametrize(("method", "path", "body"), [
    ("POST", "/join", {}), ("POST", "/join", {"secret": 7}), ("POST", "/join", {"secret": "x", "colour": "red"}),
    ("PATCH", "/{id}", {"mode": "secret"}), ("PATCH", "/{id}", {"closes_at": "yesterday"}),
    ("PATCH", "/{id}", {"closes_at": "2001-01-01T00:00:00Z"}), ("PATCH", "/{id}", {"passphrase": ""}),
    ("PATCH", "/{id}", {"name": None}), ("PATCH", "/{id}/me", {"name": "a\u202eb"}), ("PATCH", "/{id}/me", {}),
    ("POST", "/{id}/known", {"sha256": ["x" * 64]}), ("POST", "/{id}/known", {"sha256": ["00" * 32] * 501}),
])
def test_wrong_input_is_refused_with_its_field(hub, album, method, path, body):
    send = hub.post if method == "POST" else hub.patch
    code, answer = send(f"{ALBUMS}{path.format(id=album['id'])}", json=body, token=album["host_token"])
    assert (code, answer["code"]) == (400, 40003), answer
    assert answer["help"]


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "after=1", "by=../x", "state=gone", "mine=perhaps"])
def test_a_wrong_question_is_refused(host, query):
    code, answer = status(host, "GET", f"/pictures?{query}")
    assert (code, answer["code"]) == (400, 40004), answer


# Live


def test_a_guest_sees_what_others_send_at_once(ada, ben):
    with watching(ben) as listener:
        picture = ada.send(photo())
        told = until(listener, "picture")
        assert told["id"] == picture and told["by"]["name"] == "Ada" and listener.commit > 0
        assert not {"mine", "hearted", "original", "name", "bytes"} & told.keys()
        status(ada, "PUT", f"/pictures/{picture}/heart", {})
        assert until(listener, "hearts") == {"id": picture, "hearts": 1}
        status(ada, "DELETE", f"/pictures/{picture}")
        assert until(listener, "gone") == {"id": picture}
        status(ada, "PATCH", "/me", {"name": "Ada L."})
        assert until(listener, "named") == {"id": told["by"]["id"], "name": "Ada L."}


def test_of_a_picture_that_waits_nothing_is_told(host, ada, ben):
    assert status(host, "PATCH", "", {"review": True})[0] == 200
    with watching(ben) as listener:
        picture = ada.send(photo())
        assert until(listener, "waiting") == {"id": picture}
        status(ada, "DELETE", f"/pictures/{picture}")
        message = listener.next(MAKING_SECONDS)
        assert message["event"] == "waiting" and message["data"] == {"id": picture}


def test_of_a_hidden_picture_pages_are_told_that_something_has_changed(host, ada, ben):
    picture = ada.send(photo())
    status(host, "PATCH", f"/pictures/{picture}", {"state": "hidden"})
    with watching(ben) as listener:
        for method, path in (("DELETE", ""), ("POST", "/restore")):
            assert status(host, method, f"/pictures/{picture}{path}", {})[0] in (200, 204)
            message = listener.next(MAKING_SECONDS)
            assert message["event"] == "waiting" and message["data"] == {"id": picture}


def test_who_is_removed_hears_nothing_more(host, ada, ben):
    with watching(ben) as listener:
        people = {one["name"]: one["id"] for one in status(host, "GET", "/people")[1]["people"]}
        status(host, "PATCH", f"/people/{people['Ben']}", {"state": "removed"})
        ada.send(photo())
        with pytest.raises((TimeoutError, AssertionError)):
            while True:
                message = listener.next(2)
                assert message["event"] != "picture", "told to somebody who was removed"
                if message["event"] != "people":
                    break
            raise TimeoutError
    code, _ = sign(ben, "1.2", f"private-albums-{ben.path.rpartition('/')[2]}")
    assert code == 410


def test_nobody_listens_to_another_album_or_to_an_upload_only_one(hub, ada):
    other = make_album(hub, "Other")
    assert sign(ada, "1.2", f"private-albums-{other['id']}")[0] == 403
    assert sign(ada, "1.2", "private-members")[0] == 403
    box = make_album(hub, "Box")
    hub.patch(f"{ALBUMS}/{box['id']}", json={"upload_only": True}, token=box["host_token"])
    guest = Guest(hub, box, join(hub, box))
    assert sign(guest, "1.2", f"private-albums-{box['id']}")[0] == 403
    with watching(Guest(hub, box, box["host_token"])) as listener:
        picture = guest.send(photo())
        assert until(listener, "picture")["id"] == picture


# Sizes of pictures


def is_made(guest, picture):
    code, told = status(guest, "GET", f"/pictures/{picture}")
    return code == 200 and {"320", "1600"} <= told["sizes"].keys() and told


def test_a_picture_gets_its_sizes_and_the_pages_are_told(ada, ben):
    with watching(ben) as listener:
        picture = ada.send(photo(width=1800, height=1200))
        told = until(listener, "changed")
        assert told["id"] == picture and told["state"] == "shown" and "320" in told["sizes"]
        assert (told["width"], told["height"]) == (1800, 1200) and told["placeholder"]
    made = eventually(lambda: is_made(ben, picture), MAKING_SECONDS)
    for name, edge in (("320", 320), ("1600", 1600)):
        answer = ben.ask("GET", made["sizes"][name])
        assert answer.status == 200 and max(Image.open(io.BytesIO(answer.body)).size) == edge


def test_a_file_that_is_no_picture_is_told_to_its_guest_and_the_hosts_alone(ada, ben, host):
    ada.send(photo())
    picture = ada.send(b"\xff\xd8\xff\xe0 this is no picture" * 40)
    told = eventually(
        lambda: (one := status(ada, "GET", f"/pictures/{picture}")[1])["state"] == "failed" and one, MAKING_SECONDS)
    assert told["reason"] == "not-a-picture"
    assert [one["id"] for one in host.pictures()][1:] == [picture] and len(ben.pictures()) == 1
    assert [status(one, "GET", "")[1]["counts"]["pictures"] for one in (host, ben)] == [2, 1], "as their lists"
    assert status(ben, "GET", f"/pictures/{picture}")[0] == 404


def test_a_live_photo_counts_as_one_picture(hub, ada, host):
    ada.send(photo(), pair="one")
    ada.send(b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", pair="one")
    assert len(host.pictures()) == 2 and status(host, "GET", "")[1]["counts"]["pictures"] == 1
    people = {one["name"]: one["pictures"] for one in status(host, "GET", "/people")[1]["people"]}
    stored, = status(host, "GET", "/storage")[1]["by"]
    assert (people["Ada"], stored["pictures"], stored["videos"]) == (1, 1, 0)
    listed = {one["id"]: one["pictures"] for one in json.loads(hub.command("album", "list", "--json").stdout)}
    assert listed[ada.path.rpartition("/")[2]] == 1


def test_a_preview_that_was_told_of_is_there_when_our_own_size_has_taken_its_place(ada, ben):
    picture = ada.send(photo())
    made = eventually(lambda: is_made(ben, picture), MAKING_SECONDS)
    assert "preview" not in made["sizes"]
    answer = ben.ask("GET", made["sizes"]["320"].replace("/320", "/preview"))
    assert answer.status == 200 and max(Image.open(io.BytesIO(answer.body)).size) == 320


def test_the_link_of_a_box_tells_before_joining_that_guests_see_their_own_alone(hub, album, host):
    secret = {"secret": album["join_url"].partition("#")[2]}
    assert hub.post(f"{ALBUMS}/look", json=secret)[1]["upload_only"] is False
    assert status(host, "PATCH", "", {"upload_only": True})[0] == 200
    assert hub.post(f"{ALBUMS}/look", json=secret)[1]["upload_only"] is True


def test_the_list_of_albums_tells_no_more_than_their_pages(hub, album, host):
    mira = hub.sign_in("member", "Mira")

    def row():
        return next(one for one in hub.get(ALBUMS, token=mira)[1]["albums"] if one["id"] == album["id"])

    host.send(photo())
    eventually(lambda: "320" in host.pictures()[0]["sizes"], MAKING_SECONDS)
    assert status(host, "PATCH", "", {"mode": "family"})[0] == 200
    assert hub.post(f"{ALBUMS}/join", mira, {"secret": album["join_url"].partition("#")[2]})[0] == 201
    own = {"pictures": 0, "waiting": 0, "asked": 0, "bytes": 0, "cover": None}
    assert row() | own == row(), "who waits for a yes"
    people = {one["name"]: one["id"] for one in status(host, "GET", "/people")[1]["people"]}
    assert status(host, "PATCH", f"/people/{people['Mira']}", {"state": "in"})[0] == 200
    assert row()["pictures"] == 1 and row()["bytes"] > 0 and row()["cover"].endswith("/320")
    assert status(host, "PATCH", "", {"upload_only": True})[0] == 200
    assert row() | own == row(), "whose own pictures are none"
    join(hub, album, "Sam")
    assert row()["asked"] == 0
    assert status(host, "PATCH", f"/people/{people['Mira']}", {"role": "host"})[0] == 200
    assert row()["asked"] == 1


def test_a_member_whom_a_host_has_removed_is_told_so_and_not_that_there_is_no_album(hub, album, host):
    mira, sam = hub.sign_in("member", "Mira"), hub.sign_in("member", "Sam")
    assert hub.post(f"{ALBUMS}/join", mira, {"secret": album["join_url"].partition("#")[2]})[0] == 201
    people = {one["name"]: one["id"] for one in status(host, "GET", "/people")[1]["people"]}
    assert status(host, "PATCH", f"/people/{people['Mira']}", {"state": "removed"})[0] == 200
    codes = [status(host, "GET", "", token=token)[1]["code"] for token in (mira, sam)]
    assert codes == [41066, 40465]


def test_a_hub_that_is_killed_goes_on_with_what_is_to_be_made(hub, ada, ben):
    sent = [ada.send(photo(number, 1200, 900)) for number in range(12)]
    hub.kill()
    hub.start()
    for picture in sent:
        eventually(lambda picture=picture: is_made(ben, picture), MAKING_SECONDS, what=picture)
    assert [one["id"] for one in ben.pictures()] == sent


def test_the_doctor_tries_the_program_that_decodes(hub):
    told = hub.command("doctor", "--listen", f"127.0.0.1:{hub.port}").stdout
    assert "eightbells-pictures runs, locked in by libvips" in told, told


@pytest.mark.parametrize("who, body",
                         [(None, b"x" * 300_000), (None, iter([b"x" * 300_000])), ("member", b"x" * 30_000_000)],
                         ids=["a length", "in chunks", "more than is taken of strangers"])
def test_pictures_that_are_shared_to_the_hub_are_not_kept_and_asked_for_once_more(hub, who, body):
    fields = {"Content-Type": "multipart/form-data; boundary=x"} | (hub.sign_in(who) if who else {})
    answer = hub.request("POST", "/albums/share", fields, body)
    assert (answer.status, answer.headers["Location"]) == (303, "/albums/share#again")
