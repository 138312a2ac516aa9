"""Topics in ntfy's manner: publishing, and who may."""

import base64
import json
import sqlite3
import time

import pytest

from bell_device import device_at, make_device
from hub import Hub, command, eventually
from ntfy import poll, publish, topic
from png import png


def test_a_message_is_published_rings_devices_and_can_be_read(hub):
    bell = make_device(hub, "bell", topic(hub, "coffee"))
    before = int(time.time())
    with device_at(hub, bell["secret"]) as device:
        status, message = publish(
            hub, "/coffee", "There is coffee.", Title="Kitchen", Priority="high", Tags="coffee,hot",
            Click="https://example.org/")
        assert status == 200
        shown = device.show()
        assert shown["id"] == message["id"] and shown["topic"] == "coffee"
        content = {name: value for name, value in shown["content"].items() if name != "ntfy"}
        assert content == {
            "title": "Kitchen", "body": "There is coffee.", "interruption_level": "time-sensitive",
            "sound": "default", "url": "https://example.org/", "subtitle": "☕ hot"}
    assert before <= message["time"] <= before + 10 and message["expires"] == message["time"] + 12 * 3600
    assert {name: message[name] for name in message if name not in ("id", "time", "expires")} == {
        "event": "message", "topic": "coffee", "title": "Kitchen", "message": "There is coffee.", "priority": 4,
        "tags": ["coffee", "hot"], "click": "https://example.org/"}
    assert poll(hub, "/coffee") == [message]
    # The trace is that of every notification.
    status, trace = hub.get(f"/api/v1/notifications/{message['id']}", token=hub.owner_token)
    assert status == 200 and [device["name"] for device in trace["devices"]] == ["bell"]


def test_every_way_to_publish_says_the_same(hub):
    topic(hub, "t1")
    said = []
    said.append(publish(hub, "/t1", "m", Title="T", Tags="a"))
    said.append(publish(hub, "/t1", "m", method="PUT", X_Title="T", X_Tags="a"))
    said.append(publish(hub, "/t/t1?title=T&ta=a", "m"))
    said.append(publish(hub, "/", json.dumps({"topic": "t1", "message": "m", "title": "T", "tags": ["a"]})))
    for word in ("publish", "send", "trigger"):
        said.append(publish(hub, f"/t1/{word}?message=m&title=T&tags=a", method="GET"))
    assert [status for status, _ in said] == [200] * 7
    same = [{name: value for name, value in message.items() if name not in ("id", "time", "expires")}
            for _, message in said]
    assert same == [same[0]] * 7
    assert [message["id"] for message in poll(hub, "/t1")] == [message["id"] for _, message in said]


def test_a_title_in_iso_8859_1_is_read(hub):
    """As Python's clients write header fields, this one too."""
    topic(hub, "door")
    for title in ("Tür offen", "Tür offen".encode()):
        assert publish(hub, "/door", "m", Title=title)[1]["title"] == "Tür offen"


def test_a_token_comes_as_a_password_as_a_bearer_or_in_the_address(hub):
    topic(hub, "coffee")
    token = hub.owner_token

    def status(field, query=""):
        headers = {"Authorization": field} if field else {}
        return hub.request("POST", f"/coffee{query}", headers, b"m").status

    def basic(pair):
        return "Basic " + base64.b64encode(pair.encode()).decode()

    def query(field):
        return "?auth=" + base64.urlsafe_b64encode(field.encode()).decode().rstrip("=")

    assert status(f"Bearer {token}") == status(basic(f"ada:{token}")) == status(basic(f":{token}")) == 200
    assert status(None, query(f"Bearer {token}")) == status(None, query(basic(f"ada:{token}"))) == 200
    for wrong in ("Bearer eb_x", basic("ada:password"), "Basic !"):
        assert status(wrong) == 401, wrong
    assert status("Digest x") == status(None) == 403, "what is signed for somebody else is no token"
    assert status(None, query("Bearer eb_x")) == status(None, "?auth=!!") == 401
    # Nowhere else is a token accepted in an address.
    assert hub.request("GET", "/api/v1/notifications" + query(f"Bearer {token}")).status == 401


