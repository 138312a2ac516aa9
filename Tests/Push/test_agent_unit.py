"""The agent's systemd unit: how far it restricts the agent, and that the agent still works."""

import re
import shutil

from agent import ACTIONS, Agent
from hub import ROOT, eventually
from unit import allowed, exposure, made, setting

UNIT = ROOT / "Docs/eightbells-agent.service"
# The command may need sounds and pins, so more is open than of the hub's.
EXPOSURE = 1.8


def test_the_unit_exposes_little():
    score, words = exposure(UNIT)
    print(f"exposure {score}")
    assert score <= EXPOSURE, words


def test_the_unit_does_not_start_an_agent_again_that_is_not_wanted():
    assert setting(UNIT, "Type") == ["notify"] and int(setting(UNIT, "WatchdogSec")[0]) >= 10
    assert setting(UNIT, "RestartPreventExitStatus") == ["2 3 4"]


def test_a_watch_on_board_waits_for_no_network():
    assert "network-online.target" not in UNIT.read_text()


def test_the_agent_makes_no_system_call_that_the_unit_forbids(tmp_path, gateway):
    assert shutil.which("strace"), "strace is not installed: bin/install test"
    trace = tmp_path / "trace"
    agent = Agent(tmp_path, gateway.url.replace("127.0.0.1", "localhost"), "--exec", "cat > /dev/null; echo open")
    agent.words = ["strace", "-D", "-f", "-o", str(trace), *agent.words]
    with agent:
        gateway.wait_connected()
        gateway.wait_acknowledged(gateway.show(actions=ACTIONS))
        agent.wait_told("taken")
        agent.request("now", {"content": {"title": "Now"}})
        agent.wait_told("shown", id="now")
        agent.end()
    text = eventually(lambda: (text := trace.read_text(errors="replace")).rstrip().endswith("+++") and text)
    calls = made(text)
    assert len(calls) > 30 and {"epoll_wait", "openat", "fdatasync", "mmap"} <= calls
    assert calls - allowed(UNIT) == set()
    families = set(re.findall(r"\bsocket\((AF_\w+)", text))
    assert families <= set(setting(UNIT, "RestrictAddressFamilies")[0].split())
