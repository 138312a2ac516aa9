"""The agent's command (--exec) and the requests of its own: the real program against a double of the gateway."""

import json
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
        identifier = gateway.show("Open?", actions=ACTIONS)
        response = eventually(lambda: gateway.heard("respond", id=identifier))[0]
        assert (response["action"], response["text"]) == ("open", "at seven")
        line = json.loads((tmp_path / "got").read_text())
        assert line == agent.told("shown")[0]
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
        eventually(lambda: json.loads((tmp_path / "got").read_text())["what"] == "withdrawn")


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


# Requests of the device's own


def test_a_name_server_that_does_not_answer_holds_up_nothing(tmp_path):
    slow = str(library(ROOT / "Tests/World/slow_names.c"))
    with Agent(tmp_path, "http://hub.slow", env={"LD_PRELOAD": slow}) as agent:
        eventually(lambda: (agent.state / "requests").exists())
        agent.request("now", {"content": {"title": "Now"}})
        agent.wait_told("shown", 5, id="now")
        assert agent.end() == 0


def test_own_requests_fire_without_a_hub_and_survive_a_kill(tmp_path):
    agent = Agent(tmp_path, "http://127.0.0.1:9")
    with agent:
        eventually(lambda: (agent.state / "requests").exists())
        agent.request("tea", {"content": {"title": "Tea"}, "trigger": {"type": "interval", "seconds": 3}})
        agent.wait_told("scheduled", id="tea")
        for name, trigger, reason in (
                ("bad", {"type": "moon"}, "moon"), ("soon", {"type": "interval", "seconds": 59, "repeats": True}, "60"),
                ("here", {"type": "location", "latitude": 53, "longitude": 8, "radius": 100, "on": "enter"}, "trigger"),
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
        eventually(lambda: [path.name[13:] for path in (agent.state / "pending").iterdir()] == ["daily.json"])
        assert (agent.state / "requests" / "bad.refused").exists()
