"""The entry for senders to Apple's push service: its rules over the wire, its providers and its certificates."""

import json
import pathlib
import re
import signal
import time
import uuid

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from agent import Agent
from apns import APP, PAYLOAD, TEAM, Entry, why
from bell_device import device_at, make_device
from certificates import make_certificate
from http2 import DATA, END_HEADERS, END_STREAM, HEADERS, frame, headers
from hub import command, eventually
from traces import happened

OTHER = "org.example.other"


@pytest.fixture
def entry(make_hub):
    return Entry(make_hub)


def test_a_push_rings_the_device_of_its_token(entry, tmp_path):
    device = entry.device()
    with Agent(tmp_path, entry.hub.url, secret=device["secret"]) as agent:
        agent.wait_told("connected")
        sent = str(uuid.uuid4())
        payload = {"aps": {"alert": {"title": "Open", "body": "Ada has opened"}, "thread-id": "door", "badge": 2,
                           "mutable-content": 1}, "event": {"id": 42}}
        answer = entry.push(device["device_token"], payload, id=sent)
        assert (answer.status_code, answer.content, answer.headers["apns-id"]) == (200, b"", sent)
        shown = agent.wait_told("shown")
        assert shown["content"] == {
            "title": "Open", "body": "Ada has opened", "thread": "door", "badge": 2, "mutable": True,
            "user_info": {"event": {"id": 42}}}
        # The same push sent again, as by a sender that had no answer, rings once.
        assert entry.push(device["device_token"], payload, id=sent).status_code == 200
        assert why(entry.push(device["device_token"], {"aps": {"alert": "next"}})) == (200, None)
        agent.wait_told("shown", content={"body": "next"})
        assert len(agent.told("shown")) == 2
    listed = entry.hub.get("/api/v1/notifications", token=entry.hub.owner_token)[1]["items"]
    assert {(one["sender"], one["sender_name"]) for one in listed} == {
        (f"provider {entry.provider['key_id']}", entry.provider["key_id"])}


def test_a_push_gives_no_orders_to_an_agent(entry):
    made = entry.device()
    payload = {"aps": {"content-available": 1}, "clock": {"on": True, "volume": 100, "now": True}}
    with device_at(entry.hub, made["secret"]) as device:
        assert why(entry.push(made["device_token"], payload, push_type="background", priority=5)) == (200, None)
        content = device.show()["content"]
    assert content["silent"] is True and list(content["user_info"]) == ["payload"]
    assert json.loads(content["user_info"]["payload"]) == payload, "nothing of it is lost"


@pytest.mark.parametrize("fields, status, reason", [
    ({"id": "7"}, 400, "BadMessageId"), ({"collapse_id": "ö" * 32}, 200, None),
    ({"topic": OTHER}, 400, "TopicDisallowed"), ({"topic": f"{APP}.voip", "push_type": "voip"}, 200, None),
    ({"token": None}, 403, "MissingProviderToken"), ({"token": "a.b.c"}, 403, "InvalidProviderToken"),
    ({"payload": b"{"}, 400, "PayloadEmpty"), ({"payload": b"x" * 50_000}, 413, "PayloadTooLarge"),
])
def test_what_breaks_a_rule_is_refused_with_its_reason_and_its_id(shared, fields, status, reason):
    entry, device = shared
    sent = str(uuid.uuid4())
    answer = entry.push(device["device_token"], **({"id": sent} | fields))
    assert why(answer) == (status, reason)
    returned = answer.headers["apns-id"]
    assert returned == sent if fields.get("id", sent) == sent else re.fullmatch(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-.{12}",
                                                                               returned)


def test_a_body_that_is_far_too_large_is_not_waited_for(shared):
    entry, device = shared

    def refused():
        try:
            return why(entry.push(device["device_token"], b"x" * 100_000))
        except httpx.LocalProtocolError:  # the answer came while the client was still sending, which httpx cannot do
            return None

    assert eventually(refused) == (413, "PayloadTooLarge")


@pytest.fixture(scope="module")
def shared(tmp_path_factory, hub_class):
    """One hub for many refusals."""
    hubs = []

    def make(**options):
        hubs.append(hub_class(tmp_path_factory.mktemp("apns") / "data", **options))
        return hubs[-1].start()

    entry = Entry(make)
    yield entry, entry.device()
    hubs[0].kill()


