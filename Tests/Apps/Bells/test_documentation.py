"""Docs/notifications.md, notifications-api.md, notification-views.md and apns.md: their commands work as they stand."""

import json
import pathlib
import re
import subprocess
import sys

from agent import AGENT
from apns import TEAM, Entry
from hub import BINARY, ROOT, clean_environment, command
from png import png


def test_every_command_of_the_documentation_works(hub):
    text = (ROOT / "Docs/notifications-api.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    assert len(blocks) > 5
    newest = 'ID=$(eightbells push list --data data | head -1 | cut -d" " -f1)\n'
    script = f"""set -e -o pipefail
curl() {{ command curl -s --fail-with-body --max-time 20 "$@"; echo; }}
eightbells() {{ '{BINARY}' "$@"; }}
"""
    script += newest.join(blocks).replace("HUB=http://127.0.0.1:8080", f"HUB={hub.url}")
    folder = hub.data.parent / "reader"
    folder.mkdir()
    (folder / "data").symlink_to(hub.data)
    (folder / "pot.png").write_bytes(png(40, 30))
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=clean_environment(), capture_output=True, text=True, timeout=60,
        check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    items = hub.get("/api/v1/notifications", token=hub.owner_token)[1]["items"]
    assert len(items) == 6 and {item["topic"] for item in items} == {"coffee"}, items
    assert "queued" not in done.stderr and "Taken back" in done.stdout


def test_every_command_for_private_messages_works(hub):
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "Docs/private-messages.md").read_text(), re.M | re.S)
    *blocks, opened = blocks
    assert len(blocks) == 2 and opened.startswith("eightbells agent key open "), "which test_private_messages.py does"
    script = f"""set -e -o pipefail
eightbells() {{ '{BINARY}' "$@"; }}
eightbells topic create coffee --data data
{"".join(blocks)}
eightbells agent key list --state boat
eightbells agent key list --state boat --json
"""
    folder = hub.data.parent / "reader"
    folder.mkdir()
    (folder / "data").symlink_to(hub.data)
    (folder / "pot.png").write_bytes(png(40, 30))
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=clean_environment(HUB=hub.url), capture_output=True, text=True,
        timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [item] = hub.get("/api/v1/notifications", token=hub.owner_token)[1]["items"]
    assert item["content"]["title"] == "Something about the coffee"
    key, (line, told) = item["content"]["sealed"]["key"], done.stdout.splitlines()[-2:]
    assert line == f"{key}  current" and json.loads(told) == [{"id": key, "state": "current"}]


def test_every_command_for_views_works(hub):
    block, = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "Docs/notification-views.md").read_text(), re.M | re.S)
    hub.sign_in()
    script = f"set -e\neightbells() {{ '{BINARY}' \"$@\"; }}\n{block}".replace("--data data", f"--data '{hub.data}'")
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=clean_environment(), capture_output=True, text=True, timeout=60,
        check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"name":"star"' in done.stdout and "Removed star." in done.stdout


def test_the_tutorial_works_from_its_beginning_to_its_end(hub):
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "Docs/notifications.md").read_text(), re.M | re.S)
    assert len(blocks) > 10
    hub.sign_in()
    folder = hub.data.parent / "developer"
    folder.mkdir()
    (folder / "data").symlink_to(hub.data)
    (folder / "Docs").symlink_to(ROOT / "Docs")
    script = f"""set -e -o pipefail
trap 'kill $AGENT 2> /dev/null; cat told' EXIT
curl() {{ command curl -s --fail-with-body --max-time 20 "$@"; echo; }}
eightbells() {{ '{BINARY}' "$@"; }}
eightbells-agent() {{ exec '{AGENT}' "$@"; }}
""" + "".join(blocks).replace("HUB=http://127.0.0.1:8080", f"HUB={hub.url}")
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=clean_environment(), capture_output=True, text=True, timeout=120,
        check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [json.loads(line) for line in (folder / "told").read_text().splitlines()]
    shown = [line["content"].get("title") for line in told if line["what"] == "shown"]
    # One of them rings at half past seven.
    assert [title for title in shown if title != "Good morning"] == [
        "Notifications", "You are at the pier", "Breaking", "A new picture", "A first attachment", None], shown
    assert not [line for line in told if line["what"] in ("failed", "ignored", "refused")], told
    assert "acted" in done.stdout, "the trace says what was answered"


