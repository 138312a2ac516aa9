"""Webhooks to other programs, and hooks at which other programs post."""

import gzip
import json
import re
import subprocess
import time
import urllib.parse

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from hub import BINARY, ROOT, clean_environment, command, eventually
from ntfy import poll
from webhook_receiver import WebhookReceiver

SEND = "/api/v1/notifications"
WEBHOOKS = "/api/v1/bells/webhooks"
HOOKS = "/api/v1/bells/hooks"
FIXTURES = ROOT / "Tests/Fixtures/hooks"
# Networks that the commands may reach, as the hub of the tests may.
LISTED = {"EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.0/8"}


@pytest.fixture
def receiver():
    with WebhookReceiver() as receiver:
        yield receiver


@pytest.fixture
def bells(hub):
    """A hub with a topic."""
    made = hub.command("topic", "create", "coffee", "--name", "Coffee")
    assert made.returncode == 0, made.stderr
    return hub


def make(hub, url, **others):
    status, answer = hub.post(
        WEBHOOKS, hub.owner_token, {"name": "screen", "url": url, "topics": ["coffee"]} | others)
    assert status == 201, answer
    return answer


def send(hub, content=None, **others):
    status, answer = hub.post(
        SEND, hub.owner_token, {"to": {"topic": "coffee"}, "content": content or {"title": "A fresh pot"}} | others)
    assert status == 202, answer
    return answer["id"]


def events(hub, one):
    """What became of a notification on its one way, such as "failed webhook_answer 503"."""
    trace = hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]
    assert len(trace["devices"]) == 1, trace
    device = trace["devices"][0]
    assert device["channel"] == "webhook" and device["name"] == "screen"
    return [
        " ".join(filter(None, (event["what"], event.get("code"), event.get("detail")))) for event in device["events"]]


def hook(hub, template, **others):
    """Makes a hook; returns the path of its address and its id."""
    status, answer = hub.post(
        HOOKS, hub.owner_token, {"name": "GitHub", "to": {"topic": "coffee"}, "template": template} | others)
    assert status == 201, answer
    assert answer["url"].startswith(f"{hub.url}/api/v1/hooks/")
    return answer["url"].removeprefix(hub.url), answer["id"]


def post(hub, path, body, headers=None):
    body = body if isinstance(body, (bytes, str)) else json.dumps(body)
    answer = hub.request("POST", path, {"Content-Type": "application/json"} | (headers or {}), body)
    return answer.status, answer.json


def content(hub, one):
    return hub.get(f"{SEND}/{one}", token=hub.owner_token)[1]


# Webhooks


def test_a_notification_is_posted_and_somebody_elses_library_believes_it(bells, receiver):
    made = make(bells, f"{receiver.url}/hook?key=1")
    one = send(bells, {"title": "A fresh pot", "body": "Mit Löffel", "later": [1]}, collapse_id="pot")
    posted = receiver.wait(1)[0]
    assert posted.path == "/hook?key=1" and posted.fields["content-type"] == "application/json"
    checked = Webhook(made["secret"]).verify(posted.body, posted.fields)
    assert checked["type"] == "notification" and checked["data"]["id"] == one and checked["data"]["version"] == 1
    assert checked["data"]["content"] == {"title": "A fresh pot", "body": "Mit Löffel", "later": [1]}
    assert (checked["data"]["topic"], checked["data"]["collapse_id"]) == ("coffee", "pot")
    assert checked["text"] == "A fresh pot\nMit Löffel", "for chats"
    for changed in ({"webhook-id": "msg_1_1"}, {"webhook-timestamp": str(int(time.time()) + 1)}):
        with pytest.raises(WebhookVerificationError):
            Webhook(made["secret"]).verify(posted.body, posted.fields | changed)
    eventually(lambda: events(bells, one) == ["queued", "sent", "delivered"])
    listed = bells.get(WEBHOOKS, token=bells.owner_token)[1]
    assert listed == [listed[0] | {"id": made["id"], "state": "active", "topics": ["coffee"]}]
    assert made["secret"] not in json.dumps(listed)
    assert bells.get("/api/v1/bells/devices?all=1", token=bells.owner_token)[1] == []
    assert 'eightbells_bells_webhooks_sent_total 1' in bells.get("/metrics", token=bells.owner_token)[1]


