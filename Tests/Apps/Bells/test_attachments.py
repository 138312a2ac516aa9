"""Files that are sent to the hub and attached to notifications."""

import sqlite3

import pytest

from bell_device import make_device
from hub import eventually
from ntfy import poll, topic
from png import png

ATTACHMENTS = "/api/v1/bells/attachments"
SEND = "/api/v1/notifications"


def upload(hub, token, body, kind=None, **headers):
    fields = {"Authorization": f"Bearer {token}"} | headers
    if kind:
        fields["Content-Type"] = kind
    answer = hub.request("POST", ATTACHMENTS, fields, body)
    return answer.status, answer.json


def send(hub, *attachments):
    body = {"to": {"topic": "space"}, "content": {"title": "Door", "attachments": list(attachments)}}
    return hub.post(SEND, hub.owner_token, body)


def test_a_picture_is_taken_named_and_fetched_by_who_was_rung(hub):
    make_device(hub, "bell", "space")
    picture = png(40, 30)
    status, kept = upload(hub, hub.owner_token, picture)
    assert status == 201 and (kept["type"], kept["size"]) == ("image/png", len(picture)), kept
    assert kept["url"] == f"{ATTACHMENTS}/{kept['blob']}"
    hub.kill()
    hub.start()
    status, sent = send(hub, {"id": "door", "blob": kept["blob"]})
    assert status == 202, sent
    shown = hub.get(f"{SEND}/{sent['id']}", token=hub.owner_token)[1]["content"]["attachments"]
    assert shown == [{"id": "door", "url": kept["url"], "type": "image/png"}], "devices are told address and type"
    found = hub.request("GET", kept["url"])
    assert (found.status, found.body, found.headers["Content-Type"]) == (200, picture, "image/png")
    assert "sandbox" in found.headers["Content-Security-Policy"]
    part = hub.request("GET", kept["url"], {"Range": "bytes=0-7"})
    assert (part.status, part.body) == (206, b"\x89PNG\r\n\x1a\n")


def test_ntfys_subscribers_get_its_whole_address(make_hub):
    hub = make_hub(options=["--public-url", "https://hub.example"])
    kept = upload(hub, hub.owner_token, png(8, 8))[1]
    body = {"to": {"topic": topic(hub, "yard")},
            "content": {"title": "Gate", "attachments": [{"id": "gate", "blob": kept["blob"]}]}}
    assert hub.post(SEND, hub.owner_token, body)[0] == 202
    message, = poll(hub, "/yard")
    assert message["attachment"]["url"] == "https://hub.example" + kept["url"]


def test_what_is_not_there_cannot_be_attached(hub):
    status, told = send(hub, {"id": "door", "blob": "0" * 32})
    assert status == 400 and "content.attachments[0].blob" in told["error"], told
    status, told = send(hub, {"id": "door", "url": f"{ATTACHMENTS}/{'0' * 32}"})
    assert status == 400 and "content.attachments[0].url" in told["error"], told
    assert hub.get(f"{ATTACHMENTS}/{'0' * 32}")[0] == 404
    blob = upload(hub, hub.owner_token, png(8, 8))[1]["blob"]
    sent = send(hub, {"id": "door", "blob": blob})[1]["id"]
    change = {"content": {"attachments": [{"id": "door", "blob": "1" * 32}]}}
    status, told = hub._exchange("PATCH", f"{SEND}/{sent}", hub.owner_token, change, {})
    assert status == 400 and "content.attachments[0].blob" in told["error"], told


def test_types_and_sizes_are_told_by_the_content(hub):
    for body, kind in ((b"a" * 10_000_000, "text/plain"), (b"hello", None), (b"", None), (png(8, 8), "image/jpeg"),
                       (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
                       (png(8, 8) + bytes(10 << 20), None)):
        status, told = upload(hub, hub.owner_token, body, kind)
        assert (status, told["code"]) == (415, 41519), (body[:20], kind, told)
    assert upload(hub, hub.owner_token, png(8, 8) + bytes((10 << 20) - 1_000), "image/png")[0] == 201
    assert not list((hub.data / "blobs").rglob("*.part")), "what was refused is not kept"


def test_who_is_outside_sends_none_and_a_repeated_one_is_the_same(hub):
    assert hub.request("POST", ATTACHMENTS, {}, png(8, 8)).status == 401
    key = {"Idempotency-Key": "door-1"}
    first = upload(hub, hub.owner_token, png(8, 8), **key)
    assert first == upload(hub, hub.owner_token, png(8, 8), **key)
    assert upload(hub, hub.owner_token, png(9, 9), **key)[0] == 409


@pytest.mark.file
def test_a_file_goes_with_what_named_it(hub):
    kept = upload(hub, hub.owner_token, png(8, 8))[1]
    named = upload(hub, hub.owner_token, png(9, 9))[1]
    sent = send(hub, {"id": "door", "url": named["url"]})
    assert sent[0] == 202
    hub.stop()
    with sqlite3.connect(hub.data / "eightbells.sqlite") as store:
        rows = dict(store.execute("SELECT name, keep_until FROM bells_attachments"))
        day, month = rows[kept["blob"]], rows[named["blob"]]
        assert 57 * 86_400 < month - day < 58 * 86_400, "four weeks of delivery and thirty days that it is kept"
        store.execute("UPDATE bells_attachments SET keep_until = keep_until - 86500")
    store.close()
    hub.start()
    eventually(lambda: hub.get(kept["url"])[0] == 404)
    assert hub.request("GET", named["url"]).status == 200
