"""Private messages, end to end: what a sender seals, a device shows, and nothing of it is found anywhere in the hub."""

import base64
import json
import pathlib
import subprocess
import tarfile

import pytest
import seal
from agent import AGENT, Agent
from base64url import encoded
from bell_device import LATER
from hub import BINARY, clean_environment, command, eventually
from png import png
from traces import events

CANARY = "Kanarienvogel im Maschinenraum"
OTHER = "Wellensittich auf dem Achterdeck"
SEND = "/api/v1/notifications"


def agent_command(*words, input=None):
    """Runs the agent's program to its end, with some bytes on its standard input."""
    return subprocess.run(
        [AGENT, *map(str, words)], input=input, capture_output=True, env=clean_environment(), timeout=20, check=False)


class Sender:
    """Somebody who sends private messages to one agent from the command line."""

    def __init__(self, hub, folder):
        self.hub, self.keys = hub, folder / "keys.json"
        made = json.loads(command("device", "create", "--data", hub.data, "--name", "Boat").stdout)
        self.device = made["id"]
        (folder / "agent").mkdir()
        self.agent = Agent(folder / "agent", hub.url, secret=made["secret"])
        self.key = self.make("create")
        assert self.keys.stat().st_mode & 0o777 == 0o600

    def make(self, how):
        """Makes a key, and gives it to the agent, running or not."""
        made = command("key", how, "--key", self.keys, "--hub", self.hub.url)
        assert made.returncode == 0, made.stderr
        told = json.loads(made.stdout)
        added = agent_command("key", "add", "-", "--state", self.agent.state, input=told["link"].encode())
        assert added.returncode == 0, added.stderr
        return told

    def send(self, *words, ways=None):
        ways = ways or ("--data", self.hub.data)
        sent = command("push", "send", "--to", f"device:{self.device}", *ways, *words, "--encrypt", "--key", self.keys)
        return sent

    def sent(self, *words, **how):
        done = self.send(*words, **how)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture
def sender(hub, tmp_path):
    if not AGENT.exists():
        pytest.skip(f"{AGENT} is not there")
    folder = tmp_path / "sender"
    folder.mkdir()
    return Sender(hub, folder)


def shapes(text):
    """The bytes by which a text would be found: plain, in wide characters, in hexadecimal digits, and in base64
    wherever it begins."""
    raw = text.encode() if isinstance(text, str) else text
    wide = [text.encode("utf-16-le"), text.encode("utf-16-be")] if isinstance(text, str) else []
    found = [raw, *wide]
    for one in list(found):
        found += [one.hex().encode(), one.hex().upper().encode()]
        for shift in range(3):
            # The first and the last characters depend on what stands beside it.
            for encode in (base64.b64encode, base64.urlsafe_b64encode):
                found.append(encode(bytes(shift) + one)[4 if shift else 0:].rstrip(b"=")[:-2])
    return [one for one in found if len(one) >= 12]


