"""The agent's command (--exec) and the requests of its own: the real program against a double of the gateway."""

import json
import pathlib
import signal

import pytest
from agent import ACTIONS, SECRET, Agent
from faults import library
from hub import ROOT, eventually


def test_the_command_gets_the_line_and_answers(tmp_path, gateway):
    command = f"cat >> {tmp_path}/got; echo '{{\"action\": \"open\", \"text\": \"at seven\"}}'"
    with Agent(tmp_path, gateway.url, "--exec", command) as agent:
        gateway.wait_connected()
        gateway.takes_responses = False
        identifier = gateway.show("Open?", actions=[{"id": "open", "title": "Open", "text_input": {}}])
        response = eventually(lambda: gateway.heard("respond", id=identifier))[0]
        assert (response["action"], response["text"]) == ("open", "at seven")
        line = json.loads((tmp_path / "got").read_text())
        assert line == agent.wait_told("shown")
        # It is repeated until the hub has taken it, also by the next process.
        agent.end(signal.SIGKILL)
    gateway.takes_responses = True
    with agent:
        agent.wait_told("taken", id=identifier, action="open")
        assert len(gateway.heard("respond", id=identifier)) == 2


def test_the_command_does_not_learn_the_secret(tmp_path, gateway):
    with Agent(tmp_path, gateway.url, "--exec", f"env > {tmp_path}/env; cat > /dev/null",
               env={"NOTIFY_SOCKET": "/nowhere", "OTHER": "kept"}):
        gateway.wait_connected()
        gateway.wait_acknowledged(gateway.show())
        variables = eventually(lambda: (tmp_path / "env").exists() and (tmp_path / "env").read_text())
    assert SECRET not in variables and "NOTIFY_SOCKET" not in variables and "OTHER=kept" in variables


def test_commands_run_one_at_a_time_and_a_hanging_one_keeps_nothing_from_being_known(tmp_path, gateway):
    command = f"echo begin >> {tmp_path}/log; sleep 0.2; echo end >> {tmp_path}/log"
    with Agent(tmp_path, gateway.url, "--exec", command):
        gateway.wait_connected()
        for identifier in [gateway.show(f"{number}") for number in range(4)]:
            gateway.wait_acknowledged(identifier)
        eventually(lambda: (tmp_path / "log").read_text() == "begin\nend\n" * 4)


def test_a_hanging_command_is_ended_when_its_notification_is_answered_elsewhere(tmp_path, gateway):
    command = f"trap 'echo stopped > {tmp_path}/stopped; exit' TERM; cat > {tmp_path}/got; sleep 60 & wait"
    with Agent(tmp_path, gateway.url, "--exec", command) as agent:
        gateway.wait_connected()
        identifier = gateway.show("Who opens?", actions=ACTIONS)
        gateway.wait_acknowledged(identifier)
        # The pings go on, whatever the command does.
        other = gateway.show("waits")
        eventually(lambda: (tmp_path / "got").exists() and (tmp_path / "got").read_text())
        gateway.withdraw(other)
        gateway.wait_acknowledged(other, "withdrawn")
        assert not agent.told("shown", id=other)
        gateway.withdraw(identifier, "answered_elsewhere")
        eventually(lambda: (tmp_path / "stopped").exists())
        agent.wait_told("withdrawn", id=identifier)
        # The command's cat may have emptied the file and not yet filled it.
        eventually(lambda: (got := (tmp_path / "got").read_text()) and json.loads(got)["what"] == "withdrawn")


