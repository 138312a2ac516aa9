"""The hub as a sender to Apple's push service: to another hub's entry, where an agent shows what comes, and to a
service that behaves badly."""

import json
import subprocess
import time

import jwt
import pytest

from agent import Agent
from apns import APP, TEAM, Entry
from apple_service import AppleService, Reply, cut, farewell, hang, reset
from certificates import make_certificate
from hub import command, eventually

SEND = "/api/v1/notifications"
DEVICES = "/api/v1/bells/devices"
TOKEN = "ab" * 32


def add(hub, host, trust, *options, provider=None):
    """Gives the hub a key from "Apple"; what the command prints."""
    words = ["--topic", APP, "--host", host, "--trust", trust, *options]
    if provider:
        words = ["--team", TEAM, "--key-id", provider["key_id"], "--key", provider["p8"], *words]
    made = command("apple", "add", "--data", hub.data, *words)
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


def register(hub, token=TOKEN, owner=None, **others):
    """A native app: the device's id."""
    owner = owner or hub.owner_token
    status, made = hub.post(DEVICES, owner, {"name": "Ada's phone"})
    assert status == 201, made
    assert hub.put(f"/api/v1/devices/{made['id']}/apns", owner, {"token": token, "topic": APP} | others)[0] == 204
    return made["id"]


def send(hub, device, content=None, **others):
    """Sends a notification to the device; its id."""
    status, answer = hub.post(
        SEND, hub.owner_token, {"to": {"device": device}, "content": content or {"title": "Open"}} | others)
    assert status == 202, answer
    return answer["id"]


def events(hub, one):
    """The events of a notification on its one way, such as "failed push_service 503 Shutdown"."""
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    assert len(trace["devices"]) == 1 and trace["devices"][0]["channel"] == "apns", trace
    return [" ".join(filter(None, (event["what"], event.get("code"), event.get("detail"))))
            for event in trace["devices"][0]["events"]]


def until(hub, one, last, seconds=15):
    """Waits for the last event of a notification: all of them."""
    return eventually(lambda: (found := events(hub, one))[-1] == last and found, seconds, what=f"{last}")


# Our own entry


@pytest.fixture
def both(make_hub, tmp_path):
    """A hub that sends, and one with an entry, at which an agent listens."""
    entry = Entry(make_hub)
    sender = make_hub("sender")
    device = entry.device()
    with Agent(tmp_path, entry.hub.url, secret=device["secret"]) as agent:
        agent.wait_told("connected")
        yield sender, entry, agent, device["device_token"]


def test_what_the_hub_sends_is_shown_where_another_hub_takes_it(both):
    sender, entry, agent, token = both
    add(sender, f"localhost:{entry.port}", entry.authority, provider=entry.provider)
    device = register(sender, token)
    one = send(sender, device, {
        "title": "Open", "body": "Ada has opened", "badge": 3, "sound": "default", "category": "sign", "thread": "door",
        "url": "/space", "actions": [{"id": "come", "title": "I am coming"}], "user_info": {"event": 42},
        "interruption_level": "time-sensitive"})
    shown = agent.wait_told("shown")["content"]
    own = shown.pop("user_info")
    assert shown == {
        "title": "Open", "body": "Ada has opened", "badge": 3, "sound": "default", "category": "sign",
        "thread": "door", "interruption_level": "time-sensitive"}
    assert own == {"event": 42, "eightbells": {
        "v": 1, "id": one, "version": 1, "url": "/space", "actions": [{"id": "come", "title": "I am coming"}]}}
    assert until(sender, one, "sent") == ["queued", "sent"]
    assert sender.get(DEVICES + "?all=1", token=sender.owner_token)[1][0]["channels"] == ["apns"]
    # A change comes in its place, and without a sound.
    assert sender.patch(f"{SEND}/{one}", sender.owner_token, {
        "content": {"title": "Closed", "sound": "default"}})[0] == 200
    changed = eventually(lambda: [line for line in agent.told("shown") if line["content"].get("title") == "Closed"])[0]
    assert "sound" not in changed["content"] and changed["content"]["interruption_level"] == "passive"
    # And it is taken back.
    assert sender.delete(f"{SEND}/{one}", sender.owner_token)[0] in (200, 204)
    assert until(sender, one, "withdrawn taken_back")
    told = eventually(lambda: [line for line in agent.lines if "withdraw" in json.dumps(line.get("content", {}))])
    assert told[0]["content"]["user_info"]["eightbells"]["withdraw"] is True