def test_a_client_that_asks_for_an_account_is_shown_its_token(hub):
    """As Home Assistant's integration does before it lets somebody in; its library reads errors in ntfy's form."""
    topic(hub, "coffee")
    made = command("token", "create", "--name", "kitchen", "--role", "reader", "--topic", "coffee", "--data", hub.data)
    token = made.stdout.strip()

    def ask(method, path, pair=None):
        field = {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()} if pair else {}
        answer = hub.request(method, f"/v1/{path}", field, b"{}" if method == "POST" else None)
        return answer.status, answer.json

    status, account = ask("GET", "account", f"kitchen:{token}")
    assert (status, account["username"], account["role"]) == (200, "kitchen", "user")
    assert account["stats"]["messages"] == account["stats"]["attachment_total_size_remaining"] == 0
    assert ask("POST", "account/token", f"kitchen:{token}") == (200, {"token": token})
    assert ask("GET", "account")[1]["username"] == "*"
    assert ask("GET", "health") == (200, {"healthy": True})
    for method, path, pair, code in (
            ("GET", "account", "kitchen:eb_x", 40101), ("POST", "account/token", "kitchen:eb_x", 40101),
            ("POST", "account/token", None, 40301), ("GET", "version", None, 40401), ("GET", "stats", None, 40401)):
        status, refusal = ask(method, path, pair)
        assert (status, refusal["code"], refusal["http"]) == (code // 100, code, code // 100), path
        assert set(refusal) <= {"code", "http", "error", "link"}


def test_nobody_publishes_or_listens_without_a_token_unless_an_owner_has_opened_the_topic(hub):
    topic(hub, "club")
    topic(hub, "letterbox", "--senders", "everybody")
    topic(hub, "news", "--subscribers", "everybody")
    for path in ("/club", "/t/club", "/news", "/nothing", "/t/nothing"):
        status, refusal = publish(hub, path, "m", token=None)
        assert (status, refusal["code"], refusal["http"]) == (403, 40301, 403), path
        assert "docs.ntfy.sh" in refusal["link"]
    assert publish(hub, "/", '{"topic": "club"}', token=None)[0] == 403
    assert publish(hub, "/letterbox", "m", token=None)[0] == 200
    assert publish(hub, "/", '{"topic": "letterbox"}', token=None)[0] == 200
    for name in ("club", "letterbox", "nothing", "news,club"):
        answer = hub.request("GET", f"/{name}/json?poll=1")
        assert answer.status == 403 and answer.json["code"] == 40301, name
    assert poll(hub, "/news", token=None) == []
    sent = hub.get("/api/v1/notifications", token=hub.owner_token)[1]["items"]
    assert [each["sender"] for each in sent] == ["stranger"] * 2


def test_who_is_signed_in_sends_where_the_topic_lets_them(hub):
    topic(hub, "club", "--senders", "members")
    topic(hub, "office")
    member = hub.token("member")
    assert publish(hub, "/club", "m", token=member)[0] == 200
    status, refusal = publish(hub, "/office", "m", token=member)
    assert (status, refusal["code"]) == (403, 40301)
    # Members may listen to both.
    assert [each["message"] for each in poll(hub, "/club,office", token=member)] == ["m"]
    made = command(
        "token", "create", "--name", "sensor", "--role", "reader", "--topic", "office", "--data", hub.data)
    limited = made.stdout.strip()
    assert publish(hub, "/office", "m", token=limited)[0] == 200
    assert publish(hub, "/club", "m", token=limited)[0] == 403
    assert hub.request("GET", "/club/json?poll=1", {"Authorization": f"Bearer {limited}"}).status == 403
    assert len(poll(hub, "/office", token=limited)) == 1


def test_a_topic_is_made_by_owners_alone(hub):
    member = hub.token("member")
    assert publish(hub, "/New_Topic", "m", token=member)[0] == 403
    assert publish(hub, "/New_Topic", "m")[0] == 200
    assert [each["message"] for each in poll(hub, "/New_Topic", token=member)] == ["m"]
    answer = hub.request("GET", "/other/json?poll=1", {"Authorization": f"Bearer {member}"})
    assert answer.status == 404 and answer.json["code"] == 40401
    listed = command("topic", "list", "--data", hub.data).stdout
    assert "New_Topic  New_Topic: members may subscribe, owners may send" in listed


RESERVED = ("space programme bells clock anchor album albums app apps parse portfolio player gateway docs settings "
            "people me join api 3 health metrics history search screen sent").split()


def test_reserved_names_are_never_topics_at_the_root(hub):
    for name in RESERVED + ["a.b", "Space", "kettle.hot"]:
        # Pages that are there stay, such as that of a thing called json.
        page = hub.request("GET", f"/{name}/json", {"Authorization": f"Bearer {hub.owner_token}"})
        assert page.status in (200, 308, 404, 426) and "ndjson" not in page.headers["Content-Type"], name
        status = hub.request("POST", f"/{name}", {"Authorization": f"Bearer {hub.owner_token}"}, b"m").status
        assert status in (404, 405), name
        assert publish(hub, f"/t/{name}", "m")[0] == 200, name
        assert [each["message"] for each in poll(hub, f"/t/{name}")] == ["m"], name


def test_pages_stay_as_they_are(demo_hub):
    for path in ("/", "/space", "/programme", "/bells", "/settings", "/people", "/me"):
        answer = demo_hub.request("GET", path, {"Accept": "text/html"})
        assert answer.status == 200 and b"<html" in answer.body, path
    for path in ("/nonsense", "/t/nonsense"):
        answer = demo_hub.request("GET", path, {"Accept": "text/html"})
        assert answer.status == 404 and b"<html" in answer.body, path
        assert demo_hub.get(path)[1]["code"] == 40401


WRONG = [
    ("/coffee", "m", {"Priority": "9"}, 40007), ("/coffee", "m", {"In": "500 days"}, 40006),
    ("/coffee", b"\xff\xfe", {}, 40014), ("/t/a%20b", "m", {}, 40009), ("/t/" + "x" * 65, "m", {}, 40009),
    ("/", "{", {}, 40017), ("/", '{"message": "m"}', {}, 40009),
]


@pytest.mark.parametrize("path, body, fields, code", WRONG)
def test_wrong_input_is_refused_in_ntfys_form(hub_for_wrong, path, body, fields, code):
    status, refusal = publish(hub_for_wrong, path, body, **fields)
    assert (status, refusal["code"], refusal["http"]) == (400, code, 400), refusal
    assert refusal["error"]


@pytest.fixture(scope="module")
def hub_for_wrong(tmp_path_factory):
    hub = Hub(tmp_path_factory.mktemp("wrong") / "data").start()
    topic(hub, "coffee")
    yield hub
    hub.kill()


def test_a_wrong_subscription_is_refused(hub_for_wrong):
    for query, code in ("since=yesterday", 40008), ("priority=loud", 40007):
        answer = hub_for_wrong.request(
            "GET", f"/coffee/json?poll=1&{query}", {"Authorization": f"Bearer {hub_for_wrong.owner_token}"})
        assert (answer.status, answer.json["code"]) == (400, code)


def test_a_body_that_is_too_long_is_a_file(hub):
    status, refusal = publish(hub, "/coffee", b"x" * 20_000, method="PUT")
    assert (status, refusal["code"], refusal["http"]) == (400, 40014, 400) and "a picture of" in refusal["error"]


def test_a_picture_in_the_body_is_kept_and_attached(hub):
    topic(hub, "door")
    picture = png(400, 300)
    keyed = {"Filename": "door.png", "Idempotency-Key": "ring-1"}
    status, message = publish(hub, "/door", picture, **keyed)
    assert status == 200 and message["message"] == "You received a file: door.png", message
    assert publish(hub, "/door", picture, **keyed)[1]["id"] == message["id"]
    content = hub.get(f"/api/v1/notifications/{message['id']}", token=hub.owner_token)[1]["content"]
    [file] = content["attachments"]
    assert file["type"] == "image/png" and hub.request("GET", file["url"]).body == picture
    status, other = publish(hub, "/door", picture, method="PUT", Message="Somebody rings")
    assert (status, other["message"]) == (200, "Somebody rings")


@pytest.mark.file
def test_a_doorbell_rings_on_when_it_has_sent_as_much_as_is_kept(hub):
    topic(hub, "door")

    def ring(**fields):
        """The answer's status, and the names of the pictures that are kept then; each counts as 250 MB."""
        status, _ = publish(hub, "/door", png(8, 8), **fields)
        with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=30) as store:
            store.execute("UPDATE bells_attachments SET size = 250000000")
            names = [name for (name,) in store.execute("SELECT name FROM bells_attachments ORDER BY rowid")]
        store.close()
        return status, names

    _, [planned] = ring(Delay="3 hours")
    _, [_, first] = ring()
    for _ in range(2):
        status, names = ring()
        assert status == 200 and len(names) == 2 and names[0] == planned and names[1] != first, names
        assert hub.get(f"/api/v1/bells/attachments/{first}")[0] == 404, "the oldest has made room"
        first = names[1]
    assert ring(Delay="4 hours")[0] == 200
    assert ring()[0] == 409, "what waits to be sent keeps its pictures"


