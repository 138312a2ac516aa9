"""A name server that does not answer keeps nobody waiting who asks for the programme."""

import time

import pytest

from faults import HERE, library
from hub import eventually

# Seconds for an answer meanwhile, and for the hub's end: far less than the look-up takes.
PATIENCE = 5

pytestmark = [pytest.mark.waits, pytest.mark.timeout(90)]


def test_a_name_server_that_does_not_answer_keeps_nobody_waiting(make_hub):
    # All of the hub's work is on one loop.
    hub = make_hub(under=("taskset", "-c", "0"), env={"LD_PRELOAD": str(library(HERE / "slow_names.c"))})
    hub.configure(calendars=[{"kind": "ics", "url": "http://calendar.slow/a.ics"}])
    longest = 0.0

    def is_given_up():
        nonlocal longest
        begun = time.monotonic()
        sources = hub.sources()
        longest = max(longest, time.monotonic() - begun)
        return sources and sources[0]["problem"]

    # The client's limit for connecting is ten seconds; the look-up takes forty.
    assert eventually(is_given_up, seconds=30, what="the calendar to be given up") == "the server cannot be reached"
    for _ in range(20):
        is_given_up()
    assert longest < PATIENCE
    begun = time.monotonic()
    assert hub.stop() == 0
    assert time.monotonic() - begun < PATIENCE
