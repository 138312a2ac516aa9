"""Apps: the commands beside a running hub, the way through the docs, and quotas, with the real program."""

import json
import re
import subprocess

import pytest
from websockets.exceptions import ConnectionClosed

from hub import BINARY, ROOT, clean_environment
from live import connected, Listener

APPS = "/api/v1/apps"
SECRETS = {"secret", "master_key"}
NAMES = {"app_id", "key", "application_id", "rest_key"}


def run(hub, *words):
    done = hub.command("app", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def socket_url(hub, key):
    return hub.socket_url.replace("/app/eightbells", f"/app/{key}")


def test_an_app_is_made_and_ended_beside_the_running_hub_and_is_served_at_once(hub):
    made = json.loads(run(hub, "create", "--name", "Word game"))
    assert NAMES | SECRETS <= set(made) and re.fullmatch(r"\d+", made["app_id"])
    with connected(socket_url(hub, made["key"])) as socket:
        listener = Listener(socket)
        assert re.fullmatch(r"\d+\.\d+", listener.expect("pusher:connection_established")["socket_id"])
        listener.subscribe("lobby")
        answer = hub.post(f"{APPS}/{made['app_id']}/events", hub.owner_token,
                          {"name": "hello", "channel": "lobby", "data": {"text": "Ahoy"}})
        assert answer == (202, {})
        assert listener.expect("hello") == {"text": "Ahoy"}
        assert run(hub, "delete", made["app_id"]) == "Removed Word game.\n"
        with pytest.raises(ConnectionClosed) as end:
            while True:
                listener.next()
        assert end.value.rcvd.code == 4001


def test_what_is_shown_once_is_in_no_list_and_rotating_changes_it(make_hub):
    hub = make_hub()
    made = json.loads(run(hub, "create", "--name", "Word game", "--json"))
    listed = json.loads(run(hub, "list", "--json"))
    assert [one["app_id"] for one in listed] == [made["app_id"]]
    assert not SECRETS & set(listed[0]) and {name: listed[0][name] for name in NAMES} == {
        name: made[name] for name in NAMES}
    assert run(hub, "list") == f"{made['app_id']}  Word game: key {made['key']}\n"
    rotated = json.loads(run(hub, "rotate", made["app_id"]))
    assert all(rotated[name] != made[name] for name in SECRETS) and rotated["key"] == made["key"]
    assert rotated["old_secret_until"] > rotated["secret_shown_at"]
    assert json.loads(run(hub, "rotate", made["app_id"], "--now"))["old_secret_until"] is None
    texts = [text for text in (made["secret"], made["master_key"], rotated["secret"]) if text in hub.log]
    assert texts == [], "secrets are in no log"
    for words in (("create", "--name", " "), ("delete", "one"), ("rotate",)):
        assert hub.command("app", *words).returncode == 2, words
    missing = hub.command("app", "delete", "1")
    assert missing.returncode == 1 and "There is no app 1." in missing.stderr


# What all hubs have sent counts within a minute, and not at once.
@pytest.mark.one_hub
def test_an_app_over_its_quota_is_told_so_and_others_notice_nothing(hub):
    full, other = (json.loads(run(hub, "create", "--name", name)) for name in ("full", "other"))
    event = {"name": "hello", "channel": "lobby", "data": {}}
    path = f"{APPS}/{full['app_id']}"
    assert hub.patch(path, hub.owner_token, {"messages_a_day": 4})[0] == 200
    with connected(socket_url(hub, full["key"])) as socket, connected(socket_url(hub, other["key"])) as beside:
        listeners = [Listener(socket), Listener(beside)]
        for listener in listeners:
            listener.expect("pusher:connection_established")
            listener.subscribe("lobby")
        for _ in range(2):  # each counts once, and once for its receiver
            assert hub.post(f"{path}/events", hub.owner_token, event)[0] == 202
        with pytest.raises(ConnectionClosed) as end:
            while True:
                listeners[0].next()
        assert end.value.rcvd.code == 4004
        assert hub.get(path, token=hub.owner_token)[1]["over_quota"] is True
        status, answer = hub.post(f"{path}/events", hub.owner_token, event)
        assert (status, answer["code"]) == (409, 40982)
        assert hub.post(f"{APPS}/{other['app_id']}/events", hub.owner_token, event)[0] == 202
        listeners[1].expect("hello")
    assert hub.patch(path, hub.owner_token, {"messages_a_day": 0})[0] == 200
    with connected(socket_url(hub, full["key"])) as socket:
        Listener(socket).expect("pusher:connection_established")


def shell_blocks():
    """The commands of Docs/apps.md, one text for each block."""
    return re.findall(r"^```sh\n(.*?)^```$", (ROOT / "Docs/apps.md").read_text(), re.M | re.S)


def test_the_way_through_the_docs_leads_to_the_first_event(hub, tmp_path):
    serve, create, page, send = shell_blocks()[:4]
    assert serve.startswith("eightbells serve --data data --listen 127.0.0.1:8080")
    page = page.replace("python3 -m http.server 8000 --bind 127.0.0.1\n", "cat index.html\n")
    script = "\n".join([create, page]).replace("eightbells ", f"{BINARY} ").replace("--data data", f"--data {hub.data}")

    def shell(text):
        done = subprocess.run(["sh", "-eu", "-c", text.replace("127.0.0.1:8080", f"127.0.0.1:{hub.port}")],
                              cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
                              env=clean_environment())
        assert done.returncode == 0, done.stderr
        return done.stdout

    key = re.search(r"new Pusher\('(\w+)'", shell(script))[1]
    with connected(socket_url(hub, key)) as socket:
        listener = Listener(socket)
        listener.expect("pusher:connection_established")
        listener.subscribe("lobby")
        told = shell("\n".join([re.sub(r"(?m)^eightbells .*$", "", create), send]))
        assert told.strip() == "{}", told
        assert listener.expect("hello") == {"text": "Ahoy"}