@pytest.mark.parametrize("method, path, status, reason", [
    ("GET", "/3/device/{}", 405, "MethodNotAllowed"), ("POST", "/2/device/{}", 404, "BadPath"),
    ("POST", "/3/device/" + "ab" * 32, 400, "BadDeviceToken"),
])
def test_paths_and_methods_have_reasons_too(shared, method, path, status, reason):
    entry, device = shared
    fields = {"apns-topic": APP, "authorization": f"bearer {entry.token()}"}
    with entry.sender() as client:
        answer = client.request(method, path.format(device["device_token"]), headers=fields,
                                content=None if method == "GET" else json.dumps(PAYLOAD))
    assert why(answer) == (status, reason) and len(answer.headers["apns-id"]) == 36


def test_a_reason_comes_in_one_frame_that_ends_the_stream(shared):
    """aioapns takes every DATA frame for a whole answer; it names its host in `host`, as it does here."""
    entry, device = shared
    token = entry.token()

    def fields(*more):
        return [(":method", "POST"), (":scheme", "https"), (":path", f"/3/device/{device['device_token']}"),
                ("host", "api.push.apple.com"), ("authorization", f"bearer {token}"), *more]

    with entry.target().open() as wire:
        wire.send(headers(1, *fields(), flags=END_HEADERS), frame(DATA, END_STREAM, 1, b"{}"))
        head, _ = wire.until(HEADERS)
        assert dict(wire.fields(head))[":status"] == "400" and not head.flags & END_STREAM
        data, between = wire.until(DATA, stream=1)
        assert (json.loads(data.payload), data.flags & END_STREAM) == ({"reason": "MissingTopic"}, END_STREAM)
        assert not between
        topic = ("apns-topic", APP)
        wire.send(headers(3, *fields(topic, topic), flags=END_HEADERS), frame(DATA, END_STREAM, 3, b"{}"))
        status, _, body = wire.answer(3)
        assert (status, json.loads(body)) == (400, {"reason": "DuplicateHeaders"})
        payload = json.dumps(PAYLOAD).encode()
        wire.send(headers(5, *fields(topic), flags=END_HEADERS), frame(DATA, END_STREAM, 5, payload))
        status, found, body = wire.answer(5)
        assert (status, body) == (200, b"") and dict(found)["apns-id"]


def test_providers_show_who_they_are(shared):
    entry, device = shared
    with entry.sender() as client:
        answer = entry.push(device["device_token"], client=client, token=entry.token(iss="OTHER12345"))
        assert why(answer) == (403, "InvalidProviderToken")
        answer = entry.push(device["device_token"], client=client, token=entry.token(age=61 * 60))
        assert why(answer) == (403, "ExpiredProviderToken")
    assert entry.push(device["device_token"], token=entry.token(age=59 * 60)).status_code == 200


def test_one_connection_has_one_team_and_renews_its_token_seldom(shared):
    entry, device = shared
    other = entry.make("create", team="OTHER12345")
    with entry.sender() as client:
        def push(token):
            return why(entry.push(device["device_token"], client=client, token=token))

        old = entry.token(age=25 * 60)
        assert push(old) == push(old) == (200, None)
        assert push(entry.token(other)) == (403, "UnrelatedKeyIdInToken")
        assert push(entry.token(age=10 * 60)) == (429, "TooManyProviderTokenUpdates")
        new = entry.token()
        assert push(new) == push(new) == (200, None)
    # Each new connection begins with a token of its own.
    assert why(entry.push(device["device_token"], token=entry.token(other))) == (200, None)


def test_the_token_of_a_device_that_registered_again_is_gone(entry):
    device = entry.device()
    assert why(entry.push(device["device_token"])) == (200, None)
    path = f"/api/v1/bells/devices/{device['id']}/secret"
    again = entry.hub.put(path, entry.hub.owner_token, {})[1]
    assert why(entry.push(device["device_token"])) == (410, "Unregistered")
    assert why(entry.push(again["device_token"])) == (200, None), "its app is still the same"


def test_a_removed_device_is_gone_from_then_on_and_a_new_one_is_not(entry):
    device = entry.device()
    token = device["device_token"]
    assert why(entry.push(token)) == (200, None)
    before = time.time()
    assert command("device", "delete", device["id"], "--data", entry.hub.data).returncode == 0
    answer = entry.push(token)
    assert why(answer) == (410, "Unregistered")
    stamp = answer.json()["timestamp"]
    assert isinstance(stamp, int) and before - 1 <= stamp / 1000 <= time.time()
    again = entry.device()
    assert again["device_token"] != token and why(entry.push(again["device_token"])) == (200, None)
    entry.hub.stop()
    entry.hub.start()
    assert entry.push(token).json() == {"reason": "Unregistered", "timestamp": stamp}


