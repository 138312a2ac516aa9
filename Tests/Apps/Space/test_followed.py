"""Following other spaces: their signs beside one's own, with age and problems."""

import concurrent.futures
import json
import os
import pathlib
import socket
import threading
import time

import pytest

from hub import eventually
from live import listening

FOLLOWED = "/api/v1/space/followed"
OTHER = {"api_compatibility": ["14", "15"], "space": "Other space", "logo": "https://other.example/logo.svg",
         "url": "https://other.example", "location": {"lat": 1, "lon": 2}, "contact": {},
         "state": {"open": True, "lastchange": 1795196400, "message": "Come in"}}


def follow(hub, *urls):
    status, answer = hub.put(FOLLOWED, hub.owner_token, {"urls": list(urls)})
    assert status == 200, answer
    return answer["followed"]


def followed(hub, **who):
    return hub.get(FOLLOWED, **who)[1]["followed"]


def settled(hub, count=1):
    """The followed spaces once all of them were read."""
    return eventually(lambda: (all_ := followed(hub)) and len(all_) == count and all(
        one["as_of"] or one["problem"] for one in all_) and all_)


@pytest.fixture
def other(calendar_server):
    """Serves a document at a path of its own; returns its address."""
    def serve(document=OTHER, path="/spaceapi.json", **page):
        body = document if isinstance(document, (str, bytes)) else json.dumps(document)
        return calendar_server.serve(path, body, content_type="application/json", **page)
    return serve


DIRECTORY = "/api/v1/space/directory"


# Each hub asks for itself.
@pytest.mark.one_hub
def test_spaces_are_named_by_the_directory_which_is_asked_once_a_day(make_hub, other, calendar_server):
    url = calendar_server.serve("/names", json.dumps({
        "Zeta": "https://z.example/spaceapi.json", "alpha": "http://a.example/s", "Script": "javascript:alert(1)",
        "Number": 7, "User": "https://me@a.example/", "Two\nlines": "https://b.example/"}))
    hub = make_hub(env={"EIGHTBELLS_SPACE_DIRECTORY": url})
    hub.configure()
    member = hub.token("member")
    for _ in range(3):
        assert hub.get(DIRECTORY, token=member) == (200, {"spaces": [
            {"name": "alpha", "url": "http://a.example/s"},
            {"name": "Zeta", "url": "https://z.example/spaceapi.json"}]})
    assert len(calendar_server.asked("/names")) == 1
    assert hub.get(DIRECTORY)[0] == 401 and hub.get(DIRECTORY, token=hub.token("reader"))[0] == 403


@pytest.mark.parametrize("answer", ["none", "gone", "a list", "no JSON"])
def test_without_the_directory_there_are_no_names_and_an_address_is_followed(make_hub, other, calendar_server, answer):
    url = {"none": "none", "gone": "http://127.0.0.1:1/"}.get(answer) or calendar_server.serve(
        "/names", "[]" if answer == "a list" else "<html>")
    hub = make_hub(env={"EIGHTBELLS_SPACE_DIRECTORY": url})
    hub.configure()
    assert hub.get(DIRECTORY, token=hub.owner_token) == (200, {"spaces": []})
    follow(hub, other())
    assert settled(hub)[0]["name"] == "Other space"


def test_another_spaces_sign_is_told_with_its_age(hub_with_space, other):
    url = other()
    with listening(hub_with_space) as listener:
        assert [one["url"] for one in follow(hub_with_space, url)] == [url]
        listener.expect("followed")
        listener.expect("followed")
    one, = settled(hub_with_space)
    assert (one["name"], one["state"], one["open"], one["message"]) == ("Other space", "open", True, "Come in")
    assert (one["lastchange"], one["since"]) == (1795196400, "2026-11-20T18:40:00+01:00")
    assert (one["website"], one["version"], one["mine"], one["notes"]) == ("https://other.example", "15", False, [])
    assert one["problem"] is None and not one["old"]
    assert hub_with_space.get("/spaceapi.json")[1]["linked_spaces"] == [
        {"endpoint": url, "website": "https://other.example"}]


VERSIONS = [
    ({"api": "0.13", "space": "a", "logo": "x", "url": "x", "state": {"open": False}}, False, "0.13", None),
    ({"api_compatibility": ["14"], "space": "a", "state": {"open": True}}, True, "14", None),
    ({"api_compatibility": ["15"], "space": "a", "state": {}}, None, "15", None),
    ({"api_compatibility": ["15"], "space": "a"}, None, "15", "does not say"),
    ({"api": "0.13", "space": "a", "state": {"open": None}}, None, "0.13", None),
    ({"api": "0.13", "space": "a", "state": {"open": "true"}}, True, "0.13", "a string, not true or false"),
    ({"api": "0.13", "space": "a", "state": {"open": "closed"}}, False, "0.13", "a string"),
    ({"api": "0.13", "space": "a", "state": {"open": 0}}, False, "0.13", "a number"),
    ({"api": "0.13", "space": "a", "state": {"open": "maybe"}}, None, "0.13", "says nothing"),
    ({"api": "0.12", "space": "a", "open": True, "status": "x"}, True, "0.12", "before version 0.13"),
    ({"space": "a", "state": "open"}, None, None, "a string"),
]


