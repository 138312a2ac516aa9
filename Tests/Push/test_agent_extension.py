"""The agent's extension (--extension), which changes a notification before it is shown."""

import json
import re
import signal

import pytest
from agent import ACTIONS, Agent, run
from certificates import make_certificate
from hub import ROOT, eventually
from local_server import LocalServer, QuietHandler

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c4890000000d49444154789c6360000002000001e221bc33"
    "0000000049454e44ae426082".replace(" ", ""))


def script(folder, text):
    """An extension as a script, since the text of a command would be full of quotation marks."""
    path = folder / "extend.sh"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def python(folder, text):
    path = folder / "extend.py"
    path.write_text(f"#!/usr/bin/env python3\nimport json, os, signal, sys, time\n{text}\n")
    path.chmod(0o755)
    return str(path)


READ = "line = json.load(sys.stdin)\ncontent = line['content']\n"


def test_what_is_mutable_is_changed_before_it_is_shown_and_nothing_else_is(tmp_path, gateway):
    command = python(tmp_path, READ + f"""
open({str(tmp_path / 'got')!r}, 'a').write(json.dumps(line | {{'variable': os.environ['EIGHTBELLS_DEADLINE']}}) + '\\n')
content['body'] = content['body'][:5] + '…'
print(json.dumps({{'content': content}}, indent=1))""")
    with Agent(tmp_path, gateway.url, "--extension", command, "--exec", f"cat >> {tmp_path}/rung") as agent:
        gateway.wait_connected()
        plain = gateway.show("Open", body="Ada has opened")
        gateway.wait_acknowledged(plain)
        identifier = gateway.show("Open", body="Ada has opened", mutable=True, user_info={"later": 1})
        told = gateway.wait_acknowledged(identifier)
        assert "note" not in told
        assert agent.wait_told("shown", id=plain)["content"]["body"] == "Ada has opened"
        assert agent.wait_told("shown", id=identifier)["content"] == {
            "title": "Open", "body": "Ada h…", "mutable": True, "user_info": {"later": 1}}
        [line] = [json.loads(line) for line in (tmp_path / "got").read_text().splitlines()]
        assert (line["what"], line["id"], line["seconds"]) == ("extend", identifier, 30)
        assert str(line["deadline"]) == line["variable"] and line["folder"].startswith(str(agent.state))
        rung = eventually(lambda: [json.loads(one) for one in (tmp_path / "rung").read_text().splitlines()][1:])
        assert rung[0]["content"]["body"] == "Ada h…"


def test_the_category_chooses_the_extension(tmp_path, gateway):
    def says(word):
        text = READ + f"content['title'] = {word!r}\nprint(json.dumps({{'content': content}}))"
        (tmp_path / word).mkdir()
        return python(tmp_path / word, text)

    options = ["--extension", says("rest"), "--extension-for", f"news,chat={says('first')}",
               "--extension-for", f"boat={says('second')}"]
    with Agent(tmp_path, gateway.url, *options) as agent:
        gateway.wait_connected()
        for category, title in (
            ("news", "first"), ("chat", "first"), ("boat", "second"), ("tea", "rest"), (None, "rest")):
            one = gateway.show("sent", mutable=True, **({"category": category} if category else {}))
            gateway.wait_acknowledged(one)
            assert agent.wait_told("shown", id=one)["content"]["title"] == title


def test_what_no_extension_is_for_is_shown_as_it_was_sent(tmp_path, gateway):
    with Agent(tmp_path, gateway.url, "--extension-for", f"news=touch {tmp_path}/ran") as agent:
        gateway.wait_connected()
        one = gateway.show("sent", mutable=True, category="boat")
        assert "note" not in gateway.wait_acknowledged(one)
        assert agent.wait_told("shown", id=one)["content"]["title"] == "sent" and not (tmp_path / "ran").exists()


@pytest.mark.parametrize("words, said", [
    (["news=a", "--extension-for", "boat,news=b"], "the category news has two commands"), (["news"], "CATEGORY=CMD")])