def test_a_token_belongs_to_one_app_or_to_any(entry):
    entry.provider = entry.make("create", topics=(APP, OTHER))
    device = entry.device()
    assert why(entry.push(device["device_token"], topic=OTHER)) == (400, "DeviceTokenNotForTopic")
    assert why(entry.push(device["device_token"], topic=f"{OTHER}.voip")) == (400, "DeviceTokenNotForTopic")
    assert why(entry.push(device["device_token"], topic=f"{APP}.voip")) == (200, None)
    free = make_device(entry.hub, "free")
    assert why(entry.push(free["device_token"], topic=OTHER)) == (200, None)
    listed = json.loads(command("device", "list", "--json", "--data", entry.hub.data).stdout)
    assert {one["name"]: one["app"] for one in listed} == {"phone": APP, "free": None}
    bad = command("device", "create", "--data", entry.hub.data, "--name", "x", "--app", "a b")
    assert bad.returncode == 2 and "a bundle id is accepted" in bad.stderr


def test_the_hub_keeps_the_public_half_of_a_key_alone(entry):
    made = entry.provider
    p8 = pathlib.Path(made["p8"])
    assert set(made) == {"team", "key_id", "topics", "p8"} and p8.stat().st_mode & 0o777 == 0o600
    assert re.fullmatch("[A-Z0-9]{10}", made["key_id"])
    key = serialization.load_pem_private_key(p8.read_bytes(), None)
    secret = key.private_numbers().private_value.to_bytes(32, "big")
    p8.rename(entry.hub.data.parent / "moved.p8")
    entry.hub.stop()
    for path in entry.hub.data.rglob("*"):
        assert path.is_dir() or secret not in path.read_bytes(), path


def test_a_removed_provider_may_not_send_any_more(entry):
    device = entry.device()
    with entry.sender() as client:
        token = entry.token()
        assert why(entry.push(device["device_token"], client=client, token=token)) == (200, None)
        listed = command("provider", "list", "--data", entry.hub.data).stdout
        assert entry.provider["key_id"] in listed and APP in listed and TEAM in listed
        gone = command("provider", "delete", entry.provider["key_id"], "--data", entry.hub.data)
        assert gone.returncode == 0, gone.stderr
        # The command knocks; the hub forgets the provider a moment later.
        eventually(lambda: why(entry.push(device["device_token"], client=client, token=token)) == (
            403, "InvalidProviderToken"), 5)
    again = command("provider", "delete", entry.provider["key_id"], "--data", entry.hub.data)
    assert again.returncode == 1 and "There is no provider" in again.stderr
    for words in (["--team", "SHORT", "--topic", APP], ["--team", TEAM], ["--team", TEAM, "--topic", "a b"]):
        refused = command("provider", "create", "--data", entry.hub.data, *words)
        assert refused.returncode == 2 and "accepted" in refused.stderr


def test_a_certificate_shows_who_sends_and_to_which_app(entry, tmp_path):
    device = entry.device()
    made = entry.make("certificate")
    pem = pathlib.Path(made["pem"])
    assert pem.stat().st_mode & 0o777 == 0o600 and made["expires_at"] > "2026"
    with entry.sender(certificate=pem) as client:
        def push(**options):
            return why(entry.push(device["device_token"], client=client, token=None, **options))

        # It is for one app, which needs no name then.
        assert push() == push(topic=None) == (200, None)
        assert push(topic=OTHER) == (400, "TopicDisallowed")
        assert push(topic=None, push_type="voip") == (200, None)
    foreign = make_certificate(tmp_path / "foreign")
    joined = tmp_path / "joined.pem"
    joined.write_bytes(foreign.certificate.read_bytes() + foreign.key.read_bytes())
    with entry.sender(certificate=joined) as client:
        assert why(entry.push(device["device_token"], client=client, token=None)) == (403, "BadCertificate")
        # A token is a proof of its own.
        assert why(entry.push(device["device_token"], client=client)) == (200, None)
    assert command("provider", "delete", made["name"], "--data", entry.hub.data).returncode == 0
    with entry.sender(certificate=pem) as client:
        eventually(lambda: why(entry.push(device["device_token"], client=client, token=None)) == (
            403, "BadCertificate"), 5)


def test_the_doctor_warns_before_a_certificate_ends(entry):
    entry.make("certificate", "--days", "40")
    entry.hub.stop()
    told = command("doctor", "--data", entry.hub.data).stdout
    assert "2 programs may send in the manner of APNs" in told
    entry.hub.start()
    made = entry.make("certificate", "--days", "29")
    entry.hub.stop()
    told = command("doctor", "--data", entry.hub.data).stdout
    assert re.search(rf"warning\s+provider {made['name']}\s+its certificate ends on \S+, in 2[89] days", told)
    assert f"eightbells provider delete {made['name']}" in told