@pytest.mark.parametrize("document, open, version, note", VERSIONS)
def test_documents_of_all_versions_are_read_and_their_mistakes_said(shared_hub, other, document, open, version, note):
    follow(shared_hub, other(document))
    one, = settled(shared_hub)
    assert one["problem"] is None and (one["open"], one["version"]) == (open, version)
    assert one["state"] == {True: "open", False: "closed", None: "unknown"}[open]
    assert any(note in said for said in one["notes"]) if note else one["notes"] == []


BROKEN = [
    ({"body": b"<html>"}, "no JSON"), ({"body": b"[]"}, "no JSON"), ({"body": b'{"name": "x"}'}, "SpaceAPI"),
    ({"body": b"{}", "status": 500}, "500"), ({"body": b"{}", "status": 404}, "404"),
    ({"body": b" " * (2 << 20)}, "larger"), ({"body": b'{"space": ""}'}, "SpaceAPI"),
]


@pytest.mark.parametrize("page, said", BROKEN)
def test_what_is_broken_is_told_with_its_reason(shared_hub, calendar_server, page, said):
    follow(shared_hub, calendar_server.serve("/x.json", **page))
    one, = settled(shared_hub)
    assert said in one["problem"] and one["problem_since"] and one["old"] and one["state"] == "unknown"


def test_a_broken_source_keeps_its_last_known_state_across_a_restart(hub_with_space, other):
    hub = hub_with_space
    url = other()
    follow(hub, url)
    known, = settled(hub)
    other("gone", status=503)
    hub.kill()
    hub.start()
    one = eventually(lambda: (one := followed(hub)[0])["problem"] and one)
    assert (one["state"], one["name"], one["as_of"]) == ("open", "Other space", known["as_of"])
    assert "503" in one["problem"]
    other({**OTHER, "state": {"open": False}})
    hub.stop()
    hub.start()
    eventually(lambda: followed(hub)[0]["state"] == "closed" and followed(hub)[0]["problem"] is None)


def test_what_did_not_change_is_not_sent_again(hub_with_space, other, calendar_server):
    follow(hub_with_space, other(etag='"1"'))
    settled(hub_with_space)
    hub_with_space.stop()
    hub_with_space.start()
    asked = calendar_server.wait_for("/spaceapi.json", 2)
    assert asked[1].headers["if-none-match"] == '"1"'
    assert settled(hub_with_space)[0]["open"] is True


def test_an_address_on_the_inside_is_not_asked(make_hub, other, calendar_server):
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": ""})
    hub.configure()
    follow(hub, other())
    one, = settled(hub)
    assert "public Internet" in one["problem"] and calendar_server.asked("/spaceapi.json") == []


HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'


def test_others_words_are_cut_and_their_addresses_checked(hub_with_space, other):
    follow(hub_with_space, other({"space": HOSTILE + "x" * 500 + "\u0007", "url": "javascript:alert(1)",
                                  "logo": "data:text/html,x",
                                  "state": {"open": True, "message": "a\u0001b\n" + "y" * 900, "lastchange": -5}}))
    one, = settled(hub_with_space)
    assert one["name"].startswith(HOSTILE) and len(one["name"]) == 100
    assert len(one["message"]) <= 500 and one["message"].startswith("a b y")
    assert (one["website"], one["logo"], one["lastchange"]) == (None, None, None)


def test_a_change_in_the_future_is_none_that_is_told(hub_with_space, other):
    follow(hub_with_space, other(OTHER | {"state": {"open": False, "lastchange": int(time.time()) + 86_400}}))
    one, = settled(hub_with_space)
    assert (one["open"], one["lastchange"], one["since"]) == (False, None, None)
    assert one["notes"] == ['"lastchange" is in the future']


# Lists of the owner and of members