def test_one_push_is_sent_by_hand(make_hub, tmp_path):
    entry = Entry(make_hub)
    device = entry.device()
    file = tmp_path / "payload.json"
    file.write_text('{"aps": {"alert": {"title": "As it is"}, "mutable-content": 1}, "event": 42}')

    def send_one(token, *words):
        made = command(
            "apple", "send", token, "--team", TEAM, "--key-id", entry.provider["key_id"], "--key", entry.provider["p8"],
            "--topic", APP, "--host", f"localhost:{entry.port}", "--trust", entry.authority, *words)
        return made.returncode, json.loads(made.stdout or "{}"), made.stderr

    with Agent(tmp_path, entry.hub.url, secret=device["secret"]) as agent:
        agent.wait_told("connected")
        status, told, _ = send_one(device["device_token"], "--file", file)
        assert status == 0 and (told["status"], told["reason"]) == (200, None)
        assert agent.wait_told("shown")["content"] == {
            "title": "As it is", "mutable": True, "user_info": {"event": 42}}
        assert send_one(device["device_token"], "--title", "Hello", "--body", "You")[0] == 0
        shown = eventually(lambda: [one for one in agent.told("shown") if one["content"]["title"] == "Hello"])
        assert shown[0]["content"]["body"] == "You"
    status, told, words = send_one("ab" * 32, "--title", "x")
    assert (status, told["status"], told["reason"]) == (1, 400, "BadDeviceToken") and "BadDeviceToken" in words
    for wrong in (["xyz", "--title", "x"], ["ab" * 32], ["ab" * 32, "--title", "x", "--priority", "now"]):
        assert send_one(*wrong)[0] == 2, wrong


def test_a_certificate_serves_too_also_as_p12_with_a_passphrase(both, tmp_path):
    sender, entry, agent, token = both
    made = entry.make("certificate")
    packed = tmp_path / "push.p12"
    # As macOS writes them.
    subprocess.run(
        ["openssl", "pkcs12", "-export", "-legacy", "-in", made["pem"], "-inkey", made["pem"], "-out", packed,
         "-passout", "pass:ahoy"], check=True, capture_output=True)
    (tmp_path / "words").write_text("ahoy\n")
    wrong = command("apple", "add", "--data", sender.data, "--team", TEAM, "--certificate", packed)
    assert wrong.returncode != 0 and "passphrase" in wrong.stderr
    (tmp_path / "all.pem").write_bytes(bytes(65 << 10))
    long = command("apple", "add", "--data", sender.data, "--team", TEAM, "--certificate", tmp_path / "all.pem")
    assert long.returncode == 1 and "more than 64 KB" in long.stderr
    added = add(sender, f"localhost:{entry.port}", entry.authority, "--team", TEAM, "--certificate", packed,
                "--passphrase-file", tmp_path / "words")
    assert added["expires_at"] and "key" not in json.dumps(added)
    one = send(sender, register(sender, token))
    agent.wait_told("shown")
    assert until(sender, one, "sent") == ["queued", "sent"]
    listed = command("apple", "list", "--data", sender.data).stdout
    assert "certificate until" in listed and APP in listed
    assert command("apple", "delete", added["id"], "--data", sender.data).returncode == 0
    assert until(sender, send(sender, "1"), f"failed apple_key_missing {APP}, production")


def test_a_device_that_is_gone_at_the_service_is_removed(both):
    sender, entry, _, token = both
    add(sender, f"localhost:{entry.port}", entry.authority, provider=entry.provider)
    device = register(sender, token)
    assert until(sender, send(sender, device), "sent")
    assert command("device", "delete", "1", "--data", entry.hub.data).returncode == 0
    assert until(sender, send(sender, device), "gone app_gone")
    assert sender.get(DEVICES + "?all=1", token=sender.owner_token)[1] == []


# A service that behaves badly


@pytest.fixture
def apple(tmp_path):
    with AppleService(tmp_path / "apple") as apple:
        yield apple


@pytest.fixture
def sending(apple, hub, tmp_path):
    """A hub that sends to the double, and a registered device."""
    made = json.loads(command("provider", "create", "--data", hub.data, "--team", TEAM, "--topic", APP).stdout)
    add(hub, apple.host, apple.certificate.certificate, provider=made)
    return hub, register(hub)


