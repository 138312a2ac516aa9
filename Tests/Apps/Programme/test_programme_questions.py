"""Expensive questions about the programme: a stranger's flood of them, and askers that have left."""

import datetime
import re
import socket
import struct
import time

import pytest

from hub import EVENTS, eventually

YEAR = datetime.date.today().year
# Each question takes the hub a while: 300 series, three times a week.
SERIES = "".join(
    f"BEGIN:VEVENT\r\nUID:{number}\r\nDTSTAMP:20200101T000000Z\r\nDTSTART:{YEAR - 3}0101T{number % 23:02}0000Z\r\n"
    f"DURATION:PT1H\r\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE\r\nSUMMARY:{'x' * 60}\r\nEND:VEVENT\r\n"
    for number in range(300))
FLOOD = 200


@pytest.fixture
def busy_hub(hub, calendar_server):
    """A hub with a programme that is expensive to compute."""
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n{SERIES}END:VCALENDAR\r\n"
    hub.configure(calendars=[{"kind": "ics", "url": calendar_server.serve("/large.ics", calendar)}])
    eventually(lambda: ask(hub, datetime.date(YEAR, 1, 1), 1)[1]["sources"][0]["as_of"], 30)
    return hub


def question(first, days):
    return f"{EVENTS}?from={first}&to={first + datetime.timedelta(days)}"


def ask(hub, first, days):
    return hub.get(question(first, days))


def count(hub, name):
    text = hub.request("GET", "/metrics", {"Authorization": f"Bearer {hub.owner_token}"}).body.decode()
    return int(float(re.search(rf'^eightbells_questions_{name}{{to="programme"}} (\S+)$', text, re.MULTILINE)[1]))


def flood(hub):
    """So many different questions, each on a connection of its own; none of them answered yet."""
    connections = []
    for number in range(FLOOD):
        connections.append(socket.create_connection(("127.0.0.1", hub.port)))
        first = datetime.date(YEAR, 1, 1) + datetime.timedelta(number)
        connections[-1].sendall(f"GET {question(first, 45)} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return connections


@pytest.mark.parametrize("how", ["resets", "closes"])
def test_a_flood_of_questions_whose_askers_left_holds_nobody_up(busy_hub, how):
    hub = busy_hub
    assert hub.owner_token
    before, began = count(hub, "computed_total"), time.monotonic()
    for connection in flood(hub):
        if how == "resets":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    # Another caller, with a share of their own.
    member = hub.sign_in("member", "Mira")
    assert hub.get("/api/v1/space/favourites", member)[0] == 200
    eventually(lambda: count(hub, "waiting") == 0, 10, "the line is empty again")
    assert ask(hub, datetime.date(YEAR - 1, 1, 1), 1)[0] == 200
    computed, took = count(hub, "computed_total") - before, time.monotonic() - began
    print(f"{FLOOD} questions whose askers left: {computed} computed, {took:.1f} s until another was answered")
    assert computed <= FLOOD // 3
    assert took < 15


@pytest.mark.one_hub  # each counts what it has computed
def test_an_events_own_page_asks_in_the_line_too(busy_hub):
    hub = busy_hub
    before = count(hub, "computed_total")
    assert hub.request("GET", "/programme/00000000000a").status == 200
    assert count(hub, "computed_total") == before + 1


def test_no_more_than_a_share_of_them_waits_and_the_rest_is_told(busy_hub):
    hub = busy_hub
    assert hub.owner_token
    connections = flood(hub)
    try:
        assert count(hub, "waiting") <= 8
        statuses = []
        for connection in connections:
            connection.settimeout(60)
            statuses.append(connection.recv(12).decode()[-3:])
        print({status: statuses.count(status) for status in set(statuses)})
        assert set(statuses) == {"200", "503"} and count(hub, "refused_total") == statuses.count("503")
    finally:
        for connection in connections:
            connection.close()


def test_whoever_only_finishes_asking_still_gets_an_answer(busy_hub):
    with socket.create_connection(("127.0.0.1", busy_hub.port), timeout=30) as connection:
        path = question(datetime.date(YEAR, 6, 1), 1)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(12) == b"HTTP/1.1 200"