def test_keys_are_for_the_hubs_user_alone_and_the_authority_stays(entry):
    folder = entry.authority.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {
        name: 0o600 for name in ("authority.key", "authority.pem", "server.key", "server.pem")}
    before = entry.authority.read_bytes()
    assert b"PRIVATE" not in before
    entry.hub.stop()
    entry.hub.start()
    assert entry.authority.read_bytes() == before
    assert why(entry.push(entry.device()["device_token"])) == (200, None)
    entry.hub.stop()
    (folder / "authority.key").write_text("spoilt")
    refused = command("serve", "--data", entry.hub.data, "--listen", "127.0.0.1:0", "--apns-listen", "127.0.0.1:0")
    assert refused.returncode == 1 and "authority.key is damaged" in refused.stderr


def test_the_hubs_own_certificate_serves_this_port_too(make_hub, tmp_path):
    certificate = make_certificate(tmp_path / "certificates")
    entry = Entry(make_hub, certificate=certificate)
    assert entry.hub.line("Their senders must trust") is None
    assert why(entry.push(entry.device()["device_token"])) == (200, None)
    made = entry.make("certificate")
    with entry.sender(certificate=made["pem"]) as client:
        answer = entry.push(entry.device("other")["device_token"], client=client, token=None)
        assert why(answer) == (200, None)


def test_a_renewed_certificate_is_read_again_on_this_port_too(make_hub, tmp_path):
    entry = Entry(make_hub, certificate=make_certificate(tmp_path / "old"))
    old, new = entry.hub.certificate, make_certificate(tmp_path / "new")
    token, proof = entry.device()["device_token"], entry.token()
    with entry.sender() as client:
        assert why(entry.push(token, client=client, token=proof)) == (200, None)
        for before, after in ((old.certificate, new.certificate), (old.key, new.key)):
            before.write_bytes(after.read_bytes())
        entry.hub.process.send_signal(signal.SIGHUP)

        def is_new():
            try:
                return why(entry.push(token)) == (200, None)
            except httpx.ConnectError:
                return False

        eventually(is_new)
        # Connections that were open go on.
        assert why(entry.push(token, client=client, token=proof)) == (200, None)


def test_the_hubs_certificate_is_for_all_names_that_it_is_given(make_hub):
    entry = Entry(make_hub, options=["--apns-names", "push.example, 192.0.2.7", "--public-url", "https://hub.example"])
    made = x509.load_pem_x509_certificate((entry.authority.parent / "server.pem").read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {"localhost", "push.example", "hub.example"} <= set(names.get_values_for_type(x509.DNSName))
    assert {"127.0.0.1", "::1", "192.0.2.7"} == set(map(str, names.get_values_for_type(x509.IPAddress)))
    with httpx.Client(http2=True, verify=entry.context(), base_url=f"https://127.0.0.1:{entry.port}") as client:
        assert why(entry.push(entry.device()["device_token"], client=client)) == (200, None)


def test_a_port_that_is_taken_ends_the_start(entry):
    refused = command("serve", "--data", entry.hub.data.parent / "other", "--listen", "127.0.0.1:0",
                      "--apns-listen", f"127.0.0.1:{entry.port}")
    assert refused.returncode == 1 and f"127.0.0.1:{entry.port}" in refused.stderr
    wrong = command("serve", "--data", entry.hub.data.parent / "other", "--apns-listen", "here")
    assert wrong.returncode == 2 and "HOST:PORT" in wrong.stderr


def test_an_expiration_ends_the_delivery_and_leaves_what_is_shown(entry):
    present, away = entry.device(), entry.device("away")
    with device_at(entry.hub, present["secret"]) as device:
        for token in (present["device_token"], away["device_token"]):
            assert entry.push(token, {"aps": {"alert": "short"}}, expiration=int(time.time()) + 2).status_code == 200
        assert device.show()["content"] == {"body": "short"}
        shown = device.shown[0]

        items = entry.hub.get("/api/v1/notifications", token=entry.hub.owner_token)[1]["items"]
        missed = next(one["id"] for one in items if one["id"] != shown)
        eventually(lambda: happened(entry.hub, missed)[-1] == "expired", 15, what="the delivery to end")
        assert device.is_silent()
        assert not {"withdrawn", "expired"} & set(happened(entry.hub, shown))
    with device_at(entry.hub, away["secret"]) as device:
        assert device.is_silent()


def test_the_hub_ends_at_once_beside_an_open_connection(entry):
    with entry.sender() as client:
        assert why(entry.push(entry.device()["device_token"], client=client)) == (200, None)
        since = time.monotonic()
        assert entry.hub.stop() == 0
        assert time.monotonic() - since < 5
        with pytest.raises(httpx.HTTPError):
            entry.push("ab" * 32, client=client)