def test_the_fields_and_the_payload_are_those_of_apple(apple, sending):
    hub, device = sending
    now = time.time()
    one = send(hub, device, {"title": "Open", "attachments": [
        {"id": "door", "url": "https://hub.example/door.jpg", "type": "image/jpeg"}]}, collapse_id="sign",
        expires_at=None)
    assert until(hub, one, "sent")
    push = apple.pushes[0]
    fields = push.fields
    assert (fields[":method"], fields[":path"]) == ("POST", f"/3/device/{TOKEN}")
    assert fields["apns-topic"] == APP and fields["apns-push-type"] == "alert" and fields["apns-priority"] == "10"
    assert fields["apns-collapse-id"] == "sign" and int(fields["apns-expiration"]) > now
    token = fields["authorization"].removeprefix("bearer ")
    head, claims = jwt.get_unverified_header(token), jwt.decode(token, options={"verify_signature": False})
    assert head["alg"] == "ES256" and claims["iss"] == TEAM and abs(claims["iat"] - now) < 10
    assert push.payload["aps"]["alert"] == {"title": "Open"} and push.payload["aps"]["mutable-content"] == 1
    assert push.payload["eightbells"]["attachments"][0]["id"] == "door"
    silent = send(hub, device, {"silent": True, "user_info": {"sync": 1}})
    assert until(hub, silent, "sent")
    push = apple.pushes[1]
    assert push.fields["apns-push-type"] == "background" and push.fields["apns-priority"] == "5"
    assert push.payload["aps"] == {"content-available": 1} and push.payload["sync"] == 1
    assert push.fields["authorization"] == fields["authorization"] and push.connection == 0


def test_the_apps_of_a_key_share_one_connection_and_one_token(apple, hub):
    other = "org.example.other"
    made = json.loads(command("provider", "create", "--data", hub.data, "--team", TEAM, "--topic", APP).stdout)
    add(hub, apple.host, apple.certificate.certificate, "--topic", other, provider=made)
    devices = [register(hub), register(hub, "cd" * 32, topic=other)]
    for device in devices * 2:
        assert until(hub, send(hub, device), "sent") == ["queued", "sent"]
    assert [push.fields["apns-topic"] for push in apple.pushes] == [APP, other] * 2
    assert {push.connection for push in apple.pushes} == {0}
    assert len({push.fields["authorization"] for push in apple.pushes}) == 1


def test_a_text_that_is_too_long_is_shortened(apple, sending):
    hub, device = sending
    one = send(hub, device, {"title": "Long", "body": "ä" * 3_900, "localized": {"de": {"body": "ö" * 3_900}}})
    assert until(hub, one, "sent cut")
    payload = apple.pushes[0].payload
    assert len(json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()) <= 4_096
    assert len(payload["aps"]["alert"]["body"]) > 800 and payload["eightbells"]["cut"] is True


def test_one_stream_at_a_time_is_kept_to(apple, sending):
    hub, first = sending
    apple.streams = 1
    # The first answer comes when all others wait.
    apple.plan = [lambda talk, push: (time.sleep(1), Reply()(talk, push))]
    devices = [first] + [register(hub, f"{number:064x}") for number in range(1, 8)]
    ones = [send(hub, device) for device in devices]
    for one in ones:
        assert until(hub, one, "sent") == ["queued", "sent"]
    assert [talk.most_open for talk in apple.talks] == [1]


def test_only_what_was_not_processed_is_sent_again_at_once(apple, sending):
    hub, first = sending
    second = register(hub, "cd" * 32)
    # The second of two streams is above the last one that GOAWAY names; the first one is answered.
    apple.plan = [hang, farewell(1, None, then=lambda talk, _: Reply()(talk, apple.pushes[0]))]
    one = send(hub, first)
    eventually(lambda: apple.pushes)
    other = send(hub, second)
    assert until(hub, other, "sent") == ["queued", "sent"]
    assert until(hub, one, "sent") == ["queued", "sent"]
    assert [push.connection for push in apple.pushes] == [0, 0, 1]
    assert apple.pushes[1].fields["apns-id"] == apple.pushes[2].fields["apns-id"]


@pytest.mark.waits
def test_a_second_farewell_leaves_it_to_a_later_attempt(apple, sending):
    hub, device = sending
    apple.plan = [farewell(0, "Shutdown"), farewell(0, "Shutdown")]
    one = send(hub, device)
    found = until(hub, one, "sent", 30)
    assert found[0] == "queued" and found[-1] == "sent" and len(found) == 3
    assert found[1].startswith("failed unreachable") and "Shutdown" in found[1]
    assert [push.connection for push in apple.pushes] == [0, 1, 2]


