"""Unmodified pusher-js through every feature of an app, in Chromium."""

import hashlib
import re

import pytest

from pusher_app import PEERS, App, AppServer

EXPECTED = {
    "public", "private", "encrypted", "presence", "cache", "clientEvents", "signIn", "watchlist", "terminate", "count",
    "batch", "history",
}


@pytest.fixture
def server(hub):
    app = App(hub)
    app.set(subscription_count=True, history_seconds=60, history_events=100)
    with AppServer(app) as server:
        yield server


def test_the_client_is_unmodified():
    listed = re.findall(r"\| ([\w/.-]+)(?: \(MIT\))? \| ([0-9a-f]{64}) \|", (PEERS / "README.md").read_text())
    assert len(listed) == 2
    for name, digest in listed:
        assert hashlib.sha256((PEERS / name).read_bytes()).hexdigest() == digest, name


def test_every_feature_in_chromium(server, browser):
    page = browser.new_page()
    try:
        page.goto(server.url)
        told = page.evaluate("told => features(Pusher, told)", server.told)
        assert told == dict.fromkeys(EXPECTED, "passed")
    finally:
        page.close()