def test_a_stranger_leaves_no_file(hub):
    topic(hub, "open", "--senders", "everybody")
    answer = hub.request("PUT", "/open", {"Filename": "x.png"}, png(8, 8))
    assert (answer.status, answer.json["code"]) == (400, 40014)


def test_a_page_of_another_site_publishes_nothing_with_a_members_cookie(hub):
    topic(hub, "coffee")
    fields = hub.sign_in("owner")
    assert hub.request("POST", "/coffee", fields, b"m").status == 200
    assert hub.request("POST", "/coffee", fields | {"Origin": "https://evil.example"}, b"m").status == 403
    assert hub.request("GET", "/coffee/publish?message=m", fields).status == 403
    assert len(poll(hub, "/coffee")) == 1


def test_a_page_of_another_site_may_send_what_ntfys_clients_send(hub):
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization,title"}
    for path in ("/", "/coffee", "/t/coffee", "/coffee/json"):
        answer = hub.request("OPTIONS", path, asked)
        assert answer.status == 204 and answer.headers["Access-Control-Allow-Origin"] == "*", path
        assert answer.headers["Access-Control-Allow-Headers"] == "*, Authorization"
    assert hub.request("OPTIONS", "/space", asked).status == 405


def test_what_is_delayed_comes_when_it_is_time(hub):
    topic(hub, "coffee")
    status, message = publish(hub, "/coffee", "later", Delay="2s")
    assert status == 200 and message["time"] >= int(time.time()) + 1
    assert poll(hub, "/coffee") == []
    came = eventually(lambda: poll(hub, "/coffee"), 20)
    assert [(each["id"], each["message"]) for each in came] == [(message["id"], "later")]
    # Words are understood, too.
    assert publish(hub, "/coffee", "m", At="tomorrow, 10am")[0] == 200
    waiting = hub.get("/api/v1/notifications?scheduled=1", token=hub.owner_token)[1]["items"]
    assert len(waiting) == 1