def test_two_extensions_for_a_category_are_refused(tmp_path, words, said):
    told = run("--hub", "http://127.0.0.1:9", "--token", "x", "--state", tmp_path, "--extension-for", *words)
    assert told.returncode == 2 and said in told.stderr


def test_a_request_of_the_devices_own_is_not_extended(tmp_path):
    with Agent(tmp_path, "http://127.0.0.1:9", "--extension", f"touch {tmp_path}/ran") as agent:
        eventually(lambda: (agent.state / "requests").exists())
        agent.request("tea", {"content": {"title": "Tea", "mutable": True}})
        assert agent.wait_told("shown", id="tea")["content"]["title"] == "Tea"
        assert not (tmp_path / "ran").exists()


BAD = [
    ("exit 7", "crashed"), ("kill -9 $$", "crashed"), ("cat > /dev/null", "empty"),
    ("echo '{\"content\": {\"title\": \"a\"}}'; echo '{\"content\": {\"title\": \"b\"}}'", "twice"),
    ("echo hello", "garbage"), ("yes", "too_large"), ("trap '' TERM; while :; do sleep 1; done", "late"),
    ("echo '{\"content\": {\"title\": \"a\", \"attachments\": [{\"id\": \"a\", \"file\": \"../../settings\"}]}}'",
     "attachment"),
]


@pytest.mark.parametrize(("command", "why"), BAD)
def test_whatever_an_extension_does_the_notification_is_shown_and_the_hub_is_told(tmp_path, gateway, command, why):
    with Agent(tmp_path, gateway.url, "--extension", script(tmp_path, command), "--extension-seconds", "1") as agent:
        gateway.wait_connected()
        identifier = gateway.show("Open", body="Ada", mutable=True)
        told = gateway.wait_acknowledged(identifier)
        assert told["note"] == f"extension_failed:{why}"
        shown = agent.wait_told("shown", id=identifier)
        assert shown["content"] == {"title": "Open", "body": "Ada", "mutable": True}
        assert agent.told("shown", id=identifier) == [shown]
        assert not list((agent.state / "attachments").iterdir())
        # The hub may not have heard it: the same goes with each repetition.
        gateway.say(do="show", id=identifier, version=1, content={"title": "Open", "mutable": True})
        eventually(lambda: len(gateway.heard("ack", id=identifier, what="shown", note=told["note"])) == 2)


def test_at_the_end_of_its_time_it_may_still_answer_with_what_it_has(tmp_path, gateway):
    command = python(tmp_path, READ + """
def expire(*_):
    content['body'] = 'so far'
    print(json.dumps({'content': content}), flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, expire)
time.sleep(60)""")
    with Agent(tmp_path, gateway.url, "--extension", command, "--extension-seconds", "1") as agent:
        gateway.wait_connected()
        identifier = gateway.show("Open", mutable=True)
        assert "note" not in gateway.wait_acknowledged(identifier)
        assert agent.wait_told("shown", id=identifier)["content"]["body"] == "so far"


def test_files_are_checked_by_their_content_and_go_with_their_notification(tmp_path, gateway):
    command = python(tmp_path, READ + f"""
with open(line['folder'] + '/picture', 'wb') as file:
    file.write(bytes.fromhex({PNG.hex()!r}))
open(line['folder'] + '/left', 'w').close()
content['attachments'] = [{{'id': 'photo', 'file': 'picture', 'type': content['user_info']['type'], 'alt': 'Ada'}}]
print(json.dumps({{'content': content}}))""")
    with Agent(tmp_path, gateway.url, "--extension", command) as agent:
        gateway.wait_connected()
        first = gateway.show("Open", mutable=True, user_info={"type": "image/png"})
        gateway.wait_acknowledged(first)
        [one] = agent.wait_told("shown", id=first)["content"]["attachments"]
        assert (one["id"], one["type"], one["alt"]) == ("photo", "image/png", "Ada")
        [folder] = (agent.state / "attachments").iterdir()
        assert [str(path) for path in folder.iterdir()] == [one["file"]]
        # Its hint says what it is not.
        second = gateway.show("Open", mutable=True, user_info={"type": "audio/wav"})
        assert gateway.wait_acknowledged(second)["note"] == "extension_failed:attachment"
        gateway.withdraw(first)
        gateway.wait_acknowledged(first, "withdrawn")
        eventually(lambda: not list((agent.state / "attachments").iterdir()))


