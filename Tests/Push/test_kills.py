"""Kills of hub and agent, both real, at random moments under load: what was acknowledged is shown, nothing is shown
twice without being marked, and what was sent again with its key rings once. `bin/trial kills` kills 200 times."""

import collections
import http.client
import itertools
import os
import random
import signal
import threading
import time

import pytest
from agent import ACTIONS, Agent
from bell_device import make_device
from hub import eventually
from trials import some

NOTIFICATIONS = "/api/v1/notifications"
KILLS = some(200)
PUBLISHERS = 3
# More are not sent before the agent has shown some: the hub keeps 1,000 for a device, and drops older ones.
WAITING = 300
# The command answers each tenth one: nobody answers a hundred a second, and the agent keeps the last 64 answers.
COMMAND = """grep -q '"title":"number-[0-9]*0"' && echo open; cat > /dev/null"""
# The longest wait for something to be shown before a kill; past it the kill comes while the agent is not connected.
SECONDS = 1
# The most kills of the hub alone in a row: after each of them the agent waits twice as long before it connects again.
IN_A_ROW = 2


class Load:
    """Sends notifications, each again with the same key until it is acknowledged."""

    def __init__(self, hub, device, agent):
        self.hub, self.device, self.agent = hub, device, agent
        self.numbers, self.titles, self.again = itertools.count(), {}, 0
        self.failed, self.ends = [], threading.Event()
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(PUBLISHERS)]

    def __enter__(self):
        assert self.hub.owner_token
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        for thread in self.threads:
            thread.join(30)
            assert not thread.is_alive()
        assert not self.failed, self.failed[0]

    def _work(self):
        try:
            while not self.ends.is_set():
                if len(self.titles) > len(self.agent.told("shown")) + WAITING:
                    time.sleep(0.02)
                else:
                    self._send(f"number-{next(self.numbers)}")
        except Exception as error:
            self.failed.append(error)

    def _send(self, title):
        body = {"to": {"device": self.device}, "content": {"title": title, "actions": ACTIONS},
                "idempotency_key": title}
        while True:
            try:
                status, answer = self.hub.post(NOTIFICATIONS, self.hub.owner_token, body)
            except (OSError, http.client.HTTPException):
                self.again += 1
                time.sleep(0.02)
                continue
            assert status == 202, answer
            self.titles[answer["id"]] = title
            return


def ids(agent, what):
    """The notifications of which the agent has told that."""
    return {line["id"] for line in agent.told(what)}


def wait_for_some(agent, chance):
    """Waits until some more were shown, then for a moment; or for no more than the moment."""
    if chance.random() < 0.8:
        wanted, until = len(agent.told("shown")) + chance.randrange(1, 10), time.monotonic() + SECONDS
        while len(agent.told("shown")) < wanted and time.monotonic() < until:
            time.sleep(0.005)
    time.sleep(chance.random() * 0.03)


@pytest.mark.timeout(900)
def test_kills_of_hub_and_agent_lose_nothing_and_show_nothing_twice_unmarked(make_hub, tmp_path):
    seed = int(os.environ.get("EIGHTBELLS_SEED") or random.randrange(1 << 32))
    print(f"seed {seed}; EIGHTBELLS_SEED={seed} repeats it")
    chance, killed, alone = random.Random(seed), collections.Counter(), 0
    hub = make_hub(options=("--rate-limits", "off"))
    made = make_device(hub, "Boat")
    agent = Agent(tmp_path, hub.url, "--exec", COMMAND, secret=made["secret"])
    with agent, Load(hub, made["id"], agent) as load:
        while killed.total() < KILLS and not load.failed:
            wait_for_some(agent, chance)
            what = chance.choice(["hub", "agent", "both"] if alone < IN_A_ROW else ["agent", "both"])
            alone = alone + 1 if what == "hub" else 0
            if what != "agent":
                hub.kill()
                killed["hub"] += 1
            if what != "hub":
                agent.end(signal.SIGKILL)
                killed["agent"] += 1
            if what != "agent":
                hub.start()
            if what != "hub":
                agent.start()
    # Once more, so that it does not wait before it connects.
    with agent:
        eventually(lambda: set(load.titles) <= ids(agent, "shown"), 60, what="all that was acknowledged is shown")
        for one in load.titles:
            eventually(lambda one=one: is_settled(hub, one), 30, what=f"{one} is settled")
        # A kill may come between an answer that is taken and the line that tells it.
        answered = ids(agent, "responded")
        assert answered and not agent.told("dropped")
        for one in answered:
            eventually(lambda one=one: "acted" in happened(hub, one), 30, what=f"the answer to {one} is known")
    marks = collections.defaultdict(list)
    for line in agent.told("shown"):
        marks[line["id"]].append(line["repeat"])
    assert [(one, seen) for one, seen in marks.items() if seen.count(False) > 1] == [], "shown twice, not marked"
    assert set(marks) == set(load.titles), "what was sent again with its key has rung once more"
    assert len(set(load.titles.values())) == len(load.titles)
    assert [line for line in agent.broken if line.endswith(b"\n")] == []
    repeats = sum(any(seen) for seen in marks.values())
    print(f"{killed['hub']} kills of the hub and {killed['agent']} of the agent; {len(load.titles)} acknowledged, "
          f"{load.again} sent again, {repeats} shown again and marked, {len(answered)} answered")


def delivery(hub, identifier):
    """What the hub tells about a notification on its device."""
    status, answer = hub.get(f"{NOTIFICATIONS}/{identifier}", token=hub.owner_token)
    assert status == 200, f"{identifier} was acknowledged and is lost"
    return answer["devices"][0]


def happened(hub, identifier):
    return [event["what"] for event in delivery(hub, identifier)["events"]]


def is_settled(hub, identifier):
    return not delivery(hub, identifier)["pending"] and {"shown", "acted"} & set(happened(hub, identifier))
