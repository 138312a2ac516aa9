"""The agent and the hub, both real: from a publish to the device and back, with both killed at random moments."""

import json
import random
import signal
import time

import pytest
from agent import ACTIONS, Agent
from hub import command, eventually
from trials import some

NOTIFICATIONS = "/api/v1/notifications"


@pytest.fixture
def device(hub, tmp_path):
    """Makes devices of the hub; each with its id, and an agent that can be started."""
    made = command("device", "--help")
    if made.returncode != 0:
        pytest.skip("this hub rings no devices")

    def make(name="Boat", *options):
        told = command("device", "create", "--data", hub.data, "--name", name)
        assert told.returncode == 0, told.stderr
        words = json.loads(told.stdout)
        folder = tmp_path / f"agent-{words['id']}"
        folder.mkdir()
        return words["id"], Agent(folder, hub.url, *options, secret=words["secret"])

    return make


def send(hub, device, title="Open"):
    """Sends a notification, and returns its id."""
    content = {"title": title, "actions": ACTIONS}
    status, answer = hub.post(NOTIFICATIONS, hub.owner_token, {"to": {"device": device}, "content": content})
    assert status == 202, answer
    return answer["id"]


def trace(hub, identifier):
    """What happened with a notification on its first device."""
    _, answer = hub.get(f"{NOTIFICATIONS}/{identifier}", token=hub.owner_token)
    return [event["what"] for event in answer["devices"][0]["events"]]


def test_a_notification_reaches_the_device_and_its_answer_the_hub(hub, device):
    identifier, agent = device("Boat", "--exec", "cat > /dev/null; echo open")
    with agent:
        agent.wait_told("connected", device=identifier, name="Boat")
        sent = send(hub, identifier, "Who opens?")
        agent.wait_told("shown", id=sent, repeat=False)
        agent.wait_told("taken", id=sent, action="open")
        eventually(lambda: trace(hub, sent)[-1] == "acted")
        assert {"queued", "sent", "shown", "acted"} <= set(trace(hub, sent))


def test_what_is_taken_back_goes_away_and_what_waits_never_comes(hub, device):
    identifier, agent = device()
    with agent:
        agent.wait_told("connected")
        sent = send(hub, identifier)
        agent.wait_told("shown", id=sent)
        changed = hub.patch(f"{NOTIFICATIONS}/{sent}", hub.owner_token, {"content": {"title": "Closed"}})
        assert changed[0] in (200, 204), changed
        assert agent.wait_told("shown", id=sent, update=True)["content"]["title"] == "Closed"
        assert hub.delete(f"{NOTIFICATIONS}/{sent}", hub.owner_token)[0] == 204
        assert agent.wait_told("withdrawn", id=sent)["reason"] == "taken_back"
        agent.end()
    gone, kept = send(hub, identifier, "gone"), send(hub, identifier, "kept")
    assert hub.delete(f"{NOTIFICATIONS}/{gone}", hub.owner_token)[0] == 204
    with agent:
        agent.wait_told("shown", id=kept)
        assert not agent.told("shown", id=gone)


def test_the_older_of_two_agents_and_a_removed_one_end(hub, device, tmp_path):
    identifier, agent = device()
    (tmp_path / "other").mkdir()
    other = Agent(tmp_path / "other", hub.url, secret=agent.env["EIGHTBELLS_TOKEN"])
    with agent:
        agent.wait_told("connected")
        with other:
            assert agent.process.wait(15) == 3
            other.wait_told("connected")
            assert command("device", "delete", identifier, "--data", hub.data).returncode == 0
            hub.stop()
            hub.start()
            assert other.process.wait(30) == 4


@pytest.mark.timeout(600)
def test_kills_of_hub_and_agent_lose_nothing_and_show_nothing_twice_unmarked(hub, device):
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    identifier, agent = device("Boat", "--exec", "cat > /dev/null; echo open")
    sent = []
    for turn in range(some(100)):
        with agent:
            agent.lines[:] = [line for line in agent.lines if line["what"] != "connected"]
            agent.wait_told("connected", 30)
            for _ in range(chance.randrange(1, 12)):
                sent.append(send(hub, identifier, f"number {len(sent)}"))
            time.sleep(chance.random() * 0.2)
            if turn % 2:
                hub.kill()
                hub.start()
                time.sleep(chance.random() * 2)
            agent.end(signal.SIGKILL)
    with agent:
        for one in sent:
            eventually(lambda one=one: agent.told("shown", id=one), 30, what=f"seed {seed}: {one} is shown")
            eventually(lambda one=one: {"shown", "acted"} & set(trace(hub, one)), 30, what=f"seed {seed}: {one} known")
    for one in sent:
        marks = [line["repeat"] for line in agent.told("shown", id=one)]
        assert marks.count(False) <= 1, f"seed {seed}: {one} was shown {marks}"