def test_what_is_too_large_for_its_kind_is_not_attached(tmp_path, gateway):
    command = python(tmp_path, READ + f"""
with open(line['folder'] + '/picture', 'wb') as file:
    file.write(bytes.fromhex({PNG.hex()!r}))
    file.truncate(int(content['body']))
content['attachments'] = [{{'id': 'photo', 'file': 'picture'}}]
print(json.dumps({{'content': content}}))""")
    with Agent(tmp_path, gateway.url, "--extension", command):
        gateway.wait_connected()
        most = 10 << 20
        assert "note" not in gateway.wait_acknowledged(gateway.show("Open", mutable=True, body=str(most)))
        told = gateway.wait_acknowledged(gateway.show("Open", mutable=True, body=str(most + 1)))
        assert told["note"] == "extension_failed:attachment"


@pytest.fixture
def pictures(tmp_path):
    """The address of a picture on a server of others, by HTTPS, and the certificate that it is trusted by."""
    certificate = make_certificate(tmp_path / "tls")

    class Handler(QuietHandler):
        def do_GET(self):
            self.reply(200 if self.path == "/ada.png" else 404, PNG)

    with LocalServer(Handler, certificate.paths) as server:
        yield f"{server.url}/ada.png", certificate.certificate


def test_the_example_of_the_documentation_attaches_a_picture(tmp_path, gateway, pictures):
    url, trusted = pictures
    [text] = re.findall(r"^```sh\n#!/bin/sh\n(# /usr/local/bin/attach.*?)^```$", (ROOT / "Docs/agent.md").read_text(),
                        re.M | re.S)
    with Agent(tmp_path, gateway.url, "--extension", script(tmp_path, text),
               env={"CURL_CA_BUNDLE": str(trusted)}) as agent:
        gateway.wait_connected()
        words = {"body": 'She says "hello" {for now}, \\o/'}
        identifier = gateway.show("Ada", mutable=True, user_info={"my-image": url}, **words)
        assert "note" not in gateway.wait_acknowledged(identifier)
        content = agent.wait_told("shown", id=identifier)["content"]
        [one] = content.pop("attachments")
        assert (one["id"], one["type"], open(one["file"], "rb").read()) == ("media", "image/png", PNG)
        assert content == {"title": "Ada", "mutable": True, "user_info": {"my-image": url}, **words}
        # Not by plain HTTP, not if it is not there, and not without an address: it is shown all the same.
        for info, why in (({"my-image": url.replace("https", "http")}, "crashed"),
                          ({"my-image": f"{url}.gone"}, "crashed"), ({}, "crashed")):
            told = gateway.wait_acknowledged(gateway.show("Ada", mutable=True, user_info=info))
            assert told["note"] == f"extension_failed:{why}"


def test_what_is_answered_elsewhere_meanwhile_is_never_shown(tmp_path, gateway):
    command = f"cat > {tmp_path}/got; sleep 60"
    with Agent(tmp_path, gateway.url, "--extension", command) as agent:
        gateway.wait_connected()
        identifier = gateway.show("Who opens?", mutable=True, actions=ACTIONS)
        eventually(lambda: (tmp_path / "got").exists() and (tmp_path / "got").read_text())
        gateway.withdraw(identifier, "answered_elsewhere")
        gateway.wait_acknowledged(identifier, "withdrawn")
        gateway.wait_acknowledged(gateway.show("next"))
        assert not agent.told("shown", id=identifier) and not agent.told("withdrawn", id=identifier)


