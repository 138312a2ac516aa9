"""Files whose addresses stand in a notification, which the hub fetches for the devices that show it."""

import socket
import sqlite3
import threading
import time

import pytest
from concurrent.futures import ThreadPoolExecutor
from faults import HERE, library
from hub import command, eventually
from local_server import LocalServer, QuietHandler
from people import own_id
from png import png
from push_browser import Browser
from traces import events

SEND = "/api/v1/notifications"
PICTURE = png(40, 30)


class Files(LocalServer):
    """A server of others, with its answers by path: (status, fields, body)."""

    def __init__(self):
        self.asked, self.answers, self.pause = [], {"/a.png": (200, {}, PICTURE)}, 0
        files = self

        class Handler(QuietHandler):
            def do_GET(self):
                files.asked.append(self.path)
                time.sleep(files.pause)
                status, fields, body = files.answers.get(self.path, (404, {}, b""))
                self.reply(status, body, fields)

        super().__init__(Handler)


@pytest.fixture
def files():
    with Files() as files:
        yield files


@pytest.fixture
def ada(hub):
    return hub.sign_in("member", "Ada")


def send(hub, who, **content):
    person = own_id(hub, who)
    status, answer = hub.post(
        SEND, hub.owner_token, {"to": {"person": person}, "content": {"title": "Ada", "mutable": True} | content})
    assert status == 202, answer
    return answer["id"]


def media(hub, one, who, url, **others):
    return hub.post(f"/api/v1/bells/{one}/media", who, {"url": url} | others)


@pytest.mark.file
def test_a_file_that_a_notification_names_is_fetched_once_and_kept_with_it(hub, ada, files):
    one = send(hub, ada, user_info={"my-image": f"{files.url}/a.png"})
    files.pause = 0.5
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: media(hub, one, ada, f"{files.url}/a.png"), range(4)))
    assert all(status == 200 for status, _ in told), told
    kept = told[0][1]
    assert (kept["type"], kept["size"]) == ("image/png", len(PICTURE))
    assert media(hub, one, ada, f"{files.url}/a.png", type="image/png") == (200, kept)
    assert files.asked == ["/a.png"] and all(answer == kept for _, answer in told)
    found = hub.request("GET", kept["url"])
    assert (found.status, found.body) == (200, PICTURE)
    hub.stop()
    with sqlite3.connect(hub.data / "eightbells.sqlite") as store:
        [(until,)] = store.execute("SELECT keep_until FROM bells_attachments").fetchall()
        assert until > time.time() + 30 * 86_400
        # When that is gone, it is fetched anew.
        store.execute("UPDATE bells_attachments SET keep_until = 1")
    store.close()
    hub.start()
    eventually(lambda: hub.get(kept["url"])[0] == 404)
    assert media(hub, one, ada, f"{files.url}/a.png")[0] == 200 and len(files.asked) == 2


def test_a_file_waits_for_a_place_and_one_sender_leaves_places_to_others(hub, ada, files):
    names = [f"{files.url}/{name}.png" for name in "abcde"]
    files.answers = {f"/{name}.png": (200, {}, PICTURE) for name in "abcde"}
    many = send(hub, ada, user_info={"media": names[:4]})
    person = own_id(hub, ada)
    other = {"to": {"person": person}, "content": {"title": "Door", "user_info": {"x": names[4]}}}
    one = hub.post(SEND, hub.token("owner", "another sender"), other)[1]["id"]
    files.pause = 1.5
    with ThreadPoolExecutor(5) as pool:
        asking = [pool.submit(media, hub, many, ada, url) for url in names[:4]]
        eventually(lambda: len(files.asked) >= 2)
        asking.append(pool.submit(media, hub, one, ada, names[4]))
        assert [asked.result()[0] for asked in asking] == [200] * 5
    assert "/e.png" in files.asked[:3], "two of one sender at a time"