def test_a_change_and_a_withdrawal_follow(bells, receiver):
    make(bells, receiver.url + "/")
    one = send(bells)
    receiver.wait(1)
    eventually(lambda: events(bells, one)[-1] == "delivered")
    assert bells.patch(f"{SEND}/{one}", bells.owner_token, {"content": {"body": "half"}})[0] == 200
    second = receiver.wait(2)[1]
    assert second.json["data"]["version"] == 2 and second.json["data"]["content"]["body"] == "half"
    assert second.fields["webhook-id"] == f"msg_{one}_2"
    eventually(lambda: events(bells, one).count("delivered") == 2)
    assert bells.delete(f"{SEND}/{one}", bells.owner_token)[0] == 204
    third = receiver.wait(3)[2].json
    assert (third["type"], third["data"]["reason"]) == ("notification.withdrawn", "taken_back")
    assert third["text"] == second.json["text"].split("\n")[0] + ": taken back by its sender"
    eventually(lambda: events(bells, one)[-1] == "withdrawn taken_back")


@pytest.mark.waits
def test_what_was_refused_is_posted_again_after_a_pause_also_by_the_next_hub(bells, receiver):
    receiver.answers = [(503, {"Retry-After": "1"}), (302, {"Location": f"{receiver.url}/elsewhere"}), (200, {})]
    secret = make(bells, receiver.url + "/")["secret"]
    one = send(bells)
    receiver.wait(1)
    eventually(lambda: events(bells, one) == ["queued", "failed webhook_answer 503"])
    bells.kill()
    bells.start()
    posted = receiver.wait(3, seconds=40)
    eventually(lambda: events(bells, one)[-1] == "delivered")
    assert "failed webhook_answer 302" in events(bells, one)
    assert {each.path for each in posted} == {"/"}, "a redirect was followed"
    assert len({each.fields["webhook-id"] for each in posted}) == 1
    times = [int(each.fields["webhook-timestamp"]) for each in posted]
    assert times == sorted(times) and times[0] < times[-1]
    for each in posted:
        Webhook(secret).verify(each.body, each.fields)


def test_a_server_that_wants_no_more_gets_none_and_owners_are_told(bells, receiver):
    ada = bells.sign_in("owner", "Ada")
    receiver.answers = [(410, {})]
    made = make(bells, receiver.url + "/")
    one = send(bells)
    eventually(lambda: events(bells, one) == ["queued", "gone webhook_gone"])
    assert bells.get(WEBHOOKS, token=bells.owner_token)[1][0]["state"] == "ended"

    def notices():
        items = bells.get("/api/v1/bells", headers=ada)[1]["items"]
        return [item["content"] for item in items if item["content"]["title"] == "Webhook screen"]

    told = eventually(notices)
    assert len(told) == 1 and "wants no more" in told[0]["body"]
    assert "möchte keine" in told[0]["localized"]["de"]["body"]
    again = send(bells)
    assert bells.get(f"{SEND}/{again}", token=bells.owner_token)[1]["devices"] == []
    assert len(receiver.posted) == 1
    # A test after its server was looked after lets it have all again.
    receiver.answers = [(204, {})]
    assert bells.post(f"{WEBHOOKS}/{made['id']}/test", bells.owner_token, {})[0] == 202
    receiver.wait(2)
    eventually(lambda: bells.get(WEBHOOKS, token=bells.owner_token)[1][0]["state"] == "active")
    send(bells)
    receiver.wait(3)
    assert bells.delete(f"{WEBHOOKS}/{made['id']}", bells.owner_token)[0] == 204


def test_webhooks_and_hooks_are_for_owners(bells, receiver):
    member = bells.sign_in("member", "Ben")
    limited = bells.command(
        "token", "create", "--name", "limited", "--role", "owner", "--topic", "coffee").stdout.strip()
    wishes = {
        WEBHOOKS: {"name": "screen", "url": receiver.url + "/", "topics": ["coffee"]},
        HOOKS: {"name": "GitHub", "to": {"topic": "coffee"}, "template": {"title": "x"}}}
    for path, wish in wishes.items():
        for who, expected in ((None, 401), (member, 403), (limited, 403), (bells.keykeeper_token, 403)):
            assert bells.post(path, who, wish)[0] == expected, (path, who)
            assert bells.delete(f"{path}/1", who)[0] == expected, (path, who)
            headers = who if isinstance(who, dict) else None
            assert bells.get(path, headers=headers, token=None if headers else who)[0] == expected, (path, who)
    assert bells.get(WEBHOOKS, token=bells.owner_token)[1] == []
    assert bells.delete(f"{WEBHOOKS}/1", bells.owner_token) == (404, {
        "code": 40416, "error": "There is no webhook 1.", "help": "GET /api/v1/bells/webhooks lists those there are."})
    wrong = {"name": "screen", "url": receiver.url + "/", "topics": ["nix"]}
    assert bells.post(WEBHOOKS, bells.owner_token, wrong)[1]["code"] == 40411
    for topics in ([], ["A B"], "coffee", [1]):
        assert bells.post(WEBHOOKS, bells.owner_token, wrong | {"topics": topics})[0] == 400, topics


