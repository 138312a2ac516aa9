"""ntfy's clients, unmodified, against the real hub: curl, apprise and ntfpy."""

import asyncio
import contextlib
import json
import subprocess
import threading

import apprise
import ntfpy
import requests

from hub import eventually
from ntfy import poll, topic

SECONDS = 20


def curl(*words):
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", str(SECONDS), *words], capture_output=True, text=True,
        timeout=SECONDS + 5, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_curl_publishes_and_subscribes(hub):
    topic(hub, "coffee")
    listening = subprocess.Popen(
        ["curl", "--silent", "--no-buffer", "--max-time", str(SECONDS), "-u", f":{hub.owner_token}",
         f"{hub.url}/coffee/json"], stdout=subprocess.PIPE, text=True)
    try:
        assert json.loads(listening.stdout.readline())["event"] == "open"
        sent = json.loads(curl(
            "-u", f":{hub.owner_token}", "-H", "Title: Küche", "-H", "Tags: tada", "-d", "Es gibt Kaffee 😀",
            f"{hub.url}/coffee"))
        assert (sent["title"], sent["message"]) == ("Küche", "Es gibt Kaffee 😀")
        assert json.loads(listening.stdout.readline()) == sent
    finally:
        listening.kill()
        listening.communicate()
    # HTTP/2, too: publishing, and what there is.
    prior = ["--http2-prior-knowledge", "-H", f"Authorization: Bearer {hub.owner_token}"]
    again = json.loads(curl(*prior, "-X", "PUT", "-d", "again", f"{hub.url}/coffee"))
    lines = curl(*prior, f"{hub.url}/coffee/json?poll=1").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [sent["id"], again["id"]]


def test_apprise_notifies(hub):
    topic(hub, "coffee")
    sender = apprise.Apprise()
    assert sender.add(
        f"ntfy://{hub.owner_token}@127.0.0.1:{hub.port}/coffee?auth=token&priority=high&tags=warning&mode=private")
    assert sender.notify(title="Kitchen", body="There is coffee.", notify_type=apprise.NotifyType.WARNING)
    message = poll(hub, "/coffee")[0]
    assert (message["title"], message["message"], message["priority"]) == ("Kitchen", "There is coffee.", 4)
    assert "warning" in message["tags"]
    # With a password, as ntfy's users have it, and to several topics.
    topic(hub, "tea")
    sender = apprise.Apprise()
    assert sender.add(f"ntfy://ada:{hub.owner_token}@127.0.0.1:{hub.port}/coffee/tea?mode=private")
    assert sender.notify(body="both")
    assert [each["message"] for each in poll(hub, "/tea")] == ["both"]
    wrong = apprise.Apprise()
    assert wrong.add(f"ntfy://ada:wrong@127.0.0.1:{hub.port}/coffee?mode=private")
    assert not wrong.notify(body="refused")
    assert eventually(lambda: len(poll(hub, "/coffee")) == 2)


def test_ntfpy_publishes_and_subscribes(hub):
    topic(hub, "coffee")
    heard = []

    def listen():
        # It listens until the hub ends.
        with contextlib.suppress(requests.RequestException):
            asyncio.run(ntfpy.raw_subscribe(hub.url, "coffee", f"ada:{hub.owner_token}", heard.append))

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    user = ntfpy.NTFYUser("ada", hub.owner_token)
    client = ntfpy.NTFYClient(ntfpy.NTFYServer(hub.url), "coffee", user)

    def came():
        client.send("There is coffee.", title="Kitchen", priority=4, tags=["tada"])
        return heard

    message = eventually(came, SECONDS)[0]
    assert (message.message, message.title, message.priority) == ("There is coffee.", "Kitchen", 4)
