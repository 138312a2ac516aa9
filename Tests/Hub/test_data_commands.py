"""What commands of the hub itself print: for people in lines, for programs as JSON."""

import json

import pytest

from hub import command


def told(*words):
    done = command(*words)
    assert done.returncode == 0, done
    return done.stdout


def test_tokens_are_listed_with_their_last_use_and_without_themselves(make_hub):
    hub = make_hub()
    owner = hub.owner_token
    made = json.loads(told("token", "create", "--data", hub.data, "--name", "door", "--role", "sensor", "--json"))
    assert (made["name"], made["role"], made["topics"]) == ("door", "sensor", None)
    told("topic", "create", "builds", "--data", hub.data)
    bell = told("token", "create", "--data", hub.data, "--name", "CI", "--role", "reader", "--topic", "builds").strip()
    assert hub.get("/api/v1/session", token=bell)[0] == 200
    tokens = json.loads(told("token", "list", "--data", hub.data, "--json"))
    assert tokens == hub.get("/api/v1/tokens", token=owner)[1], "as the hub tells it"
    lines = told("token", "list", "--data", hub.data)
    first, second = [line for line in lines.splitlines() if ": sensor" in line or ": reader" in line][:2]
    assert first.split("  ", 1)[1].startswith("CI: reader (sends to builds alone), ")
    assert second.split("  ", 1)[1] == "door: sensor, never used"
    assert made["token"] not in lines and bell not in lines and len(lines.splitlines()) == len(tokens)


def test_people_are_listed_as_the_hub_tells_its_owners(make_hub):
    hub = make_hub()
    empty = make_hub("empty")
    assert f"`eightbells link --data {empty.data} --role owner`" in told("people", "list", "--data", empty.data)
    refused = command("link", "--data", hub.data, "--role", "member", "--hub", "hub.example")
    assert refused.returncode == 2 and "http://HOST:PORT" in refused.stderr
    link = json.loads(told("link", "--data", hub.data, "--role", "keykeeper", "--name", "Kim", "--json"))
    assert link["url"].startswith("http") and len(link["code"]) == 9 and link["role"] == "keykeeper"
    assert (link["name"], link["role_before"]) == ("Kim", None)
    assert hub.post("/api/v1/session", None, {"code": link["code"]})[0] == 200
    people = json.loads(told("people", "list", "--data", hub.data, "--json"))
    assert people == hub.get("/api/v1/people", token=hub.owner_token)[1]
    (line,) = told("people", "list", "--data", hub.data).splitlines()
    assert line.startswith(f"{people[0]['id']}  Kim: keykeeper, 1 device, last seen 20") and line.endswith(" UTC")


def test_health_doctor_and_the_store_speak_json(make_hub, tmp_path):
    hub = make_hub()
    assert json.loads(told("health", "--hub", hub.url, "--json"))["status"] == "ok"
    findings = json.loads(command("doctor", "--data", hub.data, "--listen", f"127.0.0.1:{hub.port}", "--json").stdout)
    assert {"settings", "data folder", "database"} <= {one["subject"] for one in findings}
    assert {one["verdict"] for one in findings} <= {"ok", "warning", "problem"}
    assert all(bool(one["remedy"]) == (one["verdict"] != "ok") for one in findings)
    found = json.loads(told("store", "verify", "--data", hub.data, "--json"))
    assert found["findings"] == [] and found["verified"] == found["total"]
    kept = json.loads(told("backup", tmp_path / "all.tar", "--data", hub.data, "--json"))
    again = json.loads(told("restore", tmp_path / "all.tar", "--data", tmp_path / "again", "--json"))
    assert kept == again and kept["files"] > 0 and kept["damage"] == []


@pytest.mark.parametrize("words", [["status"], ["open", "--message", "Tea"], ["close"]])
def test_the_sign_as_json_is_what_the_hub_answers(hub_with_space, words):
    hub = hub_with_space
    token = ["--token", hub.keykeeper_token] if words != ["status"] else []
    sign = json.loads(told("space", *words, "--hub", hub.url, *token, "--json"))
    now = hub.state()
    assert {name: sign[name] for name in ("open", "message", "turn")} == {
        name: now[name] for name in ("open", "message", "turn")}