def places(hub, folder):
    """All that the hub keeps and tells, by name: its folder's files, a backup's, its log, its metrics, its answers."""
    archive = folder / f"backup-{len(list(folder.glob('backup-*')))}.tar"
    made = command("backup", archive, "--data", hub.data)
    assert made.returncode == 0, made.stderr
    found = {"log": hub.log.encode(), "backup": archive.read_bytes()}
    unpacked = pathlib.Path(f"{archive}-unpacked")
    with tarfile.open(archive) as tar:
        tar.extractall(unpacked, filter="data")
    for root in (hub.data, unpacked):
        found |= {str(path.relative_to(folder)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    token = {"Authorization": f"Bearer {hub.owner_token}"}
    for path in ("/metrics", f"{SEND}?scheduled=1", SEND, "/api/v1/audit"):
        found[path] = hub.request("GET", path, token).body
    for one in json.loads(found[SEND])["items"]:
        found[f"trace {one['id']}"] = hub.request("GET", f"{SEND}/{one['id']}", token).body
    return found


def found_in(places, text):
    return sorted(name for name, data in places.items() if any(shape in data for shape in shapes(text)))


def test_a_canary_is_found_nowhere_but_on_the_device(sender, hub, tmp_path):
    picture = png(30, 20) + CANARY.encode() * 3000  # larger than what stands in the database
    (tmp_path / "door.png").write_bytes(picture)
    content = {"user_info": {"where": CANARY}, "url": "https://example.org/?q=" + CANARY.replace(" ", "+"),
               "localized": {"de": {"title": CANARY}}}
    (tmp_path / "content.json").write_text(json.dumps(content))
    words = ["--title", CANARY, "--body", f"Hört, hört: {CANARY}!", "--file", tmp_path / "content.json"]
    with sender.agent as agent:
        agent.wait_told("connected")
        first = sender.sent(*words, "--attach", tmp_path / "door.png")
        shown = agent.wait_told("shown", id=first)["content"]
        assert (shown["title"], shown["body"]) == (CANARY, f"Hört, hört: {CANARY}!")
        assert shown["user_info"] == {"where": CANARY} and "sealed" not in shown
        # Over the network as well, and what waits for its time, and one that takes the place of another.
        far = ("--hub", hub.url, "--token", hub.owner_token)
        second = sender.sent(*words, "--attach", tmp_path / "door.png", ways=far)
        assert agent.wait_told("shown", id=second)["content"]["title"] == CANARY
        sender.sent(*words, "--at", f"{LATER}T10:00:00Z")
        third = sender.sent(*words, "--collapse-id", "bird")
        agent.wait_told("shown", id=third)
        # The file is fetched as it is kept, and opened with what stands in the message.
        [entry] = shown["attachments"]
        sealed = tmp_path / "door.sealed"
        answer = hub.request("GET", entry["url"])
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/vnd.eightbells.sealed")
        sealed.write_bytes(answer.body)
        assert len(answer.body) % 16384 == 25 + 12 + 16, "its length tells little"
        opened = agent_command("key", "open", sealed, input=json.dumps(entry).encode())
        assert opened.returncode == 0 and opened.stdout == picture
        eventually(lambda: events(hub, third)[-1]["what"] == "shown")
        whole = places(hub, tmp_path)
        assert len([name for name in whole if "blobs/" in name]) >= 2, list(whole)
        assert found_in(whole, CANARY) == []
        # Neither is the key anywhere.
        link = sender.key["link"]
        key = base64.urlsafe_b64decode(link.split("#key=")[1] + "=")
        assert found_in(whole, key) == [] and found_in(whole, link.split("=", 1)[1]) == []
        state = {path.name: path.read_bytes() for path in agent.state.rglob("*") if path.is_file()}
        assert found_in(state, CANARY) == [] and found_in({"log": agent.log.encode()}, CANARY) == []

        # A canary without a cage is found: the search can fail.
        plain = command("push", "send", "--to", f"device:{sender.device}", "--data", hub.data, "--title", OTHER,
                        "--attach", tmp_path / "door.png")
        assert plain.returncode == 0, plain.stderr
        agent.wait_told("shown", id=plain.stdout.strip())
        whole = places(hub, tmp_path)
        assert any("eightbells.sqlite" in name for name in found_in(whole, OTHER)), found_in(whole, OTHER)
        assert any("backup" in name for name in found_in(whole, OTHER))
        assert any("blobs/" in name for name in found_in(whole, CANARY)), "the file that was not sealed"


def test_every_shape_of_a_text_would_be_found():
    for text in (CANARY, "Hört, hört!", bytes(range(32))):
        raw = text.encode() if isinstance(text, str) else text
        for before in range(4):
            padded = bytes(range(65, 65 + before)) + raw + b"after"
            for shape in (padded, base64.b64encode(padded), base64.urlsafe_b64encode(padded), padded.hex().encode()):
                assert found_in({"here": b"..." + shape + b"..."}, text) == ["here"], (text, before, shape)
    assert found_in({"here": CANARY.encode("utf-16-le")}, CANARY) == ["here"]
    assert found_in({"here": b"something else"}, CANARY) == []


def test_without_the_key_the_fallback_is_shown_and_the_trace_says_so(sender, hub):
    agent_command("key", "forget", sender.key["id"], "--state", sender.agent.state)
    with sender.agent as agent:
        agent.wait_told("connected")
        sent = sender.sent("--title", CANARY, "--fallback", "Something at the boat")
        shown = agent.wait_told("shown", id=sent)["content"]
        assert shown["title"] == "Something at the boat" and shown["sealed"]["key"] == sender.key["id"]
        last = eventually(lambda: [one for one in events(hub, sent) if one["what"] == "shown"])[0]
        assert last["code"] == "not_opened" and "konnte sie nicht öffnen" in last["localized"]["de"]
        usual = sender.sent("--title", CANARY)
        content = agent.wait_told("shown", id=usual)["content"]
        assert content["title"] == "A private message"
        assert content["localized"] == {"de": {"title": "Eine private Mitteilung"}}


def test_the_agents_command_gets_what_was_opened(sender, hub, tmp_path):
    sender.agent.words += ["--exec", f"cat >> {tmp_path}/got; echo yes"]
    actions = json.dumps({"actions": [{"id": "yes", "title": "Yes"}]})
    (tmp_path / "content.json").write_text(actions)
    with sender.agent as agent:
        agent.wait_told("connected")
        sent = sender.sent("--title", CANARY, "--file", tmp_path / "content.json")
        agent.wait_told("taken", id=sent, action="yes")
        line = json.loads((tmp_path / "got").read_text())
        assert line["content"]["title"] == CANARY and line["content"]["actions"][0]["id"] == "yes"
        eventually(lambda: events(hub, sent)[-1]["what"] == "acted")
        assert all("code" not in one for one in events(hub, sent))


def test_after_a_rotation_the_older_key_still_opens(sender, hub):
    content = {"title": OTHER}
    old = base64.urlsafe_b64decode(sender.key["link"].split("#key=")[1] + "=")
    new = sender.make("rotate")
    listed = command("key", "list", "--key", sender.keys).stdout.split()
    assert listed == [new["id"], "current", sender.key["id"], "older"]
    kept = agent_command("key", "list", "--state", sender.agent.state).stdout.decode().split()
    assert kept == listed
    with sender.agent as agent:
        agent.wait_told("connected")
        sent = sender.sent("--title", CANARY)
        assert agent.wait_told("shown", id=sent)["content"]["title"] == CANARY
        status, told = hub.post(SEND, hub.owner_token, {
            "to": {"device": sender.device}, "content": seal.seal(content, old)})
        assert status == 202, told
        assert agent.wait_told("shown", id=told["id"])["content"]["title"] == OTHER
        _, kept = hub.get(f"{SEND}/{sent}", token=hub.owner_token)
        assert kept["content"]["sealed"]["key"] == new["id"]


@pytest.mark.parametrize("is_far", [False, True])
def test_with_a_revoked_key_nothing_is_sent_any_more(sender, hub, is_far):
    old = base64.urlsafe_b64decode(sender.key["link"].split("#key=")[1] + "=")
    ways = ("--hub", hub.url, "--token", hub.owner_token) if is_far else ("--data", hub.data)
    copy = sender.keys.with_name("copy.json")
    command("key", "add", sender.key["link"], "--key", copy)
    revoked = command("key", "revoke", sender.key["id"], "--key", sender.keys, *ways)
    assert revoked.returncode == 0 and revoked.stdout.split() == ["Revoked:", sender.key["id"]], revoked.stderr
    assert sender.key["link"].split("=")[1] not in sender.keys.read_text()
    refused = sender.send("--title", CANARY, ways=ways)
    assert refused.returncode != 0 and "was revoked" in refused.stderr
    assert "was revoked" in command("key", "add", sender.key["link"], "--key", sender.keys).stderr
    # The hub refuses whoever has not heard of it.
    sender.keys = copy
    refused = sender.send("--title", CANARY, ways=ways)
    assert refused.returncode != 0 and sender.key["id"] in refused.stderr
    status, told = hub.post(SEND, hub.owner_token, {
        "to": {"device": sender.device}, "content": seal.seal({"title": CANARY}, old)})
    assert (status, told["code"]) == (409, 40914), told
    assert hub.get(SEND, token=hub.owner_token)[1]["items"] == []
    # Whoever does not have a key cannot revoke it.
    status, told = hub.post("/api/v1/bells/revoked-keys", hub.owner_token, {"proof": encoded(bytes(32))})
    assert status == 200 and told["id"] != sender.key["id"]
    for wrong in ({"proof": "abc"}, {"proof": sender.key["id"]}, {}, {"proof": "a b"}):
        assert hub.post("/api/v1/bells/revoked-keys", hub.owner_token, wrong)[0] == 400, wrong
    assert hub.post("/api/v1/bells/revoked-keys", None, {"proof": encoded(bytes(32))})[0] == 401


def test_what_cannot_be_sealed_is_said_and_not_sent(sender, hub, tmp_path):
    (tmp_path / "text.txt").write_text("no picture")
    (tmp_path / "film.png").write_bytes(png(8, 8) + bytes(10 << 20))
    long = "x" * 7000
    (tmp_path / "long.json").write_text(json.dumps({"user_info": {"a": long, "b": long}}))
    for words, said in [
        (["--title", "x", "--attach", tmp_path / "text.txt"], "is accepted"),
        (["--title", "x", "--attach", tmp_path / "film.png"], "10485760"),
        (["--title", "x", "--attach", tmp_path / "nothing.png"], "nothing.png"),
        (["--title", "x", "--file", tmp_path / "long.json"], "bytes"),
        (["--title", "x" * 1001], "title"),
    ]:
        refused = sender.send(*words)
        assert refused.returncode != 0 and said in refused.stderr, (words, refused.stderr)
    lonely = command("push", "send", "--to", f"device:{sender.device}", "--data", hub.data, "--title", "x",
                     "--fallback", "y")
    assert lonely.returncode == 2 and "--fallback needs --encrypt" in lonely.stderr
    none = command("push", "send", "--to", f"device:{sender.device}", "--data", hub.data, "--title", "x", "--encrypt",
                   "--key", tmp_path / "none.json")
    assert none.returncode == 1 and "eightbells key create" in none.stderr
    # A hub that is away is no mistake in the command line: a script may try again.
    (tmp_path / "door.png").write_bytes(png(8, 8))
    away = sender.send("--title", "x", "--attach", tmp_path / "door.png",
                       ways=("--hub", "http://127.0.0.1:9", "--token", "x"))
    assert away.returncode == 1 and "Cannot reach the hub" in away.stderr
    sender.keys.chmod(0o644)
    assert "644" in sender.send("--title", "x").stderr
    assert hub.get(SEND, token=hub.owner_token)[1]["items"] == []


def test_keys_have_a_place_of_their_own_without_an_option(hub, tmp_path):
    env = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": ""}
    made = json.loads(command("key", "create", env=env).stdout)
    assert made["file"] == str(tmp_path / ".config/eightbells/keys.json")
    assert made["link"].startswith("http://127.0.0.1:8080/bells#key=")
    again = command("key", "create", env=env)
    assert again.returncode == 1 and made["id"] in again.stderr
    assert command("key", "link", env=env).stdout.strip() == made["link"]
    assert command("key", "forget", made["id"], env=env).returncode == 0
    assert "no key yet" in command("key", "list", env=env).stdout
    for wrong in ("abc", "https://hub.example/bells#key=short"):
        refused = command("key", "add", wrong, env=env)
        assert refused.returncode == 1 and wrong not in refused.stderr, "a secret with a typo is not shown"
    agent = agent_command("key", "add", made["link"], "--state", tmp_path / "agent")
    assert agent.returncode == 0, agent.stderr
    assert (tmp_path / "agent/private-keys.json").stat().st_mode & 0o777 == 0o600
    assert made["id"] in agent_command("key", "list", "--state", tmp_path / "agent").stdout.decode()
    large = subprocess.run([BINARY, "agent", "key", "list", "--state", tmp_path / "agent"], capture_output=True,
                           env=clean_environment(), timeout=20, check=False)
    assert made["id"] in large.stdout.decode(), large.stderr


def test_an_extension_gets_what_was_opened(sender, hub, tmp_path):
    change = "import json, sys; told = json.load(sys.stdin)[\"content\"]; told[\"body\"] = told[\"title\"] + \"!\"; " \
        "print(json.dumps({\"content\": told}))"
    sender.agent.words += ["--extension", f"python3 -c '{change}'"]
    # A file is the extension's to name, not the sender's.
    attachment = {"id": "door", "url": "https://example.org/door.png"}
    (tmp_path / "content.json").write_text(
        json.dumps({"mutable": True, "attachments": [attachment | {"file": "/etc/passwd"}]}))
    with sender.agent as agent:
        agent.wait_told("connected")
        sent = sender.sent("--title", CANARY, "--file", tmp_path / "content.json")
        shown = agent.wait_told("shown", id=sent)["content"]
        assert (shown["title"], shown["body"]) == (CANARY, f"{CANARY}!") and "sealed" not in shown
        assert shown["attachments"] == [attachment]
        eventually(lambda: events(hub, sent)[-1]["what"] == "shown")
        assert all("code" not in one for one in events(hub, sent))


def test_a_preview_tells_the_hub_nothing_private(sender, hub):
    for ways in (("--data", hub.data), ("--hub", hub.url, "--token", hub.owner_token)):
        told = sender.sent("--title", CANARY, "--preview", "--fallback", "Something new", ways=ways)
        assert "Something new" in told and CANARY not in told
    assert hub.get(SEND, token=hub.owner_token)[1]["items"] == []


def test_the_vectors_are_those_of_the_implementation_that_made_them():
    assert seal.VECTORS.read_text() == seal.text()