def test_a_sequence_replaces_what_it_said_before_in_its_topic(hub):
    bell = make_device(hub, "bell", topic(hub, "backup"), topic(hub, "tea"))
    with device_at(hub, bell["secret"]) as device:
        for text in ("begins", "done"):
            publish(hub, "/backup", text, X_Sequence_ID="nightly")
            shown = device.show()
            assert (shown["collapse_id"], shown["content"]["body"]) == ("ntfy backup/nightly", text)
        publish(hub, "/tea", "brewed", X_Sequence_ID="nightly")
        assert device.show()["collapse_id"] == "ntfy tea/nightly"
    assert [each["sequence_id"] for each in poll(hub, "/backup,tea")] == ["nightly"] * 3


def test_unifiedpush_finds_the_hub_and_its_bytes_come_back(hub):
    assert hub.get("/upAbCdEf123456?up=1") == (200, {"unifiedpush": {"version": 1}})
    assert hub.get("/t/up.x?up=1") == (200, {"unifiedpush": {"version": 1}})
    topic(hub, "upAbCdEf123456", "--senders", "everybody")
    secret = bytes(range(256))
    status, message = publish(hub, "/upAbCdEf123456?up=1", secret, token=None)
    assert status == 200 and message["encoding"] == "base64"
    assert base64.b64decode(poll(hub, "/upAbCdEf123456")[0]["message"]) == secret
    # Application servers sign with a key of their own (RFC 8292), and are strangers to the hub.
    vapid = publish(hub, "/upAbCdEf123456?up=1", secret, token=None, Authorization="vapid t=a.b.c, k=d")
    assert vapid[0] == 200
    status, message = publish(hub, "/upAbCdEf123456?up=1", "text", token=None)
    assert (message["message"], "encoding" in message) == ("text", False)


