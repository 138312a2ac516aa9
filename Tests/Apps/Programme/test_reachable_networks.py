"""Permitted sources of calendars: the public Internet, and the networks that the owner allows."""

import pytest

from calendar_server import CalendarServer
from certificates import make_certificate
from hub import command, eventually
from ics import calendar, event

PATH = "/club.ics"
TEXT = calendar(event("one", "20260601T180000Z", title="Soup"))


def problem(hub):
    return eventually(lambda: (hub.sources() or [{}])[0].get("problem"), what="the calendar has a problem")


@pytest.mark.parametrize("networks", ["", "10.0.0.0/8", "127.0.0.2/32,::1"])
def test_a_calendar_of_this_machine_is_refused_and_the_owner_is_told_why(make_hub, calendar_server, networks):
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": networks})
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve(PATH, TEXT)}])
    told = problem(hub)
    assert "reachable_networks" in told
    assert "127" not in told, "everyone may read it"
    assert calendar_server.requests == []
    assert "reachable_networks = 127.0.0.1" in hub.log, "the log tells the owner what to write"


def test_a_redirect_leads_to_nothing_that_is_refused(make_hub, calendar_server):
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.1"})
    target = calendar_server.serve(PATH, TEXT).replace("127.0.0.1", "127.0.0.2")
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve("/moved", status=302, location=target)}])
    assert "reachable_networks" in problem(hub)
    assert [request.path for request in calendar_server.requests] == ["/moved"]


def test_a_network_that_is_allowed_is_asked(make_hub, calendar_server):
    hub = make_hub(env={"EIGHTBELLS_REACHABLE_NETWORKS": " 192.168.0.0/16, 127.0.0.1 "})
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve(PATH, TEXT)}])
    eventually(lambda: [event["title"] for event in hub.events()["events"]] == ["Soup"])


@pytest.mark.parametrize("networks, said", [
    ("nowhere", ["nowhere", "10.0.0.0/8"]), ("10.1.2.3/8", ["10.1.2.3/8", "10.0.0.0/8"]), ("10.0.0.0/33", ["33", "32"]),
    ("127.0.0.1,,::1", ["is accepted"]), ("localhost", ["localhost"]),
])
def test_networks_that_are_none_end_with_2(tmp_path, networks, said):
    told = command("serve", "--data", tmp_path / "data", "--reachable-networks", networks)
    assert told.returncode == 2
    assert [part for part in ["reachable_networks: ", *said] if part not in told.stderr] == []
    assert not (tmp_path / "data").exists()


def test_a_certificate_that_nobody_vouches_for_is_refused(hub, tmp_path):
    with CalendarServer(make_certificate(tmp_path / "tls").paths) as server:
        hub.configure(calendars=[{"kind": "ics", "url": server.serve(PATH, TEXT)}])
        assert problem(hub) == "no secure connection to the server comes about"
        assert server.requests == []
