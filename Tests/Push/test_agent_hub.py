"""The agent and the hub, both real: from a publish to the device and back."""

import json

import pytest
from agent import ACTIONS, Agent
from hub import command, eventually
from traces import NOTIFICATIONS, events, happened


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


def test_a_notification_reaches_the_device_and_its_answer_the_hub(hub, device):
    identifier, agent = device("Boat", "--exec", "cat > /dev/null; echo open")
    with agent:
        agent.wait_told("connected", device=identifier, name="Boat")
        sent = send(hub, identifier, "Who opens?")
        agent.wait_told("shown", id=sent, repeat=False)
        agent.wait_told("taken", id=sent, action="open")
        eventually(lambda: happened(hub, sent)[-1] == "acted")
        assert {"queued", "sent", "shown", "acted"} <= set(happened(hub, sent))


def test_the_trace_says_that_an_extension_has_failed(hub, device):
    identifier, agent = device("Boat", "--extension", "echo hello")
    with agent:
        agent.wait_told("connected")
        content = {"title": "Open", "mutable": True}
        _, answer = hub.post(NOTIFICATIONS, hub.owner_token, {"to": {"device": identifier}, "content": content})
        assert agent.wait_told("shown", id=answer["id"])["content"] == content
        eventually(lambda: "shown" in happened(hub, answer["id"]))
        [shown] = [event for event in events(hub, answer["id"]) if event["what"] == "shown"]
        assert shown["code"] == "extension_failed"
        assert shown["reason"] == (
            "as it was sent, since the device's extension answered with what is no notification")
        assert "keine Mitteilung" in shown["localized"]["de"]


def test_the_answer_to_a_silent_one_is_in_the_trace(hub, device):
    identifier, agent = device("Boat", "--exec", "cat > /dev/null; echo new_data")
    with agent:
        agent.wait_told("connected")
        status, answer = hub.post(NOTIFICATIONS, hub.owner_token, {
            "to": {"device": identifier}, "content": {"silent": True, "user_info": {"a": 1}}, "priority": "normal"})
        assert status == 202, answer
        eventually(lambda: "shown" in happened(hub, answer["id"]))
        [shown] = [event for event in events(hub, answer["id"]) if event["what"] == "shown"]
        assert shown["code"] == "new_data" and shown["reason"].endswith("of 30 s"), shown
        # Three an hour; what is too much waits, and says so.
        content = {"silent": True}
        for number in range(3):
            _, answer = hub.post(NOTIFICATIONS, hub.owner_token, {
                "to": {"device": identifier}, "content": content, "priority": "normal"})
            if number < 2:
                agent.wait_told("shown", id=answer["id"])
        told = events(hub, answer["id"])
        assert [(event["what"], event.get("code")) for event in told] == [
            ("queued", None), ("suppressed", "silent_budget")]
        assert "stille" in told[1]["localized"]["de"]
        assert not agent.told("shown", id=answer["id"])


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
            assert other.process.wait(30) == 4
