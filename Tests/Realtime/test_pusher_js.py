"""Unmodified pusher-js through every feature of an app, under Node and in Chromium."""

import hashlib
import json
import re
import subprocess

import pytest

from pusher_app import FEATURES, PEERS, App, AppServer

NODE = """
const Pusher = require(process.argv[1]);
require(process.argv[2]);
globalThis.features(Pusher.default || Pusher, JSON.parse(process.argv[3]))
  .then((told) => { console.log(JSON.stringify(told)); process.exit(0); });
"""
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
    assert len(listed) == 3
    for name, digest in listed:
        assert hashlib.sha256((PEERS / name).read_bytes()).hexdigest() == digest, name


def test_every_feature_under_node(server):
    # The file exports no module.
    ran = subprocess.run(
        ["node", "-e", NODE, PEERS / "dist/node/pusher.js", FEATURES, json.dumps(server.told)],
        capture_output=True, text=True, timeout=55, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == dict.fromkeys(EXPECTED, "passed"), ran.stderr


def test_every_feature_in_chromium(server, browser):
    page = browser.new_page()
    try:
        page.goto(server.url)
        told = page.evaluate("told => features(Pusher, told)", server.told)
        assert told == dict.fromkeys(EXPECTED, "passed")
    finally:
        page.close()