def test_the_owner_chooses_for_everybody(hub_with_space, other):
    hub = hub_with_space
    one, two = other(path="/1.json"), other(path="/2.json")
    for role, status in (("keykeeper", 403), ("member", 403), ("sensor", 403), (None, 401)):
        token = hub.token(role) if role else None
        assert hub.put(FOLLOWED, token, {"urls": []})[0] == status
        assert hub.post(FOLLOWED, token, {"url": one})[0] == status
    follow(hub, one)
    status, answer = hub.post(FOLLOWED, hub.owner_token, {"url": two})
    assert status == 200 and [entry["url"] for entry in answer["followed"]] == [one, two]
    first, second = settled(hub, 2)
    headers = {"Authorization": f"Bearer {hub.owner_token}"}
    assert hub.request("DELETE", f"{FOLLOWED}/{first['id']}", headers).status == 200
    assert [entry["id"] for entry in followed(hub)] == [second["id"]]
    assert hub.request("DELETE", f"{FOLLOWED}/{first['id']}", headers).status == 404
    assert hub.request("DELETE", f"{FOLLOWED}/x", headers).json["code"] == 40448
    assert follow(hub) == []


@pytest.mark.parametrize("sent", [
    {"url": "ftp://x.example/"}, {"url": "file:///etc/passwd"}, {"url": 1}, {}, {"url": "https://a@x.example/"},
    {"url": "https://x.example/", "why": 1}, {"url": "https://x.example/" + "a" * 2000}, [],
    {"url": "https://x.example/", "for": "all"}, {"url": "https://x.example/", "for": "me"},
])
def test_an_address_that_cannot_be_followed_is_refused(shared_hub, sent):
    assert shared_hub.post(FOLLOWED, shared_hub.owner_token, sent)[1]["code"] == 40003


def test_people_follow_their_own(hub_with_space, other):
    hub = hub_with_space
    ada, bob = hub.sign_in("member", "Ada"), hub.sign_in("keykeeper", "Bob")
    everybodys, adas = other(path="/1.json"), other(path="/2.json")
    follow(hub, everybodys)
    content = json.dumps({"url": adas, "for": "me"})
    answer = hub.request("POST", FOLLOWED, ada | {"Content-Type": "application/json"}, content)
    assert answer.status == 200
    assert [(one["url"], one["mine"]) for one in answer.json["followed"]] == [(everybodys, False), (adas, True)]
    assert [one["url"] for one in followed(hub)] == [everybodys]
    assert [one["url"] for one in followed(hub, headers=bob)] == [everybodys]
    mine = followed(hub, headers=ada)[1]["id"]
    assert hub.request("DELETE", f"{FOLLOWED}/{mine}", bob).status == 404
    assert hub.request("DELETE", f"{FOLLOWED}/{followed(hub)[0]['id']}", ada).status == 403
    assert hub.request("DELETE", f"{FOLLOWED}/{mine}", ada).status == 200
    assert len(followed(hub, headers=ada)) == 1
    for number in range(10):
        content = json.dumps({"url": f"http://127.0.0.1:9/{number}", "for": "me"})
        assert hub.request("POST", FOLLOWED, ada, content).status == 200
    content = json.dumps({"url": "http://127.0.0.1:9/more", "for": "me"})
    assert hub.request("POST", FOLLOWED, ada, content).json["code"] == 40948
    content = json.dumps({"url": "http://127.0.0.1:9/7", "for": "me"})
    assert hub.request("POST", FOLLOWED, ada, content).status == 200, "that one is among the ten"
    assert len(followed(hub, headers=ada)) == 11


def test_what_an_owner_follows_for_themselves_and_for_everybody_goes_at_once(hub_with_space, other):
    hub = hub_with_space
    olga = hub.sign_in("owner", "Olga")
    url = other()
    one = follow_for_oneself(hub, olga, url)
    follow(hub, url)
    unfollow(hub, olga, one["id"])
    assert followed(hub, headers=olga) == []


def test_a_slow_space_holds_up_nobody(hub_with_space, calendar_server):
    began = time.monotonic()
    follow(hub_with_space, "http://127.0.0.1:9/spaceapi.json", calendar_server.serve("/slow.json", how="never"))
    # A read is given up after 20 s.
    assert followed(hub_with_space)[1]["state"] == "unknown" and time.monotonic() - began < 15


def test_whoever_follows_at_the_same_time_loses_none(hub_with_space, calendar_server):
    """The answer to one write may be overtaken by a later write."""
    base = f"{calendar_server.url}/none"
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for turn in range(40):
            follow(hub_with_space)
            begin = threading.Barrier(8)

            def add(url):
                begin.wait()
                return hub_with_space.post(FOLLOWED, hub_with_space.owner_token, {"url": url})[0]

            urls = {f"{base}/{turn}/{number}" for number in range(8)}
            assert set(pool.map(add, urls)) == {200}
            assert {one["url"] for one in followed(hub_with_space)} == urls


# Limits of what a member can make the hub do


def follow_for_oneself(hub, who, url):
    answer = hub.request("POST", FOLLOWED, who | {"Content-Type": "application/json"},
                         json.dumps({"url": url, "for": "me"}))
    assert answer.status == 200, answer.body
    return next(one for one in answer.json["followed"] if one["url"] == url)