def has_ended(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_what_a_command_has_started_ends_with_it_whether_it_wants_to_or_not(tmp_path, gateway):
    player = tmp_path / "player"
    command = f"(trap '' TERM; exec sleep 60) > /dev/null & echo $! > {player}; wait"
    with Agent(tmp_path, gateway.url, "--exec", command):
        gateway.wait_connected()
        identifier = gateway.show("Who opens?", actions=ACTIONS)
        process = int(eventually(lambda: player.exists() and player.read_text()))
        assert not has_ended(process)
        gateway.withdraw(identifier, "answered_elsewhere")
        eventually(lambda: has_ended(process), what="the player has ended")


@pytest.mark.parametrize(("command", "reason"), [
    ("exit 7", "status 7"), ("kill -9 $$", "signal 9"), ("yes", "more than 16 KB"), ("/nowhere/found", "status 127"),
])
def test_a_command_that_fails_is_told_to_the_hub(tmp_path, gateway, command, reason):
    with Agent(tmp_path, gateway.url, "--exec", command) as agent:
        gateway.wait_connected()
        identifier = gateway.show()
        told = gateway.wait_acknowledged(identifier, "failed")
        assert reason in told["reason"] and reason in agent.wait_told("failed")["reason"]
        # The next one has its turn.
        gateway.wait_acknowledged(gateway.show(), "failed")


def test_what_a_command_leaves_in_the_background_holds_up_nobody(tmp_path, gateway):
    with Agent(tmp_path, gateway.url, "--exec", "sleep 30 & echo open") as agent:
        gateway.wait_connected()
        identifier = gateway.show(actions=ACTIONS)
        assert eventually(lambda: gateway.heard("respond", id=identifier), 5)[0]["action"] == "open"
        gateway.wait_acknowledged(gateway.show())
        assert agent.end() == 0


def test_a_machine_without_room_for_a_process_is_asked_again(tmp_path, gateway):
    preload = {"LD_PRELOAD": str(library(ROOT / "Tests/World/no_processes.c"))}
    for attempts, what in ((1, "shown"), (1_000, "failed")):
        folder = tmp_path / what
        folder.mkdir()
        with Agent(folder, gateway.url, "--exec", "cat > /dev/null", env=preload | {"NO_PROCESSES": str(attempts)}):
            gateway.wait_connected()
            gateway.wait_acknowledged(gateway.show(), what)
    assert "cannot be started" in gateway.heard("ack", what="failed")[0]["reason"]


def test_what_is_taken_back_before_its_command_could_start_never_rings(tmp_path, gateway):
    env = {"LD_PRELOAD": str(library(ROOT / "Tests/World/no_processes.c")), "NO_PROCESSES": "1"}
    with Agent(tmp_path, gateway.url, "--exec", f"cat >> {tmp_path}/got", env=env) as agent:
        gateway.wait_connected()
        identifier = gateway.show()
        agent.wait_told("shown", id=identifier)
        gateway.withdraw(identifier)
        gateway.wait_acknowledged(identifier, "withdrawn")
        gateway.wait_acknowledged(gateway.show("next"))
        eventually(lambda: (tmp_path / "got").read_text().count("\n") == 2)
        assert [json.loads(line)["what"] for line in (tmp_path / "got").read_text().splitlines()] == [
            "withdrawn", "shown"]


def test_an_answer_that_breaks_a_rule_is_told_with_its_reason_and_never_cut(tmp_path, gateway):
    (tmp_path / "answer").write_text("")
    actions = [{"id": "reply", "title": "Reply", "text_input": {"button": "Send"}}, {"id": "open", "title": "Open"}]
    with Agent(tmp_path, gateway.url, "--exec", f"cat > /dev/null; cat {tmp_path}/answer") as agent:
        gateway.wait_connected()
        for answer, reason in ((("reply", "x" * 4_000), None), (("reply", "x" * 4_001), "4001 bytes"),
                               (("open", "x"), "text"), (("close", None), "default, dismiss, reply, open"),
                               (("reply", None), "1 to 4000 bytes")):
            text = {} if answer[1] is None else {"text": answer[1]}
            (tmp_path / "answer").write_text(json.dumps({"action": answer[0]} | text))
            identifier = gateway.show("Who opens?", actions=actions)
            if reason is None:
                assert eventually(lambda one=identifier: gateway.heard("respond", id=one))[0]["text"] == answer[1]
            else:
                assert reason in agent.wait_told("ignored", id=identifier)["reason"]
                assert not gateway.heard("respond", id=identifier)
        assert "xxx" not in agent.last_words().stdout


# Settings


def settings(agent, text):
    draft = agent.state / "draft"
    draft.write_text(text if isinstance(text, str) else json.dumps(text))
    draft.rename(agent.state / "settings.json")


def test_settings_say_what_may_ring_and_may_change_at_any_time(tmp_path, gateway):
    command = f"cat >> {tmp_path}/got; echo cast-off"
    with Agent(tmp_path, gateway.url, "--exec", command) as agent:
        gateway.wait_connected()
        loud = {"sound": "default", "vibration": [100]}
        first = gateway.show("Tide", **loud)
        assert agent.wait_told("shown", id=first)["presentation"]["sound"] is True
        settings(agent, {"state": {"silenced": True}, "categories": [
            {"id": "tide", "actions": [{"id": "cast-off", "title": "Cast off"}]}]})
        second = gateway.show("Tide", category="tide", **loud)
        shown = agent.wait_told("shown", id=second)["presentation"]
        assert (shown["sound"], shown["vibration"], shown["reason"]) == (False, True, "silenced")
        assert eventually(lambda: gateway.heard("respond", id=second))[0]["action"] == "cast-off"
        # An update does not ring.
        gateway.show("Tide later", update=second, category="tide", **loud)
        assert agent.wait_told("shown", id=second, version=2)["presentation"]["vibration"] is False
        settings(agent, {"settings": {"sound": "loud"}})
        third = gateway.show("Tide", **loud)
        assert agent.wait_told("shown", id=third)["presentation"]["reason"] == "silenced"
        ignored = eventually(lambda: [line["reason"] for line in agent.told("ignored") if "id" not in line])
        assert ['sound: "loud"' in reason for reason in ignored] == [True]
        settings(agent, {"settings": {"authorization": "denied"}})
        fourth = gateway.show("Tide", **loud)
        assert "switched off" in gateway.wait_acknowledged(fourth, "failed")["reason"]
        (agent.state / "settings.json").unlink()
        gateway.wait_acknowledged(gateway.show("Tide"))
        assert not agent.told("shown", id=fourth)
        assert fourth not in [json.loads(line)["id"] for line in (tmp_path / "got").read_text().splitlines()]


# Requests of the device's own


def test_where_nothing_can_be_written_what_is_known_rings(tmp_path):
    agent = Agent(tmp_path, "http://127.0.0.1:9")
    with agent:
        eventually(lambda: (agent.state / "requests").exists())
        agent.request("tea", {"content": {"title": "Tea"}, "trigger": {"type": "interval", "seconds": 3}})
        agent.wait_told("scheduled", id="tea")
        # As a full disk does, this keeps a new request from being kept.
        (agent.state / "pending" / "new.json.new").mkdir()
        agent.request("new", {"content": {"title": "New"}, "trigger": {"type": "interval", "seconds": 1}})
        agent.wait_told("shown", id="tea")
        assert "requests wait" in agent.log and not agent.told("scheduled", id="new")
        # The next look at the folder takes it.
        (agent.state / "pending" / "new.json.new").rmdir()
        agent.request("other", {"content": {"title": "Other"}})
        agent.wait_told("shown", id="new")
        agent.wait_told("shown", id="other")



def test_a_name_server_that_does_not_answer_holds_up_nothing(tmp_path):
    slow = str(library(ROOT / "Tests/World/slow_names.c"))
    with Agent(tmp_path, "http://hub.slow", env={"LD_PRELOAD": slow}) as agent:
        eventually(lambda: (agent.state / "requests").exists())
        agent.request("now", {"content": {"title": "Now"}})
        agent.wait_told("shown", 5, id="now")
        assert agent.end() == 0


def test_a_request_fires_where_it_waits_for(tmp_path):
    def be_at(latitude):
        (tmp_path / "fix").write_text(json.dumps({"latitude": latitude, "longitude": 8, "accuracy": 5}))
        (tmp_path / "fix").rename(agent.state / "position.json")

    def is_inside(name):
        return json.loads((agent.state / "pending" / f"{name}.json").read_text())["inside"]

    trigger = {"type": "location", "latitude": 53, "longitude": 8, "radius": 100, "on": "enter"}
    agent = Agent(tmp_path, "http://127.0.0.1:9")
    with agent:
        eventually(lambda: (agent.state / "requests").exists())
        agent.request("pier", {"content": {"title": "The pier"}, "trigger": trigger})
        assert "due" not in agent.wait_told("scheduled", id="pier")
        be_at(53.01)
        eventually(lambda: is_inside("pier") is False)
        be_at("north")
        agent.wait_told("ignored")
        agent.end(signal.SIGKILL)
    with agent:
        assert not agent.told("shown")
        be_at(53.0001)
        assert agent.wait_told("shown", id="pier")["content"] == {"title": "The pier"}
        # To be there already is no arrival.
        agent.request("again", {"content": {"title": "Again"}, "trigger": trigger})
        agent.wait_told("scheduled", id="again")
        eventually(lambda: is_inside("again") is True)
        be_at(53.02)
        eventually(lambda: is_inside("again") is False)
        be_at(53)
        agent.wait_told("shown", id="again")


def test_own_requests_fire_without_a_hub_and_survive_a_kill(tmp_path):
    agent = Agent(tmp_path, "http://127.0.0.1:9")
    with agent:
        eventually(lambda: (agent.state / "requests").exists())
        agent.request("tea", {"content": {"title": "Tea"}, "trigger": {"type": "interval", "seconds": 3}})
        agent.wait_told("scheduled", id="tea")
        for name, trigger, reason in (
                ("bad", {"type": "moon"}, "moon"), ("soon", {"type": "interval", "seconds": 59, "repeats": True}, "60"),
                ("here", {"type": "location", "latitude": 93, "longitude": 8, "radius": 9, "on": "enter"}, "latitude"),
                ("zone", {"type": "calendar", "components": {"hour": 7}, "zone": "Mars/Olympus"}, "zone")):
            agent.request(name, {"content": {"title": "x"}, "trigger": trigger})
            assert reason in agent.wait_told("refused", id=name)["reason"]
        agent.request("daily", {"content": {"title": "x"}, "trigger": {
            "type": "calendar", "components": {"hour": 7}, "repeats": True, "zone": "Asia/Tokyo"}})
        assert agent.wait_told("scheduled", id="daily")["due"][11:19] == "22:00:00"
        agent.end(signal.SIGKILL)
    with agent:
        line = agent.wait_told("shown", id="tea")
        assert line["content"] == {"title": "Tea"} and line["local"] is True and line["repeat"] is False
        eventually(lambda: [path.name for path in (agent.state / "pending").iterdir()] == ["daily.json"])
        assert (agent.state / "requests" / "bad.refused").exists()
