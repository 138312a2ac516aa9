"""Topics in ntfy's manner, for tests: making them, publishing, and what there is to read."""

import json

from hub import command


def topic(hub, name, *options):
    """Makes a topic with the command beside the hub."""
    made = command("topic", "create", name, *options, "--data", hub.data)
    assert made.returncode == 0, made.stderr
    return name


def publish(hub, path, body="", method="POST", token="owner", **fields):
    """Publishes; the answer's status and JSON. `fields` are header fields, with _ for -."""
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    if token:
        headers["Authorization"] = f"Bearer {hub.owner_token if token == 'owner' else token}"
    answer = hub.request(method, path, headers, body.encode() if isinstance(body, str) else body)
    assert answer.headers["Content-Type"] == "application/json", answer.body
    return answer.status, answer.json


def poll(hub, path, token="owner", query="poll=1"):
    """The messages that there are."""
    headers = {"Authorization": f"Bearer {hub.owner_token if token == 'owner' else token}"} if token else {}
    answer = hub.request("GET", f"{path}/json?{query}", headers)
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == "application/x-ndjson; charset=utf-8"
    return [json.loads(line) for line in answer.body.splitlines()]