@pytest.mark.waits
def test_what_was_not_answered_is_said_and_not_repeated_blindly(apple, sending):
    hub, device = sending
    apple.plan = [cut, farewell(1, "Shutdown")]
    one = send(hub, device)
    found = until(hub, one, "sent", 40)
    assert [event.split()[0:2] for event in found[:3]] == [
        ["queued"], ["failed", "unanswered"], ["failed", "unanswered"]]
    assert "Shutdown" in found[2]
    # The same one again: with the same ids it takes the place of the first.
    assert len({push.fields["apns-id"] for push in apple.pushes}) == 1 and len(apple.pushes) == 3
    assert len({push.fields["apns-collapse-id"] for push in apple.pushes}) == 1
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]["devices"][0]["events"][1]
    assert "may have got it" in trace["reason"] and "vielleicht" in trace["localized"]["de"]


def test_a_refused_stream_is_sent_again_at_once(apple, sending):
    hub, device = sending
    apple.plan = [reset]
    assert until(hub, send(hub, device), "sent") == ["queued", "sent"]


@pytest.mark.waits
def test_a_busy_service_is_asked_again_later(apple, sending):
    hub, device = sending
    apple.plan = [Reply(429, "TooManyRequests"), Reply(503, "ServiceUnavailable")]
    found = until(hub, send(hub, device), "sent", 40)
    assert found == ["queued", "failed push_service 429 TooManyRequests",
                     "failed push_service 503 ServiceUnavailable", "sent"]


def test_what_apple_refuses_is_not_repeated_and_the_doctor_says_why(apple, sending):
    hub, device = sending
    reason = "DeviceTokenNotForTopic"
    apple.plan = [Reply(400, reason)]
    assert until(hub, send(hub, device), f"failed push_service 400 {reason}")
    said = command("doctor", "--data", hub.data).stdout
    assert reason in said and APP in said
    # The next one that is taken shows that all is well.
    assert until(hub, send(hub, device), "sent")
    assert reason not in command("doctor", "--data", hub.data).stdout


@pytest.mark.waits
def test_an_expired_token_is_renewed_once(apple, sending):
    hub, device = sending
    apple.plan = [Reply(403, "ExpiredProviderToken")]
    assert until(hub, send(hub, device), "sent") == ["queued", "sent"]
    tokens = [push.fields["authorization"] for push in apple.pushes]
    assert len(set(tokens)) == 2
    # Not a second time: the clock is wrong. What waits is sent when it is right.
    apple.plan = [Reply(403, "ExpiredProviderToken")] * 9
    one = send(hub, device)
    assert until(hub, one, "failed push_service 403 ExpiredProviderToken")
    assert "clock" in command("doctor", "--data", hub.data).stdout
    apple.plan = []
    assert until(hub, one, "sent", 40)


@pytest.mark.waits
def test_410_removes_the_device_unless_it_has_registered_since(apple, sending):
    hub, device = sending
    apple.plan = [Reply(410, "Unregistered", timestamp=int((time.time() - 3_600) * 1_000))]
    found = until(hub, send(hub, device), "sent", 30)
    assert found == ["queued", "failed push_service 410 Unregistered", "sent"]
    apple.plan = [Reply(410, "Unregistered", timestamp=int((time.time() + 1) * 1_000))]
    assert until(hub, send(hub, device), "gone app_gone")
    assert hub.get(DEVICES + "?all=1", token=hub.owner_token)[1] == []


@pytest.mark.waits
def test_a_service_that_hangs_is_not_waited_for_for_ever(apple, sending):
    hub, device = sending
    apple.plan = [hang]
    found = until(hub, send(hub, device), "sent", 60)
    assert found[1].startswith("failed unanswered no answer within 30 s") and len(apple.pushes) == 2


def test_the_hub_does_not_wait_for_answers_when_it_ends(apple, sending):
    hub, device = sending
    apple.plan = [hang]
    one = send(hub, device)
    eventually(lambda: apple.pushes)
    since = time.monotonic()
    assert hub.stop() == 0 and time.monotonic() - since < 5
    hub.start()
    assert until(hub, one, "sent")
    assert apple.pushes[0].fields["apns-id"] == apple.pushes[1].fields["apns-id"]


# Registration and commands