def test_a_kill_while_it_is_extended_loses_nothing_and_it_rings(tmp_path, gateway):
    (tmp_path / "slow").touch()
    command = script(tmp_path, f"[ -e {tmp_path}/slow ] && touch {tmp_path}/got && sleep 60; exit 1")
    with Agent(tmp_path, gateway.url, "--extension", command) as agent:
        gateway.wait_connected()
        identifier = gateway.show("Open", mutable=True)
        eventually(lambda: (tmp_path / "got").exists())
        agent.end(signal.SIGKILL)
    assert not gateway.heard("ack", id=identifier)
    (tmp_path / "slow").unlink()
    with agent:
        assert agent.wait_told("shown", id=identifier)["repeat"] is False
        gateway.wait_acknowledged(identifier)


def test_an_agent_that_is_told_to_end_does_not_wait_for_it(tmp_path, gateway):
    with Agent(tmp_path, gateway.url, "--extension", f"touch {tmp_path}/got; sleep 60") as agent:
        gateway.wait_connected()
        gateway.show("Open", mutable=True)
        eventually(lambda: (tmp_path / "got").exists())
        assert agent.end() == 0


# Silent ones


def test_a_silent_one_wakes_the_command_and_its_answer_is_told(tmp_path, gateway):
    (tmp_path / "answer").write_text("")
    command = f"cat >> {tmp_path}/got; echo $EIGHTBELLS_DEADLINE >> {tmp_path}/deadline; cat {tmp_path}/answer"
    with Agent(tmp_path, gateway.url, "--exec", command) as agent:
        gateway.wait_connected()
        for number, (answer, what, note) in enumerate((
                ("new_data", "shown", "new_data"), ("no_data\nmore", "shown", "no_data"),
                ("failed", "failed", "work_failed"), ("", "shown", "no_answer"), ("hello", "shown", "no_answer"))):
            (tmp_path / "answer").write_text(answer)
            identifier = str(100 + number)
            gateway.say(do="show", id=identifier, version=1, content={"silent": True, "user_info": {"a": 1}})
            told = gateway.wait_acknowledged(identifier, what)
            code, time = told["note"].split(":")
            assert code == note and 0 <= float(time.split("/")[0]) < 5 and time.endswith("/30")
            line = agent.wait_told("shown", id=identifier)
            assert (line["silent"], line["seconds"], line["content"]["user_info"]) == (True, 30, {"a": 1})
        lines = [json.loads(line) for line in (tmp_path / "got").read_text().splitlines()]
        assert [str(line["deadline"]) for line in lines] == (tmp_path / "deadline").read_text().split()


def test_a_silent_one_is_asked_to_end_in_time_and_answers_then(tmp_path, gateway):
    command = python(tmp_path, """
line = json.load(sys.stdin)
def expire(*_):
    left = line['deadline'] / 1000 - time.time()
    print('new_data', flush=True)
    open(os.path.dirname(__file__) + '/left', 'w').write(str(left))
    sys.exit()
signal.signal(signal.SIGTERM, expire)
time.sleep(60)""")
    with Agent(tmp_path, gateway.url, "--exec", command):
        gateway.wait_connected()
        gateway.say(do="show", id="5", version=1, seconds=4, content={"silent": True})
        code, took = gateway.wait_acknowledged("5")["note"].split(":")
        assert code == "new_data" and 2 <= float(took.removesuffix("/4")) < 4, took
        assert 1 < float((tmp_path / "left").read_text()) <= 2


def test_a_silent_one_that_does_not_end_is_ended(tmp_path, gateway):
    with Agent(tmp_path, gateway.url, "--exec", "trap '' TERM; while :; do sleep 1; done"):
        gateway.wait_connected()
        gateway.say(do="show", id="5", version=1, seconds=2, content={"silent": True})
        told = gateway.wait_acknowledged("5", "failed")
        code, took = told["note"].split(":")
        assert code == "no_answer" and 2 <= float(took.removesuffix("/2")) < 4 and "longer than 2 s" in told["reason"]