@pytest.mark.file
def test_what_is_fetched_counts_for_whoever_has_sent_the_notification(hub, ada, files):
    files.answers["/b.png"] = (200, {}, PICTURE)
    one = send(hub, ada, user_info={"media": [f"{files.url}/a.png", f"{files.url}/b.png"]})
    assert media(hub, one, ada, f"{files.url}/a.png")[0] == 200
    with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=30) as store:
        store.execute("UPDATE bells_attachments SET size = 500000000")
    status, refused = media(hub, one, ada, f"{files.url}/b.png")
    assert (status, refused["code"]) == (409, 40919)
    person = own_id(hub, ada)
    other = {"to": {"person": person}, "content": {"title": "Door", "user_info": {"x": f"{files.url}/b.png"}}}
    another = hub.post(SEND, hub.token("owner", "another sender"), other)[1]["id"]
    assert media(hub, another, ada, f"{files.url}/b.png")[0] == 200


def test_a_service_worker_proves_by_its_receipt_whom_it_is_for(hub, ada, files):
    browser = Browser()
    assert hub.put("/api/v1/bells/webpush", ada, {"subscription": browser.subscription})[0] == 200
    one = send(hub, ada, attachments=[{"id": "a", "url": f"{files.url}/a.png"}])
    _, push = browser.next()
    assert media(hub, one, None, f"{files.url}/a.png", receipt=push["receipt"])[0] == 200
    assert media(hub, one, None, f"{files.url}/a.png", receipt="A" * 22)[0] == 404
    assert media(hub, one, None, f"{files.url}/a.png")[0] == 401
    told = hub.post("/api/v1/bells/receipts", json={
        "id": one, "receipt": push["receipt"], "what": "shown", "note": "extension_failed:late"})
    assert told[0] == 200
    # A worker does not speak for the hub.
    hub.post("/api/v1/bells/receipts", json={
        "id": one, "version": 1, "receipt": push["receipt"], "what": "failed", "note": "quiet_hours:07:00"})
    told = events(hub, one)[-2:]
    assert [(event["what"], event.get("code")) for event in told] == [
        ("shown", "extension_failed"), ("failed", "device_failed")]
    assert told[0]["reason"].endswith("did not answer in time")
    assert hub.delete("/api/v1/session", ada)[0] == 200
    assert media(hub, one, None, f"{files.url}/a.png", receipt=push["receipt"])[0] == 404, "it is nobody's any more"
    browser.server.close()


def test_nothing_else_is_fetched_and_for_nobody_else(hub, ada, files):
    one = send(hub, ada, user_info={"a": [{"b": f"{files.url}/a.png"}]})
    bob = hub.sign_in("member", "Bob")
    assert media(hub, one, bob, f"{files.url}/a.png")[0] == 404
    status, told = media(hub, one, ada, f"{files.url}/b.png")
    assert status == 400 and "does not name" in told["error"]
    assert media(hub, "1", ada, f"{files.url}/a.png")[0] == 404
    assert files.asked == []