def test_webhooks_by_commands(bells, receiver):
    def run(*words):
        done = command(*words, "--data", bells.data, env=LISTED)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    made = json.loads(
        run("webhook", "create", "--name", "screen", "--url", receiver.url + "/", "--topic", "coffee"))
    tested = json.loads(run("webhook", "test", made["id"]))
    posted = receiver.wait(1)[0]
    Webhook(made["secret"]).verify(posted.body, posted.fields)
    assert posted.json["data"]["id"] == tested["id"] and posted.json["data"]["content"]["title"] == "It rings"
    assert bells.post(f"{WEBHOOKS}/{made['id']}/test", bells.owner_token, {})[0] == 202
    receiver.wait(2)
    assert [one["name"] for one in json.loads(run("webhook", "list"))] == ["screen"]
    assert run("webhook", "delete", made["id"]) == "Removed screen."
    assert json.loads(run("webhook", "list")) == []
    gone = command("webhook", "delete", made["id"], "--data", bells.data)
    assert gone.returncode == 1 and "There is no webhook" in gone.stderr
    refused = command("webhook", "create", "--name", "x", "--url", "http://10.0.0.1/", "--topic", "coffee",
                      "--data", bells.data)
    assert refused.returncode != 0 and "url: " in refused.stderr


# Hooks


def test_json_becomes_a_notification(bells):
    path, made = hook(bells, {"title": "{{a.b[1].c}}!", "body": "{{missing}}", "url": "{{link}}", "thread": "x"})
    status, answer = post(bells, path, {"a": {"b": [0, {"c": "Löffel"}]}, "link": "javascript:alert(1)"})
    assert status == 202
    one = content(bells, answer["id"])
    assert one["content"] == {"title": "Löffel!", "thread": "x", "sound": "default"}
    assert (one["topic"], one["sender"], one["sender_name"]) == ("coffee", f"guest bells {made}", "GitHub")
    assert content(bells, post(bells, path, [])[1]["id"])["content"] == one["content"] | {"title": "!"}
    large = post(bells, path, '{"a": {"b": [0, {"c": "y"}]}, "hash": 18446744073709551615}')
    assert large[0] == 202, "a number that the template does not name loses nothing"
    listed = bells.get(HOOKS, token=bells.owner_token)[1]
    assert listed[0]["id"] == made and listed[0]["to"] == {"topic": "coffee"} and listed[0]["used_at"]
    assert path.rsplit("/", 1)[1] not in json.dumps(listed)
    assert bells.delete(f"{HOOKS}/{made}", bells.owner_token)[0] == 204
    assert post(bells, path, {})[1]["code"] == 40417
    assert content(bells, answer["id"])["sender_name"] is None


def test_json_may_come_in_a_form_as_github_sends_it_at_first(bells):
    path, _ = hook(bells, {"title": "{{a}}"})
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    status, answer = post(bells, path, urllib.parse.urlencode({"payload": '{"a": "Löffel & more"}'}), form)
    assert status == 202 and content(bells, answer["id"])["content"]["title"] == "Löffel & more"
    # curl -d names this type, too.
    status, answer = post(bells, path, '{"a": "payload=1&b"}', form)
    assert status == 202 and content(bells, answer["id"])["content"]["title"] == "payload=1&b"


def test_a_hook_rings_the_others_when_one_of_its_recipients_is_gone(bells):
    agents = [bells.post("/api/v1/bells/devices", bells.owner_token, {"name": name})[1]["id"] for name in ("a", "b")]
    path, _ = hook(bells, {"title": "{{n}}"}, to=[{"device": one} for one in agents])
    assert bells.delete(f"/api/v1/bells/devices/{agents[0]}", bells.owner_token)[0] == 204
    status, answer = post(bells, path, {"n": 1})
    assert status == 202
    assert [one["device"] for one in content(bells, answer["id"])["devices"]] == [agents[1]]
    assert bells.delete(f"/api/v1/bells/devices/{agents[1]}", bells.owner_token)[0] == 204
    assert post(bells, path, {"n": 2})[0] == 404


def test_a_topic_that_is_gone_has_nothing_of_a_hook_when_it_is_made_anew(bells):
    agent = bells.post("/api/v1/bells/devices", bells.owner_token, {"name": "a"})[1]["id"]
    assert bells.command("topic", "create", "tea").returncode == 0
    path, _ = hook(bells, {"title": "{{n}}"}, to=[{"device": agent}, {"topic": "tea"}])
    assert post(bells, path, {"n": 1})[0] == 202
    assert [each["message"] for each in poll(bells, "/tea")] == ["1"]
    assert bells.command("topic", "delete", "tea").returncode == 0
    assert post(bells, path, {"n": 2})[0] == 202
    assert bells.command("topic", "create", "tea").returncode == 0
    assert not [each for each in poll(bells, "/tea") if "2" in (each.get("title"), each.get("message"))]