def unfollow(hub, who, id):
    assert hub.request("DELETE", f"{FOLLOWED}/{id}", who).status == 200


def test_what_a_member_follows_reaches_no_network_of_the_owners(hub_with_space, other, calendar_server):
    """In all tests, reachable_networks allows this machine: for the owner's addresses only."""
    hub = hub_with_space
    mira, olga = hub.sign_in("member", "Mira"), hub.sign_in("owner", "Olga")
    urls = [other(path="/inside.json"), other("", path="/moved.json", status=302, location="/inside.json")]
    for who in (mira, olga):
        for url in urls:
            follow_for_oneself(hub, who, url)
    for one in eventually(lambda: (all_ := followed(hub, headers=mira)) and all(
            one["problem"] for one in all_) and all_):
        assert "public Internet" in one["problem"] and one["reason"]["code"] == "not-public", one
    assert calendar_server.asked("/inside.json") == calendar_server.asked("/moved.json") == []
    # The owner chooses one of them for everybody: it is read at once, and the member sees it too.
    follow(hub, urls[0])
    assert eventually(lambda: followed(hub)[0]["state"] == "open")
    # No connection opened for the owner is used for a member, and an address no longer chosen cannot be reached.
    asked = len(calendar_server.asked("/inside.json"))
    follow(hub)
    assert eventually(lambda: [one["problem"] for one in followed(hub, headers=mira) if one["url"] == urls[0]][0])
    follow_for_oneself(hub, mira, other(path="/more.json"))
    eventually(lambda: all(one["problem"] for one in followed(hub, headers=mira)))
    assert len(calendar_server.asked("/inside.json")) == asked and calendar_server.asked("/more.json") == []


class Silent:
    """Accepts every connection, and sends nothing."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.taken = 0
        self.connections = []
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self):
        try:
            while True:
                self.connections.append(self.socket.accept()[0])
                self.taken += 1
        except OSError:
            pass

    def close(self):
        for one in [self.socket, *self.connections]:
            one.close()


@pytest.fixture
def silent():
    server = Silent()
    yield server
    server.close()


def sockets(hub):
    """The number of the hub's connections; not those to the program for pictures, which it starts after ten seconds."""
    process, count = pathlib.Path("/proc", str(hub.process.pid)), 0
    rows = [line.split() for name in ("tcp", "tcp6") for line in (process / "net" / name).read_text().splitlines()[1:]]
    inodes = {row[9] for row in rows}
    for name in os.listdir(process / "fd"):
        try:
            count += os.readlink(process / "fd" / name).removeprefix("socket:[").removesuffix("]") in inodes
        except FileNotFoundError:
            pass
    return count


def test_following_and_unfollowing_in_a_loop_leaves_no_sockets_behind(hub_with_space, silent):
    hub = hub_with_space
    assert hub.owner_token
    before, most = sockets(hub), 0
    for turn in range(50):
        follow(hub, *(f"{silent.url}/{turn}/{number}" for number in range(10)))
        most = max(most, sockets(hub) - before)
        if turn % 2:
            follow(hub)
    print(f"500 follows: at most {most} sockets at once, {silent.taken} connections in all")
    assert most <= 8 + 4, "eight at once, and the connections of the last requests until the hub has seen them close"
    follow(hub)
    eventually(lambda: sockets(hub) <= before + 1, 5, "what nobody follows is not waited for")


def test_one_address_is_asked_once_however_often_it_is_followed(hub_with_space, silent):
    hub = hub_with_space
    url = f"{silent.url}/space.json"
    follow(hub, url)
    eventually(lambda: silent.taken == 1)
    for name in ("Ada", "Bob", "Cleo"):
        follow_for_oneself(hub, hub.sign_in("member", name), url)
    follow(hub, url, f"{silent.url}/other.json")
    eventually(lambda: silent.taken == 2)
    assert sockets(hub) and silent.taken == 2


def test_silent_spaces_do_not_keep_the_others_from_being_looked_at_for_ever(hub_with_space, other, silent):
    """Eight silent servers take all the places there are, for 20 s at most."""
    hub = hub_with_space
    follow(hub, *(f"{silent.url}/{number}" for number in range(8)))
    eventually(lambda: silent.taken == 8)
    url = other()
    status, answer = hub.post(FOLLOWED, hub.owner_token, {"url": url})
    assert status == 200, answer
    # One of them is removed: its place is free at once.
    unfollow(hub, {"Authorization": f"Bearer {hub.owner_token}"}, answer["followed"][0]["id"])
    eventually(lambda: followed(hub)[-1]["state"] == "open", 5)
