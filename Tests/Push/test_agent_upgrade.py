"""The state of agents of other versions: of an earlier one the agent of today goes on with it, at today's hub too; that
of a newer one it refuses. bin/test tries the versions that began to keep something else, and the newest,
`bin/trial Tests/Push/test_agent_upgrade.py` all."""

import json

import pytest

from agent import Agent
from bell_device import make_device
from hub import eventually
from traces import happened
from trials import IS_WHOLE
from upgrade import FOLDERS
from upgrade import VERSIONS as ALL
from upgrade_agent import CLOCK, FILE, SOURCE, WATCH, form, unpack

VERSIONS = [version for version in ALL if (FOLDERS / version / FILE).exists()]
if not IS_WHOLE:
    FORMS = [form(version) for version in VERSIONS]
    VERSIONS = [version for number, version in enumerate(VERSIONS)
                if number in (0, len(FORMS) - 1) or FORMS[number] != FORMS[number - 1]]
assert VERSIONS, "an empty list would test nothing"
NOTIFICATIONS = "/api/v1/notifications"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_agent_goes_on_with_what_an_earlier_one_kept(tmp_path, gateway, version):
    unpack(version, tmp_path / "state")
    with Agent(tmp_path, gateway.url, *SOURCE) as agent:
        gateway.wait_connected()
        # The hub did not learn that the first one was shown, and sends it again.
        first = gateway.show("First")
        gateway.wait_acknowledged(first)
        gateway.numbers = 10  # the earlier gateway has used some
        second = gateway.show("Second")
        eventually(lambda: agent.told("shown", id=second), what="the next notification")
        gateway.wait_acknowledged(second)
        assert agent.told("shown", id="1") == [], "it was shown by the earlier agent"
        # An order of the hub that is older than what is known changes nothing.
        watch = eventually(lambda: agent.anchor("status"), what="the watch answers")
        assert watch["armed"] and watch["settings"]["zone"] == WATCH["settings"]["zone"], watch
        assert agent.end() == 0
    clock = json.loads((tmp_path / "state/clock.json").read_text())
    assert clock["on"] and clock["volume"] == CLOCK["volume"] and clock["settings"] == CLOCK["settings"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_agent_with_what_an_earlier_one_kept_goes_on_at_the_hub_of_today(tmp_path, hub, version):
    unpack(version, tmp_path / "state")
    device = make_device(hub, "Boat")

    def ring(title):
        status, answer = hub.post(
            NOTIFICATIONS, hub.owner_token, {"to": {"device": device["id"]}, "content": {"title": title}})
        assert status == 202, answer
        return answer["id"]

    with Agent(tmp_path, hub.url, *SOURCE, secret=device["secret"]) as agent:
        agent.wait_told("connected", device=device["id"])
        first = ring("First")
        agent.wait_told("shown", id=first)
        eventually(lambda: happened(hub, first)[-1] == "shown", what="the hub knows that it was shown")
        assert agent.end() == 0
        second = ring("Second")
        agent.start()
        agent.wait_told("shown", id=second)
        eventually(lambda: happened(hub, second)[-1] == "shown", what="the hub knows of the second")
        assert len(agent.told("shown", id=first)) == 1, "nothing is shown twice"


def test_what_a_newer_agent_has_kept_is_refused_with_words_and_left_as_it_is(tmp_path, gateway):
    with Agent(tmp_path, gateway.url, *SOURCE) as agent:
        gateway.wait_acknowledged(gateway.show("First"))
        assert agent.end() == 0
        mark = agent.state / "format"
        assert mark.read_text() == "1\n"
        mark.write_text("2\n")
        before = contents(agent.state)
        agent.start()
        assert agent.process.wait(15) == 1
        assert f'{agent.state} was written by a newer agent: its format is "2", and this one knows 1.' in agent.log
        assert contents(agent.state) == before
        # The agent of before is installed again.
        mark.write_text("1\n")
        agent.start()
        second = gateway.show("Second")
        agent.wait_told("shown", id=second)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