def test_a_sender_with_credentials_of_its_own_is_not_taken_for_somebody_who_guesses(bells):
    path, _ = hook(bells, {"title": "{{n}}"})
    for credentials in ("Basic eDp5", "Bearer its-own"):
        assert post(bells, path, {"n": 1}, {"Authorization": credentials})[0] == 202
    assert path.rsplit("/", 1)[1] not in bells.log and "an unknown token was used" not in bells.log


def test_what_comes_again_rings_once(bells):
    path, _ = hook(bells, {"title": "{{n}}"})
    other, _ = hook(bells, {"title": "{{n}}"})
    for field in ("webhook-id", "X-GitHub-Delivery", "Idempotency-Key"):
        headers = {field: f"7d9f-{field}"}
        first = post(bells, path, {"n": 1}, headers)
        assert first == post(bells, path, {"n": 1}, headers) and first[0] == 202
        assert post(bells, path, {"n": 2}, headers)[0] == 409
        assert post(bells, other, {"n": 1}, headers)[1]["id"] != first[1]["id"]
    long = {"webhook-id": "x" * 300}
    assert post(bells, path, {"n": 3}, long)[1]["id"] != post(bells, path, {"n": 3}, long)[1]["id"]


# Limits on how often somebody may ask count at each hub.
@pytest.mark.one_hub
def test_what_is_no_json_or_too_large_or_too_much_is_refused(bells):
    path, _ = hook(bells, {"title": "{{n}}"})
    assert post(bells, path, "payload=%7B%7D")[1]["code"] == 40002
    assert post(bells, path, b'""', {"Content-Length": f"{(1 << 20) + 1}"})[0] == 413
    assert post(bells, path, json.dumps("x" * ((1 << 20) - 2)))[0] == 202
    assert post(bells, "/api/v1/hooks/" + "a" * 32, {})[1]["code"] == 40417
    unread = post(bells, "/api/v1/hooks/" + "a" * 32, b'""', {"Content-Length": "99999"})
    assert unread[1]["code"] == 40417, "a stranger's body is not read"
    answers = [post(bells, path, {"n": number}) for number in range(40)]
    assert [status for status, _ in answers[:28]] == [202] * 28
    assert answers[-1][0] == 429 and answers[-1][1]["code"] == 42902
    other, _ = hook(bells, {"title": "{{n}}"})
    assert post(bells, other, {"n": 1})[0] == 202
    packed = post(bells, other, gzip.compress(b"{}"), {"Content-Encoding": "gzip"})
    assert packed[0] == 400 and packed[1]["error"] == "The body is packed (gzip)."


def test_what_is_wrong_is_said_when_a_hook_is_made(bells):
    whole = {"name": "GitHub", "to": {"topic": "coffee"}, "template": {"title": "x"}}
    for wish, field in (({"template": {"title": "{{"}}, "template.title"), ({"template": "x"}, "template"),
                        ({"to": {"nobody": "1"}}, "to"), ({"to": []}, "to"), ({"name": ""}, "name"),
                        ({"more": 1}, "more")):
        status, answer = bells.post(HOOKS, bells.owner_token, whole | wish)
        assert (status, answer["code"]) == (400, 40003) and f"{field}: " in answer["error"], answer
    assert bells.post(HOOKS, bells.owner_token, whole | {"to": {"topic": "nix"}})[1]["code"] == 40411


def test_the_samples_of_the_documentation(bells):
    """Docs/webhooks.md: its commands work as they stand, and what they post becomes what stands below them."""
    text = (ROOT / "Docs/webhooks.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    expected = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", text, re.M | re.S)]
    expected = [one for one in expected if "title" in one]
    named = {path.name for path in FIXTURES.iterdir()}
    assert named == set(re.findall(r"[a-z-]+\.json", text)) == {
        "github-push.json", "github-issues.json", "github-workflow-run.json", "home-assistant-notify.json",
        "home-assistant-state.json"}
    folder = bells.data.parent / "reader"
    folder.mkdir()
    (folder / "data").symlink_to(bells.data)
    for path in FIXTURES.iterdir():
        (folder / path.name).symlink_to(path)
    script = f"""set -e -o pipefail
curl() {{ command curl -s --fail-with-body --max-time 20 "$@"; echo; }}
eightbells() {{ '{BINARY}' "$@"; }}
""" + "".join(blocks)
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=clean_environment(), capture_output=True, text=True, timeout=60,
        check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    items = bells.get(SEND, token=bells.owner_token)[1]["items"]
    assert [item["content"] for item in reversed(items)] == expected and len(expected) == 5