def test_what_cannot_be_attached_is_refused_with_its_reason(hub, ada, files):
    names = {"gone.png": (404, {}, b""), "text.png": (200, {}, b"no picture at all"),
             "large.png": (200, {}, PICTURE + bytes(10 << 20)),
             "away.png": (302, {"Location": "http://elsewhere.example/a.png"}, b""),
             "inwards.png": (302, {"Location": "https://169.254.169.254/latest"}, b""),
             "sideways.png": (302, {"Location": "//10.7.7.7/a.png"}, b""),
             "near.png": (302, {"Location": "/a.png"}, b""),
             "circle.png": (302, {"Location": f"{files.url}/circle.png"}, b""),
             "moved.png": (301, {"Location": f"{files.url}/a.png"}, b"")}
    files.answers |= {f"/{name}": answer for name, answer in names.items()}
    info = {name: f"{files.url}/{name}" for name in (*names, "a.png")}
    info |= {"plain": "http://pictures.example/a.png", "inside": "https://192.168.7.7/a.png", "file": "file:///a.png"}
    one = send(hub, ada, user_info=info)

    def refused(name, code, words, **others):
        status, told = media(hub, one, ada, info[name], **others)
        assert (status, told["code"]) == (code // 100, code) and words in told["error"], told

    refused("gone.png", 50311, "answers 404")
    refused("text.png", 41519, "of another type")
    refused("large.png", 41519, "10485760")
    refused("a.png", 41519, "audio/wav", type="audio/wav")
    for name in ("plain", "inside", "file", "away.png", "inwards.png", "sideways.png"):
        refused(name, 50311, "not allowed")
    refused("circle.png", 50311, "more than 3 times")
    for name in ("moved.png", "near.png"):
        assert media(hub, one, ada, info[name])[0] == 200, name


def test_plain_http_is_for_the_hosts_that_the_owner_lists(make_hub):
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": "192.168.7.0/24",
                        "EIGHTBELLS_ATTACHMENT_HOSTS": "Pictures.example, cam.local"})
    assert hub.command("topic", "create", "coffee").returncode == 0

    def sent(*urls, **others):
        content = {"title": "Ada", "attachments": [{"id": str(at), "url": url} for at, url in enumerate(urls)]} | others
        return hub.post(SEND, hub.owner_token, {"to": {"topic": "coffee"}, "content": content})

    assert sent("http://pictures.example/a.png", "http://cam.local:81/b.png", "http://192.168.7.7/a.png",
                "https://other.example/a.png", "/api/v1/space/picture")[0] == 202
    for url in ("http://other.example/a.png", "http://192.168.8.8/a.png", "http://pictures.example@evil.example/a.png"):
        status, told = sent("https://other.example/a.png", url)
        assert status == 400 and "content.attachments[1].url" in told["error"], told
        assert "attachment_hosts" in told["error"]
    status, told = sent(localized={"de": {"attachments": [{"id": "a", "url": "http://other.example/a.png"}]}})
    assert status == 400 and "content.localized.de.attachments[0].url" in told["error"], told
    one = sent()[1]["id"]
    changed = {"content": {"attachments": [{"id": "a", "url": "http://other.example/a.png"}]}}
    assert hub.patch(f"{SEND}/{one}", hub.owner_token, changed)[0] == 400
    plain = {"Authorization": f"Bearer {hub.owner_token}", "Attach": "http://other.example/a.png"}
    refused = hub.request("POST", "/coffee", plain, b"Look")
    assert refused.status == 400 and b"attachment_hosts" in refused.body
    told = command("serve", "--data", hub.data.parent / "other", "--attachment-hosts", "pictures.example:80")
    assert told.returncode == 2 and "attachment_hosts" in told.stderr


class Listener:
    """Listens at all of this machine's addresses, and remembers at which one each connection came."""

    def __init__(self):
        self.reached = []
        self.socket = socket.create_server(("0.0.0.0", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                peer = self.socket.accept()[0]
            except OSError:
                return
            self.reached.append(peer.getsockname()[0])
            with peer:
                peer.settimeout(10)
                if peer.recv(4_096).startswith(b"GET"):
                    peer.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(PICTURE))
                    peer.sendall(PICTURE)


# The names change with each question of one process.
@pytest.mark.one_hub
def test_the_address_that_was_checked_is_the_one_that_is_connected_to(make_hub):
    """A second look-up after the check would be answered with the address that nobody may reach."""
    hub = make_hub(env={
        "LD_PRELOAD": str(library(HERE / "changing_names.c")), "EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.1",
        "EIGHTBELLS_ATTACHMENT_HOSTS": ",".join(f"{name}.changing" for name in "abcd")})
    ada = hub.sign_in("member", "Ada")
    listener = Listener()
    with listener.socket:
        urls = [f"http://{name}.changing:{listener.port}/a.png" for name in "abcd"]
        one = send(hub, ada, attachments=[{"id": url[7], "url": url} for url in urls])
        assert [media(hub, one, ada, url)[0] for url in urls] == [200, 503, 200, 503]
        assert listener.reached == ["127.0.0.1"] * 2
        # Webhooks go by HTTPS: the connection comes, and then no certificate.
        assert hub.command("topic", "create", "coffee").returncode == 0
        for name in "ef":
            made = hub.post("/api/v1/bells/webhooks", hub.owner_token, {
                "name": name, "url": f"https://{name}.changing:{listener.port}/", "topics": ["coffee"]})
            assert made[0] == 201, made
            hub.post(f"/api/v1/bells/webhooks/{made[1]['id']}/test", hub.owner_token)
        eventually(lambda: len(listener.reached) >= 3)
        assert set(listener.reached) == {"127.0.0.1"}