def test_a_registration_is_ones_own_and_idempotent(hub):
    ada, eve = hub.sign_in("member", "Ada"), hub.sign_in("member", "Eve")
    device = register(hub, owner=ada)
    path = f"/api/v1/devices/{device}/apns"
    wish = {"token": TOKEN.upper(), "topic": APP, "environment": "sandbox"}
    for _ in range(2):
        assert hub.put(path, ada, wish)[0] == 204
    assert hub.put(path, eve, wish)[0] == 404 and hub.delete(path, eve)[0] == 404
    assert hub.put(path, None, wish)[0] == 401
    for wrong in ({"token": "xyz"}, {"token": ""}, {"token": "ab" * 101}, {"topic": "a b"}, {"environment": "moon"},
                  {"more": 1}):
        assert hub.put(path, ada, wish | wrong)[0] == 400, wrong
    # The same app as another device takes its registration along.
    other = register(hub, owner=eve, environment="sandbox")
    channels = {one["id"]: one["channels"] for one in hub.get(DEVICES + "?all=1", token=hub.owner_token)[1]}
    assert channels == {device: ["gateway"], other: ["apns"]}
    assert hub.delete(f"/api/v1/devices/{other}/apns", eve)[0] == 204
    assert hub.delete(f"/api/v1/devices/{other}/apns", eve)[0] == 204
    assert hub.get(DEVICES, token=eve)[1][0]["channels"] == ["gateway"]


def test_the_doctor_says_what_does_not_fit(hub, tmp_path):
    device = register(hub)
    one = send(hub, device)
    assert until(hub, one, f"failed apple_key_missing {APP}, production")
    said = command("doctor", "--data", hub.data).stdout
    assert "no key for this app" in said and "apple add" in said
    made = json.loads(command("provider", "create", "--data", hub.data, "--team", TEAM, "--topic", APP).stdout)
    trust = make_certificate(tmp_path / "trust").certificate
    add(hub, "localhost:1", trust, "--sandbox", provider=made)
    said = command("doctor", "--data", hub.data).stdout
    assert "is for sandbox" in said
    add(hub, "localhost:1", trust, provider=made)
    found = until(hub, send(hub, device), "failed unreachable it cannot be reached: Connection refused")
    assert found[0] == "queued"
    eventually(lambda: "sending to localhost fails since" in command("doctor", "--data", hub.data).stdout)


def test_a_certificate_that_ends_soon_is_warned_of(make_hub):
    entry = Entry(make_hub)
    soon = entry.make("certificate", "--days", "20")
    add(entry.hub, "localhost:1", entry.authority, "--team", TEAM, "--certificate", soon["pem"])
    assert "its certificate ends on" in command("doctor", "--data", entry.hub.data).stdout


def test_owners_are_told_of_an_end_and_of_a_refusal_once(make_hub, apple):
    entry = Entry(make_hub)
    hub, olga = entry.hub, entry.hub.sign_in("owner", "Olga")

    def told():
        return sorted(item["content"]["title"] for item in hub.get("/api/v1/bells", token=olga)[1]["items"])

    entry.make("certificate", "--days", "40")
    soon = entry.make("certificate", "--days", "20")
    first = [f"Push sender {soon['name']}"]
    eventually(lambda: told() == first)
    add(hub, "localhost:1", entry.authority, "--team", TEAM, "--certificate", soon["pem"])
    both = sorted([*first, "Apple's certificate 1"])
    eventually(lambda: told() == both)
    command("apple", "delete", "1", "--data", hub.data)
    add(hub, apple.host, apple.certificate.certificate, provider=entry.provider)
    device = register(hub)
    apple.plan = [Reply(403, "InvalidProviderToken")] * 9
    assert until(hub, send(hub, device), "failed push_service 403 InvalidProviderToken")
    all_three = sorted([*both, f"Apple's key {entry.provider['key_id']}"])
    for topic in ("coffee", "tea"):
        command("topic", "create", topic, "--data", hub.data)  # has the hub look now
        eventually(lambda: told() == all_three)


def test_what_cannot_be_a_key_is_refused(hub):
    for words, said in [
            ([], "--key"), (["--key", "none.p8", "--key-id", "ABCDEFGHIJ"], "no such file"),
            (["--certificate", "/dev/null"], "neither PEM nor PKCS #12"),
            (["--key", "/dev/null", "--key-id", "7"], "--key-id"),
            (["--key", "/dev/null", "--key-id", "ABCDEFGHIJ"], "P-256"),
            (["--certificate", "/dev/null", "--key", "/dev/null"], "one of them")]:
        made = command("apple", "add", "--data", hub.data, "--team", TEAM, "--topic", APP, *words)
        assert made.returncode != 0 and said in made.stderr, made.stderr
    assert "no key from Apple yet" in command("apple", "list", "--data", hub.data).stdout
    assert command("apple", "delete", "7", "--data", hub.data).returncode != 0
