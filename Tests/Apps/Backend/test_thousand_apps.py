"""A thousand apps on one hub: what they cost while few of them are used, and at a start."""

import time

import pytest

from parse_client import Parse

APPS, USED = 1_000, 50
MOST_MEGABYTES, MOST_SECONDS = 60, 5


def megabytes(hub):
    """The memory that the hub's process has now."""
    lines = open(f"/proc/{hub.process.pid}/status", encoding="ascii").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


@pytest.mark.waits
def test_a_thousand_apps_cost_little_and_each_has_its_own(hub):
    before = megabytes(hub)
    apps = []
    for number in range(APPS):
        status, made = hub.post("/api/v1/apps", hub.owner_token, {"name": f"App {number}"})
        assert status == 201, made
        apps.append(made)
    used = apps[::APPS // USED]
    for number, app in enumerate(used):
        Parse(hub.port, app).create("Note", number=number)
    began = time.monotonic()
    status, told = hub.get("/api/v1/apps", token=hub.owner_token)
    listing = time.monotonic() - began
    assert status == 200 and len(told["apps"]) == APPS
    more = megabytes(hub) - before
    hub.stop()
    began = time.monotonic()
    hub.start()
    start = time.monotonic() - began
    print(f"{APPS} apps: {more:.1f} MB more, listed in {listing * 1000:.0f} ms, start in {start:.2f} s")
    assert more < MOST_MEGABYTES and listing < 1 and start < MOST_SECONDS
    for number, app in enumerate(used):
        assert [one["number"] for one in Parse(hub.port, app).find("Note")] == [number]
    assert hub.delete(f"/api/v1/apps/{used[0]['app_id']}", hub.owner_token)[0] == 204
    assert len(Parse(hub.port, used[1]).find("Note")) == 1