def test_a_repeated_request_with_a_key_publishes_once(hub):
    topic(hub, "coffee")
    first = publish(hub, "/coffee", "m", Idempotency_Key="k1")
    assert publish(hub, "/coffee", "m", Idempotency_Key="k1") == first
    assert len(poll(hub, "/coffee")) == 1


def test_a_key_of_a_stranger_neither_swallows_nor_refuses_what_another_one_sends(make_hub):
    hub = make_hub(env={"EIGHTBELLS_TRUSTED_PROXIES": "127.0.0.0/8"})
    topic(hub, "letterbox", "--senders", "everybody")

    def ring(address, text):
        return publish(hub, "/letterbox", text, token=None, Idempotency_Key="1", X_Forwarded_For=address)

    first = ring("203.0.113.1", "Hello")
    assert first[0] == 200 and ring("203.0.113.1", "Hello") == first
    status, other = ring("203.0.113.2", "Hello")
    assert status == 200 and other["id"] != first[1]["id"]
    assert ring("203.0.113.3", "Fire!")[0] == 200


def test_what_is_not_kept_is_not_there_afterwards(hub):
    topic(hub, "coffee")
    status, message = publish(hub, "/coffee", "m", Cache="no")
    assert status == 200 and "expires" not in message
    assert poll(hub, "/coffee") == []


def test_a_kill_after_the_answer_loses_nothing(hub):
    topic(hub, "coffee")
    said = []
    for turn in range(3):
        for number in range(5):
            said.append(publish(hub, "/coffee", f"{turn} {number}")[1]["id"])
        hub.kill()
        hub.start()
    assert [each["id"] for each in poll(hub, "/coffee")] == said


def test_auth_says_whether_one_may_listen(hub):
    topic(hub, "coffee")
    assert hub.get("/coffee/auth", token=hub.owner_token) == (200, {"success": True})
    assert hub.get("/coffee/auth")[0] == 403
    assert hub.get("/coffee/auth", token="eb_wrong")[0] == 401


@pytest.mark.file
def test_strangers_schedule_so_much_and_leave_the_rest_to_others(hub):
    topic(hub, "letterbox", "--senders", "everybody")
    assert publish(hub, "/letterbox", "m", token=None, Delay="3 hours")[0] == 200
    with sqlite3.connect(hub.data / "eightbells.sqlite", timeout=30) as store:
        store.execute("""
            WITH RECURSIVE counted (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
            INSERT INTO push_scheduled (id, at, submission, sender, series)
            SELECT 1000000 + n, at, submission, sender, series FROM push_scheduled, counted""")
    status, refused = publish(hub, "/letterbox", "m", token=None, Delay="3 hours")
    assert (status, refused["code"]) == (409, 40901)
    assert publish(hub, "/letterbox", "m", token=None)[0] == 200
    assert publish(hub, "/letterbox", "m", Delay="3 hours")[0] == 200


# Limits on how often somebody may ask count at each hub.
@pytest.mark.one_hub
def test_strangers_publish_so_often_and_no_more(make_hub):
    hub = make_hub()
    topic(hub, "letterbox", "--senders", "everybody")
    statuses = [publish(hub, "/letterbox", "m", token=None)[0] for _ in range(80)]
    assert set(statuses) == {200, 429} and statuses[:60] == [200] * 60
    assert publish(hub, "/letterbox", "m")[0] == 200


@pytest.mark.one_hub
def test_strangers_with_many_addresses_fill_no_topic(make_hub):
    hub = make_hub(env={"EIGHTBELLS_TRUSTED_PROXIES": "127.0.0.0/8"})
    topic(hub, "letterbox", "--senders", "everybody")
    fields = [{"X-Forwarded-For": f"198.51.100.{1 + number % 200}"} for number in range(600)]
    statuses = [publish(hub, "/letterbox", "m", token=None, **one)[0] for one in fields]
    assert set(statuses) == {200, 429} and statuses[:300] == [200] * 300
    assert publish(hub, "/letterbox", "m")[0] == 200