def test_every_command_for_apns_senders_works(make_hub):
    """As written, but for the port, and the ids that the commands have made."""
    entry = Entry(make_hub)
    text = (ROOT / "Docs/apns.md").read_text()
    text = text.partition("## To Apple's service")[0]
    serve, device, provider, certificate, by_hand = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    assert "--apns-listen" in serve
    folder = entry.hub.data.parent / "reader"
    folder.mkdir()
    (folder / "data").symlink_to(entry.hub.data)

    def run(script):
        done = subprocess.run(
            ["bash", "-c", f"""set -e -o pipefail
curl() {{ command curl -s --fail-with-body --max-time 20 "$@"; echo; }}
eightbells() {{ '{BINARY}' "$@"; }}
python3() {{ '{sys.executable}' "$@"; }}
{script}"""], cwd=folder, env=clean_environment(), capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    token = json.loads(run(device))["device_token"]
    made = json.loads(run(provider))
    assert json.loads(run(certificate))["pem"]
    told = json.loads(re.findall(r"^```json\n(.*?)^```$", text, re.M | re.S)[1])
    assert set(told) == set(made) and told["team"] == made["team"]
    by_hand = by_hand.replace(f"AuthKey_{told['key_id']}.p8", made["p8"]).replace(told["key_id"], made["key_id"])
    answer = run(f"DEVICE_TOKEN={token}\n" + by_hand.replace("localhost:2197", f"localhost:{entry.port}"))
    assert answer.startswith("HTTP/2 200") and "apns-id: " in answer


def test_every_command_for_sending_to_apple_works(make_hub):
    """As written; Apple's part, the certificate, is done in between."""
    entry = Entry(make_hub)
    text = (ROOT / "Docs/apns.md").read_text().partition("## To Apple's service")[2]
    key, request, certificate, register, here, by_hand = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    folder = entry.hub.data.parent / "reader"
    folder.mkdir()
    (folder / "data").symlink_to(entry.hub.data)
    (folder / "AuthKey_RCQ7PGCY6E.p8").write_bytes(pathlib.Path(entry.provider["p8"]).read_bytes())
    subject = "/UID=org.example.app/OU=TEAM123456/CN=Apple Push Services: org.example.app"
    sign = f"openssl req -x509 -key push.key -subj '{subject}' -days 395 -outform der -out aps.cer\n"
    answer = f"HUB={entry.hub.url}\n"
    cookie = entry.hub.sign_in("owner", "Ada")["Cookie"]
    register = register.replace("-b jar", f"-b '{cookie}'")
    by_hand = by_hand.replace("--key-id RCQ7PGCY6E", f"--key-id {entry.provider['key_id']}")
    by_hand = by_hand.replace("TEAM123456", TEAM).replace("localhost:2197", f"localhost:{entry.port}")
    device = entry.device()["device_token"]
    done = subprocess.run(
        ["bash", "-c", f"""set -e -o pipefail
curl() {{ command curl -s --fail-with-body --max-time 20 "$@"; }}
eightbells() {{ '{BINARY}' "$@"; }}
python3() {{ '{sys.executable}' "$@"; }}
{key}{request}{sign}{certificate}{answer}{register}{here}DEVICE_TOKEN={device}
{by_hand}"""], cwd=folder, env=clean_environment(),
        capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    sent = json.loads(done.stdout.splitlines()[-1])
    assert (sent["status"], sent["reason"]) == (200, None), sent
    listed = json.loads(command("apple", "list", "--json", "--data", entry.hub.data).stdout)
    assert [(one["team"], one["topics"], one["environment"]) for one in listed] == 3 * [
        ("TEAM123456", ["org.example.app"], "production")]
    assert "expires_at" in listed[1] and listed[2]["host"] == "localhost:2197"
    devices = entry.hub.get("/api/v1/bells/devices?all=1", token=entry.hub.owner_token)[1]
    iphone, = [one for one in devices if one["name"] == "Ada's iPhone"]
    assert iphone["channels"] == ["apns"] and iphone["person"], "it rings for somebody"
